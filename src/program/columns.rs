//! From rows as sets of codes to the bitmaps of a [`Matcher`].

use std::collections::{BTreeMap, BTreeSet};

use crate::space::SegSet;

use super::build::Plan;
use super::codes::classes;
use super::matcher::{Check, Classed, Classes, Column, Groups, MANY_BLOCKS, Matcher, Source};
use super::verdict::Verdict;

/// A row that admits so many codes of a fact or fewer can stand in their groups.
const NARROW: u32 = 4;

/// The rows of one table as sets of codes.
pub(super) struct Sheet {
    /// The sets, shared by their places.
    pub(super) sets: Vec<SegSet>,
    /// What each rank tests, each source once.
    pub(super) tests: Vec<Vec<(Source, u32)>>,
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
        self.tests[rank].iter().find(|(other, _)| *other == source).map(|(_, set)| self.set(*set))
    }

    /// The sources by how many rows test them, most first: they rule out most.
    fn sources(&self) -> Vec<Source> {
        let mut n_tests: BTreeMap<Source, usize> = BTreeMap::new();
        for (source, _) in self.tests.iter().flatten() {
            *n_tests.entry(*source).or_default() += 1;
        }
        let mut sources: Vec<_> = n_tests.into_iter().collect();
        sources.sort_by_key(|(source, n)| (std::cmp::Reverse(*n), *source));
        sources.into_iter().map(|(source, _)| source).collect()
    }
}

/// The ranks in the order of their places.
struct Places {
    ranks: Vec<u32>,
    groups: Option<Groups>,
    /// Where the ranks begin that belong to no group.
    wide: usize,
}

/// The matcher of a sheet.
pub(super) fn matcher(sheet: &Sheet, n_codes: impl Fn(Source) -> u32, plan: &Plan) -> Matcher {
    let sources = sheet.sources();
    let places = Places::of(sheet, &sources, &n_codes, plan);
    let n_lines: u32 = sources.iter().map(|source| n_codes(*source).min(plan.most_classes)).sum();
    let is_large = places.ranks.len() > plan.few_places && n_lines > plan.most_lines;
    let most_classes = if is_large { plan.stretches } else { plan.most_classes };
    let mut lines = Lines { sheet, ranks: &places.ranks, plan, most_classes, made: Vec::new(), checks: Vec::new() };
    for source in sources {
        if places.must_look_at(sheet, source) {
            lines.add(source, n_codes(source));
        }
    }
    lines.pair_up();
    let mut matcher = lines.matcher();
    matcher.ends = places.ranks.iter().map(|rank| sheet.ends[*rank as usize]).collect();
    matcher.wide = places.wide as u32;
    if places.groups.is_some() && !sheet.ends.is_sorted_by_key(|end| end.row_place()) {
        matcher.ranks = places.ranks.into();
    }
    matcher.groups = places.groups;
    matcher
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
        let (mut ranks, mut starts) = (Vec::new(), vec![0]);
        for group in of_code {
            ranks.extend(group);
            starts.push(ranks.len() as u32);
        }
        let n_grouped = ranks.len();
        ranks.extend(wide);
        Places { ranks, groups: Some(Groups { source, starts: starts.into() }), wide: n_grouped }
    }

    /// Whether a source is tested outside the groups that it makes itself.
    fn must_look_at(&self, sheet: &Sheet, source: Source) -> bool {
        let is_group = self.groups.as_ref().is_some_and(|groups| groups.source == source);
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
    plan: &'s Plan,
    most_classes: u32,
    made: Vec<Made>,
    checks: Vec<Check>,
}

/// The lines of one column, each a bit for every place.
struct Made {
    source: Source,
    /// A second fact, and how many codes the first has.
    second: Option<(u32, u32)>,
    classes: Classes,
    lines: Vec<Vec<u64>>,
}

impl Made {
    /// Its slot, where each code of a fact is a line and nothing is paired with it.
    fn single(&self) -> Option<u32> {
        match (self.source, &self.classes, self.second) {
            (Source::Fact(slot), Classes::Own, None) => Some(slot),
            _ => None,
        }
    }
}

impl Lines<'_> {
    /// Adds the lines of one source.
    fn add(&mut self, source: Source, n_codes: u32) {
        let (classes, is_exact) = classes_of(self.sheet, source, n_codes, self.most_classes, self.plan.stretches);
        let lines = self.lines(source, n_codes, &classes, is_exact);
        if !is_exact {
            self.checks.push(self.check(source));
        }
        self.made.push(Made { source, second: None, classes, lines });
    }

    fn lines(&self, source: Source, n_codes: u32, classes: &Classes, is_exact: bool) -> Vec<Vec<u64>> {
        let class_of = |code: u32| classes.of(code).map_or(0, |class| class as usize);
        let n_classes = match classes {
            Classes::Listed(list) => list.iter().max().map_or(1, |last| usize::from(*last) + 1),
            _ => class_of(n_codes - 1) + 1,
        };
        let tests: Vec<_> = self.ranks.iter().map(|rank| self.sheet.test(*rank as usize, source)).collect();
        let mut free = vec![0u64; self.ranks.len().div_ceil(64)];
        for (place, _) in tests.iter().enumerate().filter(|(_, set)| set.is_none()) {
            free[place / 64] |= 1 << (place % 64);
        }
        let mut lines = vec![free; n_classes];
        for (place, set) in tests.iter().enumerate() {
            let mut set_bit = |class: usize| lines[class][place / 64] |= 1 << (place % 64);
            for &(lo, hi) in set.map_or(&[][..], SegSet::ranges) {
                if is_exact {
                    (lo..hi).for_each(|code| set_bit(class_of(code)));
                } else {
                    // Stretches lie in the order of their codes.
                    (class_of(lo)..=class_of(hi - 1)).for_each(&mut set_bit);
                }
            }
        }
        lines
    }

    /// What its places admit exactly.
    fn check(&self, source: Source) -> Check {
        let (mut ranges, mut more) = (Vec::with_capacity(self.ranks.len()), Vec::new());
        for (place, rank) in self.ranks.iter().enumerate() {
            let all = self.sheet.test(*rank as usize, source).map_or(&[(0, u32::MAX)][..], SegSet::ranges);
            ranges.push(all.first().copied().unwrap_or_default());
            more.extend(all.iter().skip(1).map(|(lo, hi)| (place as u32, *lo, *hi)));
        }
        Check { source, ranges: ranges.into(), more: more.into() }
    }

    /// Makes one column of two, those with the fewest lines first, as long as the room for lines is kept to.
    fn pair_up(&mut self) {
        let mut n_lines: usize = self.made.iter().map(|made| made.lines.len()).sum();
        loop {
            let mut single: Vec<usize> = (0..self.made.len()).filter(|i| self.made[*i].single().is_some()).collect();
            single.sort_by_key(|i| self.made[*i].lines.len());
            let [first, second, ..] = single[..] else { return };
            let (n_first, n_second) = (self.made[first].lines.len(), self.made[second].lines.len());
            n_lines = n_lines - n_first - n_second + n_first * n_second;
            if n_lines > self.plan.most_lines as usize {
                return;
            }
            let other = self.made.remove(second.max(first));
            let one = self.made.remove(second.min(first));
            self.made.push(pair(one, &other));
        }
    }

    fn matcher(self) -> Matcher {
        let n_blocks = self.ranks.len().div_ceil(64);
        let lines = || self.made.iter().flat_map(|made| &made.lines);
        let bits = (0..n_blocks).flat_map(|block| lines().map(move |line| line[block])).collect();
        let top = |line: &[u64], word: usize| {
            let blocks = line.iter().skip(word * 64).take(64).enumerate();
            blocks.fold(0, |top, (i, bits)| top | u64::from(*bits != 0) << i)
        };
        let n_tops = if n_blocks > MANY_BLOCKS { n_blocks.div_ceil(64) } else { 0 };
        let tops = (0..n_tops).flat_map(|word| lines().map(move |line| top(line, word))).collect();
        let n_lines = lines().count();
        let (mut columns, mut classed, mut base) = (Vec::new(), Vec::new(), 0);
        for Made { source, second, classes, lines } in self.made {
            match (source, classes) {
                (Source::Fact(slot), Classes::Own) => {
                    let (second, stride) = second.unwrap_or((slot, 0));
                    columns.push(Column { slot, second, stride, base });
                }
                (source, classes) => classed.push(Classed { source, base, classes }),
            }
            base += lines.len() as u32;
        }
        Matcher {
            columns: columns.into(),
            classed: classed.into(),
            checks: self.checks.into(),
            bits,
            tops,
            n_lines,
            n_places: self.ranks.len() as u32,
            ..Matcher::default()
        }
    }
}

/// A line for each pair of codes.
fn pair(one: Made, other: &Made) -> Made {
    let second = other.single().map(|slot| (slot, one.lines.len() as u32));
    let both = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a & b).collect();
    let lines = other.lines.iter().flat_map(|b| one.lines.iter().map(|a| both(a, b))).collect();
    Made { second, lines, ..one }
}

/// The classes of a source's codes, and whether they admit what their codes do.
fn classes_of(sheet: &Sheet, source: Source, n_codes: u32, most_classes: u32, stretches: u32) -> (Classes, bool) {
    if n_codes <= most_classes {
        return (Classes::Own, true);
    }
    let sets: BTreeSet<&SegSet> = (0..sheet.ends.len()).filter_map(|rank| sheet.test(rank, source)).collect();
    let found = classes(n_codes, sets.iter().copied());
    if let Some(found) = found.filter(|found| found.iter().all(|class| *class < most_classes)) {
        return (Classes::Listed(found.iter().map(|class| *class as u16).collect()), true);
    }
    // Rounded down, so that the last code's class is below the number of stretches.
    (Classes::Stretches(((u64::from(stretches) << 32) / u64::from(n_codes)) as u32), false)
}
