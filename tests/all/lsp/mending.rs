//! `source.fixAll`: what `nisi check --fix` would write, as one edit.

use serde_json::{Value, json};

use super::{Client, ORDERS, edited};
use crate::cli::{nisi, run};
use crate::support::{Folder, files, read};

const URI: &str = "file:///a.nisi";

fn ask(uri: &str, only: &[&str]) -> Value {
    let at = json!({ "line": 0, "character": 0 });
    json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [], "only": only } })
}

fn faulty() -> String {
    ORDERS
        .replace("deadline  20s", "deadline  20 s")
        .replace("| timeout, connection_lost | no ", "| timeout; connection_lost | no ")
        .replace("amount is > 100", "amount > 100")
}

/// The text after the one action that is offered; nothing where none is.
fn fixed(client: &mut Client, uri: &str, text: &str, kind: &str) -> Option<String> {
    let found = client.ask("textDocument/codeAction", ask(uri, &[kind])).unwrap();
    let actions = found.as_array().unwrap();
    assert!(actions.len() < 2, "{found}");
    let action = actions.first()?;
    assert_eq!(action["kind"], "source.fixAll.nisi");
    let title = action["title"].as_str().unwrap();
    assert!(title == "make the mend that needs no look" || title.ends_with(" mends that need no look"), "{title}");
    let edits = &action["edit"]["changes"][uri];
    assert_eq!(edits.as_array().unwrap().len(), 1, "{action}");
    Some(edited(text, edits))
}

#[test]
fn all_mends_of_a_file_come_as_one_edit_and_only_once() {
    for kind in ["source.fixAll.nisi", "source.fixAll", "source"] {
        for ending in ["\n", "\r\n"] {
            let (before, after) = (faulty().replace('\n', ending), ORDERS.replace('\n', ending));
            let mut client = Client::plain();
            client.open(URI, &before);
            assert_eq!(fixed(&mut client, URI, &before, kind).as_deref(), Some(&*after));
            client.change(URI, 2, &json!([{ "text": after }]));
            assert_eq!(fixed(&mut client, URI, &after, kind), None);
        }
    }
}

#[test]
fn it_is_offered_only_where_it_is_asked_for() {
    let mut client = Client::plain();
    client.open(URI, &faulty());
    for only in [&["quickfix"][..], &["refactor"], &["source.organizeImports"], &["source.fix"], &[""]] {
        let found = client.ask("textDocument/codeAction", ask(URI, only)).unwrap();
        assert!(!found.to_string().contains("fixAll"), "{only:?}: {found}");
    }
    let without = client.ask("textDocument/codeAction", ask("file:///closed.nisi", &["source.fixAll"])).unwrap();
    assert_eq!(without, json!([]));
}

/// On every policy of the corpus the edit is what the command writes.
#[test]
fn it_is_what_check_fix_writes() {
    let folder = Folder::new("lsp-mending");
    let mut client = Client::plain();
    let mut n_fixed = 0;
    for path in files("tests/cases/check").into_iter().filter(|path| path.ends_with("nisi")).step_by(5) {
        let Ok(text) =
            std::str::from_utf8(&std::fs::read(crate::support::root().join(&path)).unwrap()).map(str::to_string)
        else {
            continue;
        };
        folder.file("a.nisi", &text);
        run(nisi(&folder).args(["check", "--fix", "a.nisi", "--today", "2026-08-01"]));
        let written = std::fs::read_to_string(folder.path().join("a.nisi")).unwrap();
        let uri = format!("file://{}/a.nisi", folder.path().display());
        client.open(&uri, &text);
        let found = fixed(&mut client, &uri, &text, "source.fixAll");
        n_fixed += usize::from(found.is_some());
        assert_eq!(found.unwrap_or_else(|| text.clone()), written, "{path}");
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert!(n_fixed > 3, "{n_fixed}");
}

#[test]
fn it_can_be_taken_back_and_is_refused_once_the_text_has_changed() {
    let mut client = Client::plain();
    let long = read("policies/field-guide.nisi").replace("fact ", "fact  ");
    client.open(URI, &format!("{long}\n{}", faulty()));
    let id = client.send("textDocument/codeAction", ask(URI, &["source.fixAll"]));
    client.tell("$/cancelRequest", json!({ "id": id }));
    let answer = client.answer(id);
    assert!(answer == Err(-32800) || answer.is_ok(), "{answer:?}");
    let id = client.send("textDocument/codeAction", ask(URI, &["source.fixAll"]));
    client.change(URI, 2, &json!([{ "text": ORDERS }]));
    let answer = client.answer(id);
    assert!(answer == Err(-32801) || answer.is_ok(), "{answer:?}");
    assert_eq!(fixed(&mut client, URI, ORDERS, "source.fixAll"), None);
    let id = client.send("textDocument/codeAction", ask(URI, &["source.fixAll"]));
    let bye = client.send("shutdown", Value::Null);
    let answer = client.answer(id);
    assert!(answer == Err(-32800) || answer.is_ok(), "{answer:?}");
    client.answer(bye).unwrap();
    client.exit();
}
