//! The guard of an action: what the facts must show before it is honoured.
//!
//! Takes an action and the facts; gives everything that refuses it, in a fixed order: units, time, the receiver's
//! word, what the verb asks for, the right to act, and last the world. Unknown refuses, save where only a known
//! value forbids. Nothing is allocated: a refusal is worked out when it is asked for.

use std::fmt;

use crate::model::{Action, By, FactId, Value, parity_name};
use crate::words::{Authorization, Boundary, Effect, ParityVerdict, Pushback, Tools, Verb, show_duration};

use super::facts::Facts;
use super::policy::Policy;
use super::refused::{Refused, World};
use super::standard::KnownHint;
use super::value::FactValue;
use super::wait;

/// One reason why an action is refused; shown as `failover to twin: boundary is unknown; it must be not_crossed`.
///
/// Made by [`Guard::refusals`](super::Guard::refusals), where an example stands.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// The refused action's verb.
    pub verb: Verb,
    /// For a failover, the parity's name.
    pub parity: Option<&'a str>,
    /// What refuses it.
    pub by: RefusedBy<'a>,
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parity {
            Some(parity) => write!(f, "{} to {parity}: {}", self.verb, self.by),
            None => write!(f, "{}: {}", self.verb, self.by),
        }
    }
}

/// What refuses an action; shown as `budget is 0; it must be >= 1` or `the world refuses it (pause)`.
#[derive(Debug, Clone, Copy)]
pub enum RefusedBy<'a> {
    /// A fact.
    Fact {
        /// Its name.
        name: &'a str,
        /// Its value; unknown where the policy does not declare it.
        have: FactValue<'a>,
        /// What it would have to be.
        need: Need,
    },
    /// Something that only the world knows.
    World(World),
}

impl fmt::Display for RefusedBy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusedBy::Fact { name, have, need } => write!(f, "{name} is {have}; it must be {need}"),
            RefusedBy::World(world) => write!(f, "the world refuses it ({world})"),
        }
    }
}

/// What a fact would have to be; shown as a cell.
///
/// ```
/// use nisi::decide::Need;
/// assert_eq!((Need::Units(2).to_string(), Need::Time(1_500).to_string()), (">= 2".into(), ">= 1s500ms".into()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// At least so many.
    Units(u64),
    /// At least so long, in milliseconds.
    Time(u64),
    /// Not known to be `stop`.
    NotStop,
    /// Known, a named point included.
    Known,
    /// An effect that may be sent twice.
    HarmlessEffect,
    /// `disabled`.
    Disabled,
    /// `holds`.
    Holds,
    /// `current`.
    Current,
    /// `current`, or unknown.
    CurrentOrUnknown,
    /// `not_crossed`.
    NotCrossed,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Units(n) => write!(f, ">= {n}"),
            Need::Time(ms) => write!(f, ">= {}", show_duration(*ms)),
            Need::NotStop => f.write_str("unknown or not stop"),
            Need::Known => f.write_str("known"),
            Need::HarmlessEffect => f.write_str("immutable_read, read, verification, inference"),
            Need::Disabled => f.write_str("disabled"),
            Need::Holds => f.write_str("holds"),
            Need::Current => f.write_str("current"),
            Need::CurrentOrUnknown => f.write_str("unknown, current"),
            Need::NotCrossed => f.write_str("not_crossed"),
        }
    }
}

/// What is asked: a policy, the facts, and the verbs that the world refuses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) policy: &'a Policy,
    pub(super) facts: &'a Facts,
    pub(super) refused: &'a Refused,
}

/// The checks of a guard, in the order in which they are told.
#[derive(Debug, Clone, Copy)]
enum Check {
    Units,
    Time,
    Pushback,
    Hint,
    Harmless,
    Parity,
    Right,
    Boundary,
}

const CHECKS: [Check; 8] = [
    Check::Units,
    Check::Time,
    Check::Pushback,
    Check::Hint,
    Check::Harmless,
    Check::Parity,
    Check::Right,
    Check::Boundary,
];

impl<'a> Asked<'a> {
    /// Whether anything refuses an action.
    pub(super) fn is_refused(self, action: &'a Action) -> bool {
        let is_refused = |check: &Check| self.refuses(*check, action);
        action.verb().acts() && CHECKS.iter().any(is_refused) || self.world(action).next().is_some()
    }

    /// Everything that refuses an action.
    pub(super) fn refusals(self, action: &'a Action) -> impl Iterator<Item = Refusal<'a>> {
        let (verb, model) = (action.verb(), self.policy.head());
        let parity = if let Action::Failover { parity } = action { Some(parity_name(model, *parity)) } else { None };
        let checks: &[Check] = if verb.acts() { &CHECKS } else { &[] };
        let facts = checks.iter().filter(move |check| self.refuses(**check, action));
        let facts = facts.map(move |check| self.told(*check, action));
        facts.chain(self.world(action).map(RefusedBy::World)).map(move |by| Refusal { verb, parity, by })
    }

    /// What of the world refuses an action.
    fn world(self, action: &'a Action) -> impl Iterator<Item = World> + use<'a> {
        let (verb, model) = (action.verb(), self.policy.head());
        let name = match action {
            Action::Failover { parity } => Some(parity_name(model, *parity)),
            Action::Reconcile { by: By::Locator(place), .. } => model.locators.get(*place).map(|l| &*l.name),
            _ => None,
        };
        self.refused.of(verb, name).filter(move |_| verb.can_be_refused())
    }

    /// Whether one check refuses an action.
    #[inline]
    fn refuses(self, check: Check, action: &Action) -> bool {
        let (std, facts) = (self.policy.standard(), self.facts);
        match (check, action) {
            (Check::Units, _) => std.budget(facts).is_none_or(|have| have < units(action)),
            (Check::Time, _) => std.deadline(facts).is_none_or(|have| have < self.time(action)),
            (Check::Pushback, _) => std.pushback(facts) == Some(Pushback::Stop),
            (Check::Hint, Action::Retry { .. }) => {
                std.pushback(facts) == Some(Pushback::Wait) && std.hint(facts) == KnownHint::Unknown
            }
            (Check::Harmless, Action::Hedge { .. }) => !self.is_harmless(),
            (Check::Parity, Action::Failover { parity }) => std.parity(facts, *parity).1 != Some(ParityVerdict::Holds),
            (Check::Right, _) => match std.authorization(facts) {
                Some(right) => right != Authorization::Current,
                None => !self.unknown_right_will_do(action) || !self.is_unknown(self.policy.head().std.authorization),
            },
            (Check::Boundary, Action::Failover { .. }) => std.boundary(facts) != Some(Boundary::NotCrossed),
            (Check::Hint | Check::Harmless | Check::Parity | Check::Boundary, _) => false,
        }
    }

    /// What a check that refuses an action asks for.
    fn told(self, check: Check, action: &Action) -> RefusedBy<'a> {
        let ids = &self.policy.head().std;
        match check {
            Check::Units => self.by("budget", ids.budget, Need::Units(units(action))),
            Check::Time => self.by("deadline", ids.deadline, Need::Time(self.time(action))),
            Check::Pushback => self.by("pushback", ids.pushback, Need::NotStop),
            Check::Hint => self.by("hint", ids.hint, Need::Known),
            Check::Harmless => match self.policy.standard().effect(self.facts) {
                Some(Effect::Inference) => self.by("tools", ids.tools, Need::Disabled),
                _ => self.by("effect", ids.effect, Need::HarmlessEffect),
            },
            Check::Parity => {
                let Action::Failover { parity } = action else { return self.by("parity", None, Need::Holds) };
                let (fact, _) = self.policy.standard().parity(self.facts, *parity);
                self.by(fact.map_or("parity", |f| &*self.policy.head().fact(f).name), fact, Need::Holds)
            }
            Check::Right => {
                let need = if self.unknown_right_will_do(action) { Need::CurrentOrUnknown } else { Need::Current };
                self.by("authorization", ids.authorization, need)
            }
            Check::Boundary => self.by("boundary", ids.boundary, Need::NotCrossed),
        }
    }

    /// The time that an action takes at least.
    fn time(self, action: &Action) -> u64 {
        wait::shortest_ms(self, action).saturating_add(wait::least_ms(self.policy.head()))
    }

    /// Whether an unknown right will do.
    fn unknown_right_will_do(self, action: &Action) -> bool {
        !matches!(action, Action::Failover { .. }) && self.is_harmless()
    }

    /// Whether the operation may be repeated without a known right: a read, a verification, an inference whose tools
    /// are disabled.
    fn is_harmless(self) -> bool {
        let std = self.policy.standard();
        match std.effect(self.facts) {
            Some(Effect::ImmutableRead | Effect::Read | Effect::Verification) => true,
            Some(Effect::Inference) => std.tools(self.facts) == Some(Tools::Disabled),
            _ => false,
        }
    }

    fn is_unknown(self, fact: Option<FactId>) -> bool {
        fact.is_none_or(|f| *self.facts.at(f) == Value::Unknown)
    }

    fn by(self, name: &'a str, fact: Option<FactId>, need: Need) -> RefusedBy<'a> {
        let (value, fact) =
            (fact.map_or(&Value::Unknown, |f| self.facts.at(f)), fact.map(|f| self.policy.head().fact(f)));
        RefusedBy::Fact { name, have: FactValue { fact, value }, need }
    }
}

/// The budget units that an action takes.
fn units(action: &Action) -> u64 {
    match action {
        Action::Retry { spend, .. } => *spend,
        Action::Hedge { copies, .. } => copies.saturating_sub(1),
        Action::Failover { .. } => 1,
        _ => 0,
    }
}
