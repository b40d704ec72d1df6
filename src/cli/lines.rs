//! Lines of a file or of standard input, one at a time: none is held in memory past its limit.

use std::io::{self, BufRead, BufReader, Read};

use super::out::Trouble;
use crate::decide::MAX_FACTS_BYTES;

/// One line, without its end.
pub(super) enum Line {
    /// Its bytes.
    Whole(Vec<u8>),
    /// It is longer than a line may be; this many bytes were passed over.
    TooLong(u64),
}

/// The next line; nothing at the end.
pub(super) fn next_line(lines: &mut BufReader<Box<dyn Read>>) -> io::Result<Option<Line>> {
    let limit = MAX_FACTS_BYTES as u64 + 2;
    let mut bytes = Vec::new();
    let mut read = lines.by_ref().take(limit).read_until(b'\n', &mut bytes)? as u64;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        return Ok(Some(Line::Whole(bytes)));
    }
    if read < limit {
        return Ok(Some(Line::Whole(bytes)));
    }
    drop(bytes);
    loop {
        let held = lines.fill_buf()?;
        if held.is_empty() {
            return Ok(Some(Line::TooLong(read)));
        }
        let end = held.iter().position(|b| *b == b'\n');
        let n_bytes = end.map_or(held.len(), |end| end + 1);
        lines.consume(n_bytes);
        read += n_bytes as u64;
        if end.is_some() {
            return Ok(Some(Line::TooLong(read - 1)));
        }
    }
}

/// Its text.
pub(super) fn text_of(line: Line) -> Result<String, Trouble> {
    match line {
        Line::TooLong(given) => {
            let text = format!("the line has {given} bytes, and at most {MAX_FACTS_BYTES} are allowed");
            Err(Trouble::new(text))
        }
        Line::Whole(bytes) => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            Trouble::new(format!("the line is not written in UTF-8: its byte {at} is no part of a character"))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: impl Into<Vec<u8>>) -> BufReader<Box<dyn Read>> {
        BufReader::new(Box::new(io::Cursor::new(text.into())))
    }

    #[test]
    fn lines_end_as_they_like() {
        let mut lines = reader("a\r\n\nb");
        for expected in ["a", "", "b"] {
            let Ok(Some(Line::Whole(bytes))) = next_line(&mut lines) else { panic!("a line") };
            assert_eq!(bytes, expected.as_bytes());
        }
        assert!(matches!(next_line(&mut lines), Ok(None)));
    }

    #[test]
    fn a_long_line_is_passed_over_and_the_next_one_read() {
        let long = "x".repeat(3 * MAX_FACTS_BYTES);
        let mut lines = reader(format!("{long}\nb\n{long}"));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::TooLong(n))) if n == long.len() as u64));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::Whole(b))) if b == b"b"));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::TooLong(n))) if n == long.len() as u64));
        assert!(matches!(next_line(&mut lines), Ok(None)));
    }
}
