//! Questions to a program.

use crate::model::{Answer, Cond, End, FactId, FactSource, MAX_PATH, Model, Outcome, Path, Row, Table, TableId, Value};
use crate::words::Verb;

use super::build::{Builder, Plan};
use super::codes::Codes;
use super::flat::Flat;
use super::matcher::{Matcher, Point, Source};

/// A derive whose row has not been looked for yet.
const OPEN: u32 = u32::MAX;

/// A row that does not hand over.
const ENDS: u16 = u16::MAX;

/// A model's tables and derives, ready to answer.
#[derive(Debug, Clone, Default)]
pub struct Program {
    codes: Codes,
    derives: Box<[Derive]>,
    tables: Box<[Part]>,
    flat: Option<Flat>,
}

/// How a question ends, without the way to it: all that a decision has to hold, in one word, so that it travels in a
/// register. From its low end: 32 bits for the row, 16 for the table, 8 for the verb, 8 for how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict(u64);

/// How a question ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A row answers.
    Row,
    /// No row of the table takes the facts.
    Gap,
    /// The facts break the promise of the table, which another hands over to.
    BrokenPromise,
}

impl Verdict {
    /// No row of the entry answers.
    pub const NONE: Verdict = Verdict((How::Gap as u64) << 56);

    /// A row answers, and wants this.
    pub fn row(table: TableId, row: u32, wanted: Verb) -> Self {
        Verdict(Self::end(How::Row, table).0 | (wanted as u64) << 48 | u64::from(row))
    }

    /// No row answers, because of this table; the verb is `review`.
    pub fn end(how: How, table: TableId) -> Self {
        Verdict((how as u64) << 56 | (Verb::Review as u64) << 48 | u64::from(table.0 as u16) << 32)
    }

    /// How it ends.
    #[inline]
    pub fn how(self) -> How {
        match self.0 >> 56 {
            0 => How::Row,
            1 => How::Gap,
            _ => How::BrokenPromise,
        }
    }

    /// The verb that the row wants; `review` where none answers.
    #[inline]
    pub fn verb(self) -> Verb {
        Verb::ALL[(self.0 >> 48) as usize % Verb::ALL.len()]
    }

    /// The table of the row, or the one that has no row or a broken promise.
    pub fn table(self) -> TableId {
        TableId(usize::from((self.0 >> 32) as u16))
    }

    /// The row that answers, as a place in the model.
    pub fn place(self) -> Option<(TableId, usize)> {
        (self.how() == How::Row).then_some((self.table(), self.0 as u32 as usize))
    }
}

#[derive(Debug, Clone)]
struct Derive {
    matcher: Matcher,
    n_rows: u32,
}

#[derive(Debug, Clone)]
struct Part {
    matcher: Matcher,
    /// The derives that its columns and its promise need, each after those that it needs itself.
    needs: Box<[u32]>,
    promise: Box<[Test]>,
    /// What follows from each row.
    rows: Box<[Follows]>,
}

/// What follows from a row.
#[derive(Debug, Clone, Copy)]
struct Follows {
    /// The table that it hands over to.
    next: u16,
    verb: Verb,
}

/// For each code of a fact, or row of a derive, whether a promise holds.
#[derive(Debug, Clone)]
struct Test {
    source: Source,
    holds: Box<[bool]>,
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
            rows: table.rows.iter().map(follows).collect(),
        });
        let mut program = Program { derives: derives.collect(), tables: tables.collect(), codes, flat: None };
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
                program = Program { codes: program.codes, flat: Some(flat), ..Program::default() };
            }
        }
        program
    }

    /// The code of a fact's value; 0 is that of unknown.
    #[inline]
    pub fn code(&self, fact: FactId, value: &Value) -> u32 {
        self.codes.code(fact, value)
    }

    /// Asks the entry table, by the codes of all facts.
    #[inline]
    pub fn ask(&self, codes: &[u32]) -> Verdict {
        match &self.flat {
            Some(flat) => flat.at(codes),
            None => self.walk(TableId(0), codes, |_, _| ()),
        }
    }

    /// Asks the entry table, and tells the way.
    pub fn answer(&self, codes: &[u32]) -> Answer {
        let flat = self.flat.as_ref().and_then(|flat| flat.answer(codes));
        flat.unwrap_or_else(|| self.walked(TableId(0), codes))
    }

    /// Asks one table of an overlay.
    pub fn answer_own(&self, table: TableId, codes: &[u32]) -> Answer {
        self.walked(table, codes)
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

    fn walk(&self, table: TableId, codes: &[u32], step: impl FnMut(TableId, u32)) -> Verdict {
        // The rows of the derives live on the stack; a model has at most 1024 facts, so that many derives.
        match self.derives.len() {
            0 => self.run(table, codes, &mut [], step),
            1..=16 => self.run(table, codes, &mut [OPEN; 16], step),
            17..=128 => self.run(table, codes, &mut [OPEN; 128], step),
            _ => self.run(table, codes, &mut [OPEN; 1024], step),
        }
    }

    fn run(&self, table: TableId, facts: &[u32], derived: &mut [u32], mut passed: impl FnMut(TableId, u32)) -> Verdict {
        let mut at = table;
        for step in 0..MAX_PATH {
            let Some(part) = self.tables.get(at.0) else { break };
            self.derive(&part.needs, facts, derived);
            let point = Point { facts, derived };
            if step > 0 && !part.promise.iter().all(|test| test.holds(point)) {
                return Verdict::end(How::BrokenPromise, at);
            }
            let Some(row) = part.matcher.find(point) else { break };
            passed(at, row);
            match part.rows.get(row as usize) {
                Some(follows) if follows.next == ENDS => return Verdict::row(at, row, follows.verb),
                Some(follows) => at = TableId(usize::from(follows.next)),
                None => break,
            }
        }
        Verdict::end(How::Gap, at)
    }

    /// Finds the rows of derives, each once in one question.
    fn derive(&self, needs: &[u32], facts: &[u32], derived: &mut [u32]) {
        for &need in needs {
            let (place, Some(derive)) = (need as usize, self.derives.get(need as usize)) else { continue };
            if derived.get(place) == Some(&OPEN) {
                derived[place] = derive.matcher.find(Point { facts, derived }).unwrap_or(derive.n_rows);
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

fn follows(row: &Row) -> Follows {
    match &row.outcome {
        Outcome::See(table) => Follows { next: u16::try_from(table.0).unwrap_or(ENDS), verb: Verb::Review },
        Outcome::Act(chain) => {
            Follows { next: ENDS, verb: chain.actions.first().map_or(Verb::Review, crate::model::Action::verb) }
        }
        Outcome::Values(_) => Follows { next: ENDS, verb: Verb::Review },
    }
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
    /// Values by [`FactId`]; those of derived facts are not read.
    pub(super) fn codes_of(&self, values: &[Value]) -> Vec<u32> {
        values.iter().enumerate().map(|(i, value)| self.code(FactId(i as u32), value)).collect()
    }
}
