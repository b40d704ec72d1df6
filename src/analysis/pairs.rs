//! Which rows of a table meet: pairs of boxes that share a point.
//!
//! Two boxes meet exactly when they do on every axis. Most pairs are told apart by a coarse look: each axis is put
//! into 64 bins or fewer, each row is one word an axis, and words without a common bit never meet (the idea of bit
//! vectors: Lakshman and Stiliadis, *High-speed policy-based packet forwarding*, 1998). Only what is left is compared
//! segment by segment.

use crate::space::{Clause, Region, SegSet, Visit};

use super::scene::spend;

/// So many pairs are looked at for one step.
const PAIRS_PER_STEP: u64 = 256;

/// More rows than this are parted by an axis first, where one parts them well.
const MANY: usize = 64;

/// A pair of rows, by their places among the clauses, and what both ask.
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) both: Clause,
}

/// Pairs of clauses that may meet where a table is visited, in order, while `wanted` says so; nothing when the steps
/// run out. The only doubt left is in derived facts and in what was asked before the table.
pub(super) fn meeting(
    rows: &[(usize, Clause)],
    visit: &Visit,
    sizes: &[u32],
    steps: &mut u64,
    wanted: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Pair>> {
    let regions: Vec<&Region> = rows.iter().map(|r| &r.1.region).collect();
    let coarse = Coarse::new(&regions, sizes);
    let mut out = Vec::new();
    let mut found = |i: u32, j: u32| {
        let ((first, a), (second, b)) = (&rows[i as usize], &rows[j as usize]);
        if a.may_meet(b) && wanted(*first, *second) {
            let both = a.and(b).and_then(|c| c.and(&visit.clause));
            out.extend(both.map(|both| Pair { first: *first, second: *second, both }));
        }
    };
    coarse.each_pair(&(0..rows.len() as u32).collect::<Vec<_>>(), steps, &mut found)?;
    out.sort_by_key(|p| (p.first, p.second));
    out.dedup_by_key(|p| (p.first, p.second));
    Some(out)
}

/// A word for each row and axis that some row tests.
pub(super) struct Coarse {
    n_axes: usize,
    words: Vec<u64>,
}

impl Coarse {
    pub(super) fn new(rows: &[&Region], sizes: &[u32]) -> Coarse {
        let mut axes: Vec<u32> = rows.iter().flat_map(|r| r.sides()).map(|s| s.0).collect();
        axes.sort_unstable();
        axes.dedup();
        let word = |row: &Region, axis: u32| row.side(axis).map_or(u64::MAX, |s| bins(s, sizes[axis as usize]));
        // The axis that parts the rows best is looked at first.
        axes.sort_by_cached_key(|axis| {
            let n_bins = u64::from(sizes[*axis as usize].clamp(1, 64));
            let bits: u64 = rows.iter().map(|r| u64::from(word(r, *axis).count_ones()).min(n_bins)).sum();
            (bits * 1_000 / n_bins, *axis)
        });
        let words = rows.iter().flat_map(|row| axes.iter().map(move |a| word(row, *a))).collect();
        Coarse { n_axes: axes.len(), words }
    }

    /// Calls for each pair of some rows that this does not tell apart, the lower first; some of them more than once.
    /// Nothing when the steps run out.
    fn each_pair(&self, rows: &[u32], steps: &mut u64, found: &mut impl FnMut(u32, u32)) -> Option<()> {
        if rows.len() > MANY
            && let Some(axis) = (0..self.n_axes).find(|a| self.parts_well(rows, *a))
        {
            spend(steps, 1 + rows.len() as u64 * self.n_axes as u64 / PAIRS_PER_STEP)?;
            for bit in 0..64 {
                let held =
                    rows.iter().copied().filter(|r| self.words[*r as usize * self.n_axes + axis] >> bit & 1 == 1);
                self.each_pair(&held.collect::<Vec<_>>(), steps, found)?;
            }
            return Some(());
        }
        for (n, i) in rows.iter().enumerate() {
            spend(steps, 1 + (rows.len() - n) as u64 / PAIRS_PER_STEP)?;
            for j in rows[n + 1..].iter().filter(|j| self.may_meet(*i as usize, **j as usize)) {
                found(*i, *j);
            }
        }
        Some(())
    }

    /// Whether the bins of an axis part some rows into lists that are together hardly longer, and each much shorter.
    fn parts_well(&self, rows: &[u32], axis: usize) -> bool {
        let words = rows.iter().map(|r| self.words[*r as usize * self.n_axes + axis]);
        let mut lengths = [0usize; 64];
        for mut word in words {
            if word.count_ones() > 8 {
                return false;
            }
            while word != 0 {
                lengths[word.trailing_zeros() as usize] += 1;
                word &= word - 1;
            }
        }
        let longest = lengths.iter().max().copied().unwrap_or(0);
        lengths.iter().sum::<usize>() * 4 <= rows.len() * 5 && longest * 4 <= rows.len() * 3
    }

    /// Whether two rows are not told apart by this.
    pub(super) fn may_meet(&self, i: usize, j: usize) -> bool {
        let row = |r: usize| &self.words[r * self.n_axes..(r + 1) * self.n_axes];
        row(i).iter().zip(row(j)).all(|(a, b)| a & b != 0)
    }
}

/// The bins that a set touches.
fn bins(side: &SegSet, size: u32) -> u64 {
    let bin = |seg: u32| if size <= 64 { seg } else { (u64::from(seg) * 64 / u64::from(size)) as u32 };
    side.ranges().iter().fold(0, |bits, &(lo, hi)| {
        let (first, last) = (bin(lo), bin(hi - 1));
        bits | (u64::MAX >> (63 - (last - first))) << first
    })
}
