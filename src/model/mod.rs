//! Floor 3: what a policy means.
//!
//! Every word is resolved and typed: a cell is a set of values of its fact, an action is complete with all its ways
//! for refusal, a `see` is a table. Lowering ([`lower`]) makes it from syntax; the plain evaluator ([`eval`]) reads
//! it row by row, slowly and obviously, and is the truth that every faster path is held to.

mod action;
pub mod eval;
mod fact;
mod lower;
mod path;
mod policy;
mod rows;
mod set;
mod show;
mod show_action;
#[cfg(feature = "lsp")]
mod show_fact;
#[cfg(test)]
pub(crate) mod testing;
mod text_set;
mod value;

pub use action::{Action, Backoff, By, Chain, Jitter, Locator, Parity, ParityTerm};
pub use fact::{Fact, FactId, FactSource, NumberKind, NumberType, Type};
#[cfg(feature = "exchange")]
pub use lower::CellReader;
pub use lower::{
    ActionReader, MAX_COPIES, MAX_COUNT, MAX_FACTOR_TENTHS, MAX_FACTS, MAX_POINTS, MAX_VALUES, Role, Unit, lower, steps,
};
pub use path::{Answer, End, MAX_PATH, Path};
pub use policy::{
    Budget, Classify, Column, Cond, Derive, Example, Examples, Expected, Extended, IdleName, LayerBelow, Model,
    Outcome, Output, Overlay, Row, RowHead, Rule, StdFacts, Table, TableId, Waiver,
};
pub use rows::RowError;
pub use set::{ValueSet, Values};
pub use show::{quote, quoted_if_needed, show_number, show_set, show_value};
pub use show_action::{parity_name, show_action, show_by, show_chain};
#[cfg(feature = "lsp")]
pub use show_fact::show_domain;
pub use text_set::TextSet;
pub use value::Value;
