//! A table as a spreadsheet holds it: a header and rows of texts, each with its place.

use super::place::{Notices, Place, Refused};
use crate::syntax::{Limits, called, is_hidden};

/// A text and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) place: Place,
}

impl Field {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A table.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// What it is called, where the file says so.
    pub(super) name: Option<String>,
    /// Where it begins.
    pub(super) place: Place,
    /// The header.
    pub(super) header: Vec<Field>,
    /// The rows, each as long as the header.
    pub(super) rows: Vec<Vec<Field>>,
}

impl Grid {
    /// Rows of texts as a table: the first row that has two texts is its header, blank rows are none, and a row of another
    /// length than the header stays behind. Nothing where there is no header.
    ///
    /// # Errors
    /// Too many columns or rows.
    pub(super) fn of(
        name: Option<String>,
        place: Place,
        rows: Vec<Vec<Field>>,
        notices: &mut Notices,
    ) -> Result<Option<Grid>, Refused> {
        let rows: Vec<Vec<Field>> = rows.into_iter().map(|row| cleaned(row, notices)).collect();
        let mut rows = rows.into_iter().filter(|row| row.iter().any(|field| !field.is_blank()));
        let header = loop {
            let Some(row) = rows.next() else { return Ok(None) };
            if row.iter().filter(|field| !field.is_blank()).count() > 1 {
                break row;
            }
            for field in row.iter().filter(|field| !field.is_blank()) {
                notices.left(&field.place, format!("`{}` stands above the header", field.text.trim()));
            }
        };
        let mut grid = Grid { name, place, header: trimmed(header, 0), rows: Vec::new() };
        let width = grid.header.len();
        if width > Limits::COLUMNS {
            let message = format!("the table has {width} columns, and at most {} are allowed", Limits::COLUMNS);
            return Err(Refused::new(message, "part it into several tables"));
        }
        for row in rows {
            let row = trimmed(row, width);
            if grid.rows.len() == Limits::ROWS {
                let message = format!("the table has more than {} rows, and so many are allowed", Limits::ROWS);
                return Err(Refused::new(message, "part it into several tables"));
            }
            match row.first() {
                Some(first) if row.len() != width => {
                    let text = format!("the row has {} cells, and its header {width}: {}", row.len(), shown(&row));
                    notices.left(&first.place, text);
                }
                _ => grid.rows.push(row),
            }
        }
        Ok(Some(grid))
    }
}

/// The texts of a row, for people.
pub(super) fn shown(row: &[Field]) -> String {
    row.iter().map(|field| field.text.trim()).collect::<Vec<_>>().join(" | ")
}

/// A row without the blank fields past so many.
fn trimmed(mut row: Vec<Field>, width: usize) -> Vec<Field> {
    while row.len() > width && row.last().is_some_and(Field::is_blank) {
        row.pop();
    }
    row
}

/// Fields without what cannot stand in a policy; that something was there is told.
fn cleaned(mut row: Vec<Field>, notices: &mut Notices) -> Vec<Field> {
    for field in &mut row {
        let hidden = field.text.chars().find(|c| is_hidden(*c) && !matches!(c, '\r' | '\u{feff}'));
        if let Some(hidden) = hidden {
            notices.left(&field.place, format!("a character that nobody sees was taken out: {}", called(hidden)));
        }
        field.text = clean(&field.text);
    }
    row
}

/// A text with plain blanks in place of those that only look like them, and without characters that nobody sees.
pub(super) fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !is_hidden(*c));
    kept.map(|c| if c.is_whitespace() && c != '\n' { ' ' } else { c }).collect()
}
