//! Case files: counted above their policy, run with its examples, and told of where they are open.

use serde_json::{Value, json};

use super::{Client, ORDERS, covered, place};
use crate::support::Folder;

const CASES: &str = "cases:
  - name: a read
    facts: { condition: timeout, effect: read, budget: 2, deadline: 10s, attempt: 1 }
    expect: { action: retry, row: again }
  - name: seen
    facts: { condition: confirmed }
    expect: { action: done, row: found }
";

fn folder(name: &str, cases: &str) -> (Folder, String, String) {
    let folder = Folder::new(name);
    folder.file("orders.nisi", ORDERS).file("orders.more.cases.yaml", cases);
    let uri = |file: &str| format!("file://{}/{file}", folder.path().display());
    let (policy, file) = (uri("orders.nisi"), uri("orders.more.cases.yaml"));
    (folder, policy, file)
}

fn titles(client: &mut Client, uri: &str) -> Vec<String> {
    let found = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
    found.as_array().unwrap().iter().map(|l| l["command"]["title"].as_str().unwrap().to_string()).collect()
}

/// Waits until what a document shows is as it is wanted.
fn until(client: &mut Client, uri: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    for _ in 0..1_000 {
        let found = client.found.get(uri).and_then(Value::as_array).cloned();
        if let Some(found) = found.filter(|found| wanted(found)) {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        // An answer takes in what came before it.
        let _ = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    }
    panic!("{:?}", client.found.get(uri));
}

/// Waits until a document shows so many findings.
fn shows(client: &mut Client, uri: &str, n: usize) -> Vec<Value> {
    until(client, uri, |found| found.len() == n)
}

#[test]
fn the_cases_beside_a_policy_are_counted_and_run() {
    let (folder, policy, file) = folder("lsp-cases-beside", CASES);
    let mut client = Client::plain();
    client.open(&policy, ORDERS);
    assert_eq!(client.prove(&policy)["message"], "all 4 examples and cases hold");
    assert_eq!(
        titles(&mut client, &policy),
        ["2 cases pass", "3 of 6 rows covered by examples and cases", "run examples"]
    );
    // What is open counts as it stands in the editor.
    client.open(&file, &CASES.replace("row: found", "row: rest"));
    shows(&mut client, &file, 1);
    let told = client.prove(&policy);
    assert_eq!(told["message"], "1 of 4 examples and cases fail: seen");
    assert_eq!(told["failed"], json!(["seen"]));
    assert_eq!(client.prove(&file), told, "of a case file its policy is meant");
    assert_eq!(titles(&mut client, &policy)[0], "1 of 2 cases pass");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": file } }));
    assert_eq!(client.prove(&policy)["asked"], 4);
    folder.file("orders.cases.yaml", "cases:\n  - { name: odd, facts: { nobody: 1 }, expect: { action: stop } }\n");
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert!(client.prove(&policy)["message"].as_str().unwrap().ends_with("; 1 cannot be asked"));
}

#[test]
fn an_open_case_file_shows_its_faults_and_its_failed_cases_at_their_places() {
    let cases = CASES.replace("row: found", "row: rest").replace("effect: read", "efect: read");
    let (_folder, policy, file) = folder("lsp-cases-open", &cases);
    let mut client = Client::plain();
    client.open(&file, &cases);
    let found = shows(&mut client, &file, 2);
    let line = |n: usize| found[n]["range"]["start"]["line"].as_u64().unwrap();
    let mut lines = [line(0), line(1)];
    lines.sort_unstable();
    assert_eq!(lines, [place(&cases, "efect", 0).0, place(&cases, "name: seen", 0).0], "{found:#?}");
    let said: String = found.iter().map(|d| d["message"].as_str().unwrap()).collect();
    assert!(said.contains("case `seen` fails\nrow: expected recovery/rest, found recovery/found"), "{said}");
    assert!(said.contains("`efect`") && said.contains("help: "), "{said}");
    let fact = found.iter().find(|d| d["message"].as_str().unwrap().contains("efect")).unwrap();
    assert!(covered(&cases, &fact["range"]).starts_with("efect"), "{fact}");
    // A change of the open policy is a change for its cases.
    client.open(&policy, &ORDERS.replace("| rest  | -    ", "| other | -    "));
    until(&mut client, &file, |found| {
        found.iter().any(|d| d["message"].as_str().unwrap().contains("has no row `rest`"))
    });
    client.change(&file, 2, &json!([{ "text": CASES }]));
    client.change(&policy, 2, &json!([{ "text": ORDERS }]));
    shows(&mut client, &file, 0);
    client.change(&policy, 3, &json!([{ "text": "policy orders\n%\n" }]));
    let found = shows(&mut client, &file, 1);
    assert!(found[0]["message"].as_str().unwrap().contains("has errors, and cannot be asked"));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": file } }));
    shows(&mut client, &file, 0);
}

#[test]
fn a_case_file_is_no_policy() {
    let mut client = Client::plain();
    for (uri, text) in [
        ("untitled:x.cases.yaml", CASES),
        ("file:///nowhere/lost.cases.yaml", CASES),
        ("file:///nowhere/.cases.yaml", ""),
    ] {
        client.open(uri, text);
        let found = shows(&mut client, uri, 1);
        assert!(found[0]["message"].as_str().unwrap().contains("no policy beside it"), "{found:?}");
        let whole = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
        assert_eq!(client.ask("textDocument/formatting", whole.clone()).unwrap(), json!([]));
        assert_eq!(client.ask("textDocument/codeLens", whole).unwrap(), json!([]));
        let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 6 } });
        assert_eq!(client.ask("textDocument/hover", at).unwrap(), Value::Null);
        let run = json!({ "command": "nisi.runExamples", "arguments": [uri] });
        assert_eq!(client.ask("workspace/executeCommand", run), Err(-32602));
    }
}

#[test]
fn what_is_no_yaml_is_told_at_its_place() {
    let (_folder, _, file) = folder("lsp-cases-broken", "");
    let mut client = Client::plain();
    for text in ["cases: [", "cases:\n  - name: \"\u{1f600}\n", "", "\u{0}", "cases: 3\n"] {
        client.open(&file, text);
        let found = shows(&mut client, &file, 1);
        assert!(!found[0]["message"].as_str().unwrap().is_empty());
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": file } }));
        shows(&mut client, &file, 0);
    }
}
