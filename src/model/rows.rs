//! Rows by the names that people call them by: `stale`, `#3`, `recovery/stale`.

use super::{Model, Table, TableId};
use crate::diag::nearest;

/// Why a name is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowError {
    /// What stands before the `/` is no table.
    NoTable,
    /// The table has no such row.
    NoRow(TableId),
    /// Two tables have a row of this name, and neither is the one that is asked.
    Ambiguous([TableId; 2]),
}

impl Table {
    /// The place of a row, by its name, by the words of a fixed row, or by its number as `#3`.
    pub fn find_row(&self, label: &str) -> Option<usize> {
        let by_number = || label.strip_prefix('#')?.parse::<usize>().ok()?.checked_sub(1);
        let named = self.rows.iter().enumerate().position(|(i, row)| row.label(i) == label);
        named.or_else(|| by_number().filter(|i| *i < self.rows.len()))
    }

    /// The place of the row whose label is nearest to what is none, where one is near.
    pub fn nearest_row(&self, label: &str) -> Option<usize> {
        let labels: Vec<String> = self.rows.iter().enumerate().map(|(i, row)| row.label(i)).collect();
        let near = nearest(label, labels.iter().map(String::as_str))?;
        labels.iter().position(|label| label == near)
    }
}

impl Model {
    /// A row by `row`, `#3` or `table/row`: a bare name is a row of the table that is asked, else the only one of that
    /// name. A name may hold a `/` itself where no table is called by what stands before it.
    pub fn find_row(&self, asked: TableId, name: &str) -> Result<(TableId, usize), RowError> {
        match name.split_once('/').map(|(table, label)| (self.table_id(table), label)) {
            Some((Some(table), label)) => self.row_of(table, label),
            Some((None, _)) => match self.row_named(asked, name) {
                Err(RowError::NoRow(_)) if !self.is_nearly_row(asked, name) => Err(RowError::NoTable),
                found => found,
            },
            None => self.row_named(asked, name),
        }
    }

    fn row_of(&self, table: TableId, label: &str) -> Result<(TableId, usize), RowError> {
        let found = self.tables.get(table.0).and_then(|t| t.find_row(label));
        found.map(|row| (table, row)).ok_or(RowError::NoRow(table))
    }

    /// Whether a name with a `/` is near to that of a row of the table, which then holds a `/` too.
    fn is_nearly_row(&self, asked: TableId, name: &str) -> bool {
        let near = self.tables.get(asked.0).and_then(|table| Some(&table.rows[table.nearest_row(name)?]));
        near.and_then(|row| row.name.as_ref()).is_some_and(|name| name.contains('/'))
    }

    /// A row by a name that stands in quotes: a `/` is a letter of it before it parts a table from its row.
    pub fn find_quoted_row(&self, asked: TableId, name: &str) -> Result<(TableId, usize), RowError> {
        match self.row_named(asked, name) {
            Err(own @ RowError::NoRow(_)) => {
                self.find_row(asked, name).map_err(|e| if e == RowError::NoTable { own } else { e })
            }
            found => found,
        }
    }

    fn row_named(&self, asked: TableId, name: &str) -> Result<(TableId, usize), RowError> {
        let own = self.row_of(asked, name);
        if own.is_ok() {
            return own;
        }
        let named = |table: &Table| table.rows.iter().position(|row| row.name.as_deref() == Some(name));
        let mut others = self.tables.iter().enumerate().filter_map(|(i, t)| Some((TableId(i), named(t)?)));
        match (others.next(), others.next()) {
            (Some(only), None) => Ok(only),
            (Some(first), Some(second)) => Err(RowError::Ambiguous([first.0, second.0])),
            (None, _) => own,
        }
    }
}
