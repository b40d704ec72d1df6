//! The queries: each fits the grammar, and what is highlighted how is what the language server says of the same words.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::{Query, QueryCursor, StreamingIterator};

use crate::corpus;
use crate::outline::Server;
use crate::trees;

const ALL: &[(&str, &str)] = &[
    ("highlights", tree_sitter_nisi::HIGHLIGHTS_QUERY),
    ("injections", tree_sitter_nisi::INJECTIONS_QUERY),
    ("locals", tree_sitter_nisi::LOCALS_QUERY),
    ("folds", include_str!("../../queries/folds.scm")),
    ("indents", include_str!("../../queries/indents.scm")),
    ("helix/indents", include_str!("../../queries/helix/indents.scm")),
    ("zed/indents", include_str!("../../queries/zed/indents.scm")),
    ("zed/brackets", include_str!("../../queries/zed/brackets.scm")),
    ("zed/outline", include_str!("../../queries/zed/outline.scm")),
];

/// The captures of a query in a text, by their bytes.
fn captures(query: &str, text: &str) -> BTreeMap<(usize, usize), Vec<String>> {
    let query = Query::new(&tree_sitter_nisi::LANGUAGE.into(), query).unwrap();
    let tree = trees::parse(text);
    let mut cursor = QueryCursor::new();
    let mut found: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    while let Some(one) = matches.next() {
        for capture in one.captures() {
            let name = query.capture_names()[capture.index as usize].to_string();
            found.entry((capture.node.start_byte(), capture.node.end_byte())).or_default().push(name);
        }
    }
    found
}

#[test]
fn every_query_fits_the_grammar_and_finds_something() {
    for (name, query) in ALL {
        let all =
            Query::new(&tree_sitter_nisi::LANGUAGE.into(), query).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<String> =
            corpus::whole().flat_map(|text| captures(query, &text.written).into_values().flatten()).collect();
        for capture in all.capture_names() {
            assert!(found.iter().any(|one| one == capture), "{name}: nothing is @{capture}");
        }
    }
}

/// What the language server calls a word, and what it is captured as.
const SAME: &[(&str, &[&str])] = &[
    ("keyword", &["keyword", "constant.builtin", "attribute"]),
    ("comment", &["comment", "comment.documentation"]),
    ("string", &["string"]),
    ("number", &["number"]),
    ("property", &["property"]),
    ("enumMember", &["constant"]),
    ("function", &["function"]),
    ("class", &["type"]),
    ("method", &["label"]),
    ("variable", &["variable"]),
    ("namespace", &["module"]),
];

/// Each word of a policy has one colour, and it is the server's where the server has one.
#[test]
fn highlights_are_those_of_the_language_server() {
    let mut server = Server::new();
    let (mut faults, mut n_words) = (Vec::new(), 0);
    for text in corpus::whole() {
        let found = captures(tree_sitter_nisi::HIGHLIGHTS_QUERY, &text.written);
        let mut told = |range: &Range<usize>, what: String| {
            let line = text.written[..range.start].matches('\n').count() + 1;
            faults.push(format!("{}:{line}: `{}` {what}", text.name, &text.written[range.clone()]));
        };
        for (range, names) in found.iter().filter(|(_, names)| names.len() > 1) {
            told(&(range.0..range.1), format!("has several captures: {names:?}"));
        }
        for (range, kind) in server.tokens(&text.written) {
            // What a name stands for is only sure where all names are.
            let is_name = !matches!(kind.as_str(), "keyword" | "comment" | "string" | "number");
            if is_name && !text.is_sound {
                continue;
            }
            n_words += 1;
            let around = found.iter().filter(|((start, end), _)| *start <= range.start && range.end <= *end);
            let same = |((start, end), names): (&(usize, usize), &Vec<String>)| {
                let allowed = SAME.iter().find(|(one, _)| *one == kind).unwrap().1;
                // `parity.equivalent` is a fact, and in it a parity; a name in quotes is coloured as a text.
                let within = kind == "variable" && *start < range.start && *end == range.end;
                names.iter().any(|name| {
                    allowed.contains(&name.as_str())
                        || within && name == "property"
                        || is_name && text.written[range.clone()].starts_with('"') && name == "string"
                })
            };
            if !around.clone().any(same) {
                let names: Vec<_> = around.flat_map(|(_, names)| names).collect();
                told(&range, format!("is a {kind}, and captured as {names:?}"));
            }
        }
    }
    assert!(n_words > 15_000, "only {n_words} words were compared");
    assert!(faults.is_empty(), "{} of {n_words}\n{}", faults.len(), faults.join("\n"));
}
