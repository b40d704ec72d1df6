//! Formatting, as `nisi fmt` has it: of a whole document, of the items that a range touches, and of a table when one of
//! its rows is closed.

use gen_lsp_types::{Position, Range, TextEdit};

use super::desk::Desk;
use super::uri;
use crate::format::{LineEdit, Options, edits};

/// The sign behind which a row is formatted.
pub(super) const TRIGGER: &str = "|";

/// What formatting changes in some lines of a document, all of it without a range.
///
/// # Errors
/// Why the document is not formatted.
pub(super) fn format(desk: &Desk, address: &str, range: Option<Range>) -> Result<Vec<TextEdit>, String> {
    let name = uri::name_of(address);
    let Some(document) = desk.documents.get(&name).filter(|_| desk.roots.contains_key(&name)) else {
        return Ok(Vec::new());
    };
    let (text, policy) = (document.source.text(), document.source.policy());
    // The formatter's lines end at `\n`; those of the protocol also at a lone `\r`.
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let line_of = |position: Position| {
        let offset = document.lines.offset(text, position, desk.encoding);
        starts.partition_point(|start| *start <= offset) - 1
    };
    let wanted = range.map_or(0..usize::MAX, |range| line_of(range.start)..line_of(range.end) + 1);
    let whole = || std::iter::once(0..usize::MAX).collect();
    let start = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let mut made: Vec<LineEdit> = Vec::new();
    for fence in document.source.policy_lines().unwrap_or_else(whole) {
        let lines = wanted.start.max(fence.start)..wanted.end.min(fence.end);
        if lines.is_empty() {
            continue;
        }
        // What reaches out of its fence stays.
        let inside = |edit: &LineEdit| fence.start <= edit.lines.start && edit.lines.end <= fence.end;
        made.extend(
            edits(policy, lines, &Options::default()).map_err(|why| why.to_string())?.into_iter().filter(inside),
        );
    }
    let edit = |edit: LineEdit| TextEdit {
        range: document.lines.range(text, start(edit.lines.start)..start(edit.lines.end), desk.encoding),
        new_text: edit.text,
    };
    Ok(made.into_iter().map(edit).collect())
}

/// What formatting changes when a sign was typed: the table of the row that was closed, and nothing outside of rows.
///
/// # Errors
/// Why the document is not formatted.
pub(super) fn on_type(desk: &Desk, address: &str, position: Position) -> Result<Vec<TextEdit>, String> {
    let Some(document) = desk.documents.get(&uri::name_of(address)) else { return Ok(Vec::new()) };
    let line = document.lines.text(document.source.policy(), position.line as usize).unwrap_or_default();
    // A row of one bar has just begun.
    if !line.trim_start().starts_with('|') || line.matches('|').count() < 2 {
        return Ok(Vec::new());
    }
    format(desk, address, Some(Range { start: position, end: position }))
}
