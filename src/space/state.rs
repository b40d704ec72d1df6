//! A state of the recursion over axes: which rows are still possible, and what still makes a difference.
//!
//! Rows of the list in question and rows of the derives that they read stand side by side. *Settling* drops all that
//! cannot make a difference any more: every layer ends with its first row that has nothing left to test, a derive's
//! possible outcomes rule out rows that read it, and a derive that no row hangs on leaves the state.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::problem::{LocalRow, Problem};

/// How many rows are looked at for one step.
pub(super) const ROWS_PER_STEP: u64 = 16;

/// A set of axes, as bits.
pub(super) type Mask = Box<[u64]>;

/// The axes that a row tests.
fn mask(row: &LocalRow, words: usize) -> Mask {
    let mut bits = vec![0u64; words];
    row.tests.iter().for_each(|(a, _)| bits[*a as usize / 64] |= 1 << (a % 64));
    bits.into()
}

fn meets(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

fn covers(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| b & !a == 0)
}

/// A settled state.
pub(super) struct State {
    pub(super) rows: Vec<u32>,
    /// The axes that still make a difference.
    pub(super) axes: Mask,
    /// Where the rows of the list in question begin.
    pub(super) main: usize,
}

/// The segments of an axis that lead to the same state.
pub(super) struct Branch {
    pub(super) cells: Vec<(u32, u32)>,
    pub(super) rows: Vec<u32>,
}

impl State {
    /// What tells it from all others.
    pub(super) fn key(&self) -> Box<[u32]> {
        let words = self.axes.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
        words.chain(self.rows.iter().copied()).collect()
    }

    /// Whether an axis still makes a difference.
    pub(super) fn is_open(&self, axis: usize) -> bool {
        self.axes[axis / 64] >> (axis % 64) & 1 == 1
    }

    /// The axes that make a difference once one is cut.
    pub(super) fn without(&self, axis: u32) -> Mask {
        let mut rest = self.axes.clone();
        rest[axis as usize / 64] &= !(1 << (axis % 64));
        rest
    }
}

/// The rows of a problem with the axes that each tests.
pub(super) struct Rows<'a> {
    pub(super) problem: &'a Problem,
    masks: Vec<Mask>,
    words: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        let words = problem.axes.len().div_ceil(64).max(1);
        Rows { problem, masks: problem.rows.iter().map(|r| mask(r, words)).collect(), words }
    }

    /// Every row.
    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.problem.rows.len() as u32).collect()
    }

    /// Every axis.
    pub(super) fn every_axis(&self) -> Mask {
        let mut bits = vec![0u64; self.words];
        (0..self.problem.axes.len()).for_each(|a| bits[a / 64] |= 1 << (a % 64));
        bits.into()
    }

    /// The row that answers wherever the state is, if one does.
    pub(super) fn answers(&self, state: &State, open: &[u64]) -> Option<u32> {
        let alone = state.rows.len() == state.main + 1 && state.main == 0;
        state.rows.first().copied().filter(|first| alone && !meets(&self.masks[*first as usize], open))
    }

    /// Drops every row that cannot make a difference any more.
    /// The rows of the list that matter are those that `is_asked` holds for, and whatever stands above them.
    pub(super) fn settle(&self, live: &[u32], open: &[u64], is_asked: impl Fn(u32) -> bool) -> State {
        let n_layers = self.problem.starts.len() - 1;
        let mut possible: Vec<Vec<u64>> = self.problem.outcome_words.iter().map(|w| vec![0; *w]).collect();
        let (mut rows, mut ends) = (Vec::with_capacity(live.len()), Vec::with_capacity(n_layers));
        // Which layers make a difference to some row, layer by layer.
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); n_layers];
        let mut rest = live;
        for (layer, readers) in readers.iter_mut().enumerate() {
            let end = self.problem.starts[layer + 1] as u32;
            let (own, others) = rest.split_at(rest.partition_point(|r| *r < end));
            rest = others;
            for &r in own {
                let Some(reads) = self.reads(r, &possible, readers) else { continue };
                rows.push(r);
                if let Some(possible) = possible.get_mut(layer) {
                    let outcome = self.problem.rows[r as usize].label as usize;
                    possible[outcome / 64] |= 1 << (outcome % 64);
                }
                if !reads && !meets(&self.masks[r as usize], open) {
                    break;
                }
            }
            ends.push(rows.len());
        }
        self.keep_what_matters(&rows, &ends, &readers, open, is_asked)
    }

    /// Whether a row can still match and still depends on a derive: nothing where it cannot match.
    fn reads(&self, row: u32, possible: &[Vec<u64>], readers: &mut Vec<usize>) -> Option<bool> {
        let mut depends = false;
        for (layer, held) in &self.problem.rows[row as usize].reads {
            let outcomes = &possible[*layer];
            if outcomes.iter().all(|w| *w == 0) {
                // The derive has left the state: it was satisfied for every row that is still there.
                continue;
            }
            if !meets(outcomes, held) {
                return None;
            }
            if !covers(held, outcomes) {
                depends = true;
                readers.push(*layer);
            }
        }
        Some(depends)
    }

    fn keep_what_matters(
        &self,
        rows: &[u32],
        ends: &[usize],
        readers: &[Vec<usize>],
        open: &[u64],
        is_asked: impl Fn(u32) -> bool,
    ) -> State {
        let main = ends.len() - 1;
        let start = |layer: usize| if layer == 0 { 0 } else { ends[layer - 1] };
        let mut last = ends[main];
        while last > start(main) && !is_asked(rows[last - 1]) {
            last -= 1;
        }
        let mut needed = vec![false; ends.len()];
        needed[main] = last > start(main);
        for layer in (0..ends.len()).rev().filter(|_| last > start(main)) {
            if needed[layer] {
                for reader in &readers[layer] {
                    needed[*reader] = true;
                }
            }
        }
        let mut kept = Vec::with_capacity(last);
        let mut main_at = 0;
        for layer in (0..ends.len()).filter(|l| needed[*l]) {
            main_at = kept.len();
            kept.extend_from_slice(&rows[start(layer)..if layer == main { last } else { ends[layer] }]);
        }
        let mut axes: Mask = vec![0; open.len()].into();
        for row in &kept {
            axes.iter_mut().zip(&self.masks[*row as usize]).for_each(|(a, m)| *a |= m);
        }
        axes.iter_mut().zip(open).for_each(|(a, o)| *a &= o);
        State { rows: kept, axes, main: main_at }
    }

    /// The branches of an axis, with the steps that finding them takes; nothing where there are fewer.
    pub(super) fn branches(&self, state: &State, axis: u32, steps: u64) -> Option<(Vec<Branch>, u64)> {
        let side = |r: u32| {
            let tests = &self.problem.rows[r as usize].tests;
            tests.binary_search_by_key(&axis, |t| t.0).ok().map(|i| &tests[i].1)
        };
        let (mut free, mut testers, mut cuts) = (Vec::new(), Vec::new(), vec![0]);
        for &r in &state.rows {
            match side(r) {
                Some(side) => {
                    testers.push((r, side));
                    cuts.extend(side.ranges().iter().flat_map(|x| [x.0, x.1]));
                }
                None => free.push(r),
            }
        }
        cuts.push(self.problem.axes[axis as usize].cells.len() as u32);
        cuts.sort_unstable();
        cuts.dedup();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); cuts.len() - 1];
        let mut work = 0;
        for (r, side) in testers {
            for (lo, hi) in side.ranges() {
                let from = cuts.partition_point(|c| c < lo);
                let to = cuts.partition_point(|c| c < hi);
                work += (to - from) as u64;
                if work / ROWS_PER_STEP > steps {
                    return None;
                }
                columns[from..to].iter_mut().for_each(|c| c.push(r));
            }
        }
        Some((classes(&cuts, &columns, &free), work / ROWS_PER_STEP))
    }
}

/// Stretches that the same rows admit, as one branch each, in order of their first stretch.
fn classes(cuts: &[u32], columns: &[Vec<u32>], free: &[u32]) -> Vec<Branch> {
    let mut at: HashMap<&Vec<u32>, usize, BuildHasherDefault<FastHasher>> = HashMap::default();
    let mut branches: Vec<Branch> = Vec::new();
    for (stretch, column) in cuts.windows(2).zip(columns) {
        let stretch = (stretch[0], stretch[1]);
        let i = *at.entry(column).or_insert(branches.len());
        if let Some(branch) = branches.get_mut(i) {
            branch.cells.push(stretch);
        } else {
            branches.push(Branch { cells: vec![stretch], rows: merged(free, column) });
        }
    }
    branches
}

/// Two sorted lists as one.
fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (mut i, mut j, mut out) = (0, 0, Vec::with_capacity(a.len() + b.len()));
    while i < a.len() && j < b.len() {
        if a[i] < b[j] {
            out.push(a[i]);
            i += 1;
        } else {
            out.push(b[j]);
            j += 1;
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

/// A quick hash of numbers; equality is always checked on the numbers themselves.
#[derive(Default)]
pub(super) struct FastHasher(u64);

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
