//! The rows of a policy that a change touches: those that say something else than before, and those that now answer where
//! the decision changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::{CompareOptions, compare};
use crate::decide::Policy;
use crate::model::{Model, Outcome, Row, show_chain, show_set};

use super::coverage::own_rows;

/// The rows of the new policy, `table/row`, that differ from the old one's: written anew or otherwise, or the answer for
/// facts whose decision changed. Rows are matched by table and name.
///
/// ```
/// let text = |n: u32| format!("policy a\nversion 1\nfact n : count\ntable t, first row wins\n\
///     | row | n | => action |\n| low | < {n} | stop |\n| top | >= 90 | review |\n| rest | - | review desk |\n");
/// let (old, new) = (nisi::Policy::compile(&text(5))?, nisi::Policy::compile(&text(6))?);
/// assert_eq!(nisi::cases::changed_rows(&old, &new).into_iter().collect::<Vec<_>>(), ["t/low"]);
/// assert!(nisi::cases::changed_rows(&old, &old).is_empty());
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn changed_rows(old: &Policy, new: &Policy) -> BTreeSet<String> {
    let before: BTreeMap<String, String> = written(old.model()).collect();
    let other = |(name, text): &(String, String)| before.get(name) != Some(text);
    let mut changed: BTreeSet<String> = written(new.model()).filter(other).map(|(name, _)| name).collect();
    let found = compare(old, new, &CompareOptions::default());
    changed.extend(found.changes.into_iter().flat_map(|change| change.new.rows));
    changed
}

/// Every row by its name, and what it says.
fn written(model: &Model) -> impl Iterator<Item = (String, String)> {
    own_rows(model).into_iter().filter_map(|spot| Some((spot.name(model), says(model, spot.row(model)?))))
}

/// What a row says, however it is laid out.
fn says(model: &Model, row: &Row) -> String {
    let conds = row.conds.iter().map(|cond| {
        let fact = model.fact(cond.fact);
        format!("{} is {}", fact.name, show_set(fact, &cond.set))
    });
    let outcome = match &row.outcome {
        Outcome::Act(chain) => show_chain(model, chain),
        Outcome::See(table) => format!("see {}", model.tables.get(table.0).map_or("", |t| &t.name)),
        Outcome::Values(values) => format!("{values:?}"),
    };
    format!("{} => {outcome}", conds.collect::<Vec<_>>().join(" and "))
}
