//! Look-ups: what a locator may be asked for an intent, and what its silence proves.
//!
//! Nothing there before the lag has passed is `unconfirmed`; so is a locator that has forgotten. Only a look at what must
//! show by now, and is still remembered, proves that nothing was applied.

use crate::decide::Policy;
use crate::model::Locator;

use super::event::Event;
use super::ids::ReceiptId;
use super::intent::Intent;
use super::moment::Moment;

/// When a look-up looks, as it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookPlan<'a> {
    /// The name of a locator, or `event`, which only listens.
    pub by: &'a str,
    /// The first look.
    pub first: Moment,
    /// The second: when what was sent last must show. Nothing where the first suffices, or the time or the looks do not.
    pub again: Option<Moment>,
    /// When it comes back, at the latest.
    pub until: Moment,
}

/// What one look saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// The result.
    Found(ReceiptId),
    /// Nothing.
    Nothing,
    /// The look itself failed.
    Failed,
}

pub(super) fn find<'p>(policy: &'p Policy, name: &str) -> Option<&'p Locator> {
    policy.head().locators.iter().find(|l| &*l.name == name)
}

/// Whether a locator may still be asked: it remembers, and looks are left.
pub(super) fn may_look(locator: &Locator, intent: &Intent, now: Moment) -> bool {
    remembers(locator, intent, now) && looks_left(locator, intent) > 0
}

/// How many looks an intent may still make by a locator.
fn looks_left(locator: &Locator, intent: &Intent) -> u64 {
    locator.looks.map_or(u64::MAX, |looks| looks.saturating_sub(intent.looks_by(&locator.name)))
}

/// Whether a locator still remembers what was sent first; a look of no attempt has nothing to remember.
pub(super) fn remembers(locator: &Locator, intent: &Intent, at: Moment) -> bool {
    let since = intent.first_sent().map_or(0, |first| at.since_ms(first));
    locator.remembers_ms.is_none_or(|remembers| since < remembers)
}

pub(super) fn plan<'a>(policy: &Policy, intent: &Intent, by: &'a str, within_ms: u64, now: Moment) -> LookPlan<'a> {
    let until = now.plus_ms(within_ms);
    let twice = find(policy, by).filter(|l| looks_left(l, intent) > 1);
    let shows = intent.last_sent().zip(twice).map(|(sent, locator)| sent.plus_ms(locator.lag_ms));
    LookPlan { by, first: now, again: shows.filter(|at| *at > now && *at <= until), until }
}

impl Policy {
    /// What a look by one of this policy's locators says of an intent: the event to step with. For a locator that the
    /// policy does not have nothing is proven.
    ///
    /// ```
    /// use nisi::judge::{Event, Intent, Look};
    /// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let policy = nisi::Policy::compile("policy a\nversion 1\nuse std.facts\nlocator reference { lag 2s, remembers 1h }\n\
    ///     table t, first row wins\n| => action |\n| stop |\n")?;
    /// # let now = envelope.created_at();
    /// # let version = envelope.authorization_version().clone();
    /// # let mut intent = Intent::new(envelope);
    /// # let sent = nisi::judge::Dispatching::next(&intent, now);
    /// # for event in [Event::Prepare, Event::Authorize(version), Event::Dispatch(sent)] {
    /// #     intent = intent.step(event).expect("legal").0;
    /// # }
    /// // `intent` was sent once, now.
    /// let says = |ms| policy.look_says(&intent, "reference", &Look::Nothing, now.plus_ms(ms));
    /// assert_eq!(says(1_999), Event::Unconfirmed); // it may not show yet
    /// assert_eq!(says(2_000), Event::Absent);
    /// assert_eq!(says(3_600_000), Event::Unconfirmed); // it is forgotten
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn look_says(&self, intent: &Intent, by: &str, saw: &Look, at: Moment) -> Event {
        match saw {
            Look::Found(receipt) => Event::Receipt(receipt.clone()),
            Look::Failed => Event::Unconfirmed,
            Look::Nothing => {
                let shows = |lag_ms| intent.last_sent().is_none_or(|sent| sent.plus_ms(lag_ms) <= at);
                let proves = find(self, by).is_some_and(|l| shows(l.lag_ms) && remembers(l, intent, at));
                if proves { Event::Absent } else { Event::Unconfirmed }
            }
        }
    }
}
