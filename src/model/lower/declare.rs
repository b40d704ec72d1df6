//! Names: every item that declares one, in one flat space; and the header lines.

use std::rc::Rc;

use crate::diag::Severity;
use crate::syntax::tree::{Item, ItemKind, Word};
use crate::words::{Verb, parse_version};

use super::{Decl, Lowering, NameKind, Role, findings};

/// Words that mean something where a fact's name could stand.
const RESERVED_FACTS: [&str; 12] =
    ["row", "name", "also", "action", "unknown", "known", "not", "and", "or", "is", "starts", "otherwise"];
/// Words that mean something where an action's, a table's or a locator's name could stand.
const RESERVED_OTHERS: [&str; 12] =
    ["stop", "review", "done", "wait", "reconcile", "retry", "hedge", "failover", "see", "event", "now", "if"];

impl Lowering<'_> {
    /// Collects every declared name; a second one is an error at both places.
    pub(super) fn declare(&mut self) {
        self.broken =
            self.units.iter().flat_map(|unit| unit.tree.broken.iter().map(|word| word.text.clone())).collect();
        for (role, item) in self.items() {
            for (kind, word) in declared(item) {
                self.declare_name(role, kind, word);
            }
        }
    }

    fn declare_name(&mut self, role: Role, kind: NameKind, word: &Word) {
        let reserved: &[&str] = if kind == NameKind::Fact { &RESERVED_FACTS } else { &RESERVED_OTHERS };
        if reserved.contains(&&*word.text) {
            self.broken.insert(word.text.clone());
            return self.report(findings::reserved_name(kind.as_str(), word));
        }
        if let Some(first) = self.names.get(&word.text) {
            let mut finding = findings::name_twice(word, first.kind.as_str(), first.span, first.role == Role::Std);
            if role != Role::Main && first.role == Role::Main {
                finding.severity = Severity::Error;
            }
            return self.report(finding);
        }
        self.names.insert(word.text.clone(), Decl { kind, span: word.span, role });
    }

    /// Whether this word is the declaration that holds for its name (and not a second one, or a faulty one).
    pub(super) fn declares(&self, word: &Word) -> bool {
        self.names.get(&word.text).is_some_and(|d| d.span == word.span) && !self.broken.contains(&word.text)
    }

    /// Marks a name as broken: its uses are silent.
    pub(super) fn break_name(&mut self, name: &Rc<str>) {
        self.broken.insert(name.clone());
    }

    /// Whether a name of this kind is declared and sound; else the finding, unless its declaration has one already.
    pub(super) fn resolve(&self, kind: NameKind, word: &Word) -> bool {
        if self.broken.contains(&word.text) {
            return false;
        }
        match self.names.get(&word.text) {
            Some(decl) if decl.kind == kind => true,
            Some(decl) => {
                self.report(findings::other_kind(word, kind.as_str(), decl.kind.as_str(), decl.span));
                false
            }
            None => {
                let verbs = if kind == NameKind::Action { Verb::ALL.map(Verb::as_str).to_vec() } else { Vec::new() };
                let names = self.names.iter().filter(|(_, d)| d.kind == kind).map(|(n, _)| &**n).chain(verbs);
                self.report(findings::unknown_name(kind.as_str(), word, names));
                false
            }
        }
    }

    /// `policy`, `version`, `owner`: once each, and what only a policy may hold.
    pub(super) fn headers(&mut self) {
        let (mut policy, mut version, mut owner) = (None, None, None);
        for item in self.main_items() {
            let (slot, word, what) = match &item.kind {
                ItemKind::Policy(word) => (&mut policy, word, "policy"),
                ItemKind::Version(word) => (&mut version, word, "version"),
                ItemKind::Owner(word) => (&mut owner, word, "owner"),
                _ => continue,
            };
            match *slot {
                None => *slot = Some(word),
                Some(first) => self.report(findings::header_twice(what, word, first)),
            }
        }
        self.model.name = policy.map_or_else(Box::default, |w| (*w.text).into());
        self.model.owner = owner.map_or_else(Box::default, |w| (*w.text).into());
        if let Some(word) = version {
            self.model.version = (*word.text).into();
            if let Err(error) = parse_version(&word.text) {
                self.report(findings::literal(&error, word.span));
            }
        }
        match policy {
            None => self.only_in_a_policy(),
            Some(policy) if version.is_none() => self.report(findings::no_version(policy)),
            Some(_) => {}
        }
    }

    fn only_in_a_policy(&self) {
        let found = self.main_items().find_map(|item| {
            let what = match &item.kind {
                ItemKind::Budget(_) => "budget",
                ItemKind::Examples { .. } => "examples",
                ItemKind::Waive { .. } => "waive",
                ItemKind::Restricts { .. } => "restricts",
                ItemKind::Tighten { .. } => "tighten",
                ItemKind::Version(_) => "version",
                ItemKind::Owner(_) => "owner",
                _ => return None,
            };
            Some((item, what))
        });
        if let Some((item, what)) = found {
            self.report(findings::no_policy(what, item.span));
        }
    }
}

/// The names that an item declares.
fn declared(item: &Item) -> Vec<(NameKind, &Word)> {
    match &item.kind {
        ItemKind::Fact { name, .. } => vec![(NameKind::Fact, name)],
        ItemKind::Derive { outputs, .. } => outputs.iter().map(|(name, _)| (NameKind::Fact, name)).collect(),
        ItemKind::Backoff { name, .. } => vec![(NameKind::Backoff, name)],
        ItemKind::Locator { name, .. } => vec![(NameKind::Locator, name)],
        ItemKind::Parity { name, .. } => vec![(NameKind::Parity, name)],
        ItemKind::Group { name, .. } => vec![(NameKind::Group, name)],
        ItemKind::Action { name, .. } => vec![(NameKind::Action, name)],
        ItemKind::Table { name, .. } => vec![(NameKind::Table, name)],
        ItemKind::Classify { name, .. } => vec![(NameKind::Classify, name)],
        ItemKind::Rule { name, .. } => vec![(NameKind::Rule, name)],
        _ => Vec::new(),
    }
}
