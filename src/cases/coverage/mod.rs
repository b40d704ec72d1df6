//! Coverage by meaning: what the cases of a policy show of it, and what they leave open.
//!
//! Takes a policy and cases; gives for rows, cells, guards and ways how much of it some case shows, and for everything that
//! none does a case that would, where there is one. What no facts can show (a row that is never reached, a value that never
//! comes to its cell) is not asked for.

mod goals;
mod search;
mod survey;
mod tell;
mod trace;

use std::collections::BTreeSet;

use crate::decide::{Facts, Policy};
use crate::text::Span;

use super::case::Case;

pub(super) use goals::{Spot, own_rows};

/// The steps that the search for missing cases may take unless it is told otherwise.
pub const COVERAGE_STEPS: u64 = 4_000_000;

/// What cases show of a policy; [`coverage`] gives it.
#[derive(Debug)]
pub struct Coverage {
    /// Rows that some case takes.
    pub rows: Count,
    /// Sides of bounds and values of lists.
    pub cells: Count,
    /// Ways in which guarded actions are honoured or refused, and what refuses them.
    pub guards: Count,
    /// Ways through the tables to one action that is left.
    pub ways: Count,
    /// Every row in question, in the policy's order.
    pub by_row: Vec<RowCoverage>,
    /// What no case shows and one could, in the order of the rows.
    pub missed: Vec<Missed>,
    /// The cases that would show it: each missed thing names one by its place here.
    pub suggested: Vec<Suggested>,
    /// How much can be shown by no facts, or by none that were found: it is not counted.
    pub n_never: usize,
}

/// How much of something is shown. See [`coverage`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// So much is shown by some case.
    pub shown: usize,
    /// Out of so much that can be.
    pub total: usize,
}

/// What cases show of one row. See [`coverage`].
#[derive(Debug, Clone)]
pub struct RowCoverage {
    /// `table/row`; of a derive the table is called by the first fact that it gives.
    pub row: String,
    /// Where it stands.
    pub span: Span,
    /// How many cases take it.
    pub n_cases: usize,
    /// How much of the row, its cells and its guard is shown.
    pub shown: Count,
}

/// Something that no case shows. See [`coverage`].
#[derive(Debug, Clone)]
pub struct Missed {
    /// `row`, `cell`, `guard` or `way`.
    pub kind: &'static str,
    /// The row that it is about.
    pub row: String,
    /// Where that row stands.
    pub span: Span,
    /// What is not shown, in the policy's words.
    pub what: String,
    /// The place of a case that would show it; nothing where the search ran out of steps.
    pub suggested: Option<usize>,
}

/// A case that is missing. See [`coverage`].
#[derive(Debug, Clone)]
pub struct Suggested {
    /// What it is called: the first thing that it would show.
    pub name: String,
    /// Its facts.
    pub facts: Facts,
    /// The verbs that the world refuses, as words.
    pub refuse: Vec<String>,
}

impl Count {
    /// The share in whole percent, rounded down; nothing to show is all of it.
    ///
    /// ```
    /// use nisi::cases::Count;
    /// assert_eq!((Count { shown: 2, total: 3 }.percent(), Count::default().percent()), (66, 100));
    /// ```
    pub fn percent(self) -> usize {
        (self.shown * 100).checked_div(self.total).unwrap_or(100)
    }

    fn add(&mut self, shown: bool) {
        self.total += 1;
        self.shown += usize::from(shown);
    }
}

impl Coverage {
    /// Everything together.
    pub fn all(&self) -> Count {
        let parts = [self.rows, self.cells, self.guards, self.ways];
        Count { shown: parts.iter().map(|c| c.shown).sum(), total: parts.iter().map(|c| c.total).sum() }
    }
}

/// What some cases show of a policy. With `only`, no more than the rows of these names (`table/row`) are looked at. The
/// search for what is missing takes at most so many steps.
///
/// ```
/// let policy = nisi::Policy::compile("policy a\nversion 1\nfact n : count\ntable t, first row wins\n\
///     | row  | n    | => action   |\n| many | >= 5 | review desk |\n| rest | -    | stop        |\n")?;
/// let file = nisi::cases::read_cases(&policy, "cases: [{ name: five, facts: { n: 5 }, expect: { row: many } }]");
/// let found = nisi::cases::coverage(&policy, &file.cases, None, nisi::cases::COVERAGE_STEPS);
/// assert_eq!((found.rows.shown, found.rows.total), (1, 2));
/// let told: Vec<String> = found.missed.iter().map(|m| format!("{}: {}", m.row, m.what)).collect();
/// assert_eq!(told, ["t/many: no case that `n` 4 alone turns away", "t/rest: no case takes it", "t/rest: no case over t/rest that ends in `stop`"]);
/// // One case would show all three.
/// assert_eq!(found.suggested.len(), 1);
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn coverage<'c>(
    policy: &Policy,
    cases: impl IntoIterator<Item = &'c Case>,
    only: Option<&BTreeSet<String>>,
    max_steps: u64,
) -> Coverage {
    let model = policy.model();
    let mut rows = goals::own_rows(model);
    if let Some(only) = only {
        rows.retain(|spot| only.contains(&spot.name(model)));
    }
    let goals = goals::goals(model, &rows);
    let sheet = trace::Sheet::new(policy, &goals);
    let mut survey = survey::Survey::new(policy, &goals, &sheet);
    for case in cases {
        survey.case(case);
    }
    survey.search(max_steps, &rows);
    survey.told(&rows)
}
