//! Which pieces of text a file's items are made of, for whoever writes them anew.
//!
//! Takes a text, gives its tree and its findings as [`parse`](super::parse) does, and beside them each item's lines as
//! the skeleton parts them. Pieces lie in the original text, one line each, without white space around them; comments
//! are taken off, save those of rows.

use super::parse::{Parsed, read};
use super::place::At;
use super::skeleton::{Piece, RawItem};
use super::split::{Split, is_dashes, split};
use crate::text::{FileId, Span};

/// A file that was read, and the lines of its items.
#[derive(Debug, Default)]
pub struct Layout {
    /// Its tree and its findings.
    pub parsed: Parsed,
    /// The items in file order, those that could not be read included.
    pub items: Vec<Lines>,
}

/// The lines of an item.
#[derive(Debug)]
pub struct Lines {
    /// The word that it begins with, spelt right.
    pub keyword: &'static str,
    /// That word as written.
    pub word: Span,
    /// From its first word to its last line.
    pub span: Span,
    /// The head, the first piece behind the keyword; for an item with a block, the block too.
    pub head: Vec<Span>,
    /// The lines of `given`, the first behind that word.
    pub given: Vec<Span>,
    /// The rows, header and dashes among them.
    pub rows: Vec<Span>,
    /// The reasons, each with its further lines.
    pub reasons: Vec<Vec<Span>>,
    /// Whether the second row is the line of dashes.
    pub dashes: bool,
    /// Whether a line stands in the table that could not be told to be a row.
    pub damaged: bool,
}

impl Lines {
    fn new(text: &str, raw: &RawItem, at: At<'_>) -> Self {
        let spans = |pieces: &[Piece]| pieces.iter().map(|p| at.span(p.start, p.end)).collect();
        Lines {
            keyword: raw.keyword,
            word: at.span(raw.start, raw.word_end),
            span: at.span(raw.start, raw.end),
            head: spans(&raw.head),
            given: spans(&raw.given),
            rows: spans(&raw.rows),
            reasons: raw.reasons.iter().map(|lines| spans(lines)).collect(),
            dashes: raw.rows.get(1).is_some_and(|line| are_dashes(line.of(text))),
            damaged: raw.damaged,
        }
    }

    /// Whether the item has a block.
    pub fn has_block(&self) -> bool {
        matches!(self.keyword, "budget" | "backoff" | "locator" | "parity")
    }
}

/// Reads a file, and keeps which lines its items are made of.
pub fn layout(file: FileId, text: &str) -> Layout {
    let mut items = Vec::new();
    let parsed = read(file, text, |text, raw, at| items.push(Lines::new(text, raw, at)));
    Layout { parsed, items }
}

/// Whether a row is a line of dashes, as it is read.
fn are_dashes(row: &str) -> bool {
    let mut line = Split::default();
    split(row, false, &mut line);
    line.tail.is_none() && !line.cells.is_empty() && line.cells.iter().all(|(s, e)| is_dashes(&row[*s..*e]))
}
