//! What lies on the desk: the open documents, and what each of them turned out to be.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use gen_lsp_types::{
    Location, OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextDocumentIdentifier, TextEdit,
    WorkspaceEdit,
};

use super::documents::{Document, Texts};
use super::names::Names;
use super::place::{Encoding, Lines};
use super::prove::Proven;
use super::ran::Ran;
use super::uri;
use crate::compile::{self, Draft};
use crate::diag::Diagnostics;
use crate::text::{Source, Span};

/// An open document as a compilation of its own.
pub(super) struct Root {
    /// What was read and resolved.
    pub(super) draft: Draft,
    /// The reading's number; what a proof of another one says is dropped.
    pub(super) reading: u64,
    /// What the proofs and the examples of this text said; nothing while they are under way.
    pub(super) proven: Option<Proven>,
    /// The files in which something was published of it.
    pub(super) shown: BTreeSet<String>,
    /// Its names, once somebody asked.
    names: OnceCell<Names>,
}

impl Root {
    /// The proofs, where they are of this very reading.
    pub(super) fn current(&self) -> Option<&Proven> {
        self.proven.as_ref().filter(|proven| proven.reading == self.reading)
    }

    /// The best that is known: with the proofs, once they are made.
    pub(super) fn findings(&self) -> &Diagnostics {
        self.proven.as_ref().map_or(&self.draft.diagnostics, |proven| &proven.diagnostics)
    }

    /// Every name of the compilation.
    pub(super) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(&self.draft.units))
    }

    /// Whether it reads a file.
    pub(super) fn reads(&self, name: &str) -> bool {
        self.draft.diagnostics.sources.iter().any(|(_, source)| source.name() == name)
    }

    /// Whether it names a file that is not there.
    pub(super) fn misses_a_file(&self) -> bool {
        self.draft.diagnostics.items.iter().any(|d| d.code.id == "N0250")
    }
}

/// What the client can do.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the client")]
pub(super) struct Client {
    /// Edits may name the versions that they are for.
    pub(super) versioned_edits: bool,
    /// It asks again for lenses when told.
    pub(super) refreshes_lenses: bool,
    /// It watches files on our behalf.
    pub(super) watches_files: bool,
    /// It opens documents whose text the server gives.
    pub(super) opens_content: bool,
}

/// The desk.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) encoding: Encoding,
    pub(super) client: Client,
    /// The folders that the editor has open.
    pub(super) folders: Vec<String>,
    /// The open documents by name.
    pub(super) documents: BTreeMap<String, Document>,
    /// What each policy or vocabulary among them turned out to be.
    pub(super) roots: BTreeMap<String, Root>,
    /// What came of each case file among them.
    pub(super) ran: BTreeMap<String, Ran>,
    readings: u64,
}

impl Desk {
    /// The texts of this moment.
    pub(super) fn texts(&self) -> Texts {
        Texts(self.documents.iter().map(|(name, document)| (name.clone(), document.source.clone())).collect())
    }

    /// Reads a document again; the number of the reading.
    pub(super) fn read(&mut self, name: &str) -> Option<u64> {
        let source = self.documents.get(name)?.source.clone();
        let draft = compile::draft(source, &self.texts());
        self.readings += 1;
        let shown = self.roots.remove(name).map(|old| old.shown).unwrap_or_default();
        let root = Root { draft, reading: self.readings, proven: None, shown, names: OnceCell::new() };
        self.roots.insert(name.to_string(), root);
        Some(self.readings)
    }

    /// Has a document proven once more as it was read: what stands beside it is another by now.
    pub(super) fn renew(&mut self, name: &str) {
        if let Some(root) = self.roots.get_mut(name) {
            self.readings += 1;
            root.reading = self.readings;
        }
    }

    /// The open documents that a change of a file may touch, that file left out.
    pub(super) fn dependents(&self, name: &str) -> Vec<String> {
        let touched = |(other, root): &(&String, &Root)| *other != name && (root.reads(name) || root.misses_a_file());
        self.roots.iter().filter(touched).map(|(other, _)| other.clone()).collect()
    }

    /// Whether a source is the text that its file has now, as far as the editor knows.
    pub(super) fn is_current(&self, source: &Source) -> bool {
        match self.documents.get(source.name()) {
            Some(document) => document.is(source),
            None => uri::is_file(source.name()),
        }
    }

    /// The range of a span in its source.
    pub(super) fn range(&self, source: &Source, span: Span) -> Range {
        let text = source.text();
        match self.documents.get(source.name()).filter(|document| document.is(source)) {
            Some(document) => document.lines.range(text, span.range(), self.encoding),
            None => Lines::of(text).range(text, span.range(), self.encoding),
        }
    }

    /// The place of a span; nothing where the editor cannot open its source, or where it has changed since.
    pub(super) fn location(&self, source: &Source, span: Span) -> Option<Location> {
        let range = self.is_current(source).then(|| self.range(source, span))?;
        Some(Location { uri: self.uri(source.name()).into(), range })
    }

    /// The address of a file: as the editor writes it, where it is open.
    pub(super) fn uri(&self, name: &str) -> String {
        self.documents.get(name).map_or_else(|| uri::uri_of(name), |document| document.uri.clone())
    }

    /// Edits by file, as the client takes them.
    pub(super) fn workspace_edit(&self, edits: BTreeMap<String, Vec<TextEdit>>) -> WorkspaceEdit {
        if !self.client.versioned_edits {
            let changes = edits.into_iter().map(|(name, edits)| (self.uri(&name).into(), edits)).collect();
            return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
        }
        let changes = edits.into_iter().map(|(name, edits)| {
            let version = self.documents.get(&name).map(|document| document.version);
            let identifier = TextDocumentIdentifier { uri: self.uri(&name).into() };
            let text_document = OptionalVersionedTextDocumentIdentifier::new(version, identifier);
            TextDocumentEdit::new(text_document, edits.into_iter().map(Into::into).collect()).into()
        });
        WorkspaceEdit { document_changes: Some(changes.collect()), ..WorkspaceEdit::default() }
    }
}
