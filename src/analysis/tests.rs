//! Findings against the plain evaluator, over every input of small random models.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{Limits, analyse, run_out};
use crate::diag::{Diagnostic, Witness, WitnessValue};
use crate::model::{Action, End, FactId, FactSource, Model, Outcome, Table, TableId, Type, Value, Waiver, eval};
use crate::space::random::{inputs, model, ruled};
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;
use crate::words::{Verb, parse_duration};

/// The facts of a witness, put back into values.
pub(super) fn values_of(model: &Model, witness: &Witness) -> Vec<Value> {
    let mut values = vec![Value::Unknown; model.facts.len()];
    for (name, value) in &witness.facts {
        let (i, _, fact) = model.facts.get_full(name.as_str()).unwrap();
        values[i] = match (value, &fact.ty) {
            (WitnessValue::Number(n), _) => Value::Number(n.parse().unwrap()),
            (WitnessValue::Text(t), Type::Text) if !fact.points.iter().any(|p| **p == **t) => {
                Value::Text(t.as_str().into())
            }
            (WitnessValue::Text(t), _) if fact.named_value(t).is_some() => fact.named_value(t).unwrap(),
            (WitnessValue::Text(t), _) => Value::Number(parse_duration(t).unwrap().into()),
        };
    }
    values
}

/// Places at which something is wrong, with the inputs that show it.
type Truth<'a> = BTreeMap<(&'static str, Span, Span), Vec<&'a Vec<Value>>>;

fn truth<'a>(model: &Model, inputs: &'a [Vec<Value>]) -> Truth<'a> {
    let mut truth = Truth::new();
    let none = Span::default();
    for x in inputs {
        let mut add = |code, a, b| truth.entry((code, a, b)).or_default().push(x);
        for table in model.derives.iter().map(|d| &d.table) {
            if has_hole(model, &[table], x) {
                continue;
            }
            if eval::matching_row(model, table, x).is_none() {
                add("gap", table.span, none);
            }
            pairs(model, table, x, &mut add);
        }
        if has_hole(model, &reachable(model), x) {
            continue;
        }
        let answer = eval::answer(model, TableId(0), x);
        let path: Vec<_> = answer.path.iter().collect();
        for (t, _) in &path {
            pairs(model, &model.tables[t.0], x, &mut add);
        }
        let last = path.last().map(|(t, r)| &model.tables[t.0].rows[*r]);
        match answer.end {
            End::Gap(t) => {
                pairs(model, &model.tables[t.0], x, &mut add);
                add("gap", model.tables[t.0].span, none);
            }
            End::BrokenPromise(t) => {
                let test = model.tables[t.0].promise.iter().find(|c| !eval::holds(model, c, x)).unwrap();
                add("N0305", last.unwrap().span, test.span);
            }
            End::Row => {
                let Outcome::Act(chain) = &last.unwrap().outcome else { continue };
                for (verb, word, code) in [(Verb::Done, "confirmed", "N0306"), (Verb::Wait, "pending", "N0307")] {
                    let settled = model
                        .std
                        .condition
                        .is_some_and(|f| model.fact(f).named_value(word) == Some(x[f.0 as usize].clone()));
                    if !settled && chain.actions.iter().any(|a| a.verb() == verb) {
                        add(code, last.unwrap().span, none);
                    }
                }
            }
        }
    }
    truth
}

/// The tables that the entry may hand over to at all, itself included.
pub(super) fn reachable(model: &Model) -> Vec<&Table> {
    let mut ids = vec![0];
    let mut i = 0;
    while let Some(at) = ids.get(i) {
        for row in &model.tables[*at].rows.clone() {
            if let Outcome::See(next) = row.outcome
                && !ids.contains(&next.0)
            {
                ids.push(next.0);
            }
        }
        i += 1;
    }
    ids.into_iter().map(|i| &model.tables[i]).collect()
}

/// Whether a derive that some tables read has no value: its own fault, which hides the rest.
pub(super) fn has_hole(model: &Model, tables: &[&Table], x: &[Value]) -> bool {
    let conds = tables.iter().flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    conds
        .filter_map(|c| {
            if let FactSource::Derived { derive, .. } = model.fact(c.fact).source { Some(derive) } else { None }
        })
        .any(|d| {
            let table = &model.derives[d].table;
            eval::matching_row(model, table, x).is_none() || has_hole(model, &[table], x)
        })
}

fn pairs(model: &Model, table: &Table, x: &[Value], add: &mut dyn FnMut(&'static str, Span, Span)) {
    let code = match table.hit {
        Hit::AtMostOne => "N0303",
        Hit::Agree => "N0304",
        _ => return,
    };
    let matching = table.rows.iter().filter(|r| r.kind == RowKind::Plain);
    let matching: Vec<_> = matching.filter(|r| r.conds.iter().all(|c| eval::holds(model, c, x))).collect();
    for (i, a) in matching.iter().enumerate() {
        for b in &matching[i + 1..] {
            let agree = match (&a.outcome, &b.outcome) {
                (Outcome::Act(x), Outcome::Act(y)) => x.actions == y.actions,
                (Outcome::See(x), Outcome::See(y)) => x == y,
                (Outcome::Values(x), Outcome::Values(y)) => x == y,
                _ => false,
            };
            if code == "N0303" || !agree {
                add(code, b.span, a.span);
            }
        }
    }
}

/// Whether a finding is one of those that [`truth`] tells.
fn is_proof(finding: &Diagnostic) -> bool {
    ("N0301".."N0308").contains(&finding.code.id) || finding.code.id == "N0313"
}

/// Where a finding stands: its code (both kinds of gap as one) and its two places.
fn place(finding: &Diagnostic) -> (&'static str, Span, Span) {
    let other = finding.labels.get(1).map_or_else(Span::default, |l| l.span);
    match finding.code.id {
        "N0301" | "N0302" | "N0313" => ("gap", finding.span(), Span::default()),
        id => (id, finding.span(), other),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn findings_are_those_of_every_input(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let inputs = inputs(&model);
        let findings = analyse(&model, &Limits::default());
        prop_assert_eq!(&findings, &analyse(&model, &Limits::default()));
        let same: BTreeSet<_> = findings.iter().filter(|d| d.code.id == "N0308").map(place).map(|p| (p.1, p.2)).collect();
        let mut truth = truth(&model, &inputs);
        truth.retain(|(code, a, b), _| !matches!(*code, "N0303" | "N0304") || !same.contains(&(*a, *b)));
        let found: Vec<_> = findings.iter().filter(|d| is_proof(d)).collect();
        let places: BTreeSet<_> = found.iter().map(|d| place(d)).collect();
        prop_assert_eq!(places.len(), found.len(), "told twice: {:?}", found);
        prop_assert_eq!(&places, &truth.keys().copied().collect::<BTreeSet<_>>(), "{:?}", found);
        for finding in found {
            let x = values_of(&model, finding.witness.as_ref().unwrap());
            let shows = super::tests::truth(&model, std::slice::from_ref(&x));
            prop_assert!(shows.contains_key(&place(finding)), "{:?} {:?}", finding, x);
            let at = &truth[&place(finding)];
            let unknown = |i: usize| model.facts[i].is_callers() && at.iter().all(|x| x[i] == Value::Unknown);
            let only = (0..model.facts.len()).any(unknown);
            prop_assert!(!finding.code.id.starts_with("N030") || finding.code.id != "N0301" || !only, "{:?}", finding);
            prop_assert!(finding.code.id != "N0302" || only, "{:?}", finding);
        }
    }

    #[test]
    fn few_steps_never_give_a_wrong_finding(bytes in proptest::collection::vec(any::<u8>(), 0..260), max_steps in 0u64..60) {
        let model = model(&bytes);
        let inputs = inputs(&model);
        let truth = truth(&model, &inputs);
        let findings = analyse(&model, &Limits { max_steps, ..Limits::default() });
        let undecided = findings.iter().any(|d| d.code.id == "N0309");
        for finding in findings.iter().filter(|d| is_proof(d)) {
            prop_assert!(truth.contains_key(&place(finding)), "{:?}", finding);
        }
        let full = analyse(&model, &Limits::default());
        let all = |f: &[Diagnostic]| f.iter().filter(|d| is_proof(d)).map(place).collect::<BTreeSet<_>>();
        prop_assert!(undecided || all(&findings) == all(&full), "silence");
    }
}

/// What the facts must show, read off the language page: no sums.
pub(super) fn allows(model: &Model, action: &Action, x: &[Value]) -> bool {
    let word = |fact: Option<FactId>| {
        let fact = fact?;
        match &x[fact.0 as usize] {
            Value::Choice(i) => model.fact(fact).words().nth(usize::from(*i)),
            Value::Point(_) => Some("none"),
            _ => None,
        }
    };
    let at_least =
        |fact: Option<FactId>, n: i128| fact.is_some_and(|f| matches!(x[f.0 as usize], Value::Number(v) if v >= n));
    let known = |fact: Option<FactId>| fact.is_some_and(|f| x[f.0 as usize] != Value::Unknown);
    let std = &model.std;
    let (units, time) = match action {
        Action::Retry { backoff, spend } => (i128::from(*spend), if backoff.is_some() { 2 } else { 0 }),
        Action::Hedge { .. } => (1, 1),
        Action::Failover { .. } => (1, 0),
        _ => return true,
    };
    if !at_least(std.budget, units) || !at_least(std.deadline, time) || word(std.pushback) == Some("stop") {
        return false;
    }
    let harmless = match word(std.effect) {
        Some("read") => true,
        Some("inference") => word(std.tools) == Some("disabled"),
        _ => false,
    };
    let current = word(std.authorization) == Some("current");
    let right = current || harmless && !known(std.authorization);
    match action {
        Action::Retry { .. } => right && (word(std.pushback) != Some("wait") || known(std.hint)),
        Action::Hedge { .. } => right && harmless,
        _ => {
            current && word(std.boundary) == Some("not_crossed") && word(model.fact_id("parity.same")) == Some("holds")
        }
    }
}

pub(super) type Key = (Verb, Option<usize>);

pub(super) fn key(action: &Action) -> Key {
    (action.verb(), if let Action::Failover { parity } = action { Some(*parity) } else { None })
}

/// What may be left of a chain: for every way in which the world may refuse its verbs.
fn may_be_left(model: &Model, chain: &[Action], x: &[Value]) -> BTreeSet<Key> {
    let keys: Vec<Key> =
        chain.iter().filter(|a| a.verb().can_be_refused()).map(key).collect::<BTreeSet<_>>().into_iter().collect();
    let all = (0..1u32 << keys.len())
        .map(|bits| left(model, chain, x, |k| keys.iter().position(|o| *o == k).is_some_and(|i| bits >> i & 1 == 1)));
    all.flatten().collect()
}

fn left(model: &Model, chain: &[Action], x: &[Value], refused: impl Fn(Key) -> bool) -> Option<Key> {
    chain.iter().find(|a| !refused(key(a)) && allows(model, a, x)).map(key)
}

/// The rules that a row breaks, and the inputs that show it.
fn broken_rules(model: &Model, inputs: &[Vec<Value>]) -> BTreeSet<(Span, Span)> {
    let mut broken = BTreeSet::new();
    for x in inputs.iter().filter(|x| !has_hole(model, &reachable(model), x)) {
        let answer = eval::answer(model, TableId(0), x);
        let (End::Row, Some((t, r))) = (answer.end, answer.path.last()) else { continue };
        let row = &model.tables[t.0].rows[r];
        let Outcome::Act(chain) = &row.outcome else { continue };
        for rule in &model.rules {
            if rule.tests.iter().all(|c| eval::holds(model, c, x)) == rule.unless {
                continue;
            }
            let named =
                |(verb, parity): &Key| rule.verbs.iter().any(|(v, p)| v == verb && (p.is_none() || p == parity));
            if may_be_left(model, &chain.actions, x).iter().any(|k| named(k) != rule.only) {
                broken.insert((row.span, rule.span));
            }
        }
    }
    broken
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rules_hold_exactly_where_no_input_breaks_them(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = ruled(&bytes);
        let inputs = inputs(&model);
        let findings = analyse(&model, &Limits::default());
        let found: Vec<&Diagnostic> = findings.iter().filter(|d| d.code.id == "N0401").collect();
        let places: BTreeSet<_> = found.iter().map(|d| (d.labels[0].span, d.labels[1].span)).collect();
        prop_assert_eq!(found.len(), places.len());
        prop_assert_eq!(&places, &broken_rules(&model, &inputs), "{:?}", found);
        for finding in found {
            let witness = finding.witness.as_ref().unwrap();
            let x = values_of(&model, witness);
            let answer = eval::answer(&model, TableId(0), &x);
            let (t, r) = answer.path.last().unwrap();
            let row = &model.tables[t.0].rows[r];
            prop_assert_eq!(row.span, finding.labels[0].span);
            let rule = model.rules.iter().find(|rule| rule.span == finding.labels[1].span).unwrap();
            prop_assert!(rule.tests.iter().all(|c| eval::holds(&model, c, &x)) != rule.unless);
            let Outcome::Act(chain) = &row.outcome else { panic!() };
            let name = |(verb, parity): Key| if parity.is_some() { format!("{verb} to same") } else { verb.to_string() };
            let left = left(&model, &chain.actions, &x, |k| witness.refuse.contains(&name(k))).unwrap();
            let named = rule.verbs.iter().any(|(v, p)| *v == left.0 && (p.is_none() || *p == left.1));
            prop_assert!(named != rule.only, "{:?} {:?}", finding, left);
        }
    }
}

/// Rows that are the answer, or hand over, for some input; by span.
pub(super) fn reached_rows(model: &Model, inputs: &[Vec<Value>]) -> BTreeSet<Span> {
    let mut reached = BTreeSet::new();
    for x in inputs {
        for table in model.derives.iter().map(|d| &d.table).filter(|t| !has_hole(model, &[t], x)) {
            reached.extend(eval::matching_row(model, table, x).map(|r| table.rows[r].span));
        }
        if !has_hole(model, &reachable(model), x) {
            let answer = eval::answer(model, TableId(0), x);
            reached.extend(answer.path.iter().map(|(t, r)| model.tables[t.0].rows[r].span));
        }
    }
    reached
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_are_never_reached_exactly_where_no_input_does(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        let model = model(&bytes);
        let reached = reached_rows(&model, &inputs(&model));
        let findings = analyse(&model, &Limits::default());
        let twins: BTreeSet<_> = findings.iter().filter(|d| d.code.id == "N0308").map(Diagnostic::span).collect();
        let found: BTreeSet<_> =
            findings.iter().filter(|d| matches!(d.code.id, "N0311" | "N0312")).map(Diagnostic::span).collect();
        let tables = reachable(&model).into_iter().chain(model.derives.iter().map(|d| &d.table));
        let tables: Vec<_> = tables.filter(|t| t.rows.iter().any(|r| reached.contains(&r.span))).collect();
        let rows = tables.iter().flat_map(|t| &t.rows).map(|r| r.span);
        let never: BTreeSet<_> = rows.filter(|r| !reached.contains(r) && !twins.contains(r)).collect();
        prop_assert_eq!(&found, &never, "{:?}", findings);
        // Of the rows that shadow one of the entry table, all suffice and none can be left out.
        let whole = inputs(&model).iter().all(|x| !has_hole(&model, &reachable(&model), x));
        for finding in findings.iter().filter(|d| d.code.id == "N0311" && whole) {
            let shadow: Vec<Span> = finding.labels[1..].iter().map(|l| l.span).collect();
            let spans: Vec<Span> = model.tables[0].rows.iter().map(|r| r.span).collect();
            if !spans.contains(&finding.span()) || !shadow.iter().all(|s| spans.contains(s)) || shadow.len() > 3 {
                continue;
            }
            let reached_with = |kept: &[Span]| {
                let mut less = model.clone();
                less.tables[0].rows.retain(|r| r.span == finding.span() || kept.contains(&r.span));
                reached_rows(&less, &inputs(&less)).contains(&finding.span())
            };
            prop_assert!(!reached_with(&shadow));
            for one in &shadow {
                let others: Vec<Span> = shadow.iter().copied().filter(|s| s != one).collect();
                prop_assert!(reached_with(&others), "{:?}", finding);
            }
            if let Some(size) = smallest_shadow(&model, &inputs(&model), finding.span()) {
                prop_assert_eq!(shadow.len(), size, "{:?}", finding);
            }
        }
    }
}

/// How many rows of the entry table shadow one of it, at the fewest: of those sets of which none can be left out, and
/// one says something else, where there is one of up to three rows.
fn smallest_shadow(model: &Model, inputs: &[Vec<Value>], span: Span) -> Option<usize> {
    let entry = &model.tables[0];
    let row = entry.rows.iter().position(|r| r.span == span)?;
    let above: Vec<usize> = eval::resolution_order(entry).into_iter().take_while(|r| *r != row).collect();
    let plain = |r: &usize| entry.rows[*r].kind == RowKind::Plain;
    let matches = |r: usize, x: &[Value]| entry.rows[r].conds.iter().all(|c| eval::holds(model, c, x));
    let takers = |x: &Vec<Value>| (0..above.len()).filter(|i| matches(above[*i], x)).fold(0u32, |all, i| all | 1 << i);
    if !above.iter().all(plain) || above.len() > 12 {
        return None;
    }
    let own: BTreeSet<u32> = inputs.iter().filter(|x| matches(row, x)).map(takers).collect();
    let hides = |set: u32| own.iter().all(|takers| takers & set != 0);
    let bits = |set: u32| (0..above.len()).filter(move |i| set >> i & 1 == 1);
    let none_is_idle = |set: &u32| bits(*set).all(|i| !hides(set & !(1 << i)));
    let sets: Vec<u32> = (0..1 << above.len()).filter(|set| hides(*set)).filter(none_is_idle).collect();
    let says_else = |i: usize| !super::lint_tests::says(&entry.rows[above[i]], &entry.rows[row]);
    let size = |set: &u32| set.count_ones() as usize;
    let telling = sets.iter().filter(|set| bits(**set).any(says_else)).map(size).min();
    telling.filter(|n| *n <= 3).or(sets.iter().map(size).min())
}

#[test]
fn a_waiver_holds_on_its_last_day_and_not_after() {
    let mut model = model(&[]);
    let until = Some("2027-01-31".into());
    let waiver = Waiver {
        what: "r".into(),
        rows: vec![(TableId(0), 0)],
        because: "it must be".into(),
        owner: None,
        until,
        span: Span::default(),
    };
    model.waivers.push(waiver);
    assert!(run_out(&model, "2027-01-31").is_empty());
    let over = run_out(&model, "2027-02-01");
    assert_eq!(over.iter().map(|d| d.code.id).collect::<Vec<_>>(), ["N0404"]);
}

/// What follows for an input, whatever the world refuses: for each set of refused verbs what is left.
pub(super) fn follows(model: &Model, x: &[Value]) -> Vec<Option<Action>> {
    let answer = eval::answer(model, TableId(0), x);
    let (End::Row, Some((t, r))) = (answer.end, answer.path.last()) else { return Vec::new() };
    let Outcome::Act(chain) = &model.tables[t.0].rows[r].outcome else { return Vec::new() };
    let keys = [Verb::Reconcile, Verb::Retry, Verb::Hedge, Verb::Failover];
    let refused = |bits: u32, a: &Action| keys.iter().position(|k| *k == a.verb()).is_some_and(|i| bits >> i & 1 == 1);
    let left = |bits: u32| chain.actions.iter().find(|a| !refused(bits, a) && allows(model, a, x)).cloned();
    (0..16).map(left).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_called_idle_changes_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..260), ruled_too in any::<bool>()) {
        let model = if ruled_too { ruled(&bytes) } else { model(&bytes) };
        let inputs = inputs(&model);
        let findings = analyse(&model, &Limits::default());
        let same = |other: &Model| inputs.iter().all(|x| follows(&model, x) == follows(other, x));
        let table_of = |span: Span| model.tables.iter().position(|t| t.rows.iter().any(|r| span.start >= r.span.start && span.start < r.span.end || r.conds.iter().any(|c| c.span == span)));
        // What a derive leaves open is an error, and nothing is said of what comes of it.
        if inputs.iter().any(|x| has_hole(&model, &reachable(&model), x)) {
            return Ok(());
        }
        for finding in &findings {
            let Some(t) = table_of(finding.span()) else { continue };
            let mut less = model.clone();
            let rows = &mut less.tables[t].rows;
            match finding.code.id {
                "N0314" => rows.retain(|r| r.span != finding.span()),
                "N0316" => rows.iter_mut().for_each(|r| r.conds.retain(|c| c.span != finding.span())),
                "N0315" => {
                    let second = rows.iter().position(|r| r.span == finding.span()).unwrap();
                    let below = rows.remove(second);
                    for (a, b) in rows[second - 1].conds.iter_mut().zip(below.conds) {
                        a.set = a.set.or(&b.set, model.fact(a.fact)).into();
                    }
                }
                _ => continue,
            }
            prop_assert!(same(&less), "{:?}", finding);
        }
    }
}
