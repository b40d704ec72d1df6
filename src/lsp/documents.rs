//! The open documents, kept in step with the editor, and the texts that a compilation reads.

use std::collections::BTreeMap;

use gen_lsp_types::TextDocumentContentChangeEvent as Change;

use super::place::{Encoding, Lines};
use super::uri;
use crate::compile::Sources;
use crate::files::{self, Disk};
use crate::text::Source;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    /// Its address, as the editor writes it.
    pub(super) uri: String,
    /// The editor's number of this text.
    pub(super) version: i32,
    /// The text, shown under its path.
    pub(super) source: Source,
    /// Its lines.
    pub(super) lines: Lines,
}

impl Document {
    pub(super) fn new(uri: &str, version: i32, text: String) -> Self {
        let lines = Lines::of(&text);
        Document { uri: uri.to_string(), version, source: Source::new(uri::name_of(uri), text), lines }
    }

    /// Takes over changes, each counted in the text that those before it leave.
    pub(super) fn change(&mut self, version: i32, changes: &[Change], encoding: Encoding) {
        let mut text = self.source.text().to_string();
        let mut lines = std::mem::replace(&mut self.lines, Lines::of(""));
        for change in changes {
            match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => text.clone_from(&whole.text),
                Change::TextDocumentContentChangePartial(part) => {
                    let one = lines.offset(&text, part.range.start, encoding);
                    let other = lines.offset(&text, part.range.end, encoding);
                    text.replace_range(one.min(other)..one.max(other), &part.text);
                }
            }
            lines = Lines::of(&text);
        }
        self.version = version;
        self.lines = lines;
        self.source = Source::new(self.source.name(), text);
    }

    /// Whether a source is this very text.
    pub(super) fn is(&self, source: &Source) -> bool {
        std::ptr::eq(self.source.text(), source.text())
    }
}

/// The texts of one moment: open documents first, then the disk.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts(pub(super) BTreeMap<String, Source>);

impl Sources for Texts {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        if !uri::is_file(beside) {
            return Ok(None);
        }
        let open = files::paths_of(name, beside).into_iter().find_map(|path| self.0.get(&path.display().to_string()));
        open.map_or_else(|| Disk.find(name, beside), |open| Ok(Some(open.clone())))
    }
}
