//! Every point at which two lists differ, as few regions.
//!
//! Only where an entry without partner holds can the lists differ (see `align`). There one question to the search
//! finds a box for each outcome that the other side comes to instead; the box is grown, and with what was found put in
//! front as settled, the question is asked again, until nothing is left. Change impact between two first-match lists
//! is due to Liu, *Firewall policy change-impact analysis* (2012), which walks the decision diagram of both; here the
//! search stays inside what was edited.

use std::collections::{BTreeMap, BTreeSet};

use crate::space::{Clause, Question, Reach, Reached, Region, explore_over};

use super::align::unmatched;
use super::grow::{Prover, covers};
use super::matching::SIDES;
use super::sheet::{Entry, Ground};

/// A change of outcome, and where it is.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) extent: Extent,
    /// What each side comes to, by place in the meanings.
    pub(super) outcomes: [u32; 2],
    /// The rows that answer there, on each side.
    pub(super) rows: [Vec<super::Place>; 2],
    /// A box inside of it, free of derives.
    pub(super) found: Region,
}

/// Where a difference is.
#[derive(Debug, Clone)]
pub(super) enum Extent {
    /// In a region.
    Region(Clause),
    /// Wherever the old side comes to its outcome, by whatever row.
    Wherever,
}

/// What a search came to.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) found: Vec<Difference>,
    /// Where the steps ran out.
    pub(super) open: Vec<Clause>,
}

/// Finds all differences.
pub(super) fn differences(ground: &Ground, max_steps: u64, max_regions: usize) -> Differences {
    let prover = Prover { ground, steps: max_steps };
    let mut search = Search { ground, prover, out: Differences::default(), settled: BTreeSet::new(), max_regions };
    let unmatched = unmatched(&ground.sheets);
    search.wherever(&unmatched[0]);
    for side in SIDES {
        for entry in &unmatched[side] {
            search.entry(side, *entry);
        }
    }
    search.finish()
}

struct Search<'a, 'g> {
    ground: &'a Ground<'g>,
    prover: Prover<'a, 'g>,
    out: Differences,
    /// Old outcomes that have become one other outcome wherever they were.
    settled: BTreeSet<u32>,
    max_regions: usize,
}

/// What may be found where one entry answers.
struct Inside {
    /// What its own side asks before it.
    before: Vec<Clause>,
    /// What the other side asks, each with the group of its outcome where that differs.
    theirs: Vec<(Clause, Option<u32>)>,
    /// The entries that `theirs` are of.
    of: Vec<usize>,
    /// The outcomes of the groups.
    others: Vec<u32>,
}

impl Inside {
    /// Groups anew by outcome and row, and gives both for each group.
    fn by_answer(&mut self, sheet: &[Entry]) -> Vec<(u32, super::Place)> {
        let mut answers: Vec<(u32, super::Place)> = Vec::new();
        for ((_, group), place) in self.theirs.iter_mut().zip(&self.of).filter(|((_, g), _)| g.is_some()) {
            let answer = (sheet[*place].outcome, sheet[*place].row);
            let at = answers.iter().position(|a| *a == answer).unwrap_or_else(|| {
                answers.push(answer);
                answers.len() - 1
            });
            *group = Some(at as u32);
        }
        self.others = answers.iter().map(|a| a.0).collect();
        answers
    }
}

impl Search<'_, '_> {
    /// Finds old outcomes that became one other outcome wherever they were, and were answered by several rows: an
    /// action whose numbers changed is told once, and not row by row.
    fn wherever(&mut self, unmatched: &[usize]) {
        let sheets = &self.ground.sheets;
        let kept: BTreeSet<u32> = sheets[1].iter().map(|e| e.outcome).collect();
        let mut entries: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for place in unmatched {
            entries.entry(sheets[0][*place].outcome).or_default().push(*place);
        }
        for (outcome, places) in entries.into_iter().filter(|(outcome, _)| !kept.contains(outcome)) {
            if let Some(difference) = self.all_became_one(outcome, &places) {
                self.settled.insert(outcome);
                self.out.found.push(difference);
            }
        }
    }

    /// The one outcome that an old one became; nothing where there are several, or only one row.
    fn all_became_one(&mut self, outcome: u32, places: &[usize]) -> Option<Difference> {
        let mut rows: [Vec<super::Place>; 2] = [Vec::new(), Vec::new()];
        let (mut became, mut found) = (None, None);
        for place in places {
            let Some(mut inside) = self.inside(0, *place) else { continue };
            let own = &self.ground.sheets[0][*place];
            let answers = inside.by_answer(&self.ground.sheets[1]);
            let reached = self.ask(&inside, &[], &own.clause);
            if reached.cut_short.is_some() {
                return None;
            }
            for (reach, (other, row)) in reached.groups.iter().zip(answers) {
                let Reach::At(region) = reach else { continue };
                if *became.get_or_insert(other) != other {
                    return None;
                }
                found.get_or_insert_with(|| region.clone());
                for (list, row) in rows.iter_mut().zip([own.row, row]) {
                    if !list.contains(&row) {
                        list.push(row);
                    }
                }
            }
        }
        let (became, found) = (became?, found?);
        let several = rows[0].len() > 1;
        several.then_some(Difference { extent: Extent::Wherever, outcomes: [outcome, became], rows, found })
    }

    /// What may be found where an entry answers; nothing where it is seen never to.
    fn inside(&self, side: usize, place: usize) -> Option<Inside> {
        let sheets = &self.ground.sheets;
        let own = &sheets[side][place];
        let before: Vec<Clause> = sheets[side][..place].iter().filter_map(|e| e.clause.and(&own.clause)).collect();
        if before.iter().any(|b| covers(b, &own.clause)) {
            return None;
        }
        let mut out = Inside { before, theirs: Vec::new(), of: Vec::new(), others: Vec::new() };
        let mut groups = BTreeMap::new();
        for (place, entry) in sheets[1 - side].iter().enumerate() {
            let Some(clause) = entry.clause.and(&own.clause) else { continue };
            let old = if side == 0 { own.outcome } else { entry.outcome };
            let differs = entry.outcome != own.outcome && !self.settled.contains(&old);
            let group = differs.then(|| {
                *groups.entry(entry.outcome).or_insert_with(|| {
                    out.others.push(entry.outcome);
                    out.others.len() as u32 - 1
                })
            });
            let is_last = covers(&clause, &own.clause);
            out.theirs.push((clause, group));
            out.of.push(place);
            if is_last {
                break;
            }
        }
        Some(out)
    }

    /// Which of the groups are reached behind what is settled.
    fn ask(&mut self, inside: &Inside, settled: &[Clause], own: &Clause) -> Reached {
        let first = settled.iter().chain(&inside.before).map(|c| (c, None));
        let list = first.chain(inside.theirs.iter().map(|(c, g)| (c, *g))).collect();
        let question =
            Question { within: own.region.clone(), list, n_groups: inside.others.len() as u32, disjoint: false };
        explore_over(&self.ground.sizes, &self.ground.layers, &question, &mut self.prover.steps)
    }

    /// Finds the differences where one entry answers on its side.
    fn entry(&mut self, side: usize, place: usize) {
        let Some(inside) = self.inside(side, place) else { return };
        let own = &self.ground.sheets[side][place];
        while !inside.others.is_empty() {
            if self.out.found.len() >= self.max_regions {
                self.out.open.push(own.clause.clone());
                return;
            }
            let settled: Vec<Clause> =
                self.out.found.iter().filter_map(|d| d.clause()).filter_map(|c| c.and(&own.clause)).collect();
            let reached = self.ask(&inside, &settled, &own.clause);
            let mut none = true;
            for (reach, other) in reached.groups.iter().zip(&inside.others) {
                if let Reach::At(region) = reach {
                    none = false;
                    self.found(region, side, own.outcome, *other);
                }
            }
            if let Some(region) = reached.cut_short {
                self.out.open.push(Clause { region, derived: own.clause.derived.clone() });
                return;
            }
            if none {
                return;
            }
        }
    }

    /// Grows a box in which both sides differ.
    fn found(&mut self, region: &Region, side: usize, own: u32, other: u32) {
        let outcomes = if side == 0 { [own, other] } else { [other, own] };
        let point = self.ground.point_in(region);
        let at = self.ground.layers.outcomes_at(&point);
        let rows = SIDES.map(|side| self.ground.at(side, &point, &at));
        let rows = match rows {
            [Some(a), Some(b)] => self.ground.sheets[0][a].clause.and(&self.ground.sheets[1][b].clause),
            _ => None,
        };
        let start = rows.unwrap_or_else(|| Clause::of(region.clone()));
        let same = self.out.found.iter().filter(|d| d.outcomes == outcomes);
        let told: Vec<Clause> = same.filter_map(|d| d.clause().cloned()).collect();
        let extent = Extent::Region(self.prover.grow(&start, region, &point, outcomes, &told));
        self.out.found.push(Difference { extent, outcomes, rows: [Vec::new(), Vec::new()], found: region.clone() });
    }

    /// Drops what another region covers, and names the rows.
    fn finish(mut self) -> Differences {
        let all = std::mem::take(&mut self.out.found);
        let mut kept: Vec<Difference> = Vec::with_capacity(all.len());
        for difference in all {
            let inside = |wide: &Difference, narrow: &Difference| {
                let both = wide.clause().zip(narrow.clause());
                wide.outcomes == narrow.outcomes && both.is_some_and(|(w, n)| covers(w, n))
            };
            if kept.iter().any(|k| inside(k, &difference)) {
                continue;
            }
            kept.retain(|k| !inside(&difference, k));
            kept.push(difference);
        }
        // Naming rows is bounded by what the search itself may take, not by what it left.
        self.prover.steps = self.prover.steps.max(1_000_000);
        for difference in &mut kept {
            if let Extent::Region(clause) = &difference.extent {
                difference.rows = SIDES.map(|side| self.prover.rows(clause, side));
            }
        }
        self.out.found = kept;
        self.out
    }
}

impl Difference {
    /// Its region, where it is one.
    pub(super) fn clause(&self) -> Option<&Clause> {
        if let Extent::Region(clause) = &self.extent { Some(clause) } else { None }
    }
}

impl Ground<'_> {
    /// A point of a box: known where that is possible.
    pub(super) fn point_in(&self, region: &Region) -> Vec<u32> {
        let n_facts = self.axes.len() as u32;
        let pick = |axis: u32| match region.side(axis) {
            Some(side) => side.iter().find(|s| *s != 0 || axis >= n_facts).or(side.first()).unwrap_or(0),
            None => u32::from(axis < n_facts && self.sizes[axis as usize] > 1),
        };
        (0..self.sizes.len() as u32).map(pick).collect()
    }

    /// The entry of a side that answers at a point.
    pub(super) fn at(&self, side: usize, point: &[u32], outcomes: &[u32]) -> Option<usize> {
        self.sheets[side].iter().position(|e| e.clause.holds(point, outcomes))
    }
}
