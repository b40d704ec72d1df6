//! Actions, complete with what they refer to.

use std::sync::Arc;

use crate::text::Span;
use crate::words::Verb;

/// One action.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// Ask a person; the queue may be left out.
    Review {
        /// Whose.
        queue: Option<Box<str>>,
    },
    /// Look the result up.
    Reconcile {
        /// How it can be found.
        by: By,
        /// For how long, in milliseconds.
        within_ms: u64,
    },
    /// Give up.
    Stop {
        /// The reason as written.
        reason: Option<Box<str>>,
    },
    /// Go on waiting.
    Wait,
    /// Confirmed.
    Done {
        /// The reason as written.
        reason: Option<Box<str>>,
    },
    /// Try again.
    Retry {
        /// The backoff, by place in the model; nothing is `now`.
        backoff: Option<usize>,
        /// Budget units that it takes, 1 or more.
        spend: u64,
    },
    /// Send copies.
    Hedge {
        /// Copies out in all, 2 or more.
        copies: u64,
        /// The delay before the further copies, counted from the decision, in milliseconds.
        after_ms: u64,
    },
    /// Try another release.
    Failover {
        /// The parity, by place in the model.
        parity: usize,
    },
}

/// How a result is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// By an event that comes in: only listens.
    Event,
    /// By a locator, by place in the model.
    Locator(usize),
}

impl Action {
    /// Its verb.
    pub fn verb(&self) -> Verb {
        match self {
            Action::Review { .. } => Verb::Review,
            Action::Reconcile { .. } => Verb::Reconcile,
            Action::Stop { .. } => Verb::Stop,
            Action::Wait => Verb::Wait,
            Action::Done { .. } => Verb::Done,
            Action::Retry { .. } => Verb::Retry,
            Action::Hedge { .. } => Verb::Hedge,
            Action::Failover { .. } => Verb::Failover,
        }
    }
}

/// A wanted action and what follows when it is refused, each in turn: never empty, and the last one cannot be
/// refused. The table's way for refusal, or a plain `review`, is already at its end where the row states none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The actions in order.
    pub actions: Arc<[Action]>,
    /// How many of them the row itself states; the rest is the table's way, or the plain `review`.
    pub stated: usize,
    /// Where the row states it.
    pub span: Span,
}

/// `backoff NAME { base, factor, cap, jitter }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    /// Its name.
    pub name: Box<str>,
    /// The shortest, in milliseconds.
    pub base_ms: u64,
    /// The factor in tenths, 10 or more.
    pub factor_tenths: u64,
    /// The longest, in milliseconds.
    pub cap_ms: u64,
    /// How it is drawn.
    pub jitter: Jitter,
    /// `min(cap, base · factor^(n−1))` for n = 1, 2, … up to the first that reaches the cap; never empty.
    pub steps_ms: Vec<u64>,
    /// Its name where it is declared.
    pub span: Span,
}

/// How a wait is drawn from b.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jitter {
    /// b
    None,
    /// b/2 (rounded up) to b
    Equal,
    /// 0 to b
    Full,
}

impl Jitter {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            Jitter::None => "none",
            Jitter::Equal => "equal",
            Jitter::Full => "full",
        }
    }
}

impl Backoff {
    /// The bounds of the draw, in milliseconds, after `attempt` attempts (0 counts as 1); unknown takes the cap.
    pub fn draw_ms(&self, attempt: Option<u64>) -> (u64, u64) {
        let b = match attempt {
            Some(n) => {
                let i = usize::try_from(n.max(1) - 1).unwrap_or(usize::MAX).min(self.steps_ms.len().saturating_sub(1));
                self.steps_ms.get(i).copied().unwrap_or(self.cap_ms)
            }
            None => self.cap_ms,
        };
        match self.jitter {
            Jitter::None => (b, b),
            Jitter::Equal => (b.div_ceil(2), b),
            Jitter::Full => (0, b),
        }
    }
}

/// `locator NAME { lag, remembers, looks }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locator {
    /// Its name.
    pub name: Box<str>,
    /// The longest time after a send in which a result may not show yet, in milliseconds; 0 where not written.
    pub lag_ms: u64,
    /// How long after the first send it can be found, in milliseconds; nothing is for ever.
    pub remembers_ms: Option<u64>,
    /// How many look-ups an intent may make; nothing is no bound.
    pub looks: Option<u64>,
    /// Its name where it is declared.
    pub span: Span,
}

/// `parity NAME { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parity {
    /// Its name.
    pub name: Box<str>,
    /// Its terms in file order.
    pub terms: Vec<ParityTerm>,
    /// Its name where it is declared.
    pub span: Span,
}

/// One term of a parity; a field is a path into a release passport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParityTerm {
    /// The fields are equal.
    Same(Vec<Box<str>>),
    /// The fallback's lists hold nothing that the failed one's do not.
    NoBroader(Vec<Box<str>>),
    /// The fallback's number is at least this, in units of 10⁻¹⁸.
    AtLeast(Box<str>, i128),
    /// The fallback's date is no older than this, in milliseconds.
    Fresh(Box<str>, u64),
    /// The fields may differ.
    MayDiffer(Vec<Box<str>>),
}
