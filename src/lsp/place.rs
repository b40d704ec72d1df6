//! Places as the protocol counts them: lines from 0, columns in units of the encoding that client and server agreed on.

use gen_lsp_types::{Position, Range};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits: what every client understands.
    #[default]
    Utf16,
}

impl Encoding {
    /// Its name in the protocol.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
        }
    }

    /// How many columns a text takes.
    pub(super) fn width(self, text: &str) -> u32 {
        match self {
            Encoding::Utf8 => text.len() as u32,
            Encoding::Utf16 => text.chars().map(|c| c.len_utf16() as u32).sum(),
        }
    }

    fn of(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
        }
    }
}

/// Where the lines of a text begin: behind `\n`, `\r\n` and a lone `\r`, as the protocol has it.
#[derive(Debug, Clone)]
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = |i: &usize| bytes[*i] == b'\n' || bytes[*i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        let starts = (0..bytes.len()).filter(ends).map(|i| i as u32 + 1);
        Lines(std::iter::once(0).chain(starts).collect())
    }

    /// The text of a line without its end; nothing where there is none.
    pub(super) fn text<'t>(&self, text: &'t str, line: usize) -> Option<&'t str> {
        let start = *self.0.get(line)? as usize;
        let end = self.0.get(line + 1).map_or(text.len(), |end| *end as usize);
        Some(text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }

    /// The byte where a line begins; the end of the text for a line past it.
    pub(super) fn start(&self, text: &str, line: usize) -> usize {
        self.0.get(line).map_or(text.len(), |start| *start as usize)
    }

    /// The line of a byte.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// The place of a byte; one inside a character counts as its start, one past the end as the end.
    pub(super) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let before = text.get(self.start(text, line)..offset).unwrap_or_default();
        Position { line: line as u32, character: encoding.width(before) }
    }

    /// The byte of a place; a column past the end of its line is the line's end, a line past the last the text's.
    pub(super) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(written) = self.text(text, line) else { return text.len() };
        let mut column = 0;
        let inside = written.char_indices().find(|(_, c)| {
            column += encoding.of(*c);
            column > position.character
        });
        self.start(text, line) + inside.map_or(written.len(), |(i, _)| i)
    }

    /// The range of some bytes.
    pub(super) fn range(&self, text: &str, bytes: std::ops::Range<usize>, encoding: Encoding) -> Range {
        Range {
            start: self.position(text, bytes.start, encoding),
            end: self.position(text, bytes.end.max(bytes.start), encoding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_agreed() {
        let text = "a😀b\r\nسلام x\rz\n";
        let lines = Lines::of(text);
        let at = |line, character| Position { line, character };
        for (offset, utf16, utf8) in [
            (0, at(0, 0), at(0, 0)),
            (5, at(0, 3), at(0, 5)),
            (8, at(1, 0), at(1, 0)),
            (17, at(1, 5), at(1, 9)),
            (19, at(2, 0), at(2, 0)),
            (text.len(), at(3, 0), at(3, 0)),
        ] {
            for (encoding, place) in [(Encoding::Utf16, utf16), (Encoding::Utf8, utf8)] {
                assert_eq!(lines.position(text, offset, encoding), place, "{offset}");
                assert_eq!(lines.offset(text, place, encoding), offset, "{place:?}");
            }
        }
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before() {
        let text = "a😀b\nc";
        let lines = Lines::of(text);
        let offset = |line, character| lines.offset(text, Position { line, character }, Encoding::Utf16);
        assert_eq!(offset(0, 2), 1, "inside a character");
        assert_eq!(offset(0, 99), 6, "past the end of a line");
        assert_eq!(offset(7, 0), text.len(), "past the last line");
        assert_eq!(offset(u32::MAX, u32::MAX), text.len());
        assert_eq!(lines.position(text, 3, Encoding::Utf16), Position { line: 0, character: 1 });
    }
}
