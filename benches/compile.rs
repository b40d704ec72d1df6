//! From text to ready: a shipped policy, a thousand rows, a hundred thousand rows; with the proofs and without; from an
//! artifact; and how long it takes to format them.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use nisi::Policy;
use nisi::compile::{NoSources, Options, compile};
use nisi::format::format;
use nisi::text::Source;
use sha2::{Digest, Sha256};

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

/// From an artifact to ready, beside what reading the same bytes costs at least: a copy of them, and their SHA-256.
fn artifact_to_ready(c: &mut Criterion) {
    let mut group = c.benchmark_group("artifact-to-ready");
    group.sample_size(30).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    let guide = Policy::compile(include_str!("../policies/field-guide.nisi")).unwrap().to_artifact();
    group.bench_function("field-guide", |b| b.iter(|| black_box(Policy::load(guide.as_slice()).unwrap())));
    let options = Options { proofs: false, ..Options::default() };
    let text = workload::policy(&workload::rows(100_000));
    let many = compile(Source::new("bench.nisi", text), &NoSources, &options).policy.unwrap().to_artifact();
    println!("100000 rows: {} bytes", many.len());
    // A file that was read is taken as it is.
    group.bench_function("100000-rows", |b| {
        b.iter_batched(|| many.clone(), |bytes| Policy::load(bytes).unwrap(), BatchSize::LargeInput);
    });
    group.bench_function("100000-rows/copied", |b| b.iter(|| black_box(many.clone())));
    group.bench_function("100000-rows/sha256", |b| b.iter(|| black_box(Sha256::digest(&many))));
    group.bench_function("100000-rows/crc32", |b| b.iter(|| black_box(crc32fast::hash(&many))));
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

criterion_group!(benches, text_to_ready, artifact_to_ready, formatted);
criterion_main!(benches);
