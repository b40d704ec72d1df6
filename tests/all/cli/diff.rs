//! `nisi diff`.

use serde_json::Value;

use super::{Given, ORDERS, json, nisi, run};
use crate::support::{Folder, read};

/// The policy of these tests, edited: where `dear` begins, who looks at it, whether a lost write is tried again, how
/// often and how soon.
fn edited() -> String {
    let edits = [
        ("version 1.0.0", "version 1.1.0"),
        ("amount is > 100 ", "amount is > 250 "),
        ("review finance      ", "review treasury     "),
        ("attempts  3", "attempts  4"),
        ("base 200ms", "base 100ms"),
        (
            "| phone | timeout                  | yes         | channel is \"phone\" | review desk ",
            "| phone | timeout                  | yes         | channel is \"phone\" | stop        ",
        ),
    ];
    let policy = ORDERS.split("\nexamples").next().unwrap().to_string().replace("| stop        ", "| stop ");
    edits.iter().fold(policy, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    }) + "\n"
}

/// Without std.safety, so that a policy may be less careful.
fn careless(text: &str) -> String {
    text.replace("use std.safety\n", "")
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("old.nisi", careless(ORDERS)).file("new.nisi", careless(&edited()));
    folder
}

fn diff(folder: &Folder, more: &[&str]) -> Given {
    run(nisi(folder).args(["diff", "old.nisi", "new.nisi"]).args(more))
}

#[test]
fn people_read_regions_rows_and_a_call_to_try() {
    let given = diff(&folder("diff-human"), &[]);
    assert_eq!(given.code, 0, "{}", given.err);
    insta::assert_snapshot!("diff_human", given.out);
}

#[test]
fn a_pull_request_gets_tables() {
    let given = diff(&folder("diff-markdown"), &["--format", "markdown"]);
    assert_eq!(given.code, 0, "{}", given.err);
    insta::assert_snapshot!("diff_markdown", given.out);
}

#[test]
fn programs_read_json_and_every_call_gives_the_same_bytes() {
    let folder = folder("diff-json");
    let given = diff(&folder, &["--format", "json"]);
    let found = json(&given);
    assert_eq!((given.code, &found["same"], &found["complete"]), (0, &false.into(), &true.into()), "{}", given.err);
    assert_eq!(found["budget"], serde_json::json!([{"entry": "attempts", "old": "3", "new": "4", "mark": "wider"}]));
    let marks: Vec<&str> = found["changes"].as_array().unwrap().iter().map(|c| c["mark"].as_str().unwrap()).collect();
    assert!(
        marks.contains(&"wider") && marks.contains(&"other") && marks.contains(&"tighter") || marks.len() > 3,
        "{marks:?}"
    );
    assert_eq!(diff(&folder, &["--format", "json"]).out, given.out);
}

/// Every witness, put to both policies, gives what the comparison says.
#[test]
fn every_witness_is_borne_out_by_eval() {
    let folder = folder("diff-witness");
    let found = json(&diff(&folder, &["--format", "json"]));
    for change in found["changes"].as_array().unwrap() {
        assert_eq!(change["witness"]["stands"], true, "{change:#}");
        for (file, side) in [("old.nisi", "old"), ("new.nisi", "new")] {
            let point = &change["witness"][side];
            let mut call = nisi(&folder);
            call.args(["eval", file]);
            for (fact, value) in point["facts"].as_object().unwrap() {
                let value = value.as_str().map_or_else(|| value.to_string(), ToString::to_string);
                call.args(["--set", &format!("{fact}={value}")]);
            }
            for verb in point["refuse"].as_array().unwrap() {
                call.args(["--refuse", verb.as_str().unwrap()]);
            }
            let decision = json(&run(&mut call));
            assert_eq!(decision["action"], change[side]["action"], "{change:#}");
            let row = format!("{}/{}", decision["table"].as_str().unwrap(), decision["row"].as_str().unwrap());
            assert!(change[side]["rows"].as_array().unwrap().contains(&Value::from(row)), "{change:#}");
        }
    }
}

#[test]
fn another_text_that_says_the_same_is_no_change() {
    let folder = Folder::new("diff-same");
    let moved = ORDERS
        .replace(
            "| dear  | timeout                  | yes         | amount is > 100 ",
            "| high  | timeout | yes | amount is > 100 and open_effect is yes ",
        )
        .replace("backoff gentle {", "backoff mild {")
        .replace("after gentle", "after mild")
        .replace("timeout, connection_lost | no ", "connection_lost, timeout | no ");
    folder.file("old.nisi", ORDERS).file("new.nisi", moved);
    let given = diff(&folder, &["--deny", "any"]);
    assert_eq!(given.code, 0, "{}\n{}", given.out, given.err);
    assert!(given.out.contains("no decision changes: proven for every input"), "{}", given.out);
    let given = run(nisi(&folder).args(["diff", "old.nisi", "old.nisi"]));
    assert!(given.out.contains("no decision changes: both say the same"), "{}", given.out);
}

#[test]
fn changes_are_denied_and_excepted_by_row() {
    let folder = folder("diff-deny");
    for what in ["wider", "tighter", "other", "any"] {
        let given = diff(&folder, &["--deny", what]);
        let found = json(&diff(&folder, &["--format", "json"]));
        let marks = found["changes"].as_array().unwrap().iter().chain(found["budget"].as_array().unwrap());
        let any = marks.filter(|c| what == "any" || c["mark"] == what).count() > 0;
        assert_eq!(given.code, i32::from(any), "{what}: {}", given.err);
        assert_eq!(given.err.contains("denied"), any, "{}", given.err);
    }
    let all = [
        "--except",
        "budget/attempts",
        "--except",
        "recovery/again",
        "--except",
        "recovery/dear",
        "--except",
        "recovery/phone",
    ];
    let given = diff(&folder, &[&["--deny", "any"], &all[..]].concat());
    assert_eq!(given.code, 0, "{}\n{}", given.out, given.err);
    let given = diff(&folder, &["--deny", "any", "--except", "recovery/agian"]);
    assert_eq!(given.code, 2);
    assert!(given.err.contains("did you mean `recovery/again`?"), "{}", given.err);
}

#[test]
fn what_is_not_decided_is_told_and_fails_unless_allowed() {
    let folder = folder("diff-steps");
    let given = diff(&folder, &["--max-steps", "1"]);
    assert_eq!(given.code, 1, "{}", given.out);
    assert!(given.out.contains("not decided") && given.err.contains("--allow N0309"), "{}{}", given.out, given.err);
    assert_eq!(diff(&folder, &["--max-steps", "1", "--allow", "N0309"]).code, 0);
    assert_eq!(diff(&folder, &["--allow", "N0301"]).code, 2);
}

#[test]
fn facts_that_differ_are_told_and_compared() {
    let folder = Folder::new("diff-facts");
    let policy = |facts: &str, rows: &str| {
        format!(
            "policy p\nversion 1\n{facts}table t, first row wins\n| row | a | => action |\n{rows}| rest | - | stop |\n"
        )
    };
    folder.file("old.nisi", policy("fact a : x, y\nfact gone : yes, no\n", "| one | y | review |\n"));
    folder.file("new.nisi", policy("fact a : x, y, z\nfact come : count\n", "| one | y, z | review |\n"));
    let given = diff(&folder, &[]);
    assert_eq!(given.code, 0, "{}", given.err);
    insta::assert_snapshot!("diff_facts", given.out);
}

#[test]
fn errors_of_a_policy_are_told_and_a_missing_file_is_no_answer() {
    let folder = folder("diff-errors");
    folder.file("bad.nisi", "policy bad\nversion 1\ntable t, first row wins\n| a | => action |\n| x | stop |\n");
    let given = run(nisi(&folder).args(["diff", "old.nisi", "bad.nisi"]));
    assert_eq!((given.code, given.out.as_str()), (1, ""));
    assert!(given.err.contains("`bad.nisi` has errors and cannot be compared"), "{}", given.err);
    assert_eq!(run(nisi(&folder).args(["diff", "old.nisi", "none.nisi"])).code, 2);
}

/// The policy of the field guide against an edited copy: few regions, in its own words.
#[test]
fn the_field_guide_against_an_edited_copy() {
    let folder = Folder::new("diff-field-guide");
    let old = read("policies/field-guide.nisi");
    let edits = [
        ("hedge 2 after 300ms", "hedge 2 after 500ms"),
        ("at least    evaluation.groundedness 0.90", "at least    evaluation.groundedness 0.85"),
        ("authorization is stale           | review approvals", "authorization is stale           | review rights   "),
    ];
    let new = edits.iter().fold(old.clone(), |text, (a, b)| {
        assert!(text.contains(a), "{a}");
        text.replace(a, b)
    });
    let new = new.split("\nexamples").next().unwrap().to_string() + "\n";
    folder.file("old.nisi", old).file("new.nisi", new);
    let given = diff(&folder, &[]);
    assert_eq!(given.code, 0, "{}", given.err);
    insta::assert_snapshot!("diff_field_guide", given.out);
}
