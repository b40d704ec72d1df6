//! Decision Model and Notation (OMG): definitions in XML to a policy, and a policy to definitions.
//!
//! A decision table that nothing needs is the entry; one whose answer another table asks is a derive, and one whose
//! answer another table hands on is a table that it hands over to. What the language has and DMN has not (budgets,
//! backoffs, rules, unknown in a row of its own) travels in elements of our own namespace, which other tools pass over.

mod definitions;
mod feel;
mod feel_out;
mod hit;
mod read;
mod rows;
mod shapes;
mod write;
mod xml;

pub(super) use read::read;
pub(super) use write::write;

/// The namespace of what only this project reads.
const OURS: &str = "urn:nisi:exchange:1";
