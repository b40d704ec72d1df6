//! What decisions name, in words that hang on nothing but what is meant.

use std::collections::BTreeSet;

use crate::model::{Action, Backoff, Budget, By, Jitter, Locator, Model, Outcome, Parity, ParityTerm};
use crate::words::{show_decimal, show_duration};

/// The budget, and each backoff, locator and parity that an action names, by kind and name.
pub(super) fn terms(model: &Model) -> Vec<String> {
    let rows = model.tables.iter().flat_map(|t| &t.rows);
    let chains = rows.filter_map(|r| if let Outcome::Act(chain) = &r.outcome { Some(chain) } else { None });
    let named: BTreeSet<String> = chains.flat_map(|c| &*c.actions).filter_map(|a| named(model, a)).collect();
    model.budget.iter().map(budget).chain(named).collect()
}

fn named(model: &Model, action: &Action) -> Option<String> {
    match action {
        Action::Retry { backoff: Some(place), .. } => model.backoffs.get(*place).map(backoff),
        Action::Reconcile { by: By::Locator(place), .. } => model.locators.get(*place).map(locator),
        Action::Failover { parity: place } => model.parities.get(*place).map(parity),
        _ => None,
    }
}

fn budget(budget: &Budget) -> String {
    let mut parts = vec![format!("budget: owner {}", budget.owner)];
    parts.extend(budget.below.iter().map(|l| format!("below {} {}", l.name, l.attempts)));
    parts.push(format!("attempts {}", budget.attempts));
    if let Some((percent, floor)) = budget.refill {
        parts.push(format!("refill {}% of intents and at least {floor} per second", show_decimal(percent)));
    }
    let times = [("deadline", budget.deadline_ms), ("reserve", budget.reserve_ms), ("least", budget.least_ms)];
    let times = times.into_iter().chain([("late", budget.late_ms)]).filter(|t| t.1 > 0);
    parts.extend(times.map(|(name, ms)| format!("{name} {}", show_duration(ms))));
    if budget.confirm > 0 {
        parts.push(format!("confirm {}", budget.confirm));
    }
    parts.join(", ")
}

fn backoff(backoff: &Backoff) -> String {
    let jitter = match backoff.jitter {
        Jitter::None => "none",
        Jitter::Equal => "equal",
        Jitter::Full => "full",
    };
    let steps: Vec<String> = backoff.steps_ms.iter().map(|ms| show_duration(*ms)).collect();
    format!("backoff {}: {}, jitter {jitter}", backoff.name, steps.join(", "))
}

fn locator(locator: &Locator) -> String {
    let remembers = locator.remembers_ms.map_or_else(|| "for ever".into(), show_duration);
    let looks = locator.looks.map_or_else(|| "without a bound".into(), |n| n.to_string());
    format!("locator {}: lag {}, remembers {remembers}, looks {looks}", locator.name, show_duration(locator.lag_ms))
}

fn parity(parity: &Parity) -> String {
    let list = |fields: &[Box<str>]| fields.join(" and ");
    let terms = parity.terms.iter().map(|term| match term {
        ParityTerm::Same(fields) => format!("same {}", list(fields)),
        ParityTerm::NoBroader(fields) => format!("no broader {}", list(fields)),
        ParityTerm::AtLeast(field, least) => format!("at least {} {field}", show_decimal(*least)),
        ParityTerm::Fresh(field, ms) => format!("fresh {field} {}", show_duration(*ms)),
        ParityTerm::MayDiffer(fields) => format!("may differ {}", list(fields)),
    });
    let terms: BTreeSet<String> = terms.collect();
    format!("parity {}: {}", parity.name, terms.into_iter().collect::<Vec<_>>().join(", "))
}
