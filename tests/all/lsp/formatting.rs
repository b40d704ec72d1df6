//! Formatting through an editor gives what `nisi fmt` gives.

use serde_json::{Value, json};

use super::{Client, ORDERS, edited, place};

const CROOKED: &str = "policy   a\nversion 1\n\ntable  t, first row wins\n|row|=> action|\n|😀 |stop|\n\ntable  u, first row wins\n|=> action|\n|stop|\n";

fn ask(client: &mut Client, uri: &str, method: &str, mut params: Value) -> Value {
    params["textDocument"] = json!({ "uri": uri });
    params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    client.ask(method, params).unwrap()
}

fn formatted(uri: &str, text: &str) -> String {
    let source = nisi::text::Source::new(uri, text);
    nisi::format::format_source(&source, &nisi::format::Options::default()).unwrap().text
}

#[test]
fn a_document_is_formatted_as_the_command_does() {
    for (uri, text) in [
        ("file:///a.nisi", CROOKED.to_string()),
        ("file:///b.nisi", ORDERS.replace(" | ", "|").replace('\n', "\r\n")),
        (
            "file:///c.nisi.md",
            format!("# Why   not\n\n```nisi\n{CROOKED}```\n\n|a|b|\n\n```nisi\nrule  r: never  retry\n```\n"),
        ),
    ] {
        let mut client = Client::plain();
        client.open(uri, &text);
        let edits = ask(&mut client, uri, "textDocument/formatting", json!({}));
        let after = edited(&text, &edits);
        assert_ne!(after, text);
        assert_eq!(after, formatted(uri, &text));
        client.change(uri, 2, &json!([{ "text": after }]));
        assert_eq!(ask(&mut client, uri, "textDocument/formatting", json!({})), json!([]), "once is enough");
    }
}

#[test]
fn a_range_formats_the_items_that_it_touches() {
    let uri = "file:///a.nisi";
    let mut client = Client::plain();
    client.open(uri, CROOKED);
    let (line, _) = place(CROOKED, "|stop|\n", 1);
    let at = json!({ "line": line, "character": 2 });
    let edits = ask(&mut client, uri, "textDocument/rangeFormatting", json!({ "range": { "start": at, "end": at } }));
    let after = edited(CROOKED, &edits);
    let (before, _) = CROOKED.split_once("table  u").unwrap();
    assert!(
        after.starts_with(before)
            && after.ends_with("table u, first row wins\n| => action |\n|-----------|\n| stop      |\n"),
        "{after}"
    );
}

#[test]
fn a_table_is_formatted_when_one_of_its_rows_is_closed() {
    let uri = "file:///a.nisi";
    let mut client = Client::plain();
    client.open(uri, CROOKED);
    let typed = |line: u64, character: u64| json!({ "position": { "line": line, "character": character }, "ch": "|" });
    let (line, _) = place(CROOKED, "|stop|", 1);
    let edits = ask(&mut client, uri, "textDocument/onTypeFormatting", typed(line, 6));
    assert!(edited(CROOKED, &edits).contains("| stop      |\n"));
    // Outside of rows, and where a row has just begun, nothing moves.
    assert_eq!(ask(&mut client, uri, "textDocument/onTypeFormatting", typed(0, 3)), json!([]));
    client.change(uri, 2, &json!([{ "text": format!("{CROOKED}|") }]));
    assert_eq!(ask(&mut client, uri, "textDocument/onTypeFormatting", typed(line + 1, 1)), json!([]));
}
