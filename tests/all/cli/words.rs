//! `nisi explain`, `nisi new`, completions, the manual, and calls that are no calls.

use super::{json, nisi, run};
use crate::support::Folder;

#[test]
fn explain_prints_a_page_a_vocabulary_or_the_list() {
    let folder = Folder::new("explain");
    let page = run(nisi(&folder).args(["explain", "n0801"]));
    assert_eq!(page.code, 0);
    assert!(page.out.starts_with("# N0801: ") && page.out.contains("## Mend"));
    let words = run(nisi(&folder).args(["explain", "std.facts"]));
    assert!(words.out.contains("fact condition : pending"), "{}", words.out);
    let list = run(nisi(&folder).args(["explain"]));
    assert_eq!(list.code, 0);
    assert!(list.out.lines().count() > nisi::diag::ALL.len());
    let list = run(nisi(&folder).args(["explain", "--format", "json"]));
    assert_eq!(json(&list).as_array().map(Vec::len), Some(nisi::diag::ALL.len()));
    let page = json(&run(nisi(&folder).args(["explain", "N0801", "--format", "json"])));
    assert_eq!((&page["code"], &page["severity"]), (&"N0801".into(), &"error".into()));
    let wrong = run(nisi(&folder).args(["explain", "N08O1"]));
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert!(wrong.err.contains("did you mean `N0801`"), "{}", wrong.err);
    let wrong = run(nisi(&folder).args(["explain", "std.fact"]));
    assert!(wrong.err.contains("`std.facts`"), "{}", wrong.err);
}

#[test]
fn a_new_policy_passes_and_is_never_written_over() {
    let folder = Folder::new("new");
    let given = run(nisi(&folder).args(["new", "payments"]));
    assert_eq!((given.code, given.out.trim()), (0, "payments.nisi"), "{}", given.err);
    let check = run(nisi(&folder).args(["check", "payments.nisi", "--deny", "warnings"]));
    assert_eq!((check.code, check.out.as_str()), (0, ""), "{}", check.err);
    let again = run(nisi(&folder).args(["new", "payments"]));
    assert_eq!((again.code, again.out.as_str()), (2, ""));
    assert!(again.err.contains("exists"), "{}", again.err);
    let printed = run(nisi(&folder).args(["new", "other", "--path", "-"]));
    assert!(printed.code == 0 && printed.out.contains("policy other\n"));
    assert_eq!(run(nisi(&folder).args(["new", "payments", "--path", "gone"])).code, 2);
    for bad in ["9lives", "a/b", "../up", "a b", ""] {
        let given = run(nisi(&folder).args(["new", "--", bad]));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{bad}");
    }
}

#[test]
fn completions_and_the_manual_come_from_the_same_definitions() {
    let folder = Folder::new("manual");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let given = run(nisi(&folder).args(["completions", shell]));
        assert!(given.code == 0 && given.out.contains("batch"), "{shell}");
    }
    let given = run(nisi(&folder).args(["man"]));
    assert!(given.code == 0 && given.out.contains(".TH nisi 1"), "{}", given.out);
    let given = run(nisi(&folder).args(["man", "--dir", "pages"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(folder.path().join("pages/nisi-eval.1").is_file());
    // One page a command, and one of them all.
    let help = run(nisi(&folder).args(["--help"])).out;
    let commands = help.split_once("Commands:").unwrap().1.split_once("Options:").unwrap().0;
    let named = commands.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   ")).map(str::trim);
    let named: Vec<&str> = named.filter_map(|l| l.split_whitespace().next()).filter(|c| *c != "help").collect();
    assert!(named.len() > 10, "{help}");
    for command in &named {
        assert!(folder.path().join(format!("pages/nisi-{command}.1")).is_file(), "{command}");
    }
    assert!(given.out.lines().count() > named.len(), "{}", given.out);
}

#[test]
fn a_call_that_is_none_is_two() {
    let folder = Folder::new("calls");
    for call in [
        &[][..],
        &["chekc"],
        &["check", "--format", "xml", "."],
        &["eval"],
        &["eval", "a", "--batch", "b", "--facts", "c"],
        &["eval", "a", "--seed", "x"],
    ] {
        let given = run(nisi(&folder).args(call));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{call:?}");
        assert!(!given.err.is_empty());
    }
    let version = run(nisi(&folder).arg("--version"));
    assert_eq!((version.code, version.err.as_str()), (0, ""));
    assert!(version.out.contains("language edition") && version.out.contains("sha256:"), "{}", version.out);
    let help = run(nisi(&folder).args(["help", "check"]));
    assert_eq!(help.code, 0, "{}", help.err);
}

/// A call that cannot be read is told as every other trouble: what is wrong, then what to write.
#[test]
fn calls_that_cannot_be_read_are_told_like_other_troubles() {
    let eval = "eval policies/procurement.nisi";
    let folder = Folder::new("calls");
    std::fs::create_dir_all(folder.path().join("policies")).unwrap();
    folder.file("policies/procurement.nisi", crate::support::read("policies/procurement.nisi"));
    for (call, wrong, write) in [
        (format!("{eval} --seed x"), "`--seed x` is no whole number", "write digits alone"),
        (
            format!("{eval} --seed 99999999999999999999"),
            "is no whole number that can be used",
            "up to 18446744073709551615",
        ),
        ("check --max-steps 1.5 policies".into(), "`--max-steps 1.5` is no whole number", "write digits alone"),
        ("check --max-steps -1 policies".into(), "no number can be negative", "write digits alone"),
        ("check --today nope policies".into(), "`nope` is not a day", "2026-08-01"),
        ("check --format xml policies".into(), "`xml` is no value of `--format`", "`human`, `json`, `github`"),
        (format!("{eval} --format jsn"), "`jsn` is no value of `--format`", "did you mean `json`?"),
        ("--color red check policies".into(), "`red` is no value of `--color`", "`auto`, `always`, `never`"),
        (format!("{eval} --table nope"), "there is no table `nope`", ""),
        (format!("{eval} --set"), "`--set` lacks its value", "`--set FACT=VALUE`"),
        (format!("{eval} --facts a --batch b"), "cannot stand together", "keep one of the two"),
        (format!("{eval} --sed x"), "`--sed` is no option", "did you mean"),
        (format!("{eval} more"), "`more` is one word too many", "--set FACT=VALUE"),
        ("diff policies/procurement.nisi".into(), "`NEW` is missing", "nisi diff OLD NEW"),
        ("chekc policies".into(), "`chekc` is no command", "did you mean `check`?"),
    ] {
        let output = nisi(&folder).args(call.split(' ')).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{call}: {told}");
        assert!(told.starts_with("error: ") && told.contains(wrong) && told.contains(write), "{call}: {told}");
        assert!(write.is_empty() || told.contains("  help: "), "{call}: {told}");
        assert!(output.stdout.is_empty() && !told.contains("invalid digit"), "{call}: {told}");
    }
}
