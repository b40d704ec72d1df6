//! All tests that enter by the front door, in one binary; the modules mirror the rooms of `src`.
#![allow(clippy::disallowed_methods, reason = "tests read cases from disk and start the command")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod artifact;
mod bad_facts;
mod batch;
mod case_files;
mod cases;
mod check_cases;
mod cli;
mod compile;
mod corpus;
mod coverage;
mod decide_cases;
mod diag;
mod digest;
mod doc;
mod docs;
#[cfg(feature = "exchange")]
mod exchange;
mod fixes;
mod format;
mod gaps;
mod judge;
mod limits;
mod lsp;
mod map;
mod one_mistake;
mod properties;
mod random;
#[cfg(feature = "arrow")]
mod random_records;
mod readme;
#[cfg(feature = "arrow")]
mod records;
#[cfg(feature = "reload")]
mod reload;
mod support;
mod tables;
mod tidy;
mod why_cases;
