//! DMN's hit policies as the language's: UNIQUE, ANY and FIRST have their like. PRIORITY is *most cautious wins* where the
//! order of its values is the cautious one, *highest wins* for a derive; else its rows are put in that order, and the first wins.

use super::feel;
use super::xml::{child, children, place, said};
use crate::exchange::draft::DraftRow;
use crate::exchange::place::Notices;
use crate::model::quoted_if_needed;
use crate::syntax::parse_action;
use crate::syntax::tree::{ActionKind, Hit};
use crate::words::Verb;
use roxmltree::Node;

/// What is told where rows were put in the order of their answers.
pub(super) const SORTED: &str =
    "the order of the values is not the cautious one: the rows stand in that order, and the first wins";

/// Past so many rows the order is not held against the cautious one pair by pair.
const MAX_PAIRS: usize = 2_000;

/// DMN's hit policy of a table; nothing for PRIORITY, which hangs on its rows.
///
/// # Errors
/// One that answers with several rows.
pub(super) fn of(table: Node<'_, '_>) -> Result<Option<Hit>, String> {
    match table.attribute("hitPolicy").unwrap_or("UNIQUE") {
        "UNIQUE" => Ok(Some(Hit::AtMostOne)),
        "FIRST" => Ok(Some(Hit::First)),
        "ANY" => Ok(Some(Hit::Agree)),
        "PRIORITY" => Ok(None),
        other => Err(format!("the hit policy {other} answers with several rows, and a policy answers with one")),
    }
}

/// Rows under PRIORITY, with the place of each one's answer in the list of values, as rows of the language.
pub(super) fn by_priority(
    table: Node<'_, '_>,
    rows: Vec<(DraftRow, Option<usize>)>,
    verb_of: &dyn Fn(&str) -> Option<Verb>,
    notices: &mut Notices,
) -> (Hit, Vec<DraftRow>) {
    if rows.len() <= MAX_PAIRS && is_cautious(&rows, verb_of) {
        return (Hit::MostCautious, rows.into_iter().map(|(row, _)| row).collect());
    }
    notices.note(&place(table), SORTED);
    let mut rows = rows;
    rows.sort_by_key(|(row, rank)| (row.floor(), rank.unwrap_or(usize::MAX)));
    (Hit::First, rows.into_iter().map(|(row, _)| row).collect())
}

/// Puts rows of several answers in the order of their values, the first answer first; no where the first has no order.
pub(super) fn by_values(table: Node<'_, '_>, rows: &mut [DraftRow]) -> bool {
    let ranks: Vec<Vec<String>> = children(table, "output").map(ranks).collect();
    if ranks.first().is_none_or(Vec::is_empty) {
        return false;
    }
    let rank = |row: &DraftRow| -> Vec<usize> {
        let DraftRow::Whole { outputs, .. } = row else { return Vec::new() };
        let place = |(values, output): (&Vec<String>, &String)| {
            values.iter().position(|value| quoted_if_needed(value) == *output).unwrap_or(values.len())
        };
        ranks.iter().zip(outputs).map(place).collect()
    };
    rows.sort_by_cached_key(|row| (row.floor(), rank(row)));
    true
}

/// The values of an output from the one with the highest priority on.
pub(super) fn ranks(output: Node<'_, '_>) -> Vec<String> {
    let values = child(output, "outputValues").map(said).unwrap_or_default();
    feel::unary_tests(&values).map(|cell| cell.literals().map(|l| l.text.clone()).collect()).unwrap_or_default()
}

/// Whether for every two rows the one that comes first by priority is the more cautious one, or of equals the upper one.
fn is_cautious(rows: &[(DraftRow, Option<usize>)], verb_of: &dyn Fn(&str) -> Option<Verb>) -> bool {
    let mut ranked = Vec::new();
    for (row, rank) in rows.iter().filter(|(row, _)| row.fixed().is_none()) {
        let DraftRow::Whole { outputs, .. } = row else { continue };
        let (Some(rank), Some(verb)) = (rank, outputs.first().and_then(|action| verb_of(action))) else { return false };
        ranked.push((*rank, verb));
    }
    ranked.iter().enumerate().all(|(i, (rank, verb))| {
        ranked[i + 1..].iter().all(|(below, other)| below == rank || (rank < below) == (verb <= other))
    })
}

/// The verb that an action begins with; a named action's where it is declared.
pub(super) fn verb(action: &str, named: &dyn Fn(&str) -> Option<Verb>) -> Option<Verb> {
    Some(match parse_action(action).ok()?.verb {
        ActionKind::Stop(_) => Verb::Stop,
        ActionKind::Done(_) => Verb::Done,
        ActionKind::Wait => Verb::Wait,
        ActionKind::Review(_) => Verb::Review,
        ActionKind::Reconcile { .. } => Verb::Reconcile,
        ActionKind::Retry { .. } => Verb::Retry,
        ActionKind::Hedge { .. } => Verb::Hedge,
        ActionKind::Failover(_) => Verb::Failover,
        ActionKind::See(_) => return None,
        ActionKind::Named(name) => return named(&name.text),
    })
}
