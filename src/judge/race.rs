//! Hedges: copies of one harmless call under one deadline, and who wins.
//!
//! The first *good* answer wins, not the first: every output passes the same checks, be it a hedge's or a fallback's. The
//! rest is told to stop, and what all of it cost is kept.

use crate::words::Condition;

use super::moment::Moment;

/// A hedge as it is decided: when the further copies go out, and until when all may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HedgePlan {
    /// Copies out in all, the first included.
    pub copies: u64,
    /// When the further ones go out.
    pub at: Moment,
    /// The one deadline of all of them, the reserve taken off.
    pub until: Moment,
}

/// What was checked of an output; nothing where it was not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutputChecks {
    /// It has the shape that was asked for.
    pub schema: Option<bool>,
    /// It is safe.
    pub safety: Option<bool>,
    /// What it says is borne out by the evidence.
    pub evidence: Option<bool>,
}

impl OutputChecks {
    /// Whether every check was made and passed.
    pub fn pass(self) -> bool {
        [self.schema, self.safety, self.evidence] == [Some(true); 3]
    }

    /// What to observe of the attempt where it does not pass: an output of a failover is taken no more than a hedge's.
    pub fn condition(self) -> Option<Condition> {
        (!self.pass()).then_some(Condition::IncompatibleOutput)
    }
}

/// One copy of a hedge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HedgeCopy {
    /// Its attempt.
    pub attempt: u64,
    /// When it answered; nothing while it is out.
    pub answered: Option<Moment>,
    /// What was checked of its answer.
    pub checks: OutputChecks,
    /// What it cost so far, in the caller's smallest unit.
    pub cost: u64,
}

/// How a race stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// The first copy whose answer came in time and passes every check.
    pub winner: Option<u64>,
    /// The copies that are to be told to stop.
    pub cancel: Vec<u64>,
    /// What all copies cost, the losers included.
    pub cost: u64,
}

impl HedgePlan {
    /// How its race stands at a moment. Past the deadline what is still out is told to stop. With a winner it is over: ask
    /// no more, since checks that are made later of an earlier answer would make another one first.
    ///
    /// ```
    /// use nisi::judge::{HedgeCopy, HedgePlan, Moment, OutputChecks};
    /// let at = Moment::from_ms;
    /// let good = OutputChecks { schema: Some(true), safety: Some(true), evidence: Some(true) };
    /// let plan = HedgePlan { copies: 3, at: at(300), until: at(9_000) };
    /// let fast = HedgeCopy { attempt: 2, answered: Some(at(400)), checks: OutputChecks { evidence: Some(false), ..good }, cost: 5 };
    /// let slow = HedgeCopy { attempt: 1, answered: Some(at(700)), checks: good, cost: 5 };
    /// let out = HedgeCopy { attempt: 3, answered: None, checks: OutputChecks::default(), cost: 2 };
    /// let race = plan.race(&[slow, fast, out], at(800));
    /// assert_eq!((race.winner, race.cancel, race.cost), (Some(1), vec![3], 12)); // fluent and fast does not win
    /// ```
    pub fn race(&self, copies: &[HedgeCopy], now: Moment) -> Race {
        let good = copies.iter().filter(|c| c.checks.pass());
        let in_time = good.filter_map(|c| Some((c.answered.filter(|at| *at <= self.until)?, c.attempt)));
        let winner = in_time.min().map(|(_, attempt)| attempt);
        let over = winner.is_some() || now > self.until;
        let cancel = copies.iter().filter(|c| over && c.answered.is_none()).map(|c| c.attempt).collect();
        Race { winner, cancel, cost: copies.iter().map(|c| c.cost).fold(0, u64::saturating_add) }
    }
}
