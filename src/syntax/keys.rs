//! The words that items and the entries of blocks begin with.

/// The words that begin an item.
pub const ITEMS: &[&str] = &[
    "policy",
    "version",
    "owner",
    "use",
    "restricts",
    "fact",
    "extend",
    "budget",
    "backoff",
    "locator",
    "parity",
    "group",
    "action",
    "derive",
    "classify",
    "table",
    "tighten",
    "rule",
    "waive",
    "examples",
];

/// Those of a `budget`.
pub const BUDGET: [&str; 9] =
    ["owner", "below", "attempts", "refill", "deadline", "reserve", "confirm", "least", "late"];
/// Those of a `backoff`.
pub const BACKOFF: [&str; 4] = ["base", "factor", "cap", "jitter"];
/// Those of a `locator`.
pub const LOCATOR: [&str; 3] = ["lag", "remembers", "looks"];
/// Those of a `parity`.
const PARITY: [&str; 5] = ["same", "no", "at", "fresh", "may"];

/// Whether a text is an entry of its own in a block of this keyword: such a word, and something behind it.
pub(super) fn begins_entry(keyword: &str, text: &str) -> bool {
    let keys: &[&str] = match keyword {
        "budget" => &BUDGET,
        "backoff" => &BACKOFF,
        "locator" => &LOCATOR,
        _ => &PARITY,
    };
    let mut words = text.split_whitespace();
    words.next().is_some_and(|first| keys.contains(&first)) && words.next().is_some()
}
