//! The widest box around a point that no row of a table meets.
//!
//! Rows are boxes over the callers' facts and the outcomes of derives. A box can be widened on one column by all that is
//! not asked there by a row from which nothing but this column keeps it apart. Once each column was widened so, none can
//! be widened further: the box is as large as it can be, though not the only one.

use crate::model::{FactId, TableId, Value, ValueSet};
use crate::space::{Clause, SegSet};

use super::super::scene::{Ground, Point, Scene};

/// A column: an axis of the space, or a derive by its outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Axis(u32),
    Derive(u32),
}

/// The rows of a table.
pub(super) struct Boxes {
    rows: Vec<Clause>,
}

impl Boxes {
    /// Those of a table; nothing where they cannot be looked through.
    pub(super) fn of(scene: &Scene, table: TableId) -> Option<Boxes> {
        let ground = scene.ground;
        let rows = ground.layers.rows(ground.model, &ground.space, scene.table(table)).ok()?;
        Some(Boxes { rows: rows.into_iter().map(|(_, clause)| clause).collect() })
    }

    /// One more.
    pub(super) fn add(&mut self, row: Clause) {
        self.rows.push(row);
    }

    /// The widest box around a point that no row takes. Columns that can go, go first: those of facts that do not matter
    /// at the point, then the rest, each from the last one on.
    pub(super) fn grow(&self, scene: &Scene, point: &Point, matters: &[bool]) -> Clause {
        let columns = self.columns();
        let is_idle = |c: &Side| matches!(c, Side::Axis(a) if matters.get(*a as usize) == Some(&false));
        let mut order: Vec<usize> = (0..columns.len()).rev().collect();
        order.sort_by_key(|i| !is_idle(&columns[*i]));
        let mut sides: Vec<SegSet> = columns.iter().map(|c| SegSet::one(at(point, *c))).collect();
        // By row: from how many columns it is kept apart.
        let mut apart: Vec<Vec<bool>> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let differs = |(c, side): (&Side, &SegSet)| side_of(row, *c).is_some_and(|s| !s.meets(side));
            apart.push(columns.iter().zip(&sides).map(differs).collect());
        }
        for whole_only in [true, false] {
            for &i in &order {
                let wide = self.widened(scene, columns[i], i, &apart, point);
                if whole_only && wide.len() < size(scene, columns[i]) {
                    continue;
                }
                sides[i] = wide;
                for (row, apart) in self.rows.iter().zip(&mut apart) {
                    apart[i] = side_of(row, columns[i]).is_some_and(|s| !s.meets(&sides[i]));
                }
            }
        }
        let mut clause = Clause::all();
        for (column, side) in columns.iter().zip(sides).filter(|(c, s)| s.len() < size(scene, **c)) {
            match column {
                Side::Axis(axis) => clause.region = clause.region.with(*axis, side),
                Side::Derive(derive) => clause.derived.push((*derive, side)),
            }
        }
        clause
    }

    fn columns(&self) -> Vec<Side> {
        let of = |c: &Clause| {
            let axes = c.region.sides().iter().map(|s| Side::Axis(s.0));
            axes.chain(c.derived.iter().map(|d| Side::Derive(d.0))).collect::<Vec<_>>()
        };
        let mut columns: Vec<Side> = self.rows.iter().flat_map(of).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// All of a column that no row asks for which only this column keeps apart.
    fn widened(&self, scene: &Scene, column: Side, i: usize, apart: &[Vec<bool>], point: &Point) -> SegSet {
        let only_this = |apart: &Vec<bool>| apart.iter().enumerate().all(|(j, a)| *a == (i == j));
        let rows = self.rows.iter().zip(apart).filter(|(_, a)| only_this(a));
        let asked = rows.filter_map(|(row, _)| side_of(row, column)).flat_map(|s| s.ranges().iter().copied());
        let free = SegSet::from_ranges(asked).complement(size(scene, column));
        match column {
            Side::Axis(_) => free,
            Side::Derive(derive) => product(scene, derive, at(point, column), &free),
        }
    }
}

fn at(point: &Point, column: Side) -> u32 {
    match column {
        Side::Axis(axis) => point.segments[axis as usize],
        Side::Derive(derive) => point.outcomes[derive as usize],
    }
}

fn side_of(row: &Clause, column: Side) -> Option<&SegSet> {
    match column {
        Side::Axis(axis) => row.region.side(axis),
        Side::Derive(derive) => row.derived.iter().find(|d| d.0 == derive).map(|d| &d.1),
    }
}

fn size(scene: &Scene, column: Side) -> u32 {
    match column {
        Side::Axis(axis) => scene.ground.space.sizes()[axis as usize],
        Side::Derive(derive) => scene.ground.layers.layer(derive).outcomes.len() as u32,
    }
}

/// The largest set of outcomes around one, inside some, that is a cell for each output. The outcome of facts for which
/// the derive has no value is no fault of the table, and always inside.
fn product(scene: &Scene, derive: u32, own: u32, free: &SegSet) -> SegSet {
    let layer = scene.ground.layers.layer(derive);
    let is_free = |o: u32| free.contains(o) || layer.hole == Some(o);
    let mut cells: Vec<Vec<&Value>> = layer.outcomes[own as usize].iter().map(|v| vec![v]).collect();
    let inside =
        |cells: &[Vec<&Value>], o: u32| layer.outcomes[o as usize].iter().zip(cells).all(|(v, cell)| cell.contains(&v));
    let all = 0..layer.outcomes.len() as u32;
    for output in 0..cells.len() {
        for value in all.clone().map(|o| &layer.outcomes[o as usize][output]) {
            if cells[output].contains(&value) {
                continue;
            }
            cells[output].push(value);
            if all.clone().any(|o| inside(&cells, o) && !is_free(o)) {
                cells[output].pop();
            }
        }
    }
    let held = all.filter(|o| inside(&cells, *o) || layer.hole == Some(*o));
    SegSet::from_ranges(held.map(|o| (o, o + 1)))
}

/// A set of outcomes as a cell for each output of the derive; nothing where it is not one.
pub(in super::super) fn outputs_of(ground: &Ground, derive: u32, held: &SegSet) -> Option<Vec<(FactId, ValueSet)>> {
    let (model, layer) = (ground.model, ground.layers.layer(derive));
    let outputs = &model.derives[derive as usize].outputs;
    let all = 0..layer.outcomes.len() as u32;
    let of = |i: usize, o: u32| layer.outcomes[o as usize].get(i);
    let kept = |o: &u32| held.contains(*o) && layer.hole != Some(*o);
    let mut out = Vec::new();
    for (i, output) in outputs.iter().enumerate() {
        let fact = model.fact(output.fact);
        let values = all.clone().filter(kept).filter_map(|o| of(i, o));
        let set = values.fold(ValueSet::none(fact), |s, v| s.or(&ValueSet::one(fact, v), fact));
        // A cell that holds whatever the derive gives is no test.
        if all.clone().filter(|o| layer.hole != Some(*o)).any(|o| of(i, o).is_some_and(|v| !set.admits(v))) {
            out.push((output.fact, set));
        }
    }
    let inside = |o: u32| {
        out.iter().all(|(f, set)| {
            let i = outputs.iter().position(|p| p.fact == *f);
            i.and_then(|i| of(i, o)).is_some_and(|v| set.admits(v))
        })
    };
    let exact = all.filter(|o| layer.hole != Some(*o)).all(|o| inside(o) == held.contains(o));
    exact.then_some(out)
}
