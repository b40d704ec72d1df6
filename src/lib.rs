//! nisi is Latin for "unless": no second attempt, unless it can prove that it is still the first intent.
//!
//! A policy says, in decision tables that a policy team writes as text, what may follow a call whose answer was lost:
//! stop, wait and retry, reconcile, fail over, hedge, or ask a person. This library compiles such a policy, proves
//! that every input has an answer that can be honoured, and then decides inside the caller's process.
//!
//! ```
//! use std::time::Duration;
//! use nisi::Policy;
//! use nisi::decide::StandardFacts;
//! use nisi::words::{Authorization, Condition, Effect, Verb};
//!
//! let policy = Policy::compile(
//!     "policy documents
//! version 1
//! use std.facts
//!
//! budget { owner coordinator, attempts 3, deadline 20s }
//! backoff gentle { base 200ms, factor 2, cap 8s, jitter full }
//!
//! table recovery, first row wins
//! | row   | condition | effect         | => action                                           |
//! | slow  | timeout   | immutable_read | retry after gentle; if refused, review the-library  |
//! | otherwise |       |                | stop                                                |
//!
//! - slow: a document that never changes can be fetched again
//! ",
//! )?;
//!
//! let facts = policy.facts(&StandardFacts {
//!     condition: Some(Condition::Timeout),
//!     effect: Some(Effect::ImmutableRead),
//!     authorization: Some(Authorization::Current),
//!     deadline: Some(Duration::from_secs(12)),
//!     budget: Some(2),
//!     attempt: Some(1),
//!     ..StandardFacts::default()
//! });
//! let decision = policy.decide(&facts);
//! assert_eq!(decision.verb(), Verb::Retry);
//! assert_eq!(decision.wait_bounds_ms(), Some((0, 200)));
//! assert_eq!(decision.because(), Some("a document that never changes can be fetched again"));
//! # Ok::<(), nisi::Diagnostics>(())
//! ```
//!
//! Where to read on: [`decide`] for facts, decisions and their reasons; [`compile`] for policies that use files of a team,
//! and for all findings; [`mod@compare`] for what changes between two policies; [`judge`] for intents
//! and their attempts; [`cases`] for what a policy is expected to decide, in its own examples and in files beside it;
//! [`mod@format`] for its normal form; [`words`] for the vocabulary; [`diag`] and [`text`] for findings as values and their
//! places. The language itself is told in the repository's `docs/language.md`, the work of an orchestrator in `docs/embedding.md`.
//!
//! Features: `cli` (on by default) is the command `nisi`; `json` reads facts from JSON and gives decisions as JSON; `lsp` is the
//! language server; `exchange` reads and writes tables of other formats; `sign` (on by default) signs artifacts and looks at signatures; `rayon` decides batches
//! on all cores; `arrow` takes and gives record batches; `reload` takes up policies that change on disk; with none of them, this is the engine alone: no terminal, no async runtime, no clock, no file, no socket.

#![forbid(unsafe_code)]
#![deny(missing_docs, unnameable_types)]

mod analysis;
pub mod artifact;
pub mod bounds;
pub mod cases;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod compile;
pub mod decide;
pub mod diag;
#[cfg(feature = "cli")]
mod doc;
#[cfg(feature = "exchange")]
pub mod exchange;
#[cfg(any(feature = "cli", feature = "lsp", feature = "reload"))]
mod files;
pub mod format;
pub mod judge;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod map;
#[cfg(feature = "lsp")]
mod mend;
mod model;
mod program;
#[cfg(feature = "reload")]
pub mod reload;
mod space;
mod syntax;
pub mod text;
pub mod words;

pub use decide::{Decision, Facts, Policy};
pub use diag::Diagnostics;

/// The Rust on the pages in `docs/` compiles and runs with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
mod embedding {}
