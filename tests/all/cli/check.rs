//! `nisi check`.

use serde_json::Value;

use super::{ORDERS, json, nisi, run};
use crate::support::{Folder, files, read, root};

/// A policy with a fault on two of its lines.
const FAULTY: &str = "policy faulty\nversion 1.0.0\nuse std.facts\ntable t, first row wins\n\
| row | condition | => action |\n|-|-|-|\n| a | tiemout | stop |\n| b | - | revieww x |\n";

#[test]
fn a_sound_policy_is_no_finding_and_zero() {
    let folder = Folder::new("check-sound");
    folder.file("orders.nisi", ORDERS);
    let given = run(nisi(&folder).args(["check", "orders.nisi"]));
    assert_eq!((given.code, given.out.as_str()), (0, ""), "{}", given.err);
    assert!(given.err.contains("1 policy") && given.err.contains("2 examples"), "{}", given.err);
    assert!(given.err.contains("proven"), "{}", given.err);
    let given = run(nisi(&folder).args(["check", "--format", "json", "."]));
    assert_eq!((given.code, given.out.trim()), (0, "[]"));
}

#[test]
fn every_finding_of_every_file_comes_in_one_run_and_in_the_fixed_form() {
    let folder = Folder::new("check-json");
    folder.file("a.nisi", FAULTY).file("sub/b.nisi", FAULTY).file(".hidden/c.nisi", FAULTY);
    folder.file("target/d.nisi", FAULTY).file("notes.txt", "no policy");
    let given = run(nisi(&folder).args(["check", ".", "--format", "json"]));
    assert_eq!(given.code, 1);
    let findings = json(&given);
    let findings = findings.as_array().unwrap();
    let files: Vec<&str> = findings.iter().map(|f| f["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["a.nisi", "a.nisi", "sub/b.nisi", "sub/b.nisi"]);
    let first = &findings[0];
    assert_eq!(first["code"], "N0202");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["labels"][0]["line"], 7);
    assert_eq!(first["labels"][0]["column"], 7);
    assert_eq!(first["labels"][0]["end_line"], 7);
    assert_eq!(first["labels"][0]["end_column"], 14);
    assert_eq!(first["labels"][0]["primary"], true);
    assert!(first["message"].as_str().unwrap().contains("`tiemout`"));
    assert!(first["help"].as_str().unwrap().contains("timeout"));
    assert!(first["url"].as_str().unwrap().ends_with("N0202.md"));
    assert!(first["fixes"].is_array());
}

#[test]
fn people_see_the_line_the_label_and_the_help() {
    let folder = Folder::new("check-human");
    folder.file("a.nisi", FAULTY);
    let given = run(nisi(&folder).args(["check", "a.nisi"]));
    assert_eq!(given.code, 1);
    assert!(given.out.contains("error[N0202]") && given.out.contains("a.nisi:7:7"), "{}", given.out);
    assert!(given.out.contains("| a | tiemout | stop |") && given.out.contains("help:"), "{}", given.out);
    assert!(!given.out.contains('\u{1b}'));
    assert!(given.err.contains("nisi explain N0"));
    let given = run(nisi(&folder).args(["--color", "always", "check", "a.nisi"]));
    assert!(given.out.contains("\u{1b}["), "{}", given.out);
}

#[test]
fn a_text_cannot_steer_the_terminal() {
    let folder = Folder::new("check-terminal");
    let faulty = FAULTY.replace("tiemout", "ti\u{1b}[31mt\u{202e}x");
    folder.file("a.nisi", faulty);
    let given = run(nisi(&folder).args(["check", "a.nisi"]));
    assert_eq!(given.code, 1);
    assert!(!given.out.contains(['\u{1b}', '\u{202e}']), "{}", given.out);
}

#[test]
fn wide_tabbed_and_many_lined_text_is_drawn() {
    let folder = Folder::new("check-wide");
    let faulty = FAULTY.replace("| a |", "| 発注 سفارش\t|").replace("policy faulty", "policy faulty\n# ０１２");
    folder.file("a.nisi", faulty);
    let given = run(nisi(&folder).args(["check", "a.nisi"]));
    assert_eq!(given.code, 1);
    assert!(given.out.contains("発注"), "{}", given.out);
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_checked() {
    let folder = Folder::new("check-missing");
    folder.file("a.nisi", FAULTY);
    let given = run(nisi(&folder).args(["check", "gone.nisi", "a.nisi", "--format", "json"]));
    assert_eq!(given.code, 2);
    assert_eq!(json(&given).as_array().map(Vec::len), Some(2));
    assert!(given.err.contains("`gone.nisi`"), "{}", given.err);
}

#[test]
fn nothing_to_check_is_no_yes() {
    let folder = Folder::new("check-nothing");
    folder.file("notes.txt", "no policy");
    for paths in [&["."][..], &["gone"], &[]] {
        let given = run(nisi(&folder).arg("check").args(paths));
        assert_eq!(given.code, 2, "{paths:?}: {}", given.err);
        assert_eq!(given.out, "");
        assert!(!given.err.is_empty());
    }
}

#[test]
fn a_file_that_is_no_text_is_a_finding_with_its_place() {
    let folder = Folder::new("check-latin");
    folder.file("a.nisi", b"policy a\nowner gr\xfcn\n");
    let given = run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]));
    assert_eq!(given.code, 1);
    let found = json(&given);
    assert_eq!(found[0]["code"], "N0190");
    assert_eq!((&found[0]["labels"][0]["line"], &found[0]["labels"][0]["column"]), (&2.into(), &9.into()));
    assert!(found[0]["message"].as_str().unwrap().contains("byte 18"), "{found}");
    assert_eq!(run(nisi(&folder).args(["check", "a.nisi"])).code, 1);
}

#[test]
fn a_file_past_the_limit_is_a_finding() {
    let folder = Folder::new("check-large");
    folder.file("a.nisi", vec![b'#'; 17 * 1024 * 1024]);
    let given = run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]));
    assert_eq!(given.code, 1);
    let message = json(&given)[0]["message"].as_str().unwrap().to_string();
    assert!(message.contains("17825792") && message.contains("16777216"), "{message}");
}

#[test]
fn a_failing_example_is_a_finding_at_its_cell() {
    let folder = Folder::new("check-example");
    folder.file("orders.nisi", ORDERS.replace("| reconcile | lost  |", "| retry     | lost  |"));
    let given = run(nisi(&folder).args(["check", "orders.nisi", "--format", "json"]));
    assert_eq!(given.code, 1);
    let found = json(&given);
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found[0]["code"], "N0801");
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("`a lost write`") && message.contains("`retry`") && message.contains("reconcile"));
    assert!(found[0]["help"].as_str().unwrap().contains("nisi why orders.nisi --set condition=timeout"));
    assert_eq!(found[0]["witness"]["facts"]["budget"], 2);
    assert_eq!(found[0]["witness"]["facts"]["deadline"], "10s");
}

#[test]
fn a_vocabulary_that_two_policies_use_is_told_of_once() {
    let folder = Folder::new("check-shared");
    let policy = |name: &str| {
        format!(
            "policy {name}\nversion 1.0.0\nuse team.words\ntable t, first row wins\n| row | => action |\n|-|-|\n| a | stop |\n"
        )
    };
    folder.file("a.nisi", policy("a")).file("b.nisi", policy("b"));
    folder.file("team/words.nisi", "fact region : eu, us\nfact region : eu\n");
    let given = run(nisi(&folder).args(["check", ".", "--format", "json"]));
    let found = json(&given);
    assert_eq!((given.code, found.as_array().map(Vec::len)), (1, Some(1)), "{found:#}");
    assert_eq!(found[0]["file"], "team/words.nisi");
}

#[test]
fn one_file_under_two_names_is_checked_once() {
    let folder = Folder::new("check-twice");
    folder.file("a.nisi", FAULTY);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", folder.path().join("loop")).unwrap();
        std::os::unix::fs::symlink("a.nisi", folder.path().join("b.nisi")).unwrap();
    }
    let given = run(nisi(&folder).args(["check", "a.nisi", "./a.nisi", ".", "--format", "json"]));
    assert_eq!(json(&given).as_array().map(Vec::len), Some(2));
}

#[test]
fn warnings_can_be_denied_and_allowed() {
    let folder = Folder::new("check-warnings");
    folder.file("a.nisi", "policy a\ntable t, first row wins\n| row | => action |\n|-|-|\n| a | stop |\n");
    let with = |more: &[&str]| run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]).args(more));
    let plain = with(&[]);
    assert_eq!(plain.code, 0, "{}", plain.out);
    let found = json(&plain);
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"N0701".into(), &"warning".into()), "{found}");
    assert_eq!(with(&["--deny", "warnings"]).code, 1);
    let allowed = with(&["--deny", "warnings", "--allow", "N0701"]);
    assert_eq!((allowed.code, allowed.out.trim()), (0, "[]"), "{}", allowed.err);
    let wrong = with(&["--allow", "N07O1"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("did you mean"), "{}", wrong.err);
    let error = with(&["--allow", "N0202"]);
    assert_eq!(error.code, 2);
    assert!(error.err.contains("is an error and cannot be allowed"), "{}", error.err);
}

#[test]
fn other_tools_get_their_formats() {
    let folder = Folder::new("check-formats");
    folder.file("a.nisi", FAULTY);
    let with = |format: &str| run(nisi(&folder).args(["check", "a.nisi", "--format", format]));
    let github = with("github");
    assert_eq!(github.code, 1);
    assert!(github.out.starts_with("::error file=a.nisi,line=7,endLine=7,col=7,endColumn=13,title=N0202%3A "));
    assert_eq!(github.out.lines().count(), 2);
    let sarif = with("sarif");
    let log: Value = json(&sarif);
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "N0202");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 7);
    let junit = with("junit");
    assert!(junit.out.starts_with("<?xml") && junit.out.contains("failures=\"2\""), "{}", junit.out);
}

#[test]
fn the_day_is_an_argument() {
    let folder = Folder::new("check-today");
    folder.file("orders.nisi", ORDERS);
    assert_eq!(run(nisi(&folder).args(["check", "orders.nisi", "--today", "2026-08-01"])).code, 0);
    for bad in ["today", "2026-13-01", "2026-8-1", ""] {
        let given = run(nisi(&folder).args(["check", "orders.nisi", "--today", bad]));
        assert_eq!(given.code, 2, "{bad}");
    }
}

#[test]
fn the_shipped_policies_are_clean() {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nisi"));
    let given = run(command.current_dir(root()).args(["check", "policies", "--deny", "warnings", "--format", "json"]));
    assert_eq!((given.code, given.out.trim()), (0, "[]"), "{}", given.err);
}

/// A reader that goes away ends the command quietly.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure_worth_words() {
    let folder = Folder::new("check-pipe");
    folder.file("a.nisi", FAULTY);
    let script = format!("{} check a.nisi --format json | true; {0} explain | head -n 1", env!("CARGO_BIN_EXE_nisi"));
    let given = run(assert_cmd::Command::new("sh").current_dir(folder.path()).args(["-c", &script]));
    assert_eq!(given.code, 0);
    assert!(!given.err.contains("pipe"), "{}", given.err);
}

/// What a hash, a thread or an address could shuffle comes out in one order: every report, to the byte.
#[test]
fn reports_are_the_same_every_time() {
    let folder = Folder::new("check-again");
    for path in files("tests/cases/check").into_iter().chain(files("tests/cases/gaps")) {
        folder.file(path.rsplit('/').next().unwrap(), std::fs::read(root().join(&path)).unwrap());
    }
    for format in ["human", "json", "sarif"] {
        let once = || run(nisi(&folder).args(["check", ".", "--today", "2026-11-30", "--format", format]));
        let (a, b) = (once(), once());
        assert!(a.out.len() > 10_000, "{}", a.err);
        assert!((a.out, a.err, a.code) == (b.out, b.err, b.code), "{format}");
    }
    let edited = read("policies/field-guide.nisi").replace("review operations", "review nobody");
    folder.file("new.nisi", edited).file("old.nisi", read("policies/field-guide.nisi"));
    let once = || run(nisi(&folder).args(["diff", "old.nisi", "new.nisi", "--format", "json"]));
    let (a, b) = (once(), once());
    assert!(!a.out.is_empty() && a.out == b.out);
}

/// A proof without steps is undecided: told with what is open, an error, let pass only by its code, and decided with
/// more steps.
#[test]
fn undecided_is_told_and_more_steps_decide() {
    let folder = Folder::new("check-steps");
    let gap = read("tests/cases/gaps/cisa-remediation.nisi");
    folder.file("gap.nisi", &gap).file("good.nisi", read("policies/field-guide.nisi"));
    let with = |file: &str, more: &[&str]| {
        let given = run(nisi(&folder).args(["check", file, "--format", "json"]).args(more));
        let codes: Vec<String> =
            json(&given).as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap().to_string()).collect();
        (given, codes)
    };
    let (few, codes) = with("good.nisi", &["--max-steps", "3"]);
    assert_eq!(few.code, 1, "{}", few.out);
    assert!(codes.iter().any(|c| c == "N0309") && !codes.iter().any(|c| c == "N0301"), "{codes:?}");
    assert!(few.out.contains("--max-steps 30") && few.out.contains("every input has a row in"), "{}", few.out);
    assert!(!few.err.contains("proven"), "{}", few.err);
    let (allowed, codes) = with("good.nisi", &["--max-steps", "3", "--allow", "N0309"]);
    assert!(allowed.code == 0 && !codes.iter().any(|c| c == "N0309"), "{codes:?}");
    assert!(!allowed.err.contains("proven"), "{}", allowed.err);
    let (enough, _) = with("good.nisi", &[]);
    assert!(enough.code == 0 && enough.err.contains("proven"), "{}", enough.err);
    // What is wrong is found, or said to be open; nothing in between.
    for steps in ["0", "1", "5", "20", "60", "200"] {
        let (given, codes) = with("gap.nisi", &["--max-steps", steps]);
        assert_eq!(given.code, 1);
        assert!(codes.iter().any(|c| ["N0301", "N0302", "N0309"].contains(&c.as_str())), "{steps}: {codes:?}");
    }
}
