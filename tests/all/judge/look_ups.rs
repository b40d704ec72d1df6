//! Look-ups: what a locator's silence proves, how often it may be asked, and until when.

use nisi::decide::World as Because;
use nisi::judge::{Event, Intent, Look, Move, Observation};
use nisi::words::{Condition, Verb};

use super::budget::policy;
use super::scene::{Stage, run, world_obstacles};
use crate::support::read;

const LOOKS: &str = "budget { owner coordinator, attempts 3, deadline 20s }\n\
    locator action_key { lag 2s, remembers 1h }\nlocator reference { lag 5s, remembers 30d, looks 2 }";

/// A key that the receiver has forgotten proves nothing: not that the effect is absent, and not that a second copy would
/// be recognised, whatever the row thinks of it.
#[test]
fn a_forgotten_key_proves_nothing() {
    let text = read("tests/cases/judge/order.yaml").replace("10:00:20Z", "13:00:00Z");
    let stage = Stage::of(&text);
    let intent = run(&stage.sent(), [stage.lost(1, 1_000)]);
    let policy = policy(
        &LOOKS.replace("deadline 20s", "deadline 1d"),
        "| => action |\n| retry now; if refused, reconcile by action_key within 4s; if refused, review desk |",
    );
    let says = |ms| policy.look_says(&intent, "action_key", &Look::Nothing, stage.at(ms));
    assert_eq!([says(1_999), says(2_000)], [Event::Unconfirmed, Event::Absent], "it may not show before its lag");
    assert_eq!(
        [says(3_599_999), says(3_600_000)],
        [Event::Absent, Event::Unconfirmed],
        "what is forgotten is not absent"
    );
    let ask = |ms| policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(ms)).verb();
    assert_eq!(ask(3_599_999), Verb::Retry, "the receiver recognises the key");
    assert_eq!(ask(3_600_000), Verb::Review, "a repeat would be a fresh action, and the look-up could not tell");
    let next = policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(3_600_000));
    assert_eq!(world_obstacles(&next.obstacles(), Verb::Retry), [Because::Intent]);
    assert_eq!(world_obstacles(&next.obstacles(), Verb::Reconcile), [Because::Locator]);
    let receipt = Look::Found("PO-1".parse().unwrap());
    assert!(matches!(policy.look_says(&intent, "action_key", &receipt, stage.at(9_000_000)), Event::Receipt(_)));
}

/// A locator is asked as often as it says and no more, and no plan asks for a look that is not there.
#[test]
fn looks_are_used_up() {
    let stage = Stage::new();
    let policy = policy(LOOKS, "| => action |\n| reconcile by reference within 8s; if refused, review desk |");
    let mut intent = run(&stage.sent(), [stage.lost(1, 1_000)]);
    let seen = Observation::of(Condition::Timeout);
    let plan = |intent: &Intent| match policy.next_move(intent, &seen, &stage.world(2_000)).action() {
        Move::Reconcile(plan) => Some((plan.first, plan.again)),
        Move::Review(Some("desk")) => None,
        other => panic!("{other:?}"),
    };
    assert_eq!(plan(&intent), Some((stage.at(2_000), Some(stage.at(5_000)))), "at once, and when it must show");
    intent = run(&intent, [Event::Look("action_key".into()), Event::Unconfirmed]);
    assert!(plan(&intent).is_some_and(|(_, again)| again.is_some()), "another locator's looks are its own");
    intent = run(&intent, [Event::Look("reference".into()), Event::Unconfirmed]);
    assert_eq!(plan(&intent), Some((stage.at(2_000), None)), "one look is left: there is no second");
    intent = run(&intent, [Event::Look("reference".into()), Event::Unconfirmed]);
    assert_eq!(plan(&intent), None);
    let next = policy.next_move(&intent, &seen, &stage.world(2_000));
    assert_eq!(world_obstacles(&next.obstacles(), Verb::Reconcile), [Because::Locator]);
}

/// A look-up fits into what is left of deadline and reserve together: the earlier deadline of the policy and the envelope.
#[test]
fn a_look_up_ends_with_the_earlier_deadline() {
    let long = read("tests/cases/judge/order.yaml").replace("10:00:20Z", "10:05:00Z");
    let rows = "| => action |\n| reconcile by reference within 4s; if refused, review desk |";
    let policy = policy(&LOOKS.replace("deadline 20s", "deadline 20s, reserve 6s"), rows);
    for stage in [Stage::new(), Stage::of(&long)] {
        let intent = run(&stage.sent(), [stage.lost(1, 1_000)]);
        let ask = |ms| policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(ms)).verb();
        assert_eq!([ask(16_000), ask(16_001)], [Verb::Reconcile, Verb::Review], "{}", stage.envelope.deadline());
    }
}
