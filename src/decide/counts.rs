//! Numbers of a column counted into keys: how many ends each has reached.
//!
//! Takes the numbers as they stand, and the ends of a fact's cells; gives the steps that count. A few ends are compared with
//! sixteen numbers at once, in 16 bits where the ends are small.

use std::ops::BitOrAssign;

use crate::model::NumberType;
use crate::program::CHUNK;

use super::columns::Numbers;
use super::steps::{Step, whole};

/// A number as it stands in a column.
trait Number: Copy + Default + PartialOrd + BitOrAssign + TryFrom<i128> + Into<i128> + 'static {
    const LEAST: Self;
    const MOST: Self;
    /// Whether [`short`](Self::short) is cheap.
    const IS_SHORT: bool = false;

    /// The same in 16 bits, or the nearest there is; below 0 where it is past [`i32::MAX`].
    fn short(self) -> i16 {
        0
    }
}

impl Number for u32 {
    const LEAST: u32 = u32::MIN;
    const MOST: u32 = u32::MAX;
    const IS_SHORT: bool = true;

    fn short(self) -> i16 {
        self.cast_signed().clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }
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
pub(super) struct Count<'a> {
    pub(super) ends: &'a [i128],
    /// Which of the ends count, from 1; where there are none, all do.
    pub(super) cuts: &'a [u8],
    /// What each adds to a key.
    pub(super) one: u8,
    pub(super) ty: &'a NumberType,
    pub(super) known: Option<&'a [bool]>,
}

impl<'a> Count<'a> {
    /// The steps that count; where one that is known lies outside the domain, nothing comes of them.
    pub(super) fn steps(self, numbers: Numbers<'a>) -> Vec<Step<'a>> {
        match numbers {
            Numbers::U32(numbers) => self.steps_of(numbers),
            Numbers::U64(numbers) => self.steps_of(numbers),
            Numbers::I64(numbers) => self.steps_of(numbers),
        }
    }

    fn steps_of<N: Number>(self, numbers: &'a [N]) -> Vec<Step<'a>> {
        let Count { ends, cuts, one, .. } = self;
        let mut steps: Vec<Step> = Vec::new();
        if !self.holds_all::<N>() {
            steps.push(Box::new(move |from, _| self.are_held(numbers, from)));
        }
        let of_cuts = cuts.iter().filter_map(|cut| ends.get(usize::from(*cut).checked_sub(1)?).copied());
        let ends: Vec<i128> = if cuts.is_empty() { ends.to_vec() } else { of_cuts.collect() };
        // Ends below all numbers of the column are reached by each, those above them by none.
        let always = ends.partition_point(|end| *end <= N::LEAST.into());
        if always > 0 {
            let all = always as u8 * one;
            steps.push(Box::new(move |_, keys| {
                for key in keys {
                    *key += all;
                }
                Some(())
            }));
        }
        // What is reached is what lies above the number before.
        let belows: Vec<N> = ends[always..].iter().map_while(|end| N::try_from(*end - 1).ok()).collect();
        if belows.len() > FEW_ENDS {
            steps.push(Box::new(move |from, keys| {
                let n_reached = |n: N| belows.partition_point(|below| n > *below) as u8;
                let mut room = None;
                let numbers = whole(numbers, from, &mut room)?;
                keys.iter_mut().zip(numbers).for_each(|(key, n)| *key += n_reached(*n) * one);
                Some(())
            }));
            return steps;
        }
        let (twos, rest) = belows.as_chunks::<2>();
        steps.extend(twos.iter().map(|two| add_few(numbers, *two, one)));
        steps.extend(rest.iter().map(|below| add_few(numbers, [*below], one)));
        steps
    }

    /// Whether every number of its kind lies in the domain.
    fn holds_all<N: Number>(self) -> bool {
        self.ty.step == 1 && self.ty.lo <= N::LEAST.into() && N::MOST.into() <= self.ty.hi
    }

    /// Whether all numbers of a piece that are known lie in the domain.
    fn are_held<N: Number>(self, numbers: &[N], from: usize) -> Option<()> {
        let (mut room, mut room_of_known, ty) = (None, None, self.ty);
        let numbers = whole(numbers, from, &mut room)?;
        let known = match self.known {
            Some(known) => whole(known, from, &mut room_of_known)?,
            None => &[true; CHUNK],
        };
        let mut both = numbers.iter().zip(known);
        if ty.step != 1 || ty.hi < N::LEAST.into() || ty.lo > N::MOST.into() {
            return both.all(|(n, known)| ty.holds((*n).into()) || !known).then_some(());
        }
        let (lo, hi) = (N::try_from(ty.lo).unwrap_or(N::LEAST), N::try_from(ty.hi).unwrap_or(N::MOST));
        let out = |n: &N| u8::from(*n < lo) | u8::from(*n > hi);
        (both.fold(0, |bad, (n, known)| bad | (u8::from(*known) & out(n))) == 0).then_some(())
    }
}

/// The step that adds so much for each of a few numbers that one lies above.
fn add_few<N: Number, const FEW: usize>(numbers: &[N], belows: [N; FEW], one: u8) -> Step<'_> {
    let shorts = belows.map(|below| below.into().try_into().unwrap_or(i16::MAX));
    if !N::IS_SHORT || shorts.contains(&i16::MAX) {
        return Box::new(move |from, keys| {
            add_above(whole(numbers, from, &mut None)?, belows, |number| number, one, keys);
            Some(())
        });
    }
    let all = one * FEW as u8;
    Box::new(move |from, keys| {
        let mut room = None;
        let numbers = whole(numbers, from, &mut room)?;
        if add_above(numbers, shorts, N::short, one, keys) {
            // What is past the middle of 32 bits lies above them all, and was taken for less than 0.
            keys.iter_mut().zip(numbers).for_each(|(key, number)| *key += if number.short() < 0 { all } else { 0 });
        }
        Some(())
    })
}

/// The same for numbers as they are compared; whether one of them is below 0. Sixteen at a time, so that a whole register of
/// keys is made before it is stored; and by itself, so that numbers made short are compared short.
#[inline(never)]
fn add_above<N: Copy, S: Copy + Default + PartialOrd + BitOrAssign, const FEW: usize>(
    numbers: &[N; CHUNK],
    belows: [S; FEW],
    seen: impl Fn(N) -> S,
    one: u8,
    keys: &mut [u8; CHUNK],
) -> bool {
    let mut any = [S::default(); 16];
    for (keys, numbers) in keys.as_chunks_mut::<16>().0.iter_mut().zip(numbers.as_chunks::<16>().0) {
        let numbers = numbers.map(&seen);
        any.iter_mut().zip(numbers).for_each(|(any, number)| *any |= number);
        for below in belows {
            let has = numbers.map(|number| if number > below { one } else { 0 });
            keys.iter_mut().zip(has).for_each(|(key, has)| *key += has);
        }
    }
    any.into_iter().any(|any| any < S::default())
}
