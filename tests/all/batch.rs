//! Batches of random tables against the plain evaluator: of few rows and many, few columns and many, with and without
//! what is unknown, from the compiled policy and from its artifact.

use std::collections::BTreeMap;
use std::fmt::Write;

use nisi::Policy;
use nisi::compile::{NoSources, Options};
use nisi::decide::{Answers, Raw, Refused, Word};
use nisi::text::Source;

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }
}

/// A kind of fact: its domain, cells for it, and values, at and beside every bound.
struct Kind {
    domain: &'static str,
    cells: &'static [&'static str],
    values: &'static [&'static str],
}

const KINDS: [Kind; 6] = [
    Kind {
        domain: "a, b, c, d, e, f, g or none",
        cells: &["a", "a, b", "c, e", "not d", "none", "unknown, g", "not none"],
        values: &["a", "b", "c", "d", "e", "f", "g", "none"],
    },
    Kind { domain: "yes, no", cells: &["yes", "no", "unknown", "known"], values: &["no", "yes"] },
    Kind {
        domain: "duration",
        cells: &["< 200ms", ">= 500ms", "200ms..900ms", "unknown", "0ms", "not 4ms"],
        values: &["0", "3", "4", "5", "199", "200", "201", "499", "500", "900", "901"],
    },
    Kind {
        domain: "count",
        cells: &["0", ">= 2", "1..3", "< 500", "unknown"],
        values: &["0", "1", "2", "3", "4", "499", "500"],
    },
    Kind {
        domain: "integer -5..5",
        cells: &["0", "< 0", ">= 3", "-5", "unknown, 5"],
        values: &["-5", "-4", "-1", "0", "1", "2", "3", "4", "5"],
    },
    Kind {
        domain: "low < mid < high",
        cells: &["low", ">= mid", "high", "unknown", "low..mid"],
        values: &["low", "mid", "high"],
    },
];

/// A random table of so many rows over facts of these kinds, with gaps and rows that nothing reaches.
fn table(n_rows: usize, kinds: &[usize], draw: &mut Draw) -> String {
    let mut text = "policy random\nversion 1\n".to_string();
    let mut header = String::new();
    for (i, kind) in kinds.iter().enumerate() {
        writeln!(text, "fact f{i} : {}", KINDS[*kind].domain).unwrap();
        write!(header, " f{i} |").unwrap();
    }
    let hit = draw.one(&["first row wins", "most cautious wins"]);
    writeln!(text, "table t, {hit}\n|{header} => action |").unwrap();
    for row in 0..n_rows {
        let sparse = 2 + draw.below(3);
        let mut cell = |kind: &usize| if draw.below(sparse) == 0 { draw.one(KINDS[*kind].cells) } else { "-" };
        let mut cells: Vec<&str> = kinds.iter().map(&mut cell).collect();
        // No two rows in a row are the same.
        let of = KINDS[kinds[row % kinds.len()]].cells;
        cells[row % kinds.len()] = of[row / kinds.len() % of.len()];
        let action = draw.one(&["stop", "review desk", "stop \"so\"", "review"]);
        writeln!(text, "| {} | {action} |", cells.join(" | ")).unwrap();
    }
    text
}

/// The entries of one fact, as text and as a column takes them.
struct Entries {
    texts: Vec<&'static str>,
    known: Option<Vec<bool>>,
    made: Made,
}

enum Made {
    Words(Vec<Word>, Vec<u8>),
    Flags(Vec<bool>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
}

fn entries(policy: &Policy, name: &str, kind: &Kind, n: usize, draw: &mut Draw) -> Entries {
    let places: Vec<usize> = (0..n).map(|_| draw.below(kind.values.len())).collect();
    let texts: Vec<&str> = places.iter().map(|place| kind.values[*place]).collect();
    let known = (draw.below(2) == 0).then(|| (0..n).map(|_| draw.below(5) > 0).collect());
    let numbers = |text: &&str| text.parse::<i64>().unwrap();
    let made = match kind.domain {
        "yes, no" if draw.below(2) == 0 => Made::Flags(places.iter().map(|place| *place == 1).collect()),
        "duration" | "count" if draw.below(2) == 0 => {
            Made::U32(texts.iter().map(|text| text.parse().unwrap()).collect())
        }
        "duration" | "count" if draw.below(2) == 0 => {
            Made::U64(texts.iter().map(|text| text.parse().unwrap()).collect())
        }
        "duration" | "count" | "integer -5..5" => Made::I64(texts.iter().map(numbers).collect()),
        _ => {
            let handle = policy.handle(name).unwrap();
            let words = kind.values.iter().map(|word| policy.word(handle, word).unwrap());
            Made::Words(words.collect(), places.iter().map(|place| *place as u8).collect())
        }
    };
    Entries { texts, known, made }
}

/// Holds a batch of random questions to the plain evaluator.
fn hold(policy: &Policy, facts: &[(String, &Kind)], draw: &mut Draw) {
    let n = draw.one(&[1, 15, 16, 17, 90]);
    // Some facts have no column: they are unknown.
    let all: Vec<_> = facts.iter().filter(|_| draw.below(6) > 0).collect();
    let all: Vec<(&str, Entries)> =
        all.into_iter().map(|(name, kind)| (&**name, entries(policy, name, kind, n, draw))).collect();
    let mut columns = policy.columns(n);
    for (name, Entries { known, made, .. }) in &all {
        let (handle, known) = (policy.handle(name).unwrap(), known.as_deref());
        let added = match made {
            Made::Words(words, places) => columns.words(handle, words, places, known),
            Made::Flags(flags) => columns.flags(handle, flags, known),
            Made::U32(numbers) => columns.numbers(handle, numbers, known),
            Made::U64(numbers) => columns.numbers(handle, numbers, known),
            Made::I64(numbers) => columns.numbers(handle, numbers, known),
        };
        added.unwrap();
    }
    let mut answers = Answers::default();
    policy.decide_batch(&columns, &mut answers).unwrap();
    let nothing = Refused::nothing();
    for i in 0..n {
        let known = all.iter().filter(|(_, entries)| entries.known.as_ref().is_none_or(|known| known[i]));
        let given = known.map(|(name, entries)| ((*name).to_string(), Raw::Plain(entries.texts[i].into())));
        let facts = policy.read_facts(given).unwrap();
        let plain = policy.decide_plainly(&facts, &nothing);
        assert_eq!(answers.verbs()[i], plain.verb(), "{}", plain.why());
        let row = policy.row(answers.rows()[i]).map(|row| row.to_string());
        assert_eq!(row, plain.row_name(), "{}", plain.why());
    }
    assert!(answers.wait_bounds_ms().is_empty());
}

fn facts_of(kinds: &[usize]) -> Vec<(String, &'static Kind)> {
    kinds.iter().enumerate().map(|(i, kind)| (format!("f{i}"), &KINDS[*kind])).collect()
}

#[test]
fn a_batch_of_a_random_table_answers_as_the_plain_evaluator() {
    let mut draw = Draw(7);
    let options = Options { proofs: false, ..Options::default() };
    for n_rows in [1, 2, 5, 12, 40, 62, 63, 64, 65, 90] {
        for n_facts in [1, 2, 4, 7, 12, 30, 63] {
            let kinds: Vec<usize> = (0..n_facts).map(|_| draw.below(KINDS.len())).collect();
            let text = table(n_rows, &kinds, &mut draw);
            let policy = Policy::compile_with(Source::new("random.nisi", text.as_str()), &NoSources, &options)
                .unwrap_or_else(|found| panic!("{found}\n{text}"));
            let loaded = Policy::load(policy.to_artifact()).unwrap();
            for policy in [&policy, &loaded, &policy] {
                hold(policy, &facts_of(&kinds), &mut draw);
            }
        }
    }
}

#[test]
fn a_batch_of_an_overlay_answers_as_the_plain_evaluator() {
    let mut draw = Draw(11);
    let kinds = [0, 2, 3];
    let base = table(6, &kinds, &mut draw).replace("policy random", "policy base") + "| otherwise | | | stop |\n";
    let own = "policy own\nversion 1\nrestricts base 1\ntighten t, first row wins\n| f1 | => action |\n\
               | < 300ms | review desk |\n";
    let others = BTreeMap::from([("base".to_string(), base)]);
    let policy = Policy::compile_with(Source::new("own.nisi", own), &others, &Options::default())
        .unwrap_or_else(|found| panic!("{found}"));
    (0..12).for_each(|_| hold(&policy, &facts_of(&kinds), &mut draw));
}
