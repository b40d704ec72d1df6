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

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::problem::{NO_GROUP, Problem};
use super::state::{Branch, FastHasher, ROWS_PER_STEP, Rows, State};
use super::{Clause, Layers, Region, SegSet, Space, volume};

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
    if question.disjoint && counted_out(&problem) {
        return Reached { groups: vec![Reach::Never; question.n_groups as usize], cut_short: None };
    }
    let thinnest_first = is_sure(&problem);
    let mut search = Search {
        rows: Rows::new(&problem),
        within: &question.within,
        n_open: question.n_groups as usize,
        found: vec![None; question.n_groups as usize],
        memo: HashSet::default(),
        remembered: 0,
        path: Vec::new(),
        steps,
        thinnest_first,
    };
    let (all, open) = (search.rows.all(), search.rows.every_axis());
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

/// Why a search stops before its end.
enum End {
    /// Every group is found.
    AllFound,
    OutOfSteps,
}

struct Search<'a> {
    rows: Rows<'a>,
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

impl Search<'_> {
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
        let group = self.rows.problem.rows[row as usize].label;
        group != NO_GROUP && self.found[group as usize].is_none()
    }

    fn go(&mut self, live: &[u32], open: &[u64]) -> Result<(), End> {
        if self.n_open == 0 {
            return Err(End::AllFound);
        }
        self.spend(live.len())?;
        let state = self.rows.settle(live, open, |row| self.is_open(row));
        if state.rows.len() <= state.main {
            return Ok(());
        }
        if let Some(row) = self.rows.answers(&state, open) {
            return self.answer(row);
        }
        let key = state.key();
        if self.memo.contains(&key) {
            return Ok(());
        }
        let Some(axis) = self.choose(&state) else { return Ok(()) };
        let rest = state.without(axis);
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
            let group = self.rows.problem.rows[row as usize].label as usize;
            self.found[group] = Some(self.region());
            self.n_open -= 1;
        }
        if self.n_open == 0 { Err(End::AllFound) } else { Ok(()) }
    }

    /// Where the search is, as a region of the space.
    fn region(&self) -> Region {
        let mut region = self.within.clone();
        for (local, ranges) in &self.path {
            let axis = &self.rows.problem.axes[*local as usize];
            let segments = ranges.iter().flat_map(|&(lo, hi)| &axis.cells[lo as usize..hi as usize]).copied();
            region = region.with(axis.axis, SegSet::from_ranges(segments));
        }
        region
    }

    /// The axis that most rows test, where that is about equal one of few cells.
    fn choose(&self, state: &State) -> Option<u32> {
        let n = self.rows.problem.axes.len();
        let mut counts = vec![0u64; n];
        for row in &state.rows {
            self.rows.problem.rows[*row as usize].tests.iter().for_each(|(a, _)| counts[*a as usize] += 1);
        }
        let size = |a: usize| u64::from(self.rows.problem.axes[a].cells.len().max(2).ilog2()) + 1;
        (0..n).filter(|a| state.is_open(*a)).max_by_key(|&a| (counts[a] * 64 / size(a), n - a)).map(|a| a as u32)
    }

    /// The branches of an axis, those most likely to be open first.
    fn branches(&mut self, state: &State, axis: u32, rest: &[u64]) -> Result<Vec<Branch>, End> {
        let Some((mut branches, took)) = self.rows.branches(state, axis, *self.steps) else {
            *self.steps = 0;
            return Err(End::OutOfSteps);
        };
        *self.steps -= took;
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
        let first = self.rows.problem.starts[self.rows.problem.main()] as u32;
        let open = |a: u32| rest[a as usize / 64] >> (a % 64) & 1 == 1;
        let main = branch.rows.iter().filter(|r| **r >= first);
        main.map(|r| volume::density(self.rows.problem, &self.rows.problem.rows[*r as usize], open)).sum()
    }
}
