//! The bounds of policies: for people a block each, for programs an object each.

use std::fmt::Write;

use serde::Serialize;

use crate::bounds::Bounds;
use crate::cli::out::{n, visible};
use crate::words::show_duration;

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
            Some(bounds) => lines(bounds).iter().for_each(|(what, line)| say(&format!("  {what:<9} {line}"))),
        }
        text.push('\n');
    }
    text
}

fn lines(bounds: &Bounds) -> Vec<(&'static str, String)> {
    let attempts = n64(bounds.attempts, "attempt", "attempts");
    let mut out = vec![("attempts", format!("{attempts} for one intent, owned by {}", bounds.owner))];
    if !bounds.below.is_empty() {
        let layers: Vec<String> = bounds.below.iter().map(|(name, n)| format!("{name} {n}")).collect();
        out.push(("below", format!("{}: {} in all at the receiver", layers.join(", "), bounds.attempts_in_all)));
    }
    out.push(match bounds.waits {
        None => ("waits", "none: no row waits to try again".into()),
        Some(w) => {
            let (longest, left) = (show_duration(w.longest_ms), show_duration(w.left_ms));
            let count = n64(w.n, "wait", "waits");
            ("waits", format!("{longest} at most in {count}, of {left} that the deadline leaves"))
        }
    });
    let at_once = n64(bounds.overlapping, "attempt", "attempts");
    let copies = if bounds.copies > 1 { format!(", {} of one hedge", bounds.copies) } else { String::new() };
    let in_all = if bounds.overlapping_in_all > bounds.overlapping {
        format!(": {} at the receiver", bounds.overlapping_in_all)
    } else {
        String::new()
    };
    out.push(("overlap", format!("{at_once} under way at once{copies}{in_all}")));
    out.push(("confirm", format!("{}, on an account of its own", n64(bounds.confirm, "try", "tries"))));
    for memory in &bounds.memories {
        let remembers = memory.remembers_ms.map_or_else(|| "for ever".into(), show_duration);
        let needed = show_duration(memory.needed_ms);
        out.push(("memory", format!("{} remembers {remembers}, and {needed} are needed", memory.locator)));
    }
    out
}

fn n64(count: u64, one: &str, many: &str) -> String {
    n(usize::try_from(count).unwrap_or(usize::MAX), one, many)
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
