//! XLSX: bytes to a grid, by the crate `calamine`.
//!
//! A workbook is a zip file: before anything of it is read, its parts are unpacked once and counted, so that a small file
//! that unpacks to a huge one is refused. Cells come one by one, and only those that are there. A formula counts as the
//! value that it had when the workbook was saved; a merged cell counts for each cell that it covers.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use calamine::{DataRef, Dimensions, ExcelDateTime, Reader, Xlsx};

use super::grid::{Field, Grid};
use super::place::{Notices, Place, Refused};
use crate::syntax::Limits;
use crate::words::show_duration;

/// The most bytes that the parts of a workbook may have, unpacked.
const MAX_UNPACKED: u64 = 128 << 20;
/// The most parts of a workbook.
const MAX_PARTS: usize = 10_000;
/// The most cells that are read of a sheet, merged ones filled in.
const MAX_CELLS: usize = 1_000_000;

/// Reads a sheet: the one that is named, else the only one that holds a table.
pub(super) fn read(file: &str, bytes: &[u8], sheet: Option<&str>, notices: &mut Notices) -> Result<Grid, Refused> {
    weigh(file, bytes)?;
    let faulty = |error: calamine::XlsxError| no_workbook(file, &error.to_string());
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(faulty)?;
    let names = book.sheet_names();
    let known = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if let Some(sheet) = sheet {
        if !names.iter().any(|name| name == sheet) {
            return Err(Refused::new(format!("`{file}` has no sheet `{sheet}`"), format!("it has {}", known())));
        }
        let nothing =
            || Refused::new(format!("the sheet `{sheet}` of `{file}` holds no table"), format!("it has {}", known()));
        return grid(file, &mut book, sheet, notices)?.ok_or_else(nothing);
    }
    let mut found: Vec<(Grid, Notices)> = Vec::new();
    for name in &names {
        let mut told = Notices::default();
        if let Some(grid) = grid(file, &mut book, name, &mut told)? {
            found.push((grid, told));
        }
    }
    let several = found.len() > 1;
    match (found.pop(), several) {
        (Some((grid, told)), false) => {
            notices.0.extend(told.0);
            Ok(grid)
        }
        (Some(_), true) => Err(Refused::new(
            format!("`{file}` holds a table in more than one sheet"),
            format!("choose one with `--sheet`: {}", known()),
        )),
        (None, _) => Err(Refused::new(format!("`{file}` holds no table"), "its first row names at least two columns")),
    }
}

fn no_workbook(file: &str, why: &str) -> Refused {
    let help = "save it as an XLSX workbook without a password, or as CSV in UTF-8";
    Refused::new(format!("`{file}` cannot be read as a workbook: {}", why.to_lowercase()), help)
}

/// Unpacks every part once, and counts.
fn weigh(file: &str, bytes: &[u8]) -> Result<(), Refused> {
    let faulty = |error: zip::result::ZipError| no_workbook(file, &error.to_string());
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).map_err(faulty)?;
    if zip.len() > MAX_PARTS {
        let message = format!("`{file}` has {} parts, and at most {MAX_PARTS} are allowed", zip.len());
        return Err(Refused::new(message, "save the sheet that is meant as CSV"));
    }
    let mut rest = MAX_UNPACKED;
    for i in 0..zip.len() {
        let part = zip.by_index(i).map_err(faulty)?;
        let n_bytes = std::io::copy(&mut part.take(rest + 1), &mut std::io::sink())
            .map_err(|error| no_workbook(file, &error.to_string()))?;
        if n_bytes > rest {
            let message =
                format!("`{file}` has more than {MAX_UNPACKED} bytes when it is unpacked, and so many are allowed");
            return Err(Refused::new(message, "save the sheet that is meant as CSV"));
        }
        rest -= n_bytes;
    }
    Ok(())
}

/// The cells of a sheet by row and column.
type Cells = BTreeMap<u32, BTreeMap<u32, String>>;

fn grid(
    file: &str,
    book: &mut Xlsx<Cursor<&[u8]>>,
    sheet: &str,
    notices: &mut Notices,
) -> Result<Option<Grid>, Refused> {
    let faulty = |error: calamine::XlsxError| no_workbook(file, &error.to_string());
    let several = book.sheet_names().len() > 1;
    let place = |row: u32, column: u32| Place::Cell {
        sheet: several.then(|| sheet.into()),
        column: column as usize,
        row: row as usize,
    };
    let too_many = || {
        let message = format!("the sheet `{sheet}` has more than {MAX_CELLS} cells, and so many are allowed");
        Refused::new(message, "keep the table on a sheet of its own")
    };
    let (mut cells, mut n_cells): (Cells, usize) = (BTreeMap::new(), 0);
    // A sheet of another kind, such as a chart, has no cells.
    let Ok(mut reader) = book.worksheet_cells_reader(sheet) else { return Ok(None) };
    while let Some(cell) = reader.next_cell_with_formula().map_err(faulty)? {
        let (row, column) = cell.pos;
        let at = place(row, column);
        let text = text(&cell.value, &at, notices);
        if text.trim().is_empty() {
            continue;
        }
        if cell.formula.is_some() {
            notices.note(&at, format!("it is a formula: the value that was saved with it is taken, `{}`", text.trim()));
        }
        n_cells += 1;
        if n_cells > MAX_CELLS || column as usize >= Limits::COLUMNS {
            return Err(if n_cells > MAX_CELLS { too_many() } else { too_wide(&at) });
        }
        cells.entry(row).or_default().insert(column, text);
    }
    drop(reader);
    for region in book.merge_cells_by_sheet_name(sheet).unwrap_or_default() {
        if let Some(n) = spread(&mut cells, &region) {
            n_cells += n;
            let (first, last) = (place(region.start.0, region.start.1), place(region.end.0, region.end.1));
            notices.note(&first, format!("it is merged up to {last}: each cell is taken to say the same"));
        }
        if n_cells > MAX_CELLS {
            return Err(too_many());
        }
    }
    let width = cells.values().filter_map(|row| row.keys().next_back()).max().map_or(0, |last| last + 1);
    let field = |row: u32, column: u32, texts: &BTreeMap<u32, String>| Field {
        text: texts.get(&column).cloned().unwrap_or_default(),
        place: place(row, column),
    };
    // A sheet may begin anywhere: columns left of the first that holds something are none.
    let first = cells.values().filter_map(|row| row.keys().next()).min().copied().unwrap_or(0);
    let rows = cells.iter().map(|(row, texts)| (first..width).map(|column| field(*row, column, texts)).collect());
    Grid::of(Some(sheet.to_string()), place(0, 0), rows.collect(), notices)
}

fn too_wide(at: &Place) -> Refused {
    let message = format!("{at} lies past the {} columns that a table may have", Limits::COLUMNS);
    Refused::new(message, "keep the table on a sheet of its own, in its first columns")
}

/// Fills a merged region with what its first cell says, where the region lies within the table; gives how many cells.
fn spread(cells: &mut Cells, region: &Dimensions) -> Option<usize> {
    let ((top, left), (bottom, right)) = (region.start, region.end);
    let text = cells.get(&top)?.get(&left)?.clone();
    let width = (right.min(Limits::COLUMNS as u32) + 1).checked_sub(left)? as usize;
    // A title over the whole width is no row of a table: it stays where it is.
    let rows: Vec<u32> = cells.range(top..=bottom).map(|(row, _)| *row).collect();
    if rows.len() < 2 {
        return None;
    }
    for row in &rows {
        for column in left..=right.min(Limits::COLUMNS as u32) {
            cells.entry(*row).or_default().entry(column).or_insert_with(|| text.clone());
        }
    }
    Some(rows.len() * width)
}

/// What a cell says, as a text.
fn text(value: &DataRef<'_>, at: &Place, notices: &mut Notices) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(n) => n.to_string(),
        DataRef::Float(n) => number(*n),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_string(),
        DataRef::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        DataRef::DateTime(when) if when.is_duration() => {
            // By its digits: a time below zero, or past all bounds, is told where its cell is read.
            let ms = format!("{:.0}", when.as_f64() * 86_400_000.0);
            ms.parse().map_or_else(|_| format!("{ms}ms"), show_duration)
        }
        DataRef::DateTime(when) => {
            let shown = instant(when);
            notices.note(at, format!("a date in a workbook has no offset: `{shown}` is taken, in UTC"));
            shown
        }
        DataRef::Error(error) => format!("{error}"),
    }
}

/// A number as a person would write it: a workbook keeps 0.1 + 0.2 with seventeen digits, of which fifteen are meant.
fn number(n: f64) -> String {
    let text = format!("{n}");
    if text.bytes().filter(u8::is_ascii_digit).count() < 16 || n.fract() == 0.0 {
        return text;
    }
    let whole = n.abs().trunc().to_string().len();
    let short = format!("{n:.*}", 15usize.saturating_sub(whole));
    short.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn instant(when: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = when.to_ymd_hms_milli();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_those_that_were_meant() {
        for (n, shown) in [(3.0, "3"), (0.1 + 0.2, "0.3"), (1250.5, "1250.5"), (-2.0, "-2"), (1e15, "1000000000000000")]
        {
            assert_eq!(super::number(n), shown);
        }
    }
}
