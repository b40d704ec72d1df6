//! Floor 6: facts in, decision out.
//!
//! A [`Policy`] takes [`Facts`] and gives a [`Decision`]: the row that answers, the action that its guards leave, what the
//! action carries, the bounds of a wait. What happened for *one* input lives here; what the world allows is the
//! judgement's.
//!
//! - Facts come in typed ([`StandardFacts`]), by [`Handle`] for what a policy declares itself, or by name from outside
//!   ([`facts_from_yaml`], [`Policy::read_facts`]). What nobody sets is unknown.
//! - [`Decision::guard`] tells what was wanted and what refused it; [`Refused`] says what the world refuses beside the
//!   facts.
//! - [`Decision::why`] tells a person the whole way.
//!
//! Everything speaks of tables, rows, facts, queues and parities by their names.

mod artifact;
mod batch;
#[cfg(test)]
mod batch_tests;
mod carried;
mod columns;
mod counts;
mod decision;
mod explain;
mod fact_error;
mod facts;
#[cfg(test)]
mod facts_tests;
mod facts_text;
mod guard;
#[cfg(feature = "lsp")]
mod guard_words;
mod held;
mod inspect;
mod intake;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_out;
mod keys;
mod nearest;
mod policy;
#[cfg(feature = "arrow")]
mod records;
#[cfg(feature = "arrow")]
mod records_array;
#[cfg(feature = "arrow")]
mod records_out;
mod refused;
mod row;
mod standard;
mod steps;
#[cfg(test)]
mod tests;
mod value;
mod wait;
#[cfg(feature = "json")]
mod why_json;
mod why_text;
mod yaml;

pub use artifact::VerifyError;
pub use batch::Answers;
pub use columns::{ColumnError, Columns, Numbers};
pub use decision::{Decision, Guard, TableError};
pub use explain::Why;
pub use fact_error::FactError;
pub use facts::{Facts, Handle, MAX_FACT_TEXT, Round, Word};
pub use facts_text::{FactsTextError, MAX_FACTS, MAX_FACTS_BYTES, MAX_FACTS_DEPTH};
pub use guard::{Need, Refusal, RefusedBy};
#[cfg(feature = "lsp")]
pub(crate) use guard_words::guard_words;
pub use inspect::{Bitmaps, FlatTable, Inspection, TableMatcher};
pub use intake::Raw;
#[cfg(feature = "json")]
pub use json::facts_from_json;
pub use policy::Policy;
#[cfg(feature = "arrow")]
pub use records::{RecordError, RecordFacts, arrow};
pub use refused::{RefuseError, Refused, World};
pub use row::Row;
pub use standard::{Hint, StandardFacts};
pub use value::FactValue;
pub use yaml::facts_from_yaml;
