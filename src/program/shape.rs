//! What a program was built as: the kind of each matcher, what a question reads of it at most, and its room.

use std::mem::size_of_val;

use super::answer::Program;
use super::matcher::{Classes, MANY_BLOCKS, Matcher, Source};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// What its rows are grouped by, where they are.
    pub groups: Option<GroupedBy>,
    /// The facts and derives that it looks at, each a column of bitmaps.
    pub n_columns: usize,
    /// The words of bitmaps that a question reads of it at most.
    pub n_words: usize,
    /// The room that it takes.
    pub n_bytes: usize,
}

/// What rows are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupedBy {
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

    /// The matchers of the derives, then those of the tables, each in the model's order.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> {
        self.matchers().map(|matcher| matcher.shape(|slot| self.fact_of(slot)))
    }
}

impl Classes {
    fn n_bytes(&self) -> usize {
        if let Classes::Listed(classes) = self { size_of_val(&**classes) } else { 0 }
    }
}

impl Matcher {
    fn shape(&self, fact_of: impl Fn(u32) -> usize) -> Shape {
        let groups = self.groups.as_ref().map(|groups| match groups.source {
            Source::Fact(slot) => GroupedBy::Fact(fact_of(slot)),
            Source::Derive(derive) => GroupedBy::Derive(derive as usize),
        });
        let n_looks = self.columns.len() + self.classed.len();
        let n_columns = n_looks + self.columns.iter().filter(|column| column.stride > 0).count();
        Shape { groups, n_columns, n_words: n_looks * self.most_words(), n_bytes: self.n_bytes() }
    }

    /// The blocks of the largest group and of the rows outside all groups, and their tops.
    fn most_words(&self) -> usize {
        let words = |lo: u32, hi: u32| match (hi as usize).div_ceil(64) - lo as usize / 64 {
            _ if lo >= hi => 0,
            n if n > MANY_BLOCKS => n + (hi as usize).div_ceil(64 * 64) - lo as usize / (64 * 64),
            n => n,
        };
        let groups = self.groups.iter().flat_map(|groups| groups.starts.windows(2));
        let largest = groups.map(|ends| words(ends[0], ends[1])).max().unwrap_or(0);
        largest + words(self.wide, self.n_places)
    }

    fn n_bytes(&self) -> usize {
        let classes: usize = self.classed.iter().map(|column| column.classes.n_bytes()).sum();
        let checks = self.checks.iter().map(|check| size_of_val(&*check.ranges) + size_of_val(&*check.more));
        let groups = self.groups.as_ref().map_or(0, |groups| size_of_val(&*groups.starts));
        let places = size_of_val(&*self.ranks) + size_of_val(&*self.ends);
        size_of_val(&*self.bits) + size_of_val(&*self.tops) + places + groups + classes + checks.sum::<usize>()
    }
}
