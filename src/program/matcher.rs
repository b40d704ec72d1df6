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
//! Facts that go together are one column ([`joints`](super::joints)). The words of one line lie together, and a question
//! looks at a window of 256 places at a time. Where there are many windows, a line of *tops* has a bit for each 64 places
//! that have any row for its code: places without one are passed over.
//!
//! Where many rows test one fact narrowly they are sorted by it into groups: only the rows of the code at hand and the
//! rows that test it widely, or not at all, are looked at. A column with very many codes has its lines by stretches
//! of codes, which admit too much; a row that it lets through is then checked exactly.

use super::question::Question;
use super::verdict::Verdict;

/// The words that are looked at together, and the places that they stand for.
pub(super) const WORDS: usize = 4;
const WINDOW: u32 = 64 * WORDS as u32;

/// So many windows are looked at one by one; of what lies behind them the tops are looked at first.
const SOON: u32 = 4;

/// Finds the row of one table or derive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    /// The columns whose every code is a line.
    pub(super) columns: Box<[Column]>,
    /// The other columns.
    pub(super) classed: Box<[Classed]>,
    /// The columns whose lines admit too much.
    pub(super) checks: Box<[Check]>,
    /// The words of the lines, line by line, each behind its last with as many empty ones as a window needs.
    pub(super) bits: Box<[u64]>,
    /// The words of their tops, laid out alike; empty where there are few places.
    pub(super) tops: Box<[u64]>,
    /// Whether the table is small and all its columns are `columns`; then its places are these bits.
    pub(super) is_plain: bool,
    pub(super) few: u64,
    /// How many words a line has.
    pub(super) width: usize,
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
    pub(super) at: At,
    /// Where the places of each code begin, and where the last one's end.
    pub(super) starts: Box<[u32]>,
}

/// The lines of one joint: one for each of its points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Where its point stands in a question.
    pub(super) place: u32,
    /// The first line.
    pub(super) base: u32,
}

/// The lines of one fact or derive whose codes have classes.
#[derive(Debug, Clone)]
pub(super) struct Classed {
    pub(super) at: At,
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
    pub(super) at: At,
    /// The first range of each place.
    pub(super) ranges: Box<[(u32, u32)]>,
    /// Further ranges, in the order of their places, which stand before them.
    pub(super) more: Box<[(u32, u32, u32)]>,
}

/// What a column is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// A caller's fact, by its slot.
    Fact(u32),
    /// The row that a derive takes; past the last one where it takes none.
    Derive(u32),
}

impl Source {
    /// The slot, of a fact.
    pub(super) fn slot(self) -> Option<u32> {
        if let Source::Fact(slot) = self { Some(slot) } else { None }
    }
}

/// Where a code stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// At a place of the question: that of its slot, or that of its joint where no other fact is in it.
    Place(u32),
    /// It is the row that a derive takes.
    Derive(u32),
}

/// The codes of one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    pub(super) question: &'a Question,
    /// By derive, the row that it takes.
    pub(super) derived: &'a [u32],
}

impl Point<'_> {
    #[inline]
    pub(super) fn code(self, at: At) -> Option<u32> {
        match at {
            At::Place(place) => self.question.at(place),
            At::Derive(derive) => self.derived.get(derive as usize).copied(),
        }
    }
}

/// What a question looks for: the line of each column, and the codes that rows are checked by.
#[derive(Debug, Clone, Copy)]
struct Look<'a> {
    lines: &'a [u32],
    point: Point<'a>,
}

impl Matcher {
    /// The same, where what follows from its size and its columns is worked out.
    pub(super) fn ready(self) -> Matcher {
        let is_plain = self.is_small() && self.classed.is_empty() && self.checks.is_empty();
        let few = if self.is_small() { u64::MAX.checked_shr(64 - self.n_places).unwrap_or(0) } else { 0 };
        Matcher { is_plain, few, width: width(self.n_places, self.groups.is_some()), ..self }
    }

    /// What follows from the row that takes the facts.
    #[expect(clippy::inline_always, reason = "a small table is answered where it is asked")]
    #[inline(always)]
    pub(super) fn find(&self, point: Point) -> Option<Verdict> {
        let place = if self.is_plain { self.first_of_few(point) } else { self.first_of_all(point) };
        self.ends.get(place? as usize).copied()
    }

    /// Whether a line is one word.
    fn is_small(&self) -> bool {
        width(self.n_places, self.groups.is_some()) == 1
    }

    /// The first of at most 64 places, where the columns are exact.
    #[inline]
    fn first_of_few(&self, point: Point) -> Option<u32> {
        let mut live = self.few;
        for column in &self.columns {
            live &= self.bits.get(column.line(point)? as usize)?;
        }
        if live == 0 { None } else { Some(live.trailing_zeros()) }
    }

    /// The first of any number of places, with columns of any kind. A model has at most 1024 facts, so that many columns.
    #[inline(never)]
    fn first_of_all(&self, point: Point) -> Option<u32> {
        match self.columns.len() + self.classed.len() {
            0..=8 => self.first_by(&mut [0; 8], point),
            9..=64 => self.first_by(&mut [0; 64], point),
            _ => self.first_by(&mut [0; 1024], point),
        }
    }

    /// The same with room for the line of each column.
    #[inline]
    fn first_by(&self, room: &mut [u32], point: Point) -> Option<u32> {
        let mut n = 0;
        for column in &self.columns {
            *room.get_mut(n)? = column.line(point)?;
            n += 1;
        }
        for column in &self.classed {
            *room.get_mut(n)? = column.line(point)?;
            n += 1;
        }
        let look = Look { lines: room.get(..n)?, point };
        let Some(groups) = &self.groups else { return self.first(0, self.n_places, look) };
        // The first of the places of the code at hand and of those without a group.
        let (lo, hi) = groups.places(point)?;
        match self.first(lo, hi, look) {
            None => self.first(self.wide, self.n_places, look),
            Some(own) => self.first_before(self.rank(own), look).or(Some(own)),
        }
    }

    /// The first of some places that takes the facts.
    #[inline]
    fn first(&self, lo: u32, hi: u32, look: Look) -> Option<u32> {
        if lo >= hi {
            return None;
        }
        let place =
            if lo / 64 == (hi - 1) / 64 { self.first_in_block(lo, look) } else { self.first_of_some(lo, hi, look) };
        place.filter(|place| *place < hi)
    }

    /// The same, window by window; it may lie behind them.
    #[inline]
    fn first_of_some(&self, lo: u32, hi: u32, look: Look) -> Option<u32> {
        let mut from = lo;
        for _ in 0..SOON {
            if let Some(place) = self.first_in_window(from, look) {
                return Some(place);
            }
            from = (from & !63) + WINDOW;
            if from >= hi {
                return None;
            }
        }
        self.first_of_many(from, hi, look)
    }

    /// The same of many windows: only those places are looked at where every column has a row near.
    #[cold]
    fn first_of_many(&self, lo: u32, hi: u32, look: Look) -> Option<u32> {
        let (from, to) = (lo / 64, hi.div_ceil(64));
        let width = width_of_tops(self.n_places);
        for first in (from / 64..to.div_ceil(64)).step_by(WORDS) {
            let mut live = window(&self.tops, width, first, look.lines)?;
            live[0] &= u64::MAX << from.saturating_sub(first * 64).min(63);
            for (word, mut blocks) in (first..).zip(live) {
                while blocks != 0 {
                    let block = word * 64 + blocks.trailing_zeros();
                    if block >= to {
                        return None;
                    }
                    let place = self.first_in_block(block * 64, look);
                    if place.is_some() {
                        return place;
                    }
                    blocks &= blocks - 1;
                }
            }
        }
        None
    }

    /// The first place without a group that takes the facts, where its rank is before a given one.
    #[inline]
    fn first_before(&self, rank: u32, look: Look) -> Option<u32> {
        let mut from = self.wide;
        while from < self.n_places && self.rank(from) < rank {
            if let Some(place) = self.first_in_window(from, look) {
                return Some(place).filter(|place| self.rank(*place) < rank);
            }
            from = (from & !63) + WINDOW;
        }
        None
    }

    /// The first place of a window, from one on, that takes the facts; it may lie past the last place.
    #[inline]
    fn first_in_window(&self, from: u32, look: Look) -> Option<u32> {
        let mut live = window(&self.bits, self.width, from / 64, look.lines)?;
        live[0] &= u64::MAX << (from % 64);
        let mut words = filled(&live);
        while words != 0 {
            let word = words.trailing_zeros();
            let place = self.first_admitted((from & !63) + word * 64, live[word as usize % WORDS], look.point);
            if place.is_some() {
                return place;
            }
            words &= words - 1;
        }
        None
    }

    /// The same of the block of 64 places around the one.
    #[inline]
    fn first_in_block(&self, from: u32, look: Look) -> Option<u32> {
        let words = self.bits.get(from as usize / 64..)?;
        let mut live = u64::MAX << (from % 64);
        for line in look.lines {
            live &= words.get(*line as usize * self.width)?;
        }
        self.first_admitted(from & !63, live, look.point)
    }

    /// The first place of a word that takes the facts exactly.
    #[inline]
    fn first_admitted(&self, first: u32, mut live: u64, point: Point) -> Option<u32> {
        while live != 0 {
            let place = first + live.trailing_zeros();
            if self.checks.iter().all(|check| check.admits(place, point)) {
                return Some(place);
            }
            live &= live - 1;
        }
        None
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

/// How many words a line has: one for each 64 places, and behind the last what a window needs.
pub(super) fn width(n_places: u32, has_groups: bool) -> usize {
    let n_words = n_places.div_ceil(64) as usize;
    if n_words <= 1 && !has_groups { 1 } else { n_words + WORDS - 1 }
}

/// How many words a line of tops has.
pub(super) fn width_of_tops(n_places: u32) -> usize {
    if n_places > SOON * WINDOW { width(n_places.div_ceil(64), true) } else { 0 }
}

/// What some words of every line leave, where the lines are so wide.
#[inline]
fn window(words: &[u64], width: usize, first: u32, lines: &[u32]) -> Option<[u64; WORDS]> {
    let words = words.get(first as usize..)?;
    let mut live = [u64::MAX; WORDS];
    for line in lines {
        let line = words.get(*line as usize * width..)?.first_chunk::<WORDS>()?;
        live.iter_mut().zip(line).for_each(|(live, line)| *live &= line);
    }
    Some(live)
}

/// The words that have any place, a bit each.
#[inline]
fn filled(live: &[u64; WORDS]) -> u32 {
    (0..).zip(live).fold(0, |filled, (place, word)| filled | u32::from(*word != 0) << place)
}

impl Groups {
    /// The places of the code at hand.
    #[inline]
    fn places(&self, point: Point) -> Option<(u32, u32)> {
        let code = point.code(self.at)? as usize;
        Some((*self.starts.get(code)?, *self.starts.get(code + 1)?))
    }
}

impl Column {
    /// An artifact may hold any numbers: then there is no such line, and no row.
    #[inline]
    fn line(self, point: Point) -> Option<u32> {
        Some(self.base.wrapping_add(point.question.at(self.place)?))
    }
}

impl Classed {
    #[inline]
    fn line(&self, point: Point) -> Option<u32> {
        Some(self.base.wrapping_add(self.classes.of(point.code(self.at)?)?))
    }
}

impl Classes {
    /// How many there are of so many codes.
    pub(super) fn len(&self, n_codes: u32) -> u32 {
        match self {
            Classes::Listed(classes) => classes.iter().max().map_or(1, |last| u32::from(*last) + 1),
            _ => self.of(n_codes.saturating_sub(1)).map_or(1, |last| last + 1),
        }
    }

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
        let Some(code) = point.code(self.at) else { return false };
        let first = self.ranges.get(place as usize).is_some_and(|(lo, hi)| *lo <= code && code < *hi);
        first || !self.more.is_empty() && self.admits_more(place, code)
    }

    fn admits_more(&self, place: u32, code: u32) -> bool {
        let from = self.more.partition_point(|more| more.0 < place);
        let own = self.more.iter().skip(from).take_while(|more| more.0 == place);
        own.into_iter().any(|(_, lo, hi)| *lo <= code && code < *hi)
    }
}
