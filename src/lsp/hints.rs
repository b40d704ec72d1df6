//! Inlay hints: behind every retry that waits, between which bounds it waits.

use gen_lsp_types::{InlayHint, InlayHintKind, Position, Range};

use super::desk::Desk;
use super::place::Lines;
use super::symbols::{grid, own_tree};
use super::{uri, waits};
use crate::model::Model;
use crate::syntax;
use crate::syntax::tree::{ActionExpr, ActionKind, ItemKind, RetryWhen, Word};

/// The hints of a range of a document.
pub(super) fn hints(desk: &Desk, address: &str, range: Range) -> Vec<InlayHint> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let text = document.source.text();
    let bytes =
        document.lines.offset(text, range.start, desk.encoding)..=document.lines.offset(text, range.end, desk.encoding);
    let mut found: Vec<Word> = Vec::new();
    for item in own_tree(&root.draft).into_iter().flat_map(|tree| &tree.items) {
        match &item.kind {
            ItemKind::Action { action, .. } => retries(action, &mut found),
            ItemKind::Table { refused: Some(action), .. } | ItemKind::Tighten { refused: Some(action), .. } => {
                retries(action, &mut found);
            }
            ItemKind::Examples { .. } => continue,
            _ => {}
        }
        for cell in grid(item).into_iter().flat_map(|grid| &grid.rows).flat_map(|row| &row.cells) {
            if let Some(action) = syntax::action_of(cell) {
                retries(&action, &mut found);
            }
        }
    }
    found.retain(|word| bytes.contains(&word.span.range().end));
    let hint = |word: &Word| hint(&root.draft.model, word, place(desk, &document.lines, text, word));
    found.iter().filter_map(hint).collect()
}

fn place(desk: &Desk, lines: &Lines, text: &str, word: &Word) -> Position {
    lines.position(text, word.span.range().end, desk.encoding)
}

/// The backoffs that an action and its ways for refusal wait by.
fn retries(action: &ActionExpr, found: &mut Vec<Word>) {
    if let ActionKind::Retry { when: Some(RetryWhen::After(word)), .. } = &action.verb {
        found.push(word.clone());
    }
    action.refused.iter().for_each(|refused| retries(refused, found));
}

fn hint(model: &Model, word: &Word, position: Position) -> Option<InlayHint> {
    let backoff = model.backoffs.iter().find(|backoff| *backoff.name == *word.text)?;
    let told = waits::of(backoff, model.budget.as_ref().map(|budget| budget.attempts));
    let tooltip = "the bounds of each wait in turn; what a receiver's `hint` asks for comes before them, and the deadline cuts \
                   their upper end";
    Some(InlayHint {
        position,
        label: format!("waits {told}").into(),
        kind: Some(InlayHintKind::Parameter),
        tooltip: Some(tooltip.to_string().into()),
        padding_left: Some(true),
        padding_right: None,
        text_edits: None,
        data: None,
    })
}
