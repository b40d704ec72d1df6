//! Guards, cut down to what the rows can tell apart.
//!
//! Few rows ask about budget, deadline or pushback: their guards do. Where no row, no derive and no guard of one side
//! alone asks about a fact, it matters only by refusing, and the world's verdict can refuse just as well: so those
//! refusals leave the guards that both sides share, and with them the facts leave the search. Nothing is lost: for
//! every point there is one with the same answers at which these facts refuse nothing (`free`), and what a guard
//! refuses there is refused by the world. Regions speak of guards as a whole and not of these facts.

use std::collections::BTreeSet;

use crate::space::{Clause, Layer, Layers, Question, Reach, Region, explore_over};

use super::sheet::{Ground, LayerName};

impl Ground<'_> {
    /// Takes such refusals out of the layers, and remembers values of the facts that refuse nothing.
    pub(super) fn free_gates(&mut self, layers: &mut [Layer]) {
        let shared: Vec<usize> =
            (0..layers.len()).filter(|l| self.common[*l] && matches!(self.names[*l], LayerName::Guard(_))).collect();
        let asked = self.asked_elsewhere(layers, &shared);
        let is_free = |clause: &Clause| {
            let sides = clause.region.sides();
            !sides.is_empty() && sides.iter().all(|(a, _)| (*a as usize) < self.axes.len() && !asked.contains(a))
        };
        let refusals = shared.iter().flat_map(|l| &layers[*l].rows).map(|r| &r.clause);
        let gone: Vec<Clause> = refusals.filter(|c| is_free(c)).cloned().collect();
        if gone.is_empty() {
            return;
        }
        let rest = Clause::all();
        let list = gone.iter().map(|c| (c, None)).chain([(&rest, Some(0))]).collect();
        let question = Question { within: Region::all(), list, n_groups: 1, disjoint: false };
        let mut steps = 100_000;
        let reached = explore_over(&self.sizes, &Layers::default(), &question, &mut steps);
        let [Reach::At(region)] = &reached.groups[..] else { return };
        let point = self.point_in(region);
        let axes: BTreeSet<u32> = gone.iter().flat_map(|c| c.region.sides()).map(|s| s.0).collect();
        self.free = axes.into_iter().map(|a| (a, point[a as usize])).collect();
        for layer in shared {
            layers[layer].rows.retain(|r| !is_free(&r.clause));
        }
    }

    /// Whether both sides have one and the same guard for a verdict.
    pub(super) fn is_shared(&self, verdict: usize) -> bool {
        self.names.iter().zip(&self.common).any(|(name, common)| *common && *name == LayerName::Guard(verdict))
    }

    /// The axes that rows, derives and the guards of one side ask about, and those that a shared guard asks about
    /// together with one of them.
    fn asked_elsewhere(&self, layers: &[Layer], shared: &[usize]) -> BTreeSet<u32> {
        let entries = || self.sheets.iter().flatten().map(|e| &e.clause);
        let mut needed: BTreeSet<u32> = entries().flat_map(|c| &c.derived).map(|d| d.0).collect();
        for layer in (0..layers.len()).rev().filter(|l| !shared.contains(l)) {
            if needed.contains(&(layer as u32)) {
                needed.extend(layers[layer].rows.iter().flat_map(|r| &r.clause.derived).map(|d| d.0));
            }
        }
        let inside = needed.iter().map(|l| *l as usize).filter(|l| !shared.contains(l));
        let rows = inside.flat_map(|l| &layers[l].rows).map(|r| &r.clause);
        let mut asked: BTreeSet<u32> = entries().chain(rows).flat_map(|c| c.region.sides()).map(|s| s.0).collect();
        let refusals: Vec<&Clause> = shared.iter().flat_map(|l| &layers[*l].rows).map(|r| &r.clause).collect();
        loop {
            let before = asked.len();
            for clause in &refusals {
                let sides = clause.region.sides();
                if sides.iter().any(|(a, _)| asked.contains(a)) {
                    asked.extend(sides.iter().map(|s| s.0));
                }
            }
            if asked.len() == before {
                return asked;
            }
        }
    }
}
