//! The whole judgement beside the decision inside it, in one run: an intent, what was seen, a world of registries.
#![allow(missing_docs, reason = "criterion's macros write the items")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use nisi::Policy;
use nisi::judge::{
    AuthorizationRegistry, Dispatching, Envelope, Event, Intent, Observation, Observed, Releases, World,
};
use nisi::words::{Boundary, Condition, Dispatch, Pushback, Verb};

/// An intent whose first attempt could not be sent: a retry, and a failover beside it, are open.
fn unsent(envelope: &Envelope) -> Intent {
    let at = envelope.created_at();
    let attempt = Dispatching::next(&Intent::new(envelope.clone()), at);
    let seen = Observed {
        attempt: 1,
        at: at.plus_ms(500),
        condition: Condition::ConnectFailed,
        dispatch: Some(Dispatch::NotSent),
        boundary: Some(Boundary::NotCrossed),
        provider_request_id: None,
    };
    let version = envelope.authorization_version().clone();
    let events = [Event::Prepare, Event::Authorize(version), Event::Dispatch(attempt), Event::Observe(seen)];
    events.into_iter().fold(Intent::new(envelope.clone()), |intent, event| intent.step(event).unwrap().0)
}

fn next_move(c: &mut Criterion) {
    let policy = Policy::compile(include_str!("../policies/field-guide.nisi")).unwrap_or_else(|e| panic!("{e}"));
    let envelope = Envelope::read(include_str!("../tests/cases/judge/order.yaml")).unwrap();
    let releases = Releases::read([("r.yaml", include_str!("../tests/cases/judge/releases.yaml"))]).unwrap();
    let text = "authorization: approval-3\nstatus: current\nlimits: {amount: 5000}\n";
    let approvals = AuthorizationRegistry::read([("a.yaml", text)]).unwrap();
    let intent = unsent(&envelope);
    let world = World {
        authorizations: Some(&approvals),
        releases: Some(&releases),
        brake: Some(9),
        ..World::at(envelope.created_at().plus_ms(1_000), "coordinator")
    };
    let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
    let mut facts = policy.no_facts();
    assert_eq!(policy.next_move_in(&mut facts, &intent, &seen, &world).verb(), Verb::Retry);
    let mut group = c.benchmark_group("judge");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let asked = facts.clone();
    group.bench_function("decide", |b| b.iter(|| policy.decide(black_box(&asked)).verb()));
    group.bench_function("next_move_in", |b| {
        b.iter(|| {
            let next = policy.next_move_in(&mut facts, black_box(&intent), &seen, &world);
            black_box(next.action());
        });
    });
    group.bench_function("next_move", |b| {
        b.iter(|| {
            black_box(policy.next_move(black_box(&intent), &seen, &world).action());
        });
    });
    group.bench_function("next_move and record", |b| {
        b.iter(|| policy.next_move(black_box(&intent), &seen, &world).record());
    });
    group.finish();
}

criterion_group!(benches, next_move);
criterion_main!(benches);
