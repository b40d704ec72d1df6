//! Pieces of text, in bytes.

/// Which source of a [`SourceMap`](super::SourceMap) a span lies in; the first, the file that was compiled, is the default.
///
/// ```
/// assert_eq!(nisi::text::Span::default().file, nisi::text::FileId::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub(crate) u32);

/// A piece of one source: bytes `start..end`.
///
/// ```
/// let found = nisi::Policy::compile("policy a\nversion 1\nfact a : durtion\n").unwrap_err();
/// let span = found.items.iter().map(|finding| finding.span()).find(|span| span.start > 20).expect("the third line");
/// assert_eq!((found.sources.slice(span), span.range(), span.len()), ("durtion", 28..35, 7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The source.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span over bytes `start..end` of `file`.
    pub(crate) fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The same file, `start..end` counted from the start of this span.
    #[must_use]
    pub(crate) fn sub(self, start: usize, end: usize) -> Self {
        Span { file: self.file, start: self.start + start as u32, end: self.start + end as u32 }
    }

    /// From the start of this span to the end of `other`.
    #[must_use]
    pub(crate) fn to(self, other: Span) -> Self {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }

    /// The empty span at the end of this one.
    #[must_use]
    pub(crate) fn after(self) -> Self {
        Span { start: self.end, ..self }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether the span covers nothing.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The bytes as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
