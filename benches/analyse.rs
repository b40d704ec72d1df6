//! The proofs on large policies: a full check of a thousand rows over nine columns, and two policies of a thousand rows
//! compared for every input.
#![allow(missing_docs, reason = "criterion's macros write the items")]

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

criterion_group!(benches, full_check, ten_edits);
criterion_main!(benches);
