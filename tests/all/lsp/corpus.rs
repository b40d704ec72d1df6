//! Everything that can be asked, of every case that there is, most of them faulty: there is an answer each time, and what it
//! points at is there.

use serde_json::{Value, json};

use super::Client;
use crate::support::{files, has_ending, root};

/// Asked of a whole document.
const WHOLE: [&str; 4] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
];
/// Asked of a place.
const PLACES: [&str; 6] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
];

/// The lines of a text as an editor counts them: how many units of 16 bits each has.
fn widths(text: &str) -> Vec<u64> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.encode_utf16().count() as u64).collect()
}

/// Every range inside an answer lies in the text, and ends where it begins or later.
fn hold(widths: &[u64], answer: &Value, at: &str) {
    match answer {
        Value::Object(map) => {
            if let (Some(start), Some(end)) = (map.get("start"), map.get("end")) {
                let place = |p: &Value| (p["line"].as_u64().unwrap(), p["character"].as_u64().unwrap());
                assert!(place(start) <= place(end), "{at}: {answer}");
                for (line, character) in [place(start), place(end)] {
                    let width = usize::try_from(line).ok().and_then(|line| widths.get(line));
                    assert!(width.is_some_and(|width| character <= *width), "{at}: {answer}");
                }
            }
            map.values().for_each(|value| hold(widths, value, at));
        }
        Value::Array(list) => list.iter().for_each(|value| hold(widths, value, at)),
        _ => {}
    }
}

/// Tokens follow each other, do not overlap, and lie in their lines.
fn tokens(widths: &[u64], answer: &Value, at: &str) {
    let data: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for token in data.chunks(5) {
        (column, end) = if token[0] == 0 { (column + token[1], end) } else { (token[1], 0) };
        line += token[0];
        assert!(column >= end && token[2] > 0, "{at}: a token at {line}:{column} begins in another");
        end = column + token[2];
        assert!(end <= widths[usize::try_from(line).unwrap()], "{at}: a token at {line}:{column} leaves its line");
    }
}

/// What is at each of some places of a document.
fn ask_places(client: &mut Client, uri: &str, widths: &[u64], seed: usize) {
    let n_lines = widths.len();
    for i in 0..6 {
        let line = (seed + i * n_lines / 6 + i) % n_lines;
        let character = (seed as u64 * 7 + i as u64 * 5) % (widths[line] + 1);
        let place = json!({ "line": line, "character": character });
        let mut params = json!({ "textDocument": { "uri": uri }, "position": place });
        params["context"] = json!({ "includeDeclaration": true });
        for method in PLACES {
            match client.ask(method, params.clone()) {
                Ok(answer) => hold(widths, &answer, &format!("{method} in {uri} at {place}")),
                Err(code) => assert_eq!((method, code), ("textDocument/prepareRename", -32803), "{uri} at {place}"),
            }
        }
        params["newName"] = json!("renamed");
        match client.ask("textDocument/rename", params) {
            Ok(answer) => hold(widths, &answer, &format!("rename in {uri} at {place}")),
            Err(code) => assert_eq!(code, -32803, "{uri} at {place}"),
        }
    }
}

#[test]
fn whatever_is_asked_of_whatever_text_has_an_answer_that_holds() {
    let cases = ["tests/cases/check", "tests/cases/decide", "tests/cases/tables", "policies"];
    let cases: Vec<String> = cases.iter().flat_map(|folder| files(folder)).filter(|f| has_ending(f, "nisi")).collect();
    assert!(cases.len() > 100, "{}", cases.len());
    let mut client = Client::plain();
    for (seed, case) in cases.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(root().join(case)) else { continue };
        let uri = format!("file:///corpus/{case}");
        let widths = widths(&text);
        client.open(&uri, &text);
        for method in WHOLE {
            let answer = client.ask(method, json!({ "textDocument": { "uri": uri } })).unwrap();
            hold(&widths, &answer, &format!("{method} in {case}"));
            if method.ends_with("full") {
                tokens(&widths, &answer, case);
            }
        }
        ask_places(&mut client, &uri, &widths, seed);
        let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": widths.len(), "character": 0 } });
        let hints = json!({ "textDocument": { "uri": uri }, "range": all });
        hold(&widths, &client.ask("textDocument/inlayHint", hints).unwrap(), case);
        let actions = json!({ "textDocument": { "uri": uri }, "range": all, "context": { "diagnostics": [] } });
        let actions = client.ask("textDocument/codeAction", actions).unwrap();
        hold(&widths, &actions, case);
        hold(&widths, &client.found[&uri], case);
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
}
