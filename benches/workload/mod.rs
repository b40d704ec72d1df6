//! Random tables, seeded so that every run sees the same: the policy as text, and its rows typed, as a scan takes them.
//!
//! A table has six columns (a choice of 200 services, condition, effect, tier, time left, attempts left) or nine. Sparse
//! rows are narrow boxes, most of which can decide; dense ones have few words and bounds between them, and hide each
//! other.
#![allow(dead_code, reason = "each benchmark takes what it needs")]

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

    /// The place of one of so many things.
    pub fn place(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// One or two of so many words as bits; all of them so many times in a hundred.
    fn some(&mut self, n_words: usize, any_in_hundred: u64) -> u16 {
        if self.below(100) < any_in_hundred {
            return u16::MAX;
        }
        (1 << self.place(n_words)) | (1 << self.place(n_words))
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
/// The tiers.
pub const TIERS: [&str; 4] = ["low", "medium", "high", "critical"];
/// What a row may do; each holds under the shipped rules, whatever the row asks.
const ACTIONS: [&str; 6] = [
    "review ops",
    "review b",
    "review c",
    "reconcile by event within 4s; if refused, review d",
    "review e",
    "reconcile by event within 9s; if refused, review f",
];
/// How many services there are.
pub const N_SERVICES: usize = 200;

/// One request, as a scan takes it.
#[derive(Clone, Copy)]
pub struct Request {
    /// The place of its service.
    pub service: u16,
    /// The place of its condition.
    pub condition: u8,
    /// The place of its effect.
    pub effect: u8,
    /// The place of its tier.
    pub tier: u8,
    /// Attempts left.
    pub budget: u32,
    /// Time left.
    pub deadline_ms: u32,
}

impl Request {
    /// Any request.
    pub fn any(draw: &mut Draw) -> Request {
        Request {
            service: draw.below(N_SERVICES as u64) as u16,
            condition: draw.below(CONDITIONS.len() as u64) as u8,
            effect: draw.below(EFFECTS.len() as u64) as u8,
            tier: draw.below(TIERS.len() as u64) as u8,
            budget: draw.below(10) as u32,
            deadline_ms: draw.below(200) as u32 * 50,
        }
    }

    /// Any request to a table of [`free`] rows.
    pub fn any_free(draw: &mut Draw) -> Request {
        Request {
            service: draw.below(12) as u16,
            budget: draw.below(FREE_ENDS) as u32,
            deadline_ms: draw.below(FREE_ENDS) as u32,
            ..Request::any(draw)
        }
    }
}

/// One row of six columns, typed; a service past the last is any, words are bits, both bounds are inside.
#[derive(Clone, Copy)]
pub struct Row {
    service: u16,
    conditions: u16,
    effects: u16,
    tiers: u16,
    budget: (u32, u32),
    deadline_ms: (u32, u32),
    action: u8,
}

/// Bounds of [`free`] rows lie below this.
const FREE_ENDS: u64 = 10_000_000;

impl Row {
    /// Whether the row matches, test by test, the most telling first. Inlined, as it would be where it is written by hand:
    /// a call for each row costs more than the tests, and without link-time optimisation there is one.
    #[inline]
    pub fn holds(&self, r: &Request) -> bool {
        (self.service == r.service || usize::from(self.service) >= N_SERVICES)
            && self.conditions >> r.condition & 1 == 1
            && self.effects >> r.effect & 1 == 1
            && self.tiers >> r.tier & 1 == 1
            && (self.budget.0..=self.budget.1).contains(&r.budget)
            && (self.deadline_ms.0..=self.deadline_ms.1).contains(&r.deadline_ms)
    }

    fn sparse(draw: &mut Draw) -> Row {
        let any_service = draw.below(100) < 1;
        let from = draw.below(100) as u32 * 50;
        let to = from + 50 * (1 + draw.below(100) as u32);
        let least = draw.below(5) as u32;
        Row {
            service: if any_service { u16::MAX } else { draw.below(N_SERVICES as u64) as u16 },
            conditions: draw.some(CONDITIONS.len(), 5),
            effects: draw.some(EFFECTS.len(), 10),
            tiers: [u16::MAX, 0b1100, 0b0011, 0b1000][draw.place(4)],
            budget: if draw.below(4) == 0 { (0, u32::MAX) } else { (least, least + 1 + draw.below(5) as u32) },
            deadline_ms: if draw.below(10) < 2 { (0, u32::MAX) } else { (from, to) },
            action: draw.below(ACTIONS.len() as u64) as u8,
        }
    }

    fn is_empty(&self) -> bool {
        let numbers = [self.budget, self.deadline_ms];
        self.conditions == 0 || self.effects == 0 || self.tiers == 0 || numbers.iter().any(|(lo, hi)| lo > hi)
    }

    /// A row whose intervals have bounds of their own; none of its choices has more than twelve values. So many of a
    /// hundred cells are any.
    fn free(draw: &mut Draw, any_in_hundred: u64) -> Row {
        let interval = |draw: &mut Draw| match draw.below(FREE_ENDS) as u32 {
            _ if draw.below(100) < any_in_hundred => (0, u32::MAX),
            from => (from, from + draw.below(FREE_ENDS / 2) as u32),
        };
        Row {
            service: if draw.below(100) < any_in_hundred { u16::MAX } else { draw.below(12) as u16 },
            conditions: draw.some(CONDITIONS.len(), any_in_hundred),
            effects: draw.some(EFFECTS.len(), any_in_hundred),
            tiers: draw.some(TIERS.len(), any_in_hundred),
            budget: interval(draw),
            deadline_ms: interval(draw),
            action: draw.below(ACTIONS.len() as u64) as u8,
        }
    }

    fn dense(draw: &mut Draw) -> Row {
        let from = draw.below(4) as u32 * 1_000;
        Row {
            service: if draw.below(2) == 0 { u16::MAX } else { draw.below(3) as u16 },
            conditions: draw.some(4, 40),
            effects: draw.some(EFFECTS.len(), 40),
            tiers: [u16::MAX, 0b1100, 0b0011, 0b1000][draw.place(4)],
            budget: [(0, u32::MAX), (1, u32::MAX), (0, 2)][draw.place(3)],
            deadline_ms: if draw.below(2) == 0 { (0, u32::MAX) } else { (from, from + 2_000) },
            action: draw.below(ACTIONS.len() as u64) as u8,
        }
    }

    /// The cells of the row, each closed by a bar.
    fn cells(&self) -> String {
        let number = |(from, to): (u32, u32), any: u32, unit: &str| match (from, to) {
            (0, to) if to == any => "-".to_string(),
            (from, to) if to == any => format!(">= {from}{unit}"),
            (from, to) => format!("{from}{unit}..{to}{unit}"),
        };
        let service = match self.service {
            s if usize::from(s) < N_SERVICES => format!("s{s}"),
            _ => "-".into(),
        };
        format!(
            "{service} | {} | {} | {} | {} | {} |",
            words(&CONDITIONS, self.conditions),
            words(&EFFECTS, self.effects),
            words(&TIERS, self.tiers),
            number(self.deadline_ms, u32::MAX, "ms"),
            number(self.budget, u32::MAX, ""),
        )
    }
}

fn words(all: &[&str], bits: u16) -> String {
    let taken: Vec<&str> = (0..all.len()).filter(|i| bits >> i & 1 == 1).map(|i| all[i]).collect();
    if taken.len() == all.len() { "-".into() } else { taken.join(", ") }
}

/// So many sparse rows.
pub fn rows(n_rows: usize) -> Vec<Row> {
    let mut draw = Draw(7);
    (0..n_rows).map(|_| Row::sparse(&mut draw)).collect()
}

/// So many rows with intervals of which no two share a bound, and no column that sets most of them apart.
pub fn free(n_rows: usize, any_in_hundred: u64) -> Vec<Row> {
    let mut draw = Draw(13);
    (0..n_rows).map(|_| Row::free(&mut draw, any_in_hundred)).collect()
}

/// So many disjoint rows that cover everything, near ones near each other.
pub fn partition(n_rows: usize) -> Vec<Row> {
    let all = Row {
        service: u16::MAX,
        conditions: (1 << CONDITIONS.len()) - 1,
        effects: (1 << EFFECTS.len()) - 1,
        tiers: (1 << TIERS.len()) - 1,
        budget: (0, u32::MAX),
        deadline_ms: (0, u32::MAX),
        action: 0,
    };
    let (mut rows, mut draw) = (Vec::new(), Draw(17));
    part(all, n_rows, &mut rows, &mut draw);
    rows
}

/// Cuts a box in two, and so on, until there are so many.
fn part(row: Row, n_rows: usize, rows: &mut Vec<Row>, draw: &mut Draw) {
    if n_rows == 1 {
        return rows.push(Row { action: draw.place(ACTIONS.len()) as u8, ..row });
    }
    let (mut one, mut other) = (row, row);
    match draw.below(5) {
        0 => (one.conditions, other.conditions) = halves(row.conditions, draw),
        1 => (one.effects, other.effects) = halves(row.effects, draw),
        2 => (one.tiers, other.tiers) = halves(row.tiers, draw),
        3 => (one.budget, other.budget) = sides(row.budget, draw),
        _ => (one.deadline_ms, other.deadline_ms) = sides(row.deadline_ms, draw),
    }
    if one.is_empty() || other.is_empty() {
        return part(row, n_rows, rows, draw);
    }
    part(one, n_rows / 2, rows, draw);
    part(other, n_rows - n_rows / 2, rows, draw);
}

/// Some words of a set, and the others.
fn halves(words: u16, draw: &mut Draw) -> (u16, u16) {
    let some = (1 << draw.below(16)) - 1;
    (words & some, words & !some)
}

/// What lies below a number of an interval, and the rest.
fn sides((lo, hi): (u32, u32), draw: &mut Draw) -> ((u32, u32), (u32, u32)) {
    let cut = lo + 1 + draw.below(u64::from(hi.min(FREE_ENDS as u32).saturating_sub(lo)) + 1) as u32;
    ((lo, cut - 1), (cut, hi))
}

fn head() -> String {
    let services: Vec<String> = (0..N_SERVICES).map(|i| format!("s{i}")).collect();
    let services = services.join(", ");
    format!(
        "policy bench\nversion 1\nuse std.facts\nuse std.safety\nfact service : {services}\ntable t, first row wins\n"
    )
}

/// A policy of these rows, `r0` and on, and `otherwise` below them; its decisions are those of the first that holds.
pub fn policy(rows: &[Row]) -> String {
    let mut text = head();
    text.push_str("| row | service | condition | effect | tier | deadline | budget | => action |\n");
    for (i, row) in rows.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| r{i} | {} {} |", row.cells(), ACTIONS[usize::from(row.action)]);
    }
    text.push_str("| otherwise | | | | | | | review z |\n");
    text
}

/// The same policy with the action of every hundredth row changed.
pub fn edited(rows: &[Row]) -> String {
    let mut rows = rows.to_vec();
    rows.iter_mut().step_by(100).for_each(|row| row.action = (row.action + 1) % ACTIONS.len() as u8);
    policy(&rows)
}

/// A policy of so many rows over nine columns.
pub fn nine_columns(n_rows: usize, dense: bool) -> String {
    let mut draw = Draw(11);
    let mut text = head();
    text.push_str(
        "| row | service | condition | effect | tier | deadline | budget | dispatch | idempotent | attempt \
         | => action |\n",
    );
    for i in 0..n_rows {
        let row = if dense { Row::dense(&mut draw) } else { Row::sparse(&mut draw) };
        let dispatch = ["-", "-", "not_sent", "refused, undone", "maybe_processed"][draw.place(5)];
        let idempotent = ["-", "yes", "no"][draw.place(3)];
        let attempt = ["-", "<= 1", ">= 2", "2..4"][draw.place(4)];
        let action = ACTIONS[usize::from(row.action)];
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| r{i} | {} {dispatch} | {idempotent} | {attempt} | {action} |", row.cells());
    }
    text.push_str("| otherwise | | | | | | | | | | review z |\n");
    text
}
