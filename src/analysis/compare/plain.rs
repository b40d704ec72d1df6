//! Both sides asked about one point by reading rows one by one: what every witness is put to before it is told.

use crate::model::{Action, Answer, End, Outcome, TableId, Value, eval, show_action};

use super::guard::facts_refuse;
use super::outcome::Meaning;
use super::sheet::{Ground, REFUSED};

/// The answer of one side at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) meaning: Meaning,
    pub(super) row: super::Place,
    /// The action in the side's words.
    pub(super) action: String,
}

impl Ground<'_> {
    /// The values that a side is given at a point.
    pub(super) fn values(&self, side: usize, point: &[u32]) -> Vec<Value> {
        let mut values = vec![Value::Unknown; self.models[side].facts.len()];
        for (i, axis) in self.axes.iter().enumerate() {
            if let Some(fact) = self.facts[i][side] {
                values[fact.0 as usize] = axis.value(point[i], side).clone();
            }
        }
        values
    }

    /// Reads a side's rows one by one; `point` says which verdicts the world refuses. Where an overlay tightens a
    /// table on the way, its table is asked too, and the more cautious holds.
    pub(super) fn plain(&self, side: usize, values: &[Value], point: &[u32]) -> Plain {
        let model = self.models[side];
        let base = eval::answer(model, TableId(0), values);
        let Some(mut plain) = self.left(side, &base, values, point) else {
            return Plain { meaning: Meaning::Gap, row: None, action: "review".into() };
        };
        for (table, own) in model.overlay.iter().flat_map(|o| &o.tighten) {
            if !base.path.iter().any(|(t, _)| t == *table) {
                continue;
            }
            let theirs = self.left(side, &eval::answer(model, *own, values), values, point);
            if let Some(theirs) = theirs.filter(|t| t.meaning.verb() <= plain.meaning.verb()) {
                plain = theirs;
            }
        }
        plain
    }

    /// What the guards leave of an answer; nothing in a gap.
    fn left(&self, side: usize, answer: &Answer, values: &[Value], point: &[u32]) -> Option<Plain> {
        let model = self.models[side];
        let (table, place) = answer.path.last().filter(|_| answer.end == End::Row)?;
        let Outcome::Act(chain) = &model.tables[table.0].rows[place].outcome else { return None };
        let refused = |action: &&Action| {
            let parity = if let Action::Failover { parity } = action { Some(*parity) } else { None };
            let world = self
                .verdict_of(side, action)
                .is_some_and(|v| action.verb().can_be_refused() && point[self.verdict_axis(v) as usize] == REFUSED);
            world || facts_refuse(model, (action.verb(), parity), self.least_ms, values)
        };
        let action = chain.actions.iter().find(|a| !refused(a)).or(chain.actions.last())?;
        let row = Some((table, place));
        Some(Plain { meaning: Meaning::of(model, action), row, action: show_action(model, action) })
    }
}
