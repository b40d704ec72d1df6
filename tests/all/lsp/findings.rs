//! Findings while somebody types, in one file and in several, their mends, and the same findings by every way there.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Client, ORDERS, place};
use crate::support::Folder;

fn uri(folder: &Folder, name: &str) -> String {
    format!("file://{}", folder.path().join(name).display())
}

#[test]
fn a_finding_has_all_that_an_editor_shows() {
    let mut client = Client::plain();
    let address = "file:///a.nisi";
    let text = ORDERS
        .replace("fact amount", "fact channel : text\nfact amount")
        .replace("timeout, connection_lost | no", "timeot, connection_lost | no");
    client.open(address, &text);
    client.prove(address);
    let (line, column) = place(&text, "timeot", 0);
    let codes = client.codes(address);
    assert!(codes.contains(&("N0202".into(), line, column)), "{codes:?}");
    let found = client.found[address].as_array().unwrap().clone();
    let of = |code: &str| found.iter().find(|d| d["code"] == code).unwrap().clone();
    let value = of("N0202");
    assert_eq!((&value["source"], &value["severity"]), (&json!("nisi"), &json!(1)));
    assert!(value["codeDescription"]["href"].as_str().unwrap().ends_with("N0202.md"));
    assert!(value["message"].as_str().unwrap().contains("\nhelp: did you mean `timeout`"), "{value}");
    let twice = found.iter().find(|d| !d["relatedInformation"].is_null()).expect("both places of `channel`");
    assert_eq!(twice["relatedInformation"][0]["location"]["uri"], address);
}

#[test]
fn columns_are_of_utf_16() {
    let mut client = Client::plain();
    let address = "file:///%D8%B3%20a.nisi";
    let text = "policy a\nversion 1\nuse std.facts\nfact f : \"😀😀\", \"سلام\"\n\
                table t, first row wins\n| f | condition | => action |\n| \"😀😀\", \"سلام\" | timeot | stop |\n| otherwise | | stop |\n";
    client.open(address, text);
    client.prove(address);
    let (line, column) = place(text, "timeot", 0);
    assert_eq!(column, 19);
    assert!(client.codes(address).contains(&("N0202".into(), line, column)), "{:?}", client.codes(address));
    // The word is mended where it stands, counted in the same units.
    let range =
        json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": column + 6 } });
    client.change(address, 2, &json!([{ "range": range, "text": "timeout" }]));
    client.prove(address);
    let left = client.codes(address);
    assert!(left.iter().all(|(code, ..)| code != "N0202"), "{left:?}");
}

#[test]
fn what_can_be_read_is_judged_beside_what_cannot() {
    let mut client = Client::plain();
    let address = "file:///a.nisi";
    let text = ORDERS
        .replace("attempts  3", "attempts  many")
        .replace("jitter full", "jitter ful")
        .replace("=> action | row", "=> action row");
    client.open(address, &text);
    client.prove(address);
    let lines: std::collections::BTreeSet<u64> = client.codes(address).iter().map(|(_, line, _)| *line).collect();
    assert!(lines.len() >= 3, "{:?}", client.codes(address));
}

#[test]
fn every_mend_of_a_finding_is_offered() {
    for capabilities in [json!({}), json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } })] {
        let versioned = !capabilities["workspace"].is_null();
        let mut client = Client::with(&capabilities, &[]);
        let address = "file:///a.nisi";
        let text = ORDERS.replace("timeout, connection_lost | no", "timeot, connection_lost | no");
        client.open(address, &text);
        client.prove(address);
        let (line, column) = place(&text, "timeot", 0);
        let here = json!({ "line": line, "character": column + 1 });
        let ask = |only: Value| json!({ "textDocument": { "uri": address }, "range": { "start": here, "end": here }, "context": { "diagnostics": [], "only": only } });
        let actions = client.ask("textDocument/codeAction", ask(Value::Null)).unwrap();
        let mend = actions.as_array().unwrap().iter().find(|a| a["diagnostics"][0]["code"] == "N0202").expect("a mend");
        assert_eq!(mend["kind"], "quickfix");
        let edit = if versioned {
            let change = &mend["edit"]["documentChanges"][0];
            assert_eq!(change["textDocument"], json!({ "uri": address, "version": 1 }));
            &change["edits"][0]
        } else {
            &mend["edit"]["changes"][address][0]
        };
        assert_eq!(
            (&edit["newText"], &edit["range"]["start"]),
            (&json!("timeout"), &json!({ "line": line, "character": column }))
        );
        client.change(address, 2, &json!([{ "range": edit["range"], "text": edit["newText"] }]));
        client.prove(address);
        assert_eq!(client.codes(address), []);
        assert_eq!(client.ask("textDocument/codeAction", ask(Value::Null)).unwrap(), json!([]));
        assert_eq!(client.ask("textDocument/codeAction", ask(json!(["refactor"]))).unwrap(), json!([]));
    }
}

#[test]
fn open_files_come_before_the_disk() {
    let folder = Folder::new("lsp-several");
    let policy = "policy a\nversion 1\nuse team.words\ntable t, first row wins\n| region | => action |\n| eu | stop |\n| otherwise | review desk |\n";
    folder.file("team/words.nisi", "fact region : eu, us\n").file("a.nisi", policy);
    let (main, words) = (uri(&folder, "a.nisi"), uri(&folder, "team/words.nisi"));
    let mut client = Client::plain();
    client.open(&main, policy);
    client.prove(&main);
    let clean = client.codes(&main);
    assert!(clean.iter().all(|(code, ..)| code != "N0202" && code != "N0250"), "{clean:?}");
    // The vocabulary is opened and changed, and not saved: the policy hears of it.
    client.open(&words, "fact region : eu, us\n");
    client.change(&words, 2, &json!([{ "text": "fact region : us, apac\n" }]));
    client.prove(&main);
    assert!(
        client.codes(&main).iter().any(|(code, line, _)| code == "N0202" && *line == 5),
        "{:?}",
        client.codes(&main)
    );
    // Closed again, it is what stands on disk.
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": words } }));
    client.prove(&main);
    assert_eq!(client.codes(&main), clean);
    // What is on disk changes, and the client says so.
    folder.file("team/words.nisi", "fact region : eu, us\nfact broken : durtion\n");
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": words, "type": 2 }] }));
    client.prove(&main);
    assert!(!client.codes(&words).is_empty(), "what is wrong stands in the file where it is, open or not");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": main } }));
    assert!(client.ask("no", Value::Null).is_err());
    assert_eq!(client.codes(&words), []);
}

#[test]
fn a_file_that_appears_is_found() {
    let folder = Folder::new("lsp-appears");
    let policy = "policy a\nversion 1\nuse words\ntable t, first row wins\n| region | => action |\n| eu | stop |\n| otherwise | review desk |\n";
    let (main, words) = (uri(&folder, "a.nisi"), uri(&folder, "words.nisi"));
    let mut client = Client::plain();
    client.open(&main, policy);
    client.prove(&main);
    assert!(client.codes(&main).iter().any(|(code, ..)| code == "N0250"));
    client.open(&words, "fact region : eu, us\n");
    client.prove(&main);
    assert!(client.codes(&main).iter().all(|(code, ..)| code != "N0250"), "{:?}", client.codes(&main));
}

#[test]
fn the_proofs_follow_a_moment_later_and_the_examples_with_them() {
    let mut client = Client::plain();
    let address = "file:///a.nisi";
    // The last row is gone, and an example expects another action: both only the proofs and the examples can tell.
    let text = ORDERS.replace("| rest  | -                        | -           |                 | review on-call                                |\n", "");
    client.open(address, &text);
    client.prove(address);
    let gaps: Vec<_> = client.codes(address).into_iter().filter(|(code, ..)| code.starts_with("N030")).collect();
    assert!(!gaps.is_empty(), "{:?}", client.codes(address));
    let told = client.published.iter().filter(|(_, version, _)| *version == Some(1)).map(|(_, _, n)| *n);
    let told: Vec<usize> = told.collect();
    assert_eq!(told.len(), 2, "the words at once, the proofs a moment later");
    assert!(told[0] < told[1]);
    client.change(address, 2, &json!([{ "text": ORDERS.replace("| retry     | again |", "| stop      | again |") }]));
    let answer = client.prove(address);
    assert_eq!(answer["failed"], json!(["recovery: a read"]));
    assert!(client.codes(address).iter().any(|(code, ..)| code == "N0801"));
    let message = client.told.iter().rfind(|(method, _)| method == "window/showMessage").unwrap();
    assert_eq!(message.1["message"], "1 of 2 examples fail: recovery: a read");
}

/// A text, and the changes of an editor: where one begins, where it ends (each by parts of the text), and what is put there.
fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, prop::sample::Index, String)>> {
    let piece = prop_oneof![
        "[a-z|:,\"{}#\\-=> \n\r]{0,6}",
        Just("😀س".to_string()),
        Just("| otherwise | | | | stop |\n".to_string()),
        Just("table x, first row wins\n| => action |\n| stop |\n".to_string()),
        Just("fact n : count 0..5\n".to_string()),
        Just(String::new()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), piece), 1..8)
}

/// The place of a byte as an editor counts it, worked out in the slowest way.
fn utf16(text: &str, at: usize) -> Value {
    let before = text[..at].replace("\r\n", "\n").replace('\r', "\n");
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// Whether an editor can stand there: not inside a character, and not inside the end of a line.
fn stands(text: &str, at: usize) -> bool {
    text.is_char_boundary(at) && !(text[..at].ends_with('\r') && text[at..].starts_with('\n'))
}

fn boundary(text: &str, index: prop::sample::Index) -> usize {
    let places: Vec<usize> = (0..=text.len()).filter(|i| stands(text, *i)).collect();
    *index.get(&places)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is typed, in whatever order: the text and the findings are those of a fresh start.
    #[test]
    fn every_way_leads_to_the_same_findings(edits in edits()) {
        let address = "file:///a.nisi";
        let mut client = Client::plain();
        client.open(address, ORDERS);
        let mut text = ORDERS.to_string();
        for (version, (one, other, put)) in (2..).zip(&edits) {
            let (one, other) = (boundary(&text, *one), boundary(&text, *other));
            let (start, far) = (one.min(other), one.max(other).min(one.min(other) + 40));
            let end = (start..=far).rev().find(|i| stands(&text, *i)).unwrap_or(start);
            let range = json!({ "start": utf16(&text, start), "end": utf16(&text, end) });
            client.change(address, version, &json!([{ "range": range, "text": put }]));
            text.replace_range(start..end, put);
        }
        client.prove(address);
        let mut fresh = Client::plain();
        fresh.open(address, &text);
        fresh.prove(address);
        prop_assert_eq!(&client.found[address], &fresh.found[address]);
    }
}
