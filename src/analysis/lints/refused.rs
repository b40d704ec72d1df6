//! An action that its guard refuses whenever its row answers: the row says something that never happens.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0333};
use crate::model::{Action, Outcome, TableId, show_action};
use crate::space::{Clause, Ending, Question, Reach, Region};

use super::super::guards;
use super::super::scene::Scene;
use super::super::tell::row_name;

/// An action of a row, by its place in the chain.
type At = ((TableId, usize), usize);

/// Finds them in rows that are reached.
pub(in super::super) fn refused_actions(
    scene: &Scene,
    idle: &BTreeSet<(TableId, usize)>,
    steps: &mut u64,
    findings: &mut Vec<Diagnostic>,
) {
    let ground = scene.ground;
    let mut actions: Vec<At> = Vec::new();
    let mut list: Vec<(Clause, Option<u32>)> = Vec::new();
    for entry in &scene.flow.entries {
        let row = entry.path.last().filter(|at| entry.end == Ending::Row && !idle.contains(*at));
        for (at, place, action) in row.into_iter().flat_map(|at| acting(scene, *at)) {
            let group = actions.iter().rposition(|a| *a == (at, place)).unwrap_or_else(|| {
                actions.push((at, place));
                actions.len() - 1
            });
            let allowed = guards::clauses(ground.model, &ground.space, &ground.layers, action);
            list.extend(allowed.iter().filter_map(|c| Some((entry.clause.and(c)?, Some(group as u32)))));
        }
        list.push((entry.clause.clone(), None));
    }
    let n_groups = actions.len() as u32;
    let all: Vec<_> = list.iter().map(|(c, g)| (c, *g)).collect();
    // One large question must not take the steps of all others.
    let mut share = *steps / 4;
    let all = scene.ask(&Question { within: Region::all(), list: all, n_groups, disjoint: false }, &mut share);
    *steps -= *steps / 4 - share;
    for ((group, (at, place)), reach) in (0u32..).zip(&actions).zip(all.groups) {
        let mut never = reach == Reach::Never;
        // An action before it in the row may have hidden it: it is asked for alone.
        if never && *place > 0 {
            let own = list.iter().filter(|(_, g)| g.is_none_or(|g| g == group));
            let list = own.map(|(c, g)| (c, g.map(|_| 0))).collect();
            let question = Question { within: Region::all(), list, n_groups: 1, disjoint: false };
            never = scene.ask(&question, steps).groups == [Reach::Never];
        }
        if never {
            findings.push(tell(scene, *at, *place));
        }
    }
}

/// The actions of a row that act, as far as the row states them.
fn acting<'a>(
    scene: &'a Scene,
    at: (TableId, usize),
) -> impl Iterator<Item = ((TableId, usize), usize, &'a Action)> + 'a {
    let chain = if let Outcome::Act(chain) = &scene.row(at).outcome { Some(chain) } else { None };
    let actions = chain.into_iter().flat_map(|c| c.actions.iter().take(c.stated.max(1)));
    actions.enumerate().filter(|(_, a)| a.verb().acts()).map(move |(place, action)| (at, place, action))
}

fn tell(scene: &Scene, at: (TableId, usize), place: usize) -> Diagnostic {
    let model = scene.model();
    let row = scene.row(at);
    let (span, action) = match &row.outcome {
        Outcome::Act(chain) => (chain.span, chain.actions.get(place)),
        _ => (row.span, None),
    };
    let shown = action.map_or_else(String::new, |a| show_action(model, a));
    let message = format!("`{shown}` is refused whatever facts come to `{}`", row_name(scene, at));
    let help = if model.std.budget.is_none() || model.std.deadline.is_none() {
        "its guard reads `budget` and `deadline`, which nothing declares: write `use std.facts`"
    } else {
        "what the row tests is what the guard refuses: say what shall follow instead, or widen the row"
    };
    Diagnostic::new(N0333, message).at(span, "").help(help)
}
