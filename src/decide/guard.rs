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
        self.refusals(action).next().is_some()
    }

    /// Everything that refuses an action.
    pub(super) fn refusals(self, action: &'a Action) -> impl Iterator<Item = Refusal<'a>> {
        let (verb, model) = (action.verb(), self.policy.head());
        let parity = if let Action::Failover { parity } = action { Some(parity_name(model, *parity)) } else { None };
        let checks: &[Check] = if verb.acts() { &CHECKS } else { &[] };
        let facts = checks.iter().filter_map(move |check| self.check(*check, action));
        let locator = match action {
            Action::Reconcile { by: By::Locator(place), .. } => model.locators.get(*place).map(|l| &*l.name),
            _ => None,
        };
        let world =
            self.refused.of(verb, parity.or(locator)).filter(move |_| verb.can_be_refused()).map(RefusedBy::World);
        facts.chain(world).map(move |by| Refusal { verb, parity, by })
    }

    /// Why one check refuses an action, if it does.
    fn check(self, check: Check, action: &Action) -> Option<RefusedBy<'a>> {
        let (std, facts) = (self.policy.standard(), self.facts);
        let ids = &self.policy.head().std;
        let refuse = |refuses: bool, name: &'static str, fact, need| refuses.then(|| self.by(name, fact, need));
        let hedge = matches!(action, Action::Hedge { .. });
        let failover = matches!(action, Action::Failover { .. });
        match check {
            Check::Units => {
                let units = units(action);
                refuse(std.budget(facts).is_none_or(|have| have < units), "budget", ids.budget, Need::Units(units))
            }
            Check::Time => {
                let time = wait::shortest_ms(self, action).saturating_add(wait::least_ms(self.policy.head()));
                refuse(std.deadline(facts).is_none_or(|have| have < time), "deadline", ids.deadline, Need::Time(time))
            }
            Check::Pushback => {
                let stop = std.pushback(facts) == Some(Pushback::Stop);
                refuse(stop, "pushback", ids.pushback, Need::NotStop)
            }
            Check::Hint => {
                let asked = std.pushback(facts) == Some(Pushback::Wait) && std.hint(facts) == KnownHint::Unknown;
                refuse(asked && matches!(action, Action::Retry { .. }), "hint", ids.hint, Need::Known)
            }
            Check::Harmless if hedge => match std.effect(facts) {
                Some(Effect::ImmutableRead | Effect::Read | Effect::Verification) => None,
                Some(Effect::Inference) => {
                    refuse(std.tools(facts) != Some(Tools::Disabled), "tools", ids.tools, Need::Disabled)
                }
                _ => refuse(true, "effect", ids.effect, Need::HarmlessEffect),
            },
            Check::Parity => match action {
                Action::Failover { parity } => self.check_parity(*parity),
                _ => None,
            },
            Check::Right => {
                let unknown_will_do = !failover && self.is_harmless();
                let right = match std.authorization(facts) {
                    Some(right) => right == Authorization::Current,
                    None => unknown_will_do && self.is_unknown(ids.authorization),
                };
                let need = if unknown_will_do { Need::CurrentOrUnknown } else { Need::Current };
                refuse(!right, "authorization", ids.authorization, need)
            }
            Check::Boundary if failover => {
                let crossed = std.boundary(facts) != Some(Boundary::NotCrossed);
                refuse(crossed, "boundary", ids.boundary, Need::NotCrossed)
            }
            Check::Harmless | Check::Boundary => None,
        }
    }

    fn check_parity(self, parity: usize) -> Option<RefusedBy<'a>> {
        let (fact, verdict) = self.policy.standard().parity(self.facts, parity);
        let name = fact.map_or("parity", |f| &*self.policy.head().fact(f).name);
        (verdict != Some(ParityVerdict::Holds)).then(|| self.by(name, fact, Need::Holds))
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
