//! Floor 5: what holds of a policy for every input.
//!
//! [`analyse`] reads a model and gives findings: one file a finding in [`lints`], all of them questions to the one
//! recursion of the space below. A finding that stands on facts brings them along, and they are put to the rows once
//! more, one by one, before it is told. The same model gives the same findings, byte for byte.

mod again;
mod analyse;
pub mod bounds;
pub mod compare;
mod fit;
mod guards;
#[cfg(feature = "lsp")]
mod left;
mod lints;
pub mod map;
mod overlay;
mod pairs;
mod rules;
mod scene;
mod tell;
mod waivers;
mod whole;

pub use analyse::{Limits, analyse};
pub use fit::fit;
pub use guards::{allowed, sets as guard_sets};
#[cfg(feature = "lsp")]
pub use left::{Left, left};
pub use waivers::{lift, run_out};

#[cfg(test)]
mod lint_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod proof_tests;
#[cfg(test)]
mod tests;
