//! A policy, or one table of it, as one list of clauses of which the first that holds is the answer.
//!
//! `see` is flattened: in place of a row that hands over stand, each narrowed to that row, a broken promise for each
//! test of the promise, the rows of the other table, and the gap that is left of it. `most cautious wins` and its
//! like are an order of rows. Derived facts stay what they are.

use std::collections::BTreeSet;

use crate::model::{FactId, FactSource, Model, Outcome, Table, TableId};

use super::{Clause, Layers, SegSet, Space, TooComplex};

/// The most entries of one flow.
const MAX_ENTRIES: usize = 400_000;

/// The list.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// The entries, in the order in which they are asked. One of them holds for any facts.
    pub entries: Vec<Entry>,
    /// Where tables are entered.
    pub visits: Vec<Visit>,
}

/// One way through the tables.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What must hold, all entries before it passed over.
    pub clause: Clause,
    /// The rows taken, table by table.
    pub path: Vec<(TableId, usize)>,
    /// How it ends.
    pub end: Ending,
}

/// How a way ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its last row answers.
    Row,
    /// No row of this table takes the facts.
    Gap(TableId),
    /// Its last row hands over to this table, and this test of its promise does not hold.
    Broken(TableId, usize),
    /// A derive that is read here has no value: that is its own fault, and nothing is said of what comes of it.
    Underived(u32),
}

/// A table, entered over one way.
#[derive(Debug, Clone)]
pub struct Visit {
    /// The table.
    pub table: TableId,
    /// What leads there, promise included.
    pub clause: Clause,
    /// How many entries are asked before the table's own.
    pub first: usize,
    /// The rows that lead there.
    pub path: Vec<(TableId, usize)>,
}

impl Flow {
    /// A table and all that it hands over to.
    ///
    /// # Errors
    /// An `any unknown` row that is too complex, or too many ways.
    pub fn of(model: &Model, space: &Space, layers: &Layers, table: TableId) -> Result<Flow, TooComplex> {
        let mut builder = Builder { model, space, layers, flow: Flow::default() };
        builder.table(table, &Clause::all(), &mut Vec::new())?;
        let mut tables = BTreeSet::new();
        reachable(model, table, &mut tables);
        Ok(builder.flow.after_holes(model, layers, tables.into_iter().map(|t| &model.tables[t.0])))
    }

    /// The rows of one derive or classify; its table stands under the id 0.
    ///
    /// # Errors
    /// An `any unknown` row that is too complex.
    pub fn alone(model: &Model, space: &Space, layers: &Layers, table: &Table) -> Result<Flow, TooComplex> {
        let mut builder = Builder { model, space, layers, flow: Flow::default() };
        builder.rows(TableId(0), table, &Clause::all(), &mut Vec::new())?;
        Ok(builder.flow.after_holes(model, layers, [table].into_iter()))
    }

    /// Puts first what the derives that some tables read do not answer.
    fn after_holes<'a>(mut self, model: &Model, layers: &Layers, tables: impl Iterator<Item = &'a Table>) -> Flow {
        let conds = tables.flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
        let facts: BTreeSet<FactId> = conds.map(|c| c.fact).collect();
        let mut derives = BTreeSet::new();
        for fact in facts {
            read(model, fact, &mut derives);
        }
        let hole = |d: u32| {
            let clause =
                layers.layer(d).hole.map(|o| Clause { derived: vec![(d, SegSet::one(o))], ..Clause::all() })?;
            Some(Entry { clause, path: Vec::new(), end: Ending::Underived(d) })
        };
        let holes: Vec<Entry> = derives.into_iter().filter_map(hole).collect();
        self.visits.iter_mut().for_each(|v| v.first += holes.len());
        self.entries.splice(0..0, holes);
        self
    }

    /// The entry that answers at a point, given the outcomes of the derives there.
    pub fn at(&self, point: &[u32], outcomes: &[u32]) -> Option<usize> {
        self.entries.iter().position(|e| e.clause.holds(point, outcomes))
    }
}

/// A table and those that it may hand over to.
fn reachable(model: &Model, table: TableId, into: &mut BTreeSet<TableId>) {
    if into.insert(table) {
        for row in &model.tables[table.0].rows {
            if let Outcome::See(next) = row.outcome {
                reachable(model, next, into);
            }
        }
    }
}

/// The derives that a fact comes from.
fn read(model: &Model, fact: FactId, into: &mut BTreeSet<u32>) {
    if let FactSource::Derived { derive, .. } = model.fact(fact).source
        && into.insert(derive as u32)
    {
        let rows = model.derives[derive].table.rows.iter();
        rows.flat_map(|r| &r.conds).for_each(|c| read(model, c.fact, into));
    }
}

struct Builder<'a> {
    model: &'a Model,
    space: &'a Space,
    layers: &'a Layers,
    flow: Flow,
}

impl Builder<'_> {
    fn table(&mut self, id: TableId, under: &Clause, path: &mut Vec<(TableId, usize)>) -> Result<(), TooComplex> {
        self.rows(id, &self.model.tables[id.0], under, path)
    }

    fn rows(
        &mut self,
        id: TableId,
        table: &Table,
        under: &Clause,
        path: &mut Vec<(TableId, usize)>,
    ) -> Result<(), TooComplex> {
        let visit = Visit { table: id, clause: under.clone(), first: self.flow.entries.len(), path: path.clone() };
        self.flow.visits.push(visit);
        let mut whole = false;
        for (row, clause) in self.layers.rows(self.model, self.space, table)? {
            whole |= clause.is_all();
            let Some(clause) = under.and(&clause) else { continue };
            path.push((id, row));
            match table.rows[row].outcome {
                Outcome::See(next) if path.len() <= self.model.tables.len() => self.see(next, &clause, path)?,
                _ => self.push(clause, path, Ending::Row)?,
            }
            path.pop();
            if whole {
                break;
            }
        }
        if !whole {
            self.push(under.clone(), path, Ending::Gap(id))?;
        }
        Ok(())
    }

    fn see(&mut self, next: TableId, clause: &Clause, path: &mut Vec<(TableId, usize)>) -> Result<(), TooComplex> {
        let mut kept = clause.clone();
        for (i, cond) in self.model.tables[next.0].promise.iter().enumerate() {
            let mut broken = cond.clone();
            broken.set = cond.set.complement(self.model.fact(cond.fact)).into();
            if let Some(broken) = self.layers.test(self.model, self.space, &broken).and_then(|b| clause.and(&b)) {
                self.push(broken, path, Ending::Broken(next, i))?;
            }
            match self.layers.test(self.model, self.space, cond).and_then(|c| kept.and(&c)) {
                Some(clause) => kept = clause,
                None => return Ok(()),
            }
        }
        self.table(next, &kept, path)
    }

    fn push(&mut self, clause: Clause, path: &[(TableId, usize)], end: Ending) -> Result<(), TooComplex> {
        if self.flow.entries.len() >= MAX_ENTRIES {
            return Err(TooComplex);
        }
        self.flow.entries.push(Entry { clause, path: path.to_vec(), end });
        Ok(())
    }
}
