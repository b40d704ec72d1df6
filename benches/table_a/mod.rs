//! Workload A: the field guide's table in short, once as a policy and once as a careful engineer writes it by hand.
//!
//! The facts are the table's own, so that a row's answer is the whole decision: no guard stands behind it on either side.

use std::time::Duration;

use nisi::Policy;
use nisi::decide::{Columns, Facts, Handle, Refused, Round, Word};
use nisi::words::Verb;

use crate::workload::Draw;

mod text;

use text::TABLE;

const CODES: [&str; 10] = [
    "rejected",
    "overloaded",
    "connect_failed",
    "timeout",
    "provider_failure",
    "unknown_policy",
    "stale",
    "bad_output",
    "other",
    "quiet",
];
const CLASSES: [&str; 5] = ["immutable_read", "read", "computational", "consequential_write", "proposed"];
const SENT: [&str; 3] = ["not_sent", "maybe_sent", "was_sent"];
const HARM: [&str; 4] = ["low", "medium", "high", "critical"];

/// The facts whose entries are words, with their words, in the order of the columns.
pub const CHOICES: [(&str, &[&str]); 4] = [("code", &CODES), ("class", &CLASSES), ("sent", &SENT), ("harm", &HARM)];

/// The facts that are flags, in the same order.
pub const FLAGS: [&str; 4] = ["keyed", "tools_off", "may_vary", "hinted"];

/// One request; words are places in the lists of the policy.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "the table has four flags")]
pub struct Request {
    code: u8,
    class: u8,
    sent: u8,
    harm: u8,
    keyed: bool,
    tools_off: bool,
    may_vary: bool,
    hinted: bool,
    tries: u32,
    left_ms: u32,
}

/// Requests in columns.
pub struct Columned {
    pub words: [Vec<u8>; 4],
    pub flags: [Vec<bool>; 4],
    pub left: Vec<u32>,
    pub tries: Vec<u32>,
}

impl Columned {
    /// The same requests in columns.
    pub fn new(requests: &[Request]) -> Self {
        fn column<T>(requests: &[Request], of: fn(&Request) -> T) -> Vec<T> {
            requests.iter().map(of).collect()
        }
        Columned {
            words: [
                column(requests, |r| r.code),
                column(requests, |r| r.class),
                column(requests, |r| r.sent),
                column(requests, |r| r.harm),
            ],
            flags: [
                column(requests, |r| r.keyed),
                column(requests, |r| r.tools_off),
                column(requests, |r| r.may_vary),
                column(requests, |r| r.hinted),
            ],
            left: column(requests, |r| r.left_ms),
            tries: column(requests, |r| r.tries),
        }
    }
}

/// What may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Stop,
    Retry,
    Failover,
    Reconcile,
    Person,
}

/// The same table as a careful engineer writes it, inlined as it would be there.
#[inline]
pub fn by_hand(r: &Request) -> Answer {
    let may_try = r.tries >= 1;
    match (r.code, r.class) {
        (1, class) if r.hinted && (class <= 1 || r.keyed) && may_try && r.left_ms >= 500 => Answer::Retry,
        (2, _) if (r.sent == 0 || r.keyed) && may_try => Answer::Retry,
        (3, 0) if r.left_ms >= 200 && may_try => Answer::Retry,
        (3, 2) if r.tools_off && r.may_vary && may_try => Answer::Failover,
        (3, 3) => Answer::Reconcile,
        (4, 4) if r.harm <= 2 => Answer::Failover,
        (5..=7, _) => Answer::Person,
        _ => Answer::Stop,
    }
}

/// So many requests, seeded.
pub fn requests(n: usize) -> Vec<Request> {
    let mut draw = Draw(1);
    let mut one = || Request {
        code: draw.below(10) as u8,
        class: draw.below(5) as u8,
        sent: draw.below(3) as u8,
        harm: draw.below(4) as u8,
        keyed: draw.below(2) == 0,
        tools_off: draw.below(2) == 0,
        may_vary: draw.below(2) == 0,
        hinted: draw.below(2) == 0,
        tries: draw.below(4) as u32,
        left_ms: draw.below(1_000) as u32,
    };
    (0..n).map(|_| one()).collect()
}

/// The policy, with its facts and their words found once.
pub struct Asker {
    /// The policy.
    pub policy: Policy,
    codes: [Word; 10],
    classes: [Word; 5],
    sent: [Word; 3],
    harm: [Word; 4],
    /// `no` and `yes` of each flag.
    flags: [[Word; 2]; 4],
    left: Handle,
    tries: Handle,
}

impl Asker {
    pub fn new() -> Self {
        let policy = Policy::compile(TABLE).unwrap_or_else(|found| panic!("{found}"));
        let find = |name: &str| policy.handle(name).unwrap();
        let word = |fact: &str, word: &str| policy.word(find(fact), word).unwrap();
        let flags = FLAGS.map(|flag| ["no", "yes"].map(|is| word(flag, is)));
        let (codes, classes) = (CODES.map(|w| word("code", w)), CLASSES.map(|w| word("class", w)));
        let (sent, harm) = (SENT.map(|w| word("sent", w)), HARM.map(|w| word("harm", w)));
        let (left, tries) = (find("left"), find("tries"));
        Asker { policy, codes, classes, sent, harm, flags, left, tries }
    }

    /// Sets every fact of a request.
    pub fn put(&self, r: &Request, facts: &mut Facts) {
        let words = [
            self.codes[usize::from(r.code)],
            self.classes[usize::from(r.class)],
            self.sent[usize::from(r.sent)],
            self.harm[usize::from(r.harm)],
        ];
        for word in words {
            facts.choose(word).unwrap();
        }
        let flags = [r.keyed, r.tools_off, r.may_vary, r.hinted];
        for (words, is) in self.flags.iter().zip(flags) {
            facts.choose(words[usize::from(is)]).unwrap();
        }
        facts.set_duration(self.left, Duration::from_millis(r.left_ms.into()), Round::Down).unwrap();
        facts.set_count(self.tries, r.tries.into()).unwrap();
    }

    /// The facts of a request.
    pub fn facts(&self, r: &Request) -> Facts {
        let mut facts = self.policy.no_facts();
        self.put(r, &mut facts);
        facts
    }

    /// The columns of requests.
    pub fn columns<'a>(&'a self, held: &'a Columned) -> Columns<'a> {
        let find = |name: &str| self.policy.handle(name).unwrap();
        let mut columns = self.policy.columns(held.left.len());
        let words: [&[Word]; 4] = [&self.codes, &self.classes, &self.sent, &self.harm];
        for (((name, _), words), places) in CHOICES.into_iter().zip(words).zip(&held.words) {
            columns.words(find(name), words, places, None).unwrap();
        }
        for (name, flags) in FLAGS.into_iter().zip(&held.flags) {
            columns.flags(find(name), flags, None).unwrap();
        }
        columns.numbers(self.left, &held.left, None).unwrap();
        columns.numbers(self.tries, &held.tries, None).unwrap();
        columns
    }

    /// Holds that all three give the same answer to each request, and that every row is hit.
    pub fn assert_same(&self, requests: &[Request]) {
        let nothing = Refused::nothing();
        let mut facts = self.policy.no_facts();
        let mut rows = std::collections::BTreeSet::new();
        for request in requests {
            self.put(request, &mut facts);
            let (fast, plain) = (self.policy.decide(&facts), self.policy.decide_plainly(&facts, &nothing));
            let answer = match (fast.verb(), fast.queue()) {
                (Verb::Stop, None) => Answer::Stop,
                (Verb::Review, Some("retry")) => Answer::Retry,
                (Verb::Review, Some("failover")) => Answer::Failover,
                (Verb::Review, Some("reconcile")) => Answer::Reconcile,
                (Verb::Review, Some("person")) => Answer::Person,
                other => panic!("{request:?} gives {other:?}"),
            };
            assert_eq!(answer, by_hand(request), "{request:?}");
            assert_eq!(fast.row_name(), plain.row_name(), "{request:?}");
            rows.insert(fast.row_name());
        }
        assert_eq!(rows.len(), self.policy.rows().count(), "every row is hit");
    }
}
