//! The entries of one map, read by name: what is missing, of another kind, or of no known name is told with its line,
//! and all of it at once.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use crate::diag::nearest;
use crate::words::{LiteralError, parse_decimal, parse_duration};

use super::tree::{Kind, TextError, Tree};

/// A map under reading.
pub(super) struct Fields<'t> {
    tree: &'t Tree,
    /// What the map is, for messages: `an envelope`.
    what: &'static str,
    known: Vec<&'static str>,
    pub(super) errors: Vec<TextError>,
}

impl<'t> Fields<'t> {
    /// # Errors
    /// What is no map.
    pub(super) fn new(tree: &'t Tree, what: &'static str) -> Result<Self, Vec<TextError>> {
        match tree.kind {
            Kind::Map(_) => Ok(Fields { tree, what, known: Vec::new(), errors: Vec::new() }),
            _ => Err(vec![TextError::new(tree.line, format!("{what} is a map, and here is {}", tree.what()))]),
        }
    }

    pub(super) fn error(&mut self, line: usize, message: impl Into<String>) {
        self.errors.push(TextError::new(line, message));
    }

    /// A value that may be left out.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'t Tree> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.tree.get(key).filter(|t| t.kind != Kind::Null)
    }

    /// A value that must be there.
    pub(super) fn need(&mut self, key: &'static str) -> Option<&'t Tree> {
        let found = self.get(key);
        if found.is_none() {
            self.error(self.tree.line, format!("{} needs `{key}`", self.what));
        }
        found
    }

    /// A text, or a number by its digits.
    fn words(&mut self, key: &str, tree: &'t Tree) -> Option<&'t str> {
        match &tree.kind {
            Kind::Text(text) | Kind::Number(text) => Some(text),
            _ => {
                self.error(tree.line, format!("`{key}` is a text, and here is {}", tree.what()));
                None
            }
        }
    }

    fn told<T>(&mut self, key: &str, line: usize, read: Result<T, impl Display>) -> Option<T> {
        read.map_err(|error| self.error(line, format!("`{key}`: {error}"))).ok()
    }

    /// A value that its type reads.
    pub(super) fn parse<T: FromStr<Err: Display>>(&mut self, key: &'static str) -> Option<T> {
        let tree = self.need(key)?;
        let text = self.words(key, tree)?;
        self.told(key, tree.line, text.parse())
    }

    /// A value that its type reads, which may be left out.
    pub(super) fn maybe<T: FromStr<Err: Display>>(&mut self, key: &'static str) -> Option<T> {
        self.get(key)?;
        self.parse(key)
    }

    /// A list of maps, which may be left out; one that is not whole is told where it stands.
    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        read: fn(&Tree) -> Result<Option<T>, Vec<TextError>>,
    ) -> Vec<T> {
        let Some(tree) = self.get(key) else { return Vec::new() };
        let Kind::List(items) = &tree.kind else {
            self.error(tree.line, format!("`{key}` is a list, and here is {}", tree.what()));
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items {
            match read(item) {
                Ok(item) => found.extend(item),
                Err(errors) => self.errors.extend(errors),
            }
        }
        found
    }

    /// A map from name to count, which may be left out.
    pub(super) fn counts(&mut self, key: &'static str) -> BTreeMap<String, u64> {
        let Some(tree) = self.get(key) else { return BTreeMap::new() };
        let Kind::Map(entries) = &tree.kind else {
            self.error(tree.line, format!("`{key}` is a map from name to count"));
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        for (name, value) in entries {
            let digits = self.words(name, value).map(str::parse::<u64>);
            if let Some(n) = digits.and_then(|read| self.told(name, value.line, read)) {
                found.insert(name.clone(), n);
            }
        }
        found
    }

    /// A word of a vocabulary that must be there.
    pub(super) fn need_word<T: Copy + Display>(&mut self, key: &'static str, all: &[T]) -> Option<T> {
        self.need(key)?;
        self.word(key, all)
    }

    /// A duration in milliseconds, with its unit.
    pub(super) fn duration(&mut self, key: &'static str) -> Option<u64> {
        let tree = self.need(key)?;
        let text = self.words(key, tree)?;
        let read: Result<u64, LiteralError> = parse_duration(text);
        self.told(key, tree.line, read)
    }

    /// A word of a vocabulary, which may be left out.
    pub(super) fn word<T: Copy + Display>(&mut self, key: &'static str, all: &[T]) -> Option<T> {
        let tree = self.get(key)?;
        let text = self.words(key, tree)?;
        let found = all.iter().copied().find(|t| t.to_string() == text);
        if found.is_none() {
            let words: Vec<String> = all.iter().map(ToString::to_string).collect();
            let error = TextError::new(tree.line, format!("`{text}` is no value of `{key}`"));
            self.errors.push(error.help(format!("write one of {}", words.join(", "))));
        }
        found
    }

    /// Yes or no, which may be left out.
    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        let tree = self.get(key)?;
        match (&tree.kind, tree.text()) {
            (Kind::Bool(yes), _) => Some(*yes),
            (_, Some("yes")) => Some(true),
            (_, Some("no")) => Some(false),
            _ => {
                self.error(tree.line, format!("`{key}` is yes or no"));
                None
            }
        }
    }

    /// A map from name to decimal, in units of 10⁻¹⁸, which may be left out.
    pub(super) fn decimals(&mut self, key: &'static str) -> Vec<(String, i128)> {
        let Some(tree) = self.get(key) else { return Vec::new() };
        let Kind::Map(entries) = &tree.kind else {
            self.error(tree.line, format!("`{key}` is a map from name to number"));
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in entries {
            let digits = self.words(name, value).map(parse_decimal);
            if let Some(ticks) = digits.and_then(|read| self.told(name, value.line, read)) {
                found.push((name.clone(), ticks));
            }
        }
        found.sort();
        found
    }

    /// A map of its own.
    pub(super) fn nested<T>(&mut self, key: &'static str, read: fn(&Tree) -> Result<T, Vec<TextError>>) -> Option<T> {
        let tree = self.need(key)?;
        read(tree).map_err(|errors| self.errors.extend(errors)).ok()
    }

    /// All names are known, and nothing was wrong.
    pub(super) fn done(mut self) -> Result<(), Vec<TextError>> {
        if let Kind::Map(entries) = &self.tree.kind {
            for (key, value) in entries.iter().filter(|(key, _)| !self.known.contains(&key.as_str())) {
                let shown: String = key.chars().take(60).collect();
                let error = TextError::new(value.line, format!("{} has no `{shown}`", self.what));
                let near = nearest(key, self.known.iter().copied());
                self.errors.push(match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("it has {}", self.known.join(", "))),
                });
            }
        }
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }
}
