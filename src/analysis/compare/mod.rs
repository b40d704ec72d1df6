//! Two policies, compared for every input of both and every verdict on their actions.
//!
//! [`compare`] flattens both into first-match lists over one space ([`sheet`]), finds every point at which they
//! differ ([`search`]) and tells it as few regions, each with one witness that is put to the rows once more. Facts
//! are matched by name; a fact that one side does not declare cannot move that side, and a value outside of its
//! domain reaches it as unknown. The same two policies give the same comparison, byte for byte.

mod align;
mod answered;
mod ask;
mod axis;
mod budget;
mod comparison;
mod facts;
mod gates;
mod grid;
mod grow;
mod guard;
mod inside;
mod matching;
mod notes;
mod outcome;
mod plain;
mod search;
mod sheet;
mod tell;

use crate::model::{Model, TableId};

pub use comparison::{
    Answer, BudgetChange, Change, ChangeWitness, CompareOptions, Compared, Comparison, Deny, FactChange,
    FactChangeKind, RegionCell, VerdictCell,
};
pub use outcome::Mark;

/// The row that answers; nothing where none does.
type Place = Option<(TableId, usize)>;

/// Compares two models; both have a table.
pub fn compare(old: &Model, new: &Model, options: &CompareOptions) -> Comparison {
    let named =
        |m: &Model| Compared { name: m.name.to_string(), version: m.version.to_string(), digest: String::new() };
    let mut out = Comparison { old: named(old), new: named(new), ..Comparison::default() };
    out.budget = budget::budget_changes(old.budget.as_ref(), new.budget.as_ref());
    let Ok(ground) = sheet::Ground::new([old, new]) else {
        out.facts = facts::fact_changes([old, new], &matching::Matching::of([old, new]));
        out.undecided.push("any facts: derived facts make one of the policies too complex".into());
        return out;
    };
    out.facts = facts::fact_changes([old, new], &ground.matching);
    out.notes = notes::notes(&ground);
    let found = search::differences(&ground, options.max_steps, options.max_regions);
    out.undecided = found.open.iter().map(|clause| tell::region_text(&ground, clause)).collect();
    for difference in &found.found {
        match tell::change(&ground, difference) {
            Some(change) => out.changes.push(change),
            None => out.undecided.push(tell::region_text(&ground, &tell::clause_of(difference))),
        }
    }
    out.changes.sort_by_key(|c| c.mark);
    out
}

#[cfg(test)]
mod tests;
