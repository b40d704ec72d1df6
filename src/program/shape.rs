//! What a program was built as: the kind of each matcher, what a question reads of it at most, and its room.

use std::mem::size_of_val;

use super::answer::Program;
use super::codes::NO_SLOT;
use super::matcher::{At, Classes, Matcher, STRIPE};
use super::question::NEAR;

/// An array that holds the answer of a whole policy for every point of its space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatTable {
    /// The points, an entry each; a question reads one.
    pub n_points: usize,
    /// The different answers, each with the way to it.
    pub n_answers: usize,
    /// The room that it takes.
    pub n_bytes: usize,
}

/// The matcher of one table or derive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// What its rows are grouped by, where they are.
    pub groups: Option<Seen>,
    /// Its columns of bitmaps: the facts or the derive that each is looked up by.
    pub columns: Vec<Vec<Seen>>,
    /// The columns whose bitmaps admit too much, so that rows are checked after them.
    pub n_checked: usize,
    /// Whether rows are passed over by the tops of their bitmaps.
    pub has_tops: bool,
    /// The words of bitmaps that a question reads of it at most.
    pub n_words: usize,
    /// The room that it takes.
    pub n_bytes: usize,
}

/// What a matcher looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// A caller's fact, by its place.
    Fact(usize),
    /// The rows of a derive, by its place.
    Derive(usize),
}

impl Program {
    /// The array of the whole policy, where there is one; then no matcher is ever asked.
    pub fn flat_shape(&self) -> Option<FlatTable> {
        self.flat().map(super::flat::Flat::shape)
    }

    /// The matchers of the derives, then those of the tables, each in the model's order; none of a derive that no table
    /// needs.
    pub fn shapes(&self) -> impl Iterator<Item = Option<Shape>> {
        self.matchers().map(|matcher| matcher.map(|matcher| matcher.shape(|at| self.seen(at))))
    }

    /// Whether many questions at once are answered by joint keys.
    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The facts whose code or point stands somewhere.
    fn seen(&self, at: At) -> Vec<Seen> {
        let place = match at {
            At::Place(place) => place,
            At::Derive(derive) => return vec![Seen::Derive(derive as usize)],
        };
        let tested = (0..).zip(&self.codes.coders).filter(|(_, coder)| coder.slot != NO_SLOT);
        let own = tested.filter(|(_, coder)| coder.point == place || NEAR as u32 + coder.slot == place);
        own.map(|(fact, _)| Seen::Fact(fact)).collect()
    }
}

impl Classes {
    fn n_bytes(&self) -> usize {
        if let Classes::Listed(classes) = self { size_of_val(&**classes) } else { 0 }
    }
}

impl Matcher {
    fn shape(&self, seen: impl Fn(At) -> Vec<Seen>) -> Shape {
        let joints = self.columns.iter().map(|column| At::Place(column.place));
        let columns = joints.chain(self.classed.iter().map(|column| column.at)).map(&seen);
        Shape {
            groups: self.groups.as_ref().and_then(|groups| seen(groups.at).first().copied()),
            columns: columns.collect(),
            n_checked: self.checks.len(),
            has_tops: !self.tops.is_empty(),
            n_words: (self.columns.len() + self.classed.len()) * self.most_words(),
            n_bytes: self.n_bytes(),
        }
    }

    /// The words of one line for the largest group and the rows outside all groups, and their tops.
    fn most_words(&self) -> usize {
        if self.is_plain {
            return 1;
        }
        let stripes = |lo: u32, hi: u32| (hi.div_ceil(STRIPE) - lo / STRIPE) as usize;
        let words = |lo: u32, hi: u32| match stripes(lo, hi) {
            _ if lo >= hi => 0,
            n if self.tops.is_empty() => 2 * n,
            n => 2 * (n + n.div_ceil(STRIPE as usize)),
        };
        let groups = self.groups.iter().flat_map(|groups| &groups.places);
        let largest = groups.map(|(lo, hi)| words(*lo, *hi)).max().unwrap_or(0);
        largest + words(self.wide, self.n_places)
    }

    fn n_bytes(&self) -> usize {
        let classes: usize = self.classed.iter().map(|column| column.classes.n_bytes()).sum();
        let checks = self.checks.iter().map(|check| size_of_val(&*check.ranges) + size_of_val(&*check.more));
        let groups = self.groups.as_ref().map_or(0, |groups| size_of_val(&*groups.places));
        let places = size_of_val(&*self.ranks) + size_of_val(&*self.ends);
        size_of_val(&*self.bits) + size_of_val(&*self.tops) + places + groups + classes + checks.sum::<usize>()
    }
}
