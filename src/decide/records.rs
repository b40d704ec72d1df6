//! Arrow record batches: facts of many questions in, answers out.
//!
//! Takes a batch whose columns are named as facts; gives [`Columns`] over what it holds. A null is unknown. Whole numbers and
//! flags stay columns; of all else each different value is read once, by the rules of [`Policy::read_facts`]. Nothing is
//! rounded: a time finer than a millisecond is an error, as are floats. The format: Apache Arrow columnar format 1.5.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    self, ArrowPrimitiveType, Decimal128Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use crate::model::{Fact, FactId, NumberKind, NumberType, Type, Value};
use crate::words::Verb;

use super::batch::Answers;
use super::columns::{Column, ColumnError, Columns, Entries};
use super::intake::{Raw, held, read_value};
use super::{FactError, Policy};

/// The crate that record batches come from, in the version that [`RecordFacts`] takes.
pub use arrow_array as arrow;

/// Facts of many questions, read from a record batch; [`Policy::read_records`] makes them.
///
/// ```
/// use std::sync::Arc;
/// use nisi::decide::arrow::{ArrayRef, RecordBatch, StringArray, UInt32Array};
/// let policy = nisi::Policy::compile("policy a
/// version 1
/// fact region : eu, us
/// fact left : duration
/// table t, first row wins
/// | row | region | left | => action |
/// | soon | eu | >= 2s | stop |
/// | rest | - | - | review desk |
/// ")?;
/// let region: ArrayRef = Arc::new(StringArray::from(vec![Some("eu"), None, Some("us")]));
/// let left: ArrayRef = Arc::new(UInt32Array::from(vec![2_000, 9_000, 9_000]));
/// let facts = policy.read_records(&RecordBatch::try_from_iter([("region", region), ("left", left)])?)?;
///
/// let mut answers = nisi::decide::Answers::default();
/// policy.decide_batch(&facts.columns(), &mut answers)?;
/// let records = answers.to_records(&policy)?;
/// assert_eq!(records.schema().fields().iter().map(|f| f.name().as_str()).collect::<Vec<_>>(),
///     ["action", "row", "wait_min_ms", "wait_max_ms"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RecordFacts {
    policy: Policy,
    len: usize,
    columns: Vec<Held>,
}

/// What is wrong with a record batch. See [`RecordFacts`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A fact that there is not, or a value that a fact cannot have.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// An array that cannot stand for its fact.
    #[error("column `{name}` is of type {is}; it takes {takes}")]
    Array {
        /// The fact.
        name: String,
        /// The type of the array.
        is: String,
        /// What the fact takes.
        takes: &'static str,
    },
}

/// One column of a batch.
#[derive(Debug, Clone)]
struct Held {
    fact: FactId,
    entries: Own,
    known: Option<Vec<bool>>,
}

/// Its entries.
#[derive(Debug, Clone)]
enum Own {
    /// Different values, at most 255 of them, and the place of each entry's.
    Words(Vec<Value>, Vec<u8>),
    Values(Vec<Value>),
    U32(Vec<u32>, NumberType),
    U64(Vec<u64>, NumberType),
    I64(Vec<i64>, NumberType),
}

impl Policy {
    /// The facts of a record batch, one question a row: see [`RecordFacts`]. A fact without a column is unknown, and so is a
    /// null.
    ///
    /// Choices, flags, texts, durations, decimals, instants and versions come as strings, plain or in a dictionary, as
    /// [`read_facts`](Self::read_facts) takes texts; flags also as booleans; counts and integers as integers of any width; durations also as
    /// integers of milliseconds or as Arrow's durations; decimals also as `Decimal128`; instants also as timestamps with a time
    /// zone. A column `parity` stands for every parity that has none of its own.
    ///
    /// # Errors
    /// A column that is no fact, an array of another type, the first value that a fact cannot have.
    pub fn read_records(&self, records: &RecordBatch) -> Result<RecordFacts, RecordError> {
        let mut facts = RecordFacts { policy: self.clone(), len: records.num_rows(), columns: Vec::new() };
        let mut for_all = None;
        for (field, array) in records.schema().fields().iter().zip(records.columns()) {
            let handles = self.read_fact(field.name(), &Raw::Null).map_err(ColumnError::from)?;
            let first = handles.first().map(|(handle, _)| handle.fact);
            match first {
                Some(fact) if *self.head().fact(fact).name == **field.name() => facts.add(fact, array)?,
                _ if for_all.is_none() => for_all = Some((handles, array)),
                _ => return Err(ColumnError::Twice { name: field.name().clone() }.into()),
            }
        }
        let (handles, array) = for_all.unzip();
        for (handle, _) in handles.unwrap_or_default() {
            if let Some(array) = array.filter(|_| facts.columns.iter().all(|other| other.fact != handle.fact)) {
                facts.add(handle.fact, array)?;
            }
        }
        Ok(facts)
    }
}

impl RecordFacts {
    /// The columns, for [`Policy::decide_batch`] of the policy that they were read for.
    pub fn columns(&self) -> Columns<'_> {
        let mut columns = self.policy.columns(self.len);
        columns.all.extend(self.columns.iter().map(|held| Column {
            fact: held.fact,
            entries: held.entries.entries(),
            known: held.known.as_deref(),
        }));
        columns
    }

    fn add(&mut self, fact: FactId, array: &ArrayRef) -> Result<(), RecordError> {
        if self.columns.iter().any(|other| other.fact == fact) {
            return Err(ColumnError::Twice { name: self.policy.head().fact(fact).name.to_string() }.into());
        }
        let entries = Reading { fact: self.policy.head().fact(fact), array }.entries()?;
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        let known = nulls.map(|nulls| nulls.iter().collect());
        self.columns.push(Held { fact, entries, known });
        Ok(())
    }
}

impl Own {
    /// So many entries of which nothing is known.
    fn unknown(n: usize) -> Own {
        Own::Words(vec![Value::Unknown], vec![0; n])
    }

    fn entries(&self) -> Entries<'_> {
        match self {
            Own::Words(values, places) => Entries::Words { values: values.clone(), places },
            Own::Values(values) => Entries::Values(values),
            Own::U32(n, ty) => Entries::Numbers { numbers: n.into(), ty: *ty },
            Own::U64(n, ty) => Entries::Numbers { numbers: n.into(), ty: *ty },
            Own::I64(n, ty) => Entries::Numbers { numbers: n.into(), ty: *ty },
        }
    }
}

/// Reads one array for one fact.
struct Reading<'a> {
    fact: &'a Fact,
    array: &'a ArrayRef,
}

impl Reading<'_> {
    fn entries(&self) -> Result<Own, RecordError> {
        let array = self.array;
        // Of a dictionary without values all entries are null, and it has no keys to be read.
        let dictionary = array.as_any_dictionary_opt();
        if *array.data_type() == DataType::Null || dictionary.is_some_and(|it| it.values().is_empty()) {
            return Ok(Own::unknown(array.len()));
        }
        if let Some(dictionary) = dictionary {
            let (keys, values) = (dictionary.normalized_keys(), self.with(dictionary.values()));
            let n = dictionary.values().len();
            return self.coded(|i| keys.get(i).copied().unwrap_or(n), |key| values.value(*key));
        }
        let whole = match &self.fact.ty {
            Type::Number(ty) if matches!(ty.kind, NumberKind::Count | NumberKind::Integer | NumberKind::Duration) => {
                Some(ty)
            }
            _ => None,
        };
        match (array.data_type(), whole) {
            (DataType::UInt8, Some(ty)) => return Ok(Own::U32(widened::<UInt8Type, _>(array), *ty)),
            (DataType::UInt16, Some(ty)) => return Ok(Own::U32(widened::<UInt16Type, _>(array), *ty)),
            (DataType::UInt32, Some(ty)) => return Ok(Own::U32(widened::<UInt32Type, _>(array), *ty)),
            (DataType::UInt64, Some(ty)) => return Ok(Own::U64(widened::<UInt64Type, _>(array), *ty)),
            (DataType::Int8, Some(ty)) => return Ok(Own::I64(widened::<Int8Type, _>(array), *ty)),
            (DataType::Int16, Some(ty)) => return Ok(Own::I64(widened::<Int16Type, _>(array), *ty)),
            (DataType::Int32, Some(ty)) => return Ok(Own::I64(widened::<Int32Type, _>(array), *ty)),
            (DataType::Int64, Some(ty)) => return Ok(Own::I64(widened::<Int64Type, _>(array), *ty)),
            _ => {}
        }
        match array.data_type() {
            DataType::Utf8 => self.coded(|i| array.as_string::<i32>().value(i), |text| self.text(text)),
            DataType::LargeUtf8 => self.coded(|i| array.as_string::<i64>().value(i), |text| self.text(text)),
            DataType::Utf8View => self.coded(|i| array.as_string_view().value(i), |text| self.text(text)),
            _ => self.coded(|i| i, |i| self.value(*i)),
        }
    }

    /// The same fact, read from another array.
    fn with<'b>(&'b self, array: &'b ArrayRef) -> Reading<'b> {
        Reading { fact: self.fact, array }
    }

    /// Reads each different entry once; what is null is not looked at.
    fn coded<K: std::hash::Hash + Eq>(
        &self,
        entry: impl Fn(usize) -> K,
        value: impl Fn(&K) -> Result<Value, Wrong>,
    ) -> Result<Own, RecordError> {
        let nulls = self.array.logical_nulls();
        let (mut places, mut values) = (Vec::with_capacity(self.array.len()), Vec::new());
        let mut known: HashMap<K, u32> = HashMap::new();
        let mut place_of: HashMap<Value, u32> = HashMap::new();
        for i in 0..self.array.len() {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(i)) {
                places.push(0);
                continue;
            }
            let key = entry(i);
            if let Some(place) = known.get(&key) {
                places.push(*place);
                continue;
            }
            let value = value(&key).map_err(|wrong| self.error(i, wrong))?;
            let place = *place_of.entry(value).or_insert_with_key(|value| {
                values.push(value.clone());
                values.len() as u32 - 1
            });
            known.insert(key, place);
            places.push(place);
        }
        Ok(match values.len() {
            0 => Own::unknown(places.len()),
            1..=255 => Own::Words(values, places.iter().map(|place| *place as u8).collect()),
            _ => Own::Values(places.iter().map(|place| values[*place as usize].clone()).collect()),
        })
    }

    /// One entry of an array of no strings.
    fn value(&self, i: usize) -> Result<Value, Wrong> {
        let array = self.array;
        let kind = if let Type::Number(ty) = &self.fact.ty { Some(ty.kind) } else { None };
        match (array.data_type(), kind) {
            (DataType::Utf8, _) => self.text(array.as_string::<i32>().value(i)),
            (DataType::LargeUtf8, _) => self.text(array.as_string::<i64>().value(i)),
            (DataType::Utf8View, _) => self.text(array.as_string_view().value(i)),
            (DataType::Boolean, _) => self.raw(&Raw::Bool(array.as_boolean().value(i))),
            (DataType::Duration(unit), Some(NumberKind::Duration)) => self.time(i, *unit, 1_000_000),
            (DataType::Timestamp(unit, Some(_)), Some(NumberKind::Instant)) => self.time(i, *unit, 1),
            (DataType::Decimal128(..), Some(_)) => {
                self.raw(&Raw::Number(array.as_primitive::<Decimal128Type>().value_as_string(i)))
            }
            (ty, _) if ty.is_integer() => {
                self.raw(&Raw::Number(integer(array, i).map_or_else(String::new, |n| n.to_string())))
            }
            _ => Err(Wrong::Array),
        }
    }

    fn text(&self, text: &str) -> Result<Value, Wrong> {
        self.raw(&Raw::Text(text.into()))
    }

    fn raw(&self, raw: &Raw) -> Result<Value, Wrong> {
        read_value(self.fact, raw).map_err(Wrong::Entry)
    }

    /// A time in ticks of so many nanoseconds.
    fn time(&self, i: usize, unit: TimeUnit, tick: i128) -> Result<Value, Wrong> {
        let (own, name) = match unit {
            TimeUnit::Second => (1_000_000_000, "s"),
            TimeUnit::Millisecond => (1_000_000, "ms"),
            TimeUnit::Microsecond => (1_000, "us"),
            TimeUnit::Nanosecond => (1, "ns"),
        };
        let (Type::Number(ty), Some(n)) = (&self.fact.ty, integer(self.array, i)) else { return Err(Wrong::Array) };
        if n * own % tick != 0 {
            let have = format!("{n}{name}, which is no whole number of milliseconds");
            return Err(Wrong::Entry(FactError::wrong_kind(self.fact, have)));
        }
        held(self.fact, ty, n * own / tick).map_err(Wrong::Entry)
    }

    fn error(&self, entry: usize, wrong: Wrong) -> RecordError {
        match wrong {
            Wrong::Entry(error) => ColumnError::entry(entry, error).into(),
            Wrong::Array => RecordError::Array {
                name: self.fact.name.to_string(),
                is: self.array.data_type().to_string(),
                takes: match &self.fact.ty {
                    Type::Choice { flag: true, .. } => "booleans, or strings",
                    Type::Text | Type::Choice { .. } => "strings",
                    Type::Number(ty) => match ty.kind {
                        NumberKind::Count | NumberKind::Integer => "integers",
                        NumberKind::Duration => "durations, integers of milliseconds, or strings",
                        NumberKind::Decimal => "decimals of 128 bits, integers, or strings",
                        NumberKind::Instant => "timestamps with a time zone, or strings",
                        NumberKind::Version => "strings",
                    },
                },
            },
        }
    }
}

/// What is wrong with an entry.
enum Wrong {
    Entry(FactError),
    /// The array's type cannot stand for the fact.
    Array,
}

/// The numbers of an array, widened.
fn widened<A: ArrowPrimitiveType, T: From<A::Native>>(array: &ArrayRef) -> Vec<T> {
    array.as_primitive::<A>().values().iter().map(|n| T::from(*n)).collect()
}

/// One number of an array of integers, durations or timestamps.
fn integer(array: &ArrayRef, i: usize) -> Option<i128> {
    macro_rules! of {
        ($($ty:ident),*) => {$(
            if let Some(array) = array.as_primitive_opt::<types::$ty>() {
                return Some(array.value(i).into());
            }
        )*};
    }
    of!(Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type);
    of!(DurationSecondType, DurationMillisecondType, DurationMicrosecondType, DurationNanosecondType);
    of!(TimestampSecondType, TimestampMillisecondType, TimestampMicrosecondType, TimestampNanosecondType);
    None
}

impl Answers {
    /// The answers as a record batch, one row a question: `action`, `row` (`table/row`; null where none answers),
    /// `wait_min_ms` and `wait_max_ms` (null where nothing is retried). See [`RecordFacts`].
    ///
    /// # Errors
    /// Rows that the policy does not have: the answers are another's.
    pub fn to_records(&self, policy: &Policy) -> Result<RecordBatch, ArrowError> {
        let verbs = StringArray::from_iter_values(Verb::ALL.iter().map(|verb| verb.as_str()));
        let keys = self.verbs().iter().map(|verb| *verb as i8);
        let actions = DictionaryArray::<Int8Type>::try_new(keys.collect(), Arc::new(verbs))?;

        let (mut names, mut places) = (Vec::new(), HashMap::new());
        let mut key = |row: u32| -> Result<Option<i32>, ArrowError> {
            if row == Answers::NO_ROW {
                return Ok(None);
            }
            let next = i32::try_from(names.len()).map_err(|_| ArrowError::DictionaryKeyOverflowError)?;
            let place = *places.entry(row).or_insert(next);
            if place == next {
                let missing = || format!("the policy has no row {row}: these answers are another's");
                let row = policy.row(row).ok_or_else(|| ArrowError::InvalidArgumentError(missing()))?;
                names.push(row.to_string());
            }
            Ok(Some(place))
        };
        let keys = self.rows().iter().map(|row| key(*row)).collect::<Result<PrimitiveArray<Int32Type>, _>>()?;
        let rows = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(StringArray::from(names)))?;

        let waits = |of: fn(&(u64, u64)) -> u64| -> ArrayRef {
            let wait =
                |(i, verb): (usize, &Verb)| (*verb == Verb::Retry).then(|| self.wait_bounds_ms().get(i).map(of))?;
            Arc::new(self.verbs().iter().enumerate().map(wait).collect::<UInt64Array>())
        };
        let columns: [(&str, ArrayRef, bool); 4] = [
            ("action", Arc::new(actions), false),
            ("row", Arc::new(rows), true),
            ("wait_min_ms", waits(|bounds| bounds.0), true),
            ("wait_max_ms", waits(|bounds| bounds.1), true),
        ];
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}
