//! The states of an intent, and every way from one to another: one table, which decides and which the docs show.
//!
//! `new → prepared → authorized → executing → committed`, the ends `rejected`, `cancelled` and `expired`, and
//! `indeterminate`: nobody can prove whether the effect happened. It is left by a receipt, by proof that nothing was
//! applied, or by the same command under a key that the receiver honours; never by giving up.

use std::fmt::{self, Write as _};

/// Where an intent stands.
///
/// ```
/// use nisi::judge::State;
/// assert!(State::Cancelled.is_end() && !State::Indeterminate.is_end());
/// assert_eq!(State::from_word("indeterminate"), Some(State::Indeterminate));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Declared.
    New,
    /// A command is proposed; nothing is changed.
    Prepared,
    /// Permitted, its arguments frozen.
    Authorized,
    /// An attempt was recorded, or is about to be repeated.
    Executing,
    /// Nobody can prove whether the effect happened.
    Indeterminate,
    /// The receipt was found.
    Committed,
    /// Refused for good; nothing was applied.
    Rejected,
    /// Withdrawn; nothing was applied.
    Cancelled,
    /// Its time ran out; nothing was applied.
    Expired,
}

impl State {
    /// All, in the order of the story.
    pub const ALL: [State; 9] = [
        State::New,
        State::Prepared,
        State::Authorized,
        State::Executing,
        State::Indeterminate,
        State::Committed,
        State::Rejected,
        State::Cancelled,
        State::Expired,
    ];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            State::New => "new",
            State::Prepared => "prepared",
            State::Authorized => "authorized",
            State::Executing => "executing",
            State::Indeterminate => "indeterminate",
            State::Committed => "committed",
            State::Rejected => "rejected",
            State::Cancelled => "cancelled",
            State::Expired => "expired",
        }
    }

    /// The state of a word.
    pub fn from_word(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether nothing more is pursued.
    pub fn is_end(self) -> bool {
        matches!(self, State::Committed | State::Rejected | State::Cancelled | State::Expired)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What happens to an intent, without what it carries; an [`Event`](super::Event) has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A command is proposed.
    Prepare,
    /// It is permitted.
    Authorize,
    /// An attempt is recorded, right before it is sent.
    Dispatch,
    /// An attempt's answer, or that there is none.
    Observe,
    /// A look-up begins.
    Look,
    /// A look-up could not tell.
    Unconfirmed,
    /// Proof that no attempt applied anything.
    Absent,
    /// A receipt.
    Receipt,
    /// It is decided to repeat later.
    Later,
    /// It is decided to go on waiting.
    Wait,
    /// It is decided to ask a person.
    Review,
    /// It is decided to look the result up.
    Reconcile,
    /// It is decided to stop.
    Stop,
    /// It is decided that all is done.
    Done,
    /// Whoever asked withdraws it.
    Cancel,
    /// Its time has run out.
    Expire,
}

impl EventKind {
    /// All.
    pub const ALL: [EventKind; 16] = [
        EventKind::Prepare,
        EventKind::Authorize,
        EventKind::Dispatch,
        EventKind::Observe,
        EventKind::Look,
        EventKind::Unconfirmed,
        EventKind::Absent,
        EventKind::Receipt,
        EventKind::Later,
        EventKind::Wait,
        EventKind::Review,
        EventKind::Reconcile,
        EventKind::Stop,
        EventKind::Done,
        EventKind::Cancel,
        EventKind::Expire,
    ];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Prepare => "prepare",
            EventKind::Authorize => "authorize",
            EventKind::Dispatch => "dispatch",
            EventKind::Observe => "observe",
            EventKind::Look => "look",
            EventKind::Unconfirmed => "unconfirmed",
            EventKind::Absent => "absent",
            EventKind::Receipt => "receipt",
            EventKind::Later => "later",
            EventKind::Wait => "wait",
            EventKind::Review => "review",
            EventKind::Reconcile => "reconcile",
            EventKind::Stop => "stop",
            EventKind::Done => "done",
            EventKind::Cancel => "cancel",
            EventKind::Expire => "expire",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// When a transition holds; judged after the event's evidence is taken in, for a dispatch before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// Some attempt may have had an effect that nobody has confirmed or ruled out.
    Open,
    /// None may, and it was asked to stop, cancel or expire before.
    NothingOpenAsked,
    /// None may.
    NothingOpen,
    /// A second copy cannot have a second effect, and nobody asked for an end.
    MayRepeat,
    /// An attempt was recorded.
    Attempted,
}

impl When {
    /// As the docs say it.
    pub fn as_str(self) -> &'static str {
        match self {
            When::Always => "",
            When::Open => "an effect may be open",
            When::NothingOpenAsked => "nothing is open, an end was asked for",
            When::NothingOpen => "nothing is open",
            When::MayRepeat => "a second copy is harmless, no end was asked for",
            When::Attempted => "an attempt was recorded",
        }
    }
}

/// Where a transition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// This state.
    State(State),
    /// The end that was asked for: rejected, cancelled or expired; the first that was asked for.
    Asked,
}

/// One way from a state to another; of those that hold, the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// From.
    pub from: State,
    /// By.
    pub event: EventKind,
    /// If.
    pub when: When,
    /// To.
    pub to: To,
}

macro_rules! transitions {
    ($($from:ident: $($event:ident)|+ , $when:ident => $to:ident,)+) => {
        /// Every transition; what stands in no row is illegal.
        ///
        /// ```
        /// use nisi::judge::{EventKind, State, TRANSITIONS};
        /// let lost = TRANSITIONS.iter().find(|t| t.from == State::Executing && t.event == EventKind::Cancel);
        /// assert_eq!(lost.map(|t| t.when.as_str()), Some("an effect may be open"));
        /// ```
        pub const TRANSITIONS: &[Transition] = &[$($(
            Transition {
                from: State::$from,
                event: EventKind::$event,
                when: When::$when,
                to: transitions!(@to $to),
            },
        )+)+];
    };
    (@to Asked) => { To::Asked };
    (@to $to:ident) => { To::State(State::$to) };
}

transitions! {
    New: Prepare, Always => Prepared,
    New: Stop | Cancel | Expire, Always => Asked,
    Prepared: Authorize, Always => Authorized,
    Prepared: Review, Always => Prepared,
    Prepared: Stop | Cancel | Expire, Always => Asked,
    Authorized: Dispatch, MayRepeat => Executing,
    Authorized: Review | Later, Always => Authorized,
    Authorized: Stop | Cancel | Expire, Always => Asked,
    Executing: Dispatch, MayRepeat => Executing,
    Executing: Observe | Look | Unconfirmed | Absent | Later | Wait | Review, Always => Executing,
    Executing: Reconcile, Open => Indeterminate,
    Executing: Reconcile, Always => Executing,
    Executing: Receipt, Always => Committed,
    Executing: Stop | Cancel | Expire, Open => Indeterminate,
    Executing: Stop | Cancel | Expire, Always => Asked,
    Indeterminate: Dispatch, MayRepeat => Executing,
    Indeterminate: Receipt, Always => Committed,
    Indeterminate: Observe | Absent, NothingOpenAsked => Asked,
    Indeterminate: Observe | Absent, NothingOpen => Executing,
    Indeterminate: Observe | Look | Unconfirmed | Later | Wait | Review | Reconcile, Always => Indeterminate,
    Indeterminate: Stop | Cancel | Expire, Always => Indeterminate,
    Committed: Observe | Look | Unconfirmed | Absent | Receipt | Done | Cancel | Expire, Always => Committed,
    Rejected: Observe | Look | Unconfirmed | Absent | Stop | Cancel | Expire, Always => Rejected,
    Rejected: Receipt, Attempted => Committed,
    Cancelled: Observe | Look | Unconfirmed | Absent | Stop | Cancel | Expire, Always => Cancelled,
    Cancelled: Receipt, Attempted => Committed,
    Expired: Observe | Look | Unconfirmed | Absent | Stop | Cancel | Expire, Always => Expired,
    Expired: Receipt, Attempted => Committed,
}

/// The transitions as a table for readers, in Markdown: those that differ in the event alone stand in one row.
///
/// ```
/// assert!(nisi::judge::transitions_table().contains("| new | prepare | | prepared |"));
/// ```
pub fn transitions_table() -> String {
    let mut out = String::from("| from | event | if | to |\n|---|---|---|---|\n");
    let mut rest = TRANSITIONS;
    while let Some(first) = rest.first() {
        let same = |t: &Transition| (t.from, t.when, t.to) == (first.from, first.when, first.to);
        let n = rest.iter().take_while(|t| same(t)).count();
        let events: Vec<&str> = rest[..n].iter().map(|t| t.event.as_str()).collect();
        let to = match first.to {
            To::State(state) => state.as_str(),
            To::Asked => "the end asked for",
        };
        let when = if first.when == When::Always { String::new() } else { format!("{} ", first.when.as_str()) };
        let _ = writeln!(out, "| {} | {} | {when}| {to} |", first.from, events.join(", "));
        rest = &rest[n..];
    }
    out
}
