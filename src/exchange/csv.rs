//! CSV (RFC 4180): bytes to a grid, and a table to text.
//!
//! Read: with or without a byte order mark, parted by commas, semicolons, tabs or bars, whatever parts the first line
//! into most fields; lines end in LF or CRLF, and a field in quotes may hold line ends. Places are those that a
//! spreadsheet shows: blank lines count as rows.

use super::grid::{Field, Grid};
use super::place::{Notices, Place, Refused};

/// Reads a table.
pub(super) fn read(file: &str, bytes: &[u8], notices: &mut Notices) -> Result<Grid, Refused> {
    let text = super::import::text(file, bytes)?;
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let (mut rows, mut row, mut next_line) = (Vec::new(), 0, 1);
    for record in reader.records() {
        let unreadable = |error: ::csv::Error| {
            Refused::new(format!("`{file}` cannot be read as CSV: {error}"), "save it as CSV in UTF-8")
        };
        let record = record.map_err(unreadable)?;
        let start = record.position().map_or(0, |at| at.byte() as usize);
        let blank = blank_lines(text.get(start..).unwrap_or_default());
        let line = record.position().map_or(next_line, |at| at.line() as usize) + blank;
        row += line.saturating_sub(next_line);
        let field = |(column, text): (usize, &str)| Field {
            text: text.to_string(),
            place: Place::Cell { sheet: None, column, row },
        };
        rows.push(record.iter().enumerate().map(field).collect());
        next_line = line + 1 + record.iter().map(|text| text.matches('\n').count()).sum::<usize>();
        row += 1;
    }
    let nothing = || Refused::new(format!("`{file}` holds no table"), "its first row names at least two columns");
    Grid::of(None, Place::Whole, rows, notices)?.ok_or_else(nothing)
}

/// How many blank lines a text begins with.
fn blank_lines(text: &str) -> usize {
    text.lines().take_while(|line| line.is_empty()).count()
}

/// What parts the fields: of the usual signs the one that parts the first line into most of them.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |sign: u8| {
        let (mut n, mut quoted) = (0, false);
        for byte in first.bytes() {
            quoted ^= byte == b'"';
            n += usize::from(byte == sign && !quoted);
        }
        n
    };
    // Of equals the first counts.
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|sign| count(*sign)).unwrap_or(b',')
}

/// Writes rows. A field that a spreadsheet would take for a formula gets a `'` in front, which it does not show.
pub(super) fn write(rows: &[Vec<String>]) -> String {
    let mut writer =
        ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = writer.write_record(row.iter().map(|text| guarded(text)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Whether a spreadsheet would take a text for a formula: numbers below zero and `-` alone are none.
pub(super) fn is_formula(text: &str) -> bool {
    match text.as_bytes() {
        [b'=' | b'+' | b'@' | b'\t' | b'\r', ..] => true,
        [b'-', rest @ ..] => !rest.is_empty() && !rest.iter().all(|b| b.is_ascii_digit() || b"._-,<> ".contains(b)),
        _ => false,
    }
}

fn guarded(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_string() }
}

/// A field without the sign that keeps it from being a formula.
pub(super) fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Vec<String> {
        let grid = read("t.csv", text.as_bytes(), &mut Notices::default()).unwrap();
        let fields = std::iter::once(&grid.header).chain(&grid.rows).flatten();
        fields.map(|f| format!("{} {}", f.place, f.text)).collect()
    }

    #[test]
    fn every_usual_file_is_read() {
        let plain = ["A1 a", "B1 b", "A2 1", "B2 x"];
        for text in ["a,b\n1,x\n", "\u{feff}a;b\r\n1;x\r\n", "a\tb\n1\tx", "a|b\r\n1|x", "\"a\",\"b\"\n\"1\",\"x\""] {
            assert_eq!(grid(text), plain, "{text:?}");
        }
        assert_eq!(grid("a,b\n\n\n1,\"x\ny\"\n\n2,z\n"), ["A1 a", "B1 b", "A4 1", "B4 x\ny", "A6 2", "B6 z"]);
    }

    #[test]
    fn nothing_becomes_a_formula() {
        for text in ["=1+1", "+1", "@a", "-cmd|x", "\tx"] {
            assert!(is_formula(text) && unguarded(&guarded(text)) == text, "{text}");
        }
        for text in ["-", "-5", "-5..-1", "> 3", "a=b", "'x", ""] {
            assert!(!is_formula(text) && unguarded(&guarded(text)) == text, "{text}");
        }
        assert_eq!(
            write(&[vec!["a".into(), "b, \"c\"".into()], vec!["=x".into(), "-".into()]]),
            "a,\"b, \"\"c\"\"\"\r\n'=x,-\r\n"
        );
    }
}
