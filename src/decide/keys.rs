//! The entries of a column as keys of one byte, a piece at a time, without a branch on an entry.

use crate::model::{NumberType, Value};
use crate::program::Told;

use super::Policy;
use super::columns::{Column, Entries, Numbers};

/// How the entries of a column become keys: for words and flags their places, for numbers how many ends they have reached.
/// The last key is that of unknown.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// What each key is to a question.
    told: Vec<Told>,
    ends: Vec<i128>,
}

impl Keys {
    /// The keys of a column; nothing where they do not fit a byte, or for texts.
    pub(super) fn of(policy: &Policy, column: &Column) -> Option<Keys> {
        let program = policy.program();
        let (mut values, mut ends) = (Vec::new(), Vec::new());
        match &column.entries {
            Entries::Words { values: words, .. } | Entries::Flags { values: words, .. } => values.clone_from(words),
            Entries::Numbers { ty, .. } => {
                ends = program.ends(column.fact);
                // Below the first end, and each end itself, stand for all numbers that have reached as many.
                values.push(Value::Number(ty.lo));
                values.extend(ends.iter().map(|end| Value::Number(*end)));
            }
            Entries::Texts(_) => return None,
            #[cfg(feature = "arrow")]
            Entries::Values(_) => return None,
        }
        values.push(Value::Unknown);
        let told = values.iter().map(|value| program.told(column.fact, value)).collect();
        (values.len() <= 256).then_some(Keys { told, ends })
    }

    /// Where the fact's code goes, where anything tests it, and the code of each key that a column can have.
    pub(super) fn codes(&self, column: &Column) -> (Option<usize>, Vec<u32>) {
        let n = if column.known.is_some() { self.told.len() } else { self.told.len() - 1 };
        let codes = self.told.iter().take(n).map(|told| told.code());
        (self.told.first().and_then(|told| told.slot()), codes.collect())
    }

    /// What each key is to a question.
    pub(super) fn told(&self) -> &[Told] {
        &self.told
    }

    /// The keys of some entries from one on, with room for them; nothing where one of them cannot be: then they are to be
    /// looked at one by one.
    pub(super) fn read<'k>(&self, column: &'k Column, from: usize, n: usize, buffer: &'k mut [u8]) -> Option<&'k [u8]> {
        let unknown = (self.told.len() - 1) as u8;
        let buffer = buffer.get_mut(..n)?;
        let known = column.known.map(|known| known.get(from..from + n).unwrap_or_default());
        match &column.entries {
            Entries::Words { places, .. } => {
                let places = places.get(from..from + n)?;
                if known.is_none() {
                    return (places.iter().fold(0, |most, place| most.max(*place)) < unknown).then_some(places);
                }
                buffer.copy_from_slice(places);
            }
            Entries::Flags { flags, .. } => {
                let flags = flags.get(from..from + n)?;
                buffer.iter_mut().zip(flags).for_each(|(key, flag)| *key = u8::from(*flag));
            }
            Entries::Numbers { numbers, ty } => {
                let held = match numbers {
                    Numbers::U32(numbers) => reached(numbers.get(from..from + n)?, &self.ends, ty, known, buffer),
                    Numbers::U64(numbers) => reached(numbers.get(from..from + n)?, &self.ends, ty, known, buffer),
                    Numbers::I64(numbers) => reached(numbers.get(from..from + n)?, &self.ends, ty, known, buffer),
                };
                if !held {
                    return None;
                }
            }
            Entries::Texts(_) => return None,
            #[cfg(feature = "arrow")]
            Entries::Values(_) => return None,
        }
        if let Some(known) = known {
            // An entry past the last word must not pass for unknown.
            let bad = buffer.iter().zip(known).map(|(key, known)| u8::from(*known) & u8::from(*key >= unknown));
            if bad.fold(0, |any, bad| any | bad) != 0 {
                return None;
            }
            buffer.iter_mut().zip(known).for_each(|(key, known)| *key = if *known { *key } else { unknown });
        }
        Some(buffer)
    }
}

/// A number as it stands in a column.
trait Number: Copy + PartialOrd + TryFrom<i128> + Into<i128> {
    const LEAST: Self;
    const MOST: Self;
}

impl Number for u32 {
    const LEAST: u32 = u32::MIN;
    const MOST: u32 = u32::MAX;
}

impl Number for u64 {
    const LEAST: u64 = u64::MIN;
    const MOST: u64 = u64::MAX;
}

impl Number for i64 {
    const LEAST: i64 = i64::MIN;
    const MOST: i64 = i64::MAX;
}

/// Up to so many ends are counted one by one for all numbers.
const FEW_ENDS: usize = 16;

/// For each number how many of the ends it has reached; whether all that are known lie in the domain.
fn reached<N: Number>(numbers: &[N], ends: &[i128], ty: &NumberType, known: Option<&[bool]>, keys: &mut [u8]) -> bool {
    let is_known = |i: usize| known.is_none_or(|known| known.get(i) == Some(&true));
    let (least, most): (i128, i128) = (N::LEAST.into(), N::MOST.into());
    let holds_all = ty.lo <= least && most <= ty.hi;
    if ty.step != 1 || ty.hi < least || ty.lo > most {
        if !numbers.iter().enumerate().all(|(i, n)| ty.holds((*n).into()) || !is_known(i)) {
            return false;
        }
    } else if !holds_all {
        let (lo, hi) = (N::try_from(ty.lo).unwrap_or(N::LEAST), N::try_from(ty.hi).unwrap_or(N::MOST));
        let out = |n: &N| u8::from(*n < lo) | u8::from(*n > hi);
        let bad = match known {
            None => numbers.iter().fold(0, |bad, n| bad | out(n)),
            Some(known) => numbers.iter().zip(known).fold(0, |bad, (n, known)| bad | (u8::from(*known) & out(n))),
        };
        if bad != 0 {
            return false;
        }
    }
    // Ends below all numbers of the column are reached by each, those above them by none.
    let always = ends.partition_point(|end| *end <= least);
    let ends = ends.get(always..).unwrap_or_default();
    keys.fill(always as u8);
    if ends.len() <= FEW_ENDS {
        for end in ends.iter().map_while(|end| N::try_from(*end).ok()) {
            count(numbers, end, keys);
        }
    } else {
        let n_reached = |n: i128| ends.partition_point(|end| *end <= n) as u8;
        keys.iter_mut().zip(numbers).for_each(|(key, n)| *key += n_reached((*n).into()));
    }
    true
}

/// Adds one to the keys of all numbers that have reached an end: sixteen at a time, so that a whole register of keys is
/// made before it is stored.
fn count<N: Number>(numbers: &[N], end: N, keys: &mut [u8]) {
    let (sixteens, rest) = numbers.as_chunks::<16>();
    let (keys, last) = keys.as_chunks_mut::<16>();
    for (keys, numbers) in keys.iter_mut().zip(sixteens) {
        let has: [u8; 16] = std::array::from_fn(|i| u8::from(numbers[i] >= end));
        keys.iter_mut().zip(has).for_each(|(key, has)| *key += has);
    }
    last.iter_mut().zip(rest).for_each(|(key, n)| *key += u8::from(*n >= end));
}
