//! Many decisions at once, columns in and columns out.
//!
//! Questions are asked a piece at a time, so that a piece stays near. Where the policy is one small table, each of its tests
//! is put to all of them before the next; else they are asked one after the other, still from small keys. What a policy
//! or a column has that neither can do goes the way of [`decide`](Policy::decide). All three give its answer.

use crate::model::Outcome;
use crate::program::{Batch, CHUNK, Question, Verdict};
use crate::words::Verb;

use super::columns::{ColumnError, Columns};
use super::decision::Decision;
use super::facts::Facts;
use super::keys::Keys;
use super::policy::Policy;

/// So many columns at most are read as keys.
const MOST_COLUMNS: usize = 64;

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
}

/// Asks the questions of some columns.
struct Asker<'a> {
    policy: &'a Policy,
    columns: &'a Columns<'a>,
    /// By column; nothing where its entries are no keys.
    keys: Vec<Option<Keys>>,
    /// Room for a piece of each column.
    buffers: Vec<u8>,
    batch: Option<Batch>,
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
        answers.reset(0, false);
        if !self.is_same(columns.policy) {
            return Err(ColumnError::Foreign);
        }
        answers.reset(columns.len, self.may_retry());
        let asked = ask(self, columns, answers);
        if asked.is_err() {
            answers.reset(0, false);
        }
        asked
    }

    fn may_retry(&self) -> bool {
        let rows = self.model().tables.iter().flat_map(|table| &table.rows);
        let chains = rows.filter_map(|row| if let Outcome::Act(chain) = &row.outcome { Some(chain) } else { None });
        chains.flat_map(|chain| &chain.actions).any(|action| action.verb() == Verb::Retry)
    }
}

fn ask(policy: &Policy, columns: &Columns, answers: &mut Answers) -> Result<(), ColumnError> {
    let mut asker = Asker::new(policy, columns);
    let mut waits = answers.waits.chunks_mut(CHUNK);
    for (piece, (verbs, rows)) in answers.verbs.chunks_mut(CHUNK).zip(answers.rows.chunks_mut(CHUNK)).enumerate() {
        let waits = waits.next().unwrap_or_default();
        asker.ask(&mut Piece { from: piece * CHUNK, verbs, rows, waits })?;
    }
    Ok(())
}

impl<'a> Asker<'a> {
    fn new(policy: &'a Policy, columns: &'a Columns<'a>) -> Self {
        let program = policy.program();
        let keys: Vec<Option<Keys>> = columns.all.iter().map(|column| Keys::of(policy, column)).collect();
        let batch = if keys.len() <= MOST_COLUMNS && program.n_slots() <= MOST_COLUMNS {
            let codes: Vec<Option<Vec<u32>>> = keys.iter().map(|keys| keys.as_ref().map(Keys::codes)).collect();
            let mut of_slot = vec![None; program.n_slots()];
            for (keys, codes) in keys.iter().zip(&codes) {
                let slot = keys.as_ref().and_then(Keys::slot).and_then(|slot| of_slot.get_mut(slot));
                if let (Some(slot), Some(codes)) = (slot, codes) {
                    *slot = Some(&**codes);
                }
            }
            program.batch(&of_slot)
        } else {
            None
        };
        let (buffers, question) = (vec![0; CHUNK * keys.len()], program.blank());
        Asker { policy, columns, keys, buffers, batch, question, settler: Settler::new(policy, columns) }
    }

    fn ask(&mut self, piece: &mut Piece) -> Result<(), ColumnError> {
        let Asker { policy, columns, keys, buffers, batch, question, settler } = self;
        let n = piece.verbs.len();
        let mut read = [&[][..]; MOST_COLUMNS];
        let own = keys.iter().zip(&columns.all).zip(buffers.chunks_mut(CHUNK)).zip(&mut read);
        let is_read = |(((keys, column), buffer), read): (((&Option<Keys>, _), _), &mut _)| {
            let keys = keys.as_ref().and_then(|keys| keys.read(column, piece.from, n, buffer));
            keys.map(|keys| *read = keys).is_some()
        };
        if keys.len() > MOST_COLUMNS || policy.model().overlay.is_some() || !{ own }.all(is_read) {
            return (0..n).try_for_each(|i| settler.decide(piece, i));
        }
        let columns = || keys.iter().flatten().zip(&read);
        if let Some(batch) = batch {
            let mut by_slot = [&[][..]; MOST_COLUMNS];
            for (keys, read) in columns() {
                if let Some(slot) = keys.slot().and_then(|slot| by_slot.get_mut(slot)) {
                    *slot = read;
                }
            }
            let mut ranks = [0; CHUNK];
            batch.ask(&by_slot, &mut ranks[..n]);
            return settler.settle_ranks(piece, &ranks[..n], batch.ends());
        }
        (0..n).try_for_each(|i| {
            for (keys, read) in columns() {
                if let Some(told) = read.get(i).and_then(|key| keys.told().get(usize::from(*key))) {
                    question.put(*told);
                }
            }
            settler.settle(piece, i, policy.program().ask(question))
        })
    }
}

impl<'a> Settler<'a> {
    fn new(policy: &'a Policy, columns: &'a Columns<'a>) -> Self {
        let mut next = 0;
        let starts = policy.model().tables.iter().map(|table| {
            let start = next;
            next += table.rows.len() as u32;
            start
        });
        Settler { policy, columns, facts: policy.no_facts(), starts: starts.collect() }
    }

    /// The row of a verdict among all rows.
    fn row(&self, verdict: Verdict) -> u32 {
        let row = verdict.place().and_then(|(table, row)| Some(self.starts.get(table.0)? + row as u32));
        row.unwrap_or(Answers::NO_ROW)
    }

    /// Answers one question as [`Policy::decide`] does.
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
    fn settle_ranks(&mut self, piece: &mut Piece, ranks: &[u8], ends: &[Verdict]) -> Result<(), ColumnError> {
        let mut answers = [(Verb::Review, Answers::NO_ROW); 256];
        answers.iter_mut().zip(ends).for_each(|(answer, end)| *answer = (end.verb(), self.row(*end)));
        for ((verb, row), rank) in piece.verbs.iter_mut().zip(&mut *piece.rows).zip(ranks) {
            (*verb, *row) = answers[usize::from(*rank)];
        }
        piece.waits.fill((0, 0));
        if ends.iter().any(|end| end.verb().acts()) {
            for (i, rank) in ranks.iter().enumerate() {
                if let Some(end) = ends.get(usize::from(*rank)).filter(|end| end.verb().acts()) {
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
