//! A rule that never applies: no facts fulfil its tests together.

use crate::diag::{Diagnostic, N0337};
use crate::space::{Question, Reach};

use super::super::scene::Scene;

/// Finds them among the rules of the compiled file.
pub(in super::super) fn idle_rules(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for rule in scene.model().rules.iter().filter(|r| !r.unless && Scene::is_own(r.span)) {
        let applies = scene.clause(&rule.tests).is_some_and(|clause| {
            let within = clause.region.clone();
            let question = Question { within, list: vec![(&clause, Some(0))], n_groups: 1, disjoint: false };
            scene.ask(&question, steps).groups != [Reach::Never]
        });
        if !applies {
            let message = format!("rule `{}` never applies: no facts fulfil its tests together", rule.name);
            let help = "a rule's tests are joined by `and`: for \"or\" write two rules";
            findings.push(Diagnostic::new(N0337, message).at(rule.span, "").help(help));
        }
    }
}
