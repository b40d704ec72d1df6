//! One array of a record batch, read for its fact.
//!
//! Takes an array of any type; gives the entries of a column, and which of them are known. Whole numbers stay as they are, or
//! are widened; booleans become flags. Of all else each different value is read once, by the rules of
//! [`Policy::read_facts`](super::Policy::read_facts): of a dictionary each that an entry has, and what none has is not looked at.
//! Nothing is rounded: a time finer than a millisecond is an error, as are floats.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    self, ArrowDictionaryKeyType, ArrowPrimitiveType, Decimal128Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};
use rustc_hash::FxBuildHasher;

use crate::model::{Fact, NumberKind, Type, Value};

use super::FactError;
use super::columns::ColumnError;
use super::intake::{Raw, held, read_value};
use super::records::{Own, RecordError};

/// Reads one array for one fact.
pub(super) struct Reading<'a> {
    fact: &'a Fact,
    array: &'a ArrayRef,
    /// Which of its entries are known, where some are not. A null among the values of a dictionary
    /// is a value that is unknown.
    known: Option<Vec<bool>>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(fact: &'a Fact, array: &'a ArrayRef) -> Self {
        let is_dictionary = matches!(array.data_type(), DataType::Dictionary(..));
        let nulls = if is_dictionary { array.nulls().cloned() } else { array.logical_nulls() };
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let known = nulls.map(|nulls| spread(nulls.inner().bit_chunks().iter_padded(), nulls.len()));
        Reading { fact, array, known }
    }

    /// The entries, and which of them are known; where nothing is said of that, all are.
    pub(super) fn entries(self) -> Result<(Own, Option<Vec<bool>>), RecordError> {
        let entries = self.own()?;
        Ok((entries, self.known))
    }

    fn own(&self) -> Result<Own, RecordError> {
        let array = self.array;
        match array.data_type() {
            DataType::Null => Ok(Own::unknown(array.len())),
            DataType::Dictionary(keys, _) => match **keys {
                DataType::Int8 => self.by_keys::<Int8Type>(),
                DataType::Int16 => self.by_keys::<Int16Type>(),
                DataType::Int32 => self.by_keys::<Int32Type>(),
                DataType::Int64 => self.by_keys::<Int64Type>(),
                DataType::UInt8 => self.by_keys::<UInt8Type>(),
                DataType::UInt16 => self.by_keys::<UInt16Type>(),
                DataType::UInt32 => self.by_keys::<UInt32Type>(),
                _ => self.by_keys::<UInt64Type>(),
            },
            DataType::Boolean => self.booleans(),
            DataType::Utf8 => {
                let texts = array.as_string::<i32>();
                self.coded(|i| texts.value(i))
            }
            DataType::LargeUtf8 => {
                let texts = array.as_string::<i64>();
                self.coded(|i| texts.value(i))
            }
            DataType::Utf8View => {
                let texts = array.as_string_view();
                self.coded(|i| texts.value(i))
            }
            DataType::Decimal128(..) => {
                let numbers = array.as_primitive::<Decimal128Type>().values();
                self.coded(|i| numbers[i])
            }
            _ => {
                if let Some(numbers) = self.whole() {
                    return Ok(numbers);
                }
                match integers(array) {
                    Some(numbers) => self.coded(|i| numbers[i]),
                    None => self.coded(|i| i),
                }
            }
        }
    }

    /// Integers as they are, where they are what the fact is.
    fn whole(&self) -> Option<Own> {
        let (array, Type::Number(ty)) = (self.array, &self.fact.ty) else { return None };
        if !matches!(ty.kind, NumberKind::Count | NumberKind::Integer | NumberKind::Duration) {
            return None;
        }
        Some(match array.data_type() {
            DataType::UInt8 => Own::U32(widened::<UInt8Type, _>(array), *ty),
            DataType::UInt16 => Own::U32(widened::<UInt16Type, _>(array), *ty),
            DataType::UInt32 => Own::U32(array.as_primitive().clone(), *ty),
            DataType::UInt64 => Own::U64(array.as_primitive().clone(), *ty),
            DataType::Int8 => Own::I64(widened::<Int8Type, _>(array), *ty),
            DataType::Int16 => Own::I64(widened::<Int16Type, _>(array), *ty),
            DataType::Int32 => Own::I64(widened::<Int32Type, _>(array), *ty),
            DataType::Int64 => Own::I64(array.as_primitive().clone(), *ty),
            _ => return None,
        })
    }

    /// Booleans as flags, where the fact has a value for both.
    fn booleans(&self) -> Result<Own, RecordError> {
        let bits = self.array.as_boolean().values();
        let flags = spread(bits.bit_chunks().iter_padded(), bits.len());
        match [false, true].map(|yes| self.raw(&Raw::Bool(yes))) {
            [Ok(no), Ok(yes)] => Ok(Own::Flags(vec![no, yes], flags)),
            _ => self.coded(|i| flags[i]),
        }
    }

    /// Reads each value of a dictionary that an entry has, at the first one that has it.
    fn by_keys<K: ArrowDictionaryKeyType>(&self) -> Result<Own, RecordError>
    where
        usize: TryFrom<K::Native>,
    {
        let dictionary = self.array.as_dictionary::<K>();
        let (keys, of_values) = (dictionary.keys().values(), dictionary.values());
        // Of a dictionary without values all entries are null. Where an entry is null, its key may be anything.
        let Some(last) = of_values.len().checked_sub(1) else { return Ok(Own::unknown(keys.len())) };
        let at = |key: &K::Native| usize::try_from(*key).unwrap_or(last).min(last);
        let values = Reading { fact: self.fact, array: of_values, known: None };
        let nulls = of_values.logical_nulls();
        let mut different = Different::default();
        let (mut places, mut n_unread) = (vec![None; of_values.len()], of_values.len());
        for (i, key) in keys.iter().map(at).enumerate() {
            if n_unread == 0 {
                break;
            }
            if places[key].is_none() && self.is_known(i) {
                let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(key));
                let value = if is_null { Ok(Value::Unknown) } else { values.value(key) };
                places[key] = Some(different.place(value.map_err(|wrong| self.error(i, wrong))?));
                n_unread -= 1;
            }
        }
        let places: Vec<u32> = places.into_iter().map(Option::unwrap_or_default).collect();
        Ok(different.own(self.fact, keys.iter().map(|key| places[at(key)])))
    }

    fn is_known(&self, entry: usize) -> bool {
        self.known.as_ref().is_none_or(|known| known[entry])
    }

    /// Reads each different entry once, told by something that is cheap to compare; what is null is not looked at.
    fn coded<K: Hash + Eq + Copy>(&self, entry: impl Fn(usize) -> K) -> Result<Own, RecordError> {
        let (mut different, mut places) = (Different::default(), Vec::with_capacity(self.array.len()));
        let mut seen: HashMap<K, u32> = HashMap::new();
        // Where each entry is looked for first, by a hash that is fast and may be led astray.
        let mut near: [Option<(K, u32)>; 256] = [None; 256];
        for i in 0..self.array.len() {
            if !self.is_known(i) {
                places.push(0);
                continue;
            }
            let key = entry(i);
            let near = &mut near[FxBuildHasher.hash_one(key) as usize % 256];
            if let Some((_, place)) = near.filter(|(other, _)| *other == key) {
                places.push(place);
                continue;
            }
            let place = match seen.entry(key) {
                Entry::Occupied(place) => *place.get(),
                Entry::Vacant(place) => {
                    let value = self.value(i).map_err(|wrong| self.error(i, wrong))?;
                    *place.insert(different.place(value))
                }
            };
            *near = Some((key, place));
            places.push(place);
        }
        Ok(different.own(self.fact, places.into_iter()))
    }

    /// One entry.
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

/// Different values, in the order in which they come.
#[derive(Default)]
struct Different {
    values: Vec<Value>,
    places: HashMap<Value, u32>,
}

impl Different {
    fn place(&mut self, value: Value) -> u32 {
        *self.places.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() as u32 - 1
        })
    }

    /// The entries that have these places. Where words do not suffice, numbers do for most facts that have them.
    fn own(self, fact: &Fact, places: impl ExactSizeIterator<Item = u32>) -> Own {
        match self.values.len() {
            0 => return Own::unknown(places.len()),
            1..=255 => return Own::Words(self.values, places.map(|place| place as u8).collect()),
            _ => {}
        }
        if let (Type::Number(ty), Some(numbers)) = (&fact.ty, self.numbers()) {
            return Own::I64(PrimitiveArray::new(places.map(|place| numbers[place as usize]).collect(), None), *ty);
        }
        Own::Values(places.map(|place| self.values[place as usize].clone()).collect())
    }

    /// All of them as numbers of 64 bits, where they are such.
    fn numbers(&self) -> Option<Vec<i64>> {
        let number = |value: &Value| if let Value::Number(n) = value { i64::try_from(*n).ok() } else { None };
        self.values.iter().map(number).collect()
    }
}

/// So many bits, each as a boolean.
fn spread(words: impl Iterator<Item = u64>, n: usize) -> Vec<bool> {
    let mut bits = vec![false; n.next_multiple_of(64)];
    for (to, word) in bits.as_chunks_mut::<64>().0.iter_mut().zip(words) {
        for (to, byte) in to.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
            // Each bit in a byte of its own, at its own place; none is carried into the next.
            let apart = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            *to = apart.to_le_bytes().map(|bit| bit != 0);
        }
    }
    bits.truncate(n);
    bits
}

/// The numbers of an array, widened.
fn widened<A: ArrowPrimitiveType, T: ArrowPrimitiveType>(array: &ArrayRef) -> PrimitiveArray<T>
where
    T::Native: From<A::Native>,
{
    let numbers = array.as_primitive::<A>().values().iter().map(|n| T::Native::from(*n));
    PrimitiveArray::new(numbers.collect(), None)
}

/// What an array of integers, durations or timestamps is asked.
macro_rules! of_integers {
    ($array:ident, $of:ident => $asked:expr) => {
        of_integers!($array, $of => $asked;
            Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
            DurationSecondType, DurationMillisecondType, DurationMicrosecondType, DurationNanosecondType,
            TimestampSecondType, TimestampMillisecondType, TimestampMicrosecondType, TimestampNanosecondType)
    };
    ($array:ident, $of:ident => $asked:expr; $($ty:ident),*) => {{
        $(if let Some($of) = $array.as_primitive_opt::<types::$ty>() {
            return Some($asked);
        })*
        None
    }};
}

/// One number of an array of such.
fn integer(array: &ArrayRef, i: usize) -> Option<i128> {
    of_integers!(array, numbers => numbers.value(i).into())
}

/// All numbers of an array of such.
fn integers(array: &ArrayRef) -> Option<Vec<i128>> {
    of_integers!(array, numbers => numbers.values().iter().map(|n| i128::from(*n)).collect())
}
