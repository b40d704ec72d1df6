//! A table: the same cells between bars that stand below each other.
//!
//! A table is written anew where each line has the header's cells and nothing behind them; a cell that cannot be read
//! stays as it is, between its bars. Where aligned lines would pass the limit of a line or of a file, no cell is
//! padded.

use std::borrow::Cow;

use super::faults::Faults;
use super::plan::{Fate, Line, Plan};
use super::spacing::{Style, spaced};
use super::width::width;
use crate::syntax::{Limits, Lines, Split, is_dashes, split};
use crate::text::Span;

/// What stands between two cells: a bar with its spaces.
pub(super) const BAR: usize = 3;

/// A table that can be written anew.
#[derive(Debug)]
pub(super) struct Table<'t> {
    /// The header's cells, in normal spelling.
    pub(super) header: Row<'t>,
    /// How each column is aligned.
    pub(super) sides: Vec<Side>,
    /// The line of dashes, where one is written.
    dashes: Option<(usize, &'t str)>,
    /// The rows.
    pub(super) rows: Vec<Row<'t>>,
    /// Whether each cell could be read.
    pub(super) sound: bool,
    /// Whether it holds examples, where a blank cell says nothing.
    pub(super) examples: bool,
}

/// One line of it.
#[derive(Debug)]
pub(super) struct Row<'t> {
    line: usize,
    pub(super) cells: Vec<Cow<'t, str>>,
    comment: &'t str,
}

/// Where in its column a cell stands, by the colons in the line of dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Plain,
    Left,
    Right,
    Middle,
}

/// Reads the rows of an item; they are kept as they are where they are no table. The next item begins at line `next`.
pub(super) fn read<'t>(item: &Lines, next: usize, faults: &Faults, plan: &mut Plan<'t>) -> Option<Table<'t>> {
    let (first, last) = (item.rows.first()?, item.rows.last()?);
    let lines = plan.line_at(first.start as usize)..plan.line_at(last.end as usize) + 1;
    // A line that is none of it stands in the table: are there rows below?
    let is_row = |line: &Line<'_>| line.text.trim_start_matches([' ', '\t']).starts_with('|');
    let torn = item.damaged && plan.lines.get(lines.end..next).unwrap_or_default().iter().any(is_row);
    let reader = Reader { item, faults, plan, line: Split::default(), sound: true };
    let table = if torn { None } else { reader.table() };
    if table.is_none() {
        plan.keep(lines);
    }
    table
}

struct Reader<'p, 't> {
    item: &'p Lines,
    faults: &'p Faults,
    plan: &'p Plan<'t>,
    line: Split,
    sound: bool,
}

impl<'t> Reader<'_, 't> {
    fn table(mut self) -> Option<Table<'t>> {
        let (first, rest) = self.item.rows.split_first()?;
        if self.faults.in_span(*first) {
            return None;
        }
        let header = self.row(*first, None)?;
        let n = header.cells.len();
        let names_are_free = self.item.keyword == "examples" && header.cells.first().is_some_and(|c| c == "name");
        let mut table = Table {
            header,
            sides: vec![Side::Plain; n],
            dashes: None,
            rows: Vec::with_capacity(rest.len()),
            sound: true,
            examples: self.item.keyword == "examples",
        };
        for (i, span) in rest.iter().enumerate() {
            let row = self.row(*span, Some(names_are_free))?;
            if row.cells.len() != n {
                return None;
            }
            let dashes = row.cells.iter().all(|cell| is_dashes(cell));
            if dashes != (i == 0 && self.item.dashes) {
                // A line of dashes with something odd in it, or in another place.
                return None;
            }
            if dashes {
                table.sides = row.cells.iter().map(|cell| side(cell)).collect();
                table.dashes = Some((row.line, row.comment));
            } else {
                table.rows.push(row);
            }
        }
        table.sound = self.sound;
        Some(table)
    }

    /// The cells of a line; nothing where it is no whole row. `free` says whether the first cell is any text.
    fn row(&mut self, span: Span, free: Option<bool>) -> Option<Row<'t>> {
        let text: &'t str = self.plan.text.get(span.range())?;
        let line = self.plan.line_at(span.start as usize);
        if self.plan.fates.get(line) != Some(&Fate::Free) || !text.starts_with('|') {
            return None;
        }
        if text.contains('\t') {
            split(&text.replace('\t', " "), false, &mut self.line);
        } else {
            split(text, false, &mut self.line);
        }
        if self.line.tail.is_some() || self.line.cells.is_empty() {
            return None;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let is_faulty = free.is_some() && self.faults.any(start, end);
        if is_faulty {
            self.sound = false;
            let places: Vec<_> = self.line.cells.iter().map(|(s, e)| (start + s, start + e)).collect();
            if !self.faults.lie_within(start, end, &places) {
                return None;
            }
        }
        let dashes = self.line.cells.iter().all(|(s, e)| is_dashes(&text[*s..*e]));
        let cell = |(i, (s, e)): (usize, &(usize, usize))| {
            let cell = &text[*s..*e];
            let as_it_is = dashes || i == 0 && free == Some(true) || is_faulty && self.faults.any(start + s, start + e);
            if as_it_is { Cow::Borrowed(cell) } else { spaced(cell, Style::Close) }
        };
        let cells = self.line.cells.iter().enumerate().map(cell).collect();
        let comment = self.line.comment.map_or("", |at| text[at..].trim_end());
        Some(Row { line, cells, comment })
    }
}

fn side(dashes: &str) -> Side {
    match (dashes.starts_with(':'), dashes.ends_with(':')) {
        (false, false) => Side::Plain,
        (true, false) => Side::Left,
        (false, true) => Side::Right,
        (true, true) => Side::Middle,
    }
}

impl Table<'_> {
    fn all(&self) -> impl Iterator<Item = &Row<'_>> {
        std::iter::once(&self.header).chain(&self.rows)
    }

    /// The width of each column; 1 at least, so that dashes fit.
    pub(super) fn widths(&self) -> Vec<usize> {
        let mut widths = vec![1; self.header.cells.len()];
        for row in self.all() {
            for (widest, cell) in widths.iter_mut().zip(&row.cells) {
                *widest = (*widest).max(width(cell));
            }
        }
        widths
    }

    /// Takes its lines, so that nothing else does.
    pub(super) fn claim(&self, plan: &mut Plan<'_>) {
        let dashes = self.dashes.map(|(line, _)| line);
        for line in self.all().map(|row| row.line).chain(dashes) {
            plan.fates[line] = Fate::Written(String::new());
        }
    }

    /// How many bytes it has with all cells padded; nothing where a line would be too long.
    pub(super) fn aligned_len(&self) -> Option<usize> {
        let widths = self.widths();
        let bars = BAR * widths.len() + 2;
        let (mut sum, mut longest) = (0, 0);
        for row in self.all() {
            let cells: usize = widths.iter().zip(&row.cells).map(|(w, cell)| cell.len() + w - width(cell)).sum();
            let len = bars + cells + if row.comment.is_empty() { 0 } else { row.comment.len() + 2 };
            (sum, longest) = (sum + len, longest.max(len));
        }
        let dashes = bars + widths.iter().sum::<usize>() + self.dashes.map_or(0, |(_, comment)| comment.len() + 2);
        (longest.max(dashes) <= Limits::LINE_BYTES).then_some(sum + dashes)
    }

    /// Writes the lines; with `aligned` the bars stand below each other.
    pub(super) fn write(&self, aligned: bool, plan: &mut Plan<'_>) {
        let widths = if aligned { self.widths() } else { vec![1; self.header.cells.len()] };
        let dashes = self.dash_line(&widths);
        let mut header = self.line(&self.header, &widths);
        match self.dashes {
            Some((line, comment)) => plan.fates[line] = Fate::Written(with_comment(dashes, comment)),
            None => header.extend(["\n", &dashes]),
        }
        plan.fates[self.header.line] = Fate::Written(header);
        for row in &self.rows {
            plan.fates[row.line] = Fate::Written(self.line(row, &widths));
        }
    }

    fn line(&self, row: &Row<'_>, widths: &[usize]) -> String {
        let len: usize = row.cells.iter().zip(widths).map(|(cell, w)| cell.len().max(*w) + BAR).sum();
        let mut line = String::with_capacity(len + 1 + row.comment.len() + 2);
        for ((cell, column), side) in row.cells.iter().zip(widths).zip(&self.sides) {
            let room = column.saturating_sub(width(cell));
            let before = match side {
                Side::Plain | Side::Left => 0,
                Side::Right => room,
                Side::Middle => room / 2,
            };
            line.push_str("| ");
            line.extend(std::iter::repeat_n(' ', before));
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', room - before + 1));
        }
        line.push('|');
        with_comment(line, row.comment)
    }

    fn dash_line(&self, widths: &[usize]) -> String {
        let mut line = String::from("|");
        for (column, side) in widths.iter().zip(&self.sides) {
            let (left, right) = match side {
                Side::Plain => ('-', '-'),
                Side::Left => (':', '-'),
                Side::Right => ('-', ':'),
                Side::Middle => (':', ':'),
            };
            line.push(left);
            line.extend(std::iter::repeat_n('-', *column));
            line.extend([right, '|']);
        }
        line
    }
}

fn with_comment(mut line: String, comment: &str) -> String {
    if !comment.is_empty() {
        line.extend(["  ", comment]);
    }
    line
}
