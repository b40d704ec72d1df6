//! One question inside of a region that speaks of derives and guards.
//!
//! Every entry holds only inside of the region, so the region's own tests need not stand in each of them: the box is
//! where the search begins, and what the region asks of a layer stands once, in front, as the entries that hold
//! outside of it. An entry without tests of its own then ends the list at once, and the search stays short.

use crate::space::{Clause, Question, Reached, Region, explore_over};

use super::sheet::Ground;

/// Asks which groups of some entries, each narrowed to a region already, are the answer somewhere in it.
pub(super) fn ask(
    ground: &Ground,
    within: &Clause,
    entries: impl Iterator<Item = (Clause, Option<u32>)>,
    n_groups: u32,
    steps: &mut u64,
) -> Reached {
    let outside = within.derived.iter().map(|(layer, held)| {
        let n = ground.layers.layer(*layer).outcomes.len() as u32;
        let clause = Clause { region: Region::all(), derived: vec![(*layer, held.complement(n))] };
        (clause, None)
    });
    let plain = |mut clause: Clause| {
        clause.derived.retain(|test| !within.derived.contains(test));
        clause
    };
    let list: Vec<(Clause, Option<u32>)> = outside.chain(entries.map(|(c, group)| (plain(c), group))).collect();
    let list = list.iter().map(|(c, group)| (c, *group)).collect();
    let question = Question { within: within.region.clone(), list, n_groups, disjoint: false };
    explore_over(&ground.sizes, &ground.layers, &question, steps)
}
