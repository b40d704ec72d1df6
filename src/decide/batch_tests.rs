//! A batch against the plain evaluator, question by question.

use super::columns::{Entries, Numbers};
use super::{Answers, ColumnError, Columns, Policy, Refused, Word};
use crate::model::{NumberKind, Type};

/// A policy of one small table: it is asked by rules; a choice may be none of its words.
const SMALL: &str = "policy small
version 1
fact region : eu, us, asia or none
fact keyed : yes, no
fact left : duration
fact load : integer -5..5
table t, first row wins
| region | keyed | left | load | => action |
| eu, asia | yes | >= 500ms | - | stop |
| none | - | 200ms..900ms | >= -3 | review d |
| - | no | unknown | -2..2 | review a |
| not us | - | - | - | review b |
| any unknown | | | | review c |
| otherwise | | | | stop |
";

/// Texts, decimals and versions go the slow way; tables hand over and a fact is derived.
const MIXED: &str = "policy mixed
version 1
fact title : text
fact price : decimal 0.. step 0.01
fact build : version
fact n : count
derive dear : yes, no, first row wins
| price | => dear |
| >= 10 | yes |
| otherwise | no |
table t, first row wins
| n | dear | => action |
| >= 3 | yes | stop |
| >= 300 | - | see u |
| otherwise | | see u |
table u, first row wins
| title | build | => action |
| \"a\" | >= 2.0 | stop |
| otherwise | | review desk |
";

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// What a column is made of; it must outlive the columns.
enum Made {
    Words(Vec<Word>, Vec<u8>),
    Flags(Vec<bool>),
    Large(Vec<u64>),
    Numbers(Vec<i64>),
    Small(Vec<u32>),
    Texts(Vec<&'static str>),
}

fn made(policy: &Policy, name: &str, n: usize, draw: &mut Draw) -> Made {
    let handle = policy.handle(name).unwrap();
    let fact = policy.model().fact(handle.fact);
    let texts: &[&'static str] = match &fact.ty {
        Type::Number(ty) if matches!(ty.kind, NumberKind::Count | NumberKind::Integer | NumberKind::Duration) => {
            let some = [0u32, 1, 2, 3, 4, 199, 200, 201, 499, 500, 501, 900, 901, 20_000];
            return match draw.below(4) {
                0 if !fact.points.is_empty() => words(policy, name, n, draw),
                0 if ty.hi > 20_000 => Made::Small((0..n).map(|_| some[draw.below(some.len())]).collect()),
                1 if ty.hi > 20_000 => Made::Large((0..n).map(|_| some[draw.below(some.len())].into()).collect()),
                _ => {
                    let held = |x: i64| if ty.holds(x.into()) { x } else { 0 };
                    Made::Numbers(
                        (0..n)
                            .map(|_| held(i64::from(some[draw.below(some.len())]) - [0, 1, 2][draw.below(3)]))
                            .collect(),
                    )
                }
            };
        }
        Type::Number(ty) if ty.kind == NumberKind::Decimal => &["0", "9.99", "10", "10.01"],
        Type::Number(ty) if ty.kind == NumberKind::Version => &["1.9", "2", "2.0.1"],
        Type::Text => &["a", "b", ""],
        Type::Choice { flag: true, .. } if draw.below(2) == 0 => {
            return Made::Flags((0..n).map(|_| draw.below(2) == 0).collect());
        }
        _ => return words(policy, name, n, draw),
    };
    Made::Texts((0..n).map(|_| texts[draw.below(texts.len())]).collect())
}

fn words(policy: &Policy, name: &str, n: usize, draw: &mut Draw) -> Made {
    let handle = policy.handle(name).unwrap();
    let words: Vec<Word> =
        policy.model().fact(handle.fact).words().map(|word| policy.word(handle, word).unwrap()).collect();
    let places = (0..n).map(|_| draw.below(words.len()) as u8).collect();
    Made::Words(words, places)
}

/// Holds a batch of so many random questions to the plain evaluator.
fn hold(policy: &Policy, n: usize, draw: &mut Draw, answers: &mut Answers) {
    let names: Vec<&str> = policy.fact_names().collect();
    let made: Vec<Made> = names.iter().map(|name| made(policy, name, n, draw)).collect();
    let known: Vec<Vec<bool>> = names.iter().map(|_| (0..n).map(|_| draw.below(6) > 0).collect()).collect();
    let mut columns = policy.columns(n);
    for ((name, made), known) in names.iter().zip(&made).zip(&known) {
        let handle = policy.handle(name).unwrap();
        let known = match draw.below(4) {
            0 => continue,
            1 => Some(&known[..]),
            _ => None,
        };
        let added = match made {
            Made::Words(words, places) => columns.words(handle, words, places, known),
            Made::Numbers(numbers) => columns.numbers(handle, numbers, known),
            Made::Small(numbers) => columns.numbers(handle, numbers, known),
            Made::Large(numbers) => columns.numbers(handle, numbers, known),
            Made::Flags(flags) => columns.flags(handle, flags, known),
            Made::Texts(texts) => columns.texts(handle, texts, known),
        };
        added.unwrap();
    }
    policy.decide_batch(&columns, answers).unwrap();
    assert_same(policy, &columns, answers);
    #[cfg(feature = "rayon")]
    {
        let mut on_all = Answers::default();
        policy.decide_batch_on_all_cores(&columns, &mut on_all).unwrap();
        assert_eq!((on_all.rows(), on_all.verbs()), (answers.rows(), answers.verbs()));
        assert_eq!(on_all.wait_bounds_ms(), answers.wait_bounds_ms());
    }
    let (loaded, mut again) = (Policy::load(policy.to_artifact()).unwrap(), Answers::default());
    loaded.decide_batch(&columns, &mut again).unwrap();
    assert_eq!(
        (again.rows(), again.verbs(), again.wait_bounds_ms()),
        (answers.rows(), answers.verbs(), answers.wait_bounds_ms())
    );
}

fn assert_same(policy: &Policy, columns: &Columns, answers: &Answers) {
    let rows: Vec<String> = policy.rows().map(|row| row.to_string()).collect();
    let nothing = Refused::nothing();
    let mut facts = policy.no_facts();
    assert_eq!((answers.len(), answers.rows().len()), (columns.len(), columns.len()));
    for i in 0..columns.len() {
        columns.all.iter().for_each(|column| column.put(&mut facts, i).unwrap());
        let plain = policy.decide_plainly(&facts, &nothing);
        let row = answers.rows()[i];
        assert_eq!(answers.verbs()[i], plain.verb(), "{}", plain.why());
        assert_eq!((row != Answers::NO_ROW).then(|| rows[row as usize].clone()), plain.row_name());
        let wait = answers.wait_bounds_ms().get(i).copied().unwrap_or_default();
        assert_eq!(wait, plain.wait_bounds_ms().unwrap_or_default());
    }
}

fn compiled(text: &str) -> Policy {
    Policy::compile(text).unwrap_or_else(|found| panic!("{found}"))
}

#[test]
fn a_batch_answers_as_the_plain_evaluator() {
    let texts = [
        include_str!("../../policies/field-guide.nisi"),
        include_str!("../../policies/procurement.nisi"),
        include_str!("../../policies/assistant.nisi"),
        SMALL,
        MIXED,
    ];
    let (mut draw, mut answers) = (Draw(3), Answers::default());
    for text in texts {
        let policy = compiled(text);
        for n in [0, 1, 17, 1_024, 1_025, 300, 300, 300, 300, 300, 300] {
            hold(&policy, n, &mut draw, &mut answers);
        }
    }
}

#[test]
fn numbers_are_counted_alike_at_the_bounds_of_their_widths() {
    let bounds = [0u32, 1, 2, 3, 32_766, 32_767, 32_768, 65_535, 65_536, 2_147_483_647, 2_147_483_648, u32::MAX];
    let mut answers = Answers::default();
    for ends in
        [&bounds[3..4], &[1, 32_767], &[32_767, 32_768], &[2_147_483_648], &[2, 65_536, 2_147_483_647], &bounds[1..]]
    {
        let rows: Vec<String> = ends.iter().rev().map(|end| format!("| >= {end} | yes | stop |\n")).collect();
        let text = format!(
            "policy bounds\nversion 1\nfact n : integer 0..4294967295\nfact m : yes, no\ntable t, first row wins\n\
             | n | m | => action |\n{}| otherwise | | review desk |\n",
            rows.concat()
        );
        let policy = compiled(&text);
        let (n, m) = (policy.handle("n").unwrap(), policy.handle("m").unwrap());
        for n_questions in [12, 600, 1_100] {
            let small: Vec<u32> = bounds.into_iter().cycle().take(n_questions).collect();
            let large: Vec<u64> = small.iter().map(|n| u64::from(*n)).collect();
            let signed: Vec<i64> = small.iter().map(|n| i64::from(*n)).collect();
            let (flags, known): (Vec<bool>, Vec<bool>) = (0..n_questions).map(|i| (i % 7 > 0, i % 5 > 0)).unzip();
            for known in [None, Some(&known[..])] {
                for numbers in [Numbers::from(&small), (&large).into(), (&signed).into()] {
                    let mut columns = policy.columns(n_questions);
                    columns.numbers(n, numbers, known).unwrap().flags(m, &flags, None).unwrap();
                    policy.decide_batch(&columns, &mut answers).unwrap();
                    assert_same(&policy, &columns, &answers);
                }
            }
        }
    }
}

#[test]
fn a_column_that_cannot_be_is_told_by_its_place() {
    let policy = compiled(SMALL);
    let handle = |name: &str| policy.handle(name).unwrap();
    let eu = policy.word(handle("region"), "eu").unwrap();
    let mut answers = Answers::default();
    let told = |error: ColumnError| error.to_string();

    let mut columns = policy.columns(3);
    columns.words(handle("region"), &[eu], &[0, 0, 1], Some(&[true, true, false])).unwrap();
    policy.decide_batch(&columns, &mut answers).unwrap();
    assert_eq!(answers.len(), 3);
    let mut columns = policy.columns(3);
    columns.words(handle("region"), &[eu], &[0, 0, 1], None).unwrap();
    let error = told(policy.decide_batch(&columns, &mut answers).unwrap_err());
    assert_eq!(error, "entry 2 of column `region` is 1; its words are 1");
    assert!(answers.is_empty());
    let mut columns = policy.columns(20);
    columns.flags(handle("keyed"), &[true; 20], None).unwrap();
    columns.words(handle("region"), &[eu, eu, eu], &[255; 20], None).unwrap();
    let error = told(policy.decide_batch(&columns, &mut answers).unwrap_err());
    assert_eq!(error, "entry 0 of column `region` is 255; its words are 3");

    // The first of several, on all cores too.
    let (mut many, mut columns) = (vec![0i64; 50_000], policy.columns(50_000));
    for i in [7_000, 30_000, 49_999] {
        many[i] = 6;
    }
    columns.numbers(handle("load"), &many, None).unwrap();
    let error = told(policy.decide_batch(&columns, &mut answers).unwrap_err());
    assert!(error.starts_with("entry 7000: "), "{error}");
    #[cfg(feature = "rayon")]
    assert_eq!(told(policy.decide_batch_on_all_cores(&columns, &mut answers).unwrap_err()), error);
    assert!(answers.is_empty());

    let mut columns = policy.columns(3);
    columns.numbers(handle("load"), &[0i64, 6, 0], None).unwrap();
    let error = told(policy.decide_batch(&columns, &mut answers).unwrap_err());
    assert!(error.starts_with("entry 1: ") && error.contains("load"), "{error}");
    columns.all.clear();
    assert_eq!(
        told(columns.numbers(handle("load"), &[0i64, 6], None).unwrap_err()),
        "column `load` has 2 entries for 3 questions"
    );
    columns.flags(handle("keyed"), &[true, false, true], None).unwrap();
    assert!(matches!(columns.all[0].entries, Entries::Flags { .. }));
    assert_eq!(told(columns.flags(handle("keyed"), &[true; 3], None).unwrap_err()), "fact `keyed` has two columns");
    assert!(columns.words(handle("left"), &[eu], &[0; 3], None).is_err());
    assert!(columns.numbers(handle("region"), &[0u32; 3], None).is_err());
    assert!(columns.flags(handle("region"), &[true; 3], None).is_err());
    let other = compiled(MIXED);
    assert_eq!(other.decide_batch(&columns, &mut answers), Err(ColumnError::Foreign));
}
