//! A row that tests what its guard tests: without the test the same would follow, since the way for refusal says what
//! the rows below say. Tables with `any unknown` are left alone: it asks what each row could take.

use std::sync::Arc;

use crate::diag::{Diagnostic, N0316};
use crate::model::{Action, Chain, Cond, FactId, Outcome, Row, Table, ValueSet, show_set};
use crate::space::{Clause, Ending, Question, Reach, Visit};
use crate::syntax::tree::{Hit, RowKind};

use super::super::guards;
use super::super::scene::{Scene, single, spend};
use super::super::tell::row_name;
use super::duplicates::would_be_twin;

/// Finds them.
pub(in super::super) fn idle_tests(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for (visit, entry) in single(scene) {
        let at = scene.flow.entries[entry].path[visit.path.len()];
        let row = scene.row(at);
        let Outcome::Act(chain) = &row.outcome else { continue };
        // Elsewhere two rows would then match the same facts.
        let ordered = matches!(scene.table(at.0).hit, Hit::First | Hit::MostCautious);
        if !ordered
            || scene.asks_what_could_be(at.0)
            || row.kind != RowKind::Plain
            || !chain.actions.first().is_some_and(|a| a.verb().acts())
        {
            continue;
        }
        for cond in &row.conds {
            let Some(needed) = needed(scene, chain, cond.fact) else { continue };
            let fact = scene.model().fact(cond.fact);
            if !needed.minus(&cond.set, fact).is_empty()
                || !is_idle(scene, (visit, entry), cond, &chain.actions[1..], steps)
            {
                continue;
            }
            let (verb, test) = (chain.actions[0].verb(), show_set(fact, &cond.set));
            let message =
                format!("`{}` tests `{} is {test}`, which `{verb}` asks by itself", row_name(scene, at), fact.name);
            let help =
                "write `-`, or leave the test out: where it fails, the way for refusal says the same as the rows below";
            let finding = Diagnostic::new(N0316, message).at(cond.span, "").help(help);
            findings.push(without_test(finding, scene.table(at.0), row, cond));
        }
    }
}

/// A finding with the mend that leaves a test out, unless another row tests the rest.
pub(super) fn without_test(finding: Diagnostic, table: &Table, row: &Row, cond: &Cond) -> Diagnostic {
    if would_be_twin(table, row, cond, None, None) {
        return finding;
    }
    finding.fix("leave the test out", true, cond.span, "-")
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

/// Whether facts that fail only this test come to a row whose actions are `said`.
fn is_idle(scene: &Scene, (visit, entry): (&Visit, usize), cond: &Cond, said: &[Action], steps: &mut u64) -> bool {
    missed(
        scene,
        (visit, entry),
        cond,
        steps,
        |row| matches!(&row.outcome, Outcome::Act(other) if *other.actions == *said),
    )
    .is_some()
}

/// Whether facts that come to a row and fail only this test of it come to a row below that is the `same`; whether there
/// are such facts at all. Nothing where they come to another row, or the steps run out.
pub(super) fn missed(
    scene: &Scene,
    (visit, entry): (&Visit, usize),
    cond: &Cond,
    steps: &mut u64,
    same: impl Fn(&Row) -> bool,
) -> Option<bool> {
    let entries = &scene.flow.entries;
    let row = scene.row(entries[entry].path[visit.path.len()]);
    let missed = scene.clause(&turned(scene, row, cond)).and_then(|c| c.and(&visit.clause))?;
    spend(steps, 1 + entries.len() as u64 / 256)?;
    let is_same = |i: usize| {
        let last = entries[i].path.last().filter(|_| entries[i].end == Ending::Row);
        last.is_some_and(|at| same(scene.row(*at)))
    };
    let after: Vec<(Clause, Option<u32>)> = (entry + 1..entries.len())
        .filter(|i| entries[*i].path.starts_with(&visit.path))
        .filter_map(|i| Some((missed.and(&entries[i].clause)?, Some(u32::from(is_same(i))))))
        .collect();
    let before = entries[..entry].iter().filter(|e| e.clause.may_meet(&missed)).map(|e| (&e.clause, None));
    let list = before.chain(after.iter().map(|(c, g)| (c, *g))).chain([(&missed, Some(0))]).collect();
    let question = Question { within: missed.region.clone(), list, n_groups: 2, disjoint: false };
    match scene.ask(&question, steps).groups.as_slice() {
        [Reach::Never, Reach::Never] => Some(false),
        [Reach::Never, Reach::At(_)] => Some(true),
        _ => None,
    }
}

/// The tests of a row with one of them turned round.
pub(super) fn turned(scene: &Scene, row: &Row, cond: &Cond) -> Vec<Cond> {
    let failed: Arc<ValueSet> = cond.set.complement(scene.model().fact(cond.fact)).into();
    let is_it = |c: &Cond| c.span == cond.span && c.fact == cond.fact;
    let one = |c: &Cond| if is_it(c) { Cond { set: Arc::clone(&failed), ..c.clone() } } else { c.clone() };
    row.conds.iter().map(one).collect()
}
