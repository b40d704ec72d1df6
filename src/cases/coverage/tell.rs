//! A survey as what is told of it: counts, rows, and what is missing in the policy's words.

use std::collections::BTreeMap;

use crate::decide::Policy;
use crate::model::{Outcome, show_action, show_set};

use super::goals::{Goal, Spot, What};
use super::survey::{Survey, Way};
use super::{Count, Coverage, Missed, RowCoverage, Suggested};

impl Survey<'_> {
    /// The coverage of some rows.
    pub(super) fn told(self, rows: &[Spot]) -> Coverage {
        let model = self.policy.model();
        let mut told = Coverage {
            rows: Count::default(),
            cells: Count::default(),
            guards: Count::default(),
            ways: Count::default(),
            by_row: Vec::new(),
            missed: Vec::new(),
            suggested: Vec::new(),
            n_never: 0,
        };
        let mut by_spot: BTreeMap<Spot, (usize, Count)> = BTreeMap::new();
        for (i, goal) in self.goals.iter().enumerate() {
            let (shown, suggested) = (self.shown[i], self.candidate_of[i]);
            if shown == 0 && suggested.is_none() && !self.open[i] {
                told.n_never += 1;
                continue;
            }
            let (kind, count) = match goal.what {
                What::Taken => ("row", &mut told.rows),
                What::Takes { .. } | What::TurnsAway { .. } => ("cell", &mut told.cells),
                What::Left(_) | What::Refused(..) => ("guard", &mut told.guards),
            };
            count.add(shown > 0);
            let of_row = by_spot.entry(goal.spot).or_default();
            of_row.1.add(shown > 0);
            if goal.what == What::Taken {
                of_row.0 = shown;
            }
            if shown == 0 {
                told.missed.push(missed(self.policy, kind, goal.spot, what(self.policy, goal), suggested));
            }
        }
        let touches = |way: &Way| way.0.iter().any(|(t, r)| rows.contains(&Spot::Table(*t, *r)));
        for (way, (n_cases, suggested)) in self.ways.iter().filter(|(way, _)| touches(way)) {
            told.ways.add(*n_cases > 0);
            if let (0, Some((table, row))) = (n_cases, way.0.last())
                && !self.is_missed(Spot::Table(*table, *row), way.1)
            {
                let what = format!("no case {}", way_words(self.policy, way));
                told.missed.push(missed(self.policy, "way", Spot::Table(*table, *row), what, *suggested));
            }
        }
        told.by_row = rows
            .iter()
            .map(|spot| {
                let (n_cases, shown) = by_spot.get(spot).copied().unwrap_or_default();
                let span = spot.row(model).map_or_else(Default::default, |row| row.span);
                RowCoverage { row: spot.name(model), span, n_cases, shown }
            })
            .collect();
        told.missed.sort_by_key(|missed| missed.span.start);
        told.suggested =
            self.candidates.into_iter().map(|c| Suggested { name: c.name, facts: c.facts, refuse: c.refuse }).collect();
        told
    }
}

impl Survey<'_> {
    /// Whether an action of a row is missed on every way: then that is told, and not each way.
    fn is_missed(&self, spot: Spot, left: usize) -> bool {
        let mut goals = self.goals.iter().zip(&self.shown);
        goals.any(|(goal, shown)| goal.spot == spot && *shown == 0 && matches!(goal.what, What::Left(l) if l == left))
    }
}

fn missed(policy: &Policy, kind: &'static str, spot: Spot, what: String, suggested: Option<usize>) -> Missed {
    let model = policy.model();
    let span = spot.row(model).map_or_else(Default::default, |row| row.span);
    Missed { kind, row: spot.name(model), span, what, suggested }
}

/// What no case shows.
fn what(policy: &Policy, goal: &Goal) -> String {
    match &goal.what {
        What::Taken => "no case takes it".into(),
        What::Takes { .. } => format!("no case that it takes with {}", words(policy, goal)),
        What::TurnsAway { .. } => format!("no case that {} alone turns away", words(policy, goal)),
        What::Left(_) => format!("no case in which `{}` is left", words(policy, goal)),
        What::Refused(verb, by) => format!("no case in which {verb} is refused by {by}"),
    }
}

/// The name of a case that shows a goal.
pub(super) fn name(policy: &Policy, goal: &Goal) -> String {
    let row = goal.spot.name(policy.model());
    let words = words(policy, goal).replace('`', "");
    match &goal.what {
        What::Taken => row,
        What::Takes { .. } => format!("{row} takes {words}"),
        What::TurnsAway { .. } => format!("{row} turns away {words}"),
        What::Left(_) => format!("{row} ends in {words}"),
        What::Refused(verb, by) => format!("{verb} refused by {by}"),
    }
}

/// The fact and its values, or the action, that a goal is about.
fn words(policy: &Policy, goal: &Goal) -> String {
    let model = policy.model();
    let row = goal.spot.row(model);
    match &goal.what {
        What::Takes { cond, set } | What::TurnsAway { cond, set } => {
            let cond = row.and_then(|row| row.conds.get(*cond));
            cond.map_or_else(String::new, |cond| {
                let fact = model.fact(cond.fact);
                format!("`{}` {}", fact.name, show_set(fact, set))
            })
        }
        What::Left(left) => match row.map(|row| &row.outcome) {
            Some(Outcome::Act(chain)) => chain.actions.get(*left).map_or_else(String::new, |a| show_action(model, a)),
            _ => String::new(),
        },
        What::Taken | What::Refused(..) => String::new(),
    }
}

fn way_words(policy: &Policy, (path, left): &Way) -> String {
    let model = policy.model();
    let rows: Vec<String> = path.iter().map(|(table, row)| Spot::Table(*table, *row).name(model)).collect();
    let last = path.last().and_then(|(table, row)| model.tables.get(table.0)?.rows.get(*row));
    let action = match last.map(|row| &row.outcome) {
        Some(Outcome::Act(chain)) => chain.actions.get(*left).map(|action| show_action(model, action)),
        _ => None,
    };
    format!("over {} that ends in `{}`", rows.join(", then "), action.unwrap_or_else(|| "no action".into()))
}

/// The name of a case that takes a way.
pub(super) fn way_name(policy: &Policy, way: &Way) -> String {
    way_words(policy, way).replace('`', "")
}
