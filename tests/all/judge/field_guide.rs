//! The field guide's tables, row by row: what an operation class recovers by default, what follows on an observed condition,
//! and what each field of the envelope binds.

use nisi::judge::{
    ArgsHash, Dispatching, Envelope, Event, Instruction, Look, Move, NextMove, Observation, Releases, State, World,
};
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

/// A timed-out first attempt, judged at a moment, and what the intent becomes by it.
fn timed_out(operation: &str, ms: u64) -> (Verb, State) {
    let stage = stage(operation);
    let intent = run(&stage.sent(), [stage.lost(1, 900)]);
    let seen = Observation { output: Some(Shown::None), ..Observation::of(Condition::Timeout) };
    let next = stage.policy.next_move(&intent, &seen, &stage.world(ms));
    let state = next.event().map_or(intent.state(), |event| run(&intent, [event]).state());
    (next.verb(), state)
}

/// "Operation, typical effect, default recovery": six classes, none of which is called failed.
#[test]
fn each_operation_class_has_its_default_recovery() {
    // Retrieve an immutable document version: retry within deadline.
    assert_eq!(timed_out(READ, 1_000), (Verb::Retry, State::Executing));
    assert_eq!(timed_out(READ, 15_900), (Verb::Review, State::Executing), "and not past it");
    // Generate a draft from fixed evidence: retry or fail over only if variation is acceptable.
    assert!(timed_out(PURE, 1_000).0.acts());
    assert!(!timed_out(&PURE.replace("variation: acceptable", "variation: unacceptable"), 1_000).0.acts());
    assert!(!timed_out(&PURE.replace("variation: acceptable, ", ""), 1_000).0.acts(), "nobody knows is not yes");
    // Propose a command: drafted afresh; no external mutation, so nothing is open.
    assert_eq!(timed_out("effect: proposal, tools: disabled, tier: low", 1_000), (Verb::Retry, State::Executing));
    // Reserve inventory or create a record: reconcile by intent; retry only with idempotency.
    for write in [WRITE, KEYLESS] {
        assert_eq!(timed_out(write, 1_000), (Verb::Reconcile, State::Indeterminate), "{write}");
    }
    let after_absence = |operation: &str| {
        let stage = stage(operation);
        let intent = run(&stage.sent(), [stage.lost(1, 900), Event::Absent]);
        let next = stage.policy.next_move(&intent, &Observation::of(Condition::ConfirmedAbsent), &stage.world(3_000));
        (next.verb(), intent.step(Event::Dispatch(stage.attempt(&intent, 3_000))).is_ok())
    };
    assert_eq!([after_absence(WRITE), after_absence(KEYLESS)], [(Verb::Retry, true), (Verb::Review, false)]);
    // Send a message or initiate payment: indeterminate until confirmed.
    let payment = "effect: consequential_write, tools: disabled, tier: critical, idempotent: no";
    assert_eq!(timed_out(payment, 1_000), (Verb::Reconcile, State::Indeterminate));
    // Verify the committed result: retried independently, with a bounded budget.
    let verify = "effect: verification, tier: low";
    assert_eq!(timed_out(verify, 17_000), (Verb::Retry, State::Executing), "in the time that was kept for it");
    let stage = stage(verify);
    let again = |intent: &nisi::judge::Intent, n| {
        run(intent, [Event::Dispatch(stage.attempt(intent, 1_000 * n)), stage.lost(n, 1_000 * n)])
    };
    let spent = again(&again(&run(&stage.sent(), [stage.lost(1, 900)]), 2), 3);
    let next = stage.policy.next_move(&spent, &Observation::of(Condition::Timeout), &stage.world(4_000));
    assert_eq!(next.verb(), Verb::Review, "{next:?}");
}

/// "Field, purpose": each of the envelope's eight rows binds, and what it binds is refused when it is another.
#[test]
fn each_field_of_the_envelope_binds() {
    let order = read("tests/cases/judge/order.yaml");
    let stage = Stage::new();
    let lost = run(&stage.sent(), [stage.lost(1, 900)]);
    let second = |change: fn(&mut Dispatching)| {
        let mut second = stage.attempt(&lost, 2_000);
        change(&mut second);
        lost.step(Event::Dispatch(second)).map(|_| ()).map_err(|error| error.to_string())
    };
    let of = |text: &str| Envelope::read(text).unwrap();
    assert_eq!(second(|_| {}), Ok(()), "the same command under the same key");
    // intent_id and actor_scope: one outcome, for one tenant.
    assert!(stage.envelope.recognise(&of(&order.replace("tenant: acme", "tenant: b"))).is_err());
    // operation and canonical_args_hash: reuse of a key with changed meaning.
    assert!(stage.envelope.recognise(&of(&order.replace("po.create", "po.pay"))).is_err());
    assert!(second(|a| a.canonical_args_hash = ArgsHash::of_json("[]").unwrap()).unwrap_err().contains("hash"));
    // authorization_version: which approval permitted it.
    assert!(second(|a| a.authorization_version = "approval-4".parse().unwrap()).unwrap_err().contains("approval-3"));
    // release_id: with its digest it binds model, prompt, schema, policy and router.
    let id = stage.releases.get("assistant-2026-08-01").unwrap().bound_id().to_string();
    let bound = Stage::of(&order.replace("release_id: assistant-2026-08-01", &format!("release_id: {id}")));
    let read_on = |stage: &Stage| {
        let intent = stage.sent();
        let next = stage.policy.next_move(&intent, &Observation::of(Condition::Pending), &stage.world(1_000));
        next.record().to_json().contains("\"release\":\"registered\"")
    };
    assert!(read_on(&bound));
    let changed = super::scene::RELEASES.replacen("prompt: p-9", "prompt: p-10", 1);
    assert!(!read_on(&Stage { releases: Releases::read([("r.yaml", changed.as_str())]).unwrap(), ..bound }));
    // action_key and downstream scope: which calls are one effect, and for whom.
    assert!(second(|a| a.action_key = "po:acme:i-9".parse().unwrap()).unwrap_err().contains("action_key"));
    assert!(second(|a| a.receiver = "erp-2".into()).unwrap_err().contains("an earlier one may have had"));
    let elsewhere = of(&order.replace("downstream_scope: erp", "downstream_scope: erp-2"));
    assert_eq!(stage.envelope.recognise(&elsewhere), Ok(false), "a key means something to one receiver");
    // created_at, deadline, retention: until when a late attempt is valid, and deduplicated.
    assert!(second(|a| a.at = a.at.plus_ms(18_000)).unwrap_err().contains("deadline"));
    assert!(Envelope::read(&order.replace("retention: 24h", "retention: 2m")).is_err());
    // max_attempts and retry_owner: no multiplication across layers.
    assert!(second(|a| a.units = 3).unwrap_err().contains("max_attempts"));
    let layer = World { layer: "sdk", ..stage.world(2_000) };
    let next = stage.policy.next_move(&lost, &Observation::of(Condition::ConnectionLost), &layer);
    assert!(next.obstacles().iter().any(|o| o.to_string().contains("(owner)")), "{next:?}");
    // receipt_locator: the result is found, and nothing is sent for it.
    let by = lost.envelope().receipt_locator();
    let found = stage.policy.look_says(&lost, by, &Look::Found("PO-1".parse().unwrap()), stage.at(2_000));
    let (done, duties) = lost.step(found).unwrap();
    assert_eq!((done.state(), done.attempts().len()), (State::Committed, 1));
    assert!(!duties.iter().any(|d| matches!(d, nisi::judge::Duty::Send(_))));
}
