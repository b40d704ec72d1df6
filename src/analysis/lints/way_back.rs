//! What comes after an action: a refusal that no way is written for, and answers of a look-up that no row names.

use crate::diag::{Diagnostic, N0321, N0323};
use crate::model::{Action, Outcome, TableId};
use crate::space::Ending;

use super::super::scene::Scene;
use super::super::tell::row_name;
use super::unused::named;

/// How a look-up ends.
const LOOKED_UP: [&str; 3] = ["confirmed", "confirmed_absent", "unconfirmed"];

/// Finds both.
pub(in super::super) fn ways_back(scene: &Scene, findings: &mut Vec<Diagnostic>) {
    let entries = scene.flow.entries.iter().filter(|e| e.end == Ending::Row);
    let mut rows: Vec<(TableId, usize)> = entries.filter_map(|e| e.path.last().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut told = Vec::new();
    for at in &rows {
        let Outcome::Act(chain) = &scene.row(*at).outcome else { continue };
        let plain = matches!(chain.actions.last(), Some(Action::Review { queue: None }));
        let stated = chain.actions.get(chain.stated.saturating_sub(1));
        let Some(last) = stated.filter(|a| a.verb().acts() && chain.stated < chain.actions.len() && plain) else {
            continue;
        };
        // One named action stands in many rows.
        if told.contains(&chain.span) {
            continue;
        }
        told.push(chain.span);
        let message = format!("`{}` does not say what follows if `{}` is refused", row_name(scene, *at), last.verb());
        let help = "write `; if refused, …` behind it, or `, if refused, review QUEUE` in the head of the table; as it \
                    is, the case goes to a person, and no queue is named";
        findings.push(Diagnostic::new(N0321, message).at(chain.span, "").help(help));
    }
    look_ups(scene, &rows, findings);
}

fn look_ups(scene: &Scene, rows: &[(TableId, usize)], findings: &mut Vec<Diagnostic>) {
    let model = scene.model();
    let Some(condition) = model.std.condition else { return };
    let looks = |at: &&(TableId, usize)| match &scene.row(**at).outcome {
        Outcome::Act(chain) => chain.actions.iter().any(|a| matches!(a, Action::Reconcile { .. })),
        _ => false,
    };
    let Some(first) = rows.iter().find(looks) else { return };
    let fact = model.fact(condition);
    let answers: Vec<usize> = LOOKED_UP.iter().filter_map(|w| fact.words().position(|v| v == *w)).collect();
    // Who names one of them has thought of how a look-up ends.
    if answers.iter().any(|v| named(&model.tables, model, condition).contains(v)) {
        return;
    }
    let missing: Vec<String> = LOOKED_UP.iter().map(|w| format!("`{w}`")).collect();
    let missing = missing.join(", ");
    let message =
        format!("`{}` looks the result up, and no row names what may come back: {missing}", row_name(scene, *first));
    let help = "add rows for them: an answer to a look-up is a question of its own, with this `condition`";
    findings.push(Diagnostic::new(N0323, message).at(scene.row(*first).span, "").help(help));
}
