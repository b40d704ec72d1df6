//! Every point at which two lists differ, as few regions.
//!
//! Only where an entry without partner holds can the lists differ (see `align`). There one question to the search says
//! which outcomes the other side comes to instead. For each of them a box is found and grown, and with what was told
//! put in front as settled the question is asked again, until nothing is left. Where that would take many boxes,
//! because many rows above take their parts, the region is told by its rows instead: these cells, as far as these
//! rows answer. Change impact between two first-match lists is due to Liu, *Firewall policy change-impact analysis*
//! (2012), which walks the decision diagram of both; here the search stays inside what was edited.

use std::collections::{BTreeMap, BTreeSet};

use crate::space::{Clause, Reach, Region};

use super::align::unmatched;
use super::grow::{Prover, covers};
use super::inside::{Inside, Theirs};
use super::matching::SIDES;
use super::sheet::Ground;

/// So many boxes are told for one change of one row: two for each row of the other side, within these bounds.
const BOXES: (usize, usize) = (4, 12);
/// With more rows than this above, boxes are not tried.
const ABOVE: usize = 80;

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
    /// In a region, at each of its points.
    Region(Clause),
    /// In a region, as far as the rows named answer so.
    Rows(Clause),
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
    let (settled, told) = (BTreeSet::new(), BTreeSet::new());
    let mut search = Search { ground, prover, out: Differences::default(), settled, told, max_regions };
    let unmatched = unmatched(&ground.sheets);
    search.wherever(&unmatched[0]);
    for side in SIDES {
        for entry in &unmatched[side] {
            search.entry(side, *entry);
        }
        search.told.extend(&unmatched[side]);
    }
    search.finish()
}

struct Search<'a, 'g> {
    ground: &'a Ground<'g>,
    prover: Prover<'a, 'g>,
    out: Differences,
    /// Old outcomes that have become one other outcome wherever they were.
    settled: BTreeSet<u32>,
    /// Old entries of which everything is told.
    told: BTreeSet<usize>,
    max_regions: usize,
}

/// What one entry gives way to, or takes over: the other's outcome with all of its rows, and a box for each.
struct Change {
    outcome: u32,
    answers: Vec<Theirs>,
    found: Region,
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
        let mut became: Option<(u32, Region)> = None;
        for place in places {
            let Some(inside) = Inside::new(&self.ground.sheets, 0, *place) else { continue };
            for change in self.changes(&inside, 0, &[])? {
                let first = became.get_or_insert((change.outcome, change.found));
                if first.0 != change.outcome {
                    return None;
                }
                add(&mut rows[0], [inside.own.row]);
                add(&mut rows[1], change.answers.iter().map(|a| a.1));
            }
        }
        let (became, found) = became?;
        let several = rows[0].len() > 1;
        several.then_some(Difference { extent: Extent::Wherever, outcomes: [outcome, became], rows, found })
    }

    /// Whether an entry of the other side still counts where a side's entry is looked at.
    fn counts(&self, side: usize, own: u32, place: usize) -> bool {
        let old = if side == 0 { own } else { self.ground.sheets[0][place].outcome };
        !self.settled.contains(&old) && (side == 0 || !self.told.contains(&place))
    }

    /// What the other side comes to where an entry answers, outcome by outcome; nothing where the steps run out.
    fn changes(&mut self, inside: &Inside, side: usize, told: &[Clause]) -> Option<Vec<Change>> {
        let own = inside.own.outcome;
        let answers = inside.answers(|place| self.counts(side, own, place));
        if answers.is_empty() {
            return Some(Vec::new());
        }
        let at: BTreeMap<Theirs, u32> = answers.iter().copied().zip(0u32..).collect();
        let mut steps = self.prover.steps;
        let reached = inside.ask(self.ground, &mut steps, told, answers.len() as u32, |place, entry| {
            at.get(&(entry.outcome, entry.row)).copied().filter(|_| self.counts(side, own, place))
        });
        self.prover.steps = steps;
        if reached.cut_short.is_some() {
            return None;
        }
        let mut out: Vec<Change> = Vec::new();
        for (answer, reach) in answers.into_iter().zip(reached.groups) {
            let Reach::At(found) = reach else { continue };
            match out.iter_mut().find(|c| c.outcome == answer.0) {
                Some(change) => change.answers.push(answer),
                None => out.push(Change { outcome: answer.0, answers: vec![answer], found }),
            }
        }
        Some(out)
    }

    /// Finds the differences where one entry answers on its side.
    fn entry(&mut self, side: usize, place: usize) {
        let Some(inside) = Inside::new(&self.ground.sheets, side, place) else { return };
        let told: Vec<Clause> = self.out.found.iter().filter_map(|d| d.clause().cloned()).collect();
        let Some(changes) = self.changes(&inside, side, &told) else {
            self.out.open.push(inside.own.clause.clone());
            return;
        };
        for change in changes {
            if self.out.found.len() >= self.max_regions {
                self.out.open.push(inside.own.clause.clone());
                return;
            }
            let before = self.out.found.len();
            if inside.before.len() <= ABOVE && self.boxes(&inside, side, &change) {
                continue;
            }
            self.out.found.truncate(before);
            self.by_rows(&inside, side, change);
        }
    }

    /// Tells a change by boxes; whether few were enough.
    fn boxes(&mut self, inside: &Inside, side: usize, change: &Change) -> bool {
        let own = inside.own.outcome;
        let mut found = change.found.clone();
        for _ in 0..(2 * change.answers.len()).clamp(BOXES.0, BOXES.1) {
            self.grow(&found, side, own, change.outcome);
            let told: Vec<Clause> = self.out.found.iter().filter_map(|d| d.clause().cloned()).collect();
            let mut steps = self.prover.steps;
            let mut reached = inside.ask(self.ground, &mut steps, &told, 1, |place, entry| {
                (entry.outcome == change.outcome && self.counts(side, own, place)).then_some(0)
            });
            self.prover.steps = steps;
            match reached.groups.pop() {
                Some(Reach::At(region)) => found = region,
                Some(Reach::Never) => return true,
                _ => return false,
            }
        }
        false
    }

    /// Tells a change by the rows that answer; an equal one of another way to the same row takes it in.
    fn by_rows(&mut self, inside: &Inside, side: usize, change: Change) {
        let (own, other) = (inside.own.outcome, change.outcome);
        let clause = inside.hull(&change.answers);
        let mine = vec![inside.own.row];
        let mut theirs = Vec::new();
        add(&mut theirs, change.answers.iter().map(|a| a.1));
        let (outcomes, rows) = if side == 0 { ([own, other], [mine, theirs]) } else { ([other, own], [theirs, mine]) };
        self.out.found.push(Difference { extent: Extent::Rows(clause), outcomes, rows, found: change.found });
    }

    /// Grows a box in which both sides differ.
    fn grow(&mut self, region: &Region, side: usize, own: u32, other: u32) {
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

/// Adds what is not there yet.
fn add(rows: &mut Vec<super::Place>, more: impl IntoIterator<Item = super::Place>) {
    for row in more {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
}

impl Difference {
    /// Its region, where the change is at each point of it.
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
