//! What a newcomer does wrong: each mistake gives one finding, at its place, with a help that says what to write.

use std::io::Read;
use std::process::{Command, Stdio};

use super::{json, nisi, run};
use crate::support::{Folder, read};

/// What stands there, what is written instead, the code, and a piece of the message or the help.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    (">= 1_000", ">= 1,000", "N0125", "write `1_000`"),
    (">= 1_000", ">= $1000", "N0124", "the number alone"),
    (">= 1_000", "≥ 1000", "N0109", "write `>=`"),
    (">= 1_000", "=> 1000", "N0124", "at least is written `>=`"),
    (">= 1_000", "1000-5000", "N0129", "`1000..5000`"),
    (">= 1_000", "5, >= 1000", "N0129", "by `or`"),
    (">= 1_000", ">= -1000", "N0210", "outside `amount`"),
    ("deadline 20s", "deadline 20", "N0208", "`20s`"),
    ("deadline 20s", "deadline 20sec", "N0209", "`20s`"),
    ("deadline 20s", "deadline 20 s", "N0126", "`20s`"),
    ("| lost    | no_answer | -       |      |", "| lost    | no_answer | -       |", "N0130", "under `also`"),
    ("| lost    | no_answer | -       |", "| lost    | no_answer |         |", "N0128", "write `-`"),
    ("| lost    | no_answer | -       |", "| lost    | no_answer | *       |", "N0127", "write `-`"),
    ("| lost    | no_answer |", "| lost    | no_answer, unknown |", "N0123", "`unknown, no_answer`"),
    ("| booked  | confirmed", "| booked  | confirmd", "N0202", "`confirmed`"),
    ("| row     | condition |", "| row     | conditon |", "N0201", "`condition`"),
    ("\"the refund was booked\"", "'the refund was booked'", "N0111", "`\"the refund was booked\"`"),
    ("idempotent is yes", "idempotent = yes", "N0118", "`is`"),
    ("idempotent is yes", "idempotent is true", "N0202", "write `yes`"),
    ("table refund, first row wins", "table refund", "N0116", "`, first row wins`"),
    ("| again |", "| Retry after gentle |", "N0117", "write `retry`"),
    ("| again |", "| retrry |", "N0201", "did you mean `retry`?"),
    ("retry after gentle; if refused,", "retry after gentle, if refused,", "N0117", "`; if refused`"),
    ("retry after gentle; if refused,", "retry after gentle else", "N0117", "`; if refused, ACTION`"),
    ("- big:", "- bigg:", "N0136", "`big`"),
    ("use std.facts", "use std/facts", "N0115", "`use std.facts`"),
    ("use std.facts", "<<<<<<< HEAD\nuse std.facts", "N0101", "a merge left its marks"),
    ("use std.facts", "import std.facts", "N0101", "`use NAME`"),
    ("use std.safety", "use std.safety // the rules", "N0115", "begins with `#`"),
    ("| done      | booked |", "| finish    | booked |", "N0201", "`retry`"),
    ("| done      | booked |", "| done      | bookd |", "N0238", "`booked`"),
    ("given effect is", "given effects is", "N0201", "`effect`"),
    ("| review payments-desk |\n\n", "| see desk |\n\n", "N0201", "`table desk, first row wins`"),
];

#[test]
fn each_typical_mistake_is_one_finding_that_says_what_to_write() {
    let folder = Folder::new("newcomer-mistakes");
    let good = read("tests/cases/newcomer/refunds.nisi");
    folder.file("a.nisi", &good);
    assert_eq!(run(nisi(&folder).args(["check", "a.nisi", "--format", "json"])).out.trim(), "[]");
    let mut faults = Vec::new();
    for (right, wrong, code, words) in MISTAKES {
        assert!(good.contains(right), "{right}");
        folder.file("a.nisi", good.replacen(right, wrong, 1));
        let given = run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]));
        let found = json(&given);
        let told: Vec<String> = found.as_array().unwrap().iter().map(ToString::to_string).collect();
        let one = told.len() == 1 && told[0].contains(code);
        let says = told.iter().any(|t| t.contains(&words.replace('"', "\\\"")));
        if given.code != 1 || !one || !says {
            faults.push(format!("`{wrong}`: {code} that says {words:?}, not {told:#?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_table_with_a_name_in_another_script_is_still_a_table() {
    let folder = Folder::new("newcomer-script");
    folder.file("a.nisi", "policy a\nversion 1\ntable جدول, first row wins\n| => action |\n| stop |\n");
    let given = run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]));
    let codes: Vec<_> = json(&given).as_array().unwrap().iter().map(|f| f["code"].to_string()).collect();
    assert_eq!(codes, ["\"N0114\""], "{}", given.out);
}

#[test]
fn a_file_that_holds_nothing_does_not_pass() {
    let folder = Folder::new("newcomer-empty");
    for text in ["", "\n\n", "# only a comment\n"] {
        folder.file("a.nisi", text);
        let given = run(nisi(&folder).args(["check", "a.nisi", "--format", "json"]));
        assert_eq!((given.code, json(&given)[0]["code"].as_str()), (1, Some("N0217")), "{text:?}");
    }
    folder.file("a.nisi", b"\xff\xfep\0o\0");
    for command in ["check", "eval", "why"] {
        let given = run(nisi(&folder).args([command, "a.nisi"]));
        assert_eq!(given.code, 1, "{command}");
        assert!(format!("{}{}", given.out, given.err).contains("looks like UTF-16"), "{command}");
    }
}

#[test]
fn a_file_may_be_called_anything() {
    let folder = Folder::new("newcomer-names");
    let good = read("tests/cases/newcomer/refunds.nisi");
    for name in ["-", "--help.nisi", "two words.nisi", "سفارش.nisi", "new\nline.nisi", "\u{1b}[31m.nisi"] {
        folder.file(name, &good);
        let given = run(nisi(&folder).args(["check", "--", name]));
        assert_eq!(given.code, 0, "{name:?}: {}", given.err);
        assert!(given.err.contains("1 policy"), "{name:?}: {}", given.err);
        folder.file(name, good.replace("confirmed", "confirmd"));
        let given = run(nisi(&folder).args(["check", "--", name]));
        assert!(given.code == 1 && !given.out.contains('\u{1b}'), "{name:?}: {}", given.out);
    }
}

#[test]
fn a_reader_that_goes_away_turns_no_no_into_a_yes() {
    let folder = Folder::new("newcomer-pipe");
    let faulty = (0..900)
        .fold("policy a\nversion 1\nfact f : a, b\ntable t, first row wins\n| f | => action |\n".into(), |text, i| {
            format!("{text}| x{i} | stop |\n")
        });
    folder.file("a.nisi", format!("{faulty}| otherwise | stop |\n"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_nisi"))
        .args(["check", "a.nisi"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn people_are_told_which_action_was_refused() {
    let folder = Folder::new("newcomer-refused");
    folder.file("a.nisi", read("tests/cases/newcomer/refunds.nisi"));
    let call = ["eval", "a.nisi", "--format", "human", "--set", "condition=timeout", "--set", "amount=1"];
    let more =
        ["--set", "idempotent=yes", "--set", "authorization=current", "--set", "budget=0", "--set", "deadline=9s"];
    let given = run(nisi(&folder).args(call).args(more));
    assert!(given.out.starts_with("review payments-desk\n"), "{}", given.out);
    assert!(given.out.contains("refused  retry after gentle: budget is 0; it must be >= 1\n"), "{}", given.out);
    let given = run(nisi(&folder).args(call).args(["--refuse", "reconcile"]));
    assert!(given.out.contains("refused  reconcile by refund_key within 4s: the world refuses it"), "{}", given.out);
}

#[test]
fn why_names_the_tightened_row_that_holds_an_action_back() {
    let folder = Folder::new("newcomer-overlay");
    folder.file("org.nisi", "policy org\nversion 1\nuse std.facts\nuse std.safety\nbudget { owner a, attempts 2, deadline 9s }\ntable t, first row wins\n\
        | row | condition | effect | => action |\n| lost | timeout | read | retry now |\n| otherwise | | | review x |\n");
    folder.file(
        "team.nisi",
        "policy team\nversion 1\nrestricts org 1\ntighten t, first row wins\n\
        | row | condition | => action |\n| big | timeout | review desk |\n",
    );
    let facts = ["condition=timeout", "effect=read", "budget=1", "deadline=5s", "authorization=current"];
    let given = run(nisi(&folder).args(["why", "team.nisi"]).args(facts.iter().flat_map(|f| ["--set", f])));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.out.starts_with("review desk\n"), "{}", given.out);
    assert!(given.out.contains("tighten t/big takes these facts too, and is more cautious"), "{}", given.out);
}
