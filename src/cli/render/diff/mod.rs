//! A comparison of two policies, told three ways. What is the same in all of them stands here: which regions belong
//! together, and their words.

mod human;
mod json;
mod markdown;

use crate::cli::out::{n, shell_word};
use crate::compare::{Change, Comparison, Mark};
use crate::diag::{Witness, WitnessValue};

/// So many regions of one kind are shown unless all are asked for.
pub(in crate::cli) const SHOWN: usize = 10;

/// A comparison, and what is needed to tell it.
pub(in crate::cli) struct Shown<'a> {
    /// The comparison.
    pub(in crate::cli) found: &'a Comparison,
    /// The files of old and new, as they were named.
    pub(in crate::cli) paths: [String; 2],
    /// How many regions of one kind are shown.
    pub(in crate::cli) most: usize,
}

/// Regions in which the same action became the same other one.
struct Group<'a> {
    changes: Vec<&'a Change>,
    first: &'a Change,
}

impl<'a> Shown<'a> {
    /// The regions, those together that tell of one change of action.
    fn groups(&self) -> Vec<Group<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for change in &self.found.changes {
            let fits = |g: &&mut Group| {
                let first = g.first;
                first.mark == change.mark
                    && first.old.action == change.old.action
                    && first.new.action == change.new.action
                    && first.details == change.details
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.changes.push(change),
                None => groups.push(Group { changes: vec![change], first: change }),
            }
        }
        groups
    }

    /// `2 wider, 1 tighter`; nothing where no decision changed.
    fn counts(&self) -> Vec<(usize, Mark)> {
        let all = [Mark::Wider, Mark::Tighter, Mark::Other];
        all.into_iter().map(|mark| (self.found.count(mark), mark)).filter(|(count, _)| *count > 0).collect()
    }

    /// `orders 1.0.0 → orders 1.1.0`
    fn names(&self) -> [String; 2] {
        [&self.found.old, &self.found.new]
            .map(|p| if p.version.is_empty() { p.name.clone() } else { format!("{} {}", p.name, p.version) })
    }

    /// What is said where nothing differs, and where nothing but texts does.
    fn same(&self) -> Option<&'static str> {
        let found = self.found;
        if !found.changes.is_empty() || !found.undecided.is_empty() {
            return None;
        }
        Some(if found.old.digest == found.new.digest {
            "no decision changes: both say the same"
        } else {
            "no decision changes: proven for every input"
        })
    }
}

/// What is refused in a region and is not said by its answers already.
fn refusals(change: &Change) -> Vec<String> {
    let told = change.verdicts.iter().filter(|v| !v.implied);
    told.map(|v| {
        let not = if v.refused { "" } else { "not " };
        let world = if v.world { " by the world" } else { "" };
        format!("{} is {not}refused{world}", v.action)
    })
    .collect()
}

/// So many rows of one side are named to people.
const ROWS: usize = 4;

/// The rows of one side, or what to say where there is none.
fn rows(names: &[String]) -> String {
    let left = names.len().saturating_sub(ROWS);
    match names {
        [] => "no row".into(),
        _ if left > 1 => format!("{} and {left} more", names[..ROWS].join(", ")),
        _ => names.join(", "),
    }
}

/// The rows of both sides; once where they are the same.
fn both_rows(change: &Change) -> String {
    if change.old.rows == change.new.rows {
        return rows(&change.old.rows);
    }
    format!("{} → {}", rows(&change.old.rows), rows(&change.new.rows))
}

/// The calls that show a region on either side; one where both take the same facts.
fn calls(change: &Change, paths: &[String; 2]) -> Vec<String> {
    let new = call(&paths[1], &change.witness.new);
    if change.witness.old == change.witness.new { vec![new] } else { vec![call(&paths[0], &change.witness.old), new] }
}

fn call(file: &str, witness: &Witness) -> String {
    let mut words = vec!["nisi".to_string(), "eval".into(), shell_word(file)];
    for (name, value) in &witness.facts {
        let (WitnessValue::Text(value) | WitnessValue::Number(value)) = value;
        words.extend(["--set".into(), shell_word(&format!("{name}={value}"))]);
    }
    for verb in &witness.refuse {
        words.extend(["--refuse".into(), shell_word(verb)]);
    }
    words.join(" ")
}

/// What is left out of a group.
fn more(group: &Group, most: usize) -> Option<String> {
    let left = group.changes.len().saturating_sub(most);
    (left > 0).then(|| format!("and {} (`--all` shows them)", n(left, "more region", "more regions")))
}

/// That the full guards refuse one of the answers at every time and budget that the region leaves open.
const NEVER_STANDS: &str = "the facts leave too little time or budget here, so the full guard refuses it";

/// That the cells only enclose a region.
const BY_ROWS: &str = "not all of this, only where these rows answer: rows above take parts of it";
