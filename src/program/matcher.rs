//! The matcher of one table: column bitmaps over rows in the order in which they are asked.
//!
//! For each column and each code of its fact a line of bits holds the rows that admit it; the AND of one line a column
//! has its lowest bit at the row that answers. Lakshman and Stiliadis 1998 have the bit vectors, Baboescu and Varghese
//! 2001 the words above them.
//!
//! ```text
//!            effect: read  write     attempt: 1   2..       read, 2:  101 AND 110 = 100  →  the third row
//! row 0  (bit 0)      1      0                0    0
//! row 1  (bit 1)      0      1                1    1
//! row 2  (bit 2)      1      1                1    1
//! ```
//!
//! Lines are cut into blocks of 64 places, and the words of one block lie together, so that a block is one stretch of
//! memory. Where there are many blocks, a line of *tops* has a bit for each block that has any row for its code: blocks
//! without one are passed over.
//!
//! Where many rows test one fact narrowly they are sorted by it into groups: only the rows of the code at hand and the
//! rows that test it widely, or not at all, are looked at. A column with very many codes has its lines by stretches
//! of codes, which admit too much; a row that it lets through is then checked exactly.

use super::verdict::Verdict;

/// So many blocks are looked at one by one; of what lies behind them the tops are looked at first.
pub(super) const MANY_BLOCKS: usize = 8;

/// Finds the row of one table or derive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    /// The columns of facts whose every code, or every pair of codes, is a line.
    pub(super) columns: Box<[Column]>,
    /// The other columns.
    pub(super) classed: Box<[Classed]>,
    /// The columns whose lines admit too much.
    pub(super) checks: Box<[Check]>,
    /// The words of the lines, block by block.
    pub(super) bits: Box<[u64]>,
    /// For each 64 blocks and each line, the blocks that have a row; empty where they are few.
    pub(super) tops: Box<[u64]>,
    /// The lines of all columns.
    pub(super) n_lines: usize,
    /// How many places there are: one for each row, and more where rows stand in several groups.
    pub(super) n_places: u32,
    /// The groups; without them all places are `wide`.
    pub(super) groups: Option<Groups>,
    /// Where the places begin that belong to no group.
    pub(super) wide: u32,
    /// The rank of each place in the order of asking; empty where rows are asked in their own order.
    pub(super) ranks: Box<[u32]>,
    /// What follows at each place; an `any unknown` row has a place for each of its boxes.
    pub(super) ends: Box<[Verdict]>,
}

/// Rows sorted by the codes of one fact.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    pub(super) source: Source,
    /// Where the places of each code begin, and where the last one's end.
    pub(super) starts: Box<[u32]>,
}

/// The lines of one fact, or of two: one for each pair of their codes, so that one look does for both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) slot: u32,
    /// The second fact; of one fact it again, with a stride of 0.
    pub(super) second: u32,
    /// How far apart the lines of neighbouring codes of the second lie.
    pub(super) stride: u32,
    /// The first line.
    pub(super) base: u32,
}

/// The lines of one fact or derive whose codes have classes.
#[derive(Debug, Clone)]
pub(super) struct Classed {
    pub(super) source: Source,
    /// Its first line.
    pub(super) base: u32,
    pub(super) classes: Classes,
}

/// The classes of a fact's codes.
#[derive(Debug, Clone)]
pub(super) enum Classes {
    /// Every code is one.
    Own,
    /// By code.
    Listed(Box<[u16]>),
    /// Stretches of about equal length, in the order of the codes: the high half of the code times this.
    Stretches(u32),
}

/// What each place admits of a fact whose classes admit too much, as half-open ranges of codes.
#[derive(Debug, Clone)]
pub(super) struct Check {
    pub(super) source: Source,
    /// The first range of each place.
    pub(super) ranges: Box<[(u32, u32)]>,
    /// Further ranges, in the order of their places, which stand before them.
    pub(super) more: Box<[(u32, u32, u32)]>,
}

/// Where a column's code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// A caller's fact, by its slot.
    Fact(u32),
    /// The row that a derive takes; past the last one where it takes none.
    Derive(u32),
}

/// The codes of one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    /// By slot.
    pub(super) facts: &'a [u32],
    /// By derive, the row that it takes.
    pub(super) derived: &'a [u32],
}

impl Point<'_> {
    #[inline]
    pub(super) fn code(self, source: Source) -> Option<u32> {
        match source {
            Source::Fact(slot) => self.facts.get(slot as usize).copied(),
            Source::Derive(derive) => self.derived.get(derive as usize).copied(),
        }
    }
}

impl Matcher {
    /// What follows from the row that takes the facts.
    #[inline]
    pub(super) fn find(&self, point: Point) -> Option<Verdict> {
        let place = match &self.groups {
            None if self.n_places <= 64 => self.in_block(0, between(0, 0, self.n_places), point),
            None => self.first(0, self.n_places, point),
            Some(groups) => self.first_of_two(groups, point),
        };
        self.ends.get(place? as usize).copied()
    }

    /// The first of the places of the code at hand and of those without a group.
    fn first_of_two(&self, groups: &Groups, point: Point) -> Option<u32> {
        let (lo, hi) = groups.places(point)?;
        match self.first(lo, hi, point) {
            None => self.first(self.wide, self.n_places, point),
            Some(own) => self.first_before(self.rank(own), point).or(Some(own)),
        }
    }

    /// The first of some places that takes the facts.
    #[inline]
    fn first(&self, lo: u32, hi: u32, point: Point) -> Option<u32> {
        let (from, to) = (lo as usize / 64, (hi as usize).div_ceil(64));
        let soon = to.min(from + MANY_BLOCKS);
        let found = (from..soon).find_map(|block| self.in_block(block, between(block, lo, hi), point));
        if found.is_none() && soon < to { self.first_of_many(soon as u32 * 64, hi, point) } else { found }
    }

    /// The same over many blocks: only those are looked at in which every column has a row.
    #[cold]
    fn first_of_many(&self, lo: u32, hi: u32, point: Point) -> Option<u32> {
        let (from, to) = (lo / 64, hi.div_ceil(64));
        for word in from as usize / 64..(to as usize).div_ceil(64) {
            let mut blocks = self.live(&self.tops, word, between(word, from, to), point)?;
            while blocks != 0 {
                let block = word * 64 + blocks.trailing_zeros() as usize;
                if let Some(place) = self.in_block(block, between(block, lo, hi), point) {
                    return Some(place);
                }
                blocks &= blocks - 1;
            }
        }
        None
    }

    /// The first place without a group that takes the facts, where its rank is before a given one.
    #[inline]
    fn first_before(&self, rank: u32, point: Point) -> Option<u32> {
        let (lo, hi) = (self.wide, self.n_places);
        for block in lo as usize / 64..(hi as usize).div_ceil(64) {
            if self.rank(lo.max(block as u32 * 64)) >= rank {
                return None;
            }
            if let Some(place) = self.in_block(block, between(block, lo, hi), point) {
                return (self.rank(place) < rank).then_some(place);
            }
        }
        None
    }

    /// The first place of a block, among some of them, that takes the facts.
    #[inline]
    fn in_block(&self, block: usize, among: u64, point: Point) -> Option<u32> {
        let mut live = self.live(&self.bits, block, among, point)?;
        while live != 0 {
            let place = (block * 64) as u32 + live.trailing_zeros();
            if self.checks.iter().all(|check| check.admits(place, point)) {
                return Some(place);
            }
            live &= live - 1;
        }
        None
    }

    /// What one word of every column's line leaves of some bits.
    #[inline]
    fn live(&self, bits: &[u64], word: usize, among: u64, point: Point) -> Option<u64> {
        let lines = bits.get(word * self.n_lines..)?.get(..self.n_lines)?;
        let mut live = among;
        for column in &self.columns {
            let (first, second) = (point.facts.get(column.slot as usize)?, point.facts.get(column.second as usize)?);
            // An artifact may hold any numbers: then there is no such line, and no row.
            let line = column.base.wrapping_add(*first).wrapping_add(second.wrapping_mul(column.stride));
            live &= lines.get(line as usize)?;
        }
        for column in &self.classed {
            live &= lines.get(column.line(point)? as usize)?;
        }
        Some(live)
    }

    /// What orders the places of two groups.
    #[inline]
    fn rank(&self, place: u32) -> u32 {
        let rank = match &*self.ranks {
            [] => self.ends.get(place as usize).map(|end| end.row_place()),
            ranks => ranks.get(place as usize).copied(),
        };
        rank.unwrap_or(u32::MAX)
    }
}

/// The bits of one word that stand for places from `lo` on and before `hi`.
#[inline]
fn between(word: usize, lo: u32, hi: u32) -> u64 {
    let first = (word * 64) as u64;
    let below = |place: u32| match u64::from(place).saturating_sub(first) {
        n @ 0..64 => (1u64 << n) - 1,
        _ => u64::MAX,
    };
    below(hi) & !below(lo)
}

impl Groups {
    /// The places of the code at hand.
    #[inline]
    fn places(&self, point: Point) -> Option<(u32, u32)> {
        let code = point.code(self.source)? as usize;
        Some((*self.starts.get(code)?, *self.starts.get(code + 1)?))
    }
}

impl Classed {
    #[inline]
    fn line(&self, point: Point) -> Option<u32> {
        let code = point.code(self.source)?;
        Some(self.base.wrapping_add(self.classes.of(code)?))
    }
}

impl Classes {
    /// The class of a code.
    #[inline]
    pub(super) fn of(&self, code: u32) -> Option<u32> {
        match self {
            Classes::Own => Some(code),
            Classes::Listed(classes) => classes.get(code as usize).map(|class| u32::from(*class)),
            Classes::Stretches(scale) => Some(((u64::from(code) * u64::from(*scale)) >> 32) as u32),
        }
    }
}

impl Check {
    /// Whether a place that its class lets through admits the code.
    #[inline]
    fn admits(&self, place: u32, point: Point) -> bool {
        let Some(code) = point.code(self.source) else { return false };
        let first = self.ranges.get(place as usize).is_some_and(|(lo, hi)| *lo <= code && code < *hi);
        first || !self.more.is_empty() && self.admits_more(place, code)
    }

    fn admits_more(&self, place: u32, code: u32) -> bool {
        let from = self.more.partition_point(|more| more.0 < place);
        let own = self.more.iter().skip(from).take_while(|more| more.0 == place);
        own.into_iter().any(|(_, lo, hi)| *lo <= code && code < *hi)
    }
}
