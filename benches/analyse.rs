//! How long a policy takes to be proven: large tables, sparse and dense, and some that are made to be hard.
//!
//! `cargo bench --bench analyse`. Each figure is a whole compilation: text, model, every proof and lint. Tables are
//! made from a seed, so the same code has the same work.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use nisi::compile::{NoSources, Options, compile};
use nisi::text::Source;

const CHOICES: [usize; 5] = [19, 7, 5, 3, 2];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// A policy of one table over nine facts, five choices and four durations.
fn nine_facts(hit: &str, rows: &[[String; 9]], last: &str) -> String {
    let mut text = String::from("policy large\nversion 1\n");
    for (i, n) in CHOICES.iter().enumerate() {
        let values: Vec<String> = (0..*n).map(|v| format!("v{v}")).collect();
        writeln!(text, "fact f{i} : {}", values.join(", ")).expect("a text takes all");
    }
    (5..9).for_each(|i| writeln!(text, "fact f{i} : duration").expect("a text takes all"));
    text.push_str(&table(hit, 9, rows.iter().map(|r| r.as_slice()), last));
    text
}

fn table<'a>(hit: &str, n: usize, rows: impl Iterator<Item = &'a [String]>, last: &str) -> String {
    let mut text = format!("\ntable t, {hit}\n|");
    (0..n).for_each(|i| write!(text, " f{i} |").expect("a text takes all"));
    text.push_str(" => action |\n");
    for row in rows {
        writeln!(text, "| {} | stop |", row.join(" | ")).expect("a text takes all");
    }
    text.push_str(last);
    text
}

/// The `otherwise` row of a table of so many columns.
fn otherwise(n: usize) -> String {
    format!("| otherwise |{} review |\n", " |".repeat(n - 1))
}

/// Rows that test about so many of the nine facts.
fn random_rows(n_rows: usize, tested: usize, seed: u64) -> Vec<[String; 9]> {
    let mut random = Random(seed);
    let mut cell = |fact: usize| {
        if random.below(9) >= tested && fact != 8 {
            return "-".to_string();
        }
        if let Some(n) = CHOICES.get(fact) {
            let mut values: Vec<usize> = (0..=n / 3).map(|_| random.below(*n)).collect();
            values.sort_unstable();
            values.dedup();
            return values.iter().map(|v| format!("v{v}")).collect::<Vec<_>>().join(", ");
        }
        let lo = random.below(1_000);
        format!("{lo}ms..{}ms", lo + 1 + random.below(500))
    };
    (0..n_rows).map(|_| std::array::from_fn(&mut cell)).collect()
}

/// A table that takes every input exactly once: the space, parted again and again.
fn parted(n_rows: usize, seed: u64) -> Vec<[String; 9]> {
    /// Unknown is in it; the values or the bounds.
    type Side = (bool, Vec<usize>);
    let mut random = Random(seed);
    let whole: [Side; 9] =
        std::array::from_fn(|f| (true, CHOICES.get(f).map_or(vec![0, 4_000], |n| (0..*n).collect())));
    let mut boxes = vec![whole];
    while boxes.len() < n_rows {
        let (i, f) = (random.below(boxes.len()), random.below(9));
        let (unknown, side) = boxes[i][f].clone();
        let (a, b) = if f < 5 {
            let at = if side.len() < 2 { continue } else { random.below(side.len()) };
            (vec![side[at]], side.iter().copied().filter(|v| *v != side[at]).collect::<Vec<_>>())
        } else {
            let at = if side[1] - side[0] < 2 { continue } else { side[0] + 1 + random.below(side[1] - side[0] - 1) };
            (vec![side[0], at], vec![at, side[1]])
        };
        let mut other = boxes[i].clone();
        other[f] = (false, a);
        boxes[i][f] = (unknown, b);
        boxes.push(other);
    }
    let cell = |f: usize, (unknown, side): &Side| {
        let text = if f < 5 {
            side.iter().map(|v| format!("v{v}")).collect::<Vec<_>>().join(", ")
        } else if side[1] == 4_000 {
            if side[0] == 0 { "known".into() } else { format!(">= {}ms", side[0]) }
        } else {
            format!("{}ms..<{}ms", side[0], side[1])
        };
        match (unknown, side.len() == CHOICES.get(f).copied().unwrap_or(0) || side == &[0, 4_000]) {
            (true, true) => "-".to_string(),
            (true, false) => format!("unknown or {text}"),
            _ => text,
        }
    };
    boxes.iter().map(|b| std::array::from_fn(|f| cell(f, &b[f]))).collect()
}

/// Thirty flags, rows that test four of them.
fn flags(n_rows: usize) -> String {
    let mut random = Random(5);
    let mut text = String::from("policy flags\nversion 1\n");
    (0..30).for_each(|i| writeln!(text, "fact f{i} : yes, no").expect("a text takes all"));
    let rows: Vec<Vec<String>> = (0..n_rows)
        .map(|_| {
            let mut row = vec!["-".to_string(); 30];
            (0..4).for_each(|_| row[random.below(30)] = ["yes", "unknown, no"][random.below(2)].into());
            row
        })
        .collect();
    text + &table("first row wins", 30, rows.iter().map(Vec::as_slice), &otherwise(30))
}

/// Boxes whose bounds are all different.
fn unique_bounds(n_rows: usize) -> Vec<[String; 9]> {
    let mut random = Random(6);
    let mut row = |r: usize| {
        let mut side = || {
            let lo = random.below(100_000) * n_rows + r;
            format!("{lo}ms..{}ms", lo + (50_000 + random.below(50_000)) * n_rows)
        };
        let dash = || "-".to_string();
        [dash(), dash(), dash(), dash(), dash(), side(), side(), side(), side()]
    };
    (0..n_rows).map(&mut row).collect()
}

/// Every combination of sixteen flags, one row each.
fn literals() -> String {
    let mut text = String::from("policy literals\nversion 1\n");
    (0..16).for_each(|i| writeln!(text, "fact f{i} : yes, no").expect("a text takes all"));
    let cell = |r: usize, i: usize| if r >> i & 1 == 1 { "yes".to_string() } else { "no".to_string() };
    let rows: Vec<Vec<String>> = (0..1 << 16).map(|r| (0..16).map(|i| cell(r, i)).collect()).collect();
    text + &table("at most one row", 16, rows.iter().map(Vec::as_slice), &otherwise(16))
}

fn analyse(c: &mut Criterion) {
    let mut group = c.benchmark_group("analyse");
    group.sample_size(10);
    let first = |rows: &[[String; 9]]| nine_facts("first row wins", rows, &otherwise(9));
    let cases = [
        ("1000 sparse", first(&random_rows(1_000, 3, 1))),
        ("1000 dense", first(&random_rows(1_000, 9, 2))),
        ("1000 dense, a gap", nine_facts("first row wins", &random_rows(1_000, 9, 2), "")),
        ("1000 parted, at most one", nine_facts("at most one row", &parted(1_000, 3), "")),
        ("1000 parted, first", nine_facts("first row wins", &parted(1_000, 3), "")),
        ("5000 sparse", first(&random_rows(5_000, 3, 1))),
        ("5000 sparse, a gap", nine_facts("first row wins", &random_rows(5_000, 3, 1), "")),
        ("5000 parted, at most one", nine_facts("at most one row", &parted(5_000, 3), "")),
        ("30 flags, 300 rows", flags(300)),
        ("500 unique bounds", first(&unique_bounds(500))),
        ("65536 literals", literals()),
        ("100000 dense", first(&random_rows(100_000, 9, 4))),
    ];
    for (name, text) in &cases {
        group.bench_function(*name, |b| {
            b.iter(|| {
                let compiled = compile(Source::new("large.nisi", text.as_str()), &NoSources, &Options::default());
                black_box(compiled.diagnostics.items.len())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, analyse);
criterion_main!(benches);
