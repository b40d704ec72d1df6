//! The space of one policy: an axis for each caller's fact that some cell, promise, rule or guard speaks of.

use crate::model::{Cond, FactId, Model, Value, ValueSet};

use super::{Axis, Region, SegSet};

/// The axes of a model.
#[derive(Debug, Clone)]
pub struct Space {
    axes: Vec<Axis>,
    facts: Vec<FactId>,
    /// The number of segments, by axis.
    sizes: Vec<u32>,
    of_fact: Vec<Option<u32>>,
}

impl Space {
    /// The space of a model: cut for all sets that the model itself holds.
    pub fn new(model: &Model) -> Space {
        Space::with(model, &[])
    }

    /// The space of a model, cut for some more sets as well.
    pub fn with(model: &Model, more: &[(FactId, ValueSet)]) -> Space {
        let mut sets: Vec<Vec<&ValueSet>> = vec![Vec::new(); model.facts.len()];
        let known = more.iter().map(|(fact, set)| (*fact, set));
        for (fact, set) in conds(model).map(|c| (c.fact, &*c.set)).chain(known) {
            if let Some(list) = sets.get_mut(fact.0 as usize) {
                list.push(set);
            }
        }
        let mut space = Space { axes: Vec::new(), facts: Vec::new(), sizes: Vec::new(), of_fact: Vec::new() };
        for (i, list) in sets.into_iter().enumerate() {
            let id = FactId(i as u32);
            if list.is_empty() || !model.fact(id).is_callers() {
                space.of_fact.push(None);
                continue;
            }
            let axis = Axis::new(model.fact(id), list.into_iter());
            space.of_fact.push(Some(space.axes.len() as u32));
            space.sizes.push(axis.n_segments());
            space.axes.push(axis);
            space.facts.push(id);
        }
        space
    }

    /// How many axes there are.
    pub fn n_axes(&self) -> usize {
        self.axes.len()
    }

    /// An axis.
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn axis(&self, axis: u32) -> &Axis {
        &self.axes[axis as usize]
    }

    /// The fact of an axis.
    ///
    /// # Panics
    /// If there is no such axis.
    pub fn fact(&self, axis: u32) -> FactId {
        self.facts[axis as usize]
    }

    /// The axis of a fact, if it has one: a caller's fact that the model speaks of.
    pub fn axis_of(&self, fact: FactId) -> Option<u32> {
        self.of_fact.get(fact.0 as usize).copied().flatten()
    }

    /// The number of segments, by axis.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The point of some facts; `values` by [`FactId`].
    #[cfg(test)]
    pub fn point(&self, values: &[Value]) -> Vec<u32> {
        let unknown = Value::Unknown;
        let at = |fact: &FactId| values.get(fact.0 as usize).unwrap_or(&unknown);
        self.facts.iter().zip(&self.axes).map(|(fact, axis)| axis.segment(at(fact))).collect()
    }

    /// Facts that lie at a point, by [`FactId`]; facts without an axis are unknown.
    pub fn values(&self, model: &Model, point: &[u32]) -> Vec<Value> {
        let mut values = vec![Value::Unknown; model.facts.len()];
        for ((fact, axis), seg) in self.facts.iter().zip(&self.axes).zip(point) {
            values[fact.0 as usize] = axis.witness(*seg);
        }
        values
    }

    /// The segments of a set of a caller's fact, where it is narrower than the whole axis.
    pub(super) fn side(&self, fact: FactId, set: &ValueSet) -> Option<(u32, SegSet)> {
        let axis = self.axis_of(fact)?;
        let segs = self.axis(axis).segs(set);
        (segs.len() < self.sizes[axis as usize]).then_some((axis, segs))
    }

    /// A region as sets of its facts.
    pub fn sets(&self, model: &Model, region: &Region) -> Vec<(FactId, ValueSet)> {
        let one = |(axis, side): &(u32, SegSet)| {
            let fact = self.fact(*axis);
            (fact, self.axis(*axis).values(side, model.fact(fact)))
        };
        region.sides().iter().map(one).collect()
    }
}

/// Every test of a model.
fn conds(model: &Model) -> impl Iterator<Item = &Cond> {
    let derives = model.derives.iter().map(|d| &d.table);
    let classifies = model.classifies.iter().map(|c| &c.table);
    let tables = model.tables.iter().chain(derives).chain(classifies);
    tables
        .flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)))
        .chain(model.rules.iter().flat_map(|r| &r.tests))
}
