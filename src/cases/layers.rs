//! Facts laid over each other: the file's `given`, then fixtures in their order, then a case's own.

use std::collections::BTreeMap;

use crate::decide::{Facts, Handle, Policy};
use crate::diag::nearest;
use crate::model::Value;

use super::error::clipped;
use super::keys::Told;
use super::yaml::{Entry, Node};

/// Facts and their values, in the order in which they are laid.
pub(super) type Layer = Vec<(Handle, Value)>;

/// The facts that a case file gives names to.
pub(super) struct Layers<'p> {
    policy: &'p Policy,
    /// Nothing where something is wrong with one.
    fixtures: BTreeMap<String, Option<Layer>>,
}

impl<'p> Layers<'p> {
    pub(super) fn new(policy: &'p Policy) -> Self {
        Layers { policy, fixtures: BTreeMap::new() }
    }

    pub(super) fn read_fixtures(&mut self, node: &Node, told: &mut Told) {
        for entry in told.entries(node, "`fixtures`", "write a name, and below it facts and their values") {
            let layer = told.under(&entry.key, |told| told.sound(|told| self.layer(&entry.value, told)));
            self.fixtures.insert(entry.key.clone(), layer);
        }
    }

    /// A map of facts.
    pub(super) fn layer(&self, node: &Node, told: &mut Told) -> Layer {
        let help = "write facts and their values, such as `{ condition: timeout, deadline: 12s }`";
        let entries = told.entries(node, "a set of facts", help);
        // A plain `parity` stands for those that are left out: it goes below them.
        let (all, named): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.key == "parity");
        all.into_iter().chain(named).flat_map(|entry| self.fact(entry, &entry.value, told)).collect()
    }

    /// One fact.
    pub(super) fn fact(&self, entry: &Entry, value: &Node, told: &mut Told) -> Layer {
        self.policy.read_fact(&entry.key, &value.raw()).unwrap_or_else(|error| {
            let at = if self.policy.handle(&entry.key).is_ok() { value.at } else { entry.at };
            told.error(at, error.to_string(), error.help());
            Layer::new()
        })
    }

    /// The facts of a fixture, or of several, one over the other.
    pub(super) fn with(&self, node: &Node, told: &mut Told) -> Layer {
        let mut layer = Layer::new();
        for (name, at) in told.texts(node, "the name of a fixture") {
            if let Some(facts) = self.fixtures.get(name) {
                told.silent += usize::from(facts.is_none());
                layer.extend(facts.iter().flatten().cloned());
                continue;
            }
            let help = match nearest(name, self.fixtures.keys().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "fixtures are facts by name, under `fixtures`".to_string(),
            };
            told.error(at, format!("there is no fixture `{}`", clipped(name)), Some(help));
        }
        layer
    }
}

/// Lays facts over those that are there.
pub(super) fn lay(layer: &Layer, facts: &mut Facts) {
    for (handle, value) in layer {
        // Handle and value were read for this very policy, so that nothing can be wrong with them.
        let _ = facts.set(*handle, value.clone());
    }
}
