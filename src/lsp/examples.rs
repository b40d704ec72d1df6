//! The examples of a policy: asked by a command, told as a message, and counted above the tables.

use std::collections::BTreeSet;

use gen_lsp_types::{CodeLens, Command};
use serde_json::{Value, json};

use super::desk::Desk;
use super::prove::Proven;
use super::symbols::own_tree;
use super::uri;
use crate::syntax::tree::{ItemKind, Word};

/// The command that runs the examples of a document; its argument is the document's address.
pub(super) const COMMAND: &str = "nisi.runExamples";

/// A run of examples.
pub(super) struct Run {
    /// How loud the message is: 1 an error, 3 a word.
    pub(super) level: u8,
    /// What came of it.
    pub(super) message: String,
    /// The same for programs.
    pub(super) answer: Value,
}

/// What came of the examples of a policy, which were asked when it was proven.
pub(super) fn run(proven: &Proven) -> Run {
    let failed: Vec<&str> =
        proven.outcomes.iter().filter(|outcome| outcome.finding.is_some()).map(|outcome| &*outcome.title).collect();
    let n = proven.outcomes.len();
    let message = match (proven.policy.is_some(), n, failed.as_slice()) {
        (false, ..) => "no example was asked: only a policy without errors can answer".to_string(),
        (_, 0, _) => "this policy has no examples".to_string(),
        (_, 1, []) => "the example holds".to_string(),
        (_, _, []) => format!("all {n} examples hold"),
        (_, _, failed) => format!("{} of {n} examples fail: {}", failed.len(), failed.join("; ")),
    };
    let level = if proven.policy.is_some() && failed.is_empty() { 3 } else { 1 };
    let answer = json!({ "asked": n, "failed": failed, "message": message });
    Run { level, message, answer }
}

/// Above every `examples` the command, above every table how many of its rows some example comes by.
pub(super) fn lenses(desk: &Desk, address: &str) -> Vec<CodeLens> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let lens = |word: &Word, title: String| {
        let command = Command { title, command: COMMAND.into(), arguments: Some(vec![json!(address)]), tooltip: None };
        CodeLens { range: desk.range(&document.source, word.span), command: Some(command), data: None }
    };
    let items = own_tree(&root.draft).into_iter().flat_map(|tree| &tree.items);
    let lenses = items.filter_map(|item| match &item.kind {
        ItemKind::Examples { table_name, .. } => Some(lens(table_name, "run examples".into())),
        ItemKind::Table { name, .. } => {
            let (covered, all) = coverage(root.proven.as_ref()?, &name.text)?;
            Some(lens(name, format!("{covered} of {all} rows covered by examples")))
        }
        _ => None,
    });
    lenses.collect()
}

/// How many rows of a table some example comes by, and how many there are.
fn coverage(proven: &Proven, table: &str) -> Option<(usize, usize)> {
    let rows = proven.policy.as_ref()?.rows().filter(|row| row.table() == table);
    let reached: BTreeSet<&str> = proven.outcomes.iter().flat_map(|outcome| &outcome.path).map(|row| &**row).collect();
    let rows: Vec<bool> = rows.map(|row| reached.contains(row.to_string().as_str())).collect();
    Some((rows.iter().filter(|covered| **covered).count(), rows.len()))
}
