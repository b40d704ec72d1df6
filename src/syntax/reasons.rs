//! Reasons below a table: `- row: text`.

use std::collections::HashMap;

use super::findings::{self, Sink};
use super::place::At;
use super::row_names::Seen;
use super::skeleton::{Piece, RawItem, joined};
use super::tree::{Grid, Reason, Word};
use super::words::unquoted;
use crate::text::Span;

/// Reads the reasons of an item into its grid.
pub(super) fn read(text: &str, item: &RawItem, seen: &Seen, grid: &mut Grid, at: At<'_>, sink: &mut Sink) {
    let mut told: HashMap<usize, Span> = HashMap::new();
    for lines in &item.reasons {
        if sink.stopped {
            return;
        }
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
        let whole = at.further(first.start);
        let line = first.of(text);
        let Some((row, colon)) = row(line, whole) else {
            sink.push(findings::reason_shape(whole.span(0, line.len())));
            continue;
        };
        let Some(n) = seen.find(&row) else {
            if !seen.lost {
                sink.push(findings::reason(row.span, &row.text, seen.all()));
            }
            continue;
        };
        if let Some(before) = told.insert(n, row.span) {
            sink.push(findings::reason_twice(row.span, before, &row.text));
            told.insert(n, before);
            continue;
        }
        let reason = words(text, lines, first.start + colon, last.end, at);
        if reason.text.is_empty() {
            let message = format!("the reason of `{}` is blank", row.text);
            sink.push(findings::reason_shape(row.span));
            if let Some(finding) = sink.list.last_mut() {
                finding.message = message;
            }
            continue;
        }
        grid.reasons.push(Reason { row, text: reason });
    }
}

/// The row of a reason, and where its colon ends.
fn row(line: &str, at: At<'_>) -> Option<(Word, usize)> {
    let start = 1 + line.get(1..)?.len() - line.get(1..)?.trim_start().len();
    let rest = line.get(start..)?;
    let colon = if rest.starts_with('"') {
        let close = rest.get(1..)?.find('"')? + 2;
        close + rest.get(close..)?.find(':')?
    } else {
        rest.find(':')?
    };
    let written = rest.get(..colon)?.trim_end();
    if written.is_empty() {
        return None;
    }
    let (text, quoted) = unquoted(written);
    let text = if quoted { text } else { text.split_whitespace().collect::<Vec<_>>().join(" ").into() };
    Some((Word { text, span: at.span(start, start + written.len()), quoted }, start + colon + 1))
}

/// The text of a reason, its lines joined by single spaces.
fn words(text: &str, lines: &[Piece], start: usize, end: usize, at: At<'_>) -> Word {
    let mut pieces = lines.to_vec();
    if let Some(first) = pieces.first_mut() {
        first.start = start.min(first.end);
    }
    let whole = joined(text, &pieces);
    let shown = whole.trim();
    let from = start + (whole.len() - whole.trim_start().len());
    let (meant, quoted) = match shown.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inner) if !inner.contains('"') => unquoted(shown),
        _ if lines.len() > 1 => (shown.split_whitespace().collect::<Vec<_>>().join(" ").into(), false),
        _ => (shown.into(), false),
    };
    Word { text: meant, span: at.span(from.min(end), end), quoted }
}
