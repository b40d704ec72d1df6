//! Floor 1: findings, and how they are told.
//!
//! A [`Diagnostic`] has a stable [`Code`], a message in the author's words, labels that point at the text, help that
//! says what to write, edits that mend it and, where a proof failed, a [`Witness`]. Rendering is somebody else's
//! work: this room only holds values.

mod code;
mod codes;
mod diagnostic;
mod gather;
mod near;

pub use code::{Code, Severity};
pub(crate) use codes::*;
pub use codes::{ALL, code};
pub use diagnostic::{Diagnostic, Diagnostics, Edit, Fix, Label, Witness, WitnessValue};
pub(crate) use near::nearest;
