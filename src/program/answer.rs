//! Questions to a program.

use crate::model::{Answer, Cond, End, FactId, FactSource, MAX_PATH, Model, Path, Table, TableId, Value};

use super::build::{Builder, Plan};
use super::codes::Codes;
use super::flat::Flat;
use super::matcher::{Matcher, Point, Source};
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
    pub(super) source: Source,
    pub(super) holds: Box<[bool]>,
}

impl Program {
    /// Builds the program of a model.
    pub fn build(model: &Model) -> Program {
        Program::build_as(model, &Plan::default())
    }

    /// Builds it with other choices; they change no answer.
    pub(super) fn build_as(model: &Model, plan: &Plan) -> Program {
        let (builder, codes) = Builder::new(model);
        let derives = model
            .derives
            .iter()
            .enumerate()
            .map(|(i, derive)| Derive { matcher: builder.derive(i, plan), n_rows: derive.table.rows.len() as u32 });
        let tables = model.tables.iter().enumerate().map(|(i, table)| Part {
            matcher: builder.table(i, plan),
            needs: needs(model, table),
            promise: table.promise.iter().map(|cond| test(&builder, cond)).collect(),
        });
        let mut program =
            Program { derives: derives.collect(), tables: tables.collect(), codes, flat: None, rules: None };
        if model.overlay.is_none() {
            program.rules = builder.rules();
        }
        // An overlay asks which tables its base passed, and its own tables besides.
        if model.overlay.is_none() {
            let sizes: Vec<u32> = program.codes.sizes().collect();
            let flat = Flat::build(&sizes, plan.most_cells, |codes| {
                let answer = program.walked(TableId(0), codes);
                (program.walk(TableId(0), codes, |_, _| ()), answer)
            });
            if let Some((flat, strides)) = flat {
                program.codes.spread(&strides);
                // The array holds all that the matchers know.
                program = Program { flat: Some(flat), derives: Box::default(), tables: Box::default(), ..program };
            }
        }
        program
    }

    /// A question without any facts.
    pub fn blank(&self) -> Question {
        Question::blank(self.n_slots())
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
            Some(flat) => flat.at(question.point()),
            None => self.walk(TableId(0), question.codes(), |_, _| ()),
        }
    }

    /// Makes it ready for many questions at once, where it can be: see [`Batch`]. It takes the slot of each column, and the
    /// code that each of its keys stands for.
    pub fn batch(&self, columns: &[(Option<usize>, Vec<u32>)]) -> Option<Batch> {
        self.rules.as_ref().map(|rules| rules.batch(columns))
    }

    /// How many facts are tested: the slots.
    pub fn n_slots(&self) -> usize {
        self.codes.sizes().count()
    }

    /// The first values of all stretches of a number but the first: how many of them it has reached tells its code. None
    /// where nothing tests it.
    pub fn ends(&self, fact: FactId) -> Vec<i128> {
        self.codes.ends(fact)
    }

    /// Asks the entry table, and tells the way.
    pub fn answer(&self, question: &Question) -> Answer {
        let flat = self.flat.as_ref().and_then(|flat| flat.answer(question.point()));
        flat.unwrap_or_else(|| self.walked(TableId(0), question.codes()))
    }

    /// Asks one table of an overlay.
    pub fn answer_own(&self, table: TableId, question: &Question) -> Answer {
        self.walked(table, question.codes())
    }

    /// The fact of a slot, by its place in the model.
    pub(super) fn fact_of(&self, slot: u32) -> usize {
        self.codes.slots().position(|other| other == slot).unwrap_or(usize::MAX)
    }

    pub(super) fn flat(&self) -> Option<&Flat> {
        self.flat.as_ref()
    }

    /// The matchers of the derives, then those of the tables.
    pub(super) fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        self.derives.iter().map(|derive| &derive.matcher).chain(self.tables.iter().map(|part| &part.matcher))
    }

    fn walked(&self, table: TableId, codes: &[u32]) -> Answer {
        let mut path = Path::default();
        let verdict = self.walk(table, codes, |table, row| path.push(table, row as usize));
        let at = verdict.table();
        let end = match verdict.how() {
            How::Row => End::Row,
            How::Gap => End::Gap(at),
            How::BrokenPromise => End::BrokenPromise(at),
        };
        Answer { path, end }
    }

    #[inline]
    fn walk(&self, table: TableId, codes: &[u32], step: impl FnMut(TableId, u32)) -> Verdict {
        // The rows of the derives live on the stack; a model has at most 1024 facts, so that many derives.
        match self.derives.len() {
            0 => self.run(table, codes, &mut [], step),
            1..=16 => self.run(table, codes, &mut [OPEN; 16], step),
            17..=128 => self.run(table, codes, &mut [OPEN; 128], step),
            _ => self.run(table, codes, &mut [OPEN; 1024], step),
        }
    }

    #[inline]
    fn run(&self, table: TableId, facts: &[u32], derived: &mut [u32], mut passed: impl FnMut(TableId, u32)) -> Verdict {
        let mut at = table;
        for step in 0..MAX_PATH {
            let Some(part) = self.tables.get(at.0) else { break };
            self.derive(&part.needs, facts, derived);
            let point = Point { facts, derived };
            if step > 0 && !part.promise.iter().all(|test| test.holds(point)) {
                return Verdict::end(How::BrokenPromise, at);
            }
            let Some(end) = part.matcher.find(point) else { break };
            passed(at, end.row_place());
            match end.next() {
                Some(next) => at = next,
                None => return end,
            }
        }
        Verdict::end(How::Gap, at)
    }

    /// Finds the rows of derives, each once in one question.
    #[inline]
    fn derive(&self, needs: &[u32], facts: &[u32], derived: &mut [u32]) {
        for &need in needs {
            let (place, Some(derive)) = (need as usize, self.derives.get(need as usize)) else { continue };
            if derived.get(place) == Some(&OPEN) {
                derived[place] =
                    derive.matcher.find(Point { facts, derived }).map_or(derive.n_rows, Verdict::row_place);
            }
        }
    }
}

impl Test {
    fn holds(&self, point: Point) -> bool {
        let code = point.code(self.source).and_then(|code| self.holds.get(code as usize));
        code.copied().unwrap_or(false)
    }
}

fn test(builder: &Builder, cond: &Cond) -> Test {
    let (source, set) = builder.codes(cond);
    Test { source, holds: (0..builder.n_codes(source)).map(|code| set.contains(code)).collect() }
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
    /// The question of values by [`FactId`]; those of derived facts are not read.
    pub(super) fn question_of(&self, values: &[Value]) -> Question {
        let mut question = self.blank();
        values.iter().enumerate().for_each(|(i, value)| question.put(self.told(FactId(i as u32), value)));
        question
    }
}
