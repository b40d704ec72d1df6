//! Arrow record batches: answers of many questions out.
//!
//! Takes answers and their policy; gives a batch of four columns. Words stand in dictionaries, each once; what there is not is
//! null.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray, RecordBatch, StringArray, UInt64Array};
use arrow_schema::ArrowError;

use crate::words::Verb;

use super::Policy;
use super::batch::Answers;

impl Answers {
    /// The answers as a record batch, one row a question: `action`, `row` (`table/row`; null where none answers),
    /// `wait_min_ms` and `wait_max_ms` (null where nothing is retried). See [`RecordFacts`](super::RecordFacts).
    ///
    /// # Errors
    /// Rows that the policy does not have: the answers are another's.
    pub fn to_records(&self, policy: &Policy) -> Result<RecordBatch, ArrowError> {
        let (wait_min, wait_max) = self.wait_arrays();
        let columns: [(&str, ArrayRef, bool); 4] = [
            ("action", Arc::new(self.action_array()?), false),
            ("row", Arc::new(self.row_array(policy)?), true),
            ("wait_min_ms", Arc::new(wait_min), true),
            ("wait_max_ms", Arc::new(wait_max), true),
        ];
        RecordBatch::try_from_iter_with_nullable(columns)
    }

    fn action_array(&self) -> Result<DictionaryArray<Int8Type>, ArrowError> {
        let verbs = StringArray::from_iter_values(Verb::ALL.iter().map(|verb| verb.as_str()));
        let keys = self.verbs().iter().map(|verb| *verb as i8).collect();
        DictionaryArray::try_new(PrimitiveArray::new(keys, None), Arc::new(verbs))
    }

    fn row_array(&self, policy: &Policy) -> Result<DictionaryArray<Int32Type>, ArrowError> {
        let is_row = |row: &u32| *row != Self::NO_ROW;
        let most = self.rows().iter().copied().filter(is_row).max();
        // The place of each row among the names, from 1; where it is 0, the row has none as yet.
        let mut places = vec![0i32; most.map_or(0, |most| most as usize + 1)];
        let mut names = Vec::new();
        let mut key = |row: &u32| -> Result<i32, ArrowError> {
            let Some(place) = places.get_mut(*row as usize) else { return Ok(0) };
            if *place == 0 {
                let missing = || format!("the policy has no row {row}: these answers are another's");
                let row = policy.row(*row).ok_or_else(|| ArrowError::InvalidArgumentError(missing()))?;
                names.push(row.to_string());
                *place = i32::try_from(names.len()).map_err(|_| ArrowError::DictionaryKeyOverflowError)?;
            }
            Ok(*place - 1)
        };
        let keys = self.rows().iter().map(&mut key).collect::<Result<Vec<i32>, _>>()?;
        let are_all = self.rows().iter().all(is_row);
        let nulls = (!are_all).then(|| self.rows().iter().map(is_row).collect());
        DictionaryArray::try_new(PrimitiveArray::new(keys.into(), nulls), Arc::new(StringArray::from(names)))
    }

    /// The shortest and the longest waits.
    fn wait_arrays(&self) -> (UInt64Array, UInt64Array) {
        let waits = self.wait_bounds_ms();
        if waits.is_empty() {
            return (UInt64Array::new_null(self.len()), UInt64Array::new_null(self.len()));
        }
        let min = UInt64Array::new(
            waits.iter().map(|(min, _)| *min).collect(),
            Some(self.verbs().iter().map(|verb| *verb == Verb::Retry).collect()),
        );
        let max = UInt64Array::new(waits.iter().map(|(_, max)| *max).collect(), min.nulls().cloned());
        (min, max)
    }
}
