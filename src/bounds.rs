//! Floor 6: how far an intent can go at worst under a policy.
//!
//! Attempts with all the layers below multiplied, waits added up, copies at once, and how long a result must stay
//! findable. `nisi check --bounds` prints them; what of them cannot work is a finding of every compilation.

use crate::analysis::bounds as engine;
use crate::decide::Policy;

pub use crate::analysis::bounds::{Bounds, Memory, Waits};

/// The bounds of one intent; nothing where the policy has no budget.
///
/// ```
/// let policy = nisi::Policy::compile(
///     "policy a
/// version 1
/// use std.facts
/// use std.safety
/// budget { owner coordinator, below sdk 3, attempts 3, deadline 20s }
/// table t, first row wins
/// | condition | effect | => action |
/// | timeout   | read   | retry now; if refused, review desk |
/// | otherwise |        | review desk |
/// ",
/// )?;
/// let bounds = nisi::bounds::bounds(&policy).unwrap();
/// assert_eq!((bounds.attempts, bounds.attempts_in_all), (3, 9));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn bounds(policy: &Policy) -> Option<Bounds> {
    engine::bounds(policy.model())
}
