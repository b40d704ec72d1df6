//! How much a policy file may hold. Every limit is documented, and its finding says what was given and what is
//! allowed. Past a limit the file is not read further, so that no input costs more than these numbers.

use memchr::memchr2_iter;

use super::findings::over_limit;
use crate::diag::Diagnostic;
use crate::text::{FileId, Span};

/// The limits of one policy file.
#[derive(Debug, Clone, Copy)]
pub struct Limits;

impl Limits {
    /// Bytes of a file: 16 MiB.
    pub const BYTES: usize = 16 * 1024 * 1024;
    /// Lines of a file.
    pub const LINES: usize = 400_000;
    /// Bytes of a line: 64 KiB.
    pub const LINE_BYTES: usize = 64 * 1024;
    /// Columns of a table.
    pub const COLUMNS: usize = 64;
    /// Rows of a table.
    pub const ROWS: usize = 200_000;
    /// Cells of all tables of a file together.
    pub const CELLS: usize = 4_000_000;
    /// Values and comparisons in one cell or one list.
    pub const MEMBERS: usize = 4_096;
    /// How many `if refused` may follow one action.
    pub const REFUSALS: usize = 8;
    /// Characters of a name.
    pub const NAME: usize = 128;
    /// Characters of a text in quotes.
    pub const TEXT: usize = 4_096;
    /// Findings of one file; further ones are not kept.
    pub const FINDINGS: usize = 1_000;
}

/// Checks a whole text against the limits of bytes, lines, line length, names and texts.
pub(super) fn check(file: FileId, text: &str) -> Option<Diagnostic> {
    if text.len() > Limits::BYTES {
        return Some(over_limit(Span::new(file, 0, 0), "the file", text.len(), Limits::BYTES, "bytes"));
    }
    let (mut start, mut lines) = (0, 0);
    for end in memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]) {
        let line = text.get(start..end).unwrap_or("");
        if line.len() > Limits::LINE_BYTES {
            let first = Span::new(file, start, start);
            return Some(over_limit(first, "this line", line.len(), Limits::LINE_BYTES, "bytes"));
        }
        if may_exceed(line.as_bytes())
            && let Some(long) = check_words(file, start, line)
        {
            return Some(long);
        }
        // Between the two bytes of one CRLF there is no line.
        lines += usize::from(&text.as_bytes()[end.saturating_sub(1)..text.len().min(end + 1)] != b"\r\n");
        start = end + 1;
    }
    (lines > Limits::LINES).then(|| over_limit(Span::new(file, 0, 0), "the file", lines, Limits::LINES, "lines"))
}

/// Whether a line may hold a name or a text past its limit; never wrongly no.
fn may_exceed(line: &[u8]) -> bool {
    // A name past the limit covers one of these places, however it lies.
    let mut places = (Limits::NAME..line.len()).step_by(Limits::NAME + 1);
    let run = |at: usize| {
        let before = line[..at].iter().rev().take_while(|b| is_name_byte(**b)).count();
        before + line[at..].iter().take_while(|b| is_name_byte(**b)).count()
    };
    line.len() > Limits::TEXT || places.any(|at| is_name_byte(line[at]) && run(at) > Limits::NAME)
}

/// Checks the names and texts of one long line. Comments and reasons are no names.
fn check_words(file: FileId, base: usize, line: &str) -> Option<Diagnostic> {
    let first = line.trim_start().as_bytes().first();
    if first == Some(&b'#') || line.trim_start().starts_with("- ") {
        return None;
    }
    let bytes = line.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        if bytes[i] == b'"' {
            i = text_end(bytes, i);
            let n_chars = line.get(start..i).map_or(0, |t| t.chars().count().saturating_sub(2));
            if n_chars > Limits::TEXT {
                let span = Span::new(file, base + start, base + i);
                return Some(over_limit(span, "this text", n_chars, Limits::TEXT, "characters"));
            }
        } else if bytes[i] == b'#' && i > 0 && bytes[i - 1] == b' ' && bytes.get(i + 1) == Some(&b' ') {
            return None;
        } else if is_name_byte(bytes[i]) {
            while i < bytes.len() && is_name_byte(bytes[i]) {
                i += 1;
            }
            let plain = bytes[start..i].iter().any(|b| *b != b'-');
            if i - start > Limits::NAME && plain {
                let span = Span::new(file, base + start, base + i);
                return Some(over_limit(span, "this name", i - start, Limits::NAME, "characters"));
            }
        } else {
            i += 1;
        }
    }
    None
}

/// One past the closing quote of a text that begins at `start`; the end where it is not closed.
pub(crate) fn text_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_found_wherever_it_lies() {
        for len in Limits::NAME - 1..Limits::NAME + 3 {
            for before in 0..300 {
                let line = format!("{}{} |", "| ".repeat(before), "a".repeat(len));
                let found = check(FileId(0), &line);
                assert_eq!(found.is_some(), len > Limits::NAME, "{len} behind {before}");
            }
        }
    }

    #[test]
    fn a_line_end_of_two_bytes_is_one() {
        for (end, allowed) in [("\n", Limits::LINES - 1), ("\r", Limits::LINES - 1), ("\r\n", Limits::LINES - 1)] {
            assert!(check(FileId(0), &end.repeat(allowed)).is_none(), "{end:?}");
            assert!(check(FileId(0), &end.repeat(allowed + 1)).is_some(), "{end:?}");
        }
    }
}
