//! A policy to Markdown: each table under its head, everything else in fences, and nothing left out.

use super::place::Refused;
use super::sheet::{docs_start, line_start};
use crate::format::{Options, format};
use crate::syntax;
use crate::syntax::tree::{Item, ItemKind};
use crate::text::{FileId, Source, Span};

/// The document of a policy.
pub(super) fn write(source: &Source, digest: &str) -> Result<String, Refused> {
    if source.is_literate() {
        let message = format!("`{}` is Markdown already", source.name());
        return Err(Refused::new(message, "it is read as it stands wherever a policy is"));
    }
    let text = match format(source.text(), &Options::default()) {
        Ok(formatted) => formatted.text,
        Err(_) => source.text().to_string(),
    };
    let parsed = syntax::parse(FileId::default(), &text).file;
    let name = parsed.items.iter().find_map(|item| match &item.kind {
        ItemKind::Policy(name) => Some(name.text.to_string()),
        _ => None,
    });
    let mut out = format!("# {}\n", name.unwrap_or_default());
    if !digest.is_empty() {
        out.extend(["\nThe policy with the digest `", digest, "`.\n"]);
    }
    let mut at = 0;
    for item in &parsed.items {
        let Some((head, lines)) = rendered(item, &text, &parsed.comments) else { continue };
        let start = line_start(&text, item.span.start as usize);
        let docs_start = docs_start(&text, start);
        fence(&mut out, text.get(at..docs_start).unwrap_or_default());
        let docs = text.get(docs_start..start).unwrap_or_default();
        out.extend(["\n## `", &*head, "`\n"]);
        if !docs.is_empty() {
            out.push('\n');
            for line in docs.lines() {
                out.extend([line.trim_start_matches("##").trim(), "\n"]);
            }
        }
        out.extend(["\n", lines.trim_end(), "\n"]);
        at = end_of(&text, item);
    }
    fence(&mut out, text.get(at..).unwrap_or_default());
    Ok(out)
}

/// The head of an item and the lines of its table and reasons, where it can stand outside a fence: no comment in it would be
/// lost, and its head is a line.
fn rendered<'t>(item: &Item, text: &'t str, comments: &[Span]) -> Option<(String, &'t str)> {
    if !matches!(
        item.kind,
        ItemKind::Table { .. } | ItemKind::Tighten { .. } | ItemKind::Derive { .. } | ItemKind::Classify { .. }
    ) {
        return None;
    }
    let (start, end) = (item.span.start as usize, end_of(text, item));
    if comments.iter().any(|c| (c.start as usize) >= start && (c.start as usize) < end) {
        return None;
    }
    let whole = text.get(start..end)?;
    let bar = whole.find("\n|")? + 1;
    let head = whole.get(..bar)?.split_whitespace().collect::<Vec<_>>().join(" ");
    // A doc that reads as something else in Markdown stays in its fence.
    let docs = text.get(docs_start(text, start)..line_start(text, start))?;
    let plain = docs.lines().all(|l| {
        let told = l.trim_start_matches('#').trim();
        !told.is_empty() && !told.starts_with(['#', '|', '`', '~']) && !told.contains('|')
    });
    (plain && !head.contains('`')).then(|| (head, whole.get(bar..).unwrap_or_default()))
}

/// The end of an item's last line.
fn end_of(text: &str, item: &Item) -> usize {
    let end = item.span.end as usize;
    text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| end + n + 1)
}

/// Text that is no table, in a fence that is coloured and that no literate policy is.
fn fence(out: &mut String, text: &str) {
    let text = text.trim_matches('\n');
    if !text.trim().is_empty() {
        out.extend(["\n```nisi words\n", text.trim_end(), "\n```\n"]);
    }
}
