//! A decision: the action that is left, and everything that led to it.
//!
//! Takes a policy and its facts, and borrows both; gives the verb, the row, the way, the guard and the bounds of a
//! wait. A decision holds which row answers and which of its actions is left; all else is worked out when it is asked
//! for. It allocates nothing, locks nothing and cannot panic. Facts of another policy, and facts that no row of an
//! unproven policy answers, give `review`.

use std::fmt;

use crate::diag::nearest;
use crate::model::{Action, Answer, Chain, Cond, End, Overlay, Path, TableId, eval, show_set, show_value};
use crate::program::{How, Verdict};
use crate::words::Verb;

use super::facts::Facts;
use super::guard::{Asked, Refusal};
use super::policy::Policy;
use super::refused::{NOTHING, Refused};
use super::row::Row;
use super::wait;

/// What is done where nothing else can be said.
static REVIEW: Action = Action::Review { queue: None };

/// An answer to one question: what to do, by which row, and why.
///
/// Match on [`verb`](Self::verb), and take what the verb carries from its accessor; each gives something for its own
/// verb and nothing for another. It is shown as the action in the policy's words. Nothing here allocates but what gives a
/// `String`.
///
/// ```
/// use nisi::Policy;
/// use nisi::decide::StandardFacts;
/// use nisi::words::{Condition, Verb};
///
/// let policy = Policy::compile("policy a
/// version 1
/// use std.facts
/// locator order_key { remembers 24h }
/// table recovery, first row wins
/// | row  | condition | => action                                     |
/// | lost | timeout   | reconcile by order_key within 4s              |
/// | rest | -         | review the-desk                               |
/// - lost: nobody knows whether the order exists
/// ")?;
/// let facts = policy.facts(&StandardFacts { condition: Some(Condition::Timeout), ..StandardFacts::default() });
/// let decision = policy.decide(&facts);
/// assert_eq!((decision.verb(), decision.by(), decision.within_ms()), (Verb::Reconcile, Some("order_key"), Some(4_000)));
/// assert_eq!(decision.to_string(), "reconcile by order_key within 4s");
/// assert_eq!(decision.row_name().as_deref(), Some("recovery/lost"));
/// assert_eq!(decision.because(), Some("nobody knows whether the order exists"));
/// assert_eq!((decision.queue(), decision.wait_bounds_ms()), (None, None));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    pub(super) asked: Asked<'a>,
    outcome: Outcome,
}

/// What is decided: two words, which travel in registers, so that a decision need not be in memory at all.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    verdict: Verdict,
    /// The table of an overlay that answers, where one does.
    overlay: Option<u16>,
    /// The place of the action that is left among the row's, of which there are few; 0 is the wanted one.
    left: u8,
    /// The verb of that action.
    verb: Verb,
    /// The steps of the path that lie before the table that was asked, at most [`MAX_PATH`](crate::model::MAX_PATH).
    skip: u8,
    truth: Truth,
}

/// What a decision's way is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Program,
    /// The plain evaluator.
    Plain,
    /// Nothing: the facts belong to another policy.
    Foreign,
}

impl Truth {
    fn verdict(self, asked: Asked) -> Verdict {
        match self {
            Truth::Program => asked.policy.program().ask(asked.facts.question()),
            Truth::Plain => verdict(asked, &self.answer(asked, TableId(0))),
            Truth::Foreign => Verdict::NONE,
        }
    }

    fn answer(self, asked: Asked, table: TableId) -> Answer {
        match self {
            Truth::Program if table == TableId(0) => asked.policy.program().answer(asked.facts.question()),
            Truth::Program => asked.policy.program().answer_own(table, asked.facts.question()),
            Truth::Plain => eval::answer(asked.policy.model(), table, asked.facts.values()),
            Truth::Foreign => Answer { path: Path::default(), end: End::Gap(table) },
        }
    }
}

/// What an answer comes to.
fn verdict(asked: Asked, answer: &Answer) -> Verdict {
    match (answer.end, answer.path.last()) {
        (End::Row, Some((table, row))) => {
            let wanted = asked.policy.held().chain(table, row).and_then(|chain| chain.actions.first());
            Verdict::row(table, row as u32, wanted.map_or(Verb::Review, Action::verb))
        }
        (End::Row, None) => Verdict::NONE,
        (End::Gap(table), _) => Verdict::end(How::Gap, table),
        (End::BrokenPromise(table), _) => Verdict::end(How::BrokenPromise, table),
    }
}

/// What refused the action that the row wants.
///
/// ```
/// use nisi::decide::StandardFacts;
/// use nisi::words::{Effect, Verb};
/// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nbudget { owner me, attempts 3, deadline 9s }\n\
///     table t, first row wins\n| effect | => action |\n| read | retry now; if refused, review desk |\n\
///     | otherwise | review desk |\n")?;
/// let facts = policy.facts(&StandardFacts { effect: Some(Effect::Read), budget: Some(0), ..StandardFacts::default() });
/// let guard = policy.decide(&facts).guard().expect("the budget is spent");
/// assert_eq!(guard.wanted(), Verb::Retry);
/// let told: Vec<String> = guard.refusals().map(|refusal| refusal.to_string()).collect();
/// assert_eq!(told, ["retry: budget is 0; it must be >= 1", "retry: deadline is unknown; it must be >= 0ms"]);
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Guard<'a> {
    asked: Asked<'a>,
    chain: &'a Chain,
    left: usize,
}

impl<'a> Guard<'a> {
    /// The verb that the row wants.
    pub fn wanted(&self) -> Verb {
        self.wanted_action().verb()
    }

    /// The action that the row wants.
    pub(crate) fn wanted_action(&self) -> &'a Action {
        self.chain.actions.first().unwrap_or(&REVIEW)
    }

    /// How many actions of the row were refused: the wanted one, and fallbacks before the one that is left. 1 or more.
    pub fn n_refused(&self) -> usize {
        self.left
    }

    /// Everything that refused it, then everything that refused each fallback before the one that is left; of one
    /// action the facts' part first, then the world's. One at least.
    pub fn refusals(&self) -> impl Iterator<Item = Refusal<'a>> + use<'a> {
        self.refused().map(|(_, refusal)| refusal)
    }

    /// The same, each with the action that it refuses.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&'a Action, Refusal<'a>)> + use<'a> {
        let asked = self.asked;
        let refused = self.chain.actions.iter().take(self.left);
        refused.flat_map(move |action| asked.refusals(action).map(move |refusal| (action, refusal)))
    }
}

/// Why a table cannot be asked.
///
/// ```
/// use nisi::decide::Refused;
/// let text = "policy a\nversion 1\ntable orders, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let (facts, nothing) = (policy.no_facts(), Refused::nothing());
/// let error = policy.decide_table("order", &facts, &nothing).expect_err("no such table");
/// assert_eq!((error.to_string().as_str(), error.help().as_deref()), ("there is no table `order`", Some("did you mean `orders`?")));
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The policy has no such table.
    #[error("there is no table `{name}`")]
    Unknown {
        /// As given.
        name: String,
        /// The nearest that there is.
        near: Option<String>,
    },
    /// With these facts a row before it answers.
    #[error("these facts do not reach table `{table}`: row `{row}` answers first")]
    AnsweredBefore {
        /// The table that was asked.
        table: String,
        /// The row that answers, `table/row`.
        row: String,
    },
    /// With these facts no row before it hands over.
    #[error("these facts do not reach table `{table}`: no row of `{gap}` takes them")]
    NoRowBefore {
        /// The table that was asked.
        table: String,
        /// The table without an answer.
        gap: String,
    },
    /// The facts break what every way into the table promises.
    #[error("table `{table}` promises that `{fact}` is {need}, and here it is {have}")]
    PromiseBroken {
        /// The table that was asked, or one before it.
        table: String,
        /// The fact.
        fact: String,
        /// The promise, as a cell.
        need: String,
        /// The value, as a cell.
        have: String,
    },
}

impl TableError {
    /// What to do instead.
    pub fn help(&self) -> Option<String> {
        match self {
            TableError::Unknown { near, .. } => near.as_ref().map(|n| format!("did you mean `{n}`?")),
            _ => Some("ask the policy without naming a table, or give facts that reach it".into()),
        }
    }
}

impl Policy {
    /// Decides: at once, without allocation, lock or panic; the time is bounded by the size of the policy.
    ///
    /// Facts of another policy give `review`, see [`is_foreign`](Decision::is_foreign).
    ///
    /// ```
    /// use nisi::words::Verb;
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop \"no second try\" |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let facts = policy.no_facts();
    /// let decision = policy.decide(&facts);
    /// assert_eq!((decision.verb(), decision.reason()), (Verb::Stop, Some("no second try")));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    #[inline]
    pub fn decide<'a>(&'a self, facts: &'a Facts) -> Decision<'a> {
        self.decide_with(facts, &NOTHING)
    }

    /// Decides where the world refuses some verbs; [`Refused`] shows how. Otherwise as [`decide`](Self::decide).
    #[inline]
    pub fn decide_with<'a>(&'a self, facts: &'a Facts, refused: &'a Refused) -> Decision<'a> {
        let asked = Asked { policy: self, facts, refused };
        if self.is_very(facts.policy()) && !self.is_overlay() {
            Decision { asked, outcome: Outcome::of(asked, self.program().ask(facts.question()), Truth::Program) }
        } else {
            Decision { asked, outcome: outcome_by(asked, Truth::Program) }
        }
    }

    /// Decides as the language's page says it, rows one by one: the slow truth that [`decide`](Policy::decide) is held
    /// to. For tests, and for whoever doubts: the answer is the same.
    ///
    /// ```
    /// use nisi::decide::Refused;
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let (facts, nothing) = (policy.no_facts(), Refused::nothing());
    /// assert_eq!(policy.decide_plainly(&facts, &nothing).verb(), policy.decide(&facts).verb());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn decide_plainly<'a>(&'a self, facts: &'a Facts, refused: &'a Refused) -> Decision<'a> {
        let asked = Asked { policy: self, facts, refused };
        Decision { asked, outcome: outcome_by(asked, Truth::Plain) }
    }

    /// Asks one table, by name, with facts that reach it from the entry: its answer, and the way from it on.
    ///
    /// ```
    /// use nisi::decide::Refused;
    /// let policy = nisi::Policy::compile("policy a\nversion 1\ntable first, first row wins\n| => action |\n| see second |\n\
    ///     table second, first row wins\n| => action |\n| stop |\n")?;
    /// let (facts, nothing) = (policy.no_facts(), Refused::nothing());
    /// assert_eq!(policy.decide(&facts).path().count(), 2);
    /// assert_eq!(policy.decide_table("second", &facts, &nothing).expect("reached").path().count(), 1);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A name that is no table's, or facts that do not reach it.
    pub fn decide_table<'a>(
        &'a self,
        table: &str,
        facts: &'a Facts,
        refused: &'a Refused,
    ) -> Result<Decision<'a>, TableError> {
        let model = self.head();
        let id = model.table_id(table).ok_or_else(|| TableError::Unknown {
            name: super::fact_error::clipped(table),
            near: nearest(table, model.tables.iter().map(|t| &*t.name)).map(ToString::to_string),
        })?;
        let mut decision = self.decide_with(facts, refused);
        let path = decision.way();
        if let Some(skip) = path.iter().position(|(t, _)| t == id) {
            decision.outcome.skip = skip as u8;
            return Ok(decision);
        }
        let table = table.to_string();
        match decision.gap() {
            _ if decision.is_foreign() => Ok(decision),
            Some(End::Gap(gap)) if gap == id => {
                decision.outcome.skip = path.iter().count() as u8;
                Ok(decision)
            }
            Some(End::BrokenPromise(broken)) => Err(self.broken_promise(broken, facts, table)),
            Some(End::Gap(gap)) => Err(TableError::NoRowBefore { table, gap: self.table_name(gap).into() }),
            _ => {
                let broken = model.tables[id.0].promise.iter().find(|c| !self.holds(c, facts));
                Err(match broken {
                    Some(cond) => self.promise_error(cond, facts, table),
                    None => TableError::AnsweredBefore { table, row: decision.row_name().unwrap_or_default() },
                })
            }
        }
    }

    fn broken_promise(&self, broken: TableId, facts: &Facts, table: String) -> TableError {
        let promise = self.head().tables.get(broken.0).map_or(&[][..], |t| &t.promise);
        match promise.iter().find(|c| !self.holds(c, facts)) {
            Some(cond) => self.promise_error(cond, facts, self.table_name(broken).into()),
            None => TableError::NoRowBefore { table, gap: self.table_name(broken).into() },
        }
    }

    fn promise_error(&self, cond: &Cond, facts: &Facts, table: String) -> TableError {
        let fact = self.head().fact(cond.fact);
        let value = eval::value_of(self.model(), cond.fact, facts.values());
        let (need, have) = (show_set(fact, &cond.set), show_value(fact, &value));
        TableError::PromiseBroken { table, fact: fact.name.to_string(), need, have }
    }

    fn holds(&self, cond: &Cond, facts: &Facts) -> bool {
        eval::holds(self.model(), cond, facts.values())
    }

    fn table_name(&self, table: TableId) -> &str {
        self.head().tables.get(table.0).map_or("", |t| &t.name)
    }
}

/// Whatever the policy is, and whosever the facts.
#[inline(never)]
fn outcome_by(asked: Asked, truth: Truth) -> Outcome {
    if !asked.policy.is_same(asked.facts.policy()) {
        return Outcome::of(asked, Verdict::NONE, Truth::Foreign);
    }
    match &asked.policy.head().overlay {
        None => Outcome::of(asked, truth.verdict(asked), truth),
        Some(overlay) => tightened(asked, truth, overlay),
    }
}

/// Asks the entry and every table of the overlay that tightens one on the way, and takes the more cautious of the
/// answers, guards and fallbacks taken; of equal verbs the overlay's.
fn tightened(asked: Asked, truth: Truth, overlay: &Overlay) -> Outcome {
    let base = truth.answer(asked, TableId(0));
    let mut outcome = Outcome::of(asked, verdict(asked, &base), truth);
    for (tightened, own) in &overlay.tighten {
        if outcome.is_gap() || !base.path.iter().any(|(table, _)| table == *tightened) {
            continue;
        }
        let theirs = Outcome::of(asked, verdict(asked, &truth.answer(asked, *own)), truth);
        if !theirs.is_gap() && theirs.verb <= outcome.verb {
            outcome = Outcome { overlay: Some(own.0 as u16), ..theirs };
        }
    }
    outcome
}

/// The first action of a row that nothing refuses, and its verb.
#[inline(never)]
fn left_of(asked: Asked, verdict: Verdict) -> (u8, Verb) {
    let chain = verdict.place().and_then(|(table, row)| asked.policy.held().chain(table, row));
    let actions = chain.map_or(&[][..], |chain| &chain.actions);
    let open = actions.iter().position(|action| !asked.is_refused(action));
    let left = open.unwrap_or(actions.len().saturating_sub(1));
    (left as u8, actions.get(left).map_or(Verb::Review, Action::verb))
}

impl Outcome {
    #[inline]
    fn of(asked: Asked, verdict: Verdict, truth: Truth) -> Self {
        let verb = verdict.verb();
        // Without short cuts: which verb it is cannot be foretold, that none of them is refused mostly can.
        let may_be_refused = verb.acts() | (verb.can_be_refused() & !asked.refused.is_empty());
        let (left, verb) = if may_be_refused { left_of(asked, verdict) } else { (0, verb) };
        Outcome { verdict, overlay: None, left, verb, skip: 0, truth }
    }

    fn is_gap(&self) -> bool {
        self.verdict.how() != How::Row && self.truth != Truth::Foreign
    }
}

impl<'a> Decision<'a> {
    /// The decision of a verdict that the program has given for these facts.
    pub(super) fn settled(policy: &'a Policy, facts: &'a Facts, verdict: Verdict) -> Self {
        let asked = Asked { policy, facts, refused: &NOTHING };
        Decision { asked, outcome: Outcome::of(asked, verdict, Truth::Program) }
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.outcome.verdict
    }

    /// What to do.
    #[inline]
    pub fn verb(&self) -> Verb {
        self.outcome.verb
    }

    /// The action that is left.
    pub(crate) fn action(&self) -> &'a Action {
        self.actions().get(usize::from(self.outcome.left)).unwrap_or(&REVIEW)
    }

    /// The wanted action and its ways for refusal; nothing in a gap.
    pub(super) fn actions(&self) -> &'a [Action] {
        self.chain().map_or(&[], |chain| &chain.actions)
    }

    fn chain(&self) -> Option<&'a Chain> {
        let (table, row) = self.outcome.verdict.place()?;
        self.policy().held().chain(table, row)
    }

    /// The rows taken from the entry on, those of an overlay that answers behind them.
    fn way(&self) -> Path {
        let mut path = self.outcome.truth.answer(self.asked, TableId(0)).path;
        if let Some(overlay) = self.outcome.overlay {
            let own = self.outcome.truth.answer(self.asked, TableId(usize::from(overlay))).path;
            own.iter().for_each(|(table, row)| path.push(table, row));
        }
        path
    }

    /// What refused the wanted action, where something did.
    pub fn guard(&self) -> Option<Guard<'a>> {
        let chain = self.chain().filter(|_| self.outcome.left > 0)?;
        Some(Guard { asked: self.asked, chain, left: usize::from(self.outcome.left) })
    }

    /// Whether no row answers; then the verb is `review`. Only where the proofs were left out or cut short
    /// ([`Policy::is_proven`]).
    ///
    /// ```
    /// use nisi::compile::{NoSources, Options};
    /// use nisi::text::Source;
    /// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| region | => action |\n| eu | stop |\n";
    /// let quick = Options { proofs: false, ..Options::default() };
    /// let policy = nisi::Policy::compile_with(Source::new("a.nisi", text), &NoSources, &quick)?;
    /// let facts = policy.no_facts();
    /// assert!(!policy.is_proven() && policy.decide(&facts).is_gap());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn is_gap(&self) -> bool {
        self.outcome.is_gap()
    }

    /// How a gap came about.
    pub(super) fn gap(&self) -> Option<End> {
        self.is_gap().then(|| self.outcome.verdict.as_end())
    }

    /// Whether the facts were made for another policy, one of another digest: they say nothing here, and the verb is
    /// `review`.
    pub fn is_foreign(&self) -> bool {
        self.outcome.truth == Truth::Foreign
    }

    /// The policy that decided.
    pub fn policy(&self) -> &'a Policy {
        self.asked.policy
    }

    /// The facts that it decided on.
    pub fn facts(&self) -> &'a Facts {
        self.asked.facts
    }

    /// The rows taken, from the table that was asked on: each but the last hands over (`see`), the last answers.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = Row<'a>> + use<'a> {
        let policy = self.policy();
        self.steps().filter_map(move |step| Row::find(policy, step))
    }

    /// The rows taken, as places in the model.
    pub(crate) fn steps(&self) -> impl DoubleEndedIterator<Item = (TableId, usize)> + use<> {
        let (path, skip) = (self.way(), usize::from(self.outcome.skip));
        let n = path.iter().count();
        (skip..n).filter_map(move |i| path.iter().nth(i))
    }

    /// The row that answers; none does in a gap, or for the facts of another policy.
    pub fn row(&self) -> Option<Row<'a>> {
        Row::find(self.policy(), self.outcome.verdict.place()?)
    }

    /// That row as it is named: `table/row`, `table/#3`.
    pub fn row_name(&self) -> Option<String> {
        self.row().map(|row| row.to_string())
    }

    /// The reason for people: the row's, else the one that a stop or done carries.
    pub fn because(&self) -> Option<&'a str> {
        if self.is_foreign() {
            return Some("the facts were made for another policy");
        }
        self.row().and_then(|row| row.reason()).or(match self.action() {
            Action::Stop { reason } | Action::Done { reason } => reason.as_deref(),
            _ => None,
        })
    }

    /// The shortest and the longest wait of a retry in milliseconds, both in; nothing for another verb. A known hint is
    /// inside already; only our own jitter is cut to what the deadline leaves.
    ///
    /// ```
    /// use nisi::decide::{Hint, StandardFacts};
    /// use nisi::words::{Authorization, Effect};
    /// use std::time::Duration;
    /// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nbudget { owner me, attempts 3, deadline 9s }\n\
    ///     backoff b { base 200ms, factor 2, cap 8s, jitter full }\ntable t, first row wins\n| effect | => action |\n\
    ///     | read | retry after b; if refused, review desk |\n| otherwise | review desk |\n")?;
    /// let facts = policy.facts(&StandardFacts {
    ///     effect: Some(Effect::Read),
    ///     hint: Hint::After(Duration::from_secs(1)),
    ///     deadline: Some(Duration::from_secs(9)),
    ///     budget: Some(1),
    ///     attempt: Some(2),
    ///     ..StandardFacts::default()
    /// });
    /// let decision = policy.decide(&facts);
    /// assert_eq!(decision.wait_bounds_ms(), Some((1_000, 1_400)));
    /// assert_eq!((decision.wait(0), decision.wait(u64::MAX)), (Some(1_000), Some(1_400)));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn wait_bounds_ms(&self) -> Option<(u64, u64)> {
        wait::bounds_ms(self.asked, self.action())
    }

    /// A retry's wait in milliseconds, by a number drawn evenly from all numbers of 64 bits; nothing for another verb.
    /// The same number gives the same wait, always between [the bounds](Self::wait_bounds_ms).
    pub fn wait(&self, draw: u64) -> Option<u64> {
        self.wait_bounds_ms().map(|bounds| wait::drawn(bounds, draw))
    }
}

impl fmt::Display for Decision<'_> {
    /// The action in the policy's words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::model::show_action(self.policy().head(), self.action()))
    }
}
