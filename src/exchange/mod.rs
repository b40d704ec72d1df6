//! Floor 9: tables from elsewhere, and back.
//!
//! [`import`] reads CSV, Markdown, XLSX and DMN and writes the text of a policy; [`export()`] writes CSV, Markdown and DMN.
//! Whatever a format or the language cannot hold is a [`Notice`] with its place: nothing is dropped in silence. A file
//! from elsewhere is arbitrary bytes: what it may weigh is bounded, and nothing in it is carried out or fetched.

mod actions;
mod cell;
mod column;
mod csv;
mod dmn;
mod draft;
mod export;
mod grid;
mod import;
mod loose;
mod markdown;
mod markdown_out;
mod names;
mod place;
mod roles;
mod sheet;
mod table;
mod xlsx;

pub use export::{Export, ExportError, Exported, export};
pub use import::{Format, Import, Imported, import};
pub use place::{Notice, Place, Refused};
