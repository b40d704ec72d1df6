//! What happens to an intent, what has then to be done, and why a step is refused.

use crate::words::{Boundary, Condition, Dispatch};

use super::canonical::ArgsHash;
use super::ids::{AuthorizationVersion, ProviderRequestId, ReceiptId, ReleaseId};
use super::intent::{Finding, Intent, Timer};
use super::key::ActionKey;
use super::moment::Moment;
use super::state::{EventKind, State};

/// An attempt as it is recorded before it is sent; all that it shows of the envelope is compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatching {
    /// One more than the attempts so far.
    pub number: u64,
    /// Now.
    pub at: Moment,
    /// Budget units, 1 or more.
    pub units: u64,
    /// The key that is sent along.
    pub action_key: ActionKey,
    /// The meaning of what is sent.
    pub canonical_args_hash: ArgsHash,
    /// The approval that it goes out under.
    pub authorization_version: AuthorizationVersion,
    /// The release that makes it.
    pub release: ReleaseId,
    /// The receiver that is asked.
    pub receiver: String,
}

impl Dispatching {
    /// The attempt that would come next at this moment, for one unit, with all that it shows as the envelope has it.
    ///
    /// ```
    /// use nisi::judge::{Dispatching, Envelope, Event, Intent};
    /// # let envelope = Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let (now, version) = (envelope.created_at(), envelope.authorization_version().clone());
    /// let mut intent = Intent::new(envelope);
    /// let sent = Dispatching::next(&intent, now);
    /// for event in [Event::Prepare, Event::Authorize(version), Event::Dispatch(sent)] {
    ///     intent = intent.step(event).expect("legal").0;
    /// }
    /// assert_eq!(Dispatching::next(&intent, now).number, 2);
    /// ```
    pub fn next(intent: &Intent, at: Moment) -> Self {
        let envelope = intent.envelope();
        Dispatching {
            number: intent.attempts().len() as u64 + 1,
            at,
            units: 1,
            action_key: envelope.action_key().clone(),
            canonical_args_hash: envelope.canonical_args_hash(),
            authorization_version: envelope.authorization_version().clone(),
            release: envelope.release_id().clone(),
            receiver: envelope.downstream_scope().into(),
        }
    }
}

/// What was seen of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Which.
    pub attempt: u64,
    /// When it was seen.
    pub at: Moment,
    /// What was seen.
    pub condition: Condition,
    /// What is proven of its dispatch; nothing is unknown.
    pub dispatch: Option<Dispatch>,
    /// How far its effect may have got; nothing is unknown.
    pub boundary: Option<Boundary>,
    /// The vendor's name for the call.
    pub provider_request_id: Option<ProviderRequestId>,
}

/// What happens to an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A command is proposed.
    Prepare,
    /// It is permitted by this approval.
    Authorize(AuthorizationVersion),
    /// An attempt is recorded, and then sent.
    Dispatch(Dispatching),
    /// An attempt's answer, or that there is none.
    Observe(Observed),
    /// A look-up by this locator begins.
    Look(String),
    /// A look-up could not tell.
    Unconfirmed,
    /// It is proven that no attempt applied anything.
    Absent,
    /// The authoritative result.
    Receipt(ReceiptId),
    /// A retry is decided, for later.
    Later(Timer),
    /// It is decided to go on waiting for the attempt that is out.
    Wait,
    /// It is decided to ask a person; the queue may be left out.
    Review(Option<String>),
    /// It is decided to look the result up, by a locator or `event`, for so many milliseconds.
    Reconcile {
        /// How.
        by: String,
        /// For how long.
        within_ms: u64,
    },
    /// It is decided to stop.
    Stop,
    /// It is decided that all is done.
    Done,
    /// Whoever asked withdraws it.
    Cancel,
    /// Its time has run out.
    Expire(Moment),
}

impl Event {
    /// Its kind.
    pub fn kind(&self) -> EventKind {
        match self {
            Event::Prepare => EventKind::Prepare,
            Event::Authorize(_) => EventKind::Authorize,
            Event::Dispatch(_) => EventKind::Dispatch,
            Event::Observe(_) => EventKind::Observe,
            Event::Look(_) => EventKind::Look,
            Event::Unconfirmed => EventKind::Unconfirmed,
            Event::Absent => EventKind::Absent,
            Event::Receipt(_) => EventKind::Receipt,
            Event::Later(_) => EventKind::Later,
            Event::Wait => EventKind::Wait,
            Event::Review(_) => EventKind::Review,
            Event::Reconcile { .. } => EventKind::Reconcile,
            Event::Stop => EventKind::Stop,
            Event::Done => EventKind::Done,
            Event::Cancel => EventKind::Cancel,
            Event::Expire(_) => EventKind::Expire,
        }
    }
}

/// What has to be done after a step, once it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Duty {
    /// Send this attempt, under the envelope's key.
    Send(u64),
    /// Look the result up.
    LookUp {
        /// By a locator, or `event`.
        by: String,
        /// For how long, in milliseconds.
        within_ms: u64,
    },
    /// Wake up, and judge again.
    Wake(Moment),
    /// Put the case before a person.
    Ask(Option<String>),
    /// Tell these attempts to stop; that they did nothing is not known by it.
    CancelAttempts(Vec<u64>),
    /// Tell whoever asked how it ended; once.
    Tell(State),
    /// Keep a finding.
    Keep(Finding),
}

/// Why a step is refused; the intent stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// No transition.
    #[error("`{event}` leads to {to}, and not from {from}")]
    Illegal {
        /// Where the intent stands.
        from: State,
        /// What happened.
        event: EventKind,
        /// Where it leads from other states.
        to: State,
    },
    /// A second copy could have a second effect: the intent stays where it is, and is looked up first.
    #[error("no attempt leads from {from} to executing: an earlier one may have had, or may yet have, its effect")]
    NotRepeatable {
        /// Where the intent stands.
        from: State,
    },
    /// It was asked to end.
    #[error("no attempt leads from {from} to executing: the intent is asked to be {asked}")]
    AskedToEnd {
        /// Where the intent stands.
        from: State,
        /// Rejected, cancelled or expired.
        asked: State,
    },
    /// An attempt that shows another value than its envelope, or more than it allows.
    #[error("no attempt widens its intent: `{field}` is {have}, and the attempt has {given}")]
    Widens {
        /// Of the envelope.
        field: &'static str,
        /// The envelope's.
        have: String,
        /// The attempt's.
        given: String,
    },
    /// No such attempt.
    #[error("there is no attempt {given}; there are {have}")]
    UnknownAttempt {
        /// As given.
        given: u64,
        /// How many there are.
        have: u64,
    },
    /// A result of a look-up given as the answer of an attempt.
    #[error("`{0}` is what a look-up says: give it as a receipt, as absent or as unconfirmed")]
    LookUpWord(Condition),
    /// Not yet.
    #[error("the deadline {deadline} has not passed at {at}")]
    NotExpired {
        /// Of the envelope.
        deadline: Moment,
        /// As given.
        at: Moment,
    },
}
