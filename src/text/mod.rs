//! Floor 0: where text stands.
//!
//! A [`Source`] is one file's name and text; a [`Span`] is a piece of it, in bytes; a [`SourceMap`] holds every
//! source of one compilation, so that a span can be shown again as line and column.

mod literate;
mod source;
mod span;

pub(crate) use source::Origin;
#[cfg(feature = "lsp")]
pub(crate) use source::with_line_ends_of;
pub use source::{Position, Source, SourceMap};
pub use span::{FileId, Span};
