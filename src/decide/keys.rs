//! The entries of a column as keys of one byte, a piece at a time, without a branch on an entry.

use crate::model::{NumberType, Value};
use crate::program::{Part, Told};

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
    pub(super) fn read<'k>(&self, column: &'k Column, from: usize, n: usize, room: &'k mut [u8]) -> Option<&'k [u8]> {
        let unknown = self.unknown();
        let room = room.get_mut(..n)?;
        let known = column.known.map(|known| known.get(from..from + n).unwrap_or_default());
        match &column.entries {
            Entries::Words { places, .. } => {
                let places = places.get(from..from + n)?;
                if known.is_none() {
                    return all_below(places, unknown).then_some(places);
                }
                room.copy_from_slice(places);
            }
            Entries::Flags { flags, .. } => {
                let flags = flags.get(from..from + n)?;
                room.iter_mut().zip(flags).for_each(|(key, flag)| *key = u8::from(*flag));
            }
            Entries::Numbers { numbers, ty } => {
                room.fill(0);
                Count { ends: &self.ends, cuts: &[], one: 1, ty, known }.of(*numbers, from, room)?;
            }
            Entries::Texts(_) => return None,
            #[cfg(feature = "arrow")]
            Entries::Values(_) => return None,
        }
        if let Some(known) = known {
            // An entry past the last word must not pass for unknown.
            let bad = room.iter().zip(known).map(|(key, known)| u8::from(*known) & u8::from(*key >= unknown));
            if bad.fold(0, |any, bad| any | bad) != 0 {
                return None;
            }
            room.iter_mut().zip(known).for_each(|(key, known)| *key = if *known { *key } else { unknown });
        }
        Some(room)
    }

    /// Adds the parts of some columns to the joint keys of the entries from one on, with room for the keys of a column; nothing
    /// as with [`read`](Self::read).
    pub(super) fn join(
        all: &[Keys],
        columns: &[Column],
        from: usize,
        (mut parts, room): (&[Part], &mut [u8]),
        joint: &mut [u8],
    ) -> Option<()> {
        let n = joint.len();
        let flags = |part: &Part| columns.get(part.column())?.flags().filter(|_| part.is_flag())?.get(from..from + n);
        while let [part, rest @ ..] = parts {
            if let [_, b, c, d, rest @ ..] = parts
                && let (Some(a), Some(b), Some(c), Some(d)) = (flags(part), flags(b), flags(c), flags(d))
            {
                part.put_four([a, b, c, d], joint);
                parts = rest;
                continue;
            }
            let keys = all.get(part.column())?;
            keys.put(columns.get(part.column())?, from, part, room, joint)?;
            parts = rest;
        }
        Some(())
    }

    fn put(&self, column: &Column, from: usize, part: &Part, room: &mut [u8], joint: &mut [u8]) -> Option<()> {
        let n = joint.len();
        let most = match (&column.entries, column.flags(), column.known) {
            (_, Some(flags), _) => part.put(flags.get(from..from + n)?, joint),
            (Entries::Words { places, .. }, _, None) => part.put(places.get(from..from + n)?, joint),
            (Entries::Numbers { numbers, ty }, _, None) => {
                let (cuts, one) = (part.cuts(), part.one());
                return Count { ends: &self.ends, cuts, one, ty, known: None }.of(*numbers, from, joint);
            }
            _ => {
                part.put(self.read(column, from, n, room)?, joint);
                return Some(());
            }
        };
        (most < self.unknown()).then_some(())
    }

    fn unknown(&self) -> u8 {
        (self.told.len() - 1) as u8
    }
}

/// Whether all keys are below one.
fn all_below(keys: &[u8], end: u8) -> bool {
    keys.iter().fold(0, |most, key| most.max(*key)) < end
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

/// How many ends some numbers have reached.
#[derive(Clone, Copy)]
struct Count<'c> {
    ends: &'c [i128],
    /// Which of the ends count, from 1; where there are none, all do.
    cuts: &'c [u8],
    /// What each adds to a key.
    one: u8,
    ty: &'c NumberType,
    known: Option<&'c [bool]>,
}

impl Count<'_> {
    /// Adds to the keys of the numbers from one on; nothing where one that is known lies outside the domain.
    fn of(self, numbers: Numbers, from: usize, keys: &mut [u8]) -> Option<()> {
        let to = from + keys.len();
        match numbers {
            Numbers::U32(numbers) => self.add(numbers.get(from..to)?, keys),
            Numbers::U64(numbers) => self.add(numbers.get(from..to)?, keys),
            Numbers::I64(numbers) => self.add(numbers.get(from..to)?, keys),
        }
    }

    fn add<N: Number>(self, numbers: &[N], keys: &mut [u8]) -> Option<()> {
        if !self.are_held(numbers) {
            return None;
        }
        if self.cuts.is_empty() {
            self.add_ends(numbers, self.ends, keys);
        }
        for cut in self.cuts {
            let end = usize::from(*cut);
            self.add_ends(numbers, self.ends.get(end.checked_sub(1)?..end)?, keys);
        }
        Some(())
    }

    /// Whether all numbers that are known lie in the domain.
    fn are_held<N: Number>(self, numbers: &[N]) -> bool {
        let Count { ty, known, .. } = self;
        let (least, most): (i128, i128) = (N::LEAST.into(), N::MOST.into());
        if ty.step != 1 || ty.hi < least || ty.lo > most {
            let is_known = |i: usize| known.is_none_or(|known| known.get(i) == Some(&true));
            return numbers.iter().enumerate().all(|(i, n)| ty.holds((*n).into()) || !is_known(i));
        }
        if ty.lo <= least && most <= ty.hi {
            return true;
        }
        let (lo, hi) = (N::try_from(ty.lo).unwrap_or(N::LEAST), N::try_from(ty.hi).unwrap_or(N::MOST));
        let out = |n: &N| u8::from(*n < lo) | u8::from(*n > hi);
        let bad = match known {
            None => numbers.iter().fold(0, |bad, n| bad | out(n)),
            Some(known) => numbers.iter().zip(known).fold(0, |bad, (n, known)| bad | (u8::from(*known) & out(n))),
        };
        bad == 0
    }

    fn add_ends<N: Number>(self, numbers: &[N], ends: &[i128], keys: &mut [u8]) {
        // Ends below all numbers of the column are reached by each, those above them by none.
        let always = ends.partition_point(|end| *end <= N::LEAST.into());
        if always > 0 {
            for key in &mut *keys {
                *key += always as u8 * self.one;
            }
        }
        let ends = ends.get(always..).unwrap_or_default();
        if ends.len() <= FEW_ENDS {
            // What is reached is what lies above the number before.
            let mut belows = ends.iter().map_while(|end| N::try_from(*end - 1).ok());
            while let Some(below) = belows.next() {
                match belows.next() {
                    Some(next) => add_few(numbers, [below, next], self.one, keys),
                    None => add_few(numbers, [below], self.one, keys),
                }
            }
        } else {
            let n_reached = |n: i128| ends.partition_point(|end| *end <= n) as u8;
            keys.iter_mut().zip(numbers).for_each(|(key, n)| *key += n_reached((*n).into()) * self.one);
        }
    }
}

/// Adds so much for each of a few numbers that one lies above: for sixteen numbers at a time, so that a whole register of
/// keys is made before it is stored.
fn add_few<N: Number, const FEW: usize>(numbers: &[N], belows: [N; FEW], one: u8, keys: &mut [u8]) {
    let (sixteens, rest) = numbers.as_chunks::<16>();
    let (keys, last) = keys.as_chunks_mut::<16>();
    for (keys, numbers) in keys.iter_mut().zip(sixteens) {
        for below in belows {
            let has: [u8; 16] = std::array::from_fn(|i| if numbers[i] > below { one } else { 0 });
            keys.iter_mut().zip(has).for_each(|(key, has)| *key += has);
        }
    }
    for (key, n) in last.iter_mut().zip(rest) {
        *key += belows.iter().map(|below| if n > below { one } else { 0 }).sum::<u8>();
    }
}
