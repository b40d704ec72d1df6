//! Many decisions at once beside each other: on one core, on all of them, and from record batches of Arrow, on the requests
//! of workload A. `decide` has the same requests written by hand.
//!
//! The answers are compared before anything is timed.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]
#![allow(dead_code, reason = "the requests are those of another benchmark")]

mod table_a;
mod workload;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nisi::decide::Answers;
use nisi::decide::arrow::types::Int8Type;
use nisi::decide::arrow::{ArrayRef, BooleanArray, DictionaryArray, RecordBatch, UInt32Array};

use table_a::{CHOICES, Columned, FLAGS};

/// The requests as a record batch: words in dictionaries.
fn records(columned: &Columned) -> RecordBatch {
    let choices = CHOICES.into_iter().zip(&columned.words).map(|((name, words), places)| {
        let words = places.iter().map(|place| words[usize::from(*place)]);
        (name, Arc::new(words.collect::<DictionaryArray<Int8Type>>()) as ArrayRef)
    });
    let flags = FLAGS.into_iter().zip(&columned.flags);
    let flags = flags.map(|(name, flags)| (name, Arc::new(BooleanArray::from(flags.clone())) as ArrayRef));
    let numbers = [("left", &columned.left), ("tries", &columned.tries)];
    let numbers = numbers.map(|(name, all)| (name, Arc::new(UInt32Array::from(all.clone())) as ArrayRef));
    RecordBatch::try_from_iter(choices.chain(flags).chain(numbers)).unwrap()
}

fn workload_a(c: &mut Criterion) {
    let asker = table_a::Asker::new();
    let policy = &asker.policy;
    let mut group = c.benchmark_group("batch");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for n_requests in [4_096, 1_048_576] {
        let columned = Columned::new(&table_a::requests(n_requests));
        let (columns, records) = (asker.columns(&columned), records(&columned));
        let facts = policy.read_records(&records).unwrap();
        let [mut answers, mut others, mut of_records] = [(); 3].map(|()| Answers::default());
        policy.decide_batch(&columns, &mut answers).unwrap();
        policy.decide_batch_on_all_cores(&columns, &mut others).unwrap();
        policy.decide_batch(&facts.columns(), &mut of_records).unwrap();
        assert_eq!((answers.rows(), answers.verbs()), (others.rows(), others.verbs()));
        assert_eq!((answers.rows(), answers.verbs()), (of_records.rows(), of_records.verbs()));

        group.throughput(Throughput::Elements(n_requests as u64));
        group.bench_function(format!("one-core/{n_requests}"), |b| {
            b.iter(|| policy.decide_batch(black_box(&columns), &mut answers));
        });
        group.bench_function(format!("all-cores/{n_requests}"), |b| {
            b.iter(|| policy.decide_batch_on_all_cores(black_box(&columns), &mut others));
        });
        group.bench_function(format!("read-records/{n_requests}"), |b| {
            b.iter(|| policy.read_records(black_box(&records)));
        });
        group.bench_function(format!("decide-records/{n_requests}"), |b| {
            b.iter(|| policy.decide_batch(black_box(&facts.columns()), &mut of_records));
        });
        group.bench_function(format!("to-records/{n_requests}"), |b| {
            b.iter(|| black_box(&answers).to_records(policy));
        });
    }
    group.finish();
}

criterion_group!(benches, workload_a);
criterion_main!(benches);
