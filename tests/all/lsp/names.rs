//! Names: where they are declared, where they are used, what they are called from now on.

use serde_json::{Value, json};

use super::{Client, ORDERS, covered, edited, place};
use crate::support::Folder;

const URI: &str = "file:///a.nisi";

fn at(uri: &str, text: &str, word: &str, n: usize) -> Value {
    let (line, character) = place(text, word, n);
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

fn with(mut params: Value, key: &str, value: Value) -> Value {
    params[key] = value;
    params
}

fn open(text: &str) -> Client {
    let mut client = Client::plain();
    client.open(URI, text);
    client.prove(URI);
    client
}

#[test]
fn every_kind_of_name_leads_to_its_declaration() {
    let text = include_str!("../../../policies/field-guide.nisi");
    let mut client = open(text);
    for (word, n, declared) in [
        ("gentle;", 0, "gentle {"),
        ("equivalent;", 0, "equivalent {"),
        ("reference within", 0, "reference {"),
        ("look-up\n", 0, "look-up :"),
        ("open-effects ", 0, "open-effects when"),
        ("something-open: nobody", 0, "something-open   |"),
    ] {
        let Some(_) = text.match_indices(word).nth(n) else { panic!("{word}") };
        let found = client.ask("textDocument/definition", at(URI, text, word, n)).unwrap();
        let (line, character) = place(text, declared, 0);
        assert_eq!(found["range"]["start"], json!({ "line": line, "character": character }), "{word}: {found}");
    }
    // What ships inside has no file that an editor could open.
    assert_eq!(client.ask("textDocument/definition", at(URI, text, "condition  ", 0)).unwrap(), Value::Null);
    assert_eq!(client.ask("textDocument/definition", at(URI, text, "# The decision", 0)).unwrap(), Value::Null);
}

#[test]
fn references_are_all_that_mean_the_name() {
    let mut client = open(ORDERS);
    let ask = |declaration: bool| {
        with(at(URI, ORDERS, "look-up ", 0), "context", json!({ "includeDeclaration": declaration }))
    };
    let found = client.ask("textDocument/references", ask(true)).unwrap();
    let texts: Vec<&str> = found.as_array().unwrap().iter().map(|l| covered(ORDERS, &l["range"])).collect();
    assert_eq!(texts, ["look-up"; 3]);
    assert_eq!(client.ask("textDocument/references", ask(false)).unwrap().as_array().unwrap().len(), 2);
    let found = client.ask("textDocument/documentHighlight", at(URI, ORDERS, "timeout,", 0)).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 6);
    // A row: its name, its reason, the example that expects it.
    let found = client.ask("textDocument/documentHighlight", at(URI, ORDERS, "lost: nobody", 0)).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 3);
    // A queue is declared nowhere, and found all the same.
    let found = client.ask("textDocument/documentHighlight", at(URI, ORDERS, "on-call ", 0)).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 2);
}

#[test]
fn a_renamed_name_is_renamed_everywhere_and_means_the_same() {
    for (word, new, n) in [
        ("look-up ", "find-it", 3),
        ("gentle {", "patient", 2),
        ("action_key {", "order_key", 2),
        ("recovery, first", "second-try", 2),
        ("amount :", "sum", 2),
        ("lost  |", "nowhere", 3),
    ] {
        let mut client = open(ORDERS);
        let before = nisi::compile::compile(
            nisi::text::Source::new("a.nisi", ORDERS),
            &nisi::compile::NoSources,
            &nisi::compile::Options::default(),
        );
        let place = at(URI, ORDERS, word, 0);
        let prepared = client.ask("textDocument/prepareRename", place.clone()).unwrap();
        assert_eq!(prepared["placeholder"], covered(ORDERS, &prepared["range"]));
        let edit = client.ask("textDocument/rename", with(place, "newName", json!(new))).unwrap();
        let edits = &edit["changes"][URI];
        assert_eq!(edits.as_array().unwrap().len(), n, "{word}");
        let after = edited(ORDERS, edits);
        let after = nisi::compile::compile(
            nisi::text::Source::new("a.nisi", after),
            &nisi::compile::NoSources,
            &nisi::compile::Options::default(),
        );
        let texts = |compiled: &nisi::compile::Compiled| {
            compiled.diagnostics.items.iter().map(|d| d.code.id).collect::<Vec<_>>()
        };
        assert_eq!(texts(&before), texts(&after), "{word}");
        assert!(after.policy.is_some());
    }
}

#[test]
fn values_are_renamed_with_their_quotes() {
    let text = "policy a\nversion 1\nfact 😀 : x\nfact region : \"سلام\", us\ngroup far of region : us\n\
                table t, first row wins\n| region | also | => action |\n| \"سلام\" | | stop |\n| far | region is us | stop |\n| unknown | | stop |\n";
    let mut client = open(text);
    let edit =
        client.ask("textDocument/rename", with(at(URI, text, "\"سلام\"", 1), "newName", json!("the east"))).unwrap();
    let after = edited(text, &edit["changes"][URI]);
    assert_eq!(after, text.replace("\"سلام\"", "\"the east\""));
    let edit = client.ask("textDocument/rename", with(at(URI, text, "us |", 0), "newName", json!("usa"))).unwrap();
    let after = edited(text, &edit["changes"][URI]);
    assert_eq!(after, text.replace(", us\n", ", usa\n").replace(": us\n", ": usa\n").replace("is us", "is usa"));
}

#[test]
fn what_cannot_be_renamed_is_refused_and_told_why() {
    let mut client = open(ORDERS);
    for (word, new) in [
        ("timeout,", "late"),       // a value of std
        ("condition ", "state"),    // a fact of std
        ("on-call ", "desk"),       // a queue
        ("std.facts", "std.words"), // a file
        ("amount", "channel"),      // is another fact already
        ("amount", "condition"),    // is a fact of std
        ("amount", "two words"),    // no name
        ("look-up ", "retry"),      // a word of the language
        ("gentle ", ""),            // nothing
        ("lost ", "rest"),          // is another row already
        ("version", "x"),           // no name at all
    ] {
        let answer = client.ask("textDocument/rename", with(at(URI, ORDERS, word, 0), "newName", json!(new)));
        assert_eq!(answer, Err(-32803), "{word} to {new}");
    }
}

#[test]
fn names_are_followed_through_open_files_and_files_on_disk() {
    let folder = Folder::new("lsp-names");
    let words = "## Where it is.\nfact region : eu, us\ngroup far of region : us\n";
    let policy = |name: &str| {
        format!(
            "policy {name}\nversion 1\nuse words\ntable t, first row wins\n| region | => action |\n| far | stop |\n| otherwise | review desk |\n"
        )
    };
    // A policy that has a `region` of its own is left alone.
    let other = "policy o\nversion 1\nfact region : x, y\ntable t, first row wins\n| region | => action |\n| x | stop |\n| otherwise | stop |\n";
    folder.file("words.nisi", words).file("a.nisi", policy("a")).file("b.nisi", policy("b")).file("o.nisi", other);
    let uri = |name: &str| format!("file://{}", folder.path().join(name).display());
    let mut client = Client::with(&json!({}), &[format!("file://{}", folder.path().display())]);
    let a = policy("a");
    client.open(&uri("a.nisi"), &a);
    client.prove(&uri("a.nisi"));
    let found = client.ask("textDocument/definition", at(&uri("a.nisi"), &a, "words", 0)).unwrap();
    assert_eq!(found["uri"], uri("words.nisi"));
    let found = client.ask("textDocument/definition", at(&uri("a.nisi"), &a, "far", 0)).unwrap();
    assert_eq!((&found["uri"], &found["range"]["start"]["line"]), (&json!(uri("words.nisi")), &json!(2)));
    let place = at(&uri("a.nisi"), &a, "region", 0);
    let found = client
        .ask("textDocument/references", with(place.clone(), "context", json!({ "includeDeclaration": true })))
        .unwrap();
    assert_eq!(found.as_array().unwrap().len(), 4, "{found}");
    let edit = client.ask("textDocument/rename", with(place, "newName", json!("area"))).unwrap();
    let changes = edit["changes"].as_object().unwrap();
    let mut changed: Vec<&String> = changes.keys().collect();
    changed.sort();
    assert_eq!(changed, [&uri("a.nisi"), &uri("b.nisi"), &uri("words.nisi")]);
    assert_eq!(edited(words, &changes[&uri("words.nisi")]), words.replace("region", "area"));
    assert_eq!(edited(&policy("b"), &changes[&uri("b.nisi")]), policy("b").replace("region", "area"));
    // A name that only another file has already is refused too.
    folder.file("b.nisi", policy("b").replace("version 1\n", "version 1\nfact taken : count\n"));
    let answer =
        client.ask("textDocument/rename", with(at(&uri("a.nisi"), &a, "region", 0), "newName", json!("taken")));
    assert_eq!(answer, Err(-32803));
    let found = client.ask("workspace/symbol", json!({ "query": "REG" })).unwrap();
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["region", "region"], "{found}");
}
