//! From a model's rows to bitmaps.
//!
//! Takes one table at a time, its rows in the order in which they are asked; an `any unknown` row becomes the boxes
//! of caller's facts that it takes. A column on a derived fact is a table from the derive's row to a class: the
//! derive's value never has to be looked at. Blocks are halved until their bitmaps fit [`BLOCK_BYTES`].

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::{FactId, FactSource, Model, Outcome, Table, Value, ValueSet, eval::resolution_order};
use crate::space::{Axis, Layers, SegSet, Space};
use crate::syntax::tree::RowKind;

use super::matcher::{BLOCK_ROWS, Block, Column, Matcher, Source};

/// What a block's bitmaps may take before it is halved.
const BLOCK_BYTES: usize = 64 * 1024;

/// The rows of a block that is not halved any more.
const SMALLEST_BLOCK: usize = 64;

/// What one place in the order of asking tests.
type Tests = Vec<(FactId, Arc<ValueSet>)>;

/// Builds matchers for one model.
pub(super) struct Builder<'m> {
    model: &'m Model,
    /// Only made where some `any unknown` row asks for it.
    space: Option<(Space, Layers)>,
}

impl<'m> Builder<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut tables = model.tables.iter().chain(model.derives.iter().map(|d| &d.table));
        let asked = tables.any(|t| t.rows.iter().any(|r| r.kind == RowKind::AnyUnknown));
        let space = if asked { Some(Space::new(model)) } else { None };
        let space = space.and_then(|space| Layers::new(model, &space).ok().map(|layers| (space, layers)));
        Builder { model, space }
    }

    /// The matcher of one table.
    pub(super) fn matcher(&self, table: &Table) -> Matcher {
        let (mut rows, mut tests): (Vec<u32>, Vec<Tests>) = (Vec::new(), Vec::new());
        for i in resolution_order(table) {
            let boxes = match table.rows[i].kind {
                RowKind::AnyUnknown => self.any_unknown(table),
                RowKind::Otherwise => vec![Tests::new()],
                RowKind::Plain => {
                    vec![table.rows[i].conds.iter().map(|c| (c.fact, Arc::clone(&c.set))).collect()]
                }
            };
            rows.extend(boxes.iter().map(|_| i as u32));
            tests.extend(boxes);
        }
        let mut blocks = Vec::new();
        for (n, chunk) in tests.chunks(BLOCK_ROWS).enumerate() {
            self.blocks(n * BLOCK_ROWS, chunk, &mut blocks);
        }
        Matcher { blocks: blocks.into(), rows: rows.into() }
    }

    /// The boxes of an `any unknown` row. One that derived facts make too complex has none, so that what it would
    /// take is a gap, which is `review`; a proven policy has no such row.
    fn any_unknown(&self, table: &Table) -> Vec<Tests> {
        let Some((space, layers)) = &self.space else { return Vec::new() };
        let regions = layers.any_unknown(self.model, space, table).unwrap_or_default();
        let sets = |region| space.sets(self.model, region).into_iter().map(|(f, s)| (f, Arc::new(s))).collect();
        regions.iter().map(sets).collect()
    }

    /// A block of some rows, or two of their halves where it would be large.
    fn blocks(&self, first: usize, tests: &[Tests], out: &mut Vec<Block>) {
        let block = self.block(first, tests);
        if block.size() <= BLOCK_BYTES || tests.len() <= SMALLEST_BLOCK {
            out.push(block);
            return;
        }
        let half = (tests.len() / 2).next_multiple_of(64);
        let (front, back) = tests.split_at(half.min(tests.len()));
        self.blocks(first, front, out);
        if !back.is_empty() {
            self.blocks(first + front.len(), back, out);
        }
    }

    fn block(&self, first: usize, tests: &[Tests]) -> Block {
        let mut by_fact: Vec<(FactId, Vec<(usize, &ValueSet)>)> = Vec::new();
        let mut place: HashMap<FactId, usize> = HashMap::new();
        for (row, tests) in tests.iter().enumerate() {
            for (fact, set) in tests {
                let at = *place.entry(*fact).or_insert_with(|| {
                    by_fact.push((*fact, Vec::new()));
                    by_fact.len() - 1
                });
                by_fact[at].1.push((row, set));
            }
        }
        // What most rows test rules out most: ask it first.
        by_fact.sort_by_key(|(fact, tests)| (std::cmp::Reverse(tests.len()), *fact));
        let columns = by_fact.iter().map(|(fact, list)| self.column(*fact, list, tests.len())).collect();
        Block { first: first as u32, n_rows: tests.len() as u32, columns }
    }

    fn column(&self, fact: FactId, tests: &[(usize, &ValueSet)], n_rows: usize) -> Column {
        let (source, n_segments, segs) = if let FactSource::Derived { derive, output } = self.model.fact(fact).source {
            let outcomes = derived_values(self.model, derive, output);
            let held = |set: &ValueSet| {
                let rows = outcomes.iter().enumerate().filter(|(_, v)| set.admits(v)).map(|(i, _)| i as u32);
                SegSet::from_ranges(rows.map(|i| (i, i + 1)))
            };
            let segs: Vec<SegSet> = tests.iter().map(|(_, set)| held(set)).collect();
            (Source::Derive(derive as u32), outcomes.len(), segs)
        } else {
            let axis = Axis::new(self.model.fact(fact), tests.iter().map(|(_, set)| *set));
            let segs = tests.iter().map(|(_, set)| axis.segs(set)).collect();
            let n = axis.n_segments() as usize;
            (Source::Fact(fact.0, axis), n, segs)
        };
        let (classes, bits) = bitmaps(tests, &segs, n_segments, n_rows);
        Column { source, classes, bits }
    }
}

/// The class of each segment, and the bitmaps of the classes one after the other.
fn bitmaps(
    tests: &[(usize, &ValueSet)],
    segs: &[SegSet],
    n_segments: usize,
    n_rows: usize,
) -> (Box<[u16]>, Box<[u64]>) {
    let n_words = n_rows.div_ceil(64);
    let mut free = vec![u64::MAX; n_words];
    for (row, _) in tests {
        free[row / 64] &= !(1 << (row % 64));
    }
    let mut all = free.repeat(n_segments);
    let mut i = 0;
    while i < tests.len() {
        // Two tests of one fact in one row stand side by side: both must hold.
        let (row, mut both) = (tests[i].0, segs[i].clone());
        i += 1;
        while i < tests.len() && tests[i].0 == row {
            both = both.and(&segs[i]);
            i += 1;
        }
        for seg in both.iter() {
            all[seg as usize * n_words + row / 64] |= 1 << (row % 64);
        }
    }
    let mut classes = Vec::with_capacity(n_segments);
    let (mut bits, mut known): (Vec<u64>, HashMap<&[u64], u16>) = (Vec::new(), HashMap::new());
    for map in all.chunks(n_words.max(1)) {
        let next = known.len() as u16;
        let class = *known.entry(map).or_insert(next);
        if class == next && usize::from(next) * n_words == bits.len() {
            bits.extend(map);
        }
        classes.push(class);
    }
    (classes.into(), bits.into())
}

/// The value of an output for each row of its derive, and last what holds where no row answers.
pub(super) fn derived_values(model: &Model, derive: usize, output: usize) -> Vec<Value> {
    let rows = model.derives.get(derive).map_or(&[][..], |d| &d.table.rows);
    let value = |row: &crate::model::Row| match &row.outcome {
        Outcome::Values(values) => values.get(output).cloned().unwrap_or_default(),
        _ => Value::Unknown,
    };
    rows.iter().map(value).chain([Value::Unknown]).collect()
}
