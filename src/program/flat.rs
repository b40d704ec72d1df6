//! A whole policy as one array, where its facts have few codes: derives, tables and `see` are worked out once for every
//! point, and a question is one look into it.
//!
//! The codes of all facts, each times its stride, have the point's place for their sum; a
//! [`Question`](super::question::Question) keeps it while facts are set.

use std::collections::HashMap;

use crate::model::Answer;

use super::shape::FlatTable;
use super::verdict::Verdict;

/// With more ways to an answer than these the array is not worth its room.
const MOST_ANSWERS: usize = 4096;

/// An answer for every point.
#[derive(Debug, Clone)]
pub(super) struct Flat {
    /// By point, the place of its answer.
    pub(super) cells: Box<[u16]>,
    pub(super) verdicts: Box<[Verdict]>,
    pub(super) answers: Box<[Answer]>,
}

impl Flat {
    /// Works out every point, by the codes of all facts; with it the stride of each fact. Nothing where there are more
    /// points than so many.
    pub(super) fn build(
        sizes: &[u32],
        most_cells: u64,
        ask: impl Fn(&[u32]) -> (Verdict, Answer),
    ) -> Option<(Flat, Vec<u32>)> {
        let mut strides = Vec::with_capacity(sizes.len());
        let mut n_cells = 1u64;
        for size in sizes {
            strides.push(n_cells as u32);
            n_cells = n_cells.checked_mul(u64::from(*size)).filter(|n| *n <= most_cells)?;
        }
        let (mut cells, mut verdicts, mut answers) = (Vec::with_capacity(n_cells as usize), Vec::new(), Vec::new());
        let mut known: HashMap<Answer, u16> = HashMap::new();
        let mut codes = vec![0u32; sizes.len()];
        for _ in 0..n_cells {
            let (verdict, answer) = ask(&codes);
            cells.push(*known.entry(answer).or_insert_with(|| {
                verdicts.push(verdict);
                answers.push(answer);
                (answers.len() - 1) as u16
            }));
            if answers.len() > MOST_ANSWERS {
                return None;
            }
            for (code, size) in codes.iter_mut().zip(sizes) {
                *code += 1;
                if *code < *size {
                    break;
                }
                *code = 0;
            }
        }
        Some((Flat { cells: cells.into(), verdicts: verdicts.into(), answers: answers.into() }, strides))
    }

    /// The verdict at a point.
    #[inline]
    pub(super) fn at(&self, point: u32) -> Verdict {
        self.verdicts.get(self.place(point)).copied().unwrap_or(Verdict::NONE)
    }

    /// The same with the way to it.
    pub(super) fn answer(&self, point: u32) -> Option<Answer> {
        self.answers.get(self.place(point)).copied()
    }

    /// How large it is.
    pub(super) fn shape(&self) -> FlatTable {
        let n_bytes = size_of_val(&*self.cells) + size_of_val(&*self.verdicts) + size_of_val(&*self.answers);
        FlatTable { n_points: self.cells.len(), n_answers: self.answers.len(), n_bytes }
    }

    #[inline]
    fn place(&self, point: u32) -> usize {
        self.cells.get(point as usize).map_or(usize::MAX, |place| usize::from(*place))
    }
}
