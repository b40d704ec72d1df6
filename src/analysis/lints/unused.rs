//! Things that the policy's own file declares and nothing uses: blocks, names, facts, values.
//!
//! Files that are used by others declare for others, so only the file of the entry table is looked at. An example
//! that names a fact uses it.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0317, N0319, N0320, N0335, N0336};
use crate::model::{Action, By, Column, Fact, FactId, FactSource, Model, Outcome, Row, Table, Type, Value};
use crate::text::{FileId, Span};

/// The locator by which the judgement knows how long a receiver remembers an action key.
const READ_BY_THE_JUDGEMENT: &str = "action_key";

/// Finds them.
pub(in super::super) fn unused(model: &Model, findings: &mut Vec<Diagnostic>) {
    let Some(file) = model.tables.first().map(|t| t.span.file) else { return };
    blocks(model, file, findings);
    for idle in &model.idle_names {
        let message = format!("nothing uses {} `{}`", idle.kind, idle.name);
        let finding = Diagnostic::new(N0336, message).at(idle.span, "").help("use it, or take it out");
        findings.push(finding.fix("take it out", true, idle.span, ""));
    }
    added(model, findings);
    outcomes(model, file, findings);
    let tested = tested(model);
    for (i, fact) in model.facts.values().enumerate().filter(|(_, f)| f.span.file == file) {
        let id = FactId(i as u32);
        if matches!(fact.source, FactSource::Parity(_)) || is_given(model, id) {
            continue;
        }
        if tested.contains(&id) {
            values(model, id, fact, findings);
        } else {
            let help = if fact.is_callers() {
                "test it somewhere, or take it out"
            } else {
                "test it somewhere, or take the derive out"
            };
            let message = format!("nothing tests `{}`", fact.name);
            findings.push(Diagnostic::new(N0320, message).at(fact.span, "").help(help));
        }
    }
}

fn tables(model: &Model) -> impl Iterator<Item = &Table> {
    let derives = model.derives.iter().map(|d| &d.table);
    model.tables.iter().chain(derives).chain(model.classifies.iter().map(|c| &c.table))
}

/// The facts that some test speaks of.
fn tested(model: &Model) -> BTreeSet<FactId> {
    let rows = tables(model).flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    rows.chain(model.rules.iter().flat_map(|r| &r.tests)).map(|c| c.fact).collect()
}

/// Whether an example or a classify speaks of a fact.
fn is_given(model: &Model, id: FactId) -> bool {
    let rows = model.examples.iter().flat_map(|e| &e.rows).flat_map(|r| &r.facts);
    let outputs = model.classifies.iter().flat_map(|c| &c.outputs);
    rows.map(|f| f.0).chain(outputs.map(|o| o.fact)).any(|f| f == id)
}

fn blocks(model: &Model, file: FileId, findings: &mut Vec<Diagnostic>) {
    let rows = tables(model).flat_map(|t| &t.rows);
    let chains = rows.filter_map(|r| if let Outcome::Act(chain) = &r.outcome { Some(chain) } else { None });
    let actions: Vec<&Action> = chains.flat_map(|c| &*c.actions).collect();
    let tested = tested(model);
    let mut tell = |word: &str, name: &str, span: Span, used: bool| {
        if !used && span.file == file {
            let message = format!("nothing uses {word} `{name}`");
            let finding = Diagnostic::new(N0319, message).at(span, "").help("use it, or take it out");
            // A named action that nothing uses may still name it.
            let named = model.idle_names.iter().any(|n| n.kind == "action");
            findings.push(if named { finding } else { finding.fix("take it out", true, span, "") });
        }
    };
    for (i, backoff) in model.backoffs.iter().enumerate() {
        let used = actions.iter().any(|a| matches!(a, Action::Retry { backoff: Some(b), .. } if *b == i));
        tell("backoff", &backoff.name, backoff.span, used);
    }
    for (i, locator) in model.locators.iter().enumerate() {
        let used = actions.iter().any(|a| matches!(a, Action::Reconcile { by: By::Locator(l), .. } if *l == i));
        tell("locator", &locator.name, locator.span, used || &*locator.name == READ_BY_THE_JUDGEMENT);
    }
    for (i, parity) in model.parities.iter().enumerate() {
        let named = model.rules.iter().flat_map(|r| &r.verbs).any(|v| v.1 == Some(i));
        let acted = actions.iter().any(|a| matches!(a, Action::Failover { parity } if *parity == i));
        // A column of it may say nothing, and an example may give it: without the parity neither could be read.
        let is_column = |f: FactId| tables(model).any(|t| t.columns.contains(&Column::Fact(f)));
        let facts = (0..model.facts.len() as u32).map(FactId);
        let mut own = facts.filter(|f| model.fact(*f).source == FactSource::Parity(i));
        let asked = own.any(|f| tested.contains(&f) || is_column(f) || is_given(model, f));
        tell("parity", &parity.name, parity.span, named || acted || asked);
    }
}

/// Values of a choice that no test tells from the crowd.
fn values(model: &Model, id: FactId, fact: &Fact, findings: &mut Vec<Diagnostic>) {
    let Type::Choice { values, ordered: false, flag: false } = &fact.ty else { return };
    let named: BTreeSet<usize> = named(tables(model), model, id);
    let missing: Vec<String> =
        (0..values.len()).filter(|v| !named.contains(v)).map(|v| format!("`{}`", values[v])).collect();
    // A fact of which most values are never named is used for the few that are.
    if fact.is_callers() && !missing.is_empty() && missing.len() * 3 < values.len() {
        let message = format!("no test names {} of `{}`", missing.join(", "), fact.name);
        let help = "name it where it should be decided, so that it is seen to be thought of";
        findings.push(Diagnostic::new(N0317, message).at(fact.span, "").help(help));
    }
}

/// Values that this file adds to a choice, and no test tells from the crowd: they may come back of any attempt.
fn added(model: &Model, findings: &mut Vec<Diagnostic>) {
    for extended in &model.extended {
        let fact = model.fact(extended.fact);
        let named = named(tables(model), model, extended.fact);
        let values: Vec<&str> = fact.words().collect();
        let missing = extended.values.iter().filter(|v| !named.contains(v)).filter_map(|v| values.get(*v));
        let missing: Vec<String> = missing.map(|v| format!("`{v}`")).collect();
        if !missing.is_empty() && !is_given(model, extended.fact) {
            let message = format!("no test names {}, added to `{}` here", missing.join(", "), fact.name);
            let help = "name it where it should be decided: it may come, and only `-` or a last row takes it";
            findings.push(Diagnostic::new(N0317, message).at(extended.span, "").help(help));
        }
    }
}

/// Values of derived choices that no row gives: tests of them never hold.
fn outcomes(model: &Model, file: FileId, findings: &mut Vec<Diagnostic>) {
    let own = model.derives.iter().filter(|d| d.table.span.file == file && !d.table.damaged);
    for (derive, (place, output)) in own.flat_map(|d| d.outputs.iter().enumerate().map(move |o| (d, o))) {
        let fact = model.fact(output.fact);
        let Type::Choice { values, .. } = &fact.ty else { continue };
        let given = |v: usize| {
            let gives = |row: &Row| match &row.outcome {
                Outcome::Values(outputs) => outputs.get(place) == Some(&Value::Choice(v as u16)),
                _ => false,
            };
            derive.table.rows.iter().any(gives)
        };
        let missing: Vec<String> =
            (0..values.len()).filter(|v| !given(*v)).map(|v| format!("`{}`", values[v])).collect();
        if !missing.is_empty() {
            let message = format!("no row gives {} of `{}`", missing.join(", "), fact.name);
            let help = "give it in a row, or take it out of the choice: a test of it never holds";
            findings.push(Diagnostic::new(N0335, message).at(output.span, "").help(help));
        }
    }
}

/// The values of a choice that some test singles out: it holds them and few others, or all but them and few others.
pub(super) fn named<'a>(tables: impl IntoIterator<Item = &'a Table>, model: &'a Model, id: FactId) -> BTreeSet<usize> {
    let Type::Choice { values, .. } = &model.fact(id).ty else { return BTreeSet::new() };
    let rows = tables.into_iter().flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    let tests = rows.chain(model.rules.iter().flat_map(|r| &r.tests)).filter(|c| c.fact == id);
    let of_test = |set: &crate::model::ValueSet| {
        let inside: BTreeSet<usize> = set.choices().collect();
        let outside: BTreeSet<usize> = (0..values.len()).filter(|v| !inside.contains(v)).collect();
        match inside.len().cmp(&outside.len()) {
            std::cmp::Ordering::Less => inside,
            std::cmp::Ordering::Greater => outside,
            std::cmp::Ordering::Equal => (0..values.len()).collect(),
        }
    };
    tests.flat_map(|c| of_test(&c.set)).collect()
}
