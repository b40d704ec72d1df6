//! Many decisions at once, columns in and columns out.
//!
//! Questions are asked a piece at a time, so that a piece stays near. Where the policy is one small table, its columns make a few
//! joint keys for all of them before any is looked up; else they are asked one after the other, still from small keys. What a
//! policy or a column has that neither can do goes the way of [`decide`](Policy::decide). All three give its answer.

use crate::model::TableId;
use crate::program::{Batch, CHUNK, JointKeys, Part, Question, Verdict};
use crate::words::Verb;

use super::columns::{ColumnError, Columns};
use super::decision::Decision;
use super::facts::Facts;
use super::keys::Keys;
use super::policy::Policy;

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

/// So many columns are read as keys at little cost.
const FEW_COLUMNS: usize = 16;

/// So many columns at most are read as keys.
const MOST_COLUMNS: usize = 256;

/// A thread takes so many pieces at a time at least, so that making an [`Asker`] does not weigh.
#[cfg(feature = "rayon")]
const PIECES_AT_ONCE: usize = 8;

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
    way: &'a Way,
    /// Room for the keys of a piece: of each column, where they are asked one after the other.
    room: Vec<u8>,
    joints: Option<JointKeys>,
    ranks: [u8; CHUNK],
    question: Question,
    settler: Settler<'a>,
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
        if policy.head().overlay.is_some() || keys.len() > MOST_COLUMNS {
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
        let (n_rooms, joints) = match way {
            Way::Joint(_, joint) => (1, Some(joint.batch.room())),
            Way::Keys(keys) => (keys.len(), None),
            Way::Plain => (0, None),
        };
        let (room, question) = (vec![0; CHUNK * n_rooms], policy.program().blank());
        Asker { way, room, joints, ranks: [0; CHUNK], question, settler: Settler::new(policy, columns) }
    }

    fn ask(&mut self, piece: &mut Piece) -> Result<(), ColumnError> {
        let is_asked = match (self.way, &mut self.joints) {
            (Way::Joint(keys, joint), Some(joints)) => {
                let (columns, room) = (&self.settler.columns.all, &mut self.room);
                let (from, n) = (piece.from, piece.verbs.len());
                let ranks = &mut self.ranks[..n];
                let are_read = joint.idle.iter().all(|idle| keys[*idle].read(&columns[*idle], from, n, room).is_some());
                let put = |parts: &[Part], to: &mut [u8]| Keys::join(keys, columns, from, (parts, room), to).is_some();
                are_read && joint.batch.ask(joints, ranks, put)
            }
            (Way::Keys(keys), _) => return self.ask_each(keys, piece),
            _ => false,
        };
        match self.way {
            Way::Joint(_, joint) if is_asked => {
                self.settler.settle_ranks(piece, &self.ranks[..piece.verbs.len()], joint)
            }
            _ => self.settler.decide_all(piece),
        }
    }

    /// Asks one question after the other, from keys.
    fn ask_each(&mut self, keys: &[Keys], piece: &mut Piece) -> Result<(), ColumnError> {
        let Asker { room, question, settler, .. } = self;
        let n = piece.verbs.len();
        let (mut few, mut many);
        let read: &mut [&[u8]] = if keys.len() <= FEW_COLUMNS {
            few = [&[][..]; FEW_COLUMNS];
            &mut few[..keys.len()]
        } else {
            many = [&[][..]; MOST_COLUMNS];
            &mut many[..keys.len()]
        };
        for (((keys, column), room), read) in
            keys.iter().zip(&settler.columns.all).zip(room.chunks_mut(CHUNK)).zip(&mut *read)
        {
            match keys.read(column, piece.from, n, room) {
                Some(keys) => *read = keys,
                None => return settler.decide_all(piece),
            }
        }
        (0..n).try_for_each(|i| {
            for (keys, read) in keys.iter().zip(&*read) {
                if let Some(told) = read.get(i).and_then(|key| keys.told().get(usize::from(*key))) {
                    question.put(*told);
                }
            }
            settler.settle(piece, i, settler.policy.program().ask(question))
        })
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

    /// Answers a piece by the rank of each question.
    fn settle_ranks(&mut self, piece: &mut Piece, ranks: &[u8], joint: &Joint) -> Result<(), ColumnError> {
        joint.write_verbs(piece.verbs, ranks);
        joint.write_rows(piece.rows, ranks);
        piece.waits.fill((0, 0));
        if joint.acts {
            for (i, rank) in ranks.iter().enumerate() {
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
    /// Writes the verb of each rank: for all questions that of the first one, then two changes at a time.
    fn write_verbs(&self, to: &mut [Verb], ranks: &[u8]) {
        let (first, changes) = &self.verbs;
        to.fill(*first);
        let (twos, rest) = changes.as_chunks::<2>();
        for two in twos {
            change(to, ranks, *two);
        }
        for one in rest {
            change(to, ranks, [*one]);
        }
    }

    /// Writes the row of each rank. Most tables are asked in the order of their rows.
    fn write_rows(&self, to: &mut [u32], ranks: &[u8]) {
        if let (true, Some(&first)) = (self.are_in_order, self.rows.first()) {
            let (sixteens, rest) = ranks.as_chunks::<16>();
            let (to, last) = to.as_chunks_mut::<16>();
            to.iter_mut().zip(sixteens).for_each(|(to, ranks)| *to = ranks.map(|rank| first + u32::from(rank)));
            last.iter_mut().zip(rest).for_each(|(to, rank)| *to = first + u32::from(*rank));
        } else {
            let row = |rank: u8| self.rows.get(usize::from(rank)).copied().unwrap_or(Answers::NO_ROW);
            to.iter_mut().zip(ranks).for_each(|(to, rank)| *to = row(*rank));
        }
    }
}

/// Writes the verbs that hold from some ranks on.
fn change<const N: usize>(to: &mut [Verb], ranks: &[u8], changes: [(u8, Verb); N]) {
    to.iter_mut().zip(ranks).for_each(|(to, rank)| {
        *to = changes.iter().fold(*to, |verb, (from, next)| if rank >= from { *next } else { verb });
    });
}
