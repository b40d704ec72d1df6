//! Tests that say nothing where they stand: those that always hold for whatever comes to their table, and values of a
//! cell that never come to its row. What the rows above take does not count here: it changes with the order of rows.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0305, N0325, N0329};
use crate::model::{Cond, Row, TableId, Type, Value, ValueSet, show_set, show_value};
use crate::syntax::tree::RowKind;

use super::super::scene::Scene;
use super::super::tell::row_name;
use super::duplicates::would_be_twin;
use super::idle_test::without_test;

/// Finds both, in rows that are ever the answer.
pub(in super::super) fn tests_in_context(
    scene: &Scene,
    idle: &BTreeSet<(TableId, usize)>,
    steps: &mut u64,
    findings: &mut Vec<Diagnostic>,
) {
    // Where a promise is broken, what comes is another question.
    if findings.iter().any(|f| f.code == N0305) {
        return;
    }
    for id in scene.tables().into_iter().filter(|id| Scene::is_own(scene.table(*id).span) && !is_open(scene, *id)) {
        let rows = scene.table(id).rows.iter().enumerate();
        for (i, row) in rows.filter(|(i, r)| r.kind == RowKind::Plain && !idle.contains(&(id, *i))) {
            for cond in &row.conds {
                let failed = cond.set.complement(scene.model().fact(cond.fact)).into();
                if scene.comes(id, &[Cond { set: failed, ..cond.clone() }], steps) == Some(false) {
                    findings.push(always(scene, (id, i), cond));
                } else {
                    findings.extend(never(scene, (id, i), row, cond, steps));
                }
            }
        }
    }
}

/// Whether a table asks what its rows could take of facts that do not come to it.
fn is_open(scene: &Scene, id: TableId) -> bool {
    let mut visits = scene.flow.visits.iter().filter(|v| v.table == id);
    scene.asks_what_could_be(id) && visits.any(|v| v.first > 0 || !v.clause.is_all())
}

fn always(scene: &Scene, at: (TableId, usize), cond: &Cond) -> Diagnostic {
    let fact = scene.model().fact(cond.fact);
    let (name, test) = (row_name(scene, at), show_set(fact, &cond.set));
    let message = format!("`{name}` tests `{} is {test}`, and nothing else ever comes here", fact.name);
    let help = "leave the test out: what leads here has settled it";
    let finding = Diagnostic::new(N0325, message).at(cond.span, "").help(help);
    without_test(finding, scene.table(at.0), scene.row(at), cond)
}

/// Values of a list that never come to its row.
fn never(scene: &Scene, at: (TableId, usize), row: &Row, cond: &Cond, steps: &mut u64) -> Option<Diagnostic> {
    let fact = scene.model().fact(cond.fact);
    let Type::Choice { values, .. } = &fact.ty else { return None };
    let listed: Vec<usize> = cond.set.choices().collect();
    // A set of most values is written as what it leaves out.
    if listed.len() < 2 || listed.len() * 2 > values.len() {
        return None;
    }
    let single = |v: &usize| Value::Choice(u16::try_from(*v).unwrap_or(u16::MAX));
    let mut comes = |value: &Value| {
        let set = ValueSet::one(fact, value).into();
        let one = |c: &Cond| {
            if c.span == cond.span { Cond { set: std::sync::Arc::clone(&set), ..c.clone() } } else { c.clone() }
        };
        scene.comes(at.0, &row.conds.iter().map(one).collect::<Vec<_>>(), steps) != Some(false)
    };
    let dead: Vec<Value> = listed.iter().map(single).filter(|v| !comes(v)).collect();
    if dead.is_empty() || dead.len() == listed.len() {
        return None;
    }
    let set = dead.iter().fold((*cond.set).clone(), |set, v| set.minus(&ValueSet::one(fact, v), fact));
    let names: Vec<String> = dead.iter().map(|v| format!("`{}`", show_value(fact, v))).collect();
    let (name, kept) = (row_name(scene, at), show_set(fact, &set));
    let verb = if names.len() > 1 { "come" } else { "comes" };
    let message = format!("`{name}` names {} of `{}`, which never {verb} here", names.join(", "), fact.name);
    let help = format!("write `{kept}`: what leads here, or the other tests of the row, exclude the rest");
    let finding = Diagnostic::new(N0329, message).at(cond.span, "").help(help);
    if would_be_twin(scene.table(at.0), row, cond, Some(&set), None) {
        return Some(finding);
    }
    Some(finding.fix(format!("write `{kept}`"), true, cond.span, kept))
}
