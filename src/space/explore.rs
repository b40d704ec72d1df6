//! The one recursion: which entries of a list are ever the answer.
//!
//! It cuts one axis after another. A state is the set of rows that are still possible, those of the list in question
//! and those of the derives that they read, carried side by side; segments that the same rows admit are one branch,
//! and states that were gone through are remembered, so that what comes out is in effect an interval decision
//! diagram (Gouda and Liu, *Structured firewall design*, 2007; usefulness of a row by columns: Maranget, *Warnings
//! for pattern matching*, 2007). After each cut a state is *settled*: every layer ends with its first row that has
//! nothing left to test, a derive's possible outcomes rule out rows that read it, and a derive that makes no
//! difference any more leaves the state.
//!
//! Exact: what it calls reached is reached at every point of the region it gives, what it calls never reached is
//! nowhere the answer. Bounded in steps, never in time, so that the same question has the same end every time; when
//! the steps run out the rest is undecided, and it says where.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::problem::{LocalRow, NO_GROUP, Problem};
use super::{Clause, Layers, Region, SegSet, Space, volume};

/// How many rows are looked at for one step.
const ROWS_PER_STEP: u64 = 16;
/// States are remembered up to so many numbers in all.
const MEMORY: usize = 24_000_000;

/// A question: inside a region, a list of clauses of which the first that holds is the answer.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// Where.
    pub within: Region,
    /// The list: each clause with the group that is told when it is the answer, or with none.
    pub list: Vec<(&'a Clause, Option<u32>)>,
    /// How many groups there are.
    pub n_groups: u32,
    /// Whether it is proven that no point satisfies two of the clauses that are in no group.
    pub disjoint: bool,
}

/// What is known of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// None of its clauses is ever the answer.
    Never,
    /// At every point of this region one of them is the answer.
    At(Region),
    /// The steps ran out.
    Undecided,
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub struct Reached {
    /// By group.
    pub groups: Vec<Reach>,
    /// Where the steps ran out, if they did.
    pub cut_short: Option<Region>,
}

/// Finds for each group whether one of its clauses is ever the answer. Takes what it needs from `steps`.
pub fn explore(space: &Space, layers: &Layers, question: &Question, steps: &mut u64) -> Reached {
    explore_over(space.sizes(), layers, question, steps)
}

/// The same over any axes: `sizes` are their numbers of segments.
pub fn explore_over(sizes: &[u32], layers: &Layers, question: &Question, steps: &mut u64) -> Reached {
    let missing = || Reached {
        groups: vec![Reach::Undecided; question.n_groups as usize],
        cut_short: Some(question.within.clone()),
    };
    let to_read = question.list.len() as u64 / ROWS_PER_STEP;
    let Some(left) = steps.checked_sub(to_read) else {
        *steps = 0;
        return missing();
    };
    *steps = left;
    let list = question.list.iter().map(|(c, g)| (*c, g.unwrap_or(NO_GROUP)));
    let problem = Problem::new(layers, sizes, &question.within, list);
    let words = problem.axes.len().div_ceil(64).max(1);
    if question.disjoint && counted_out(&problem) {
        return Reached { groups: vec![Reach::Never; question.n_groups as usize], cut_short: None };
    }
    let thinnest_first = is_sure(&problem);
    let mut search = Search {
        masks: problem.rows.iter().map(|r| mask(r, words)).collect(),
        problem: &problem,
        within: &question.within,
        n_open: question.n_groups as usize,
        found: vec![None; question.n_groups as usize],
        memo: HashSet::default(),
        remembered: 0,
        path: Vec::new(),
        steps,
        thinnest_first,
    };
    let all: Vec<u32> = (0..problem.rows.len() as u32).collect();
    let open = search.whole_mask(words);
    let end = search.go(&all, &open);
    let cut_short = matches!(end, Err(End::OutOfSteps)).then(|| search.region());
    let missing = if cut_short.is_some() { Reach::Undecided } else { Reach::Never };
    let groups = search.found.into_iter().map(|f| f.map_or_else(|| missing.clone(), Reach::At)).collect();
    Reached { groups, cut_short }
}

/// Whether counting alone shows that the last row of the list is never reached: the others are disjoint, and together
/// as large as the whole.
fn counted_out(problem: &Problem) -> bool {
    let main = &problem.rows[problem.starts[problem.main()]..];
    let Some((last, others)) = main.split_last() else { return false };
    let plain = others.iter().all(|r| r.label == NO_GROUP && r.reads.is_empty());
    let sums = volume::sum(problem, others.iter()).zip(volume::whole(problem));
    plain && last.label != NO_GROUP && sums.is_some_and(|(sum, whole)| sum == whole)
}

/// Whether counting alone shows that the last row of the list, which takes what is left, is reached.
fn is_sure(problem: &Problem) -> bool {
    let main = &problem.rows[problem.starts[problem.main()]..];
    let Some((last, others)) = main.split_last() else { return false };
    let only = last.label != NO_GROUP && last.tests.is_empty() && last.reads.is_empty();
    let sums = volume::sum(problem, others.iter()).zip(volume::whole(problem));
    only && sums.is_some_and(|(sum, whole)| sum < whole)
}

type Mask = Box<[u64]>;

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

/// Why a search stops before its end.
enum End {
    /// Every group is found.
    AllFound,
    OutOfSteps,
}

struct Search<'a> {
    problem: &'a Problem,
    masks: Vec<Mask>,
    within: &'a Region,
    found: Vec<Option<Region>>,
    n_open: usize,
    memo: HashSet<Box<[u32]>, BuildHasherDefault<FastHasher>>,
    remembered: usize,
    /// The cuts that lead to where the search is: local axis and ranges of cells.
    path: Vec<(u32, Vec<(u32, u32)>)>,
    steps: &'a mut u64,
    thinnest_first: bool,
}

/// A settled state.
struct State {
    rows: Vec<u32>,
    /// The axes that still make a difference.
    axes: Mask,
    /// Where the rows of the list in question begin.
    main: usize,
}

/// The segments of an axis that lead to the same state.
struct Branch {
    cells: Vec<(u32, u32)>,
    rows: Vec<u32>,
}

impl Search<'_> {
    fn whole_mask(&self, words: usize) -> Mask {
        let mut bits = vec![0u64; words];
        (0..self.problem.axes.len()).for_each(|a| bits[a / 64] |= 1 << (a % 64));
        bits.into()
    }

    fn spend(&mut self, rows: usize) -> Result<(), End> {
        let cost = 1 + rows as u64 / ROWS_PER_STEP;
        if *self.steps < cost {
            *self.steps = 0;
            return Err(End::OutOfSteps);
        }
        *self.steps -= cost;
        Ok(())
    }

    fn is_open(&self, row: u32) -> bool {
        let group = self.problem.rows[row as usize].label;
        group != NO_GROUP && self.found[group as usize].is_none()
    }

    fn go(&mut self, live: &[u32], open: &[u64]) -> Result<(), End> {
        if self.n_open == 0 {
            return Err(End::AllFound);
        }
        self.spend(live.len())?;
        let state = self.settle(live, open);
        let Some(&first) = state.rows.get(state.main) else { return Ok(()) };
        if state.rows.len() == state.main + 1 && state.main == 0 && !meets(&self.masks[first as usize], open) {
            return self.answer(first);
        }
        let key = Self::key(&state);
        if self.memo.contains(&key) {
            return Ok(());
        }
        let Some(axis) = self.choose(&state) else { return Ok(()) };
        let mut rest: Mask = state.axes.clone();
        rest[axis as usize / 64] &= !(1 << (axis % 64));
        for branch in self.branches(&state, axis, &rest)? {
            self.path.push((axis, branch.cells));
            self.go(&branch.rows, &rest)?;
            self.path.pop();
        }
        if self.remembered < MEMORY {
            self.remembered += key.len() + 8;
            self.memo.insert(key);
        }
        Ok(())
    }

    /// A row of the list is the answer wherever the search is.
    fn answer(&mut self, row: u32) -> Result<(), End> {
        if self.is_open(row) {
            let group = self.problem.rows[row as usize].label as usize;
            self.found[group] = Some(self.region());
            self.n_open -= 1;
        }
        if self.n_open == 0 { Err(End::AllFound) } else { Ok(()) }
    }

    /// Where the search is, as a region of the space.
    fn region(&self) -> Region {
        let mut region = self.within.clone();
        for (local, ranges) in &self.path {
            let axis = &self.problem.axes[*local as usize];
            let segments = ranges.iter().flat_map(|&(lo, hi)| &axis.cells[lo as usize..hi as usize]).copied();
            region = region.with(axis.axis, SegSet::from_ranges(segments));
        }
        region
    }

    fn key(state: &State) -> Box<[u32]> {
        let words = state.axes.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
        words.chain(state.rows.iter().copied()).collect()
    }

    /// Drops every row that cannot make a difference any more.
    fn settle(&self, live: &[u32], open: &[u64]) -> State {
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
        self.keep_what_matters(&rows, &ends, &readers, open)
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

    fn keep_what_matters(&self, rows: &[u32], ends: &[usize], readers: &[Vec<usize>], open: &[u64]) -> State {
        let main = ends.len() - 1;
        let start = |layer: usize| if layer == 0 { 0 } else { ends[layer - 1] };
        let mut last = ends[main];
        while last > start(main) && !self.is_open(rows[last - 1]) {
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

    /// The axis that most rows test, where that is about equal one of few cells.
    fn choose(&self, state: &State) -> Option<u32> {
        let n = self.problem.axes.len();
        let mut counts = vec![0u64; n];
        for row in &state.rows {
            self.problem.rows[*row as usize].tests.iter().for_each(|(a, _)| counts[*a as usize] += 1);
        }
        let open = |a: &usize| state.axes[a / 64] >> (a % 64) & 1 == 1;
        let size = |a: usize| u64::from(self.problem.axes[a].cells.len().max(2).ilog2()) + 1;
        (0..n).filter(open).max_by_key(|&a| (counts[a] * 64 / size(a), n - a)).map(|a| a as u32)
    }

    /// The branches of an axis, those most likely to be open first.
    fn branches(&mut self, state: &State, axis: u32, rest: &[u64]) -> Result<Vec<Branch>, End> {
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
                if work / ROWS_PER_STEP > *self.steps {
                    *self.steps = 0;
                    return Err(End::OutOfSteps);
                }
                columns[from..to].iter_mut().for_each(|c| c.push(r));
            }
        }
        *self.steps -= work / ROWS_PER_STEP;
        let mut branches = classes(&cuts, &columns, &free);
        if self.thinnest_first {
            let mut keyed: Vec<(f64, Branch)> = branches.into_iter().map(|b| (self.thickness(&b, rest), b)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            branches = keyed.into_iter().map(|b| b.1).collect();
        } else {
            branches.sort_by_key(|b| b.rows.len());
        }
        Ok(branches)
    }

    fn thickness(&self, branch: &Branch, rest: &[u64]) -> f64 {
        let first = self.problem.starts[self.problem.main()] as u32;
        let open = |a: u32| rest[a as usize / 64] >> (a % 64) & 1 == 1;
        let main = branch.rows.iter().filter(|r| **r >= first);
        main.map(|r| volume::density(self.problem, &self.problem.rows[*r as usize], open)).sum()
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
struct FastHasher(u64);

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
