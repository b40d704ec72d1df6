//! `nisi import` and `nisi export`.

use super::{nisi, run};
use crate::support::Folder;

const TRIAGE: &str =
    "at most one row,age,pain,action\na,< 2,-,review paediatrics\nb,>= 2,severe,Ward\nc,>= 2,\"mild, none\",stop\n";

#[test]
fn what_was_left_is_told_beside_the_policy() {
    let folder = Folder::new("import-left");
    folder.file("triage.csv", TRIAGE);
    let made = run(nisi(&folder).args(["import", "triage.csv"]));
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.starts_with("# From triage.csv.") && made.out.contains("\npolicy triage\n"), "{}", made.out);
    assert!(made.err.contains("left: D3: `Ward` is no action of the language"), "{}", made.err);
    assert!(made.err.contains("carried over 1 table and 3 rows, 1 left\n"), "{}", made.err);
    let strict = run(nisi(&folder).args(["import", "triage.csv", "--strict", "--name", "ward-door", "-o", "w.nisi"]));
    assert_eq!((strict.code, strict.out.as_str()), (1, "w.nisi\n"), "{}", strict.err);
    let again = run(nisi(&folder).args(["import", "triage.csv", "-o", "w.nisi"]));
    assert_eq!((again.code, again.out.as_str()), (2, ""));
    assert!(again.err.contains("never replaced"), "{}", again.err);
    let text = std::fs::read_to_string(folder.path().join("w.nisi")).unwrap();
    assert!(text.contains("policy ward-door\n"), "{text}");
    assert_eq!(run(nisi(&folder).args(["fmt", "--check", "w.nisi"])).code, 0);
}

#[test]
fn standard_input_and_calls_that_cannot_be() {
    let folder = Folder::new("import-calls");
    folder.file("triage.csv", TRIAGE).file("plain.txt", TRIAGE);
    let piped = run(nisi(&folder).args(["import", "-", "--format", "csv"]).write_stdin(TRIAGE));
    assert!(piped.code == 0 && piped.out.contains("policy imported\n"), "{}{}", piped.out, piped.err);
    for (call, told) in [
        (&["import", "none.csv"][..], "`none.csv` could not be read"),
        (&["import", "-"], "nothing tells the format of `-`"),
        (&["import", "plain.txt"], "--format csv"),
        (&["import", "triage.csv", "--hit", "C+"], "answers with several rows"),
        (&["import", "triage.csv", "--hit", "sometimes"], "is no hit policy"),
        (&["import", "triage.csv", "--format", "xlsx"], "cannot be read as a workbook"),
        (&["import", "triage.csv", "--use", "team.facts"], "there is no file for `team.facts`"),
        (&["export", "triage.csv", "--format", "dmn"], "cannot be exported"),
    ] {
        let given = run(nisi(&folder).args(call));
        assert!(given.err.contains(told), "{call:?}: {}", given.err);
        assert_eq!(given.code, if call[0] == "export" { 1 } else { 2 }, "{call:?}: {}", given.err);
        assert_eq!(given.out, "", "{call:?}");
    }
}

#[test]
fn a_vocabulary_lies_beside_the_policy_that_is_written() {
    let folder = Folder::new("import-use");
    folder.file("in/regions.csv", "region,action\nEU,stop\nother,review desk\n");
    folder.file("out/team/facts.nisi", "fact region : eu, us, other\n");
    let made = run(nisi(&folder).args(["import", "in/regions.csv", "--use", "team.facts", "-o", "out/regions.nisi"]));
    assert_eq!(made.code, 0, "{}", made.err);
    let text = std::fs::read_to_string(folder.path().join("out/regions.nisi")).unwrap();
    assert!(text.contains("use team.facts\n") && text.contains("| eu     | stop"), "{text}");
}

#[test]
fn tables_go_into_a_folder_one_a_file() {
    let folder = Folder::new("export-csv");
    let policy = "policy p\nversion 1\nfact n : count\ntable one, first row wins\n| n | => action |\n| 1 | see two |\n| - | stop |\n\
                  table two, first row wins, if refused, stop\n| n | => action |\n| - | review \"=desk\" |\n- #1: =a reason\n";
    folder.file("p.nisi", policy);
    let both = run(nisi(&folder).args(["export", "p.nisi", "--format", "csv"]));
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    assert!(both.err.contains("-o DIR") && both.err.contains("one, two"), "{}", both.err);
    let one = run(nisi(&folder).args(["export", "p.nisi", "--format", "csv", "--table", "two"]));
    assert_eq!(one.out, "first row wins,n,action,reason\r\n,-,\"review \"\"=desk\"\"\",'=a reason\r\n");
    assert!(one.err.contains("would take a reason for a formula"), "{}", one.err);
    let all = run(nisi(&folder).args(["export", "p.nisi", "--format", "csv", "-o", "made", "--strict"]));
    assert_eq!(all.code, 1, "{}", all.err);
    assert!(folder.path().join("made/one.csv").is_file() && folder.path().join("made/two.csv").is_file());
    let none = run(nisi(&folder).args(["export", "p.nisi", "--format", "csv", "--table", "three"]));
    assert!(none.code == 2 && none.err.contains("it has `one`, `two`"), "{}", none.err);
    let wrong = run(nisi(&folder).args(["export", "p.nisi", "--format", "dmn", "--table", "two"]));
    assert!(wrong.code == 2 && wrong.err.contains("leave out `--table`"), "{}", wrong.err);
    folder.file("v.nisi", "fact n : count\n");
    assert_eq!(run(nisi(&folder).args(["export", "v.nisi", "--format", "dmn"])).code, 2);
}
