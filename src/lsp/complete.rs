//! Completion: what may stand here, by the column of a table and by the words before.
//!
//! It looks at the text of the line, because the line under the cursor is seldom one that can be read; the words that it
//! offers come from all that could be.

use gen_lsp_types::{CompletionItem, CompletionItemKind, Position};

use super::cursor::{Column, Cursor};
use super::desk::{Desk, Root};
use super::uri;
use crate::model::{Model, quoted_if_needed};
use crate::syntax::keys;
use crate::syntax::tree::{Hit, ItemKind};
use crate::words::Verb;

/// The hit policies.
const HITS: [Hit; 6] = [Hit::First, Hit::AtMostOne, Hit::Agree, Hit::MostCautious, Hit::Highest, Hit::Lowest];
/// The types that have a name.
const TYPES: [&str; 7] = ["count", "integer", "decimal", "duration", "instant", "version", "text"];
/// What the entries of a parity begin with.
const PARITY: [&str; 5] = ["same", "no broader", "at least", "fresh", "may differ"];

/// What may stand at a place.
pub(super) fn complete(desk: &Desk, address: &str, position: Position) -> Vec<CompletionItem> {
    let name = uri::name_of(address);
    let (Some(root), Some(document)) = (desk.roots.get(&name), desk.documents.get(&name)) else { return Vec::new() };
    let offset = document.lines.offset(document.source.text(), position, desk.encoding);
    let cursor = Cursor::at(document.source.policy(), &document.lines, offset);
    if cursor.is_quiet() || cursor.is_prose(document.source.text()) {
        return Vec::new();
    }
    let mut offer = Offer { root, model: &root.draft.model, items: Vec::new() };
    offer.all(&cursor);
    offer.items
}

struct Offer<'d> {
    root: &'d Root,
    model: &'d Model,
    items: Vec<CompletionItem>,
}

impl Offer<'_> {
    fn all(&mut self, cursor: &Cursor<'_>) {
        match cursor.column() {
            Some(Column::Name) => {}
            Some(Column::Fact(fact)) => self.cell(fact),
            Some(Column::Also) => self.tests(cursor),
            Some(Column::Action { examples: true }) => {
                self.words(Verb::ALL.map(Verb::as_str), CompletionItemKind::Keyword, "verb");
            }
            Some(Column::Action { examples: false }) => self.action(cursor),
            Some(Column::Output(fact)) => self.values(fact),
            Some(Column::ExpectedRow(table)) => self.rows(table),
            Some(Column::Header) => self.facts(),
            None => self.line(cursor),
        }
    }

    /// A line outside of tables.
    fn line(&mut self, cursor: &Cursor<'_>) {
        let words = cursor.words();
        let (first, rest) = match words.split_first() {
            None if cursor.block().is_some() => return self.entry(cursor.block().unwrap_or_default()),
            None => {
                self.words(keys::ITEMS.iter().copied(), CompletionItemKind::Keyword, "begins an item");
                return self.words(["given"], CompletionItemKind::Keyword, "facts of all examples below");
            }
            Some((first, rest)) => (*first, rest),
        };
        match (first, rest) {
            ("use" | "restricts", []) => {
                let std = ["std.facts", "std.safety"];
                self.words(std, CompletionItemKind::Module, "ships with nisi");
            }
            ("extend", []) | ("group", [_, "of"]) => self.facts(),
            ("group", [_, "of", fact, ..]) => self.values(fact.trim_end_matches(':')),
            ("group", [_]) => self.words(["of"], CompletionItemKind::Keyword, ""),
            ("examples" | "tighten", []) => self.tables(),
            ("fact", [_, ":"]) => self.words(TYPES, CompletionItemKind::TypeParameter, "a type"),
            ("fact", [name]) if name.ends_with(':') => self.words(TYPES, CompletionItemKind::TypeParameter, "a type"),
            ("action", [_, ..]) => self.action(cursor),
            ("waive", []) => self.rules(),
            ("rule", [_, ..]) => self.rule(cursor, rest),
            ("given", _) => self.tests(cursor),
            ("table" | "derive" | "classify" | "tighten", [_, ..]) => self.head(cursor),
            ("jitter", []) => {
                self.words(["none", "equal", "full"], CompletionItemKind::EnumMember, "how a wait is drawn");
            }
            _ => {}
        }
    }

    fn entry(&mut self, block: &str) {
        let keys: &[&str] = match block {
            "budget" => &keys::BUDGET,
            "backoff" => &keys::BACKOFF,
            "locator" => &keys::LOCATOR,
            _ => &PARITY,
        };
        self.words(keys.iter().copied(), CompletionItemKind::Property, block);
    }

    /// The head of a table: tests of its promise, its hit policy, its way for refusal.
    fn head(&mut self, cursor: &Cursor<'_>) {
        if cursor.has_word("refused") {
            return self.action(cursor);
        }
        if cursor.has_word("when") {
            self.tests(cursor);
        }
        if cursor.before().ends_with(',') {
            self.words(
                HITS.map(Hit::as_str),
                CompletionItemKind::Keyword,
                "how several matching rows become one answer",
            );
            self.words(["if refused,"], CompletionItemKind::Keyword, "what holds where an action is refused");
        }
        if cursor.words().len() == 2 {
            self.words(["when"], CompletionItemKind::Keyword, "what every `see` promises");
        }
    }

    fn rule(&mut self, cursor: &Cursor<'_>, rest: &[&str]) {
        if cursor.has_word("when") || cursor.has_word("unless") {
            return self.tests(cursor);
        }
        if rest.len() < 2 {
            return self.words(["never", "only"], CompletionItemKind::Keyword, "");
        }
        if cursor.last() == Some("to") {
            return self.parities();
        }
        self.words(Verb::ALL.map(Verb::as_str), CompletionItemKind::Keyword, "verb");
        self.words(["when", "unless"], CompletionItemKind::Keyword, "");
    }

    /// Tests: a fact, `is`, a cell, `and`.
    fn tests(&mut self, cursor: &Cursor<'_>) {
        match cursor.test() {
            (None, _) => self.facts(),
            (Some(_), false) => self.words(["is"], CompletionItemKind::Keyword, ""),
            (Some(fact), true) => {
                self.cell(fact);
                self.words(["and"], CompletionItemKind::Keyword, "another test");
            }
        }
    }

    /// An action, by the words before.
    fn action(&mut self, cursor: &Cursor<'_>) {
        match cursor.last() {
            Some("after") => self.names(self.model.backoffs.iter().map(|b| &*b.name).collect(), "backoff"),
            Some("by") => {
                self.names(self.model.locators.iter().map(|l| &*l.name).collect(), "locator");
                self.words(["event"], CompletionItemKind::Keyword, "only listens");
            }
            Some("to") => self.parities(),
            Some("see") => self.tables(),
            Some("review") => self.queues(),
            Some("retry") => self.words(["after", "now"], CompletionItemKind::Keyword, ""),
            Some("reconcile") => self.words(["by"], CompletionItemKind::Keyword, ""),
            Some("failover") => self.words(["to"], CompletionItemKind::Keyword, ""),
            Some("if") => self.words(["refused,"], CompletionItemKind::Keyword, ""),
            last if last.is_none() || cursor.before().ends_with([',', ':', '|']) => {
                self.words(Verb::ALL.map(Verb::as_str), CompletionItemKind::Keyword, "verb");
                self.words(["see"], CompletionItemKind::Keyword, "hands over to another table");
                self.declared("action");
            }
            _ if cursor.before().ends_with(';') => self.words(["if refused,"], CompletionItemKind::Keyword, ""),
            _ => self.words(["within", "spend"], CompletionItemKind::Keyword, ""),
        }
    }

    /// What a cell of a fact may say.
    fn cell(&mut self, fact: &str) {
        self.values(fact);
        let groups =
            self.root.draft.units.iter().flat_map(|unit| &unit.tree.items).filter_map(|item| match &item.kind {
                ItemKind::Group { name, fact: of, .. } if &*of.text == fact => Some(name.text.to_string()),
                _ => None,
            });
        let groups: Vec<String> = groups.collect();
        self.words(groups.iter().map(String::as_str), CompletionItemKind::Enum, "group");
        self.words(["unknown"], CompletionItemKind::Keyword, "nobody could establish it");
        self.words(["known"], CompletionItemKind::Keyword, "any value but unknown");
        self.words(["not"], CompletionItemKind::Keyword, "none of what follows");
        self.words(["-"], CompletionItemKind::Keyword, "any value, unknown too");
    }

    fn values(&mut self, fact: &str) {
        let Some(id) = self.model.fact_id(fact) else { return };
        let detail = format!("value of {fact}");
        let words: Vec<String> = self.model.fact(id).words().map(quoted_if_needed).collect();
        self.words(words.iter().map(String::as_str), CompletionItemKind::EnumMember, &detail);
    }

    fn facts(&mut self) {
        let names: Vec<&str> = self.model.facts.keys().map(|name| &**name).collect();
        self.words(names, CompletionItemKind::Field, "fact");
    }

    fn tables(&mut self) {
        self.names(self.model.tables.iter().map(|t| &*t.name).filter(|name| !name.contains(' ')).collect(), "table");
    }

    fn parities(&mut self) {
        self.names(self.model.parities.iter().map(|p| &*p.name).collect(), "parity");
    }

    fn rules(&mut self) {
        self.names(self.model.rules.iter().map(|rule| &*rule.name).collect(), "rule");
    }

    fn rows(&mut self, table: &str) {
        let tables = self.model.tables.iter().filter(|t| *t.name == *table);
        let names: Vec<&str> = tables.flat_map(|t| &t.rows).filter_map(|row| row.name.as_deref()).collect();
        self.names(names, "row");
        self.tables();
    }

    /// The queues that some action names.
    fn queues(&mut self) {
        let queues = self.root.names().queues();
        self.words(queues.iter().map(|q| &**q), CompletionItemKind::Value, "queue");
    }

    /// The named actions.
    fn declared(&mut self, detail: &str) {
        let items = self.root.draft.units.iter().flat_map(|unit| &unit.tree.items);
        let names = items.filter_map(|item| match &item.kind {
            ItemKind::Action { name, .. } => Some(name.text.to_string()),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        self.words(names.iter().map(String::as_str), CompletionItemKind::Function, detail);
    }

    fn names(&mut self, names: Vec<&str>, detail: &str) {
        self.words(names, CompletionItemKind::Reference, detail);
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>, kind: CompletionItemKind, detail: &str) {
        for label in words {
            // Sorted as offered: by meaning, and in the order of declaration.
            let sort_text = Some(format!("{:04}", self.items.len()));
            let detail = (!detail.is_empty()).then(|| detail.to_string());
            let item = CompletionItem {
                label: label.to_string(),
                kind: Some(kind),
                detail,
                sort_text,
                ..CompletionItem::default()
            };
            self.items.push(item);
        }
    }
}
