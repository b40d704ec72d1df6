//! Sets of texts: literals, prefixes, and everything else.

use std::collections::BTreeMap;
use std::ops::Bound;

/// A set of texts, exact under and, or, not: a literal's own answer holds first, then that of the longest prefix
/// which the text begins with, then the rest's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextSet {
    literals: BTreeMap<Box<str>, bool>,
    prefixes: BTreeMap<Box<str>, bool>,
    rest: bool,
}

impl TextSet {
    /// All texts, or none.
    pub fn all(rest: bool) -> Self {
        TextSet { literals: BTreeMap::new(), prefixes: BTreeMap::new(), rest }
    }

    /// One text.
    pub fn literal(text: &str) -> Self {
        TextSet { literals: [(text.into(), true)].into(), ..Self::all(false) }
    }

    /// The texts that begin so.
    pub fn prefix(text: &str) -> Self {
        TextSet { prefixes: [(text.into(), true)].into(), ..Self::all(false) }
    }

    /// A set from its answers: of literals, of prefixes, and of the rest.
    pub fn of_answers(
        literals: impl Iterator<Item = (Box<str>, bool)>,
        prefixes: impl Iterator<Item = (Box<str>, bool)>,
        rest: bool,
    ) -> Self {
        TextSet { literals: literals.collect(), prefixes: prefixes.collect(), rest }
    }

    /// The literals that it speaks of.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.literals.keys().map(|k| &**k)
    }

    /// The prefixes that it speaks of.
    pub fn prefixes(&self) -> impl Iterator<Item = &str> {
        self.prefixes.keys().map(|k| &**k)
    }

    /// Whether it holds a text.
    pub fn contains(&self, text: &str) -> bool {
        self.literals.get(text).copied().unwrap_or_else(|| self.at_prefix(text))
    }

    /// The answer for texts that begin so and are no literal.
    pub(crate) fn at_prefix(&self, text: &str) -> bool {
        self.longest_prefix(text).and_then(|p| self.prefixes.get(p)).copied().unwrap_or(self.rest)
    }

    /// The answer for texts that begin with all but the last letter of this: what a prefix stands out from.
    pub(crate) fn above_prefix(&self, prefix: &str) -> bool {
        prefix.char_indices().next_back().map_or(self.rest, |(end, _)| self.at_prefix(&prefix[..end]))
    }

    /// The longest prefix that a text begins with; no allocation.
    pub(crate) fn longest_prefix(&self, text: &str) -> Option<&str> {
        // Prefixes of one text stand in order of length, each before the text itself: walk down from the text.
        let mut end = text;
        loop {
            let (candidate, _) = self.prefixes.range::<str, _>((Bound::Unbounded, Bound::Included(end))).next_back()?;
            if text.starts_with(&**candidate) {
                return Some(candidate);
            }
            let common = candidate.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
            let common = (0..=common).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            end = &text[..common];
        }
    }

    /// Whether it holds the texts that begin with no prefix and are no literal.
    pub(crate) fn holds_rest(&self) -> bool {
        self.rest
    }

    /// The texts for which `join` of both answers holds.
    #[must_use]
    pub fn join(&self, other: &TextSet, join: impl Fn(bool, bool) -> bool) -> TextSet {
        let prefixes: BTreeMap<Box<str>, bool> = self
            .prefixes
            .keys()
            .chain(other.prefixes.keys())
            .map(|p| (p.clone(), join(self.at_prefix(p), other.at_prefix(p))))
            .collect();
        let literals = self
            .literals
            .keys()
            .chain(other.literals.keys())
            .map(|l| (l.clone(), join(self.contains(l), other.contains(l))))
            .collect();
        TextSet { literals, prefixes, rest: join(self.rest, other.rest) }
    }

    /// Whether it holds no text at all.
    pub fn is_empty(&self) -> bool {
        !self.rest && self.literals.values().chain(self.prefixes.values()).all(|v| !v)
    }
}
