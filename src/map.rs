//! Floor 6: the whole behaviour of a policy as a text to be kept and compared.
//!
//! [`Policy::map`] gives a [`Map`]: what is decided where, in as few lines as were found, the same for every layout and
//! every order of rows in which no decision changes. Kept beside the code that asks the policy, a changed decision is a
//! changed line.

use std::fmt;

use crate::analysis::map as engine;
use crate::decide::Policy;

pub use crate::analysis::map::{Map, Mapped};

/// So many steps a map may take unless it is told otherwise.
pub const MAX_STEPS: u64 = 20_000_000;

impl Policy {
    /// The map of the policy, for a snapshot: see [`Map`]. One that is not worked out within [`MAX_STEPS`] says so in its
    /// text.
    ///
    /// ```
    /// let policy = nisi::Policy::compile(
    ///     "policy parcels
    /// version 1
    /// fact size : small, large
    /// fact amount : count
    /// table t, first row wins
    /// | size  | amount | => action   |
    /// | large | > 100  | review desk |
    /// | -     | -      | stop        |
    /// ",
    /// )?;
    /// let map = "map of parcels
    ///
    /// stop
    ///   amount is unknown or <= 100
    ///   size is unknown, small
    ///
    /// review desk
    ///   amount is >= 101 and size is large
    /// ";
    /// assert_eq!(policy.map().to_string(), map);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn map(&self) -> Map {
        self.map_within(MAX_STEPS)
    }

    /// The same within so many steps. A step is a node of the policy's diagram, or some rows, looked at once.
    ///
    /// ```
    /// let text = "policy a\nversion 1\nfact n : count\ntable t, first row wins\n| n | => action |\n| 1 | stop |\n| - | review |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// assert!(policy.map().is_whole);
    /// assert!(!policy.map_within(1).is_whole);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn map_within(&self, max_steps: u64) -> Map {
        engine::map(self.model(), max_steps)
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "map of {}", self.policy)?;
        if !self.terms.is_empty() {
            writeln!(f)?;
        }
        self.terms.iter().try_for_each(|term| writeln!(f, "{term}"))?;
        if !self.is_whole {
            return writeln!(f, "\nnot worked out: the policy is too complex for the steps that were given");
        }
        for mapped in self.decisions.iter().chain(&self.derived) {
            writeln!(f, "\n{}", mapped.what)?;
            mapped.regions.iter().try_for_each(|region| writeln!(f, "  {region}"))?;
        }
        Ok(())
    }
}
