//! What one question goes through: the rows that it asks, those that take it, and what of the goals it shows.

use std::collections::HashMap;

use crate::decide::{Decision, Policy};
use crate::model::{FactSource, Model, Outcome, Row, TableId, Value, ValueSet, eval};
use crate::syntax::tree::RowKind;
use crate::words::Verb;

use crate::cases::compare::refusals;

use super::goals::{Goal, Spot, What};

/// The goals by row, ready to be looked through for many questions.
pub(super) struct Sheet<'p> {
    policy: &'p Policy,
    by_row: HashMap<Spot, Vec<usize>>,
    refused: Vec<usize>,
    /// The order in which the rows of each table, and of each derive, are asked.
    tables: Vec<Vec<usize>>,
    derives: Vec<Vec<usize>>,
    /// By derive: whether a row of some table tests what it gives.
    tested: Vec<bool>,
}

/// The way of a question.
pub(super) struct Trace {
    /// The rows that take it, table by table.
    pub(super) path: Vec<(TableId, usize)>,
    /// Which of the answering row's actions is left.
    pub(super) left: usize,
    /// Whether a row answers.
    answers: bool,
    refused: Vec<(Verb, String)>,
    /// A value for every fact, derived ones too.
    values: Vec<Value>,
    /// The row of each derive that gives its value.
    derives: Vec<Option<usize>>,
    /// By derive: whether its value decides about a row that is asked: all other tests of the row hold.
    reads: Vec<bool>,
}

impl<'p> Sheet<'p> {
    pub(super) fn new(policy: &'p Policy, goals: &[Goal]) -> Self {
        let model = policy.model();
        let mut by_row: HashMap<Spot, Vec<usize>> = HashMap::new();
        let mut refused = Vec::new();
        for (i, goal) in goals.iter().enumerate() {
            match goal.what {
                What::Refused(..) => refused.push(i),
                _ => by_row.entry(goal.spot).or_default().push(i),
            }
        }
        Sheet {
            policy,
            by_row,
            refused,
            tested: (0..model.derives.len()).map(|derive| is_tested(model, derive)).collect(),
            tables: model.tables.iter().map(eval::resolution_order).collect(),
            derives: model.derives.iter().map(|d| eval::resolution_order(&d.table)).collect(),
        }
    }

    fn model(&self) -> &'p Model {
        self.policy.model()
    }

    /// The way of a decision, from the table that was asked on.
    pub(super) fn trace(&self, decision: &Decision<'_>) -> Trace {
        let (values, derives) = self.derived(decision.facts().values());
        let path: Vec<(TableId, usize)> = decision.steps().collect();
        Trace {
            reads: self.reads(&path, &values),
            path,
            left: decision.guard().map_or(0, |guard| guard.n_refused()),
            answers: !decision.is_gap(),
            refused: refusals(decision).into_iter().collect(),
            values,
            derives,
        }
    }

    /// The derives whose values decide about a row of the path, or about one that is passed over on it.
    fn reads(&self, path: &[(TableId, usize)], values: &[Value]) -> Vec<bool> {
        let model = self.model();
        let mut reads: Vec<bool> = self.tested.iter().map(|tested| !tested).collect();
        for (table, taken) in path {
            let (Some(rows), Some(order)) = (model.tables.get(table.0), self.tables.get(table.0)) else { continue };
            for place in order {
                let row = &rows.rows[*place];
                let decisive = |i: usize| if place == taken { true } else { only_failing(row, values) == Some(i) };
                for (i, cond) in row.conds.iter().enumerate() {
                    if let FactSource::Derived { derive, .. } = model.fact(cond.fact).source
                        && !reads[derive]
                        && decisive(i)
                    {
                        reads[derive] = true;
                    }
                }
                if place == taken {
                    break;
                }
            }
        }
        reads
    }

    /// Every fact's value, and the rows that give the derived ones: each derive stands behind those that it needs.
    fn derived(&self, given: &[Value]) -> (Vec<Value>, Vec<Option<usize>>) {
        let mut values = given.to_vec();
        let mut rows = Vec::with_capacity(self.derives.len());
        for (derive, order) in self.model().derives.iter().zip(&self.derives) {
            let table = &derive.table;
            let plain = order.iter().copied().find(|row| {
                let row = &table.rows[*row];
                row.kind == RowKind::Otherwise || row.kind == RowKind::Plain && holds(row, &values)
            });
            // `any unknown` asks what could have been: that only the evaluator knows.
            let has_any_unknown = table.rows.iter().any(|row| row.kind == RowKind::AnyUnknown);
            let row = if has_any_unknown { eval::matching_row(self.model(), table, given) } else { plain };
            if let Some(Outcome::Values(outputs)) = row.map(|row| &table.rows[row].outcome) {
                for (output, value) in derive.outputs.iter().zip(outputs) {
                    values[output.fact.0 as usize] = value.clone();
                }
            }
            rows.push(row);
        }
        (values, rows)
    }

    /// Calls `show` with each goal that the question shows.
    pub(super) fn shown(&self, goals: &[Goal], trace: &Trace, mut show: impl FnMut(usize)) {
        for (table, taken) in &trace.path {
            let Some(order) = self.tables.get(table.0) else { continue };
            let answers = trace.answers && trace.path.last() == Some(&(*table, *taken));
            let left = answers.then_some(trace.left);
            let spots = order.iter().map(|row| Spot::Table(*table, *row));
            self.rows(goals, trace, spots, (Some(*taken), left), &mut show);
        }
        for (derive, order) in self.derives.iter().enumerate().filter(|(derive, _)| trace.reads[*derive]) {
            let spots = order.iter().map(|row| Spot::Derive(derive, *row));
            self.rows(goals, trace, spots, (trace.derives[derive], None), &mut show);
        }
        for goal in &self.refused {
            if let What::Refused(verb, by) = &goals[*goal].what
                && trace.refused.iter().any(|(v, b)| v == verb && b == by)
            {
                show(*goal);
            }
        }
    }

    /// The rows of one table, in the order in which they are asked, up to the one that takes the facts; where that one
    /// answers, which of its actions is left.
    fn rows(
        &self,
        goals: &[Goal],
        trace: &Trace,
        spots: impl Iterator<Item = Spot>,
        (taken, left): (Option<usize>, Option<usize>),
        show: &mut impl FnMut(usize),
    ) {
        for spot in spots {
            let is_taken = taken == Some(spot.place());
            let own = self.by_row.get(&spot).map_or(&[][..], Vec::as_slice);
            if let Some(row) = spot.row(self.model()).filter(|_| !own.is_empty()) {
                let alone = if is_taken { None } else { only_failing(row, &trace.values) };
                let value = |cond: usize| row.conds.get(cond).and_then(|c| trace.values.get(c.fact.0 as usize));
                let admits = |cond: usize, set: &ValueSet| value(cond).is_some_and(|v| set.admits(v));
                for goal in own {
                    let is_shown = match &goals[*goal].what {
                        What::Taken => is_taken,
                        What::Takes { cond, set } => is_taken && admits(*cond, set),
                        What::TurnsAway { cond, set } => alone == Some(*cond) && admits(*cond, set),
                        What::Left(place) => is_taken && left == Some(*place),
                        What::Refused(..) => false,
                    };
                    if is_shown {
                        show(*goal);
                    }
                }
            }
            if is_taken {
                break;
            }
        }
    }
}

/// Whether a row of some table tests what a derive gives.
pub(super) fn is_tested(model: &Model, derive: usize) -> bool {
    let conds = model.tables.iter().flat_map(|t| &t.rows).flat_map(|row| &row.conds);
    conds.into_iter().any(|c| matches!(model.fact(c.fact).source, FactSource::Derived { derive: d, .. } if d == derive))
}

fn holds(row: &Row, values: &[Value]) -> bool {
    row.conds.iter().all(|c| values.get(c.fact.0 as usize).is_some_and(|v| c.set.admits(v)))
}

/// The one test of a row that does not hold; nothing where several do not.
fn only_failing(row: &Row, values: &[Value]) -> Option<usize> {
    let fails = |c: &crate::model::Cond| values.get(c.fact.0 as usize).is_none_or(|v| !c.set.admits(v));
    let mut failing = row.conds.iter().enumerate().filter(|(_, c)| fails(c)).map(|(i, _)| i);
    let first = failing.next()?;
    failing.next().is_none().then_some(first)
}
