//! The axes that regions of a map speak of: the caller's facts, and derived facts beside them.
//!
//! A derived fact hangs on others, so that most points of such a space are none: there it has a value that the other
//! facts do not give it. Those points are put first in every list, under [`NEVER`].

use std::collections::BTreeSet;

use crate::analysis::scene::Ground;
use crate::model::{FactId, FactSource, Table, Value, ValueSet, show_set};
use crate::space::{Clause, Region, SegSet};

/// The answer of points that no facts come to.
pub(super) const NEVER: u32 = u32::MAX;

/// The axes of the caller's facts, then those of some derived facts.
pub(super) struct Axes<'a> {
    ground: &'a Ground<'a>,
    derived: Vec<Derived>,
    pub(super) sizes: Vec<u32>,
    /// In the order in which regions are told: the standard facts that guards read, derived facts, others by name.
    pub(super) order: Vec<u32>,
}

/// The axis of a derived fact: its segments are the values that its derive gives.
pub(super) struct Derived {
    fact: FactId,
    pub(super) derive: u32,
    pub(super) values: Vec<Value>,
    /// By outcome of the derive, the segment.
    pub(super) of_outcome: Vec<u32>,
}

impl<'a> Axes<'a> {
    /// The caller's facts, and the derived facts that some tables read.
    pub(super) fn new<'t>(ground: &'a Ground<'a>, tables: impl Iterator<Item = &'t Table>) -> Self {
        let derived: Vec<Derived> = read(ground, tables).into_iter().filter_map(|f| Derived::of(ground, f)).collect();
        let mut sizes = ground.space.sizes().to_vec();
        sizes.extend(derived.iter().map(|d| d.values.len() as u32));
        let mut axes = Axes { ground, derived, sizes, order: Vec::new() };
        let std = ground.model.std;
        let first = [std.condition, std.effect, std.boundary, std.authorization, std.tools, std.pushback];
        let rank = |axis: &u32| {
            let fact = axes.fact(*axis);
            let place = first.iter().position(|f| *f == Some(fact)).unwrap_or(first.len());
            (place, !axes.is_derived(*axis), ground.model.fact(fact).name.clone())
        };
        let mut order: Vec<u32> = (0..axes.sizes.len() as u32).collect();
        order.sort_by_cached_key(rank);
        axes.order = order;
        axes
    }

    fn own(&self, axis: u32) -> Option<&Derived> {
        (axis as usize).checked_sub(self.ground.space.n_axes()).and_then(|i| self.derived.get(i))
    }

    pub(super) fn is_derived(&self, axis: u32) -> bool {
        self.own(axis).is_some()
    }

    fn fact(&self, axis: u32) -> FactId {
        self.own(axis).map_or_else(|| self.ground.space.fact(axis), |d| d.fact)
    }

    /// What a list must begin with: derived facts with values that they do not have.
    pub(super) fn impossible(&self) -> Vec<Clause> {
        let first = self.ground.space.n_axes() as u32;
        let of = |(axis, derived): (u32, &Derived)| {
            let n = derived.values.len() as u32;
            let one = move |value: u32| {
                let outcomes = (0u32..).zip(&derived.of_outcome).filter(|(_, v)| **v == value).map(|(o, _)| (o, o + 1));
                let region = Region::all().with(axis, SegSet::one(value).complement(n));
                Clause { region, derived: vec![(derived.derive, SegSet::from_ranges(outcomes))] }
            };
            (0..n).filter(|_| n > 1).map(one).collect::<Vec<_>>()
        };
        (first..).zip(&self.derived).flat_map(of).collect()
    }

    /// A region as tests: the name of a fact, and a cell.
    pub(super) fn tests(&self, region: &Region) -> Vec<(String, String)> {
        let test = |axis: &u32| {
            let (side, fact) = (region.side(*axis)?, self.ground.model.fact(self.fact(*axis)));
            let set = match self.own(*axis) {
                None => self.ground.space.axis(*axis).values(side, fact),
                Some(derived) => {
                    let held = side.iter().filter_map(|seg| derived.values.get(seg as usize));
                    held.fold(ValueSet::none(fact), |set, value| set.or(&ValueSet::one(fact, value), fact))
                }
            };
            Some((fact.name.to_string(), show_set(fact, &set)))
        };
        self.order.iter().filter_map(test).collect()
    }

    /// A point of the caller's facts with what the derived ones have there.
    #[cfg(test)]
    pub(super) fn point(&self, segments: &[u32]) -> Vec<u32> {
        let outcomes = self.ground.layers.outcomes_at(segments);
        let derived = self.derived.iter().map(|d| d.of_outcome[outcomes[d.derive as usize] as usize]);
        segments.iter().copied().chain(derived).collect()
    }
}

/// Tests joined by `and`; beside others one that has such a word of its own stands in brackets.
pub(super) fn joined(tests: &[(String, String)]) -> String {
    let mut told: Vec<String> = tests.iter().map(|(fact, cell)| format!("{fact} is {cell}")).collect();
    if told.len() > 1 {
        let is_joined = |test: &&mut String| test.contains(" or ") || test.contains(" and ");
        told.iter_mut().filter(is_joined).for_each(|test| *test = format!("({test})"));
    }
    if told.is_empty() { "whatever the facts".into() } else { told.join(" and ") }
}

impl Derived {
    /// Nothing for a fact that is not derived.
    pub(super) fn of(ground: &Ground, fact: FactId) -> Option<Derived> {
        let FactSource::Derived { derive, output } = ground.model.fact(fact).source else { return None };
        let given = ground.layers.layer(derive as u32).outcomes.iter();
        let given: Vec<Value> = given.map(|o| o.get(output).cloned().unwrap_or_default()).collect();
        let mut values = given.clone();
        values.sort();
        values.dedup();
        let of_outcome = given.iter().map(|v| values.partition_point(|held| held < v) as u32).collect();
        Some(Derived { fact, derive: derive as u32, values, of_outcome })
    }
}

/// The derived facts that tables read.
pub(super) fn read<'t>(ground: &Ground, tables: impl Iterator<Item = &'t Table>) -> BTreeSet<FactId> {
    let tests = tables.flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    tests.map(|c| c.fact).filter(|f| !ground.model.fact(*f).is_callers()).collect()
}
