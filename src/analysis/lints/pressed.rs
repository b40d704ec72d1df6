//! An overload that is asked again at once: `retry now` where the receiver said that it is overloaded, and named no
//! time to wait.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0507};
use crate::model::{Action, Cond, Outcome, TableId, ValueSet};
use crate::space::{Clause, Ending, Question, Reach};
use crate::text::Span;

use super::super::guards;
use super::super::scene::{Point, Scene};
use super::super::tell::{row_name, show};

/// Finds the rows, each once.
pub(in super::super) fn pressed(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    let Some(overload) = overloaded(scene).and_then(|conds| scene.clause(&conds)) else { return };
    let ground = scene.ground;
    let mut rows: Vec<(TableId, usize)> = Vec::new();
    let mut list: Vec<(Clause, Option<u32>)> = Vec::new();
    for entry in &scene.flow.entries {
        let row = entry.path.last().filter(|_| entry.end == Ending::Row).copied();
        if let Some((at, action)) = row.and_then(|at| Some((at, at_once(scene, at)?))) {
            let group = rows.iter().position(|r| *r == at).unwrap_or_else(|| {
                rows.push(at);
                rows.len() - 1
            });
            let allowed = guards::clauses(ground.model, &ground.space, &ground.layers, action);
            let here = entry.clause.and(&overload);
            let narrowed = here.iter().flat_map(|here| allowed.iter().filter_map(|a| here.and(a)));
            list.extend(narrowed.map(|clause| (clause, Some(group as u32))));
        }
        list.push((entry.clause.clone(), None));
    }
    if rows.is_empty() {
        return;
    }
    let n_groups = rows.len() as u32;
    let asked = list.iter().map(|(c, g)| (c, *g)).collect();
    let within = overload.region.clone();
    let all = scene.ask(&Question { within, list: asked, n_groups, disjoint: false }, steps);
    for ((at, reach), group) in rows.iter().zip(all.groups).zip(0u32..) {
        let Reach::At(region) = reach else { continue };
        let wrong: BTreeSet<usize> = (0..list.len()).filter(|i| list[*i].1 == Some(group)).collect();
        let holds = |point: &Point| {
            let answers = scene.at(point).is_some_and(|i| scene.flow.entries[i].path.last() == Some(at));
            answers && wrong.iter().any(|i| point.is_in(&list[*i].0))
        };
        let shown = show(scene, &region, holds);
        let message = format!("`{}` may ask an overloaded receiver again at once", row_name(scene, *at));
        let help = "write `retry after` a backoff: whoever is overloaded is kept so by those who come back at once";
        let span = if let Outcome::Act(chain) = &scene.row(*at).outcome { chain.span } else { scene.row(*at).span };
        findings.push(Diagnostic::new(N0507, message).at(span, "").help(help).witness(shown.witness(scene)));
    }
}

/// The `retry now` of a row.
fn at_once<'a>(scene: &Scene<'a>, at: (TableId, usize)) -> Option<&'a Action> {
    let Outcome::Act(chain) = &scene.row(at).outcome else { return None };
    chain.actions.iter().find(|a| matches!(a, Action::Retry { backoff: None, .. }))
}

/// An overload without a hint of how long to wait.
fn overloaded(scene: &Scene) -> Option<Vec<Cond>> {
    let model = scene.model();
    let condition = model.std.condition?;
    let fact = model.fact(condition);
    let set = ValueSet::one(fact, &fact.named_value("overloaded")?).into();
    let mut conds = vec![Cond { fact: condition, set, span: Span::default() }];
    if let Some(hint) = model.std.hint {
        let fact = model.fact(hint);
        let none = fact.points_value("none").map_or_else(|| ValueSet::none(fact), |v| ValueSet::one(fact, &v));
        conds.push(Cond { fact: hint, set: ValueSet { unknown: true, ..none }.into(), span: Span::default() });
    }
    Some(conds)
}
