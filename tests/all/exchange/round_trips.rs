//! Out and in again: no decision changes, whatever the policy; and of the shipped policies not a letter.

use nisi::compare::{CompareOptions, compare};
use nisi::exchange::{Format, Import};
use nisi::format::Options;
use proptest::prelude::*;

use super::{Words, export, policy};
use crate::random;
use crate::support::read;

/// The policy that an export gives when it is imported again.
fn back(text: &str, format: Format) -> String {
    let exported = export(text, format, &Words::new());
    let [(name, file)] = &exported.files[..] else { panic!("{:?}", exported.files) };
    let how = Import { file: name, ..Import::default() };
    let imported = nisi::exchange::import(file.as_bytes(), &how, &Words::new());
    let imported = imported.unwrap_or_else(|refused| panic!("{refused}: {:?}\n{file}", refused.help));
    let left: Vec<_> = imported.notices.iter().filter(|notice| notice.is_left).collect();
    assert!(left.is_empty(), "{left:?}\n{file}");
    imported.policy
}

fn decides_the_same(old: &str, new: &str, words: &Words) {
    let found = compare(&policy(old, words), &policy(new, words), &CompareOptions::default());
    assert!(found.changes.is_empty() && found.budget.is_empty(), "{found:?}\n{old}\n{new}");
}

/// The items of a random policy that a vocabulary can hold, those that it cannot, and its tables.
fn parted(text: &str) -> (String, String, Vec<String>) {
    let (mut words, mut rest, mut tables): (String, String, Vec<String>) = Default::default();
    for item in text.split("\n\n") {
        let first = item.trim_start().split(' ').next().unwrap_or_default();
        for line in item.trim().lines() {
            let word = line.split(' ').next().unwrap_or_default();
            match (first, word) {
                ("table", "table") => tables.push(format!("{line}\n")),
                ("table", _) => tables.last_mut().unwrap().extend([line, "\n"]),
                (_, "policy" | "version" | "rule") => {}
                (_, "budget") => rest.extend([line, "\n"]),
                _ => words.extend([line, "\n"]),
            }
        }
    }
    (words, rest, tables)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn dmn_decides_the_same(draws in prop::collection::vec(any::<u16>(), 0..160)) {
        let text = random::text(&draws);
        decides_the_same(&text, &back(&text, Format::Dmn), &Words::new());
    }

    #[test]
    fn markdown_is_the_policy_itself(draws in prop::collection::vec(any::<u16>(), 0..160)) {
        for text in [random::text(&draws), random::wide(&draws)] {
            let new = back(&text, Format::Markdown);
            let (old, new) = (policy(&text, &Words::new()), policy(&new, &Words::new()));
            prop_assert_eq!(old.digest(), new.digest());
        }
    }

    #[test]
    fn csv_decides_the_same(draws in prop::collection::vec(any::<u16>(), 0..160)) {
        let text = random::text(&draws);
        let (words, rest, tables) = parted(&text);
        prop_assume!(tables.len() == 1);
        let words = Words::from([("words".to_string(), words)]);
        let exported = export(&text, Format::Csv, &Words::new());
        let (name, file) = exported.files.iter().find(|(name, _)| name == "entry.csv").unwrap();
        let how = Import { file: name, uses: &["words".to_string()], ..Import::default() };
        let imported = nisi::exchange::import(file.as_bytes(), &how, &words).unwrap();
        prop_assert!(imported.notices.iter().all(|n| !n.is_left), "{:?}\n{}", imported.notices, file);
        decides_the_same(&text, &format!("{}\n{rest}", imported.policy), &words);
    }
}

#[test]
fn the_shipped_policies_come_back_to_the_letter() {
    for name in ["assistant", "field-guide", "procurement"] {
        let text = read(&format!("policies/{name}.nisi"));
        let text = nisi::format::format(&text, &Options::default()).unwrap().text;
        assert_eq!(back(&text, Format::Markdown), text);
        let new = back(&text, Format::Dmn);
        decides_the_same(&text, &new, &Words::new());
        let lines = |text: &str| -> Vec<String> {
            let mut lines: Vec<String> = text.lines().filter(|l| !l.is_empty()).map(str::to_string).collect();
            // Reasons stand in the order of their rows.
            lines.sort();
            lines
        };
        assert_eq!(lines(&new), lines(&text), "{name}");
    }
}
