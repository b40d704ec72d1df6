//! A session's life: what comes before, after, out of order, and what is taken back.

use nisi::lsp::Ended;
use serde_json::{Value, json};

use super::{Client, ORDERS};

const NOT_INITIALIZED: i32 = -32002;
const INVALID: i32 = -32600;
const NO_METHOD: i32 = -32601;
const BAD_PARAMS: i32 = -32602;
const TAKEN_BACK: i32 = -32800;

#[test]
fn a_session_begins_and_ends() {
    let mut client = Client::new();
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(NOT_INITIALIZED));
    assert_eq!(client.ask("shutdown", Value::Null), Err(NOT_INITIALIZED));
    client.open("file:///early.nisi", "policy a\n");
    let answer = client.ask("initialize", json!({ "capabilities": {} })).unwrap();
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 2, "changes come one by one");
    assert_eq!(client.ask("initialize", json!({ "capabilities": {} })), Err(INVALID));
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.ask("textDocument/hover", json!({})), Err(INVALID));
    assert!(client.found.is_empty(), "what came too early is not opened");
    assert_eq!(client.exit(), Ended::Orderly);
}

#[test]
fn an_exit_without_a_shutdown_is_told() {
    assert_eq!(Client::plain().exit(), Ended::Cut);
    assert_eq!(Client::new().exit(), Ended::Cut);
}

#[test]
fn utf_8_is_taken_where_it_is_offered() {
    let mut client = Client::new();
    let offer = json!({ "capabilities": { "general": { "positionEncodings": ["utf-32", "utf-8", "utf-16"] } } });
    assert_eq!(client.ask("initialize", offer).unwrap()["capabilities"]["positionEncoding"], "utf-8");
    client.open("file:///a.nisi", "policy a\nversion 1\nfact f : \"س\", durtion, 😀\n");
    client.prove("file:///a.nisi");
    let codes = client.codes("file:///a.nisi");
    assert!(codes.iter().any(|(_, line, column)| (*line, *column) == (2, 24)), "{codes:?}");
}

#[test]
fn hostile_messages_change_nothing() {
    let mut client = Client::plain();
    let uri = "file:///a.nisi";
    client.open(uri, ORDERS);
    assert_eq!(client.ask("no/such/method", json!({ "x": [1, 2] })), Err(NO_METHOD));
    assert_eq!(client.ask("$/odd", Value::Null), Err(NO_METHOD));
    for params in
        [json!(null), json!([]), json!("x"), json!({ "textDocument": 5 }), json!({ "textDocument": { "uri": 1 } })]
    {
        assert_eq!(client.ask("textDocument/codeAction", params.clone()), Err(BAD_PARAMS), "{params}");
        for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest"] {
            client.tell(method, params.clone());
        }
        client.tell("no/such/notification", params);
    }
    client.change("file:///never-opened.nisi", 2, &json!([{ "text": "x" }]));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": "file:///never-opened.nisi" } }));
    client.tell("$/cancelRequest", json!({ "id": 9999 }));
    let command = |command: &str, arguments: Value| json!({ "command": command, "arguments": arguments });
    assert_eq!(client.ask("workspace/executeCommand", command("rm", json!([uri]))), Err(BAD_PARAMS));
    assert_eq!(client.ask("workspace/executeCommand", command("nisi.runExamples", json!([]))), Err(BAD_PARAMS));
    assert_eq!(client.ask("workspace/executeCommand", command("nisi.runExamples", json!([7]))), Err(BAD_PARAMS));
    let answer = client.prove(uri);
    assert_eq!((&answer["asked"], &answer["failed"]), (&json!(2), &json!([])));
    assert!(client.told.iter().filter(|(method, _)| method == "window/logMessage").count() >= 10);
    assert_eq!(client.leave(), Ended::Orderly);
}

#[test]
fn positions_out_of_the_text_are_the_nearest_in_it() {
    let mut client = Client::plain();
    let uri = "file:///a.nisi";
    client.open(uri, ORDERS);
    let at = |line: u64, character: u64| json!({ "line": line, "character": character });
    let far = u64::from(u32::MAX);
    client.change(uri, 2, &json!([{ "range": { "start": at(far, far), "end": at(far, 0) }, "text": "# end\n" }]));
    client.change(uri, 3, &json!([{ "range": { "start": at(0, 3), "end": at(0, 0) }, "text": "pol" }]));
    client.change(uri, 4, &json!([{ "range": { "start": at(0, 900), "end": at(0, 900) }, "text": "" }]));
    client.prove(uri);
    assert_eq!(client.codes(uri), []);
}

#[test]
fn old_versions_are_dropped() {
    let mut client = Client::plain();
    let uri = "file:///a.nisi";
    client.open(uri, ORDERS);
    client.change(uri, 5, &json!([{ "text": ORDERS.replace("table recovery", "tabel recovery") }]));
    client.change(uri, 5, &json!([{ "text": ORDERS }]));
    client.change(uri, 2, &json!([{ "text": ORDERS }]));
    client.prove(uri);
    assert!(!client.codes(uri).is_empty());
    let last = client.published.last().unwrap();
    assert_eq!((last.0.as_str(), last.1), (uri, Some(5)));
    client.change(uri, 6, &json!([{ "text": ORDERS }]));
    client.prove(uri);
    assert_eq!(client.codes(uri), []);
}

#[test]
fn a_request_is_taken_back() {
    let mut client = Client::plain();
    let uri = "file:///a.nisi";
    client.open(uri, ORDERS);
    // It waits for the proof, which begins after a moment.
    let run = client.send("workspace/executeCommand", json!({ "command": "nisi.runExamples", "arguments": [uri] }));
    client.tell("$/cancelRequest", json!({ "id": run }));
    assert_eq!(client.answer(run), Err(TAKEN_BACK));
    // Taken back once more, after it was answered: nothing comes of it.
    client.tell("$/cancelRequest", json!({ "id": run }));
    assert_eq!(client.prove(uri)["failed"], json!([]));
    assert_eq!(client.leave(), Ended::Orderly);
}

#[test]
fn a_closed_document_leaves_nothing_behind() {
    let mut client = Client::plain();
    let uri = "file:///a.nisi";
    client.open(uri, "policy a\n");
    client.prove(uri);
    assert!(!client.codes(uri).is_empty());
    let run = client.send("workspace/executeCommand", json!({ "command": "nisi.runExamples", "arguments": [uri] }));
    assert!(client.answer(run).is_ok());
    client.change(uri, 2, &json!([{ "text": "policy b\n" }]));
    let run = client.send("workspace/executeCommand", json!({ "command": "nisi.runExamples", "arguments": [uri] }));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.answer(run), Err(-32803), "its document is gone");
    assert_eq!(client.codes(uri), []);
}
