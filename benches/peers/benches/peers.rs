//! nisi and other engines on the same tables and requests: the decision alone, from text to the first answer, and a whole
//! command.
//!
//! The answers of all are compared on every request before anything is timed. `NISI_PEERS_ROWS=10,1000` chooses the
//! numbers of rows of workload B, `NISI_PEERS=nisi,rhai` the engines; with `NISI_PEERS_README=1` the figures are written into the
//! README at the end.
//!
//! Nobody waits for what cannot be waited for: an engine that refuses the table or takes over 50 ms for a decision is left
//! out, and one that takes over two seconds to read the text is timed once. Both are told. Past ten thousand rows the whole
//! command is reading the text and little else, and is not timed.
#![allow(missing_docs, reason = "criterion's macros write the items")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group};
use nisi_peers::engines::{Cedar, Cel, Engine, Nisi, Regorus, Rhai, Zen};
use nisi_peers::sheet::{Column, Sheet, Value};
use nisi_peers::{table_a, workload};

/// A table, its policy, and how many requests are asked of it.
struct Work {
    name: String,
    policy: String,
    sheet: Sheet,
    n_requests: usize,
}

impl Work {
    fn is_large(&self) -> bool {
        self.sheet.rows.len() > 10_000
    }
}

fn works() -> Vec<Work> {
    let flags = ["keyed", "tools_off", "may_vary", "hinted"].map(|flag| (flag, vec!["yes", "no"]));
    let numbers = BTreeMap::from([("left", (1, 1_000, "ms")), ("tries", (1, 4, ""))]);
    let a = Sheet::read(table_a::TABLE, &flags.into(), &numbers);
    let mut works = vec![Work { name: "a".into(), policy: table_a::TABLE.into(), sheet: a, n_requests: 4_096 }];
    let rows = std::env::var("NISI_PEERS_ROWS").unwrap_or_else(|_| "10,1000".into());
    for n_rows in rows.split(',').map(|n| n.trim().parse().expect("a number of rows")) {
        let std = [
            ("condition", workload::CONDITIONS.to_vec()),
            ("effect", workload::EFFECTS.to_vec()),
            ("tier", workload::TIERS.to_vec()),
        ];
        let numbers = BTreeMap::from([("deadline", (50, 200, "ms")), ("budget", (1, 10, ""))]);
        let policy = workload::policy(&workload::rows(n_rows));
        let sheet = Sheet::read(&policy, &std.into(), &numbers);
        let n_requests = if n_rows > 10_000 { 64 } else { 1_024 };
        works.push(Work { name: format!("b-{n_rows}"), policy, sheet, n_requests });
    }
    works
}

/// How long a decision may take.
const MOST_A_DECISION: Duration = Duration::from_millis(50);

/// How long reading the text may take, to be read again and again.
const MOST_A_LOAD: Duration = Duration::from_secs(2);

/// What the bench measures of one engine; nothing where the engine is not asked for.
fn one<E: Engine>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    work: &Work,
    row: impl Fn(&mut E, &E::Request) -> Result<usize, String>,
) {
    let asked = std::env::var("NISI_PEERS").ok();
    if asked.is_some_and(|asked| asked.split(',').all(|name| name.trim() != E::NAME)) {
        return;
    }
    if let Err(why) = timed(group, work, row) {
        eprintln!("peers-{}: {} is left out: {}", work.name, E::NAME, why.lines().next().unwrap_or_default());
    }
}

fn timed<E: Engine>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    work: &Work,
    row: impl Fn(&mut E, &E::Request) -> Result<usize, String>,
) -> Result<(), String> {
    let text = E::text(&work.sheet, &work.policy);
    let values = work.sheet.requests(work.n_requests);
    let started = Instant::now();
    let mut engine = E::load(&text)?;
    let requests: Vec<E::Request> = values.iter().map(|v| engine.request(&work.sheet.columns, v)).collect();
    engine.ask(&requests[0])?;
    let load = started.elapsed();
    let started = Instant::now();
    engine.ask(&requests[0])?;
    let decision = started.elapsed();
    if load > MOST_A_LOAD {
        eprintln!("peers-{}: {} takes {load:.2?} from text to the first answer, timed once", work.name, E::NAME);
    }
    if decision > MOST_A_DECISION {
        return Err(format!("a decision takes {decision:.2?}"));
    }
    for (values, request) in values.iter().zip(&requests) {
        assert_eq!(row(&mut engine, request)?, work.sheet.scan(values), "{} on {values:?}", E::NAME);
    }
    let mut ask = |r: &E::Request| engine.ask(r).expect("it answered before");
    group.throughput(Throughput::Elements(requests.len() as u64));
    group.bench_function(format!("decision/{}", E::NAME), |b| {
        b.iter(|| requests.iter().map(|r| ask(black_box(r))).sum::<usize>());
    });
    group.throughput(Throughput::Elements(1));
    if load <= MOST_A_LOAD {
        let ready = || E::load(black_box(&text)).and_then(|mut engine| engine.ask(&requests[0]));
        group.bench_function(format!("load/{}", E::NAME), |b| b.iter(ready));
    }
    if !work.is_large() {
        command::<E>(group, work, &text, &values[0]);
    }
    Ok(())
}

/// A program that starts, loads, answers one request and ends.
fn command<E: Engine>(group: &mut BenchmarkGroup<'_, WallTime>, work: &Work, text: &str, values: &[Value]) {
    let file = std::env::temp_dir().join(format!("nisi-peers-{}-{}-{}", std::process::id(), work.name, E::NAME));
    std::fs::write(&file, text).expect("a file in the folder for such files");
    let fact = |(column, value): (&Column, &Value)| match value {
        Value::Word(word) => format!("{}={word}", column.name),
        Value::Number(n) => format!("{}={n}:{}", column.name, column.unit),
    };
    let facts: Vec<String> = work.sheet.columns.iter().zip(values).map(fact).collect();
    group.bench_function(format!("command/{}", E::NAME), |b| {
        b.iter(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_once"));
            assert!(command.arg(E::NAME).arg(&file).args(&facts).status().expect("it starts").success());
        });
    });
    std::fs::remove_file(&file).expect("the file is ours");
}

fn peers(c: &mut Criterion) {
    for work in works() {
        let mut group = c.benchmark_group(format!("peers-{}", work.name));
        group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        if work.is_large() {
            // One more time a sample, as criterion would like it, is too much where one takes a second.
            group.sampling_mode(SamplingMode::Flat);
        }
        one::<Nisi>(&mut group, &work, Nisi::row);
        one::<Zen>(&mut group, &work, Zen::ask);
        one::<Cel>(&mut group, &work, Cel::ask);
        one::<Rhai>(&mut group, &work, Rhai::ask);
        one::<Cedar>(&mut group, &work, Cedar::ask);
        one::<Regorus>(&mut group, &work, Regorus::ask);
        let values = work.sheet.requests(work.n_requests);
        group.throughput(Throughput::Elements(values.len() as u64));
        group.bench_function("decision/scan", |b| {
            b.iter(|| values.iter().map(|v| work.sheet.scan(black_box(v))).sum::<usize>());
        });
        group.finish();
    }
}

criterion_group!(benches, peers);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    if std::env::var_os("NISI_PEERS_README").is_some() {
        nisi_peers::table::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    }
}
