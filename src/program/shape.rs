//! What a program was built as: the kind of each matcher, what a question reads of it at most, and its room.

use std::mem::size_of_val;

use super::answer::Program;
use super::matcher::{Matcher, Source};

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
        self.matchers().map(Matcher::shape)
    }
}

impl Matcher {
    fn shape(&self) -> Shape {
        let groups = self.groups.as_ref().map(|groups| match groups.source {
            Source::Fact(fact) => GroupedBy::Fact(fact as usize),
            Source::Derive(derive) => GroupedBy::Derive(derive as usize),
        });
        Shape { groups, n_columns: self.columns.len(), n_words: self.most_words(), n_bytes: self.n_bytes() }
    }

    /// Those of the largest group and of the rows outside all groups, in every column.
    fn most_words(&self) -> usize {
        let words = |lo: u32, hi: u32| if lo < hi { (hi as usize).div_ceil(64) - lo as usize / 64 } else { 0 };
        let groups = self.groups.iter().flat_map(|groups| groups.starts.windows(2));
        let largest = groups.map(|ends| words(ends[0], ends[1])).max().unwrap_or(0);
        self.columns.len() * (largest + words(self.wide, self.n_places))
    }

    fn n_bytes(&self) -> usize {
        let classes: usize = self.columns.iter().map(|column| size_of_val(&*column.classes)).sum();
        let checks = self.checks.iter().map(|check| size_of_val(&*check.starts) + size_of_val(&*check.ranges));
        let groups = self.groups.as_ref().map_or(0, |groups| size_of_val(&*groups.starts));
        let places = size_of_val(&*self.ranks) + size_of_val(&*self.rows);
        size_of_val(&*self.bits) + places + groups + classes + checks.sum::<usize>()
    }
}
