//! The scene that the judgement's tests play in: the field guide's purchase order, its policy, its registries.

use nisi::Policy;
use nisi::decide::{Refusal, RefusedBy, World as Because};
use nisi::judge::{
    AuthorizationRegistry, Dispatching, Envelope, Event, Intent, Moment, Observed, Obstacle, Releases, World,
};
use nisi::words::{Boundary, Condition, Dispatch, Verb};

use crate::support::read;

pub const RELEASES: &str = include_str!("../../cases/judge/releases.yaml");

/// Everything that a world borrows.
pub struct Stage {
    pub policy: Policy,
    pub envelope: Envelope,
    pub approvals: AuthorizationRegistry,
    pub releases: Releases,
}

impl Stage {
    pub fn new() -> Self {
        Self::of(&read("tests/cases/judge/order.yaml"))
    }

    pub fn of(envelope: &str) -> Self {
        let approvals = "authorization: approval-3\nstatus: current\nlimits: { amount: 5000 }\n";
        Stage {
            policy: Policy::compile(&read("policies/field-guide.nisi")).unwrap(),
            envelope: Envelope::read(envelope).unwrap(),
            approvals: AuthorizationRegistry::read([("approvals.yaml", approvals)]).unwrap(),
            releases: Releases::read([("releases.yaml", RELEASES)]).unwrap(),
        }
    }

    pub fn at(&self, ms: u64) -> Moment {
        self.envelope.created_at().plus_ms(ms)
    }

    /// A world in which everything is known and nothing is in the way.
    pub fn world(&self, ms: u64) -> World<'_> {
        World {
            draw: 7,
            authorizations: Some(&self.approvals),
            releases: Some(&self.releases),
            brake: Some(10),
            ..World::at(self.at(ms), "coordinator")
        }
    }

    /// The next attempt as it would be recorded.
    pub fn attempt(&self, intent: &Intent, ms: u64) -> Dispatching {
        Dispatching::next(intent, self.at(ms))
    }

    pub fn seen(&self, attempt: u64, ms: u64, condition: Condition, dispatch: Dispatch, boundary: Boundary) -> Event {
        let (dispatch, boundary) = (Some(dispatch), Some(boundary));
        Event::Observe(Observed { attempt, at: self.at(ms), condition, dispatch, boundary, provider_request_id: None })
    }

    /// The response of an attempt was lost.
    pub fn lost(&self, attempt: u64, ms: u64) -> Event {
        self.seen(attempt, ms, Condition::Timeout, Dispatch::MaybeProcessed, Boundary::MaybeCrossed)
    }

    /// An intent whose first attempt went out at once.
    pub fn sent(&self) -> Intent {
        let intent = Intent::new(self.envelope.clone());
        let events = [
            Event::Prepare,
            Event::Authorize(self.envelope.authorization_version().clone()),
            Event::Dispatch(self.attempt(&intent, 0)),
        ];
        run(&intent, events)
    }
}

pub fn run(intent: &Intent, events: impl IntoIterator<Item = Event>) -> Intent {
    events.into_iter().fold(intent.clone(), |intent, event| intent.step(event).unwrap().0)
}

/// What of the world stood in the way of a verb.
pub fn world_obstacles(obstacles: &[Obstacle<'_>], verb: Verb) -> Vec<Because> {
    let of = |o: &Obstacle<'_>| match o {
        Obstacle::Guard(Refusal { verb: v, by: RefusedBy::World(world), .. }) if *v == verb => Some(*world),
        _ => None,
    };
    obstacles.iter().filter_map(of).collect()
}
