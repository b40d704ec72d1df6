//! What is left of a row: what it takes once the rows that are asked before it in its table have taken theirs.
//!
//! A row is a box over the callers' facts and the outcomes of derives. From it each earlier row is cut out, which leaves
//! boxes apart from each other; each of these is then widened as far as no earlier row keeps it apart, and boxes that
//! others hold are let go. So a row below `amount > 100` and `channel is phone` reads as one box with two tests, and not
//! as three slices. Exact, and bounded in steps: where they run out nothing is claimed.

use super::lints::outputs_of;
use super::scene::{Ground, spend};
use crate::model::{FactId, Model, Table, ValueSet};
use crate::space::{Clause, Layers, Question, Reach, Region, SegSet, Space, absorb, explore};

/// More boxes than this nobody reads; and where cutting leaves more, nothing is claimed.
const MOST_PIECES: usize = 256;

/// What is left of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// All that it asks.
    Whole,
    /// These boxes together: each as the facts that it asks, and the values that it takes of them.
    Boxes(Vec<Vec<(FactId, ValueSet)>>),
    /// Nothing. The rows before it that take a part of it, by their places.
    Nothing(Vec<usize>),
    /// It was not worked out: the steps ran out, or there are too many boxes to read.
    Open,
}

/// What is left of a row of a table, by its place there. Takes what it needs from `steps`.
pub fn left(model: &Model, table: &Table, row: usize, steps: &mut u64) -> Left {
    let space = Space::new(model);
    let Ok(layers) = Layers::new(model, &space) else { return Left::Open };
    let ground = Ground { model, space, layers };
    let Ok(rows) = ground.layers.rows(model, &ground.space, table) else { return Left::Open };
    let sizes = Sizes::of(&ground);
    let own: Vec<Region> = rows.iter().filter(|(i, _)| *i == row).map(|(_, clause)| sizes.region(clause)).collect();
    let before = rows.iter().take_while(|(i, _)| *i != row);
    let before: Vec<(usize, Region)> = before.map(|(i, clause)| (*i, sizes.region(clause))).collect();
    let near: Vec<&(usize, Region)> = before.iter().filter(|(_, r)| own.iter().any(|o| o.meets(r))).collect();
    if spend(steps, 1 + rows.len() as u64 / 64).is_none() {
        return Left::Open;
    }
    if near.is_empty() && !own.is_empty() {
        return Left::Whole;
    }
    let Some(pieces) = cut(own.clone(), &near, &sizes, steps) else { return Left::Open };
    let Some(pieces) = possible(pieces, &ground, &sizes, steps) else { return Left::Open };
    if pieces.is_empty() {
        let mut takers: Vec<usize> = near.iter().map(|(i, _)| *i).collect();
        takers.dedup();
        return Left::Nothing(takers);
    }
    let wide = |piece: &Region| own.iter().find(|o| o.covers(piece)).map(|own| widened(piece, own, &near, &sizes));
    let mut boxes = absorb(pieces.iter().filter_map(wide).collect(), &sizes.all);
    let mut i = 0;
    while i < boxes.len() {
        let others: Vec<&Region> = boxes.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, b)| b).collect();
        match is_held(&boxes[i], &others, &sizes, steps) {
            Some(true) => drop(boxes.remove(i)),
            Some(false) => i += 1,
            None => return Left::Open,
        }
    }
    boxes
        .iter()
        .map(|b| told(b, &ground, &sizes))
        .collect::<Option<Vec<_>>>()
        .map_or(Left::Open, |told| Left::Boxes(told.concat()))
}

/// The axes of the space, and behind them one for each derive: its outcomes.
struct Sizes {
    all: Vec<u32>,
    n_axes: u32,
}

impl Sizes {
    fn of(ground: &Ground) -> Self {
        let outcomes = ground.layers.all().iter().map(|layer| layer.outcomes.len() as u32);
        let all = ground.space.sizes().iter().copied().chain(outcomes).collect();
        Sizes { all, n_axes: ground.space.n_axes() as u32 }
    }

    fn region(&self, clause: &Clause) -> Region {
        clause
            .derived
            .iter()
            .fold(clause.region.clone(), |r, (derive, held)| r.with(self.n_axes + derive, held.clone()))
    }

    fn clause(&self, region: &Region) -> Clause {
        let mut clause = Clause::all();
        for (axis, side) in region.sides() {
            match axis.checked_sub(self.n_axes) {
                None => clause.region = clause.region.with(*axis, side.clone()),
                Some(derive) => clause.derived.push((derive, side.clone())),
            }
        }
        clause
    }
}

/// Some boxes without what rows take of them, apart from each other; nothing where they become too many.
fn cut(mut pieces: Vec<Region>, rows: &[&(usize, Region)], sizes: &Sizes, steps: &mut u64) -> Option<Vec<Region>> {
    for (_, row) in rows {
        spend(steps, pieces.len() as u64)?;
        let mut rest = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            rest.extend(piece.minus(row, &sizes.all));
        }
        if rest.len() > MOST_PIECES {
            rest = absorb(rest, &sizes.all);
        }
        pieces = rest;
        if pieces.len() > MOST_PIECES {
            return None;
        }
    }
    Some(pieces)
}

/// The boxes in which facts can lie: the outcomes of derives are bound to the facts that they read.
fn possible(pieces: Vec<Region>, ground: &Ground, sizes: &Sizes, steps: &mut u64) -> Option<Vec<Region>> {
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let clause = sizes.clause(&piece);
        let list = vec![(&clause, Some(0))];
        let question = Question { within: clause.region.clone(), list, n_groups: 1, disjoint: false };
        let is_free = clause.derived.is_empty();
        match if is_free { None } else { explore(&ground.space, &ground.layers, &question, steps).groups.pop() } {
            None | Some(Reach::At(_)) => kept.push(piece),
            Some(Reach::Never) => {}
            Some(Reach::Undecided) => return None,
        }
    }
    Some(kept)
}

/// A box as wide as the row lets it be and no earlier row keeps it apart: the last column first.
fn widened(piece: &Region, own: &Region, rows: &[&(usize, Region)], sizes: &Sizes) -> Region {
    let mut wide = piece.clone();
    let axes: Vec<u32> = piece.sides().iter().rev().map(|side| side.0).collect();
    for axis in axes {
        let whole = SegSet::range(0, sizes.all.get(axis as usize).copied().unwrap_or(0));
        let free = match own.side(axis) {
            Some(side) => wide.clone().with(axis, side.clone()),
            None => wide.clone().without(axis),
        };
        let taken = rows.iter().filter(|(_, row)| row.meets(&free));
        let taken = taken.map(|(_, row)| row.side(axis).cloned().unwrap_or_else(|| whole.clone()));
        let taken = taken.fold(SegSet::none(), |all, side| all.or(&side));
        let side = free.side(axis).unwrap_or(&whole).minus(&taken);
        wide = if side == whole { free } else { wide.with(axis, side) };
    }
    wide
}

/// Whether some boxes hold another one.
fn is_held(piece: &Region, others: &[&Region], sizes: &Sizes, steps: &mut u64) -> Option<bool> {
    let mut rest = vec![piece.clone()];
    for other in others {
        spend(steps, rest.len() as u64)?;
        rest = rest.iter().flat_map(|r| r.minus(other, &sizes.all)).collect();
        if rest.len() > MOST_PIECES {
            return Some(false);
        }
    }
    Some(rest.is_empty())
}

/// A box as tests of facts. Outcomes of a derive that are no cell of each of its outputs are told one by one.
fn told(piece: &Region, ground: &Ground, sizes: &Sizes) -> Option<Vec<Vec<(FactId, ValueSet)>>> {
    let clause = sizes.clause(piece);
    let mut boxes = vec![ground.space.sets(ground.model, &clause.region)];
    for (derive, held) in &clause.derived {
        let hole = ground.layers.layer(*derive).hole;
        let choices = if let Some(tests) = outputs_of(ground, *derive, held) {
            vec![tests]
        } else {
            let singles = held.iter().filter(|o| hole != Some(*o));
            singles.map(|o| outputs_of(ground, *derive, &SegSet::one(o))).collect::<Option<Vec<_>>>()?
        };
        boxes = boxes.iter().flat_map(|b| choices.iter().map(|tests| [b.as_slice(), tests].concat())).collect();
    }
    Some(boxes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::has_hole;
    use super::*;
    use crate::model::eval;
    use crate::space::random::{inputs, model};

    /// At every input: a row is the one that its table takes exactly where what is left of it says so.
    fn held(model: &Model) -> Result<(), TestCaseError> {
        let inputs = inputs(model);
        if inputs.len() > 700 {
            return Ok(());
        }
        for table in &model.tables {
            let taken: Vec<Option<usize>> = inputs.iter().map(|x| eval::matching_row(model, table, x)).collect();
            for row in 0..table.rows.len() {
                let found = left(model, table, row, &mut 1_000_000);
                // Where a derive has no value the policy is at fault, and nothing is said of its rows.
                for (x, taken) in inputs.iter().zip(&taken).filter(|(x, _)| !has_hole(model, &[table], x)) {
                    let is_in = match &found {
                        Left::Whole => table.rows[row].conds.iter().all(|c| eval::holds(model, c, x)),
                        Left::Boxes(boxes) => boxes
                            .iter()
                            .any(|tests| tests.iter().all(|(f, set)| set.admits(&eval::value_of(model, *f, x)))),
                        Left::Nothing(_) => false,
                        Left::Open => continue,
                    };
                    let plain =
                        table.rows[row].kind == crate::syntax::tree::RowKind::Plain || !matches!(found, Left::Whole);
                    prop_assert!(!plain || is_in == (*taken == Some(row)), "{:?} of row {}: {:?}", found, row, x);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn what_is_left_of_a_row_is_what_its_table_takes_it_for(bytes in prop::collection::vec(any::<u8>(), 16..200)) {
            held(&model(&bytes))?;
        }
    }
}
