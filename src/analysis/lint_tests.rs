//! What lints claim, against the plain evaluator, over every input of small random models.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::tests::{allows, follows, has_hole, reachable, reached_rows, values_of};
use super::{Limits, analyse};
use crate::diag::Diagnostic;
use crate::model::{Cond, End, FactId, Model, Outcome, Row, Table, TableId, Type, Value, ValueSet, Values, eval};
use crate::space::random::{inputs, model, ruled};
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;

/// A model of either kind with all its inputs; nothing where a derive leaves something open, since nothing is said of
/// what comes of that.
fn drawn(bytes: &[u8], guarded: bool) -> Option<(Model, Vec<Vec<Value>>)> {
    let model = if guarded { ruled(bytes) } else { model(bytes) };
    let inputs = inputs(&model);
    let whole = inputs.iter().all(|x| !has_hole(&model, &reachable(&model), x));
    whole.then_some((model, inputs))
}

/// The inputs that come to a table.
fn coming<'a>(model: &Model, inputs: &'a [Vec<Value>], table: usize) -> Vec<&'a Vec<Value>> {
    let comes = |x: &&Vec<Value>| {
        let answer = eval::answer(model, TableId(0), x);
        table == 0 || answer.path.iter().any(|(t, _)| t.0 == table) || answer.end == End::Gap(TableId(table))
    };
    inputs.iter().filter(comes).collect()
}

fn of_code<'a>(findings: &'a [Diagnostic], code: &'a str) -> impl Iterator<Item = &'a Diagnostic> {
    findings.iter().filter(move |f| f.code.id == code)
}

/// The table and the row of a test or of the row itself.
fn row_at(model: &Model, span: Span) -> Option<(usize, usize)> {
    let holds = |r: &Row| {
        r.span == span
            || r.conds.iter().any(|c| c.span == span)
            || matches!(&r.outcome, Outcome::Act(c) if c.span == span)
    };
    let at = |(t, table): (usize, &Table)| Some((t, table.rows.iter().position(holds)?));
    model.tables.iter().enumerate().find_map(at)
}

fn open(table: &Table) -> bool {
    table.rows.iter().any(|r| r.kind == RowKind::AnyUnknown)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_left_out_or_swapped_does_what_is_said(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let same = |other: &Model| inputs.iter().all(|x| follows(&model, x) == follows(other, x));
        for finding in &findings {
            let Some((t, r)) = row_at(&model, finding.span()) else { continue };
            let mut other = model.clone();
            let rows = &mut other.tables[t].rows;
            match finding.code.id {
                "N0325" | "N0326" => rows[r].conds.retain(|c| c.span != finding.span()),
                "N0332" => { rows.remove(r); }
                "N0331" => {
                    let first = row_at(&model, finding.labels[1].span).unwrap();
                    prop_assert_eq!(first.0, t);
                    rows.swap(first.1, r);
                    // Of the two another answers, or hands over; what comes of that is another question.
                    let at = |m: &Model, x: &Vec<Value>| {
                        eval::answer(m, TableId(0), x).path.iter().find(|(table, _)| table.0 == t).map(|(_, row)| row)
                    };
                    let moved = |x: &Vec<Value>| match (at(&model, x), at(&other, x)) {
                        (Some(a), Some(b)) => !says(&model.tables[t].rows[a], &other.tables[t].rows[b]),
                        (a, b) => a != b,
                    };
                    prop_assert!(inputs.iter().any(moved), "{:?}", finding);
                    continue;
                }
                _ => continue,
            }
            prop_assert!(same(&other), "{:?}", finding);
        }
    }

    #[test]
    fn every_row_that_changes_nothing_is_told(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let told: BTreeSet<Span> = of_code(&findings, "N0314").map(Diagnostic::span).collect();
        let reached = reached_rows(&model, &inputs);
        let tables = model.tables.iter().enumerate().map(|(t, table)| (Some(t), table));
        for (t, table) in tables.chain(model.derives.iter().map(|d| (None, &d.table))).filter(|(_, t)| !open(t)) {
            if t.is_none() && inputs.iter().any(|x| has_hole(&model, &[table], x)) {
                continue;
            }
            for (r, row) in table.rows.iter().enumerate().filter(|(_, r)| reached.contains(&r.span)) {
                if row.kind != RowKind::Plain || matches!(row.outcome, Outcome::See(_)) {
                    continue;
                }
                let mut less = model.clone();
                let mut shorter = table.clone();
                shorter.rows.remove(r);
                if let Some(t) = t {
                    less.tables[t].rows.remove(r);
                }
                // The row that answers, where this one does, is another that says the same.
                let idle = inputs.iter().all(|x| match t {
                    Some(t) if !takes(&model, (t, r), x) => true,
                    Some(_) => answering(&less, x).is_some_and(|other| says(other, row)),
                    None if eval::matching_row(&model, table, x) != Some(r) => true,
                    None => eval::matching_row(&model, &shorter, x).is_some_and(|o| says(&shorter.rows[o], row)),
                });
                // A row that takes everything hides what stands below it, and that is told instead.
                let hides = table.rows[r + 1..].iter().any(|below| !reached.contains(&below.span));
                if idle && hides && !told.contains(&row.span) {
                    continue;
                }
                prop_assert_eq!(told.contains(&row.span), idle, "{:?}", row);
            }
        }
    }

    #[test]
    fn tests_and_values_in_their_context(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        if of_code(&findings, "N0305").next().is_some() {
            return Ok(());
        }
        let (mut always, mut never) = (BTreeSet::new(), BTreeSet::new());
        let mut unsure = BTreeSet::new();
        let reached = reached_rows(&model, &inputs);
        for (t, table) in model.tables.iter().enumerate() {
            let here = coming(&model, &inputs, t);
            if open(table) && here.len() < inputs.len() {
                continue;
            }
            // That all inputs come to a table with `any unknown` is seen of the plainest ways only.
            if open(table) && t > 0 {
                unsure.extend(table.rows.iter().flat_map(|r| &r.conds).map(|c| c.span));
            }
            for row in table.rows.iter().filter(|r| r.kind == RowKind::Plain && reached.contains(&r.span)) {
                for cond in &row.conds {
                    let others = |c: &&Cond| c.span != cond.span;
                    let comes: Vec<Value> = here
                        .iter()
                        .filter(|x| row.conds.iter().filter(others).all(|c| eval::holds(&model, c, x)))
                        .map(|x| eval::value_of(&model, cond.fact, x))
                        .collect();
                    if here.iter().all(|x| eval::holds(&model, cond, x)) {
                        always.insert(cond.span);
                        continue;
                    }
                    let Type::Choice { values, .. } = &model.fact(cond.fact).ty else { continue };
                    let listed: Vec<usize> = cond.set.choices().collect();
                    let dead = listed.iter().filter(|v| !comes.contains(&Value::Choice(**v as u16))).count();
                    if dead > 0 && dead < listed.len() && listed.len() * 2 <= values.len() {
                        never.insert(cond.span);
                    }
                }
            }
        }
        let told = |code| -> BTreeSet<Span> {
            let of_tables = of_code(&findings, code).map(Diagnostic::span);
            of_tables.filter(|s| row_at(&model, *s).is_some()).collect()
        };
        always.retain(|s| !unsure.contains(s) || told("N0325").contains(s));
        never.retain(|s| !unsure.contains(s) || told("N0329").contains(s));
        prop_assert_eq!(told("N0325"), always);
        prop_assert_eq!(told("N0329"), never);
    }

    #[test]
    fn refused_actions_are_those_that_no_input_allows(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let Some((model, inputs)) = drawn(&bytes, true) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let told: BTreeSet<Span> = of_code(&findings, "N0333").map(Diagnostic::span).collect();
        let mut never = BTreeSet::new();
        for (t, table) in model.tables.iter().enumerate() {
            for (r, row) in table.rows.iter().enumerate() {
                let Outcome::Act(chain) = &row.outcome else { continue };
                let answered: Vec<_> = inputs
                    .iter()
                    .filter(|x| eval::answer(&model, TableId(0), x).end == End::Row)
                    .filter(|x| eval::answer(&model, TableId(0), x).path.last() == Some((TableId(t), r)))
                    .collect();
                let acting = chain.actions.iter().take(chain.stated).filter(|a| a.verb().acts());
                for action in acting {
                    if !answered.is_empty() && answered.iter().all(|x| !allows(&model, action, x)) {
                        never.insert(chain.span);
                    }
                }
            }
        }
        prop_assert_eq!(told, never);
    }

    #[test]
    fn unknown_that_otherwise_takes(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let told: BTreeSet<Span> = of_code(&findings, "N0328").map(Diagnostic::span).collect();
        let mut due = BTreeSet::new();
        for x in &inputs {
            let answer = eval::answer(&model, TableId(0), x);
            let (End::Row, Some((t, r))) = (answer.end, answer.path.last()) else { continue };
            let (table, row) = (&model.tables[t.0], &model.tables[t.0].rows[r]);
            let Outcome::Act(chain) = &row.outcome else { continue };
            let asks = matches!(chain.actions[0].verb(), crate::words::Verb::Review | crate::words::Verb::Reconcile);
            if row.kind != RowKind::Otherwise || asks || open(table) {
                continue;
            }
            for plain in table.rows.iter().filter(|r| r.kind == RowKind::Plain) {
                let only = |fact: FactId| {
                    let unknown_is_named = table.rows.iter().flat_map(|r| &r.conds).any(|c| c.fact == fact && c.set.unknown);
                    let rest = plain.conds.iter().filter(|c| c.fact != fact).all(|c| eval::holds(&model, c, x));
                    x[fact.0 as usize] == Value::Unknown && !unknown_is_named && rest
                };
                if plain.conds.iter().any(|c| model.fact(c.fact).is_callers() && only(c.fact)) {
                    due.insert(row.span);
                }
            }
        }
        prop_assert_eq!(&told, &due);
        for finding in of_code(&findings, "N0328") {
            let answer = eval::answer(&model, TableId(0), &values_of(&model, finding.witness.as_ref().unwrap()));
            let (t, r) = answer.path.last().unwrap();
            prop_assert_eq!(model.tables[t.0].rows[r].span, finding.span());
        }
    }

    #[test]
    fn a_hole_is_one_value_that_a_wider_row_takes(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let told: BTreeSet<Span> = of_code(&findings, "N0327").map(Diagnostic::span).filter(|s| row_at(&model, *s).is_some()).collect();
        let due = holes(&model, &inputs);
        prop_assert_eq!(told.is_empty(), due.is_empty(), "{:?} {:?}", told, due);
        prop_assert!(told.is_subset(&due), "{:?} {:?}", told, due);
    }

    #[test]
    fn rules_and_values_that_are_idle(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let Some((model, inputs)) = drawn(&bytes, true) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        let told: BTreeSet<Span> = of_code(&findings, "N0337").map(Diagnostic::span).collect();
        let idle = |r: &&crate::model::Rule| {
            !r.unless && !inputs.iter().any(|x| r.tests.iter().all(|c| eval::holds(&model, c, x)))
        };
        prop_assert_eq!(told, model.rules.iter().filter(idle).map(|r| r.span).collect::<BTreeSet<_>>());
        for finding in of_code(&findings, "N0335") {
            let output = model.derives.iter().flat_map(|d| &d.outputs).find(|o| o.span == finding.span()).unwrap();
            let words: Vec<&str> = model.fact(output.fact).words().collect();
            for x in &inputs {
                if let Value::Choice(v) = eval::value_of(&model, output.fact, x) {
                    prop_assert!(!finding.message.contains(&format!("`{}`", words[usize::from(v)])), "{:?}", finding);
                }
            }
        }
    }

    #[test]
    fn rows_that_never_meet(bytes in proptest::collection::vec(any::<u8>(), 0..260), guarded in any::<bool>()) {
        let Some((model, inputs)) = drawn(&bytes, guarded) else { return Ok(()) };
        let findings = analyse(&model, &Limits::default());
        for finding in of_code(&findings, "N0338") {
            let t = model.tables.iter().position(|t| t.span == finding.span());
            let Some(t) = t else { continue };
            for x in coming(&model, &inputs, t) {
                let plain = model.tables[t].rows.iter().filter(|r| r.kind == RowKind::Plain);
                let matching = plain.filter(|r| r.conds.iter().all(|c| eval::holds(&model, c, x)));
                prop_assert!(matching.count() < 2, "{:?}", finding);
            }
        }
        // One table alone that says neither of both is sure to have rows that meet in sight.
        let entry = &model.tables[0];
        let told = findings.iter().any(|f| matches!(f.code.id, "N0331" | "N0338" | "N0308") && (f.span() == entry.span || entry.rows.iter().any(|r| r.span == f.span())));
        if model.tables.len() == 1 && entry.hit == Hit::First && !told {
            let matches = |r: &&Row, x: &Vec<Value>| r.conds.iter().all(|c| eval::holds(&model, c, x));
            let plain = entry.rows.iter().filter(|r| r.kind == RowKind::Plain);
            let plain: Vec<&Row> = plain.filter(|r| inputs.iter().any(|x| matches(r, x))).collect();
            let meets = |x: &Vec<Value>| plain.iter().filter(|r| matches(r, x)).count() > 1;
            prop_assert!(plain.len() < 2 || inputs.iter().any(meets), "{:?}", findings);
        }
    }
}

/// The rows that end just below a value which no row of their table speaks of, while another row begins just above,
/// and a row that does not look at the fact, and says something else than both, takes it.
fn holes(model: &Model, inputs: &[Vec<Value>]) -> BTreeSet<Span> {
    let mut due = BTreeSet::new();
    for x in inputs {
        let answer = eval::answer(model, TableId(0), x);
        for (t, r) in answer.path.iter() {
            let table = &model.tables[t.0];
            let taker = &table.rows[r];
            for (i, fact) in model.facts.values().enumerate() {
                let (Value::Number(at), Type::Number(_)) = (&x[i], &fact.ty) else { continue };
                let id = FactId(i as u32);
                let looks = |r: &Row| r.conds.iter().any(|c| c.fact == id);
                let plain = || table.rows.iter().filter(|r| r.kind == RowKind::Plain);
                let ends = |n: i128, last: bool| {
                    plain().filter(move |r| {
                        r.conds.iter().any(|c| c.fact == id && has_range(&c.set, n, last))
                            && r.conds.iter().filter(|c| c.fact != id).all(|c| eval::holds(model, c, x))
                    })
                };
                let spoken = table
                    .rows
                    .iter()
                    .flat_map(|r| &r.conds)
                    .any(|c| c.fact == id && (has_end(&c.set, *at, true) || has_end(&c.set, *at, false)));
                if looks(taker) || spoken {
                    continue;
                }
                for below in ends(at - 1, true) {
                    let differs = |above: &Row| !says(taker, below) && !says(taker, above);
                    if ends(at + 1, false).any(differs) {
                        due.insert(below.span);
                    }
                }
            }
        }
    }
    due
}

fn has_end(set: &ValueSet, n: i128, last: bool) -> bool {
    matches!(&set.values, Values::Number(ranges) if ranges.iter().any(|r| if last { r.1 == n } else { r.0 == n }))
}

/// Whether a range of several values ends or begins there.
fn has_range(set: &ValueSet, n: i128, last: bool) -> bool {
    let at = |r: &(i128, i128)| r.0 < r.1 && if last { r.1 == n } else { r.0 == n };
    matches!(&set.values, Values::Number(ranges) if ranges.iter().any(at))
}

/// The row that answers an input.
fn answering<'a>(model: &'a Model, x: &[Value]) -> Option<&'a Row> {
    let answer = eval::answer(model, TableId(0), x);
    let (t, r) = answer.path.last().filter(|_| answer.end == End::Row)?;
    Some(&model.tables[t.0].rows[r])
}

/// Whether a row of a table answers an input.
fn takes(model: &Model, (t, r): (usize, usize), x: &[Value]) -> bool {
    answering(model, x).is_some_and(|row| row.span == model.tables[t].rows[r].span)
}

/// Whether two rows say the same.
pub(super) fn says(a: &Row, b: &Row) -> bool {
    match (&a.outcome, &b.outcome) {
        (Outcome::Act(x), Outcome::Act(y)) => x.actions == y.actions,
        (Outcome::See(x), Outcome::See(y)) => x == y,
        (Outcome::Values(x), Outcome::Values(y)) => x == y,
        _ => false,
    }
}
