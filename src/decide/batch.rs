//! Many decisions at once, columns in and columns out.
//!
//! Questions are asked a piece at a time, so that a piece stays near. Where the policy is one small table, its columns make a few
//! joint keys for all of them before any is looked up; else they are asked one after the other, still from small keys. What a
//! policy or a column has that neither can do goes the way of [`decide`](Policy::decide). All three give its answer.

use crate::model::TableId;
use crate::program::{Batch, CHUNK, JointKeys, Question, Verdict};
use crate::words::Verb;

use super::columns::{ColumnError, Columns};
use super::decision::Decision;
use super::facts::Facts;
use super::keys::Keys;
use super::policy::Policy;
use super::steps::{Step, take};

/// The answers of a batch, one entry a question. Keep them for the next batch: their memory is used again.
/// [`Columns`] shows how they come about.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    verbs: Vec<Verb>,
    rows: Vec<u32>,
    waits: Vec<(u64, u64)>,
}

impl Answers {
    /// In place of a row where none answers: then the verb is `review`. Only where a policy is not proven.
    pub const NO_ROW: u32 = u32::MAX;

    /// What to do, guards and fallbacks taken.
    pub fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    /// The row that answers, as its place among [`Policy::rows`], or [`NO_ROW`](Self::NO_ROW).
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The shortest and the longest wait in milliseconds of each retry, and 0 for another verb; empty where nothing is retried.
    /// See [`Decision::wait_bounds_ms`].
    pub fn wait_bounds_ms(&self) -> &[(u64, u64)] {
        &self.waits
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.verbs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.verbs.is_empty()
    }

    fn reset(&mut self, n: usize, may_retry: bool) {
        self.verbs.resize(n, Verb::Review);
        self.rows.resize(n, Self::NO_ROW);
        self.waits.resize(if may_retry { n } else { 0 }, (0, 0));
    }

    /// Where the answers go, piece by piece.
    fn pieces(&mut self) -> impl Iterator<Item = Piece<'_>> {
        let mut waits = self.waits.chunks_mut(CHUNK);
        let pieces = self.verbs.chunks_mut(CHUNK).zip(self.rows.chunks_mut(CHUNK)).enumerate();
        pieces.map(move |(piece, (verbs, rows))| Piece {
            from: piece * CHUNK,
            verbs,
            rows,
            waits: waits.next().unwrap_or_default(),
        })
    }
}

/// A thread takes so many pieces at a time at least, so that making an [`Asker`] does not weigh.
#[cfg(feature = "rayon")]
const PIECES_AT_ONCE: usize = 16;

/// How the questions of some columns are asked.
enum Way {
    /// By joint keys, where the keys of each column are a byte.
    Joint(Vec<Keys>, Joint),
    /// One after the other, from keys.
    Keys(Vec<Keys>),
    /// As [`Policy::decide`] does.
    Plain,
}

/// What the questions of a batch have in common.
struct Joint {
    batch: Batch,
    /// The columns that make no difference: they are held to their facts only.
    idle: Vec<usize>,
    /// The row of each rank; the last has none.
    rows: Vec<u32>,
    /// Whether the rows of all ranks follow each other.
    are_in_order: bool,
    /// The verb of the first rank, and from which ranks on there is another.
    verbs: (Verb, Vec<(u8, Verb)>),
    /// Whether one of them is carried out, so that guards are asked.
    acts: bool,
}

/// Asks the questions of some columns.
struct Asker<'a> {
    asking: Asking<'a>,
    settler: Settler<'a>,
}

/// A [`Way`] with what it needs.
enum Asking<'a> {
    Joint {
        joint: &'a Joint,
        /// What reads the columns that make no difference.
        idle: Vec<Vec<Step<'a>>>,
        /// What makes each joint key.
        steps: Vec<Vec<Step<'a>>>,
        keys: Box<JointKeys>,
        ranks: Box<[u8; CHUNK]>,
    },
    Keys {
        of_columns: &'a [Keys],
        /// What makes the keys of each column.
        steps: Vec<Vec<Step<'a>>>,
        keys: Vec<[u8; CHUNK]>,
        question: Question,
    },
    Plain,
}

/// Turns verdicts into answers.
struct Settler<'a> {
    policy: &'a Policy,
    columns: &'a Columns<'a>,
    /// What guards and waits look at, set where an answer needs them.
    facts: Facts,
    /// Where the rows of each table begin among all rows.
    starts: Vec<u32>,
}

/// Where the answers of a piece go.
struct Piece<'o> {
    from: usize,
    verbs: &'o mut [Verb],
    rows: &'o mut [u32],
    waits: &'o mut [(u64, u64)],
}

impl Policy {
    /// Decides many questions, as [`decide`](Self::decide) would each; [`Columns`] has an example. The answers replace those
    /// that were there; with an error there are none. What it allocates does not grow with the questions, save for the
    /// answers themselves.
    ///
    /// # Errors
    /// The first entry that a fact cannot have; columns of another policy.
    pub fn decide_batch(&self, columns: &Columns, answers: &mut Answers) -> Result<(), ColumnError> {
        self.decide_by_pieces(columns, answers, |pieces| {
            let way = Way::of(self, columns);
            let mut asker = Asker::new(self, columns, &way);
            for mut piece in pieces {
                asker.ask(&mut piece)?;
            }
            Ok(())
        })
    }

    /// The same on all cores, by rayon's pool: each thread takes some thousand questions at a time.
    ///
    /// ```
    /// use nisi::words::Verb;
    /// let policy = nisi::Policy::compile("policy a
    /// version 1
    /// fact left : duration
    /// table t, first row wins
    /// | left | => action |
    /// | >= 2s | stop |
    /// | otherwise | review desk |
    /// ")?;
    /// let left: Vec<u32> = (0..100_000).map(|i| i % 4_000).collect();
    /// let mut columns = policy.columns(left.len());
    /// columns.numbers(policy.handle("left")?, &left, None)?;
    /// let mut answers = nisi::decide::Answers::default();
    /// policy.decide_batch_on_all_cores(&columns, &mut answers)?;
    /// assert_eq!(answers.verbs()[1_999..2_001], [Verb::Review, Verb::Stop]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`decide_batch`](Self::decide_batch).
    #[cfg(feature = "rayon")]
    pub fn decide_batch_on_all_cores(&self, columns: &Columns, answers: &mut Answers) -> Result<(), ColumnError> {
        self.decide_by_pieces(columns, answers, |pieces| {
            use rayon::prelude::*;
            let way = Way::of(self, columns);
            let mut pieces: Vec<_> = pieces.collect();
            let asked = pieces
                .par_iter_mut()
                .with_min_len(PIECES_AT_ONCE)
                .map_init(|| Asker::new(self, columns, &way), |asker, piece| (piece.from, asker.ask(piece)));
            let first = asked.filter(|(_, asked)| asked.is_err()).min_by_key(|(from, _)| *from);
            first.map_or(Ok(()), |(_, asked)| asked)
        })
    }

    fn decide_by_pieces(
        &self,
        columns: &Columns,
        answers: &mut Answers,
        ask: impl FnOnce(&mut dyn Iterator<Item = Piece>) -> Result<(), ColumnError>,
    ) -> Result<(), ColumnError> {
        let asked = if self.is_same(columns.policy) {
            answers.reset(columns.len, self.may_retry());
            ask(&mut answers.pieces())
        } else {
            Err(ColumnError::Foreign)
        };
        if asked.is_err() {
            answers.reset(0, false);
        }
        asked
    }
}

impl Way {
    fn of(policy: &Policy, columns: &Columns) -> Way {
        let keys = columns.all.iter().map(|column| Keys::of(policy, column));
        let Some(keys) = keys.collect::<Option<Vec<Keys>>>() else { return Way::Plain };
        if policy.head().overlay.is_some() {
            return Way::Plain;
        }
        let of_columns: Vec<_> = keys.iter().zip(&columns.all).map(|(keys, column)| keys.codes(column)).collect();
        match policy.program().batch(&of_columns) {
            Some(mut batch) => {
                batch.expect(columns.len);
                let joint = Joint::new(batch, columns, &Settler::new(policy, columns));
                Way::Joint(keys, joint)
            }
            None => Way::Keys(keys),
        }
    }
}

impl Joint {
    fn new(batch: Batch, columns: &Columns, settler: &Settler) -> Joint {
        let idle = (0..columns.all.len()).filter(|column| !batch.asks(*column)).collect();
        let ends = batch.ends();
        let rows: Vec<u32> = ends.iter().map(|end| settler.row(*end)).collect();
        let n_told = if batch.is_total() { rows.len() - 1 } else { rows.len() };
        let are_in_order = rows[..n_told].windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1));
        let verbs = ends[..n_told].iter().map(|end| end.verb());
        let changes = (1u8..).zip(ends[..n_told].windows(2)).filter(|(_, pair)| pair[0].verb() != pair[1].verb());
        let changes = changes.map(|(rank, pair)| (rank, pair[1].verb())).collect();
        let first = ends.first().map_or(Verb::Review, |end| end.verb());
        Joint { idle, are_in_order, acts: verbs.clone().any(Verb::acts), verbs: (first, changes), rows, batch }
    }
}

impl<'a> Asker<'a> {
    fn new(policy: &'a Policy, columns: &'a Columns<'a>, way: &'a Way) -> Self {
        let all = &columns.all;
        let asking = match way {
            Way::Joint(keys, joint) => Asking::Joint {
                joint,
                idle: joint.idle.iter().map(|idle| keys[*idle].steps(&all[*idle])).collect(),
                steps: joint.batch.joints().map(|parts| Keys::joint(keys, all, parts)).collect(),
                keys: joint.batch.room().into(),
                ranks: [0; CHUNK].into(),
            },
            Way::Keys(of_columns) => Asking::Keys {
                of_columns,
                steps: of_columns.iter().zip(all).map(|(keys, column)| keys.steps(column)).collect(),
                keys: vec![[0; CHUNK]; of_columns.len()],
                question: policy.program().blank(),
            },
            Way::Plain => Asking::Plain,
        };
        Asker { asking, settler: Settler::new(policy, columns) }
    }

    fn ask(&mut self, piece: &mut Piece) -> Result<(), ColumnError> {
        let Asker { asking, settler } = self;
        let from = piece.from;
        match asking {
            Asking::Joint { joint, idle, steps, keys, ranks } => {
                let are_read = idle.iter().all(|steps| take(steps, from, &mut [0; CHUNK]).is_some());
                let put = |place: usize, to: &mut [u8; CHUNK]| take(&steps[place], from, to).is_some();
                if are_read && joint.batch.ask(keys, ranks, put) {
                    return settler.settle_ranks(piece, ranks, joint);
                }
            }
            Asking::Keys { of_columns, steps, keys, question } => {
                let mut both = steps.iter().zip(&mut *keys);
                let mut read = |(steps, keys): (&Vec<Step>, &mut [u8; CHUNK])| {
                    *keys = [0; CHUNK];
                    take(steps, from, keys).is_some()
                };
                if both.all(&mut read) {
                    return settler.settle_each(piece, question, of_columns, keys);
                }
            }
            Asking::Plain => {}
        }
        settler.decide_all(piece)
    }
}

impl<'a> Settler<'a> {
    fn new(policy: &'a Policy, columns: &'a Columns<'a>) -> Self {
        let mut next = 0;
        let starts = (0..policy.head().tables.len()).map(|table| {
            let start = next;
            next += policy.held().n_rows(TableId(table)) as u32;
            start
        });
        Settler { policy, columns, facts: policy.no_facts(), starts: starts.collect() }
    }

    /// The row of a verdict among all rows.
    fn row(&self, verdict: Verdict) -> u32 {
        let row = verdict.place().and_then(|(table, row)| Some(self.starts.get(table.0)? + row as u32));
        row.unwrap_or(Answers::NO_ROW)
    }

    /// Answers a piece as [`Policy::decide`] does.
    fn decide_all(&mut self, piece: &mut Piece) -> Result<(), ColumnError> {
        (0..piece.verbs.len()).try_for_each(|i| self.decide(piece, i))
    }

    fn decide(&mut self, piece: &mut Piece, i: usize) -> Result<(), ColumnError> {
        self.put(piece.from + i)?;
        let decision = self.policy.decide(&self.facts);
        let (verb, row, wait) = (decision.verb(), self.row(decision.verdict()), decision.wait_bounds_ms());
        piece.answer(i, verb, row, wait);
        Ok(())
    }

    /// Answers one question by its verdict; where that acts, its guards are asked.
    fn settle(&mut self, piece: &mut Piece, i: usize, verdict: Verdict) -> Result<(), ColumnError> {
        let (mut verb, row, mut wait) = (verdict.verb(), self.row(verdict), None);
        if verb.acts() {
            self.put(piece.from + i)?;
            let decision = Decision::settled(self.policy, &self.facts, verdict);
            (verb, wait) = (decision.verb(), decision.wait_bounds_ms());
        }
        piece.answer(i, verb, row, wait);
        Ok(())
    }

    /// Asks one question after the other, from keys.
    fn settle_each(
        &mut self,
        piece: &mut Piece,
        question: &mut Question,
        keys: &[Keys],
        read: &[[u8; CHUNK]],
    ) -> Result<(), ColumnError> {
        (0..piece.verbs.len()).try_for_each(|i| {
            for (keys, read) in keys.iter().zip(read) {
                if let Some(told) = keys.told().get(usize::from(read[i % CHUNK])) {
                    question.put(*told);
                }
            }
            self.settle(piece, i, self.policy.program().ask(question))
        })
    }

    /// Answers a piece by the rank of each question.
    fn settle_ranks(&mut self, piece: &mut Piece, ranks: &[u8; CHUNK], joint: &Joint) -> Result<(), ColumnError> {
        if let (Ok(verbs), Ok(rows)) = ((&mut *piece.verbs).try_into(), (&mut *piece.rows).try_into()) {
            joint.write(verbs, rows, ranks);
        } else {
            let (mut verbs, mut rows) = ([Verb::Review; CHUNK], [0; CHUNK]);
            joint.write(&mut verbs, &mut rows, ranks);
            piece.verbs.iter_mut().zip(verbs).for_each(|(to, verb)| *to = verb);
            piece.rows.iter_mut().zip(rows).for_each(|(to, row)| *to = row);
        }
        piece.waits.fill((0, 0));
        if joint.acts {
            for (i, rank) in ranks.iter().enumerate().take(piece.verbs.len()) {
                if let Some(end) = joint.batch.ends().get(usize::from(*rank)).filter(|end| end.verb().acts()) {
                    self.settle(piece, i, *end)?;
                }
            }
        }
        Ok(())
    }

    /// Puts one entry of every column into the facts.
    fn put(&mut self, entry: usize) -> Result<(), ColumnError> {
        self.columns.all.iter().try_for_each(|column| column.put(&mut self.facts, entry))
    }
}

impl Piece<'_> {
    fn answer(&mut self, i: usize, verb: Verb, row: u32, wait: Option<(u64, u64)>) {
        if let (Some(to), Some(to_row)) = (self.verbs.get_mut(i), self.rows.get_mut(i)) {
            (*to, *to_row) = (verb, row);
        }
        if let Some(to) = self.waits.get_mut(i) {
            *to = wait.unwrap_or_default();
        }
    }
}

impl Joint {
    fn write(&self, verbs: &mut [Verb; CHUNK], rows: &mut [u32; CHUNK], ranks: &[u8; CHUNK]) {
        self.write_verbs(verbs, ranks);
        self.write_rows(rows, ranks);
    }

    /// Writes the verb of each rank: for all questions that of the first one, then two changes at a time.
    fn write_verbs(&self, to: &mut [Verb; CHUNK], ranks: &[u8; CHUNK]) {
        let (first, changes) = &self.verbs;
        *to = [*first; CHUNK];
        let (twos, rest) = changes.as_chunks::<2>();
        for two in twos {
            change(to, ranks, *two);
        }
        for one in rest {
            change(to, ranks, [*one]);
        }
    }

    /// Writes the row of each rank. Most tables are asked in the order of their rows.
    fn write_rows(&self, to: &mut [u32; CHUNK], ranks: &[u8; CHUNK]) {
        if let (true, Some(&first)) = (self.are_in_order, self.rows.first()) {
            to.iter_mut().zip(ranks).for_each(|(to, rank)| *to = first + u32::from(*rank));
        } else {
            let row = |rank: u8| self.rows.get(usize::from(rank)).copied().unwrap_or(Answers::NO_ROW);
            to.iter_mut().zip(ranks).for_each(|(to, rank)| *to = row(*rank));
        }
    }
}

/// Writes the verbs that hold from some ranks on. By itself, so that it stays a loop.
#[inline(never)]
fn change<const N: usize>(to: &mut [Verb; CHUNK], ranks: &[u8; CHUNK], changes: [(u8, Verb); N]) {
    to.iter_mut().zip(ranks).for_each(|(to, rank)| {
        *to = changes.iter().fold(*to, |verb, (from, next)| if rank >= from { *next } else { verb });
    });
}
