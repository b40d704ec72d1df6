//! The vocabularies that ship inside: documents to be read, where the editor can ask for their text.

use serde_json::{Value, json};

use super::{Client, ORDERS, covered, place};

const URI: &str = "file:///a.nisi";

fn at(word: &str, n: usize) -> Value {
    let (line, character) = place(ORDERS, word, n);
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

#[test]
fn a_word_of_std_leads_into_a_document_that_the_server_gives() {
    let mut client = Client::with(&json!({ "workspace": { "textDocumentContent": {} } }), &[]);
    client.open(URI, ORDERS);
    let place = client.ask("textDocument/definition", at("condition ", 0)).unwrap();
    assert_eq!(place["uri"], "nisi:std/facts.nisi");
    let text = client.ask("workspace/textDocumentContent", json!({ "uri": place["uri"] })).unwrap();
    let text = text["text"].as_str().unwrap();
    assert_eq!(text, nisi::compile::shipped("std.facts").unwrap());
    assert_eq!(covered(text, &place["range"]), "condition");
    let file = client.ask("textDocument/definition", at("std.safety", 0)).unwrap();
    assert_eq!((&file["uri"], &file["range"]["start"]["line"]), (&"nisi:std/safety.nisi".into(), &0.into()));
    // It is read like any other document, and nobody renames what stands there.
    client.open("nisi:std/facts.nisi", text);
    let (line, character) = super::place(text, "fact condition", 0);
    let at = json!({ "textDocument": { "uri": "nisi:std/facts.nisi" }, "position": { "line": line, "character": character + 5 } });
    let hover = client.ask("textDocument/hover", at.clone()).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**fact** `condition`"));
    assert!(client.ask("textDocument/prepareRename", at).is_err());
    for bad in ["nisi:std/nothing.nisi", "nisi:", "nisi:../x", "file:///a.nisi", "std.facts", ""] {
        assert_eq!(client.ask("workspace/textDocumentContent", json!({ "uri": bad })), Err(-32803), "{bad}");
    }
    assert_eq!(client.ask("workspace/textDocumentContent", json!({})), Err(-32602));
}

#[test]
fn who_cannot_open_it_is_shown_the_declaration() {
    let mut client = Client::plain();
    client.open(URI, ORDERS);
    assert_eq!(client.ask("textDocument/definition", at("condition ", 0)).unwrap(), Value::Null);
    let hover = client.ask("textDocument/hover", at("condition ", 0)).unwrap();
    let said = hover["contents"]["value"].as_str().unwrap();
    assert!(said.contains("```nisi\nfact condition : ") && said.contains("of `std.facts`"), "{said}");
    let hover = client.ask("textDocument/hover", at("std.facts", 0)).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**vocabulary** `std.facts`"));
}
