//! What a text of data holds, before anybody asks what it means: values with their lines.
//!
//! Passports, authorizations, envelopes, arguments and records are read into it, from YAML or JSON, and checked by hand,
//! so that every fault is told with its line and key. A number keeps its digits as written; a map keeps its order and
//! has each key once. [`yaml`](Tree::yaml) and [`canonical`](super::canonical) write it.

use std::fmt::Write as _;

use super::canonical::quoted;

/// The largest text, in bytes.
pub(crate) const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// The deepest nesting.
pub(crate) const MAX_DEPTH: usize = 32;

/// Why a text cannot be read, and where.
///
/// ```
/// let error = nisi::judge::ArgsHash::of_json("{\"a\": 1,\n \"a\": 2}").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: `a` stands twice");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, in the user's words.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl TextError {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        TextError { line, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn twice(line: usize, key: &str) -> Self {
        let key: String = key.chars().take(60).collect();
        TextError::new(line, format!("`{key}` stands twice")).help("keep one of the two")
    }

    pub(super) fn too_deep(line: usize) -> Self {
        TextError::new(line, format!("it is nested deeper than {MAX_DEPTH}"))
    }

    pub(super) fn check_size(text: &str) -> Result<(), Self> {
        if text.len() <= MAX_TEXT_BYTES {
            return Ok(());
        }
        Err(TextError::new(1, format!("the text has {} bytes, and at most {MAX_TEXT_BYTES} are allowed", text.len())))
    }
}

/// A value and the line that it begins on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) kind: Kind,
    /// Counted from 1; 0 for what was built and not read.
    pub(crate) line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// Its digits, as JSON writes a number.
    Number(String),
    Text(String),
    List(Vec<Tree>),
    /// Keys in the order as written, each once.
    Map(Vec<(String, Tree)>),
}

impl From<Kind> for Tree {
    fn from(kind: Kind) -> Self {
        Tree { kind, line: 0 }
    }
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Kind::Text(text.into()).into()
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Self {
        Kind::Text(text).into()
    }
}

impl From<u64> for Tree {
    fn from(number: u64) -> Self {
        Kind::Number(number.to_string()).into()
    }
}

impl Tree {
    /// A map of what is there.
    pub(crate) fn map<'k>(entries: impl IntoIterator<Item = (&'k str, Option<Tree>)>) -> Self {
        let there = entries.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?)));
        Kind::Map(there.collect()).into()
    }

    pub(crate) fn list(items: impl IntoIterator<Item = Tree>) -> Self {
        Kind::List(items.into_iter().collect()).into()
    }

    /// An entry of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        let Kind::Map(entries) = &self.kind else { return None };
        entries.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// What it is, with its article.
    pub(crate) fn what(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }

    /// As YAML, one entry a line; texts stand in double quotes, so that no reader takes one for something else.
    pub(crate) fn yaml(&self) -> String {
        let mut out = String::new();
        self.write_yaml(&mut out, 0);
        out
    }

    fn write_yaml(&self, out: &mut String, indent: usize) {
        match &self.kind {
            Kind::Map(entries) if !entries.is_empty() => {
                for (key, value) in entries {
                    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
                    let key = if plain { key.clone() } else { quoted(key) };
                    let nested = matches!(&value.kind, Kind::Map(inner) if !inner.is_empty());
                    // Writing to a string cannot fail.
                    let _ = write!(out, "{:indent$}{key}:{}", "", if nested { "\n" } else { " " });
                    value.write_yaml(out, if nested { indent + 2 } else { 0 });
                }
            }
            _ => {
                out.push_str(&super::canonical::plain(self));
                out.push('\n');
            }
        }
    }
}
