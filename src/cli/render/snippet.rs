//! A piece of a file as miette reads it: whole lines, found by an index instead of a walk through the text, and
//! without characters that could steer a terminal.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::cli::out::visible;
use crate::text::Source;

/// One file, ready to be shown.
pub(super) struct Snippet {
    name: String,
    text: String,
    /// The byte at which each line starts.
    lines: Vec<usize>,
}

impl Snippet {
    /// The file of a source, every byte where it was.
    pub(super) fn new(source: &Source) -> Self {
        let text = visible(source.text());
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Snippet { name: visible(source.name()), text, lines }
    }

    /// The length of the file.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Where the last line that holds something ends.
    pub(super) fn last_line_end(&self) -> usize {
        self.text.strip_suffix('\n').map_or(self.text.len(), str::len)
    }

    /// The nearest place at or before `at` where a character begins.
    pub(super) fn floor(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The line of a byte, from 0.
    fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The length of the longest line from that of byte `start` to that of byte `end`.
    pub(super) fn longest_line(&self, start: usize, end: usize) -> usize {
        let (first, last) = (self.line_of(start), self.line_of(end));
        (first..=last).map(|line| self.end_of(line) - self.lines.get(line).copied().unwrap_or(0)).max().unwrap_or(0)
    }

    /// One past the end of a line, its line end included.
    fn end_of(&self, line: usize) -> usize {
        self.lines.get(line + 1).copied().unwrap_or(self.text.len())
    }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let place = self.line_of(start);
        let (first, last) = (place.saturating_sub(before), self.line_of(end.saturating_sub(1).max(start)) + after);
        let last = last.min(self.lines.len().saturating_sub(1));
        let (from, to) = (self.lines.get(first).copied().unwrap_or(0), self.end_of(last));
        // Without context miette asks for the place itself: then the column is counted, in characters.
        let (from, column) =
            if before == 0 { (start, self.text.get(from..start).map_or(0, |t| t.chars().count())) } else { (from, 0) };
        let data = self.text.as_bytes().get(from..to.max(from)).unwrap_or_default();
        let shown = SourceSpan::from(from..to.max(from));
        let contents = MietteSpanContents::new_named(self.name.clone(), data, shown, first, column, last - first + 1);
        Ok(Box::new(contents))
    }
}
