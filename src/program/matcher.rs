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
//! Facts that go together are one column ([`joints`](super::joints)). The bits of 128 places, a *stripe*, are one number of
//! each line, and those of all lines lie together: what one question reads of a stripe is near what the next one does.
//! Where there are many stripes, a line of *tops* has a bit for each stripe that has any row for its code: stripes
//! without one are passed over.
//!
//! Where many rows test one fact narrowly they are sorted by it into groups: only the rows of the code at hand and the
//! rows that test it widely, or not at all, are looked at. A column with very many codes has its lines by stretches
//! of codes, which admit too much; a row that it lets through is then checked exactly.

use super::question::Question;
use super::verdict::Verdict;

/// The places that one number of a line stands for.
pub(super) const STRIPE: u32 = u128::BITS;

/// So many stripes are looked at one by one; of what lies behind them the tops are looked at first.
const SOON: u32 = 8;

/// Finds the row of one table or derive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    /// The columns whose every code is a line.
    pub(super) columns: Box<[Column]>,
    /// The other columns.
    pub(super) classed: Box<[Classed]>,
    /// The columns whose lines admit too much.
    pub(super) checks: Box<[Check]>,
    /// A bit for each place, stripe by stripe: of each stripe all lines, one behind the other.
    pub(super) bits: Box<[u128]>,
    /// A bit for each stripe, laid out alike; empty where there are few.
    pub(super) tops: Box<[u128]>,
    pub(super) n_lines: usize,
    /// Whether the table is small and nothing is checked behind its columns; then its places are these bits.
    pub(super) is_plain: bool,
    pub(super) few: u64,
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
    /// Where the places of each code begin, and where they end. Between them some may stand that are no code's.
    pub(super) places: Box<[(u32, u32)]>,
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

/// One stripe, looked at from a place on.
#[derive(Debug, Clone, Copy)]
struct Step {
    from: u32,
    /// The next place that takes the facts, where it is in the stripe; else that at which the next stripe begins.
    next: u32,
}

/// How far one question has looked.
#[derive(Debug, Clone, Copy)]
struct Steps {
    /// In the group, and where it ends.
    own: Step,
    end: u32,
    /// In the places without one.
    wide: Step,
}

impl Matcher {
    /// The same, where what follows from its size and its columns is worked out.
    pub(super) fn ready(self) -> Matcher {
        let is_small = self.n_places <= 64 && self.groups.is_none();
        let is_plain = is_small && self.checks.is_empty();
        let few = if is_small { u64::MAX.checked_shr(64 - self.n_places).unwrap_or(0) } else { 0 };
        Matcher { is_plain, few, ..self }
    }

    /// What follows from the row that takes the facts.
    #[expect(clippy::inline_always, reason = "a small table is answered where it is asked")]
    #[inline(always)]
    pub(super) fn find(&self, point: Point) -> Option<Verdict> {
        let place = if self.is_plain { self.first_of_few(point) } else { self.first_of_all(point) };
        self.ends.get(place? as usize).copied()
    }

    /// The first of at most 64 places, where the columns are exact.
    #[inline]
    fn first_of_few(&self, point: Point) -> Option<u32> {
        let mut live = self.few;
        for column in &self.columns {
            live &= *self.bits.get(column.line(point)? as usize)? as u64;
        }
        for column in &self.classed {
            live &= *self.bits.get(column.line(point)? as usize)? as u64;
        }
        if live == 0 { None } else { Some(live.trailing_zeros()) }
    }

    /// The first of any number of places, with columns of any kind.
    #[inline(never)]
    fn first_of_all(&self, point: Point) -> Option<u32> {
        let (lo, hi) = self.group(point)?;
        // Mostly the stripes that the group and the places without one begin with settle it. Both are looked at together,
        // so that neither waits for the other.
        let (own_lines, wide_lines) = (self.stripe(lo)?, self.stripe(self.wide)?);
        let (mut own, mut wide) = (u128::MAX, u128::MAX);
        for column in &self.columns {
            let line = column.line(point)? as usize;
            own &= own_lines.get(line)?;
            wide &= wide_lines.get(line)?;
        }
        for column in &self.classed {
            let line = column.line(point)? as usize;
            own &= own_lines.get(line)?;
            wide &= wide_lines.get(line)?;
        }
        let steps = Steps { own: Step::new(lo, own), end: hi, wide: Step::new(self.wide, wide) };
        let (_, first) = self.asked_first(steps)?;
        if first.is_place() && self.admits(first.next, point) {
            Some(first.next)
        } else {
            self.first_behind(steps, point)
        }
    }

    /// The places of the code at hand.
    #[inline]
    fn group(&self, point: Point) -> Option<(u32, u32)> {
        match &self.groups {
            Some(groups) => groups.places.get(point.code(groups.at)? as usize).copied(),
            None => Some((0, 0)),
        }
    }

    /// The same where these steps do not settle it. A model has at most 1024 facts, so that many columns.
    #[inline(never)]
    fn first_behind(&self, steps: Steps, point: Point) -> Option<u32> {
        match self.columns.len() + self.classed.len() {
            n @ 0..=8 => self.first_by([0; 8].get_mut(..n)?, steps, point),
            n @ 9..=64 => self.first_by([0; 64].get_mut(..n)?, steps, point),
            n => self.first_by([0; 1024].get_mut(..n)?, steps, point),
        }
    }

    /// The same with room for the line of each column.
    fn first_by(&self, lines: &mut [u32], mut steps: Steps, point: Point) -> Option<u32> {
        let (columns, classed) = lines.split_at_mut_checked(self.columns.len())?;
        for (line, column) in columns.iter_mut().zip(&self.columns) {
            *line = column.line(point)?;
        }
        for (line, column) in classed.iter_mut().zip(&self.classed) {
            *line = column.line(point)?;
        }
        let look = Look { lines, point };
        if !self.checks.is_empty() {
            (steps.own, steps.wide) = (self.step(steps.own.from, look), self.step(steps.wide.from, look));
        }
        let n_rounds = if self.groups.is_some() { SOON } else { 0 };
        for _ in 0..n_rounds {
            match self.asked_first(steps)? {
                (_, first) if first.is_place() => return Some(first.next),
                (true, first) => steps.wide = self.step(first.next, look),
                (false, first) => steps.own = self.step(first.next, look),
            }
        }
        match self.first(steps.own.rest(), steps.end, look) {
            None => self.first(steps.wide.rest(), self.n_places, look),
            Some(own) => self.first_before(self.rank(own), steps.wide.rest(), look).or(Some(own)),
        }
    }

    /// The step that is asked first, and whether it is that of the places without a group; nothing where both have come
    /// to their ends.
    #[inline]
    fn asked_first(&self, Steps { own, end, wide }: Steps) -> Option<(bool, Step)> {
        let (own_rank, wide_rank) = (self.rank_before(end, own.next), self.rank_before(self.n_places, wide.next));
        let is_wide = wide_rank < own_rank;
        (own_rank.min(wide_rank) != u32::MAX).then_some((is_wide, if is_wide { wide } else { own }))
    }

    /// The first of some places that takes the facts. Of many stripes only those are looked at where every column has a
    /// row.
    fn first(&self, lo: u32, hi: u32, look: Look) -> Option<u32> {
        if self.tops.is_empty() {
            let mut from = lo;
            while from < hi {
                let step = self.step(from, look);
                if step.is_place() {
                    return Some(step.next).filter(|place| *place < hi);
                }
                from = step.next;
            }
            return None;
        }
        let (from, to) = (lo / STRIPE, hi.div_ceil(STRIPE));
        for top in from / STRIPE..to.div_ceil(STRIPE) {
            let mut stripes = live(self.tops.get(top as usize * self.n_lines..)?, look)?;
            while stripes != 0 {
                let stripe = top * STRIPE + stripes.trailing_zeros();
                if stripe >= to {
                    return None;
                }
                if stripe >= from {
                    let step = self.step((stripe * STRIPE).max(lo), look);
                    if step.is_place() {
                        return Some(step.next).filter(|place| *place < hi);
                    }
                }
                stripes &= stripes - 1;
            }
        }
        None
    }

    /// The first place without a group that takes the facts, from one on, where its rank is before a given one.
    fn first_before(&self, rank: u32, wide: u32, look: Look) -> Option<u32> {
        let mut from = wide;
        while self.rank_before(self.n_places, from) < rank {
            let step = self.step(from, look);
            if step.is_place() {
                return Some(step.next).filter(|next| self.rank_before(self.n_places, *next) < rank);
            }
            from = step.next;
        }
        None
    }

    /// Looks at the stripe of a place, from it on.
    #[inline]
    fn step(&self, from: u32, look: Look) -> Step {
        let live = self.stripe(from).and_then(|lines| live(lines, look));
        let mut live = live.unwrap_or(0) & u128::MAX << (from % STRIPE);
        let mut step = Step::new(from, live);
        while step.is_place() && !self.admits(step.next, look.point) {
            live &= live - 1;
            step = Step::new(from, live);
        }
        step
    }

    /// The lines of the stripe that a place is in, and of those behind it.
    #[inline]
    fn stripe(&self, place: u32) -> Option<&[u128]> {
        self.bits.get((place / STRIPE) as usize * self.n_lines..)
    }

    /// Whether a place that its lines let through takes the facts.
    #[inline]
    fn admits(&self, place: u32, point: Point) -> bool {
        self.checks.iter().all(|check| check.admits(place, point))
    }

    /// The rank of a place before an end; that of no place behind it.
    #[inline]
    fn rank_before(&self, end: u32, place: u32) -> u32 {
        if place < end { self.rank(place) } else { u32::MAX }
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

/// What the lines leave of a stripe of bits or tops.
#[inline]
fn live(stripe: &[u128], look: Look) -> Option<u128> {
    look.lines.iter().try_fold(u128::MAX, |live, line| Some(live & stripe.get(*line as usize)?))
}

/// How many stripes so many places have and one more, so that a look may begin behind the last; and those of their tops.
pub(super) fn n_stripes(n_places: u32) -> (usize, usize) {
    let n = n_places / STRIPE + 1;
    (n as usize, if n > SOON { n.div_ceil(STRIPE) as usize } else { 0 })
}

impl Step {
    /// From a place on, where its stripe leaves so many.
    #[inline]
    fn new(from: u32, live: u128) -> Step {
        let live = live & u128::MAX << (from % STRIPE);
        Step { from, next: (from & !(STRIPE - 1)) + live.trailing_zeros() }
    }

    /// From where on places are not looked at yet, or have to be once more.
    fn rest(self) -> u32 {
        if self.is_place() { self.from } else { self.next }
    }

    #[inline]
    fn is_place(self) -> bool {
        self.from / STRIPE == self.next / STRIPE
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
