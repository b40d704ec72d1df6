//! Overlays: never wider than what they restrict.
//!
//! Of the base's answer and the overlay's the more cautious holds, so a wider verb has no effect. Of equal verbs the
//! overlay's holds, and there its arguments must be no wider: no shorter wait at any attempt, no fewer units, no more
//! copies and none earlier, the same parity by what it asks for.

use crate::diag::{Diagnostic, N0405};
use crate::model::{Action, Backoff, Model, TableId};
use crate::space::{Clause, Reach, Region};

use super::again::witnessed;
use super::analyse::Limits;
use super::lints::undecided;
use super::rules::{Fault, Ways, mark, refused_and_left, tests};
use super::scene::Scene;
use super::tell::{Shown, row_name, tested};
use super::whole::{RowAt, Way, Whole, chain};

/// Proves that no overlay is wider than its base.
pub(super) fn overlays(
    scene: &Scene,
    whole: &Whole,
    ways: &Ways,
    steps: &mut u64,
    limits: &Limits,
    findings: &mut Vec<Diagnostic>,
) {
    let mut told: Vec<RowAt> = Vec::new();
    for marked in mark(whole, ways, &[Clause::all()], |rows, way| is_wider(scene, rows, way)) {
        let all = scene.ask(&marked.question(Region::all()), steps);
        for ((fault, reach), group) in marked.faults.iter().zip(&all.groups).zip(0u32..) {
            if let Reach::At(region) = reach
                && !told.contains(&fault.row())
            {
                told.push(fault.row());
                findings.push(tell(scene, fault, marked.shown(scene, whole, group, region)));
            }
        }
        if all.groups.contains(&Reach::Undecided) {
            let table = scene.table(TableId(0));
            findings.push(undecided(scene, table, "no overlay is wider", all.cut_short.as_ref(), limits));
        }
    }
}

fn tell(scene: &Scene, fault: &Fault, shown: Shown) -> Diagnostic {
    let (refuse, verb) = refused_and_left(scene, fault);
    let spoken = tested(scene.table(fault.row().0));
    let shown = shown.plainest(scene, &spoken, |values| fault.shows(scene, &refuse, values));
    let tests = tests(scene, &shown, &spoken);
    let name = row_name(scene, fault.row());
    let message = format!("`{name}` is wider than the base: its {verb} allows more for {tests}");
    let mut finding = Diagnostic::new(N0405, message).at(scene.row(fault.row()).span, "wider");
    for other in fault.others() {
        finding = finding.and(scene.row(other).span, "what it may not go beyond");
    }
    let help = "an overlay's wait is no shorter, spends no less, and its hedge has no more copies and none earlier";
    witnessed(scene, finding.help(help), &shown, refuse, |values, refuse| fault.shows(scene, refuse, values))
}

/// Whether the answer that holds is an overlay's, of the same verb as one before it, and wider.
fn is_wider(scene: &Scene, rows: &[RowAt], way: &Way) -> bool {
    let action = |i: usize| chain(scene, rows[i]).map(|c| &c.actions[way.steps[i]]);
    let Some(own) = action(way.at.0) else { return false };
    let before = (0..way.at.0).filter_map(action);
    before.filter(|base| base.verb() == own.verb()).any(|base| wider(scene.model(), base, own))
}

/// Whether an action allows more than another of the same verb.
fn wider(model: &Model, base: &Action, own: &Action) -> bool {
    match (base, own) {
        (Action::Retry { backoff: b, spend: s }, Action::Retry { backoff: o, spend: t }) => {
            let backoff = |i: &Option<usize>| i.and_then(|i| model.backoffs.get(i));
            t < s || draws(backoff(b), backoff(o)).any(|(base, own)| own.0 < base.0 || own.1 < base.1)
        }
        (Action::Hedge { copies: b, after_ms: x }, Action::Hedge { copies: o, after_ms: y }) => o > b || y < x,
        (Action::Failover { parity: b }, Action::Failover { parity: o }) => {
            model.parities.get(*b).map(|p| &p.terms) != model.parities.get(*o).map(|p| &p.terms)
        }
        _ => false,
    }
}

type Draw = (u64, u64);

/// The draws of two backoffs, attempt by attempt until both stand still, and where the attempt is unknown.
fn draws<'a>(base: Option<&'a Backoff>, own: Option<&'a Backoff>) -> impl Iterator<Item = (Draw, Draw)> + 'a {
    let draw = |b: Option<&Backoff>, n| b.map_or((0, 0), |b| b.draw_ms(n));
    let last = base.into_iter().chain(own).map(|b| b.steps_ms.len() as u64).max().unwrap_or(1);
    (1..=last).map(Some).chain([None]).map(move |n| (draw(base, n), draw(own, n)))
}
