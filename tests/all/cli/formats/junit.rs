//! `JUnit`: no standard has it, and readers agree on a common part: `testsuites` of `testsuite` of `testcase`, in it at most one
//! `failure`, `error` or `skipped`, then `system-out`. Counts are those of what stands inside.

use roxmltree::{Document, Node};

use super::everywhere;
use crate::cli::{Given, ORDERS, nisi, run};
use crate::support::Folder;

/// The elements of a node; between them stands nothing but blanks.
fn elements<'a, 'i>(node: Node<'a, 'i>) -> Vec<Node<'a, 'i>> {
    let blank = |n: &Node<'_, '_>| n.is_text() && n.text().unwrap_or_default().trim().is_empty();
    assert!(node.children().all(|n| n.is_element() || blank(&n)), "text in <{}>", node.tag_name().name());
    node.children().filter(Node::is_element).collect()
}

fn known(node: Node<'_, '_>, name: &str, needed: &[&str], more: &[&str]) {
    assert_eq!(node.tag_name().name(), name);
    let given: Vec<&str> = node.attributes().map(|a| a.name()).collect();
    assert!(needed.iter().all(|n| given.contains(n)), "<{name}> lacks one of {needed:?}: {given:?}");
    assert!(given.iter().all(|n| needed.contains(n) || more.contains(n)), "<{name}>: {given:?}");
}

fn count(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).unwrap().parse().unwrap()
}

/// What came of a report: tests, failures, errors.
fn sound(given: &Given, root: &str) -> [usize; 3] {
    let document = Document::parse(&given.out).unwrap_or_else(|error| panic!("{error}\n{}", given.out));
    assert!(given.out.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
    let top = document.root_element();
    known(top, "testsuites", &["name", "tests", "failures", "errors"], &["time"]);
    assert_eq!(top.attribute("name"), Some(root));
    let mut all = [0; 3];
    for suite in elements(top) {
        known(suite, "testsuite", &["name", "tests", "failures", "errors"], &[]);
        let mut own = [0; 3];
        for case in elements(suite) {
            known(case, "testcase", &["classname", "name"], &[]);
            assert!(!case.attribute("name").unwrap().is_empty());
            own[0] += 1;
            for (i, outcome) in elements(case).into_iter().enumerate() {
                match outcome.tag_name().name() {
                    "system-out" => known(outcome, "system-out", &[], &[]),
                    name @ ("failure" | "error") => {
                        assert_eq!(i, 0, "one outcome a test");
                        known(outcome, name, &["message"], &["type"]);
                        own[if name == "failure" { 1 } else { 2 }] += 1;
                    }
                    other => panic!("<{other}> in a testcase"),
                }
            }
        }
        assert_eq!(own, ["tests", "failures", "errors"].map(|name| count(suite, name)));
        all = [0, 1, 2].map(|i| all[i] + own[i]);
    }
    assert_eq!(all, ["tests", "failures", "errors"].map(|name| count(top, name)), "{}", given.out);
    all
}

#[test]
fn a_check_is_a_sound_report_whatever_happens() {
    everywhere("junit", |_, call, given| {
        let [tests, failures, errors] = sound(given, "nisi check");
        assert!(tests > 0, "{call:?}: a report of nothing passes everywhere");
        let said = if errors > 0 { 2 } else { i32::from(failures > 0) };
        assert_eq!(said, given.code, "{call:?}: {}", given.out);
    });
}

#[test]
fn a_test_run_is_a_sound_report_whatever_happens() {
    let folder = Folder::new("junit-test");
    folder
        .file("orders.nisi", ORDERS)
        .file("bad.nisi", "policy b\n%\n")
        .file("bare.nisi", "policy c\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n");
    folder.file("wrong.nisi", ORDERS.replace("| reconcile | lost  |", "| retry     | lost  |"));
    folder.file(
        "orders.cases.yaml",
        "cases:\n  - name: \"a <b> & 'c' ]]> \u{1b}\"\n    facts: { condition: nonsense }\n",
    );
    for (call, code) in [
        (&["orders.nisi"][..], 2),
        (&["wrong.nisi"], 1),
        (&["bad.nisi"], 1),
        (&["bare.nisi"], 1),
        (&["gone.nisi"], 2),
        (&["."], 2),
        (&["wrong.nisi", "gone.nisi"], 2),
        (&["wrong.nisi", "--filter", "no such"], 2),
        (&["wrong.nisi", "--since", "nowhere"], 2),
    ] {
        let given = run(nisi(&folder).arg("test").args(call).args(["--format", "junit"]));
        let [tests, failures, errors] = sound(&given, "nisi test");
        assert!(tests > 0 && failures + errors > 0, "{call:?}: {}", given.out);
        assert_eq!(given.code, code, "{call:?}: {}", given.err);
    }
}
