//! Budget, reserve, brake and instructions: what one intent may spend, and what it may not take from others.

use nisi::Policy;
use nisi::decide::World as Because;
use nisi::judge::{
    AuthorizationRegistry, Event, Instruction, Move, Observation, Pause, Pauses, Quotas, Releases, SharedBrake, Timer,
    World,
};
use nisi::words::{Boundary, Condition, Dispatch, Pushback, Verb};

use super::scene::{Stage, run, world_obstacles};
use crate::support::read;

fn unsent(stage: &Stage) -> nisi::judge::Intent {
    run(&stage.sent(), [stage.seen(1, 500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed)])
}

pub fn policy(budget: &str, rows: &str) -> Policy {
    let text = format!("policy a\nversion 1\nuse std.facts\n{budget}\ntable t, first row wins\n{rows}\n");
    Policy::compile(&text).unwrap_or_else(|found| panic!("{found:?}"))
}

/// The time to confirm is put aside before anything else: whatever is drawn, no act begins, waits or ends in it.
#[test]
fn no_act_takes_the_time_that_is_kept_to_confirm() {
    let stage = Stage::new();
    let intent = unsent(&stage);
    let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
    let kept = stage.envelope.deadline().since_ms(stage.at(0)) - 4_000;
    let mut acts = 0;
    for ms in (0..20_000).step_by(50) {
        for draw in [0, 1, u64::MAX / 3, u64::MAX] {
            let world = World { draw, ..stage.world(ms) };
            let next = stage.policy.next_move(&intent, &seen, &world);
            if let Move::Retry { timer, .. } = next.action() {
                acts += 1;
                let due = timer.due.since_ms(stage.at(0));
                assert!(due + 300 <= kept, "at {ms} it would be sent at {due}, and {kept} begins the reserve");
            }
            assert!(!next.verb().acts() || ms + 300 <= kept);
        }
    }
    assert!(acts > 1_000, "{acts}");
    // A look-up of the result may take the reserve; that is what it is kept for.
    let lost = run(&stage.sent(), [stage.lost(1, 15_900)]);
    let next = stage.policy.next_move(&lost, &Observation::of(Condition::Timeout), &stage.world(16_000));
    let Move::Reconcile(plan) = next.action() else { panic!("{next:?}") };
    assert_eq!(plan.until, stage.envelope.deadline());
}

/// A confirmation has attempts and time of its own: those of the acts are used up, and it goes on.
#[test]
fn a_confirmation_has_its_own_account() {
    let order = read("tests/cases/judge/order.yaml");
    let confirming = Stage::of(&order.replace("effect: consequential_write", "effect: verification"));
    let acting = Stage::of(&order.replace("effect: consequential_write", "effect: immutable_read"));
    let policy = policy(
        "budget {\n  owner coordinator\n  attempts 1\n  deadline 20s\n  reserve 15s\n  confirm 3\n}",
        "| => action |\n| retry now; if refused, review desk |",
    );
    let seen = Observation::of(Condition::Timeout);
    let ask = |stage: &Stage, ms| policy.next_move(&unsent(stage), &seen, &stage.world(ms)).verb();
    assert_eq!([ask(&acting, 1_000), ask(&confirming, 1_000)], [Verb::Review, Verb::Retry], "one attempt, three looks");
    assert_eq!(ask(&confirming, 19_999), Verb::Retry, "the reserve is the confirmation's");
    let text = order.replace("effect: consequential_write", "effect: verification");
    let least = Stage::of(&text.replace("max_attempts: 3", "max_attempts: 1"));
    assert_eq!(ask(&least, 1_000), Verb::Review, "no policy gives more than the envelope");
}

/// What passes never exceeds the share of the intents and the floor, however many threads ask at once; nothing that was
/// given is lost either.
#[test]
fn the_shared_brake_gives_many_threads_no_more_than_it_got() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    for (ratio_ppm, floor, units) in [(100_000, 5, 1), (250_000, 0, 1), (1_000, 2, 3)] {
        let stage = Stage::new();
        let brake = SharedBrake::new(ratio_ppm, floor, stage.at(0));
        let (taken, intents) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let (brake, taken, intents, stage) = (&brake, &taken, &intents, &stage);
                scope.spawn(move || {
                    for i in 0..2_000u64 {
                        // Clocks of threads disagree: each is ahead or behind by up to a tenth of a second.
                        let now = stage.at(i + (thread * 37 + i * 13) % 100);
                        brake.intent();
                        intents.fetch_add(1, Relaxed);
                        let granted = (0..4).filter(|_| brake.take(units, now)).count() as u64 * units;
                        taken.fetch_add(granted, Relaxed);
                    }
                });
            }
        });
        let (taken, intents) = (taken.into_inner(), intents.into_inner());
        let most = ratio_ppm * intents / 1_000_000 + floor * 4;
        assert!(taken <= most, "{taken} units of {most} for {intents} intents");
        assert!(taken + 10 * units >= ratio_ppm * intents / 1_000_000 + floor * 2, "{taken} of {most}: too few");
    }
}

/// A storm: every attempt of every intent fails at once, judged in many threads under one brake. Acts stay under the ratio
/// times the intents and the floor, and what the brake holds back takes the row's own way.
#[test]
fn in_a_storm_acts_stay_under_ratio_and_floor() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    let stage = Stage::new();
    let start = stage.at(0);
    let brake = SharedBrake::of(&stage.policy, start).unwrap();
    let (acts, held) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (stage, brake, acts, held) = (&stage, &brake, &acts, &held);
            scope.spawn(move || {
                for i in 0..100u64 {
                    let ms = 1_000 + i * 10 + thread;
                    let now = stage.at(ms);
                    brake.intent();
                    let mut intent = unsent(stage);
                    for number in 2..6 {
                        let world = World { brake: Some(brake.available(now)), draw: 0, ..stage.world(ms) };
                        let seen =
                            Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
                        let next = stage.policy.next_move(&intent, &seen, &world);
                        let Move::Retry { spend, now: true, .. } = next.action() else {
                            assert_eq!(next.verb(), Verb::Review);
                            held.fetch_add(1, Relaxed);
                            break;
                        };
                        if !brake.take(spend, now) {
                            continue; // another thread was faster: it is judged again
                        }
                        acts.fetch_add(spend, Relaxed);
                        let failed =
                            stage.seen(number, ms, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed);
                        intent = run(&intent, [Event::Dispatch(stage.attempt(&intent, ms)), failed]);
                    }
                }
            });
        }
    });
    // Two seconds by the brake's clock, and the floor's first second.
    let (acts, most) = (acts.into_inner(), 400 / 10 + 5 * 3);
    assert!(acts <= most && acts >= 400 / 10, "{acts} acts, {most} allowed");
    assert!(held.into_inner() > 300, "most are held back");
}

/// What one intent was told holds its siblings back, and nobody else.
#[test]
fn an_instruction_holds_back_the_siblings_of_its_quota_domain() {
    let stage = Stage::new();
    let mut quotas = Quotas::default();
    let domain = |name: &str| Some(name.to_string());
    let learnt = [Instruction::after(stage.at(1_000), 3_000, domain("northwind/acme"))];
    quotas.remember(&learnt, stage.at(1_000));
    quotas.remember(&[Instruction::after(stage.at(1_000), 9_000, None)], stage.at(1_000));
    let sibling = unsent(&stage);
    let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
    let due = |quota_domain, quotas: &Quotas| {
        let world = World { quotas: Some(quotas), quota_domain, draw: 0, ..stage.world(1_500) };
        match stage.policy.next_move(&sibling, &seen, &world).action() {
            Move::Retry { timer, .. } => timer.due.since_ms(stage.at(0)),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(due(Some("northwind/acme"), &quotas), 4_000, "told to another intent, and kept by this one");
    assert_eq!(due(Some("northwind/other"), &quotas), 1_500, "another domain is free");
    assert_eq!(due(None, &quotas), 1_500, "an instruction for one call binds that call");
    quotas.remember(&[Instruction::after(stage.at(1_200), 100, domain("northwind/acme"))], stage.at(1_200));
    assert_eq!(due(Some("northwind/acme"), &quotas), 4_000, "a later and shorter one shortens nothing");
}

/// Told to wait, and nobody heard how long: an old memory of the domain, or one of a sibling's, is no answer to that.
#[test]
fn what_a_sibling_was_told_is_not_what_we_were_told() {
    let stage = Stage::new();
    let order = read("tests/cases/judge/order.yaml");
    let reading = Stage::of(&order.replace("effect: consequential_write", "effect: read"));
    let seen = reading.seen(1, 900, Condition::Overloaded, Dispatch::Refused, Boundary::NotCrossed);
    let intent = run(&reading.sent(), [seen]);
    let told = Observation { pushback: Some(Pushback::Wait), ..Observation::of(Condition::Overloaded) };
    for (from, ms) in [(0, 10), (0, 1_200), (900, 1_000)] {
        let mut quotas = Quotas::default();
        quotas.remember(&[Instruction::after(stage.at(from), ms, Some("nw".into()))], stage.at(from));
        let world = World { quotas: Some(&quotas), quota_domain: Some("nw"), ..reading.world(1_000) };
        let next = reading.policy.next_move(&intent, &told, &world);
        assert!(!next.verb().acts(), "until {from} + {ms}: {next:?}");
    }
}

/// A wait keeps its moment, whether or not the instruction is repeated when it is judged again.
#[test]
fn a_wait_is_not_shortened_by_forgetting_who_asked_for_it() {
    let stage = Stage::new();
    let intent = unsent(&stage);
    let seen = |instructions| Observation {
        pushback: Some(Pushback::None),
        instructions,
        ..Observation::of(Condition::ConnectFailed)
    };
    let told = seen(vec![Instruction::after(stage.at(1_000), 3_000, None)]);
    let next = stage.policy.next_move(&intent, &told, &stage.world(1_000));
    let Some(Event::Later(timer)) = next.event() else { panic!("{next:?}") };
    let waiting = run(&intent, [Event::Later(timer)]);
    let next = stage.policy.next_move(&waiting, &seen(vec![]), &stage.world(2_000));
    assert!(matches!(next.action(), Move::Retry { timer: t, now: false, .. } if t == timer), "{next:?}");
}

/// When a wait ends everything is judged once more: each thing that changed meanwhile refuses what was decided.
#[test]
fn a_wait_that_ends_meets_the_world_as_it_is_then() {
    let mut stage = Stage::new();
    let intent = unsent(&stage);
    let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
    let timer = Timer { since: stage.at(1_000), due: stage.at(1_100), draw: 7 };
    let waiting = run(&intent, [Event::Later(timer)]);
    let ask = |stage: &Stage, change: &dyn Fn(World<'_>) -> Verb| change(stage.world(3_000));
    let judge = |stage: &Stage, world: &World<'_>| stage.policy.next_move(&waiting, &seen, world).verb();
    assert_eq!(ask(&stage, &|world| judge(&stage, &world)), Verb::Retry);
    for pause in [
        Pause::All,
        Pause::Policy("field-guide".into()),
        Pause::Operation("erp.po.create".into()),
        Pause::Provider("northwind".into()),
        Pause::Provider("erp".into()),
        Pause::Tenant("acme".into()),
    ] {
        let pauses = Pauses(vec![pause]);
        let world = World { pauses: Some(&pauses), ..stage.world(3_000) };
        let next = stage.policy.next_move(&waiting, &seen, &world);
        assert_eq!(world_obstacles(&next.obstacles(), Verb::Retry), [Because::Pause], "{pauses:?}");
    }
    for pause in [Pause::Policy("other".into()), Pause::Operation("x".into()), Pause::Tenant("y".into())] {
        let pauses = Pauses(vec![pause]);
        let world = World { pauses: Some(&pauses), ..stage.world(3_000) };
        assert_eq!(judge(&stage, &world), Verb::Retry, "{pauses:?} is not this intent's");
    }
    // Budget: another worker spent it while this one slept.
    let spend = |intent, n| {
        let failed = stage.seen(n, 1_500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed);
        run(intent, [Event::Dispatch(stage.attempt(intent, 1_400)), failed])
    };
    let spent = spend(&spend(&waiting, 2), 3);
    assert_eq!(stage.policy.next_move(&spent, &seen, &stage.world(3_000)).verb(), Verb::Review);
    let brake = World { brake: Some(0), ..stage.world(3_000) };
    assert_eq!(judge(&stage, &brake), Verb::Review);
    // Release: what the id binds is no longer what is registered.
    let registered = std::mem::replace(&mut stage.releases, Releases::read([("r.yaml", "release: other\n")]).unwrap());
    let next = stage.policy.next_move(&waiting, &seen, &stage.world(3_000));
    assert_eq!(next.action(), Move::Review(Some("releases")));
    stage.releases = registered;
    for approval in ["status: superseded", "status: revoked", "status: current\nexpires: 2026-08-07T10:00:03Z"] {
        let text = format!("authorization: approval-3\n{approval}\nlimits: {{ amount: 5000 }}\n");
        stage.approvals = AuthorizationRegistry::read([("a.yaml", text.as_str())]).unwrap();
        let next = stage.policy.next_move(&waiting, &seen, &stage.world(3_000));
        assert_eq!(next.action(), Move::Review(Some("approvals")), "{approval}");
    }
}
