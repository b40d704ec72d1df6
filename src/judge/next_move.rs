//! The whole judgement: `next_move(intent, observation, world)`.
//!
//! The facts are drawn from the intent's record, its budget and deadline, and the registries; the table answers; the
//! world refuses what it does not allow, and the row's own way for refusal is taken. The judgement only refuses further:
//! it never turns an answer into a wider one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::decide::{Decision, Facts, Policy, Refused, World as Because};
use crate::words::{Condition, Pushback, Shown, Verb};

use super::authorization::Standing;
use super::event::Event;
use super::ids::ReleaseId;
use super::instruction::Instruction;
use super::intent::{Intent, Timer};
use super::look::{LookPlan, find, may_look, plan};
use super::obstacle::Obstacle;
use super::race::HedgePlan;
use super::record::Record;
use super::scene::Scene;
use super::world::World;

/// What was seen, beside what the intent's record holds already: the attempt's answer is given to
/// [`Intent::step`] first.
#[derive(Debug, Clone, Default)]
pub struct Observation {
    /// What was observed of the last attempt or look-up.
    pub condition: Option<Condition>,
    /// What the receiver instructs.
    pub pushback: Option<Pushback>,
    /// When it allows to be asked again; of several the latest wins.
    pub instructions: Vec<Instruction>,
    /// How much of the output has been shown.
    pub output: Option<Shown>,
    /// The facts that the policy declares itself; those of the standard vocabulary are filled in.
    pub own: Option<Facts>,
}

impl Observation {
    /// That a condition was observed, and nothing else.
    pub fn of(condition: Condition) -> Self {
        Observation { condition: Some(condition), ..Observation::default() }
    }
}

/// What may happen now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move<'a> {
    /// Give up, for this reason.
    Stop(Option<&'a str>),
    /// The effect is confirmed.
    Done(Option<&'a str>),
    /// Go on waiting.
    Wait,
    /// Ask a person; the queue may be left out.
    Review(Option<&'a str>),
    /// Look the result up.
    Reconcile(LookPlan<'a>),
    /// Try again, not before `timer.due`; then ask again, and act where the answer is `now`.
    Retry {
        /// When.
        timer: Timer,
        /// Whether it is due: to be sent at once.
        now: bool,
        /// Budget units.
        spend: u64,
    },
    /// Send further copies.
    Hedge(HedgePlan),
    /// Try another release.
    Failover {
        /// The parity that it meets.
        parity: &'a str,
        /// The release, by name and digest.
        to: &'a ReleaseId,
    },
}

/// The judgement's answer: the question with everything that was found for it, from which the move, what stood in the way,
/// and the record are told when they are asked for.
pub struct NextMove<'a> {
    scene: Scene<'a>,
    facts: Cow<'a, Facts>,
    refused: Refused,
}

impl std::fmt::Debug for NextMove<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NextMove").field("action", &self.action()).field("record", &self.record()).finish()
    }
}

impl NextMove<'_> {
    fn decision(&self) -> Decision<'_> {
        self.scene.policy.decide_with(&self.facts, &self.refused)
    }

    /// Its verb.
    pub fn verb(&self) -> Verb {
        self.decision().verb()
    }

    /// What may happen.
    pub fn action(&self) -> Move<'_> {
        self.scene.action(&self.decision())
    }

    /// Everything that stood in the way of what the row wants, of its fallbacks, and why; empty where nothing was refused.
    /// What the world names as protected is named and not shown.
    pub fn obstacles(&self) -> Vec<Obstacle<'_>> {
        let decision = self.decision();
        let Some(guard) = decision.guard() else { return Vec::new() };
        let mut found = Vec::new();
        for refusal in guard.refusals() {
            found.push(Obstacle::Guard(refusal));
            found.extend(refusal.parity.into_iter().flat_map(|p| self.scene.in_the_way(p)).map(Obstacle::Release));
        }
        if let (Some(Standing::Stale(because)), true) = (&self.scene.standing, guard.refusals().any(|r| r.verb.acts()))
        {
            found.extend(because.iter().map(Obstacle::Approval));
        }
        let protected = self.scene.world.protected;
        // A row may want one thing twice, and be refused it twice.
        let mut told = BTreeSet::new();
        found.into_iter().map(|o| o.shown(protected)).filter(|o| told.insert(o.to_string())).collect()
    }

    /// The record of this decision.
    pub fn record(&self) -> Record {
        Record::of(&self.scene, &self.decision(), &self.refused, &self.obstacles())
    }

    /// The step that the intent takes by it; nothing where attempts are to be recorded now: a retry that is due, a
    /// hedge, a failover.
    pub fn event(&self) -> Option<Event> {
        Some(match self.action() {
            Move::Stop(_) => Event::Stop,
            Move::Done(_) => Event::Done,
            Move::Wait => Event::Wait,
            Move::Review(queue) => Event::Review(queue.map(str::to_string)),
            Move::Reconcile(plan) => {
                Event::Reconcile { by: plan.by.to_string(), within_ms: plan.until.since_ms(plan.first) }
            }
            Move::Retry { timer, now: false, .. } => Event::Later(timer),
            Move::Retry { .. } | Move::Hedge(_) | Move::Failover { .. } => return None,
        })
    }
}

impl Policy {
    /// Judges what may happen now. The intent's record is complete: what was observed of an attempt was stepped in before.
    ///
    /// A retry that waits is judged again when it is due, with the same intent (its timer is in it) and the world as it is
    /// then; nothing that was instructed is shortened.
    ///
    /// ```
    /// use nisi::judge::{Intent, Observation, World};
    /// use nisi::words::{Condition, Verb};
    /// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let policy = nisi::Policy::compile(include_str!("../../policies/field-guide.nisi"))?;
    /// let now = envelope.created_at();
    /// let intent = Intent::new(envelope);
    /// let next = policy.next_move(&intent, &Observation::of(Condition::Unclassified), &World::at(now, "coordinator"));
    /// assert_eq!(next.verb(), Verb::Review);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn next_move<'a>(&'a self, intent: &'a Intent, seen: &Observation, world: &World<'a>) -> NextMove<'a> {
        let scene = Scene::new(self, intent, *world);
        let mut facts = seen.own.clone().unwrap_or_else(|| self.no_facts());
        scene.fill(&mut facts, seen);
        judged(scene, Cow::Owned(facts))
    }

    /// The same, in facts that are kept from question to question, so that nothing is allocated. What the policy declares
    /// itself stays in them as it was set; `seen.own` is not looked at.
    ///
    /// ```
    /// use nisi::judge::{Intent, Observation, World};
    /// use nisi::words::{Condition, Verb};
    /// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let policy = nisi::Policy::compile(include_str!("../../policies/field-guide.nisi"))?;
    /// let world = World::at(envelope.created_at(), "coordinator");
    /// let intent = Intent::new(envelope);
    /// let mut facts = policy.no_facts();
    /// for condition in [Condition::Unclassified, Condition::Conflict] {
    ///     let next = policy.next_move_in(&mut facts, &intent, &Observation::of(condition), &world);
    ///     assert_eq!(next.verb(), Verb::Review);
    /// }
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn next_move_in<'a>(
        &'a self,
        facts: &'a mut Facts,
        intent: &'a Intent,
        seen: &Observation,
        world: &World<'a>,
    ) -> NextMove<'a> {
        let scene = Scene::new(self, intent, *world);
        scene.fill(facts, seen);
        judged(scene, Cow::Borrowed(facts))
    }
}

/// Refuses until the world has nothing more against what the table answers.
fn judged<'a>(scene: Scene<'a>, facts: Cow<'a, Facts>) -> NextMove<'a> {
    let mut refused = scene.refused();
    // Each turn refuses something more, so it ends; the bound is for the reader.
    for _ in 0..64 {
        let Some((verb, name, because)) = scene.refuses(&scene.policy.decide_with(&facts, &refused)) else { break };
        match name {
            Some(name) => refused.add_named(verb, &name, because),
            None => refused.add(verb, because),
        }
    }
    NextMove { scene, facts, refused }
}

impl Scene<'_> {
    /// What of the world refuses the very action that a decision left: a look-up by this locator, an act of so many units.
    fn refuses(&self, decision: &Decision<'_>) -> Option<(Verb, Option<String>, Because)> {
        let verb = decision.verb();
        match verb {
            Verb::Reconcile => {
                let locator = find(self.policy, decision.by()?)?;
                let fits = decision.within_ms().unwrap_or(0) <= self.end().since_ms(self.world.now);
                let may = fits && may_look(locator, self.intent, self.world.now);
                (!may).then(|| (verb, Some(locator.name.to_string()), Because::Locator))
            }
            Verb::Failover => {
                let parity = decision.parity().unwrap_or_default();
                let paused = self.target(parity).is_none();
                let brake = self.brake_refuses(1).then_some((verb, None, Because::Brake));
                brake.or(paused.then(|| (verb, Some(parity.into()), Because::Pause)))
            }
            Verb::Hedge if self.intent.out() >= decision.copies().unwrap_or(2) => Some((verb, None, Because::Intent)),
            _ if verb.acts() => {
                let units = decision.spend().or(decision.copies().map(|c| c.saturating_sub(1))).unwrap_or(1);
                self.brake_refuses(units).then_some((verb, None, Because::Brake))
            }
            _ => None,
        }
    }

    /// The decision's action with the world's share: moments, a plan, a release.
    fn action<'d>(&'d self, decision: &Decision<'d>) -> Move<'d> {
        let now = self.world.now;
        match decision.verb() {
            Verb::Stop => Move::Stop(decision.reason()),
            Verb::Done => Move::Done(decision.reason()),
            Verb::Wait => Move::Wait,
            Verb::Review => Move::Review(decision.queue()),
            Verb::Reconcile => {
                let (by, within_ms) = (decision.by().unwrap_or_default(), decision.within_ms().unwrap_or(0));
                Move::Reconcile(plan(self.policy, self.intent, by, within_ms, now))
            }
            Verb::Retry => {
                let (since, draw) = (self.base(), self.draw());
                let due = since.plus_ms(decision.wait(draw).unwrap_or(0));
                // A wait that was decided stands, whether or not what asked for it is told again.
                let due = self.intent.timer().map_or(due, |timer| due.max(timer.due));
                let timer = Timer { since, due, draw };
                Move::Retry { timer, now: due <= now, spend: decision.spend().unwrap_or(1) }
            }
            Verb::Hedge => Move::Hedge(HedgePlan {
                copies: decision.copies().unwrap_or(2),
                at: now.plus_ms(decision.after_ms().unwrap_or(0)),
                until: now.plus_ms(self.left_ms(now)),
            }),
            Verb::Failover => match decision.parity().and_then(|p| Some((p, self.target(p)?))) {
                Some((parity, to)) => Move::Failover { parity, to: to.bound_id() },
                // The loop above has refused a failover without a target.
                None => Move::Review(None),
            },
        }
    }
}
