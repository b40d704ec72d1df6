//! The keys of one map of a case file: what is of no known name is told, with the nearest one.

use crate::diag::nearest;

use super::error::{CaseError, Place, clipped};
use super::yaml::{Entry, Kind, Node};

/// What is told of a file, and where the reader is.
#[derive(Default)]
pub(super) struct Told {
    pub(super) errors: Vec<CaseError>,
    /// How often something was used that is wrong where it stands: it was told there.
    pub(super) silent: usize,
    /// The case that is read.
    pub(super) case: Option<String>,
    /// The keys that lead there.
    pub(super) path: Vec<String>,
}

impl Told {
    pub(super) fn error(&mut self, at: Place, message: impl Into<String>, help: Option<String>) {
        let key = self.path.join(".");
        let error = CaseError { case: self.case.clone(), key, ..CaseError::new(at, message) };
        self.errors.push(error.maybe_help(help));
    }

    /// How much is wrong so far.
    pub(super) fn n_faults(&self) -> usize {
        self.errors.len() + self.silent
    }

    /// What `read` makes of a node, unless something was wrong with it.
    pub(super) fn sound<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let before = self.n_faults();
        let made = read(self);
        (self.n_faults() == before).then_some(made)
    }

    /// What `read` makes of the value of a key.
    pub(super) fn under<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(clipped(key));
        let made = read(self);
        self.path.pop();
        made
    }

    /// The entries of a map whose keys are a caller's own words.
    pub(super) fn entries<'n>(&mut self, node: &'n Node, what: &str, help: &str) -> &'n [Entry] {
        match &node.kind {
            Kind::Map(entries) => entries,
            _ if node.is_null() => &[],
            _ => {
                self.error(node.at, format!("{what} is a map, and here is {}", node.what()), Some(help.into()));
                &[]
            }
        }
    }

    /// The entries of a map of known keys; one of another name is told, and left out.
    pub(super) fn known<'n>(&mut self, node: &'n Node, what: &str, keys: &[&str]) -> Vec<&'n Entry> {
        let list = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let has = format!("{what} has {list}");
        let entries = self.entries(node, what, &has);
        let (known, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| keys.contains(&entry.key.as_str()));
        for entry in others {
            let help = match nearest(&entry.key, keys.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => has.clone(),
            };
            self.error(entry.at, format!("{what} has no `{}`", clipped(&entry.key)), Some(help));
        }
        known
    }

    /// The letters of a single value.
    pub(super) fn text<'n>(&mut self, node: &'n Node, wanted: &str) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.error(node.at, format!("here belongs {wanted}, and not {}", node.what()), None);
        }
        text
    }

    /// The letters of a single value, or of each value of a list.
    pub(super) fn texts<'n>(&mut self, node: &'n Node, wanted: &str) -> Vec<(&'n str, Place)> {
        if node.items().is_empty() {
            self.error(node.at, format!("here belongs {wanted}, or a list of them, and not {}", node.what()), None);
        }
        node.items().iter().filter_map(|item| Some((self.text(item, wanted)?, item.at))).collect()
    }
}
