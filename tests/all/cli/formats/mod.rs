//! Every format on every path: whatever happens, a tool gets a document that is valid by its schema, and that says what
//! the exit code says.
//!
//! `check` is called on each scene in each format: faults of every kind, nothing at all, files that cannot be read, names
//! that would break a format. What a format promises beyond its schema stands in the file of that format.

mod github;
mod junit;
mod ours;
mod plain;
mod sarif;
mod schemas;

use super::{Given, nisi, run};
use crate::support::{Folder, files, has_ending, root};

/// A policy with findings of both kinds, one with a mend, one at a later line.
const FAULTY: &str =
    "policy a\ntable t, first row wins\n| row | => action |\n|-----|-----------|\n| a | stopp |\n| b | stop |\n";

/// A vocabulary that is at odds with one that ships inside.
const TWICE: &str = "policy a\nversion 1\nuse std.facts\nuse team.facts\ntable t, first row wins\n| row | => action |\n|-----|-----------|\n| a | stop |\n";

/// Names that a format could trip over.
const NAMES: [&str; 6] =
    ["a b'c\"&<x>,:;%{0}[1](2)😀.nisi", "new\nline.nisi", "tab\t.nisi", "back\\slash.nisi", "#?.nisi", "ü/é.nisi"];

/// A folder with everything that a check can meet.
fn scene(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("good.nisi", super::ORDERS).file("faulty.nisi", FAULTY).file("twice.nisi", TWICE);
    folder.file("team/facts.nisi", "fact region : eu, us\nfact effect : a, b\n");
    folder.file("syntax.nisi", "policy a\n%%%% {x} [y](1)\n| | |\ntable\n").file("empty.nisi", "");
    folder.file("blank.nisi", "\n\n").file("bom.nisi", format!("\u{feff}{FAULTY}"));
    folder.file("crlf.nisi", FAULTY.replace('\n', "\r\n")).file("no-end.nisi", "policy a\nversion 1\nfact f :");
    folder.file("latin.nisi", b"policy a\nowner gr\xfcn\n").file("zero.nisi", b"policy a\n\0\0\x1b[31m\n");
    folder.file(
        "why.nisi.md",
        "# Why\n\n```nisi\npolicy a\n```\n\nand\n\n```nisi\ntable t, first row wins\n| => action |\n| stopp |\n```\n",
    );
    folder.file("prose.nisi.md", "# Only prose\n").file("notes/readme.txt", "nothing");
    let gap = std::fs::read(root().join("tests/cases/gaps/cisa-remediation.nisi")).unwrap();
    folder.file("gap.nisi", gap);
    folder.file("example.nisi", super::ORDERS.replace("| reconcile | lost  |", "| retry     | lost  |"));
    for name in NAMES {
        folder.file(name, FAULTY);
    }
    let artifact = nisi(&folder).args(["compile", "good.nisi", "-o", "good.art"]).output().unwrap();
    assert!(artifact.status.success());
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.path().join("broken.nisi")).unwrap();
    folder
}

/// The calls, by what is behind `check`.
fn calls() -> Vec<Vec<&'static str>> {
    let mut calls: Vec<Vec<&str>> = [
        "good.nisi",
        "faulty.nisi",
        "twice.nisi",
        "syntax.nisi",
        "empty.nisi",
        "blank.nisi",
        "bom.nisi",
        "crlf.nisi",
        "no-end.nisi",
        "latin.nisi",
        "zero.nisi",
        "why.nisi.md",
        "prose.nisi.md",
        "gap.nisi",
        "example.nisi",
        "good.art",
        "gone.nisi",
        "broken.nisi",
        "notes",
        "-",
        ".",
        "team",
    ]
    .map(|path| vec![path])
    .into();
    calls.extend(NAMES.map(|name| vec![name]));
    calls.extend([
        vec!["gone.nisi", "faulty.nisi"],
        vec!["faulty.nisi", "--deny", "warnings"],
        vec!["faulty.nisi", "--deny", "N0701"],
        vec!["faulty.nisi", "--allow", "N0701"],
        vec!["good.nisi", "--warn", "pedantic"],
        vec!["gap.nisi", "--max-steps", "3"],
        vec!["good.nisi", "--allow", "N0201"],
        vec!["good.nisi", "--deny", "N9999"],
        vec!["good.nisi", "--today", "today"],
        vec!["good.nisi", "--releases", "nowhere"],
        vec!["good.nisi", "--releases", "notes"],
    ]);
    calls
}

/// Calls `check` on every scene in one format, once more on the whole corpus, and hands on what each call gave.
fn everywhere(format: &str, test: impl Fn(&Folder, &[&str], &Given)) {
    let folder = scene(&format!("formats-{format}"));
    for call in calls() {
        let given = run(nisi(&folder).arg("check").args(&call).args(["--format", format]));
        test(&folder, &call, &given);
    }
    let folder = Folder::new(&format!("formats-corpus-{format}"));
    for path in files("tests/cases").into_iter().filter(|path| has_ending(path, "nisi") || has_ending(path, "md")) {
        folder.file(&path, std::fs::read(root().join(&path)).unwrap());
    }
    let given = run(nisi(&folder).args(["check", ".", "--today", "2026-11-30", "--format", format]));
    assert_eq!(given.code, 1, "{}", given.err);
    assert!(given.out.len() > 10_000);
    test(&folder, &["the corpus"], &given);
}

/// What a format has to say of the call as a whole, whatever it says of its findings.
fn exit_of(given: &Given) -> i32 {
    assert!([0, 1, 2].contains(&given.code), "{}", given.err);
    given.code
}

#[test]
fn a_patch_and_findings_are_not_asked_for_together() {
    let folder = scene("formats-patch");
    let given = run(nisi(&folder).args(["check", "--fix", "--dry-run", "faulty.nisi", "--format", "sarif"]));
    assert_eq!((given.code, &*given.out), (2, ""), "{}", given.err);
    assert!(given.err.contains("`--dry-run` prints a patch"), "{}", given.err);
}
