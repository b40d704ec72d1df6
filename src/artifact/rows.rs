//! Rows, their tests and what follows from them, as records of one width: found by number, checked in one pass, and made
//! only where somebody asks for their cells.
//!
//! ```text
//! name, reason    4 and 4: one more than the number of a text, or 0
//! what follows    4: the row's kind (2 bits), act, see or values (2 bits), and the number of what it is
//! tests           4: where its numbers end among all tests; they begin where those of the row before end
//! where it is     4 and 4: its first byte in the file of its table, and the byte behind its last
//! ```

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::actions::Chains;
use super::error::Load;
use super::facts::{read_value, write_value};
use super::reader::Reader;
use super::section::Section;
use super::sets;
use super::tables;
use super::writer::Writer;
use crate::model::{FactId, Model, Outcome, Row, ValueSet};
use crate::syntax::tree::RowKind;

/// The bytes of a row.
pub(super) const ROW: usize = 24;

const KINDS: [RowKind; 3] = [RowKind::Plain, RowKind::AnyUnknown, RowKind::Otherwise];

const ACT: u32 = 0;
const SEE: u32 = 1;
const VALUES: u32 = 2;

/// A row as it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    name: u32,
    reason: u32,
    follows: u32,
    pub(super) tests_end: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// What follows from a row, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// A chain of actions.
    Act(u32),
    /// Another table.
    See(u32),
    /// The values from this one on.
    Values(u32),
}

impl Record {
    #[inline]
    pub(super) fn of(bytes: &[u8; ROW]) -> Record {
        let (numbers, _) = bytes.as_chunks::<4>();
        let [name, reason, follows, tests_end, start, end] = std::array::from_fn(|i| u32::from_le_bytes(numbers[i]));
        Record { name, reason, follows, tests_end, start, end }
    }

    /// The number of its name.
    pub(super) fn name(self) -> Option<u32> {
        self.name.checked_sub(1)
    }

    /// The number of its reason.
    pub(super) fn reason(self) -> Option<u32> {
        self.reason.checked_sub(1)
    }

    /// Whether it names what is there, and tests behind those of the row before.
    #[inline]
    fn is_sound(self, n_tests: u32, limits: &Limits) -> bool {
        let tag = (self.follows >> 2 & 3) as usize;
        self.name <= limits.texts
            && self.reason <= limits.texts
            && self.follows & 3 < KINDS.len() as u32
            && self.follows >> 4 < limits.follows[tag]
            && n_tests <= self.tests_end
            && self.tests_end <= limits.tests
            && self.start <= self.end
    }

    pub(super) fn kind(self) -> Option<RowKind> {
        KINDS.get((self.follows & 3) as usize).copied()
    }

    #[inline]
    pub(super) fn follows(self) -> Option<Follows> {
        let number = self.follows >> 4;
        match self.follows >> 2 & 3 {
            ACT => Some(Follows::Act(number)),
            SEE => Some(Follows::See(number)),
            VALUES => Some(Follows::Values(number)),
            _ => None,
        }
    }
}

/// The different sets of each fact, in the order in which rows ask for them.
pub(super) struct Sets<'m> {
    of_fact: Vec<IndexSet<&'m ValueSet>>,
    /// The number of the first set of each fact.
    starts: Vec<u32>,
}

impl<'m> Sets<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut of_fact = vec![IndexSet::new(); model.facts.len()];
        for cond in tables::all(model).flat_map(|table| &table.rows).flat_map(|row| &row.conds) {
            of_fact[cond.fact.0 as usize].insert(&*cond.set);
        }
        let mut next = 0;
        let starts = of_fact.iter().map(|sets| {
            next += sets.len() as u32;
            next - sets.len() as u32
        });
        Sets { starts: starts.collect(), of_fact }
    }

    /// How many a fact has.
    pub(super) fn len(&self, fact: usize) -> usize {
        self.of_fact[fact].len()
    }

    fn number(&self, fact: FactId, set: &ValueSet) -> u32 {
        let fact = fact.0 as usize;
        self.starts[fact] + self.of_fact[fact].get_index_of(set).unwrap_or_default() as u32
    }
}

/// Writes all rows of a model, and gathers the actions that they take.
pub(super) fn write<'m>(w: &mut Writer, model: &'m Model, sets: &Sets<'m>, chains: &mut Chains<'m>) {
    w.turn_to(Section::Sets);
    for (fact, own) in model.facts.values().zip(&sets.of_fact) {
        own.iter().for_each(|set| sets::write(w, fact, set));
    }
    let (mut n_tests, mut n_values) = (0, 0);
    for row in tables::all(model).flat_map(|table| &table.rows) {
        w.turn_to(Section::Tests);
        row.conds.iter().for_each(|cond| w.u32(sets.number(cond.fact, &cond.set)));
        n_tests += row.conds.len();
        let (tag, number) = match &row.outcome {
            Outcome::Act(chain) => (ACT, chains.insert_full((&chain.actions, chain.stated)).0),
            Outcome::See(table) => (SEE, table.0),
            Outcome::Values(values) => {
                w.turn_to(Section::Values);
                for value in values {
                    write_value(w, value);
                }
                n_values += values.len();
                (VALUES, n_values - values.len())
            }
        };
        w.turn_to(Section::Rows);
        record(w, row, (number as u32) << 4 | tag << 2, n_tests);
    }
}

fn record(w: &mut Writer, row: &Row, follows: u32, tests_end: usize) {
    w.optional_text(row.name.as_deref());
    w.optional_text(row.reason.as_deref());
    w.u32(follows | row.kind as u32);
    w.n(tests_end);
    w.u32(row.span.start);
    w.u32(row.span.end);
}

/// How many of everything rows may name.
pub(super) struct Bounds {
    pub(super) texts: usize,
    pub(super) tests: usize,
    pub(super) chains: usize,
    pub(super) tables: usize,
}

/// Below which numbers the rows of one table stay.
struct Limits {
    texts: u32,
    tests: u32,
    /// By what follows.
    follows: [u32; 4],
}

impl Bounds {
    /// Those of a table that acts, or of one that gives values.
    fn limits(&self, gives_values: bool) -> Limits {
        let n = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let follows = if gives_values { [0, 0, u32::MAX, 0] } else { [n(self.chains), n(self.tables), 0, 0] };
        Limits { texts: n(self.texts), tests: n(self.tests), follows }
    }
}

/// What checking rows tells.
pub(super) struct Checked {
    /// The first row of each table, and where the last one's end.
    pub(super) starts: Box<[u32]>,
    /// Which table hands over to which.
    pub(super) sees: BTreeSet<(u32, u32)>,
    /// Where the tests of each derive end.
    pub(super) tests_of_derives: Vec<u32>,
}

/// Holds that all rows of a table are sound; gives where the tests of the last one end and what follows from any of them, bit
/// by bit. Else the place of the first that is not.
fn hold<R: Iterator<Item = Record>>(rows: impl Fn() -> R, n_tests: u32, limits: &Limits) -> Result<(u32, u32), usize> {
    let (mut all, mut follow, mut last) = (true, 0, n_tests);
    for row in rows() {
        all &= row.is_sound(last, limits);
        follow |= row.follows;
        last = row.tests_end;
    }
    if all {
        return Ok((last, follow));
    }
    let mut last = n_tests;
    let is_unsound = |row: Record| !row.is_sound(std::mem::replace(&mut last, row.tests_end), limits);
    Err(rows().position(is_unsound).unwrap_or_default())
}

/// Checks all rows of a model without its rows; `n_rows` are those of each table.
pub(super) fn check(
    r: &mut Reader,
    values: &mut Reader,
    model: &Model,
    n_rows: &[u32],
    bounds: &Bounds,
) -> Load<Checked> {
    let outputs = model.derives.iter().map(|d| &d.outputs).chain(model.classifies.iter().map(|c| &c.outputs));
    let outputs = outputs.map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    let n_before = model.derives.len() + model.classifies.len();
    let (mut starts, mut sees, mut tests_of_derives) = (vec![0u32], BTreeSet::new(), Vec::new());
    let (mut end, mut n_tests, mut n_values) = (0u32, 0, 0);
    for (place, (n, outputs)) in n_rows.iter().zip(outputs).enumerate() {
        end = end.checked_add(*n).ok_or_else(|| r.unsound("it has more rows than can be"))?;
        starts.push(end);
        let (before, limits) = (r.clone(), bounds.limits(!outputs.is_empty()));
        let unsound = |place: usize| before.clone().behind((place + 1) * ROW).unsound("a row names what is not there");
        let (records, _) = r.take((*n as usize).saturating_mul(ROW))?.as_chunks();
        let rows = || records.iter().map(Record::of);
        let (tests_end, follow) = hold(rows, n_tests, &limits).map_err(unsound)?;
        n_tests = tests_end;
        if follow & SEE << 2 != 0 {
            let next = |row: Record| if let Some(Follows::See(next)) = row.follows() { Some(next) } else { None };
            sees.extend(rows().filter_map(next).map(|next| ((place - n_before) as u32, next)));
        }
        for (place, row) in rows().enumerate().take_while(|_| !outputs.is_empty()) {
            if row.follows() != Some(Follows::Values(n_values)) {
                return Err(unsound(place));
            }
            n_values += outputs.len() as u32;
            outputs.iter().try_for_each(|o| read_value(values, model.fact(o.fact)).map(|_| ()))?;
        }
        if place < model.derives.len() {
            tests_of_derives.push(n_tests);
        }
    }
    r.ensure(n_tests as usize == bounds.tests, "some tests belong to no row")?;
    Ok(Checked { starts: starts.into(), sees, tests_of_derives })
}
