//! What differs between two budget blocks, entry by entry.
//!
//! Attempts, refill and deadline are wider when they rise, reserve and least when they fall, as for an overlay.

use std::cmp::Ordering;

use crate::model::Budget;
use crate::words::{show_decimal, show_duration};

use super::comparison::BudgetChange;
use super::outcome::Mark;

/// Compares two budgets.
pub(super) fn budget_changes(old: Option<&Budget>, new: Option<&Budget>) -> Vec<BudgetChange> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Vec::new(),
        (old, new) => {
            let mark = if old.is_none() { Mark::Tighter } else { Mark::Wider };
            let text =
                |b: Option<&Budget>| b.map(|b| format!("{} attempts in {}", b.attempts, show_duration(b.deadline_ms)));
            return vec![BudgetChange { entry: "budget".into(), old: text(old), new: text(new), mark }];
        }
    };
    let mut out = Vec::new();
    let mut line = |entry: &str, a: &str, b: &str, mark: Mark| {
        if a != b {
            out.push(BudgetChange { entry: entry.into(), old: Some(a.into()), new: Some(b.into()), mark });
        }
    };
    let number = |n: u64| n.to_string();
    line("owner", &old.owner, &new.owner, Mark::Other);
    line("below", &below(old), &below(new), wider_if_more(product(old), product(new)));
    line("attempts", &number(old.attempts), &number(new.attempts), wider_if_more(old.attempts, new.attempts));
    line("refill", &refill(old), &refill(new), refill_mark(old, new));
    let mut time = |entry: &str, a: u64, b: u64, mark: Mark| line(entry, &show_duration(a), &show_duration(b), mark);
    time("deadline", old.deadline_ms, new.deadline_ms, wider_if_more(old.deadline_ms, new.deadline_ms));
    time("reserve", old.reserve_ms, new.reserve_ms, wider_if_more(new.reserve_ms, old.reserve_ms));
    time("least", old.least_ms, new.least_ms, wider_if_more(new.least_ms, old.least_ms));
    time("late", old.late_ms, new.late_ms, Mark::Other);
    line("confirm", &number(old.confirm), &number(new.confirm), Mark::Other);
    out
}

fn wider_if_more(old: u64, new: u64) -> Mark {
    match old.cmp(&new) {
        Ordering::Less => Mark::Wider,
        Ordering::Greater => Mark::Tighter,
        Ordering::Equal => Mark::Other,
    }
}

fn product(budget: &Budget) -> u64 {
    budget.below.iter().fold(1, |n, layer| layer.attempts.max(1).saturating_mul(n))
}

fn below(budget: &Budget) -> String {
    let layers: Vec<String> = budget.below.iter().map(|l| format!("{} {}", l.name, l.attempts)).collect();
    if layers.is_empty() { "none".into() } else { layers.join(", ") }
}

fn refill(budget: &Budget) -> String {
    budget.refill.map_or_else(
        || "no brake".into(),
        |(percent, least)| format!("{}% of intents, at least {least} per second", show_decimal(percent)),
    )
}

fn refill_mark(old: &Budget, new: &Budget) -> Mark {
    match (old.refill, new.refill) {
        (Some(_), None) => Mark::Wider,
        (Some(a), Some(b)) if b.0 > a.0 || b.1 > a.1 => Mark::Wider,
        _ => Mark::Tighter,
    }
}
