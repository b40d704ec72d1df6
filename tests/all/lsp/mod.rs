//! The language server, asked by clients that speak the protocol.

mod cases;
mod client;
mod corpus;
mod findings;
mod formatting;
mod life;
mod mending;
mod names;
mod pipe;
mod rows;
mod shipped;
mod words;

pub(crate) use client::{Client, Piped};
use serde_json::Value;

/// A small policy without a fault.
pub(crate) use crate::cli::ORDERS;

/// The place of the `n`th occurrence of a word, in UTF-16, from 0: line and character.
pub(crate) fn place(text: &str, word: &str, n: usize) -> (u64, u64) {
    let at = text.match_indices(word).nth(n).unwrap_or_else(|| panic!("`{word}` is not there {n} times")).0;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (line as u64, text[start..at].encode_utf16().count() as u64)
}

/// The text that a range covers.
pub(crate) fn covered<'t>(text: &'t str, range: &Value) -> &'t str {
    let offset = |place: &Value| {
        let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut column = place["character"].as_u64().unwrap();
        let rest = text[start..].char_indices().find(|(_, c)| {
            let here = column == 0;
            column = column.saturating_sub(c.len_utf16() as u64);
            here
        });
        start + rest.map_or(0, |(i, _)| i)
    };
    &text[offset(&range["start"])..offset(&range["end"])]
}

/// A text after the edits of an answer in one document.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<Value> = edits.as_array().unwrap().clone();
    edits.sort_by_key(|e| (e["range"]["start"]["line"].as_u64(), e["range"]["start"]["character"].as_u64()));
    let mut text = text.to_string();
    for edit in edits.iter().rev() {
        let piece = covered(&text, &edit["range"]);
        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + piece.len();
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}
