//! An orchestrator's loop: one intent, a flaky receiver, and a policy that says what may follow each attempt.
//!
//! Run it with `cargo run --example orchestrator`.

use std::time::Duration;

use nisi::Policy;
use nisi::decide::{Hint, StandardFacts};
use nisi::words::{Authorization, Boundary, Condition, Dispatch, Effect, Pushback, Release, Verb};

/// What the receiver answers, attempt by attempt, and what that proves; a look-up then finds the order.
const ANSWERS: [(Condition, Dispatch, Boundary); 4] = [
    (Condition::Overloaded, Dispatch::Refused, Boundary::NotCrossed),
    (Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed),
    (Condition::Timeout, Dispatch::MaybeProcessed, Boundary::MaybeCrossed),
    (Condition::Confirmed, Dispatch::Processed, Boundary::Crossed),
];

fn main() -> Result<(), nisi::Diagnostics> {
    let policy = Policy::compile(include_str!("../policies/field-guide.nisi"))?;
    let (mut left, mut budget, mut attempt) = (Duration::from_secs(16), 3, 1);
    // Of all attempts that nothing has settled: the weakest proof, and the farthest that the effect may have got.
    let (mut dispatch, mut boundary) = (Dispatch::NotSent, Boundary::NotCrossed);
    for (condition, proven, reached) in ANSWERS {
        (dispatch, boundary) = (dispatch.min(proven), boundary.max(reached));
        let facts = policy.facts(&StandardFacts {
            condition: Some(condition),
            dispatch: Some(dispatch),
            boundary: Some(boundary),
            effect: Some(Effect::ConsequentialWrite),
            idempotent: Some(true),
            pushback: Some(Pushback::None),
            hint: Hint::None,
            authorization: Some(Authorization::Current),
            release: Some(Release::Registered),
            deadline: Some(left),
            budget: Some(budget),
            attempt: Some(attempt),
            ..StandardFacts::default() // whatever nobody established is unknown, and unknown is never a "no"
        });
        let decision = policy.decide(&facts);
        println!("attempt {attempt}, {condition}: {decision}, by {}", decision.row_name().unwrap_or_default());
        match decision.verb() {
            Verb::Retry => {
                // A real caller draws the number at random, sleeps, and dispatches the same command again.
                let wait = Duration::from_millis(decision.wait(u64::MAX / 2).unwrap_or(0));
                left = left.saturating_sub(wait);
                (budget, attempt) = (budget - decision.spend().unwrap_or(1), attempt + 1);
            }
            Verb::Reconcile => println!("  looking it up by {}; nothing is sent", decision.by().unwrap_or("event")),
            // The case ends here, or goes to a person; the record of it is what `why` tells.
            _ => break,
        }
    }
    Ok(())
}
