//! One piece of code with its normal spaces: one between words, none before a comma, none around `..`.
//!
//! Only white space changes. No token is touched, joined with another or parted; a text keeps what stands in it.

use std::borrow::Cow;

use crate::syntax::text_end;
use crate::syntax::{Token, TokenKind, tokens};

/// Where the signs `:` and `;` stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `fact a : b`, `derive a : b, c ; d : decimal 0..`: apart from what they part.
    Apart,
    /// `rule a: never b`, `look-up; if refused, stop`: at the word before.
    Close,
    /// `action a : b; if refused, stop`: a colon apart, a semicolon at the word before.
    Action,
}

/// A piece with its normal spaces.
pub(super) fn spaced(text: &str, style: Style) -> Cow<'_, str> {
    let text = text.trim_matches([' ', '\t']);
    if is_spaced(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut last: Option<Token<'_>> = None;
    for token in tokens(text) {
        let gap = last.is_some_and(|last| is_apart(&last, &token, style));
        if gap {
            out.push(' ');
        }
        out.push_str(token.text);
        last = Some(token);
    }
    Cow::Owned(out)
}

/// Whether a piece of plain words and commas has its normal spaces already; the commonest case by far.
fn is_spaced(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(i, b)| {
        let next = bytes.get(i + 1);
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => true,
            b'.' => next != Some(&b'.'),
            b' ' => !matches!(next, Some(b' ' | b',')),
            b',' => next == Some(&b' '),
            _ => false,
        }
    })
}

/// Whether a space stands between two tokens.
fn is_apart(last: &Token<'_>, next: &Token<'_>, style: Style) -> bool {
    let is = |token: &Token<'_>, signs: &[&str]| token.kind == TokenKind::Sign && signs.contains(&token.text);
    // In a type the bounds are numbers, and one of them may be missing: `decimal 0.. step 0.01`.
    let joins = |dots: &Token<'_>, bound: &Token<'_>| {
        is(dots, &["..", "..<"]) && (style != Style::Apart || bound.kind == TokenKind::Number)
    };
    if is(next, &[",", "/"]) || is(last, &["/"]) || joins(last, next) || joins(next, last) {
        return false;
    }
    if is(next, &[";"]) {
        return style == Style::Apart;
    }
    if is(next, &[":"]) {
        return style != Style::Close;
    }
    let signs = [",", ";", ":", "<", "<=", ">", ">=", "->", "=>", "..", "..<"];
    let is_text = last.kind == TokenKind::Quoted || next.kind == TokenKind::Quoted;
    is(last, &signs) || is(next, &signs) || is_text || last.end < next.start
}

/// The words of a block's entry with one space between them, a comma at the word before, none behind the last.
pub(super) fn entry(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if word != "," && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.truncate(out.trim_end_matches(',').len());
    out
}

/// The words of an entry: texts whole, commas by themselves.
fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut found, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b' ' | b'\t' => {
                i += 1;
                continue;
            }
            b',' => i += 1,
            b'"' => i = text_end(bytes, i),
            _ => {
                while i < bytes.len() && !matches!(bytes[i], b' ' | b'\t' | b',' | b'"') {
                    i += 1;
                }
            }
        }
        found.push(text.get(start..i).unwrap_or_default());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_normal_and_tokens_as_they_were() {
        for (written, normal) in [
            ("a,b ,  c", "a, b, c"),
            (">=5_000", ">= 5_000"),
            ("unknown   or>5 and <= -2", "unknown or > 5 and <= -2"),
            ("1 .. 5, 7 ..<  9", "1..5, 7..<9"),
            ("2026.8.1 ..2026.9", "2026.8.1..2026.9"),
            ("effect  is a,b\tand  x is >= 3", "effect is a, b and x is >= 3"),
            ("starts\"po:\"", "starts \"po:\""),
            ("stop  \"two  spaces , kept\"", "stop \"two  spaces , kept\""),
            ("=>action", "=> action"),
            ("table / row", "table/row"),
            ("#3", "#3"),
            ("any   unknown", "any unknown"),
            ("retry after gentle ,spend 2 ;if refused,look-up", "retry after gentle, spend 2; if refused, look-up"),
            ("http->condition,dispatch", "http -> condition, dispatch"),
            (">= 2026-08-01T12:00:00+02:00", ">= 2026-08-01T12:00:00+02:00"),
            ("", ""),
            ("-", "-"),
        ] {
            assert_eq!(spaced(written, Style::Close), normal);
            assert_eq!(spaced(normal, Style::Close), normal);
        }
        assert_eq!(spaced("risk:low<high;desk:\"a\"", Style::Apart), "risk : low < high ; desk : \"a\"");
        assert_eq!(spaced("a:decimal  0 ..step 0.01", Style::Apart), "a : decimal 0.. step 0.01");
        assert_eq!(spaced("a : integer.. 5 or none", Style::Apart), "a : integer ..5 or none");
        assert_eq!(spaced("look:stop ;if refused,stop", Style::Action), "look : stop; if refused, stop");
    }

    #[test]
    fn entries_are_words() {
        assert_eq!(
            entry("refill  10%  of intents ,at least 5 per second,"),
            "refill 10% of intents, at least 5 per second"
        );
        assert_eq!(entry("same a ,\"b , c\"  d"), "same a, \"b , c\" d");
        assert_eq!(entry("  "), "");
    }
}
