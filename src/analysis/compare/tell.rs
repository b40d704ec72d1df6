//! From regions to words: cells in the policy's own language, rows by name, one point that both sides take.

use crate::diag::Witness;
use crate::model::{FactId, TableId, Value, ValueSet, show_set};
use crate::space::{Clause, SegSet};

use super::super::tell::as_facts_come_in;
use super::axis::Outside;
use super::comparison::{Answer, Change, ChangeWitness, RegionCell, VerdictCell};
use super::matching::SIDES;
use super::outcome::Mark;
use super::plain::Plain;
use super::search::{Difference, Extent};
use super::sheet::{Ground, LayerName, NOT_REFUSED, REFUSED};

/// Up to so many segments of an axis are tried to see that it does not matter.
const TRIED: u32 = 64;

/// A difference in words; nothing where the rows, read one by one, do not bear it out.
pub(super) fn change(ground: &Ground, difference: &Difference) -> Option<Change> {
    let point = point(ground, difference);
    let values = SIDES.map(|side| wished(ground, side, &point, difference));
    let plain = SIDES.map(|side| ground.plain(side, &values[side], &point));
    let [old, new] = difference.outcomes.map(|o| &ground.meanings[o as usize]);
    if plain[0].meaning != *old || plain[1].meaning != *new {
        return None;
    }
    let mark = old.mark(new)?;
    let everywhere = Clause::all();
    let clause = match &difference.extent {
        Extent::Region(clause) | Extent::Rows(clause) => clause,
        Extent::Wherever => &everywhere,
    };
    let mut verdicts = verdict_cells(ground, clause);
    for verdict in &mut verdicts {
        verdict.implied = !verdict.refused && !verdict.world && plain.iter().any(|p| says(p, &verdict.action));
    }
    let witness = |side: usize| witness(ground, side, &values[side], &point);
    Some(Change {
        mark,
        everywhere: matches!(difference.extent, Extent::Wherever),
        by_rows: matches!(difference.extent, Extent::Rows(_)),
        cells: cells(ground, clause),
        verdicts,
        old: answer(ground, 0, &plain[0], difference),
        new: answer(ground, 1, &plain[1], difference),
        details: if mark == Mark::Other || old.verb() == new.verb() { old.details(new) } else { Vec::new() },
        notes: outside_notes(ground, clause),
        witness: ChangeWitness { old: witness(0), new: witness(1), stands: true },
    })
}

/// A region in which a difference is.
pub(super) fn clause_of(difference: &Difference) -> Clause {
    difference.clause().cloned().unwrap_or_else(|| Clause::of(difference.found.clone()))
}

/// Whether an action is the one that a verdict names: `retry after gentle` is `retry`.
fn says(plain: &Plain, verdict: &str) -> bool {
    plain.action == verdict || plain.action.strip_prefix(verdict).is_some_and(|rest| rest.starts_with(' '))
}

fn answer(ground: &Ground, side: usize, plain: &Plain, difference: &Difference) -> Answer {
    let rows = difference.rows[side].iter().flatten().map(|at| row_name(ground, side, *at));
    Answer { verb: plain.meaning.verb(), action: plain.action.clone(), rows: rows.collect() }
}

/// `recovery/stale`
fn row_name(ground: &Ground, side: usize, (table, row): (TableId, usize)) -> String {
    let table = &ground.models[side].tables[table.0];
    format!("{}/{}", table.name, table.rows[row].label(row))
}

/// A region as text, for what was not decided.
pub(super) fn region_text(ground: &Ground, clause: &Clause) -> String {
    let facts = cells(ground, clause).into_iter().map(|c| format!("{} is {}", c.fact, c.cell));
    let verdicts = verdict_cells(ground, clause).into_iter();
    let verdicts = verdicts.map(|v| format!("{} {}", v.action, if v.refused { "refused" } else { "not refused" }));
    let all: Vec<String> = facts.chain(verdicts).collect();
    if all.is_empty() { "any facts".into() } else { all.join(" and ") }
}

/// The cells of a region: callers' facts in their order, then derived ones.
fn cells(ground: &Ground, clause: &Clause) -> Vec<RegionCell> {
    let n = ground.axes.len() as u32;
    let sides = clause.region.sides().iter().filter(|(axis, _)| *axis < n);
    let mut out: Vec<RegionCell> = sides
        .map(|(axis, side)| {
            let axis = &ground.axes[*axis as usize];
            RegionCell { fact: axis.name.to_string(), cell: axis.show(side) }
        })
        .collect();
    for (layer, held) in &clause.derived {
        if let LayerName::Derive { outputs, shown } = &ground.names[*layer as usize] {
            out.extend(derive_cells(ground, *layer, outputs, shown, held));
        }
    }
    out
}

/// A set of a derive's outcomes: a cell for each output where the set is their product, else the outcomes in a row.
fn derive_cells(
    ground: &Ground,
    layer: u32,
    outputs: &[Box<str>],
    values: &[Vec<String>],
    held: &SegSet,
) -> Vec<RegionCell> {
    let outcomes = &ground.layers.layer(layer).outcomes;
    // A layer that the new side alone has speaks of the new side's facts.
    let fact = |output: &str| {
        let own = |side: usize| ground.models[side].fact_id(output).map(|f| ground.models[side].fact(f));
        let later = layer as usize >= ground.models[0].derives.len() && !ground.common[layer as usize];
        if later { own(1) } else { own(0) }
    };
    let of = |output: usize| -> Vec<&Value> { held.iter().map(|o| &outcomes[o as usize][output]).collect() };
    let product = (0..outcomes.len() as u32)
        .all(|o| held.contains(o) || (0..outputs.len()).any(|i| !of(i).contains(&&outcomes[o as usize][i])));
    if !product {
        let outcome = |o: u32| values[o as usize].join(", ");
        let text = held.iter().map(outcome).collect::<Vec<_>>().join(" or ");
        return vec![RegionCell { fact: outputs.join(", "), cell: text }];
    }
    let cell = |i: usize, output: &str| {
        let fact = fact(output)?;
        let all = outcomes.iter().map(|o| &o[i]).collect::<Vec<_>>();
        let values = of(i);
        if all.iter().all(|v| values.contains(v)) {
            return None;
        }
        let set = values.iter().fold(ValueSet::none(fact), |s, v| s.or(&ValueSet::one(fact, v), fact));
        Some(RegionCell { fact: output.to_string(), cell: show_set(fact, &set) })
    };
    outputs.iter().enumerate().filter_map(|(i, output)| cell(i, output)).collect()
}

fn verdict_cells(ground: &Ground, clause: &Clause) -> Vec<VerdictCell> {
    let name = |verdict: usize| ground.verdict_name(verdict, 0).or_else(|| ground.verdict_name(verdict, 1));
    let cell = |verdict: usize, side: &SegSet, world: bool| VerdictCell {
        action: name(verdict).unwrap_or_default(),
        refused: side.contains(REFUSED),
        world,
        implied: false,
    };
    let mut out = Vec::new();
    for (layer, held) in &clause.derived {
        if let LayerName::Guard(verdict) = &ground.names[*layer as usize] {
            let one_side = !ground.common[*layer as usize];
            let verdict = cell(*verdict, held, false);
            if !one_side || !out.contains(&verdict) {
                out.push(verdict);
            }
        }
    }
    for verdict in 0..ground.verdicts.len() {
        let side = clause.region.side(ground.verdict_axis(verdict));
        out.extend(side.map(|side| cell(verdict, side, true)));
    }
    out
}

fn outside_notes(ground: &Ground, clause: &Clause) -> Vec<String> {
    let mut out = Vec::new();
    let n = ground.axes.len() as u32;
    for (axis, set) in clause.region.sides().iter().filter(|(axis, _)| *axis < n) {
        let axis = &ground.axes[*axis as usize];
        for (side, who) in SIDES.into_iter().zip(["old", "new"]) {
            let name = &axis.name;
            match axis.outside(set, side) {
                None => {}
                Some(Outside::Values(cell)) => {
                    out.push(format!(
                        "`{name}` {cell} lies outside the {who} policy's domain and reaches it as unknown"
                    ));
                }
                Some(Outside::BetweenSteps) => out.push(format!(
                    "some of these values of `{name}` lie between the {who} policy's steps and reach it as unknown"
                )),
            }
        }
    }
    out
}

/// A point of the region that reads well: what does not matter is unknown, what matters is known where it can be.
fn point(ground: &Ground, difference: &Difference) -> Vec<u32> {
    let mut point = ground.point_in(&difference.found);
    ground.free.iter().for_each(|(axis, seg)| point[*axis as usize] = *seg);
    let n_facts = ground.axes.len();
    let says = |point: &[u32]| {
        SIDES.into_iter().all(|side| {
            let plain = ground.plain(side, &ground.values(side, point), point);
            let meaning = &ground.meanings[difference.outcomes[side] as usize];
            plain.meaning == *meaning && difference.rows[side].contains(&plain.row)
        })
    };
    let inside = |point: &[u32]| match difference.clause() {
        Some(clause) => clause.region.contains(point) && clause.holds(point, &ground.whole.outcomes_at(point)),
        None => difference.found.contains(point) && says(point),
    };
    let clause = clause_of(difference);
    for axis in 0..point.len() {
        let (n, chosen) = (ground.sizes[axis], point[axis]);
        let free = clause.region.side(axis as u32).is_none()
            && n <= TRIED
            && (0..n).all(|seg| {
                point[axis] = seg;
                inside(&point)
            });
        let rest = if axis < n_facts { 0 } else { NOT_REFUSED };
        point[axis] = if free { rest } else { chosen };
    }
    // A verdict is left open where it may be.
    for axis in n_facts..point.len() {
        if point[axis] == REFUSED {
            point[axis] = NOT_REFUSED;
            if !inside(&point) {
                point[axis] = REFUSED;
            }
        }
    }
    point
}

/// The values of a point, with as much budget and time as the answers ask for, where the point leaves that open.
fn wished(ground: &Ground, side: usize, point: &[u32], difference: &Difference) -> Vec<Value> {
    let mut values = ground.values(side, point);
    let needs = difference.outcomes.map(|o| ground.meanings[o as usize].needs());
    let least = ground.models.map(|m| m.budget.as_ref().map_or(0, |b| b.least_ms));
    let units = i128::from(needs[0].0.max(needs[1].0));
    let time = i128::from(needs[0].1.max(needs[1].1)) + i128::from(least[0].max(least[1]));
    let std = &ground.models[side].std;
    let hint = std.hint.and_then(|f| if let Value::Number(n) = values[f.0 as usize] { Some(n) } else { None });
    let wishes: [(Option<FactId>, i128); 2] = [(std.budget, units), (std.deadline, time + hint.unwrap_or(0))];
    for (fact, wish) in wishes {
        let Some(fact) = fact else { continue };
        let Some(axis) = ground.facts.iter().position(|f| f[side] == Some(fact)) else { continue };
        if let Value::Number(have) = values[fact.0 as usize]
            && let Some(n) = ground.axes[axis].number_near(point[axis], wish.max(have))
        {
            values[fact.0 as usize] = Value::Number(n);
        }
    }
    values
}

fn witness(ground: &Ground, side: usize, values: &[Value], point: &[u32]) -> Witness {
    let model = ground.models[side];
    let facts = model.facts.values().zip(values).filter(|(_, v)| **v != Value::Unknown);
    let facts = facts.map(|(f, v)| (f.name.to_string(), as_facts_come_in(f, v))).collect();
    let refused = (0..ground.verdicts.len()).filter(|v| point[ground.verdict_axis(*v) as usize] == REFUSED);
    let refuse = refused.filter_map(|v| ground.verdict_name(v, side)).collect();
    Witness { facts, refuse }
}
