//! What the world allows at one moment, as values: who asks, the clock, a draw, registries, pauses, the brake.

use super::authorization::Authorizations;
use super::instruction::Quotas;
use super::moment::Moment;
use super::passport::Releases;
use super::protected::Protected;

/// What operators have paused; a pause keeps every act back, and no look-up.
///
/// ```
/// use nisi::judge::{Pause, Pauses};
/// let pauses = Pauses(vec![Pause::Provider("northwind".into())]);
/// assert!(!pauses.0.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pauses(pub Vec<Pause>);

/// What one pause is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pause {
    /// Everything.
    All,
    /// The intents of one policy, by its name.
    Policy(String),
    /// One operation.
    Operation(String),
    /// One provider of releases, or one receiver.
    Provider(String),
    /// One tenant.
    Tenant(String),
}

/// The world at one moment. What is left out is unknown, and unknown refuses.
///
/// ```
/// use nisi::judge::{Moment, World};
/// let world = World::at(Moment::from_ms(0), "coordinator");
/// assert_eq!(world.brake, None); // of a policy with a `refill` it lets nothing pass
/// ```
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The clock.
    pub now: Moment,
    /// A number drawn evenly from all numbers of 64 bits.
    pub draw: u64,
    /// The layer that asks: only the owner of the retries may act.
    pub layer: &'a str,
    /// Which approvals stand.
    pub authorizations: Option<&'a dyn Authorizations>,
    /// The registered releases.
    pub releases: Option<&'a Releases>,
    /// What operators have paused.
    pub pauses: Option<&'a Pauses>,
    /// The units that the fleet brake lets pass now; whoever acts takes them from it.
    pub brake: Option<u64>,
    /// What receivers instructed to others that share a limit.
    pub quotas: Option<&'a Quotas>,
    /// The limit that this intent shares.
    pub quota_domain: Option<&'a str>,
    /// What no obstacle may show and no record may hold.
    pub protected: Option<&'a Protected>,
}

impl<'a> World<'a> {
    /// A world in which nothing is known but the clock and who asks.
    pub fn at(now: Moment, layer: &'a str) -> Self {
        World {
            now,
            draw: 0,
            layer,
            authorizations: None,
            releases: None,
            pauses: None,
            brake: None,
            quotas: None,
            quota_domain: None,
            protected: None,
        }
    }
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World at {} for {}", self.now, self.layer)
    }
}
