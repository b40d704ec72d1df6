//! A program in an artifact: its arrays as they lie, and checked when they come back.
//!
//! What follows from a row is not written here but read from the row, so that the program cannot say one thing and the
//! rows another. Any content that passes gives answers, in bounded time and without panic; that they are those of the
//! rows is told by building the program again ([`Policy::verify`](crate::Policy::verify)).

use crate::artifact::{Load, Opened, Reader, Section, Writer};
use crate::model::{Action, Answer, End, Fact, Path, TableId, Type};
use crate::space::{Axis, SegSet};
use crate::words::Verb;

use super::answer::{Derive, Part, Program, Test};
use super::codes::{Coder, Codes, Kind, NO_SLOT};
use super::flat::{Cells, Flat};
use super::joints::Joints;
use super::matcher::{At, Check, Classed, Classes, Column, Groups, Matcher, n_stripes};
use super::question::MOST_SHORT;
use super::rules::Rules;
use super::verdict::{How, Verdict};

impl Program {
    /// Writes its sections.
    pub fn write(&self, w: &mut Writer) {
        w.turn_to(Section::Codes);
        self.codes.coders.iter().for_each(|coder| write_coder(w, coder));
        w.u32s(self.codes.joints.of_slots());
        w.turn_to(Section::Matchers);
        w.list(self.rules.iter(), write_rules);
        w.bool(self.flat.is_some());
        if let Some(flat) = &self.flat {
            w.u16s(&flat.cells.wide());
            w.list(flat.answers.iter(), write_answer);
            return;
        }
        self.derives.iter().for_each(|derive| write_matcher(w, &derive.matcher));
        for part in &self.tables {
            write_matcher(w, &part.matcher);
            w.u32s(&part.needs);
            w.list(part.promise.iter(), |w, test| {
                write_at(w, test.at);
                w.list(test.holds.iter(), |w, holds| w.bool(*holds));
            });
        }
    }

    /// Reads the program of an artifact.
    pub fn read(opened: &Opened) -> Load<Program> {
        let facts = &opened.packed.head().facts;
        let (mut r, mut n_slots) = (opened.reader(Section::Codes), 0);
        let coders = facts.values().map(|fact| read_coder(&mut r, fact, &mut n_slots)).collect::<Load<_>>()?;
        let mut codes = Codes { coders, joints: Joints::default() };
        let (n_codes, of_slot): (Vec<u32>, _) = (codes.sizes().collect(), r.u32s()?);
        r.ensure(of_slot.len() == n_codes.len(), "there is not a joint for each fact that is tested")?;
        let joints = Joints::of(of_slot.into(), &n_codes);
        codes.join(joints.ok_or_else(|| r.unsound("its facts are joined to more points than can be counted"))?);
        r.end()?;
        let (mut r, joints) = (opened.reader(Section::Matchers), &codes.joints);
        let mut loader = Loader { opened, n_codes: &n_codes, joints, r: &mut r };
        let rules = loader.each(8, Loader::rules)?.into_iter().next();
        let program = if loader.r.bool()? {
            let flat = loader.flat()?;
            let n_points = joints.n_points(0).max(1);
            let fits = joints.len() <= 1 && n_points <= MOST_SHORT && flat.cells.len() == n_points as usize;
            r.ensure(fits, "the array has not a point for each of its codes")?;
            Program { codes, flat: Some(flat), rules, ..Program::default() }
        } else {
            let (derives, tables) = (loader.derives()?, loader.tables()?);
            Program { codes, derives, tables, flat: None, rules }
        };
        r.end()?;
        Ok(program)
    }
}

fn write_coder(w: &mut Writer, coder: &Coder) {
    w.bool(coder.slot != NO_SLOT);
    w.u32(coder.n_codes);
    w.list(coder.codes.iter(), |w, codes| w.u32s(codes));
    match &coder.kind {
        Kind::Choice => w.u8(0),
        Kind::ShortNumber(ends) => {
            w.u8(1);
            w.i32s(ends);
        }
        Kind::Number(ends) => {
            w.u8(2);
            w.i64s(ends);
        }
        Kind::WideNumber(ends) => {
            w.u8(3);
            w.i128s(ends);
        }
        Kind::Text(axis) => {
            w.u8(4);
            w.texts(axis.literals());
            w.texts(axis.prefixes());
        }
    }
}

/// Reads a coder that has no slot or the next one, and is in no joint yet.
fn read_coder(r: &mut Reader, fact: &Fact, next: &mut u32) -> Load<Coder> {
    let slot = if r.bool()? { *next } else { NO_SLOT };
    *next += u32::from(slot != NO_SLOT);
    let (n_codes, mut lists) = (r.u32()?, r.list(8, Reader::u32s)?);
    let sound = n_codes > 0 && lists.len() <= 1 && lists.iter().all(|codes| all_below(codes, n_codes));
    r.ensure(sound, "a fact has a code that it lacks")?;
    let in_order = "what cuts a fact is not in order";
    let kind = match (r.u8()?, &fact.ty) {
        (0, _) => Kind::Choice,
        (1, Type::Number(_)) => {
            let ends = r.i32s()?;
            r.ensure(ends.is_sorted(), in_order)?;
            Kind::ShortNumber(ends)
        }
        (2, Type::Number(_)) => {
            let ends = r.i64s()?;
            r.ensure(ends.is_sorted(), in_order)?;
            Kind::Number(ends)
        }
        (3, Type::Number(_)) => {
            let ends = r.i128s()?;
            r.ensure(ends.is_sorted(), in_order)?;
            Kind::WideNumber(ends)
        }
        (4, Type::Text) => {
            let (literals, prefixes) = (r.texts()?, r.texts()?);
            r.ensure(literals.is_sorted() && prefixes.is_sorted(), in_order)?;
            Kind::Text(Axis::of_texts(fact, literals.into(), prefixes.into()))
        }
        _ => return Err(r.unsound("a fact is cut as another type is")),
    };
    Ok(Coder { slot, base: 1 + fact.points.len() as u32, codes: lists.pop(), n_codes, kind, ..Coder::default() })
}

fn write_at(w: &mut Writer, at: At) {
    let (is_derive, place) = match at {
        At::Place(place) => (false, place),
        At::Derive(derive) => (true, derive),
    };
    w.bool(is_derive);
    w.u32(place);
}

fn write_matcher(w: &mut Writer, matcher: &Matcher) {
    let rows: Vec<u32> = matcher.ends.iter().map(|end| end.row_place()).collect();
    w.u32s(&rows);
    w.u32s(&matcher.ranks);
    w.u32(matcher.wide);
    w.list(matcher.groups.iter(), |w, groups| {
        write_at(w, groups.at);
        w.pairs(&groups.places);
    });
    w.u128s(&matcher.bits);
    w.u128s(&matcher.tops);
    w.list(matcher.columns.iter(), |w, column| {
        w.u32(column.place);
        w.u32(column.base);
    });
    w.list(matcher.classed.iter(), |w, column| {
        write_at(w, column.at);
        w.u32(column.base);
        match &column.classes {
            Classes::Own => w.u8(0),
            Classes::Listed(classes) => {
                w.u8(1);
                w.u16s(classes);
            }
            Classes::Stretches(scale) => {
                w.u8(2);
                w.u32(*scale);
            }
        }
    });
    w.list(matcher.checks.iter(), |w, check| {
        write_at(w, check.at);
        w.pairs(&check.ranges);
        w.list(check.more.iter(), |w, (place, lo, hi)| {
            w.u32(*place);
            w.u32(*lo);
            w.u32(*hi);
        });
    });
}

fn write_rules(w: &mut Writer, rules: &Rules) {
    w.list(rules.tests.iter(), |w, (slot, set)| {
        w.u32(*slot);
        w.pairs(set.ranges());
    });
    w.list(rules.ranks.iter(), |w, (end, tests)| {
        w.u32(end.row_place());
        w.u32s(tests);
    });
}

fn write_answer(w: &mut Writer, answer: &Answer) {
    let (how, table) = match answer.end {
        End::Row => (0, 0),
        End::Gap(table) => (1, table.0),
        End::BrokenPromise(table) => (2, table.0),
    };
    w.u8(how);
    w.n(table);
    let steps: Vec<_> = answer.path.iter().collect();
    w.list(steps.into_iter(), |w, (table, row)| {
        w.n(table.0);
        w.n(row);
    });
}

/// Reads the matchers of one artifact.
struct Loader<'o, 'a, 'r> {
    opened: &'o Opened,
    /// By slot, how many codes it has.
    n_codes: &'o [u32],
    joints: &'o Joints,
    r: &'r mut Reader<'a>,
}

impl Loader<'_, '_, '_> {
    fn flat(&mut self) -> Load<Flat> {
        let cells = self.r.u16s()?;
        let n = self.r.n(9)?;
        let answers = (0..n).map(|_| self.answer()).collect::<Load<Box<[Answer]>>>()?;
        let most = cells.iter().max().map(|place| usize::from(*place));
        self.r.ensure(most.is_none_or(|place| place < n), "a point has an answer that is not there")?;
        let verdicts = answers.iter().map(|answer| verdict(self.opened, answer)).collect();
        Ok(Flat { cells: Cells::new(&cells), verdicts, answers })
    }

    /// The rows of the entry table, for many questions at once.
    fn rules(&mut self) -> Load<Rules> {
        let ends: Vec<_> = ends(self.opened, TableId(0)).collect();
        let tests = self.each(8, |own| Ok((own.slot()?, SegSet::from_ranges(own.r.pairs()?.iter().copied()))))?;
        let ranks = self.each(8, |own| {
            let (row, asked) = (own.r.place(ends.len(), "row")?, own.r.u32s()?);
            own.r.ensure(all_below(&asked, tests.len() as u32), "a row asks a test that is not there")?;
            own.r.ensure(ends[row].next().is_none(), "a row hands over where none may")?;
            Ok((ends[row], asked))
        })?;
        let is_plain = self.opened.packed.head().overlay.is_none();
        let rules = Rules::new(tests.into(), ranks.into()).filter(|_| is_plain);
        rules.ok_or_else(|| self.r.unsound("it has more rows than many questions at once are asked by"))
    }

    fn table(&mut self) -> Load<TableId> {
        self.r.place(self.opened.packed.head().tables.len(), "table").map(TableId)
    }

    fn answer(&mut self) -> Load<Answer> {
        let (how, table) = (self.r.u8()?, self.table()?);
        let end = match how {
            0 => End::Row,
            1 => End::Gap(table),
            2 => End::BrokenPromise(table),
            _ => return Err(self.r.unsound("a question ends in no way that there is")),
        };
        let mut path = Path::default();
        for _ in 0..self.r.n(8)? {
            let table = self.table()?;
            let row = self.r.place(self.opened.packed.n_rows(table), "row")?;
            path.push(table, row);
        }
        Ok(Answer { path, end })
    }

    fn derives(&mut self) -> Load<Box<[Derive]>> {
        let opened = self.opened;
        let packed = &opened.packed;
        let derives = (0..packed.head().derives.len()).map(|derive| {
            let n_rows = packed.n_rows_of_derive(derive) as u32;
            let ends: Vec<_> = (0..n_rows).map(|row| Verdict::row(TableId(0), row, Verb::Review)).collect();
            Ok(Derive { matcher: self.matcher(&ends)?, n_rows })
        });
        derives.collect()
    }

    fn tables(&mut self) -> Load<Box<[Part]>> {
        let opened = self.opened;
        let n_derives = opened.packed.head().derives.len();
        let tables = (0..opened.packed.head().tables.len()).map(|table| {
            let ends: Vec<_> = ends(opened, TableId(table)).collect();
            let (matcher, needs) = (self.matcher(&ends)?, self.r.u32s()?);
            let sound = needs.is_sorted_by(|a, b| a < b) && all_below(&needs, n_derives as u32);
            self.r.ensure(sound, "a table needs a derive that is not there")?;
            let promise = self.each(9, |own| {
                let at = own.at()?;
                Ok(Test { at, holds: own.r.list(1, Reader::bool)?.into() })
            })?;
            Ok(Part { matcher, needs, promise })
        });
        tables.collect()
    }

    /// A list of what takes more than the reader, so many bytes each at least.
    fn each<T>(&mut self, bytes: usize, mut read: impl FnMut(&mut Self) -> Load<T>) -> Load<Box<[T]>> {
        (0..self.r.n(bytes)?).map(|_| read(self)).collect()
    }

    fn slot(&mut self) -> Load<u32> {
        self.r.place(self.n_codes.len(), "slot").map(|slot| slot as u32)
    }

    fn at(&mut self) -> Load<At> {
        if self.r.bool()? {
            let n_derives = self.opened.packed.head().derives.len();
            self.r.place(n_derives, "derive").map(|derive| At::Derive(derive as u32))
        } else {
            let place = self.r.u32()?;
            self.n_at(place).map(|_| At::Place(place))
        }
    }

    /// How many codes or points there may be at a place of a question.
    fn n_at(&self, place: u32) -> Load<u32> {
        let n = self.joints.n_at(place, self.n_codes);
        n.ok_or_else(|| self.r.unsound("a code is read from where none is"))
    }

    fn n_codes(&self, at: At) -> Load<u32> {
        match at {
            At::Place(place) => self.n_at(place),
            At::Derive(derive) => Ok(self.opened.packed.n_rows_of_derive(derive as usize) as u32 + 1),
        }
    }

    /// The matcher of a table or derive, by what follows from each of its rows.
    fn matcher(&mut self, row_ends: &[Verdict]) -> Load<Matcher> {
        let (rows, ranks, wide) = (self.r.u32s()?, self.r.u32s()?, self.r.u32()?);
        let n_places = rows.len();
        self.r.ensure(all_below(&rows, row_ends.len() as u32), "a matcher finds a row that is not there")?;
        let ranked = ranks.is_empty() || ranks.len() == n_places;
        let sound = n_places < 1 << 31 && wide as usize <= n_places && ranked;
        self.r.ensure(sound, "a matcher has places that are not there")?;
        let groups = self.each(9, |own| {
            let (at, places) = (own.at()?, own.r.pairs()?);
            let sound = places.iter().flat_map(|(from, end)| [from, end]).is_sorted();
            let sound = sound && places.last().is_none_or(|(_, end)| *end <= wide);
            own.r.ensure(sound, "the groups of a matcher are not in order")?;
            Ok(Groups { at, places })
        })?;
        self.r.ensure(groups.len() <= 1, "a matcher has groups by two facts")?;
        let (bits, tops) = (self.r.u128s()?, self.r.u128s()?);
        let (n_stripes, n_tops) = n_stripes(n_places as u32);
        let n_lines = bits.len() / n_stripes.max(1);
        let fit = n_lines.checked_mul(n_stripes) == Some(bits.len()) && n_lines.checked_mul(n_tops) == Some(tops.len());
        self.r.ensure(fit, "the lines of a matcher do not fit its places")?;
        let columns = self.each(8, |own| {
            let column = Column { place: own.r.u32()?, base: own.r.u32()? };
            own.lines(column.base, own.n_at(column.place)?, n_lines)?;
            Ok(column)
        })?;
        let classed = self.each(10, |own| own.classed(n_lines))?;
        let checks = self.each(9, |own| own.check(n_places))?;
        // All are there; with an end for each the list is made at once.
        let ends = rows.iter().map(|row| row_ends.get(*row as usize).copied().unwrap_or(Verdict::NONE)).collect();
        let (n_places, groups) = (n_places as u32, groups.into_iter().next());
        let matcher = Matcher {
            columns,
            classed,
            checks,
            bits,
            tops,
            n_lines,
            n_places,
            groups,
            wide,
            ranks,
            ends,
            ..Matcher::default()
        };
        Ok(matcher.ready())
    }

    /// So many lines from one on are there.
    fn lines(&self, base: u32, n: u32, n_lines: usize) -> Load<()> {
        let is_there = u64::from(base) + u64::from(n) <= n_lines as u64;
        self.r.ensure(is_there, "a column of a matcher has lines that are not there")
    }

    fn classed(&mut self, n_lines: usize) -> Load<Classed> {
        let (at, base) = (self.at()?, self.r.u32()?);
        let classes = match self.r.u8()? {
            0 => Classes::Own,
            1 => Classes::Listed(self.r.u16s()?),
            2 => Classes::Stretches(self.r.u32()?),
            _ => return Err(self.r.unsound("the codes of a column have no such classes")),
        };
        self.lines(base, classes.len(self.n_codes(at)?), n_lines)?;
        Ok(Classed { at, base, classes })
    }

    fn check(&mut self, n_places: usize) -> Load<Check> {
        let (at, ranges) = (self.at()?, self.r.pairs()?);
        let more: Box<[_]> = self.r.list(12, |r| Ok((r.u32()?, r.u32()?, r.u32()?)))?.into();
        let sound = ranges.len() == n_places && more.is_sorted_by_key(|more| more.0);
        self.r.ensure(sound, "what a matcher checks does not fit its places")?;
        Ok(Check { at, ranges, more })
    }
}

/// What follows from each row of a table, as the rows themselves say.
fn ends(opened: &Opened, table: TableId) -> impl Iterator<Item = Verdict> {
    opened.packed.wanted(table).zip(0..).map(move |(wanted, row)| match wanted {
        Ok(verb) => Verdict::row(table, row, verb),
        Err(next) => Verdict::sees(row, next),
    })
}

/// What an answer comes to.
fn verdict(opened: &Opened, answer: &Answer) -> Verdict {
    match (answer.end, answer.path.last()) {
        (End::Row, Some((table, row))) => {
            let wanted = opened.packed.chain(table, row).and_then(|chain| chain.actions.first());
            Verdict::row(table, row as u32, wanted.map_or(Verb::Review, Action::verb))
        }
        (End::Row, None) => Verdict::NONE,
        (End::Gap(table), _) => Verdict::end(How::Gap, table),
        (End::BrokenPromise(table), _) => Verdict::end(How::BrokenPromise, table),
    }
}

fn all_below(numbers: &[u32], end: u32) -> bool {
    numbers.iter().max().is_none_or(|most| *most < end)
}
