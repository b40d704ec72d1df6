//! Bounds held against every way that the budget can be spent.

use proptest::prelude::*;

use super::{bound_findings, bounds};
use crate::model::testing::{act, choice_fact, cond, row, set, table};
use crate::model::{Action, Backoff, Budget, By, Jitter, LayerBelow, Locator, Model};
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
        Just(Action::Failover { parity: 0 }),
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
            _ => (1, 0),
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
        let waits = actions.iter().any(|a| !matches!(a, Action::Failover { .. }));
        let total = waits.then(|| longest(&model, &actions, 1, attempts - 1));
        prop_assert_eq!(found.waits.map(|w| w.longest_ms), total);
        prop_assert_eq!(found.attempts_in_all, attempts * 6);
    }
}

/// The most that is under way at once, over every order of the actions, each with whether what was sent before it may
/// still be: `sent` are the times of those that may, the last of them now.
fn under_way(model: &Model, actions: &[(Action, bool)], attempt: u64, left: u64, sent: &[u64], late: u64) -> usize {
    let now = sent.last().copied().unwrap_or(0);
    let here = sent.iter().filter(|t| now - **t <= late).count();
    let after = actions.iter().filter_map(|(action, open)| {
        let (cost, made, pause) = match action {
            Action::Retry { backoff, spend } => {
                (*spend, 1, 1 + backoff.map_or(0, |b| model.backoffs[b].draw_ms(Some(attempt)).0))
            }
            Action::Hedge { copies, .. } => (copies - 1, copies - 1, 0),
            _ => (1, 1, 1),
        };
        let rest = left.checked_sub(cost)?;
        let before = if *open { sent.to_vec() } else { Vec::new() };
        let sent = [before, vec![now + pause; made as usize]].concat();
        Some(under_way(model, actions, attempt + made, rest, &sent, late))
    });
    after.max().unwrap_or(0).max(here)
}

proptest! {
    #[test]
    fn the_most_attempts_under_way(attempts in 1u64..6, late in 0u64..1_500, actions in proptest::collection::vec((action(), any::<bool>()), 0..4)) {
        let mut model = model(attempts, Vec::new());
        for backoff in &mut model.backoffs {
            backoff.jitter = Jitter::Equal;
        }
        let dispatch = choice_fact(&mut model, "dispatch", "maybe_processed not_sent refused undone");
        let proven = cond(dispatch, set(&model, dispatch, "not_sent undone"));
        let conds = |open: bool| if open { Vec::new() } else { vec![proven.clone()] };
        let rows = actions.iter().map(|(a, open)| row("", RowKind::Plain, conds(*open), act(vec![a.clone()])));
        model.tables[0].rows = rows.collect();
        model.budget.as_mut().unwrap().late_ms = late;
        let found = bounds(&model).unwrap();
        // One action may stand in several rows.
        let open = |a: &Action| actions.iter().any(|(other, open)| other == a && *open);
        let actions: Vec<_> = actions.iter().map(|(a, _)| (a.clone(), open(a))).collect();
        prop_assert_eq!(found.overlapping as usize, under_way(&model, &actions, 1, attempts - 1, &[0], late));
        prop_assert_eq!(found.overlapping_in_all, found.overlapping * 6);
    }
}

#[test]
fn the_memory_of_the_action_key_counts_wherever_it_is_declared() {
    let mut model = model(3, vec![Action::Retry { backoff: None, spend: 1 }]);
    let key = |remembers_ms| Locator {
        name: "action_key".into(),
        lag_ms: 0,
        remembers_ms,
        looks: None,
        span: Span::default(),
    };
    let told = |model: &Model| bound_findings(model).iter().any(|d| d.code.id == "N0506");
    for (late_ms, remembers, due) in
        [(0, Some(2_000), false), (0, Some(1_999), true), (1, Some(2_000), true), (9, None, false)]
    {
        model.locators = vec![key(remembers)];
        model.budget.as_mut().unwrap().late_ms = late_ms;
        assert_eq!(told(&model), due, "{late_ms} {remembers:?}");
        assert_eq!(bounds(&model).unwrap().memories.len(), 1);
    }
}

#[test]
fn looks_that_come_too_early() {
    let codes = |within_ms, looks| {
        let mut model = model(3, vec![Action::Reconcile { by: By::Locator(0), within_ms }]);
        model.locators =
            vec![Locator { name: "reference".into(), lag_ms: 500, remembers_ms: None, looks, span: Span::default() }];
        bound_findings(&model).iter().map(|d| d.code.id).collect::<Vec<_>>()
    };
    assert_eq!(codes(499, None), ["N0502", "N0510"]);
    assert_eq!(codes(500, Some(1)), ["N0502", "N0511"]);
    assert_eq!(codes(500, Some(2)), ["N0502"]);
    assert_eq!(codes(2_001, Some(2)), ["N0502", "N0504"]);
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
    assert_eq!(codes(3, Action::Retry { backoff: Some(0), spend: 1 }), ["N0502", "N0509"]);
    assert_eq!(codes(9, Action::Retry { backoff: Some(1), spend: 1 }), ["N0502", "N0503", "N0509"]);
    assert_eq!(codes(3, Action::Retry { backoff: None, spend: 3 }), ["N0502", "N0505", "N0509"]);
    assert_eq!(codes(3, Action::Hedge { copies: 2, after_ms: 1_401 }), ["N0502", "N0503", "N0504", "N0509"]);
}
