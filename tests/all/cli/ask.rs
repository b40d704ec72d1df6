//! `nisi eval` and `nisi why`.

use serde_json::Value;

use super::{ORDERS, json, nisi, run};
use crate::support::Folder;

/// A read that timed out, with budget and time left.
const READ: &[&str] = &[
    "--set",
    "condition=timeout",
    "--set",
    "effect=read",
    "--set",
    "budget=2",
    "--set",
    "deadline=10s",
    "--set",
    "attempt=1",
];

fn orders(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("orders.nisi", ORDERS);
    folder
}

#[test]
fn a_decision_is_json_in_the_fixed_form() {
    let folder = orders("eval-json");
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--seed", "7"]).args(READ));
    assert_eq!(given.code, 0, "{}", given.err);
    let decision = json(&given);
    assert_eq!(decision["action"], "retry");
    assert_eq!(decision["spend"], 1);
    assert_eq!(decision["wait_bounds_ms"], serde_json::json!([0, 200]));
    let wait = decision["wait_ms"].as_u64().unwrap();
    assert!(wait <= 200);
    assert_eq!((&decision["table"], &decision["row"]), (&"recovery".into(), &"again".into()));
    assert_eq!(decision["path"], serde_json::json!(["recovery/again"]));
    assert_eq!((&decision["policy"], &decision["version"]), (&"orders".into(), &"1.0.0".into()));
    assert!(decision["digest"].as_str().unwrap().starts_with("sha256:"));
    assert!(decision.get("guard").is_none() && decision.get("queue").is_none());
    let again = run(nisi(&folder).args(["eval", "orders.nisi", "--seed", "7"]).args(READ));
    assert_eq!(again.out, given.out);
}

#[test]
fn a_guard_says_what_was_wanted_and_all_that_refused_it() {
    let folder = orders("eval-guard");
    let given = run(nisi(&folder)
        .args(["eval", "orders.nisi", "--set", "condition=timeout", "--set", "effect=read"])
        .args(["--set", "budget=0", "--set", "deadline=100ms", "--refuse", "reconcile"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let decision = json(&given);
    assert_eq!((&decision["action"], &decision["queue"]), (&"review".into(), &"on-call".into()));
    assert_eq!(decision["guard"]["wanted"], "retry");
    let refused = decision["guard"]["refused"].as_array().unwrap();
    assert_eq!(refused[0], serde_json::json!({"action": "retry", "fact": "budget", "have": 0, "need": ">= 1"}));
    assert_eq!(refused[1], serde_json::json!({"action": "retry", "fact": "deadline", "have": 100, "need": ">= 300ms"}));
    assert_eq!(refused[2], serde_json::json!({"action": "reconcile", "world": "refused"}));
    let unknown =
        json(&run(nisi(&folder).args(["eval", "orders.nisi", "--set", "condition=timeout", "--set", "effect=read"])));
    assert_eq!(unknown["guard"]["refused"][0]["have"], Value::Null);
}

#[test]
fn facts_come_from_a_file_and_from_set() {
    let folder = orders("eval-facts");
    folder.file("facts.json", r#"{"condition": "timeout", "effect": "read", "budget": 2, "deadline": 10000}"#);
    folder.file("facts.yaml", "condition: timeout\neffect: read\nbudget: 2\ndeadline: 10s\n");
    for file in ["facts.json", "facts.yaml"] {
        let given = run(nisi(&folder).args(["eval", "orders.nisi", "--facts", file]));
        assert_eq!(json(&given)["action"], "retry", "{file}: {}", given.err);
        let given = run(nisi(&folder).args(["eval", "orders.nisi", "--facts", file, "--set", "budget=0"]));
        assert_eq!(json(&given)["action"], "reconcile", "{file}: {}", given.err);
    }
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--facts", "-"]).write_stdin("condition: confirmed\n"));
    assert_eq!(json(&given)["action"], "done");
    let given =
        run(nisi(&folder).args(["eval", "orders.nisi", "--facts", "-"]).write_stdin(r#"{"condition": "confirmed"}"#));
    assert_eq!(json(&given)["reason"], "the order exists");
}

#[test]
fn bad_facts_are_told_all_at_once_and_two() {
    let folder = orders("eval-bad");
    let given = run(nisi(&folder)
        .args(["eval", "orders.nisi", "--set", "conditoin=timeout", "--set", "effect=raed"])
        .args(["--set", "budget=-1", "--set", "deadline=5", "--set", "replay=safe", "--set", "attempt=1.5"]));
    assert_eq!((given.code, given.out.as_str()), (2, ""), "{}", given.err);
    for word in ["`conditoin`", "did you mean `condition`", "`raed`", "`read`", "`budget`", "`replay`", "`attempt`"] {
        assert!(given.err.contains(word), "{word}: {}", given.err);
    }
    for bad in [
        &["--set", "budget"][..],
        &["--set", "budget="],
        &["--set", "=1"],
        &["--set", "budget=1", "--set", "budget=2"],
        &["--refuse", "stop"],
        &["--refuse", "rtry"],
        &["--table", "recvery"],
        &["--facts", "gone.json"],
    ] {
        let given = run(nisi(&folder).args(["eval", "orders.nisi"]).args(bad));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{bad:?}: {}", given.err);
        assert!(given.err.starts_with("error: "), "{bad:?}: {}", given.err);
    }
}

#[test]
fn malformed_facts_are_an_error_and_never_a_crash() {
    let folder = orders("eval-malformed");
    let deep = format!("{{\"budget\": {}", "[".repeat(200_000));
    let bomb = format!("a: &a [{}]\nb: *a\n", "x, ".repeat(1000));
    let large = format!("{{\"channel\": \"{}\"}}", "x".repeat(2_000_000));
    let texts: [&[u8]; 14] = [
        b"[1]",
        b"5",
        b"{",
        b"{\"budget\": 1, \"budget\": 2}",
        b"{\"budget\": NaN}",
        b"{\"budget\": 1e999}",
        b"{\"budget\": -1}",
        b"{\"budget\": 99999999999999999999999}",
        b"{\"deadline\": \"-5s\"}",
        b"{\"deadline\": \"9999999999d\"}",
        b"{\"condition\": {}}",
        b"\xff\xfe",
        deep.as_bytes(),
        large.as_bytes(),
    ];
    for text in texts.into_iter().chain([bomb.as_bytes()]) {
        let given = run(nisi(&folder).args(["eval", "orders.nisi", "--facts", "-"]).write_stdin(text));
        let shown = String::from_utf8_lossy(&text[..text.len().min(60)]).to_string();
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{shown}");
        assert!(given.err.starts_with("error: ") && given.err.len() < 4000, "{shown}: {}", given.err.len());
    }
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--facts", "-"]).write_stdin("{\"budget\": null}"));
    assert_eq!(given.code, 0, "{}", given.err);
}

#[test]
fn a_policy_with_errors_cannot_be_asked() {
    let folder = Folder::new("eval-faulty");
    folder.file("a.nisi", "policy a\nversion 1\ntable t, first row wins\n| row | => action |\n|-|-|\n| a | stopp |\n");
    folder.file("words.nisi", "fact region : eu, us\n");
    for command in ["eval", "why"] {
        let given = run(nisi(&folder).args([command, "a.nisi"]));
        assert_eq!((given.code, given.out.as_str()), (1, ""), "{}", given.err);
        assert!(given.err.contains("stopp"), "{}", given.err);
        for missing in ["gone.nisi", "words.nisi", "."] {
            let given = run(nisi(&folder).args([command, missing]));
            assert_eq!((given.code, given.out.as_str()), (2, ""), "{missing}: {}", given.err);
        }
    }
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let folder = orders("eval-batch");
    let lines = "{\"condition\": \"confirmed\"}\n\n{\"condition\": \"nope\", \"budgt\": 1}\n[1]\r\n{\"condition\": \"timeout\", \"effect\": \"read\", \"deadline\": \"9s\"}";
    let call = ["eval", "orders.nisi", "--batch", "-", "--set", "budget=2", "--set", "deadline=10s", "--seed", "1"];
    let given = run(nisi(&folder).args(call).write_stdin(lines));
    assert_eq!(given.code, 1, "{}", given.err);
    let answers: Vec<Value> = given.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(answers.len(), 5, "{}", given.out);
    assert_eq!(answers[0]["action"], "done");
    assert_eq!(answers[1]["line"], 2);
    assert_eq!((&answers[2]["line"], answers[2]["errors"].as_array().map(Vec::len)), (&3.into(), Some(2)));
    assert!(answers[3]["error"].is_string());
    assert_eq!(answers[4]["action"], "retry");
    folder.file("facts.jsonl", "{\"condition\": \"confirmed\"}\n{}\n");
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--batch", "facts.jsonl"]));
    assert_eq!((given.code, given.out.lines().count()), (0, 2), "{}", given.err);
}

#[test]
fn why_tells_people_and_programs() {
    let folder = orders("why");
    let given = run(nisi(&folder).args(["why", "orders.nisi", "--set", "condition=timeout", "--set", "effect=write"]));
    assert_eq!(given.code, 0, "{}", given.err);
    for word in ["reconcile", "found", "condition", "timeout", "lost", "nobody knows"] {
        assert!(given.out.contains(word), "{word}: {}", given.out);
    }
    let given = run(nisi(&folder).args(["why", "orders.nisi", "--format", "json"]).args(READ));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(json(&given).is_object());
}

#[test]
fn people_can_read_a_decision() {
    let folder = orders("eval-human");
    let given = run(nisi(&folder).args(["eval", "orders.nisi", "--format", "human"]).args(READ));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.out.starts_with("retry") && given.out.contains("recovery/again"), "{}", given.out);
}
