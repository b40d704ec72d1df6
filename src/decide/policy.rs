//! A policy that answers: immutable, shared between threads, cheap to clone, swapped whole.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::artifact::About;
use crate::model::{Action, FactId, Model};
use crate::program::{self, Gauge, Program};
use crate::text::{FileId, Origin};
use crate::words::Verb;

use super::FactError;
use super::facts::{Facts, Handle};
use super::held::Held;
use super::row::Row;
use super::standard::{Standard, StandardFacts};

/// A compiled policy: immutable, `Send + Sync`, and a clone costs a counter.
///
/// It is made by [`compile`](Policy::compile) or [`compile_with`](Policy::compile_with). To put a new one in its place
/// while questions are under way, hold it behind a lock for the moment of a clone: who asks keeps the policy that he
/// began with, and no lock is held while it decides.
///
/// ```
/// use std::sync::{PoisonError, RwLock};
/// use nisi::Policy;
///
/// let text = |v: u32| format!("policy a\nversion {v}\ntable t, first row wins\n| => action |\n| stop |\n");
/// let current = RwLock::new(Policy::compile(&text(1))?);
///
/// let asking = current.read().unwrap_or_else(PoisonError::into_inner).clone();
/// let new = Policy::compile(&text(2))?; // outside the lock: where it is refused, the old one stays
/// *current.write().unwrap_or_else(PoisonError::into_inner) = new;
///
/// let facts = asking.no_facts();
/// assert_eq!(asking.decide(&facts).policy().version(), "1");
/// assert_eq!(current.read().unwrap_or_else(PoisonError::into_inner).version(), "2");
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Policy(Arc<Inner>);

struct Inner {
    is_overlay: bool,
    held: Held,
    program: Program,
    /// What sets a number at once, by fact.
    gauges: Box<[Gauge]>,
    standard: Standard,
    about: About,
    /// What handles, words and facts are known by.
    key: u64,
    may_retry: OnceLock<bool>,
}

impl Policy {
    /// A policy from its parts: the program was built from this very model, and the model from texts of these origins.
    pub(crate) fn new(model: Model, program: Program, proven: bool, origins: Arc<[Origin]>) -> Self {
        let digest = program::digest(&model).into();
        let about = About { digest, proven, nisi: env!("CARGO_PKG_VERSION").into(), origins };
        Policy::of(Held::Whole(model.into()), program, about)
    }

    pub(super) fn of(held: Held, program: Program, about: About) -> Self {
        let head = held.head();
        let (standard, key) = (Standard::find(head, &program), program::facts_key(head, &about.digest, &program));
        let (gauges, is_overlay) = (program.gauges(head.facts.values()), head.overlay.is_some());
        Policy(Arc::new(Inner { is_overlay, held, program, gauges, standard, about, key, may_retry: OnceLock::new() }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.head().name
    }

    /// Its version as written; empty where none is.
    pub fn version(&self) -> &str {
        &self.head().version
    }

    /// Its name for good: `sha256:` and 64 hexadecimal digits (SHA-256, FIPS 180-4) over the resolved policy, printed
    /// canonically. Inside are the language's edition, name and version, all that the file and what it uses declare, rows
    /// in file order, names, reasons, rules and their waivers; outside are layout, comments, documentation, owner,
    /// examples and waived findings.
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let (one, two) = (nisi::Policy::compile(text)?, nisi::Policy::compile(&text.replace("| stop |", "|  stop  | # no"))?);
    /// assert_eq!(one.digest(), two.digest());
    /// assert_eq!(one.digest().len(), "sha256:".len() + 64);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn digest(&self) -> &str {
        &self.0.about.digest
    }

    /// Whether its proofs were made, and came to an end: every input has an answer, every rule holds.
    ///
    /// It is no where [`Options::proofs`](crate::compile::Options::proofs) was off, or where a proof that was cut short
    /// was let pass.
    pub fn is_proven(&self) -> bool {
        self.0.about.proven
    }

    /// Every row of every table, in the order of the file: what can answer.
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| row | => action |\n| all | stop |\n";
    /// let rows: Vec<String> = nisi::Policy::compile(text)?.rows().map(|row| row.to_string()).collect();
    /// assert_eq!(rows, ["t/all"]);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        Row::all(self)
    }

    /// The row of a place among [`rows`](Self::rows), as [`Answers::rows`](super::Answers::rows) tells it.
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| row | => action |\n| all | stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// assert_eq!(policy.row(0).map(|row| row.to_string()).as_deref(), Some("t/all"));
    /// assert!(policy.row(1).is_none());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn row(&self, place: u32) -> Option<Row<'_>> {
        Row::at(self, place)
    }

    /// The names of the facts that a caller can give, in the order of their declaration; those that the policy derives
    /// are not among them.
    ///
    /// ```
    /// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| => action |\n| stop |\n";
    /// assert_eq!(nisi::Policy::compile(text)?.fact_names().collect::<Vec<_>>(), ["region"]);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn fact_names(&self) -> impl Iterator<Item = &str> {
        self.head().facts.values().filter(|fact| fact.is_callers()).map(|fact| &*fact.name)
    }

    /// The resolved policy, with every row.
    pub(crate) fn model(&self) -> &Model {
        self.0.held.whole()
    }

    /// The resolved policy, where its tables may lack their rows: all that deciding needs, at once.
    #[inline]
    pub(crate) fn head(&self) -> &Model {
        self.0.held.head()
    }

    #[inline]
    pub(super) fn held(&self) -> &Held {
        &self.0.held
    }

    /// Whether any row retries, at once or where something else is refused.
    pub(super) fn may_retry(&self) -> bool {
        let is_retry = |action: &Action| action.verb() == Verb::Retry;
        *self.0.may_retry.get_or_init(|| self.held().chains().any(|chain| chain.actions.iter().any(is_retry)))
    }

    /// What is known of it beside its rules.
    pub(super) fn about(&self) -> &About {
        &self.0.about
    }

    /// The files that it was compiled from.
    pub(crate) fn origins(&self) -> Arc<[Origin]> {
        Arc::clone(&self.0.about.origins)
    }

    pub(super) fn origin(&self, file: FileId) -> Option<&Origin> {
        self.0.about.origins.get(file.0 as usize)
    }

    #[inline]
    pub(super) fn program(&self) -> &Program {
        &self.0.program
    }

    /// What sets a number of a fact at once.
    #[inline]
    pub(super) fn gauge(&self, fact: FactId) -> Option<&Gauge> {
        self.0.gauges.get(fact.0 as usize)
    }

    pub(super) fn standard(&self) -> &Standard {
        &self.0.standard
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.0.key
    }

    /// Whether the other is a clone of this one.
    #[inline]
    pub(super) fn is_very(&self, other: &Policy) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether it tightens another.
    #[inline]
    pub(super) fn is_overlay(&self) -> bool {
        self.0.is_overlay
    }

    /// Whether facts made for the other fit this one.
    pub(super) fn is_same(&self, other: &Policy) -> bool {
        self.is_very(other) || self.0.key == other.0.key && self.digest() == other.digest()
    }

    /// Facts of the standard vocabulary; what the policy does not declare is dropped, what is not given is unknown. A
    /// number past its fact's domain is cut to the domain's end. See [`StandardFacts`].
    pub fn facts(&self, standard: &StandardFacts) -> Facts {
        let mut facts = Facts::new(self.clone());
        self.0.standard.put(self.head(), standard, &mut facts);
        facts
    }

    /// Facts that are all unknown, to be set by [`Handle`]. See [`Facts`].
    pub fn no_facts(&self) -> Facts {
        Facts::new(self.clone())
    }

    /// Finds a caller's fact by its name, once, so that it can be set again and again; a parity is found by its whole
    /// name, `parity.equivalent`. See [`Facts`].
    ///
    /// # Errors
    /// A name that the policy does not know, or a fact that it derives.
    pub fn handle(&self, name: &str) -> Result<Handle, FactError> {
        let fact = self.callers_fact(name)?;
        Ok(Handle { fact, key: self.0.key })
    }

    pub(super) fn callers_fact(&self, name: &str) -> Result<FactId, FactError> {
        let model = self.head();
        let fact = model.fact_id(name).ok_or_else(|| FactError::unknown_name(model, name))?;
        if model.fact(fact).is_callers() { Ok(fact) } else { Err(FactError::derived(model, fact)) }
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy({} {}, {})", self.name(), self.version(), self.digest())
    }
}
