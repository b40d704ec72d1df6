//! Rows that meet where the hit policy says that they must not: two that match the same facts under `at most one
//! row`, two that differ under `rows agree`. Only facts that reach the table count.

use std::collections::HashSet;

use crate::diag::{Diagnostic, N0303, N0304};
use crate::model::{Table, TableId};
use crate::space::{Clause, Question, Reach, Region, Visit};
use crate::syntax::tree::{Hit, RowKind};

use super::super::again::{Plain, matches, witnessed};
use super::super::analyse::Limits;
use super::super::pairs::{Pair, meeting};
use super::super::scene::{Point, Scene};
use super::super::tell::{show, tested};
use super::duplicates::{agree, duplicates};
use super::undecided::undecided;

/// So many pairs of one table are told.
const TOLD: usize = 12;

/// Finds them in every table of a scene.
pub(in super::super) fn conflicts(scene: &Scene, steps: &mut u64, limits: &Limits, findings: &mut Vec<Diagnostic>) {
    for id in scene.tables() {
        let table = scene.table(id);
        if table.hit == Hit::AtMostOne || table.hit == Hit::Agree {
            table_conflicts(scene, id, steps, limits, findings);
        }
    }
}

fn table_conflicts(scene: &Scene, id: TableId, steps: &mut u64, limits: &Limits, findings: &mut Vec<Diagnostic>) {
    let table = scene.table(id);
    let plain = table.rows.iter().enumerate().filter(|(_, r)| r.kind == RowKind::Plain);
    let rows: Vec<(usize, Clause)> = plain.filter_map(|(i, r)| Some((i, scene.clause(&r.conds)?))).collect();
    let mut told: HashSet<(usize, usize)> = duplicates(table).into_iter().collect();
    let n_known = told.len();
    let mut open = false;
    for visit in scene.flow.visits.iter().filter(|v| v.table == id) {
        let differ = |i: usize, j: usize| table.hit == Hit::AtMostOne || !agree(&table.rows[i], &table.rows[j]);
        let Some(pairs) =
            meeting(&rows, visit, scene.ground.space.sizes(), steps, |i, j| differ(i, j) && !told.contains(&(i, j)))
        else {
            open = true;
            break;
        };
        for pair in pairs {
            if told.len() - n_known >= TOLD {
                return;
            }
            match reach(scene, visit, &pair, steps) {
                Reach::Never => {}
                Reach::Undecided => open = true,
                Reach::At(region) => {
                    told.insert((pair.first, pair.second));
                    findings.push(tell(scene, table, visit, &pair, &region));
                }
            }
        }
    }
    if open {
        let what = format!("two rows of `{}` can match the same facts", table.name);
        findings.push(undecided(scene, table, &what, None, limits));
    }
}

/// Whether facts that match both rows come to the table on this way.
fn reach(scene: &Scene, visit: &Visit, pair: &Pair, steps: &mut u64) -> Reach {
    let before = scene.flow.entries[..visit.first].iter().map(|e| (&e.clause, None));
    let list = before.chain([(&pair.both, Some(0))]).collect();
    let mut question = Question { within: pair.both.region.clone(), list, n_groups: 1, disjoint: false };
    // Facts that are known make the better example.
    if let Some(within) = question.within.and(&scene.known()) {
        let question = Question { within, ..question.clone() };
        if let Some(Reach::At(region)) = scene.ask(&question, steps).groups.pop() {
            return Reach::At(region);
        }
    }
    question.within = pair.both.region.clone();
    scene.ask(&question, steps).groups.pop().unwrap_or(Reach::Undecided)
}

fn tell(scene: &Scene, table: &Table, visit: &Visit, pair: &Pair, region: &Region) -> Diagnostic {
    let holds = |point: &Point| point.is_in(&pair.both) && scene.at(point).is_some_and(|i| i >= visit.first);
    let shown = show(scene, region, holds);
    let (a, b) = (&table.rows[pair.first], &table.rows[pair.second]);
    let names = format!("rows `{}` and `{}` of `{}`", a.label(pair.first), b.label(pair.second), table.name);
    let tests = shown.tests(scene, &tested(table));
    let (code, message, help) = if table.hit == Hit::AtMostOne {
        let help = "`at most one row`: narrow one of the two, or let the order decide with `first row wins`";
        (N0303, format!("{names} both match {tests}"), help)
    } else {
        let help = "`rows agree`: let both say the same to the letter, narrow one of them, or write `first row wins`";
        (N0304, format!("{names} say different things for {tests}"), help)
    };
    let finding = Diagnostic::new(code, message).at(b.span, "this row").and(a.span, "and this one").help(help);
    witnessed(scene, finding, &shown, Vec::new(), |values, _| {
        let comes = Plain::of(scene, values).comes_to(visit.table);
        comes && [a, b].into_iter().all(|row| matches(scene, row, values))
    })
}
