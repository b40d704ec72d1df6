//! Regions as large as they can be, in columns as few as they can be.
//!
//! A region stands for a claim: at each of its points the old policy comes to one outcome and the new one to another.
//! It starts as the rows of both sides say it, narrowed by as much of a found box as the claim needs, and is then
//! widened column by column; every step is proven by the search over both lists. Cut short, a step counts as not
//! proven, and the region stays as it was: smaller, never wrong.

use std::collections::HashMap;

use crate::space::{Clause, Reach, Region, SegSet};

use super::ask::ask;
use super::matching::SIDES;
use super::sheet::{Entry, Ground};

/// So many classes of segments are tried on one column.
const TRIED: usize = 48;

/// One column of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Axis(u32),
    Layer(u32),
}

/// Proves claims about regions, and takes what that needs from the steps.
pub(super) struct Prover<'a, 'g> {
    pub(super) ground: &'a Ground<'g>,
    pub(super) steps: u64,
}

impl Prover<'_, '_> {
    /// Widens a claim from a point in `found`, a box in which it holds; `rows` is what the deciding rows of both
    /// sides ask together, `told` what has been told already and need not be said again.
    pub(super) fn grow(
        &mut self,
        rows: &Clause,
        found: &Region,
        point: &[u32],
        want: [u32; 2],
        told: &[Clause],
    ) -> Clause {
        let mut clause = rows.clone();
        if !self.holds(&clause, want) {
            clause = self.narrowed(rows, found, point, want);
        }
        let columns = columns_of(&clause);
        self.relax(&mut clause, &Clause::all(), &columns, want);
        for column in columns_of(&clause) {
            self.widen(&mut clause, column, want, told);
        }
        clause
    }

    /// The rows' own words, and of the box around the point no more than is needed.
    fn narrowed(&mut self, rows: &Clause, found: &Region, point: &[u32], want: [u32; 2]) -> Clause {
        let mut clause = rows.clone();
        let mut groups: [Vec<Column>; 3] = Default::default();
        for (axis, side) in found.sides() {
            let narrow = rows.region.side(*axis).map_or_else(|| side.clone(), |s| s.and(side));
            // What a verdict does, the guard that both sides share does too, and more.
            let verdict = (*axis as usize).checked_sub(self.ground.axes.len());
            let by_guard = verdict.is_some_and(|v| self.ground.is_shared(v));
            if by_guard || rows.region.side(*axis) == Some(&narrow) || narrow.is_empty() {
                continue;
            }
            clause.region = clause.region.with(*axis, narrow);
            groups[usize::from(self.is_asked_by_rows(*axis))].push(Column::Axis(*axis));
        }
        let outcomes = self.ground.layers.outcomes_at(point);
        for (layer, outcome) in (0u32..).zip(outcomes).filter(|(l, _)| self.ground.common[*l as usize]) {
            clause = put(&clause, Column::Layer(layer), Some(SegSet::one(outcome)));
            groups[2].push(Column::Layer(layer));
        }
        for group in groups {
            self.relax(&mut clause, rows, &group, want);
        }
        clause
    }

    /// Whether some row asks about an axis itself, and not only a derive or guard that both sides have.
    fn is_asked_by_rows(&self, axis: u32) -> bool {
        let asks = |clause: &Clause| clause.region.side(axis).is_some();
        let ground = self.ground;
        ground.sheets.iter().flatten().any(|e| asks(&e.clause))
            || (0..ground.names.len()).any(|l| {
                let layer = ground.layers.layer(l as u32);
                !ground.common[l] && layer.rows.iter().any(|r| asks(&r.clause))
            })
    }

    /// Sets columns to what they are in `to`, as many of them as the claim allows: all, else each half by itself.
    fn relax(&mut self, clause: &mut Clause, to: &Clause, columns: &[Column], want: [u32; 2]) {
        if columns.is_empty() {
            return;
        }
        let relaxed = columns.iter().fold(clause.clone(), |c, column| put(&c, *column, side_of(to, *column)));
        if relaxed == *clause {
            return;
        }
        if self.holds(&relaxed, want) {
            *clause = relaxed;
        } else if columns.len() > 1 {
            let (a, b) = columns.split_at(columns.len() / 2);
            self.relax(clause, to, a, want);
            self.relax(clause, to, b, want);
        }
    }

    /// Widens one column by every class of segments for which the claim holds and that brings something new.
    fn widen(&mut self, clause: &mut Clause, column: Column, want: [u32; 2], told: &[Clause]) {
        let Some(mut side) = side_of(clause, column) else { return };
        let open = put(clause, column, None);
        let mut classes = self.classes(&open, column);
        classes.retain(|c| !c.meets(&side));
        for class in classes.into_iter().take(TRIED) {
            let slab = put(&open, column, Some(class.clone()));
            if self.holds(&slab, want) && self.is_news(&slab, told) {
                side = side.or(&class);
            }
        }
        *clause = put(&open, column, Some(side));
    }

    /// Whether a region holds a point that has not been told yet: with derives in it, it may hold none at all.
    fn is_news(&mut self, clause: &Clause, told: &[Clause]) -> bool {
        let inside: Vec<Clause> = told.iter().filter_map(|t| t.and(clause)).collect();
        if inside.is_empty() && clause.derived.is_empty() {
            return true;
        }
        let list = inside.into_iter().map(|c| (c, None)).chain([(clause.clone(), Some(0))]);
        let reached = ask(self.ground, clause, list, 1, &mut self.steps);
        matches!(reached.groups[..], [Reach::At(_)])
    }

    /// The segments of a column, those together that no entry in question tells apart.
    fn classes(&self, within: &Clause, column: Column) -> Vec<SegSet> {
        let ground = self.ground;
        let axis = match column {
            Column::Layer(layer) => {
                let n = ground.layers.layer(layer).outcomes.len() as u32;
                return (0..n).map(SegSet::one).collect();
            }
            Column::Axis(axis) => axis,
        };
        let entries = ground.sheets.iter().flatten().map(|e| &e.clause).filter(|c| c.may_meet(within));
        let layers = ground.layers.all().iter().flat_map(|l| &l.rows).map(|r| &r.clause);
        let sides: Vec<&SegSet> = entries.chain(layers).filter_map(|c| c.region.side(axis)).collect();
        let mut cuts: Vec<u32> = sides.iter().flat_map(|s| s.ranges()).flat_map(|r| [r.0, r.1]).collect();
        cuts.extend([0, ground.sizes[axis as usize]]);
        // Unknown is told apart always: it reads differently.
        cuts.push(1);
        cuts.sort_unstable();
        cuts.dedup();
        let mut places: HashMap<(bool, Vec<bool>), usize> = HashMap::new();
        let mut classes: Vec<Vec<(u32, u32)>> = Vec::new();
        for cut in cuts.windows(2) {
            let key = (cut[0] == 0, sides.iter().map(|s| s.contains(cut[0])).collect());
            let place = *places.entry(key).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[place].push((cut[0], cut[1]));
        }
        classes.into_iter().map(SegSet::from_ranges).collect()
    }

    /// Whether at every point of a region both sides come to the outcomes wanted.
    pub(super) fn holds(&mut self, clause: &Clause, want: [u32; 2]) -> bool {
        SIDES.into_iter().all(|side| self.side_holds(clause, side, want[side]))
    }

    fn side_holds(&mut self, clause: &Clause, side: usize, want: u32) -> bool {
        let entries = relevant(&self.ground.sheets[side], clause);
        self.steps = self.steps.saturating_sub(1 + self.ground.sheets[side].len() as u64 / 64);
        if entries.iter().all(|e| e.outcome == want) {
            return true;
        }
        if let Some(first) = entries.first()
            && first.outcome != want
            && first.clause.derived.is_empty()
            && clause.derived.is_empty()
        {
            return false;
        }
        let groups = |e: &&Entry| (e.outcome != want).then_some(0);
        matches!(self.reach(&entries, clause, 1, groups)[..], [Reach::Never])
    }

    /// Which groups of some entries are the answer somewhere in a region.
    fn reach(
        &mut self,
        entries: &[&Entry],
        clause: &Clause,
        n: u32,
        group: impl Fn(&&Entry) -> Option<u32>,
    ) -> Vec<Reach> {
        let inside = entries.iter().filter_map(|e| Some((e.clause.and(clause)?, group(e))));
        ask(self.ground, clause, inside, n, &mut self.steps).groups
    }

    /// The rows of a side that answer somewhere in a region, in their order.
    pub(super) fn rows(&mut self, clause: &Clause, side: usize) -> Vec<super::Place> {
        let entries = relevant(&self.ground.sheets[side], clause);
        let mut rows: Vec<super::Place> = Vec::new();
        for entry in &entries {
            if !rows.contains(&entry.row) {
                rows.push(entry.row);
            }
        }
        if rows.len() <= 1 {
            return rows;
        }
        let place = |row: &super::Place| rows.iter().position(|r| r == row).map(|i| i as u32);
        let reached = self.reach(&entries, clause, rows.len() as u32, |e| place(&e.row));
        rows.iter().zip(reached).filter(|(_, r)| !matches!(r, Reach::Never)).map(|(row, _)| *row).collect()
    }
}

/// The entries that may answer in a region: those that meet it, up to the first that covers it.
fn relevant<'e>(sheet: &'e [Entry], clause: &Clause) -> Vec<&'e Entry> {
    let mut out = Vec::new();
    for entry in sheet.iter().filter(|e| e.clause.may_meet(clause)) {
        out.push(entry);
        if covers(&entry.clause, clause) {
            break;
        }
    }
    out
}

/// Whether one clause holds wherever the other does, as far as can be seen.
pub(super) fn covers(wide: &Clause, narrow: &Clause) -> bool {
    wide.region.covers(&narrow.region)
        && wide
            .derived
            .iter()
            .all(|(layer, held)| narrow.derived.iter().any(|(l, inner)| l == layer && held.covers(inner)))
}

fn columns_of(clause: &Clause) -> Vec<Column> {
    let axes = clause.region.sides().iter().map(|(a, _)| Column::Axis(*a));
    axes.chain(clause.derived.iter().map(|(l, _)| Column::Layer(*l))).collect()
}

fn side_of(clause: &Clause, column: Column) -> Option<SegSet> {
    match column {
        Column::Axis(axis) => clause.region.side(axis).cloned(),
        Column::Layer(layer) => clause.derived.iter().find(|d| d.0 == layer).map(|d| d.1.clone()),
    }
}

/// A clause with one column set anew, or taken away.
fn put(clause: &Clause, column: Column, side: Option<SegSet>) -> Clause {
    let mut clause = clause.clone();
    match (column, side) {
        (Column::Axis(axis), Some(side)) => clause.region = clause.region.with(axis, side),
        (Column::Axis(axis), None) => clause.region = clause.region.without(axis),
        (Column::Layer(layer), side) => {
            clause.derived.retain(|d| d.0 != layer);
            if let Some(side) = side {
                clause.derived.push((layer, side));
                clause.derived.sort_unstable();
            }
        }
    }
    clause
}
