//! For whom an answer is written.

use clap::ValueEnum;

/// The formats of what people and programs ask alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text
    Human,
    /// JSON
    Json,
}
