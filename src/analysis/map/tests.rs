//! The map against every input of small random models, and against the same models written otherwise.

use proptest::prelude::*;

use super::axes::Axes;
use super::{Answer, Map, decided, map};
use crate::analysis::scene::Ground;
use crate::analysis::tests::{has_hole, reachable};
use crate::model::{Action, End, Model, Outcome, TableId, Value, eval, show_action};
use crate::space::random::{inputs, model, overlaid, ruled};
use crate::space::{Layers, Space};
use crate::syntax::tree::RowKind;

const STEPS: u64 = 10_000_000;

fn drawn(bytes: &[u8], kind: u8) -> Option<(Model, Vec<Vec<Value>>)> {
    let model = match kind {
        0 => model(bytes),
        1 => ruled(bytes),
        _ => overlaid(bytes, &bytes.iter().rev().copied().collect::<Vec<_>>()),
    };
    let inputs = inputs(&model);
    let whole = inputs.iter().all(|x| !has_hole(&model, &model.tables.iter().collect::<Vec<_>>(), x));
    (inputs.len() < 20_000 && whole && !reachable(&model).is_empty()).then_some((model, inputs))
}

/// What the rows of an input say, base first: asked one by one.
fn said(model: &Model, x: &[Value]) -> String {
    let base = eval::answer(model, TableId(0), x);
    let row = |answer: &crate::model::Answer| {
        let (table, row) = answer.path.last().filter(|_| answer.end == End::Row)?;
        let Outcome::Act(chain) = &model.tables[table.0].rows[row].outcome else { return None };
        let each: Vec<String> = chain.actions.iter().map(|a: &Action| show_action(model, a)).collect();
        Some(each.join("; if refused, "))
    };
    let Some(first) = row(&base) else { return "no row answers".into() };
    let tightened = model.overlay.iter().flat_map(|o| &o.tighten);
    let passed = tightened.filter(|(table, _)| base.path.iter().any(|(t, _)| t == *table));
    let more = passed.filter_map(|(_, own)| row(&eval::answer(model, *own, x)));
    let mut all: Vec<String> = [first].into_iter().chain(more).collect();
    all.dedup();
    if let [one] = all.as_slice() { one.clone() } else { format!("the more cautious of: {}", all.join(" | ")) }
}

fn whole(model: &Model) -> Map {
    let map = map(model, STEPS);
    assert!(map.is_whole);
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn each_input_lies_in_the_regions_of_its_own_decision(bytes in proptest::collection::vec(any::<u8>(), 0..260), kind in 0u8..3) {
        let Some((model, inputs)) = drawn(&bytes, kind) else { return Ok(()) };
        let space = Space::new(&model);
        let Ok(layers) = Layers::new(&model, &space) else { return Ok(()) };
        let ground = Ground { model: &model, space, layers };
        let mut steps = STEPS;
        let axes = Axes::new(&ground, model.tables.iter());
        let Ok(Some(found)) = decided(&ground, &axes, &mut steps) else { return Ok(()) };
        for x in &inputs {
            let (point, said) = (axes.point(&ground.space.point(x)), said(&model, x));
            let here = |answer: &Answer| answer.text == said;
            let told: Vec<&Answer> =
                found.iter().filter(|(_, regions)| regions.iter().any(|r| r.contains(&point))).map(|f| &f.0).collect();
            prop_assert!(told.len() == 1 && here(told[0]), "{:?}: {} but {:?}", x, said, told);
        }
        // No region is idle: some input lies in no other one.
        let points: Vec<Vec<u32>> = inputs.iter().map(|x| axes.point(&ground.space.point(x))).collect();
        for (_, regions) in &found {
            for (i, own) in regions.iter().enumerate() {
                let only = |p: &Vec<u32>| {
                    own.contains(p) && !regions.iter().enumerate().any(|(j, r)| j != i && r.contains(p))
                };
                prop_assert!(points.iter().any(only), "{:?}", regions);
            }
        }
    }

    #[test]
    fn rows_in_another_order_give_the_same_map(bytes in proptest::collection::vec(any::<u8>(), 0..260), kind in 0u8..3, at in any::<(u8, u8)>()) {
        let Some((model, inputs)) = drawn(&bytes, kind) else { return Ok(()) };
        let mut other = model.clone();
        let table = usize::from(at.0) % other.tables.len();
        let rows = &mut other.tables[table].rows;
        let n_plain = rows.iter().filter(|r| r.kind == RowKind::Plain).count();
        let row = usize::from(at.1) % n_plain;
        let twin = rows[row].clone();
        rows.insert(row, twin);
        rows.swap(row, usize::from(at.1 / 16) % (row + 1));
        let same = inputs.iter().all(|x| said(&model, x) == said(&other, x));
        let (old, new) = (whole(&model), whole(&other));
        prop_assert_eq!(old.decisions == new.decisions, same, "{:#?}\n{:#?}", old, new);
    }
}
