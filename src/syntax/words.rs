//! Words out of pairs: quotes and escapes taken off, places kept.

use std::rc::Rc;

use pest::iterators::Pair;

use super::grammar::Rule;
use super::place::At;
use super::tree::Word;

/// The word of a pair. A pair that holds a single inner one (a value, a literal) is that one.
pub(super) fn word(pair: &Pair<'_, Rule>, at: At<'_>) -> Word {
    let span = pair.as_span();
    let (text, quoted) = unquoted(pair.as_str());
    Word { text, span: at.span(span.start(), span.start() + pair.as_str().trim_end().len()), quoted }
}

/// A text as it is meant, and whether it was in quotes.
pub(super) fn unquoted(written: &str) -> (Rc<str>, bool) {
    let written = written.trim_end();
    match written.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inner) if inner.contains('\\') => (unescaped(inner).into(), true),
        Some(inner) => (inner.into(), true),
        None => (written.into(), false),
    }
}

/// A text without its escapes; an unknown one stays as it is.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(c @ ('"' | '\\' | '|')) => out.push(c),
                Some(c) => out.extend(['\\', c]),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}
