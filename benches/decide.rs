//! One decision: the program, the plain evaluator, and what a careful engineer writes by hand, on the same facts.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nisi::compile::{NoSources, Options};
use nisi::decide::{Facts, Raw, Refused};
use nisi::text::Source;
use nisi::words::Verb;
use nisi::{Decision, Policy};

use workload::{CONDITIONS, Draw, EFFECTS};

/// The field guide's table in short, as a policy.
const TABLE: &str = "policy workload-a
version 1
use std.facts
fact code : rejected, overloaded, connect_failed, timeout, provider_failure, unknown_policy, stale, incompatible, other, none
fact class : read, idempotent_write, computational, consequential_write, proposed
fact sent : not_sent, maybe, sent
fact left : count
table t, first row wins
| row | code | class | sent | tier | left | => action |
| permanent | rejected | - | - | - | - | stop |
| overload | overloaded | read, idempotent_write | - | - | >= 500 | review retry |
| unsent | connect_failed | - | not_sent | - | >= 1 | review retry |
| read | timeout | read | - | - | >= 200 | review retry |
| draft | timeout | computational | - | - | >= 1 | review failover |
| write | timeout | consequential_write | - | - | - | reconcile by event within 4s; if refused, review ops |
| provider | provider_failure | proposed | - | low..high | - | review failover |
| seen | unknown_policy, stale, incompatible | - | - | - | - | review person |
| rest | - | - | - | - | - | stop |
";

/// One request, as a hand-written branch takes it.
#[derive(Clone, Copy)]
struct Request {
    code: u8,
    class: u8,
    sent: u8,
    tier: u8,
    left: u64,
}

/// The same table as a careful engineer writes it; gives the row.
fn by_hand(r: &Request) -> usize {
    match (r.code, r.class) {
        (0, _) => 0,
        (1, 0 | 1) if r.left >= 500 => 1,
        (2, _) if r.sent == 0 && r.left >= 1 => 2,
        (3, 0) if r.left >= 200 => 3,
        (3, 2) if r.left >= 1 => 4,
        (3, 3) => 5,
        (4, 4) if r.tier <= 2 => 6,
        (5..=7, _) => 7,
        _ => 8,
    }
}

fn word(text: &str) -> Raw {
    Raw::Plain(text.into())
}

fn facts_of(policy: &Policy, r: &Request) -> Facts {
    let codes = [
        "rejected",
        "overloaded",
        "connect_failed",
        "timeout",
        "provider_failure",
        "unknown_policy",
        "stale",
        "incompatible",
        "other",
        "none",
    ];
    let classes = ["read", "idempotent_write", "computational", "consequential_write", "proposed"];
    let given = [
        ("code", word(codes[usize::from(r.code)])),
        ("class", word(classes[usize::from(r.class)])),
        ("sent", word(["not_sent", "maybe", "sent"][usize::from(r.sent)])),
        ("tier", word(["low", "medium", "high", "critical"][usize::from(r.tier)])),
        ("left", Raw::Number(r.left.to_string())),
    ];
    policy.read_facts(given.map(|(name, value)| (name.to_string(), value))).unwrap()
}

fn row_of(policy: &Policy, decision: &Decision<'_>) -> usize {
    let name = decision.row_name().unwrap();
    policy.rows().filter(|r| r.table() == "t").position(|r| r.to_string() == name).unwrap()
}

fn workload_a(c: &mut Criterion) {
    let policy = Policy::compile(TABLE).unwrap_or_else(|found| panic!("{found}"));
    let mut draw = Draw(1);
    let mut number = |n: u64| draw.below(n);
    let requests: Vec<Request> = (0..65_536)
        .map(|_| Request {
            code: number(10) as u8,
            class: number(5) as u8,
            sent: number(3) as u8,
            tier: number(4) as u8,
            left: number(1_000),
        })
        .collect();
    let facts: Vec<Facts> = requests.iter().map(|r| facts_of(&policy, r)).collect();
    for (request, facts) in requests.iter().zip(&facts).take(4_096) {
        assert_eq!(row_of(&policy, &policy.decide(facts)), by_hand(request));
    }
    let mut group = c.benchmark_group("workload-a");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(requests.len() as u64));
    group.bench_function("by-hand", |b| b.iter(|| requests.iter().map(|r| by_hand(black_box(r))).sum::<usize>()));
    group.bench_function("decide", |b| {
        b.iter(|| facts.iter().filter(|f| policy.decide(black_box(f)).verb() == Verb::Review).count());
    });
    let nothing = Refused::nothing();
    group.bench_function("plainly", |b| {
        b.iter(|| {
            facts.iter().filter(|f| policy.decide_plainly(black_box(f), &nothing).verb() == Verb::Review).count()
        });
    });
    group.finish();
}

fn workload_b(c: &mut Criterion) {
    let mut group = c.benchmark_group("workload-b");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    for n_rows in [10, 1_000, 100_000] {
        let options = Options { proofs: false, ..Options::default() };
        let source = Source::new("bench.nisi", workload::policy(n_rows));
        let policy = Policy::compile_with(source, &NoSources, &options).unwrap_or_else(|found| panic!("{found}"));
        let mut draw = Draw(3);
        let facts: Vec<Facts> = (0..4_096)
            .map(|_| {
                let given = [
                    ("service", word(&format!("s{}", draw.below(200)))),
                    ("condition", word(CONDITIONS[draw.below(10) as usize])),
                    ("effect", word(EFFECTS[draw.below(5) as usize])),
                    ("tier", word(["low", "medium", "high", "critical"][draw.below(4) as usize])),
                    ("deadline", Raw::Number((draw.below(200) * 50).to_string())),
                    ("rank", Raw::Number("5".into())),
                ];
                policy.read_facts(given.map(|(name, value)| (name.to_string(), value))).unwrap()
            })
            .collect();
        let nothing = Refused::nothing();
        for facts in facts.iter().take(64) {
            let plain = policy.decide_plainly(facts, &nothing).row_name();
            assert_eq!(policy.decide(facts).row_name(), plain);
        }
        group.throughput(Throughput::Elements(facts.len() as u64));
        group.bench_function(format!("decide/{n_rows}"), |b| {
            b.iter(|| facts.iter().filter(|f| policy.decide(black_box(f)).verb() == Verb::Review).count());
        });
    }
    group.finish();
}

criterion_group!(benches, workload_a, workload_b);
criterion_main!(benches);
