//! Arrow record batches: read as facts, and answers as such.

use std::sync::Arc;

use nisi::Policy;
use nisi::decide::arrow::cast::AsArray;
use nisi::decide::arrow::types::{Int8Type, Int16Type, Int32Type, UInt64Type};
use nisi::decide::arrow::{
    Array, ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, DurationMicrosecondArray, DurationSecondArray,
    Float64Array, Int16Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMillisecondArray, UInt8Array, UInt64Array,
};
use nisi::decide::{Answers, Raw};
use nisi::words::Verb;

pub(crate) const POLICY: &str = "policy records
version 1
use std.facts
budget { owner desk, attempts 3, deadline 20s }
backoff gentle { base 200ms, factor 2, cap 8s, jitter full }
fact region : eu, us, asia or none
fact keyed : yes, no
fact price : decimal 0.. step 0.01
fact since : instant
fact build : version
fact title : text
fact load : integer -5..5
table t, first row wins
| row   | region | keyed | price | since                   | build  | title | load | condition | => action |
| dear  | eu     | -     | >= 10 | -                       | -      | -     | -    | -         | stop |
| old   | -      | no    | -     | < 2026-01-01T00:00:00Z  | -      | -     | -    | -         | review a |
| built | -      | -     | -     | -                       | >= 2.0 | \"a\"   | -    | -         | review b |
| low   | none   | -     | -     | -                       | -      | -     | < 0  | -         | review c |
| again | -      | -     | -     | -                       | -      | -     | -    | timeout   | retry after gentle; if refused, review d |
| rest  | -      | -     | -     | -                       | -      | -     | -    | -         | review e |
";

fn policy() -> Policy {
    Policy::compile(POLICY).unwrap_or_else(|found| panic!("{found}"))
}

fn batch(columns: Vec<(&'static str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn error(columns: Vec<(&'static str, ArrayRef)>) -> String {
    policy().read_records(&batch(columns)).unwrap_err().to_string()
}

/// Every kind of array, with nulls, against the same facts read one by one.
#[test]
fn each_kind_of_array_is_read_as_its_fact() {
    let policy = policy();
    let day = 86_400_000;
    let regions: DictionaryArray<Int8Type> =
        [Some("eu"), Some("none"), None, Some("us"), Some("eu")].into_iter().collect();
    let columns: Vec<(&str, ArrayRef, Vec<Option<&str>>)> = vec![
        ("region", Arc::new(regions), vec![Some("eu"), Some("none"), None, Some("us"), Some("eu")]),
        (
            "keyed",
            Arc::new(BooleanArray::from(vec![Some(true), Some(false), Some(false), None, None])),
            vec![Some("yes"), Some("no"), Some("no"), None, None],
        ),
        (
            "price",
            Arc::new(Decimal128Array::from(vec![1_234, 5, 1_000, 2_000, 1]).with_precision_and_scale(9, 2).unwrap()),
            vec![Some("12.34"), Some("0.05"), Some("10"), Some("20"), Some("0.01")],
        ),
        (
            "since",
            Arc::new(
                TimestampMillisecondArray::from(vec![Some(0), Some(20_454 * day), None, None, Some(-1)])
                    .with_timezone("+00:00"),
            ),
            vec![
                Some("1970-01-01T00:00:00Z"),
                Some("2026-01-01T00:00:00Z"),
                None,
                None,
                Some("1969-12-31T23:59:59.999Z"),
            ],
        ),
        (
            "build",
            Arc::new(StringViewArray::from(vec![None, Some("2"), Some("1.9"), Some("2.0.1"), Some("3")])),
            vec![None, Some("2"), Some("1.9"), Some("2.0.1"), Some("3")],
        ),
        (
            "title",
            Arc::new(LargeStringArray::from(vec!["a", "a", "unknown", "a", "b"])),
            vec![Some("a"), Some("a"), Some("unknown"), Some("a"), Some("b")],
        ),
        (
            "load",
            Arc::new(Int16Array::from(vec![Some(-5), Some(-1), Some(0), None, Some(5)])),
            vec![Some("-5"), Some("-1"), Some("0"), None, Some("5")],
        ),
        (
            "deadline",
            Arc::new(DurationMicrosecondArray::from(vec![
                Some(2_000_000),
                Some(0),
                None,
                Some(9_000_000),
                Some(1_000),
            ])),
            vec![Some("2s"), Some("0ms"), None, Some("9s"), Some("1ms")],
        ),
        ("condition", Arc::new(StringArray::from(vec!["timeout"; 5])), vec![Some("timeout"); 5]),
        (
            "budget",
            Arc::new(UInt8Array::from(vec![3, 0, 1, 1, 1])),
            vec![Some("3"), Some("0"), Some("1"), Some("1"), Some("1")],
        ),
        ("attempt", Arc::new(Int64Array::from(vec![1; 5])), vec![Some("1"); 5]),
        ("authorization", Arc::new(StringArray::from(vec!["current"; 5])), vec![Some("current"); 5]),
        ("effect", Arc::new(NullArray::new(5)), vec![None; 5]),
    ];
    let facts =
        policy.read_records(&batch(columns.iter().map(|(name, array, _)| (*name, array.clone())).collect())).unwrap();
    let mut answers = Answers::default();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    let records = answers.to_records(&policy).unwrap();
    let actions = records.column(0).as_dictionary::<Int8Type>();
    let rows = records.column(1).as_dictionary::<Int32Type>();
    let waits = [2, 3].map(|i| records.column(i).as_primitive::<UInt64Type>());
    let mut verbs = Vec::new();
    for i in 0..5 {
        let given = columns.iter().filter_map(|(name, _, values)| {
            let is_text = ["title", "region"].contains(name);
            let raw = values[i].map(|v| if is_text { Raw::Text(v.into()) } else { Raw::Plain(v.into()) })?;
            Some((name.to_string(), raw))
        });
        let facts = policy.read_facts(given).unwrap();
        let decision = policy.decide(&facts);
        verbs.push(decision.verb());
        let name = |keys: &dyn Array, values: &ArrayRef| {
            let key = keys.as_any_dictionary().normalized_keys()[i];
            values.as_string::<i32>().value(key).to_string()
        };
        assert_eq!(name(actions, actions.values()), decision.verb().as_str(), "question {i}");
        assert_eq!(Some(name(rows, rows.values())), decision.row_name(), "question {i}");
        let told = |k: usize| waits[k].is_valid(i).then(|| waits[k].value(i));
        assert_eq!(told(0).zip(told(1)), decision.wait_bounds_ms(), "question {i}");
    }
    assert!(verbs.contains(&Verb::Retry) && verbs.contains(&Verb::Stop) && verbs.contains(&Verb::Review), "{verbs:?}");
}

/// A column of more different values than keys have room for goes the slow way, with the same answers.
#[test]
fn many_different_values_are_read_too() {
    let policy = policy();
    let prices: Vec<String> = (0..2_000).map(|i| format!("{}.{:02}", i / 100, i % 100)).collect();
    let facts = batch(vec![
        ("price", Arc::new(StringArray::from(prices)) as ArrayRef),
        ("region", Arc::new(StringArray::from(vec!["eu"; 2_000]))),
    ]);
    let facts = policy.read_records(&facts).unwrap();
    let mut answers = Answers::default();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    let n_stops = answers.verbs().iter().filter(|verb| **verb == Verb::Stop).count();
    assert_eq!((n_stops, answers.verbs()[999], answers.verbs()[1_000]), (1_000, Verb::Review, Verb::Stop));
}

/// The same by keys of a dictionary: more values than a byte tells apart, of which most or few have an entry.
#[test]
fn many_values_of_a_dictionary_are_read_too() {
    let policy = policy();
    let prices: Vec<String> = (0..2_000).map(|i| format!("{}.{:02}", i / 100, i % 100)).collect();
    let prices: ArrayRef = Arc::new(StringArray::from(prices));
    for step in [1usize, 100] {
        let keys: Vec<i32> = (0..2_000i32).step_by(step).collect();
        let by_keys = DictionaryArray::<Int32Type>::try_new(keys.into(), prices.clone()).unwrap();
        let n = by_keys.len();
        let facts = batch(vec![
            ("price", Arc::new(by_keys) as ArrayRef),
            ("region", Arc::new(StringArray::from(vec!["eu"; n]))),
        ]);
        let facts = policy.read_records(&facts).unwrap();
        let mut answers = Answers::default();
        policy.decide_batch(&facts.columns(), &mut answers).unwrap();
        let stops: Vec<bool> = answers.verbs().iter().map(|verb| *verb == Verb::Stop).collect();
        assert_eq!(stops, (0..n).map(|i| i >= n / 2).collect::<Vec<_>>());
    }
}

/// Numbers of more different values than keys have room for, each read as its fact, against the same facts one by one.
#[test]
fn many_different_numbers_are_read_as_their_facts() {
    let policy = policy();
    let n = 2_000i64;
    let known = |i: &i64| i % 7 != 3;
    let new_year = 1_767_225_600_000;
    let since: TimestampMillisecondArray =
        (0..n).map(|i| known(&i).then_some(new_year + (i - n / 2) * 60_000)).collect();
    let written = |i: i64| {
        let (day, minute) = if i < n / 2 { ("2025-12-31", i - n / 2 + 24 * 60) } else { ("2026-01-01", i - n / 2) };
        format!("{day}T{:02}:{:02}:00Z", minute / 60, minute % 60)
    };
    let price = |i: i64| format!("{}.{:02}", i * 7 % 920 / 100, i * 7 % 920 % 100);
    let left = DurationMicrosecondArray::from_iter_values((0..n).map(|i| (n - i) * 20_000));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("since", Arc::new(since.with_timezone("+00:00"))),
        ("price", Arc::new(StringArray::from_iter_values((0..n).map(price)))),
        ("deadline", Arc::new(left)),
        ("keyed", Arc::new((0..n).map(|i| Some(i % 3 == 0)).collect::<BooleanArray>())),
        ("condition", Arc::new(StringArray::from_iter_values((0..n).map(|_| "timeout")))),
        ("budget", Arc::new(UInt8Array::from_iter_values((0..n).map(|_| 9)))),
        ("attempt", Arc::new(Int16Array::from_iter_values((0..n).map(|_| 1)))),
        ("authorization", Arc::new(StringArray::from_iter_values((0..n).map(|_| "current")))),
    ];
    let facts = policy.read_records(&batch(columns)).unwrap();
    let mut answers = Answers::default();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    let mut rows = std::collections::BTreeSet::new();
    for (i, at) in (0..n).zip(0..) {
        let given = [
            ("since", known(&i).then(|| written(i))),
            ("price", Some(price(i))),
            ("deadline", Some(format!("{}ms", (n - i) * 20))),
            ("keyed", Some(if i % 3 == 0 { "yes" } else { "no" }.into())),
            ("condition", Some("timeout".into())),
            ("budget", Some("9".into())),
            ("attempt", Some("1".into())),
            ("authorization", Some("current".into())),
        ];
        let given = given.into_iter().filter_map(|(name, raw)| Some((name.to_string(), Raw::Plain(raw?))));
        let facts = policy.read_facts(given).unwrap();
        let decision = policy.decide(&facts);
        let row = policy.row(answers.rows()[at]).map(|row| row.to_string());
        assert_eq!((answers.verbs()[at], &row), (decision.verb(), &decision.row_name()), "question {i}");
        let waits = (decision.verb() == Verb::Retry).then(|| answers.wait_bounds_ms()[at]);
        assert_eq!(waits, decision.wait_bounds_ms(), "question {i}");
        rows.insert((row, decision.verb().as_str()));
    }
    assert!(rows.len() > 1, "{rows:?}");
}

/// Where a boolean has no word for one of its values, the first entry that has it is named, and a null has none.
#[test]
fn a_boolean_may_have_a_word_for_one_value_only() {
    let policy = "policy a\nversion 1\nfact seen : true, maybe\ntable t, first row wins
| seen | => action |\n| true | stop |\n| otherwise | review desk |\n";
    let policy = Policy::compile(policy).unwrap_or_else(|found| panic!("{found}"));
    let read = |flags: BooleanArray| policy.read_records(&batch(vec![("seen", Arc::new(flags) as ArrayRef)]));
    let flags = vec![Some(false), Some(true), None, Some(true), Some(false), Some(false)];
    let facts = read(BooleanArray::from(flags.clone()).slice(1, 3)).unwrap();
    let mut answers = Answers::default();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    assert_eq!(answers.verbs(), [Verb::Stop, Verb::Review, Verb::Stop]);
    let error = read(BooleanArray::from(flags).slice(1, 5)).unwrap_err().to_string();
    assert_eq!(error, "entry 3: `seen` cannot be false");
}

#[test]
fn what_cannot_be_is_told_by_its_column_and_entry() {
    let words = |words: Vec<Option<&str>>| Arc::new(StringArray::from(words)) as ArrayRef;
    assert_eq!(error(vec![("regoin", words(vec![None]))]), "there is no fact `regoin`");
    assert_eq!(
        error(vec![("region", words(vec![None, Some("eu"), Some("mars")]))]),
        "entry 2: `mars` is not a value of `region`"
    );
    assert_eq!(
        error(vec![("price", Arc::new(Float64Array::from(vec![1.5])))]),
        "column `price` is of type Float64; it takes decimals of 128 bits, integers, or strings"
    );
    assert_eq!(
        error(vec![("since", Arc::new(TimestampMillisecondArray::from(vec![0])))]),
        "column `since` is of type Timestamp(ms); it takes timestamps with a time zone, or strings"
    );
    assert_eq!(
        error(vec![("deadline", Arc::new(DurationMicrosecondArray::from(vec![2_000, 1_500])))]),
        "entry 1: `deadline` cannot be 1500us, which is no whole number of milliseconds"
    );
    let nested = DictionaryArray::<Int8Type>::try_new(vec![0i8, 0].into(), words(vec![Some("eu")])).unwrap();
    let nested = DictionaryArray::<Int16Type>::try_new(vec![1i16].into(), Arc::new(nested)).unwrap();
    let told = error(vec![("region", Arc::new(nested))]);
    assert!(told.starts_with("column `region` is of type Dictionary(Int16, Dictionary("), "{told}");
    assert!(error(vec![("load", words(vec![Some("5")]))]).starts_with("entry 0: `load` cannot be"));
    assert!(error(vec![("deadline", Arc::new(DurationSecondArray::from(vec![i64::MAX])))]).starts_with("entry 0: "));
    let twice = batch(vec![("load", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]);
    let twice =
        RecordBatch::try_from_iter([("load", twice.column(0).clone()), ("load", twice.column(0).clone())]).unwrap();
    assert_eq!(policy().read_records(&twice).unwrap_err().to_string(), "fact `load` has two columns");
    // A number outside its domain is found when it is asked.
    let policy = policy();
    let facts = policy.read_records(&batch(vec![("load", Arc::new(UInt64Array::from(vec![0, 6])))])).unwrap();
    let error = policy.decide_batch(&facts.columns(), &mut Answers::default()).unwrap_err().to_string();
    assert!(error.starts_with("entry 1: "), "{error}");
    // Answers of another policy have rows that this one lacks.
    let other = Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n").unwrap();
    let mut answers = Answers::default();
    policy.decide_batch(&policy.columns(1), &mut answers).unwrap();
    let error = answers.to_records(&other).unwrap_err().to_string();
    assert!(error.contains("no row 5"), "{error}");
}

/// A column of nulls alone is one: it has been given, a second one is refused, and nothing of it is looked for.
#[test]
fn what_holds_nothing_is_unknown_and_panics_nowhere() {
    let policy = policy();
    let empty: DictionaryArray<Int8Type> = std::iter::repeat_n(None::<&str>, 2).collect();
    assert!(empty.values().is_empty());
    let nulls: ArrayRef = Arc::new(StringArray::from(vec![None::<&str>; 2]));
    let columns: Vec<(&str, ArrayRef)> =
        vec![("region", Arc::new(empty)), ("keyed", Arc::new(NullArray::new(2))), ("since", nulls.clone())];
    let facts = policy.read_records(&batch(columns)).unwrap();
    let (mut answers, mut none) = (Answers::default(), Answers::default());
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    policy.decide_batch(&policy.columns(2), &mut none).unwrap();
    assert_eq!((answers.rows(), answers.verbs()), (none.rows(), none.verbs()));
    let twice = batch(vec![("region", nulls.clone()), ("region", nulls)]);
    assert_eq!(policy.read_records(&twice).unwrap_err().to_string(), "fact `region` has two columns");
    let no_rows: ArrayRef = Arc::new(std::iter::empty::<Option<&str>>().collect::<DictionaryArray<Int8Type>>());
    let facts = policy.read_records(&batch(vec![("region", no_rows)])).unwrap();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    assert_eq!((answers.len(), answers.to_records(&policy).unwrap().num_rows()), (0, 0));
}
