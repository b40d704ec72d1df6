//! Comparisons against brute force, over every point of small random pairs of policies.

use proptest::prelude::*;

use super::axis::{SharedAxis, View};
use super::matching::SIDES;
use super::search::Extent;
use super::sheet::Ground;
use super::{CompareOptions, Mark, compare, search, tell};
use crate::model::testing::{choice_fact, fact, number};
use crate::model::{
    FactSource, Model, NumberKind, NumberType, Outcome, Overlay, StdFacts, Table, TableId, Type, Value, ValueSet,
    Values,
};
use crate::space::random::model;
use crate::words::DECIMAL_UNIT;

/// A random model, with the facts that guards read.
fn guarded(bytes: &[u8], extra: u8) -> Model {
    let mut model = model(bytes);
    let small = |kind: NumberKind, hi| Type::Number(NumberType { kind, lo: 0, hi, step: 1, dense: false });
    if extra & 1 == 1 {
        fact(&mut model, "budget", small(NumberKind::Count, 2), &[], FactSource::Caller);
        fact(&mut model, "deadline", number(NumberKind::Duration), &[], FactSource::Caller);
        choice_fact(&mut model, "authorization", "current stale");
    }
    if extra & 2 == 2 {
        choice_fact(&mut model, "effect", "read write inference");
    }
    if extra & 4 == 4 {
        choice_fact(&mut model, "pushback", "none wait stop");
        fact(&mut model, "hint", small(NumberKind::Duration, 5), &["none"], FactSource::Caller);
    }
    if extra & 8 == 8 {
        finer_numbers(&mut model);
    }
    if extra & 16 == 16 && model.tables.len() > 1 {
        // The last table tightens the first: it leaves no way of its own to it.
        let last = TableId(model.tables.len() - 1);
        let no_see = |t: &mut Table| t.rows.retain(|r| matches!(r.outcome, Outcome::Act(_)));
        model.tables.last_mut().into_iter().for_each(no_see);
        for table in &mut model.tables {
            table.rows.retain(|r| !matches!(r.outcome, Outcome::See(t) if t == last));
        }
        model.overlay = Some(Overlay { tighten: vec![(TableId(0), last)] });
    }
    model.std = StdFacts::find(&model.facts);
    model
}

/// Turns the plain numbers into decimals of half steps.
fn finer_numbers(model: &mut Model) {
    let mut changed = Vec::new();
    for (i, fact) in model.facts.values_mut().enumerate().filter(|(_, f)| f.name.starts_with('f')) {
        if let Type::Number(ty) = &mut fact.ty {
            let (hi, step) = (ty.hi * DECIMAL_UNIT, DECIMAL_UNIT / 2);
            *ty = NumberType { kind: NumberKind::Decimal, lo: 0, hi, step, dense: false };
            changed.push(i);
        }
    }
    let tables = model.tables.iter_mut().chain(model.derives.iter_mut().map(|d| &mut d.table));
    for cond in tables.flat_map(|t| t.promise.iter_mut().chain(t.rows.iter_mut().flat_map(|r| &mut r.conds))) {
        if !changed.contains(&(cond.fact.0 as usize)) {
            continue;
        }
        let mut set: ValueSet = (*cond.set).clone();
        if let Values::Number(ranges) = &mut set.values {
            ranges.iter_mut().for_each(|r| *r = (r.0 * DECIMAL_UNIT, r.1 * DECIMAL_UNIT));
        }
        cond.set = set.into();
    }
}

/// Bytes, and the same with some of them changed.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..160);
    let edits = proptest::collection::vec((0usize..160, any::<u8>()), 0..8);
    (bytes, edits).prop_map(|(bytes, edits)| {
        let mut edited = bytes.clone();
        for (at, byte) in edits {
            if let Some(slot) = edited.get_mut(at) {
                *slot = byte;
            }
        }
        (bytes, edited)
    })
}

/// Every point of the shared space; nothing where they are too many.
fn points(ground: &Ground) -> Option<Vec<Vec<u32>>> {
    let all = ground.sizes.iter().try_fold(1u32, |n, size| n.checked_mul(*size))?;
    if all > 20_000 {
        return None;
    }
    let mut points = vec![Vec::new()];
    for size in &ground.sizes {
        let next = |p: &Vec<u32>, s: u32| p.iter().copied().chain([s]).collect();
        points = points.iter().flat_map(|p| (0..*size).map(move |s| next(p, s))).collect();
    }
    Some(points)
}

/// What changed at a point, rows read one by one.
fn truth(ground: &Ground, point: &[u32]) -> Option<Mark> {
    let [old, new] = SIDES.map(|side| ground.plain(side, &ground.values(side, point), point).meaning);
    old.mark(&new)
}

/// Holds what was found against the truth; gives whether it must be complete.
fn hold(old: &Model, new: &Model, max_steps: u64) {
    let ground = Ground::new([old, new]).unwrap();
    let Some(points) = points(&ground) else { return };
    let found = search::differences(&ground, max_steps, 500);
    let regions: Vec<_> = found.found.iter().map(|d| (d, ground.mark(d))).collect();
    for point in &points {
        let outcomes = ground.whole.outcomes_at(point);
        let truth = truth(&ground, point);
        let held: Vec<_> = regions.iter().filter(|(d, _)| ground.is_in(d, point, &outcomes)).collect();
        assert!(held.iter().all(|(_, mark)| *mark == truth), "{truth:?} at {point:?}: {held:?}");
        let open = found.open.iter().any(|c| c.holds(point, &outcomes));
        assert!(
            truth.is_none() || !held.is_empty() || !found.open.is_empty(),
            "{truth:?} missing at {point:?}, {open}"
        );
    }
    for difference in &found.found {
        let change = tell::change(&ground, difference).expect("the rows bear it out");
        assert_eq!(Some(change.mark), ground.mark(difference));
        for side in SIDES {
            let inside = points.iter().filter(|p| ground.is_in(difference, p, &ground.whole.outcomes_at(p)));
            let mut rows: Vec<_> = inside.map(|p| ground.plain(side, &ground.values(side, p), p).row).collect();
            rows.sort_unstable();
            rows.dedup();
            let mut told = difference.rows[side].clone();
            told.sort_unstable();
            assert_eq!(told, rows);
        }
    }
}

impl Ground<'_> {
    fn is_in(&self, difference: &search::Difference, point: &[u32], outcomes: &[u32]) -> bool {
        let plain = |side: usize| self.plain(side, &self.values(side, point), point);
        let says = |side: usize| plain(side).meaning == self.meanings[difference.outcomes[side] as usize];
        match &difference.extent {
            Extent::Region(clause) => clause.holds(point, outcomes),
            Extent::Wherever => says(0),
            Extent::Rows(clause) => {
                let answers = SIDES.into_iter().all(|s| says(s) && difference.rows[s].contains(&plain(s).row));
                clause.holds(point, outcomes) && answers
            }
        }
    }

    fn mark(&self, difference: &search::Difference) -> Option<Mark> {
        let [old, new] = difference.outcomes.map(|o| &self.meanings[o as usize]);
        old.mark(new)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn regions_are_exactly_the_points_that_differ((a, b) in pair(), extra in 0u8..8, also in 0u8..16) {
        let new = if also & 1 == 0 { also | extra } else { extra };
        hold(&guarded(&a, extra), &guarded(&b, new), u64::MAX);
    }

    #[test]
    fn overlays_are_the_more_cautious_of_both((a, b) in pair(), old in 0u8..2, new in 0u8..2) {
        hold(&guarded(&a, 1 + 16 * old), &guarded(&b, 17 - 16 * (old & new)), u64::MAX);
    }

    #[test]
    fn few_steps_never_give_a_wrong_answer((a, b) in pair(), steps in 0u64..400) {
        hold(&guarded(&a, 1), &guarded(&b, 1), steps);
    }

    #[test]
    fn a_policy_is_the_same_as_itself_and_the_report_repeats((a, b) in pair(), extra in 0u8..8) {
        let (old, new) = (guarded(&a, extra), guarded(&b, extra));
        let options = CompareOptions::default();
        prop_assert!(compare(&old, &guarded(&a, extra), &options).is_same());
        prop_assert_eq!(compare(&old, &new, &options), compare(&old, &new, &options));
    }

    #[test]
    fn every_value_has_its_segment((a, b) in pair(), also in 0u8..16) {
        let models = [guarded(&a, 0), guarded(&b, also & 8)];
        let name = "f0";
        let facts = models.each_ref().map(|m| m.facts.get(name).unwrap());
        let sets = models.each_ref().map(sets_of_f0);
        let spaces = models.each_ref().map(crate::space::Space::new);
        let ids = models.each_ref().map(|m| m.fact_id(name).unwrap());
        let view = |side: usize| View {
            fact: facts[side],
            axis: spaces[side].axis_of(ids[side]).map(|a| spaces[side].axis(a)),
            sets: &sets[side],
        };
        let axis = SharedAxis::new(name, [Some(view(0)), Some(view(1))]);
        for raw in raws() {
            let seen = SIDES.map(|side| raw.seen(facts[side]));
            let fits = |seg: u32| SIDES.into_iter().all(|side| {
                let (own, given) = (axis.value(seg, side), seen[side].clone().unwrap_or_default());
                sets[side].iter().all(|set| set.admits(own) == set.admits(&given))
            });
            prop_assert!((0..axis.n_segments()).any(fits), "{raw:?}");
        }
    }
}

fn sets_of_f0(model: &Model) -> Vec<&ValueSet> {
    let tables = model.tables.iter().chain(model.derives.iter().map(|d| &d.table));
    let conds = tables.flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    let id = model.fact_id("f0").unwrap();
    conds.filter(|c| c.fact == id).map(|c| &*c.set).collect()
}

/// A value before its fact says what it means.
#[derive(Debug, Clone)]
enum Raw {
    Word(&'static str),
    Halves(i128),
}

fn raws() -> Vec<Raw> {
    let words = ["yes", "no", "a", "b", "c", "low", "mid", "high", "none", "po:", "po:x", "po:xy", "po:y", "zz"];
    words.into_iter().map(Raw::Word).chain((0..=9).map(Raw::Halves)).collect()
}

impl Raw {
    fn seen(&self, fact: &crate::model::Fact) -> Option<Value> {
        match (self, &fact.ty) {
            (Raw::Word(word), Type::Text) => Some(fact.points_value(word).unwrap_or(Value::Text((*word).into()))),
            (Raw::Word(word), _) => fact.named_value(word),
            (Raw::Halves(n), Type::Number(ty)) => {
                let ticks = if ty.kind == NumberKind::Decimal { n * (DECIMAL_UNIT / 2) } else { n / 2 };
                let exact = ty.kind == NumberKind::Decimal || n % 2 == 0;
                (exact && ty.holds(ticks)).then_some(Value::Number(ticks))
            }
            _ => None,
        }
    }
}

/// That the random pairs differ, act and are refused often enough to mean something.
#[test]
fn random_pairs_are_worth_comparing() {
    let mut bytes = 7u32;
    let mut next = || {
        bytes = bytes.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (bytes >> 24) as u8
    };
    let (mut changed, mut acting, mut small) = (0, 0, 0);
    for _ in 0..60 {
        let a: Vec<u8> = (0..120).map(|_| next()).collect();
        let mut b = a.clone();
        for _ in 0..4 {
            b[usize::from(next()) % 120] = next();
        }
        let ground = [guarded(&a, 1), guarded(&b, 1)];
        small += usize::from(points(&Ground::new([&ground[0], &ground[1]]).unwrap()).is_some());
        let found = compare(&guarded(&a, 1), &guarded(&b, 1), &CompareOptions::default());
        changed += usize::from(!found.changes.is_empty());
        acting += usize::from(found.changes.iter().any(|c| c.old.verb.acts() || c.new.verb.acts()));
        assert!(found.undecided.is_empty(), "{:?}", found.undecided);
    }
    assert!(changed > 15 && acting > 5 && small > 20, "{changed} {acting} {small}");
}
