//! Proofs held to what they say of themselves: missing rows close a gap exactly, few steps leave nothing unsaid, and a
//! witness that does not show what it should is told as a fault of ours.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::again::witnessed;
use super::lints::missing_rows;
use super::scene::{Ground, Scene};
use super::tell::show;
use super::tests::{has_hole, reachable, reached_rows};
use super::{Limits, analyse};
use crate::diag::{Diagnostic, N0301, N0309};
use crate::model::{End, Model, Outcome, Row, TableId, Value, eval};
use crate::space::random::{inputs, model, overlaid, ruled};
use crate::space::{Flow, Layers, Region, Space};
use crate::text::Span;

fn ground(model: &Model) -> Ground<'_> {
    let space = Space::new(model);
    let layers = Layers::new(model, &space).unwrap();
    Ground { model, space, layers }
}

fn entry<'a>(ground: &'a Ground<'a>) -> Scene<'a> {
    let flow = Flow::of(ground.model, &ground.space, &ground.layers, TableId(0)).unwrap();
    Scene::new(ground, flow, None)
}

/// The missing rows of a table are a box that no row takes, they hold each fact that they were grown from, and no
/// column of a box can take one value more.
fn hold_missing_rows(model: &Model) -> Result<(), TestCaseError> {
    let inputs = inputs(model);
    if inputs.len() > 700 || inputs.iter().any(|x| has_hole(model, &reachable(model), x)) {
        return Ok(());
    }
    let ground = ground(model);
    let scene = entry(&ground);
    let gaps = inputs.iter().filter_map(|x| match eval::answer(model, TableId(0), x).end {
        End::Gap(id) => Some((x, id)),
        _ => None,
    });
    for (x, id) in gaps.step_by(1 + inputs.len() / 12) {
        let table = &model.tables[id.0];
        let segments = ground.space.point(x);
        let Some((missing, cells)) = missing_rows(&scene, id, &segments) else {
            prop_assert!(false, "no box");
            continue;
        };
        for y in &inputs {
            let point = ground.space.point(y);
            let inside = missing.holds(&point, &ground.layers.outcomes_at(&point));
            let as_cells = cells.iter().all(|(f, set)| set.admits(&eval::value_of(model, *f, y)));
            prop_assert_eq!(inside, as_cells, "the cells say something else");
            prop_assert!(!inside || eval::matching_row(model, table, y).is_none(), "{:?} holds {:?}", cells, y);
            prop_assert!(inside || x != y, "{:?} does not hold {:?}", cells, x);
        }
        // Without derived facts the box is a product of what callers give: then each value beside it meets a row.
        for (fact, set) in cells.iter().filter(|_| missing.derived.is_empty() && !reads_derived(model, id)) {
            let mut beside = inputs.iter().filter(|y| !set.admits(&y[fact.0 as usize]));
            let others = |y: &&Vec<Value>| cells.iter().all(|(f, s)| f == fact || s.admits(&y[f.0 as usize]));
            let taken: BTreeSet<&Value> = beside
                .clone()
                .filter(others)
                .filter(|y| eval::matching_row(model, table, y).is_some())
                .map(|y| &y[fact.0 as usize])
                .collect();
            prop_assert!(beside.all(|y| taken.contains(&y[fact.0 as usize])), "{:?} is too narrow", cells);
        }
    }
    Ok(())
}

fn reads_derived(model: &Model, id: TableId) -> bool {
    let conds = model.tables[id.0].rows.iter().flat_map(|r| &r.conds);
    conds.into_iter().any(|c| !model.fact(c.fact).is_callers())
}

/// What is proven wrong, by code and places.
fn proofs(findings: &[Diagnostic]) -> BTreeSet<(&'static str, Vec<Span>)> {
    let proof =
        |d: &&Diagnostic| ("N0301".."N0308").contains(&d.code.id) || matches!(d.code.id, "N0313" | "N0401" | "N0405");
    let kind = |d: &Diagnostic| if matches!(d.code.id, "N0301" | "N0302" | "N0313") { "gap" } else { d.code.id };
    let place = |d: &Diagnostic| {
        let places: Vec<Span> = d.labels.iter().map(|l| l.span).collect();
        // Which other rows answer beside it, and where a gap comes from, may be told by another example.
        let n = match d.code.id {
            "N0303" | "N0304" | "N0305" | "N0401" => 2,
            _ => 1,
        };
        (kind(d), places[..n.min(places.len())].to_vec())
    };
    findings.iter().filter(proof).map(place).collect()
}

fn few_steps(model: &Model, max_steps: u64) -> Result<(), TestCaseError> {
    let full = analyse(model, &Limits::default());
    prop_assert!(full.iter().all(|d| d.code != N0309), "the small ones are decided");
    let cut = analyse(model, &Limits { max_steps, ..Limits::default() });
    prop_assert!(cut.iter().all(|d| d.code.id != "N0399"), "{:?}", cut);
    let (all, some) = (proofs(&full), proofs(&cut));
    prop_assert!(some.is_subset(&all), "{:?}", some.difference(&all).collect::<Vec<_>>());
    prop_assert!(
        some == all || cut.iter().any(|d| d.code == N0309),
        "silence: {:?}",
        all.difference(&some).collect::<Vec<_>>()
    );
    // What is never reached may stay unsaid in few steps, but is never made up.
    let inputs = inputs(model);
    if inputs.len() > 1_500 {
        return Ok(());
    }
    let reached = reached_rows(model, &inputs);
    let never = cut.iter().filter(|d| matches!(d.code.id, "N0311" | "N0312"));
    for finding in never {
        prop_assert!(!reached.contains(&finding.span()), "{:?}", finding);
    }
    Ok(())
}

fn matches_all(model: &Model, row: &Row, x: &[Value]) -> bool {
    row.conds.iter().all(|c| eval::holds(model, c, x))
}

/// Every set of rows that together take all that a row would take, none of which can be left out: by their spans, with
/// whether one of them says something else.
fn shadows(model: &Model, inputs: &[Vec<Value>], row: usize) -> Vec<(BTreeSet<Span>, bool)> {
    let table = &model.tables[0];
    let matches = |r: usize, x: &Vec<Value>| matches_all(model, &table.rows[r], x);
    let own: Vec<&Vec<Value>> = inputs.iter().filter(|x| matches(row, x)).collect();
    let above: Vec<usize> = eval::resolution_order(table).into_iter().take_while(|r| *r != row).collect();
    let hides = |set: &[usize]| own.iter().all(|x| set.iter().any(|r| matches(*r, x)));
    let subsets = (0..1u32 << above.len()).map(|bits| {
        let held = above.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
        held.map(|(_, r)| *r).collect::<Vec<_>>()
    });
    let needed = |set: &Vec<usize>| {
        let without = |one: &usize| set.iter().copied().filter(|r| r != one).collect::<Vec<_>>();
        hides(set) && set.iter().all(|one| !hides(&without(one)))
    };
    let said = |r: usize| if let Outcome::Act(chain) = &table.rows[r].outcome { Some(&chain.actions) } else { None };
    let told = |set: Vec<usize>| {
        let differs = set.iter().any(|r| said(*r) != said(row));
        (set.iter().map(|r| table.rows[*r].span).collect(), differs)
    };
    subsets.filter(needed).map(told).collect()
}

/// A row that is never the answer is told with rows that hide it: they suffice, none of them can be left out, and where
/// rows that say something else can be among them, one is.
fn hold_shadows(model: &Model) -> Result<(), TestCaseError> {
    let (inputs, table) = (inputs(model), &model.tables[0]);
    let hands_over = table.rows.iter().any(|r| matches!(r.outcome, Outcome::See(_)));
    if hands_over || inputs.iter().any(|x| has_hole(model, &reachable(model), x)) {
        return Ok(());
    }
    for finding in analyse(model, &Limits::default()).iter().filter(|d| d.code.id == "N0311" && d.labels.len() < 5) {
        let Some(row) = table.rows.iter().position(|r| r.span == finding.span()) else { continue };
        let told: BTreeSet<Span> = finding.labels[1..].iter().map(|l| l.span).collect();
        let all = shadows(model, &inputs, row);
        let Some((_, differs)) = all.iter().find(|(set, _)| *set == told) else {
            prop_assert!(false, "{:?} is none of {:?}", finding, all);
            continue;
        };
        // Below a row that takes everything nothing is asked any more, and that row is told.
        let is_whole = |r: &&Row| told.contains(&r.span) && inputs.iter().all(|x| matches_all(model, r, x));
        let whole = told.len() == 1 && table.rows.iter().any(|r| is_whole(&r));
        prop_assert!(whole || *differs || all.iter().all(|(_, differs)| !differs), "{:?} of {:?}", finding, all);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_that_hide_another_suffice_and_are_all_needed(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        hold_shadows(&model(&bytes))?;
    }

    #[test]
    fn missing_rows_are_boxes_that_no_row_meets(bytes in proptest::collection::vec(any::<u8>(), 0..260)) {
        hold_missing_rows(&model(&bytes))?;
    }

    #[test]
    fn few_steps_never_give_a_wrong_rule(bytes in proptest::collection::vec(any::<u8>(), 0..260), steps in 0u64..200) {
        few_steps(&ruled(&bytes), steps)?;
    }

    #[test]
    fn few_steps_never_give_a_wrong_overlay(
        bytes in proptest::collection::vec(any::<u8>(), 0..260), more in proptest::collection::vec(any::<u8>(), 0..120), steps in 0u64..400,
    ) {
        few_steps(&overlaid(&bytes, &more), steps)?;
    }
}

#[test]
fn a_witness_that_shows_nothing_is_no_witness() {
    let model = model(&[]);
    let ground = ground(&model);
    let scene = entry(&ground);
    let shown = show(&scene, &Region::all(), |_| true);
    let finding = || Diagnostic::new(N0301, "no row takes it").at(model.tables[0].span, "");
    let good = witnessed(&scene, finding(), &shown, Vec::new(), |_, _| true);
    assert!(good.code == N0301 && good.witness.is_some());
    let bad = witnessed(&scene, finding(), &shown, Vec::new(), |_, _| false);
    assert_eq!((bad.code.id, bad.witness), ("N0399", None));
    assert!(bad.message.contains("N0301") && bad.message.contains("no row takes it"), "{}", bad.message);
    assert_eq!(bad.labels[0].span, model.tables[0].span);
}
