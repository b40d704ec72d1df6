//! The field guide's worked example: one purchase order, asked for in Persian and opened in English, whose answer is lost.

use nisi::Policy;
use nisi::judge::{
    ArgsHash, Dispatching, Duty, Envelope, Event, Intent, KeyTemplate, Look, Move, NextMove, Observation, Protected,
    Replayed, State, StepError, World,
};
use nisi::words::{Boundary, Condition, Dispatch, Pushback, Shown, Verb};

use super::scene::{Stage, run};
use crate::support::read;

/// The stage with the order's arguments as an interface writes them.
fn view(language: &str) -> Stage {
    let args = match language {
        // The same JSON as two clients send it: another order of keys, escapes instead of letters. The command itself
        // holds no sentence of either language.
        "fa" => r#"{"cost_centre":"ک-۱۲","supplier":"s-7","requisition":"r-881","amount":"1200.50"}"#,
        _ => {
            "{ \"amount\": \"1200.50\", \"cost_centre\": \"\\u06a9-\\u06f1\\u06f2\",\n  \"requisition\": \"r-881\", \"supplier\": \"s-7\" }"
        }
    };
    let hash = ArgsHash::of_json(args).unwrap();
    let template: KeyTemplate = "po:<tenant>:<intent>".parse().unwrap();
    let personal = Protected::new(["sara@acme.example", "سارا احمدی"]);
    let key = template.fill([("tenant", "acme"), ("intent", "i-7")], &personal).unwrap();
    let text = read("tests/cases/judge/order.yaml");
    let text =
        text.replace("sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", &hash.to_string());
    Stage::of(&text.replace("action_key: po:acme:i-7", &format!("action_key: {key}")))
}

#[test]
fn both_languages_find_one_intent() {
    let (persian, english) = (view("fa"), view("en"));
    assert_eq!(persian.envelope.recognise(&english.envelope), Ok(true));
    assert_eq!(persian.envelope, english.envelope, "locale changes presentation, not business identity");
}

/// The lost response: reconciled by the action key, and told once.
#[test]
fn the_order_exists() {
    let stage = view("fa");
    let lost = lost(&stage);
    let next = reconciled(&stage, &lost);
    let Move::Reconcile(plan) = next.action() else { panic!("{next:?}") };
    assert_eq!((plan.by, plan.first), ("action_key", stage.at(10_000)));
    let (intent, duties) = lost.step(next.event().unwrap()).unwrap();
    assert_eq!((intent.state(), duties.len()), (State::Indeterminate, 1), "never relabelled failed");
    let found = Look::Found("PO-4711".parse().unwrap());
    let intent = run(&intent, [Event::Look(plan.by.into())]);
    let (intent, duties) = intent.step(stage.policy.look_says(&intent, plan.by, &found, stage.at(10_200))).unwrap();
    assert_eq!((intent.state(), duties), (State::Committed, vec![Duty::Tell(State::Committed)]));
    let next = stage.policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(10_300));
    assert_eq!(next.verb(), Verb::Done);
    assert_eq!(run(&intent, [next.event().unwrap()]).receipt().map(ToString::to_string).as_deref(), Some("PO-4711"));
}

/// It does not exist, and the contract guarantees idempotent creation: the same command, the same key.
#[test]
fn the_order_does_not_exist() {
    let stage = view("en");
    let lost = lost(&stage);
    let next = reconciled(&stage, &lost);
    let intent = run(&lost, [next.event().unwrap(), Event::Look("action_key".into())]);
    let absent = stage.policy.look_says(&intent, "action_key", &Look::Nothing, stage.at(10_200));
    assert_eq!(absent, Event::Absent);
    let intent = run(&intent, [absent]);
    assert_eq!(intent.state(), State::Executing);
    let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConfirmedAbsent) };
    let next = stage.policy.next_move(&intent, &seen, &stage.world(10_300));
    let Move::Retry { timer, spend: 1, .. } = next.action() else { panic!("{next:?}") };
    let wait = timer.due.since_ms(stage.at(10_300));
    // Not due yet: it waits, and is judged again with the world as it is then.
    let waiting = if wait == 0 { intent.clone() } else { run(&intent, [next.event().unwrap()]) };
    let again =
        |ms, world: &dyn Fn(World<'_>) -> World<'_>| stage.policy.next_move(&waiting, &seen, &world(stage.world(ms)));
    let due = again(10_300 + wait, &|world| world);
    assert!(matches!(due.action(), Move::Retry { now: true, .. }), "{due:?}");
    let sent = run(&waiting, [Event::Dispatch(stage.attempt(&waiting, 10_300 + wait))]);
    assert_eq!((sent.attempts().len(), sent.spent()), (2, 2));
    // A fallback may not mint a key, and the second attempt is the same command.
    let mut other = stage.attempt(&waiting, 10_300 + wait);
    other.action_key = "po:acme:i-8".parse().unwrap();
    assert!(waiting.step(Event::Dispatch(other)).is_err());
}

/// Neither fact can be established: a person, with all attempts visible.
#[test]
fn nobody_can_tell() {
    let stage = view("fa");
    let lost = lost(&stage);
    let next = reconciled(&stage, &lost);
    let intent = run(&lost, [next.event().unwrap(), Event::Look("action_key".into())]);
    let intent = run(&intent, [stage.policy.look_says(&intent, "action_key", &Look::Failed, stage.at(10_200))]);
    let next = stage.policy.next_move(&intent, &Observation::of(Condition::Unconfirmed), &stage.world(10_300));
    assert_eq!(next.action(), Move::Review(Some("operations")));
    let (intent, duties) = intent.step(next.event().unwrap()).unwrap();
    assert_eq!((intent.state(), intent.attempts().len()), (State::Indeterminate, 1));
    assert_eq!(duties, [Duty::Ask(Some("operations".into()))]);
    assert_eq!(stage.policy.replay(&next.record()), Replayed::Same);
}

/// A field, and what a fallback would make of it.
type Change = (&'static str, fn(&mut Dispatching));

/// A fallback may sum up how things stand. It cannot authorize anew, change the order, or mint a key, and the ERP is not
/// asked by another release while the order may exist.
#[test]
fn a_fallback_changes_nothing() {
    let stage = view("fa");
    let intent = run(&lost(&stage), [Event::Absent]);
    let changes: [Change; 4] = [
        ("action_key", |a| a.action_key = "po:acme:i-7b".parse().unwrap()),
        ("canonical_args_hash", |a| a.canonical_args_hash = ArgsHash::of_json(r#"{"amount":"1300"}"#).unwrap()),
        ("authorization_version", |a| a.authorization_version = "approval-by-fallback".parse().unwrap()),
        ("max_attempts", |a| a.units = 9),
    ];
    for (field, change) in changes {
        let mut by_fallback = stage.attempt(&intent, 11_000);
        by_fallback.release = "fallback-1".parse().unwrap();
        change(&mut by_fallback);
        let refused = intent.step(Event::Dispatch(by_fallback)).unwrap_err();
        assert!(matches!(refused, StepError::Widens { field: found, .. } if found == field), "{field}: {refused}");
    }
    let open = lost(&stage);
    for condition in Condition::ALL {
        let next = stage.policy.next_move(&open, &Observation::of(*condition), &stage.world(11_000));
        assert_ne!(next.verb(), Verb::Failover, "{condition}");
    }
    let sum_up = "effect: inference, tools: disabled, variation: acceptable, cost: acceptable";
    let text = read("tests/cases/judge/order.yaml").replace("i-7", "status-of-i-7");
    let status =
        Stage::of(&text.replace("effect: consequential_write, tools: disabled", sum_up).replace("high", "low"));
    let down = status.seen(1, 500, Condition::ProviderFailure, Dispatch::MaybeProcessed, Boundary::NotCrossed);
    let asked = run(&status.sent(), [down]);
    let seen = Observation { output: Some(Shown::None), ..Observation::of(Condition::ProviderFailure) };
    let next = status.policy.next_move(&asked, &seen, &status.world(1_000));
    assert!(matches!(next.action(), Move::Failover { to, .. } if to.name() == "fallback-1"), "{next:?}");
}

/// The policy's own word on the languages: asked in Persian, opened in English while the answer is lost, judged from both
/// screens under the policy for purchase orders. One intent, the same moves, one receipt, told once.
#[test]
fn from_the_persian_request_to_the_english_answer() {
    let policy = Policy::compile(&read("policies/procurement.nisi")).unwrap();
    let persian = view("fa").envelope.to_yaml();
    let persian = persian.replace("coordinator", "dispatcher").replace("\"procurement\"", "\"خرید اداری\"");
    let (stage, english) = (Stage::of(&persian), persian.replace("\"sara\"", "\"supervisor\""));
    assert!(stage.envelope.to_json().contains("خرید اداری"));
    assert_eq!(Envelope::read(&stage.envelope.to_yaml()).as_ref(), Ok(&stage.envelope));
    let ask = |locale: &str, intent: &Intent, condition, ms| {
        let mut own = policy.no_facts();
        own.set_word(policy.handle("locale").unwrap(), locale).unwrap();
        own.set_decimal(policy.handle("amount").unwrap(), "1200.50").unwrap();
        let seen = Observation { own: Some(own), pushback: Some(Pushback::None), ..Observation::of(condition) };
        let next = policy.next_move(intent, &seen, &World { layer: "dispatcher", ..stage.world(ms) });
        assert_eq!(policy.replay(&next.record()), Replayed::Same);
        (format!("{:?}", next.action()), next.event(), next.verb())
    };
    let both = |intent: &Intent, condition, ms| {
        let (fa, en) = (ask("fa", intent, condition, ms), ask("en", intent, condition, ms));
        assert_eq!(fa, en, "the language of a screen changes no move");
        fa
    };
    let intent = lost(&stage);
    // The supervisor's screen builds its own envelope, and finds the one that is under way.
    assert_eq!(intent.envelope().recognise(&Envelope::read(&english).unwrap()), Ok(true));
    let (_, event, verb) = both(&intent, Condition::Timeout, 10_000);
    assert_eq!(verb, Verb::Reconcile, "nobody asks another model to write the order again");
    let intent = run(&intent, [event.unwrap(), Event::Look("reference".into())]);
    assert_eq!(intent.state(), State::Indeterminate);
    let early = policy.look_says(&intent, "reference", &Look::Nothing, stage.at(1_900));
    assert_eq!(early, Event::Unconfirmed, "the ERP shows an order up to two seconds late");
    let found = policy.look_says(&intent, "reference", &Look::Found("PO-4711".parse().unwrap()), stage.at(12_100));
    let (intent, duties) = intent.step(found.clone()).unwrap();
    assert_eq!(duties, [Duty::Tell(State::Committed)]);
    let (_, event, verb) = both(&intent, Condition::Timeout, 12_200);
    assert_eq!(verb, Verb::Done);
    // Both screens finish it, the event comes in once more, the answer arrives after all: nobody is told again.
    let late = stage.seen(1, 12_300, Condition::AlreadyDone, Dispatch::Processed, Boundary::Crossed);
    for event in [event.clone().unwrap(), event.unwrap(), found, late, Event::Cancel] {
        let (after, duties) = intent.step(event).unwrap();
        assert_eq!((after.state(), duties), (State::Committed, vec![]));
        assert_eq!(after.receipt().map(ToString::to_string).as_deref(), Some("PO-4711"));
    }
    // Nobody may tell of it: then a person looks, with every attempt in sight, from whichever screen.
    let open = lost(&stage);
    let (told, ..) = both(&open, Condition::Unconfirmed, 12_000);
    assert!(told.starts_with("Review"), "{told}");
}

fn lost(stage: &Stage) -> Intent {
    run(&stage.sent(), [stage.lost(1, 10_000)])
}

fn reconciled<'a>(stage: &'a Stage, intent: &'a Intent) -> NextMove<'a> {
    let next = stage.policy.next_move(intent, &Observation::of(Condition::Timeout), &stage.world(10_000));
    assert_eq!(next.verb(), Verb::Reconcile);
    next
}
