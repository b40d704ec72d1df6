//! What never happens, over many scenes: no decision acts where a guard or the world refuses, and every move is a step that
//! the intent may take.

use std::collections::BTreeSet;

use nisi::decide::StandardFacts;
use nisi::judge::{Event, Instruction, Intent, Move, NextMove, Observation, Pause, Pauses, Replayed, Timer, World};
use nisi::words::{Authorization, Boundary, Condition, Dispatch, ParityVerdict, Pushback, Release, Verb};

use super::scene::{Stage, run};
use crate::support::read;

pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    /// One of them, or nothing as often as each.
    pub fn some<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.next() as usize % (all.len() + 1)).copied()
    }

    pub fn one<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.next() as usize % all.len()].clone()
    }
}

/// An intent somewhere on its way.
fn on_its_way(stage: &Stage, draw: &mut Draw) -> Intent {
    let mut intent = stage.sent();
    for _ in 0..draw.next() % 7 {
        let at = draw.next() % 18_000;
        let number = 1 + draw.next() % intent.attempts().len() as u64;
        let condition =
            draw.one(&[Condition::Timeout, Condition::Rejected, Condition::ConnectFailed, Condition::Pending]);
        let event = match draw.next() % 9 {
            0 | 1 => stage.seen(number, at, condition, draw.one(Dispatch::ALL), draw.one(Boundary::ALL)),
            2 => stage.lost(number, at),
            3 => Event::Dispatch(stage.attempt(&intent, at)),
            4 => Event::Absent,
            5 => Event::Look("reference".into()),
            6 => Event::Reconcile { by: "reference".into(), within_ms: 10 },
            7 => draw.one(&[Event::Cancel, Event::Receipt("PO-1".parse().unwrap()), Event::Stop]),
            _ => {
                let (since, due) = (stage.at(at), stage.at(at + draw.next() % 2_000));
                Event::Later(Timer { since, due, draw: draw.next() })
            }
        };
        if let Ok((next, _)) = intent.step(event) {
            intent = next;
        }
    }
    intent
}

#[test]
fn no_move_acts_where_the_world_refuses_and_every_move_is_a_step() {
    let order = read("tests/cases/judge/order.yaml");
    let of = |effect: &str| {
        Stage::of(
            &order
                .replace("consequential_write", effect)
                .replace("tier: high", "tier: low, variation: acceptable, cost: acceptable"),
        )
    };
    let mut stages = vec![Stage::new(), of("read"), of("inference"), of("proposal"), of("write")];
    stages.push(Stage::of(&order.replace("idempotent: yes", "idempotent: no")));
    let approvals = ["current", "revoked"].map(|status| {
        let text = format!("authorization: approval-3\nstatus: {status}\nlimits: {{amount: 5000}}\n");
        nisi::judge::AuthorizationRegistry::read([("a.yaml", text.as_str())]).unwrap()
    });
    let pauses = [
        vec![],
        vec![Pause::Tenant("acme".into())],
        vec![Pause::Provider("northwind".into())],
        vec![Pause::Policy("other".into())],
    ]
    .map(Pauses);
    let (mut draw, mut seen) = (Draw(0xfeed), BTreeSet::new());
    for round in 0..8_000 {
        let stage = &stages[round % stages.len()];
        let intent = on_its_way(stage, &mut draw);
        let (now, layer) = (draw.next() % 21_000, draw.one(&["coordinator", "coordinator", "coordinator", "sdk"]));
        let paused = draw.one(&[0, 0, 0, 1, 2, 3]);
        let stale = draw.next() % 5 == 0;
        let world = World {
            draw: draw.next(),
            layer,
            brake: draw.one(&[Some(0), Some(1), Some(9), Some(9), None]),
            pauses: Some(&pauses[paused]),
            authorizations: Some(&approvals[usize::from(stale)]),
            ..stage.world(now)
        };
        let instructed = if draw.next() % 3 == 0 {
            vec![Instruction::after(stage.at(now), draw.next() % 4_000, None)]
        } else {
            vec![]
        };
        let observation = Observation {
            condition: draw.some(Condition::ALL),
            pushback: draw.some(&[Pushback::None, Pushback::Wait]),
            instructions: instructed.clone(),
            ..Observation::default()
        };
        let next = stage.policy.next_move(&intent, &observation, &world);
        seen.insert(next.verb());
        assert_eq!(stage.policy.replay(&next.record()), Replayed::Same);
        if next.verb().acts() {
            assert_eq!(layer, "coordinator");
            assert!(paused != 1 && !stale && world.brake >= Some(1), "{next:?}");
            assert!(paused != 2 || next.verb() == Verb::Failover, "only away from what is paused: {next:?}");
            assert!(intent.asked_end().is_none() && !intent.state().is_end() && intent.spent() < 3);
            assert!(stage.at(now) < stage.envelope.deadline().plus_ms(0));
            let mut attempt = stage.attempt(&intent, now);
            if let Move::Failover { to, .. } = next.action() {
                attempt.release = to.clone();
            }
            assert!(intent.step(Event::Dispatch(attempt)).is_ok(), "{next:?} cannot be carried out from {intent:?}");
        }
        if let Move::Retry { timer, .. } = next.action() {
            let instructed = instructed.iter().map(|i| i.until).max();
            assert!(instructed.is_none_or(|until| timer.due >= until), "an instruction was shortened");
            assert!(
                intent.timer().is_none_or(|t| timer.since == t.since && timer.draw == t.draw || t.since > world.now)
            );
        }
        if let Move::Reconcile(plan) = next.action() {
            assert!(plan.by != "event" && plan.until <= stage.envelope.deadline(), "{plan:?}");
        }
        if let Some(event) = next.event() {
            let legal = intent.step(event.clone());
            assert!(legal.is_ok() || intent.state().is_end(), "{event:?}: {legal:?} from {:?}", intent.state());
        }
    }
    assert!(
        [Verb::Retry, Verb::Failover, Verb::Reconcile, Verb::Review, Verb::Stop, Verb::Done]
            .iter()
            .all(|v| seen.contains(v)),
        "{seen:?}"
    );
}

fn again<'a>(stage: &'a Stage, waiting: &'a Intent, ms: u64, seen: &Observation) -> NextMove<'a> {
    stage.policy.next_move(waiting, seen, &stage.world(ms))
}

/// A wait is judged again when it ends: with the approval, the pause and the instructions as they are then.
#[test]
fn a_wait_is_judged_again_when_it_ends() {
    let mut stage = Stage::new();
    let unsent = stage.seen(1, 500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed);
    let intent = run(&stage.sent(), [unsent]);
    let until = |ms| vec![Instruction::after(stage.at(1_000), ms, None)];
    let told = |instructions| Observation {
        pushback: Some(Pushback::Wait),
        instructions,
        ..Observation::of(Condition::ConnectFailed)
    };
    let next = stage.policy.next_move(&intent, &told([until(2_000), until(700)].concat()), &stage.world(1_000));
    let Move::Retry { timer, now: false, .. } = next.action() else { panic!("{next:?}") };
    assert!(
        (3_000..=3_200).contains(&timer.due.since_ms(stage.at(0))),
        "the latest wins, and the draw comes on top: {timer:?}"
    );
    let waiting = run(&intent, [next.event().unwrap()]);
    let seen = told(until(2_000));
    assert!(
        matches!(again(&stage, &waiting, 2_999, &seen).action(), Move::Retry { now: false, timer: t, .. } if t == timer),
        "the same wait"
    );
    assert!(matches!(again(&stage, &waiting, 3_200, &seen).action(), Move::Retry { now: true, .. }));
    assert!(
        matches!(again(&stage, &waiting, 3_200, &told(until(9_000))).action(), Move::Retry { now: false, .. }),
        "a later instruction"
    );
    assert_eq!(again(&stage, &waiting, 15_900, &seen).verb(), Verb::Review, "too late to be worth an attempt");
    stage.approvals = nisi::judge::AuthorizationRegistry::read([(
        "a.yaml",
        "authorization: approval-3\nstatus: revoked\nlimits: {amount: 5000}\n",
    )])
    .unwrap();
    let stale = again(&stage, &waiting, 3_200, &seen);
    assert_eq!(stale.action(), Move::Review(Some("approvals")), "approval expired under way");
}

/// What a caller claims of the standard facts counts for nothing: the record and the registries say it, or nobody.
#[test]
fn a_claim_is_no_evidence() {
    let stage = Stage::new();
    let intent = run(&stage.sent(), [stage.lost(1, 500)]);
    let claimed = StandardFacts {
        authorization: Some(Authorization::Current),
        boundary: Some(Boundary::NotCrossed),
        parity: Some(ParityVerdict::Holds),
        release: Some(Release::Registered),
        ..StandardFacts::default()
    };
    let observation =
        Observation { own: Some(stage.policy.facts(&claimed)), ..Observation::of(Condition::ProviderFailure) };
    let bare = World::at(stage.at(1_000), "coordinator");
    let next = stage.policy.next_move(&intent, &observation, &bare);
    for fact in ["\"authorization\":\"current\"", "not_crossed", "parity.", "registered"] {
        assert!(!next.record().to_json().contains(fact), "{fact}: {:?}", next.record());
    }
    // Nobody looked anything up, and still it says that the receipt is there.
    let next = stage.policy.next_move(&intent, &Observation::of(Condition::Confirmed), &stage.world(1_000));
    assert_eq!(next.verb(), Verb::Review, "{:?}", next.record());
}
