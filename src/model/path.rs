//! The way of a decision: the rows that it took, table by table.

use super::TableId;

/// The most tables that one decision may pass.
pub const MAX_PATH: usize = 16;

/// Rows taken, in order, without allocation: every row but the last hands over with `see`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Path {
    len: u8,
    steps: [(u16, u32); MAX_PATH],
}

impl Path {
    /// Adds a row; past [`MAX_PATH`] it is dropped (lowering refuses such policies).
    pub fn push(&mut self, table: TableId, row: usize) {
        if let Some(slot) = self.steps.get_mut(usize::from(self.len)) {
            *slot = (table.0 as u16, row as u32);
            self.len += 1;
        }
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (TableId, usize)> {
        self.steps[..usize::from(self.len)].iter().map(|(t, r)| (TableId(usize::from(*t)), *r as usize))
    }

    /// The last row.
    pub fn last(&self) -> Option<(TableId, usize)> {
        self.iter().next_back()
    }
}

/// How a question to a table ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The last row of the path answers.
    Row,
    /// No row of this table takes the facts.
    Gap(TableId),
    /// The last row of the path hands over to this table, whose promise the facts break.
    BrokenPromise(TableId),
}

/// An answer: the way and how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The rows taken.
    pub path: Path,
    /// How it ends.
    pub end: End,
}
