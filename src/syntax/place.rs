//! From the text that is parsed back to the text as written.
//!
//! The lexical pass hands on a text in which a full-width bar is a bar and an invisible character is gone. A [`Map`]
//! holds the places where the two differ; [`At`] turns places counted from some start into spans of the original.

use crate::diag::Diagnostic;
use crate::text::{FileId, Span};

/// One place where the parsed text differs from the original.
#[derive(Debug, Clone, Copy)]
struct Swap {
    parsed: u32,
    parsed_len: u32,
    original: u32,
    original_len: u32,
}

/// The places where the parsed text differs, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Map {
    swaps: Vec<Swap>,
}

impl Map {
    /// Notes that `original_len` bytes from `original` became `parsed_len` bytes at `parsed`.
    pub(super) fn swap(&mut self, parsed: usize, parsed_len: usize, original: usize, original_len: usize) {
        self.swaps.push(Swap {
            parsed: parsed as u32,
            parsed_len: parsed_len as u32,
            original: original as u32,
            original_len: original_len as u32,
        });
    }

    /// The original place of a place in the parsed text.
    pub(super) fn original(&self, at: usize) -> usize {
        let i = self.swaps.partition_point(|s| s.parsed as usize <= at);
        let Some(s) = i.checked_sub(1).and_then(|i| self.swaps.get(i)) else { return at };
        let inside = at - s.parsed as usize;
        match inside.checked_sub(s.parsed_len as usize) {
            Some(beyond) => s.original as usize + s.original_len as usize + beyond,
            None => s.original as usize,
        }
    }

    /// Whether something between the two places differs.
    pub(super) fn touches(&self, start: usize, end: usize) -> bool {
        let i = self.swaps.partition_point(|s| (s.parsed as usize) < start);
        self.swaps.get(i).is_some_and(|s| s.parsed as usize <= end)
    }
}

/// A start from which places are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) file: FileId,
    pub(super) map: &'a Map,
    pub(super) base: usize,
}

impl At<'_> {
    /// The same text, counted from `by` further on.
    pub(super) fn further(self, by: usize) -> Self {
        At { base: self.base + by, ..self }
    }

    /// The span of the original text for `start..end` counted from here.
    pub(super) fn span(self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.map.original(self.base + start), self.map.original(self.base + end))
    }

    /// A span counted from here, as a span of the original text.
    pub(super) fn place(self, local: Span) -> Span {
        self.span(local.start as usize, local.end as usize)
    }

    /// A finding whose places are counted from here, with its places in the original text.
    pub(super) fn finding(self, mut finding: Diagnostic) -> Diagnostic {
        for label in &mut finding.labels {
            label.span = self.place(label.span);
        }
        for edit in finding.fixes.iter_mut().flat_map(|f| f.edits.iter_mut()) {
            edit.span = self.place(edit.span);
        }
        finding
    }
}

/// A span counted from the start of the piece that is parsed; [`At::finding`] puts it in its place.
pub(super) fn local(start: usize, end: usize) -> Span {
    Span::new(FileId::default(), start, end)
}

/// The map of a text that is parsed as written.
pub(super) static EMPTY: Map = Map { swaps: Vec::new() };

impl At<'static> {
    /// Places that count from the start of the text.
    pub(super) fn local() -> Self {
        At { file: FileId(0), map: &EMPTY, base: 0 }
    }
}
