//! What a file holds: its outline, the names of a whole workspace, and what can be folded.

use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind, WorkspaceSymbol,
};

use super::desk::Desk;
use super::{goto, uri};
use crate::compile::Draft;
use crate::syntax::tree::{File, Grid, Item, ItemKind, Row, RowKind, Word};
use crate::text::{FileId, Source, Span};

/// The most symbols that a search gives.
const MAX_SYMBOLS: usize = 1000;

/// A symbol of an item: what it is, its name, and a word on it.
struct Symbol<'t> {
    kind: SymbolKind,
    name: &'t Word,
    detail: String,
}

fn symbol(item: &Item) -> Option<Symbol<'_>> {
    let of = |kind, name, detail: &str| Some(Symbol { kind, name, detail: detail.to_string() });
    match &item.kind {
        ItemKind::Policy(name) => of(SymbolKind::Module, name, "policy"),
        ItemKind::Fact { name, .. } => of(SymbolKind::Field, name, "fact"),
        ItemKind::Backoff { name, .. } => of(SymbolKind::Object, name, "backoff"),
        ItemKind::Locator { name, .. } => of(SymbolKind::Object, name, "locator"),
        ItemKind::Parity { name, .. } => of(SymbolKind::Object, name, "parity"),
        ItemKind::Group { name, fact, .. } => of(SymbolKind::Enum, name, &format!("group of {}", fact.text)),
        ItemKind::Action { name, .. } => of(SymbolKind::Function, name, "action"),
        ItemKind::Derive { outputs, hit, .. } => {
            let (name, _) = outputs.first()?;
            of(SymbolKind::Class, name, &format!("derive, {}", hit.hit.as_str()))
        }
        ItemKind::Classify { name, hit, .. } => of(SymbolKind::Class, name, &format!("classify, {}", hit.hit.as_str())),
        ItemKind::Table { name, hit, .. } => of(SymbolKind::Class, name, &format!("table, {}", hit.hit.as_str())),
        ItemKind::Tighten { name, hit, .. } => of(SymbolKind::Class, name, &format!("tighten, {}", hit.hit.as_str())),
        ItemKind::Rule { name, .. } => of(SymbolKind::Property, name, "rule"),
        ItemKind::Waive { what, .. } => of(SymbolKind::Property, what, "waive"),
        ItemKind::Examples { table_name, .. } => of(SymbolKind::Array, table_name, "examples"),
        ItemKind::Version(_)
        | ItemKind::Owner(_)
        | ItemKind::Use(_)
        | ItemKind::Restricts { .. }
        | ItemKind::Extend { .. }
        | ItemKind::Budget(_) => None,
    }
}

/// The table of an item.
pub(super) fn grid(item: &Item) -> Option<&Grid> {
    match &item.kind {
        ItemKind::Derive { table, .. }
        | ItemKind::Classify { table, .. }
        | ItemKind::Table { table, .. }
        | ItemKind::Tighten { table, .. }
        | ItemKind::Examples { table, .. } => Some(table),
        _ => None,
    }
}

/// A row's name, or its place.
fn label(row: &Row, i: usize) -> String {
    match (&row.name, row.kind) {
        (Some(name), _) => name.text.to_string(),
        (None, RowKind::Otherwise) => "otherwise".into(),
        (None, RowKind::AnyUnknown) => "any unknown".into(),
        (None, RowKind::Plain) => format!("#{}", i + 1),
    }
}

/// The tree of the document itself.
pub(super) fn own_tree(draft: &Draft) -> Option<&File> {
    draft.units.last().map(|unit| &unit.tree)
}

/// The outline of a document.
pub(super) fn document(desk: &Desk, address: &str) -> Vec<DocumentSymbol> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let items = own_tree(&root.draft).into_iter().flat_map(|tree| &tree.items);
    items.filter_map(|item| outline(desk, &document.source, item)).collect()
}

fn outline(desk: &Desk, source: &Source, item: &Item) -> Option<DocumentSymbol> {
    let Symbol { kind, name, detail } = symbol(item)?;
    let rows = grid(item).map(|grid| {
        let rows = grid.rows.iter().enumerate().map(|(i, row)| {
            let range = desk.range(source, row.span);
            let selection_range = row.name.as_ref().map_or(range, |name| desk.range(source, name.span));
            DocumentSymbol::new(label(row, i), None, SymbolKind::Method, None, None, range, selection_range, None)
        });
        rows.collect()
    });
    let (range, selection) = (desk.range(source, item.span.to(name.span)), desk.range(source, name.span));
    Some(DocumentSymbol::new(name.text.to_string(), Some(detail), kind, None, None, range, selection, rows))
}

/// The names of all policies, open or under the editor's folders, that hold a text.
pub(super) fn workspace(desk: &Desk, query: &str) -> Vec<WorkspaceSymbol> {
    let mut found = Vec::new();
    for root in desk.roots.values() {
        search(desk, &root.draft, query, &mut found);
    }
    for draft in goto::closed(desk) {
        search(desk, &draft, query, &mut found);
    }
    found.truncate(MAX_SYMBOLS);
    found
}

fn search(desk: &Desk, draft: &Draft, query: &str, found: &mut Vec<WorkspaceSymbol>) {
    let source = draft.diagnostics.sources.get(FileId::default());
    let query = query.to_lowercase();
    for item in own_tree(draft).into_iter().flat_map(|tree| &tree.items) {
        let Some(Symbol { kind, name, detail }) = symbol(item) else { continue };
        let rows = grid(item).into_iter().flat_map(|grid| &grid.rows).filter_map(|row| row.name.as_ref());
        let own = std::iter::once((kind, name, detail));
        for (kind, word, container) in own.chain(rows.map(|row| (SymbolKind::Method, row, name.text.to_string()))) {
            if word.text.to_lowercase().contains(&query)
                && let Some(location) = desk.location(source, word.span)
            {
                let name = word.text.to_string();
                let container_name = Some(container);
                let base = BaseSymbolInformation { name, kind, container_name, tags: None };
                let location = location.into();
                found.push(WorkspaceSymbol { location, data: None, base_symbol_information: base });
            }
        }
    }
}

/// What can be folded: items of several lines, and comments that stand together.
pub(super) fn folding(desk: &Desk, address: &str) -> Vec<FoldingRange> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let Some(tree) = own_tree(&root.draft) else { return Vec::new() };
    let lines = |span: Span| {
        let range = span.range();
        (document.lines.line(range.start), document.lines.line(range.end.max(range.start + 1) - 1))
    };
    let mut folds: Vec<(usize, usize, FoldingRangeKind)> =
        tree.items.iter().map(|item| lines(item.span)).map(|(s, e)| (s, e, FoldingRangeKind::Region)).collect();
    let text = document.source.text();
    let alone = |line: usize| document.lines.text(text, line).is_some_and(|t| t.trim_start().starts_with('#'));
    let mut comments: Vec<(usize, usize)> = Vec::new();
    for line in tree.comments.iter().map(|span| lines(*span).0).filter(|line| alone(*line)) {
        match comments.last_mut() {
            Some((_, end)) if *end + 1 == line => *end = line,
            _ => comments.push((line, line)),
        }
    }
    folds.extend(comments.into_iter().map(|(s, e)| (s, e, FoldingRangeKind::Comment)));
    folds.sort_by_key(|(start, end, _)| (*start, *end));
    let fold = |(start, end, kind)| FoldingRange {
        start_line: start as u32,
        end_line: end as u32,
        kind: Some(kind),
        ..FoldingRange::default()
    };
    folds.into_iter().filter(|(start, end, _)| start < end).map(fold).collect()
}
