//! From the bytes of an artifact to a model whose rows stay packed; everything is checked on the way.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use indexmap::IndexMap;

use super::about::{self, About};
use super::container::Container;
use super::error::Load;
use super::packed::{Packed, Places};
use super::reader::Reader;
use super::rows::{self, Bounds};
use super::section::Section;
use super::texts::Texts;
use super::{actions, blocks, facts, rules, sets, tables};
use crate::model::{Chain, FactSource, MAX_FACTS, Model, StdFacts};

/// An artifact whose model was read, and whose program was not.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) about: About,
    pub(crate) packed: Packed,
    container: Container,
}

impl Opened {
    /// Reads an artifact of one edition of the language.
    pub(crate) fn read(bytes: Vec<u8>, edition: &'static str) -> Load<Opened> {
        let container = Container::open(&bytes)?;
        let parts = Parts::read(&bytes, &container, edition)?;
        let place = |section| container.place(section);
        let places = Places {
            texts: place(Section::Texts),
            sets: place(Section::Sets),
            tests: place(Section::Tests),
            rows: place(Section::Rows),
            values: place(Section::Values),
        };
        let Parts { about, head, chains, starts, first_sets } = parts;
        let packed = Packed { bytes, places, head, chains, starts, first_sets, whole: OnceLock::new() };
        Ok(Opened { about, packed, container })
    }

    /// Reads another section.
    pub(crate) fn reader(&self, section: Section) -> Reader<'_> {
        let texts = Texts::of(self.packed.bytes.get(self.packed.places.texts.clone()).unwrap_or_default());
        self.container.reader(&self.packed.bytes, section).naming(texts, self.about.origins.len())
    }

    /// What is kept when all is read: no byte behind the last section that rows lie in.
    pub(crate) fn close(self) -> (About, Packed) {
        let mut packed = self.packed;
        packed.bytes.truncate(packed.places.values.end);
        packed.bytes.shrink_to_fit();
        (self.about, packed)
    }
}

/// What is made when an artifact is opened.
struct Parts {
    about: About,
    head: Model,
    chains: Box<[Chain]>,
    starts: Box<[u32]>,
    first_sets: Box<[u32]>,
}

impl Parts {
    fn read(bytes: &[u8], container: &Container, edition: &'static str) -> Load<Parts> {
        let section = |section| container.reader(bytes, section);
        let texts = check_texts(section(Section::Texts))?;
        let (mut r, mut lines) = (section(Section::Head).naming(texts, 0), section(Section::Lines));
        let about = about::read(&mut r, &mut lines, edition)?;
        lines.end()?;
        let n_files = about.origins.len();
        let section = |section| container.reader(bytes, section).naming(texts, n_files);

        let mut r = r.naming(texts, n_files);
        let mut head = Model { name: r.text()?, version: r.text()?, owner: r.text()?, ..Model::default() };
        r.ensure(!head.name.is_empty(), "it has no name")?;
        let n_sets = read_facts(&mut r, &mut head)?;
        blocks::read(&mut r, &mut head)?;
        let n_rows = tables::read(&mut r, &mut head)?;
        r.end()?;

        let mut r = section(Section::Actions);
        let chains = actions::read(&mut r, &head)?;
        r.end()?;
        let first_sets = check_sets(section(Section::Sets), &head, &n_sets)?;
        let tests = check_tests(section(Section::Tests), &first_sets)?;
        let n_tables = head.tables.len();
        let bounds = Bounds { texts: texts.len(), tests: tests.len(), chains: chains.len(), tables: n_tables };
        let (mut r, mut values) = (section(Section::Rows), section(Section::Values));
        let rows = rows::check(&mut r, &mut values, &head, &n_rows, &bounds)?;
        r.ensure(goes_forward(n_tables, &rows.sees), "its tables hand over in a circle")?;
        derives_hold(&r, &head, &rows.tests_of_derives, tests, &first_sets)?;
        r.end()?;
        values.end()?;

        let mut r = section(Section::Rules);
        let n_before = head.derives.len() + head.classifies.len();
        rules::read(&mut r, &mut head, n_rows.get(n_before..).unwrap_or_default())?;
        r.end()?;
        Ok(Parts { about, head, chains, starts: rows.starts, first_sets })
    }
}

/// Checks every text.
fn check_texts(mut r: Reader<'_>) -> Load<Texts<'_>> {
    let section = r.rest();
    let texts = Texts::of(section);
    let Ok(all) = std::str::from_utf8(texts.all) else { return Err(r.unsound("a text is not UTF-8")) };
    let (mut last, mut sound) = (0, Texts::fits(section));
    for end in texts.ends {
        let end = u32::from_le_bytes(*end);
        sound &= last <= end && all.is_char_boundary(end as usize);
        last = end;
    }
    r.ensure(sound && last as usize == all.len(), "the ends of its texts do not fit them")?;
    Ok(texts)
}

/// Reads the facts; with them how many sets rows ask of each.
fn read_facts(r: &mut Reader, head: &mut Model) -> Load<Vec<u32>> {
    let read = r.list(1, |r| Ok((facts::read(r)?, r.u32()?)))?;
    r.ensure(read.len() <= MAX_FACTS, "it has too many facts")?;
    let n = read.len();
    let n_sets = read.iter().map(|(_, n)| *n).collect();
    head.facts = read.into_iter().map(|(fact, _)| (fact.name.clone(), fact)).collect::<IndexMap<_, _>>();
    r.ensure(head.facts.len() == n, "two facts have one name")?;
    head.std = StdFacts::find(&head.facts);
    Ok(n_sets)
}

/// Checks every set that rows ask for; gives the number of the first of each fact, and how many there are.
fn check_sets(mut r: Reader, head: &Model, n_sets: &[u32]) -> Load<Box<[u32]>> {
    let mut first = vec![0u32];
    let mut end = 0u32;
    for (fact, n) in head.facts.values().zip(n_sets) {
        sets::check(&mut r, fact, *n as usize)?;
        end = end.checked_add(*n).ok_or_else(|| r.unsound("it has more sets than can be"))?;
        first.push(end);
    }
    r.end()?;
    Ok(first.into())
}

/// Checks that every test is one of the sets.
fn check_tests<'a>(mut r: Reader<'a>, first_sets: &[u32]) -> Load<&'a [[u8; 4]]> {
    let all = r.rest();
    let (tests, over) = all.as_chunks::<4>();
    let n_sets = first_sets.last().map_or(0, |n| *n);
    // Without a way out, so that several are held against it at once.
    let is_one = tests.iter().fold(true, |all, test| all & (u32::from_le_bytes(*test) < n_sets));
    r.ensure(over.is_empty() && is_one, "a test is none of its sets")?;
    Ok(tests)
}

/// Whether following `see` always comes to an end.
fn goes_forward(n_tables: usize, sees: &BTreeSet<(u32, u32)>) -> bool {
    let mut n_ways = vec![0u32; n_tables];
    for (_, to) in sees {
        n_ways[*to as usize] += 1;
    }
    let mut open: Vec<u32> = (0..n_tables as u32).filter(|table| n_ways[*table as usize] == 0).collect();
    let mut n_left = n_tables;
    while let Some(table) = open.pop() {
        n_left -= 1;
        for (_, to) in sees.range((table, 0)..=(table, u32::MAX)) {
            n_ways[*to as usize] -= 1;
            if n_ways[*to as usize] == 0 {
                open.push(*to);
            }
        }
    }
    n_left == 0
}

/// Whether each derive asks only for facts that a caller gives, or that a derive before it gives. `ends` are where the
/// tests of each derive end.
fn derives_hold(r: &Reader, head: &Model, ends: &[u32], tests: &[[u8; 4]], first_sets: &[u32]) -> Load<()> {
    let mut from = 0;
    for (own, end) in ends.iter().enumerate() {
        let asked = tests.get(from..*end as usize).unwrap_or_default();
        from = *end as usize;
        let sound = asked.iter().all(|test| {
            let set = u32::from_le_bytes(*test);
            let fact = first_sets.partition_point(|first| *first <= set).saturating_sub(1);
            let source = head.facts.get_index(fact).map(|(_, fact)| fact.source);
            match source {
                Some(FactSource::Derived { derive, .. }) => derive < own,
                source => source.is_some(),
            }
        });
        r.ensure(sound, "a derive needs what only comes after it")?;
    }
    Ok(())
}
