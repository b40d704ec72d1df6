//! The tables of a policy, ready to be written elsewhere: what was written beside what it means.

use std::sync::Arc;

use crate::compile::Draft;
use crate::model::{Column, Cond, Fact, FactId, FactSource, Role, Row, Table, ValueSet};
use crate::syntax::tree::{ColumnKind, Item, ItemKind};
use crate::text::Span;

/// A table or a derive.
pub(super) struct Sheet<'d> {
    /// The item that it is.
    pub(super) item: &'d Item,
    /// What it means.
    pub(super) table: &'d Table,
    /// The facts that it gives; nothing where it answers with actions.
    pub(super) outputs: Vec<FactId>,
    /// The file that has it, where that is not the policy's own: `std.facts`.
    pub(super) from: Option<String>,
    /// The tests of its promise as they are written.
    pub(super) when: String,
    /// Its way for refusal as it is written.
    pub(super) refused: String,
    /// The rows.
    pub(super) rows: Vec<SheetRow<'d>>,
}

/// A row.
pub(super) struct SheetRow<'d> {
    /// What it means.
    pub(super) row: &'d Row,
    /// What each column of a fact takes; nothing is everything.
    pub(super) cells: Vec<Option<Taken>>,
    /// The tests of the column `also`.
    pub(super) also: Vec<(FactId, Taken)>,
    /// What stands in each column behind `=>`.
    pub(super) outputs: Vec<String>,
}

/// What a cell takes, and how it is written.
#[derive(Clone)]
pub(super) struct Taken {
    pub(super) set: Arc<ValueSet>,
    pub(super) text: String,
}

impl Sheet<'_> {
    /// The facts that its columns test.
    pub(super) fn facts(&self) -> impl Iterator<Item = FactId> {
        self.table.columns.iter().filter_map(|column| match column {
            Column::Fact(fact) => Some(*fact),
            _ => None,
        })
    }
}

/// The text of a span.
pub(super) fn slice(draft: &Draft, span: Span) -> &str {
    draft.diagnostics.sources.get(span.file).policy().get(span.range()).unwrap_or_default()
}

/// The line of a span, from 1.
pub(super) fn line(draft: &Draft, span: Span) -> usize {
    draft.diagnostics.sources.get(span.file).position(span.start as usize).line
}

/// The tables and derives of a policy, in file order, those of the files that it uses first.
pub(super) fn sheets(draft: &Draft) -> Vec<Sheet<'_>> {
    let mut out = Vec::new();
    for unit in &draft.units {
        for item in &unit.tree.items {
            let (name, refused, promise) = match &item.kind {
                ItemKind::Table { name, refused, promise, .. } => (&name.text, refused.as_ref(), &promise[..]),
                ItemKind::Derive { outputs, .. } => match outputs.first() {
                    Some((name, _)) => (&name.text, None, &[][..]),
                    None => continue,
                },
                _ => continue,
            };
            let model = &draft.model;
            let derive = model.derives.iter().find(|derive| derive.table.name.as_ref() == &**name);
            let found = model.tables.iter().find(|table| table.name.as_ref() == &**name);
            let is_derive = matches!(item.kind, ItemKind::Derive { .. });
            let Some(table) = (if is_derive { derive.map(|d| &d.table) } else { found }) else { continue };
            let when = promise.first().zip(promise.last());
            let when = when.map_or_else(String::new, |(first, last)| {
                let end =
                    last.at.start + last.cell.alternatives.iter().flatten().map(|atom| atom.end).max().unwrap_or(0);
                slice(draft, Span { end, ..first.fact.span }).to_string()
            });
            let way = refused.map_or_else(String::new, |way| slice(draft, chain_span(way)).to_string());
            let from =
                (unit.role != Role::Main).then(|| draft.diagnostics.sources.get(table.span.file).name().to_string());
            let outputs =
                derive.filter(|_| is_derive).map_or_else(Vec::new, |d| d.outputs.iter().map(|o| o.fact).collect());
            let rows = rows(draft, item, table);
            out.push(Sheet { item, table, outputs, from, when, refused: way, rows });
        }
    }
    out
}

/// The place of an action and all its ways for refusal.
fn chain_span(action: &crate::syntax::tree::ActionExpr) -> Span {
    let mut last = action;
    while let Some(next) = &last.refused {
        last = next;
    }
    Span { end: last.span.end, ..action.span }
}

fn rows<'d>(draft: &Draft, item: &Item, table: &'d Table) -> Vec<SheetRow<'d>> {
    let (ItemKind::Table { table: grid, .. } | ItemKind::Derive { table: grid, .. }) = &item.kind else {
        return Vec::new();
    };
    let row = |(row, written): (&'d Row, &crate::syntax::tree::Row)| {
        let mut rest: Vec<_> = row.conds.iter().collect();
        let taken = |cond: &Cond| {
            let text = slice(draft, cond.span);
            // A test of `also` is written with its fact.
            let cell =
                text.strip_prefix(&*draft.model.fact(cond.fact).name).and_then(|t| t.trim_start().strip_prefix("is "));
            Taken { set: Arc::clone(&cond.set), text: cell.unwrap_or(text).trim().to_string() }
        };
        let mut cells = Vec::new();
        for column in &table.columns {
            let Column::Fact(fact) = column else { continue };
            let at = rest.iter().position(|cond| cond.fact == *fact);
            cells.push(at.map(|at| taken(rest.remove(at))));
        }
        let outputs = grid.columns.iter().zip(&written.cells).filter(|(column, _)| column.kind == ColumnKind::Output);
        SheetRow {
            row,
            cells,
            also: rest.into_iter().map(|cond| (cond.fact, taken(cond))).collect(),
            outputs: outputs.map(|(_, cell)| slice(draft, cell.span).to_string()).collect(),
        }
    };
    table.rows.iter().zip(&grid.rows).map(row).collect()
}

/// Whether a fact comes from a derive, and which one: by its place.
pub(super) fn derive_of(fact: &Fact) -> Option<(usize, usize)> {
    match fact.source {
        FactSource::Derived { derive, output } => Some((derive, output)),
        _ => None,
    }
}

/// Where the line of a place begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |n| n + 1)
}

/// Where the documentation right above an item begins; where it has none, the item's first line.
pub(super) fn docs_start(text: &str, at: usize) -> usize {
    let mut start = line_start(text, at);
    while start > 0 {
        let before = line_start(text, start - 1);
        if !text.get(before..start).is_some_and(|line| line.starts_with("##")) {
            break;
        }
        start = before;
    }
    start
}
