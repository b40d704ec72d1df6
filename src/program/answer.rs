//! Questions to a program.

use crate::model::{Answer, Cond, FactId, FactSource, MAX_PATH, Model, Path, Table, TableId, Value};

use super::build::{Builder, Plan};
use super::codes::{Coder, Codes};
use super::flat::Flat;
use super::joints::Joints;
use super::matcher::{At, Matcher, Point};
use super::question::{Question, Told};
use super::rules::{Batch, Rules};
use super::verdict::{How, Verdict};

/// A derive whose row has not been looked for yet.
const OPEN: u32 = u32::MAX;

/// A model's tables and derives, ready to answer.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(super) codes: Codes,
    pub(super) derives: Box<[Derive]>,
    pub(super) tables: Box<[Part]>,
    pub(super) flat: Option<Flat>,
    /// What many questions at once are asked by, where the entry table is small.
    pub(super) rules: Option<Rules>,
}

#[derive(Debug, Clone)]
pub(super) struct Derive {
    pub(super) matcher: Matcher,
    pub(super) n_rows: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) matcher: Matcher,
    /// The derives that its columns and its promise need, each after those that it needs itself.
    pub(super) needs: Box<[u32]>,
    pub(super) promise: Box<[Test]>,
}

/// For each code of a fact, or row of a derive, whether a promise holds.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) at: At,
    pub(super) holds: Box<[bool]>,
}

impl Program {
    /// Builds the program of a model.
    pub fn build(model: &Model) -> Program {
        Program::build_as(model, &Plan::default())
    }

    /// Builds it with other choices; they change no answer.
    pub(super) fn build_as(model: &Model, plan: &Plan) -> Program {
        let (builder, mut codes) = Builder::new(model);
        let needs: Vec<Box<[u32]>> = model.tables.iter().map(|table| needs(model, table)).collect();
        let mut needed = vec![false; model.derives.len()];
        needs.iter().flatten().for_each(|derive| needed[*derive as usize] = true);
        let (joints, derives, tables) = builder.matchers(&codes, &needed, plan);
        let n_rows = model.derives.iter().map(|derive| derive.table.rows.len() as u32);
        let derives = derives.into_iter().zip(n_rows).map(|(matcher, n_rows)| Derive { matcher, n_rows });
        let tables = model.tables.iter().zip(tables).zip(needs).map(|((table, matcher), needs)| Part {
            matcher,
            needs,
            promise: table.promise.iter().map(|cond| test(&builder, &joints, cond)).collect(),
        });
        let tables: Box<[Part]> = tables.collect();
        codes.join(joints);
        let mut program = Program { derives: derives.collect(), tables, codes, flat: None, rules: None };
        // An overlay asks which tables its base passed, and its own tables besides.
        if model.overlay.is_none() {
            program.rules = builder.rules();
            let n_codes: Vec<u32> = program.codes.sizes().collect();
            let flat = Flat::build(&program.told_slots(), &n_codes, plan.most_cells, program.blank(), |question| {
                program.walked(TableId(0), question)
            });
            if let (Some(flat), Some(joints)) = (flat, Joints::whole(&n_codes)) {
                program.codes.join(joints);
                // The array holds all that the matchers know.
                program = Program { flat: Some(flat), derives: Box::default(), tables: Box::default(), ..program };
            }
        }
        program
    }

    /// A question without any facts.
    pub fn blank(&self) -> Question {
        Question::blank(self.codes.coders.len(), self.codes.joints.n_behind())
    }

    /// A number for the way from values to codes and points: where it is the same, so is the way.
    pub fn layout(&self) -> u64 {
        self.codes.layout()
    }

    /// What a fact's value is to a question.
    #[inline]
    pub fn told(&self, fact: FactId, value: &Value) -> Told {
        self.codes.told(fact, value)
    }

    /// Asks the entry table.
    #[inline]
    pub fn ask(&self, question: &Question) -> Verdict {
        match &self.flat {
            Some(flat) => flat.at(question.first_point()),
            None => self.ask_tables(question),
        }
    }

    /// Mostly the entry table answers from callers' facts alone, and then there is nothing else to look at.
    #[inline(never)]
    fn ask_tables(&self, question: &Question) -> Verdict {
        let first = self.tables.first().filter(|part| part.needs.is_empty());
        let end = first.and_then(|part| part.matcher.find(Point { question, derived: &[] }));
        match end {
            Some(end) if end.next().is_none() => end,
            known => self.walk(TableId(0), known, question, |_, _| ()),
        }
    }

    /// Makes it ready for many questions at once, where it can be: see [`Batch`]. It takes the slot of each column, and the
    /// code that each of its keys stands for.
    pub fn batch(&self, columns: &[(Option<usize>, Vec<u32>)]) -> Option<Batch> {
        self.rules.as_ref().map(|rules| rules.batch(columns))
    }

    /// The first values of all stretches of a number but the first: how many of them it has reached tells its code. None
    /// where nothing tests it.
    pub fn ends(&self, fact: FactId) -> Vec<i128> {
        self.codes.ends(fact)
    }

    /// Asks the entry table, and tells the way.
    pub fn answer(&self, question: &Question) -> Answer {
        let flat = self.flat.as_ref().and_then(|flat| flat.answer(question.first_point()));
        flat.unwrap_or_else(|| self.walked(TableId(0), question).1)
    }

    /// Asks one table of an overlay.
    pub fn answer_own(&self, table: TableId, question: &Question) -> Answer {
        self.walked(table, question).1
    }

    pub(super) fn flat(&self) -> Option<&Flat> {
        self.flat.as_ref()
    }

    /// The matchers of the derives, where a table needs them, then those of the tables.
    pub(super) fn matchers(&self) -> impl Iterator<Item = Option<&Matcher>> {
        let needed = |place: u32| self.tables.iter().any(|part| part.needs.contains(&place));
        let derives = (0..).zip(&self.derives).map(move |(place, own)| needed(place).then_some(&own.matcher));
        derives.chain(self.tables.iter().map(|part| Some(&part.matcher)))
    }

    fn walked(&self, table: TableId, question: &Question) -> (Verdict, Answer) {
        let mut path = Path::default();
        let verdict = self.walk(table, None, question, |table, row| path.push(table, row as usize));
        (verdict, Answer { path, end: verdict.as_end() })
    }

    /// From a table on; what follows from its row may be known.
    #[inline(never)]
    fn walk(
        &self,
        table: TableId,
        known: Option<Verdict>,
        question: &Question,
        step: impl FnMut(TableId, u32),
    ) -> Verdict {
        // The rows of the derives live on the stack; a model has at most 1024 facts, so that many derives.
        match self.derives.len() {
            0..=16 => self.run(table, known, question, &mut [OPEN; 16], step),
            17..=128 => self.run(table, known, question, &mut [OPEN; 128], step),
            _ => self.run(table, known, question, &mut [OPEN; 1024], step),
        }
    }

    #[inline]
    fn run(
        &self,
        table: TableId,
        mut known: Option<Verdict>,
        question: &Question,
        derived: &mut [u32],
        mut passed: impl FnMut(TableId, u32),
    ) -> Verdict {
        let mut at = table;
        for _ in 0..MAX_PATH {
            let Some(part) = self.tables.get(at.0) else { break };
            self.derive(&part.needs, question, derived);
            let found = known.take().or_else(|| part.matcher.find(Point { question, derived }));
            let Some(end) = found else { break };
            passed(at, end.row_place());
            let Some(next) = end.next() else { return end };
            at = next;
            if !self.keeps_promise(next, question, derived) {
                return Verdict::end(How::BrokenPromise, at);
            }
        }
        Verdict::end(How::Gap, at)
    }

    /// Whether the facts are as a table that another hands over to promises.
    fn keeps_promise(&self, table: TableId, question: &Question, derived: &mut [u32]) -> bool {
        let Some(part) = self.tables.get(table.0).filter(|part| !part.promise.is_empty()) else { return true };
        self.derive(&part.needs, question, derived);
        part.promise.iter().all(|test| test.holds(Point { question, derived }))
    }

    /// Finds the rows of derives, each once in one question.
    fn derive(&self, needs: &[u32], question: &Question, derived: &mut [u32]) {
        for &need in needs {
            let (place, Some(derive)) = (need as usize, self.derives.get(need as usize)) else { continue };
            if derived.get(place) == Some(&OPEN) {
                let row = derive.matcher.find(Point { question, derived });
                derived[place] = row.map_or(derive.n_rows, Verdict::row_place);
            }
        }
    }

    /// What the first code of each slot is to a question.
    fn told_slots(&self) -> Vec<Told> {
        self.codes.coders.iter().map(Coder::told_first).filter(|told| told.slot().is_some()).collect()
    }
}

impl Test {
    fn holds(&self, point: Point) -> bool {
        let code = point.code(self.at).and_then(|code| self.holds.get(code as usize));
        code.copied().unwrap_or(false)
    }
}

fn test(builder: &Builder, joints: &Joints, cond: &Cond) -> Test {
    let (source, set) = builder.codes(cond);
    Test { at: joints.at(source), holds: (0..builder.n_codes(source)).map(|code| set.contains(code)).collect() }
}

/// The derives that a table needs, directly or through others, in the model's order: each after its own needs.
fn needs(model: &Model, table: &Table) -> Box<[u32]> {
    let mut needed = vec![false; model.derives.len()];
    mark(model, table, &mut needed);
    for i in (0..model.derives.len()).rev() {
        if needed[i] {
            mark(model, &model.derives[i].table, &mut needed);
        }
    }
    needed.iter().enumerate().filter(|(_, n)| **n).map(|(i, _)| i as u32).collect()
}

fn mark(model: &Model, table: &Table, needed: &mut [bool]) {
    for cond in table.promise.iter().chain(table.rows.iter().flat_map(|r| &r.conds)) {
        if let FactSource::Derived { derive, .. } = model.fact(cond.fact).source
            && let Some(slot) = needed.get_mut(derive)
        {
            *slot = true;
        }
    }
}

#[cfg(test)]
impl Program {
    /// A program that answers the same and is laid out otherwise.
    pub fn laid_otherwise(model: &Model) -> Program {
        Program::build_as(model, &Plan { most_cells: 0, most_lines: 0, most_lines_of_few: 0, ..Plan::default() })
    }

    /// The question of values by [`FactId`]; those of derived facts are not read.
    pub(super) fn question_of(&self, values: &[Value]) -> Question {
        let mut question = self.blank();
        values.iter().enumerate().for_each(|(i, value)| question.put(self.told(FactId(i as u32), value)));
        question
    }
}
