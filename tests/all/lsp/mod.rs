//! The language server, asked by clients that speak the protocol.

mod client;
mod corpus;
mod findings;
mod life;
mod names;
mod pipe;
mod words;

pub(crate) use client::{Client, Piped};

/// A small policy without a fault.
pub(crate) use crate::cli::ORDERS;

/// The place of the `n`th occurrence of a word, in UTF-16, from 0: line and character.
pub(crate) fn place(text: &str, word: &str, n: usize) -> (u64, u64) {
    let at = text.match_indices(word).nth(n).unwrap_or_else(|| panic!("`{word}` is not there {n} times")).0;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (line as u64, text[start..at].encode_utf16().count() as u64)
}
