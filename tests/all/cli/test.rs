//! `nisi test`: what is run, what is told of a case that fails, and every way in which nothing can be run.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::{ORDERS, json, nisi, run};
use crate::support::{Folder, files, has_ending, read, root};

/// Cases that hold of [`ORDERS`].
const CASES: &str = "\
given: { authorization: current, deadline: 10s, budget: 2, attempt: 1 }
fixtures:
  a read: { effect: read }
  a write: { effect: write, boundary: maybe_crossed }
cases:
  - name: a read is asked again
    with: a read
    each: { condition: [timeout, connection_lost] }
    expect: { action: retry after gentle, row: again, wait: 0ms..200ms, refused: {} }
  - name: a write is looked up
    with: a write
    each: { condition: [timeout, connection_lost], amount: [0, 100] }
    expect: { action: reconcile by action_key within 4s, path: [recovery/lost] }
    not: { action: [retry, hedge], row: again, refused: reconcile }
  - name: nothing left
    with: a read
    facts: { condition: timeout, budget: 0, deadline: unknown }
    refuse: reconcile
    expect: { action: review on-call, refused: { retry: [budget, deadline], reconcile: world } }
";

fn folder(name: &str, cases: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("orders.nisi", ORDERS).file("orders.cases.yaml", cases);
    folder
}

#[test]
fn what_holds_is_a_line_and_zero() {
    let folder = folder("test-holds", CASES);
    let given = run(nisi(&folder).args(["test", "."]));
    assert_eq!((given.code, given.out.as_str()), (0, "orders.nisi: 9 cases hold\n"), "{}", given.err);
    let ran = "tested 1 policy, 1 table of examples, 1 case file, 9 cases: 9 passed, 0 failed in ";
    assert!(given.err.starts_with(ran) && given.err.ends_with(" ms\n"), "{}", given.err);
    // A case file may be named alone: then its cases are run, and nothing else.
    let given = run(nisi(&folder).args(["test", "orders.cases.yaml"]));
    assert_eq!((given.code, given.out.as_str()), (0, "orders.nisi: 7 cases hold\n"), "{}", given.err);
    // Named twice it is run once.
    let given = run(nisi(&folder).args(["test", "orders.cases.yaml", "orders.nisi", "."]));
    assert_eq!((given.code, given.out.as_str()), (0, "orders.nisi: 9 cases hold\n"), "{}", given.err);
}

#[test]
fn the_shipped_policies_and_a_new_one_hold() {
    let folder = Folder::new("test-shipped");
    let policies = root().join("policies").display().to_string();
    let given = run(nisi(&folder).args(["test", &policies]));
    assert_eq!(given.code, 0, "{}\n{}", given.out, given.err);
    for policy in files("policies").iter().filter(|p| has_ending(p, "nisi") && !p.contains("/std/")) {
        let cases = policy.replace(".nisi", ".cases.yaml");
        assert!(root().join(&cases).is_file(), "{cases} is missing");
    }
    assert_eq!(run(nisi(&folder).args(["new", "first"])).code, 0);
    assert_eq!(run(nisi(&folder).args(["test", "first.nisi"])).code, 0);
}

#[test]
fn a_failure_shows_expected_against_found_and_the_whole_way() {
    let folder = folder("test-fails", &CASES.replace("row: again, wait: 0ms..200ms", "row: lost, wait: 1s"));
    let given = run(nisi(&folder).args(["test", "orders.nisi"]));
    assert_eq!(given.code, 1);
    let (failed, rest) = given.out.split_once("\n\n  | ").unwrap();
    assert_eq!(
        failed,
        "FAILED a read is asked again [condition=timeout]\n  at orders.cases.yaml:6:5\n  \
         row: expected recovery/lost, found recovery/again\n  wait: expected 1s, found 0ms..200ms"
    );
    // The way is what `nisi why` prints, and the call below it prints it.
    let call = rest.lines().find_map(|l| l.strip_prefix("  try: nisi ")).unwrap();
    let why = run(nisi(&folder).args(call.split(' '))).out;
    let shown: Vec<&str> = rest.lines().take_while(|l| !l.starts_with("  try")).collect();
    let shown = shown.iter().map(|l| l.strip_prefix("  | ").unwrap_or(l.strip_prefix("  |").unwrap_or(l)));
    assert_eq!(shown.collect::<Vec<_>>().join("\n"), why.trim_end());
    assert!(given.out.ends_with("orders.nisi: 2 of 9 cases fail\n"), "{}", given.out);
}

#[test]
fn each_expectation_can_fail() {
    let one = |expect: &str| {
        format!(
            "cases:\n  - name: one\n    facts: {{ condition: timeout, effect: read, authorization: current, deadline: 10s, \
             budget: 2, attempt: 1 }}\n    {expect}\n"
        )
    };
    let wrong = [
        ("expect: { action: [stop, review] }", "action: expected stop or review, found retry after gentle"),
        ("expect: { action: retry now }", "action: expected retry now, found retry after gentle"),
        ("expect: { action: look-up }", "action: expected reconcile by action_key within 4s, found"),
        ("not: { action: retry }", "action: expected not retry, found retry after gentle"),
        ("expect: { row: [found, '#3'] }", "row: expected recovery/found or recovery/dear, found recovery/again"),
        ("not: { row: again }", "row: expected not recovery/again, found recovery/again"),
        (
            "expect: { path: [recovery/found, recovery/again] }",
            "path: expected recovery/found, then recovery/again, found",
        ),
        ("not: { path: [found, again] }", "path: expected not over recovery/again, found recovery/again"),
        ("expect: { wait: 200ms }", "wait: expected 200ms, found 0ms..200ms"),
        ("expect: { refused: { retry: budget } }", "refused: expected retry by budget, found nothing refused"),
        ("refuse: retry\n    not: { refused: retry }", "refused: expected retry not refused, found retry by world"),
        ("refuse: retry\n    expect: { wait: 1s }", "wait: expected 1s, found no wait: nothing is retried"),
    ];
    for (n, (expect, told)) in wrong.into_iter().enumerate() {
        let folder = folder(&format!("test-expectation-{n}"), &one(expect));
        let given = run(nisi(&folder).args(["test", "orders.cases.yaml"]));
        assert_eq!(given.code, 1, "{expect}: {}{}", given.out, given.err);
        assert!(given.out.contains(told), "{expect}: {}", given.out);
    }
}

/// What stands in the cases, what is written instead, the place, and the message with its help.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("given:", "givne:", "1:1: a case file has no `givne`\n  help: did you mean `given`?"),
    ("deadline: 10s", "deadlin: 10s", "1:34: given: there is no fact `deadlin`\n  help: did you mean `deadline`?"),
    ("budget: 2", "budget: -2", "1:57: given: `-2` is outside the domain of `budget`\n  help: it may be 0 or more"),
    ("{ effect: read }", "[read]", "3:11: fixtures.a read: a set of facts is a map, and here is a list"),
    ("{ effect: read }", "{ replay: safe }", "3:13: fixtures.a read: `replay` cannot be given: the policy derives it"),
    (
        "    with: a read\n    each",
        "    with: a raed\n    each",
        "7:11: in case \"a read is asked again\", with: there is no fixture `a raed`\n  help: did you mean `a read`?",
    ),
    (
        "[timeout, connection_lost] }",
        "[tiemout, connection_lost] }",
        "8:25: in case \"a read is asked again\", each.condition: `tiemout` is not a value of `condition`\n  help: did you mean `timeout`?",
    ),
    (
        "[timeout, connection_lost] }",
        "timeout }",
        "8:24: in case \"a read is asked again\", each.condition: here belongs a list, and not a single value",
    ),
    (
        "[timeout, connection_lost] }",
        "[timeout, timeout] }",
        "8:34: in case \"a read is asked again\", each.condition: `timeout` stands twice in this list",
    ),
    ("action: retry after", "action: rety after", "9:23: in case \"a read is asked again\", expect.action: "),
    (
        "after gentle",
        "after gentel",
        "9:23: in case \"a read is asked again\", expect.action: there is no backoff `gentel`\n  help: did you mean `gentle`?",
    ),
    (
        "row: again,",
        "row: agian,",
        "9:48: in case \"a read is asked again\", expect.row: table `recovery` has no row `agian`\n  help: did you mean `again`?",
    ),
    (
        "0ms..200ms",
        "200ms..0ms",
        "9:61: in case \"a read is asked again\", expect.wait: `200ms..0ms` runs backwards\n  help: write `0ms..200ms`",
    ),
    ("0ms..200ms", "0..200", "9:61: in case \"a read is asked again\", expect.wait: "),
    (
        "path: [recovery",
        "path: [recover",
        "13:65: in case \"a write is looked up\", expect.path: there is no table `recover`\n  help: did you mean `recovery`?",
    ),
    (
        "refused: reconcile }",
        "refused: stop }",
        "14:57: in case \"a write is looked up\", not.refused: `stop` is no action that can be refused",
    ),
    (
        "    not:",
        "    nto:",
        "14:5: in case \"a write is looked up\", a case has no `nto`\n  help: did you mean `not`?",
    ),
    (
        "refuse: reconcile",
        "refuse: reconcil",
        "18:13: in case \"nothing left\", refuse: `reconcil` is no action\n  help: did you mean `reconcile`?",
    ),
    (
        "retry: [budget,",
        "retry: [bugdet,",
        "19:58: in case \"nothing left\", expect.refused.retry: `bugdet` refuses no action\n  help: did you mean `budget`?",
    ),
    ("name: nothing left", "name: a write is looked up", "15:11: in case \"a write is looked up\", name: "),
    (
        "- name: nothing left\n",
        "- name: nothing left\n    table: recovry\n",
        "16:12: in case \"nothing left\", table: there is no table `recovry`\n  help: did you mean `recovery`?",
    ),
    (
        "    expect: { action: review on-call, refused: { retry: [budget, deadline], reconcile: world } }\n",
        "    expect: {}\n",
        "15:5: in case \"nothing left\", this case expects nothing",
    ),
    (
        "    refuse: reconcile\n",
        "    refuse: reconcile\n    refuse: retry\n",
        "19:5: `refuse` stands twice\n  help: keep one of the two",
    ),
    ("- name: nothing left\n    with", "- with", "15:5: cases[2]: a case needs a `name`"),
    ("{ effect: read }", "*x", "3:11: "),
    ("{ effect: read }", "!x { effect: read }", "3:14: a tag (`!…`) has no meaning here"),
    ("cases:\n", "cases: []\n---\n", ": there is more than one document"),
    ("cases:\n  - name", "cases:\n - name", ": this is no YAML: "),
];

#[test]
fn what_cannot_be_asked_is_told_with_its_place_its_key_and_the_nearest_name() {
    let mut faults = Vec::new();
    for (n, (right, wrong, told)) in MISTAKES.iter().enumerate() {
        assert!(CASES.contains(right), "{right}");
        let folder = folder(&format!("test-mistake-{n}"), &CASES.replacen(right, wrong, 1));
        let given = run(nisi(&folder).args(["test", "orders.nisi"]));
        let place = if told.starts_with(':') { "" } else { "orders.cases.yaml:" };
        let is_one = given.err.matches("error: ").count() == 1 && !given.out.contains("FAILED");
        if given.code != 2 || !is_one || !given.err.contains(&format!("{place}{told}")) {
            faults.push(format!("{wrong}: exit {}\n{}{}", given.code, given.out, given.err));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cases_beside_a_faulty_one_are_run() {
    let folder =
        folder("test-beside", &CASES.replace("after gentle", "after gentel").replace("budget: 0", "budget: 1"));
    let given = run(nisi(&folder).args(["test", "orders.nisi"]));
    assert_eq!(given.code, 2);
    assert!(given.out.contains("FAILED nothing left\n"), "{}", given.out);
    assert!(given.out.ends_with("orders.nisi: 1 of 7 cases fails, 1 error\n"), "{}", given.out);
    assert!(given.err.contains("7 cases: 6 passed, 1 failed, 1 error in "), "{}", given.err);
}

#[test]
fn a_policy_without_cases_is_a_no_and_no_policy_is_no_question() {
    let folder = Folder::new("test-bare");
    let bare = ORDERS.split("examples recovery").next().unwrap();
    folder.file("bare.nisi", bare).file("facts/only.nisi", "fact a : count\n").file("empty/notes.txt", "");
    folder.file("lonely/gone.cases.yaml", CASES);
    let code = |paths: &[&str]| {
        let given = run(nisi(&folder).arg("test").args(paths));
        assert!(!given.err.is_empty(), "{paths:?}");
        (given.code, given.out + &given.err)
    };
    let (bare, told) = code(&["bare.nisi"]);
    assert_eq!(bare, 1);
    assert!(
        told.starts_with("bare.nisi: no examples and no cases; write a table `examples`, or `bare.cases.yaml`"),
        "{told}"
    );
    assert_eq!(code(&["facts"]).0, 2);
    assert_eq!(code(&["empty"]).0, 2);
    assert_eq!(code(&["missing.nisi"]).0, 2);
    assert_eq!(code(&["missing.cases.yaml"]).0, 2);
    let (lonely, told) = code(&["lonely"]);
    assert_eq!(lonely, 2);
    assert!(told.contains("gone.cases.yaml` has no policy beside it") && told.contains("`gone.nisi`"), "{told}");
    assert_eq!(code(&[]).0, 2);
}

#[test]
fn a_policy_in_markdown_has_its_cases_beside_it() {
    let folder = Folder::new("test-literate");
    folder.file("orders.nisi.md", format!("# Orders\n\nWhat may follow.\n\n```nisi\n{ORDERS}```\n"));
    folder.file("orders.cases.yaml", CASES);
    let given = run(nisi(&folder).args(["test", "."]));
    assert_eq!((given.code, given.out.as_str()), (0, "orders.nisi.md: 9 cases hold\n"), "{}", given.err);
    let given = run(nisi(&folder).args(["test", ".", "--coverage"]));
    assert!(given.out.contains("| again | timeout, connection_lost |"), "{}", given.out);
}

#[test]
fn a_policy_with_errors_is_told_and_not_tested() {
    let folder = folder("test-errors", CASES);
    folder.file("orders.nisi", ORDERS.replace("| found |", "| lost |"));
    let given = run(nisi(&folder).args(["test", "."]));
    assert_eq!((given.code, given.out.as_str()), (1, "orders.nisi: it has errors, and was not tested\n"));
    assert!(given.err.contains("error[N0") && given.err.contains("cannot be tested"), "{}", given.err);
    // An example that names what is not there is such an error.
    folder.file("orders.nisi", ORDERS.replace("reconcile | lost  |", "reconcile | losst |"));
    let given = run(nisi(&folder).args(["test", "."]));
    assert_eq!(given.code, 1);
    assert!(given.err.contains("N0238") && given.err.contains("`lost`"), "{}", given.err);
}

#[test]
fn a_filter_and_a_list() {
    let folder = folder("test-filter", CASES);
    folder.file("orders.night.cases.yaml", "cases: [{ name: at night, expect: { action: review } }]");
    let given = run(nisi(&folder).args(["test", ".", "--list"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let names: Vec<&str> = given.out.lines().collect();
    assert_eq!(names.len(), 10);
    assert_eq!(names[..2], ["orders.nisi: recovery: a read", "orders.nisi: recovery: a lost write"]);
    assert_eq!(names[2], "orders.cases.yaml: a read is asked again [condition=timeout]");
    assert_eq!(names[9], "orders.night.cases.yaml: at night");
    let given = run(nisi(&folder).args(["test", ".", "--filter", "a read"]));
    assert_eq!((given.code, given.out.as_str()), (0, "orders.nisi: 3 cases hold\n"));
    let given = run(nisi(&folder).args(["test", ".", "--filter", "a raed"]));
    assert_eq!(given.code, 2);
    assert!(given.err.contains("`--filter a raed`"), "{}", given.err);
    assert_eq!(run(nisi(&folder).args(["test", ".", "--filter", "a raed", "--list"])).code, 2);
}

#[test]
fn json_tells_all_of_it() {
    let folder =
        folder("test-json", &CASES.replace("row: again, wait", "row: lost, wait").replace("budget: 0", "bugdet: 0"));
    let given = run(nisi(&folder).args(["test", ".", "--format", "json"]));
    assert_eq!(given.code, 2);
    let told = json(&given);
    let policy = &told["policies"][0];
    assert_eq!((&policy["file"], &policy["policy"]), (&"orders.nisi".into(), &"orders".into()));
    let cases = policy["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    assert_eq!((&cases[0]["passed"], &cases[0]["line"]), (&true.into(), &37.into()));
    let failed = &cases[2];
    assert_eq!(failed["misses"][0]["what"], "row");
    assert_eq!(failed["decision"]["row"], "again");
    assert_eq!(failed["facts"]["condition"], "timeout");
    assert!(failed["why"].as_str().unwrap().starts_with("retry after gentle\n"));
    let error = &policy["errors"][0];
    assert_eq!((&error["line"], &error["key"], &error["case"]), (&17.into(), &"facts".into(), &"nothing left".into()));
    assert_eq!(error["help"], "did you mean `budget`?");
    for (key, count) in [("policies", 1), ("cases", 8), ("passed", 6), ("failed", 2), ("errors", 1)] {
        assert_eq!(told["summary"][key], count, "{key}");
    }
    assert!(told["summary"]["took_ms"].is_u64());
}

#[test]
fn a_test_report_counts_what_it_holds() {
    let folder =
        folder("test-junit", &CASES.replace("row: again, wait", "row: lost, wait").replace("budget: 0", "bugdet: 0"));
    folder.file("bare.nisi", ORDERS.split("examples recovery").next().unwrap());
    folder.file("bad.nisi", "policy bad\nversion 1\n");
    let given = run(nisi(&folder).args(["test", ".", "--format", "junit"]));
    assert_eq!(given.code, 2);
    let xml = &given.out;
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nisi test\" tests=\"11\""));
    assert!(xml.contains("failures=\"3\" errors=\"2\" time=\""), "{xml}");
    let count = |what: &str| xml.matches(what).count();
    assert_eq!((count("<testcase "), count("<failure "), count("<error "), count("<testsuite ")), (11, 3, 2, 3));
    assert!(xml.contains("<testcase classname=\"orders.nisi\" name=\"recovery: a read\"/>"), "{xml}");
    assert!(xml.contains("row: expected recovery/lost, found recovery/again"), "{xml}");
    assert_eq!(run(nisi(&folder).args(["test", ".", "--list", "--format", "junit"])).code, 2);
}

#[test]
fn the_order_is_the_same_however_many_there_are() {
    let folder = Folder::new("test-order");
    for name in ["c", "a", "b"] {
        let rows: Vec<String> =
            (0..700).map(|i| format!("  - {{ name: {name}{i}, expect: {{ action: stop }} }}\n")).collect();
        folder.file(&format!("{name}.nisi"), ORDERS.replace("policy orders", &format!("policy {name}")));
        folder.file(&format!("{name}.cases.yaml"), format!("cases:\n{}", rows.concat()));
    }
    let first = run(nisi(&folder).args(["test", "."]));
    assert_eq!(first.code, 1);
    let names: Vec<&str> = first.out.lines().filter_map(|l| l.strip_prefix("FAILED ")).collect();
    let due: Vec<String> = ["a", "b", "c"].iter().flat_map(|n| (0..700).map(move |i| format!("{n}{i}"))).collect();
    assert_eq!(names, due);
    assert_eq!(run(nisi(&folder).args(["test", "c.nisi", ".", "a.nisi"])).out, first.out);
}

#[test]
fn watching_runs_once_more_when_a_file_changes() {
    let folder = folder("test-watch", CASES);
    let mut child = Command::new(env!("CARGO_BIN_EXE_nisi"))
        .args(["test", "orders.nisi", "--watch"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("orders.nisi: 9 cases hold"));
    folder.file("orders.cases.yaml", CASES.replace("budget: 0", "budget: 1"));
    assert!(lines.any(|line| line == "FAILED nothing left"));
    folder.file("orders.cases.yaml", CASES);
    assert!(lines.any(|line| line == "orders.nisi: 9 cases hold"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_page_on_testing_names_every_key() {
    let page = read("docs/testing.md");
    for key in [
        "given", "fixtures", "cases", "name", "table", "with", "facts", "each", "refuse", "expect", "not", "action",
        "row", "path", "wait", "refused",
    ] {
        assert!(page.contains(&format!("| `{key}` |")), "{key}");
    }
}
