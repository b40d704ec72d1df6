//! The pace of attempts and looks: waits that all callers end together, attempts without a brake, looks that come
//! before there is anything to see.

use crate::diag::{Diagnostic, N0508, N0509, N0510, N0511};
use crate::model::{Action, Budget, By, Jitter, Locator, Model, Outcome, Row};
use crate::text::Span;
use crate::words::show_duration;

use super::measure::actions;

/// Waits without a draw, and attempts without a brake.
pub(super) fn pace_findings(model: &Model, budget: &Budget) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (i, backoff) in model.backoffs.iter().enumerate() {
        let used = |a: &Action| matches!(a, Action::Retry { backoff: Some(b), .. } if *b == i);
        if backoff.jitter == Jitter::None && actions(model).any(|(_, _, a)| used(a)) {
            let message = format!("all that wait by `{}` come back at the same moment", backoff.name);
            let help = "write `jitter full`, or `jitter equal` to keep half of the wait: what failed for many at once is \
                        then not asked by all of them at once";
            findings.push(Diagnostic::new(N0508, message).at(backoff.span, "").help(help));
        }
    }
    if budget.refill.is_none() && actions(model).any(|(_, _, a)| a.verb().acts()) {
        let message = "nothing brakes the attempts of all intents together";
        let help = "write `refill 10% of intents, at least 5 per second`: when much fails at once, further attempts then \
                    stay a share of the load";
        findings.push(Diagnostic::new(N0509, message).at(budget.span, "").help(help));
    }
    findings
}

/// Looks by a locator that come too early, unless the row asks how long ago the attempt was sent.
pub(super) fn look_findings(model: &Model) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    for (_, row, action) in actions(model) {
        let Action::Reconcile { by: By::Locator(l), within_ms } = action else { continue };
        let Some(locator) = model.locators.get(*l).filter(|l| l.lag_ms > 0 && !asks_when_sent(model, row)) else {
            continue;
        };
        let finding = too_short(locator, *within_ms, row).or_else(|| too_few(locator));
        findings.extend(finding.filter(|f| !findings.iter().any(|other| other.message == f.message)));
    }
    findings
}

fn asks_when_sent(model: &Model, row: &Row) -> bool {
    model.fact_id("since_sent").is_some_and(|f| row.conds.iter().any(|c| c.fact == f))
}

fn too_short(locator: &Locator, within_ms: u64, row: &Row) -> Option<Diagnostic> {
    let (within, lag) = (show_duration(within_ms), show_duration(locator.lag_ms));
    let message = format!("a look by `{}` for {within} ends before its lag of {lag} is over", locator.name);
    let help = "look for longer than the lag, or test `since_sent`: until then \"nothing there\" proves nothing";
    let span: Span = if let Outcome::Act(chain) = &row.outcome { chain.span } else { row.span };
    let finding = Diagnostic::new(N0510, message).at(span, "").and(locator.span, "its lag");
    (within_ms < locator.lag_ms).then(|| finding.help(help))
}

fn too_few(locator: &Locator) -> Option<Diagnostic> {
    let lag = show_duration(locator.lag_ms);
    let message = format!("`{}` looks once, at once, and a result may take {lag} to show", locator.name);
    let help = "allow `looks 2` or more: the second look comes when the lag is over";
    (locator.looks == Some(1)).then(|| Diagnostic::new(N0511, message).at(locator.span, "").help(help))
}
