//! Random Arrow record batches against the same facts asked one by one: each type of array that a fact takes, with nulls and
//! without, plain and in dictionaries, whole and cut out of longer ones, and columns that hold nothing; and words of which some
//! cannot be read, in dictionaries that hold more than their entries have.

use std::sync::{Arc, LazyLock};

use nisi::Policy;
use nisi::decide::arrow::cast::AsArray;
use nisi::decide::arrow::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use nisi::decide::arrow::{
    Array, ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, LargeStringArray, NullArray, PrimitiveArray,
    RecordBatch, StringArray, StringViewArray,
};
use nisi::decide::{Answers, Raw};
use nisi::words::Verb;
use proptest::prelude::*;
use proptest::sample::select;

use crate::records::POLICY as POLICY_OF_RECORDS;

/// One fact of each type, and guards and waits that look at some of them.
static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    // Wider loads, and a row for what is unknown.
    let full = "| full | - | unknown | - | - | - | - | >= 200 | - | review f |\n| again |";
    let text = POLICY_OF_RECORDS.replace("integer -5..5", "integer -5..300").replace("| again |", full);
    Policy::compile(&text).unwrap_or_else(|found| panic!("{found}"))
});

/// How a column's numbers are held.
const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
const DURATIONS: [&str; 5] = ["s", "ms", "us", "ns", "u32"];
const TIMES: [&str; 4] = ["s", "ms", "us", "ns"];
const STRINGS: [&str; 11] =
    ["utf8", "large", "view", "by i8", "by i16", "by i32", "by i64", "by u8", "by u16", "by u32", "by u64"];

/// A column: its fact, an array, and what a caller would write for each entry.
#[derive(Debug, Clone)]
struct Column {
    fact: &'static str,
    array: ArrayRef,
    given: Vec<Option<Raw>>,
}

/// Makes an array of one kind.
type Make = fn(&str, &[Option<i64>]) -> ArrayRef;

/// Numbers as an array of integers, durations or timestamps.
fn primitives<T: ArrowPrimitiveType>(numbers: &[Option<i64>]) -> PrimitiveArray<T>
where
    T::Native: TryFrom<i64>,
{
    let native = |n: i64| T::Native::try_from(n).ok().expect("a number that fits its array");
    numbers.iter().map(|n| n.map(native)).collect()
}

fn integers(of: &str, numbers: &[Option<i64>]) -> ArrayRef {
    match of {
        "i8" => Arc::new(primitives::<Int8Type>(numbers)),
        "i16" => Arc::new(primitives::<Int16Type>(numbers)),
        "i32" => Arc::new(primitives::<Int32Type>(numbers)),
        "i64" => Arc::new(primitives::<Int64Type>(numbers)),
        "u8" => Arc::new(primitives::<UInt8Type>(numbers)),
        "u16" => Arc::new(primitives::<UInt16Type>(numbers)),
        "u32" => Arc::new(primitives::<UInt32Type>(numbers)),
        _ => Arc::new(primitives::<UInt64Type>(numbers)),
    }
}

/// Whole seconds as durations; the array's unit is finer or as fine.
fn durations(of: &str, seconds: &[Option<i64>]) -> ArrayRef {
    let times = |n: i64| -> Vec<_> { seconds.iter().map(|s| s.map(|s| s * n)).collect() };
    match of {
        "s" => Arc::new(primitives::<DurationSecondType>(seconds)),
        "ms" => Arc::new(primitives::<DurationMillisecondType>(&times(1_000))),
        "us" => Arc::new(primitives::<DurationMicrosecondType>(&times(1_000_000))),
        "ns" => Arc::new(primitives::<DurationNanosecondType>(&times(1_000_000_000))),
        _ => integers(of, &times(1_000)),
    }
}

fn instants(of: &str, seconds: &[Option<i64>]) -> ArrayRef {
    let times = |n: i64| -> Vec<_> { seconds.iter().map(|s| s.map(|s| s * n)).collect() };
    match of {
        "s" => Arc::new(primitives::<TimestampSecondType>(seconds).with_timezone("+00:00")),
        "ms" => Arc::new(primitives::<TimestampMillisecondType>(&times(1_000)).with_timezone("+02:00")),
        "us" => Arc::new(primitives::<TimestampMicrosecondType>(&times(1_000_000)).with_timezone("UTC")),
        _ => Arc::new(primitives::<TimestampNanosecondType>(&times(1_000_000_000)).with_timezone("+00:00")),
    }
}

/// The key of each entry and whether it is known, and what the keys stand for. Of what is not known the key may be anything.
#[derive(Debug, Clone)]
struct Keyed<'a> {
    keys: Vec<(bool, u8)>,
    values: Vec<Option<&'a str>>,
}

impl<'a> Keyed<'a> {
    /// Keys of which each stands for one of no more than 127 texts.
    fn each_once(texts: &[Option<&'a str>]) -> Self {
        let mut values: Vec<Option<&str>> = Vec::new();
        let mut key = |text: Option<&'a str>| {
            let known = values.iter().position(|value| text.is_some() && *value == text);
            known.unwrap_or_else(|| {
                values.extend(text.map(Some));
                values.len().saturating_sub(1)
            }) as u8
        };
        Keyed { keys: texts.iter().map(|text| (text.is_some(), key(*text))).collect(), values }
    }

    fn texts(&self) -> Vec<Option<&'a str>> {
        let text = |(known, key): &(bool, u8)| self.values.get(usize::from(*key)).copied().flatten().filter(|_| *known);
        self.keys.iter().map(text).collect()
    }

    fn dictionary<K: ArrowDictionaryKeyType>(&self) -> ArrayRef
    where
        K::Native: TryFrom<u8>,
    {
        let key = |key: u8| K::Native::try_from(key).ok().expect("a key that fits its array");
        let known: Vec<bool> = self.keys.iter().map(|(known, _)| *known).collect();
        let nulls = known.contains(&false).then(|| known.into());
        let keys = PrimitiveArray::<K>::new(self.keys.iter().map(|(_, of)| key(*of)).collect(), nulls);
        Arc::new(DictionaryArray::try_new(keys, Arc::new(StringArray::from_iter(&self.values))).unwrap())
    }

    fn array(&self, of: &str) -> ArrayRef {
        match of {
            "utf8" => Arc::new(StringArray::from_iter(self.texts())),
            "large" => Arc::new(LargeStringArray::from_iter(self.texts())),
            "view" => Arc::new(StringViewArray::from_iter(self.texts())),
            "by i8" => self.dictionary::<Int8Type>(),
            "by i16" => self.dictionary::<Int16Type>(),
            "by i32" => self.dictionary::<Int32Type>(),
            "by i64" => self.dictionary::<Int64Type>(),
            "by u8" => self.dictionary::<UInt8Type>(),
            "by u16" => self.dictionary::<UInt16Type>(),
            "by u32" => self.dictionary::<UInt32Type>(),
            _ => self.dictionary::<UInt64Type>(),
        }
    }
}

/// So many entries among some, nulls in all, some or none of them.
fn entries<T: Clone + std::fmt::Debug + 'static>(among: Vec<T>, n: usize) -> impl Strategy<Value = Vec<Option<T>>> {
    let nulls = select(vec![0.0, 0.3, 1.0]);
    nulls.prop_flat_map(move |nulls| {
        let known = proptest::bool::weighted(1.0 - nulls);
        let entry = (known, select(among.clone())).prop_map(|(known, entry)| known.then_some(entry));
        proptest::collection::vec(entry, n)
    })
}

/// A column of texts that are written as they stand.
fn texts(fact: &'static str, among: &[&'static str], n: usize) -> BoxedStrategy<Column> {
    let column = move |(of, texts): (&str, Vec<Option<&str>>)| Column {
        fact,
        array: Keyed::each_once(&texts).array(of),
        given: texts.iter().map(|text| text.map(|text| Raw::Text(text.into()))).collect(),
    };
    (select(&STRINGS[..]), entries(among.to_vec(), n)).prop_map(column).boxed()
}

/// A column of numbers, made by one of some kinds of arrays, and written with a unit behind them.
fn numbers(
    fact: &'static str,
    (kinds, make): (&'static [&'static str], Make),
    (among, unit): (Vec<i64>, &'static str),
    n: usize,
) -> BoxedStrategy<Column> {
    let column = move |(of, numbers): (&str, Vec<Option<i64>>)| Column {
        fact,
        array: make(of, &numbers),
        given: numbers.iter().map(|n| n.map(|n| Raw::Plain(format!("{n}{unit}")))).collect(),
    };
    (select(kinds), entries(among, n)).prop_map(column).boxed()
}

fn keyed(n: usize) -> BoxedStrategy<Column> {
    let column = |flags: Vec<Option<bool>>| Column {
        fact: "keyed",
        given: flags.iter().map(|flag| flag.map(Raw::Bool)).collect(),
        array: Arc::new(BooleanArray::from(flags)),
    };
    prop_oneof![entries(vec![false, true], n).prop_map(column), texts("keyed", &["no", "yes"], n)].boxed()
}

fn price(n: usize) -> BoxedStrategy<Column> {
    let column = |cents: Vec<Option<i128>>| Column {
        fact: "price",
        given: cents.iter().map(|n| n.map(|n| Raw::Plain(format!("{}.{:02}", n / 100, n % 100)))).collect(),
        array: Arc::new(Decimal128Array::from(cents).with_precision_and_scale(12, 2).unwrap()),
    };
    let whole = numbers("price", (&INTEGERS, integers), (vec![0, 9, 10, 11], ""), n);
    // Of more different values than keys have room for.
    let many = entries((0..2_000).collect(), n).prop_map(column);
    prop_oneof![many, whole, texts("price", &["0", "9.99", "10", "10.01"], n)].boxed()
}

fn since(n: usize) -> BoxedStrategy<Column> {
    let around_new_year = vec![
        (1_767_225_599, "2025-12-31T23:59:59Z"),
        (1_767_225_600, "2026-01-01T00:00:00Z"),
        (1_767_225_601, "2026-01-01T00:00:01Z"),
    ];
    let column = |(of, times): (&str, Vec<Option<(i64, &str)>>)| Column {
        fact: "since",
        array: instants(of, &times.iter().map(|time| time.map(|(seconds, _)| seconds)).collect::<Vec<_>>()),
        given: times.iter().map(|time| time.map(|(_, written)| Raw::Text(written.into()))).collect(),
    };
    (select(&TIMES[..]), entries(around_new_year, n)).prop_map(column).boxed()
}

/// A column of each fact.
fn columns(n: usize) -> impl Strategy<Value = Vec<Column>> {
    let of = [
        texts("region", &["eu", "us", "asia", "none"], n),
        keyed(n),
        price(n),
        since(n),
        texts("build", &["1.9", "2", "2.0.1"], n),
        texts("title", &["a", "b", "", "unknown"], n),
        prop_oneof![
            numbers("load", (&INTEGERS, integers), (vec![0, 1, 5, 127], ""), n),
            numbers("load", (&INTEGERS[..4], integers), (vec![-5, -1, 0, 100], ""), n),
            numbers("load", (&INTEGERS[5..], integers), (vec![199, 200, 201, 255], ""), n)
        ]
        .boxed(),
        prop_oneof![
            numbers("deadline", (&DURATIONS, durations), (vec![0, 1, 2, 19, 20, 500], "s"), n),
            texts("deadline", &["0ms", "199ms", "2s", "20s"], n)
        ]
        .boxed(),
        texts("condition", &["timeout", "rejected"], n),
        numbers("budget", (&INTEGERS, integers), (vec![0, 1, 3], ""), n),
        numbers("attempt", (&INTEGERS, integers), (vec![1, 2, 3], ""), n),
        texts("authorization", &["current", "stale"], n),
    ];
    let nothing = (select(vec!["effect", "tools"]), Just(n)).prop_map(|(fact, n)| Column {
        fact,
        array: Arc::new(NullArray::new(n)),
        given: vec![None; n],
    });
    (proptest::collection::vec(any::<bool>(), of.len()), of, nothing).prop_map(|(left_out, of, nothing)| {
        let kept = of.into_iter().zip(left_out).filter(|(column, out)| !out || column.fact == "condition");
        kept.map(|(column, _)| column).chain([nothing]).collect()
    })
}

/// Prices as texts, with room for more different ones than a byte; the others cannot be read.
static PRICES: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..2_000).map(|i| format!("{}.{:02}", i / 100, i % 100)).collect());
const NO_PRICES: [&str; 4] = ["much", "-1", "0.001", ""];

/// Keys of texts that may be a price, and of some that may not; more of either than the entries have.
fn keyed_prices() -> impl Strategy<Value = Keyed<'static>> {
    let price = select(PRICES.iter().map(|price| Some(price.as_str())).collect::<Vec<_>>());
    let value = prop_oneof![
        20 => price,
        2 => Just(None),
        1 => Just(Some("unknown")),
        1 => select(NO_PRICES.map(Some).to_vec()),
    ];
    let values =
        prop_oneof![proptest::collection::vec(value.clone(), 0..6), proptest::collection::vec(value, 100..128)];
    (values, 0..300usize, select(vec![0.0, 0.1, 1.0])).prop_flat_map(|(values, n, nulls)| {
        let (n_values, nulls) = (values.len() as u8, if values.is_empty() { 1.0 } else { nulls });
        // Few keys of the many, so that most values have no entry.
        let few = select(vec![3, 128u8]).prop_map(move |most| most.min(n_values).max(1));
        let keys = few.prop_flat_map(move |few| {
            let key = (proptest::bool::weighted(1.0 - nulls), 0..few, any::<u8>());
            let key = key.prop_map(|(known, key, any)| (known, if known { key } else { any % 128 }));
            proptest::collection::vec(key, n)
        });
        keys.prop_map(move |keys| Keyed { keys, values: values.clone() })
    })
}

/// Holds the answers of a batch to those of its facts one by one.
fn hold(records: &RecordBatch, given: impl Fn(usize) -> Vec<(String, Raw)>) -> Result<(), TestCaseError> {
    let policy = &*POLICY;
    // What cannot be read is told by the first entry that has it.
    let read: Result<Vec<_>, String> = (0..records.num_rows())
        .map(|i| policy.read_facts(given(i)).map_err(|errors| format!("entry {i}: {}", errors[0])))
        .collect();
    let facts = policy.read_records(records).map_err(|error| error.to_string());
    let (each, facts) = match (read, facts) {
        (Ok(each), Ok(facts)) => (each, facts),
        (each, facts) => {
            prop_assert_eq!(each.map(|_| ()), facts.map(|_| ()));
            return Ok(());
        }
    };
    let mut answers = Answers::default();
    policy.decide_batch(&facts.columns(), &mut answers).unwrap();
    prop_assert_eq!(answers.len(), each.len());
    let told = answers.to_records(policy).unwrap();
    let (actions, rows) = (told.column(0).as_dictionary::<Int8Type>(), told.column(1).as_dictionary::<Int32Type>());
    let waits = [2, 3].map(|column| told.column(column).as_primitive::<UInt64Type>());
    for (i, one) in each.iter().enumerate() {
        let decision = policy.decide(one);
        let row = policy.row(answers.rows()[i]).map(|row| row.to_string());
        prop_assert_eq!(answers.verbs()[i], decision.verb());
        prop_assert_eq!(&row, &decision.row_name());
        let bounds = (decision.verb() == Verb::Retry).then(|| answers.wait_bounds_ms()[i]);
        prop_assert_eq!(bounds, decision.wait_bounds_ms());

        let name =
            |keys: Option<usize>, values: &ArrayRef| keys.map(|key| values.as_string::<i32>().value(key).to_string());
        prop_assert_eq!(name(actions.key(i), actions.values()), Some(decision.verb().as_str().to_string()));
        prop_assert_eq!(name(rows.key(i), rows.values()), row);
        let [min, max] = waits.map(|waits| waits.is_valid(i).then(|| waits.value(i)));
        prop_assert_eq!(min.zip(max), bounds);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn a_record_batch_answers_as_its_facts_one_by_one(
        (columns, from, n) in (0usize..70).prop_flat_map(|n| (columns(n), 0..=n)).prop_map(|(columns, from)| {
            let n = columns[0].given.len() - from;
            (columns, from, n / 2 + n % 2)
        })
    ) {
        let fields = columns.iter().map(|column| (column.fact, column.array.clone(), true));
        let records = RecordBatch::try_from_iter_with_nullable(fields).unwrap().slice(from, n);
        hold(&records, |i| {
            columns.iter().filter_map(|it| Some((it.fact.to_string(), it.given[from + i].clone()?))).collect()
        })?;
    }

    #[test]
    fn of_a_dictionary_only_what_an_entry_has_is_read(
        keyed in keyed_prices(),
        of in select(&STRINGS[..]),
        from in any::<proptest::sample::Index>(),
    ) {
        let texts = keyed.texts();
        let from = from.index(texts.len() + 1);
        let n = (texts.len() - from).div_ceil(2);
        let fields = [("price", keyed.array(of), true)];
        let records = RecordBatch::try_from_iter_with_nullable(fields).unwrap().slice(from, n);
        hold(&records, |i| texts[from + i].map(|text| ("price".to_string(), Raw::Text(text.into()))).into_iter().collect())?;
    }
}
