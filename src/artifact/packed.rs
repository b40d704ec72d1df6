//! A model as it lies in an artifact: its head made, its rows left as they are until somebody asks for their cells.
//!
//! Deciding asks for the head, for a row's actions, names and reasons: these are looked up. What asks for the tests of
//! rows (the plain evaluator, `why`, a comparison) gets the whole model, made once and kept. All was checked when the
//! artifact was loaded, so that making it cannot fail.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::facts::read_value;
use super::reader::Reader;
use super::rows::{Follows, ROW, Record};
use super::sets;
use super::texts::Texts;
use crate::model::{Action, Chain, Cond, FactId, Model, Outcome, Output, Row, RowHead, Table, TableId, ValueSet};
use crate::syntax::tree::RowKind;
use crate::text::Span;
use crate::words::Verb;

/// A model whose rows are not made yet.
#[derive(Debug)]
pub(crate) struct Packed {
    /// The sections that rows lie in.
    pub(super) bytes: Vec<u8>,
    pub(super) places: Places,
    /// The model without rows.
    pub(super) head: Model,
    pub(super) chains: Box<[Chain]>,
    /// The first row of each derive, classify and table, in this order; last where the last one's end.
    pub(super) starts: Box<[u32]>,
    /// The number of the first set of each fact; last how many there are.
    pub(super) first_sets: Box<[u32]>,
    pub(super) whole: OnceLock<Model>,
}

/// Where the sections lie.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) texts: Range<usize>,
    pub(super) sets: Range<usize>,
    pub(super) tests: Range<usize>,
    pub(super) rows: Range<usize>,
    pub(super) values: Range<usize>,
}

impl Packed {
    /// The model without rows: facts, blocks, rules, and tables that say all but their rows.
    #[inline]
    pub(crate) fn head(&self) -> &Model {
        &self.head
    }

    /// The whole model.
    pub(crate) fn whole(&self) -> &Model {
        self.whole.get_or_init(|| self.unpack())
    }

    /// How many rows a table has.
    pub(crate) fn n_rows(&self, table: TableId) -> usize {
        self.ends_of(self.place(table)).len()
    }

    /// How many rows a derive has.
    pub(crate) fn n_rows_of_derive(&self, derive: usize) -> usize {
        self.ends_of(derive).len()
    }

    /// What can be told of a row without its tests.
    pub(crate) fn row(&self, table: TableId, row: usize) -> Option<RowHead<'_>> {
        let record = self.record(table, row)?;
        let texts = Texts::of(self.section(&self.places.texts));
        let text = |number: Option<u32>| number.and_then(|number| texts.get(number));
        let file = self.head.tables.get(table.0)?.span.file;
        let span = Span { file, start: record.start, end: record.end };
        Some(RowHead { name: text(record.name()), reason: text(record.reason()), kind: record.kind()?, span })
    }

    /// What all rows of all tables want.
    pub(crate) fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// The actions of a row that acts.
    #[inline]
    pub(crate) fn chain(&self, table: TableId, row: usize) -> Option<&Chain> {
        match self.record(table, row)?.follows()? {
            Follows::Act(chain) => self.chains.get(chain as usize),
            Follows::See(_) | Follows::Values(_) => None,
        }
    }

    /// What each row of a table wants first, or which table it hands over to.
    pub(crate) fn wanted(&self, table: TableId) -> impl Iterator<Item = Result<Verb, TableId>> {
        let verbs: Vec<Verb> =
            self.chains.iter().map(|chain| chain.actions.first().map_or(Verb::Review, Action::verb)).collect();
        let (records, _) = self.section(&self.places.rows).as_chunks::<ROW>();
        let rows = records.get(self.ends_of(self.place(table))).unwrap_or_default();
        rows.iter().map(move |row| match Record::of(row).follows() {
            Some(Follows::See(next)) => Err(TableId(next as usize)),
            Some(Follows::Act(chain)) => Ok(verbs.get(chain as usize).copied().unwrap_or(Verb::Review)),
            Some(Follows::Values(_)) | None => Ok(Verb::Review),
        })
    }

    fn section(&self, place: &Range<usize>) -> &[u8] {
        self.bytes.get(place.clone()).unwrap_or_default()
    }

    /// The place of a table among all that have rows.
    fn place(&self, table: TableId) -> usize {
        self.head.derives.len() + self.head.classifies.len() + table.0
    }

    fn ends_of(&self, place: usize) -> Range<usize> {
        let end = |place: usize| self.starts.get(place).map_or(0, |n| *n as usize);
        end(place)..end(place + 1)
    }

    #[inline]
    fn record(&self, table: TableId, row: usize) -> Option<Record> {
        let rows = self.ends_of(self.place(table));
        let at = rows.start.checked_add(row).filter(|at| *at < rows.end)?;
        let (records, _) = self.section(&self.places.rows).as_chunks::<ROW>();
        records.get(at).map(Record::of)
    }

    /// Makes the whole model.
    fn unpack(&self) -> Model {
        let mut model = self.head.clone();
        let mut rows = Unpacking::new(self);
        for derive in &mut model.derives {
            rows.fill(&mut derive.table, &derive.outputs);
        }
        for classify in &mut model.classifies {
            rows.fill(&mut classify.table, &classify.outputs);
        }
        model.tables.iter_mut().for_each(|table| rows.fill(table, &[]));
        model
    }
}

/// Makes rows in the order in which they stand.
struct Unpacking<'a> {
    packed: &'a Packed,
    texts: Texts<'a>,
    records: &'a [[u8; ROW]],
    tests: &'a [[u8; 4]],
    values: Reader<'a>,
    /// All sets by number, each with its fact.
    sets: Vec<(FactId, Arc<ValueSet>)>,
    /// The table that comes next.
    place: usize,
    /// Where the tests of the next row begin.
    test: usize,
}

impl<'a> Unpacking<'a> {
    fn new(packed: &'a Packed) -> Self {
        let texts = Texts::of(packed.section(&packed.places.texts));
        let reader = |place: &Range<usize>| Reader::new(packed.section(place), 0, "").naming(texts, 0);
        let mut stored = reader(&packed.places.sets);
        let counts = packed.first_sets.windows(2).map(|ends| ends[1] - ends[0]);
        let mut sets = Vec::with_capacity(packed.first_sets.last().map_or(0, |n| *n as usize));
        for ((place, fact), n) in packed.head.facts.values().enumerate().zip(counts) {
            // Each was stepped over when the artifact was loaded.
            let raws = (0..n).map_while(|_| sets::step(&mut stored, fact).ok());
            sets.extend(raws.map(|raw| (FactId(place as u32), Arc::new(raw.build(texts)))));
        }
        let (records, _) = packed.section(&packed.places.rows).as_chunks();
        let (tests, _) = packed.section(&packed.places.tests).as_chunks();
        Unpacking { packed, texts, records, tests, values: reader(&packed.places.values), sets, place: 0, test: 0 }
    }

    /// Fills the table that comes next.
    fn fill(&mut self, table: &mut Table, outputs: &[Output]) {
        let rows = self.packed.ends_of(self.place);
        self.place += 1;
        let records = self.records.get(rows).unwrap_or_default();
        table.rows = records.iter().map(|bytes| self.row(Record::of(bytes), table.span, outputs)).collect();
    }

    fn row(&mut self, record: Record, table: Span, outputs: &[Output]) -> Row {
        let span = Span { file: table.file, start: record.start, end: record.end };
        let tests = self.tests.get(self.test..record.tests_end as usize).unwrap_or_default();
        self.test = record.tests_end as usize;
        let found = tests.iter().filter_map(|number| self.sets.get(u32::from_le_bytes(*number) as usize));
        let conds = found.map(|(fact, set)| Cond { fact: *fact, set: Arc::clone(set), span }).collect();
        let outcome = match record.follows() {
            Some(Follows::See(next)) => Outcome::See(TableId(next as usize)),
            Some(Follows::Act(chain)) => {
                let chain = self.packed.chains.get(chain as usize);
                let (actions, stated) = chain.map_or((Arc::default(), 0), |c| (c.actions.clone(), c.stated));
                Outcome::Act(Arc::new(Chain { actions, stated, span }))
            }
            Some(Follows::Values(_)) | None => {
                let head = &self.packed.head;
                let value = |output: &Output| read_value(&mut self.values, head.fact(output.fact)).unwrap_or_default();
                Outcome::Values(outputs.iter().map(value).collect())
            }
        };
        let text = |number: Option<u32>| number.and_then(|number| self.texts.get(number)).map(Into::into);
        let (name, reason) = (text(record.name()), text(record.reason()));
        Row { name, kind: record.kind().unwrap_or(RowKind::Plain), conds, outcome, reason, span }
    }
}
