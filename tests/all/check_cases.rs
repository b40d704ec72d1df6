//! `tests/cases/check` (one fault a file) and `tests/cases/multi` (several): every file says in its second line which
//! findings are due and where, and a snapshot shows the source, then what people and programs get to read.
//!
//! The second line reads `# expect: N0202@7:3, N0301@shared/other.nisi:9:1`: a code, the file where it is another one,
//! line and column of the place of the finding. A third line `# with: --max-steps 10` adds to the call. It is held against the JSON, so that no snapshot can hide a finding
//! that went, came or moved.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{files, has_ending, root};

/// A case as it lies on disk.
struct Case {
    path: String,
    bytes: Vec<u8>,
    expected: Vec<String>,
    /// What the call says beside the path.
    options: Vec<String>,
}

fn read(path: &str) -> Case {
    let bytes = std::fs::read(root().join(path)).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let shown = lines.next().unwrap_or_default();
    assert!(shown.starts_with("# ") && shown.len() > 12, "{path}: its first line does not say what is shown");
    let due = lines.next().unwrap_or_default();
    let due = due.strip_prefix("# expect: ").unwrap_or_else(|| panic!("{path}: its second line expects nothing"));
    let mut expected: Vec<String> = due.trim_end().split(", ").map(String::from).collect();
    assert!(expected.iter().all(|e| e.starts_with('N') && e.contains('@')), "{path}: `{due}` is no list of findings");
    expected.sort();
    let with = lines.next().and_then(|line| line.trim_end().strip_prefix("# with: ")).unwrap_or_default();
    let options = with.split_whitespace().map(String::from).collect();
    Case { path: path.to_string(), bytes, expected, options }
}

/// The cases of a folder; files in its own folders are what cases use.
fn cases(folder: &str) -> Vec<Case> {
    let of_folder = |p: &&String| has_ending(p, "nisi") && !p[folder.len() + 1..].contains('/');
    let list: Vec<Case> = files(folder).iter().filter(of_folder).map(|p| read(p)).collect();
    assert!(!list.is_empty(), "no cases in {folder}");
    list
}

fn check(format: &str, case: &Case) -> (Option<i32>, String) {
    let path = &case.path;
    let mut command = Command::new(env!("CARGO_BIN_EXE_nisi"));
    command.current_dir(root()).env("NO_COLOR", "1").env("LANG", "C.UTF-8").env_remove("NO_GRAPHICS");
    let output = command
        .args(["check", "--today", "2026-08-01", "--format", format, path])
        .args(&case.options)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!err.contains("panicked"), "{path}: {err}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// The findings of the JSON, as the second line writes them.
fn found(path: &str, json: &str) -> Vec<String> {
    let findings: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|e| panic!("{path}: {e}\n{json}"));
    let folder = Path::new(path).parent().unwrap().display().to_string() + "/";
    let place = |finding: &serde_json::Value| {
        let labels = finding["labels"].as_array().unwrap();
        let label = labels.iter().find(|l| l["primary"] == true).unwrap();
        let file = label["file"].as_str().unwrap();
        let other = if file == path { String::new() } else { format!("{}:", file.replace(&folder, "")) };
        format!("{}@{other}{}:{}", finding["code"].as_str().unwrap(), label["line"], label["column"])
    };
    let mut list: Vec<String> = findings.as_array().unwrap().iter().map(place).collect();
    list.sort();
    list
}

/// The source with what nobody sees made visible.
fn visible(bytes: &[u8]) -> String {
    let plain = |c: char| c == '\n' || (!c.is_control() && !"\u{200b}\u{202e}\u{a0}\u{feff}".contains(c));
    let shown = |c: char| if plain(c) { c.to_string() } else { c.escape_default().to_string() };
    String::from_utf8_lossy(bytes).chars().map(shown).collect()
}

/// Runs every case of a folder in two threads: the findings first, then the snapshot.
fn run(folder: &str) -> Vec<String> {
    let cases = cases(folder);
    let half = cases.len() / 2;
    std::thread::scope(|scope| {
        let parts = [&cases[..half], &cases[half..]];
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(|| part.iter().map(outcome).collect())).collect();
        let outcomes: Vec<Vec<_>> = threads.into_iter().map(|t| t.join().unwrap()).collect();
        outcomes.concat()
    })
    .into_iter()
    .zip(&cases)
    .filter_map(|((fault, shown), case)| {
        let name = Path::new(&case.path).file_stem().unwrap().display().to_string();
        insta::with_settings!({ snapshot_path => format!("../cases/{}", &folder["tests/cases/".len()..]), prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown);
        });
        fault
    })
    .collect()
}

/// What is wrong with a case, and the text of its snapshot.
fn outcome(case: &Case) -> (Option<String>, String) {
    let (code, json) = check("json", case);
    let (_, human) = check("human", case);
    let found = found(&case.path, &json);
    let shown = format!("{}\n──── for people\n{human}\n──── for programs\n{json}", visible(&case.bytes));
    let errors = json.contains("\"severity\": \"error\"");
    let fault = if found != case.expected {
        Some(format!("{}\n  expected {}\n  found    {}", case.path, case.expected.join(", "), found.join(", ")))
    } else if code != Some(i32::from(errors)) {
        Some(format!("{}: exit code {code:?}", case.path))
    } else {
        None
    };
    (fault, shown)
}

#[test]
fn one_fault_is_one_finding_at_its_place() {
    let faults = run("tests/cases/check");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn many_faults_are_as_many_findings_and_no_more() {
    let faults = run("tests/cases/multi");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// One fault a file in the one folder, two to ten in the other; and every code but those with a test elsewhere.
#[test]
fn the_cases_are_spread_over_all_codes() {
    let single = cases("tests/cases/check");
    assert!(single.len() >= 70, "{} cases", single.len());
    for case in &single {
        assert_eq!(case.expected.len(), 1, "{}: one fault a file", case.path);
    }
    let multi = cases("tests/cases/multi");
    assert!(multi.len() >= 22, "{} cases", multi.len());
    for case in &multi {
        assert!((2..=10).contains(&case.expected.len()), "{}: {} faults", case.path, case.expected.len());
    }
    let all = single.iter().chain(&multi);
    let shown: BTreeSet<&str> = all.flat_map(|c| c.expected.iter().map(|e| &e[..5])).collect();
    let left: Vec<&str> = nisi::diag::ALL.iter().map(|c| c.id).filter(|id| !shown.contains(id)).collect();
    assert_eq!(left, ELSEWHERE, "codes without a case, and codes that are listed as such");
}

/// Codes that no case shows: the one that would be a fault of the program, which the analysis tests for itself, and those
/// of registered releases, which the tests of the command have.
const ELSEWHERE: [&str; 3] = ["N0399", "N0601", "N0602"];
