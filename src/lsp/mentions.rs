//! The walk through trees that finds every mention of a name.

use std::rc::Rc;

use super::names::{Declared, Kind, Mention, Name};
use crate::syntax;
use crate::syntax::tree::{
    ActionExpr, ActionKind, AtomKind, Cell, CellExpr, CellKind, Column, ColumnKind, Element, Grid, ItemKind, Literal,
    RetryWhen, Test, TypeExpr, Word,
};
use crate::text::Span;

/// What stands before the name of a parity where its verdict is a fact.
const PARITY: &str = "parity.";

/// The walk.
pub(super) struct Walk<'d> {
    declared: &'d Declared,
    /// What was found.
    pub(super) mentions: Vec<Mention>,
}

impl<'d> Walk<'d> {
    pub(super) fn new(declared: &'d Declared) -> Self {
        Walk { declared, mentions: Vec::new() }
    }

    /// Walks through one item.
    pub(super) fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Policy(_) | ItemKind::Version(_) | ItemKind::Owner(_) | ItemKind::Budget(_) => {}
            ItemKind::Use(name) | ItemKind::Restricts { base: name, .. } => self.put(Kind::File, "", name, false),
            ItemKind::Fact { name, ty, points } => self.fact(name, ty, points),
            ItemKind::Extend { fact, values } => {
                self.item_name(fact, false);
                self.values(fact, values);
            }
            ItemKind::Backoff { name, .. } | ItemKind::Locator { name, .. } | ItemKind::Parity { name, .. } => {
                self.item_name(name, true);
            }
            ItemKind::Group { name, fact, values } => {
                self.item_name(name, true);
                self.item_name(fact, false);
                for value in values {
                    self.cell_word(&fact.text, &value.text, value.quoted, value.span);
                }
            }
            ItemKind::Action { name, action } => {
                self.item_name(name, true);
                self.action(action);
            }
            ItemKind::Derive { outputs, table, .. } => {
                for (name, ty) in outputs {
                    self.fact(name, ty, &[]);
                }
                let first = outputs.first().map_or_else(|| "".into(), |(name, _)| name.text.clone());
                self.grid(&first, table);
            }
            ItemKind::Classify { name, outputs, table, .. } => {
                self.item_name(name, true);
                for output in outputs {
                    self.item_name(output, false);
                }
                self.grid(&name.text, table);
            }
            ItemKind::Table { name, promise, refused, table, .. } => {
                self.item_name(name, true);
                self.tests(promise);
                if let Some(action) = refused {
                    self.action(action);
                }
                self.grid(&name.text, table);
            }
            ItemKind::Tighten { name, refused, table, .. } => {
                self.item_name(name, false);
                if let Some(action) = refused {
                    self.action(action);
                }
                self.grid(&format!("tighten {}", name.text).into(), table);
            }
            ItemKind::Rule { name, verbs, tests, .. } => {
                self.item_name(name, true);
                verbs.iter().filter_map(|verb| verb.to.as_ref()).for_each(|to| self.item_name(to, false));
                self.tests(tests);
            }
            ItemKind::Waive { what, rows, .. } => {
                self.item_name(what, false);
                for at in rows {
                    self.item_name(&at.table, false);
                    self.row(&at.table.text, &at.row.text, at.row.span);
                }
            }
            ItemKind::Examples { table_name, given, table } => {
                self.item_name(table_name, false);
                self.tests(given);
                self.examples(&table_name.text, table);
            }
        }
    }

    fn fact(&mut self, name: &Word, ty: &TypeExpr, points: &[Word]) {
        self.item_name(name, true);
        if let TypeExpr::Choice { values, .. } | TypeExpr::Ordered { values, .. } = ty {
            self.values(name, values);
        }
        self.values(name, points);
    }

    fn values(&mut self, fact: &Word, values: &[Word]) {
        for value in values {
            self.put(Kind::Value, &fact.text, value, true);
        }
    }

    fn grid(&mut self, table: &Rc<str>, grid: &Grid) {
        self.columns(&grid.columns);
        for row in &grid.rows {
            row.name.iter().for_each(|name| self.put(Kind::Row, table, name, true));
            for (column, cell) in grid.columns.iter().zip(&row.cells) {
                self.cell(column, cell);
                if let (CellKind::Word(word), ColumnKind::Output) = (&cell.kind, column.kind) {
                    self.cell_word(&column.name.text, &word.text, word.quoted, word.span);
                }
            }
        }
        for reason in &grid.reasons {
            self.row(table, &reason.row.text, reason.row.span);
        }
    }

    fn examples(&mut self, table: &Rc<str>, grid: &Grid) {
        self.columns(&grid.columns);
        for row in &grid.rows {
            for (column, cell) in grid.columns.iter().zip(&row.cells) {
                self.cell(column, cell);
                if let (CellKind::Word(word), ColumnKind::Output) = (&cell.kind, column.kind) {
                    self.expected_row(table, word);
                }
            }
        }
    }

    /// `row`, or `table/row`.
    fn expected_row(&mut self, table: &Rc<str>, word: &Word) {
        let Some((other, row)) = word.text.split_once('/').filter(|_| !word.quoted) else {
            return self.row(table, &word.text, word.span);
        };
        let (other, row): (Rc<str>, Rc<str>) = (other.into(), row.into());
        let split = other.len();
        self.text(&other, word.span.sub(0, split), false);
        self.row(&other, &row, word.span.sub(split + 1, word.span.len()));
    }

    fn columns(&mut self, columns: &[Column]) {
        let facts = |c: &&Column| matches!(c.kind, ColumnKind::Fact | ColumnKind::Output);
        for column in columns.iter().filter(facts) {
            // `action`, `row`: whoever calls an item so does not mean it here.
            if self.declared.item_of(&column.name.text).is_none_or(|name| name.kind == Kind::Fact) {
                self.item_name(&column.name, false);
            }
        }
    }

    fn cell(&mut self, column: &Column, cell: &Cell) {
        match &cell.kind {
            CellKind::Test(test) => self.test(&column.name.text, test, cell.span),
            CellKind::Also(tests) => self.tests(tests),
            CellKind::Action(_) => syntax::action_of(cell).iter().for_each(|action| self.action(action)),
            CellKind::Blank | CellKind::Name | CellKind::Any | CellKind::Word(_) | CellKind::Bad => {}
        }
    }

    fn tests(&mut self, tests: &[Test]) {
        for test in tests {
            self.item_name(&test.fact, false);
            self.test(&test.fact.text, &test.cell, test.at);
        }
    }

    fn test(&mut self, fact: &Rc<str>, cell: &CellExpr, at: Span) {
        for atom in cell.alternatives.iter().flatten() {
            match &atom.kind {
                AtomKind::Known => {}
                AtomKind::List(elements) | AtomKind::Not(elements) => {
                    for element in elements {
                        self.element(fact, element, at);
                    }
                }
                AtomKind::Compare(_, literal) | AtomKind::Starts(literal) => self.literal(fact, literal, at),
            }
        }
    }

    fn element(&mut self, fact: &Rc<str>, element: &Element, at: Span) {
        match element {
            Element::Unknown(_) => {}
            Element::One(literal) => self.literal(fact, literal, at),
            Element::Range { lo, hi, .. } => {
                self.literal(fact, lo, at);
                self.literal(fact, hi, at);
            }
        }
    }

    fn literal(&mut self, fact: &Rc<str>, literal: &Literal, at: Span) {
        self.cell_word(fact, &literal.text, literal.quoted, at.sub(literal.start as usize, literal.end as usize));
    }

    fn cell_word(&mut self, fact: &Rc<str>, text: &Rc<str>, quoted: bool, span: Span) {
        let name = self.declared.in_cell(fact, text, quoted);
        self.mentions.extend(name.map(|name| Mention { name, span, declares: false }));
    }

    fn action(&mut self, action: &ActionExpr) {
        match &action.verb {
            ActionKind::Review(Some(queue)) => self.put(Kind::Queue, "", queue, false),
            ActionKind::Reconcile { by: Some(name), .. }
            | ActionKind::Retry { when: Some(RetryWhen::After(name)), .. }
            | ActionKind::Failover(Some(name))
            | ActionKind::See(name)
            | ActionKind::Named(name) => self.item_name(name, false),
            _ => {}
        }
        action.refused.iter().for_each(|refused| self.action(refused));
    }

    fn row(&mut self, table: &Rc<str>, row: &Rc<str>, span: Span) {
        let name = self.declared.row(table, row);
        self.mentions.extend(name.map(|name| Mention { name, span, declares: false }));
    }

    fn item_name(&mut self, word: &Word, declares: bool) {
        self.text(&word.text, word.span, declares);
    }

    /// The name of an item; a parity's verdict is named by its parity.
    fn text(&mut self, text: &Rc<str>, span: Span, declares: bool) {
        let name = self.declared.item_of(text).map(|name| (name, span)).or_else(|| {
            let parity: Rc<str> = text.strip_prefix(PARITY)?.into();
            let name = self.declared.item_of(&parity).filter(|name| name.kind == Kind::Parity)?;
            Some((name, span.sub(PARITY.len(), span.len())))
        });
        self.mentions.extend(name.map(|(name, span)| Mention { name, span, declares }));
    }

    fn put(&mut self, kind: Kind, of: &str, word: &Word, declares: bool) {
        let name = Name { kind, of: of.into(), text: word.text.clone() };
        self.mentions.push(Mention { name, span: word.span, declares });
    }
}
