//! Facts that are set at once, against the same facts set the long way and against the plain evaluator.

use std::time::Duration;

use super::facts::{Facts, Handle};
use super::{FactError, Policy, Refused, Round, Word};
use crate::model::{NumberKind, Type, Value};
use crate::program::Program;
use crate::words::MAX_DURATION_MS;

/// Few points: one array.
const FLAT: &str = "policy flat
version 1
fact region : eu, us, asia or none
fact keyed : yes, no
fact left : duration or none
fact tries : count 1..9
fact load : integer -5..5
fact whole : integer
fact idle : count
table t, first row wins
| region | keyed | left | tries | load | whole | => action |
| eu, asia | yes | >= 500ms | - | - | - | stop |
| none | - | 200ms..900ms | 3..5 | >= -3 | - | review d |
| - | no | unknown | - | -2..2 | < 0 | review a |
| not us | - | none | > 8 | - | - | review b |
| any unknown | | | | | | review c |
| otherwise | | | | | | stop |
";

/// Facts of all types, numbers with many ends, and more joints than lie in a question itself.
fn wide() -> String {
    let each = |of: &dyn Fn(usize) -> String, n: usize| (0..n).map(of).collect::<Vec<_>>().concat();
    let counts = each(&|i| format!("fact n{i} : count 0..40\n"), 9);
    let heads = each(&|i| format!(" n{i} |"), 9);
    // Each row looks at two of the counts.
    let cell = |at: usize, i: usize| match i {
        i if i == at % 9 || i == (at + 4) % 9 => format!(" {at}..{} |", at + 9),
        _ => " - |".to_string(),
    };
    let cells = |at: usize| each(&|i| cell(at, i), 9);
    let rows = each(&|at| format!("| {} |{} - | review r{at} |\n", ["a", "b", "-"][at % 3], cells(at)), 30);
    format!(
        "policy wide\nversion 1\nfact kind : a, b, c\n{counts}fact title : text\nfact price : decimal 0..9 step 0.5\n\
         table t, first row wins\n| kind |{heads} title | => action |\n{rows}| otherwise |{} | review none |\n",
        " |".repeat(9)
    )
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Numbers at every end that is written above, at the ends of domains and of 64 bits, and on both sides of them.
fn numbers() -> Vec<i64> {
    let ends =
        [0, 1, 3, 5, 8, 9, 40, 200, 500, 900, -2, -3, -5, i64::MIN + 1, i64::MAX - 1, MAX_DURATION_MS.cast_signed()];
    ends.into_iter().flat_map(|end| [end - 1, end, end + 1]).collect()
}

/// Sets a number by the setter of its fact's type.
fn set(facts: &mut Facts, handle: Handle, kind: NumberKind, n: i64) -> Result<(), FactError> {
    match (kind, u64::try_from(n)) {
        (NumberKind::Duration, Ok(ms)) => facts.set_duration(handle, Duration::from_millis(ms), Round::Down),
        (NumberKind::Count, Ok(n)) => facts.set_count(handle, n),
        _ => facts.set_number(handle, n),
    }
}

#[test]
fn a_number_set_at_once_is_held_to_its_domain() {
    for text in [FLAT, &wide()] {
        let policy = Policy::compile(text).unwrap();
        let (mut one, mut other, mut n_held) = (policy.no_facts(), policy.no_facts(), 0);
        for fact in policy.head().facts.values() {
            let Type::Number(ty) = &fact.ty else { continue };
            if ty.kind == NumberKind::Decimal {
                continue;
            }
            let handle = policy.handle(&fact.name).unwrap();
            for n in numbers() {
                // What is longer than the longest duration is that, and there is none below nothing.
                let is_given = ty.kind != NumberKind::Duration || (0..=MAX_DURATION_MS.cast_signed()).contains(&n);
                if is_given {
                    let (got, wanted) = (set(&mut one, handle, ty.kind, n), other.set(handle, Value::Number(n.into())));
                    assert_eq!(got, wanted, "{} {n}", fact.name);
                    assert_eq!(got.is_ok(), ty.holds(n.into()), "{} {n}", fact.name);
                    n_held += usize::from(got.is_ok());
                }
                assert_eq!(one.at(handle.fact), other.at(handle.fact));
            }
        }
        assert!(n_held > 60, "{n_held}");
    }
}

#[test]
fn each_setter_takes_its_own_kinds() {
    let policy = Policy::compile(FLAT).unwrap();
    let mut facts = policy.no_facts();
    let handle = |name: &str| policy.handle(name).unwrap();
    let told = |set: Result<(), FactError>| set.unwrap_err().to_string();
    assert_eq!(told(facts.set_count(handle("left"), 3)), "`left` cannot be a whole number");
    assert_eq!(told(facts.set_number(handle("keyed"), 3)), "`keyed` cannot be a whole number");
    assert_eq!(told(facts.set_duration(handle("tries"), Duration::ZERO, Round::Up)), "`tries` cannot be a duration");
    assert_eq!(told(facts.set_duration(handle("region"), Duration::ZERO, Round::Up)), "`region` cannot be a duration");
    assert_eq!(
        told(facts.set_count(handle("whole"), u64::MAX)),
        "`18446744073709551615` is outside the domain of `whole`"
    );
    assert!(facts.known().next().is_none());
    let other = Policy::compile(&FLAT.replace("version 1", "version 2")).unwrap();
    let (tries, left) = (other.handle("tries").unwrap(), other.handle("left").unwrap());
    assert_eq!(facts.set_count(tries, 3), Err(FactError::ForeignHandle));
    assert_eq!(facts.set_count(tries, u64::MAX), Err(FactError::ForeignHandle));
    assert_eq!(facts.set_number(tries, 99), Err(FactError::ForeignHandle));
    assert_eq!(facts.set_duration(left, Duration::ZERO, Round::Up), Err(FactError::ForeignHandle));
    let foreign = other.word(other.handle("keyed").unwrap(), "yes").unwrap();
    assert_eq!(facts.choose(foreign), Err(FactError::ForeignHandle));
    assert!(facts.known().next().is_none());
}

#[test]
fn a_duration_is_whole_milliseconds() {
    let policy = Policy::compile(FLAT).unwrap();
    let (left, mut facts) = (policy.handle("left").unwrap(), policy.no_facts());
    let mut ms = |duration, round| {
        facts.set_duration(left, duration, round).unwrap();
        let Value::Number(ms) = facts.at(left.fact) else { panic!("a number") };
        *ms
    };
    for (nanos, down, up) in [(0, 0, 0), (1, 0, 1), (999_999, 0, 1), (1_000_000, 1, 1), (1_000_001, 1, 2)] {
        assert_eq!(ms(Duration::from_nanos(nanos), Round::Down), down);
        assert_eq!(ms(Duration::from_nanos(nanos), Round::Up), up);
        assert_eq!(ms(Duration::from_nanos(nanos + 7_000_000_000), Round::Up), 7_000 + up);
    }
    assert_eq!(ms(Duration::from_nanos(1_999_999_999), Round::Up), 2_000);
    let most = i128::from(MAX_DURATION_MS);
    assert_eq!(ms(Duration::from_millis(MAX_DURATION_MS - 1), Round::Down), most - 1);
    assert_eq!(ms(Duration::from_millis(MAX_DURATION_MS - 1) + Duration::from_nanos(1), Round::Up), most);
    assert_eq!(ms(Duration::from_millis(MAX_DURATION_MS) + Duration::from_nanos(1), Round::Up), most);
    assert_eq!(ms(Duration::MAX, Round::Up), most);
    assert_eq!(ms(Duration::MAX, Round::Down), most);
}

/// Every way to set a fact, in any order, over whatever was there before: after each the answer is that of the plain
/// evaluator.
#[test]
fn facts_set_again_and_again_are_answered_as_they_stand() {
    for text in [FLAT, &wide()] {
        let policy = Policy::compile(text).unwrap();
        let names: Vec<&str> = policy.fact_names().collect();
        let (mut draw, nothing, numbers) = (Draw(3), Refused::nothing(), numbers());
        let (mut facts, mut rows) = (policy.no_facts(), std::collections::BTreeSet::new());
        for _ in 0..6_000 {
            let handle = policy.handle(names[draw.below(names.len())]).unwrap();
            let fact = policy.head().fact(handle.fact);
            let words: Vec<&str> = match &fact.ty {
                Type::Choice { values, .. } => values.iter().chain(&fact.points).map(|word| &**word).collect(),
                Type::Number(_) | Type::Text => fact.points.iter().map(|word| &**word).collect(),
            };
            match (draw.below(8), &fact.ty) {
                (0, _) => facts.set_unknown(handle).unwrap(),
                (1, _) if !words.is_empty() => facts.set_word(handle, words[draw.below(words.len())]).unwrap(),
                (_, Type::Choice { .. }) => {
                    let word: Word = policy.word(handle, words[draw.below(words.len())]).unwrap();
                    facts.choose(word).unwrap();
                }
                (_, Type::Text) => facts.set_text(handle, ["a", "bc"][draw.below(2)]).unwrap(),
                (_, Type::Number(ty)) if ty.kind == NumberKind::Decimal => facts.set_decimal(handle, "1.5").unwrap(),
                (_, Type::Number(ty)) => {
                    let n = if draw.below(2) == 0 {
                        numbers[draw.below(numbers.len())]
                    } else {
                        draw.below(41).cast_signed() as i64
                    };
                    let _ = set(&mut facts, handle, ty.kind, n);
                }
            }
            let (fast, plain) = (policy.decide(&facts), policy.decide_plainly(&facts, &nothing));
            assert_eq!(
                fast.row_name(),
                plain.row_name(),
                "{:?}",
                facts.known().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>()
            );
            rows.insert(fast.row_name());
        }
        assert!(rows.len() > 2, "{rows:?}");
    }
}

#[test]
fn half_a_line_of_the_cache_holds_what_most_decisions_read_of_facts() {
    assert_eq!(size_of::<Facts>(), 32);
}

/// A word holds the code that it has for its own policy; a program that is laid out otherwise has another there.
#[test]
fn facts_and_words_of_a_policy_that_is_laid_out_otherwise_are_foreign() {
    let ours = Policy::compile(FLAT).unwrap();
    let model = ours.model().clone();
    let again = Policy::new(model.clone(), Program::build(&model), true, ours.origins());
    let theirs = Policy::new(model.clone(), Program::laid_otherwise(&model), true, ours.origins());
    assert_eq!(ours.digest(), theirs.digest());

    for (policy, fits) in [(again, true), (theirs, false)] {
        let word = policy.word(policy.handle("region").unwrap(), "asia").unwrap();
        let mut facts = ours.no_facts();
        let chosen = facts.choose(word);
        assert_eq!(chosen, if fits { Ok(()) } else { Err(FactError::ForeignHandle) });
        assert_eq!(policy.decide(&facts).is_foreign(), !fits);
    }
}
