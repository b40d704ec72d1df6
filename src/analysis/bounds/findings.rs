//! What of a policy's bounds cannot work, or grows out of sight.

use crate::diag::{Diagnostic, N0502, N0503, N0504, N0505, N0506};
use crate::model::{Action, Budget, By, Model, Outcome, Row, show_action};
use crate::text::Span;
use crate::words::show_duration;

use super::measure::{Bounds, actions, bounds, draw_ms, left_ms, units};
use super::pace::{look_findings, pace_findings};

/// Finds it; without a budget only what locators say.
pub fn bound_findings(model: &Model) -> Vec<Diagnostic> {
    let (Some(budget), Some(bounds)) = (&model.budget, bounds(model)) else { return look_findings(model) };
    let mut findings = Vec::new();
    findings.extend(multiplied(budget, &bounds));
    findings.extend(too_long_together(budget, &bounds));
    let mut told: Vec<&Action> = Vec::new();
    for (_, row, action) in actions(model) {
        if told.contains(&action) {
            continue;
        }
        if let Some(finding) = never_fits(model, budget, row, action) {
            told.push(action);
            findings.push(finding);
        }
    }
    findings.extend(forgetful(model, budget, &bounds));
    findings.extend(look_findings(model));
    findings.extend(pace_findings(model, budget));
    findings
}

fn multiplied(budget: &Budget, bounds: &Bounds) -> Option<Diagnostic> {
    let more: Vec<&(String, u64)> = bounds.below.iter().filter(|l| l.1 > 1).collect();
    if more.is_empty() {
        return None;
    }
    let layers: Vec<String> = more.iter().map(|(name, n)| format!("times {n} by `{name}`")).collect();
    let message = format!(
        "one intent may come to {} attempts: {} by `{}`, {}",
        bounds.attempts_in_all,
        bounds.attempts,
        bounds.owner,
        layers.join(", ")
    );
    let names: Vec<String> = more.iter().map(|(name, _)| format!("`{name}`")).collect();
    let help =
        format!("one layer should own the retries: switch off those of {}, and leave `below` out", names.join(", "));
    Some(Diagnostic::new(N0502, message).at(budget.span, "").help(help))
}

fn too_long_together(budget: &Budget, bounds: &Bounds) -> Option<Diagnostic> {
    let waits = bounds.waits.filter(|w| w.longest_ms > w.left_ms)?;
    let message = format!(
        "the waits of one intent may add up to {}, and the deadline leaves {} for them",
        show_duration(waits.longest_ms),
        show_duration(waits.left_ms)
    );
    let help = "later attempts are then cut short or refused: have fewer attempts, shorter waits, or a longer deadline";
    Some(Diagnostic::new(N0503, message).at(budget.span, "").help(help))
}

/// An action that its guard or the judgement refuses at every attempt.
fn never_fits(model: &Model, budget: &Budget, row: &Row, action: &Action) -> Option<Diagnostic> {
    let shown = show_action(model, action);
    let span = span_of(row);
    let (cost, _) = units(action);
    let left = budget.attempts.saturating_sub(1);
    if cost > left {
        let message =
            format!("`{shown}` takes {cost} of the budget, and after the first attempt at most {left} are left");
        let help = "give the intent more attempts, let it take fewer, or take the row's action out";
        return Some(Diagnostic::new(N0505, message).at(span, "never has the budget").help(help));
    }
    if let Action::Reconcile { by: By::Locator(_), within_ms } = action {
        let all = budget.deadline_ms;
        let message = format!("`{shown}` looks longer than the whole deadline of {} allows", show_duration(all));
        let help = "look for a shorter time, or wait for an event: only that may outlast the deadline";
        return (*within_ms > all).then(|| Diagnostic::new(N0504, message).at(span, "never has the time").help(help));
    }
    let attempts = (1..=left.clamp(1, 64)).map(Some).chain([None]);
    let shortest = attempts.filter_map(|n| draw_ms(model, action, n)).map(|d| d.0).min()?;
    let all = left_ms(budget);
    let message = format!(
        "`{shown}` waits {} at least, and the deadline never leaves more than {}",
        show_duration(shortest),
        show_duration(all)
    );
    let help = "wait a shorter time, or give the intent a longer deadline; what is left for a wait is the deadline \
                without `reserve` and `least`";
    (shortest > all).then(|| Diagnostic::new(N0504, message).at(span, "never has the time").help(help))
}

/// Where a row states its action.
fn span_of(row: &Row) -> Span {
    if let Outcome::Act(chain) = &row.outcome { chain.span } else { row.span }
}

fn forgetful(model: &Model, budget: &Budget, bounds: &Bounds) -> Vec<Diagnostic> {
    let short = bounds.memories.iter().filter(|m| m.remembers_ms.is_some_and(|ms| ms < m.needed_ms));
    let finding = |memory: &super::Memory| {
        let locator = model.locators.iter().find(|l| *l.name == *memory.locator)?;
        let remembers = show_duration(memory.remembers_ms?);
        let message = format!(
            "`{}` remembers for {remembers}, and a copy may still arrive after {}",
            memory.locator,
            show_duration(memory.needed_ms)
        );
        let help = "a late copy that meets a receiver without memory is a new effect: look by something that remembers \
                    longer than `deadline` and `late` together, or shorten these";
        Some(Diagnostic::new(N0506, message).at(locator.span, "").and(budget.span, "deadline and late").help(help))
    };
    short.filter_map(finding).collect()
}
