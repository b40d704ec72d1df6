//! Questions to a program.

use crate::model::{Answer, Cond, End, FactSource, MAX_PATH, Model, Outcome, Path, Table, TableId, Value, ValueSet};

use super::build::{Builder, derived_values};
use super::matcher::Matcher;

/// A derive whose row has not been looked for yet.
const OPEN: u32 = u32::MAX;

/// A row that does not hand over.
const ENDS: u16 = u16::MAX;

/// A model's tables and derives, ready to answer.
#[derive(Debug, Clone, Default)]
pub struct Program {
    derives: Box<[Derive]>,
    tables: Box<[Part]>,
}

#[derive(Debug, Clone)]
struct Derive {
    matcher: Matcher,
    n_rows: u32,
}

#[derive(Debug, Clone)]
struct Part {
    matcher: Matcher,
    /// The derives that its columns and its promise need, each after those that it needs itself.
    needs: Box<[u32]>,
    promise: Box<[Test]>,
    /// The table that each row hands over to.
    next: Box<[u16]>,
}

#[derive(Debug, Clone)]
enum Test {
    Fact(u32, ValueSet),
    /// For each row of a derive, and for none, whether the promise holds.
    Derive(u32, Box<[bool]>),
}

impl Program {
    /// Builds the program of a model.
    pub fn build(model: &Model) -> Program {
        let builder = Builder::new(model);
        let mut derives = Vec::with_capacity(model.derives.len());
        for derive in &model.derives {
            let matcher = builder.matcher(&derive.table);
            derives.push(Derive { matcher, n_rows: derive.table.rows.len() as u32 });
        }
        let mut tables = Vec::with_capacity(model.tables.len());
        for table in &model.tables {
            let next = table.rows.iter().map(|row| match row.outcome {
                Outcome::See(table) => u16::try_from(table.0).unwrap_or(ENDS),
                _ => ENDS,
            });
            tables.push(Part {
                matcher: builder.matcher(table),
                needs: needs(model, table),
                promise: table.promise.iter().map(|cond| test(model, cond)).collect(),
                next: next.collect(),
            });
        }
        Program { derives: derives.into(), tables: tables.into() }
    }

    /// Asks the entry table. Values by [`FactId`](crate::model::FactId); those of derived facts are not read.
    #[cfg(test)]
    pub fn answer(&self, values: &[Value]) -> Answer {
        self.answer_from(TableId(0), values)
    }

    /// Asks one table, whether the facts can reach it or not.
    pub fn answer_from(&self, table: TableId, values: &[Value]) -> Answer {
        // The rows of the derives live on the stack; a model has at most 1024 facts, so that many derives.
        match self.derives.len() {
            0..=16 => self.run(table, values, &mut [OPEN; 16]),
            17..=128 => self.run(table, values, &mut [OPEN; 128]),
            _ => self.run(table, values, &mut [OPEN; 1024]),
        }
    }

    fn run(&self, table: TableId, values: &[Value], derived: &mut [u32]) -> Answer {
        let (mut path, mut at) = (Path::default(), table);
        for step in 0..MAX_PATH {
            let Some(part) = self.tables.get(at.0) else { break };
            self.derive(&part.needs, values, derived);
            if step > 0 && !part.promise.iter().all(|test| test.holds(values, derived)) {
                return Answer { path, end: End::BrokenPromise(at) };
            }
            let Some(row) = part.matcher.find(values, derived) else { break };
            path.push(at, row as usize);
            match part.next.get(row as usize) {
                Some(next) if *next != ENDS => at = TableId(usize::from(*next)),
                _ => return Answer { path, end: End::Row },
            }
        }
        Answer { path, end: End::Gap(at) }
    }

    /// Finds the rows of derives, each once in one question.
    fn derive(&self, needs: &[u32], values: &[Value], derived: &mut [u32]) {
        for &need in needs {
            let (place, Some(derive)) = (need as usize, self.derives.get(need as usize)) else { continue };
            if derived.get(place) == Some(&OPEN) {
                derived[place] = derive.matcher.find(values, derived).unwrap_or(derive.n_rows);
            }
        }
    }

    /// How many bytes its bitmaps take.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        let matchers = self.tables.iter().map(|t| &t.matcher).chain(self.derives.iter().map(|d| &d.matcher));
        matchers.flat_map(|m| &m.blocks).map(super::matcher::Block::size).sum()
    }
}

impl Test {
    fn holds(&self, values: &[Value], derived: &[u32]) -> bool {
        match self {
            Test::Fact(fact, set) => set.admits(values.get(*fact as usize).unwrap_or(&Value::Unknown)),
            Test::Derive(derive, holds) => {
                let row = derived.get(*derive as usize).copied().unwrap_or(OPEN);
                holds.get(row as usize).copied().unwrap_or(false)
            }
        }
    }
}

fn test(model: &Model, cond: &Cond) -> Test {
    match model.fact(cond.fact).source {
        FactSource::Derived { derive, output } => {
            let holds = derived_values(model, derive, output).iter().map(|v| cond.set.admits(v)).collect();
            Test::Derive(derive as u32, holds)
        }
        _ => Test::Fact(cond.fact.0, (*cond.set).clone()),
    }
}

/// The derives that a table needs, directly or through others, in the model's order: each after its own needs.
fn needs(model: &Model, table: &Table) -> Box<[u32]> {
    let mut needed = vec![false; model.derives.len()];
    mark(model, table, &mut needed);
    for i in (0..model.derives.len()).rev() {
        if needed[i] {
            mark(model, &model.derives[i].table, &mut needed);
        }
    }
    needed.iter().enumerate().filter(|(_, n)| **n).map(|(i, _)| i as u32).collect()
}

fn mark(model: &Model, table: &Table, needed: &mut [bool]) {
    for cond in table.promise.iter().chain(table.rows.iter().flat_map(|r| &r.conds)) {
        if let FactSource::Derived { derive, .. } = model.fact(cond.fact).source
            && let Some(slot) = needed.get_mut(derive)
        {
            *slot = true;
        }
    }
}
