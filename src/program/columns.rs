//! From rows as sets of codes to the bitmaps of a [`Matcher`].

use std::collections::{BTreeMap, BTreeSet};

use crate::space::SegSet;

use super::build::Plan;
use super::codes::classes;
use super::joints::{Joints, Looks};
use super::matcher::{At, Check, Classed, Classes, Column, Groups, Matcher, STRIPE, Source, n_stripes};
use super::verdict::Verdict;

/// A row that admits so many codes of a fact or fewer can stand in their groups.
const NARROW: u32 = 4;

/// Lists one behind the other.
#[derive(Debug, Clone)]
pub(super) struct Lists<T> {
    items: Vec<T>,
    /// Where each ends.
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    fn get(&self, place: usize) -> &[T] {
        let from = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.items[from as usize..self.ends[place] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len()).map(|place| self.get(place))
    }
}

/// The rows of one table as sets of codes.
pub(super) struct Sheet {
    /// The sets, shared by their places.
    pub(super) sets: Vec<SegSet>,
    /// What each rank tests, each source once.
    pub(super) tests: Lists<(Source, u32)>,
    /// What follows at each rank.
    pub(super) ends: Vec<Verdict>,
}

impl Sheet {
    /// Adds a test to a row; where the row tests the source already, both must hold.
    pub(super) fn add(&mut self, row: &mut Vec<(Source, u32)>, source: Source, set: u32) {
        match row.iter_mut().find(|(other, _)| *other == source) {
            Some((_, held)) => {
                let both = self.set(*held).and(self.set(set));
                self.sets.push(both);
                *held = self.sets.len() as u32 - 1;
            }
            None => row.push((source, set)),
        }
    }

    fn set(&self, place: u32) -> &SegSet {
        &self.sets[place as usize]
    }

    fn test(&self, rank: usize, source: Source) -> Option<&SegSet> {
        self.tests.get(rank).iter().find(|(other, _)| *other == source).map(|(_, set)| self.set(*set))
    }

    /// The sources by how many rows test them, most first: they rule out most.
    fn sources(&self) -> Vec<Source> {
        let mut n_tests: BTreeMap<Source, usize> = BTreeMap::new();
        for (source, _) in &self.tests.items {
            *n_tests.entry(*source).or_default() += 1;
        }
        let mut sources: Vec<_> = n_tests.into_iter().collect();
        sources.sort_by_key(|(source, n)| (std::cmp::Reverse(*n), *source));
        sources.into_iter().map(|(source, _)| source).collect()
    }
}

/// Half-open ranges.
type Spans = Box<[(u32, u32)]>;

/// The ranks in the order of their places.
struct Places {
    ranks: Vec<u32>,
    /// The source of the groups, and where the places of each code begin and end.
    groups: Option<(Source, Spans)>,
    /// Where the ranks begin that belong to no group.
    wide: usize,
}

/// A sheet whose places are laid out, and whose lines are not made yet.
pub(super) struct Layout {
    sheet: Sheet,
    places: Places,
    looks: Vec<Look>,
    most_lines: u32,
}

/// What a column is about, and the classes of its codes.
struct Look {
    source: Source,
    n_codes: u32,
    classes: Classes,
    /// Whether a class admits what its codes do.
    is_exact: bool,
}

impl Layout {
    pub(super) fn new(sheet: Sheet, n_codes: impl Fn(Source) -> u32, plan: &Plan) -> Layout {
        let sources = sheet.sources();
        let places = Places::of(&sheet, &sources, &n_codes, plan);
        let sources = sources.into_iter().filter(|source| places.must_look_at(&sheet, *source));
        let sources: Vec<(Source, u32)> = sources.map(|source| (source, n_codes(source))).collect();
        let most_lines = if places.ranks.len() <= 64 { plan.most_lines_of_few } else { plan.most_lines };
        let looks = looks(&sheet, &sources, most_lines, plan.stretches);
        Layout { sheet, places, looks, most_lines }
    }

    /// What it looks at of callers' facts.
    pub(super) fn looks(&self) -> Looks {
        let mut slots: Vec<u32> = self.looks.iter().filter_map(|look| look.source.slot()).collect();
        slots.sort_unstable();
        let n_lines = self.looks.iter().map(|look| look.classes.len(look.n_codes)).sum();
        Looks { slots, n_lines, most_lines: self.most_lines }
    }

    /// The slot of the fact that its rows are grouped by.
    pub(super) fn grouped_by(&self) -> Option<u32> {
        self.places.groups.as_ref().and_then(|(source, _)| source.slot())
    }

    /// The matcher, where facts are joined so.
    pub(super) fn matcher(self, joints: &Joints) -> Matcher {
        let Layout { sheet, places, looks, .. } = self;
        let mut lines = Lines { sheet: &sheet, ranks: &places.ranks, joints, made: Vec::new(), checks: Vec::new() };
        for look in &looks {
            let slot = look.source.slot();
            let slots: Vec<u32> = slot.iter().flat_map(|slot| joints.slots(joints.joint(*slot))).collect();
            match slots[..] {
                [first, _, ..] if slot != Some(first) => {}
                [_, _, ..] => lines.add_joint(&slots, &looks),
                _ => lines.add(look),
            }
        }
        let mut matcher = lines.matcher();
        matcher.ends = places.ranks.iter().map(|rank| sheet.ends[*rank as usize]).collect();
        matcher.wide = places.wide as u32;
        if places.groups.is_some() && !sheet.ends.is_sorted_by_key(|end| end.row_place()) {
            matcher.ranks = places.ranks.into();
        }
        matcher.groups = places.groups.map(|(source, places)| Groups { at: joints.at(source), places });
        matcher.ready()
    }
}

impl Places {
    /// Sorts the ranks by the fact that leaves the fewest to look at, where that pays.
    fn of(sheet: &Sheet, sources: &[Source], n_codes: &impl Fn(Source) -> u32, plan: &Plan) -> Places {
        let n_ranks = sheet.ends.len();
        let mut best = None;
        if n_ranks > plan.ungrouped {
            let candidates = sources.iter().map(|source| (cost(sheet, *source, n_codes(*source)), *source));
            best = candidates.filter_map(|(cost, source)| cost.map(|cost| (cost, source))).min();
        }
        match best {
            Some((cost, source)) if plan.group_always || 2 * cost <= n_ranks.div_ceil(64) => {
                Places::grouped(sheet, source, n_codes(source))
            }
            _ => Places { ranks: (0..n_ranks as u32).collect(), groups: None, wide: 0 },
        }
    }

    fn grouped(sheet: &Sheet, source: Source, n_codes: u32) -> Places {
        let mut of_code: Vec<Vec<u32>> = vec![Vec::new(); n_codes as usize];
        let mut wide = Vec::new();
        for rank in 0..sheet.ends.len() {
            match narrow(sheet, rank, source) {
                Some(set) => set.iter().for_each(|code| of_code[code as usize].push(rank as u32)),
                None => wide.push(rank as u32),
            }
        }
        let mut ranks: Vec<u32> = Vec::new();
        // Many ranks begin a stripe of their own: the one before them is filled with a rank that nothing asks there.
        let mut place = |own: &[u32]| {
            if own.len() > 2 * STRIPE as usize {
                ranks.resize(ranks.len().next_multiple_of(STRIPE as usize), own[0]);
            }
            let from = ranks.len() as u32;
            ranks.extend(own);
            (from, ranks.len() as u32)
        };
        let groups = of_code.iter().map(|group| place(group)).collect();
        let (wide, _) = place(&wide);
        Places { ranks, groups: Some((source, groups)), wide: wide as usize }
    }

    /// Whether a source is tested outside the groups that it makes itself.
    fn must_look_at(&self, sheet: &Sheet, source: Source) -> bool {
        let is_group = self.groups.as_ref().is_some_and(|(by, _)| *by == source);
        !is_group || self.ranks[self.wide..].iter().any(|rank| sheet.test(*rank as usize, source).is_some())
    }
}

/// The narrow codes of a rank.
fn narrow(sheet: &Sheet, rank: usize, source: Source) -> Option<&SegSet> {
    sheet.test(rank, source).filter(|set| set.len() <= NARROW)
}

/// The blocks to look at on an average code where the ranks are grouped by a source; nothing where ranks would stand
/// in many more places than their number.
fn cost(sheet: &Sheet, source: Source, n_codes: u32) -> Option<usize> {
    let (mut n_narrow, mut n_wide) = (0, 0);
    for rank in 0..sheet.ends.len() {
        match narrow(sheet, rank, source) {
            Some(set) => n_narrow += set.len() as usize,
            None => n_wide += 1,
        }
    }
    let average = n_narrow / n_codes.max(1) as usize;
    (2 * (n_narrow + n_wide) <= 3 * sheet.ends.len()).then(|| 1 + average.div_ceil(64) + usize::div_ceil(n_wide, 64))
}

/// The lines of the columns, while they are made.
struct Lines<'s> {
    sheet: &'s Sheet,
    ranks: &'s [u32],
    joints: &'s Joints,
    made: Vec<Made>,
    checks: Vec<Check>,
}

/// The lines of one column: of each stripe all of them, one behind the other.
struct Made {
    at: At,
    classes: Classes,
    n_lines: usize,
    bits: Vec<u128>,
}

impl Lines<'_> {
    /// Adds the lines of one source.
    fn add(&mut self, look: &Look) {
        let (n_lines, bits) = self.lines(look);
        if !look.is_exact {
            self.checks.push(self.check(look.source));
        }
        self.made.push(Made { at: self.joints.at(look.source), classes: look.classes.clone(), n_lines, bits });
    }

    /// Adds the lines of facts that go together: one for each point.
    fn add_joint(&mut self, slots: &[u32], looks: &[Look]) {
        let own = slots.iter().filter_map(|slot| looks.iter().find(|look| look.source == Source::Fact(*slot)));
        let lines = own.map(|look| self.lines(look)).reduce(|lines, own| paired(&lines, &own));
        let (n_lines, bits) = lines.unwrap_or_default();
        let joint = slots.first().map_or(0, |slot| self.joints.joint(*slot));
        self.made.push(Made { at: At::Place(self.joints.place(joint)), classes: Classes::Own, n_lines, bits });
    }

    /// How many lines a look has, and their bits.
    fn lines(&self, look: &Look) -> (usize, Vec<u128>) {
        let Look { source, n_codes, classes, .. } = look;
        let class_of = |code: u32| classes.of(code).map_or(0, |class| class as usize);
        let n_classes = classes.len(*n_codes) as usize;
        let mut bits = vec![0; n_classes * n_stripes(self.ranks.len() as u32).0];
        for (rank, place) in self.ranks.iter().zip(0u32..) {
            let (stripe, bit) = ((place / STRIPE) as usize * n_classes, 1u128 << (place % STRIPE));
            // A bit stands where a stretch of classes begins and where it has ended, until all of them are spread.
            let mut turn = |from: usize, end: usize| {
                for line in [from, end] {
                    if line < n_classes {
                        bits[stripe + line] ^= bit;
                    }
                }
            };
            let Some(set) = self.sheet.test(*rank as usize, *source) else {
                turn(0, n_classes);
                continue;
            };
            if let Classes::Listed(_) = classes {
                let held: BTreeSet<usize> = set.iter().map(class_of).collect();
                for class in held {
                    turn(class, class + 1);
                }
                continue;
            }
            let mut next = 0;
            for (lo, hi) in set.ranges() {
                // Two ranges may meet in one stretch of codes.
                let (from, end) = (class_of(*lo).max(next), class_of(hi - 1) + 1);
                if from < end {
                    turn(from, end);
                    next = end;
                }
            }
        }
        for stripe in bits.chunks_exact_mut(n_classes) {
            let mut spread = 0;
            for own in stripe {
                spread ^= *own;
                *own = spread;
            }
        }
        (n_classes, bits)
    }

    /// What its places admit exactly.
    fn check(&self, source: Source) -> Check {
        let (mut ranges, mut more) = (Vec::with_capacity(self.ranks.len()), Vec::new());
        for (place, rank) in self.ranks.iter().enumerate() {
            let all = self.sheet.test(*rank as usize, source).map_or(&[(0, u32::MAX)][..], SegSet::ranges);
            ranges.push(all.first().copied().unwrap_or_default());
            more.extend(all.iter().skip(1).map(|(lo, hi)| (place as u32, *lo, *hi)));
        }
        Check { at: self.joints.at(source), ranges: ranges.into(), more: more.into() }
    }

    fn matcher(self) -> Matcher {
        let n_places = self.ranks.len() as u32;
        let (n_stripes, n_tops) = n_stripes(n_places);
        let n_lines: usize = self.made.iter().map(|made| made.n_lines).sum();
        let mut bits = Vec::with_capacity(n_stripes * n_lines);
        for stripe in 0..n_stripes {
            let own = self.made.iter().map(|Made { n_lines, bits, .. }| &bits[stripe * n_lines..][..*n_lines]);
            own.for_each(|lines| bits.extend_from_slice(lines));
        }
        let mut tops = vec![0; n_tops * n_lines];
        for (stripe, own) in bits.chunks_exact(n_lines.max(1)).enumerate() {
            let Some(tops) = tops.get_mut(stripe / STRIPE as usize * n_lines..) else { continue };
            let top = |bits: u128| u128::from(bits != 0) << (stripe % STRIPE as usize);
            tops.iter_mut().zip(own).for_each(|(tops, own)| *tops |= top(*own));
        }
        let (mut columns, mut classed, mut base) = (Vec::new(), Vec::new(), 0);
        for Made { at, classes, n_lines, .. } in self.made {
            match (at, classes) {
                (At::Place(place), Classes::Own) => columns.push(Column { place, base }),
                (at, classes) => classed.push(Classed { at, base, classes }),
            }
            base += n_lines as u32;
        }
        let (bits, tops, checks) = (bits.into(), tops.into(), self.checks.into());
        Matcher {
            columns: columns.into(),
            classed: classed.into(),
            checks,
            bits,
            tops,
            n_lines,
            n_places,
            ..Matcher::default()
        }
    }
}

/// A line for each pair of lines, those of the first next to each other.
fn paired((n_one, one): &(usize, Vec<u128>), (n_other, other): &(usize, Vec<u128>)) -> (usize, Vec<u128>) {
    let stripes = one.chunks_exact(*n_one).zip(other.chunks_exact(*n_other));
    let pairs = stripes.flat_map(|(one, other)| other.iter().flat_map(move |b| one.iter().map(move |a| a & b)));
    (n_one * n_other, pairs.collect())
}

/// The classes of each source. All keep to so many lines together: where the codes are more, those with the fewest keep
/// theirs, the others have lines by the classes that the table tells apart, or else by so many stretches of codes.
fn looks(sheet: &Sheet, sources: &[(Source, u32)], most_lines: u32, stretches: u32) -> Vec<Look> {
    let least: u32 = sources.iter().map(|(_, n_codes)| n_codes.min(&stretches)).sum();
    let mut left = most_lines.saturating_sub(least);
    let mut by_codes: Vec<usize> = (0..sources.len()).collect();
    by_codes.sort_by_key(|place| sources[*place].1);
    let mut looks: Vec<Option<Look>> = sources.iter().map(|_| None).collect();
    for place in by_codes {
        let (source, n_codes) = sources[place];
        let (classes, is_exact) = classes_of(sheet, source, n_codes, stretches, stretches + left);
        left -= classes.len(n_codes).saturating_sub(stretches);
        looks[place] = Some(Look { source, n_codes, classes, is_exact });
    }
    looks.into_iter().flatten().collect()
}

/// The classes of a source's codes, at most so many, and whether they admit what their codes do.
fn classes_of(sheet: &Sheet, source: Source, n_codes: u32, stretches: u32, most: u32) -> (Classes, bool) {
    if n_codes <= most {
        return (Classes::Own, true);
    }
    let sets: BTreeSet<&SegSet> = (0..sheet.ends.len()).filter_map(|rank| sheet.test(rank, source)).collect();
    let found = classes(n_codes, sets.iter().copied());
    if let Some(found) = found.filter(|found| found.iter().all(|class| *class < most)) {
        return (Classes::Listed(found.iter().map(|class| *class as u16).collect()), true);
    }
    // Rounded down, so that the last code's class is below the number of stretches.
    (Classes::Stretches(((u64::from(stretches) << 32) / u64::from(n_codes)) as u32), false)
}
