//! Semantic tokens: what each word of a document is.
//!
//! The text is read word by word, so that a line that cannot be understood keeps its colours; what a name stands for comes
//! from the names of the compilation.

use std::collections::BTreeMap;

use gen_lsp_types::{Range, SemanticToken, SemanticTokens};

use super::desk::{Desk, Root};
use super::names::{Kind, Mention};
use super::symbols::{grid, own_tree};
use super::{publish, uri};
use crate::syntax::keys;
use crate::syntax::tree::{File, ItemKind};
use crate::text::{FileId, Span};
use crate::words::Verb;

/// The types, in the order of their numbers.
pub(super) const TYPES: [&str; 11] = [
    "keyword",
    "comment",
    "string",
    "number",
    "property",
    "enumMember",
    "function",
    "class",
    "method",
    "variable",
    "namespace",
];
/// The modifiers, in the order of their bits.
pub(super) const MODIFIERS: [&str; 2] = ["declaration", "defaultLibrary"];

const COMMENT: u32 = 1;
const NAMESPACE: u32 = 10;
const DECLARES: u32 = 1;

/// Words that join others.
const JOINING: [&str; 41] = [
    "is",
    "and",
    "or",
    "not",
    "known",
    "unknown",
    "starts",
    "when",
    "unless",
    "if",
    "refused",
    "after",
    "now",
    "by",
    "event",
    "within",
    "to",
    "see",
    "spend",
    "of",
    "never",
    "only",
    "for",
    "because",
    "until",
    "owner",
    "step",
    "given",
    "first",
    "row",
    "rows",
    "wins",
    "highest",
    "lowest",
    "most",
    "cautious",
    "agree",
    "one",
    "at",
    "otherwise",
    "any",
];

/// The tokens of a document, of a range where one is given.
pub(super) fn tokens(desk: &Desk, address: &str, range: Option<Range>) -> Option<SemanticTokens> {
    let name = uri::name_of(address);
    let (root, document) = (desk.roots.get(&name)?, desk.documents.get(&name)?);
    let text = document.source.policy();
    let found = known(root, text);
    let between = |at: usize| {
        range.is_none_or(|range| (range.start..=range.end).contains(&document.lines.position(text, at, desk.encoding)))
    };
    let mut written = Written { previous: (0, 0), tokens: Vec::new() };
    let mut at = 0;
    while at < text.len() {
        let (end, token) = match found.get(&at) {
            Some(&(end, token)) if end > at => (end, token),
            _ => piece(text, at),
        };
        // `parity.equivalent`: a name may begin inside of a word.
        let next = found.range(at + 1..).next().map_or(text.len(), |(start, _)| *start);
        let end = end.min(next);
        if let Some((kind, modifiers)) = token.filter(|_| between(at)) {
            let place = desk.range(&document.source, Span::new(FileId::default(), at, end));
            written.put(place, desk.encoding.width(&text[at..end]), kind, modifiers);
        }
        at = end;
    }
    Some(SemanticTokens { result_id: None, data: written.tokens })
}

/// Places by their first byte: their end, and their token's type and modifiers; prose has none.
type Known = BTreeMap<usize, (usize, Option<(u32, u32)>)>;

/// What is known of the document's places: names, comments, prose.
fn known(root: &Root, text: &str) -> Known {
    let names = root.names();
    let sources = &root.draft.diagnostics.sources;
    let mut found = Known::new();
    for prose in own_tree(&root.draft).into_iter().flat_map(prose) {
        let mut start = prose.range().start;
        for line in text.get(prose.range()).unwrap_or("").split_inclusive('\n') {
            let blank = line.len() - line.trim_start().len();
            found.insert(start + blank, (start + line.trim_end().len(), None));
            start += line.len();
        }
    }
    for item in own_tree(&root.draft).into_iter().flat_map(|tree| &tree.items) {
        if let ItemKind::Policy(name) = &item.kind {
            found.insert(name.span.range().start, (name.span.range().end, Some((NAMESPACE, DECLARES))));
        }
    }
    for mention in names.in_file(FileId::default()) {
        let ships = names.declaration(&mention.name).is_some_and(|s| publish::ships(sources.get(s.file).name()));
        found.insert(
            mention.span.range().start,
            (mention.span.range().end, Some((type_of(mention), modifiers(mention, ships)))),
        );
    }
    for comment in own_tree(&root.draft).into_iter().flat_map(|tree| &tree.comments) {
        found.insert(comment.range().start, (comment.range().end, Some((COMMENT, 0))));
    }
    found
}

/// What is written for people alone: reasons, and the names of examples. Its words are none of the language.
fn prose(tree: &File) -> impl Iterator<Item = Span> {
    tree.items
        .iter()
        .flat_map(|item| {
            let grid = grid(item).into_iter();
            let names = matches!(item.kind, ItemKind::Examples { .. });
            grid.flat_map(move |grid| {
                let reasons = grid.reasons.iter().map(|reason| &reason.text);
                reasons.chain(grid.rows.iter().filter(move |_| names).filter_map(|row| row.name.as_ref()))
            })
        })
        .filter(|word| !word.quoted)
        .map(|word| word.span)
}

struct Written {
    previous: (u32, u32),
    tokens: Vec<SemanticToken>,
}

impl Written {
    /// Writes a token by its distance from the one before.
    fn put(&mut self, place: Range, length: u32, token_type: u32, token_modifiers_bitset: u32) {
        let (line, column) = (place.start.line, place.start.character);
        if place.end.line != line {
            return;
        }
        let delta_line = line - self.previous.0;
        let delta_start = if delta_line == 0 { column - self.previous.1 } else { column };
        self.previous = (line, column);
        self.tokens.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
    }
}

fn type_of(mention: &Mention) -> u32 {
    match mention.name.kind {
        Kind::Fact => 4,
        Kind::Value | Kind::Group => 5,
        Kind::Action => 6,
        Kind::Table | Kind::Classify => 7,
        Kind::Row => 8,
        Kind::Backoff | Kind::Locator | Kind::Parity | Kind::Rule | Kind::Queue => 9,
        Kind::File => NAMESPACE,
    }
}

fn modifiers(mention: &Mention, ships: bool) -> u32 {
    u32::from(mention.declares) | u32::from(ships) << 1
}

/// The piece of text at a byte that no name begins at: its end, and what it is.
fn piece(text: &str, at: usize) -> (usize, Option<(u32, u32)>) {
    let rest = &text[at..];
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let first = rest.chars().next().unwrap_or(' ');
    if first == '"' {
        let mut escaped = false;
        let end = rest[1..].find(|c| {
            let ends = c == '\n' || c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let length = end.map_or(rest.len(), |end| end + 1 + usize::from(rest[end + 1..].starts_with('"')));
        return (at + length, Some((2, 0)));
    }
    if !first.is_alphanumeric() {
        return (at + first.len_utf8(), None);
    }
    let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
    // `1..5` is two numbers.
    let end = rest[..end].find("..").filter(|dots| *dots > 0).unwrap_or(end);
    let word = &rest[..end];
    let begins_line = text[..at].ends_with('\n') || at == 0;
    let kind = match word {
        _ if first.is_ascii_digit() => Some(3),
        _ if begins_line && keys::ITEMS.contains(&word) => Some(0),
        _ if JOINING.contains(&word) || Verb::from_word(word).is_some() => Some(0),
        _ => None,
    };
    (at + end, kind.map(|kind| (kind, 0)))
}
