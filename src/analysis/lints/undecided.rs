//! A proof that did not come to its end, told as that: never as a proof, and never in silence.

use crate::diag::{Diagnostic, N0309, N0310, N0324};
use crate::model::{Table, show_set};
use crate::space::Region;

use super::super::analyse::Limits;
use super::super::scene::Scene;

/// The steps ran out while `what` was looked at.
pub(in super::super) fn undecided(
    scene: &Scene,
    table: &Table,
    what: &str,
    at: Option<&Region>,
    limits: &Limits,
) -> Diagnostic {
    let steps = limits.max_steps;
    let mut message = format!("it is not decided within {steps} steps whether {what}");
    let sides = at.map(|r| scene.ground.space.sets(scene.model(), r)).unwrap_or_default();
    let tests = sides.iter().take(6).map(|(fact, set)| {
        let fact = scene.model().fact(*fact);
        format!("{} is {}", fact.name, show_set(fact, set))
    });
    let tests = tests.collect::<Vec<_>>().join(" and ");
    if !tests.is_empty() {
        message = format!("{message}; the proof stopped at `{tests}`");
    }
    Diagnostic::new(N0309, message).at(table.span, "").help(format!(
        "let it go on with `--max-steps {}`, or part the table into smaller ones",
        steps.saturating_mul(10)
    ))
}

/// The steps ran out while lints were looked for: what they did not come to is neither told nor ruled out.
pub(in super::super) fn unlooked(table: &Table, limits: &Limits) -> Diagnostic {
    let steps = limits.max_steps;
    let message = format!("not all was looked for within {steps} steps: more may be idle than is told");
    let further = steps.saturating_mul(10).max(10);
    Diagnostic::new(N0324, message)
        .at(table.span, "")
        .help(format!("let it go on with `--max-steps {further}`, or part the table into smaller ones"))
}

/// Derived facts make an `any unknown` row too complex.
pub(in super::super) fn too_complex(table: &Table) -> Diagnostic {
    let message =
        format!("`{}` cannot be looked through: `any unknown` over derived facts has too many cases", table.name);
    Diagnostic::new(N0310, message)
        .at(table.span, "")
        .help("write `otherwise` in place of `any unknown`, or let fewer rows of the table test derived facts")
}
