//! What stood in the way of an act, and how it is told: with what is there and what it would have to be, save where that is
//! protected.

use crate::decide::{Refusal, RefusedBy};

use super::authorization::StaleBecause;
use super::parity::Difference;
use super::protected::Protected;

/// What stands in place of a text that may not be shown.
pub(super) const WITHHELD: &str = "withheld";

/// Something that stood in the way of what the row wants.
///
/// ```
/// use nisi::judge::{Intent, Observation, Protected, World};
/// use nisi::words::Condition;
/// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
/// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 3, deadline 1s }\n\
///     backoff slow { base 5s, factor 1, cap 5s, jitter none }\ntable t, first row wins\n| => action |\n\
///     | retry after slow; if refused, stop |\n")?;
/// let (protected, now) = (Protected::default().and_names(["deadline"]), envelope.created_at());
/// let intent = Intent::new(envelope);
/// let first = |world| {
///     let seen = Observation::of(Condition::ConnectFailed);
///     policy.next_move(&intent, &seen, &world).obstacles()[0].to_string()
/// };
/// let world = World::at(now, "coordinator");
/// assert_eq!(first(world), "retry: deadline is 1s; it must be >= 5s");
/// let world = World { protected: Some(&protected), ..world };
/// assert_eq!(first(world), "retry: `deadline` is not as it must be; its values are withheld");
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, thiserror::Error)]
pub enum Obstacle<'a> {
    /// A guard: `retry: budget is 0; it must be >= 1`, `retry: the world refuses it (pause)`.
    #[error("{0}")]
    Guard(Refusal<'a>),
    /// The approval.
    #[error("{0}")]
    Approval(&'a StaleBecause),
    /// A field in which a registered release does not meet the parity.
    #[error("failover to {0}")]
    Release(Difference),
    /// One of these whose values are protected: it is named and not shown.
    #[error("{of}: `{name}` is not as it must be; its values are withheld")]
    Withheld {
        /// What it stood in the way of, or what it is of: `retry`, ``failover to `b` ``, `the approval`.
        of: String,
        /// A fact's name, a passport's field, a limit.
        name: String,
    },
}

impl Obstacle<'_> {
    /// As it may be shown.
    pub(super) fn shown(self, protected: Option<&Protected>) -> Self {
        let Some(protected) = protected else { return self };
        let (of, name) = self.told_of();
        if !protected.hides(&name, &self.to_string()) {
            return self;
        }
        let shown = |text: String| if protected.is_in(&text) { WITHHELD.to_string() } else { text };
        Obstacle::Withheld { of: shown(of), name: shown(name) }
    }

    /// What it is of, and its name.
    fn told_of(&self) -> (String, String) {
        let approval = |name: &str| ("the approval".to_string(), name.to_string());
        match self {
            Obstacle::Guard(refusal) => {
                let of = refusal.parity.map_or(refusal.verb.to_string(), |p| format!("{} to {p}", refusal.verb));
                let name = match refusal.by {
                    RefusedBy::Fact { name, .. } => name,
                    RefusedBy::World(world) => world.as_str(),
                };
                (of, name.to_string())
            }
            Obstacle::Approval(StaleBecause::OverLimit { name, .. }) => approval(name),
            Obstacle::Approval(StaleBecause::Expired(_)) => approval("expires"),
            Obstacle::Approval(StaleBecause::Superseded | StaleBecause::Revoked) => approval("status"),
            Obstacle::Release(d) => (format!("failover to `{}`", d.release), d.field.clone()),
            Obstacle::Withheld { of, name } => (of.clone(), name.clone()),
        }
    }
}
