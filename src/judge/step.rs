//! One step of an intent: `step(state, event) → (state, duties)`, pure.
//!
//! The evidence of an event is taken in first; then the table of transitions says where it leads. An attempt is compared
//! with its envelope before it is recorded: nothing that it shows may be other or wider. What has no transition is an
//! error, and leaves everything as it was.

use crate::words::{Boundary, Condition};

use super::event::{Dispatching, Duty, Event, Observed, StepError};
use super::intent::{Attempt, Finding, Intent, Settled};
use super::state::{EventKind, State, TRANSITIONS, To, When};

impl Intent {
    /// The intent after an event, and what has to be done then. [`TRANSITIONS`] is the table that it follows.
    ///
    /// # Errors
    /// An event that leads nowhere from here, an attempt that could have a second effect, one that widens its intent, an
    /// observation of no attempt. Nothing has changed then.
    pub fn step(&self, event: Event) -> Result<(Intent, Vec<Duty>), StepError> {
        let kind = event.kind();
        if let Event::Dispatch(attempt) = &event {
            self.check_dispatch(attempt)?;
        }
        let mut next = self.clone();
        let mut duties = Vec::new();
        next.take_in(event, &mut duties)?;
        let judged = if kind == EventKind::Dispatch { self } else { &next };
        next.state = judged.led_to(self.state, kind)?;
        if next.state.is_end() && next.state != self.state {
            next.end(&mut duties);
        }
        Ok((next, duties))
    }

    /// Where an event leads.
    fn led_to(&self, from: State, event: EventKind) -> Result<State, StepError> {
        let mut rows = TRANSITIONS.iter().filter(|t| t.from == from && t.event == event);
        let row = rows.find(|t| self.holds(t.when)).ok_or_else(|| {
            let mut of_event = TRANSITIONS.iter().filter(|t| t.event == event).map(|t| t.to);
            let to = match event {
                EventKind::Stop => State::Rejected,
                EventKind::Cancel => State::Cancelled,
                EventKind::Expire => State::Expired,
                _ => of_event.find_map(|to| if let To::State(state) = to { Some(state) } else { None }).unwrap_or(from),
            };
            StepError::Illegal { from, event, to }
        })?;
        Ok(match row.to {
            To::State(state) => state,
            To::Asked => self.asked_end.unwrap_or(from),
        })
    }

    fn holds(&self, when: When) -> bool {
        match when {
            When::Always | When::MayRepeat => true, // a dispatch is checked before
            When::Open => self.is_open(),
            When::NothingOpen => !self.is_open(),
            When::NothingOpenAsked => !self.is_open() && self.asked_end.is_some(),
            When::Attempted => !self.attempts.is_empty(),
        }
    }

    /// Whether an attempt may be recorded.
    fn check_dispatch(&self, attempt: &Dispatching) -> Result<(), StepError> {
        self.led_to(self.state, EventKind::Dispatch)?;
        if let Some(asked) = self.asked_end {
            return Err(StepError::AskedToEnd { from: self.state, asked });
        }
        let envelope = &self.envelope;
        let widens = |field, have: String, given: String| Err(StepError::Widens { field, have, given });
        let same = |field, have: String, given: String| if have == given { Ok(()) } else { widens(field, have, given) };
        same("action_key", envelope.action_key().to_string(), attempt.action_key.to_string())?;
        let (have, given) = (envelope.canonical_args_hash(), attempt.canonical_args_hash);
        same("canonical_args_hash", have.to_string(), given.to_string())?;
        let (have, given) = (envelope.authorization_version(), &attempt.authorization_version);
        same("authorization_version", have.to_string(), given.to_string())?;
        same("attempt number", (self.attempts.len() + 1).to_string(), attempt.number.to_string())?;
        let spent = self.spent().saturating_add(attempt.units.max(1));
        if spent > envelope.max_attempts() {
            return widens("max_attempts", envelope.max_attempts().to_string(), spent.to_string());
        }
        if attempt.at >= envelope.deadline() {
            return widens("deadline", envelope.deadline().to_string(), attempt.at.to_string());
        }
        if self.may_repeat(&attempt.receiver, attempt.at) {
            Ok(())
        } else {
            Err(StepError::NotRepeatable { from: self.state })
        }
    }

    /// Takes in what an event carries.
    fn take_in(&mut self, event: Event, duties: &mut Vec<Duty>) -> Result<(), StepError> {
        match event {
            Event::Prepare | Event::Unconfirmed | Event::Done | Event::Wait => {}
            Event::Authorize(version) => self.authorize(&version)?,
            Event::Dispatch(attempt) => self.record(attempt, duties),
            Event::Observe(seen) => self.observe(seen, duties)?,
            Event::Look(locator) => *self.looks.entry(locator).or_default() += 1,
            Event::Absent => match self.receipt.clone() {
                Some(receipt) => self.keep(Finding::AbsentAfterReceipt(receipt), duties),
                None => self.settle(Settled::Absent, |a| a.boundary != Some(Boundary::Crossed)),
            },
            Event::Receipt(receipt) => match &self.receipt {
                Some(accepted) if *accepted != receipt => {
                    self.keep(Finding::SecondReceipt { accepted: accepted.clone(), other: receipt }, duties);
                }
                Some(_) => {}
                None => {
                    if self.state.is_end() {
                        self.keep(Finding::EffectAfterEnd { end: self.state, receipt: receipt.clone() }, duties);
                    }
                    self.receipt = Some(receipt);
                }
            },
            Event::Later(timer) => {
                self.timer = Some(timer);
                duties.push(Duty::Wake(timer.due));
            }
            Event::Review(queue) => duties.push(Duty::Ask(queue)),
            Event::Reconcile { by, within_ms } => duties.push(Duty::LookUp { by, within_ms }),
            Event::Stop => self.ask_end(State::Rejected, duties),
            Event::Cancel => self.ask_end(State::Cancelled, duties),
            Event::Expire(at) if at < self.envelope.deadline() => {
                return Err(StepError::NotExpired { deadline: self.envelope.deadline(), at });
            }
            Event::Expire(_) => self.ask_end(State::Expired, duties),
        }
        Ok(())
    }

    fn authorize(&self, version: &super::AuthorizationVersion) -> Result<(), StepError> {
        let have = self.envelope.authorization_version();
        if have == version {
            return Ok(());
        }
        let field = "authorization_version";
        Err(StepError::Widens { field, have: have.to_string(), given: version.to_string() })
    }

    fn record(&mut self, attempt: Dispatching, duties: &mut Vec<Duty>) {
        duties.push(Duty::Send(attempt.number));
        self.timer = None;
        self.attempts.push(Attempt {
            number: attempt.number,
            at: attempt.at,
            units: attempt.units.max(1),
            release: attempt.release,
            receiver: attempt.receiver,
            provider_request_id: None,
            condition: None,
            dispatch: None,
            boundary: None,
            settled: None,
            late: false,
        });
    }

    fn observe(&mut self, seen: Observed, duties: &mut Vec<Duty>) -> Result<(), StepError> {
        if matches!(seen.condition, Condition::Confirmed | Condition::ConfirmedAbsent | Condition::Unconfirmed) {
            return Err(StepError::LookUpWord(seen.condition));
        }
        let have = self.attempts.len() as u64;
        let late = seen.at > self.envelope.deadline() || self.state.is_end() || self.asked_end.is_some();
        let end = self.state;
        let attempt = (self.attempts.iter_mut().find(|a| a.number == seen.attempt))
            .ok_or(StepError::UnknownAttempt { given: seen.attempt, have })?;
        attempt.condition = Some(seen.condition);
        attempt.late = late;
        attempt.provider_request_id = seen.provider_request_id.or(attempt.provider_request_id.take());
        attempt.dispatch = seen.dispatch;
        attempt.boundary = match (attempt.boundary, seen.boundary) {
            // What has crossed does not come back; what may have is cleared by proof, and not by a word that says nothing.
            (Some(Boundary::Crossed), _) => Some(Boundary::Crossed),
            (Some(Boundary::MaybeCrossed), None) => Some(Boundary::MaybeCrossed),
            (_, now) => now,
        };
        let acted = matches!(attempt.boundary, Some(Boundary::MaybeCrossed | Boundary::Crossed));
        let refused = matches!(seen.condition, Condition::Rejected | Condition::QuotaExhausted | Condition::KeyMisuse);
        attempt.settled = match attempt.settled {
            // Evidence that it acted is stronger than a look-up that found nothing; that it may have, than a refusal.
            Some(Settled::Absent) if attempt.boundary == Some(Boundary::Crossed) => None,
            Some(Settled::Refused) if acted => None,
            None if refused && !acted => Some(Settled::Refused),
            settled => settled,
        };
        let is_open = attempt.is_open() && !self.envelope.operation().is_harmless();
        if is_open && end.is_end() && end != State::Committed {
            self.keep(Finding::CrossedAfterEnd { end, attempt: seen.attempt }, duties);
        }
        Ok(())
    }

    /// Settles every attempt that is not settled yet, as far as the evidence reaches.
    fn settle(&mut self, by: Settled, reaches: fn(&Attempt) -> bool) {
        let open = self.attempts.iter_mut().filter(|a| a.settled.is_none() && reaches(a));
        open.for_each(|a| a.settled = Some(by));
    }

    fn keep(&mut self, finding: Finding, duties: &mut Vec<Duty>) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding.clone());
            duties.push(Duty::Keep(finding));
        }
    }

    /// Asks for an end: the first one stands.
    fn ask_end(&mut self, end: State, duties: &mut Vec<Duty>) {
        if self.state.is_end() {
            return;
        }
        self.asked_end.get_or_insert(end);
        self.timer = None;
        self.cancel_out(duties);
    }

    /// What is still out is told to stop.
    fn cancel_out(&self, duties: &mut Vec<Duty>) {
        let out: Vec<u64> = self.attempts.iter().filter(|a| a.is_out()).map(|a| a.number).collect();
        if !out.is_empty() {
            duties.push(Duty::CancelAttempts(out));
        }
    }

    /// An end is reached.
    fn end(&mut self, duties: &mut Vec<Duty>) {
        if self.state == State::Committed {
            self.cancel_out(duties);
            self.settle(Settled::Committed, |_| true);
        }
        self.timer = None;
        duties.push(Duty::Tell(self.state));
    }
}
