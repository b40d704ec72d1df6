//! A row that tests what its guard tests: without the test the same would follow, since the way for refusal says what
//! the rows below say. Tables with `any unknown` are left alone: it asks what each row could take.

use crate::diag::{Diagnostic, N0316};
use crate::model::{Chain, Cond, FactId, Outcome, ValueSet, show_set};
use crate::space::{Clause, Ending, Question, Reach, Visit};
use crate::syntax::tree::RowKind;

use super::super::guards;
use super::super::scene::{Scene, single};
use super::super::tell::row_name;

/// Finds them.
pub(in super::super) fn idle_tests(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for (visit, entry) in single(scene) {
        let at = scene.flow.entries[entry].path[visit.path.len()];
        let row = scene.row(at);
        let Outcome::Act(chain) = &row.outcome else { continue };
        // The fixed rows stand last.
        let open = scene.table(at.0).rows.iter().rev().take(2).any(|r| r.kind == RowKind::AnyUnknown);
        if open || row.kind != RowKind::Plain || !chain.actions.first().is_some_and(|a| a.verb().acts()) {
            continue;
        }
        for cond in &row.conds {
            let Some(needed) = needed(scene, chain, cond.fact) else { continue };
            let fact = scene.model().fact(cond.fact);
            if !needed.minus(&cond.set, fact).is_empty()
                || !is_idle(scene, entry, visit, &row.conds, cond, chain, steps)
            {
                continue;
            }
            let (verb, test) = (chain.actions[0].verb(), show_set(fact, &cond.set));
            let message =
                format!("`{}` tests `{} is {test}`, which `{verb}` asks by itself", row_name(scene, at), fact.name);
            let help =
                "write `-`, or leave the test out: where it fails, the way for refusal says the same as the rows below";
            findings.push(Diagnostic::new(N0316, message).at(cond.span, "").help(help));
        }
    }
}

/// What the guard of the wanted action asks of a fact, if it asks anything.
fn needed(scene: &Scene, chain: &Chain, fact: FactId) -> Option<ValueSet> {
    let declared = scene.model().fact(fact);
    let ways = guards::allowed(scene.model(), &chain.actions[0]);
    let of_way = |way: &Vec<Cond>| {
        let sets = way.iter().filter(|c| c.fact == fact);
        sets.fold(None, |all: Option<ValueSet>, c| Some(all.map_or((*c.set).clone(), |a| a.and(&c.set, declared))))
    };
    let sets: Option<Vec<ValueSet>> = ways.iter().map(of_way).collect();
    sets?.into_iter().reduce(|a, b| a.or(&b, declared))
}

/// Whether facts that fail only this test come to a row that says what the way for refusal says.
fn is_idle(
    scene: &Scene,
    entry: usize,
    visit: &Visit,
    conds: &[Cond],
    cond: &Cond,
    chain: &Chain,
    steps: &mut u64,
) -> bool {
    let failed = cond.set.complement(scene.model().fact(cond.fact)).into();
    let swapped: Vec<Cond> = conds
        .iter()
        .map(|c| {
            if c.span == cond.span && c.fact == cond.fact {
                Cond { set: std::sync::Arc::clone(&failed), ..c.clone() }
            } else {
                c.clone()
            }
        })
        .collect();
    let Some(missed) = scene.clause(&swapped).and_then(|c| c.and(&visit.clause)) else { return false };
    let entries = &scene.flow.entries;
    let same = |i: usize| {
        let row = entries[i].path.last().filter(|_| entries[i].end == Ending::Row).map(|at| &scene.row(*at).outcome);
        matches!(row, Some(Outcome::Act(other)) if other.actions == chain.actions[1..])
    };
    let after: Vec<(Clause, Option<u32>)> = (entry + 1..entries.len())
        .filter(|i| entries[*i].path.starts_with(&visit.path))
        .filter_map(|i| Some((missed.and(&entries[i].clause)?, (!same(i)).then_some(0))))
        .collect();
    let before = entries[..entry].iter().map(|e| (&e.clause, None));
    let list = before.chain(after.iter().map(|(c, g)| (c, *g))).chain([(&missed, Some(0))]).collect();
    let question = Question { within: missed.region.clone(), list, n_groups: 1, disjoint: false };
    scene.ask(&question, steps).groups == [Reach::Never]
}
