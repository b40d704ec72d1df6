//! What a decision carries beside its verb, for callers that carry it out: the reason, the queue, how a result is
//! looked up, what a retry, a hedge or a failover needs. Each is there for its own verb and for no other.

use crate::model::{Action, By};

use super::Decision;

impl<'a> Decision<'a> {
    /// The reason that a stop or done gives its caller, where the policy writes one.
    pub fn reason(&self) -> Option<&'a str> {
        match self.action() {
            Action::Stop { reason } | Action::Done { reason } => reason.as_deref(),
            _ => None,
        }
    }

    /// Whose a review is; nothing where the policy names nobody.
    pub fn queue(&self) -> Option<&'a str> {
        if let Action::Review { queue } = self.action() { queue.as_deref() } else { None }
    }

    /// How a result is looked up: the name of a locator, or `event`, which only listens.
    pub fn by(&self) -> Option<&'a str> {
        match self.action() {
            Action::Reconcile { by: By::Event, .. } => Some("event"),
            Action::Reconcile { by: By::Locator(place), .. } => {
                self.policy().head().locators.get(*place).map(|l| &*l.name)
            }
            _ => None,
        }
    }

    /// For how long a look-up may go on, in milliseconds.
    pub fn within_ms(&self) -> Option<u64> {
        if let Action::Reconcile { within_ms, .. } = self.action() { Some(*within_ms) } else { None }
    }

    /// The budget units that a retry takes, 1 or more.
    pub fn spend(&self) -> Option<u64> {
        if let Action::Retry { spend, .. } = self.action() { Some(*spend) } else { None }
    }

    /// How many copies of a hedge are out in all, the first included: 2 or more.
    pub fn copies(&self) -> Option<u64> {
        if let Action::Hedge { copies, .. } = self.action() { Some(*copies) } else { None }
    }

    /// When the further copies of a hedge go out, counted from the decision, in milliseconds.
    pub fn after_ms(&self) -> Option<u64> {
        if let Action::Hedge { after_ms, .. } = self.action() { Some(*after_ms) } else { None }
    }

    /// The name of the parity that a failover must meet.
    pub fn parity(&self) -> Option<&'a str> {
        let Action::Failover { parity } = self.action() else { return None };
        self.policy().head().parities.get(*parity).map(|p| &*p.name)
    }
}
