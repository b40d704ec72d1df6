//! The field guide's worked example: one purchase order, asked for in Persian and opened in English, whose answer is lost.

use nisi::judge::{
    ArgsHash, Duty, Event, Intent, KeyTemplate, Look, Move, NextMove, Observation, Protected, Replayed, State, World,
};
use nisi::words::{Condition, Pushback, Verb};

use super::scene::{Stage, run};

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
    let text = crate::support::read("tests/cases/judge/order.yaml");
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

fn lost(stage: &Stage) -> Intent {
    run(&stage.sent(), [stage.lost(1, 10_000)])
}

fn reconciled<'a>(stage: &'a Stage, intent: &'a Intent) -> NextMove<'a> {
    let next = stage.policy.next_move(intent, &Observation::of(Condition::Timeout), &stage.world(10_000));
    assert_eq!(next.verb(), Verb::Reconcile);
    next
}
