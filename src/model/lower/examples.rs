//! Examples: facts given, and what is expected of them.

use indexmap::IndexMap;

use crate::model::{Example, Examples, Expected, FactId, Model, RowError, TableId, Value};
use crate::syntax;
use crate::syntax::tree::{Cell, CellKind, ColumnKind, Grid, ItemKind, Row, Test, Word};
use crate::text::Span;

use super::{Lowering, NameKind, findings};

impl Lowering<'_> {
    /// `examples TABLE`, of the compiled file.
    pub(super) fn examples(&mut self) {
        for item in self.main_items() {
            let ItemKind::Examples { table_name, given, table: grid } = &item.kind else { continue };
            if !self.resolve(NameKind::Table, table_name) {
                continue;
            }
            let Some(table) = self.model.table_id(&table_name.text) else { continue };
            let mut base = IndexMap::new();
            let mut ok = true;
            for test in given {
                ok &= self.give(test, &mut base);
            }
            let columns: Vec<Option<FactId>> =
                grid.columns.iter().map(|c| self.example_column(c.kind, &c.name)).collect();
            self.expected_columns(grid);
            let rows = grid.rows.iter().filter_map(|row| self.example(grid, &columns, row, &base, table)).collect();
            if grid.rows.is_empty() && !grid.damaged && !grid.columns.is_empty() {
                self.report(findings::no_rows(grid.header));
            }
            if ok {
                self.model.examples.push(Examples { table, rows });
            }
        }
    }

    fn example_column(&self, kind: ColumnKind, name: &Word) -> Option<FactId> {
        if kind != ColumnKind::Fact {
            return None;
        }
        let fact = self.fact_of(name)?;
        self.is_given(fact, name.span).then_some(fact)
    }

    fn expected_columns(&self, grid: &Grid) {
        let outputs = grid.columns.iter().filter(|c| c.kind == ColumnKind::Output);
        for column in outputs.filter(|c| !matches!(&*c.name.text, "action" | "row")) {
            self.report(findings::example_output(&column.name));
        }
    }

    /// Nobody gives a derived fact.
    fn is_given(&self, fact: FactId, span: Span) -> bool {
        let declared = self.model.fact(fact);
        if declared.is_callers() {
            return true;
        }
        let mut from = Vec::new();
        crate::model::eval::callers_facts(&self.model, fact, &mut from);
        let names: Vec<&str> = from.iter().map(|f| &*self.model.fact(*f).name).collect();
        self.report(findings::derived_given(declared, &names, span));
        false
    }

    fn give(&self, test: &Test, into: &mut IndexMap<FactId, (Value, Span)>) -> bool {
        let Some(fact) = self.fact_of(&test.fact) else { return false };
        if !self.is_given(fact, test.fact.span) {
            return false;
        }
        let Some(value) = self.single(fact, &test.cell, test.at) else { return false };
        let span = test.fact.span.to(test.at);
        if let Some((_, first)) = into.insert(fact, (value, span)) {
            self.report(findings::given_twice(&test.fact.text, span, first));
            return false;
        }
        true
    }

    fn example(
        &mut self,
        grid: &Grid,
        columns: &[Option<FactId>],
        row: &Row,
        base: &IndexMap<FactId, (Value, Span)>,
        table: TableId,
    ) -> Option<Example> {
        let mut ok = !row.damaged;
        let mut own = IndexMap::new();
        let mut expected = Expected::default();
        for ((column, cell), fact) in grid.columns.iter().zip(&row.cells).zip(columns) {
            ok &= match (&cell.kind, column.kind) {
                (CellKind::Test(expr), ColumnKind::Fact) => fact.is_some_and(|fact| {
                    self.single(fact, expr, cell.span).map(|value| own.insert(fact, (value, cell.span))).is_some()
                }),
                (CellKind::Any, ColumnKind::Fact) => {
                    self.report(findings::any_in_example(cell.span));
                    false
                }
                (CellKind::Also(tests), _) => {
                    // Every test is given, the ones behind a bad one too: each has its finding.
                    let bad = tests.iter().filter(|test| !self.give(test, &mut own)).count();
                    bad == 0
                }
                (_, ColumnKind::Output) => self.expect(&column.name, cell, table, &mut expected),
                (CellKind::Bad, _) => false,
                _ => true,
            };
        }
        if ok && expected.verb.is_none() && expected.row.is_none() {
            self.report(findings::expects_nothing(row.span));
            return None;
        }
        let mut facts = base.clone();
        facts.extend(own);
        let facts = facts.into_iter().map(|(fact, (value, _))| (fact, value)).collect();
        let name = row.name.as_ref().map_or_else(Box::default, |w| Box::from(&*w.text));
        ok.then_some(Example { name, facts, expected, span: row.span })
    }

    fn expect(&mut self, column: &Word, cell: &Cell, table: TableId, expected: &mut Expected) -> bool {
        match &cell.kind {
            CellKind::Action(_) => match syntax::action_of(cell).and_then(|expr| self.expected(&expr)) {
                Some((verb, action)) => {
                    expected.verb = Some((verb, cell.span));
                    expected.action = action;
                    true
                }
                None => false,
            },
            CellKind::Word(word) if &*column.text == "row" => match self.expected_row(word, table) {
                Some((table, row)) => {
                    expected.row = Some((table, row, word.span));
                    true
                }
                None => false,
            },
            CellKind::Bad => false,
            _ => true,
        }
    }

    /// The row that an example names; what is wrong with the name is told.
    fn expected_row(&self, word: &Word, table: TableId) -> Option<(TableId, usize)> {
        let find = if word.quoted { Model::find_quoted_row } else { Model::find_row };
        match find(&self.model, table, &word.text) {
            Ok(row) => Some(row),
            Err(RowError::NoTable) => {
                let name = word.text.split('/').next().unwrap_or_default();
                let span = word.span.sub(0, name.len());
                self.resolve(NameKind::Table, &Word { text: name.into(), span, quoted: false });
                None
            }
            Err(RowError::NoRow(table)) => {
                let parts = word.text.split_once('/').filter(|(table, _)| self.model.table_id(table).is_some());
                let row = parts.map_or_else(|| word.clone(), |(_, row)| Word { text: row.into(), ..word.clone() });
                self.row_of(table, &row, parts.is_some()).map(|row| (table, row))
            }
            Err(RowError::Ambiguous(tables)) => {
                let names = tables.map(|t| &*self.model.tables[t.0].name);
                self.report(findings::ambiguous_row(word, names));
                None
            }
        }
    }
}
