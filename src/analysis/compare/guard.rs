//! Where the facts alone already refuse an action, whatever its row says.
//!
//! One verdict a verb, for a failover one a parity: *refused* where a test of a fact against a constant fails,
//! otherwise either, as the world has it. What hangs on a row's own numbers (its units, its wait) counts as either.
//! The tests are given as boxes, for the search, and as plain questions, for holding the search against.

use crate::model::{Fact, FactId, Model, Type, Value, ValueSet};
use crate::words::Verb;

use super::matching::parity_fact;

/// What can be refused: a verb, and for a failover the parity by its place in the model.
pub(super) type Key = (Verb, Option<usize>);

/// Some facts and what they must be, all of them.
pub(super) type FactBox = Vec<(FactId, ValueSet)>;

/// The boxes in which the facts refuse; one without tests is everywhere.
pub(super) fn refusals(model: &Model, key: Key, least_ms: u64) -> Vec<FactBox> {
    let mut out = Vec::new();
    if !key.0.acts() {
        return out;
    }
    let std = &model.std;
    let mut needs = |test: Option<(FactId, ValueSet)>| out.push(test.map_or_else(Vec::new, |test| vec![test]));
    needs(at_least(model, std.budget, 1));
    needs(at_least(model, std.deadline, least_ms));
    if key.0 == Verb::Failover {
        needs(key.1.and_then(|p| parity_fact(model, p)).and_then(|f| other_than(model, Some(f), &["holds"])));
        needs(other_than(model, std.boundary, &["not_crossed"]));
    }
    if let Some(stop) = one_of(model, std.pushback, &["stop"]) {
        out.push(vec![stop]);
    }
    if key.0 == Verb::Retry
        && let Some(wait) = one_of(model, std.pushback, &["wait"])
    {
        out.push([Some(wait), unknown_hint(model)].into_iter().flatten().collect());
    }
    let harmful = harmful(model);
    if key.0 == Verb::Hedge {
        out.extend(harmful.clone());
    }
    match choice(model, std.authorization) {
        Some((id, fact)) => {
            let mut wrong = words(fact, &["current"]).complement_known(fact);
            let unknown = ValueSet::only_unknown(fact);
            if key.0 == Verb::Failover {
                wrong.unknown = true;
            } else {
                out.extend(harmful.into_iter().map(|mut harm| {
                    harm.push((id, unknown.clone()));
                    harm
                }));
            }
            out.push(vec![(id, wrong)]);
        }
        None if key.0 == Verb::Failover => out.push(Vec::new()),
        None => {
            let other = std.authorization.filter(|f| model.fact(*f).is_callers());
            out.extend(other.map(|f| vec![(f, ValueSet::known(model.fact(f)))]));
            out.extend(harmful);
        }
    }
    out
}

/// Where the operation is not one that may be repeated without a known right.
fn harmful(model: &Model) -> Vec<FactBox> {
    let Some(effect) = other_than(model, model.std.effect, &["immutable_read", "read", "verification", "inference"])
    else {
        return vec![Vec::new()];
    };
    let mut out = vec![vec![effect]];
    if let Some(inference) = one_of(model, model.std.effect, &["inference"]) {
        out.push([Some(inference), other_than(model, model.std.tools, &["disabled"])].into_iter().flatten().collect());
    }
    out
}

/// A caller's choice.
fn choice(model: &Model, fact: Option<FactId>) -> Option<(FactId, &Fact)> {
    let declared = model.fact(fact?);
    (declared.is_callers() && matches!(declared.ty, Type::Choice { .. })).then_some((fact?, declared))
}

fn words(fact: &Fact, words: &[&str]) -> ValueSet {
    let values = words.iter().filter_map(|w| fact.named_value(w)).filter(|v| matches!(v, Value::Choice(_)));
    values.fold(ValueSet::none(fact), |set, value| set.or(&ValueSet::one(fact, &value), fact))
}

fn one_of(model: &Model, fact: Option<FactId>, of: &[&str]) -> Option<(FactId, ValueSet)> {
    let (id, fact) = choice(model, fact)?;
    Some((id, words(fact, of))).filter(|(_, set)| !set.is_empty())
}

/// Anything but some words, unknown included; nothing where there is no such fact.
fn other_than(model: &Model, fact: Option<FactId>, of: &[&str]) -> Option<(FactId, ValueSet)> {
    let (id, fact) = choice(model, fact)?;
    Some((id, words(fact, of).complement(fact)))
}

/// A caller's number that is less, or unknown; nothing where there is no such fact.
fn at_least(model: &Model, fact: Option<FactId>, least: u64) -> Option<(FactId, ValueSet)> {
    let (id, fact) = number(model, fact)?;
    Some((id, ValueSet::range(fact, i128::from(least), i128::MAX).complement(fact)))
}

fn number(model: &Model, fact: Option<FactId>) -> Option<(FactId, &Fact)> {
    let declared = model.fact(fact?);
    (declared.is_callers() && matches!(declared.ty, Type::Number(_))).then_some((fact?, declared))
}

/// Where the hint is not known; nothing where no hint is declared, so that none is ever known.
fn unknown_hint(model: &Model) -> Option<(FactId, ValueSet)> {
    let (id, fact) = number(model, model.std.hint)?;
    let mut known = ValueSet::range(fact, 0, i128::MAX);
    known.points = u32::MAX;
    let all = ValueSet::all(fact);
    Some((id, all.minus(&known, fact)))
}

/// Whether the facts refuse, asked one by one.
pub(super) fn facts_refuse(model: &Model, key: Key, least_ms: u64, values: &[Value]) -> bool {
    let (verb, parity) = key;
    if !verb.acts() {
        return false;
    }
    let std = &model.std;
    let word = |fact: Option<FactId>| -> Option<&str> {
        let (id, fact) = choice(model, fact)?;
        match (values.get(id.0 as usize), &fact.ty) {
            (Some(Value::Choice(i)), Type::Choice { values, .. }) => values.get(usize::from(*i)).map(|v| &**v),
            _ => None,
        }
    };
    let natural = |fact: Option<FactId>| match values.get(number(model, fact)?.0.0 as usize) {
        Some(Value::Number(n)) => u64::try_from(*n).ok(),
        _ => None,
    };
    let is_unknown =
        |fact: Option<FactId>| fact.is_none_or(|f| values.get(f.0 as usize).is_none_or(|v| *v == Value::Unknown));
    if natural(std.budget).is_none_or(|n| n < 1) || natural(std.deadline).is_none_or(|n| n < least_ms) {
        return true;
    }
    if word(std.pushback) == Some("stop") {
        return true;
    }
    let hint_known = natural(std.hint).is_some()
        || number(model, std.hint).is_some_and(|(f, _)| matches!(values.get(f.0 as usize), Some(Value::Point(_))));
    if verb == Verb::Retry && word(std.pushback) == Some("wait") && !hint_known {
        return true;
    }
    let harmless = match word(std.effect) {
        Some("immutable_read" | "read" | "verification") => true,
        Some("inference") => word(std.tools) == Some("disabled"),
        _ => false,
    };
    let right = match word(std.authorization) {
        Some(right) => right == "current",
        None => verb != Verb::Failover && harmless && is_unknown(std.authorization),
    };
    let moves = || {
        let verdict = parity.and_then(|p| parity_fact(model, p));
        word(verdict) == Some("holds") && word(std.boundary) == Some("not_crossed")
    };
    !right || verb == Verb::Hedge && !harmless || verb == Verb::Failover && !moves()
}
