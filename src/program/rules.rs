//! A small table asked column by column: many questions at once.
//!
//! For each test a mask tells which questions pass it, a byte each; from the last row to the first, the questions that pass
//! all tests of a row take its rank. No step branches on a question, so that one instruction does many.

use crate::space::SegSet;

use super::verdict::Verdict;

/// So many ranks at most have a byte to stand for them, with one for no row.
const MOST_RANKS: usize = 255;

/// The rows of the entry table as tests of facts.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// The slot of each test, and the codes that pass it.
    pub(super) tests: Box<[(u32, SegSet)]>,
    /// What follows at each rank, and its tests.
    pub(super) ranks: Box<[(Verdict, Box<[u32]>)]>,
}

/// Rules made ready for columns of keys.
#[derive(Debug, Clone)]
pub struct Batch {
    tests: Vec<Test>,
    /// The rank that each row stands for, and its tests, the last row first.
    rows: Vec<(u8, Box<[u32]>)>,
    ends: Vec<Verdict>,
    masks: Vec<u8>,
}

/// The keys of one column that pass.
#[derive(Debug, Clone)]
struct Test {
    slot: usize,
    /// The first key of each stretch, and how many follow it.
    stretches: Vec<(u8, u8)>,
}

impl Rules {
    /// The rules of rows in the order of asking, where they are few.
    pub(super) fn new(tests: Vec<(u32, SegSet)>, ranks: Vec<(Verdict, Box<[u32]>)>) -> Option<Rules> {
        (ranks.len() < MOST_RANKS).then(|| Rules { tests: tests.into(), ranks: ranks.into() })
    }

    /// Makes them ready for columns: for each slot the code that each key of its column stands for; where it has none, the
    /// fact is unknown.
    pub(super) fn batch(&self, codes: &[Option<&[u32]>]) -> Batch {
        let (mut tests, mut place_of, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, set) in &self.tests {
            let codes = codes.get(*slot as usize).copied().flatten();
            fixed.push(if codes.is_none() { Some(set.contains(0)) } else { None });
            place_of.push(tests.len() as u32);
            if let Some(codes) = codes {
                let held = codes.iter().enumerate().filter(|(_, code)| set.contains(**code));
                let held = SegSet::from_ranges(held.map(|(key, _)| (key as u32, key as u32 + 1)));
                let stretches = held.ranges().iter().map(|(lo, hi)| (*lo as u8, (hi - 1 - lo) as u8)).collect();
                tests.push(Test { slot: *slot as usize, stretches });
            }
        }
        let mut rows = Vec::new();
        for (rank, (_, own)) in self.ranks.iter().enumerate().rev() {
            if own.iter().all(|test| fixed[*test as usize] != Some(false)) {
                let open = own.iter().filter(|test| fixed[**test as usize].is_none());
                rows.push((rank as u8, open.map(|test| place_of[*test as usize]).collect()));
            }
        }
        let gap = [Verdict::NONE];
        let ends = self.ranks.iter().map(|(end, _)| *end).chain(gap).collect();
        Batch { tests, rows, ends, masks: Vec::new() }
    }
}

impl Batch {
    /// What follows at each rank, and last what holds where no row answers.
    pub fn ends(&self) -> &[Verdict] {
        &self.ends
    }

    /// Finds the rank of each question, by the keys of each slot; all columns that were told of are as long as `ranks`.
    pub fn ask(&mut self, keys: &[&[u8]], ranks: &mut [u8]) {
        let n = ranks.len();
        self.masks.resize(self.tests.len() * n, 0);
        for (test, mask) in self.tests.iter().zip(self.masks.chunks_exact_mut(n)) {
            let keys = keys.get(test.slot).and_then(|keys| keys.get(..n)).unwrap_or_default();
            test.put(keys, mask);
        }
        ranks.fill(self.ends.len() as u8 - 1);
        let mask = |test: &u32| self.masks.get(*test as usize * n..).and_then(|from| from.get(..n)).unwrap_or_default();
        for (rank, tests) in &self.rows {
            match &**tests {
                [] => ranks.fill(*rank),
                &[one] => take([mask(&one)], *rank, ranks),
                &[one, two] => take([one, two].map(|test| mask(&test)), *rank, ranks),
                &[one, two, three] => take([one, two, three].map(|test| mask(&test)), *rank, ranks),
                &[one, two, three, four] => take([one, two, three, four].map(|test| mask(&test)), *rank, ranks),
                [first, more @ ..] => {
                    let mut all = [0u8; CHUNK];
                    let all = all.get_mut(..n).unwrap_or_default();
                    all.copy_from_slice(mask(first));
                    for test in more {
                        all.iter_mut().zip(mask(test)).for_each(|(all, mask)| *all &= mask);
                    }
                    take([all], *rank, ranks);
                }
            }
        }
    }
}

/// So many questions are asked at once at most.
pub const CHUNK: usize = 1024;

impl Test {
    /// 255 where a key passes, 0 where it does not.
    fn put(&self, keys: &[u8], mask: &mut [u8]) {
        let passes = |is: bool| if is { u8::MAX } else { 0 };
        match self.stretches[..] {
            [(key, 0)] => mask.iter_mut().zip(keys).for_each(|(mask, k)| *mask = passes(*k == key)),
            [(lo, n)] => mask.iter_mut().zip(keys).for_each(|(mask, k)| *mask = passes(k.wrapping_sub(lo) <= n)),
            _ => {
                mask.fill(0);
                for (lo, n) in &self.stretches {
                    mask.iter_mut().zip(keys).for_each(|(mask, k)| *mask |= passes(k.wrapping_sub(*lo) <= *n));
                }
            }
        }
    }
}

/// Gives a rank to the questions that pass some tests.
fn take<const N: usize>(masks: [&[u8]; N], rank: u8, ranks: &mut [u8]) {
    let n = ranks.len();
    let masks = masks.map(|mask| mask.get(..n).unwrap_or_default());
    if masks.iter().any(|mask| mask.len() != n) {
        return;
    }
    for i in 0..n {
        let all = masks.iter().fold(u8::MAX, |all, mask| all & mask[i]);
        ranks[i] = ranks[i] & !all | rank & all;
    }
}
