//! Floor 7: cases: what a policy is expected to decide, and whether it does.
//!
//! [`run_examples`] asks every line of the `examples` tables as `nisi eval --table` asks; a line that fails is a
//! finding at its place, expected against found.

mod examples;
mod findings;

pub use examples::{Outcome, run_examples};
