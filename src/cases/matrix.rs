//! `each` of a case: lists of values, of which every combination is asked.

use std::collections::BTreeSet;

use super::case::Case;
use super::error::clipped;
use super::keys::Told;
use super::layers::{Layer, Layers, lay};
use super::yaml::{Entry, Kind, Node};

/// One value of one dimension: how it is called, and the facts that it lays.
pub(super) struct Step {
    name: String,
    layer: Layer,
}

/// The dimensions of a matrix.
#[derive(Default)]
pub(super) struct Matrix(Vec<Vec<Step>>);

impl Matrix {
    pub(super) fn read(node: &Node, layers: &Layers<'_>, told: &mut Told) -> Matrix {
        let help = "write facts with lists of values, such as `{ condition: [timeout, connection_lost] }`";
        let entries = told.entries(node, "`each`", help);
        Matrix(entries.iter().map(|e| told.under(&e.key, |told| dimension(e, layers, told))).collect())
    }

    /// How many points it has; nothing past what a machine counts. Without a dimension it has one.
    pub(super) fn n_points(&self) -> Option<usize> {
        self.0.iter().try_fold(1usize, |n, steps| n.checked_mul(steps.len()))
    }

    /// The case of a point, from 0; the last dimension goes round fastest.
    pub(super) fn at(&self, point: usize, case: &Case) -> Case {
        let (mut rest, mut steps) = (point, Vec::with_capacity(self.0.len()));
        for dimension in self.0.iter().rev().filter(|steps| !steps.is_empty()) {
            steps.push(&dimension[rest % dimension.len()]);
            rest /= dimension.len();
        }
        steps.reverse();
        let mut one = case.clone();
        for step in &steps {
            lay(&step.layer, &mut one.facts);
        }
        if !steps.is_empty() {
            let names: Vec<&str> = steps.iter().map(|step| &*step.name).collect();
            one.title = format!("{} [{}]", case.title, names.join(", "));
        }
        one
    }
}

fn dimension(entry: &Entry, layers: &Layers<'_>, told: &mut Told) -> Vec<Step> {
    let Kind::List(items) = &entry.value.kind else {
        let message = format!("here belongs a list, and not {}", entry.value.what());
        told.error(entry.value.at, message, Some("one value for all stands under `facts`".into()));
        return Vec::new();
    };
    if items.is_empty() {
        told.error(entry.value.at, "this list is empty: nothing would be asked", Some("give it a value".into()));
    }
    let mut seen = BTreeSet::new();
    let mut steps = Vec::new();
    for item in items {
        let (word, layer) = if entry.key == "with" {
            let names: Vec<&str> = item.items().iter().filter_map(Node::text).collect();
            (names.join("+"), layers.with(item, told))
        } else {
            let word = if item.is_null() { "unknown" } else { item.text().unwrap_or_default() };
            (word.to_string(), layers.fact(entry, item, told))
        };
        if !seen.insert(word.clone()) {
            let message = format!("`{}` stands twice in this list", clipped(&word));
            told.error(item.at, message, Some("keep one of the two".into()));
        }
        steps.push(Step { name: format!("{}={word}", entry.key), layer });
    }
    steps
}
