//! Arrow record batches: facts of many questions in.
//!
//! Takes a batch whose columns are named as facts; gives [`Columns`] over what it holds. A null is unknown. How one array is
//! read for its fact is said in `records_array`, how answers become a batch in `records_out`. The format: Apache Arrow columnar
//! format 1.5.

use arrow_array::{ArrayRef, Int64Array, RecordBatch, UInt32Array, UInt64Array};

use crate::model::{FactId, NumberType, Value};

use super::Policy;
use super::columns::{Column, ColumnError, Columns, Entries, Numbers};
use super::intake::Raw;
use super::records_array::Reading;

/// The crate that record batches come from, in the version that [`RecordFacts`] takes.
pub use arrow_array as arrow;

/// Facts of many questions, read from a record batch; [`Policy::read_records`] makes them. Whole numbers that are held as they
/// are wanted stay in the memory of the batch, which they keep.
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

/// Its entries. Numbers that need no widening are those of the batch itself, shared with it.
#[derive(Debug, Clone)]
pub(super) enum Own {
    /// Different values, at most 255 of them, and the place of each entry's.
    Words(Vec<Value>, Vec<u8>),
    /// What false and true are.
    Flags(Vec<Value>, Vec<bool>),
    Values(Vec<Value>),
    U32(UInt32Array, NumberType),
    U64(UInt64Array, NumberType),
    I64(Int64Array, NumberType),
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
        let (entries, known) = Reading::new(self.policy.head().fact(fact), array).entries()?;
        self.columns.push(Held { fact, entries, known });
        Ok(())
    }
}

impl Own {
    /// So many entries of which nothing is known.
    pub(super) fn unknown(n: usize) -> Own {
        Own::Words(vec![Value::Unknown], vec![0; n])
    }

    fn entries(&self) -> Entries<'_> {
        match self {
            Own::Words(values, places) => Entries::Words { values: values.clone(), places },
            Own::Flags(values, flags) => Entries::Flags { values: values.clone(), flags },
            Own::Values(values) => Entries::Values(values),
            Own::U32(n, ty) => Entries::Numbers { numbers: Numbers::U32(n.values()), ty: *ty },
            Own::U64(n, ty) => Entries::Numbers { numbers: Numbers::U64(n.values()), ty: *ty },
            Own::I64(n, ty) => Entries::Numbers { numbers: Numbers::I64(n.values()), ty: *ty },
        }
    }
}
