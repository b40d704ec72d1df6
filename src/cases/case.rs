//! One case: what is asked of a policy, and what it is expected to say.
//!
//! Whoever makes one has looked up every name in the policy that it is for: an example of the policy itself, or a case
//! of a file beside it.

use std::collections::BTreeSet;

use crate::decide::{Decision, Facts, Policy, Refused, TableError};
use crate::model::{Action, TableId};
use crate::words::Verb;

use super::compare;
use super::error::Place;

/// One case of a policy, ready to be asked; [`read_cases`](super::read_cases) and [`examples`](super::examples) give them.
///
/// ```
/// let policy = nisi::Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
/// let found = nisi::cases::read_cases(&policy, "cases: [{ name: never, expect: { action: review } }]");
/// let checked = found.cases[0].check(&policy);
/// assert_eq!((found.cases[0].title(), checked.holds()), ("never", false));
/// assert_eq!(checked.misses[0].to_string(), "action: expected review, found stop");
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone)]
pub struct Case {
    pub(super) title: String,
    pub(super) place: Place,
    /// The table that is asked.
    pub(super) table: TableId,
    pub(super) facts: Facts,
    pub(super) refused: Refused,
    pub(super) expect: Expect,
    pub(super) not: Not,
}

/// What must be so. What is empty is not asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Expect {
    /// One of these.
    pub(super) actions: Vec<Act>,
    /// One of these answers.
    pub(super) rows: Vec<At>,
    /// Exactly these, from the table that is asked on.
    pub(super) path: Option<Vec<At>>,
    /// Exactly these bounds of the wait, in milliseconds.
    pub(super) wait_ms: Option<(u64, u64)>,
    /// Exactly these refusals, by the refused action's verb; nothing listed is nothing refused.
    pub(super) refused: Option<BTreeSet<(Verb, String)>>,
}

/// What must not be so: none of these.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Not {
    pub(super) actions: Vec<Act>,
    /// None of these answers.
    pub(super) rows: Vec<At>,
    /// None of these is taken on the way.
    pub(super) path: Vec<At>,
    /// None of these is refused.
    pub(super) refused: Vec<Verb>,
}

/// A row.
pub(super) type At = (TableId, usize);

/// An action as it is spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Whatever it carries.
    Verb(Verb),
    /// With all that it carries.
    Whole(Action),
}

impl Act {
    pub(super) fn is(&self, action: &Action) -> bool {
        match self {
            Act::Verb(verb) => *verb == action.verb(),
            Act::Whole(whole) => whole == action,
        }
    }
}

/// What became of a case.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The decision; none where the facts do not reach the table that is asked.
    pub decision: Result<Decision<'a>, TableError>,
    /// What is not as expected; empty where the case holds.
    pub misses: Vec<Miss>,
}

/// One thing that is not as expected; shown as `action: expected retry, found stop`. See [`Case`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// `action`, `row`, `path`, `wait`, `refused`, or `table` where the facts do not reach it.
    pub what: &'static str,
    /// What was expected, in the policy's words.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl std::fmt::Display for Miss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

impl Checked<'_> {
    /// Whether everything is as expected.
    pub fn holds(&self) -> bool {
        self.misses.is_empty()
    }
}

impl Case {
    /// What it is called: `recovery: the lost answer` for an example, its name for a case of a file; those of one matrix
    /// say which they are, `a lost answer [condition=timeout]`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Where it stands in its file.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The facts that it asks with.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The verbs that the world refuses, as words: `retry`, `failover to equivalent`.
    pub fn refused(&self) -> Vec<String> {
        let words = self.refused.entries();
        words.map(|(verb, name, _)| name.map_or(verb.to_string(), |name| format!("{verb} to {name}"))).collect()
    }

    /// The table that it asks, by name, where it is not the first one.
    pub fn table<'p>(&self, policy: &'p Policy) -> Option<&'p str> {
        let table = policy.model().tables.get(self.table.0)?;
        (self.table != TableId(0)).then_some(&*table.name)
    }

    /// Asks it, and compares. The policy is the one that it was made for; of another one nothing holds.
    pub fn check<'a>(&'a self, policy: &'a Policy) -> Checked<'a> {
        self.check_with(policy, &self.facts)
    }

    /// Whether it holds of a policy with the same facts, tables and rows, whatever these say.
    pub(super) fn holds_of(&self, policy: &Policy) -> bool {
        self.check_with(policy, &policy.adopt(&self.facts)).holds()
    }

    fn check_with<'a>(&'a self, policy: &'a Policy, facts: &'a Facts) -> Checked<'a> {
        let decision = if self.table == TableId(0) {
            Ok(policy.decide_with(facts, &self.refused))
        } else {
            let name = policy.model().tables.get(self.table.0).map_or("", |t| &*t.name);
            policy.decide_table(name, facts, &self.refused)
        };
        let misses = compare::misses(self, policy, decision.as_ref());
        Checked { decision, misses }
    }
}
