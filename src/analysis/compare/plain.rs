//! Both sides asked about one point by reading rows one by one: what every witness is put to before it is told.

use crate::model::{Action, End, Outcome, TableId, Value, eval, show_action};

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

    /// Reads a side's rows one by one; `point` says which verdicts the world refuses.
    pub(super) fn plain(&self, side: usize, values: &[Value], point: &[u32]) -> Plain {
        let model = self.models[side];
        let answer = eval::answer(model, TableId(0), values);
        let row = answer.path.last();
        let gap = Plain { meaning: Meaning::Gap, row: None, action: "review".into() };
        let (End::Row, Some((table, place))) = (answer.end, row) else { return gap };
        let Outcome::Act(chain) = &model.tables[table.0].rows[place].outcome else { return gap };
        let refused = |action: &&Action| {
            let parity = if let Action::Failover { parity } = action { Some(*parity) } else { None };
            let world = self
                .verdict_of(side, action)
                .is_some_and(|v| action.verb().can_be_refused() && point[self.verdict_axis(v) as usize] == REFUSED);
            world || facts_refuse(model, (action.verb(), parity), self.least_ms, values)
        };
        let Some(action) = chain.actions.iter().find(|a| !refused(a)).or(chain.actions.last()) else { return gap };
        Plain { meaning: Meaning::of(model, action), row, action: show_action(model, action) }
    }
}
