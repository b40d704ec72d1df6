//! The way of one decision, row by row.
//!
//! Takes a decision; gives, for every table on its path, each row that was passed over with the first of its tests
//! that ruled it out and the value that was seen, the row that was taken, what the guard said of each action, and the
//! nearest row that would have acted. A derived value comes with the row that gave it and the facts behind it, down
//! to the caller's own. This is for people: it may allocate, and reads the rows one by one as the plain evaluator does.

use crate::model::{
    Action, Cond, End, FactId, FactSource, Model, Outcome, Row, Table, TableId, Value, eval, show_set, show_value,
};
use crate::syntax::tree::RowKind;

use super::decision::Decision;
use super::guard::Refusal;

/// The way of one decision, for people: shown as text of 80 columns, as `nisi why` prints it.
///
/// The answer stands first, then the guard with all that refused, then each table with the rows passed over and the test
/// that ruled each out, then the nearest row that would have acted, and the facts.
///
/// ```
/// use nisi::decide::StandardFacts;
/// use nisi::words::Condition;
/// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\ntable recovery, first row wins\n\
///     | row  | condition | => action |\n| gone | rejected | stop |\n| rest | - | review desk |\n")?;
/// let facts = policy.facts(&StandardFacts { condition: Some(Condition::Timeout), ..StandardFacts::default() });
/// let why = policy.decide(&facts).why().to_string();
/// assert!(why.starts_with("review desk\n"));
/// assert!(why.contains("- gone  condition is timeout; it asks for rejected"));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct Why<'a> {
    /// The decision.
    pub(super) decision: Decision<'a>,
    /// The tables that were asked, in order.
    pub(super) tables: Vec<Asking>,
    /// What the guard said of the wanted action and of each fallback up to the one that is left.
    pub(super) verdicts: Vec<Verdict<'a>>,
    /// The nearest row that would have acted, where the decision does not act.
    pub(super) nearest: Option<Nearest<'a>>,
}

/// One table that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asking {
    /// The table.
    pub(super) table: TableId,
    /// The rows passed over, in the order in which they were asked.
    pub(super) passed: Vec<Passed>,
    /// The row that was taken; nothing in a gap.
    pub(super) taken: Option<usize>,
    /// The derived facts that the row taken tests, as they were found.
    pub(super) rests_on: Vec<Seen>,
    /// What the table promises and the facts break; nothing in a proven policy.
    pub(super) broken: Option<Failed>,
    /// Whether it is a table of an overlay whose answer, if it has one, is less cautious than the one that holds.
    pub(super) outweighed: bool,
}

/// A row that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passed {
    /// Its place in the table.
    pub(super) row: usize,
    /// The first of its tests that failed; nothing for `any unknown`, which has none.
    pub(super) failed: Option<Failed>,
}

/// A test that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failed {
    /// The fact and its value.
    pub(super) seen: Seen,
    /// What it would have had to be, as a cell.
    pub(super) need: String,
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// The fact.
    pub(super) fact: FactId,
    /// Its value.
    pub(super) value: Value,
    /// For a derived fact, how it was derived.
    pub(super) derived: Option<Box<Derivation>>,
}

/// How a derived value came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Derivation {
    /// The derive, by its place in the model.
    pub(super) derive: usize,
    /// The row that gave the value; nothing where none did, which counts as unknown.
    pub(super) row: Option<usize>,
    /// What that row tests, as it was found; where it tests nothing, or none answered, every fact that the derive
    /// reads.
    pub(super) from: Vec<Seen>,
}

/// What the guard said of one action.
#[derive(Debug)]
pub(super) struct Verdict<'a> {
    /// The action.
    pub(super) action: &'a Action,
    /// Everything that refused it.
    pub(super) refusals: Vec<Refusal<'a>>,
}

/// The nearest row that would have acted.
#[derive(Debug)]
pub(super) struct Nearest<'a> {
    /// Its table.
    pub(super) table: TableId,
    /// Its place there.
    pub(super) row: usize,
    /// What it would have done.
    pub(super) action: &'a Action,
    /// The tests that failed, on the way to its table and in the row itself.
    pub(super) needs: Vec<Failed>,
    /// Rows that stand before it, take these facts, and test none of what failed: they would have had to pass.
    pub(super) before: Vec<(TableId, usize)>,
    /// What its guard refuses by the facts as they are.
    pub(super) refusals: Vec<Refusal<'a>>,
}

impl<'a> Decision<'a> {
    /// The way of this decision. It allocates, and reads the rows once more.
    pub fn why(self) -> Why<'a> {
        Why::new(self)
    }
}

impl<'a> Why<'a> {
    /// The decision.
    pub fn decision(&self) -> Decision<'a> {
        self.decision
    }

    fn new(decision: Decision<'a>) -> Self {
        let reader = Reader { model: decision.policy().model(), values: decision.facts().values() };
        let asked = decision.asked;
        let last = decision.guard().map_or(1, |g| g.n_refused() + 1);
        let verdicts = decision
            .actions()
            .iter()
            .take(last)
            .map(|action| Verdict { action, refusals: asked.refusals(action).collect() })
            .collect();
        let tables = if decision.is_foreign() { Vec::new() } else { reader.tables(&decision) };
        let nearest = if decision.is_foreign() || decision.verb().acts() {
            None
        } else {
            super::nearest::nearest(&decision, &reader, &tables)
        };
        Why { decision, tables, verdicts, nearest }
    }
}

/// Reads the rows of a model with the values of one question.
pub(super) struct Reader<'a> {
    pub(super) model: &'a Model,
    pub(super) values: &'a [Value],
}

impl<'a> Reader<'a> {
    fn tables(&self, decision: &Decision) -> Vec<Asking> {
        let mut asked: Vec<Asking> = decision.steps().map(|(table, row)| self.asking(table, Some(row))).collect();
        match decision.gap() {
            Some(End::Gap(table)) => asked.push(self.asking(table, None)),
            Some(End::BrokenPromise(table)) => {
                let broken = self.table(table).and_then(|t| self.first_failed(&t.promise));
                asked.push(Asking {
                    table,
                    passed: Vec::new(),
                    taken: None,
                    rests_on: Vec::new(),
                    broken,
                    outweighed: false,
                });
            }
            _ => asked.extend(self.outweighed(&asked)),
        }
        asked
    }

    /// The tables of an overlay that were asked and have no part in the answer.
    fn outweighed(&self, asked: &[Asking]) -> Vec<Asking> {
        let was_asked = |table: TableId| asked.iter().any(|a| a.table == table);
        let overlays = self.model.overlay.iter().flat_map(|o| &o.tighten);
        let idle = overlays.filter(|(tightened, own)| was_asked(*tightened) && !was_asked(*own));
        idle.filter_map(|(_, own)| {
            let row = eval::matching_row(self.model, self.table(*own)?, self.values);
            Some(Asking { outweighed: true, ..self.asking(*own, row) })
        })
        .collect()
    }

    fn asking(&self, table: TableId, taken: Option<usize>) -> Asking {
        let mut passed = Vec::new();
        if let Some(rows) = self.table(table) {
            let before = eval::resolution_order(rows).into_iter().take_while(|row| Some(*row) != taken);
            passed = before.map(|row| Passed { row, failed: self.first_failed(&rows.rows[row].conds) }).collect();
        }
        let conds = taken.and_then(|row| self.row(table, row)).map_or(&[][..], |row| &row.conds);
        let mut rests_on: Vec<Seen> = Vec::new();
        for cond in conds.iter().filter(|c| !self.model.fact(c.fact).is_callers()) {
            if rests_on.iter().all(|seen| seen.fact != cond.fact) {
                rests_on.push(self.seen(cond.fact));
            }
        }
        Asking { table, passed, taken, rests_on, broken: None, outweighed: false }
    }

    pub(super) fn table(&self, table: TableId) -> Option<&'a Table> {
        self.model.tables.get(table.0)
    }

    pub(super) fn row(&self, table: TableId, row: usize) -> Option<&'a Row> {
        self.table(table)?.rows.get(row)
    }

    fn first_failed(&self, conds: &[Cond]) -> Option<Failed> {
        conds.iter().find(|c| !eval::holds(self.model, c, self.values)).map(|c| self.failed(c))
    }

    /// The tests that fail.
    pub(super) fn all_failed<'c>(&self, conds: &'c [Cond]) -> impl Iterator<Item = &'c Cond> {
        conds.iter().filter(|c| !eval::holds(self.model, c, self.values))
    }

    pub(super) fn failed(&self, cond: &Cond) -> Failed {
        Failed { seen: self.seen(cond.fact), need: show_set(self.model.fact(cond.fact), &cond.set) }
    }

    /// A fact's value and where it came from.
    fn seen(&self, fact: FactId) -> Seen {
        let value = eval::value_of(self.model, fact, self.values);
        let derived = match self.model.fact(fact).source {
            FactSource::Derived { derive, .. } => self.derivation(derive).map(Box::new),
            _ => None,
        };
        Seen { fact, value, derived }
    }

    fn derivation(&self, derive: usize) -> Option<Derivation> {
        let table = &self.model.derives.get(derive)?.table;
        let row = eval::matching_row(self.model, table, self.values);
        let tests = row.and_then(|r| table.rows.get(r)).filter(|r| r.kind == RowKind::Plain && !r.conds.is_empty());
        let mut facts: Vec<FactId> = Vec::new();
        let conds =
            tests.map_or_else(|| table.rows.iter().flat_map(|r| &r.conds).collect(), |r| r.conds.iter().collect());
        let conds: Vec<&Cond> = conds;
        for cond in conds {
            if !facts.contains(&cond.fact) {
                facts.push(cond.fact);
            }
        }
        Some(Derivation { derive, row, from: facts.into_iter().map(|f| self.seen(f)).collect() })
    }
}

impl Seen {
    /// The fact's name.
    pub(super) fn name<'m>(&self, model: &'m Model) -> &'m str {
        &model.fact(self.fact).name
    }

    /// The value as a cell.
    pub(super) fn show(&self, model: &Model) -> String {
        show_value(model.fact(self.fact), &self.value)
    }
}

/// The wanted action of a row that acts on the world again.
pub(super) fn acting(row: &Row) -> Option<&Action> {
    match &row.outcome {
        Outcome::Act(chain) => chain.actions.iter().find(|a| a.verb().acts()),
        _ => None,
    }
}
