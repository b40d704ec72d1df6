//! Text to tree: limits, characters, skeleton, then every item by itself.

use super::findings::Sink;
use super::grid::{self, Cache};
use super::place::At;
use super::skeleton::{self, Piece, RawItem, Skeleton, joined};
use super::tree::{ActionExpr, File, Grid, Item, ItemKind, Test, Word};
use super::{actions, blocks, conditions, heads, lexical, limits};
use crate::diag::Diagnostic;
use crate::text::FileId;

/// A file that was read, with what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// What could be read.
    pub file: File,
    /// The findings, in no particular order.
    pub findings: Vec<Diagnostic>,
}

/// Reads a policy. It never fails: what cannot be read has its finding, and the rest is in the tree.
pub fn parse(file: FileId, text: &str) -> Parsed {
    read(file, text, |_, _, _| ())
}

/// Reads a policy, and hands on the pieces of the parsed text that each item is made of.
pub(super) fn read(file: FileId, text: &str, mut item: impl FnMut(&str, &RawItem, At<'_>)) -> Parsed {
    let mut sink = Sink::default();
    let mut tree = File::default();
    if let Some(finding) = limits::check(file, text) {
        return Parsed { file: tree, findings: vec![finding] };
    }
    let clean = lexical::clean(file, text, &mut sink);
    let at = At { file, map: &clean.map, base: 0 };
    let Skeleton { items, mut comments } = skeleton::split(&clean.text, at, &mut sink);
    let mut cache = Cache::default();
    for raw in &items {
        item(&clean.text, raw, at);
        if sink.stopped {
            break;
        }
        let mut reader = Reader { text: &clean.text, at, cache: &mut cache, sink: &mut sink, comments: &mut comments };
        let (kind, broken) = reader.item(raw);
        tree.broken.extend(broken);
        tree.lost_table |= kind.is_none() && matches!(raw.keyword, "table" | "");
        tree.lost_use |= kind.is_none() && matches!(raw.keyword, "use" | "restricts");
        tree.items.extend(kind.map(|kind| Item { doc: raw.doc.clone(), span: at.span(raw.start, raw.end), kind }));
    }
    comments.sort_unstable_by_key(|c| c.start);
    tree.comments = comments.iter().map(|c| at.span(c.start, c.end)).collect();
    Parsed { file: tree, findings: sink.list }
}

/// Reads one action by itself, as a cell would hold it; places count from the start of the text.
///
/// # Errors
/// What is wrong with it.
pub fn parse_action(text: &str) -> Result<ActionExpr, Box<Diagnostic>> {
    actions::parse(text)
}

struct Reader<'t, 'r> {
    text: &'t str,
    at: At<'r>,
    cache: &'r mut Cache<'t>,
    sink: &'r mut Sink,
    comments: &'r mut Vec<Piece>,
}

impl Reader<'_, '_> {
    /// Reads one item: what it is, and the names it fails to declare.
    fn item(&mut self, raw: &RawItem) -> (Option<ItemKind>, Vec<Word>) {
        let (lines, block) = if raw.has_block() {
            let (lines, block) = blocks::read(self.text, raw, self.at, self.sink);
            (lines, Some(block))
        } else {
            (raw.head.clone(), None)
        };
        let text = joined(self.text, &lines);
        let base = lines.first().map_or(raw.word_end, |l| l.start);
        let head = heads::read(raw.keyword, &text, At { base, ..self.at });
        let mut kind = head.kind;
        if let Some(mistake) = head.mistake.filter(|_| !raw.guessed || kind.is_some()) {
            self.sink.push(mistake);
        }
        if let (Some(read), Some(kind)) = (block, &mut kind) {
            match kind {
                ItemKind::Budget(b) => *b = read,
                ItemKind::Backoff { block, .. } | ItemKind::Locator { block, .. } | ItemKind::Parity { block, .. } => {
                    *block = read;
                }
                _ => {}
            }
        }
        if raw.has_table() {
            self.table(raw, &mut kind);
        }
        (kind, head.broken)
    }

    /// Reads the table of an item into it; without a head its cells are still checked.
    fn table(&mut self, raw: &RawItem, kind: &mut Option<ItemKind>) {
        let outputs: Vec<Word> = match &kind {
            Some(ItemKind::Derive { outputs, .. }) => outputs.iter().map(|(name, _)| name.clone()).collect(),
            Some(ItemKind::Classify { outputs, .. }) => outputs.clone(),
            _ => Vec::new(),
        };
        let read = grid::read(self.text, raw, &outputs, self.at, self.cache, self.sink, self.comments);
        let tests = self.given(raw);
        match kind {
            Some(
                ItemKind::Derive { table, .. }
                | ItemKind::Classify { table, .. }
                | ItemKind::Table { table, .. }
                | ItemKind::Tighten { table, .. },
            ) => fill(table, read),
            Some(ItemKind::Examples { table, given, .. }) => {
                fill(table, read);
                *given = tests;
            }
            _ => {}
        }
    }

    /// The tests of the `given` line.
    fn given(&mut self, raw: &RawItem) -> Vec<Test> {
        let Some(first) = raw.given.first() else { return Vec::new() };
        let text = joined(self.text, &raw.given);
        let at = self.at.further(first.start);
        match conditions::parse(text.trim_end()) {
            Ok(tests) => conditions::placed(&tests, at),
            Err(mistake) => {
                self.sink.push(at.finding(*mistake));
                Vec::new()
            }
        }
    }
}

/// Puts a table in its place; damage of the head stays.
fn fill(place: &mut Grid, read: Grid) {
    let damaged = place.damaged;
    *place = read;
    place.damaged |= damaged;
}
