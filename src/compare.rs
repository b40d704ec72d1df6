//! Floor 6: two policies compared for every input: where decisions changed, and how.
//!
//! [`compare`] takes two compiled policies and gives a [`Comparison`]: regions of the input space, each marked
//! *wider*, *tighter* or *other*, with the rows of both sides and one point that shows it; what changed in the
//! budget; facts that are not the same on both sides. An empty comparison is a proof that no decision changes,
//! whatever the facts and whatever the world refuses.
//!
//! What counts as a change: another verb; another queue, reason, locator or time to look; other waits, units, copies;
//! a parity with other terms (its name does not matter). The same decision from another row, and another text below
//! the table, are none.

use crate::analysis::compare as engine;
use crate::decide::{Decision, Policy, Raw};
use crate::diag::{Witness, WitnessValue};

pub use crate::analysis::compare::{
    Answer, BudgetChange, Change, ChangeWitness, CompareOptions, Compared, Comparison, Deny, FactChange,
    FactChangeKind, Mark, RegionCell, VerdictCell,
};

/// Compares two policies for every input.
///
/// ```
/// use nisi::Policy;
/// use nisi::compare::{CompareOptions, Mark, compare};
///
/// let policy = |row: &str| {
///     Policy::compile(&format!(
///         "policy a\nversion 1\nfact amount : count\ntable t, first row wins\n\
///          | row  | amount  | => action |\n{row}\n| rest | -       | stop      |\n"
///     ))
/// };
/// let old = policy("| big  | >= 500  | review    |")?;
/// let new = policy("| big  | >= 1000 | review    |")?;
/// let found = compare(&old, &new, &CompareOptions::default());
/// assert_eq!(found.changes.len(), 1);
/// assert_eq!(found.changes[0].mark, Mark::Wider);
/// assert_eq!(found.changes[0].cells[0].cell, "500..999");
/// assert!(compare(&old, &old, &CompareOptions::default()).is_same());
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn compare(old: &Policy, new: &Policy, options: &CompareOptions) -> Comparison {
    let mut found = engine::compare(old.model(), new.model(), options);
    found.old.digest = old.digest().to_string();
    found.new.digest = new.digest().to_string();
    for change in &mut found.changes {
        let holds = |policy: &Policy, witness: &Witness, answer: &Answer| {
            decided(policy, witness, |d| d.verb() == answer.verb && d.to_string() == answer.action)
        };
        change.witness.stands =
            holds(old, &change.witness.old, &change.old) && holds(new, &change.witness.new, &change.new);
    }
    found
}

/// Puts a witness to a policy, full guards and all.
fn decided(policy: &Policy, witness: &Witness, is: impl Fn(&Decision) -> bool) -> bool {
    let raw = |value: &WitnessValue| match value {
        WitnessValue::Text(text) => Raw::Text(text.clone()),
        WitnessValue::Number(digits) => Raw::Number(digits.clone()),
    };
    let given = witness.facts.iter().map(|(name, value)| (name.clone(), raw(value)));
    let (Ok(facts), Ok(refused)) = (policy.read_facts(given), policy.refuse(witness.refuse.iter().map(String::as_str)))
    else {
        return false;
    };
    is(&policy.decide_with(&facts, &refused))
}
