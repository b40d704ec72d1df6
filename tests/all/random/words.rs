//! The words that random policies are made of: facts of every type, cells that test them, and values on both sides of
//! every bound that a cell can name.

/// Numbers to draw from; past their end every draw is 0, the plainest choice.
pub(super) struct Draws<'d> {
    list: std::slice::Iter<'d, u16>,
}

impl<'d> Draws<'d> {
    pub(super) fn new(list: &'d [u16]) -> Self {
        Draws { list: list.iter() }
    }

    /// One of `0..n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.list.next().map_or(0, |d| usize::from(*d) % n.max(1))
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A kind of fact: how it is declared, which cells test it, which values lie on all sides of what they name.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// What stands behind `fact NAME :`; nothing for a fact of the shared vocabulary.
    pub(super) ty: Option<&'static str>,
    pub(super) cells: &'static [&'static str],
    pub(super) values: &'static [&'static str],
}

const fn own(
    name: &'static str,
    ty: &'static str,
    cells: &'static [&'static str],
    values: &'static [&'static str],
) -> Kind {
    Kind { name, ty: Some(ty), cells, values }
}

const fn std(name: &'static str, cells: &'static [&'static str], values: &'static [&'static str]) -> Kind {
    Kind { name, ty: None, cells, values }
}

/// Facts of a policy's own, one of each type.
pub(super) const OWN: &[Kind] = &[
    own(
        "region",
        "eu, us, apac",
        &[
            "eu",
            "us, apac",
            "not eu",
            "unknown, eu",
            "unknown or not us",
            "known",
            "unknown",
            "west",
            "not west",
            "apac or us",
        ],
        &["eu", "us", "apac"],
    ),
    own(
        "level",
        "low < middle < high",
        &[
            ">= middle",
            "low",
            "< high",
            "low..middle",
            "unknown or > low",
            "not middle",
            "> middle",
            "known and not low",
        ],
        &["low", "middle", "high"],
    ),
    own("paid", "yes, no", &["yes", "no", "unknown, no", "known"], &["yes", "no"]),
    own(
        "tries",
        "count",
        &["0", ">= 1", "1..3", "1..<3", "< 2 or > 9", "unknown or >= 3", "> 1 and <= 9", "not 3", "0, 3, 9..12"],
        &["0", "1", "2", "3", "4", "9", "10", "12", "13", "9223372036854775807"],
    ),
    own(
        "shift",
        "integer -5..5",
        &["-5", ">= 0", "-2..2", "< -1", "unknown or > 3", "5"],
        &["-5", "-3", "-2", "-1", "0", "1", "2", "3", "4", "5"],
    ),
    own("share", "decimal 0..2 step 0.5", &["0.5", ">= 1", "0.5..1.5", "< 1.5", "2"], &["0", "0.5", "1", "1.5", "2"]),
    own(
        "score",
        "decimal 0..10",
        &["> 2.5", "2.5..5", "2.5..<5", "<= 5", "< 2.5 or > 7.5", "5", "0..<7.5"],
        &[
            "0",
            "0.000000000000000001",
            "2.499999999999999999",
            "2.5",
            "2.500000000000000001",
            "5",
            "5.1",
            "7.5",
            "7.500000000000000001",
            "10",
        ],
    ),
    own(
        "patience",
        "duration or none, forever",
        &["none", ">= 2s", "100ms..2s", "< 1m", "forever or > 2s", "known", "not none", "unknown or none"],
        &["none", "forever", "0ms", "99ms", "100ms", "101ms", "1999ms", "2s", "2001ms", "59999ms", "1m", "60001ms"],
    ),
    own(
        "opened",
        "instant",
        &[
            ">= 2026-01-01T00:00:00Z",
            "< 2026-06-01T12:00:00+02:00",
            "2026-01-01T00:00:00Z",
            "unknown or > 2026-06-01T10:00:00Z",
        ],
        &[
            "2025-12-31T23:59:59.999999999Z",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.000000001Z",
            "2026-06-01T09:59:59.999999999Z",
            "2026-06-01T10:00:00Z",
            "2026-06-01T10:00:00.000000001Z",
        ],
    ),
    own(
        "client",
        "version",
        &[">= 1.2", "1.2..<2", "< 2", "1.2", "2"],
        &["1.1.9", "1.2", "1.2.0", "1.2.1", "1.10", "1.999", "2", "2.0.1"],
    ),
    own(
        "channel",
        "text",
        &[
            "\"web\"",
            "starts \"po:\"",
            "\"web\", \"po:7\"",
            "not \"web\"",
            "starts \"po:7\"",
            "unknown or starts \"po:\"",
        ],
        &["", "web", "webs", "po", "po:", "po:6", "po:7", "po:77"],
    ),
    own(
        "term",
        "now, later, \"14 days\"",
        &["\"14 days\"", "not \"14 days\"", "now, \"14 days\"", "unknown or not later", "later"],
        &["now", "later", "14 days"],
    ),
    own(
        "tier-of",
        "low < mid < high",
        &[">= mid", "low..<high", "unknown or <= mid", "> low and <= high", "< mid or > mid"],
        &["low", "mid", "high"],
    ),
    own(
        "balance",
        "decimal",
        &["-2.5", ">= 0", "0..<0.001", "< -2.5 or > 1_000", "not 0", "> -2.5 and <= 1_000"],
        &["-2.500000000000000001", "-2.5", "-2", "0", "0.0005", "0.001", "1000", "1000.5"],
    ),
    own(
        "dose",
        "decimal 0..10 step 0.1",
        &["0.1", "0.1..<2.5", ">= 9.9", "not 2.5", "unknown, 10"],
        &["0", "0.1", "0.2", "2.4", "2.5", "9.8", "9.9", "10"],
    ),
];

/// Facts of the shared vocabulary that guards read or that change what a derived one says.
pub(super) const STD: &[Kind] = &[
    std(
        "condition",
        &["timeout", "not confirmed", "overloaded, timeout", "known", "rejected"],
        &["timeout", "overloaded", "rejected", "confirmed", "pending"],
    ),
    std(
        "effect",
        &["read, immutable_read", "write", "not read", "inference", "unknown, write"],
        &["read", "write", "inference", "proposal", "verification"],
    ),
    std("open_effect", &["yes", "no"], &[]),
    std("replay", &["safe", "unsafe"], &[]),
    std("budget", &[">= 1", "0"], &["0", "1", "2", "5"]),
    std(
        "deadline",
        &[">= 2s", "< 500ms"],
        &["0ms", "299ms", "300ms", "499ms", "500ms", "1299ms", "1300ms", "2s", "10s"],
    ),
    std("idempotent", &["yes", "no"], &["yes", "no"]),
    std("dispatch", &["not_sent, refused"], &["not_sent", "refused", "maybe_processed"]),
    std("boundary", &["not_crossed", "unknown, crossed"], &["not_crossed", "maybe_crossed", "crossed"]),
    std("tools", &["disabled"], &["disabled", "enabled"]),
    std("pushback", &["none", "known and not stop"], &["none", "wait", "stop"]),
    std("hint", &["none", "> 1s"], &["none", "0ms", "200ms", "1s", "5s"]),
    std("authorization", &["current", "unknown, stale"], &["current", "stale"]),
    std("tier", &[">= medium", "unknown or high"], &["low", "medium", "high", "critical"]),
    std("attempt", &["<= 1", "> 2"], &["0", "1", "2", "3", "40"]),
    std("parity.equivalent", &["holds", "refused"], &["holds", "refused"]),
];
