//! What a question is asked of: a model in its space, and one function of tables in it.

use crate::model::{Cond, Model, Row, Table, TableId, Value};
use crate::space::{Clause, Entry, Flow, Layers, Question, Reached, Region, Space, Visit, explore};

/// A model in its space.
pub(super) struct Ground<'a> {
    pub(super) model: &'a Model,
    pub(super) space: Space,
    pub(super) layers: Layers,
}

/// A point: a segment for each axis, and what the derives give there.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub(super) segments: &'a [u32],
    pub(super) outcomes: &'a [u32],
}

impl Point<'_> {
    pub(super) fn is_in(&self, clause: &Clause) -> bool {
        clause.holds(self.segments, self.outcomes)
    }
}

/// The policy from its entry, or one derive or classify by itself.
pub(super) struct Scene<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) flow: Flow,
    alone: Option<&'a Table>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(ground: &'a Ground<'a>, flow: Flow, alone: Option<&'a Table>) -> Self {
        Scene { ground, flow, alone }
    }

    pub(super) fn model(&self) -> &'a Model {
        self.ground.model
    }

    /// Whether it is one derive or classify.
    pub(super) fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    pub(super) fn table(&self, id: TableId) -> &'a Table {
        self.alone.unwrap_or_else(|| &self.ground.model.tables[id.0])
    }

    pub(super) fn row(&self, at: (TableId, usize)) -> &'a Row {
        &self.table(at.0).rows[at.1]
    }

    /// The tables in question, each with the first way that leads there.
    pub(super) fn tables(&self) -> Vec<TableId> {
        let mut ids: Vec<TableId> = self.flow.visits.iter().map(|v| v.table).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// What some tests ask; nothing where they exclude each other.
    pub(super) fn clause(&self, conds: &[Cond]) -> Option<Clause> {
        self.ground.layers.clause(self.ground.model, &self.ground.space, conds)
    }

    pub(super) fn ask(&self, question: &Question, steps: &mut u64) -> Reached {
        explore(&self.ground.space, &self.ground.layers, question, steps)
    }

    /// The entry that answers at a point: every entry is looked at, one by one.
    pub(super) fn at(&self, point: &Point) -> Option<usize> {
        self.flow.at(point.segments, point.outcomes)
    }

    /// The region in which every fact is known.
    pub(super) fn known(&self) -> Region {
        let axes = 0..self.ground.space.n_axes() as u32;
        axes.fold(Region::all(), |r, a| r.with(a, self.ground.space.axis(a).known()))
    }

    pub(super) fn values(&self, point: &[u32]) -> Vec<Value> {
        self.ground.space.values(self.ground.model, point)
    }
}

/// The rows that are asked in one place only: each with where its table is entered, and its entry.
pub(super) fn single<'a>(scene: &'a Scene) -> Vec<(&'a Visit, usize)> {
    let mut out = Vec::new();
    for (i, visit) in scene.flow.visits.iter().enumerate() {
        if scene.flow.visits.iter().enumerate().any(|(j, v)| j != i && v.table == visit.table) {
            continue;
        }
        let own = |e: &Entry| e.path.len() == visit.path.len() + 1 && e.path.starts_with(&visit.path);
        let from = scene.flow.entries.iter().enumerate().skip(visit.first);
        out.extend(from.filter(|(_, e)| own(e)).map(|(entry, _)| (visit, entry)));
    }
    out
}
