//! What YAML and JSON facts have in common: their limits, and how their errors are told.

use std::collections::BTreeSet;

use super::Raw;

/// The longest text of one map of facts, in bytes.
pub const MAX_FACTS_BYTES: usize = 1024 * 1024;

/// The most facts in one map.
pub const MAX_FACTS: usize = 4096;

/// How deep lists and maps may nest in a text of facts; no fact is one, so that this only bounds the reader.
pub const MAX_FACTS_DEPTH: usize = 32;

/// A text that is no map of facts, and where.
///
/// ```
/// let error = nisi::decide::facts_from_yaml("a: 1\na: 2\n").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 1));
/// assert_eq!(error.with_help(), "line 2, column 1: `a` is given twice; keep one of the two");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct FactsTextError {
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub help: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl FactsTextError {
    pub(super) fn new(line: usize, column: usize, message: impl Into<String>) -> Self {
        FactsTextError { message: message.into(), help: None, line: line.max(1), column: column.max(1) }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, of one fact.
    pub(super) fn about(mut self, name: &str) -> Self {
        self.message = format!("`{}`: {}", super::fact_error::clipped(name), self.message);
        self
    }

    /// The message with its help, on one line.
    pub fn with_help(&self) -> String {
        self.help.as_ref().map_or_else(|| self.to_string(), |help| format!("{self}; {help}"))
    }
}

/// Refuses a text past the limit.
pub(super) fn check_size(text: &str) -> Result<(), FactsTextError> {
    if text.len() > MAX_FACTS_BYTES {
        let message = format!("the facts have {} bytes, and {MAX_FACTS_BYTES} are allowed", text.len());
        return Err(FactsTextError::new(1, 1, message));
    }
    Ok(())
}

/// How lists and maps that nest too deep are told; how deep they are may be known only from below.
pub(super) fn too_deep(given: &str) -> String {
    format!("lists and maps nest {given} deep, and {MAX_FACTS_DEPTH} are allowed")
}

/// The facts of a map as they come in: each name once, no more than [`MAX_FACTS`].
#[derive(Default)]
pub(super) struct Gathered {
    pairs: Vec<(String, Raw)>,
    names: BTreeSet<String>,
    /// How many were given, those past the limit too.
    n_given: usize,
}

impl Gathered {
    /// Adds one.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub(super) fn add(&mut self, name: String, raw: Raw) -> Result<(), (String, &'static str)> {
        self.n_given += 1;
        if self.n_given > MAX_FACTS {
            return Ok(());
        }
        if !self.names.insert(name.clone()) {
            return Err((format!("`{}` is given twice", super::fact_error::clipped(&name)), "keep one of the two"));
        }
        self.pairs.push((name, raw));
        Ok(())
    }

    /// All of them.
    ///
    /// # Errors
    /// More than are allowed.
    pub(super) fn done(self) -> Result<Vec<(String, Raw)>, (String, &'static str)> {
        if self.n_given > MAX_FACTS {
            let message = format!("there are {} facts, and {MAX_FACTS} are allowed", self.n_given);
            return Err((message, "leave out what the policy does not ask"));
        }
        Ok(self.pairs)
    }
}
