//! A log of records, chained by SHA-256: whoever changes, takes out or puts in a line is found.
//!
//! A line is JSON: a record, the hash of the line before, and its own hash over both. What is cut off at the end leaves no
//! trace in the file: keep the last hash elsewhere, and compare.

use super::canonical::{plain, sha256, show_digest};
use super::record::Record;
use super::tree::{TextError, Tree};
use super::tree_json::read_json;

/// The hash before the first line.
pub const FIRST: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

/// The writing end of a log: it keeps the last hash.
///
/// ```
/// use nisi::judge::{Chain, Intent, Observation, World, verify};
/// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
/// let policy = nisi::Policy::compile(include_str!("../../policies/field-guide.nisi"))?;
/// let world = World::at(envelope.created_at(), "coordinator");
/// let record = policy.next_move(&Intent::new(envelope), &Observation::default(), &world).record();
/// let mut chain = Chain::default();
/// let log = format!("{}\n{}\n", chain.line(&record), chain.line(&record));
/// assert_eq!(verify(&log), Ok((2, chain.last().to_string())));
/// let changed = verify(&log.replacen("i-7", "i-8", 1)).unwrap_err();
/// assert_eq!(changed.to_string(), "line 1: it does not have the hash that it states: it was changed");
/// let second = log.lines().nth(1).unwrap_or_default();
/// assert_eq!(verify(second).unwrap_err().to_string(), "line 1: it does not follow the line before: a line was taken out or put in");
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    last: String,
}

impl Default for Chain {
    fn default() -> Self {
        Chain { last: FIRST.into() }
    }
}

impl Chain {
    /// A chain that goes on behind a line with this hash.
    pub fn after(last: &str) -> Self {
        Chain { last: last.into() }
    }

    /// The hash of the last line.
    pub fn last(&self) -> &str {
        &self.last
    }

    /// The next line of the log, without its end.
    pub fn line(&mut self, record: &Record) -> String {
        let hash = hash(&self.last, &record.tree);
        let prev = std::mem::replace(&mut self.last, hash.clone());
        plain(&Tree::map([
            ("hash", Some(hash.into())),
            ("prev", Some(prev.into())),
            ("record", Some(record.tree.clone())),
        ]))
    }
}

impl Chain {
    /// The record of a chained line, whatever it follows.
    ///
    /// # Errors
    /// What is no line of a log, or does not have the hash that it states.
    pub fn record(line: &str) -> Result<Record, TextError> {
        read_line(line).map(|(record, ..)| record)
    }

    /// Checks the next line of a log that others wrote, and goes on behind it; after a fault too, so that the rest is
    /// checked.
    ///
    /// # Errors
    /// What is no line of a log, does not have the hash that it states, or does not follow the line before. The error's
    /// line is 1.
    pub fn check(&mut self, line: &str) -> Result<Record, TextError> {
        let (record, prev, own) = read_line(line)?;
        let before = std::mem::replace(&mut self.last, own);
        if prev != before {
            return Err(TextError::new(1, "it does not follow the line before: a line was taken out or put in"));
        }
        Ok(record)
    }
}

fn hash(prev: &str, record: &Tree) -> String {
    show_digest(&sha256(format!("{prev}\n{}", plain(record)).as_bytes()))
}

/// Reads one line of a log: its record, and the hashes that it states, of the line before and its own.
fn read_line(line: &str) -> Result<(Record, String, String), TextError> {
    let tree = read_json(line)?;
    let text = |key: &str| tree.get(key).and_then(Tree::text);
    let (Some(record), Some(prev), Some(stated)) = (tree.get("record"), text("prev"), text("hash")) else {
        let help = "a line is `{\"hash\": …, \"prev\": …, \"record\": …}`";
        return Err(TextError::new(1, "this is no line of a log of decisions").help(help));
    };
    if hash(prev, record) != stated {
        return Err(TextError::new(1, "it does not have the hash that it states: it was changed"));
    }
    Ok((Record::of_tree(record.clone())?, prev.into(), stated.into()))
}

/// Checks a whole log: how many lines it has, and the hash of the last.
///
/// # Errors
/// The first line that was changed, or does not follow the one before.
pub fn verify(log: &str) -> Result<(usize, String), TextError> {
    let (mut n, mut chain) = (0, Chain::default());
    for (i, line) in log.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        chain.check(line).map_err(|error| TextError { line: i + 1, ..error })?;
        n += 1;
    }
    Ok((n, chain.last))
}
