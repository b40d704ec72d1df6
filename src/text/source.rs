//! Sources and their lines.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memchr_iter;

use super::{FileId, Span, literate};

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
    /// What of a Markdown file is policy, at its own place.
    policy: Option<Arc<str>>,
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
    /// A source shown under `name`. Where the name ends in `.md` or `.markdown`, the policy is what stands in the text's
    /// fences that begin with ```` ```nisi ````, all of them together; places are those in the Markdown.
    ///
    /// ```
    /// use nisi::text::Source;
    /// let source = Source::new("a.nisi", "policy a\nversion 1\n");
    /// assert_eq!(source.position(9).line, 2);
    ///
    /// let text = "# Why\n\n```nisi\npolicy a\ntable t, first row wins\n| => action |\n| stop |\n```\n";
    /// let policy = nisi::compile::compile(Source::new("why.md", text), &nisi::compile::NoSources, &Default::default());
    /// assert!(policy.policy.is_some());
    /// ```
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let (name, text): (Arc<str>, Arc<str>) = (name.into(), text.into());
        let policy = literate::is_markdown(&name).then(|| literate::policy_of(&text).into());
        let mut lines = vec![0];
        lines.extend(memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1));
        Source { name, text, policy, lines: lines.into() }
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the policy is read from: the text, or of Markdown its fences, with blanks in the place of all else.
    pub(crate) fn policy(&self) -> &str {
        self.policy.as_ref().unwrap_or(&self.text)
    }

    /// The lines of a Markdown file that are policy, counted from 0; nothing where the whole text is.
    pub(crate) fn policy_lines(&self) -> Option<Vec<Range<usize>>> {
        self.is_literate().then(|| literate::policy_lines(&self.text))
    }

    /// Whether the policy stands in the fences of a Markdown file.
    pub(crate) fn is_literate(&self) -> bool {
        self.policy.is_some()
    }

    /// What stays of it when its text goes.
    pub(crate) fn origin(&self) -> Origin {
        Origin { name: Arc::clone(&self.name), lines: Arc::clone(&self.lines) }
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

/// A new piece of a text, its lines ended as those of the text are.
#[cfg(feature = "lsp")]
pub(crate) fn with_line_ends_of(text: &str, new: &str) -> String {
    let windows = text.matches("\r\n").count() * 2 > text.matches('\n').count();
    let plain = new.replace("\r\n", "\n");
    if windows { plain.replace('\n', "\r\n") } else { plain }
}

/// A source without its text: its name, and where its lines begin.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    name: Arc<str>,
    lines: Arc<[u32]>,
}

impl Origin {
    /// One from its parts; lines by the byte offset at which each starts.
    pub(crate) fn new(name: &str, lines: Arc<[u32]>) -> Self {
        Origin { name: name.into(), lines }
    }

    /// The name it was shown under.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The byte offset at which each line starts.
    pub(crate) fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// The line of a byte offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start as usize <= offset).max(1)
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

    /// What stays of them when their texts go, by their ids.
    pub(crate) fn origins(&self) -> Arc<[Origin]> {
        self.sources.iter().map(Source::origin).collect()
    }

    /// All sources in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.sources.iter().enumerate().map(|(i, s)| (FileId(i as u32), s))
    }
}
