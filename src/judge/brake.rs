//! The fleet brake: a token bucket that keeps repeats to a share of the intents, and lets a few a second through when
//! there are hardly any.
//!
//! Takes intents and moments; gives leave for acts. A token is one budget unit. An intent adds the ratio, a second adds the
//! floor, an act takes its units; so from the beginning on, units ≤ ratio × intents + floor × (seconds + 1). What is not
//! taken is kept up to ten seconds of the floor (ten units at least), which bounds a burst. Counted in millionths, never in
//! floats. The idea is that of gRPC's retry throttling (gRFC A6) with a floor.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::decide::Policy;

use super::moment::Moment;

/// One unit, in millionths.
const UNIT: u64 = 1_000_000;

/// What a brake lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rate {
    /// Millionths of a unit for each intent.
    per_intent: u64,
    /// Units a second: as many thousandths of a unit a millisecond.
    floor_per_s: u64,
    /// The most that is kept, in millionths.
    most: u64,
}

impl Rate {
    fn new(ratio_ppm: u64, floor_per_s: u64) -> Self {
        Rate {
            per_intent: ratio_ppm.min(100 * UNIT),
            floor_per_s,
            most: floor_per_s.saturating_mul(10).max(10).saturating_mul(UNIT),
        }
    }

    /// The rate of a policy's `refill`; nothing where it has none.
    fn of(policy: &Policy) -> Option<Self> {
        let (percent, floor) = policy.head().budget.as_ref()?.refill?;
        // Percent in units of 10⁻¹⁸, to millionths of one; what is finer is rounded down.
        Some(Rate::new(u64::try_from(percent / 100_000_000_000_000).unwrap_or(0), floor))
    }

    fn start(self) -> u64 {
        self.floor_per_s.saturating_mul(UNIT).min(self.most)
    }

    fn credit(self, ms: u64) -> u64 {
        self.floor_per_s.saturating_mul(UNIT / 1_000).saturating_mul(ms)
    }
}

/// A brake for one thread: a plain value with its own clock.
///
/// ```
/// use nisi::judge::{Brake, Moment};
/// let start = Moment::from_ms(0);
/// let mut brake = Brake::new(100_000, 1, start); // 10 percent of the intents, and 1 a second
/// assert!(brake.take(1, start) && !brake.take(1, start));
/// (0..10).for_each(|_| brake.intent());
/// assert!(brake.take(1, start) && !brake.take(1, start));
/// assert!(brake.take(1, start.plus_ms(1_000)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brake {
    rate: Rate,
    tokens: u64,
    at: Moment,
}

impl Brake {
    /// A brake that gives a share of the intents, in millionths, and so many units a second.
    pub fn new(ratio_ppm: u64, floor_per_s: u64, now: Moment) -> Self {
        let rate = Rate::new(ratio_ppm, floor_per_s);
        Brake { rate, tokens: rate.start(), at: now }
    }

    /// The brake of a policy's `refill`; nothing where it has none.
    pub fn of(policy: &Policy, now: Moment) -> Option<Self> {
        Rate::of(policy).map(|rate| Brake { rate, tokens: rate.start(), at: now })
    }

    /// An intent has begun.
    pub fn intent(&mut self) {
        self.add(self.rate.per_intent);
    }

    /// The units that may be taken now. A clock that runs backwards gives nothing.
    pub fn available(&mut self, now: Moment) -> u64 {
        self.add(self.rate.credit(now.since_ms(self.at)));
        self.at = self.at.max(now);
        self.tokens / UNIT
    }

    /// Takes units for an act, all or none.
    pub fn take(&mut self, units: u64, now: Moment) -> bool {
        let leave = units <= self.available(now);
        if leave {
            self.tokens -= units * UNIT;
        }
        leave
    }

    fn add(&mut self, tokens: u64) {
        self.tokens = self.tokens.saturating_add(tokens).min(self.rate.most);
    }
}

/// A brake for many threads, without a lock; it answers as [`Brake`] does.
///
/// ```
/// use nisi::judge::{Moment, SharedBrake};
/// let brake = SharedBrake::new(100_000, 2, Moment::from_ms(0));
/// std::thread::scope(|s| (0..4).for_each(|_| { s.spawn(|| brake.take(1, Moment::from_ms(0))); }));
/// assert_eq!(brake.available(Moment::from_ms(0)), 0);
/// ```
#[derive(Debug)]
pub struct SharedBrake {
    rate: Rate,
    tokens: AtomicU64,
    at_ms: AtomicU64,
}

impl SharedBrake {
    /// As [`Brake::new`].
    pub fn new(ratio_ppm: u64, floor_per_s: u64, now: Moment) -> Self {
        Self::with(Rate::new(ratio_ppm, floor_per_s), now)
    }

    /// As [`Brake::of`].
    pub fn of(policy: &Policy, now: Moment) -> Option<Self> {
        Rate::of(policy).map(|rate| Self::with(rate, now))
    }

    fn with(rate: Rate, now: Moment) -> Self {
        SharedBrake { rate, tokens: AtomicU64::new(rate.start()), at_ms: AtomicU64::new(now.ms()) }
    }

    /// An intent has begun.
    pub fn intent(&self) {
        self.add(self.rate.per_intent);
    }

    /// The units that may be taken now; another thread may be faster.
    pub fn available(&self, now: Moment) -> u64 {
        // Who moves the clock on is the one who adds what its time is worth: no millisecond counts twice.
        let before = self.at_ms.fetch_max(now.ms(), Ordering::AcqRel);
        self.add(self.rate.credit(now.ms().saturating_sub(before)));
        self.tokens.load(Ordering::Acquire) / UNIT
    }

    /// Takes units for an act, all or none.
    pub fn take(&self, units: u64, now: Moment) -> bool {
        self.available(now);
        let left = |tokens: u64| tokens.checked_sub(units.checked_mul(UNIT)?);
        self.tokens.fetch_update(Ordering::AcqRel, Ordering::Acquire, left).is_ok()
    }

    fn add(&self, tokens: u64) {
        let more = |have: u64| Some(have.saturating_add(tokens).min(self.rate.most));
        // The closure never says no.
        let _ = self.tokens.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The shared brake answers as the plain one, and neither lets more through than it was given.
        #[test]
        fn both_brakes_answer_alike_and_never_give_more_than_they_got(
            ratio in 0u64..300_000, floor in 0u64..8,
            calls in proptest::collection::vec((0u8..4, 0u64..400, 0u64..4), 1..200),
        ) {
            let start = Moment::from_ms(1_000);
            let (mut plain, shared) = (Brake::new(ratio, floor, start), SharedBrake::new(ratio, floor, start));
            let (mut now, mut intents, mut taken) = (start, 0u64, 0u64);
            for (call, ms, units) in calls {
                if call == 0 {
                    plain.intent();
                    shared.intent();
                    intents += 1;
                    continue;
                }
                let asked = if call == 3 { start } else { now.plus_ms(ms) }; // a clock that runs backwards
                now = now.max(asked);
                let leave = plain.take(units, asked);
                prop_assert_eq!(leave, shared.take(units, asked));
                taken += if leave { units } else { 0 };
                prop_assert_eq!(plain.available(now), shared.available(now));
            }
            prop_assert!(taken * UNIT <= ratio * intents + floor * 1_000 * (now.since_ms(start) + 1_000));
        }
    }

    /// Every caller fails, every caller would repeat at once, from many threads: ten thousand intents in two seconds.
    #[test]
    fn a_storm_stays_under_ratio_and_floor() {
        let text = "policy a\nversion 1\nuse std.facts\n\
            budget {\n  owner me\n  attempts 3\n  deadline 9s\n  refill 10% of intents, at least 5 per second\n}\n\
            table t, first row wins\n| => action |\n| stop |\n";
        let policy = Policy::compile(text).unwrap();
        let start = Moment::from_ms(0);
        let brake = SharedBrake::of(&policy, start).unwrap();
        let taken = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let (brake, taken) = (&brake, &taken);
                scope.spawn(move || {
                    for i in 0..1_250u64 {
                        let now = start.plus_ms((i * 8 + thread) * 2_000 / 10_000);
                        brake.intent();
                        // Two more attempts for each that failed, asked for again and again.
                        let acts = (0..6).filter(|_| brake.take(1, now)).count();
                        taken.fetch_add(acts as u64, Ordering::Relaxed);
                    }
                });
            }
        });
        let taken = taken.into_inner();
        assert!(taken <= 1_000 + 5 * 3, "{taken} acts for 10 000 intents in 2 s");
        assert!(taken >= 990, "{taken}: the brake keeps back what it should give");
    }
}
