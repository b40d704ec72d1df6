//! Floor 9: a policy's text in its normal form.
//!
//! Rows, values and items stay where they are, and so do comments; cells stand below each other, words one space apart.
//! The room stands on `syntax` alone and nothing that compiles or decides knows it. What is written is read again: a
//! text that would not say the same is refused.

mod faults;
mod fold;
mod formatted;
mod items;
mod plan;
mod said;
mod spacing;
mod table;
mod width;

pub use formatted::{Columns, Formatted, LineEdit, Options, Refused, edits, format};
