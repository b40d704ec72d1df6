//! A decision for people: the action first, then what it rests on, one thing a line.

use std::fmt::Write;

use crate::decide::{Decision, RefusedBy, World};
use crate::model::show_action;
use crate::words::show_duration;

/// The decision with a wait by this draw.
pub(in crate::cli) fn render(decision: &Decision<'_>, draw: u64) -> String {
    let policy = decision.policy();
    let mut text = format!("{decision}\n");
    let mut say = |what: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {what:<8} {value}");
    };
    if let (Some(wait), Some((least, most))) = (decision.wait(draw), decision.wait_bounds_ms()) {
        let bounds = format!("{} to {}", show_duration(least), show_duration(most));
        say("wait", &format!("{} (drawn from {bounds})", show_duration(wait)));
    }
    if let Some(row) = decision.row_name() {
        say("row", &row);
    }
    if let Some(because) = decision.because() {
        say("because", because);
    }
    if let Some(guard) = decision.guard() {
        say("wanted", &show_action(policy.head(), guard.wanted_action()));
        for (action, refusal) in guard.refused() {
            let why = match refusal.by {
                RefusedBy::World(World::Refused) => "the world refuses it (`--refuse`)".to_string(),
                by => by.to_string(),
            };
            say("refused", &format!("{}: {why}", show_action(policy.head(), action)));
        }
    }
    if decision.is_gap() {
        say("gap", "no row answers these facts");
    }
    say("policy", &format!("{} {}", policy.name(), policy.version()));
    text
}
