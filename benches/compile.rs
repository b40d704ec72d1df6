//! From text to ready: a shipped policy, a thousand rows, a hundred thousand rows; with the proofs and without; and how
//! long it takes to format them.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use nisi::compile::{NoSources, Options, compile};
use nisi::format::format;
use nisi::text::Source;

fn text_to_ready(c: &mut Criterion) {
    let mut group = c.benchmark_group("text-to-ready");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    let thousand = workload::policy(&workload::rows(1_000));
    let many = workload::policy(&workload::rows(100_000));
    let cases = [
        ("field-guide/proven", include_str!("../policies/field-guide.nisi"), true),
        ("field-guide/unproven", include_str!("../policies/field-guide.nisi"), false),
        ("1000-rows/proven", &thousand, true),
        ("1000-rows/unproven", &thousand, false),
        ("100000-rows/unproven", &many, false),
    ];
    for (name, text, proofs) in cases {
        let options = Options { proofs, ..Options::default() };
        let once = || compile(Source::new("bench.nisi", text), &NoSources, &options);
        assert!(once().policy.is_some(), "{}", once().diagnostics);
        group.bench_function(name, |b| b.iter(|| black_box(once().policy.is_some())));
    }
    group.finish();
}

/// A hundred thousand rows, written anew and left as they are: each is read, written, and read again where it changed.
fn formatted(c: &mut Criterion) {
    let mut group = c.benchmark_group("format");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    let given = workload::policy(&workload::rows(100_000));
    let options = nisi::format::Options::default();
    let once = |text: &str| format(text, &options).unwrap().text;
    let normal = once(&given);
    assert!(given != normal && once(&normal) == normal);
    for (name, text) in [("100000-rows/anew", &given), ("100000-rows/as-they-are", &normal)] {
        group.bench_function(name, |b| b.iter(|| black_box(once(text).len())));
    }
    group.finish();
}

criterion_group!(benches, text_to_ready, formatted);
criterion_main!(benches);
