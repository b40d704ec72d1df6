//! Workload B: random rows over six columns, a choice of 200 values among them; seeded, so every run is the same.

use std::fmt::Write as _;

/// A small generator of numbers (`SplitMix64`).
pub struct Draw(pub u64);

impl Draw {
    /// The next number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    /// Some of the words, or anything.
    fn some(&mut self, words: &[&str], any_in_ten: u64) -> String {
        if self.below(10) < any_in_ten {
            return "-".into();
        }
        let mut taken: Vec<&str> =
            (0..=self.below(3)).map(|_| words[self.below(words.len() as u64) as usize]).collect();
        taken.sort_unstable();
        taken.dedup();
        taken.join(", ")
    }
}

/// The conditions of the workload.
pub const CONDITIONS: [&str; 10] = [
    "rejected",
    "overloaded",
    "connect_failed",
    "connection_lost",
    "timeout",
    "provider_failure",
    "cancelled",
    "conflict",
    "unclassified",
    "pending",
];
/// The effects of the workload.
pub const EFFECTS: [&str; 5] = ["immutable_read", "read", "inference", "write", "consequential_write"];

/// A policy of so many rows; each row is another, so that none stands twice.
pub fn policy(n_rows: usize) -> String {
    let mut draw = Draw(7);
    let services: Vec<String> = (0..200).map(|i| format!("s{i}")).collect();
    let mut text = format!(
        "policy bench\nversion 1\nuse std.facts\nuse std.safety\nfact service : {}\nfact rank : count\n\
         table t, first row wins\n| row | service | condition | effect | tier | deadline | rank | => action |\n",
        services.join(", ")
    );
    for row in 0..n_rows {
        let service = if draw.below(10) < 2 { "-" } else { &services[draw.below(200) as usize] };
        let (condition, effect) = (draw.some(&CONDITIONS, 2), draw.some(&EFFECTS, 3));
        let tier = ["-", ">= high", "low, medium", "critical"][draw.below(4) as usize];
        let from = draw.below(100) * 50;
        let deadline = format!("{from}ms..{}ms", from + 50 * (1 + draw.below(100)));
        // A bound of its own for each row keeps two rows from being the same.
        let action = ["review ops", "review b", "review c", "reconcile by event within 4s; if refused, review d"];
        let action = action[draw.below(4) as usize];
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| r{row} | {service} | {condition} | {effect} | {tier} | {deadline} | <= {} | {action} |",
            1_000_000 + row
        );
    }
    text.push_str("| otherwise | | | | | | | review z |\n");
    text
}
