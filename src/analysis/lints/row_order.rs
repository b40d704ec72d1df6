//! Pedantic: rows of a `first row wins` table that meet without either holding the other, and say different things, so
//! that their order decides; and tables whose rows never meet, which could say so.

use crate::diag::{Diagnostic, N0331, N0338};
use crate::model::{Table, TableId};
use crate::space::{Clause, Question, Reach, Visit};
use crate::syntax::tree::{Hit, RowKind};

use super::super::pairs::{Pair, meeting};
use super::super::scene::{Point, Scene, spend};
use super::super::tell::{show, tested};
use super::duplicates::{agree, duplicates};

/// So many pairs of one table are named.
const NAMED: usize = 3;
/// The order of more rows than this nobody reads.
const READ: usize = 1_000;

/// Finds both.
pub(in super::super) fn row_order(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for id in scene.tables() {
        let table = scene.table(id);
        if table.hit == Hit::First
            && table.rows.len() <= READ
            && Scene::is_own(table.span)
            && duplicates(table).is_empty()
        {
            findings.extend(table_order(scene, id, table, steps));
        }
    }
}

fn table_order(scene: &Scene, id: TableId, table: &Table, steps: &mut u64) -> Option<Diagnostic> {
    let plain = table.rows.iter().enumerate().filter(|(_, r)| r.kind == RowKind::Plain);
    let rows: Vec<(usize, Clause)> = plain.filter_map(|(i, r)| Some((i, scene.clause(&r.conds)?))).collect();
    let (mut decide, mut meet): (Vec<(Pair, Diagnostic)>, bool) = (Vec::new(), false);
    for visit in scene.flow.visits.iter().filter(|v| v.table == id) {
        for pair in meeting(&rows, visit, scene.ground.space.sizes(), steps, |_, _| true)? {
            let known = decide.iter().any(|(p, _)| (p.first, p.second) == (pair.first, pair.second));
            let clause = |i: usize| rows.iter().find(|r| r.0 == i).and_then(|r| r.1.and(&visit.clause));
            let holds = |i: usize| clause(i).is_some_and(|c| c == pair.both);
            let seen = holds(pair.first) || holds(pair.second);
            let alike = agree(&table.rows[pair.first], &table.rows[pair.second]) || seen || known;
            // A row above both may take what they share.
            match if alike { Order::Idle } else { decides(scene, (id, table), visit, &pair, steps)? } {
                Order::Decides(finding) => decide.push((pair, *finding)),
                Order::Idle => meet = meet || shares(scene, visit, &pair, steps)?,
            }
        }
    }
    if decide.is_empty() {
        return (!meet && rows.len() > 1).then(|| never_meet(table));
    }
    let label = |i: usize| table.rows[i].label(i);
    let names: Vec<String> =
        decide.iter().take(NAMED).map(|(p, _)| format!("`{}` and `{}`", label(p.first), label(p.second))).collect();
    let more = decide.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more pairs") } else { String::new() };
    let (_, mut finding) = decide.swap_remove(0);
    finding.message =
        format!("the order of rows decides in `{}`: {}{more} ({})", table.name, names.join(", "), finding.message);
    Some(finding)
}

/// Whether facts that come to the table match both rows: derived facts may exclude each other.
fn shares(scene: &Scene, visit: &Visit, pair: &Pair, steps: &mut u64) -> Option<bool> {
    if visit.first == 0 && pair.both.derived.is_empty() {
        return Some(true);
    }
    let before = scene.flow.entries[..visit.first].iter().map(|e| &e.clause).filter(|c| c.may_meet(&pair.both));
    let list = before.map(|c| (c, None)).chain([(&pair.both, Some(0))]).collect();
    spend(steps, 1 + visit.first as u64 / 256)?;
    let question = Question { within: pair.both.region.clone(), list, n_groups: 1, disjoint: false };
    match scene.ask(&question, steps).groups.pop()? {
        Reach::At(_) => Some(true),
        Reach::Never => Some(false),
        Reach::Undecided => None,
    }
}

/// What the order of two rows does.
enum Order {
    /// A row above takes whatever both match.
    Idle,
    /// It decides; the message tells of facts that show it.
    Decides(Box<Diagnostic>),
}

/// Whether facts that both rows match come to the first of them; swapped, the second would take them. Nothing
/// where the steps run out.
fn decides(
    scene: &Scene,
    (id, table): (TableId, &Table),
    visit: &Visit,
    pair: &Pair,
    steps: &mut u64,
) -> Option<Order> {
    let entries = &scene.flow.entries;
    let own = [visit.path.as_slice(), &[(id, pair.first)]].concat();
    let of_first = |i: usize| entries[i].path.starts_with(&own);
    let near = (0..entries.len()).filter(|i| entries[*i].clause.may_meet(&pair.both));
    spend(steps, 1 + entries.len() as u64 / 256)?;
    let list: Vec<(Clause, Option<u32>)> =
        near.filter_map(|i| Some((entries[i].clause.and(&pair.both)?, of_first(i).then_some(0)))).collect();
    let list = list.iter().map(|(c, g)| (c, *g)).collect();
    let question = Question { within: pair.both.region.clone(), list, n_groups: 1, disjoint: false };
    let region = match scene.ask(&question, steps).groups.pop()? {
        Reach::Never => return Some(Order::Idle),
        Reach::Undecided => return None,
        Reach::At(region) => region,
    };
    let shown = show(scene, &region, |point: &Point| point.is_in(&pair.both) && scene.at(point).is_some_and(of_first));
    let message = format!("both match {}", shown.tests(scene, &tested(table)));
    let help = "narrow one of the two, or leave it: the row above is meant to win";
    let finding = Diagnostic::new(N0331, message)
        .at(table.rows[pair.second].span, "this row")
        .and(table.rows[pair.first].span, "and this one, which wins")
        .help(help);
    Some(Order::Decides(finding.witness(shown.witness(scene)).into()))
}

fn never_meet(table: &Table) -> Diagnostic {
    let message = format!("no two rows of `{}` match the same facts", table.name);
    let help =
        "write `at most one row`: a row that meets another one day is then an error, and their order never decides";
    let finding = Diagnostic::new(N0338, message).at(table.span, "").help(help);
    finding.fix("write `at most one row`", true, table.hit_span, Hit::AtMostOne.as_str())
}
