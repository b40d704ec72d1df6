//! How a question ends, in eight bytes.

use crate::model::{End, TableId};
use crate::words::Verb;

/// How a question ends, without the way to it: all that a decision has to hold, so small that it travels in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict {
    row: u32,
    table: u16,
    verb: Verb,
    how: How,
}

/// How a question ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// A row answers.
    Row,
    /// No row of the table takes the facts.
    Gap,
    /// The facts break the promise of the table, which another hands over to.
    BrokenPromise,
    /// It goes on: a row hands over to the table.
    See,
}

impl Verdict {
    /// No row of the entry answers.
    pub const NONE: Verdict = Verdict { row: 0, table: 0, verb: Verb::Review, how: How::Gap };

    /// A row answers, and wants this.
    pub fn row(table: TableId, row: u32, wanted: Verb) -> Self {
        Verdict { row, table: table.0 as u16, verb: wanted, how: How::Row }
    }

    /// No row answers, because of this table; the verb is `review`.
    pub fn end(how: How, table: TableId) -> Self {
        Verdict { table: table.0 as u16, how, ..Verdict::NONE }
    }

    /// A row hands over to a table.
    pub(super) fn sees(row: u32, next: TableId) -> Self {
        Verdict { row, ..Verdict::end(How::See, next) }
    }

    /// The table that a row hands over to.
    #[inline]
    pub(super) fn next(self) -> Option<TableId> {
        (self.how == How::See).then(|| self.table())
    }

    /// The row, where there is one.
    #[inline]
    pub(super) fn row_place(self) -> u32 {
        self.row
    }

    /// How it ends.
    #[inline]
    pub fn how(self) -> How {
        self.how
    }

    /// The same with the table, as an answer says it.
    pub fn as_end(self) -> End {
        match self.how {
            How::Row | How::See => End::Row,
            How::Gap => End::Gap(self.table()),
            How::BrokenPromise => End::BrokenPromise(self.table()),
        }
    }

    /// The verb that the row wants; `review` where none answers.
    #[inline]
    pub fn verb(self) -> Verb {
        self.verb
    }

    /// The table of the row, or the one that has no row or a broken promise.
    #[inline]
    pub fn table(self) -> TableId {
        TableId(usize::from(self.table))
    }

    /// The row that answers, as a place in the model.
    #[inline]
    pub fn place(self) -> Option<(TableId, usize)> {
        (self.how == How::Row).then_some((self.table(), self.row as usize))
    }
}
