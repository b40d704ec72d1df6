//! A table: header, rows, reasons, to a [`Grid`].
//!
//! A row whose cells do not fit the header is left out and the grid counts as damaged; a cell that cannot be read is
//! [`CellKind::Bad`] and its row is kept. Cells of equal text share one reading.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use super::findings::{self, Mistake, Sink};
use super::header::{self, Content, Header};
use super::limits::Limits;
use super::place::At;
use super::reasons;
use super::skeleton::{Piece, RawItem};
use super::split::{Split, is_dashes, split};
use super::tree::{ActionExpr, Cell, CellExpr, CellKind, Grid, Row, RowKind, Test, Word};
use super::{actions, cells, conditions, fixed_rows, row_names, row_shapes};
use crate::text::Span;

/// Readings of cells by their text, for a whole file.
#[derive(Debug, Default)]
pub(super) struct Cache<'t> {
    cells: HashMap<&'t str, Rc<CellExpr>>,
    tests: HashMap<&'t str, Rc<[Test]>>,
    actions: HashMap<&'t str, Rc<ActionExpr>>,
    n_cells: usize,
}

/// The reading of a text: the one that is known, else a new one.
fn reading<'t, T: ?Sized>(
    known: &mut HashMap<&'t str, Rc<T>>,
    text: &'t str,
    read: impl FnOnce() -> Result<Rc<T>, Mistake>,
) -> Result<Rc<T>, Mistake> {
    Ok(Rc::clone(match known.entry(text) {
        Entry::Occupied(found) => found.into_mut(),
        Entry::Vacant(place) => place.insert(read()?),
    }))
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
        if item.damaged {
            return Grid { damaged: true, ..Grid::default() };
        }
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
    if let Some(next) = item.rows.get(1).filter(|next| row_shapes::header_goes_on(first.of(text), next.of(text))) {
        sink.push(row_shapes::broken_row("this header", grid.header, at.span(first.end, next.start)));
        return Grid { damaged: true, ..grid };
    }
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
        shapes: row_shapes::Shapes::default(),
    };
    rows.grid.damaged = rows.header.damaged || !rows.header.usable || item.damaged;
    rows.read();
    let Rows { mut grid, header, seen, sink, .. } = rows;
    if header.usable {
        reasons::read(text, item, &seen, &mut grid, at, sink);
    }
    if header.usable {
        grid.columns = header.columns;
    }
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
    shapes: row_shapes::Shapes,
}

impl<'t> Rows<'t, '_> {
    fn read(&mut self) {
        let second = self.item.rows.get(1).map_or("", |line| line.of(self.text));
        let has_dashes = second.contains("--") && second.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' '));
        let n_rows = self.item.rows.len().saturating_sub(1 + usize::from(has_dashes));
        if n_rows > Limits::ROWS {
            return self.sink.push(findings::over_limit(self.grid.header, "this table", n_rows, Limits::ROWS, "rows"));
        }
        self.cache.n_cells += n_rows * self.header.contents.len();
        if self.cache.n_cells > Limits::CELLS {
            let finding =
                findings::over_limit(self.grid.header, "the file", self.cache.n_cells, Limits::CELLS, "cells");
            return self.sink.push(finding);
        }
        self.seen.lost |= self.header.damaged;
        if self.header.contents.first() == Some(&Content::Name) {
            self.seen.expect(n_rows);
        }
        self.grid.rows.reserve(n_rows);
        let mut line = Split::default();
        let mut i = 1;
        while let Some(piece) = self.item.rows.get(i) {
            if self.sink.stopped || self.shapes.misfits.len() > Limits::FINDINGS {
                self.grid.damaged = true;
                break;
            }
            i += self.line(i, *piece, &mut line);
        }
        self.shapes.tell(self.grid.header, &self.header, self.sink);
    }

    /// Reads one line below the header, and says how many lines that took.
    fn line(&mut self, i: usize, piece: Piece, line: &mut Split) -> usize {
        let text: &'t str = piece.of(self.text);
        let at = self.at.further(piece.start);
        let wanted = self.header.contents.len();
        split(text, false, line);
        self.comments.extend(line.comment.map(|c| Piece { start: piece.start + c, end: piece.end }));
        let is_whole = text.starts_with('|') && line.tail.is_none() && !line.cells.is_empty();
        if is_whole && line.cells.iter().all(|(s, e)| is_dashes(&text[*s..*e])) {
            self.shapes.dashes(i, line.cells.len(), wanted, at.span(0, text.len()), self.sink);
            return 1;
        }
        if i == 1 && row_shapes::is_broken_dashes(text) {
            self.sink.push(row_shapes::broken_dashes(at.span(0, text.len()), wanted));
            let next = self.item.rows.get(i + 1).is_some_and(|next| row_shapes::is_broken_dashes(next.of(self.text)));
            return 1 + usize::from(next);
        }
        if self.shapes.fits(text, line, &self.header, at, self.grid.header, self.sink) {
            if self.header.usable {
                self.row(text, line, at);
            }
            return 1;
        }
        self.grid.damaged = true;
        self.seen.dropped(self.name_of(text, line));
        self.seen.lost |= line.cells.len() < wanted;
        let next =
            self.item.rows.get(i + 1).filter(|next| row_shapes::Shapes::goes_on(text, next.of(self.text), wanted));
        if let Some(next) = next {
            self.shapes.misfits.pop();
            let gap = self.at.span(piece.end, next.start);
            self.sink.push(row_shapes::broken_row("this row", at.span(0, text.len()), gap));
            return 2;
        }
        1
    }

    /// The row's name where one can be told.
    fn name_of(&self, text: &str, line: &Split) -> Option<String> {
        let (start, end) = line
            .cells
            .first()
            .copied()
            .filter(|_| self.header.contents.first() == Some(&Content::Name) && text.starts_with('|'))?;
        text.get(start..end).filter(|n| !n.is_empty()).map(|n| super::words::unquoted(n).0.to_string())
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
            Content::Output => row_names::output(text, at).map(|word| CellKind::Word(word.into())),
            Content::Expected => row_names::expected(text, at).map(|word| CellKind::Word(word.into())),
            Content::Left => Ok(CellKind::Bad),
        };
        said.unwrap_or_else(|mistake| {
            self.seen.lost |= content == Content::Name;
            self.sink.push(at.finding(*mistake));
            CellKind::Bad
        })
    }

    fn blank(&mut self, content: Content, i: usize, span: Span) -> CellKind {
        let examples = self.item.keyword == "examples";
        let name = self.header.names.get(i).map_or("", String::as_str);
        let finding = match content {
            _ if examples => return CellKind::Blank,
            // Where a column has no name, nobody knows which rows are fixed ones.
            _ if self.header.damaged => return CellKind::Bad,
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

    fn fact(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, Mistake> {
        let expr = reading(&mut self.cache.cells, text, || cells::parse(text).map(Rc::new))?;
        Ok(CellKind::Test(cells::placed(expr, text.len(), at)))
    }

    fn also(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, Mistake> {
        let tests = reading(&mut self.cache.tests, text, || conditions::parse(text).map(Rc::from))?;
        Ok(CellKind::Also(conditions::placed(&tests, at).into()))
    }

    fn action(&mut self, text: &'t str, at: At<'_>) -> Result<CellKind, Mistake> {
        let action = reading(&mut self.cache.actions, text, || actions::parse(text).map(Rc::new))?;
        Ok(CellKind::Action(actions::placed(action, text.len(), at)))
    }
}
