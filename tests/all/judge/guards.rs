//! No decision acts where a guard refuses: over all rows of the policies that ship.

use std::collections::{BTreeMap, BTreeSet};

use nisi::Policy;
use nisi::decide::{Hint, Refused, StandardFacts};
use nisi::words::{
    Acceptable, Authorization, Boundary, Condition, Dispatch, Effect, ParityVerdict, Pushback, Release, Shown, Tier,
    Tools, Verb,
};

use super::never::Draw;
use crate::support::read;

fn facts(draw: &mut Draw) -> StandardFacts {
    let ms = |ms: Option<u64>| ms.map(std::time::Duration::from_millis);
    StandardFacts {
        condition: draw.some(Condition::ALL),
        effect: draw.some(Effect::ALL),
        dispatch: draw.some(Dispatch::ALL),
        boundary: draw.some(Boundary::ALL),
        idempotent: draw.some(&[true, false]),
        tools: draw.some(Tools::ALL),
        variation: draw.some(Acceptable::ALL),
        cost: draw.some(Acceptable::ALL),
        output: draw.some(Shown::ALL),
        pushback: draw.some(Pushback::ALL),
        hint: match draw.next() % 3 {
            0 => Hint::Unknown,
            1 => Hint::None,
            n => Hint::After(std::time::Duration::from_millis(n * 700)),
        },
        authorization: draw.some(Authorization::ALL),
        release: draw.some(Release::ALL),
        deadline: ms(draw.some(&[0, 299, 300, 5_000, 15_000])),
        budget: draw.some(&[0, 1, 2, 3]),
        attempt: draw.some(&[0, 1, 2, 3]),
        elapsed: ms(draw.some(&[0, 10_000])),
        since_sent: ms(draw.some(&[0, 3_000])),
        looks: draw.some(&[0, 1, 4]),
        tier: draw.some(Tier::ALL),
        parity: draw.some(ParityVerdict::ALL),
    }
}

/// What the language page asks of an act, written once more.
fn may(verb: Verb, f: &StandardFacts) -> bool {
    let harmless = match f.effect {
        Some(Effect::ImmutableRead | Effect::Read | Effect::Verification) => true,
        Some(Effect::Inference) => f.tools == Some(Tools::Disabled),
        _ => false,
    };
    let right = f.authorization == Some(Authorization::Current) || f.authorization.is_none() && harmless;
    let every = f.budget >= Some(1) && f.deadline.is_some() && f.pushback != Some(Pushback::Stop) && right;
    match verb {
        Verb::Retry => every && !(f.pushback == Some(Pushback::Wait) && f.hint == Hint::Unknown),
        Verb::Hedge => every && harmless,
        Verb::Failover => {
            every
                && f.authorization == Some(Authorization::Current)
                && f.boundary == Some(Boundary::NotCrossed)
                && f.parity == Some(ParityVerdict::Holds)
        }
        _ => true,
    }
}

/// Every set of verbs that the world may refuse.
fn refusals(policy: &Policy) -> Vec<(Refused, Vec<&'static str>)> {
    let verbs = ["retry", "hedge", "failover", "reconcile"];
    let of = |set: usize| -> Vec<_> { (0..4).filter(|i| set >> i & 1 == 1).map(|i| verbs[i]).collect() };
    (0..16).map(of).map(|words| (policy.refuse(words.iter().copied()).unwrap(), words)).collect()
}

/// All sets of refused verbs × every row of every policy that ships that these facts reach.
#[test]
fn no_decision_acts_where_a_guard_refuses() {
    for file in ["field-guide", "procurement", "assistant"] {
        let policy = Policy::compile(&read(&format!("policies/{file}.nisi"))).unwrap();
        let (mut draw, mut reached) = (Draw(0x5eed), BTreeSet::new());
        let sets = refusals(&policy);
        for _ in 0..16_000 {
            let mut given = facts(&mut draw);
            if draw.next() % 2 == 0 {
                // Nothing in the way, so that the rows behind are reached too.
                given.authorization = Some(Authorization::Current);
                given.release = Some(Release::Registered);
                given.boundary = Some(Boundary::NotCrossed);
                given.variation = Some(Acceptable::Acceptable);
            }
            let mut facts = policy.facts(&given);
            if let Ok(amount) = policy.handle("amount") {
                facts.set_decimal(amount, draw.one(&["100", "50_001"])).unwrap();
            }
            for (refused, words) in &sets {
                let decision = policy.decide_with(&facts, refused);
                assert!(!words.contains(&decision.verb().as_str()), "{file}: {decision} though {words:?} are refused");
                assert!(may(decision.verb(), &given), "{file}: {decision} with {given:?}");
                reached.extend(decision.path().map(|row| row.to_string()));
            }
        }
        let rows = policy.rows().map(|row| row.to_string());
        let missed: Vec<String> = rows.filter(|row| !reached.contains(row)).collect();
        assert!(missed.is_empty(), "{file}: never reached: {missed:?}");
    }
}

/// All rows of the policies that ship × all sets of refused verbs × all that a guard asks of the facts: for each row that
/// is reached, with several sets of facts that reach it, every value that the guard may find of each fact that it reads.
#[test]
fn exhaustively_no_row_acts_where_its_guard_refuses() {
    for file in ["field-guide", "procurement", "assistant"] {
        let policy = Policy::compile(&read(&format!("policies/{file}.nisi"))).unwrap();
        let amount = policy.handle("amount").ok();
        // Several sets of facts for each row, that differ in more than its guard asks.
        let (mut draw, mut bases) = (Draw(0x5eed), BTreeMap::<String, Vec<_>>::new());
        for round in 0..40_000 {
            let mut given = facts(&mut draw);
            if round % 2 == 0 {
                given.authorization = Some(Authorization::Current);
                given.release = Some(Release::Registered);
                given.boundary = Some(Boundary::NotCrossed);
                given.variation = Some(Acceptable::Acceptable);
            }
            let much = draw.one(&["100", "50_001"]);
            let mut asked = policy.facts(&given);
            if let Some(handle) = amount {
                asked.set_decimal(handle, much).unwrap();
            }
            for row in policy.decide(&asked).path() {
                let sets = bases.entry(row.to_string()).or_default();
                if sets.len() < SETS {
                    sets.push((given, much));
                }
            }
        }
        let missed: Vec<String> = policy.rows().map(|r| r.to_string()).filter(|r| !bases.contains_key(r)).collect();
        assert!(missed.is_empty(), "{file}: never reached: {missed:?}");
        let sets = refusals(&policy);
        let mut asked = policy.no_facts();
        let (mut acts, mut n) = (0, 0);
        for (place, (base, much)) in bases.values().flat_map(|sets| sets.iter().enumerate()) {
            // With the first set every combination; with the others one of seven, which goes round in all of them.
            for given in guard_facts(base).into_iter().skip(place).step_by(if place == 0 { 1 } else { 7 }) {
                asked.clone_from(&policy.facts(&given));
                if let Some(handle) = amount {
                    asked.set_decimal(handle, much).unwrap();
                }
                for (refused, words) in &sets {
                    let verb = policy.decide_with(&asked, refused).verb();
                    assert!(!words.contains(&verb.as_str()), "{file}: {verb} though {words:?} are refused");
                    assert!(may(verb, &given), "{file}: {verb} with {given:?}");
                    (n, acts) = (n + 1, acts + usize::from(verb.acts()));
                }
            }
        }
        assert!(acts > 0 && n > 16 * bases.len(), "{file}: {acts} acts of {n}");
    }
}

/// Sets of facts for each row.
const SETS: usize = 5;

/// Every combination of what guards find: each fact that a guard reads is unknown, too little, enough, or each of its words.
fn guard_facts(base: &StandardFacts) -> Vec<StandardFacts> {
    let ms = |ms: u64| Some(std::time::Duration::from_millis(ms));
    let mut all = vec![*base];
    let mut vary = |set: &dyn Fn(&StandardFacts) -> Vec<StandardFacts>| all = all.iter().flat_map(set).collect();
    vary(&|f| [None, Some(0), Some(9)].map(|budget| StandardFacts { budget, ..*f }).to_vec());
    vary(&|f| [None, ms(0), ms(15_000)].map(|deadline| StandardFacts { deadline, ..*f }).to_vec());
    let (second, unknown) = (Hint::After(std::time::Duration::from_secs(1)), Hint::Unknown);
    let waits = [unknown, Hint::None, second].map(|hint| (Some(Pushback::Wait), hint));
    let told = [(None, unknown), (Some(Pushback::None), Hint::None), (Some(Pushback::Stop), second)];
    let told = [told, waits].concat();
    vary(&|f| told.iter().map(|(pushback, hint)| StandardFacts { pushback: *pushback, hint: *hint, ..*f }).collect());
    vary(&|f| {
        let rights = [None, Some(Authorization::Current), Some(Authorization::Stale)];
        rights.map(|authorization| StandardFacts { authorization, ..*f }).to_vec()
    });
    vary(&|f| {
        let parities = [None, Some(ParityVerdict::Holds), Some(ParityVerdict::Refused)];
        parities.map(|parity| StandardFacts { parity, ..*f }).to_vec()
    });
    vary(&|f| {
        let boundaries = [None, Some(Boundary::NotCrossed), Some(Boundary::MaybeCrossed), Some(Boundary::Crossed)];
        boundaries.map(|boundary| StandardFacts { boundary, ..*f }).to_vec()
    });
    all
}
