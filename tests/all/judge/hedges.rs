//! Hedges: what may be sent twice, how often, until when, and whose answer counts.

use nisi::Policy;
use nisi::decide::World as Because;
use nisi::judge::{Event, HedgeCopy, HedgePlan, Intent, Move, Observation, OutputChecks};
use nisi::words::{Condition, Verb};

use super::scene::{Stage, run, world_obstacles};
use crate::support::read;

const GOOD: OutputChecks = OutputChecks { schema: Some(true), safety: Some(true), evidence: Some(true) };

/// A policy that hedges whatever is slow; its guards know better.
fn eager(copies: u64) -> Policy {
    let text = format!(
        "policy a\nversion 1\nuse std.facts\nbudget {{ owner coordinator, attempts 9, deadline 20s, reserve 4s, confirm 3 }}\n\
         table t, first row wins\n| => action |\n| hedge {copies} after 300ms; if refused, review desk |\n"
    );
    Policy::compile(&text).unwrap_or_else(|found| panic!("{found:?}"))
}

fn stage(operation: &str) -> Stage {
    let order = read("tests/cases/judge/order.yaml").replace("max_attempts: 3", "max_attempts: 9");
    Stage::of(&order.replace("effect: consequential_write, tools: disabled", operation))
}

#[test]
fn only_what_is_harmless_twice_is_hedged_and_with_tools_disabled() {
    let policy = eager(2);
    let ask = |operation: &str| {
        let stage = stage(operation);
        policy.next_move(&stage.sent(), &Observation::of(Condition::Pending), &stage.world(1_000)).verb()
    };
    for harmless in ["effect: immutable_read", "effect: read, tools: enabled", "effect: verification"] {
        assert_eq!(ask(harmless), Verb::Hedge, "{harmless}");
    }
    assert_eq!(ask("effect: inference, tools: disabled"), Verb::Hedge);
    for not in ["effect: inference, tools: enabled", "effect: inference", "tools: disabled"] {
        assert_eq!(ask(not), Verb::Review, "{not}");
    }
    for effect in ["proposal", "write", "consequential_write"] {
        assert_eq!(ask(&format!("effect: {effect}, tools: disabled")), Verb::Review, "{effect}");
    }
}

/// Delay, cap and the one deadline are part of the decision; the reserve is not part of that deadline.
#[test]
fn the_plan_is_part_of_the_decision() {
    let stage = stage("effect: read");
    let (policy, intent) = (eager(3), stage.sent());
    let next = policy.next_move(&intent, &Observation::of(Condition::Pending), &stage.world(1_000));
    assert_eq!(next.action(), Move::Hedge(HedgePlan { copies: 3, at: stage.at(1_300), until: stage.at(16_000) }));
    assert_eq!(next.event(), None, "further copies are attempts, recorded one by one before they are sent");
    let record = next.record().to_json();
    assert!(record.contains("\"copies\":3") && record.contains("\"after_ms\":300"), "{record}");
    let short = policy.next_move(&intent, &Observation::of(Condition::Pending), &stage.world(15_701));
    assert_eq!(short.verb(), Verb::Review, "a copy that could not go out before the deadline is none");
}

/// As many copies as the plan allows, the first included; asked again while they are out, it sends no more.
#[test]
fn copies_are_capped_over_all_that_are_out() {
    let stage = stage("effect: read");
    let policy = eager(3);
    let more = |intent: &Intent, ms| run(intent, [Event::Dispatch(stage.attempt(intent, ms))]);
    let ask = |intent: &Intent| {
        let next = policy.next_move(intent, &Observation::of(Condition::Pending), &stage.world(2_000));
        (next.verb(), world_obstacles(&next.obstacles(), Verb::Hedge))
    };
    let one = stage.sent();
    let two = more(&one, 1_300);
    let three = more(&two, 1_300);
    assert_eq!([ask(&one), ask(&two)], [(Verb::Hedge, vec![]), (Verb::Hedge, vec![])]);
    assert_eq!(ask(&three), (Verb::Review, vec![Because::Intent]), "three are out already");
    // One that answered is out no more.
    let answered = run(&three, [stage.lost(2, 1_900)]);
    assert_eq!(ask(&answered).0, Verb::Hedge);
}

fn copy(attempt: u64, answered: Option<u64>, checks: OutputChecks, cost: u64, stage: &Stage) -> HedgeCopy {
    HedgeCopy { attempt, answered: answered.map(|ms| stage.at(ms)), checks, cost }
}

/// The winner passes what every output passes: made, all three, and in time. Nothing that nobody checked wins.
#[test]
fn no_answer_wins_that_was_not_checked_or_came_late() {
    let stage = stage("effect: read");
    let plan = HedgePlan { copies: 2, at: stage.at(300), until: stage.at(9_000) };
    let marks = [None, Some(false), Some(true)];
    let mut passing = 0;
    for schema in marks {
        for safety in marks {
            for evidence in marks {
                let checks = OutputChecks { schema, safety, evidence };
                let fast = copy(2, Some(400), checks, 1, &stage);
                let slow = copy(1, Some(700), GOOD, 1, &stage);
                let race = plan.race(&[fast, slow], stage.at(800));
                assert_eq!(race.winner, Some(if checks == GOOD { 2 } else { 1 }), "{checks:?}");
                let alone = plan.race(&[fast], stage.at(800));
                assert_eq!(
                    alone.winner.is_some(),
                    checks.condition().is_none(),
                    "a failover's output is held to it too"
                );
                passing += usize::from(checks.condition().is_none());
            }
        }
    }
    assert_eq!(passing, 1);
    let late = plan.race(&[copy(1, Some(9_001), GOOD, 1, &stage)], stage.at(9_002));
    assert_eq!(late.winner, None, "one deadline for all copies");
    let just = plan.race(&[copy(1, Some(9_000), GOOD, 1, &stage)], stage.at(9_002));
    assert_eq!(just.winner, Some(1));
}

/// Losers are told to stop, and what they cost is kept, whether they stop or not.
#[test]
fn losers_are_cancelled_and_their_cost_is_kept() {
    let stage = stage("effect: read");
    let plan = HedgePlan { copies: 3, at: stage.at(300), until: stage.at(9_000) };
    let race = |copies: &[HedgeCopy], ms| plan.race(copies, stage.at(ms));
    let out = |attempt, cost| copy(attempt, None, OutputChecks::default(), cost, &stage);
    let nobody = race(&[out(1, 2), out(2, 1), out(3, 1)], 500);
    assert_eq!((nobody.winner, nobody.cancel, nobody.cost), (None, vec![], 4), "still under way");
    let won = copy(2, Some(600), GOOD, 5, &stage);
    let first = race(&[out(1, 3), won, out(3, 2)], 600);
    assert_eq!((first.winner, first.cancel, first.cost), (Some(2), vec![1, 3], 10));
    // Cancellation is ignored, and the loser finishes with a good answer and at full price.
    let loser = copy(1, Some(2_000), GOOD, 50, &stage);
    let after = race(&[loser, won, out(3, 2)], 2_000);
    assert_eq!((after.winner, after.cancel, after.cost), (Some(2), vec![3], 57), "the winner stays, the price grows");
    let over = race(&[out(1, u64::MAX), out(2, 1)], 9_001);
    assert_eq!((over.winner, over.cancel, over.cost), (None, vec![1, 2], u64::MAX), "past the deadline all stop");
}

/// A failover's output that fails a check goes back to the table as what it is, and is not taken.
#[test]
fn the_output_of_a_failover_is_held_to_the_same_checks() {
    let text = read("tests/cases/judge/order.yaml").replace("consequential_write", "proposal");
    let stage = Stage::of(&text.replace("tier: high", "tier: low, variation: acceptable, cost: acceptable"));
    for checks in [OutputChecks::default(), OutputChecks { safety: Some(false), ..GOOD }] {
        let seen = Observation { condition: checks.condition(), ..Observation::default() };
        let sent = stage.sent();
        let next = stage.policy.next_move(&sent, &seen, &stage.world(1_000));
        assert_eq!(next.action(), Move::Review(Some("quality")), "{checks:?}: {next:?}");
    }
}
