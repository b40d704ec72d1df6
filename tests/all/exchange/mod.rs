//! Tables from elsewhere, and back: what is carried over, what is told of the rest, and that nothing decides otherwise.

mod cases;
mod hostile;
mod model;
mod round_trips;
mod workbooks;

use std::collections::BTreeMap;

use nisi::Policy;
use nisi::compile::Options;
use nisi::exchange::{Exported, Format, Import, Imported};
use nisi::text::Source;

/// Vocabularies by name.
pub(crate) type Words = BTreeMap<String, String>;

/// A policy as it stands, unproven.
pub(crate) fn policy(text: &str, words: &Words) -> Policy {
    let options = Options { proofs: false, lints: false, ..Options::default() };
    let made = Policy::compile_with(Source::new("p.nisi", text), words, &options);
    made.unwrap_or_else(|found| panic!("{found}\n{text}"))
}

/// A policy in another format.
pub(crate) fn export(text: &str, format: Format, words: &Words) -> Exported {
    let how = nisi::exchange::Export { format, table: None };
    nisi::exchange::export(&Source::new("p.nisi", text), words, &how).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A file from elsewhere, by the ending of its name.
pub(crate) fn import(file: &str, bytes: &[u8]) -> Result<Imported, nisi::exchange::Refused> {
    nisi::exchange::import(bytes, &Import { file, ..Import::default() }, &Words::new())
}
