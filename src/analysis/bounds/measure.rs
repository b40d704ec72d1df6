//! The bounds as values.
//!
//! The first attempt of an intent takes one unit of its budget; what follows is decided by rows. The longest total of
//! waits is found over the units that are left, each retry drawing its longest at its attempt. Waits that a receiver
//! asks for are not in it: nobody here bounds them but the deadline.

use super::overlap::overlapping;
use crate::model::{Action, Budget, By, Model, Outcome, Row, TableId};

/// More attempts than this are bounded by their count and the longest wait alone.
const COUNTED: u64 = 256;

/// The locator by which the judgement knows how long a receiver remembers an action key.
const ACTION_KEY: &str = "action_key";

/// The bounds of one intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The layer that owns the attempts.
    pub owner: String,
    /// Its attempts, the first included.
    pub attempts: u64,
    /// The layers below, each with its attempts.
    pub below: Vec<(String, u64)>,
    /// Attempts that may reach the receiver: all of them multiplied.
    pub attempts_in_all: u64,
    /// Tries to confirm the result, on an account of their own.
    pub confirm: u64,
    /// The waits between attempts; nothing where no row retries.
    pub waits: Option<Waits>,
    /// Copies that a hedge may have out at once; 1 where no row hedges.
    pub copies: u64,
    /// Attempts that may be under way at once: copies of hedges, and what was sent within `late` before.
    pub overlapping: u64,
    /// The same with all the layers below multiplied.
    pub overlapping_in_all: u64,
    /// The locators that rows look by, and that of the action key.
    pub memories: Vec<Memory>,
}

/// The waits of one intent, all together, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// How many there may be.
    pub n: u64,
    /// The longest that they may add up to by themselves.
    pub longest_ms: u64,
    /// What the deadline leaves for them: without the reserve, and without the least time of the last attempt.
    pub left_ms: u64,
}

/// How long a locator remembers, and how long it would have to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Its name.
    pub locator: String,
    /// How long it remembers, in milliseconds; nothing is for ever.
    pub remembers_ms: Option<u64>,
    /// Until the last copy may arrive: deadline and late together.
    pub needed_ms: u64,
}

/// The bounds of a model; nothing where it has no budget.
pub fn bounds(model: &Model) -> Option<Bounds> {
    let budget = model.budget.as_ref()?;
    let below: Vec<(String, u64)> = budget.below.iter().map(|l| (l.name.to_string(), l.attempts)).collect();
    let mut locators: Vec<usize> =
        (0..model.locators.len()).filter(|l| *model.locators[*l].name == *ACTION_KEY).collect();
    for (_, _, action) in actions(model) {
        if let Action::Reconcile { by: By::Locator(locator), .. } = action
            && !locators.contains(locator)
        {
            locators.push(*locator);
        }
    }
    let memory = |l: &usize| {
        let locator = model.locators.get(*l)?;
        let (locator, remembers_ms) = (locator.name.to_string(), locator.remembers_ms);
        Some(Memory { locator, remembers_ms, needed_ms: needed_ms(budget) })
    };
    let copies =
        actions(model).filter_map(|(_, _, a)| if let Action::Hedge { copies, .. } = a { Some(*copies) } else { None });
    let multiplied = |n: u64| below.iter().fold(n, |n, layer| n.saturating_mul(layer.1.max(1)));
    let overlapping = overlapping(model, budget);
    Some(Bounds {
        owner: budget.owner.to_string(),
        attempts: budget.attempts,
        attempts_in_all: multiplied(budget.attempts),
        overlapping,
        overlapping_in_all: multiplied(overlapping),
        below,
        confirm: budget.confirm,
        waits: waits(model, budget),
        copies: copies.max().unwrap_or(1),
        memories: locators.iter().filter_map(memory).collect(),
    })
}

/// Every action of every row, in order, with its row.
pub(super) fn actions(model: &Model) -> impl Iterator<Item = (TableId, &Row, &Action)> {
    let rows = model.tables.iter().enumerate().flat_map(|(t, table)| table.rows.iter().map(move |r| (TableId(t), r)));
    rows.flat_map(|(table, row)| {
        let actions = if let Outcome::Act(chain) = &row.outcome { &*chain.actions } else { &[] };
        actions.iter().map(move |action| (table, row, action))
    })
}

/// How long a result must stay findable.
pub(super) fn needed_ms(budget: &Budget) -> u64 {
    budget.deadline_ms.saturating_add(budget.late_ms)
}

/// The time that an intent has before its reserve, less that of an attempt.
pub(super) fn left_ms(budget: &Budget) -> u64 {
    budget.deadline_ms.saturating_sub(budget.reserve_ms).saturating_sub(budget.least_ms)
}

/// The bounds of the wait before an action that acts again, after some attempts; unknown takes the cap.
pub(super) fn draw_ms(model: &Model, action: &Action, attempt: Option<u64>) -> Option<(u64, u64)> {
    match action {
        Action::Retry { backoff, .. } => {
            let backoff = backoff.and_then(|b| model.backoffs.get(b));
            Some(backoff.map_or((0, 0), |b| b.draw_ms(attempt)))
        }
        Action::Hedge { after_ms, .. } => Some((*after_ms, *after_ms)),
        _ => None,
    }
}

/// The units that an action takes, and the attempts that it makes.
pub(super) fn units(action: &Action) -> (u64, u64) {
    match action {
        Action::Retry { spend, .. } => (*spend, 1),
        Action::Hedge { copies, .. } => (copies.saturating_sub(1), copies.saturating_sub(1)),
        Action::Failover { .. } => (1, 1),
        _ => (0, 0),
    }
}

fn waits(model: &Model, budget: &Budget) -> Option<Waits> {
    let mut waiting: Vec<&Action> = Vec::new();
    for (_, _, action) in actions(model).filter(|(_, _, a)| draw_ms(model, a, None).is_some() && units(a).0 > 0) {
        if !waiting.contains(&action) {
            waiting.push(action);
        }
    }
    if waiting.is_empty() {
        return None;
    }
    let units_left = budget.attempts.saturating_sub(1);
    let cheapest = waiting.iter().map(|a| units(a).0).min().unwrap_or(1).max(1);
    let n = units_left / cheapest;
    let longest_ms = if units_left <= COUNTED {
        // A failover does not wait, and the wait behind it is that of a later attempt.
        let failovers = actions(model).map(|a| a.2).filter(|a| matches!(a, Action::Failover { .. })).take(1);
        longest(model, &waiting.iter().copied().chain(failovers).collect::<Vec<_>>(), units_left)
    } else {
        let attempts = (1..=COUNTED).map(Some).chain([None]);
        let draws = attempts.flat_map(|n| waiting.iter().filter_map(move |a| draw_ms(model, a, n)));
        draws.map(|d| d.1).max().unwrap_or(0).saturating_mul(n)
    };
    Some(Waits { n, longest_ms, left_ms: left_ms(budget) })
}

/// The longest total of waits with some units left after the first attempt, by the attempts made and the units left.
fn longest(model: &Model, waiting: &[&Action], units_left: u64) -> u64 {
    let size = units_left as usize + 1;
    // By units left: the longest total from there, for the attempt at hand and for those behind it.
    let mut by_attempt: Vec<Vec<u64>> = vec![vec![0; size]; size + 2];
    for attempt in (1..=size).rev() {
        for left in 1..size {
            let total = |action: &&Action| {
                let (cost, made) = units(action);
                let rest = left.checked_sub(cost as usize)?;
                let next = (attempt + made.max(1) as usize).min(size + 1);
                let hi = draw_ms(model, action, Some(attempt as u64)).map_or(0, |d| d.1);
                Some(hi.saturating_add(by_attempt[next][rest]))
            };
            by_attempt[attempt][left] = waiting.iter().filter_map(total).max().unwrap_or(0);
        }
    }
    by_attempt[1][units_left as usize]
}
