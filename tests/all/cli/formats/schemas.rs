//! The schemas: that of SARIF 2.1.0 as OASIS publishes it, and those of `docs/schemas/`.
//!
//! `tests/schemas/sarif-2.1.0.json` is the technical committee's own file (OASIS Open, published for everybody's use under
//! its IPR policy), taken as it lies in the crate `serde-sarif` 0.8.0, which is under MIT.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::Value;

use crate::support::{files, has_ending, read};

/// A schema, ready to be asked; `format` counts.
fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap_or_else(|error| panic!("{error}"))
}

/// SARIF 2.1.0. One pattern of the file, that of a language, is no regular expression: a bracket is closed that nobody
/// opened. It is read as it is meant.
pub(super) fn sarif() -> Validator {
    let text = read("tests/schemas/sarif-2.1.0.json");
    let (bad, meant) = ("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    assert!(text.contains(bad));
    validator(&serde_json::from_str(&text.replace(bad, meant)).unwrap())
}

/// One of `docs/schemas/`, closed: what it does not name, nobody may write. As it is published it is open, so that a later
/// version can say more.
pub(super) fn ours(name: &str) -> Validator {
    let mut schema: Value = serde_json::from_str(&read(&format!("docs/schemas/{name}.schema.json"))).unwrap();
    close(&mut schema);
    validator(&schema)
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(close);
            if map.get("type") == Some(&"object".into()) && map.contains_key("required") {
                map.entry("additionalProperties").or_insert(false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Fails with everything that a schema has against a document.
pub(super) fn held(schema: &Validator, document: &Value, what: &str) {
    let faults: Vec<String> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).take(5).collect();
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

#[test]
fn a_schema_says_no_to_what_is_wrong() {
    let finding = |code: &str, more: &str| {
        let text = format!(
            r#"[{{"code":"{code}","severity":"error","message":"m","file":"a","labels":[{{"file":"a","line":1,"column":1,"end_line":1,"end_column":2,"text":"","primary":true}}],"fixes":[],"url":"https://example.org"{more}}}]"#
        );
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let schema = ours("check");
    held(&schema, &finding("N0203", ""), "a finding");
    for bad in [finding("E1", ""), finding("N0203", r#","extra":1"#), finding("N0203", r#","help":3"#)] {
        assert!(!schema.is_valid(&bad), "{bad}");
    }
    assert!(!sarif().is_valid(&serde_json::json!({ "version": "2.1.0" })));
}

/// What is published is named in the docs, and says what it is.
#[test]
fn every_schema_is_named_in_the_docs() {
    let docs: String = files("docs").iter().filter(|path| has_ending(path, "md")).map(|path| read(path)).collect();
    let mut ids = BTreeSet::new();
    for path in files("docs/schemas") {
        let schema: Value = serde_json::from_str(&read(&path)).unwrap();
        assert!(schema["title"].is_string() && ids.insert(schema["$id"].to_string()), "{path}");
        let link = path.strip_prefix("docs/").unwrap();
        assert!(docs.contains(&format!("]({link})")), "{path} is named nowhere");
    }
    assert_eq!(ids.len(), 4);
}
