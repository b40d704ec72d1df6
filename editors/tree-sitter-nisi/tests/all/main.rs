//! The grammar held to the language: to `grammar/nisi.pest` word for word, to what the library reads item for item, and
//! to the files that were generated of it.

#![allow(clippy::disallowed_methods, reason = "tests read the repository")]

mod cases;
mod corpus;
mod edits;
mod generated;
mod outline;
mod pest_words;
mod queries;
mod recovery;
mod samples;
mod trees;
mod words;
