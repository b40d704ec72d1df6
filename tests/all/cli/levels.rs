//! `--deny`, `--warn`, `--allow`: how findings are taken in one call.

use super::{Given, json, nisi, run};
use crate::support::Folder;

/// A policy with a warning (N0312), a note (N0322) and something pedantic (N0331), and nothing else.
const TOLD: &str = "policy told
version 1
fact parcel : small, large
fact wet : yes, no
table where-to, first row wins
| row   | parcel | wet | => action      |
|-------|--------|-----|----------------|
| large | large  | -   | review packing |
|       | -      | yes | review drying  |
| rest  | -      | -   | stop           |
| otherwise |    |     | stop           |
";

fn check(name: &str, words: &[&str]) -> Given {
    let folder = Folder::new(name);
    folder.file("a.nisi", TOLD);
    run(nisi(&folder).args(["check", "--format", "json", "a.nisi"]).args(words))
}

/// The codes with their severities, and the exit code.
fn told(name: &str, words: &[&str]) -> (Vec<String>, i32) {
    let given = check(name, words);
    let found = json(&given);
    let one = |f: &serde_json::Value| format!("{} {}", f["code"].as_str().unwrap(), f["severity"].as_str().unwrap());
    let mut all: Vec<String> = found.as_array().unwrap().iter().map(one).collect();
    all.sort();
    (all, given.code)
}

#[test]
fn each_flag_does_what_it_says() {
    for (words, due, code) in [
        (&[][..], &["N0312 warning", "N0322 note"][..], 0),
        (&["--deny", "warnings"], &["N0312 warning", "N0322 note"], 1),
        (&["--deny", "warnings", "--allow", "N0312"], &["N0322 note"], 0),
        (&["--warn", "N0322", "--allow", "n0312"], &["N0322 warning"], 0),
        (&["--warn", "N0322", "--allow", "N0312", "--deny", "warnings"], &["N0322 warning"], 1),
        (&["--deny", "N0322"], &["N0312 warning", "N0322 error"], 1),
        (&["--deny", "N0312", "--deny", "N0322"], &["N0312 error", "N0322 error"], 1),
        (&["--warn", "pedantic"], &["N0312 warning", "N0322 note", "N0331 warning"], 0),
        (&["--deny", "pedantic"], &["N0312 warning", "N0322 note", "N0331 error"], 1),
        (&["--warn", "N0331"], &["N0312 warning", "N0322 note", "N0331 warning"], 0),
        (&["--warn", "pedantic", "--allow", "N0331"], &["N0312 warning", "N0322 note"], 0),
        (&["--allow", "pedantic", "--deny", "N0331"], &["N0312 warning", "N0322 note", "N0331 error"], 1),
        (&["--deny", "N0301"], &["N0312 warning", "N0322 note"], 0),
    ] {
        let (found, given) = told("levels-flags", words);
        assert_eq!((found.iter().map(String::as_str).collect::<Vec<_>>(), given), (due.to_vec(), code), "{words:?}");
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    for (words, said, help) in [
        (&["--deny", "warning"][..], "`warning` is not a code", "did you mean `warnings`?"),
        (&["--warn", "pedantik"], "`pedantik` is not a code", "did you mean `pedantic`?"),
        (&["--allow", "N0398"], "`N0398` is not a code", "did you mean `N0"),
        (&["--deny", "everything"], "`everything` is not a code", "lists every code"),
        (
            &["--allow", "N0301"],
            "N0301 (facts that no row takes) is an error and cannot be allowed",
            "nisi explain N0301",
        ),
        (
            &["--warn", "N0401"],
            "N0401 (a rule that does not hold) is an error and cannot be told as a warning",
            "no flag",
        ),
        (&["--warn", "N0309"], "cannot be told as a warning", "`--allow N0309`"),
        (&["--allow", "warnings"], "`--allow` takes codes and `pedantic`, not `warnings`", "`--deny warnings`"),
        (&["--allow", "N0312", "--deny", "N0312"], "`N0312` stands behind `--deny` and behind `--allow`", "leave one"),
        (&["--warn", "pedantic", "--deny", "pedantic"], "`pedantic` stands behind", "leave one"),
    ] {
        let given = check("levels-refused", words);
        assert_eq!((given.code, given.out.trim()), (2, "[]"), "{words:?}");
        assert!(given.err.contains(said) && given.err.contains(help), "{words:?}: {}", given.err);
    }
}

#[test]
fn a_policy_that_is_denied_is_still_proven_and_its_examples_run() {
    let folder = Folder::new("levels-examples");
    let examples = "examples where-to\n| name | parcel | => action |\n|-|-|-|\n| big | large | stop |\n";
    folder.file("a.nisi", format!("{TOLD}\n{examples}"));
    let given = run(nisi(&folder).args(["check", "--format", "json", "a.nisi", "--deny", "N0312"]));
    let found = json(&given);
    let codes: Vec<&str> = found.as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"N0801") && codes.contains(&"N0312"), "{codes:?}");
    assert!(given.err.contains("proven"), "{}", given.err);
}

#[test]
fn a_waiver_of_a_lint_is_held_against_what_is_looked_for() {
    let folder = Folder::new("levels-waivers");
    let waived = format!(
        "{TOLD}\nwaive N0312 because \"kept on purpose\"\nwaive N0331 because \"the order is meant\"\n\
         waive N0322 for where-to/#2, where-to/large because \"known\"\nwaive N0316 because \"none\"\n"
    );
    folder.file("a.nisi", waived);
    let messages = |words: &[&str]| {
        let found = json(&run(nisi(&folder).args(["check", "--format", "json", "a.nisi"]).args(words)));
        let one = |f: &serde_json::Value| (f["code"].to_string(), f["message"].as_str().unwrap().to_string());
        found.as_array().unwrap().iter().map(one).collect::<Vec<_>>()
    };
    let due = [
        ("\"N0402\"".to_string(), "nothing at `where-to/large` is told as N0322".to_string()),
        ("\"N0402\"".to_string(), "nothing here is told as N0316".to_string()),
    ];
    assert_eq!(messages(&[]), due);
    assert_eq!(messages(&["--warn", "pedantic"]), due);
}
