//! What receivers instruct: how long to wait, and for which of their limits.
//!
//! Takes instructions as they come; gives the moment before which nothing may be sent. Of several the latest wins, and
//! nothing shortens one. An instruction is remembered for its quota domain, so that the other intents that share the
//! limit wait too.

use std::collections::BTreeMap;

use super::moment::Moment;

/// The most domains that are remembered.
const MOST_DOMAINS: usize = 10_000;

/// One instruction of a receiver: nothing before this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// When asking is allowed again.
    pub until: Moment,
    /// The limit that it speaks of, `northwind/tenant-acme`; nothing where it is for this call alone.
    pub domain: Option<String>,
}

impl Instruction {
    /// An instruction to wait for a while from a moment.
    pub fn after(now: Moment, wait_ms: u64, domain: Option<String>) -> Self {
        Instruction { until: now.plus_ms(wait_ms), domain }
    }
}

/// What is remembered for each quota domain.
///
/// ```
/// use nisi::judge::{Instruction, Moment, Quotas};
/// let now = Moment::from_ms(0);
/// let mut quotas = Quotas::default();
/// quotas.remember(&[Instruction::after(now, 3_000, Some("nw".into())), Instruction::after(now, 1_000, Some("nw".into()))], now);
/// assert_eq!(quotas.until("nw"), Some(now.plus_ms(3_000))); // the latest, whatever came last
/// assert_eq!(quotas.until("other"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotas(BTreeMap<String, Moment>);

impl Quotas {
    /// Takes in what a receiver instructed; what has passed is forgotten, and nothing else is.
    pub fn remember(&mut self, instructions: &[Instruction], now: Moment) {
        for (domain, until) in instructions.iter().filter_map(|i| Some((i.domain.as_ref()?, i.until))) {
            let have = self.0.entry(domain.clone()).or_insert(until);
            *have = until.max(*have);
        }
        if self.0.len() > MOST_DOMAINS {
            self.0.retain(|_, until| *until > now);
        }
    }

    /// Until when a domain's callers wait.
    pub fn until(&self, domain: &str) -> Option<Moment> {
        self.0.get(domain).copied()
    }
}

/// The latest moment that is instructed to an intent, its domain's memory included.
pub(super) fn latest(instructions: &[Instruction], quotas: Option<&Quotas>, domain: Option<&str>) -> Option<Moment> {
    let remembered = quotas.zip(domain).and_then(|(quotas, domain)| quotas.until(domain));
    instructions.iter().map(|i| i.until).chain(remembered).max()
}
