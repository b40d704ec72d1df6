//! Actions, and what the words of an action lead to.

use std::collections::BTreeSet;

use crate::decide::guard_words;
use crate::model::{Action, By, Chain, Model, Outcome, TableId, parity_name, show_action, show_by};
use crate::syntax::tree::{ActionExpr, ActionKind, Item, ItemKind};
use crate::words::Verb;

use super::prose;
use super::tree::{Block, Entry, Line, Piece, Section, code, link, quiet, text};
use super::written::{Home, Written};

/// The name of a table for links.
pub(super) fn table_id(name: &str) -> String {
    format!("table:{}", name.replace(' ', "+"))
}

/// The name of a row for links: by its own name where that is a plain one, else by its place.
pub(super) fn row_id(table: &str, name: Option<&str>, place: usize) -> String {
    let plain = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let row = name.filter(plain).map_or_else(|| (place + 1).to_string(), str::to_string);
    format!("row:{}/{row}", table.replace(' ', "+"))
}

/// A row as it is spoken of, `recovery/stale`, leading to its place.
pub(super) fn row_link(model: &Model, table: TableId, row: usize) -> Piece {
    let Some(found) = model.tables.get(table.0) else { return text("") };
    let head = found.rows.get(row).map(crate::model::Row::head);
    let label = head.map_or_else(|| format!("#{}", row + 1), |head| head.label(row));
    link(row_id(&found.name, head.and_then(|h| h.name), row), format!("{}/{label}", found.name))
}

/// One action, what it names leading to its place.
pub(super) fn action(model: &Model, action: &Action) -> Line {
    let mut line = vec![Piece::Verb(action.verb())];
    let named = |kind: &str, name: &str| link(format!("{kind}:{name}"), name);
    let backoff = |place: &Option<usize>| place.and_then(|b| model.backoffs.get(b)).map(|b| &*b.name);
    match action {
        Action::Stop { reason } | Action::Done { reason } => {
            line.extend(reason.iter().flat_map(|said| [text(" "), Piece::Said(said.to_string())]));
        }
        Action::Review { queue } => line.extend(queue.iter().flat_map(|q| [text(" "), code(q.to_string())])),
        Action::Failover { parity } => {
            line.extend([text(" to "), named("parity", parity_name(model, *parity))]);
        }
        Action::Reconcile { by: By::Locator(place), .. } => {
            let name = show_by(model, By::Locator(*place));
            line.extend([text(" by "), named("locator", name)]);
            line.extend(rest(model, action, &format!("by {name}")));
        }
        Action::Retry { backoff: place, .. } => {
            if let Some(name) = backoff(place) {
                line.extend([text(" after "), named("backoff", name)]);
                line.extend(rest(model, action, &format!("after {name}")));
            } else {
                line.extend(rest(model, action, ""));
            }
        }
        Action::Wait | Action::Hedge { .. } | Action::Reconcile { .. } => line.extend(rest(model, action, "")),
    }
    line
}

/// What an action says behind its verb and some words.
fn rest(model: &Model, action: &Action, words: &str) -> Option<Piece> {
    let shown = show_action(model, action);
    let rest = shown.strip_prefix(action.verb().as_str()).unwrap_or_default();
    let rest = rest.strip_prefix(&format!(" {words}")).unwrap_or(rest);
    let rest = rest.trim_start_matches(' ');
    let blank = if rest.starts_with(',') { "" } else { " " };
    (!rest.is_empty()).then(|| text(format!("{blank}{rest}")))
}

/// An action with its ways for refusal, one a line; `named` is what the row calls it.
pub(super) fn chain(model: &Model, chain: &Chain, named: Option<&str>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (i, step) in chain.actions.iter().enumerate() {
        let mut line = match i {
            0 => Line::new(),
            _ if i < chain.stated => vec![quiet("if refused: ")],
            _ => vec![quiet("if refused, as the row says nothing: ")],
        };
        line.extend(action(model, step));
        if let Some(name) = named.filter(|_| i == 0) {
            line.extend([quiet(" as "), link(format!("action:{name}"), name)]);
        }
        lines.push(line);
    }
    lines
}

/// What a row gives: an action, or another table.
pub(super) fn outcome(model: &Model, outcome: &Outcome, written: Option<&ActionExpr>) -> Vec<Line> {
    match outcome {
        Outcome::Act(found) => {
            let named =
                written.and_then(|w| if let ActionKind::Named(name) = &w.verb { Some(&*name.text) } else { None });
            chain(model, found, named)
        }
        Outcome::See(table) => {
            let name = model.tables.get(table.0).map_or("", |t| &*t.name);
            vec![vec![text("see table "), link(table_id(name), name)]]
        }
        Outcome::Values(_) => Vec::new(),
    }
}

/// Every action of every row, ways for refusal included.
pub(super) fn every(model: &Model) -> impl Iterator<Item = &Action> {
    let rows = model.tables.iter().flat_map(|table| &table.rows);
    rows.flat_map(|row| if let Outcome::Act(chain) = &row.outcome { &*chain.actions } else { &[] })
}

/// The verbs that some row may come to, most cautious first.
pub(super) fn verbs(model: &Model) -> Vec<Verb> {
    every(model).map(Action::verb).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What the actions ask, and those that have names.
pub(super) fn section(model: &Model, written: &Written) -> Section {
    let mut section = Section::new("actions", vec![text("Actions and guards")]);
    let words = "A row says what is wanted. Whether it may happen is judged besides, by the guard of its action; where that \
                 refuses, the way behind `if refused` holds. From the most cautious to the least:";
    section.blocks.push(Block::Para(prose::line(words)));
    let guard = |verb: Verb| Entry {
        id: None,
        name: vec![Piece::Verb(verb)],
        blocks: vec![Block::Para(prose::line(guard_words(verb)))],
    };
    section.blocks.push(Block::Entries(verbs(model).into_iter().map(guard).collect()));
    let named: Vec<Entry> = written.items().filter_map(|item| named(model, written, item)).collect();
    if !named.is_empty() {
        let mut part = Section::new("named-actions", vec![text("Actions with a name")]);
        part.blocks.push(Block::Entries(named));
        section.parts.push(part);
    }
    section
}

/// `action NAME : ACTION`
fn named(model: &Model, written: &Written, item: &Item) -> Option<Entry> {
    let ItemKind::Action { name, .. } = &item.kind else { return None };
    let found = model.actions.get(&*name.text)?;
    let mut title = vec![code(&*name.text)];
    title.extend(from(&written.home(item.span)));
    let mut blocks = prose::blocks(&item.doc);
    let lines: Vec<Line> = chain(model, found, None).into_iter().take(found.stated.max(1)).collect();
    blocks.push(match lines.as_slice() {
        [one] => Block::Para(one.clone()),
        _ => Block::List(lines),
    });
    Some(Entry { id: Some(format!("action:{}", name.text)), name: title, blocks })
}

/// ` from team/facts.nisi`; nothing for what is the policy's own.
pub(super) fn from(home: &Home) -> Option<Piece> {
    home.name().map(|name| quiet(format!(" from {name}")))
}
