//! What a question is asked of: a model in its space, and one function of tables in it.

use std::collections::BTreeMap;

use crate::model::{Cond, Model, Row, Table, TableId, Value};
use crate::space::{Clause, Entry, Flow, Layers, Question, Reach, Reached, Region, Space, Visit, explore};
use crate::syntax::tree::RowKind;
use crate::text::{FileId, Span};

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

    /// Whether facts that satisfy some tests ever come to a table; nothing where the steps run out.
    pub(super) fn comes(&self, id: TableId, conds: &[Cond], steps: &mut u64) -> Option<bool> {
        let Some(asked) = self.clause(conds) else { return Some(false) };
        let mut open = false;
        for visit in self.flow.visits.iter().filter(|v| v.table == id) {
            let Some(here) = visit.clause.and(&asked) else { continue };
            if visit.first == 0 && here.derived.is_empty() {
                return Some(true);
            }
            let before: Vec<&Clause> = self.flow.entries[..visit.first].iter().map(|e| &e.clause).collect();
            *steps = steps.checked_sub(1 + before.len() as u64 / 256)?;
            let before = before.into_iter().filter(|c| c.may_meet(&here)).map(|c| (c, None));
            let list = before.chain([(&here, Some(0))]).collect();
            let question = Question { within: here.region.clone(), list, n_groups: 1, disjoint: false };
            match self.ask(&question, steps).groups.pop() {
                Some(Reach::Never) => {}
                Some(Reach::At(_)) => return Some(true),
                _ => open = true,
            }
        }
        (!open).then_some(false)
    }

    /// Whether a row asks what rows above it could take, so that no test of those is idle.
    pub(super) fn asks_what_could_be(&self, id: TableId) -> bool {
        // The fixed rows stand last.
        self.table(id).rows.iter().rev().take(2).any(|r| r.kind == RowKind::AnyUnknown)
    }

    /// Whether a place lies in the file that is compiled: what others declare is looked at where it stands.
    pub(super) fn is_own(span: Span) -> bool {
        span.file == FileId::default()
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

/// Where a row is asked: how its table is entered, and its entry there.
pub(super) type Place<'a> = (&'a Visit, usize);

/// All rows that are asked somewhere, each with every place.
pub(super) fn places<'a>(scene: &'a Scene) -> BTreeMap<(TableId, usize), Vec<Place<'a>>> {
    let mut out: BTreeMap<_, Vec<Place>> = BTreeMap::new();
    for visit in &scene.flow.visits {
        let from = scene.flow.entries.iter().enumerate().skip(visit.first);
        let own = |e: &Entry| e.path.len() == visit.path.len() + 1 && e.path.starts_with(&visit.path);
        for (entry, found) in from.filter(|(_, e)| own(e)) {
            out.entry(found.path[visit.path.len()]).or_default().push((visit, entry));
        }
    }
    out
}

/// The rows of tables that are entered in one place only.
pub(super) fn single<'a>(scene: &'a Scene) -> Vec<Place<'a>> {
    let once = |id: TableId| scene.flow.visits.iter().filter(|v| v.table == id).count() == 1;
    places(scene).into_iter().filter(|(at, _)| once(at.0)).flat_map(|(_, places)| places).collect()
}

/// Takes so many steps. Where there are fewer, none are left: whoever looks later sees that something stayed open.
pub(super) fn spend(steps: &mut u64, n: u64) -> Option<()> {
    let left = steps.checked_sub(n);
    *steps = left.unwrap_or(0);
    left.map(|_| ())
}
