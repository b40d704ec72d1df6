//! The state machine under every event: single stories, and every transition. Stories drawn at random are held to what their
//! events say in `tests/all/judge/steps.rs`.

use std::collections::BTreeSet;

use super::envelope::tests::order;
use super::*;
use crate::words::{Boundary, Condition, Dispatch};

fn intent() -> Intent {
    Intent::new(order().seal(&Protected::default()).unwrap())
}

fn at(ms: u64) -> Moment {
    intent().envelope().created_at().plus_ms(ms)
}

fn attempt(intent: &Intent, number: u64, ms: u64) -> Dispatching {
    Dispatching { number, ..Dispatching::next(intent, at(ms)) }
}

fn seen(attempt: u64, condition: Condition, dispatch: Option<Dispatch>, boundary: Option<Boundary>) -> Event {
    Event::Observe(Observed { attempt, at: at(1_000), condition, dispatch, boundary, provider_request_id: None })
}

fn lost(attempt: u64) -> Event {
    seen(attempt, Condition::Timeout, Some(Dispatch::MaybeProcessed), Some(Boundary::MaybeCrossed))
}

fn receipt(id: &str) -> Event {
    Event::Receipt(id.parse().unwrap())
}

/// An intent whose contract says nothing of the key, with one attempt out.
fn without_key() -> Intent {
    let mut draft = order();
    draft.operation.idempotent = Some(false);
    run(&Intent::new(draft.seal(&Protected::default()).unwrap()), opening(&intent()))
}

fn opening(of: &Intent) -> Vec<Event> {
    let version = of.envelope().authorization_version().clone();
    vec![Event::Prepare, Event::Authorize(version), Event::Dispatch(attempt(of, 1, 0))]
}

fn run(intent: &Intent, events: impl IntoIterator<Item = Event>) -> Intent {
    events.into_iter().fold(intent.clone(), |intent, event| intent.step(event).unwrap().0)
}

#[test]
fn the_lost_response_is_reconciled_and_told_once() {
    let out = run(&intent(), opening(&intent()));
    let open = run(&out, [lost(1), Event::Reconcile { by: "action_key".into(), within_ms: 4_000 }]);
    assert_eq!(open.state(), State::Indeterminate);
    let (done, duties) = open.step(receipt("PO-1")).unwrap();
    assert_eq!((done.state(), duties), (State::Committed, vec![Duty::Tell(State::Committed)]));
    let (again, duties) = done.step(receipt("PO-1")).unwrap();
    assert_eq!((again.clone(), duties), (done, vec![]), "the same receipt once more says nothing new");
    let (second, duties) = again.step(receipt("PO-2")).unwrap();
    assert_eq!(second.receipt().map(ReceiptId::as_str), Some("PO-1"));
    assert!(matches!(duties[..], [Duty::Keep(Finding::SecondReceipt { .. })]));
}

#[test]
fn cancellation_and_expiry_under_way_are_indeterminate_until_absence_is_proven() {
    for (event, end) in
        [(Event::Cancel, State::Cancelled), (Event::Expire(at(20_000)), State::Expired), (Event::Stop, State::Rejected)]
    {
        let out = run(&intent(), opening(&intent()));
        let (asked, duties) = out.step(event.clone()).unwrap();
        assert_eq!((asked.state(), asked.asked_end()), (State::Indeterminate, Some(end)));
        assert_eq!(duties, [Duty::CancelAttempts(vec![1])]);
        let refused = asked.step(Event::Dispatch(attempt(&asked, 2, 2_000))).unwrap_err();
        assert_eq!(refused, StepError::AskedToEnd { from: State::Indeterminate, asked: end });
        assert_eq!(run(&asked, [seen(1, Condition::Cancelled, None, None)]).state(), State::Indeterminate);
        let (ended, duties) = asked.step(Event::Absent).unwrap();
        assert_eq!((ended.state(), duties), (end, vec![Duty::Tell(end)]));
        assert_eq!(run(&asked, [receipt("PO-1")]).state(), State::Committed);
        let late = run(&ended, [receipt("PO-1")]);
        assert!(matches!(late.findings(), [Finding::EffectAfterEnd { .. }]) && late.state() == State::Committed);
        assert_eq!(run(&intent(), [Event::Prepare, event]).state(), end, "nothing was sent");
    }
    assert!(matches!(intent().step(Event::Expire(at(1))), Err(StepError::NotExpired { .. })));
}

#[test]
fn a_second_attempt_that_was_never_sent_does_not_clear_the_first() {
    let first = run(&intent(), opening(&intent()));
    let both = run(&first, [lost(1), Event::Dispatch(attempt(&first, 2, 2_000))]);
    let both = run(&both, [seen(2, Condition::ConnectFailed, Some(Dispatch::NotSent), Some(Boundary::NotCrossed))]);
    assert_eq!((both.dispatch(), both.boundary()), (Some(Dispatch::MaybeProcessed), Some(Boundary::MaybeCrossed)));
    assert!(both.is_open());
    let both = run(&both, [Event::Absent]);
    assert_eq!((both.dispatch(), both.boundary()), (Some(Dispatch::NotSent), Some(Boundary::NotCrossed)));
    let acted = run(&both, [seen(1, Condition::Timeout, Some(Dispatch::Processed), Some(Boundary::Crossed))]);
    assert!(acted.is_open(), "evidence of the effect is stronger than a look-up that found nothing");
}

#[test]
fn without_a_key_nothing_goes_out_over_an_open_effect_or_a_late_copy() {
    let out = without_key();
    let second = |intent: &Intent| intent.step(Event::Dispatch(attempt(intent, 2, 2_000)));
    let refused = StepError::NotRepeatable { from: State::Executing };
    assert_eq!(second(&out).unwrap_err(), refused);
    assert_eq!(second(&run(&out, [lost(1)])).unwrap_err(), refused);
    assert_eq!(second(&run(&out, [lost(1), Event::Absent])).unwrap_err(), refused, "a late copy may still arrive");
    let unsent = run(&out, [seen(1, Condition::ConnectFailed, Some(Dispatch::NotSent), None)]);
    assert!(second(&unsent).is_ok());
}

/// A field, and a change of it that widens.
type Change = (&'static str, fn(&mut Dispatching));

#[test]
fn no_attempt_widens_its_intent() {
    let first = run(&intent(), opening(&intent()));
    let changes: [Change; 7] = [
        ("action_key", |a| a.action_key = "po:acme:i-8".parse().unwrap()),
        ("canonical_args_hash", |a| a.canonical_args_hash = ArgsHash::of_json("[]").unwrap()),
        ("authorization_version", |a| a.authorization_version = "approval-4".parse().unwrap()),
        ("attempt number", |a| a.number = 1),
        ("attempt number", |a| a.number = 3),
        ("max_attempts", |a| a.units = 3),
        ("deadline", |a| a.at = at(20_000)),
    ];
    for (field, change) in changes {
        let mut second = attempt(&first, 2, 2_000);
        change(&mut second);
        match first.step(Event::Dispatch(second)) {
            Err(StepError::Widens { field: found, .. }) => assert_eq!(found, field),
            other => panic!("{field}: {other:?}"),
        }
    }
    assert!(matches!(
        intent().step(Event::Prepare).unwrap().0.step(Event::Authorize("other".parse().unwrap())),
        Err(StepError::Widens { .. })
    ));
    let mut elsewhere = attempt(&first, 2, 2_000);
    elsewhere.receiver = "erp-2".into();
    assert_eq!(first.step(Event::Dispatch(elsewhere)), Err(StepError::NotRepeatable { from: State::Executing }));
}

#[test]
fn what_has_no_transition_names_both_states() {
    let done = run(&intent(), opening(&intent()).into_iter().chain([receipt("PO-1")]));
    let error = done.step(Event::Dispatch(attempt(&done, 2, 1))).unwrap_err();
    assert_eq!(error.to_string(), "`dispatch` leads to executing, and not from committed");
    assert_eq!(intent().step(Event::Done).unwrap_err().to_string(), "`done` leads to committed, and not from new");
    assert!(done.step(Event::Stop).is_err());
    assert!(matches!(done.step(lost(2)), Err(StepError::UnknownAttempt { given: 2, have: 1 })));
    assert!(matches!(done.step(seen(1, Condition::Confirmed, None, None)), Err(StepError::LookUpWord(_))));
}

/// An event by a draw; most fit the intent as it stands.
fn drawn(intent: &Intent, (kind, which, flavour, ms): (u8, u64, u8, u64)) -> Event {
    let number = 1 + which % (intent.attempts().len() as u64 + 1);
    let dispatches = [
        None,
        Some(Dispatch::MaybeProcessed),
        Some(Dispatch::NotSent),
        Some(Dispatch::Refused),
        Some(Dispatch::Processed),
    ];
    let boundaries = [None, Some(Boundary::NotCrossed), Some(Boundary::MaybeCrossed), Some(Boundary::Crossed)];
    let conditions =
        [Condition::Timeout, Condition::Rejected, Condition::ConnectFailed, Condition::Cancelled, Condition::Pending];
    match kind % 18 {
        0 => Event::Prepare,
        1 => Event::Authorize(intent.envelope().authorization_version().clone()),
        2..=4 => {
            let mut next = attempt(intent, intent.attempts().len() as u64 + 1, ms);
            match flavour % 8 {
                0 => next.number = number,
                1 => next.units = which % 4,
                2 => next.receiver = "elsewhere".into(),
                3 => next.canonical_args_hash = ArgsHash::of_json("{}").unwrap(),
                _ => {}
            }
            Event::Dispatch(next)
        }
        5..=6 => seen(
            number,
            conditions[usize::from(flavour) % 5],
            dispatches[which as usize % 5],
            boundaries[ms as usize % 4],
        ),
        7 => Event::Look("action_key".into()),
        8 => Event::Unconfirmed,
        9 => Event::Absent,
        10 => receipt(["PO-1", "PO-2"][usize::from(flavour) % 2]),
        11 => Event::Later(Timer { since: at(ms), due: at(ms + 1), draw: which }),
        12 => [Event::Wait, Event::Review(None)][usize::from(flavour) % 2].clone(),
        13 => Event::Reconcile { by: "action_key".into(), within_ms: 1 },
        14 => Event::Stop,
        15 => Event::Done,
        16 => Event::Cancel,
        _ => Event::Expire(at(ms)),
    }
}

/// Every state and every transition of the table is reached from the beginning, by the same draws.
#[test]
fn every_transition_is_reached() {
    let (mut states, mut taken) = (BTreeSet::new(), BTreeSet::new());
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for story in 0..9_000 {
        let mut intent = match story % 3 {
            0 => intent(),
            1 => run(&intent(), opening(&intent())),
            _ => without_key(),
        };
        for _ in 0..12 {
            let (a, b, c, d) = (random(), random(), random(), random());
            let event = drawn(&intent, ((a >> 9) as u8, b % 8, (c >> 11) as u8, d % 22_000));
            if let Ok((next, _)) = intent.step(event.clone()) {
                taken.insert((intent.state(), event.kind(), next.state()));
                states.insert(next.state());
                intent = next;
            }
        }
    }
    states.insert(State::New);
    assert_eq!(states.into_iter().collect::<Vec<_>>(), State::ALL);
    for t in TRANSITIONS {
        let to = match t.to {
            To::State(state) => vec![state],
            To::Asked => vec![State::Rejected, State::Cancelled, State::Expired],
        };
        assert!(to.iter().any(|to| taken.contains(&(t.from, t.event, *to))), "{t:?} is never taken");
    }
}
