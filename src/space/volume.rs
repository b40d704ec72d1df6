//! Counting: what volumes alone can tell.
//!
//! Inside a product, if the volumes of some boxes sum to less than the whole, a point is in none of them; and if the
//! boxes are pairwise disjoint, they cover the whole exactly when the sum is equal. Volumes are exact whole numbers
//! of cells; where one does not fit 128 bits, nothing is said.

use super::problem::{LocalRow, Problem};

/// The volume of the whole region, in cells.
pub(super) fn whole(problem: &Problem) -> Option<u128> {
    problem.axes.iter().try_fold(1u128, |v, a| v.checked_mul(a.cells.len() as u128))
}

/// The volume of a row as far as its own tests go: at least what it takes.
fn of(problem: &Problem, row: &LocalRow) -> Option<u128> {
    let mut tests = row.tests.iter().peekable();
    (0u32..).zip(&problem.axes).try_fold(1u128, |v, (local, axis)| {
        let test = tests.next_if(|t| t.0 == local);
        v.checked_mul(test.map_or(axis.cells.len() as u128, |t| u128::from(t.1.len())))
    })
}

/// The volumes of some rows, summed.
pub(super) fn sum<'a>(problem: &Problem, rows: impl Iterator<Item = &'a LocalRow>) -> Option<u128> {
    rows.map(|r| of(problem, r)).try_fold(0u128, |sum, v| sum.checked_add(v?))
}

/// The part of the whole that a row takes on the axes that are still open: only good enough to choose by.
pub(super) fn density(problem: &Problem, row: &LocalRow, open: impl Fn(u32) -> bool) -> f64 {
    let share = |(local, side): &(u32, super::SegSet)| {
        let cells = u32::try_from(problem.axes[*local as usize].cells.len()).unwrap_or(u32::MAX);
        f64::from(side.len()) / f64::from(cells.max(1))
    };
    row.tests.iter().filter(|t| open(t.0)).map(share).product()
}
