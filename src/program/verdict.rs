//! How a question ends, in one word.

use crate::model::TableId;
use crate::words::Verb;

/// How a question ends, without the way to it: all that a decision has to hold, in one word, so that it travels in a
/// register. From its low end: 32 bits for the row, 16 for the table, 8 for the verb, 8 for how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict(u64);

/// How a question ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A row answers.
    Row,
    /// No row of the table takes the facts.
    Gap,
    /// The facts break the promise of the table, which another hands over to.
    BrokenPromise,
}

/// In the place of how it ends: the row hands over to the table, and the question goes on.
const SEES: u64 = 3;

impl Verdict {
    /// No row of the entry answers.
    pub const NONE: Verdict = Verdict((How::Gap as u64) << 56);

    /// A row answers, and wants this.
    pub fn row(table: TableId, row: u32, wanted: Verb) -> Self {
        Verdict(Self::end(How::Row, table).0 | (wanted as u64) << 48 | u64::from(row))
    }

    /// No row answers, because of this table; the verb is `review`.
    pub fn end(how: How, table: TableId) -> Self {
        Verdict((how as u64) << 56 | (Verb::Review as u64) << 48 | u64::from(table.0 as u16) << 32)
    }

    /// A row hands over to a table.
    pub(super) fn sees(row: u32, next: TableId) -> Self {
        Verdict(SEES << 56 | u64::from(next.0 as u16) << 32 | u64::from(row))
    }

    /// The table that a row hands over to.
    #[inline]
    pub(super) fn next(self) -> Option<TableId> {
        (self.0 >> 56 == SEES).then(|| self.table())
    }

    /// The row, where there is one.
    #[inline]
    pub(super) fn row_place(self) -> u32 {
        self.0 as u32
    }

    /// How it ends.
    #[inline]
    pub fn how(self) -> How {
        match self.0 >> 56 {
            0 => How::Row,
            1 => How::Gap,
            _ => How::BrokenPromise,
        }
    }

    /// The verb that the row wants; `review` where none answers.
    #[inline]
    pub fn verb(self) -> Verb {
        Verb::ALL.get(usize::from((self.0 >> 48) as u8)).copied().unwrap_or(Verb::Review)
    }

    /// The table of the row, or the one that has no row or a broken promise.
    #[inline]
    pub fn table(self) -> TableId {
        TableId(usize::from((self.0 >> 32) as u16))
    }

    /// The row that answers, as a place in the model.
    #[inline]
    pub fn place(self) -> Option<(TableId, usize)> {
        (self.how() == How::Row).then_some((self.table(), self.0 as u32 as usize))
    }
}
