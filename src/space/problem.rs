//! A question put into the form that the search works on.
//!
//! Everything is narrowed to the region in question: rows that do not meet it are left out, tests that always hold
//! there vanish, and each axis is cut anew, only where one of the rows that are left makes a difference: *cells*.
//! Rows have running numbers; those of a derive stand together, derives before the rows that read them, the list in
//! question last.

use super::{Clause, Layers, Region, SegSet};

/// No group.
pub(super) const NO_GROUP: u32 = u32::MAX;

/// The question, compiled.
pub(super) struct Problem {
    pub(super) axes: Vec<LocalAxis>,
    pub(super) rows: Vec<LocalRow>,
    /// Where each layer begins among the rows, and the end; the last layer is the list in question.
    pub(super) starts: Vec<usize>,
    /// How many outcomes each layer has, in words of 64.
    pub(super) outcome_words: Vec<usize>,
}

/// An axis, cut only where the rows differ.
pub(super) struct LocalAxis {
    /// The axis of the space.
    pub(super) axis: u32,
    /// Each cell as a stretch of segments.
    pub(super) cells: Vec<(u32, u32)>,
}

/// A row.
#[derive(Default)]
pub(super) struct LocalRow {
    /// What it tests: local axis and ranges of cells.
    pub(super) tests: Vec<(u32, SegSet)>,
    /// The layers that it reads: layer and the outcomes that satisfy it, as bits.
    pub(super) reads: Vec<(usize, Box<[u64]>)>,
    /// A derive's row: its outcome. A row of the list: its group.
    pub(super) label: u32,
}

/// A row while it is narrowed: its tests still in segments of the space.
struct Narrowed<'a> {
    tests: Vec<(u32, SegSet)>,
    derived: &'a [(u32, SegSet)],
    label: u32,
}

impl Problem {
    /// Compiles a list of clauses with their groups, inside a region.
    pub(super) fn new<'a>(
        layers: &'a Layers,
        sizes: &[u32],
        within: &Region,
        list: impl Iterator<Item = (&'a Clause, u32)>,
    ) -> Problem {
        let main: Vec<Narrowed> = list.filter_map(|(c, group)| narrow(c, within, group)).collect();
        let derives = needed(layers, &main);
        let mut all: Vec<Vec<Narrowed>> = Vec::with_capacity(derives.len() + 1);
        for derive in &derives {
            let rows = layers.layer(*derive).rows.iter();
            all.push(rows.filter_map(|r| narrow(&r.clause, within, r.outcome)).collect());
        }
        all.push(main);
        let axes = cut(sizes, within, &all);
        let outcome_words = derives.iter().map(|d| layers.layer(*d).outcomes.len().div_ceil(64)).collect();
        let mut problem = Problem { axes, rows: Vec::new(), starts: vec![0], outcome_words };
        for rows in all {
            let rows: Vec<LocalRow> = rows.into_iter().map(|r| problem.local(&derives, &r)).collect();
            problem.rows.extend(rows);
            problem.starts.push(problem.rows.len());
        }
        problem
    }

    fn local(&self, derives: &[u32], row: &Narrowed) -> LocalRow {
        let to_cells = |(axis, side): &(u32, SegSet)| {
            let local = self.axes.binary_search_by_key(axis, |a| a.axis).ok()?;
            let cells = &self.axes[local].cells;
            let ranges = side.ranges().iter().map(|&(lo, hi)| {
                let first = cells.partition_point(|c| c.0 < lo) as u32;
                (first, cells.partition_point(|c| c.1 <= hi) as u32)
            });
            Some((local as u32, SegSet::from_ranges(ranges)))
        };
        let tests = row.tests.iter().filter_map(to_cells).collect();
        let to_read = |(derive, held): &(u32, SegSet)| {
            let layer = derives.binary_search(derive).ok()?;
            let mut bits = vec![0u64; self.outcome_words[layer]];
            held.iter().for_each(|o| bits[o as usize / 64] |= 1 << (o % 64));
            Some((layer, bits.into()))
        };
        LocalRow { tests, reads: row.derived.iter().filter_map(to_read).collect(), label: row.label }
    }

    /// The layer of the list in question.
    pub(super) fn main(&self) -> usize {
        self.starts.len() - 2
    }
}

/// A row inside a region; nothing where the two do not meet.
fn narrow<'a>(clause: &'a Clause, within: &Region, label: u32) -> Option<Narrowed<'a>> {
    if !clause.region.meets(within) {
        return None;
    }
    let mut tests = Vec::with_capacity(clause.region.sides().len());
    for (axis, side) in clause.region.sides() {
        match within.side(*axis) {
            Some(whole) if side.covers(whole) => {}
            Some(whole) => tests.push((*axis, side.and(whole))),
            None => tests.push((*axis, side.clone())),
        }
    }
    Some(Narrowed { tests, derived: &clause.derived, label })
}

/// The derives that a list reads, those of derives included, in order.
fn needed(layers: &Layers, list: &[Narrowed]) -> Vec<u32> {
    let mut derives: Vec<u32> = list.iter().flat_map(|r| r.derived.iter().map(|d| d.0)).collect();
    derives.sort_unstable();
    derives.dedup();
    let mut i = 0;
    while i < derives.len() {
        for row in &layers.layer(derives[i]).rows {
            for (derive, _) in &row.clause.derived {
                if !derives.contains(derive) {
                    derives.push(*derive);
                }
            }
        }
        i += 1;
    }
    derives.sort_unstable();
    derives
}

/// Cuts each axis that some row tests at the ends of those tests.
fn cut(sizes: &[u32], within: &Region, rows: &[Vec<Narrowed>]) -> Vec<LocalAxis> {
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); sizes.len()];
    for (axis, side) in rows.iter().flatten().flat_map(|r| &r.tests) {
        ends[*axis as usize].extend(side.ranges().iter().flat_map(|r| [r.0, r.1]));
    }
    let mut axes = Vec::new();
    for (axis, mut ends) in (0u32..).zip(ends) {
        if ends.is_empty() {
            continue;
        }
        let whole = within.side(axis).cloned().unwrap_or_else(|| SegSet::range(0, sizes[axis as usize]));
        ends.extend(whole.ranges().iter().flat_map(|r| [r.0, r.1]));
        ends.sort_unstable();
        ends.dedup();
        let cells = ends.windows(2).map(|w| (w[0], w[1])).filter(|c| whole.contains(c.0)).collect();
        axes.push(LocalAxis { axis, cells });
    }
    axes
}
