//! The matcher of one table: column bitmaps over rows in the order in which they are asked.
//!
//! For each column and each code of its fact a bitmap holds the rows that admit it; the AND of one bitmap a column has
//! its lowest bit at the row that answers. Lakshman and Stiliadis 1998 have the bit vectors.
//!
//! ```text
//!            effect: read  write     attempt: 1   2..       read, 2:  101 AND 110 = 100  →  the third row
//! row 0  (bit 0)      1      0                0    0
//! row 1  (bit 1)      0      1                1    1
//! row 2  (bit 2)      1      1                1    1
//! ```
//!
//! Where many rows test one fact narrowly they are sorted by it into groups: only the rows of the code at hand and the
//! rows that test it widely, or not at all, are looked at. A column with very many codes has its bitmaps by stretches
//! of codes, which admit too much; a row that it lets through is then checked exactly.

/// The words of bitmaps that are looked at together.
pub(super) const STRIDE: usize = 8;

/// Finds the row of one table or derive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    /// What most rows test comes first.
    pub(super) columns: Box<[Column]>,
    /// The columns whose bitmaps admit too much.
    pub(super) checks: Box<[Check]>,
    /// The bitmaps, column by column and class by class, and [`STRIDE`] words more so that whole strides can be read.
    pub(super) bits: Box<[u64]>,
    /// The words of one bitmap.
    pub(super) n_words: usize,
    /// How many places there are: one for each row, and more where rows stand in several groups.
    pub(super) n_places: u32,
    /// The groups; without them all places are `wide`.
    pub(super) groups: Option<Groups>,
    /// Where the places begin that belong to no group.
    pub(super) wide: u32,
    /// The rank of each place in the order of asking; empty where the place is the rank.
    pub(super) ranks: Box<[u32]>,
    /// The row of each rank; an `any unknown` row has a rank for each of its boxes.
    pub(super) rows: Box<[u32]>,
}

/// Rows sorted by the codes of one fact.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    pub(super) source: Source,
    /// Where the places of each code begin, and where the last one's end.
    pub(super) starts: Box<[u32]>,
}

/// The bitmaps of one fact.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) source: Source,
    /// Where its bitmaps begin.
    pub(super) base: usize,
    /// The class of each code; empty where every code is a class.
    pub(super) classes: Box<[u16]>,
}

/// What each place admits of a fact whose classes admit too much, as ranges of codes.
#[derive(Debug, Clone)]
pub(super) struct Check {
    pub(super) source: Source,
    /// Where the ranges of each place begin, and where the last one's end.
    pub(super) starts: Box<[u32]>,
    /// Half-open.
    pub(super) ranges: Box<[(u32, u32)]>,
}

/// Where a column's code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// A caller's fact.
    Fact(u32),
    /// The row that a derive takes; past the last one where it takes none.
    Derive(u32),
}

/// The codes of one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    /// By fact.
    pub(super) facts: &'a [u32],
    /// By derive, the row that it takes.
    pub(super) derived: &'a [u32],
}

impl Point<'_> {
    #[inline]
    pub(super) fn code(self, source: Source) -> Option<u32> {
        match source {
            Source::Fact(fact) => self.facts.get(fact as usize).copied(),
            Source::Derive(derive) => self.derived.get(derive as usize).copied(),
        }
    }
}

impl Matcher {
    /// The row that takes the facts.
    #[inline]
    pub(super) fn find(&self, point: Point) -> Option<u32> {
        if self.n_words == 1 && self.groups.is_none() {
            let rank = self.stride::<1>(0, 0, self.n_places, point)?;
            return self.rows.get(rank as usize).copied();
        }
        self.find_among_many(point)
    }

    fn find_among_many(&self, point: Point) -> Option<u32> {
        let rank = match &self.groups {
            None => self.first(0, self.n_places, u32::MAX, point),
            Some(groups) => {
                let (lo, hi) = groups.places(point)?;
                let own = self.first(lo, hi, u32::MAX, point).unwrap_or(u32::MAX);
                self.first(self.wide, self.n_places, own, point).or(Some(own))
            }
        };
        self.rows.get(rank? as usize).copied()
    }

    /// The rank of the first of some places that takes the facts, where it is before a given one.
    fn first(&self, lo: u32, hi: u32, before: u32, point: Point) -> Option<u32> {
        let (from, to) = (lo as usize / 64, (hi as usize).div_ceil(64));
        if to - from.min(to) <= 1 {
            return self.stride::<1>(from, lo, hi, point).map(|place| self.rank(place)).filter(|rank| *rank < before);
        }
        for word in (from..to).step_by(STRIDE) {
            if before < u32::MAX && self.rank(lo.max(word as u32 * 64)) >= before {
                return None;
            }
            if let Some(place) = self.stride::<STRIDE>(word, lo, hi, point) {
                return Some(self.rank(place)).filter(|rank| *rank < before);
            }
        }
        None
    }

    /// The first place that takes the facts, of those between `lo` and `hi` that lie in some words of the bitmaps.
    #[inline]
    fn stride<const N: usize>(&self, word: usize, lo: u32, hi: u32, point: Point) -> Option<u32> {
        let mut live: [u64; N] = std::array::from_fn(|i| between(word + i, lo, hi));
        for column in &self.columns {
            let class = column.class(point)?;
            let from = column.base + class * self.n_words + word;
            let bits = self.bits.get(from..)?.first_chunk::<N>()?;
            for (live, bits) in live.iter_mut().zip(bits) {
                *live &= bits;
            }
        }
        loop {
            let at = live.iter().position(|bits| *bits != 0)?;
            let place = ((word + at) * 64) as u32 + live[at].trailing_zeros();
            if self.checks.iter().all(|check| check.admits(place, point)) {
                return Some(place);
            }
            live[at] &= live[at] - 1;
        }
    }

    fn rank(&self, place: u32) -> u32 {
        if self.ranks.is_empty() { place } else { self.ranks.get(place as usize).copied().unwrap_or(u32::MAX) }
    }
}

/// The bits of one word that stand for places from `lo` on and before `hi`.
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
    fn places(&self, point: Point) -> Option<(u32, u32)> {
        let code = point.code(self.source)? as usize;
        Some((*self.starts.get(code)?, *self.starts.get(code + 1)?))
    }
}

impl Column {
    #[inline]
    fn class(&self, point: Point) -> Option<usize> {
        let code = point.code(self.source)? as usize;
        if self.classes.is_empty() { Some(code) } else { self.classes.get(code).map(|class| usize::from(*class)) }
    }
}

impl Check {
    /// Whether a place that its class lets through admits the code.
    fn admits(&self, place: u32, point: Point) -> bool {
        let place = place as usize;
        let (Some(from), Some(to)) = (self.starts.get(place), self.starts.get(place + 1)) else { return false };
        let ranges = self.ranges.get(*from as usize..*to as usize).unwrap_or_default();
        point.code(self.source).is_some_and(|code| ranges.iter().any(|(lo, hi)| *lo <= code && code < *hi))
    }
}
