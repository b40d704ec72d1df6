//! Code actions: every mend of every finding at a place.

use std::collections::BTreeMap;

use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Range, TextEdit};

use super::desk::{Desk, Root};
use super::{publish, uri};
use crate::diag::{Diagnostic, Fix};

/// The mends of the findings that a range touches, those that need no look first.
pub(super) fn code_actions(desk: &Desk, params: &CodeActionParams) -> Vec<CodeAction> {
    let only = params.context.only.as_ref();
    let wanted = |kind: &CodeActionKind| ["", "quickfix"].contains(&kind.to_string().as_str());
    if only.is_some_and(|kinds| !kinds.iter().any(wanted)) {
        return Vec::new();
    }
    let name = uri::name_of(params.text_document.uri.as_ref());
    let mut actions: Vec<CodeAction> = Vec::new();
    for root in desk.roots.values() {
        for finding in root.findings().items.iter().filter(|f| touches(desk, root, f, &name, params.range)) {
            for fix in &finding.fixes {
                let action = action(desk, root, finding, fix);
                actions.extend(action.filter(|action| !actions.iter().any(|other| other.edit == action.edit)));
            }
        }
    }
    actions.sort_by_key(|action| action.is_preferred != Some(true));
    actions
}

/// Whether a finding stands in the range, by any of its places in this file.
fn touches(desk: &Desk, root: &Root, finding: &Diagnostic, name: &str, range: Range) -> bool {
    let sources = &root.findings().sources;
    finding.labels.iter().any(|label| {
        let source = sources.get(label.span.file);
        source.name() == name && desk.location(source, label.span).is_some_and(|at| meet(at.range, range))
    })
}

fn meet(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// A mend as an action; nothing where one of its texts has changed, or is no file of the editor's.
fn action(desk: &Desk, root: &Root, finding: &Diagnostic, fix: &Fix) -> Option<CodeAction> {
    let sources = &root.findings().sources;
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for edit in &fix.edits {
        let source = sources.get(edit.span.file);
        let range = desk.location(source, edit.span)?.range;
        let edit = TextEdit { range, new_text: edit.replacement.clone() };
        edits.entry(source.name().to_string()).or_default().push(edit);
    }
    Some(CodeAction {
        title: fix.title.clone(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: publish::tell(desk, sources, finding, finding.span()).map(|told| vec![told]),
        is_preferred: Some(fix.safe),
        edit: Some(desk.workspace_edit(edits)),
        ..CodeAction::default()
    })
}
