//! The examples of a policy: asked by a command, told as a message, and counted above the tables.

use std::collections::BTreeSet;

use gen_lsp_types::{CodeLens, Command};
use serde_json::{Value, json};

use super::desk::Desk;
use super::prove::Proven;
use super::ran::Ran;
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

/// What came of the examples of a policy and of the cases beside it, which were asked when it was proven.
pub(super) fn run(proven: &Proven) -> Run {
    let examples = proven.outcomes.iter().filter(|outcome| outcome.finding.is_some()).map(|outcome| &*outcome.title);
    let cases = proven.ran.iter().flat_map(|ran| &ran.failed).map(String::as_str);
    let failed: Vec<&str> = examples.chain(cases).collect();
    let n_cases = proven.ran.iter().map(|ran| ran.n).sum::<usize>();
    let n_errors = proven.ran.iter().map(|ran| ran.n_errors).sum::<usize>();
    let n = proven.outcomes.len() + n_cases;
    let what = match (proven.outcomes.len(), n_cases) {
        (_, 0) => "examples",
        (0, _) => "cases",
        _ => "examples and cases",
    };
    let one = if n_cases == 0 { "example" } else { "case" };
    let mut message = match (proven.policy.is_some(), n, failed.as_slice()) {
        (false, ..) => "no example was asked: only a policy without errors can answer".to_string(),
        (_, 0, _) => "this policy has no examples".to_string(),
        (_, 1, []) => format!("the {one} holds"),
        (_, _, []) => format!("all {n} {what} hold"),
        (_, _, failed) => format!("{} of {n} {what} fail: {}", failed.len(), failed.join("; ")),
    };
    if n_errors > 0 {
        message = format!("{message}; {n_errors} cannot be asked");
    }
    let level = if proven.policy.is_some() && failed.is_empty() && n_errors == 0 { 3 } else { 1 };
    let answer = json!({ "asked": n, "failed": failed, "errors": n_errors, "message": message });
    Run { level, message, answer }
}

/// Above the policy how many cases pass, above every `examples` the command, above every table how many of its rows some
/// example or case comes by.
pub(super) fn lenses(desk: &Desk, address: &str) -> Vec<CodeLens> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let lens = |word: &Word, title: String| {
        let command = Command { title, command: COMMAND.into(), arguments: Some(vec![json!(address)]), tooltip: None };
        CodeLens { range: desk.range(&document.source, word.span), command: Some(command), data: None }
    };
    let items = own_tree(&root.draft).into_iter().flat_map(|tree| &tree.items);
    let lenses = items.filter_map(|item| match &item.kind {
        ItemKind::Policy(name) => Some(lens(name, passed(root.proven.as_ref()?)?)),
        ItemKind::Examples { table_name, .. } => Some(lens(table_name, "run examples".into())),
        ItemKind::Table { name, .. } => {
            let proven = root.proven.as_ref()?;
            let (covered, all) = coverage(proven, &name.text)?;
            let by = if proven.ran.is_empty() { "examples" } else { "examples and cases" };
            Some(lens(name, format!("{covered} of {all} rows covered by {by}")))
        }
        _ => None,
    });
    lenses.collect()
}

/// How many cases beside a policy pass; nothing where there is no case file.
fn passed(proven: &Proven) -> Option<String> {
    let sum = |of: fn(&Ran) -> usize| proven.ran.iter().map(of).sum::<usize>();
    let (n, failed, errors) = (sum(|ran| ran.n), sum(|ran| ran.failed.len()), sum(|ran| ran.n_errors));
    let mut told = match (n, failed) {
        _ if proven.ran.is_empty() => return None,
        (1, 0) => "1 case passes".to_string(),
        (_, 0) => format!("{n} cases pass"),
        _ => format!("{} of {n} cases pass", n - failed),
    };
    if errors > 0 {
        told = format!("{told}, {errors} cannot be asked");
    }
    Some(told)
}

/// How many rows of a table some example or case comes by, and how many there are.
fn coverage(proven: &Proven, table: &str) -> Option<(usize, usize)> {
    let rows = proven.policy.as_ref()?.rows().filter(|row| row.table() == table);
    let examples = proven.outcomes.iter().flat_map(|outcome| &outcome.path);
    let cases = proven.ran.iter().flat_map(|ran| &ran.rows);
    let reached: BTreeSet<&str> = examples.chain(cases).map(|row| &**row).collect();
    let rows: Vec<bool> = rows.map(|row| reached.contains(row.to_string().as_str())).collect();
    Some((rows.iter().filter(|covered| **covered).count(), rows.len()))
}
