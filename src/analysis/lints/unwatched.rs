//! A policy that can act without the rules of `std.safety`, or without a budget.

use crate::diag::{Diagnostic, N0403, N0501};
use crate::model::{Outcome, TableId};

use super::super::scene::Scene;
use super::super::tell::row_name;

/// A rule that only `std.safety` declares, as long as no policy makes up the name.
const OF_SAFETY: &str = "no-unsafe-replay";

/// Finds both; each is told once, at the first row that acts.
pub(in super::super) fn unwatched(scene: &Scene, findings: &mut Vec<Diagnostic>) {
    let model = scene.model();
    let Some(row) = first_act(scene) else { return };
    let (name, span) = (row_name(scene, row), scene.row(row).span);
    if !model.rules.iter().any(|r| &*r.name == OF_SAFETY) {
        let message = format!("`{name}` may act on the world again, and no rule of `std.safety` watches over it");
        let help = "write `use std.safety`: its rules are then proven of every row, and a row that breaks one is shown";
        findings.push(Diagnostic::new(N0403, message).at(span, "").help(help));
    }
    if model.budget.is_none() {
        let message = format!("`{name}` may act on the world again, and no `budget` says how often");
        let help = "write `budget { owner …, attempts …, deadline … }`: who may retry, how often, and within what time";
        findings.push(Diagnostic::new(N0501, message).at(span, "").help(help));
    }
}

/// The first row, in file order, that the policy may come to and whose action acts.
fn first_act(scene: &Scene) -> Option<(TableId, usize)> {
    let acts = |at: &(TableId, usize)| match &scene.row(*at).outcome {
        Outcome::Act(chain) => chain.actions.iter().any(|a| a.verb().acts()),
        _ => false,
    };
    scene.flow.entries.iter().filter_map(|e| e.path.last().copied()).filter(acts).min()
}
