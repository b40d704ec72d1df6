//! The rows of the field guide's table "Choose the recovery by operation class", each from an intent's record to a move.

use nisi::judge::{Event, Instruction, Move, NextMove, Observation, Releases, State};
use nisi::words::{Boundary, Condition, Dispatch, Pushback, Shown, Verb};

use super::scene::{Stage, run};
use crate::support::read;

/// The stage for an operation of another class.
fn stage(operation: &str) -> Stage {
    let order = read("tests/cases/judge/order.yaml");
    Stage::of(&order.replace("effect: consequential_write, tools: disabled, tier: high, idempotent: yes", operation))
}

/// What follows on a first attempt that was seen so; the stage lives as long as the test.
fn next(stage: Stage, condition: Condition, dispatch: Dispatch, boundary: Boundary) -> NextMove<'static> {
    let stage: &Stage = Box::leak(Box::new(stage));
    let intent = Box::leak(Box::new(run(&stage.sent(), [stage.seen(1, 900, condition, dispatch, boundary)])));
    let observation =
        Observation { pushback: Some(Pushback::None), output: Some(Shown::None), ..Observation::of(condition) };
    stage.policy.next_move(intent, &observation, &stage.world(1_000))
}

const READ: &str = "effect: immutable_read, tier: low";
const WRITE: &str = "effect: write, tools: disabled, tier: low, idempotent: yes";
const KEYLESS: &str = "effect: write, tools: disabled, tier: low, idempotent: no";
const PURE: &str = "effect: inference, tools: disabled, tier: low, variation: acceptable, cost: acceptable";

#[test]
fn a_rejection_stops_and_is_not_retried() {
    for operation in [READ, WRITE, KEYLESS, PURE] {
        let found = next(stage(operation), Condition::Rejected, Dispatch::Processed, Boundary::NotCrossed);
        assert!(matches!(found.action(), Move::Stop(Some(_))), "{operation}: {found:?}");
    }
}

#[test]
fn overload_with_an_instruction_waits_as_instructed_and_spends_one_unit() {
    for operation in [READ, WRITE] {
        let stage = stage(operation);
        let seen = stage.seen(1, 900, Condition::Overloaded, Dispatch::Refused, Boundary::NotCrossed);
        let intent = run(&stage.sent(), [seen]);
        let instructions = vec![Instruction::after(stage.at(1_000), 3_000, None)];
        let observation =
            Observation { pushback: Some(Pushback::Wait), instructions, ..Observation::of(Condition::Overloaded) };
        let found = stage.policy.next_move(&intent, &observation, &stage.world(1_000));
        let Move::Retry { timer, now: false, spend: 1 } = found.action() else { panic!("{operation}: {found:?}") };
        assert!(timer.due >= stage.at(4_000), "an instruction is never shortened");
        let told = Observation { pushback: Some(Pushback::Wait), ..Observation::of(Condition::Overloaded) };
        let untold = stage.policy.next_move(&intent, &told, &stage.world(1_000));
        assert!(!untold.verb().acts(), "told to wait and not how long: {untold:?}");
    }
}

#[test]
fn a_failed_connection_is_retried_on_proof_or_with_a_key() {
    let unsent = |operation| next(stage(operation), Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed);
    let unproven =
        |operation| next(stage(operation), Condition::ConnectFailed, Dispatch::MaybeProcessed, Boundary::MaybeCrossed);
    assert_eq!([unsent(WRITE).verb(), unsent(KEYLESS).verb()], [Verb::Retry; 2]);
    assert_eq!([unproven(WRITE).verb(), unproven(KEYLESS).verb()], [Verb::Retry, Verb::Reconcile]);
}

#[test]
fn a_timeout_is_answered_by_what_the_operation_does() {
    let lost = |operation| next(stage(operation), Condition::Timeout, Dispatch::MaybeProcessed, Boundary::MaybeCrossed);
    assert_eq!(lost(READ).verb(), Verb::Retry);
    assert!(matches!(lost(PURE).verb(), Verb::Retry | Verb::Failover), "{:?}", lost(PURE));
    let fixed = PURE.replace("variation: acceptable", "variation: unacceptable");
    assert!(!lost(&fixed).verb().acts(), "another output would not do: {:?}", lost(&fixed));
    let stage = Stage::new();
    let (intent, _) = stage.sent().step(stage.lost(1, 900)).unwrap();
    let found = stage.policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(1_000));
    let Move::Reconcile(plan) = found.action() else { panic!("{found:?}") };
    assert_eq!(plan.by, "action_key");
    assert_eq!(run(&intent, [found.event().unwrap()]).state(), State::Indeterminate);
}

#[test]
fn unknown_policy_stale_right_and_incompatible_output_stop_or_are_reviewed() {
    let bad = next(stage(PURE), Condition::IncompatibleOutput, Dispatch::Processed, Boundary::NotCrossed);
    assert!(matches!(bad.verb(), Verb::Stop | Verb::Review), "{bad:?}");
    let releases = Releases::read([("r.yaml", "release: another\n")]).unwrap();
    let unknown = next(
        Stage { releases: releases.clone(), ..stage(PURE) },
        Condition::Timeout,
        Dispatch::MaybeProcessed,
        Boundary::NotCrossed,
    );
    assert_eq!(unknown.action(), Move::Review(Some("releases")));
    let text = "authorization: approval-3\nstatus: superseded\nlimits: { amount: 5000 }\n";
    let approvals = nisi::judge::AuthorizationRegistry::read([("a.yaml", text)]).unwrap();
    let stale = next(
        Stage { approvals, releases, ..stage(PURE) },
        Condition::Timeout,
        Dispatch::MaybeProcessed,
        Boundary::NotCrossed,
    );
    assert_eq!(stale.action(), Move::Review(Some("approvals")));
}

#[test]
fn neither_redelivery_nor_another_provider_nor_a_restart_refills_the_budget() {
    let stage = stage(READ);
    let mut intent = stage.sent();
    for (number, release) in [(2, "fallback-1"), (3, "assistant-2026-08-01")] {
        let mut attempt = stage.attempt(&intent, number * 1_000);
        attempt.release = release.parse().unwrap();
        attempt.receiver = format!("provider-{number}");
        intent = run(&intent, [stage.lost(number - 1, number * 1_000 - 1), Event::Dispatch(attempt.clone())]);
        assert!(intent.step(Event::Dispatch(attempt)).is_err(), "a redelivered attempt is no further one");
    }
    let intent = run(&intent, [stage.lost(3, 4_000)]);
    // Another process judges from the record alone.
    let again = stage.policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(5_000));
    assert!(!again.verb().acts());
    assert!(again.obstacles().iter().any(|o| o.to_string().contains("budget is 0; it must be >= 1")), "{again:?}");
    let mut fourth = stage.attempt(&intent, 5_000);
    fourth.release = "fallback-1".parse().unwrap();
    assert!(intent.step(Event::Dispatch(fourth)).is_err());
}
