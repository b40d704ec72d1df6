//! What an editor shows of a document: hovers, completions, outline, folds, colours, hints and lenses.

use serde_json::{Value, json};

use super::{Client, ORDERS, place};

const URI: &str = "file:///a.nisi";

fn open(text: &str) -> Client {
    let mut client = Client::plain();
    client.open(URI, text);
    client.prove(URI);
    client
}

fn at(text: &str, word: &str, n: usize) -> Value {
    let (line, character) = place(text, word, n);
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

fn whole() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

#[test]
fn a_hover_says_what_a_word_means() {
    let text = ORDERS
        .replace("fact amount", "## What it comes to.\nfact amount")
        .replace("\nexamples", "\nwaive N0312 because \"it is meant\"\n\nexamples");
    let mut client = open(&text);
    for (word, n, parts) in [
        (
            "condition ",
            0,
            &["**fact** `condition`", "`timeout`", "What was seen of the last attempt", "of `std.facts`"][..],
        ),
        ("open_effect ", 0, &["`yes`, `no`", "derived from", "`dispatch`"]),
        ("amount is", 0, &["decimal 0.. step 0.01", "What it comes to."]),
        ("timeout,", 0, &["**value** `timeout` of `condition`", "patience ran out"]),
        ("gentle {", 0, &["**backoff** `gentle` waits 0ms to 200ms, then 0ms to 400ms"]),
        ("action_key {", 0, &["**locator** `action_key`", "1d"]),
        ("look-up :", 0, &["```nisi", "reconcile by action_key within 4s"]),
        ("again |", 0, &["**row** `recovery/again` (row 2 of 6, first row wins)"]),
        ("lost  |", 0, &["nobody knows whether it happened", "gives `reconcile by action_key within 4s"]),
        ("retry after", 0, &["`retry` needs: `budget`", "Unknown refuses"]),
        ("done \"", 0, &["only where `condition` is `confirmed`"]),
        ("N0312", 0, &["# N0312"]),
        ("recovery, first", 0, &["**table** `recovery`, first row wins: 6 rows"]),
    ] {
        let found = client.ask("textDocument/hover", at(&text, word, n)).unwrap();
        let said = found["contents"]["value"].as_str().unwrap_or_else(|| panic!("nothing on {word}"));
        for part in parts {
            assert!(said.contains(part), "{word}: {said}");
        }
        assert_eq!(found["range"]["start"]["line"], place(&text, word, n).0);
    }
    for (word, n) in [("policy", 0), ("0.01", 0), ("20s", 0)] {
        assert_eq!(client.ask("textDocument/hover", at(&text, word, n)).unwrap(), Value::Null, "{word}");
    }
}

/// What is offered at the place of a mark `§` in a text.
fn offered(text: &str) -> Vec<String> {
    let (line, character) = place(text, "§", 0);
    let mut client = open(&text.replace('§', ""));
    let place = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let found = client.ask("textDocument/completion", place).unwrap();
    found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_string()).collect()
}

#[test]
fn what_may_stand_there_is_offered() {
    let row = |cells: &str| ORDERS.replace("| rest  |", &format!("{cells}\n| rest  |"));
    for (text, there, not_there) in [
        (row("| x | tim§"), &["timeout", "unknown", "not", "-"][..], &["read", "stop"][..]),
        (row("| x | timeout, §"), &["connection_lost"], &["yes"]),
        (row("| x | - | §"), &["yes", "no", "unknown"], &["timeout"]),
        (row("| x | - | - | §"), &["effect", "amount"], &["timeout"]),
        (row("| x | - | - | effect §"), &["is"], &["read"]),
        (row("| x | - | - | effect is §"), &["read", "unknown"], &["timeout"]),
        (row("| x | - | - | effect is read and §"), &["channel"], &["read"]),
        (row("| x | - | - | | §"), &["retry", "look-up", "see", "stop"], &["timeout"]),
        (row("| x | - | - | | retry after §"), &["gentle"], &["action_key", "stop"]),
        (row("| x | - | - | | reconcile by §"), &["action_key", "event"], &["gentle"]),
        (row("| x | - | - | | see §"), &["recovery"], &["gentle"]),
        (row("| x | - | - | | review §"), &["on-call", "finance"], &["gentle"]),
        (row("| x | - | - | | retry now; if refused, §"), &["look-up", "stop"], &["gentle"]),
        (row("| §"), &[], &["timeout", "stop"]),
        (format!("{ORDERS}| z | | | | | | §"), &["stop", "reconcile"], &["look-up", "gentle"]),
        (format!("{ORDERS}| z | | | | | | stop | §"), &["found", "lost"], &["gentle"]),
        (format!("{ORDERS}\n§"), &["table", "rule", "examples"], &["stop"]),
        (format!("{ORDERS}\ntab§"), &["table"], &["stop"]),
        (format!("{ORDERS}\nuse §"), &["std.facts", "std.safety"], &["stop"]),
        (format!("{ORDERS}\nexamples §"), &["recovery"], &["stop"]),
        (format!("{ORDERS}\ngroup g of effect : §"), &["read", "write"], &["stop"]),
        (format!("{ORDERS}\nrule r: §"), &["never", "only"], &["read"]),
        (format!("{ORDERS}\nrule r: never retry when §"), &["effect"], &["stop"]),
        (format!("{ORDERS}\nrule r: never retry when effect is §"), &["write"], &["timeout"]),
        (format!("{ORDERS}\naction x : §"), &["retry", "look-up"], &["effect"]),
        (format!("{ORDERS}\ntable t, §"), &["first row wins", "rows agree"], &["stop"]),
        (ORDERS.replace("  least", "  §\n  least"), &["late", "reserve"], &["table", "lag"]),
        (ORDERS.replace("policy orders", "# polic§\npolicy orders"), &[], &["policy", "table"]),
        (ORDERS.replace("\"the order exists\"", "\"the §\""), &[], &["stop", "retry"]),
    ] {
        let found = offered(&text);
        let line = text.lines().find(|line| line.contains('§')).unwrap();
        for word in there {
            assert!(found.iter().any(|f| f == word), "{line}: {word} is not offered: {found:?}");
        }
        for word in not_there {
            assert!(!found.iter().any(|f| f == word), "{line}: {word} is offered: {found:?}");
        }
    }
}

#[test]
fn the_outline_holds_items_and_rows() {
    let mut client = open(ORDERS);
    let found = client.ask("textDocument/documentSymbol", whole()).unwrap();
    let found = found.as_array().unwrap();
    let names: Vec<&str> = found.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["orders", "channel", "amount", "gentle", "action_key", "look-up", "recovery", "recovery"]);
    let rows: Vec<&str> =
        found[6]["children"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(rows, ["found", "again", "dear", "phone", "lost", "rest"]);
    for symbol in found {
        let (range, selection) = (&symbol["range"], &symbol["selectionRange"]);
        let line = |range: &Value, end: &str| range[end]["line"].as_u64().unwrap();
        assert!(line(range, "start") <= line(selection, "start") && line(selection, "end") <= line(range, "end"));
    }
}

#[test]
fn items_and_comments_are_folded() {
    let text = format!("# one\n# two\n# three\n{ORDERS}");
    let mut client = open(&text);
    let found = client.ask("textDocument/foldingRange", whole()).unwrap();
    let folds: Vec<(u64, u64)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["startLine"].as_u64().unwrap(), f["endLine"].as_u64().unwrap()))
        .collect();
    assert!(folds.contains(&(0, 2)), "{folds:?}");
    for (first, last) in
        [("budget {", "}\n"), ("table recovery", "- lost: nobody"), ("examples recovery", "| a lost write")]
    {
        let (start, _) = place(&text, first, 0);
        let end = text
            .lines()
            .enumerate()
            .skip(usize::try_from(start).unwrap())
            .find(|(_, l)| l.starts_with(last.trim_end()))
            .unwrap()
            .0;
        assert!(folds.contains(&(start, end as u64)), "{first}: {folds:?}");
    }
}

/// The tokens of an answer: the text, its type, its modifiers.
fn tokens(text: &str, answer: &Value, types: &[Value]) -> Vec<(String, String, u64)> {
    let data: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    for token in data.chunks(5) {
        line += token[0];
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        let written: Vec<u16> = text.lines().nth(usize::try_from(line).unwrap()).unwrap().encode_utf16().collect();
        let (from, length) = (usize::try_from(column).unwrap(), usize::try_from(token[2]).unwrap());
        let kind = types[usize::try_from(token[3]).unwrap()].as_str().unwrap();
        found.push((String::from_utf16(&written[from..from + length]).unwrap(), kind.to_string(), token[4]));
    }
    found
}

#[test]
fn every_word_has_its_colour() {
    let text = ORDERS.replace("version 1.0.0\n", "version 1.0.0 # 😀\nfact f : \"😀😀\", usual\n");
    let mut client = Client::new();
    let answer = client.ask("initialize", json!({ "capabilities": {} })).unwrap();
    let legend = answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].as_array().unwrap().clone();
    client.open(URI, &text);
    let answer = client.ask("textDocument/semanticTokens/full", whole()).unwrap();
    let found = tokens(&text, &answer, &legend);
    for (word, kind, modifiers) in [
        ("policy", "keyword", 0),
        ("# 😀", "comment", 0),
        ("\"😀😀\"", "enumMember", 1),
        ("amount", "property", 1),
        ("condition", "property", 2),
        ("timeout", "enumMember", 2),
        ("look-up", "function", 1),
        ("recovery", "class", 1),
        ("lost", "method", 1),
        ("gentle", "variable", 0),
        ("std.facts", "namespace", 0),
        ("20s", "number", 0),
        ("\"the order exists\"", "string", 0),
        ("retry", "keyword", 0),
    ] {
        assert!(found.contains(&(word.to_string(), kind.to_string(), modifiers)), "{word}: {found:?}");
    }
    let (line, _) = place(&text, "table recovery", 0);
    let end = json!({ "line": line + 2, "character": 0 });
    let range = json!({ "start": { "line": line, "character": 0 }, "end": end });
    let part = client
        .ask("textDocument/semanticTokens/range", json!({ "textDocument": { "uri": URI }, "range": range }))
        .unwrap();
    let part = tokens(&text, &part, &legend);
    assert_eq!(part[0].0, "table");
    assert!(part.len() < 15 && part.iter().all(|token| found.contains(token)), "{part:?}");
}

#[test]
fn prose_has_no_words_of_the_language() {
    let text = "policy a\nversion 1\nuse std.facts\ntable t, first row wins\n| row | effect | => action |\n| w | write | wait |\n\n\
                - w: wait, and retry\n  first or 3 times # never\n\nexamples t\n| name | effect | => action |\n\
                | we wait or retry 2 times | write | wait |\n";
    let mut client = Client::new();
    let answer = client.ask("initialize", json!({ "capabilities": {} })).unwrap();
    let legend = answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].as_array().unwrap().clone();
    client.open(URI, text);
    let answer = client.ask("textDocument/semanticTokens/full", whole()).unwrap();
    let found: Vec<String> = tokens(text, &answer, &legend).into_iter().map(|token| token.0).collect();
    let n = |word: &str| found.iter().filter(|found| *found == word).count();
    assert_eq!((n("wait"), n("w"), n("# never"), n("first")), (2, 2, 1, 1), "{found:?}");
    assert_eq!((n("retry"), n("and"), n("or"), n("3"), n("2")), (0, 0, 0, 0, 0), "{found:?}");
}

#[test]
fn waits_are_written_behind_retries() {
    let mut client = open(ORDERS);
    let range = |from: u64, to: u64| {
        let at = |line: u64| json!({ "line": line, "character": 0 });
        json!({ "textDocument": { "uri": URI }, "range": { "start": at(from), "end": at(to) } })
    };
    let found = client.ask("textDocument/inlayHint", range(0, 100)).unwrap();
    let (line, column) = place(ORDERS, "gentle;", 0);
    let hint = &found.as_array().unwrap()[0];
    assert_eq!(hint["position"], json!({ "line": line, "character": column + 6 }));
    assert_eq!(hint["label"], "waits 0ms to 200ms, then 0ms to 400ms");
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(client.ask("textDocument/inlayHint", range(0, 5)).unwrap(), json!([]));
}

#[test]
fn lenses_run_examples_and_count_rows() {
    let mut client = Client::with(&json!({ "workspace": { "codeLens": { "refreshSupport": true } } }), &[]);
    client.open(URI, ORDERS);
    client.prove(URI);
    let found = client.ask("textDocument/codeLens", whole()).unwrap();
    assert!(client.asked.contains(&"workspace/codeLens/refresh".to_string()));
    let titles: Vec<&str> = found.as_array().unwrap().iter().map(|l| l["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["2 of 6 rows covered by examples", "run examples"]);
    let command = found[1]["command"].clone();
    let answer = client
        .ask("workspace/executeCommand", json!({ "command": command["command"], "arguments": command["arguments"] }))
        .unwrap();
    assert_eq!(answer["message"], "all 2 examples hold");
    // A policy with an error answers nothing, and says so.
    client.change(URI, 2, &json!([{ "text": ORDERS.replace("| timeout, connection_lost", "| timeot") }]));
    assert!(client.prove(URI)["message"].as_str().unwrap().contains("only a policy without errors"));
}

#[test]
fn a_policy_in_the_fences_of_markdown_is_served_where_it_stands() {
    let uri = "file:///why.nisi.md";
    let text = format!(
        "# Why 😀\n\ncondition, timeout\n\n```nisi\n{}```\n\ncondition, timeout\n",
        ORDERS.replace("timeout, connection_lost | no", "timeot, connection_lost | no")
    );
    let mut client = Client::plain();
    client.open(uri, &text);
    client.prove(uri);
    let (line, column) = place(&text, "timeot", 0);
    assert_eq!(
        client.codes(uri).iter().filter(|(_, l, c)| (*l, *c) == (line, column)).count(),
        1,
        "{:?}",
        client.codes(uri)
    );
    let at = |line: u64, character: u64| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    let (line, column) = place(&text, "gentle;", 0);
    let hover = client.ask("textDocument/hover", at(line, column)).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**backoff**"));
    assert_eq!(client.ask("textDocument/hover", at(2, 3)).unwrap(), Value::Null);
    let whole = json!({ "textDocument": { "uri": uri } });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints =
        client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range })).unwrap();
    assert_eq!(hints[0]["position"], json!({ "line": line, "character": column + 6 }), "{hints}");
    client.change(uri, 2, &json!([{ "text": text.replace("timeot", "timeout") }]));
    client.prove(uri);
    let lenses = client.ask("textDocument/codeLens", whole).unwrap();
    let (line, column) = place(&text, "recovery, first", 0);
    assert_eq!(lenses[0]["command"]["title"], "2 of 6 rows covered by examples", "{lenses}");
    assert_eq!(lenses[0]["range"]["start"], json!({ "line": line, "character": column }));
    for (line, offers) in [(0, false), (1, false), (2, false), (4, false), (5, true)] {
        let found = client.ask("textDocument/completion", at(line, 0)).unwrap();
        assert_eq!(!found.as_array().unwrap().is_empty(), offers, "line {line}");
    }
}
