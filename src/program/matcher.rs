//! The column-bitmap matcher.
//!
//! Rows lie in the order in which they are asked. For each column and each class of values (segments that the same
//! rows admit are one class) a bitmap holds the rows that admit it; the AND of one bitmap a column has its lowest bit
//! at the row that answers. Rows are cut into blocks with cuts of their own, so that memory stays in line with the
//! number of rows. Lakshman and Stiliadis 1998 have the bit vectors; Baboescu and Varghese 2001 the blocks.
//!
//! ```text
//!            effect: read  write     attempt: 1   2..       read, 2:  101 AND 110 = 100  →  the third row
//! row 0  (bit 0)      1      0                0    0
//! row 1  (bit 1)      0      1                1    1
//! row 2  (bit 2)      1      1                1    1
//! ```

use crate::model::Value;
use crate::space::Axis;

/// The most rows of one block, and so the bits of one look-up.
pub(super) const BLOCK_ROWS: usize = 512;

/// The words of a block's bitmaps.
const BLOCK_WORDS: usize = BLOCK_ROWS / 64;

/// Finds the row of one table or derive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    pub(super) blocks: Box<[Block]>,
    /// The row of each place in the order of asking; an `any unknown` row has a place for each of its boxes.
    pub(super) rows: Box<[u32]>,
}

/// Up to [`BLOCK_ROWS`] rows.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The place of the first.
    pub(super) first: u32,
    /// How many.
    pub(super) n_rows: u32,
    pub(super) columns: Box<[Column]>,
}

/// The bitmaps of one fact.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) source: Source,
    /// The class of each segment.
    pub(super) classes: Box<[u16]>,
    /// The bitmaps, class after class.
    pub(super) bits: Box<[u64]>,
}

/// Where a column's segment comes from.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// A caller's fact.
    Fact(u32, Axis),
    /// The row that a derive takes; past the last one where it takes none.
    Derive(u32),
}

impl Matcher {
    /// The row that takes the facts; `derived` holds the rows of the derives that it needs.
    pub(super) fn find(&self, values: &[Value], derived: &[u32]) -> Option<u32> {
        let place = self.blocks.iter().find_map(|block| block.find(values, derived))?;
        self.rows.get(place as usize).copied()
    }
}

impl Block {
    fn find(&self, values: &[Value], derived: &[u32]) -> Option<u32> {
        let n_words = (self.n_rows as usize).div_ceil(64).min(BLOCK_WORDS);
        let mut live = [u64::MAX; BLOCK_WORDS];
        let live = live.get_mut(..n_words)?;
        if let Some(last) = live.last_mut()
            && !self.n_rows.is_multiple_of(64)
        {
            *last = (1 << (self.n_rows % 64)) - 1;
        }
        for column in &self.columns {
            let segment = match &column.source {
                Source::Fact(fact, axis) => axis.segment(values.get(*fact as usize).unwrap_or(&Value::Unknown)),
                Source::Derive(derive) => derived.get(*derive as usize).copied()?,
            };
            let class = usize::from(column.classes.get(segment as usize).copied()?);
            let bits = column.bits.get(class * n_words..(class + 1) * n_words)?;
            let mut any = 0;
            for (word, bits) in live.iter_mut().zip(bits) {
                *word &= bits;
                any |= *word;
            }
            if any == 0 {
                return None;
            }
        }
        let word = live.iter().position(|w| *w != 0)?;
        Some(self.first + word as u32 * 64 + live.get(word)?.trailing_zeros())
    }

    /// How many bytes its bitmaps and classes take.
    pub(super) fn size(&self) -> usize {
        self.columns.iter().map(|c| c.bits.len() * 8 + c.classes.len() * 2).sum()
    }
}
