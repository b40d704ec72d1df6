//! The rows that take all that another row would take: as few as can be, and where it can be with one among them that
//! says something else.
//!
//! Rows that do not suffice leave a point open, and whatever suffices takes each such point. So the points that were
//! found say which rows to try next, and of up to three rows the smallest set is found for sure.

use crate::model::{TableId, eval};
use crate::space::{Clause, Question, Reach, Region, UNKNOWN};
use crate::syntax::tree::RowKind;

use super::super::scene::{Scene, spend};
use super::duplicates::agree;
use super::reached::At;

/// Among so many rows they are looked for.
const LOOKED_THROUGH: usize = 48;
/// A smallest set of so many rows is found for sure.
const FEW: usize = 3;

/// Rows that shadow another, of which none can be left out.
pub(super) struct Shadow {
    pub(super) rows: Vec<At>,
    /// Whether fewer rows do not do: of those with one that says something else, if there are such.
    pub(super) is_smallest: bool,
}

/// Finds them for a row that is never reached; `above` are the rows of its table up to one that takes everything. Nothing
/// where there are too many rows to look through.
pub(super) fn shadow(scene: &Scene, at: At, above: &[(At, Clause)], steps: &mut u64) -> Option<Shadow> {
    let entries = &scene.flow.entries;
    spend(steps, 1 + entries.len() as u64 / 64)?;
    let own: Vec<usize> = (0..entries.len()).filter(|i| entries[*i].path.contains(&at)).collect();
    // A row of the same table stands for all that it hands over to.
    let stands_for = |i: usize| {
        let path = &entries[i].path;
        path.iter().find(|p| p.0 == at.0).or(path.last()).copied()
    };
    let before = |o: usize| (0..o).filter(|i| !own.contains(i)).map(|i| (&entries[i].clause, stands_for(i)));
    // Nothing is asked after a row that takes everything: there the table itself is read.
    let alone = scene.clause(&scene.row(at).conds);
    let above = &above[..above.iter().position(|(row, _)| *row == at).unwrap_or(above.len())];
    let whole = above.last().filter(|last| last.1.is_all());
    let fronts: Vec<(&Clause, Before)> = match (&alone, whole) {
        (Some(alone), Some(_)) if own.is_empty() => {
            spend(steps, above.len() as u64 / 64)?;
            vec![(alone, above.iter().map(|(row, clause)| (clause, Some(*row))).collect())]
        }
        _ => own.iter().map(|o| (&entries[*o].clause, before(*o).collect())).collect(),
    };
    // One hard row must not take the steps of all others.
    let mut share = *steps / 16;
    let found = Hunt::new(scene, fronts).and_then(|mut hunt| hunt.shadow(at, &mut share));
    *steps -= *steps / 16 - share;
    // Among too many rows one that takes everything is told alone.
    found.or_else(|| whole.filter(|_| own.is_empty()).map(|whole| Shadow { rows: vec![whole.0], is_smallest: true }))
}

/// The rows of a table in the order in which they are asked, up to one that takes everything.
pub(super) fn asked(scene: &Scene, id: TableId) -> Vec<(At, Clause)> {
    let table = scene.table(id);
    let plain = eval::resolution_order(table).into_iter().filter(|r| table.rows[*r].kind == RowKind::Plain);
    let mut out: Vec<(At, Clause)> = Vec::new();
    for row in plain {
        let Some(clause) = scene.clause(&table.rows[row].conds) else { continue };
        let is_all = clause.is_all();
        out.push(((id, row), clause));
        if is_all {
            break;
        }
    }
    out
}

/// What stands before a clause: each clause with the row that it belongs to.
type Before<'a> = Vec<(&'a Clause, Option<At>)>;

/// The steps ran out.
struct OutOfSteps;

/// A part of what the row would take, and what stands before it: each clause with its row, by its place.
struct Front<'a> {
    own: &'a Clause,
    before: Vec<(&'a Clause, Option<usize>)>,
}

struct Hunt<'a> {
    scene: &'a Scene<'a>,
    fronts: Vec<Front<'a>>,
    rows: Vec<At>,
    /// Points of the row's own that some rows left open: each as the rows that take it, one bit a row.
    points: Vec<u64>,
}

impl<'a> Hunt<'a> {
    fn new(scene: &'a Scene<'a>, fronts: Vec<(&'a Clause, Before<'a>)>) -> Option<Self> {
        let meets = |own: &Clause, clause: &Clause| own.may_meet(clause);
        let near = fronts.iter().flat_map(|(own, before)| before.iter().filter(|b| meets(own, b.0)));
        let mut rows: Vec<At> = near.filter_map(|b| b.1).collect();
        rows.sort_unstable();
        rows.dedup();
        if rows.len() > LOOKED_THROUGH {
            return None;
        }
        let place = |row: Option<At>| row.and_then(|row| rows.binary_search(&row).ok());
        let front = |(own, before): (&'a Clause, Before<'a>)| {
            let near = before.into_iter().filter(|b| meets(own, b.0));
            Front { own, before: near.map(|(clause, row)| (clause, place(row))).collect() }
        };
        let fronts = fronts.into_iter().map(front).collect();
        Some(Hunt { scene, fronts, rows, points: Vec::new() })
    }

    fn shadow(&mut self, at: At, steps: &mut u64) -> Option<Shadow> {
        let says_else = |row: &At| !agree(self.scene.row(*row), self.scene.row(at));
        let else_bits =
            self.rows.iter().enumerate().filter(|(_, r)| says_else(r)).fold(0, |bits, (i, _)| bits | 1 << i);
        let whole = (1u64 << self.rows.len()) - 1;
        for wanted in [else_bits, u64::MAX].into_iter().filter(|w| *w != 0) {
            for size in 0..=FEW.min(self.rows.len()) {
                match self.grow(0, size, wanted, steps) {
                    Ok(Some(found)) => return Some(self.told(found, true)),
                    Ok(None) => {}
                    Err(OutOfSteps) => return self.thinned(whole, else_bits, steps),
                }
            }
        }
        self.thinned(whole, else_bits, steps)
    }

    fn told(&self, found: u64, is_smallest: bool) -> Shadow {
        let rows = bits(found).map(|i| self.rows[i]).collect();
        Shadow { rows, is_smallest }
    }

    /// Rows that suffice, with at most so many more than those chosen, none of them idle, and one that is wanted, or
    /// none at all.
    fn grow(&mut self, chosen: u64, more: usize, wanted: u64, steps: &mut u64) -> Result<Option<u64>, OutOfSteps> {
        *steps = steps.checked_sub(1).ok_or(OutOfSteps)?;
        if self.suffice(chosen, steps)? {
            let is_wanted = chosen == 0 || chosen & wanted != 0;
            return Ok((is_wanted && self.none_is_idle(chosen, steps)?).then_some(chosen));
        }
        // Where they do not suffice there is such a point.
        let open = self.points.iter().copied().find(|p| p & chosen == 0).unwrap_or(0);
        for row in bits(if more > 0 { open } else { 0 }) {
            if let Some(found) = self.grow(chosen | 1 << row, more - 1, wanted, steps)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn none_is_idle(&mut self, chosen: u64, steps: &mut u64) -> Result<bool, OutOfSteps> {
        for row in bits(chosen) {
            if self.suffice(chosen & !(1 << row), steps)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All rows without those that can be left out, one after another: first those that say the same, so that what is
    /// left tells of a difference where there is one. Nothing where the steps run out.
    fn thinned(&mut self, whole: u64, else_bits: u64, steps: &mut u64) -> Option<Shadow> {
        let mut kept = whole;
        let last_first = |set: u64| bits(set).collect::<Vec<_>>().into_iter().rev();
        for row in last_first(whole & !else_bits).chain(last_first(whole & else_bits)) {
            if self.suffice(kept & !(1 << row), steps).ok()? {
                kept &= !(1 << row);
            }
        }
        Some(self.told(kept, false))
    }

    /// Whether some rows take all that the row would take; a point that they leave open is remembered.
    fn suffice(&mut self, chosen: u64, steps: &mut u64) -> Result<bool, OutOfSteps> {
        if self.points.iter().any(|p| p & chosen == 0) {
            return Ok(false);
        }
        for front in &self.fronts {
            let kept = front.before.iter().filter(|b| b.1.is_none_or(|row| chosen >> row & 1 == 1));
            let list = kept.map(|b| (b.0, None)).chain([(front.own, Some(0))]).collect();
            let question = Question { within: front.own.region.clone(), list, n_groups: 1, disjoint: false };
            match self.scene.ask(&question, steps).groups.pop() {
                Some(Reach::Never) => {}
                Some(Reach::At(region)) => {
                    self.points.push(self.takers(front, &region));
                    return Ok(false);
                }
                _ => return Err(OutOfSteps),
            }
        }
        Ok(true)
    }

    /// The rows that take a point of a region.
    fn takers(&self, front: &Front, region: &Region) -> u64 {
        let ground = self.scene.ground;
        let axes = 0..ground.space.n_axes() as u32;
        let first = |axis| region.side(axis).and_then(|side| side.iter().next()).unwrap_or(UNKNOWN);
        let segments: Vec<u32> = axes.map(first).collect();
        let outcomes = ground.layers.outcomes_at(&segments);
        let taking = front.before.iter().filter(|(clause, _)| clause.holds(&segments, &outcomes));
        taking.filter_map(|(_, row)| *row).fold(0, |bits, row| bits | 1 << row)
    }
}

/// The places of the bits that are set, lowest first.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |i| set >> i & 1 == 1)
}
