//! Where one entry of one list holds: what is asked before it there, and what the other list answers instead.

use std::collections::HashSet;

use crate::space::{Clause, Reached, Region, SegSet};

use super::ask::ask;
use super::grow::covers;
use super::sheet::{Entry, Ground};

/// An answer of the other list: what it comes to, and the row.
pub(super) type Theirs = (u32, super::Place);

/// One entry, and both lists as far as they meet it.
pub(super) struct Inside<'a> {
    pub(super) own: &'a Entry,
    /// What its own list asks before it.
    pub(super) before: Vec<Clause>,
    /// What the other list asks, as far as it reaches: the clause and the entry.
    theirs: Vec<(Clause, usize)>,
    other: &'a [Entry],
}

impl<'a> Inside<'a> {
    /// The entry at a place of a side; nothing where it is seen never to answer.
    pub(super) fn new(sheets: &'a [Vec<Entry>; 2], side: usize, place: usize) -> Option<Inside<'a>> {
        let own = &sheets[side][place];
        // Of a way that lies before as a whole, only what holds longest counts.
        let above = sheets[side][..place].iter().enumerate().filter(|(i, e)| e.last == *i || e.last >= place);
        let before: Vec<Clause> = above.filter_map(|(_, e)| e.clause.and(&own.clause)).collect();
        if before.iter().any(|b| covers(b, &own.clause)) {
            return None;
        }
        let mut theirs = Vec::new();
        let asked: Vec<Clause> = sheets[side][..place].iter().filter_map(|e| e.clause.and(&own.clause)).collect();
        let asked: HashSet<Clause> = asked.into_iter().collect();
        for (place, entry) in sheets[1 - side].iter().enumerate() {
            let Some(clause) = entry.clause.and(&own.clause) else { continue };
            let is_last = covers(&clause, &own.clause);
            // What stands before the entry on its own side holds nowhere where the entry answers.
            if !asked.contains(&clause) {
                theirs.push((clause, place));
            }
            if is_last {
                break;
            }
        }
        Some(Inside { own, before, theirs, other: &sheets[1 - side] })
    }

    /// The different answers of the other list that count, each once.
    pub(super) fn answers(&self, counts: impl Fn(usize) -> bool) -> Vec<Theirs> {
        let mut out: Vec<Theirs> = Vec::new();
        for (_, place) in &self.theirs {
            let entry = &self.other[*place];
            let answer = (entry.outcome, entry.row);
            if entry.outcome != self.own.outcome && counts(*place) && !out.contains(&answer) {
                out.push(answer);
            }
        }
        out
    }

    /// Which groups of the other list's entries answer where this entry does, behind what is told already.
    pub(super) fn ask(
        &self,
        ground: &Ground,
        steps: &mut u64,
        told: &[Clause],
        n_groups: u32,
        group: impl Fn(usize, &Entry) -> Option<u32>,
    ) -> Reached {
        let own = &self.own.clause;
        let first = told.iter().filter_map(|t| t.and(own)).chain(self.before.iter().cloned()).map(|c| (c, None));
        let theirs = self.theirs.iter().map(|(c, place)| (c.clone(), group(*place, &self.other[*place])));
        ask(ground, own, first.chain(theirs), n_groups, steps)
    }

    /// The smallest region in one piece that holds every point at which some of the other's answers meet this entry.
    pub(super) fn hull(&self, answers: &[Theirs]) -> Clause {
        let meets = self.theirs.iter().filter(|(_, place)| {
            let entry = &self.other[*place];
            answers.contains(&(entry.outcome, entry.row))
        });
        meets.map(|(c, _)| c.clone()).reduce(|a, b| hull(&a, &b)).unwrap_or_else(|| self.own.clause.clone())
    }
}

fn hull(a: &Clause, b: &Clause) -> Clause {
    let mut region = Region::all();
    for (axis, side) in a.region.sides() {
        if let Some(other) = b.region.side(*axis) {
            region = region.with(*axis, side.or(other));
        }
    }
    let both = |(layer, held): &(u32, SegSet)| {
        let other = b.derived.iter().find(|d| d.0 == *layer)?;
        Some((*layer, held.or(&other.1)))
    };
    Clause { region, derived: a.derived.iter().filter_map(both).collect() }
}
