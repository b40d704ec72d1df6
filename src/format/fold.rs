//! Wide and sparse tables made narrow, and wide again: columns into `also`, and `also` into columns.
//!
//! No row moves, and the tests of a row keep their order from left to right. The first column stays where it is, for the
//! fixed rows say in it what they are; and one column of tests stays at least.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::table::{BAR, Side, Table};
use super::width::width;
use crate::syntax::{Limits, parse_tests};

/// What the inputs of a table are.
struct Inputs {
    /// How many columns stand before `=>`.
    n: usize,
    also: Option<usize>,
}

fn inputs(table: &Table<'_>) -> Option<Inputs> {
    let cells = &table.header.cells;
    let n = cells.iter().position(|cell| cell.starts_with("=>")).filter(|n| *n > 0 && table.sound)?;
    Some(Inputs { n, also: cells[..n].iter().position(|cell| cell == "also") })
}

fn is_name(table: &Table<'_>, column: usize) -> bool {
    column == 0 && table.header.cells[0] == if table.examples { "name" } else { "row" }
}

/// Whether a row is `otherwise` or `any unknown`.
fn is_fixed(table: &Table<'_>, cells: &[Cow<'_, str>]) -> bool {
    !table.examples && cells.first().is_some_and(|cell| matches!(&**cell, "otherwise" | "any unknown"))
}

/// What stands in a cell that tests nothing.
fn open(table: &Table<'_>) -> &'static str {
    if table.examples { "" } else { "-" }
}

/// Puts the tests of columns that more than half of the rows leave open into `also`, where that makes the table
/// narrower.
pub(super) fn fold(table: &mut Table<'_>) {
    let Some(inputs) = inputs(table) else { return };
    let folded = sparse(table, &inputs);
    let tests: Vec<String> = table.rows.iter().map(|row| joined(table, &inputs, &folded, &row.cells)).collect();
    let Inputs { n, also } = inputs;
    if folded.is_empty() || !is_narrower(table, &folded, also, &tests) {
        return;
    }
    if also.is_none() {
        table.header.cells.insert(n, "also".into());
        table.sides.insert(n, Side::Plain);
        table.rows.iter_mut().for_each(|row| row.cells.insert(n, "".into()));
    }
    for (row, tests) in table.rows.iter_mut().zip(tests) {
        row.cells[also.unwrap_or(n)] = tests.into();
    }
    for column in folded.into_iter().rev() {
        table.header.cells.remove(column);
        table.sides.remove(column);
        table.rows.iter_mut().for_each(|row| drop(row.cells.remove(column)));
    }
}

/// The columns whose tests go.
fn sparse(table: &Table<'_>, inputs: &Inputs) -> Vec<usize> {
    let plain: Vec<_> = table.rows.iter().filter(|row| !is_fixed(table, &row.cells)).collect();
    let is_test = |column: &usize| Some(*column) != inputs.also && !is_name(table, *column);
    let is_sparse = |column: &usize| {
        let cells = || plain.iter().map(|row| &*row.cells[*column]);
        let n_open = cells().filter(|cell| *cell == open(table)).count();
        // In examples `-` is no test that could be written after `is`.
        *column > 0 && 2 * n_open > plain.len() && cells().all(|cell| cell == open(table) || cell != "-")
    };
    let tests: Vec<usize> = (0..inputs.n).filter(is_test).collect();
    let mut folded: Vec<usize> = tests.iter().copied().filter(is_sparse).collect();
    // A row called `rest` with nothing beside it would be taken for one of the fixed rows.
    if folded.len() == tests.len() && !folded.is_empty() {
        folded.remove(0);
    }
    folded
}

/// What a row's cell of `also` becomes: its tests in the order of the columns. A fixed row keeps what it has.
fn joined(table: &Table<'_>, inputs: &Inputs, folded: &[usize], cells: &[Cow<'_, str>]) -> String {
    if is_fixed(table, cells) {
        return inputs.also.map_or(String::new(), |also| cells[also].to_string());
    }
    let test = |column: usize| match &*cells[column] {
        "" => None,
        cell if Some(column) == inputs.also => Some(cell.to_string()),
        cell if folded.contains(&column) && cell != open(table) => {
            Some(format!("{} is {cell}", table.header.cells[column]))
        }
        _ => None,
    };
    (0..inputs.n).filter_map(test).collect::<Vec<_>>().join(" and ")
}

/// Whether a table is narrower with the tests of some columns in `also`.
fn is_narrower(table: &Table<'_>, folded: &[usize], also: Option<usize>, also_cells: &[String]) -> bool {
    let widths = table.widths();
    let before: usize = folded.iter().chain(&also).map(|column| widths[*column] + BAR).sum();
    let after = also_cells.iter().map(|cell| width(cell)).max().unwrap_or(0).max("also".len()) + BAR;
    after < before
}

/// A row's tests in `also`: fact and cell.
type Tests = Vec<(String, String)>;

/// Puts the tests of `also` into columns, save those of a fact that has its test in the row already.
pub(super) fn unfold(table: &mut Table<'_>) {
    let Some(Inputs { n, also: Some(also) }) = inputs(table) else { return };
    let tests_of = |cells: &[Cow<'_, str>]| -> Option<Tests> {
        let text = &*cells[also];
        if text.is_empty() || is_fixed(table, cells) {
            return Some(Vec::new());
        }
        let test = |t: crate::syntax::tree::Test| (t.fact.text.to_string(), text[t.at.range()].to_string());
        Some(parse_tests(text).ok()?.into_iter().map(test).collect())
    };
    let Some(tests) = table.rows.iter().map(|row| tests_of(&row.cells)).collect::<Option<Vec<Tests>>>() else { return };
    let mut added: Vec<String> = Vec::new();
    for (fact, _) in tests.iter().flatten() {
        if added.len() > Limits::COLUMNS {
            return;
        }
        if !added.contains(fact) && !table.header.cells[..n].iter().any(|cell| cell == fact) {
            added.push(fact.clone());
        }
    }
    let n_columns = table.header.cells.len() + added.len();
    if n_columns > Limits::COLUMNS || n + added.len() == 1 {
        return;
    }
    let rows: Vec<(Vec<Cow<'_, str>>, String)> =
        table.rows.iter().zip(&tests).map(|(row, tests)| spread(table, &row.cells, tests, also, &added)).collect();
    let keep = rows.iter().any(|(_, left)| !left.is_empty());
    let columns = added.iter().cloned().map(Cow::Owned);
    table.header.cells.splice(also..=also, columns.chain(keep.then(|| "also".into())));
    let sides = (0..added.len() + usize::from(keep)).map(|_| Side::Plain);
    table.sides.splice(also..=also, sides);
    for (row, (mut cells, left)) in table.rows.iter_mut().zip(rows) {
        if keep {
            cells.insert(also + added.len(), left.into());
        }
        row.cells = cells.into_iter().map(|cell| Cow::Owned(cell.into_owned())).collect();
    }
}

/// A row's cells with its tests in columns, the column `also` left out; and what stays in `also`.
fn spread<'c>(
    table: &Table<'_>,
    cells: &[Cow<'c, str>],
    tests: &Tests,
    also: usize,
    added: &[String],
) -> (Vec<Cow<'c, str>>, String) {
    let is_fixed = is_fixed(table, cells);
    let blank = if is_fixed { "" } else { open(table) };
    let mut names: Vec<&str> = table.header.cells.iter().map(|cell| &**cell).collect();
    names.splice(also..=also, added.iter().map(String::as_str));
    let mut new = cells.to_vec();
    new.splice(also..=also, added.iter().map(|_| blank.into()));
    if is_fixed && also == 0 {
        new[0].clone_from(&cells[0]);
    }
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (fact, _) in tests {
        *times.entry(fact).or_default() += 1;
    }
    let mut left = Vec::new();
    for (fact, cell) in tests {
        let column = names.iter().position(|name| name == fact);
        match column.and_then(|column| new.get_mut(column)) {
            Some(place) if *place == open(table) && times.get(&**fact) == Some(&1) => {
                *place = cell.clone().into();
            }
            _ => left.push(format!("{fact} is {cell}")),
        }
    }
    (new, left.join(" and "))
}
