//! `nisi parity`, `nisi replay` and `nisi audit`.

use nisi::judge::{Chain, Intent, Observation};
use nisi::words::Condition;

use super::{json, nisi, run};
use crate::judge::scene::{RELEASES, Stage};
use crate::support::{Folder, read};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("field-guide.nisi", read("policies/field-guide.nisi")).file("releases/all.yaml", RELEASES);
    folder
}

#[test]
fn parity_is_a_matrix_and_a_verdict_for_a_pair() {
    let folder = folder("parity");
    let parity = |more: &[&str]| {
        let args = ["parity", "field-guide.nisi", "--releases", "releases", "--today", "2026-08-07"];
        run(nisi(&folder).args(args).args(more))
    };
    let all = parity(&[]);
    assert_eq!(all.code, 0, "{}", all.err);
    insta::assert_snapshot!("parity", all.out);
    let pair = ["--from", "assistant-2026-08-01", "--to", "fallback-1"];
    assert_eq!(parity(&pair).code, 0);
    let back = parity(&["--from", "fallback-1", "--to", "assistant-2026-08-01", "--format", "json"]);
    assert_eq!(back.code, 1, "parity is directed");
    let fields: Vec<_> = json(&back)[0]["differs"].as_array().unwrap().iter().map(|d| d["field"].clone()).collect();
    assert_eq!(fields, ["permissions", "tools"]);
    let unknown = parity(&["--from", "fallback-1", "--to", "fallback-2"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `fallback-1`?"), "{}", unknown.err);
}

#[test]
fn faulty_passports_are_told_with_file_line_and_key() {
    let folder = folder("parity-faults");
    folder
        .file("releases/b.yaml", "release: b\ntools: 5\n")
        .file("releases/.hidden.yaml", "[")
        .file("releases/notes.txt", "[");
    let given = run(nisi(&folder).args(["parity", "field-guide.nisi", "--releases", "releases"]));
    assert_eq!((given.code, given.out.as_str()), (2, ""));
    assert!(given.err.contains("b.yaml, line 2: `tools` is a list of texts, and here is a number"), "{}", given.err);
    let given = run(nisi(&folder).args(["parity", "field-guide.nisi", "--releases", "gone"]));
    assert_eq!(given.code, 2);
}

/// A passport that states its digest, after somebody was at it, by the command.
#[test]
fn tampered_passports_are_told_with_file_and_line() {
    let folder = folder("parity-tampered");
    let first = RELEASES.split("---\n").next().unwrap();
    let releases = nisi::judge::Releases::read([("a.yaml", first)]).unwrap();
    let sealed = format!("{first}digest: {}\n", releases.passports().next().unwrap().digest());
    let other = RELEASES.split("---\n").nth(1).unwrap();
    folder.file("releases/all.yaml", other);
    let parity = |text: &str| {
        folder.file("releases/sealed.yaml", text);
        let args = ["parity", "field-guide.nisi", "--releases", "releases", "--today", "2026-08-07"];
        run(nisi(&folder).args(args))
    };
    assert_eq!(parity(&sealed).code, 0);
    let lines: Vec<&str> = sealed.lines().collect();
    let swapped = [&lines[..4], &[lines[5], lines[4]], &lines[6..]].concat().join("\n");
    assert_eq!(parity(&swapped).code, 0, "the order of its lines is no part of what it binds");
    let without = [&lines[..3], &lines[4..]].concat().join("\n");
    let changed = "`digest` is not that of this passport: something in it was changed";
    for (text, told) in [
        (without.as_str(), format!("sealed.yaml, line 9: {changed}")),
        (&sealed.replace("sp-14", "sp-13"), format!("sealed.yaml, line 10: {changed}")),
        (&sealed.replace("[erp, search]", "[erp, search, bank]"), format!("sealed.yaml, line 10: {changed}")),
        (&sealed.replace("0.94", "0.949"), format!("sealed.yaml, line 10: {changed}")),
        (&sealed[..sealed.len() - 9], format!("sealed.yaml, line 10: {changed}")),
        (&sealed[..first.len() - 9], "sealed.yaml, line 9: this is no YAML".into()),
        ("", "sealed.yaml, line 1: there is no passport in this file".into()),
        ("{\"hash\": 1", "sealed.yaml, line 1: this is no YAML".into()),
        (other, "sealed.yaml, line 1: there is a release `fallback-1` already: releases/all.yaml, line 1".into()),
    ] {
        let found = parity(text);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{text}");
        assert!(found.err.contains(&told), "{told}\n{}", found.err);
    }
    assert!(parity(other).err.contains("give it a name of its own"), "with the mend");
}

#[test]
fn a_check_with_releases_tells_failovers_that_are_never_honoured_and_islands() {
    let folder = folder("releases");
    let check = |more: &[&str]| {
        let args = ["check", "field-guide.nisi", "--releases", "releases", "--today", "2026-08-07", "--format", "json"];
        run(nisi(&folder).args(args).args(more))
    };
    let found = check(&[]);
    assert_eq!(found.code, 0, "{}", found.err);
    let found = json(&found);
    assert_eq!((found.as_array().map(Vec::len), &found[0]["code"]), (Some(1), &"N0602".into()));
    let help = found[0]["help"].as_str().unwrap();
    assert!(help.contains("nearest for `fallback-1` comes `assistant-2026-08-01`: `permissions`"), "{help}");
    assert_eq!(check(&["--deny", "warnings"]).code, 1);
    assert_eq!(check(&["--deny", "warnings", "--allow", "N0602"]).code, 0);
    // Another router, and no release may stand in for any other: every failover of the table is named at its row.
    folder.file("releases/all.yaml", RELEASES.replacen("r-7", "r-6", 1));
    let found = check(&[]);
    let never = json(&found);
    let never = never.as_array().unwrap();
    assert!(!never.is_empty() && never.iter().all(|f| f["code"] == "N0601"), "{}", found.out);
    let policy = read("policies/field-guide.nisi");
    for finding in never {
        let line = finding["labels"][0]["line"].as_u64().unwrap() as usize;
        let row = policy.lines().nth(line - 1).unwrap();
        assert!(row.contains("fall-back"), "{row}");
    }
    let waived =
        format!("{}\nwaive N0601 because \"the second release comes in October\"\n", read("policies/field-guide.nisi"));
    folder.file("field-guide.nisi", waived);
    let waived = check(&["--deny", "warnings"]);
    assert_eq!((waived.code, waived.out.trim()), (0, "[]"), "{}", waived.err);
    assert_eq!(run(nisi(&folder).args(["check", "field-guide.nisi", "--releases", "gone"])).code, 2);
}

/// A chained log of one decision for each condition.
fn log() -> (String, String) {
    let (stage, mut chain) = (Stage::new(), Chain::default());
    let record = |c: &Condition| {
        let intent: Intent = stage.sent();
        stage.policy.next_move(&intent, &Observation::of(*c), &stage.world(1_000)).record()
    };
    let lines: Vec<String> = Condition::ALL.iter().map(|c| chain.line(&record(c))).collect();
    (lines.join("\n") + "\n", chain.last().to_string())
}

#[test]
fn a_log_is_whole_or_the_line_is_named() {
    let folder = folder("audit");
    let (text, last) = log();
    let lines: Vec<&str> = text.lines().collect();
    let without = |i: usize| [&lines[..i], &lines[i + 1..]].concat().join("\n");
    let swapped = [&lines[..3], &[lines[4], lines[3]], &lines[5..]].concat().join("\n");
    folder
        .file("whole.log", &text)
        .file("changed.log", text.replacen("timeout", "timeuot", 1))
        .file("shorter.log", without(4));
    folder.file("swapped.log", swapped).file("cut.log", lines[..7].join("\n")).file("noise.log", "x\n");
    let copied = [&lines[..4], &lines[3..]].concat().join("\n");
    let hash = lines[4].split('"').nth(3).unwrap();
    let rehashed = text.replacen(hash, &hash.replace(['0', '7'], "1"), 1);
    folder
        .file("headless.log", without(0))
        .file("copied.log", copied)
        .file("rehashed.log", rehashed)
        .file("torn.log", &text[..text.len() - 40])
        .file("spliced.log", text.replacen('\n', "\nno line of a log\n", 1))
        .file("other.log", text.replacen('\n', "\n{\"a\": 1}\n", 1))
        .file("empty.log", "")
        .file("blank.log", "\n  \n");
    let verify = |log: &str, more: &[&str]| run(nisi(&folder).args(["audit", "verify", log]).args(more));
    let whole = verify("whole.log", &["--last", &last]);
    assert_eq!((whole.code, whole.out), (0, format!("{} records, whole; the last is {last}\n", lines.len())));
    for (log, line) in [
        ("changed.log", "line 8: it does not have"),
        ("shorter.log", "line 5: it does not follow"),
        ("swapped.log", "line 4: it does not follow"),
        ("noise.log", "line 1: this is no JSON"),
        ("headless.log", "line 1: it does not follow"),
        ("copied.log", "line 5: it does not follow"),
        ("rehashed.log", "line 5: it does not have"),
        ("torn.log", "line 19: this is no JSON: a text has no end"),
        ("spliced.log", "line 2: this is no JSON"),
        ("other.log", "line 2: this is no line of a log of decisions"),
    ] {
        let found = verify(log, &[]);
        assert_eq!(found.code, 1, "{log}");
        assert!(found.out.starts_with(line), "{log}: {}", found.out);
    }
    for log in ["empty.log", "blank.log"] {
        let found = verify(log, &[]);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "nothing is whole and nothing is broken");
        assert!(found.err.contains("is empty") && found.err.contains("--last"), "{}", found.err);
        let emptied = verify(log, &["--last", &last]);
        assert!(emptied.code == 1 && emptied.out.contains("the end was cut off"), "{}", emptied.out);
        assert_eq!(verify(log, &["--last", nisi::judge::FIRST]).code, 0, "nothing was ever written");
    }
    assert_eq!(verify("cut.log", &[]).code, 0, "only the hash that was kept elsewhere tells");
    assert_eq!(verify("cut.log", &["--last", &last]).code, 1);
    assert_eq!(verify("gone.log", &[]).code, 2);
    let partly = verify("whole.log", &["--last", &last[..30]]);
    assert_eq!((partly.code, partly.out.as_str()), (2, ""), "a hash copied in part says nothing of the log");
    assert!(partly.err.contains("all its 64 digits"), "{}", partly.err);
}

#[test]
fn a_log_is_decided_again_bit_for_bit() {
    let folder = folder("replay");
    let (text, _) = log();
    folder.file("all.log", &text);
    let replay =
        |policy: &str, more: &[&str]| run(nisi(&folder).args(["replay", "all.log", "--policy", policy]).args(more));
    let same = replay("field-guide.nisi", &[]);
    assert_eq!((same.code, same.out.as_str()), (0, ""), "{}", same.err);
    assert!(same.err.contains("19 records the same under field-guide 2026.8.1, 0 not"), "{}", same.err);
    let other = read("policies/field-guide.nisi")
        .replace("review approvals", "review the-board")
        .replace("review operations", "review night-watch");
    folder.file("other.nisi", other.split("\nexamples").next().unwrap());
    let differs = replay("other.nisi", &["--format", "json"]);
    assert_eq!(differs.code, 1, "{}", differs.err);
    let first: serde_json::Value = serde_json::from_str(differs.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["differs"][0]["part"], "queue", "{first}");
    folder.file("all.log", "{\"hash\": 1}\n");
    let broken = replay("field-guide.nisi", &[]);
    assert_eq!(broken.code, 1);
    assert!(broken.out.starts_with("line 1: this is no record of a decision"), "{}", broken.out);
}
