//! The corpora of `tests/cases`: decisions and bad facts, written without naming any engine, and how they are read.

use std::collections::BTreeMap;

use nisi::Policy;
use nisi::decide::{Facts, Raw};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::support::{compile, files, has_ending, read};

/// A file of cases about one policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File<C> {
    /// A shipped policy's name.
    policy: Option<String>,
    /// Or the policy itself.
    source: Option<String>,
    /// Facts that a case may change.
    #[serde(default)]
    given: BTreeMap<String, Json>,
    cases: Vec<C>,
}

/// One decision.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decided {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) facts: BTreeMap<String, Json>,
    #[serde(default)]
    pub(crate) refuse: Vec<String>,
    /// Keys of a decision as JSON; `row` is `table/row`, and an object holds at least what is written.
    pub(crate) expect: BTreeMap<String, Json>,
}

/// Facts that are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refused {
    pub(crate) name: String,
    pub(crate) format: String,
    pub(crate) text: String,
    pub(crate) mentions: Vec<String>,
}

/// A policy as the command and the library take it.
pub(crate) struct Asked {
    /// The file of the cases.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) policy: Policy,
}

/// Every file of a folder with its policy and its cases; what cannot be read fails.
pub(crate) fn corpus<C: for<'de> Deserialize<'de>>(folder: &str) -> Vec<(Asked, BTreeMap<String, Json>, Vec<C>)> {
    let yaml = files(folder).into_iter().filter(|p| has_ending(p, "yaml"));
    let list: Vec<_> = yaml
        .map(|file| {
            let read: File<C> = serde_yaml::from_str(&read(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            assert!(!read.cases.is_empty(), "{file}: no cases");
            (asked(file, read.policy, read.source), read.given, read.cases)
        })
        .collect();
    assert!(!list.is_empty(), "nothing in {folder}");
    list
}

pub(crate) fn asked(file: String, policy: Option<String>, source: Option<String>) -> Asked {
    let text = match (policy, source) {
        (Some(name), None) => read(&format!("policies/{name}.nisi")),
        (None, Some(text)) => text,
        _ => panic!("{file}: `policy` or `source`, one of them"),
    };
    let compiled = compile(&file, &text);
    let policy = compiled.policy.unwrap_or_else(|| panic!("{file}: {}", compiled.diagnostics));
    Asked { file, text, policy }
}

/// The facts of a case over those that are given for all.
pub(crate) fn all_facts(given: &BTreeMap<String, Json>, own: &BTreeMap<String, Json>) -> BTreeMap<String, Json> {
    given.iter().chain(own).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Facts as the library takes them from anywhere.
pub(crate) fn facts(policy: &Policy, facts: &BTreeMap<String, Json>) -> Facts {
    let raw = facts.iter().map(|(name, value)| {
        let raw = match value {
            Json::Null => Raw::Null,
            Json::Bool(b) => Raw::Bool(*b),
            Json::Number(n) => Raw::Number(n.to_string()),
            Json::String(text) => Raw::Plain(text.clone()),
            Json::Array(_) => Raw::List,
            Json::Object(_) => Raw::Map,
        };
        (name.clone(), raw)
    });
    policy.read_facts(raw).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Whether a decision holds what is expected; what differs, if not.
pub(crate) fn held(expect: &BTreeMap<String, Json>, decision: &Json) -> Result<(), String> {
    for (key, want) in expect {
        let have = match key.as_str() {
            "row" => format!("{}/{}", text(&decision["table"]), text(&decision["row"])).into(),
            key => decision[key].clone(),
        };
        if !within(want, &have) {
            return Err(format!("`{key}` is {have}, expected {want}"));
        }
    }
    for key in ["guard", "gap"] {
        if !expect.contains_key(key) && !decision[key].is_null() {
            return Err(format!("`{key}` is {}, and none is expected", decision[key]));
        }
    }
    Ok(())
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or("")
}

fn within(want: &Json, have: &Json) -> bool {
    match (want, have) {
        (Json::Object(want), Json::Object(have)) => {
            want.iter().all(|(k, v)| have.get(k).is_some_and(|have| within(v, have)))
        }
        _ => want == have,
    }
}
