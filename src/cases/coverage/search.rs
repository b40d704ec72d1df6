//! Facts that show a goal, from the analyser: found, or proven not to exist, or not decided within the steps.
//!
//! What is found is only proposed: whoever takes it asks the policy with it, and keeps it where it shows the goal.

use crate::analysis;
use crate::model::{Action, Cond, FactSource, Model, Outcome, TableId, Value, ValueSet};
use crate::space::{Clause, Ending, Flow, Layers, Question, Reach, Region, Space, TooComplex, UNKNOWN, explore};

use super::goals::{Goal, Spot, What};
use super::trace::is_tested;

/// A table's own way of being asked.
struct Asked {
    /// By what id its rows stand in the flow.
    table: TableId,
    flow: Flow,
}

/// A policy in its space, cut at every goal's values.
pub(super) struct Search<'m> {
    model: &'m Model,
    space: Space,
    layers: Layers,
    entry: Flow,
    /// Tables of an overlay, asked by themselves.
    own: Vec<Asked>,
    /// Derives, asked by themselves.
    derives: Vec<Flow>,
    steps: u64,
}

/// What is known of a goal.
pub(super) enum Found {
    /// Facts to be tried.
    At(Vec<Value>),
    /// No facts show it.
    Never,
    Undecided,
}

impl<'m> Search<'m> {
    /// # Errors
    /// Derived facts that make the policy too complex.
    pub(super) fn new(model: &'m Model, goals: &[Goal], max_steps: u64) -> Result<Self, TooComplex> {
        let mut more = analysis::guard_sets(model);
        for goal in goals {
            if let What::Takes { cond, set } | What::TurnsAway { cond, set } = &goal.what
                && let Some(cond) = goal.spot.row(model).and_then(|row| row.conds.get(*cond))
            {
                more.push((cond.fact, set.clone()));
            }
        }
        let space = Space::with(model, &more);
        let layers = Layers::new(model, &space)?;
        let entry = Flow::of(model, &space, &layers, TableId(0))?;
        let own = model
            .overlay
            .iter()
            .flat_map(|o| &o.tighten)
            .map(|(_, own)| Ok(Asked { table: *own, flow: Flow::of(model, &space, &layers, *own)? }));
        let own = own.collect::<Result<_, TooComplex>>()?;
        let derives = model.derives.iter().map(|d| Flow::alone(model, &space, &layers, &d.table));
        let derives = derives.collect::<Result<_, _>>()?;
        Ok(Search { model, space, layers, entry, own, derives, steps: max_steps })
    }

    /// Facts for a goal. What is refused is asked for elsewhere.
    pub(super) fn find(&mut self, goal: &Goal) -> Found {
        let Some(row) = goal.spot.row(self.model) else { return Found::Never };
        match &goal.what {
            What::Taken | What::Refused(..) => self.taken(goal.spot, &[]),
            What::Takes { cond, set } => match row.conds.get(*cond) {
                Some(cond) => self.taken(goal.spot, &[narrowed(cond, set)]),
                None => Found::Never,
            },
            What::TurnsAway { cond, set } => self.turned_away(goal.spot, *cond, set),
            What::Left(left) => self.left(goal.spot, *left),
        }
    }

    /// Facts for which a row acts as it wants to; for its other actions, facts that it takes.
    fn left(&mut self, spot: Spot, left: usize) -> Found {
        let Some(Outcome::Act(chain)) = spot.row(self.model).map(|row| &row.outcome) else { return Found::Never };
        let Some(action) = chain.actions.get(left).filter(|action: &&Action| action.verb().acts()) else {
            return self.taken(spot, &[]);
        };
        let mut end = Found::Never;
        for conds in analysis::allowed(self.model, action) {
            match self.taken(spot, &conds) {
                Found::Never => {}
                Found::Undecided => end = Found::Undecided,
                found @ Found::At(_) => return found,
            }
        }
        end
    }

    /// The flow in which a row stands, and as what.
    fn flow(&self, spot: Spot) -> (&Flow, TableId) {
        match spot {
            Spot::Derive(derive, _) => (&self.derives[derive], TableId(0)),
            Spot::Table(table, _) => match self.own.iter().find(|own| own.table == table) {
                Some(own) => (&own.flow, table),
                None => (&self.entry, table),
            },
        }
    }

    /// Facts with which a row of a derive gives its value, that value decides about a row of some table, and some tests
    /// hold as well; `own` asks for the derive's row itself, or for what comes to it.
    fn derived(&mut self, derive: usize, place: usize, own: &[Cond], is_taken: bool) -> Found {
        let model = self.model;
        let table = &model.derives[derive].table;
        let Ok(rows) = self.layers.rows(model, &self.space, table) else { return Found::Undecided };
        let Some(first) = rows.iter().position(|(row, _)| *row == place) else { return Found::Never };
        let mut earlier: Vec<Clause> = rows[..first].iter().map(|(_, clause)| clause.clone()).collect();
        let Some(own) = self.layers.clause(model, &self.space, own) else { return Found::Never };
        let mut end = Found::Never;
        for (i, (row, clause)) in rows.iter().enumerate().skip(first) {
            if is_taken && (*row != place) {
                break;
            }
            let Some(wanted) = (if is_taken { clause.and(&own) } else { Some(own.clone()) }) else { continue };
            match self.decisive(derive, &wanted, &earlier) {
                Found::Never => {}
                Found::Undecided => end = Found::Undecided,
                found @ Found::At(_) => return found,
            }
            if !is_taken {
                break;
            }
            earlier.push(rows[i].1.clone());
        }
        end
    }

    /// Facts of a clause, and of none of some others, for which the value of a derive decides about a row that is asked.
    fn decisive(&mut self, derive: usize, wanted: &Clause, others: &[Clause]) -> Found {
        let model = self.model;
        let reads =
            |cond: &&Cond| matches!(model.fact(cond.fact).source, FactSource::Derived { derive: d, .. } if d == derive);
        let mut targets = Vec::new();
        for visit in &self.entry.visits {
            for (place, row) in model.tables[visit.table.0].rows.iter().enumerate() {
                if !row.conds.iter().any(|c| reads(&c)) {
                    continue;
                }
                let rest: Vec<Cond> = row.conds.iter().filter(|c| !reads(c)).cloned().collect();
                let mut path = visit.path.clone();
                path.push((visit.table, place));
                let at = self.entry.entries.iter().skip(visit.first).position(|e| e.path.starts_with(&path));
                let clause = self.layers.clause(model, &self.space, &rest);
                let target = clause.and_then(|c| c.and(&visit.clause)).and_then(|c| c.and(wanted));
                if let (Some(at), Some(target)) = (at, target) {
                    targets.push((visit.first + at, target));
                }
            }
        }
        self.first_but(Spot::Table(TableId(0), 0), targets, others)
    }

    /// Facts that a row takes and for which some tests hold as well.
    fn taken(&mut self, spot: Spot, conds: &[Cond]) -> Found {
        if let Spot::Derive(derive, place) = spot
            && is_tested(self.model, derive)
        {
            return self.derived(derive, place, conds, true);
        }
        let Some(also) = self.layers.clause(self.model, &self.space, conds) else { return Found::Never };
        let (flow, table) = self.flow(spot);
        let at = (table, spot.place());
        let of_row = flow.entries.iter().enumerate().filter(|(_, entry)| entry.path.contains(&at));
        let targets = of_row.filter_map(|(i, entry)| Some((i, entry.clause.and(&also)?))).collect();
        self.first(spot, targets)
    }

    /// Facts with which a row is asked and turned away by one of its tests alone.
    fn turned_away(&mut self, spot: Spot, cond: usize, set: &ValueSet) -> Found {
        let Some(row) = spot.row(self.model) else { return Found::Never };
        let conds = row.conds.iter().enumerate();
        let conds: Vec<Cond> = conds.map(|(i, c)| if i == cond { narrowed(c, set) } else { c.clone() }).collect();
        if let Spot::Derive(derive, place) = spot
            && is_tested(self.model, derive)
        {
            return self.derived(derive, place, &conds, false);
        }
        let Some(wanted) = self.layers.clause(self.model, &self.space, &conds) else { return Found::Never };
        let (flow, table) = self.flow(spot);
        let mut targets = Vec::new();
        for visit in flow.visits.iter().filter(|visit| visit.table == table) {
            let mut path = visit.path.clone();
            path.push((table, spot.place()));
            let own = flow.entries.iter().skip(visit.first).position(|entry| entry.path.starts_with(&path));
            let (Some(own), Some(target)) = (own, visit.clause.and(&wanted)) else { continue };
            targets.push((visit.first + own, target));
        }
        self.first(spot, targets)
    }

    /// The first target that is reached, each after so many entries of the flow.
    fn first(&mut self, spot: Spot, targets: Vec<(usize, Clause)>) -> Found {
        self.first_but(spot, targets, &[])
    }

    /// The same where none of some other clauses holds.
    fn first_but(&mut self, spot: Spot, targets: Vec<(usize, Clause)>, others: &[Clause]) -> Found {
        let mut end = Found::Never;
        for (before, target) in targets {
            let mut steps = self.steps;
            let flow = self.flow(spot).0;
            let Some(left) = steps.checked_sub(1 + before as u64 / 64) else { return Found::Undecided };
            steps = left;
            let earlier = others.iter().chain(flow.entries[..before].iter().map(|entry| &entry.clause));
            let list = earlier.filter(|clause| clause.may_meet(&target)).map(|clause| (clause, None));
            let list = list.chain([(&target, Some(0))]).collect();
            let question = Question { within: target.region.clone(), list, n_groups: 1, disjoint: false };
            let reach = explore(&self.space, &self.layers, &question, &mut steps).groups.pop();
            self.steps = steps;
            match reach {
                Some(Reach::At(region)) => return Found::At(self.values(&region)),
                Some(Reach::Never) => {}
                _ => end = Found::Undecided,
            }
        }
        end
    }

    /// The ways through the tables that end in an answer.
    pub(super) fn ways(&self) -> Vec<Vec<(TableId, usize)>> {
        let mut ways: Vec<Vec<(TableId, usize)>> = Vec::new();
        for entry in self.entry.entries.iter().filter(|entry| entry.end == Ending::Row) {
            // The regions of one `any unknown` row follow each other.
            if ways.last() != Some(&entry.path) {
                ways.push(entry.path.clone());
            }
        }
        ways
    }

    /// Facts that take a way.
    pub(super) fn way(&mut self, path: &[(TableId, usize)]) -> Found {
        let Some((table, row)) = path.first() else { return Found::Never };
        let entries = self.entry.entries.iter().enumerate().filter(|(_, entry)| entry.path == path);
        let targets = entries.map(|(i, entry)| (i, entry.clause.clone())).collect();
        self.first(Spot::Table(*table, *row), targets)
    }

    /// Facts of a region, as few of them known as may be.
    fn values(&self, region: &Region) -> Vec<Value> {
        let pick = |axis: u32| match region.side(axis) {
            Some(side) if !side.contains(UNKNOWN) => side.first().unwrap_or(UNKNOWN),
            _ => UNKNOWN,
        };
        let point: Vec<u32> = (0..self.space.n_axes() as u32).map(pick).collect();
        self.space.values(self.model, &point)
    }

    /// Values of a fact that its tests and guards can tell apart.
    pub(super) fn tried(&self, fact: &str) -> Vec<Value> {
        let axis = self.model.fact_id(fact).and_then(|id| self.space.axis_of(id));
        let Some(axis) = axis.map(|axis| self.space.axis(axis)) else { return Vec::new() };
        (0..axis.n_segments().min(64)).map(|segment| axis.witness(segment)).collect()
    }
}

fn narrowed(cond: &Cond, set: &ValueSet) -> Cond {
    Cond { set: set.clone().into(), ..cond.clone() }
}
