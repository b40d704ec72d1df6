//! How far an intent can go at worst: attempts, waits, copies at once, and how long a result must stay findable.
//!
//! [`bounds`] measures a model that has a budget; [`bound_findings`] says what of it cannot work or grows out of
//! sight. Every number is an upper bound over all rows, reached together or not: it is never too small.

mod findings;
mod measure;
mod overlap;
mod pace;
#[cfg(test)]
mod tests;
#[cfg(feature = "cli")]
mod told;

pub use findings::bound_findings;
pub use measure::{Bounds, Memory, Waits, bounds};
