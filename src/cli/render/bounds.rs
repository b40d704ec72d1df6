//! The bounds of policies: for people a block each, for programs an object each.

use std::fmt::Write;

use serde::Serialize;

use crate::bounds::Bounds;
use crate::cli::out::visible;

/// A policy's file and name, and its bounds where it has a budget.
pub(in crate::cli) struct Measured {
    /// The file as it was named.
    pub(in crate::cli) file: String,
    /// The policy.
    pub(in crate::cli) policy: String,
    /// Its bounds.
    pub(in crate::cli) bounds: Option<Bounds>,
}

/// For people.
pub(in crate::cli) fn human(all: &[Measured]) -> String {
    let mut text = String::new();
    for measured in all {
        let mut say = |line: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", visible(line));
        };
        say(&format!("bounds of {} ({})", measured.policy, measured.file));
        match &measured.bounds {
            None => say("  no budget: nothing bounds what an intent may do"),
            Some(bounds) => bounds.lines().iter().for_each(|(what, line)| say(&format!("  {what:<9} {line}"))),
        }
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
pub(super) struct JsonBounds<'a> {
    file: &'a str,
    policy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<JsonMeasures<'a>>,
}

#[derive(Serialize)]
struct JsonMeasures<'a> {
    owner: &'a str,
    attempts: u64,
    below: Vec<JsonLayer<'a>>,
    attempts_in_all: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits: Option<JsonWaits>,
    copies: u64,
    overlapping: u64,
    overlapping_in_all: u64,
    confirm: u64,
    memories: Vec<JsonMemory<'a>>,
}

#[derive(Serialize)]
struct JsonLayer<'a> {
    layer: &'a str,
    attempts: u64,
}

#[derive(Serialize)]
struct JsonWaits {
    n: u64,
    longest_ms: u64,
    left_ms: u64,
}

#[derive(Serialize)]
struct JsonMemory<'a> {
    locator: &'a str,
    /// `null` is for ever.
    remembers_ms: Option<u64>,
    needed_ms: u64,
}

/// For programs.
pub(super) fn json(all: &[Measured]) -> Vec<JsonBounds<'_>> {
    all.iter()
        .map(|m| JsonBounds { file: &m.file, policy: &m.policy, bounds: m.bounds.as_ref().map(measures) })
        .collect()
}

fn measures(bounds: &Bounds) -> JsonMeasures<'_> {
    JsonMeasures {
        owner: &bounds.owner,
        attempts: bounds.attempts,
        below: bounds.below.iter().map(|(layer, attempts)| JsonLayer { layer, attempts: *attempts }).collect(),
        attempts_in_all: bounds.attempts_in_all,
        waits: bounds.waits.map(|w| JsonWaits { n: w.n, longest_ms: w.longest_ms, left_ms: w.left_ms }),
        copies: bounds.copies,
        overlapping: bounds.overlapping,
        overlapping_in_all: bounds.overlapping_in_all,
        confirm: bounds.confirm,
        memories: bounds
            .memories
            .iter()
            .map(|m| JsonMemory { locator: &m.locator, remembers_ms: m.remembers_ms, needed_ms: m.needed_ms })
            .collect(),
    }
}
