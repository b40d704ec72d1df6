//! Floor 7: cases: what a policy is expected to decide, and whether it does.
//!
//! A [`Case`] is one question with what is expected of the answer, and what is not. [`examples`] gives those that stand in
//! the policy's own `examples` tables, [`read_cases`] those of a `*.cases.yaml` beside it. [`run_examples`] is what
//! `nisi check` says of the former: a line that fails is a finding at its place.

mod case;
mod changed;
mod compare;
mod coverage;
mod error;
mod examples;
mod expect;
mod findings;
mod keys;
mod layers;
mod matrix;
mod mutate;
mod read;
mod suggest;
mod yaml;

pub use case::{Case, Checked, Miss};
pub use changed::changed_rows;
pub use coverage::{COVERAGE_STEPS, Count, Coverage, Missed, RowCoverage, Suggested, coverage};
pub use error::{CaseError, Place};
#[cfg(feature = "cli")]
pub(crate) use examples::example_case;
pub use examples::{Outcome, examples, run_examples};
pub use mutate::{Fate, Mutant, mutants};
pub use read::{CaseFile, MAX_CASES, read_cases};
pub use suggest::write_cases;
pub use yaml::MAX_CASES_BYTES;
