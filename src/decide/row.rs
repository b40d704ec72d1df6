//! A row as callers see it: by the names of its table and its own.

use std::fmt;

use crate::model::{self, Model, Table, TableId};

/// A row of one of a policy's tables.
///
/// It is shown as `table/row`. A row without a name is called by its words (`otherwise`, `any unknown`) or by its place,
/// counted from 1: `recovery/#3`.
///
/// ```
/// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let facts = policy.no_facts();
/// let row = policy.decide(&facts).row().expect("it answers");
/// assert_eq!((row.table(), row.label().as_str(), row.to_string().as_str()), ("t", "#1", "t/#1"));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    table: &'a Table,
    inner: &'a model::Row,
    place: usize,
}

impl<'a> Row<'a> {
    pub(super) fn find(model: &'a Model, (table, place): (TableId, usize)) -> Option<Self> {
        let table = model.tables.get(table.0)?;
        Some(Row { table, inner: table.rows.get(place)?, place })
    }

    /// Every row of every table, in the policy's order.
    pub(super) fn all(model: &'a Model) -> impl Iterator<Item = Self> {
        let rows =
            |table: &'a Table| table.rows.iter().enumerate().map(move |(place, inner)| Row { table, inner, place });
        model.tables.iter().flat_map(rows)
    }

    /// The name of its table.
    pub fn table(&self) -> &'a str {
        &self.table.name
    }

    /// Its name, the words of a fixed row, or its place in its table: `stale`, `otherwise`, `#3`.
    pub fn label(&self) -> String {
        self.inner.label(self.place)
    }

    /// The reason that the policy gives for it.
    pub fn reason(&self) -> Option<&'a str> {
        self.inner.reason.as_deref()
    }

    /// The row as the policy has it.
    pub(crate) fn resolved(&self) -> &'a model::Row {
        self.inner
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.table.name, self.label())
    }
}
