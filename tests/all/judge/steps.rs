//! Stories drawn at random, held to what their events say: told once more here, without a look at the intent's own mind.

use proptest::prelude::*;

use nisi::judge::{
    ArgsHash, Dispatching, Duty, Envelope, Event, Finding, Intent, Observed, ReceiptId, State, StepError, TRANSITIONS,
    Timer,
};
use nisi::words::{Boundary, Condition, Dispatch};

use super::scene::{Stage, run};
use crate::support::read;

/// What the story has told of one attempt.
#[derive(Default)]
struct Told {
    boundary: Option<Boundary>,
    dispatch: Option<Dispatch>,
    refused: bool,
    absent: bool,
}

impl Told {
    fn hear(&mut self, seen: &Observed) {
        self.dispatch = seen.dispatch;
        self.boundary = match (self.boundary, seen.boundary) {
            (Some(Boundary::Crossed), _) => Some(Boundary::Crossed),
            (Some(Boundary::MaybeCrossed), None) => Some(Boundary::MaybeCrossed),
            (_, now) => now,
        };
        self.refused |=
            matches!(seen.condition, Condition::Rejected | Condition::QuotaExhausted | Condition::KeyMisuse);
    }

    /// Whether it may have had an effect that nothing has ruled out.
    fn is_open(&self) -> bool {
        let unprocessed = matches!(self.dispatch, Some(Dispatch::NotSent | Dispatch::Refused | Dispatch::Undone));
        match self.boundary {
            Some(Boundary::Crossed) => true,
            Some(Boundary::MaybeCrossed) => !self.absent,
            Some(Boundary::NotCrossed) => false,
            None => !(self.absent || self.refused || unprocessed),
        }
    }
}

/// The story so far.
#[derive(Default)]
struct Story {
    told: Vec<Told>,
    sent: Vec<u64>,
    units: u64,
    receipts: Vec<ReceiptId>,
    committed: usize,
}

impl Story {
    fn is_open(&self) -> bool {
        self.receipts.is_empty() && self.told.iter().any(Told::is_open)
    }

    /// Takes in a legal step, and holds the intent after it to all that was told.
    fn goes_on(&mut self, before: &Intent, event: &Event, after: &Intent, duties: &[Duty]) {
        let was_open = self.is_open();
        match event {
            Event::Dispatch(sent) => self.send(before, sent),
            Event::Observe(seen) => self.told[seen.attempt as usize - 1].hear(seen),
            Event::Absent if self.receipts.is_empty() => self.told.iter_mut().for_each(|t| t.absent = true),
            Event::Receipt(receipt) => self.receipts.push(receipt.clone()),
            _ => {}
        }
        let (from, to) = (before.state(), after.state());
        assert!(TRANSITIONS.iter().any(|t| t.from == from && t.event == event.kind()), "{from} {event:?} {to}");
        assert_eq!(after.envelope(), before.envelope(), "nothing changes an envelope");
        let told = duties.iter().filter(|d| matches!(d, Duty::Tell(_))).count();
        assert_eq!(told, usize::from(to.is_end() && from != to), "told once, when it ends");
        // Nothing is sent but what was recorded, once.
        let sends: Vec<u64> =
            duties.iter().filter_map(|d| if let Duty::Send(n) = d { Some(*n) } else { None }).collect();
        assert_eq!(sends, if let Event::Dispatch(a) = event { vec![a.number] } else { vec![] });
        // Committed once: by the first receipt, told once, never left; any other receipt is a finding.
        assert_eq!(after.receipt(), self.receipts.first());
        assert_eq!(after.state() == State::Committed, !self.receipts.is_empty());
        self.committed += duties.iter().filter(|d| **d == Duty::Tell(State::Committed)).count();
        assert_eq!(self.committed, usize::from(!self.receipts.is_empty()));
        for other in &self.receipts {
            let kept = |f: &Finding| matches!(f, Finding::SecondReceipt { other: o, .. } if o == other);
            assert_eq!(Some(other) != self.receipts.first(), after.findings().iter().any(kept));
        }
        // Nothing open is lost: it is under way, indeterminate, or a finding for a person.
        if self.is_open() {
            assert!(after.is_open(), "{event:?} closed what nothing has ruled out");
            let shown = after.findings().iter().any(|f| matches!(f, Finding::CrossedAfterEnd { .. }));
            let in_sight = matches!(after.state(), State::Executing | State::Indeterminate) || shown;
            assert!(in_sight, "{event:?} leads to {} over an open effect", after.state());
        }
        if before.state() == State::Indeterminate && after.state() != State::Indeterminate {
            let repeat = matches!(event, Event::Dispatch(_)) && after.state() == State::Executing;
            assert!(repeat || !self.is_open(), "{event:?} relabels an indeterminate {}", after.state());
        }
        if was_open && let Event::Dispatch(a) = event {
            assert_eq!(before.is_key_honoured(&a.receiver, a.at), Some(true), "sent over an open effect");
        }
    }

    /// What goes out is the envelope's: not one value wider, and nothing after an end was asked for or reached.
    fn send(&mut self, before: &Intent, sent: &Dispatching) {
        let envelope = before.envelope();
        assert_eq!(
            (&sent.action_key, sent.canonical_args_hash, &sent.authorization_version),
            (envelope.action_key(), envelope.canonical_args_hash(), envelope.authorization_version())
        );
        self.told.push(Told::default());
        self.sent.push(sent.number);
        self.units += sent.units.max(1);
        assert_eq!(self.sent, (1..=self.sent.len() as u64).collect::<Vec<_>>());
        assert!(self.units <= envelope.max_attempts() && sent.at < envelope.deadline());
        assert!(before.asked_end().is_none() && !before.state().is_end() && self.receipts.is_empty());
    }
}

fn envelope(honoured: Option<bool>) -> Envelope {
    let text = read("tests/cases/judge/order.yaml");
    let word = match honoured {
        Some(true) => ", idempotent: yes",
        Some(false) => ", idempotent: no",
        None => "",
    };
    let text = text.replace(", idempotent: yes", word).replace("max_attempts: 3", "max_attempts: 5");
    Envelope::read(&text).unwrap()
}

/// An event of any kind, most of them fitting.
fn drawn(intent: &Intent, (kind, flavour, which, ms): (u8, u8, u64, u64)) -> Event {
    let at = intent.envelope().created_at().plus_ms(ms);
    let one = |words: &[Condition]| words[usize::from(flavour) % words.len()];
    let number = 1 + which % (intent.attempts().len() as u64 + 1);
    match kind % 20 {
        0 => Event::Prepare,
        1 => Event::Authorize(intent.envelope().authorization_version().clone()),
        2..=5 => {
            let mut next = Dispatching::next(intent, at);
            match flavour % 14 {
                0 => next.number = number,
                1 => next.units = which,
                2 => next.receiver = "elsewhere".into(),
                3 => next.canonical_args_hash = ArgsHash::of_json("{}").unwrap(),
                4 => next.action_key = "po:acme:i-8".parse().unwrap(),
                5 => next.authorization_version = "approval-4".parse().unwrap(),
                6 => next.release = "fallback-1".parse().unwrap(),
                _ => {}
            }
            Event::Dispatch(next)
        }
        6..=10 => {
            let condition = one(&[
                Condition::Timeout,
                Condition::Rejected,
                Condition::Pending,
                Condition::Cancelled,
                Condition::KeyMisuse,
                Condition::ConnectFailed,
            ]);
            let dispatch = Dispatch::ALL.get((which + u64::from(flavour)) as usize % 7).copied();
            let boundary = Boundary::ALL.get(ms as usize % 4).copied();
            Event::Observe(Observed { attempt: number, at, condition, dispatch, boundary, provider_request_id: None })
        }
        11 => Event::Absent,
        12 => Event::Receipt(["PO-1", "PO-2", "PO-3"][which as usize % 3].parse().unwrap()),
        13 => Event::Reconcile { by: "action_key".into(), within_ms: 1 },
        14 => Event::Look("action_key".into()),
        15 => [Event::Unconfirmed, Event::Wait, Event::Review(None)][usize::from(flavour) % 3].clone(),
        16 => Event::Later(Timer { since: at, due: at.plus_ms(which), draw: which }),
        17 => [Event::Stop, Event::Cancel][usize::from(flavour) % 2].clone(),
        18 => Event::Done,
        _ => Event::Expire(at),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    /// No sequence commits twice, widens an attempt, or loses an indeterminate.
    #[test]
    fn no_story_commits_twice_widens_or_loses_an_indeterminate(
        honoured in proptest::option::of(any::<bool>()),
        opened in any::<bool>(),
        draws in proptest::collection::vec((any::<u8>(), any::<u8>(), 0u64..5, 0u64..22_000), 1..40),
    ) {
        let mut intent = Intent::new(envelope(honoured));
        let mut story = Story::default();
        let opening = [(0, 0, 0, 0), (1, 0, 0, 0), (2, 13, 0, 0)];
        for draw in opening.into_iter().filter(|_| opened).chain(draws) {
            let event = drawn(&intent, draw);
            if let Ok((next, duties)) = intent.step(event.clone()) {
                story.goes_on(&intent, &event, &next, &duties);
                intent = next;
            }
        }
        let whole = Ok(intent.clone());
        prop_assert_eq!(&Intent::read(&intent.to_yaml()), &whole);
        prop_assert_eq!(&Intent::read(&intent.to_json()), &whole);
    }
}

fn seen(stage: &Stage, condition: Condition, dispatch: Option<Dispatch>, boundary: Option<Boundary>) -> Event {
    Event::Observe(Observed { attempt: 1, at: stage.at(900), condition, dispatch, boundary, provider_request_id: None })
}

/// Evidence that an attempt acted, or may have, stands against weaker words, whichever comes first.
#[test]
fn the_order_of_the_evidence_makes_no_difference() {
    let stage = Stage::new();
    let crossed = seen(&stage, Condition::Timeout, Some(Dispatch::Processed), Some(Boundary::Crossed));
    let maybe = seen(&stage, Condition::Timeout, Some(Dispatch::MaybeProcessed), Some(Boundary::MaybeCrossed));
    let refused = seen(&stage, Condition::Rejected, None, None);
    let untold = seen(&stage, Condition::Pending, None, None);
    for story in [
        [crossed.clone(), Event::Absent],
        [Event::Absent, crossed.clone()],
        [crossed.clone(), refused.clone()],
        [refused.clone(), crossed],
        [maybe.clone(), refused.clone()],
        [refused.clone(), maybe.clone()],
        [maybe.clone(), untold],
    ] {
        let after = run(&stage.sent(), story.clone());
        assert!(after.is_open(), "{story:?}");
        let asked = run(&after, [Event::Stop]);
        assert_eq!(asked.state(), State::Indeterminate, "{story:?}");
        assert!(matches!(asked.step(Event::Done), Err(StepError::Illegal { .. })));
    }
    for story in [vec![refused], vec![maybe.clone(), Event::Absent], vec![Event::Absent, maybe]] {
        assert!(!run(&stage.sent(), story.clone()).is_open(), "{story:?}");
    }
}

/// Word that an attempt may have acted, after the intent has ended without an effect, is put before a person.
#[test]
fn what_may_have_acted_after_an_end_is_a_finding() {
    let stage = Stage::new();
    let clear = stage.seen(1, 500, Condition::Timeout, Dispatch::NotSent, Boundary::NotCrossed);
    let ended = run(&stage.sent(), [clear, Event::Stop]);
    assert_eq!(ended.state(), State::Rejected);
    let finding = Finding::CrossedAfterEnd { end: State::Rejected, attempt: 1 };
    for boundary in [Some(Boundary::Crossed), Some(Boundary::MaybeCrossed), None] {
        let (after, duties) = ended.step(seen(&stage, Condition::Timeout, None, boundary)).unwrap();
        assert_eq!((after.findings(), duties), (&[finding.clone()][..], vec![Duty::Keep(finding.clone())]));
    }
    let again = seen(&stage, Condition::Rejected, Some(Dispatch::Processed), Some(Boundary::NotCrossed));
    assert_eq!(run(&ended, [again]).findings(), []);
}
