//! A table: header, rows, reasons, to a [`Grid`].
//!
//! A row whose cells do not fit the header is left out and the grid counts as damaged; a cell that cannot be read is
//! [`CellKind::Bad`] and its row is kept. Cells of equal text share one reading.

use std::collections::HashMap;
use std::rc::Rc;

use super::findings::{self, Sink};
use super::header::{self, Content, Header};
use super::limits::Limits;
use super::place::At;
use super::reasons;
use super::skeleton::{Piece, RawItem};
use super::split::{Split, is_dashes, split};
use super::tree::{ActionExpr, Cell, CellExpr, CellKind, Grid, Row, RowKind, Test, Word};
use super::{actions, cells, conditions, fixed_rows, row_names};
use crate::text::Span;

/// Readings of cells by their text, for a whole file.
#[derive(Debug, Default)]
pub(super) struct Cache<'t> {
    cells: HashMap<&'t str, Rc<CellExpr>>,
    tests: HashMap<&'t str, Rc<[Test]>>,
    actions: HashMap<&'t str, Rc<ActionExpr>>,
    n_cells: usize,
}

/// Reads the table of an item; `outputs` is what a derive or classify defines.
pub(super) fn read<'t>(
    text: &'t str,
    item: &RawItem,
    outputs: &[Word],
    at: At<'_>,
    cache: &mut Cache<'t>,
    sink: &mut Sink,
    comments: &mut Vec<Piece>,
) -> Grid {
    let Some(first) = item.rows.first() else {
        let span = at.span(item.start, item.word_end);
        let help = "below it stand a header, `| row | condition | => action |`, and the rows";
        sink.push(findings::header(span, format!("this `{}` has no rows", item.keyword), help));
        return Grid { damaged: true, ..Grid::default() };
    };
    let mut line = Split::default();
    split(first.of(text), false, &mut line);
    let here = at.further(first.start);
    let grid = Grid { header: here.span(0, first.end - first.start), ..Grid::default() };
    comments.extend(line.comment.map(|c| Piece { start: first.start + c, end: first.end }));
    if let Some((start, end)) = line.tail {
        line.cells.push((start, end));
        sink.push(findings::row(here.span(end, end), "this header is not closed", "write `|` behind its last cell"));
    }
    if line.cells.len() > Limits::COLUMNS {
        sink.push(findings::over_limit(grid.header, "this table", line.cells.len(), Limits::COLUMNS, "columns"));
        return Grid { damaged: true, ..grid };
    }
    if line.cells.iter().all(|(s, e)| s == e || is_dashes(first.of(text).get(*s..*e).unwrap_or(""))) {
        let help = "the first row names the columns: `| row | condition | => action |`";
        sink.push(findings::header(grid.header, "this table has no header", help));
        return Grid { damaged: true, ..grid };
    }
    let header = header::read(item.keyword, first.of(text), &line.cells, outputs, here, sink);
    let mut rows = Rows {
        text,
        item,
        header,
        grid,
        at,
        cache,
        sink,
        comments,
        seen: row_names::Seen::default(),
        fixed: fixed_rows::Order::default(),
    };
    rows.grid.damaged = rows.header.damaged || !rows.header.usable || item.damaged;
    rows.read();
    let Rows { mut grid, header, seen, sink, .. } = rows;
    if header.usable {
        reasons::read(text, item, &seen, &mut grid, at, sink);
    }
    grid.columns = header.columns;
    grid
}

struct Rows<'t, 'r> {
    text: &'t str,
    item: &'r RawItem,
    header: Header,
    grid: Grid,
    at: At<'r>,
    cache: &'r mut Cache<'t>,
    sink: &'r mut Sink,
    comments: &'r mut Vec<Piece>,
    seen: row_names::Seen,
    fixed: fixed_rows::Order,
}

impl<'t> Rows<'t, '_> {
    fn read(&mut self) {
        let n_rows = self.item.rows.len().saturating_sub(1);
        if n_rows > Limits::ROWS {
            return self.sink.push(findings::over_limit(self.grid.header, "this table", n_rows, Limits::ROWS, "rows"));
        }
        self.cache.n_cells += n_rows * self.header.contents.len();
        if self.cache.n_cells > Limits::CELLS {
            let finding =
                findings::over_limit(self.grid.header, "the file", self.cache.n_cells, Limits::CELLS, "cells");
            return self.sink.push(finding);
        }
        let mut line = Split::default();
        for (i, piece) in self.item.rows.iter().enumerate().skip(1) {
            if self.sink.stopped {
                self.grid.damaged = true;
                return;
            }
            let text: &'t str = piece.of(self.text);
            split(text, false, &mut line);
            self.comments.extend(line.comment.map(|c| Piece { start: piece.start + c, end: piece.end }));
            let at = self.at.further(piece.start);
            if line.tail.is_none() && !line.cells.is_empty() && line.cells.iter().all(|(s, e)| is_dashes(&text[*s..*e]))
            {
                self.dashes(i, line.cells.len(), at, text.len());
            } else if self.fits(text, &mut line, at) {
                if self.header.usable {
                    self.row(text, &line, at);
                }
            } else {
                self.grid.damaged = true;
                self.seen.dropped(self.name_of(text, &line));
            }
        }
    }

    /// The line `|---|`.
    fn dashes(&mut self, i: usize, n: usize, at: At<'_>, len: usize) {
        let wanted = self.header.contents.len();
        if i > 1 {
            let help = "remove it: `|---|` stands once, right below the header";
            self.sink.push(findings::header(at.span(0, len), "this line stands between rows", help));
        } else if n != wanted {
            let message = format!("this line has {n} cells, and the header has {wanted}");
            self.sink.push(findings::row(
                at.span(0, len),
                message,
                "write one `---` for each column, or leave the line out",
            ));
        }
    }

    /// The row's name where one can be told.
    fn name_of(&self, text: &str, line: &Split) -> Option<String> {
        let (start, end) =
            line.cells.first().copied().filter(|_| self.header.contents.first() == Some(&Content::Name))?;
        text.get(start..end).filter(|n| !n.is_empty()).map(|n| super::words::unquoted(n).0.to_string())
    }

    /// Whether the row has as many cells as the header; says so where it has not.
    fn fits(&mut self, text: &str, line: &mut Split, at: At<'_>) -> bool {
        let wanted = self.header.contents.len();
        if let Some((start, end)) = line.tail {
            if line.cells.len() < wanted {
                line.cells.push((start, end));
                let finding =
                    findings::row(at.span(start, end), "this row is not closed", "write `|` behind its last cell");
                if line.cells.len() == wanted {
                    self.sink.push(finding.fix("write the bar", true, at.span(end, end), " |"));
                }
            } else if line.cells.len() == wanted {
                let help = "behind the last bar only a comment may stand: `# text`";
                self.sink.push(findings::row(at.span(start, end), "text stands behind the last bar", help));
            }
        }
        let given = line.cells.len();
        if given == wanted {
            return true;
        }
        if given > wanted && text.contains('"') {
            let mut other = Split::default();
            split(text, true, &mut other);
            if other.cells.len() == wanted && other.tail.is_none() {
                self.bar_in_text(text, &other, at);
                *line = other;
                return true;
            }
        }
        self.sink.push(self.misfit(text, line, at));
        false
    }

    /// A bar inside a text that is not marked as one.
    fn bar_in_text(&mut self, text: &str, line: &Split, at: At<'_>) {
        let inside = |(s, e): &(usize, usize)| {
            let cell = text.get(*s..*e).unwrap_or("");
            let bar =
                cell.bytes().enumerate().position(|(i, b)| b == b'|' && (i == 0 || cell.as_bytes()[i - 1] != b'\\'));
            bar.map(|i| s + i)
        };
        if let Some(bar) = line.cells.iter().find_map(inside) {
            let span = at.span(bar, bar + 1);
            let finding = findings::row(span, "a bar inside a text parts cells", "write `\\|`");
            self.sink.push(finding.fix("write `\\|`", true, span, "\\|"));
        }
    }

    fn misfit(&self, text: &str, line: &Split, at: At<'_>) -> crate::diag::Diagnostic {
        let (given, wanted) = (line.cells.len(), self.header.contents.len());
        let cells = |n: usize| if n == 1 { "1 cell".to_string() } else { format!("{n} cells") };
        let message = format!("this row has {}, and the header has {wanted}", cells(given));
        let end = line.cells.last().map_or(text.len(), |(_, e)| *e);
        let help = match self.header.names.get(given) {
            Some(name) if given < wanted => {
                let last = self.header.names.get(given.saturating_sub(1)).map_or("", |n| &**n);
                format!(
                    "its last cell stands under `{last}`, and `{name}` has none: write every cell, `-` for any value"
                )
            }
            _ if text.contains("||") => "two bars side by side hold a blank cell; \"or\" is written `or`".to_string(),
            _ => "remove what is too much; a bar inside a text is written `\\|`".to_string(),
        };
        let span = if given > wanted {
            let extra = line.cells.get(wanted).copied().unwrap_or((0, end));
            at.span(extra.0, end.max(extra.0))
        } else {
            at.span(0, text.len().min(end + 2))
        };
        findings::row(span, message, help).and(self.grid.header, format!("{wanted} columns"))
    }

    fn row(&mut self, text: &'t str, line: &Split, at: At<'_>) {
        let end = line.tail.or(line.cells.last().copied()).map_or(text.len(), |(_, e)| e);
        let end = text.get(end..).and_then(|t| t.find('|')).map_or(end, |i| end + i + 1);
        let span = at.span(0, end);
        let kind = fixed_rows::kind(self.item.keyword, &self.header, text, line, at, self.sink);
        let mut row =
            Row { span, kind, name: None, cells: Vec::with_capacity(line.cells.len()), damaged: self.header.damaged };
        for (i, (start, end)) in line.cells.iter().enumerate() {
            let content = self.header.contents.get(i).copied().unwrap_or(Content::Left);
            if content == Content::Left {
                continue;
            }
            let cell = text.get(*start..*end).unwrap_or("");
            let here = at.further(*start);
            let fixed = kind != RowKind::Plain && matches!(content, Content::Name | Content::Fact | Content::Also);
            let said = match (fixed, i) {
                (true, 0) => CellKind::Name,
                (true, _) => CellKind::Blank,
                _ => self.cell(content, i, cell, here, &mut row.name),
            };
            row.damaged |= matches!(said, CellKind::Bad);
            row.cells.push(Cell { span: here.span(0, cell.len()), kind: said });
        }
        self.keep(row);
    }

    /// Keeps a row, unless it cannot stand where it does.
    fn keep(&mut self, row: Row) {
        let example = self.item.keyword == "examples";
        let allowed = self.fixed.allows(&row, self.sink);
        if let Some(name) = row.name.as_ref().filter(|_| !example || !row.damaged)
            && let Some(first) = self.seen.name(name)
        {
            self.sink.push(findings::row_twice(name.span, first, &name.text));
        }
        self.seen.row(&row);
        if allowed {
            self.grid.rows.push(row);
        } else {
            self.grid.damaged = true;
        }
    }

    fn cell(&mut self, content: Content, i: usize, text: &'t str, at: At<'_>, name: &mut Option<Word>) -> CellKind {
        if text.is_empty() {
            return self.blank(content, i, at.span(0, 0));
        }
        let said = match content {
            Content::FreeName => {
                let (meant, quoted) = super::words::unquoted(text);
                let meant = if quoted { meant } else { text.replace("\\|", "|").into() };
                *name = Some(Word { text: meant, span: at.span(0, text.len()), quoted });
                Ok(CellKind::Name)
            }
            Content::Name => row_names::own(text, at).map(|word| {
                *name = Some(word);
                CellKind::Name
            }),
            Content::Fact if text == "-" => Ok(CellKind::Any),
            Content::Fact => self.fact(text, at),
            Content::Also => self.also(text, at),
            Content::Action => self.action(text, at),
            Content::Output => row_names::output(text, at).map(CellKind::Word),
            Content::Expected => row_names::expected(text, at).map(CellKind::Word),
            Content::Left => Ok(CellKind::Bad),
        };
        said.unwrap_or_else(|mistake| {
            self.sink.push(at.finding(*mistake));
            CellKind::Bad
        })
    }

    fn blank(&mut self, content: Content, i: usize, span: Span) -> CellKind {
        let examples = self.item.keyword == "examples";
        let name = self.header.names.get(i).map_or("", String::as_str);
        let finding = match content {
            _ if examples => return CellKind::Blank,
            Content::Fact => findings::blank(span, name),
            Content::Action => {
                findings::blank_output(span, name, "write what the row says: `stop`, `review QUEUE`, `retry now` …")
            }
            Content::Output => findings::blank_output(span, name, "write the value, or `unknown`"),
            _ => return CellKind::Blank,
        };
        self.sink.push(finding);
        CellKind::Bad
    }

    fn fact(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, findings::Mistake> {
        let expr = if let Some(found) = self.cache.cells.get(text) {
            Rc::clone(found)
        } else {
            let expr = Rc::new(cells::parse(text)?);
            self.cache.cells.insert(text, Rc::clone(&expr));
            expr
        };
        Ok(CellKind::Test(cells::placed(&expr, text.len(), at)))
    }

    fn also(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, findings::Mistake> {
        let tests: Rc<[Test]> = if let Some(found) = self.cache.tests.get(text) {
            Rc::clone(found)
        } else {
            let tests: Rc<[Test]> = conditions::parse(text)?.into();
            self.cache.tests.insert(text, Rc::clone(&tests));
            tests
        };
        Ok(CellKind::Also(conditions::placed(&tests, at)))
    }

    fn action(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, findings::Mistake> {
        let action = if let Some(found) = self.cache.actions.get(text) {
            Rc::clone(found)
        } else {
            let action = Rc::new(actions::parse(text)?);
            self.cache.actions.insert(text, Rc::clone(&action));
            action
        };
        Ok(CellKind::Action(Rc::new(actions::placed(&action, at))))
    }
}
