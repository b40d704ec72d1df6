//! What is left of a row below the rows above it, in words: asked for when somebody points at the row, never while typing.

use std::fmt::Write;

use crate::analysis::{Left, left};
use crate::model::{FactId, Model, Table, ValueSet, show_set};
use crate::syntax::tree::Hit;

/// So many steps one answer may take: some tens of milliseconds at most, of a table of thousands of rows.
const STEPS: u64 = 12_000;
/// So many boxes, or rows, are told.
const TOLD: usize = 8;

/// The words on a row of a table, by its place there; nothing where no row takes anything from another.
pub(super) fn of(model: &Model, table: &Table, row: usize) -> Option<String> {
    let before = match table.hit {
        Hit::First => "the rows above",
        Hit::MostCautious | Hit::Highest | Hit::Lowest => "the rows that are asked before it",
        Hit::AtMostOne | Hit::Agree => return None,
    };
    if table.hit == Hit::First && row == 0 {
        return None;
    }
    if table.damaged {
        return Some("What is left of it is told once every cell of the table can be read.".into());
    }
    Some(match left(model, table, row, &mut { STEPS }) {
        Left::Whole => format!("All of it is left: {before} take no part."),
        Left::Open => format!("What {before} leave of it was not worked out: that takes too many steps."),
        Left::Nothing(takers) => {
            let names = takers.iter().filter_map(|i| Some(format!("`{}`", table.rows.get(*i)?.label(*i))));
            format!("Nothing is left of it: {before} take all: {}.", listed(&names.collect::<Vec<_>>()))
        }
        Left::Boxes(boxes) if boxes.iter().any(Vec::is_empty) => "It takes all that comes to it.".into(),
        Left::Boxes(boxes) => {
            let mut text = format!("Of it is left, where {before} took theirs:\n");
            for tests in boxes.iter().take(TOLD) {
                // Writing to a string cannot fail, here and below.
                let _ = write!(text, "\n- `{}`", shown(model, table, tests));
            }
            if boxes.len() > TOLD {
                let _ = write!(text, "\n- and {} more", boxes.len() - TOLD);
            }
            text
        }
    })
}

/// A box as an author writes it, its tests in the order of the table's columns.
fn shown(model: &Model, table: &Table, tests: &[(FactId, ValueSet)]) -> String {
    let order: Vec<FactId> = table.rows.iter().flat_map(|row| &row.conds).map(|cond| cond.fact).collect();
    let mut tests: Vec<&(FactId, ValueSet)> = tests.iter().collect();
    tests.sort_by_key(|(fact, _)| order.iter().position(|f| f == fact));
    let one = |(fact, set): &&(FactId, ValueSet)| {
        let fact = model.fact(*fact);
        format!("{} is {}", fact.name, show_set(fact, set))
    };
    tests.iter().map(one).collect::<Vec<_>>().join(" and ").replace('`', "'")
}

fn listed(names: &[String]) -> String {
    let mut told = names.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > TOLD {
        let _ = write!(told, " and {} more", names.len() - TOLD);
    }
    told
}
