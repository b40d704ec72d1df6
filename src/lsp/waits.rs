//! The waits of a backoff in few words: the bounds of each, as the policy computes them.

use crate::model::Backoff;
use crate::words::show_duration;

/// How many waits are told one by one.
const TOLD: u64 = 4;

/// `0s to 200ms, then 0s to 400ms`: one wait for each retry that `attempts` allow, the longest last.
pub(super) fn of(backoff: &Backoff, attempts: Option<u64>) -> String {
    let bounds = |attempt: Option<u64>| {
        let (lo, hi) = backoff.draw_ms(attempt);
        if lo == hi { show_duration(hi) } else { format!("{} to {}", show_duration(lo), show_duration(hi)) }
    };
    let waits = attempts.map_or(TOLD, |n| n.saturating_sub(1)).max(1);
    let mut told: Vec<String> = (1..=waits.min(TOLD)).map(|n| bounds(Some(n))).collect();
    let last = if attempts.is_some() { bounds(Some(waits)) } else { bounds(None) };
    let goes_on = waits > TOLD || attempts.is_none();
    told.dedup();
    if goes_on && told.last() != Some(&last) {
        return format!("{}, … up to {last}", told.join(", then "));
    }
    told.join(", then ")
}
