//! What a comparison came to, as values: every form in which it is told reads these and nothing else.

use crate::diag::Witness;
use crate::words::Verb;

use super::outcome::Mark;

/// How far a comparison goes.
///
/// ```
/// use nisi::compare::CompareOptions;
/// let quick = CompareOptions { max_steps: 1_000, ..CompareOptions::default() };
/// assert!(quick.max_steps < CompareOptions::default().max_steps);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompareOptions {
    /// How many steps the search may take; what is open after them is told as undecided. Steps, never time.
    pub max_steps: u64,
    /// How many regions are looked for; what is behind them is told as undecided.
    pub max_regions: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions { max_steps: 20_000_000, max_regions: 2_000 }
    }
}

/// One of the two policies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// Its version; may be empty.
    pub version: String,
    /// `sha256:…` over all that it says.
    pub digest: String,
}

/// Two policies, compared for every input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// The old policy.
    pub old: Compared,
    /// The new one.
    pub new: Compared,
    /// Where decisions differ: wider ones first, then tighter, then other, each in the order of the rows.
    pub changes: Vec<Change>,
    /// What differs in the budget block.
    pub budget: Vec<BudgetChange>,
    /// Callers' facts that are not the same on both sides, and how they were compared.
    pub facts: Vec<FactChange>,
    /// What differs and changes no decision: rules, derives, classifies.
    pub notes: Vec<String>,
    /// What was not decided, as regions; empty where the comparison is complete.
    pub undecided: Vec<String>,
}

impl Comparison {
    /// Whether it is proven that no decision changes, and the budget is the same too.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty() && self.budget.is_empty() && self.undecided.is_empty()
    }

    /// How many decisions and budget entries changed in a way.
    pub fn count(&self, mark: Mark) -> usize {
        let changes = self.changes.iter().map(|c| c.mark).chain(self.budget.iter().map(|b| b.mark));
        changes.filter(|m| *m == mark).count()
    }
}

/// What a comparison may not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deny {
    /// Changes of one mark.
    Mark(Mark),
    /// Every change.
    Any,
}

impl Deny {
    fn covers(self, mark: Mark) -> bool {
        match self {
            Deny::Any => true,
            Deny::Mark(denied) => denied == mark,
        }
    }
}

impl Comparison {
    /// The decisions and the budget entries that are denied. A change is excepted where all of its new rows, or all
    /// of its old ones, are among `except` (`table/row`); a budget entry by `budget/attempts`.
    ///
    /// ```
    /// use nisi::compare::{CompareOptions, Deny, compare};
    /// let policy = |action| nisi::Policy::compile(&format!("policy a\nversion 1\ntable t, first row wins\n| row | => action |\n| only | {action} |\n"));
    /// let found = compare(&policy("review")?, &policy("stop")?, &CompareOptions::default());
    /// assert_eq!(found.denied(&[Deny::Any], &[]).0.len(), 1);
    /// assert!(found.denied(&[Deny::Any], &["t/only".to_string()]).0.is_empty());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn denied(&self, deny: &[Deny], except: &[String]) -> (Vec<&Change>, Vec<&BudgetChange>) {
        let denies = |mark: Mark| deny.iter().any(|d| d.covers(mark));
        let all = |rows: &[String]| !rows.is_empty() && rows.iter().all(|r| except.contains(r));
        let changes = self.changes.iter().filter(|c| denies(c.mark) && !all(&c.old.rows) && !all(&c.new.rows));
        let named = |b: &BudgetChange| except.contains(&format!("budget/{}", b.entry));
        let budget = self.budget.iter().filter(|b| denies(b.mark) && !named(b));
        (changes.collect(), budget.collect())
    }
}

/// A region of the input space in which the decision changed: the same way at each of its points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub mark: Mark,
    /// Whether the region is every point at which the old policy answers so, by whatever row; then it has no cells.
    pub everywhere: bool,
    /// Whether the cells only enclose the region, which would take many boxes: it is those of their points at which
    /// rows named in `old` and in `new` answer so.
    pub by_rows: bool,
    /// What the facts are there; a fact that does not matter is left out. Regions may overlap.
    pub cells: Vec<RegionCell>,
    /// Which actions are refused there, and which are not.
    pub verdicts: Vec<VerdictCell>,
    /// What the old policy answers.
    pub old: Answer,
    /// What the new one answers.
    pub new: Answer,
    /// What differs inside of one action: its waits, its units, its terms.
    pub details: Vec<String>,
    /// What must be said of the region: values that one side does not know.
    pub notes: Vec<String>,
    /// One point of the region.
    pub witness: ChangeWitness,
}

/// A fact and its values, as in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionCell {
    /// The fact's name.
    pub fact: String,
    /// The cell.
    pub cell: String,
}

/// Whether an action is refused in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictCell {
    /// The action: `retry`, `failover to equivalent`.
    pub action: String,
    /// Whether it is refused there.
    pub refused: bool,
    /// Whether only the world's word is meant, and not what the facts refuse.
    pub world: bool,
    /// Whether an answer of the region says as much: what is answered is not refused.
    pub implied: bool,
}

/// What one side answers in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The verb.
    pub verb: Verb,
    /// The action in the policy's words; at the witness, where several say the same.
    pub action: String,
    /// The rows that answer, `table/row`; empty where no row does.
    pub rows: Vec<String>,
}

/// One point of a region, as each side takes it: `nisi eval OLD …` and `nisi eval NEW …`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeWitness {
    /// The facts that the old policy declares.
    pub old: Witness,
    /// The facts that the new policy declares.
    pub new: Witness,
    /// Whether the full guards, sums of facts included, leave both answers standing at this point.
    pub stands: bool,
}

/// What changed in the budget block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetChange {
    /// The entry, `attempts`; or `budget` where the whole block came or went.
    pub entry: String,
    /// As it was; nothing where there was none.
    pub old: Option<String>,
    /// As it is.
    pub new: Option<String>,
    /// How.
    pub mark: Mark,
}

/// A caller's fact that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub kind: FactChangeKind,
    /// A sentence on how it was compared.
    pub compared: String,
}

/// What happened to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactChangeKind {
    /// Only the new policy declares it.
    Added,
    /// Only the old policy declares it.
    Removed,
    /// Its type or domain is another.
    Domain,
    /// A parity's verdict under another name.
    Renamed,
}

impl FactChangeKind {
    /// As it is told.
    pub fn as_str(self) -> &'static str {
        match self {
            FactChangeKind::Added => "added",
            FactChangeKind::Removed => "removed",
            FactChangeKind::Domain => "domain",
            FactChangeKind::Renamed => "renamed",
        }
    }
}
