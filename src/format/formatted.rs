//! The front door of the room: text in, text or edits out.

use std::ops::Range;

use super::faults::Faults;
use super::plan::Plan;
use super::table::{self, Table};
use super::{fold, items, said};
use crate::diag::{Diagnostic, Diagnostics, N0102, N0105, Severity};
use crate::syntax::{self, Layout, Limits, Parsed};
use crate::text::{FileId, Source, SourceMap};

/// How to format; see [`format()`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// What becomes of the columns of tables.
    pub columns: Columns,
}

/// What becomes of the columns of tables; see [`Options`].
///
/// ```
/// use nisi::format::{Columns, Options, format};
///
/// let text = "table t, first row wins
/// | row | condition | authorization | pushback | => action |
/// |-----|-----------|---------------|----------|-----------|
/// | one | timeout   | stale         | -        | stop      |
/// | two | rejected  | -             | stop     | stop      |
/// | six | pending   | -             | -        | wait      |
/// ";
/// let folded = format(text, &Options { columns: Columns::Fold })?.text;
/// assert!(folded.contains("| two | rejected  | pushback is stop       | stop      |"), "{folded}");
/// assert_eq!(format(&folded, &Options { columns: Columns::Unfold })?.text, text);
/// # Ok::<(), nisi::format::Refused>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// They stay as they are.
    #[default]
    Kept,
    /// The tests of columns that more than half of the rows leave open go into the column `also`, where that makes
    /// the table narrower; one column stays.
    Fold,
    /// The tests of the column `also` go into columns.
    Unfold,
}

/// A text in its normal form; see [`format()`].
#[derive(Debug)]
pub struct Formatted {
    /// The text.
    pub text: String,
    /// What cannot be read in it, with its places in `text`: it was left as it is.
    pub errors: Diagnostics,
}

/// Why a text was not formatted: a fault of this library, or a text too long.
///
/// ```
/// let refused = nisi::format::Refused::TooLong { bytes: 20_000_000, allowed: 16_777_216 };
/// assert_eq!(refused.to_string(), "formatted, the file would have 20000000 bytes, and at most 16777216 are allowed");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Read again, the formatted text would not say what the given one says.
    #[error("formatted, the file would not say the same: {what}")]
    Changed {
        /// What would be another.
        what: String,
    },
    /// The formatted text would pass a limit.
    #[error("formatted, the file would have {bytes} bytes, and at most {allowed} are allowed")]
    TooLong {
        /// Its bytes.
        bytes: usize,
        /// Those that are allowed.
        allowed: usize,
    },
}

/// Lines that change, and what they become; see [`edits()`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEdit {
    /// The lines, counted from 0; the end is the line behind the last.
    pub lines: Range<usize>,
    /// What stands in their place: whole lines with their ends, or nothing.
    pub text: String,
}

/// A policy's text in its normal form: tables aligned as they are shown, one space between words, one blank line where
/// there were several, and the line of dashes below each header.
///
/// No row, value, item or comment moves, and no value is spelt anew. Lines keep their ends, and the last one gets one.
/// What cannot be read stays byte for byte, and is told in [`Formatted::errors`]; the rest is formatted. Formatting
/// twice is formatting once.
///
/// ```
/// use nisi::format::{Options, format};
///
/// let text = "policy   a\nversion 1\ntable t , first row wins\n|row|effect|=> action|\n|one|read,write|stop|  # 読む\n";
/// let formatted = format(text, &Options::default())?;
/// assert!(formatted.errors.items.is_empty());
/// assert_eq!(
///     formatted.text,
///     "policy a
/// version 1
/// table t, first row wins
/// | row | effect      | => action |
/// |-----|-------------|-----------|
/// | one | read, write | stop      |  # 読む
/// "
/// );
/// # Ok::<(), nisi::format::Refused>(())
/// ```
///
/// # Errors
/// The text is read again before it is given. Where it would not say the same, or would be too long, it is refused.
pub fn format(text: &str, options: &Options) -> Result<Formatted, Refused> {
    let before = syntax::layout(FileId::default(), text);
    if is_unreadable(&before) {
        return Ok(Formatted { text: text.to_string(), errors: errors(text, before.parsed.findings) });
    }
    let written = plan(text, &before, *options).written();
    let findings = if written == text { before.parsed.findings } else { checked(text, &before, &written, *options)? };
    Ok(Formatted { errors: errors(&written, findings), text: written })
}

/// What an editor does to format the items that some lines belong to: whole lines in place of whole lines, in order.
/// Lines count from 0, and `0..usize::MAX` is the whole text. A table is formatted whole, with its head and reasons.
///
/// ```
/// use nisi::format::{LineEdit, Options, edits};
///
/// let text = "policy  a\n\ntable  t, first row wins\n|=> action|\n|stop|\n";
/// let made = edits(text, 4..5, &Options::default())?;
/// let all = "table t, first row wins\n| => action |\n|-----------|\n| stop      |\n";
/// assert_eq!(made, [LineEdit { lines: 2..5, text: all.to_string() }]);
/// # Ok::<(), nisi::format::Refused>(())
/// ```
///
/// # Errors
/// As for [`format()`].
pub fn edits(text: &str, lines: Range<usize>, options: &Options) -> Result<Vec<LineEdit>, Refused> {
    let before = syntax::layout(FileId::default(), text);
    if is_unreadable(&before) {
        return Ok(Vec::new());
    }
    let plan = plan(text, &before, *options);
    let changes = plan.changes(&lines);
    let mut written = String::with_capacity(text.len());
    let mut at = 0;
    for (lines, new) in &changes {
        let (start, end) = (plan.start_of(lines.start), plan.start_of(lines.end));
        written.push_str(&text[at..start]);
        written.push_str(new);
        at = end;
    }
    written.push_str(&text[at..]);
    if !changes.is_empty() {
        checked(text, &before, &written, *options)?;
    }
    Ok(changes.into_iter().map(|(lines, text)| LineEdit { lines, text }).collect())
}

/// Whether nothing may be said of the lines: a limit was passed, nobody knows where they end, or not one item can be
/// read, as in a file of another language.
fn is_unreadable(layout: &Layout) -> bool {
    let Parsed { file, findings } = &layout.parsed;
    let is_another = file.items.is_empty() && !Faults::new(findings).is_none();
    is_another || findings.iter().any(|finding| finding.code == N0102 || finding.code == N0105)
}

fn errors(text: &str, findings: Vec<Diagnostic>) -> Diagnostics {
    let mut sources = SourceMap::default();
    sources.add(Source::new("policy.nisi", text));
    let items = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    let mut errors = Diagnostics { items, sources };
    errors.sort();
    errors
}

/// What becomes of every line.
fn plan<'t>(text: &'t str, layout: &Layout, options: Options) -> Plan<'t> {
    let faults = Faults::new(&layout.parsed.findings);
    let mut plan = Plan::new(text);
    let mut tables: Vec<Table<'t>> = Vec::new();
    let (mut unit, mut end) = (0, 0);
    for (i, lines) in layout.items.iter().enumerate() {
        let range = items::lines_of(&plan, lines.word, lines.span);
        let next = layout.items.get(i + 1).map_or(plan.lines.len(), |next| plan.line_at(next.word.start as usize));
        // Comments behind items on adjacent lines stand below each other.
        unit += u32::from(unit == 0 || range.start > end);
        end = range.end;
        plan.units[range].fill(unit);
        items::item(lines, &faults, &mut plan);
        if let Some(mut table) = table::read(lines, next, &faults, &mut plan) {
            match options.columns {
                Columns::Kept => {}
                Columns::Fold => fold::fold(&mut table),
                Columns::Unfold => fold::unfold(&mut table),
            }
            table.claim(&mut plan);
            tables.push(table);
        }
    }
    write_tables(&tables, &mut plan);
    plan.settle(|start, end| faults.any(start, end));
    plan
}

/// Aligns the tables, unless that would make a file past its limit out of a small one.
fn write_tables(tables: &[Table<'_>], plan: &mut Plan<'_>) {
    let sizes: Vec<Option<usize>> = tables.iter().map(Table::aligned_len).collect();
    let all: usize = sizes.iter().flatten().sum();
    for (table, size) in tables.iter().zip(sizes) {
        table.write(size.is_some() && all <= Limits::BYTES, plan);
    }
}

/// Reads a formatted text again, and gives its findings where it says the same.
fn checked(text: &str, before: &Layout, written: &str, options: Options) -> Result<Vec<Diagnostic>, Refused> {
    if written.len() > Limits::BYTES {
        return Err(Refused::TooLong { bytes: written.len(), allowed: Limits::BYTES });
    }
    let after = syntax::parse(FileId::default(), written);
    let by_fact = options.columns != Columns::Kept;
    match said::difference((text, &before.parsed), (written, &after), by_fact) {
        Some(what) => Err(Refused::Changed { what }),
        None => Ok(after.findings),
    }
}
