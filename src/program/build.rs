//! From a model's rows to sets of codes, and from these to a program's matchers.
//!
//! All tests of all tables are gathered first, because a fact's codes are cut by all of them. An `any unknown` row
//! becomes the boxes of caller's facts that it takes. A column on a derived fact holds the rows of the derive: the
//! derive's value never has to be looked at.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::{
    Action, Cond, FactId, FactSource, Model, Outcome, Row, Table, TableId, Value, ValueSet, eval::resolution_order,
};
use crate::space::{Layers, SegSet, Space};
use crate::syntax::tree::RowKind;
use crate::words::Verb;

use super::codes::{Codes, Cuts};
use super::columns::{Layout, Lists, Sheet};
use super::joints::Joints;
use super::matcher::{Matcher, Source};
use super::rules::Rules;
use super::verdict::Verdict;

/// How matchers are chosen. The choice never changes an answer; tests take each of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// The most cells of a flat table.
    pub(super) most_cells: u64,
    /// With more places than these, rows are sorted into groups where that pays.
    pub(super) ungrouped: usize,
    /// Whether groups are taken even where they do not pay.
    pub(super) group_always: bool,
    /// All columns of a table keep to so many lines where they can: an eighth of a byte a row each.
    pub(super) most_lines: u32,
    /// The lines of a table of one word a line: eight bytes each.
    pub(super) most_lines_of_few: u32,
    /// The stretches of codes that a column has whose codes would be too many lines.
    pub(super) stretches: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            most_cells: 1 << 16,
            ungrouped: 64,
            group_always: false,
            most_lines: 432,
            most_lines_of_few: 1024,
            stretches: 32,
        }
    }
}

/// With more different tests than these a table is no longer asked column by column.
const MOST_TESTS: usize = 96;

/// The rows of one table in the order in which they are asked.
#[derive(Default)]
struct Asked {
    /// The row of each rank.
    rows: Vec<u32>,
    /// What each rank tests, as places among all tests.
    tests: Lists<u32>,
}

/// Builds the matchers of one model.
pub(super) struct Builder<'m> {
    model: &'m Model,
    cuts: Cuts,
    /// The slot of each fact, and the codes of each slot.
    slots: Vec<u32>,
    n_codes: Vec<u32>,
    /// Every different test of any row.
    tests: Vec<(FactId, Arc<ValueSet>)>,
    derives: Vec<Asked>,
    tables: Vec<Asked>,
}

impl<'m> Builder<'m> {
    pub(super) fn new(model: &'m Model) -> (Self, Codes) {
        let mut boxes = Boxes::new(model);
        let derives: Vec<Asked> = model.derives.iter().map(|derive| boxes.asked(&derive.table)).collect();
        let tables: Vec<Asked> = model.tables.iter().map(|table| boxes.asked(table)).collect();
        let tests = boxes.tests;
        let promises = model.tables.iter().flat_map(|table| &table.promise).map(|cond| (cond.fact, &*cond.set));
        let (codes, cuts) = Codes::build(model, tests.iter().map(|(fact, set)| (*fact, &**set)).chain(promises));
        let (slots, n_codes) = (codes.slots().collect(), codes.sizes().collect());
        (Builder { model, cuts, slots, n_codes, tests, derives, tables }, codes)
    }

    /// The joints of the facts, and the matchers of the derives that are needed and of the tables.
    pub(super) fn matchers(&self, codes: &Codes, needed: &[bool], plan: &Plan) -> (Joints, Vec<Matcher>, Vec<Matcher>) {
        let of_derive = |row: u32| Verdict::row(TableId(0), row, Verb::Review);
        let derives = self.derives.iter().zip(needed);
        let derives: Vec<Option<Layout>> =
            derives.map(|(asked, needed)| needed.then(|| self.layout(asked, of_derive, plan))).collect();
        let tables = self.tables.iter().zip(&self.model.tables).enumerate();
        let tables: Vec<Layout> = tables
            .map(|(place, (asked, table))| self.layout(asked, |row| end_of(TableId(place), &table.rows, row), plan))
            .collect();
        let all = || derives.iter().flatten().chain(&tables);
        let (looks, alone) = (all().map(Layout::looks).collect::<Vec<_>>(), all().filter_map(Layout::grouped_by));
        let n_codes: Vec<u32> = codes.sizes().collect();
        let joints = Joints::build(&n_codes, &looks, plan.stretches, &alone.collect::<Vec<_>>());
        let derives =
            derives.into_iter().map(|layout| layout.map_or_else(Matcher::default, |own| own.matcher(&joints)));
        let derives = derives.collect();
        let tables = tables.into_iter().map(|layout| layout.matcher(&joints)).collect();
        (joints, derives, tables)
    }

    /// The rows of the entry table as rules, where it looks at callers' facts alone and hands nothing over.
    pub(super) fn rules(&self) -> Option<Rules> {
        let (asked, table) = (self.tables.first()?, self.model.tables.first()?);
        let mut tests: Vec<(u32, SegSet)> = Vec::new();
        let mut ranks = Vec::with_capacity(asked.rows.len());
        for (row, own) in asked.rows.iter().zip(asked.tests.iter()) {
            let mut places = Vec::with_capacity(own.len());
            for (fact, set) in own.iter().map(|test| &self.tests[*test as usize]) {
                let Source::Fact(slot) = self.source(*fact) else { return None };
                let test = (slot, self.set(*fact, set));
                let known = tests.iter().position(|other| *other == test);
                places.push(known.unwrap_or(tests.len()) as u32);
                if known.is_none() {
                    tests.push(test);
                }
                if tests.len() > MOST_TESTS {
                    return None;
                }
            }
            let end = end_of(TableId(0), &table.rows, *row);
            if end.next().is_some() {
                return None;
            }
            ranks.push((end, places.into()));
        }
        Rules::new(tests, ranks)
    }

    /// What a test asks of the codes.
    pub(super) fn codes(&self, cond: &Cond) -> (Source, SegSet) {
        (self.source(cond.fact), self.set(cond.fact, &cond.set))
    }

    pub(super) fn n_codes(&self, source: Source) -> u32 {
        match source {
            Source::Fact(slot) => self.n_codes.get(slot as usize).copied().unwrap_or(1),
            Source::Derive(derive) => {
                self.model.derives.get(derive as usize).map_or(1, |d| d.table.rows.len() as u32 + 1)
            }
        }
    }

    fn layout(&self, asked: &Asked, end: impl Fn(u32) -> Verdict, plan: &Plan) -> Layout {
        let ends = asked.rows.iter().map(|row| end(*row)).collect();
        let mut sheet = Sheet { sets: Vec::new(), tests: Lists::default(), ends };
        let mut known: Vec<Option<(Source, u32)>> = vec![None; self.tests.len()];
        let mut row: Vec<(Source, u32)> = Vec::new();
        for tests in asked.tests.iter() {
            for test in tests {
                let (source, set) = *known[*test as usize].get_or_insert_with(|| {
                    let (fact, set) = &self.tests[*test as usize];
                    sheet.sets.push(self.set(*fact, set));
                    (self.source(*fact), sheet.sets.len() as u32 - 1)
                });
                sheet.add(&mut row, source, set);
            }
            sheet.tests.push(row.drain(..));
        }
        Layout::new(sheet, |source| self.n_codes(source), plan)
    }

    fn source(&self, fact: FactId) -> Source {
        match self.model.fact(fact).source {
            FactSource::Derived { derive, .. } => Source::Derive(derive as u32),
            _ => Source::Fact(self.slots.get(fact.0 as usize).copied().unwrap_or(u32::MAX)),
        }
    }

    fn set(&self, fact: FactId, set: &ValueSet) -> SegSet {
        let FactSource::Derived { derive, output } = self.model.fact(fact).source else {
            return self.cuts.codes(fact, set);
        };
        let values = derived_values(self.model, derive, output);
        let held = values.iter().enumerate().filter(|(_, value)| set.admits(value)).map(|(row, _)| row as u32);
        SegSet::from_ranges(held.map(|row| (row, row + 1)))
    }
}

/// What follows from a row of a table.
fn end_of(table: TableId, rows: &[Row], row: u32) -> Verdict {
    match rows.get(row as usize).map(|row| &row.outcome) {
        Some(Outcome::See(next)) => Verdict::sees(row, *next),
        Some(Outcome::Act(chain)) => Verdict::row(table, row, chain.actions.first().map_or(Verb::Review, Action::verb)),
        _ => Verdict::row(table, row, Verb::Review),
    }
}

/// Gathers what rows test, and finds the boxes of `any unknown` rows.
struct Boxes<'m> {
    model: &'m Model,
    /// Only made where some `any unknown` row asks for it.
    space: Option<(Space, Layers)>,
    /// Every different test, and where it is: rows share their sets.
    tests: Vec<(FactId, Arc<ValueSet>)>,
    known: HashMap<(FactId, *const ValueSet), u32>,
}

impl<'m> Boxes<'m> {
    fn new(model: &'m Model) -> Self {
        let mut tables = model.tables.iter().chain(model.derives.iter().map(|d| &d.table));
        let asked = tables.any(|t| t.rows.iter().any(|r| r.kind == RowKind::AnyUnknown));
        let space = if asked { Some(Space::new(model)) } else { None };
        let space = space.and_then(|space| Layers::new(model, &space).ok().map(|layers| (space, layers)));
        Boxes { model, space, tests: Vec::new(), known: HashMap::new() }
    }

    fn asked(&mut self, table: &Table) -> Asked {
        let mut asked = Asked::default();
        for i in resolution_order(table) {
            let row = &table.rows[i];
            let boxes = if row.kind == RowKind::AnyUnknown { self.any_unknown(table) } else { Vec::new() };
            for own in &boxes {
                asked.rows.push(i as u32);
                asked.tests.push(own.iter().map(|(fact, set)| self.place(*fact, set)));
            }
            if row.kind != RowKind::AnyUnknown {
                asked.rows.push(i as u32);
                let conds = if row.kind == RowKind::Plain { &row.conds[..] } else { &[] };
                asked.tests.push(conds.iter().map(|cond| self.place(cond.fact, &cond.set)));
            }
        }
        asked
    }

    /// Where a test is among all.
    fn place(&mut self, fact: FactId, set: &Arc<ValueSet>) -> u32 {
        *self.known.entry((fact, Arc::as_ptr(set))).or_insert_with(|| {
            self.tests.push((fact, Arc::clone(set)));
            self.tests.len() as u32 - 1
        })
    }

    /// The boxes of an `any unknown` row. One that derived facts make too complex has none, so that what it would
    /// take is a gap, which is `review`; a proven policy has no such row.
    fn any_unknown(&self, table: &Table) -> Vec<Vec<(FactId, Arc<ValueSet>)>> {
        let Some((space, layers)) = &self.space else { return Vec::new() };
        let regions = layers.any_unknown(self.model, space, table).unwrap_or_default();
        let sets = |region| space.sets(self.model, region).into_iter().map(|(f, s)| (f, Arc::new(s))).collect();
        regions.iter().map(sets).collect()
    }
}

/// The value of an output for each row of its derive, and last what holds where no row answers.
fn derived_values(model: &Model, derive: usize, output: usize) -> Vec<Value> {
    let rows = model.derives.get(derive).map_or(&[][..], |d| &d.table.rows);
    let value = |row: &Row| match &row.outcome {
        Outcome::Values(values) => values.get(output).cloned().unwrap_or_default(),
        _ => Value::Unknown,
    };
    rows.iter().map(value).chain([Value::Unknown]).collect()
}
