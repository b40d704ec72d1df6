//! Bounds held against every way that the budget can be spent.

use proptest::prelude::*;

use super::{bound_findings, bounds};
use crate::model::testing::{act, row, table};
use crate::model::{Action, Backoff, Budget, Jitter, LayerBelow, Model};
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;

fn backoff(base_ms: u64, cap_ms: u64) -> Backoff {
    let steps = std::iter::successors(Some(base_ms.min(cap_ms)), |b| (*b < cap_ms).then(|| (b * 2).min(cap_ms)));
    Backoff {
        name: format!("b{base_ms}").into(),
        base_ms,
        factor_tenths: 20,
        cap_ms,
        jitter: Jitter::Full,
        steps_ms: steps.collect(),
        span: Span::default(),
    }
}

fn model(attempts: u64, actions: Vec<Action>) -> Model {
    let rows = actions.into_iter().map(|a| row("", RowKind::Plain, Vec::new(), act(vec![a]))).collect();
    Model {
        tables: vec![table("t", Hit::First, Vec::new(), rows)],
        backoffs: vec![backoff(100, 400), backoff(700, 700)],
        budget: Some(Budget {
            owner: "us".into(),
            below: vec![
                LayerBelow { name: "sdk".into(), attempts: 3 },
                LayerBelow { name: "mesh".into(), attempts: 2 },
            ],
            attempts,
            refill: None,
            deadline_ms: 2_000,
            reserve_ms: 500,
            confirm: 1,
            least_ms: 100,
            late_ms: 0,
            span: Span::default(),
        }),
        ..Model::default()
    }
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (0usize..2, 1u64..4).prop_map(|(b, spend)| Action::Retry { backoff: Some(b), spend }),
        Just(Action::Retry { backoff: None, spend: 1 }),
        (2u64..4, 0u64..900).prop_map(|(copies, after_ms)| Action::Hedge { copies, after_ms }),
    ]
}

/// The longest total over every order of the actions that the budget allows.
fn longest(model: &Model, actions: &[Action], attempt: u64, left: u64) -> u64 {
    let one = |action: &Action| {
        let (cost, hi) = match action {
            Action::Retry { backoff, spend } => {
                (*spend, backoff.map_or(0, |b| model.backoffs[b].draw_ms(Some(attempt)).1))
            }
            Action::Hedge { copies, after_ms } => (copies - 1, *after_ms),
            _ => return 0,
        };
        let made = if matches!(action, Action::Hedge { .. }) { cost } else { 1 };
        left.checked_sub(cost).map_or(0, |rest| hi + longest(model, actions, attempt + made, rest))
    };
    actions.iter().map(one).max().unwrap_or(0)
}

proptest! {
    #[test]
    fn the_longest_total_of_waits(attempts in 1u64..6, actions in proptest::collection::vec(action(), 1..4)) {
        let model = model(attempts, actions.clone());
        let found = bounds(&model).unwrap();
        prop_assert_eq!(found.waits.unwrap().longest_ms, longest(&model, &actions, 1, attempts - 1));
        prop_assert_eq!(found.attempts_in_all, attempts * 6);
    }
}

#[test]
fn without_a_budget_nothing_is_bounded() {
    let model = Model { budget: None, ..model(3, vec![Action::Retry { backoff: None, spend: 1 }]) };
    assert!(bounds(&model).is_none() && bound_findings(&model).is_empty());
}

#[test]
fn very_many_attempts_are_bounded_by_their_count() {
    let found = bounds(&model(u64::MAX, vec![Action::Retry { backoff: Some(1), spend: 1 }])).unwrap();
    assert_eq!((found.attempts_in_all, found.waits.unwrap().longest_ms), (u64::MAX, u64::MAX));
}

#[test]
fn each_finding_has_its_cause() {
    let codes = |attempts, action| {
        let found = bound_findings(&model(attempts, vec![action]));
        found.iter().map(|d| d.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(3, Action::Retry { backoff: Some(0), spend: 1 }), ["N0502"]);
    assert_eq!(codes(9, Action::Retry { backoff: Some(1), spend: 1 }), ["N0502", "N0503"]);
    assert_eq!(codes(3, Action::Retry { backoff: None, spend: 3 }), ["N0502", "N0505"]);
    assert_eq!(codes(3, Action::Hedge { copies: 2, after_ms: 1_401 }), ["N0502", "N0503", "N0504"]);
}
