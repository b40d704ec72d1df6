//! An intent under way: its envelope, its state, and what is known of each of its attempts.
//!
//! It is a value, moved by [`Intent::step`] alone. *All attempts count*: how far the effect may have got is read from every
//! attempt that no evidence has settled, so that a second one which was never sent does not clear a first one that timed
//! out.

use std::collections::BTreeMap;

use crate::words::{Boundary, Condition, Dispatch};

use super::envelope::Envelope;
use super::ids::{ProviderRequestId, ReceiptId, ReleaseId};
use super::moment::Moment;
use super::state::State;

/// One try inside an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u64,
    /// When it was recorded, right before it was sent.
    pub at: Moment,
    /// Budget units that it took.
    pub units: u64,
    /// The release that made it.
    pub release: ReleaseId,
    /// The receiver that was asked.
    pub receiver: String,
    /// The vendor's name for the call.
    pub provider_request_id: Option<ProviderRequestId>,
    /// What was observed last; nothing while it is out.
    pub condition: Option<Condition>,
    /// What can be proven of its dispatch; nothing is unknown.
    pub dispatch: Option<Dispatch>,
    /// How far its effect may have got; nothing is unknown.
    pub boundary: Option<Boundary>,
    /// The evidence that settled it.
    pub settled: Option<Settled>,
    /// Whether its answer came after the deadline, or after the intent had ended or was asked to.
    pub late: bool,
}

/// What settled an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The receiver refused it, and nothing in it had acted.
    Refused,
    /// A look-up proved that nothing was applied; a late copy may still arrive.
    Absent,
    /// The receipt was found.
    Committed,
}

impl std::fmt::Display for Settled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Settled::Refused => "refused",
            Settled::Absent => "absent",
            Settled::Committed => "committed",
        })
    }
}

impl Attempt {
    /// Whether it may have had an effect that nobody has confirmed or ruled out: as `open_effect` of `std.facts` says.
    pub fn is_open(&self) -> bool {
        let unprocessed = matches!(self.dispatch, Some(Dispatch::Undone | Dispatch::Refused | Dispatch::NotSent));
        let not_crossed = match self.boundary {
            Some(Boundary::NotCrossed) => true,
            None => unprocessed,
            Some(_) => false,
        };
        self.settled.is_none() && !not_crossed
    }

    /// Whether it may still be running: nothing was observed of it, or only that it is slow or that we stopped waiting.
    pub fn is_out(&self) -> bool {
        self.settled.is_none()
            && matches!(self.condition, None | Some(Condition::Pending | Condition::InProgress | Condition::Cancelled))
    }
}

/// A finding on an intent: kept, and shown to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A second receipt, other than the accepted one: two effects, or two names of one.
    SecondReceipt {
        /// The accepted one.
        accepted: ReceiptId,
        /// The other.
        other: ReceiptId,
    },
    /// A receipt came after the intent had ended without an effect.
    EffectAfterEnd {
        /// How it had ended.
        end: State,
        /// The receipt.
        receipt: ReceiptId,
    },
    /// A look-up found nothing though there is a receipt.
    AbsentAfterReceipt(ReceiptId),
    /// An attempt turned out to have crossed the boundary, or perhaps to have, after the intent had ended without an effect.
    CrossedAfterEnd {
        /// How it had ended.
        end: State,
        /// The attempt.
        attempt: u64,
    },
}

/// A retry that is decided and not yet due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timer {
    /// When it was decided: the wait is counted from here.
    pub since: Moment,
    /// When it is due, at the earliest.
    pub due: Moment,
    /// The number that its wait was drawn by.
    pub draw: u64,
}

/// One authorized outcome and all that was done for it.
///
/// ```
/// use nisi::judge::{Event, Intent, State};
/// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
/// let intent = Intent::new(envelope);
/// let (intent, _) = intent.step(Event::Prepare)?;
/// assert_eq!(intent.state(), State::Prepared);
/// let error = intent.step(Event::Prepare).unwrap_err();
/// assert_eq!(error.to_string(), "`prepare` leads to prepared, and not from prepared");
/// # Ok::<(), nisi::judge::StepError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    pub(super) envelope: Envelope,
    pub(super) state: State,
    pub(super) attempts: Vec<Attempt>,
    pub(super) receipt: Option<ReceiptId>,
    pub(super) asked_end: Option<State>,
    pub(super) looks: BTreeMap<String, u64>,
    pub(super) findings: Vec<Finding>,
    pub(super) timer: Option<Timer>,
}

impl Intent {
    /// A new intent.
    pub fn new(envelope: Envelope) -> Self {
        Intent {
            envelope,
            state: State::New,
            attempts: Vec::new(),
            receipt: None,
            asked_end: None,
            looks: BTreeMap::new(),
            findings: Vec::new(),
            timer: None,
        }
    }

    /// What binds it.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// Every attempt, the first first.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The accepted receipt.
    pub fn receipt(&self) -> Option<&ReceiptId> {
        self.receipt.as_ref()
    }

    /// The end that was asked for and is not reached: it waits for proof that nothing was applied.
    pub fn asked_end(&self) -> Option<State> {
        self.asked_end.filter(|_| !self.state.is_end())
    }

    /// What a person should look at.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The retry that waits.
    pub fn timer(&self) -> Option<Timer> {
        self.timer
    }

    /// Look-ups made by one locator.
    pub fn looks_by(&self, locator: &str) -> u64 {
        self.looks.get(locator).copied().unwrap_or(0)
    }

    /// Look-ups made.
    pub fn looks(&self) -> u64 {
        self.looks.values().sum()
    }

    /// Budget units spent; neither a restart nor another provider gives one back.
    pub fn spent(&self) -> u64 {
        self.attempts.iter().map(|a| a.units).sum()
    }

    /// When its first attempt went out.
    pub fn first_sent(&self) -> Option<Moment> {
        self.attempts.first().map(|a| a.at)
    }

    /// When its last attempt went out.
    pub fn last_sent(&self) -> Option<Moment> {
        self.attempts.iter().map(|a| a.at).max()
    }

    /// How many attempts may still be running.
    pub(super) fn out(&self) -> u64 {
        self.attempts.iter().filter(|a| a.is_out()).count() as u64
    }

    fn unsettled(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts.iter().filter(|a| a.settled.is_none())
    }

    /// What can be proven of all unsettled attempts, the weakest of them; `not_sent` where there is none.
    pub fn dispatch(&self) -> Option<Dispatch> {
        self.unsettled().map(|a| a.dispatch).min().unwrap_or(Some(Dispatch::NotSent))
    }

    /// How far the effect of the unsettled attempts may have got, the farthest; unknown lies between `not_crossed` and
    /// `maybe_crossed`.
    pub fn boundary(&self) -> Option<Boundary> {
        let far = |boundary: Option<Boundary>| match boundary {
            Some(Boundary::NotCrossed) => 0,
            None => 1,
            Some(Boundary::MaybeCrossed) => 2,
            Some(Boundary::Crossed) => 3,
        };
        self.unsettled().map(|a| a.boundary).max_by_key(|b| far(*b)).unwrap_or(Some(Boundary::NotCrossed))
    }

    /// Whether an effect may exist that nobody has confirmed or ruled out.
    pub fn is_open(&self) -> bool {
        !self.envelope.operation().is_harmless() && self.attempts.iter().any(Attempt::is_open)
    }

    /// Whether a receiver honours this intent's key at a moment: its contract says so, it is the one that was asked
    /// first, and it still remembers. Nothing where the contract says nothing.
    pub fn is_key_honoured(&self, receiver: &str, at: Moment) -> Option<bool> {
        let envelope = &self.envelope;
        let first = self.attempts.first().map_or(envelope.downstream_scope(), |a| &a.receiver);
        let remembers = at.since_ms(envelope.created_at()) < envelope.retention_ms();
        Some(envelope.operation().idempotent? && receiver == first && remembers)
    }

    /// Whether a second copy at a receiver cannot have a second effect.
    pub fn may_repeat(&self, receiver: &str, at: Moment) -> bool {
        // What a look-up did not find may still be on its way.
        let may_arrive = self.attempts.iter().any(|a| a.settled == Some(Settled::Absent));
        self.envelope.operation().is_harmless()
            || self.is_key_honoured(receiver, at) == Some(true)
            || !(self.is_open() || may_arrive)
    }
}
