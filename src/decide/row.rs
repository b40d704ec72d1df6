//! A row as callers see it: by the names of its table and its own.

use std::fmt;

use crate::model::{RowHead, TableId};
use crate::text::{Origin, Span};

use super::Policy;

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
    policy: &'a Policy,
    table: &'a str,
    head: RowHead<'a>,
    place: usize,
}

impl<'a> Row<'a> {
    pub(super) fn find(policy: &'a Policy, (table, place): (TableId, usize)) -> Option<Self> {
        let head = policy.held().row(table, place)?;
        Some(Row { policy, table: &policy.head().tables.get(table.0)?.name, head, place })
    }

    /// Every row of every table, in the policy's order.
    pub(super) fn all(policy: &'a Policy) -> impl Iterator<Item = Self> {
        let rows = |table| (0..policy.held().n_rows(TableId(table))).map(move |row| (TableId(table), row));
        (0..policy.head().tables.len()).flat_map(rows).filter_map(|place| Row::find(policy, place))
    }

    /// The row of a place among all of them.
    pub(super) fn at(policy: &'a Policy, place: u32) -> Option<Self> {
        let mut before = place as usize;
        for table in (0..policy.head().tables.len()).map(TableId) {
            let n_rows = policy.held().n_rows(table);
            if before < n_rows {
                return Row::find(policy, (table, before));
            }
            before -= n_rows;
        }
        None
    }

    /// The name of its table.
    pub fn table(&self) -> &'a str {
        self.table
    }

    /// Its name, the words of a fixed row, or its place in its table: `stale`, `otherwise`, `#3`.
    pub fn label(&self) -> String {
        self.head.label(self.place)
    }

    /// The reason that the policy gives for it.
    pub fn reason(&self) -> Option<&'a str> {
        self.head.reason
    }

    /// The file that it stands in, as it was named when the policy was compiled; of an artifact as seen from the folder
    /// of the policy's own file.
    ///
    /// ```
    /// let policy = nisi::Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
    /// let row = policy.rows().next().expect("one row");
    /// assert_eq!((row.file(), row.line()), ("policy.nisi", 5));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn file(&self) -> &'a str {
        self.policy.origin(self.head.span.file).map_or("", Origin::name)
    }

    /// Its line there, from 1.
    pub fn line(&self) -> usize {
        self.policy.origin(self.head.span.file).map_or(1, |origin| origin.line(self.head.span.start as usize))
    }

    /// Its place in the text.
    pub(crate) fn span(&self) -> Span {
        self.head.span
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.table, self.label())
    }
}
