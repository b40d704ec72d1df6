//! From a region to words: one point of it that reads well, its facts as a witness, as tests, as names of rows.

use crate::diag::{Witness, WitnessValue};
use crate::model::{
    Cond, Fact, FactId, FactSource, Model, NumberKind, Table, TableId, Type, Value, eval, show_number, show_value,
};
use crate::space::{Region, UNKNOWN};

use super::scene::{Point, Scene};

/// Up to so many segments of an axis are tried to see that it does not matter.
const TRIED: u32 = 64;

/// One point, and the facts that matter there.
pub(super) struct Shown {
    /// A fact whose value is as high as the region lets it be.
    high: Option<FactId>,
    pub(super) segments: Vec<u32>,
    /// The point with every fact known that may be, those that do not matter too.
    picked: Vec<u32>,
    /// By axis.
    pub(super) matters: Vec<bool>,
    /// Derives by whose outcome the claim stands or falls.
    derives: Vec<usize>,
}

/// A point of a region that reads well. An axis on which the claim `still` holds everywhere does not matter, and is
/// left unknown; where a fact may be known, it is.
pub(super) fn show(scene: &Scene, region: &Region, still: impl Fn(&Point) -> bool) -> Shown {
    show_high(scene, region, None, still)
}

/// The same, with one fact as high as the region lets it be.
pub(super) fn show_high(scene: &Scene, region: &Region, high: Option<FactId>, still: impl Fn(&Point) -> bool) -> Shown {
    let (space, layers) = (&scene.ground.space, &scene.ground.layers);
    let holds = |segments: &[u32]| still(&Point { segments, outcomes: &layers.outcomes_at(segments) });
    let high_axis = high.and_then(|f| space.axis_of(f));
    let pick = |axis: u32| match region.side(axis) {
        Some(side) if high_axis == Some(axis) => side.last().unwrap_or(UNKNOWN),
        None if high_axis == Some(axis) => space.sizes()[axis as usize] - 1,
        Some(side) => side.iter().find(|s| *s != UNKNOWN).unwrap_or(UNKNOWN),
        None => UNKNOWN + 1,
    };
    let mut segments: Vec<u32> = (0..space.n_axes() as u32).map(pick).collect();
    debug_assert!(holds(&segments), "what the search found does not hold");
    let picked = segments.clone();
    let mut matters = vec![true; segments.len()];
    for axis in 0..segments.len() {
        let n = space.sizes()[axis];
        let chosen = segments[axis];
        let whole = region.side(axis as u32).is_none();
        let free = (whole || n <= TRIED)
            && (0..n.min(TRIED)).all(|seg| {
                segments[axis] = seg;
                holds(&segments)
            });
        segments[axis] = if free { UNKNOWN } else { chosen };
        matters[axis] = !free;
    }
    let outcomes = layers.outcomes_at(&segments);
    let decisive = |d: &usize| {
        (0..layers.layer(*d as u32).outcomes.len() as u32).any(|outcome| {
            let mut outcomes = outcomes.clone();
            outcomes[*d] = outcome;
            !still(&Point { segments: &segments, outcomes: &outcomes })
        })
    };
    let derives = (0..outcomes.len()).filter(decisive).collect();
    Shown { high, segments, picked, matters, derives }
}

impl Shown {
    /// The facts as `nisi eval` takes them.
    pub(super) fn witness(&self, scene: &Scene) -> Witness {
        let values = self.values(scene);
        let facts = scene.model().facts.values().zip(&values).filter(|(_, v)| **v != Value::Unknown);
        let facts = facts.map(|(f, v)| (f.name.to_string(), as_facts_come_in(f, v))).collect();
        Witness { facts, refuse: Vec::new() }
    }

    /// The same claim with the plainest facts that bear it out: one fact after the other is left out, or has the first of
    /// its values that does. What the facts that are told of say stays.
    pub(super) fn plainest(mut self, scene: &Scene, told: &[FactId], shows: impl Fn(&[Value]) -> bool) -> Shown {
        let (model, space) = (scene.model(), &scene.ground.space);
        let say = |values: &[Value]| told.iter().map(|f| eval::value_of(model, *f, values)).collect::<Vec<_>>();
        let said = say(&self.values(scene));
        for axis in (0..self.segments.len()).filter(|a| self.segments[*a] != UNKNOWN).collect::<Vec<_>>() {
            let (segment, high) = (self.segments[axis], self.high);
            self.high = high.filter(|f| *f != space.fact(axis as u32));
            let plainer = (UNKNOWN..=segment.min(TRIED)).any(|plainer| {
                self.segments[axis] = plainer;
                let values = self.values(scene);
                say(&values) == said && shows(&values)
            });
            if !plainer {
                (self.segments[axis], self.high) = (segment, high);
            }
        }
        self
    }

    /// The facts as values.
    pub(super) fn values(&self, scene: &Scene) -> Vec<Value> {
        let mut values = scene.values(&self.segments);
        if let Some((fact, axis)) = self.high.and_then(|f| Some((f, scene.ground.space.axis_of(f)?))) {
            values[fact.0 as usize] = scene.ground.space.axis(axis).high(self.segments[axis as usize]);
        }
        values
    }

    /// The point itself, to which claims are put.
    pub(super) fn point<R>(&self, scene: &Scene, ask: impl FnOnce(&Point) -> R) -> R {
        ask(&Point { segments: &self.segments, outcomes: &scene.ground.layers.outcomes_at(&self.segments) })
    }

    /// The point before facts that do not matter were left unknown.
    pub(super) fn picked<R>(&self, scene: &Scene, ask: impl FnOnce(&Point) -> R) -> R {
        ask(&Point { segments: &self.picked, outcomes: &scene.ground.layers.outcomes_at(&self.picked) })
    }

    /// The point as tests joined by `and`: of the facts that some rows speak of those that matter, or where none of
    /// them does, whatever matters.
    pub(super) fn tests(&self, scene: &Scene, spoken: &[FactId]) -> String {
        let model = scene.model();
        let values = self.values(scene);
        let matters = |f: &&FactId| match (scene.ground.space.axis_of(**f), model.fact(**f).source) {
            (Some(axis), _) => self.matters[axis as usize],
            (None, FactSource::Derived { derive, .. }) => self.derives.contains(&derive),
            _ => false,
        };
        let mut told: Vec<String> = spoken.iter().filter(matters).map(|f| test(model, *f, &values)).collect();
        if told.is_empty() {
            let all: Vec<FactId> = (0..self.segments.len() as u32).map(|a| scene.ground.space.fact(a)).collect();
            told = all.iter().filter(matters).map(|f| test(model, *f, &values)).collect();
        }
        if told.is_empty() { "facts of which nothing is known".into() } else { format!("`{}`", told.join(" and ")) }
    }

    /// The facts that must be unknown here, because they matter and are.
    pub(super) fn unknowns(&self) -> impl Iterator<Item = u32> {
        let unknown = |a: &usize| self.segments[*a] == UNKNOWN && self.matters[*a];
        (0..self.segments.len()).filter(unknown).map(|a| a as u32)
    }
}

fn test(model: &Model, fact: FactId, values: &[Value]) -> String {
    let value = eval::value_of(model, fact, values);
    format!("{} is {}", model.fact(fact).name, show_value(model.fact(fact), &value))
}

/// The facts that the rows of a table test, in order of first mention.
pub(super) fn tested(table: &Table) -> Vec<FactId> {
    let facts: indexmap::IndexSet<FactId> = table.rows.iter().flat_map(|r| &r.conds).map(|c| c.fact).collect();
    facts.into_iter().collect()
}

/// Tests as an author writes them.
pub(super) fn cond_text(model: &Model, cond: &Cond) -> String {
    let fact = model.fact(cond.fact);
    format!("{} is {}", fact.name, crate::model::show_set(fact, &cond.set))
}

/// `recovery/stale`
pub(super) fn row_name(scene: &Scene, (table, row): (TableId, usize)) -> String {
    let table = scene.table(table);
    format!("{}/{}", table.name, table.rows[row].label(row))
}

pub(super) fn as_facts_come_in(fact: &Fact, value: &Value) -> WitnessValue {
    let word = |list: &[Box<str>], i: u16| list.get(usize::from(i)).map_or(String::new(), ToString::to_string);
    match (value, &fact.ty) {
        (Value::Number(n), Type::Number(ty)) => match ty.kind {
            NumberKind::Count | NumberKind::Integer | NumberKind::Decimal => {
                WitnessValue::Number(show_number(ty.kind, *n))
            }
            _ => WitnessValue::Text(show_number(ty.kind, *n)),
        },
        (Value::Choice(i), Type::Choice { values, .. }) => WitnessValue::Text(word(values, *i)),
        (Value::Point(i), _) => WitnessValue::Text(word(&fact.points, *i)),
        (Value::Text(t), _) => WitnessValue::Text(t.to_string()),
        _ => WitnessValue::Text("unknown".into()),
    }
}
