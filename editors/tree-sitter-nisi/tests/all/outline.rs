//! Items, rows, cells and reasons of every policy, beside what the library reads: its grammar's lines, and the outline
//! that its language server gives.

use std::ops::Range;

use lsp_server::{Connection, Message, Notification, Request};
use pest::Parser;
use serde_json::{Value, json};
use tree_sitter::Node;

use crate::corpus::{self, Text};
use crate::pest_words::{Pest, Rule};
use crate::trees;

/// A language server that is asked for outlines.
pub(crate) struct Server {
    connection: Connection,
    next: i32,
    /// The names of the kinds of tokens.
    legend: Vec<String>,
}

impl Server {
    pub(crate) fn new() -> Self {
        let (server, connection) = Connection::memory();
        std::thread::spawn(move || nisi::lsp::serve(&server, || None));
        let mut server = Server { connection, next: 0, legend: Vec::new() };
        let encoding = json!({ "general": { "positionEncodings": ["utf-8"] } });
        let answer = server.ask("initialize", json!({ "capabilities": encoding }));
        let legend = answer.pointer("/capabilities/semanticTokensProvider/legend/tokenTypes").unwrap();
        server.legend = legend.as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_string()).collect();
        server.tell("initialized", json!({}));
        server
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection.sender.send(Message::Notification(Notification { method: method.into(), params })).unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.connection.sender.send(Request { id: self.next.into(), method: method.into(), params }.into()).unwrap();
        loop {
            if let Message::Response(response) = self.connection.receiver.recv().unwrap() {
                return response.response_result.unwrap();
            }
        }
    }

    /// Asks one thing of a text.
    fn ask_of(&mut self, method: &str, text: &str) -> Value {
        let uri = "untitled:policy.nisi";
        let document = json!({ "uri": uri, "languageId": "nisi", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let found = self.ask(method, json!({ "textDocument": { "uri": uri } }));
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        found
    }

    /// The outline of a text: items, each with its rows.
    pub(crate) fn outline(&mut self, text: &str) -> Vec<Symbol> {
        self.ask_of("textDocument/documentSymbol", text).as_array().unwrap().iter().map(Symbol::new).collect()
    }

    /// The semantic tokens of a text: its bytes, and what it is called.
    pub(crate) fn tokens(&mut self, text: &str) -> Vec<(Range<usize>, String)> {
        let answer = self.ask_of("textDocument/semanticTokens/full", text);
        let numbers: Vec<usize> =
            answer["data"].as_array().unwrap().iter().map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect();
        let (mut line_start, mut at) = (0, 0);
        let token = |token: &[usize]| {
            for _ in 0..token[0] {
                line_start += text[line_start..].find('\n').unwrap() + 1;
                at = line_start;
            }
            at += token[1];
            (at..at + token[2], self.legend[token[3]].clone())
        };
        numbers.chunks(5).map(token).collect()
    }
}

/// An item or a row of an outline.
pub(crate) struct Symbol {
    pub(crate) name: String,
    /// Its first line, from 0, and the byte in that line.
    pub(crate) start: (usize, usize),
    pub(crate) end_line: usize,
    pub(crate) rows: Vec<Symbol>,
}

impl Symbol {
    fn new(value: &Value) -> Self {
        let number = |path: &str| usize::try_from(value.pointer(path).and_then(Value::as_u64).unwrap()).unwrap();
        Symbol {
            name: value["name"].as_str().unwrap().to_string(),
            start: (number("/range/start/line"), number("/range/start/character")),
            end_line: number("/range/end/line"),
            rows: value["children"].as_array().into_iter().flatten().map(Symbol::new).collect(),
        }
    }
}

fn place(node: Node<'_>) -> (usize, usize) {
    (node.start_position().row, node.start_position().column)
}

/// The kinds of nodes that are items.
pub(crate) fn is_item(node: &Node<'_>) -> bool {
    let outside = node.parent().is_some_and(|parent| parent.kind() == "source_file" || parent.is_error());
    outside && node.is_named() && node.child_count() > 0 && !node.is_error()
}

/// Where lines of three kinds begin: items, rows (headers and dashes among them), reasons.
type Lines = [Vec<usize>; 3];

fn lines_of_pest(text: &str) -> Lines {
    let mut lines = Lines::default();
    for line in Pest::parse(Rule::document, text).unwrap().next().unwrap().into_inner() {
        let start = line.as_span().start() + (line.as_str().len() - line.as_str().trim_start().len());
        match line.as_rule() {
            Rule::item => lines[0].push(start),
            Rule::row => lines[1].push(start),
            Rule::reason => lines[2].push(start),
            _ => {}
        }
    }
    lines
}

fn lines_of_tree(text: &str) -> Lines {
    let tree = trees::parse(text);
    let mut lines = Lines::default();
    for node in trees::nodes(&tree).into_iter().filter(Node::is_named) {
        match node.kind() {
            "header" | "delimiter_row" | "row" => lines[1].push(node.start_byte()),
            "reason" => lines[2].push(node.start_byte()),
            _ if is_item(&node) => lines[0].push(node.start_byte()),
            _ => {}
        }
    }
    lines
}

#[test]
fn items_rows_and_reasons_begin_where_the_language_says() {
    for text in corpus::whole() {
        assert_eq!(lines_of_tree(&text.written), lines_of_pest(&text.written), "{}", text.name);
    }
}

/// The item of a tree that begins in a line.
pub(crate) fn item_at(tree: &tree_sitter::Tree, line: usize) -> Option<Node<'_>> {
    trees::nodes(tree).into_iter().find(|node| is_item(node) && node.start_position().row == line)
}

/// The name of an item, as the outline has it.
pub(crate) fn name_of<'t>(item: Node<'_>, text: &'t str) -> Option<&'t str> {
    let named = trees::children(item, "derived").first().copied().unwrap_or(item);
    let field = match item.kind() {
        "examples" => "table",
        "waive" => "rule",
        _ => "name",
    };
    named.child_by_field_name(field).map(|name| &text[name.byte_range()])
}

/// The row that a cell of a row names, as the outline has it.
fn row_name(row: Node<'_>, i: usize, text: &str) -> String {
    let first = trees::children(row, "cell").first().and_then(|cell| cell.child(cell.child_count().checked_sub(1)?));
    let shown = |node: Node<'_>| text[node.byte_range()].replace("\\|", "|");
    match first {
        Some(node) if matches!(node.kind(), "otherwise" | "any_unknown") => {
            shown(node).split_whitespace().collect::<Vec<_>>().join(" ")
        }
        Some(node) if node.parent().is_some_and(|cell| cell.child_by_field_name("row").is_some()) => {
            let name = shown(node);
            // A quote that belongs to the name may stand before the one that ends it.
            let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
            quoted.map_or(name.clone(), |inner| inner.replace("\\\"", "\"").replace("\\\\", "\\"))
        }
        _ => format!("#{}", i + 1),
    }
}

/// The names and rows of the outline are those of the tree.
fn compare_outline(server: &mut Server, text: &Text) -> usize {
    let tree = trees::parse(&text.written);
    let mut n_rows = 0;
    for symbol in server.outline(&text.written) {
        let at = format!("{}:{}", text.name, symbol.start.0 + 1);
        let item = item_at(&tree, symbol.start.0).unwrap_or_else(|| panic!("{at}: no item"));
        assert_eq!(name_of(item, &text.written), Some(symbol.name.as_str()), "{at}");
        let rows = trees::children(item, "row");
        let expected: Vec<_> = symbol.rows.iter().map(|row| (row.start, row.name.clone())).collect();
        let found: Vec<_> =
            rows.iter().enumerate().map(|(i, row)| (place(*row), row_name(*row, i, &text.written))).collect();
        assert_eq!(found, expected, "{at}");
        n_rows += found.len();
    }
    n_rows
}

#[test]
fn names_and_rows_are_those_of_the_outline() {
    let mut server = Server::new();
    let n_rows: usize = corpus::whole().map(|text| compare_outline(&mut server, text)).sum();
    assert!(n_rows > 1_500, "only {n_rows} rows were compared");
}
