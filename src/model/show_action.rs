//! Actions as an author writes them.

use super::{Action, By, Chain, Model, quote, quoted_if_needed};
use crate::words::show_duration;

/// One action, without its way for refusal: `retry after gentle, spend 2`.
pub fn show_action(model: &Model, action: &Action) -> String {
    let with = |verb: &str, text: &Option<Box<str>>, show: fn(&str) -> String| match text {
        Some(text) => format!("{verb} {}", show(text)),
        None => verb.to_string(),
    };
    match action {
        Action::Review { queue } => with("review", queue, quoted_if_needed),
        Action::Stop { reason } => with("stop", reason, quote),
        Action::Done { reason } => with("done", reason, quote),
        Action::Wait => "wait".into(),
        Action::Reconcile { by, within_ms } => {
            format!("reconcile by {} within {}", show_by(model, *by), show_duration(*within_ms))
        }
        Action::Retry { backoff, spend } => {
            let backoff = backoff.and_then(|b| model.backoffs.get(b));
            let when = backoff.map_or_else(|| "now".into(), |b| format!("after {}", b.name));
            if *spend == 1 { format!("retry {when}") } else { format!("retry {when}, spend {spend}") }
        }
        Action::Hedge { copies, after_ms } => format!("hedge {copies} after {}", show_duration(*after_ms)),
        Action::Failover { parity } => format!("failover to {}", parity_name(model, *parity)),
    }
}

/// An action with all its ways for refusal, as far as they are written.
pub fn show_chain(model: &Model, chain: &Chain) -> String {
    let shown = chain.actions.iter().take(chain.stated.max(1)).map(|a| show_action(model, a));
    shown.collect::<Vec<_>>().join("; if refused, ")
}

/// The locator's name, or `event`.
pub fn show_by(model: &Model, by: By) -> &str {
    match by {
        By::Event => "event",
        By::Locator(l) => model.locators.get(l).map_or("", |l| &l.name),
    }
}

/// A parity's name.
pub fn parity_name(model: &Model, parity: usize) -> &str {
    model.parities.get(parity).map_or("", |p| &p.name)
}
