//! Floor 5: a policy made fast.
//!
//! A [`Program`] is built from a model once and answers any number of questions. Facts come as codes, small numbers that
//! stand for classes of values (`codes`); a whole number of few classes has them side by side with its bounds (`gauge`).
//! Where all facts together have few points, the whole policy is one array (`flat`); else each table has a matcher of
//! column bitmaps (`matcher`, `columns`). Many questions at once are asked of a small table by joint keys (`rules`,
//! `finder`). The choice changes no answer: it must be that of [`model::eval`](crate::model::eval), always. [`digest`] names
//! a model for good; `store` writes a program into an artifact, and reads it.

mod answer;
mod build;
mod codes;
mod columns;
mod digest;
mod finder;
mod flat;
mod gauge;
mod joints;
mod matcher;
mod question;
mod rules;
mod shape;
mod store;
#[cfg(test)]
mod tests;
mod verdict;

pub use answer::Program;
pub use digest::{EDITION, digest, facts_key};
pub use finder::{CHUNK, JointKeys};
pub use gauge::{Gauge, Pace};
pub use question::{Question, Told};
pub use rules::{Batch, Part};
pub use shape::{FlatTable, Seen, Shape};
pub use verdict::{How, Verdict};
