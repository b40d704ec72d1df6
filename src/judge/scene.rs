//! The scene of one judgement: an intent, what was observed, the world; from them the facts that the table is asked with,
//! and what the world refuses whatever the table says.

use std::time::Duration;

use crate::decide::{Facts, Hint, Policy, Refused, StandardFacts, World as Because};
use crate::model::Budget;
use crate::words::{Authorization, Condition, Effect, ParityVerdict, Pushback, Release, Verb};

use super::authorization::Standing;
use super::ids::ReleaseId;
use super::instruction::latest;
use super::intent::Intent;
use super::look::remembers;
use super::moment::Moment;
use super::next_move::Observation;
use super::parity::{Difference, differences, meets};
use super::passport::Passport;
use super::world::{Pause, World};

/// One judgement's input, and what was looked up for it once.
pub(super) struct Scene<'a> {
    pub(super) policy: &'a Policy,
    pub(super) intent: &'a Intent,
    pub(super) world: World<'a>,
    pub(super) standing: Option<Standing>,
    /// The passport of the release that runs, where it is registered with this content.
    passport: Option<&'a Passport>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(policy: &'a Policy, intent: &'a Intent, world: World<'a>) -> Self {
        let standing = world.authorizations.map(|a| a.standing(intent.envelope(), world.now));
        let scene = Scene { policy, intent, world, standing, passport: None };
        let passport = world.releases.and_then(|releases| releases.find(scene.release()));
        Scene { passport, ..scene }
    }

    fn budget(&self) -> Option<&'a Budget> {
        self.policy.head().budget.as_ref()
    }

    /// The release that runs: that of the last attempt.
    pub(super) fn release(&self) -> &'a ReleaseId {
        self.intent.attempts().last().map_or(self.intent.envelope().release_id(), |a| &a.release)
    }

    fn is_verification(&self) -> bool {
        self.intent.envelope().operation().effect == Some(Effect::Verification)
    }

    /// Where waits are counted from: a retry that waits was decided then.
    pub(super) fn base(&self) -> Moment {
        self.intent.timer().map_or(self.world.now, |timer| timer.since.min(self.world.now))
    }

    /// The draw of the wait: the same when it is judged again.
    pub(super) fn draw(&self) -> u64 {
        self.intent.timer().map_or(self.world.draw, |timer| timer.draw)
    }

    /// The deadline: the earlier of the envelope's and the policy's.
    pub(super) fn end(&self) -> Moment {
        let envelope = self.intent.envelope();
        let own = self.budget().map(|b| envelope.created_at().plus_ms(b.deadline_ms));
        own.map_or(envelope.deadline(), |own| own.min(envelope.deadline()))
    }

    /// What is left of the deadline at a moment; the reserve is off, but for a verification, which it is kept for.
    pub(super) fn left_ms(&self, at: Moment) -> u64 {
        let reserve_ms = self.budget().filter(|_| !self.is_verification()).map_or(0, |b| b.reserve_ms);
        self.end().since_ms(at).saturating_sub(reserve_ms)
    }

    /// The deadline as the guard counts it. A retry that waits was given its time when it was decided: as long as an
    /// attempt is still worth making, that time counts.
    fn deadline_ms(&self) -> u64 {
        let (now, then) = (self.left_ms(self.world.now), self.left_ms(self.base()));
        let least_ms = self.budget().map_or(0, |b| b.least_ms);
        if now >= least_ms.max(1) { then } else { now }
    }

    /// The units that are left: the policy's or the envelope's, whichever is less; a verification has its own.
    fn units_left(&self) -> u64 {
        let own = self.budget().map(|b| if self.is_verification() { b.confirm } else { b.attempts });
        let most = self.intent.envelope().max_attempts();
        own.map_or(most, |own| own.min(most)).saturating_sub(self.intent.spent())
    }

    fn hint(&self, seen: &Observation) -> Hint {
        // Told to wait, and nobody heard how long: what others were told is no answer to that.
        if seen.pushback == Some(Pushback::Wait) && seen.instructions.is_empty() {
            return Hint::Unknown;
        }
        let until = latest(&seen.instructions, self.world.quotas, self.world.quota_domain);
        match (until, seen.pushback) {
            (Some(until), _) => Hint::After(Duration::from_millis(until.since_ms(self.base()))),
            (None, Some(Pushback::None | Pushback::Stop)) => Hint::None,
            (None, _) => Hint::Unknown,
        }
    }

    /// The receiver that may recognise the key: the one that was asked first, until the locator `action_key` forgets;
    /// then nobody.
    fn receiver(&self) -> &'a str {
        let intent = self.intent;
        let knows = super::look::find(self.policy, "action_key").is_none_or(|l| remembers(l, intent, self.world.now));
        let first = || intent.attempts().first().map_or(intent.envelope().downstream_scope(), |a| &a.receiver);
        if knows { first() } else { "" }
    }

    /// What was observed, as far as the record bears it out: a receipt is confirmation whatever else was seen, and without
    /// one, or with an attempt still open, a look-up that claims to know could not tell.
    fn condition(&self, seen: &Observation) -> Option<Condition> {
        match seen.condition {
            _ if self.intent.receipt().is_some() => Some(Condition::Confirmed),
            Some(Condition::Confirmed) => Some(Condition::Unconfirmed),
            Some(Condition::ConfirmedAbsent) if self.intent.is_open() => Some(Condition::Unconfirmed),
            condition => condition,
        }
    }

    /// Fills in the facts that the table is asked with. What a caller claims of the standard ones is dropped: they are drawn
    /// from the record and the registries, or they are unknown.
    pub(super) fn fill(&self, facts: &mut Facts, seen: &Observation) {
        let (intent, world) = (self.intent, self.world);
        let operation = intent.envelope().operation();
        let registered = world.releases.map(|_| match self.passport {
            Some(_) => Release::Registered,
            None => Release::Unregistered,
        });
        let authorization = match self.standing {
            Some(Standing::Current) => Some(Authorization::Current),
            Some(Standing::Stale(_)) => Some(Authorization::Stale),
            Some(Standing::Unknown) | None => None,
        };
        let ms = Duration::from_millis;
        let standard = StandardFacts {
            condition: self.condition(seen),
            effect: operation.effect,
            dispatch: intent.dispatch(),
            boundary: intent.boundary(),
            idempotent: intent.is_key_honoured(self.receiver(), world.now),
            tools: operation.tools,
            variation: operation.variation,
            cost: operation.cost,
            output: seen.output,
            pushback: seen.pushback,
            hint: self.hint(seen),
            authorization,
            release: registered,
            deadline: Some(ms(self.deadline_ms())),
            budget: Some(self.units_left()),
            attempt: Some(intent.attempts().len() as u64),
            elapsed: Some(ms(world.now.since_ms(intent.envelope().created_at()))),
            since_sent: intent.last_sent().map(|sent| ms(world.now.since_ms(sent))),
            looks: Some(intent.looks()),
            tier: operation.tier,
            parity: None,
        };
        facts.replace_standard(&standard, |parity| {
            let meets = self.fallbacks(parity)?.any(|(_, meets)| meets);
            Some(if meets { ParityVerdict::Holds } else { ParityVerdict::Refused })
        });
    }

    /// What the world refuses of every act, whatever its units.
    pub(super) fn refused(&self) -> Refused {
        let mut refused = Refused::nothing();
        let (intent, world) = (self.intent, self.world);
        let envelope = intent.envelope();
        let owner = self.budget().map_or(envelope.retry_owner(), |b| &b.owner);
        let is_over = intent.state().is_end() || intent.asked_end().is_some();
        let stale = matches!(self.standing, Some(Standing::Stale(_)));
        let receiver = self.receiver();
        let provider = self.passport.and_then(|p| p.text("provider")).unwrap_or_default();
        for verb in [Verb::Retry, Verb::Hedge, Verb::Failover] {
            // Elsewhere nobody knows the key, and the provider that is left may be paused: the target is asked later.
            let (receiver, running) = if verb == Verb::Failover { ("", "") } else { (receiver, provider) };
            for (refuses, because) in [
                (world.layer != owner || world.layer != envelope.retry_owner(), Because::Owner),
                (self.is_paused(&[running, envelope.downstream_scope()]), Because::Pause),
                (self.brake_refuses(1), Because::Brake),
                (stale, Because::Authorization),
                (is_over || !intent.may_repeat(receiver, world.now), Because::Intent),
            ] {
                if refuses {
                    refused.add(verb, because);
                }
            }
        }
        refused
    }

    /// Whether the fleet brake keeps so many units back; of a policy with a brake that nobody asked, it does.
    pub(super) fn brake_refuses(&self, units: u64) -> bool {
        let has_brake = self.budget().is_some_and(|b| b.refill.is_some());
        self.world.brake.map_or(has_brake, |available| available < units)
    }

    /// Whether operators have paused this intent's acts by these providers and receivers.
    fn is_paused(&self, providers: &[&str]) -> bool {
        let envelope = self.intent.envelope();
        let fits = |pause: &Pause| match pause {
            Pause::All => true,
            Pause::Policy(name) => name == self.policy.name(),
            Pause::Operation(name) => *name == envelope.operation().name,
            Pause::Tenant(name) => *name == envelope.actor_scope().tenant,
            Pause::Provider(name) => providers.contains(&name.as_str()),
        };
        self.world.pauses.is_some_and(|pauses| pauses.0.iter().any(fits))
    }

    /// Every other registered release, and whether it meets a parity; nothing where nobody knows.
    fn fallbacks(&self, parity: &str) -> Option<impl Iterator<Item = (&'a Passport, bool)> + use<'a>> {
        let (from, now) = (self.passport?, self.world.now);
        let parity = self.policy.head().parities.iter().find(|p| &*p.name == parity)?;
        let others = self.world.releases?.passports().filter(move |to| to.name() != from.name());
        Some(others.map(move |to| (to, meets(parity, from, to, now))))
    }

    /// The release that a failover goes to: the first by name that meets the parity and is not paused.
    pub(super) fn target(&self, parity: &str) -> Option<&'a Passport> {
        let is_free = |to: &Passport| !self.is_paused(&[to.text("provider").unwrap_or_default()]);
        self.fallbacks(parity)?.find(|(to, meets)| *meets && is_free(to)).map(|(to, _)| to)
    }

    /// What is in the way of each release, where none meets a parity.
    pub(super) fn in_the_way(&self, parity: &str) -> Vec<Difference> {
        let all = || self.fallbacks(parity).into_iter().flatten();
        let (Some(from), false) = (self.passport, all().any(|(_, meets)| meets)) else { return Vec::new() };
        all().filter_map(|(to, _)| differences(self.policy, parity, from, to, self.world.now)).flatten().collect()
    }
}
