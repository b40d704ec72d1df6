//! The nearest row that would have acted: with the fewest tests that failed, on the way to it and in itself.
//!
//! Rows that stand before it and take these facts count as one more, unless one of its failed tests would have turned
//! them away as well. Ties go to the fewest refusals of the guard, then to the first row in the file.

use crate::model::{Cond, Outcome, Row, TableId, eval};
use crate::syntax::tree::RowKind;

use super::decision::Decision;
use super::explain::{Asking, Nearest, Reader, acting};

/// How a table can be reached, and what of it fails.
#[derive(Clone, Default)]
struct Way<'a> {
    failed: Vec<&'a Cond>,
    before: Vec<(TableId, usize)>,
}

impl Way<'_> {
    fn cost(&self) -> usize {
        self.failed.len() + self.before.len()
    }
}

/// A table as it was asked.
struct View {
    table: TableId,
    /// The row that takes the facts.
    taken: Option<usize>,
    /// The place of each row in the order of asking.
    places: Vec<usize>,
}

impl View {
    fn new(reader: &Reader, table: TableId) -> Option<View> {
        let rows = reader.table(table)?;
        let mut places = vec![0; rows.rows.len()];
        for (place, row) in eval::resolution_order(rows).into_iter().enumerate() {
            places[row] = place;
        }
        Some(View { table, taken: eval::matching_row(reader.model, rows, reader.values), places })
    }

    fn takes_before(&self, row: usize) -> Option<usize> {
        self.taken.filter(|taken| self.places.get(*taken) < self.places.get(row))
    }
}

/// The nearest row of the tables that can be reached from the one that was asked.
pub(super) fn nearest<'a>(decision: &Decision<'a>, reader: &Reader<'a>, asked: &[Asking]) -> Option<Nearest<'a>> {
    let entry = asked.first()?.table;
    let ways = ways(reader, entry);
    let mut best: Option<(usize, usize, Nearest<'a>, Way<'a>)> = None;
    for (t, way) in ways.iter().enumerate() {
        let (Some(way), Some(table)) = (way, reader.table(TableId(t))) else { continue };
        let Some(view) = View::new(reader, TableId(t)) else { continue };
        for (r, row) in table.rows.iter().enumerate().filter(|(_, r)| r.kind != RowKind::AnyUnknown) {
            let Some(action) = acting(row) else { continue };
            let here = through(reader, way, &view, (r, row));
            let refusals: Vec<_> = decision.asked.refusals(action).collect();
            let rank = (here.cost(), refusals.len());
            if best.as_ref().is_none_or(|(cost, n, ..)| rank < (*cost, *n)) {
                let (table, before) = (TableId(t), here.before.clone());
                let nearest = Nearest { table, row: r, action, needs: Vec::new(), before, refusals };
                best = Some((rank.0, rank.1, nearest, here));
            }
        }
    }
    let (_, _, mut nearest, way) = best?;
    nearest.needs = way.failed.iter().map(|c| reader.failed(c)).collect();
    Some(nearest)
}

/// The cheapest way to each table.
fn ways<'a>(reader: &Reader<'a>, entry: TableId) -> Vec<Option<Way<'a>>> {
    let n = reader.model.tables.len();
    let mut ways: Vec<Option<Way<'a>>> = vec![None; n];
    if let Some(slot) = ways.get_mut(entry.0) {
        *slot = Some(Way::default());
    }
    // No circles: after as many rounds as there are tables every way is the cheapest.
    for _ in 0..n {
        let mut changed = false;
        for t in 0..n {
            let (Some(way), Some(table)) = (ways[t].clone(), reader.table(TableId(t))) else { continue };
            if !table.rows.iter().any(|r| matches!(r.outcome, Outcome::See(_))) {
                continue;
            }
            let Some(view) = View::new(reader, TableId(t)) else { continue };
            for (r, row) in table.rows.iter().enumerate() {
                let Outcome::See(next) = row.outcome else { continue };
                let Some(slot) = ways.get_mut(next.0) else { continue };
                let mut onward = through(reader, &way, &view, (r, row));
                let promise = reader.table(next).map_or(&[][..], |t| &t.promise);
                add_failed(&mut onward, reader, promise);
                if slot.as_ref().is_none_or(|old| onward.cost() < old.cost()) {
                    *slot = Some(onward);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    ways
}

/// A way, and then one row of the table that it leads to.
fn through<'a>(reader: &Reader<'a>, way: &Way<'a>, view: &View, (place, row): (usize, &'a Row)) -> Way<'a> {
    let mut way = way.clone();
    add_failed(&mut way, reader, &row.conds);
    if let Some(taken) = view.takes_before(place)
        && let Some(first) = reader.row(view.table, taken)
        && !turned_away(reader, &way, first)
    {
        way.before.push((view.table, taken));
    }
    way
}

fn add_failed<'a>(way: &mut Way<'a>, reader: &Reader<'a>, conds: &'a [Cond]) {
    for cond in reader.all_failed(conds) {
        if !way.failed.iter().any(|c| c.fact == cond.fact && c.set == cond.set) {
            way.failed.push(cond);
        }
    }
}

/// Whether what has to change to go this way turns a row away that takes the facts as they are.
fn turned_away(reader: &Reader, way: &Way, row: &Row) -> bool {
    way.failed.iter().any(|need| {
        let fact = reader.model.fact(need.fact);
        row.conds.iter().any(|c| c.fact == need.fact && need.set.and(&c.set, fact).is_empty())
    })
}
