//! Random policies, written as text, from a tape of numbers: a shorter tape with smaller numbers is a simpler policy,
//! so that a failing one shrinks. Most compile without proofs; some have faults, which must be findings and no more.

use std::fmt::Write as _;

/// A tape that is read from its front; past its end it gives 0.
pub(crate) struct Tape<'t>(std::slice::Iter<'t, u32>);

impl<'t> Tape<'t> {
    /// The tape of these numbers.
    pub(crate) fn new(numbers: &'t [u32]) -> Self {
        Tape(numbers.iter())
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |x| *x as usize % n.max(1))
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// Two places of a list, the first before the second.
    fn two<'a>(&mut self, list: &[&'a str]) -> (&'a str, &'a str) {
        let first = self.below(list.len() - 1);
        let second = first + 1 + self.below(list.len() - 1 - first);
        (list[first], list[second])
    }
}

/// A fact, how it is declared (nothing: by `std`), and values that tests and callers write, in order.
struct Kind {
    name: &'static str,
    declared: &'static str,
    values: &'static [&'static str],
    form: Form,
}

#[derive(PartialEq, Clone, Copy)]
enum Form {
    Choice,
    Ordered,
    Number,
    Text,
}

const fn kind(name: &'static str, declared: &'static str, form: Form, values: &'static [&'static str]) -> Kind {
    Kind { name, declared, values, form }
}

const OWN: [Kind; 12] = [
    kind("c", "a, b, \"14 days\"", Form::Choice, &["a", "b", "\"14 days\""]),
    kind("tier-of", "low < mid < high", Form::Ordered, &["low", "mid", "high"]),
    kind("flag", "yes, no", Form::Choice, &["yes", "no"]),
    kind("n", "count", Form::Number, &["0", "1", "2", "5", "400"]),
    kind("i", "integer -5..5", Form::Number, &["-5", "-1", "0", "1", "5"]),
    kind("d", "decimal 0..10 step 0.1", Form::Number, &["0", "0.1", "2.5", "9.9", "10"]),
    kind("dense", "decimal", Form::Number, &["-2.5", "0", "0.001", "1_000"]),
    kind("t", "duration", Form::Number, &["0ms", "299ms", "300ms", "2s", "1h"]),
    kind("h", "duration or none", Form::Number, &["0ms", "1ms", "2s", "8s"]),
    kind("at", "instant", Form::Number, &["2026-01-01T00:00:00Z", "2026-06-01T12:00:00+02:00", "2027-01-01T00:00:00Z"]),
    kind("v", "version", Form::Number, &["1", "1.2", "1.2.1", "2.0.0"]),
    kind("x", "text", Form::Text, &["\"po\"", "\"po:1\"", "\"z\""]),
];

const STANDARD: [Kind; 10] = [
    kind("condition", "", Form::Choice, &["timeout", "rejected", "overloaded", "connect_failed"]),
    kind("effect", "", Form::Choice, &["read", "write", "inference", "immutable_read"]),
    kind("dispatch", "", Form::Choice, &["not_sent", "maybe_processed", "refused"]),
    kind("boundary", "", Form::Choice, &["not_crossed", "maybe_crossed", "crossed"]),
    kind("idempotent", "", Form::Choice, &["yes", "no"]),
    kind("tier", "", Form::Ordered, &["low", "medium", "high", "critical"]),
    kind("budget", "", Form::Number, &["0", "1", "2", "3"]),
    kind("deadline", "", Form::Number, &["0ms", "300ms", "500ms", "8s", "20s"]),
    kind("replay", "", Form::Choice, &["safe", "unsafe"]),
    kind("open_effect", "", Form::Choice, &["yes", "no"]),
];

const BLOCKS: &str = "use std.facts\n\
    budget {\n  owner me\n  attempts 3\n  deadline 20s\n  least 300ms\n}\n\
    backoff gentle { base 200ms, factor 2, cap 8s, jitter full }\n\
    backoff even { base 100ms, cap 1s, jitter equal }\n\
    locator key { remembers 24h }\n\
    parity same { same prompt }\n\
    action again : retry after gentle; if refused, reconcile by key within 4s; if refused, review desk\n";

/// One policy.
pub(crate) fn policy(tape: &mut Tape<'_>) -> String {
    let mut kinds: Vec<&Kind> = Vec::new();
    let guarded = tape.below(3) > 0;
    let mut text = String::from("policy random\nversion 1\n");
    for _ in 0..=tape.below(4) {
        let own = &OWN[tape.below(OWN.len())];
        if !kinds.iter().any(|k| k.name == own.name) {
            let _ = writeln!(text, "fact {} : {}", own.name, own.declared);
            kinds.push(own);
        }
    }
    if guarded {
        text.push_str(BLOCKS);
        for _ in 0..tape.below(4) {
            let other = &STANDARD[tape.below(STANDARD.len())];
            if !kinds.iter().any(|k| k.name == other.name) {
                kinds.push(other);
            }
        }
    }
    if let Some(choice) = kinds.iter().find(|k| k.form == Form::Choice && k.values.len() > 2) {
        let _ = writeln!(text, "group some of {} : {}, {}", choice.name, choice.values[0], choice.values[1]);
    }
    let derived = Kind { name: "risk", declared: "", values: &["low", "mid", "high"], form: Form::Ordered };
    if tape.one_in(2) {
        let hit = tape.pick(&["first row wins", "highest wins", "lowest wins", "at most one row", "rows agree"]);
        let _ = writeln!(text, "derive risk : low < mid < high, {hit}");
        let rows = rows(tape, &kinds, |tape| tape.pick(&["low", "mid", "high", "unknown"]).into());
        let _ = writeln!(text, "{}", rows.replace("=> answer", "=> risk"));
        kinds.push(&derived);
    }
    let n_tables = 1 + tape.below(3);
    for table in 0..n_tables {
        let hit =
            tape.pick(&["first row wins", "first row wins", "at most one row", "rows agree", "most cautious wins"]);
        let promise = match table {
            0 => String::new(),
            _ if tape.one_in(3) => format!(" when {}", test(tape, &kinds)),
            _ => String::new(),
        };
        let joined = if promise.is_empty() { "," } else { &format!("{promise},") };
        let _ = writeln!(text, "table t{table}{joined} {hit}");
        let mut next = table + 1;
        let sees = hit != "most cautious wins";
        let rows = rows(tape, &kinds, |tape| {
            // Each table is handed over to once at least, where there are rows enough.
            if sees && next < n_tables && (next == table + 1 || tape.one_in(3)) {
                next += 1;
                return format!("see t{}", next - 1);
            }
            action(tape, guarded)
        });
        let _ = writeln!(text, "{}", rows.replace("=> answer", "=> action"));
    }
    text
}

/// The columns and rows of one table or derive.
fn rows(tape: &mut Tape<'_>, kinds: &[&Kind], mut answer: impl FnMut(&mut Tape<'_>) -> String) -> String {
    let mut columns: Vec<&Kind> = Vec::new();
    for _ in 0..=tape.below(3) {
        let kind = kinds[tape.below(kinds.len())];
        if !columns.iter().any(|c| c.name == kind.name) {
            columns.push(kind);
        }
    }
    let (named, also) = (tape.one_in(2), tape.one_in(2));
    let mut text = String::from("|");
    let head = named.then_some("row").into_iter().chain(columns.iter().map(|c| c.name)).chain(also.then_some("also"));
    for name in head {
        let _ = write!(text, " {name} |");
    }
    text.push_str(" => answer |\n");
    for row in 0..=tape.below(5) {
        text.push('|');
        if named {
            let _ = write!(text, " row-{row} |");
        }
        for column in &columns {
            let _ = write!(text, " {} |", if tape.one_in(4) { "-".into() } else { cell(tape, column) });
        }
        if also {
            let tests: Vec<String> = (0..tape.below(3)).map(|_| test(tape, kinds)).collect();
            let _ = write!(text, " {} |", tests.join(" and "));
        }
        let _ = writeln!(text, " {} |", answer(tape));
    }
    let blank = " |".repeat(columns.len() + usize::from(named) + usize::from(also) - 1);
    for fixed in ["any unknown", "otherwise"] {
        if !tape.one_in(3) {
            let _ = writeln!(text, "| {fixed} |{blank} {} |", answer(tape));
        }
    }
    text
}

fn test(tape: &mut Tape<'_>, kinds: &[&Kind]) -> String {
    let kind = kinds[tape.below(kinds.len())];
    format!("{} is {}", kind.name, cell(tape, kind))
}

/// One cell that says something.
fn cell(tape: &mut Tape<'_>, kind: &Kind) -> String {
    let one = tape.pick(kind.values);
    let (low, high) = tape.two(kind.values);
    let ends = matches!(kind.form, Form::Number | Form::Ordered);
    match (tape.below(14), kind.form) {
        (0..=2, _) => one.into(),
        (3, _) => "known".into(),
        (4, _) => "unknown".into(),
        (5, _) => format!("unknown, {one}"),
        (6, Form::Choice | Form::Text) => format!("not {one}"),
        (7, Form::Choice) => format!("unknown or not {one}"),
        (8, Form::Choice) if kind.values.len() > 2 => format!("not {low}, {high}"),
        (6, _) if ends => format!(">= {one}"),
        (7, _) if ends => format!("unknown or <= {one}"),
        (8, _) if ends => format!("{low}..{high}"),
        (9, _) if ends => format!("{low}..<{high}"),
        (10, _) if ends => format!("> {low} and <= {high}"),
        (11, _) if ends => format!("< {low} or > {high}"),
        (12, _) if ends => format!("not {one}"),
        (9 | 10, Form::Text) => "starts \"po\"".into(),
        (11, _) if kind.name == "h" => "none".into(),
        _ => format!("{low}, {high}"),
    }
}

/// One action, with ways for refusal where it can be refused.
fn action(tape: &mut Tape<'_>, guarded: bool) -> String {
    let last = ["stop", "review desk", "stop \"it is over\"", "review"];
    if !guarded || tape.one_in(3) {
        return tape.pick(&last).into();
    }
    let acts = [
        "retry now",
        "retry after gentle",
        "retry after even, spend 2",
        "hedge 2 after 300ms",
        "failover to same",
        "reconcile by key within 4s",
        "reconcile by event within 1h",
        "again",
    ];
    let act = tape.pick(&acts);
    match tape.below(4) {
        _ if act == "again" => act.into(),
        0 => act.into(),
        1 => format!("{act}; if refused, {}", tape.pick(&last)),
        2 => format!("{act}; if refused, again"),
        _ => format!("{act}; if refused, reconcile by key within 1s; if refused, {}", tape.pick(&last)),
    }
}

/// Values that callers may write: of the vocabulary, at the bounds of what the policies test, and beside them.
pub(crate) const WRITTEN: &[&str] = &[
    "unknown",
    "a",
    "b",
    "14 days",
    "low",
    "mid",
    "high",
    "medium",
    "critical",
    "yes",
    "no",
    "none",
    "0",
    "1",
    "2",
    "3",
    "5",
    "-5",
    "-1",
    "0.1",
    "2.5",
    "9.9",
    "10",
    "-2.5",
    "0.001",
    "1000",
    "400",
    "399",
    "0ms",
    "1ms",
    "299ms",
    "300ms",
    "301ms",
    "2s",
    "8s",
    "20s",
    "1h",
    "2026-01-01T00:00:00Z",
    "2026-06-01T10:00:00Z",
    "2027-01-01T00:00:01Z",
    "1.2",
    "1.2.1",
    "2.0.0",
    "po",
    "po:1",
    "z",
    "timeout",
    "rejected",
    "overloaded",
    "connect_failed",
    "read",
    "write",
    "inference",
    "immutable_read",
    "not_sent",
    "maybe_processed",
    "refused",
    "not_crossed",
    "maybe_crossed",
    "crossed",
    "disabled",
    "enabled",
    "wait",
    "stop",
    "current",
    "stale",
    "holds",
    "registered",
];
