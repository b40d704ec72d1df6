//! The way of a decision, as a person reads it: every case of `tests/cases/why` has a snapshot that shows the question
//! first, then the answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::corpus::{asked, facts};
use crate::support::{compile_with, files, has_ending, read};

/// One question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What is shown.
    shows: String,
    policy: Option<String>,
    source: Option<String>,
    /// Other files, by the name that `use` and `restricts` say; `policies/NAME.nisi` stands for a shipped policy.
    #[serde(default)]
    beside: BTreeMap<String, String>,
    facts: BTreeMap<String, Json>,
    #[serde(default)]
    refuse: Vec<String>,
    /// Words that the answer must hold, so that no snapshot can hide their loss.
    says: Vec<String>,
}

/// A policy with the files beside it.
fn overlay(path: &str, source: &str, beside: &BTreeMap<String, String>) -> nisi::Policy {
    let text = |text: &String| if text.starts_with("policies/") { read(text) } else { text.clone() };
    let others = beside.iter().map(|(name, t)| (name.clone(), text(t))).collect();
    let compiled = compile_with(path, source, &others);
    compiled.policy.unwrap_or_else(|| panic!("{path}: {}", compiled.diagnostics))
}

#[test]
fn every_way_is_told() {
    let cases: Vec<String> = files("tests/cases/why").into_iter().filter(|p| has_ending(p, "yaml")).collect();
    assert!(cases.len() >= 22, "{} cases", cases.len());
    for path in cases {
        let text = read(&path);
        let case: Case = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(!case.shows.is_empty() && !case.says.is_empty(), "{path}: it must show something, and hold words");
        let policy = match case.source {
            Some(source) if !case.beside.is_empty() => overlay(&path, &source, &case.beside),
            source => asked(path.clone(), case.policy, source).policy,
        };
        let given = facts(&policy, &case.facts);
        let refused = policy.refuse(case.refuse.iter().map(String::as_str)).unwrap();
        let told = policy.decide_with(&given, &refused).why().to_string();
        assert!(told.ends_with('\n') && !told.ends_with("\n\n"), "{path}: one line end at the end of\n{told}");
        assert!(told.lines().all(|l| l.chars().count() <= 80 || !l.trim().contains(' ')), "{path}: too wide\n{told}");
        let plain = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in &case.says {
            assert!(plain.contains(words.as_str()), "{path}: `{words}` is not in\n{told}");
        }
        let name = path.trim_start_matches("tests/cases/why/").trim_end_matches(".yaml").to_string();
        insta::with_settings!({ snapshot_path => "../cases/why", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, format!("{text}\n{told}"));
        });
    }
}
