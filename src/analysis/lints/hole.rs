//! One value between two ranges (`< 500ms`, then `> 500ms`) that falls to a row which does not look at the fact: most
//! often nobody meant it. Where no row takes it at all it is a gap, and told as one.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, N0327};
use crate::model::{Cond, FactId, Row, Table, TableId, Type, Value, ValueSet, Values, eval, show_value};
use crate::space::{Clause, Ending, Question, Reach};
use crate::syntax::tree::RowKind;

use super::super::again::{Plain, witnessed};
use super::super::scene::{Point, Scene, spend};
use super::super::tell::{row_name, show, tested};
use super::duplicates::agree;

/// So many rows that begin just above a value are looked at.
const LOOKED_AT: usize = 64;

/// Finds them in every table of a scene.
pub(in super::super) fn holes(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for id in scene.tables().into_iter().filter(|id| Scene::is_own(scene.table(*id).span)) {
        let mut told = BTreeSet::new();
        for hole in candidates(scene, scene.table(id)) {
            if !told.contains(&(hole.fact, hole.at))
                && let Some(finding) = left(scene, id, &hole, steps)
            {
                told.insert((hole.fact, hole.at));
                findings.push(finding);
            }
        }
    }
}

/// A value that no row of a table begins or ends at, with the rows that end just below and begin just above it.
struct Hole<'a> {
    fact: FactId,
    at: i128,
    below: &'a Row,
    above: &'a Row,
}

/// The ranges of a test.
fn ranges(cond: &Cond) -> &[(i128, i128)] {
    if let Values::Number(ranges) = &cond.set.values { ranges } else { &[] }
}

fn candidates<'a>(scene: &Scene, table: &'a Table) -> Vec<Hole<'a>> {
    let mut out = Vec::new();
    for fact in tested(table) {
        let Type::Number(ty) = &scene.model().fact(fact).ty else { continue };
        let plain = table.rows.iter().filter(|r| r.kind == RowKind::Plain);
        let tests: Vec<(&'a Row, &'a Cond)> =
            plain.flat_map(|r| r.conds.iter().filter(|c| c.fact == fact).map(move |c| (r, c))).collect();
        let ends: BTreeSet<i128> = tests.iter().flat_map(|t| ranges(t.1)).flat_map(|r| [r.0, r.1]).collect();
        // Values one by one are no ranges.
        let wide = |c: &'a Cond| ranges(c).iter().filter(|r| r.0 < r.1);
        let mut begin: BTreeMap<i128, Vec<&Row>> = BTreeMap::new();
        for (row, test) in &tests {
            wide(test).for_each(|r| begin.entry(r.0).or_default().push(row));
        }
        for (below, test) in &tests {
            for at in wide(test).map(|r| r.1.saturating_add(ty.step)).filter(|at| !ends.contains(at)) {
                let above = begin.get(&at.saturating_add(ty.step)).into_iter().flatten();
                out.extend(above.take(LOOKED_AT).map(|above| Hole { fact, at, below, above }));
            }
        }
    }
    out
}

/// A row's tests of other facts.
fn others(row: &Row, fact: FactId) -> impl Iterator<Item = Cond> {
    row.conds.iter().filter(move |c| c.fact != fact).cloned()
}

/// The finding, where the value comes to a row that does not look at the fact, with facts of which the neighbours
/// come to rows that do and say something else.
fn left(scene: &Scene, id: TableId, hole: &Hole, steps: &mut u64) -> Option<Diagnostic> {
    let (fact, table) = (scene.model().fact(hole.fact), scene.table(id));
    let value = Value::Number(hole.at);
    let set = ValueSet::one(fact, &value).into();
    let here = Cond { fact: hole.fact, set, span: table.span };
    let conds: Vec<Cond> = others(hole.below, hole.fact).chain(others(hole.above, hole.fact)).chain([here]).collect();
    let clause = scene.clause(&conds)?;
    let entries = &scene.flow.entries;
    let wide = |i: usize| {
        let at = entries[i].path.iter().find(|at| at.0 == id)?;
        let row = scene.row(*at);
        let looks = row.conds.iter().any(|c| c.fact == hole.fact);
        let meant = agree(row, hole.below) || agree(row, hole.above);
        (entries[i].end != Ending::Gap(id) && !looks && !meant).then_some(*at)
    };
    let near: Vec<usize> = (0..entries.len()).filter(|i| entries[*i].clause.may_meet(&clause)).collect();
    spend(steps, 1 + entries.len() as u64 / 256)?;
    let list: Vec<(Clause, Option<u32>)> =
        near.iter().filter_map(|i| Some((entries[*i].clause.and(&clause)?, wide(*i).map(|_| 0)))).collect();
    let list = list.iter().map(|(c, g)| (c, *g)).collect();
    let question = Question { within: clause.region.clone(), list, n_groups: 1, disjoint: false };
    let Some(Reach::At(region)) = scene.ask(&question, steps).groups.pop() else { return None };
    let taken = |point: &Point| scene.at(point).and_then(wide).filter(|_| point.is_in(&clause));
    let shown = show(scene, &region, |point| taken(point).is_some());
    let outcomes = scene.ground.layers.outcomes_at(&shown.segments);
    let row = taken(&Point { segments: &shown.segments, outcomes: &outcomes })?;
    let value = show_value(fact, &value);
    let message = format!(
        "`{} is {value}` lies between two ranges of `{}`, and `{}` takes it",
        fact.name,
        table.name,
        row_name(scene, row)
    );
    let help = format!("let one of the two ranges reach to {value}: `<= {value}` or `>= {value}`");
    let finding = Diagnostic::new(N0327, message).at(hole.below.span, "ends just below");
    let finding = finding.and(hole.above.span, "begins just above").help(help);
    // Both neighbours would take the facts but for the one value, and the wider row does.
    Some(witnessed(scene, finding, &shown, Vec::new(), |values, _| {
        let mut asked = others(hole.below, hole.fact).chain(others(hole.above, hole.fact));
        values[hole.fact.0 as usize] == Value::Number(hole.at)
            && asked.all(|c| eval::holds(scene.model(), &c, values))
            && Plain::of(scene, values).path.contains(&row)
    }))
}
