//! One decision: the program, the plain evaluator, and what a careful engineer writes by hand, on the same requests.
//!
//! The answers are compared on every request before anything is timed.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

mod table_a;
mod workload;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use nisi::compile::{NoSources, Options};
use nisi::decide::{Answers, Facts, Handle, Hint, Refused, Round, StandardFacts};
use nisi::text::Source;
use nisi::words::{Acceptable, Authorization, Condition, Dispatch, Effect, Release, Shown, Tools, Verb};
use nisi::{Decision, Policy};

use workload::{CONDITIONS, Draw, EFFECTS, Request, Row, TIERS};

fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group
}

/// The sum of what is decided, as the sum of what is answered by hand.
fn sum_of<'a>(decisions: impl Iterator<Item = Decision<'a>>) -> usize {
    decisions.map(|decision| decision.verb() as usize).sum()
}

/// Asks one after the other: which one is next depends on whether the answer is to stop, so that no two are worked out
/// side by side, and all sides take the same way through the same requests.
fn in_turn<T>(all: &[T], stops: impl Fn(&T) -> bool) -> usize {
    (0..all.len()).fold(0, |at, _| (at + 1 + usize::from(stops(black_box(&all[at])))) % all.len())
}

fn workload_a(c: &mut Criterion) {
    let asker = table_a::Asker::new();
    let nothing = Refused::nothing();
    let mut group = group(c, "workload-a");
    for n_requests in [4_096, 65_536, 1_048_576] {
        let requests = table_a::requests(n_requests);
        asker.assert_same(&requests);
        group.throughput(Throughput::Elements(n_requests as u64));
        group.bench_function(format!("by-hand/{n_requests}"), |b| {
            b.iter(|| requests.iter().map(|r| table_a::by_hand(black_box(r)) as usize).sum::<usize>());
        });
        let mut slate = asker.policy.no_facts();
        group.bench_function(format!("set-and-decide/{n_requests}"), |b| {
            b.iter(|| {
                let ask = |r: &table_a::Request| {
                    asker.put(r, &mut slate);
                    asker.policy.decide(&slate).verb() == Verb::Review
                };
                requests.iter().map(ask).filter(|is| *is).count()
            });
        });
        let (columned, mut answers) = (table_a::Columned::new(&requests), Answers::default());
        let columns = asker.columns(&columned);
        asker.policy.decide_batch(&columns, &mut answers).unwrap();
        let verb = |facts: &Facts| asker.policy.decide(facts).verb();
        assert!(requests.iter().zip(answers.verbs()).all(|(r, is)| verb(&asker.facts(r)) == *is));
        group.bench_function(format!("batch/{n_requests}"), |b| {
            b.iter(|| asker.policy.decide_batch(black_box(&columns), &mut answers));
        });
        let facts: Vec<Facts> = requests.iter().map(|r| asker.facts(r)).collect();
        group.bench_function(format!("decide/{n_requests}"), |b| {
            b.iter(|| sum_of(facts.iter().map(|f| asker.policy.decide(black_box(f)))));
        });
        group.bench_function(format!("by-hand-in-turn/{n_requests}"), |b| {
            b.iter(|| in_turn(&requests, |r| table_a::by_hand(r) == table_a::Answer::Stop));
        });
        group.bench_function(format!("decide-in-turn/{n_requests}"), |b| {
            b.iter(|| in_turn(&facts, |f| verb(f) == Verb::Stop));
        });
        // The plain evaluator is the same with more of them.
        if n_requests > 65_536 {
            continue;
        }
        group.bench_function(format!("plainly/{n_requests}"), |b| {
            b.iter(|| sum_of(facts.iter().map(|f| asker.policy.decide_plainly(black_box(f), &nothing))));
        });
    }
    group.finish();
}

/// Decisions on one thread and on two, which share the policy and nothing else.
fn threads(c: &mut Criterion) {
    let asker = table_a::Asker::new();
    let facts: Vec<Facts> = table_a::requests(65_536).iter().map(|r| asker.facts(r)).collect();
    let mut group = group(c, "threads");
    for n_threads in [1, 2] {
        group.throughput(Throughput::Elements(16 * facts.len() as u64));
        group.bench_function(format!("decide/{n_threads}"), |b| {
            let ask = |facts: &[Facts]| sum_of(facts.iter().map(|f| asker.policy.decide(f)));
            let part = |facts: &[Facts]| (0..16).map(|_| ask(facts)).sum::<usize>();
            let part = &part;
            b.iter(|| {
                std::thread::scope(|scope| {
                    let chunks = facts.chunks(facts.len() / n_threads);
                    let asked: Vec<_> = chunks.map(|chunk| scope.spawn(move || part(chunk))).collect();
                    asked.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
                })
            });
        });
    }
    group.finish();
}

/// Seeded facts for the field guide's policy, everything known.
fn standard(draw: &mut Draw) -> StandardFacts {
    let conditions = [Condition::Pending, Condition::Rejected, Condition::Overloaded, Condition::ConnectFailed];
    let more = [Condition::Timeout, Condition::ProviderFailure, Condition::Conflict, Condition::AlreadyDone];
    let effects = [Effect::ImmutableRead, Effect::Read, Effect::Inference, Effect::Proposal];
    let writes = [Effect::Write, Effect::ConsequentialWrite];
    let (conditions, effects) = ([conditions, more].concat(), [&effects[..], &writes].concat());
    let dispatches = [Dispatch::MaybeProcessed, Dispatch::Processed, Dispatch::Refused, Dispatch::NotSent];
    StandardFacts {
        condition: Some(conditions[draw.place(conditions.len())]),
        effect: Some(effects[draw.place(effects.len())]),
        dispatch: Some(dispatches[draw.place(dispatches.len())]),
        idempotent: Some(draw.below(2) == 0),
        tools: Some([Tools::Disabled, Tools::Enabled][draw.place(2)]),
        variation: Some([Acceptable::Acceptable, Acceptable::Unacceptable][draw.place(2)]),
        cost: Some(Acceptable::Acceptable),
        output: Some([Shown::None, Shown::Partial][draw.place(2)]),
        hint: Hint::None,
        authorization: Some(Authorization::Current),
        release: Some(Release::Registered),
        deadline: Some(Duration::from_millis(draw.below(20_000))),
        budget: Some(draw.below(4)),
        attempt: Some(1 + draw.below(3)),
        ..StandardFacts::default()
    }
}

fn field_guide(c: &mut Criterion) {
    let policy =
        Policy::compile(include_str!("../policies/field-guide.nisi")).unwrap_or_else(|found| panic!("{found}"));
    let mut draw = Draw(5);
    let facts: Vec<Facts> = (0..4_096).map(|_| policy.facts(&standard(&mut draw))).collect();
    let nothing = Refused::nothing();
    for facts in &facts {
        let (fast, plain) = (policy.decide(facts), policy.decide_plainly(facts, &nothing));
        assert_eq!((fast.row_name(), fast.verb()), (plain.row_name(), plain.verb()));
    }
    let mut group = group(c, "field-guide");
    group.throughput(Throughput::Elements(facts.len() as u64));
    group.bench_function("decide", |b| {
        b.iter(|| sum_of(facts.iter().map(|f| policy.decide(black_box(f)))));
    });
    group.bench_function("plainly", |b| {
        b.iter(|| sum_of(facts.iter().map(|f| policy.decide_plainly(black_box(f), &nothing))));
    });
    group.finish();
}

fn facts_of(policy: &Policy, handles: &[Handle; 6], r: &Request) -> Facts {
    let mut facts = policy.no_facts();
    let [service, condition, effect, tier, deadline, budget] = *handles;
    facts.set_word(service, &format!("s{}", r.service)).unwrap();
    facts.set_word(condition, CONDITIONS[usize::from(r.condition)]).unwrap();
    facts.set_word(effect, EFFECTS[usize::from(r.effect)]).unwrap();
    facts.set_word(tier, TIERS[usize::from(r.tier)]).unwrap();
    facts.set_duration(deadline, Duration::from_millis(r.deadline_ms.into()), Round::Down).unwrap();
    facts.set_count(budget, u64::from(r.budget)).unwrap();
    facts
}

/// The first row that holds, tested row by row; the number of rows for `otherwise`.
fn scan(rows: &[Row], request: &Request) -> usize {
    rows.iter().position(|row| row.holds(request)).unwrap_or(rows.len())
}

/// One table, asked by `decide` and by a scan over its typed rows.
fn table_b(group: &mut BenchmarkGroup<WallTime>, name: &str, rows: &[Row], any: fn(&mut Draw) -> Request) {
    let options = Options { proofs: false, ..Options::default() };
    let source = Source::new("bench.nisi", workload::policy(rows));
    let policy = Policy::compile_with(source, &NoSources, &options).unwrap_or_else(|found| panic!("{found}"));
    let handles = ["service", "condition", "effect", "tier", "deadline", "budget"].map(|n| policy.handle(n).unwrap());
    let mut draw = Draw(3);
    let requests: Vec<Request> = (0..4_096).map(|_| any(&mut draw)).collect();
    let facts: Vec<Facts> = requests.iter().map(|r| facts_of(&policy, &handles, r)).collect();
    let mut sum = 0;
    for (request, facts) in requests.iter().zip(&facts) {
        let row = scan(rows, request);
        let name = if row == rows.len() { "t/otherwise".into() } else { format!("t/r{row}") };
        assert_eq!(policy.decide(facts).row_name(), Some(name));
        sum += row;
    }
    let (mean, inspection) = (sum / requests.len(), policy.inspect());
    let (n_bytes, kind) = (inspection.n_bytes() / rows.len(), inspection.tables.last().unwrap().kind());
    eprintln!("{name}: the mean deciding row is {mean}; {kind}, {n_bytes} bytes a row");
    group.throughput(Throughput::Elements(facts.len() as u64));
    group.bench_function(format!("decide/{name}"), |b| {
        b.iter(|| sum_of(facts.iter().map(|f| policy.decide(black_box(f)))));
    });
    group.bench_function(format!("scan/{name}"), |b| {
        b.iter(|| requests.iter().map(|r| scan(rows, black_box(r))).sum::<usize>());
    });
}

fn workload_b(c: &mut Criterion) {
    let mut group = group(c, "workload-b");
    for n_rows in [10, 1_000, 100_000] {
        table_b(&mut group, &format!("{n_rows}"), &workload::rows(n_rows), Request::any);
    }
    for any_in_hundred in [50, 5] {
        let rows = workload::free(100_000, any_in_hundred);
        table_b(&mut group, &format!("free-{any_in_hundred}"), &rows, Request::any_free);
    }
    table_b(&mut group, "partition", &workload::partition(100_000), Request::any_free);
    group.finish();
}

criterion_group!(benches, workload_a, threads, field_guide, workload_b);
criterion_main!(benches);
