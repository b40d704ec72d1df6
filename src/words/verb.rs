//! The eight verbs, from the most cautious to the least.

use std::fmt;

/// What a decision does. The order of the variants is the cautious order, most cautious first.
///
/// ```
/// use nisi::words::Verb;
/// assert!(Verb::Review < Verb::Stop && Verb::Stop < Verb::Retry);
/// assert!(Verb::Failover.acts() && !Verb::Wait.acts());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Ask a person.
    Review,
    /// Turn silence into evidence.
    Reconcile,
    /// Give up, with the reason.
    Stop,
    /// Go on waiting for the attempt that is out.
    Wait,
    /// The effect is confirmed.
    Done,
    /// Try again after a wait.
    Retry,
    /// Send a second copy before the first has failed.
    Hedge,
    /// Try again with another release.
    Failover,
}

impl Verb {
    /// All, most cautious first.
    pub const ALL: [Verb; 8] =
        [Verb::Review, Verb::Reconcile, Verb::Stop, Verb::Wait, Verb::Done, Verb::Retry, Verb::Hedge, Verb::Failover];

    /// As a policy writes it: `retry`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Review => "review",
            Verb::Reconcile => "reconcile",
            Verb::Stop => "stop",
            Verb::Wait => "wait",
            Verb::Done => "done",
            Verb::Retry => "retry",
            Verb::Hedge => "hedge",
            Verb::Failover => "failover",
        }
    }

    /// The verb of a word; nothing for what is no verb.
    pub fn from_word(word: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|v| v.as_str() == word)
    }

    /// Whether it acts on the world again.
    #[inline]
    pub fn acts(self) -> bool {
        matches!(self, Verb::Retry | Verb::Hedge | Verb::Failover)
    }

    /// Whether the facts or the world may refuse it: the acts, and a look-up.
    #[inline]
    pub fn can_be_refused(self) -> bool {
        self.acts() || self == Verb::Reconcile
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
