//! What the facts must show before an action is honoured, as boxes: the part of a guard that compares facts with
//! constants.
//!
//! Where such a test refuses, the verb is refused in every proof. Everywhere else a proof reckons with both: a sum of
//! two facts is no box, and facts never prove that the world agrees. So what is given here is never too narrow.

use std::sync::Arc;

use crate::model::{Action, Backoff, Cond, FactId, FactSource, Model, Outcome, Value, ValueSet, eval};
use crate::space::{Clause, Layers, Space};
use crate::text::Span;
use crate::words::Verb;

/// What gives one verdict in a proof: a verb, a failover by its parity.
pub(super) type Key = (Verb, Option<usize>);

/// The verdict that an action falls under.
pub(super) fn key(action: &Action) -> Key {
    (action.verb(), if let Action::Failover { parity } = action { Some(*parity) } else { None })
}

/// `retry`, `failover to equivalent`
pub(super) fn key_name(model: &Model, (verb, parity): Key) -> String {
    match parity.and_then(|p| model.parities.get(p)) {
        Some(parity) => format!("{verb} to {}", parity.name),
        None => verb.to_string(),
    }
}

/// The sets that the guards of a model speak of.
pub fn sets(model: &Model) -> Vec<(FactId, ValueSet)> {
    let rows = model.tables.iter().flat_map(|t| &t.rows);
    let chains = rows.filter_map(|r| if let Outcome::Act(chain) = &r.outcome { Some(chain) } else { None });
    let mut sets: Vec<(FactId, ValueSet)> = Vec::new();
    for action in chains.flat_map(|c| &*c.actions).filter(|a| a.verb().acts()) {
        for cond in allowed(model, action).into_iter().flatten() {
            let one = (cond.fact, (*cond.set).clone());
            if !sets.contains(&one) {
                sets.push(one);
            }
        }
    }
    sets
}

/// Where an action may be honoured, as clauses of caller's facts of which one must hold.
pub(super) fn clauses(model: &Model, space: &Space, layers: &Layers, action: &Action) -> Vec<Clause> {
    if !action.verb().acts() {
        return vec![Clause::all()];
    }
    allowed(model, action).iter().filter_map(|conds| layers.clause(model, space, conds)).collect()
}

/// Whether some facts allow an action, test by test.
pub(super) fn allow(model: &Model, action: &Action, values: &[Value]) -> bool {
    let holds = |conds: &Vec<Cond>| conds.iter().all(|c| eval::holds(model, c, values));
    !action.verb().acts() || allowed(model, action).iter().any(holds)
}

/// The same as tests: one of the lists must hold whole.
pub fn allowed(model: &Model, action: &Action) -> Vec<Vec<Cond>> {
    let std = &model.std;
    let Some(always) = every_act(model, action) else { return Vec::new() };
    let mut ways = vec![always];
    if matches!(action, Action::Retry { .. }) {
        // A receiver that asks to wait without saying how long cannot be obeyed.
        let unasked = not(model, std.pushback, "wait");
        let told = std.hint.map(|f| vec![cond(f, ValueSet::known(model.fact(f)))]);
        ways = times(&ways, &[Some(unasked), told].into_iter().flatten().collect::<Vec<_>>());
    }
    if let Action::Failover { parity } = action {
        let verdict = (0..model.facts.len() as u32).map(FactId);
        let verdict = verdict.into_iter().find(|f| model.fact(*f).source == FactSource::Parity(*parity));
        let asked = [(verdict, "holds"), (std.authorization, "current"), (std.boundary, "not_crossed")];
        let conds: Option<Vec<Cond>> = asked.into_iter().map(|(f, word)| one_of(model, f, &[word], false)).collect();
        return conds.map_or_else(Vec::new, |conds| times(&ways, &[conds]));
    }
    let harmless = harmless(model);
    let current: Vec<Vec<Cond>> =
        one_of(model, std.authorization, &["current"], false).map(|c| vec![c]).into_iter().collect();
    let unknown_too = match std.authorization {
        Some(_) => one_of(model, std.authorization, &["current"], true).map(|c| vec![c]),
        None => Some(Vec::new()),
    };
    let excused: Vec<Vec<Cond>> = unknown_too.map_or_else(Vec::new, |c| times(&harmless, &[c]));
    if matches!(action, Action::Hedge { .. }) {
        return times(&ways, &excused);
    }
    times(&ways, &[current, excused].concat())
}

/// Budget, time and the receiver's word; nothing where a fact that must be known is not declared.
fn every_act(model: &Model, action: &Action) -> Option<Vec<Cond>> {
    let std = &model.std;
    let least = model.budget.as_ref().map_or(0, |b| b.least_ms);
    let (units, wait) = match action {
        Action::Retry { backoff, spend } => (*spend, backoff.and_then(|b| model.backoffs.get(b)).map_or(0, shortest)),
        Action::Hedge { copies, after_ms } => (copies.saturating_sub(1), *after_ms),
        _ => (1, 0),
    };
    let at_least = |fact: FactId, n: u64| cond(fact, ValueSet::range(model.fact(fact), i128::from(n), i128::MAX));
    let mut conds = vec![at_least(std.budget?, units), at_least(std.deadline?, wait.saturating_add(least))];
    conds.extend(not(model, std.pushback, "stop"));
    Some(conds)
}

/// The shortest wait of a backoff, whatever the attempt.
fn shortest(backoff: &Backoff) -> u64 {
    backoff.draw_ms(Some(1)).0.min(backoff.draw_ms(None).0)
}

/// An operation that may be repeated without a known right, and hedged: a read, a verification, an inference without
/// tools.
fn harmless(model: &Model) -> Vec<Vec<Cond>> {
    let reads = one_of(model, model.std.effect, &["immutable_read", "read", "verification"], false);
    let inference = one_of(model, model.std.effect, &["inference"], false);
    let disabled = one_of(model, model.std.tools, &["disabled"], false);
    let second = inference.zip(disabled).map(|(a, b)| vec![a, b]);
    reads.map(|c| vec![c]).into_iter().chain(second).collect()
}

/// Each way of one list together with each of the other.
fn times(a: &[Vec<Cond>], b: &[Vec<Cond>]) -> Vec<Vec<Cond>> {
    a.iter().flat_map(|x| b.iter().map(move |y| [x.as_slice(), y.as_slice()].concat())).collect()
}

fn cond(fact: FactId, set: ValueSet) -> Cond {
    Cond { fact, set: Arc::new(set), span: Span::default() }
}

/// A fact is one of some words; nothing where it is not declared.
fn one_of(model: &Model, fact: Option<FactId>, words: &[&str], unknown: bool) -> Option<Cond> {
    let declared = model.fact(fact?);
    let values = words.iter().filter_map(|w| declared.named_value(w));
    let none = ValueSet { unknown, ..ValueSet::none(declared) };
    Some(cond(fact?, values.fold(none, |set, v| set.or(&ValueSet::one(declared, &v), declared))))
}

/// A fact is not known to be a word.
fn not(model: &Model, fact: Option<FactId>, word: &str) -> Vec<Cond> {
    let Some(fact) = fact else { return Vec::new() };
    let declared = model.fact(fact);
    let value: Option<Value> = declared.named_value(word);
    value.map(|v| cond(fact, ValueSet::one(declared, &v).complement(declared))).into_iter().collect()
}
