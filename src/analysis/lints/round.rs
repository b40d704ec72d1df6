//! A look-up that may go round for ever: with all time and every count used up, and nothing found, the same row asks
//! again. Attempts end with their budget, and looks by a locator with its memory, its looks, or the deadline; only
//! `reconcile by event` may outlast all of them. Of `wait` nothing is said: the attempt that is out ends when the caller
//! stops to wait, and that is another condition.

use crate::diag::{Diagnostic, N0330};
use crate::model::{Action, By, Cond, Outcome, Type, ValueSet};
use crate::space::{Clause, Ending, Question, Reach};
use crate::text::Span;

use super::super::again::{Plain, witnessed};
use super::super::scene::{Point, Scene, spend};
use super::super::tell::{row_name, show};

/// Counts that only grow, and what is left that only shrinks.
const GROW: [&str; 4] = ["attempt", "looks", "elapsed", "since_sent"];
const SHRINK: [&str; 2] = ["deadline", "budget"];

/// Finds the first row that does so.
pub(in super::super) fn rounds(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    let Some(end) = at_the_end(scene).and_then(|conds| scene.clause(&conds)) else { return };
    let entries = &scene.flow.entries;
    let listens = |i: usize| {
        let row = entries[i].path.last().filter(|_| entries[i].end == Ending::Row).map(|at| scene.row(*at));
        matches!(row.map(|r| &r.outcome), Some(Outcome::Act(chain)) if left(&chain.actions))
    };
    let Some(()) = spend(steps, 1 + entries.len() as u64 / 256) else { return };
    let near = (0..entries.len()).filter(|i| entries[*i].clause.may_meet(&end));
    let list: Vec<(Clause, Option<u32>)> =
        near.filter_map(|i| Some((entries[i].clause.and(&end)?, listens(i).then_some(0)))).collect();
    if list.iter().all(|(_, group)| group.is_none()) {
        return;
    }
    let list = list.iter().map(|(c, g)| (c, *g)).collect();
    let question = Question { within: end.region.clone(), list, n_groups: 1, disjoint: false };
    let Some(Reach::At(region)) = scene.ask(&question, steps).groups.pop() else { return };
    let shown = show(scene, &region, |point: &Point| point.is_in(&end) && scene.at(point).is_some_and(listens));
    let Some(at) = shown.point(scene, |point| scene.at(point)) else { return };
    let Some(row) = entries[at].path.last() else { return };
    let message = format!(
        "`{}` waits for an event again each time that none came, however long that has been",
        row_name(scene, *row)
    );
    let help = "bound it: test `looks`, `elapsed` or `since_sent` in the row, and let a `review` follow";
    let finding = Diagnostic::new(N0330, message).at(scene.row(*row).span, "").help(help);
    findings
        .push(witnessed(scene, finding, &shown, Vec::new(), |values, _| Plain::of(scene, values).row() == Some(*row)));
}

/// Whether of some actions, once nothing is left to spend, one that listens for an event is what follows.
fn left(actions: &[Action]) -> bool {
    let spent = |a: &&Action| a.verb().acts() || matches!(a, Action::Reconcile { by: By::Locator(_), .. });
    matches!(actions.iter().find(|a| !spent(a)), Some(Action::Reconcile { by: By::Event, .. }))
}

/// A look-up that could not tell, and every count at its end.
fn at_the_end(scene: &Scene) -> Option<Vec<Cond>> {
    let model = scene.model();
    let condition = model.std.condition?;
    let unconfirmed = model.fact(condition).named_value("unconfirmed")?;
    let set = ValueSet::one(model.fact(condition), &unconfirmed).into();
    let mut conds = vec![Cond { fact: condition, set, span: Span::default() }];
    let ends = GROW.iter().map(|n| (*n, true)).chain(SHRINK.iter().map(|n| (*n, false)));
    for (name, grows) in ends {
        let Some(fact) = model.fact_id(name) else { continue };
        let (Some(axis), Type::Number(ty)) = (scene.ground.space.axis_of(fact), &model.fact(fact).ty) else { continue };
        let axis = scene.ground.space.axis(axis);
        let end = if grows { crate::model::Value::Number(ty.hi) } else { crate::model::Value::Number(ty.lo) };
        let set = axis.values(&crate::space::SegSet::one(axis.segment(&end)), model.fact(fact)).into();
        conds.push(Cond { fact, set, span: Span::default() });
    }
    Some(conds)
}
