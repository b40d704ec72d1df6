//! Tables, derives and classifies as tables: each row with its cells as they are written, what it gives, and its reason.

use std::collections::BTreeSet;

use crate::model::{
    Column as ColumnOf, Cond, FactId, Model, Outcome, Row, Table, TableId, Value, show_set, show_value,
};
use crate::syntax::tree::{
    self, ActionExpr, AtomKind, Cell as CellTree, CellExpr, CellKind, Element, Grid as GridTree, Hit, Item, ItemKind,
    RowKind, Test,
};

use super::acts::{self, from, row_id, table_id};
use super::prose;
use super::tree::{
    Block, Cell, Column, Entry, Grid, GridRow, Kind, Line, Piece, Section, code, commas, link, quiet, text,
};
use super::written::Written;

/// What a table's rows give.
#[derive(Clone, Copy)]
pub(super) enum Gives<'a> {
    /// Actions.
    Actions,
    /// Values of these facts.
    Values(&'a [FactId]),
}

/// A policy with what is written of it.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) model: &'a Model,
    pub(super) written: &'a Written<'a>,
}

/// The decision tables.
pub(super) fn section(told: Told) -> Section {
    let mut section = Section::new("tables", vec![text("Tables")]);
    let n = told.model.tables.len();
    if let Some(first) = told.model.tables.first().filter(|_| n > 1) {
        let mut line = vec![text("A question is put to ")];
        line.extend([
            link(table_id(&first.name), &*first.name),
            text(" first; its rows answer, or hand over to others."),
        ]);
        section.blocks.push(Block::Para(line));
    }
    section.parts = (0..n).map(|place| told.table(TableId(place))).collect();
    section
}

impl<'a> Told<'a> {
    fn table(self, id: TableId) -> Section {
        let table = &self.model.tables[id.0];
        let tightens = table.name.strip_prefix("tighten ").filter(|_| self.base_of(id).is_some());
        let mut title = match tightens {
            Some(base) => vec![text("Tightens "), code(base)],
            None => vec![text("Table "), code(&*table.name)],
        };
        title.extend(from(&self.written.home(table.span)));
        let mut section = Section::new(table_id(&table.name), title);
        section.blocks = prose::blocks(self.written.doc(table.span));
        if let Some(base) = self.base_of(id).and_then(|base| self.model.tables.get(base.0)) {
            let words = " is asked, this table is asked with the same facts, and need not answer; of the two answers the more \
                         cautious one holds.";
            section.blocks.push(Block::Para(vec![
                text("Whenever "),
                link(table_id(&base.name), &*base.name),
                text(words),
            ]));
        }
        if !table.promise.is_empty() {
            let mut line = vec![text("Promised by whoever hands over to it: ")];
            let promised: Vec<&Cond> = table.promise.iter().collect();
            let promise = match self.item(table).map(|item| &item.kind) {
                Some(ItemKind::Table { promise, .. }) => self.tests(promise, &promised),
                _ => self.conds(&promised),
            };
            line.extend(join(promise, " and "));
            section.blocks.push(Block::Para(line));
        }
        section.blocks.extend(self.way(table));
        section.blocks.extend(self.grid(table, Gives::Actions));
        section
    }

    /// The table that one tightens.
    fn base_of(self, own: TableId) -> Option<TableId> {
        let overlay = self.model.overlay.as_ref()?;
        overlay.tighten.iter().find(|(_, tightening)| *tightening == own).map(|(base, _)| *base)
    }

    fn item(self, table: &Table) -> Option<&'a Item> {
        self.written.item(table.span)
    }

    /// What holds where a row has no way for refusal of its own.
    fn way(self, table: &Table) -> Option<Block> {
        let (ItemKind::Table { refused, .. } | ItemKind::Tighten { refused, .. }) = &self.item(table)?.kind else {
            return None;
        };
        let refused = refused.as_ref()?;
        let said = self.written.slice(way_span(refused))?;
        let line = vec![text("Where an action is refused and its row says nothing of that: "), code(said)];
        Some(Block::Para(line))
    }

    /// The rows, with the groups that their cells name.
    pub(super) fn grid(self, table: &Table, gives: Gives) -> Vec<Block> {
        let tree = self.item(table).and_then(grid_of);
        let mut columns = vec![Column { head: vec![text("row")], kind: Kind::Input }];
        for kind in &table.columns {
            let (head, kind) = match kind {
                ColumnOf::Fact(fact) => (self.fact(*fact), Kind::Input),
                ColumnOf::Also => (text("also"), Kind::Tests),
                ColumnOf::Name | ColumnOf::Output => continue,
            };
            columns.push(Column { head: vec![head], kind });
        }
        match gives {
            Gives::Actions => columns.push(Column { head: vec![text("what follows")], kind: Kind::Output }),
            Gives::Values(facts) => {
                columns.extend(facts.iter().map(|fact| Column { head: vec![self.fact(*fact)], kind: Kind::Output }));
            }
        }
        let row = |(place, row): (usize, &Row)| {
            let written = tree.and_then(|tree| tree.rows.get(place)).filter(|written| written.span == row.span);
            self.row(table, gives, place, row, written)
        };
        let rows: Vec<GridRow> = table.rows.iter().enumerate().map(row).collect();
        let caption = vec![code(&*table.name), text(format!(", {}: {}", table.hit.as_str(), means(table.hit)))];
        let mut blocks = vec![Block::Grid(Grid { caption, is_captioned: true, columns, rows })];
        blocks.extend(tree.and_then(|tree| self.groups(tree)));
        blocks
    }

    /// A fact's name, leading to what is told of it.
    pub(super) fn fact(self, fact: FactId) -> Piece {
        let name = &*self.model.fact(fact).name;
        link(fact_id(name), name)
    }

    fn row(self, table: &Table, gives: Gives, place: usize, row: &Row, written: Option<&tree::Row>) -> GridRow {
        let label = row.label(place);
        let name = if row.name.is_some() { code(label) } else { quiet(label) };
        let mut cells = vec![Cell::of(vec![vec![name]])];
        let tested = table.columns.iter().filter(|c| matches!(c, ColumnOf::Fact(_) | ColumnOf::Also)).count();
        match fixed(row.kind) {
            Some(_) if tested == 0 => {}
            Some(words) => cells.push(Cell { lines: vec![vec![quiet(words)]], span: tested }),
            None => cells.extend(self.cells(table, row, written)),
        }
        let action = written.and_then(|w| w.cells.iter().find_map(action_of));
        let mut gives = match (gives, &row.outcome) {
            (Gives::Values(facts), Outcome::Values(values)) => {
                let show = |(fact, value): (&FactId, &Value)| {
                    Cell::of(vec![vec![code(show_value(self.model.fact(*fact), value))]])
                };
                facts.iter().zip(values).map(show).collect()
            }
            (_, outcome) => vec![Cell::of(acts::outcome(self.model, outcome, action))],
        };
        if let (Some(reason), Some(last)) = (&row.reason, gives.last_mut()) {
            last.lines.push(vec![quiet("because "), Piece::Said(reason.to_string())]);
        }
        cells.extend(gives);
        GridRow { id: Some(row_id(&table.name, row.name.as_deref(), place)), cells }
    }

    /// The cells of a row's tests, as they are written; of an artifact, as the sets that they mean.
    fn cells(self, table: &Table, row: &Row, written: Option<&tree::Row>) -> Vec<Cell> {
        let mut left: Vec<&Cond> = row.conds.iter().collect();
        let mut cells = Vec::new();
        for (i, kind) in table.columns.iter().enumerate() {
            let written = written.and_then(|w| w.cells.get(i));
            cells.push(match kind {
                ColumnOf::Name | ColumnOf::Output => continue,
                ColumnOf::Fact(fact) => {
                    let is_any = written.is_some_and(|w| matches!(w.kind, CellKind::Any));
                    let own = if is_any { None } else { left.iter().position(|c| c.fact == *fact) };
                    let cond = own.map(|place| left.remove(place));
                    let said = written.filter(|w| matches!(w.kind, CellKind::Test(_)));
                    let said = said.and_then(|w| self.written.slice(w.span)).map(str::to_string);
                    let shown = said.or_else(|| cond.map(|c| show_set(self.model.fact(c.fact), &c.set)));
                    Cell::of(vec![vec![shown.map_or_else(|| quiet("any"), code)]])
                }
                ColumnOf::Also => {
                    let rest = std::mem::take(&mut left);
                    let tests = match written.map(|w| &w.kind) {
                        Some(CellKind::Also(tests)) => self.tests(tests, &rest),
                        Some(_) => Vec::new(),
                        None => self.conds(&rest),
                    };
                    Cell::of(tests)
                }
            });
        }
        cells
    }

    /// Tests as they are written, one a line; where they go over several lines, as what they mean.
    pub(super) fn tests(self, tests: &[Test], conds: &[&Cond]) -> Vec<Line> {
        let said = |test: &Test| {
            let said = self.written.slice(test.at)?;
            Some(vec![link(fact_id(&test.fact.text), &*test.fact.text), text(" is "), code(said)])
        };
        let all: Option<Vec<Line>> = tests.iter().map(said).collect();
        all.unwrap_or_else(|| self.conds(conds))
    }

    /// Tests as the sets that they mean.
    pub(super) fn conds(self, conds: &[&Cond]) -> Vec<Line> {
        let shown = |cond: &&Cond| {
            vec![self.fact(cond.fact), text(" is "), code(show_set(self.model.fact(cond.fact), &cond.set))]
        };
        conds.iter().map(shown).collect()
    }

    /// What the groups mean that a table's cells name.
    fn groups(self, grid: &'a GridTree) -> Option<Block> {
        let mut names = BTreeSet::new();
        let mut look = |fact: &str, cell: &'a CellExpr| {
            names.extend(words(cell).filter(|name| self.is_group_of(name, fact)));
        };
        for (column, cell) in grid.rows.iter().flat_map(|row| grid.columns.iter().zip(&row.cells)) {
            match &cell.kind {
                CellKind::Test(test) => look(&column.name.text, test),
                CellKind::Also(tests) => tests.iter().for_each(|test| look(&test.fact.text, &test.cell)),
                _ => {}
            }
        }
        let entry = |name: &str| {
            let item = self.written.group(name)?;
            let ItemKind::Group { values, .. } = &item.kind else { return None };
            let mut line = vec![code(name), text(" stands for ")];
            line.extend(commas(values.iter().map(|v| code(written_word(v)))));
            Some(line)
        };
        let lines: Vec<Line> = names.into_iter().filter_map(entry).collect();
        (!lines.is_empty()).then_some(Block::List(lines))
    }

    /// Whether a name is that of a group of a fact's values.
    fn is_group_of(self, name: &str, of: &str) -> bool {
        let kind = self.written.group(name).map(|item| &item.kind);
        matches!(kind, Some(ItemKind::Group { fact, .. }) if *fact.text == *of)
    }

    /// The groups of values.
    pub(super) fn all_groups(self) -> Vec<Entry> {
        let entry = |item: &Item| {
            let ItemKind::Group { name, fact, values } = &item.kind else { return None };
            let mut title = vec![code(&*name.text), text(" of "), link(fact_id(&fact.text), &*fact.text)];
            title.extend(from(&self.written.home(item.span)));
            let mut blocks = prose::blocks(&item.doc);
            blocks.push(Block::Para(commas(values.iter().map(|v| code(written_word(v))))));
            Some(Entry { id: Some(format!("group:{}", name.text)), name: title, blocks })
        };
        self.written.items().filter_map(entry).collect()
    }
}

/// The name of a fact for links.
pub(super) fn fact_id(name: &str) -> String {
    format!("fact:{name}")
}

/// Lines as one, with words between them.
pub(super) fn join(lines: Vec<Line>, words: &str) -> Line {
    let mut joined = Line::new();
    for line in lines {
        if !joined.is_empty() {
            joined.push(text(words));
        }
        joined.extend(line);
    }
    joined
}

fn written_word(word: &tree::Word) -> String {
    if word.quoted { crate::model::quote(&word.text) } else { word.text.to_string() }
}

fn grid_of(item: &Item) -> Option<&GridTree> {
    match &item.kind {
        ItemKind::Table { table, .. }
        | ItemKind::Tighten { table, .. }
        | ItemKind::Derive { table, .. }
        | ItemKind::Classify { table, .. } => Some(table),
        _ => None,
    }
}

fn action_of(cell: &CellTree) -> Option<&ActionExpr> {
    if let CellKind::Action(action) = &cell.kind { Some(action) } else { None }
}

/// The words of a cell that may be names of groups.
fn words(cell: &CellExpr) -> impl Iterator<Item = &str> {
    let lists = cell.alternatives.iter().flatten().map(|atom| match &atom.kind {
        AtomKind::List(list) | AtomKind::Not(list) => list.as_slice(),
        _ => &[],
    });
    lists.flatten().filter_map(|element| match element {
        Element::One(word) if !word.quoted => Some(&*word.text),
        _ => None,
    })
}

/// The place of an action with all its ways for refusal.
fn way_span(action: &ActionExpr) -> crate::text::Span {
    let mut last = action;
    while let Some(next) = &last.refused {
        last = next;
    }
    crate::text::Span { end: last.span.end, ..action.span }
}

/// What a row of fixed meaning takes.
fn fixed(kind: RowKind) -> Option<&'static str> {
    match kind {
        RowKind::Plain => None,
        RowKind::AnyUnknown => Some("what no row above takes, if one would take it were the unknown facts known"),
        RowKind::Otherwise => Some("everything that no row above takes"),
    }
}

/// What a hit policy means.
fn means(hit: Hit) -> &'static str {
    match hit {
        Hit::First => "the topmost row that matches answers",
        Hit::AtMostOne => "no two rows match the same facts",
        Hit::Agree => "where several rows match, they say the same",
        Hit::MostCautious => "of the rows that match, the one with the most cautious action answers",
        Hit::Highest => "of the rows that match, the highest value holds",
        Hit::Lowest => "of the rows that match, the lowest value holds",
    }
}
