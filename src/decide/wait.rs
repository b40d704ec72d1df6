//! How long a retry waits.
//!
//! With n attempts made, b is the n-th step of the backoff (its cap where n is unknown); the draw is b, b/2..b or
//! 0..b by its jitter, and nothing for `retry now`. A known hint is added to every draw. The guard looks at the
//! shortest wait alone, so that no decision hangs on a die; the longest is cut to the time that is left, down to the
//! shortest and no further: what was instructed is never shortened.

use crate::model::{Action, Model};

use super::guard::Asked;
use super::standard::KnownHint;

/// With less time than this an attempt is not worth making.
pub(super) fn least_ms(model: &Model) -> u64 {
    model.budget.as_ref().map_or(0, |b| b.least_ms)
}

/// The shortest wait of an action: the one that its guard counts with.
pub(super) fn shortest_ms(asked: Asked<'_>, action: &Action) -> u64 {
    match action {
        Action::Hedge { after_ms, .. } => *after_ms,
        _ => whole_draw(asked, action).map_or(0, |(lo, _)| lo),
    }
}

/// The bounds of a retry's wait, both in.
pub(super) fn bounds_ms(asked: Asked<'_>, action: &Action) -> Option<(u64, u64)> {
    let (lo, hi) = whole_draw(asked, action)?;
    let left = asked.policy.standard().deadline(asked.facts);
    let left = left.map_or(u64::MAX, |d| d.saturating_sub(least_ms(asked.policy.head())));
    Some((lo, hi.min(left).max(lo)))
}

/// A wait between the bounds, by a number drawn evenly from all numbers of 64 bits.
pub(super) fn drawn(bounds: (u64, u64), draw: u64) -> u64 {
    let width = u128::from(bounds.1.saturating_sub(bounds.0)) + 1;
    // The high half of the product: even over the width, and never past it.
    bounds.0.saturating_add(((u128::from(draw) * width) >> 64) as u64)
}

/// The bounds before the deadline cuts them; nothing for what is no retry.
fn whole_draw(asked: Asked<'_>, action: &Action) -> Option<(u64, u64)> {
    let Action::Retry { backoff, .. } = action else { return None };
    let std = asked.policy.standard();
    let hint = match std.hint(asked.facts) {
        KnownHint::AtLeast(ms) => ms,
        KnownHint::Unknown => 0,
    };
    let backoff = backoff.and_then(|b| asked.policy.head().backoffs.get(b));
    let (lo, hi) = backoff.map_or((0, 0), |b| b.draw_ms(std.attempt(asked.facts)));
    Some((hint.saturating_add(lo), hint.saturating_add(hi)))
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn a_draw_stays_between_its_bounds() {
        assert_eq!(drawn((200, 600), 0), 200);
        assert_eq!(drawn((200, 600), u64::MAX), 600);
        assert_eq!(drawn((200, 600), u64::MAX / 2), 400);
        assert_eq!(drawn((5, 5), u64::MAX), 5);
        assert_eq!(drawn((0, u64::MAX), u64::MAX), u64::MAX);
    }
}
