//! The proofs on large policies: a full check of a thousand rows over nine columns, the parts of a check of five thousand
//! sparse rows, tables made to be hard, a hundred thousand rows once, and two policies of a thousand rows compared for
//! every input.
//!
//! A part is told from the whole by what is left out: `unproven` reads the text and builds the program, `first-gap` also
//! proves, until it shows a gap and three missing rows, `overlaps` also looks at every two rows, `shadowing` is all of it.
#![allow(missing_docs, reason = "criterion's macros write the items")]

mod hard;
mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use nisi::Policy;
use nisi::compare::{CompareOptions, compare};
use nisi::compile::{NoSources, Options, compile};
use nisi::diag::Severity;
use nisi::text::Source;

/// Everything that `nisi check` proves of one policy; in a dense one rows hide each other, and some
/// stand twice, for which it is refused.
fn full_check(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    for (name, dense) in [("1000x9-sparse", false), ("1000x9-dense", true)] {
        let text = workload::nine_columns(1_000, dense);
        let once = || compile(Source::new("bench.nisi", &*text), &NoSources, &Options::default());
        let found = once();
        assert_eq!(found.counts.n_rows, compile_counts(&text), "{}", found.diagnostics);
        let items = &found.diagnostics.items;
        let errors = items.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.to_string());
        eprintln!("{name}: {} findings, errors: {:?}", items.len(), errors.collect::<Vec<_>>());
        group.bench_function(name, |b| b.iter(|| black_box(once().diagnostics.items.len())));
    }
    group.finish();
}

/// Five thousand sparse rows: text to ready without proofs, then with one part of them.
fn five_thousand(c: &mut Criterion) {
    let whole = workload::policy(&workload::rows(5_000));
    let gap: String = whole.split_inclusive('\n').filter(|l| !l.starts_with("| otherwise")).collect();
    let agree: Vec<String> = whole.lines().map(agreeing).collect();
    let agree = agree.join("\n");
    let unproven = Options { proofs: false, ..Options::default() };
    let proven = Options { lints: false, ..Options::default() };
    let mut group = c.benchmark_group("5000x6-sparse");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    for (name, text, options, code) in [
        ("unproven", &whole, &unproven, None),
        ("first-gap", &gap, &proven, Some("N0301")),
        ("overlaps", &agree, &proven, None),
        ("shadowing", &whole, &Options::default(), Some("N0311")),
    ] {
        let once = || compile(Source::new("bench.nisi", &**text), &NoSources, options);
        let found = once().diagnostics;
        assert!(found.items.iter().all(|d| d.code.id != "N0309"), "{name} is decided");
        assert!(code.is_none_or(|code| found.items.iter().any(|d| d.code.id == code)), "{name}: {found}");
        group.bench_function(name, |b| b.iter(|| black_box(once().diagnostics.items.len())));
    }
    group.finish();
}

/// A line of a policy in which the rows may overlap, and all say the same.
fn agreeing(line: &str) -> String {
    match line.trim_end_matches(" |").rsplit_once(" | ") {
        Some((cells, _)) if line.starts_with("| r") && !line.starts_with("| row") => format!("{cells} | review ops |"),
        _ => line.replace("first row wins", "rows agree"),
    }
}

/// An answer or *undecided*, never a hang.
fn hard_tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("hard");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    for (name, text) in [
        ("30-flags-200-rows", hard::flags(200)),
        ("500-boxes-unique-bounds", hard::boxes(500)),
        ("65536-literals", hard::literals(65_536)),
    ] {
        let once = || compile(Source::new("bench.nisi", &*text), &NoSources, &Options::default());
        let found = once().diagnostics.items;
        let told = |code: &str| found.iter().filter(|d| d.code.id == code).count();
        eprintln!(
            "{name}: gaps {}, undecided {} and {}, shadowed {}",
            told("N0301"),
            told("N0309"),
            told("N0324"),
            told("N0311")
        );
        group.bench_function(name, |b| b.iter(|| black_box(once().diagnostics.items.len())));
    }
    group.finish();
}

/// A hundred thousand rows, checked once: a sample would take minutes.
#[allow(clippy::disallowed_methods, reason = "what is measured is time")]
fn hundred_thousand(_: &mut Criterion) {
    let text = workload::policy(&workload::rows(100_000));
    let start = std::time::Instant::now();
    let found = compile(Source::new("bench.nisi", text), &NoSources, &Options::default());
    let took = start.elapsed();
    let told = |code: &str| found.diagnostics.items.iter().filter(|d| d.code.id == code).count();
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("memory unknown").to_string();
    eprintln!("100000x6-sparse, once: {took:.1?}, {peak}; undecided {} and {}", told("N0309"), told("N0324"));
    assert!(took < Duration::from_secs(60), "it took {took:?}");
}

/// The rows that stand in the text, those of the shipped vocabulary included.
fn compile_counts(text: &str) -> usize {
    let head = text.lines().take_while(|line| !line.starts_with("table ")).collect::<Vec<_>>().join("\n");
    let rows = text.lines().filter(|line| line.starts_with("| ")).count() - 1;
    compile(Source::new("bench.nisi", head), &NoSources, &Options::default()).counts.n_rows + rows
}

fn ten_edits(c: &mut Criterion) {
    let rows = workload::rows(1_000);
    let options = Options { proofs: false, ..Options::default() };
    let policy = |text: String| {
        Policy::compile_with(Source::new("bench.nisi", text), &NoSources, &options)
            .unwrap_or_else(|found| panic!("{found}"))
    };
    let (old, new) = (policy(workload::policy(&rows)), policy(workload::edited(&rows)));
    let compare_options = CompareOptions::default();
    let found = compare(&old, &new, &compare_options);
    assert!(!found.changes.is_empty() && found.undecided.is_empty(), "the comparison came to its end");
    eprintln!("1000x6, ten rows edited: {} changes", found.changes.len());
    let mut group = c.benchmark_group("compare");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3));
    group.bench_function("1000x6-ten-edits", |b| {
        b.iter(|| black_box(compare(&old, &new, &compare_options).changes.len()));
    });
    group.finish();
}

criterion_group!(benches, full_check, five_thousand, hard_tables, hundred_thousand, ten_edits);
criterion_main!(benches);
