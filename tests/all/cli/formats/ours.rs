//! JSON: what `check`, `eval`, `diff` and `test` print is what `docs/schemas/` says, to the key.

use serde_json::Value;

use super::schemas::{held, ours};
use super::{everywhere, scene};
use crate::cli::{ORDERS, json, nisi, run};
use crate::corpus::{Decided, all_facts, corpus, facts};
use crate::support::{Folder, read};

#[test]
fn findings_are_as_their_schema_says_whatever_happens() {
    let schema = ours("check");
    everywhere("json", |_, call, given| held(&schema, &json(given), &format!("{call:?}")));
    let folder = scene("ours-bounds");
    for path in ["good.nisi", "faulty.nisi", "gone.nisi", "."] {
        let given = run(nisi(&folder).args(["check", path, "--bounds", "--format", "json"]));
        held(&schema, &json(&given), path);
    }
}

#[test]
fn decisions_are_as_their_schema_says() {
    let schema = ours("decision");
    let mut n = 0;
    for (asked, given, cases) in corpus::<Decided>("tests/cases/decide") {
        for case in cases {
            n += 1;
            let facts = facts(&asked.policy, &all_facts(&given, &case.facts));
            let refused = asked.policy.refuse(case.refuse.iter().map(String::as_str)).unwrap();
            for draw in [None, Some(n)] {
                let decision = asked.policy.decide_with(&facts, &refused).to_json(draw);
                held(&schema, &decision, &case.name);
            }
        }
    }
    assert!(n > 40);
    let folder = Folder::new("ours-eval");
    folder.file("orders.nisi", ORDERS).file("gap.nisi", read("tests/cases/gaps/cisa-remediation.nisi"));
    let lines = "{\"condition\":\"timeout\",\"effect\":\"read\",\"budget\":2,\"deadline\":\"10s\",\"attempt\":1}\nno json\n\n{\"a\":1,\"b\":2}\n{}\n";
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--batch", "-"]).write_stdin(lines));
    assert_eq!((given.code, given.out.lines().count()), (1, 5), "{}", given.out);
    for line in given.out.lines() {
        held(&schema, &serde_json::from_str::<Value>(line).unwrap(), line);
    }
    let gap = run(nisi(&folder).args(["eval", "gap.nisi"]));
    held(&schema, &json(&gap), "a policy that is not proven");
}

#[test]
fn comparisons_are_as_their_schema_says() {
    let schema = ours("diff");
    let folder = Folder::new("ours-diff");
    let guide = read("policies/field-guide.nisi");
    folder.file("orders.nisi", ORDERS.replace("use std.safety\n", ""));
    folder.file(
        "other.nisi",
        ORDERS
            .replace("use std.safety\n", "")
            .replace("attempts  3", "attempts  4")
            .replace("amount is > 100", "amount is > 50")
            .replace("fact channel : text", "fact channel : text\nfact more : a, b"),
    );
    folder.file("guide.nisi", &guide).file("new-guide.nisi", guide.replace("review operations", "review nobody"));
    for [old, new] in [
        ["orders.nisi", "orders.nisi"],
        ["orders.nisi", "other.nisi"],
        ["guide.nisi", "new-guide.nisi"],
        ["other.nisi", "guide.nisi"],
    ] {
        for steps in ["3", "2000000"] {
            let given = run(nisi(&folder).args(["diff", old, new, "--format", "json", "--max-steps", steps]));
            held(&schema, &json(&given), &format!("{old} {new}: {}", given.err));
        }
    }
}

#[test]
fn test_runs_are_as_their_schema_says_whatever_happens() {
    let schema = ours("test");
    let folder = Folder::new("ours-test");
    for name in [
        "orders.nisi",
        "orders.fails.cases.yaml",
        "orders.holds.cases.yaml",
        "orders.names.cases.yaml",
        "orders.no-yaml.cases.yaml",
    ] {
        folder.file(name, read(&format!("tests/cases/case-files/{name}")));
    }
    folder.file("kinds.nisi", read("tests/cases/coverage/kinds.nisi")).file("bad.nisi", "policy b\n%\n");
    for call in [
        &["orders.nisi"][..],
        &["orders.nisi", "--coverage"],
        &["kinds.nisi", "--coverage"],
        &["kinds.nisi", "--mutate"],
        &["."],
        &["orders.holds.cases.yaml", "--mutate"],
        &["gone.nisi"],
        &["gone.nisi", "--mutate"],
        &["bad.nisi"],
        &["bad.nisi", "--coverage"],
        &["orders.nisi", "--filter", "nowhere"],
        &["orders.nisi", "--since", "gone.nisi"],
    ] {
        let given = run(nisi(&folder).arg("test").args(call).args(["--format", "json"]));
        let told = json(&given);
        held(&schema, &told, &format!("{call:?}: {}", given.err));
        let errors = told["summary"]["errors"].as_u64().unwrap_or_default() > 0;
        assert_eq!(told.get("unread").is_some() || errors, given.code == 2, "{call:?}: {told:#}");
    }
}
