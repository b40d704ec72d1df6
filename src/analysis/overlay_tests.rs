//! Overlays against brute force: every input of small random pairs of a base and an overlay, and every way in which the
//! world may refuse.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::tests::{Key, allows, has_hole, key, values_of};
use super::{Limits, analyse};
use crate::diag::Diagnostic;
use crate::model::{Action, End, Model, Outcome, Row, Table, TableId, Value, eval};
use crate::space::random::{inputs, overlaid};
use crate::text::Span;

/// The row that answers a table, where one does.
fn row_of<'a>(model: &'a Model, table: TableId, x: &[Value]) -> Option<&'a Row> {
    let answer = eval::answer(model, table, x);
    let (t, r) = answer.path.last().filter(|_| answer.end == End::Row)?;
    Some(&model.tables[t.0].rows[r])
}

/// The rows that answer together: the base's, then the overlay's.
fn rows_of<'a>(model: &'a Model, x: &[Value]) -> Vec<&'a Row> {
    let Some(base) = row_of(model, TableId(0), x) else { return Vec::new() };
    let path = eval::answer(model, TableId(0), x).path;
    let tighten = model.overlay.iter().flat_map(|o| &o.tighten);
    let asked = tighten.filter(|(table, _)| path.iter().any(|(t, _)| t == *table));
    [base].into_iter().chain(asked.filter_map(|(_, own)| row_of(model, *own, x))).collect()
}

fn chain(row: &Row) -> &[Action] {
    if let Outcome::Act(chain) = &row.outcome { &chain.actions } else { &[] }
}

/// What each row is left with where some verbs are refused.
fn left<'a>(model: &Model, rows: &[&'a Row], x: &[Value], refused: impl Fn(Key) -> bool) -> Vec<&'a Action> {
    rows.iter().filter_map(|r| chain(r).iter().find(|a| !refused(key(a)) && allows(model, a, x))).collect()
}

/// The row that holds: the most cautious, of equal ones the last.
fn holds(left: &[&Action]) -> usize {
    (0..left.len()).fold(0, |held, i| if left[i].verb() <= left[held].verb() { i } else { held })
}

/// Of two actions of one verb of these models, whether the second allows more: they differ in units and in the wait.
fn wider(base: &Action, own: &Action) -> bool {
    match (base, own) {
        (Action::Retry { backoff: b, spend: s }, Action::Retry { backoff: o, spend: t }) => {
            t < s || (b.is_some() && o.is_none())
        }
        _ => false,
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Truth {
    /// The row that holds and the rule that it breaks.
    broken: BTreeSet<(Span, Span)>,
    /// Rows of the overlay that are wider than what they hold back.
    wider: BTreeSet<Span>,
}

fn truth(model: &Model, inputs: &[Vec<Value>]) -> Truth {
    let mut truth = Truth::default();
    for x in inputs {
        let rows = rows_of(model, x);
        let keys: BTreeSet<Key> =
            rows.iter().flat_map(|r| chain(r)).filter(|a| a.verb().can_be_refused()).map(key).collect();
        let keys: Vec<Key> = keys.into_iter().collect();
        for bits in 0..1u32 << keys.len() {
            let refused = |k| keys.iter().position(|o| *o == k).is_some_and(|i| bits >> i & 1 == 1);
            let left = left(model, &rows, x, refused);
            if left.is_empty() || left.len() < rows.len() {
                continue;
            }
            let held = holds(&left);
            let (verb, parity) = key(left[held]);
            for rule in &model.rules {
                let named = rule.verbs.iter().any(|(v, p)| *v == verb && (p.is_none() || *p == parity));
                let applies = rule.tests.iter().all(|c| eval::holds(model, c, x)) != rule.unless;
                if applies && named != rule.only {
                    truth.broken.insert((rows[held].span, rule.span));
                }
            }
            if (0..held).any(|i| left[i].verb() == left[held].verb() && wider(left[i], left[held])) {
                truth.wider.insert(rows[held].span);
            }
        }
    }
    truth
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rules_and_widening_are_told_exactly_where_an_input_shows_them(
        bytes in proptest::collection::vec(any::<u8>(), 0..260), more in proptest::collection::vec(any::<u8>(), 0..120),
    ) {
        let model = overlaid(&bytes, &more);
        let inputs = inputs(&model);
        // What a derive leaves open is an error of its own, and nothing is said of what comes of it.
        let tables: Vec<&Table> = model.tables.iter().collect();
        if inputs.iter().any(|x| has_hole(&model, &tables, x)) {
            return Ok(());
        }
        let findings = analyse(&model, &Limits::default());
        let of = |code: &str| findings.iter().filter(|d| d.code.id == code).collect::<Vec<&Diagnostic>>();
        let found = Truth {
            broken: of("N0401").iter().map(|d| (d.labels[0].span, d.labels[1].span)).collect(),
            wider: of("N0405").iter().map(|d| d.labels[0].span).collect(),
        };
        prop_assert_eq!(&found, &truth(&model, &inputs), "{:?}", findings);
        for finding in of("N0401").into_iter().chain(of("N0405")) {
            let witness = finding.witness.as_ref().unwrap();
            let x = values_of(&model, witness);
            let rows = rows_of(&model, &x);
            let name = |(verb, parity): Key| if parity.is_some() { format!("{verb} to same") } else { verb.to_string() };
            let left = left(&model, &rows, &x, |k| witness.refuse.contains(&name(k)));
            prop_assert_eq!(left.len(), rows.len());
            prop_assert_eq!(rows[holds(&left)].span, finding.labels[0].span, "{:?}", finding);
        }
    }
}
