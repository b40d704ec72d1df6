//! From rows as sets of codes to the bitmaps of a [`Matcher`].

use std::collections::{BTreeMap, BTreeSet};

use crate::space::SegSet;

use super::build::Plan;
use super::codes::classes;
use super::matcher::{Check, Column, Groups, Matcher, STRIDE, Source};

/// A row that admits so many codes of a fact or fewer can stand in their groups.
const NARROW: u32 = 4;

/// The rows of one table as sets of codes.
pub(super) struct Sheet {
    /// The sets, shared by their places.
    pub(super) sets: Vec<SegSet>,
    /// What each rank tests, each source once.
    pub(super) tests: Vec<Vec<(Source, u32)>>,
    /// The row of each rank.
    pub(super) rows: Vec<u32>,
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
    wide: usize,
}

/// The matcher of a sheet.
pub(super) fn matcher(sheet: &Sheet, n_codes: impl Fn(Source) -> u32, plan: &Plan) -> Matcher {
    let sources = sheet.sources();
    let places = places(sheet, &sources, &n_codes, plan);
    let n_words = places.ranks.len().div_ceil(64);
    let (mut columns, mut checks, mut bits) = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        let tested = |rank: &u32| sheet.test(*rank as usize, source).is_some();
        let is_group = places.groups.as_ref().is_some_and(|groups| groups.source == source);
        if !is_group || places.ranks[places.wide..].iter().any(tested) {
            let (column, check) = column(sheet, source, n_codes(source), &places.ranks, plan, &mut bits);
            columns.push(column);
            checks.extend(check);
        }
    }
    bits.extend([0; STRIDE]);
    let is_plain = places.groups.is_none();
    Matcher {
        columns: columns.into(),
        checks: checks.into(),
        bits: bits.into(),
        n_words,
        n_places: places.ranks.len() as u32,
        groups: places.groups,
        wide: places.wide as u32,
        ranks: if is_plain { Box::default() } else { places.ranks.into() },
        rows: sheet.rows.clone().into(),
    }
}

/// Sorts the ranks by the fact that leaves the fewest to look at, where that pays.
fn places(sheet: &Sheet, sources: &[Source], n_codes: &impl Fn(Source) -> u32, plan: &Plan) -> Places {
    let n_ranks = sheet.rows.len();
    let ungrouped = || Places { ranks: (0..n_ranks as u32).collect(), groups: None, wide: 0 };
    if n_ranks <= plan.ungrouped {
        return ungrouped();
    }
    let candidates = sources.iter().map(|source| (cost(sheet, *source, n_codes(*source)), *source));
    let best = candidates.filter_map(|(cost, source)| cost.map(|cost| (cost, source))).min();
    match best {
        Some((cost, source)) if plan.group_always || 2 * cost <= n_ranks.div_ceil(64) => {
            grouped(sheet, source, n_codes(source))
        }
        _ => ungrouped(),
    }
}

/// The narrow codes of a rank.
fn narrow(sheet: &Sheet, rank: usize, source: Source) -> Option<&SegSet> {
    sheet.test(rank, source).filter(|set| set.len() <= NARROW)
}

/// The words to look at on an average code where the ranks are grouped by a source; nothing where ranks would stand
/// in more places than twice their number.
fn cost(sheet: &Sheet, source: Source, n_codes: u32) -> Option<usize> {
    let (mut n_narrow, mut n_wide) = (0, 0);
    for rank in 0..sheet.rows.len() {
        match narrow(sheet, rank, source) {
            Some(set) => n_narrow += set.len() as usize,
            None => n_wide += 1,
        }
    }
    let average = n_narrow / n_codes.max(1) as usize;
    (n_narrow + n_wide <= 2 * sheet.rows.len()).then(|| 1 + average.div_ceil(64) + usize::div_ceil(n_wide, 64))
}

fn grouped(sheet: &Sheet, source: Source, n_codes: u32) -> Places {
    let mut of_code: Vec<Vec<u32>> = vec![Vec::new(); n_codes as usize];
    let mut wide = Vec::new();
    for rank in 0..sheet.rows.len() {
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

/// One column, and what is checked where its bitmaps admit too much; they are put behind those that are there.
fn column(
    sheet: &Sheet,
    source: Source,
    n_codes: u32,
    ranks: &[u32],
    plan: &Plan,
    bits: &mut Vec<u64>,
) -> (Column, Option<Check>) {
    let base = bits.len();
    let (class, is_exact) = classes_of(sheet, source, n_codes, plan);
    let n_classes =
        class.as_ref().map_or(n_codes as usize, |c| c.iter().max().map_or(1, |last| usize::from(*last) + 1));
    let n_words = ranks.len().div_ceil(64);
    let mut free = vec![0u64; n_words];
    for (place, rank) in ranks.iter().enumerate() {
        if sheet.test(*rank as usize, source).is_none() {
            free[place / 64] |= 1 << (place % 64);
        }
    }
    for _ in 0..n_classes {
        bits.extend(&free);
    }
    let lines = &mut bits[base..];
    let (mut starts, mut ranges) = (vec![0], Vec::new());
    for (place, rank) in ranks.iter().enumerate() {
        let set = sheet.test(*rank as usize, source);
        let mut set_bit = |class: usize| lines[class * n_words + place / 64] |= 1 << (place % 64);
        for &(lo, hi) in set.map_or(&[][..], SegSet::ranges) {
            match &class {
                None => (lo..hi).for_each(|code| set_bit(code as usize)),
                Some(class) if is_exact => {
                    class[lo as usize..hi as usize].iter().for_each(|c| set_bit(usize::from(*c)));
                }
                // Stretches lie in the order of their codes.
                Some(class) => (class[lo as usize]..=class[hi as usize - 1]).for_each(|c| set_bit(usize::from(c))),
            }
        }
        if !is_exact {
            ranges.extend(set.map_or(&[(0, u32::MAX)][..], SegSet::ranges));
            starts.push(ranges.len() as u32);
        }
    }
    let check = (!is_exact).then(|| Check { source, starts: starts.into(), ranges: ranges.into() });
    (Column { source, base, classes: class.unwrap_or_default() }, check)
}

/// The class of each code, nothing where each is its own; and whether classes admit what their codes do.
fn classes_of(sheet: &Sheet, source: Source, n_codes: u32, plan: &Plan) -> (Option<Box<[u16]>>, bool) {
    if n_codes <= plan.most_classes {
        return (None, true);
    }
    let sets: BTreeSet<&SegSet> = (0..sheet.rows.len()).filter_map(|rank| sheet.test(rank, source)).collect();
    let found = classes(n_codes, sets.iter().copied());
    if let Some(found) = found.filter(|found| found.iter().all(|class| *class < plan.most_classes)) {
        return (Some(found.iter().map(|class| *class as u16).collect()), true);
    }
    let stretch = |code: u32| (u64::from(code) * u64::from(plan.stretches) / u64::from(n_codes)) as u16;
    (Some((0..n_codes).map(stretch).collect()), false)
}
