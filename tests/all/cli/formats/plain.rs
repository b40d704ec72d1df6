//! `plain`: one line a finding and nothing else, as `grep` and editors read it; and what is meant for people, where it goes
//! into a pipe: no colour, and no other width than the usual.

use super::{everywhere, scene};
use crate::cli::{json, nisi, run};

/// File, line, column of a line; the file may hold colons.
fn read(line: &str) -> (String, usize, usize) {
    let head = ["error", "warning", "note"]
        .iter()
        .find_map(|s| line.find(&format!(": {s}[N0")))
        .unwrap_or_else(|| panic!("{line}"));
    let mut parts = line[..head].rsplitn(3, ':');
    let mut number = || parts.next().unwrap().parse::<usize>().unwrap_or_else(|_| panic!("{line}"));
    let (column, at) = (number(), number());
    assert!(at > 0 && column > 0 && line[head..].contains("]: "), "{line}");
    (parts.next().unwrap().to_string(), at, column)
}

#[test]
fn every_line_is_a_finding_whatever_happens() {
    everywhere("plain", |folder, call, given| {
        assert!(!given.out.contains(['\u{1b}', '\r', '\t']), "{}", given.out);
        let lines: Vec<(String, usize, usize)> = given.out.lines().map(read).collect();
        if call.iter().any(|word| word.starts_with("--") || *word == "the corpus") {
            return;
        }
        let found = json(&run(nisi(folder).arg("check").args(call).args(["--format", "json"])));
        assert_eq!(lines.len(), found.as_array().unwrap().len(), "{call:?}");
    });
}

#[test]
fn what_goes_into_a_pipe_is_plain_and_as_wide_as_ever() {
    let folder = scene("plain-pipe");
    let call = |name: &str, value: &str| {
        let mut command = nisi(&folder);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(name, value);
        run(command.args(["check", "gap.nisi", "faulty.nisi"]))
    };
    let usual = call("TERM", "xterm-256color");
    assert!(
        usual.out.contains("N0301") && !usual.out.contains('\u{1b}') && !usual.err.contains('\u{1b}'),
        "{}",
        usual.out
    );
    // A wish for colour counts in a pipe as well.
    assert!(call("CLICOLOR_FORCE", "1").out.contains("\u{1b}["));
    let widths = |out: &str| out.lines().map(|line| line.chars().count()).max().unwrap();
    let narrow = call("COLUMNS", "40");
    assert_ne!(narrow.out, usual.out);
    assert!(widths(&narrow.out) <= widths(&usual.out));
    for strange in ["", "0", "-3", "x", "1", "99999999999999999999"] {
        let given = call("COLUMNS", strange);
        assert!(given.code == 1 && given.out.contains("N0301"), "{strange}: {}", given.err);
    }
}
