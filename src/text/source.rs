//! Sources and their lines.

use std::sync::{Arc, LazyLock};

use super::{FileId, Span};

/// What a span of no source points into.
static NOWHERE: LazyLock<Source> = LazyLock::new(|| Source::new("", ""));

/// One file: the name it is shown under and its text; a clone costs a counter.
///
/// ```
/// use nisi::text::Source;
/// let source = Source::new("orders/recovery.nisi", "policy a\n");
/// assert_eq!((source.name(), source.text()), ("orders/recovery.nisi", "policy a\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// Byte offset at which each line starts.
    lines: Arc<[u32]>,
}

/// A place for people: line and column from 1, the column counted in characters.
///
/// ```
/// let place = nisi::text::Source::new("a.nisi", "é x\n").position(3);
/// assert_eq!((place.line, place.column), (1, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// A source shown under `name`.
    ///
    /// ```
    /// use nisi::text::Source;
    /// let source = Source::new("a.nisi", "policy a\nversion 1\n");
    /// assert_eq!(source.position(9).line, 2);
    /// ```
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Source { name: name.into(), text, lines: lines.into() }
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset; an offset past the end is the end, one inside a character its start.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start as usize <= offset) - 1;
        let column = self.text[self.lines[line] as usize..offset].chars().count() + 1;
        Position { line: line + 1, column }
    }
}

/// Every source of one compilation: what the places of its findings point into.
///
/// ```
/// let found = nisi::Policy::compile("policy a\nversion 1\nuse team.facts\n").unwrap_err();
/// let names: Vec<&str> = found.sources.iter().map(|(_, source)| source.name()).collect();
/// assert_eq!(names, ["policy.nisi"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Adds a source and gives the id that its spans carry.
    pub(crate) fn add(&mut self, source: Source) -> FileId {
        self.sources.push(source);
        FileId(self.sources.len() as u32 - 1)
    }

    /// The source of an id; for an id of another map it may be another source, or an empty one without a name.
    pub fn get(&self, file: FileId) -> &Source {
        self.sources.get(file.0 as usize).unwrap_or(&NOWHERE)
    }

    /// The text of a span; empty where there is none.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).text().get(span.range()).unwrap_or("")
    }

    /// All sources in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.sources.iter().enumerate().map(|(i, s)| (FileId(i as u32), s))
    }
}
