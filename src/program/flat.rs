//! A whole policy as one array, where its facts have few codes: derives, tables and `see` are worked out once for every
//! point, and a question is one look into it.
//!
//! All facts are one joint then ([`joints`](super::joints)).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::Answer;

use super::question::{Question, Told};
use super::shape::FlatTable;
use super::verdict::Verdict;

/// With more ways to an answer than these the array is not worth its room.
const MOST_ANSWERS: usize = 4096;

/// An answer for every point.
#[derive(Debug, Clone)]
pub(super) struct Flat {
    pub(super) cells: Cells,
    pub(super) verdicts: Box<[Verdict]>,
    pub(super) answers: Box<[Answer]>,
}

/// By point, the place of its answer: in one byte where all places fit, so that more of them are near.
#[derive(Debug, Clone)]
pub(super) enum Cells {
    Bytes(Box<[u8]>),
    Wide(Box<[u16]>),
}

impl Cells {
    pub(super) fn new(places: &[u16]) -> Cells {
        let bytes: Result<_, _> = places.iter().map(|place| u8::try_from(*place)).collect();
        bytes.map_or_else(|_| Cells::Wide(places.into()), Cells::Bytes)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Cells::Bytes(places) => places.len(),
            Cells::Wide(places) => places.len(),
        }
    }

    fn n_bytes(&self) -> usize {
        match self {
            Cells::Bytes(places) => size_of_val(&**places),
            Cells::Wide(places) => size_of_val(&**places),
        }
    }

    /// All places, wide.
    pub(super) fn wide(&self) -> Cow<'_, [u16]> {
        match self {
            Cells::Bytes(places) => places.iter().map(|place| u16::from(*place)).collect(),
            Cells::Wide(places) => Cow::Borrowed(places),
        }
    }

    /// The place of the answer at a point.
    #[inline]
    fn at(&self, point: u16) -> Option<usize> {
        match self {
            Cells::Bytes(places) => places.get(usize::from(point)).map(|place| usize::from(*place)),
            Cells::Wide(places) => places.get(usize::from(point)).map(|place| usize::from(*place)),
        }
    }
}

impl Flat {
    /// Works out every point, by a question that nothing is put to yet; the facts have so many codes, in the order of the
    /// slots. Nothing where there are more points than so many.
    pub(super) fn build(
        slots: &[Told],
        n_codes: &[u32],
        most_cells: u64,
        mut question: Question,
        ask: impl Fn(&Question) -> (Verdict, Answer),
    ) -> Option<Flat> {
        let n_cells =
            n_codes.iter().try_fold(1u64, |n, codes| n.checked_mul(u64::from(*codes)).filter(|n| *n <= most_cells))?;
        let (mut cells, mut verdicts, mut answers) = (Vec::with_capacity(n_cells as usize), Vec::new(), Vec::new());
        // Many ways lead to one verdict at most.
        let mut known: HashMap<Verdict, Vec<u16>> = HashMap::new();
        for _ in 0..n_cells {
            let (verdict, answer) = ask(&question);
            let last = cells.last().copied().filter(|place| answers[usize::from(*place)] == answer);
            cells.push(last.unwrap_or_else(|| {
                let same = known.entry(verdict).or_default();
                let found = same.iter().find(|place| answers[usize::from(**place)] == answer).copied();
                found.unwrap_or_else(|| {
                    verdicts.push(verdict);
                    answers.push(answer);
                    same.push((answers.len() - 1) as u16);
                    (answers.len() - 1) as u16
                })
            }));
            if answers.len() > MOST_ANSWERS {
                return None;
            }
            for (slot, n_codes) in slots.iter().zip(n_codes) {
                let next = question.code(slot.slot).map_or(0, |code| (code + 1) % n_codes);
                question.put(Told { code: next, ..*slot });
                if next > 0 {
                    break;
                }
            }
        }
        Some(Flat { cells: Cells::new(&cells), verdicts: verdicts.into(), answers: answers.into() })
    }

    /// The verdict at a point.
    #[inline]
    pub(super) fn at(&self, point: u16) -> Verdict {
        self.cells.at(point).and_then(|place| self.verdicts.get(place).copied()).unwrap_or(Verdict::NONE)
    }

    /// The same with the way to it.
    pub(super) fn answer(&self, point: u16) -> Option<Answer> {
        self.answers.get(self.cells.at(point)?).copied()
    }

    /// How large it is.
    pub(super) fn shape(&self) -> FlatTable {
        let n_bytes = self.cells.n_bytes() + size_of_val(&*self.verdicts) + size_of_val(&*self.answers);
        FlatTable { n_points: self.cells.len(), n_answers: self.answers.len(), n_bytes }
    }
}
