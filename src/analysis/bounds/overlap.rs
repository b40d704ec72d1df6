//! How many attempts of one intent may be under way at once.
//!
//! An attempt may still arrive for `late` after it was sent. So the question is how many are sent within that time:
//! waits drawn at their shortest, a millisecond at least for an attempt that came back, none for the copies of a hedge,
//! which are sent while nothing has come back. A row that asks for proof that nothing was processed begins anew.

use std::collections::BTreeSet;

use crate::model::{Action, Budget, Model, Row, Values};

use super::measure::{actions, draw_ms, units};

/// More attempts than this are bounded by their count and the shortest wait alone.
const COUNTED: u64 = 32;

/// An action that sends, and whether what was sent before it may still be under way.
struct Step<'a> {
    action: &'a Action,
    open: bool,
}

/// The most attempts under way at once.
pub(super) fn overlapping(model: &Model, budget: &Budget) -> u64 {
    let mut steps: Vec<Step> = Vec::new();
    for (_, row, action) in actions(model).filter(|(_, _, a)| units(a).0 > 0) {
        let open = !is_settled(model, row);
        match steps.iter_mut().find(|s| s.action == action) {
            Some(step) => step.open |= open,
            None => steps.push(Step { action, open }),
        }
    }
    let left = budget.attempts.saturating_sub(1);
    if left > COUNTED {
        let open = steps.iter().filter(|s| s.open);
        let shortest = open.map(|s| (0..=64).map(|n| pause(model, s.action, n)).min().unwrap_or(0)).min();
        let further = shortest.map_or(0, |ms| budget.late_ms.checked_div(ms).unwrap_or(u64::MAX));
        let together = steps.iter().map(|s| units(s.action).1).max().unwrap_or(1).max(1);
        return budget.attempts.min(together.saturating_add(further));
    }
    let within = Windows::new(model, &steps, left as usize);
    let most = |(attempt, left, sent): &(usize, usize, usize)| {
        let times = within.times(*attempt, *left);
        sent + times.iter().rposition(|t| t.is_some_and(|t| t <= budget.late_ms)).unwrap_or(0)
    };
    reachable(&steps, left as usize).iter().map(most).max().unwrap_or(1) as u64
}

/// Whether a row asks for proof that no attempt was processed.
fn is_settled(model: &Model, row: &Row) -> bool {
    let Some(dispatch) = model.fact_id("dispatch") else { return false };
    let fact = model.fact(dispatch);
    let words: Vec<&str> = fact.words().collect();
    let proven = |v: usize| words.get(v).is_some_and(|w| ["not_sent", "refused", "undone"].contains(w));
    row.conds.iter().filter(|c| c.fact == dispatch).any(|c| {
        let choices = matches!(c.set.values, Values::Choice(_));
        choices && !c.set.unknown && c.set.points == 0 && c.set.choices().all(proven)
    })
}

/// The shortest time between the send before an action and its own.
fn pause(model: &Model, action: &Action, attempt: u64) -> u64 {
    match action {
        Action::Hedge { .. } => 0,
        _ => draw_ms(model, action, Some(attempt)).map_or(0, |d| d.0).saturating_add(1),
    }
}

/// The attempts made, the units left, and how many were just sent together.
fn reachable(steps: &[Step], left: usize) -> BTreeSet<(usize, usize, usize)> {
    let mut states = BTreeSet::from([(1, left, 1)]);
    let mut open = vec![(1, left, 1)];
    while let Some((attempt, left, _)) = open.pop() {
        for step in steps {
            let (cost, made) = (units(step.action).0 as usize, units(step.action).1.max(1) as usize);
            let next = left.checked_sub(cost).map(|left| (attempt + made, left, made));
            if let Some(next) = next.filter(|n| states.insert(*n)) {
                open.push(next);
            }
        }
    }
    states
}

/// By attempts made and units left: the shortest times in which 0, 1, 2 … further ones can be sent.
struct Windows {
    size: usize,
    times: Vec<Vec<Option<u64>>>,
}

impl Windows {
    fn new(model: &Model, steps: &[Step], left: usize) -> Windows {
        let size = left + 1;
        let mut windows = Windows { size, times: vec![vec![Some(0)]; size * (size + 2)] };
        for attempt in (1..=size).rev() {
            for left in 1..size {
                let mut best: Vec<Option<u64>> = vec![None; left + 1];
                best[0] = Some(0);
                for step in steps.iter().filter(|s| s.open) {
                    let (cost, made) = (units(step.action).0 as usize, units(step.action).1.max(1) as usize);
                    let Some(rest) = left.checked_sub(cost) else { continue };
                    let pause = pause(model, step.action, attempt as u64);
                    let after = windows.times((attempt + made).min(size + 1), rest).to_vec();
                    for (n, best) in best.iter_mut().enumerate().skip(1) {
                        let time = after.get(n.saturating_sub(made)).copied().flatten();
                        let time = time.map(|t| t.saturating_add(pause));
                        *best = [*best, time].into_iter().flatten().min();
                    }
                }
                let at = windows.at(attempt, left);
                windows.times[at] = best;
            }
        }
        windows
    }

    fn at(&self, attempt: usize, left: usize) -> usize {
        attempt.min(self.size + 1) * self.size + left
    }

    fn times(&self, attempt: usize, left: usize) -> &[Option<u64>] {
        &self.times[self.at(attempt, left)]
    }
}
