//! The process `nisi lsp`, over its pipes: what is no message is passed over, and the exit code says how it ended.

use serde_json::{Value, json};

use super::{ORDERS, Piped};

fn request(id: u32, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[test]
fn a_policy_is_opened_changed_and_proven() {
    let mut client = Piped::new();
    client.send(&request(1, "initialize", &json!({ "capabilities": {} })));
    assert_eq!(client.next()["result"]["serverInfo"]["name"], "nisi");
    client.send(&notification("initialized", &json!({})));
    let document = json!({ "uri": "file:///a.nisi", "languageId": "nisi", "version": 1, "text": ORDERS });
    client.send(&notification("textDocument/didOpen", &json!({ "textDocument": document })));
    let found = client.until(|m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!((&found["params"]["version"], &found["params"]["diagnostics"]), (&json!(1), &json!([])));
    client.send(&request(
        2,
        "workspace/executeCommand",
        &json!({ "command": "nisi.runExamples", "arguments": ["file:///a.nisi"] }),
    ));
    let answer = client.until(|m| m["id"] == 2);
    assert_eq!(answer["result"]["message"], "all 2 examples hold");
    client.send(&request(3, "shutdown", &Value::Null));
    assert_eq!(client.next()["result"], Value::Null);
    client.send(&notification("exit", &Value::Null));
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn bytes_that_are_no_message_are_passed_over() {
    let mut client = Piped::new();
    client.body("{ this is no JSON");
    assert_eq!(client.next()["method"], "window/logMessage");
    client.raw(b"content-length: 2\r\nContent-Type: x\r\n\r\n\xff\xfe");
    assert_eq!(client.next()["method"], "window/logMessage");
    client.body(&"[".repeat(100_000));
    assert_eq!(client.next()["method"], "window/logMessage");
    client.body("[]");
    assert_eq!(client.next()["method"], "window/logMessage");
    client.body(r#"{"jsonrpc":"2.0","id":7}"#);
    assert_eq!(client.next()["error"]["code"], -32002, "it is answered all the same");
    client.send(&request(1, "initialize", &json!({ "capabilities": 5, "workspaceFolders": "x" })));
    assert_eq!(client.next()["id"], 1);
    client.send(&request(2, "shutdown", &Value::Null));
    assert_eq!(client.next()["id"], 2);
    client.send(&notification("exit", &Value::Null));
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn a_client_that_goes_without_a_word_ends_it() {
    let mut client = Piped::new();
    client.send(&request(1, "initialize", &json!({ "capabilities": {} })));
    client.next();
    assert_eq!(client.end(), (Some(1), String::new()));
    let mut client = Piped::new();
    client.raw(b"Content-Length: many\r\n\r\n");
    assert_eq!(client.end(), (Some(1), String::new()), "nobody can tell where the next message begins");
}
