//! Floor 5: a policy made fast.
//!
//! A [`Program`] is built from a model once and answers any number of questions: for each column and each stretch of
//! its fact's values a bitmap says which rows admit it, so that one AND a column and the lowest bit give the row.
//! It must answer as [`model::eval`](crate::model::eval) does, always. [`digest`] names a model for good.

mod answer;
mod build;
mod digest;
mod matcher;
#[cfg(test)]
mod tests;

pub use answer::Program;
#[cfg(feature = "cli")]
pub use digest::EDITION;
pub use digest::digest;
