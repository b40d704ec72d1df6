//! Heads and cells of every policy, word for word as `grammar/nisi.pest` reads them.

use tree_sitter::{Node, Tree};

use crate::corpus::{self, Text};
use crate::outline::is_item;
use crate::pest_words::{Rule, pest_words, tree_words};
use crate::trees;

/// The cells of a row: at every bar without a backslash before it; bytes in the text, without white space around them.
fn cells(text: &str, row: &std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let line = &text[row.clone()];
    let mut bars = Vec::new();
    let mut escaped = false;
    for (i, c) in line.char_indices() {
        if c == '|' && !escaped {
            bars.push(i);
        }
        escaped = c == '\\' && !escaped;
    }
    let between = |pair: &[usize]| {
        let (start, end) = (pair[0] + 1, pair[1]);
        let shown = line[start..end].trim();
        let start = row.start + start + (line[start..end].len() - line[start..end].trim_start().len());
        start..start + shown.len()
    };
    bars.windows(2).map(between).collect()
}

/// What the cells of a column are read by; nothing for free text.
fn rule_of(item: &str, name: &str, behind_arrow: bool) -> Option<Rule> {
    match (item, name, behind_arrow) {
        ("examples", "name", false) => None,
        ("derive" | "classify", _, true) => Some(Rule::output),
        ("examples", "row", true) => Some(Rule::expected),
        (_, _, true) => Some(Rule::action_cell),
        (_, "also", false) => Some(Rule::also),
        ("table" | "tighten" | "derive" | "classify", "row", false) => Some(Rule::row_cell),
        _ => Some(Rule::cell),
    }
}

/// Compares the header and the rows of an item; gives how many cells there were.
fn compare_table(text: &Text, tree: &Tree, item: Node<'_>, faults: &mut Vec<String>) -> usize {
    let Some(header) = trees::children(item, "header").first().copied() else { return 0 };
    let (mut behind_arrow, mut rules) = (false, Vec::new());
    for column in cells(&text.written, &header.byte_range()) {
        let shown = &text.written[column.clone()];
        behind_arrow |= shown.starts_with("=>");
        rules.push(rule_of(item.kind(), shown.trim_start_matches("=>").trim(), behind_arrow));
        let (found, expected) = (tree_words(tree, &text.written, &column), pest_words(Rule::column, shown));
        if expected.as_ref() != Some(&found) {
            faults.push(format!("{}: the column `{shown}`: {expected:?}, in the tree {found:?}", text.name));
        }
    }
    let mut n_cells = rules.len();
    if trees::children(header, "column").len() != rules.len() {
        faults.push(format!("{}: another number of columns", text.name));
    }
    for row in trees::children(item, "row") {
        let line = row.start_position().row + 1;
        let expected = cells(&text.written, &row.byte_range());
        let found: Vec<_> =
            trees::children(row, "cell").iter().map(|cell| text.written[cell.byte_range()].to_string()).collect();
        let shown: Vec<_> = expected.iter().map(|cell| text.written[cell.clone()].to_string()).collect();
        if found != shown || found.len() != rules.len() {
            faults.push(format!("{}:{line}: the cells are {shown:?}, in the tree {found:?}", text.name));
        }
        n_cells += shown.len();
        for (i, (cell, rule)) in expected.iter().zip(&rules).enumerate() {
            let shown = &text.written[cell.clone()];
            let fixed = i == 0
                && matches!(
                    shown.split_whitespace().collect::<Vec<_>>().join(" ").as_str(),
                    "otherwise" | "any unknown"
                );
            let Some(rule) = rule.filter(|_| !shown.is_empty() && shown != "-" && !fixed) else { continue };
            let (found, expected) = (tree_words(tree, &text.written, cell), pest_words(rule, shown));
            if expected.as_ref() != Some(&found) {
                faults.push(format!("{}:{line}: `{shown}` is {expected:?}, in the tree {found:?}", text.name));
            }
        }
    }
    n_cells
}

/// The rule that reads the head of an item, behind its first word; nothing for `budget`, which has none.
fn head_rule(item: &str) -> Option<Rule> {
    Some(match item {
        "policy" | "use" | "backoff" | "locator" | "parity" | "examples" => Rule::name_only,
        "version" => Rule::version,
        "owner" => Rule::owner,
        "restricts" => Rule::restricts,
        "fact" => Rule::fact,
        "extend" => Rule::extend,
        "group" => Rule::group,
        "action_definition" => Rule::action,
        "derive" => Rule::derive,
        "classify" => Rule::classify,
        "table" => Rule::table,
        "tighten" => Rule::tighten,
        "rule" => Rule::rule_head,
        "waive" => Rule::waive,
        _ => return None,
    })
}

/// Compares the head of an item, without comments and with its lines joined.
fn compare_head(text: &Text, tree: &Tree, item: Node<'_>, faults: &mut Vec<String>) -> bool {
    let Some(rule) = head_rule(item.kind()) else { return false };
    let mut cursor = item.walk();
    let body = item.children(&mut cursor).find(|node| matches!(node.kind(), "block" | "header" | "given"));
    let start = item.child(0).map_or(item.start_byte(), |word| word.end_byte());
    let range = start..body.map_or(item.end_byte(), |body| body.start_byte());
    let mut head = text.written[range.clone()].to_string();
    for comment in trees::nodes(tree).iter().filter(|node| node.is_extra() && range.contains(&node.start_byte())).rev()
    {
        head.replace_range(comment.start_byte() - range.start..comment.end_byte().min(range.end) - range.start, "");
    }
    let head = head.replace(['\n', '\r'], " ");
    let (found, expected) = (tree_words(tree, &text.written, &range), pest_words(rule, &head));
    if expected.as_ref() != Some(&found) {
        faults.push(format!("{}: `{head}` is {expected:?}, in the tree {found:?}", text.name));
    }
    true
}

#[test]
fn heads_and_cells_have_the_same_words() {
    let (mut faults, mut n_cells, mut n_heads) = (Vec::new(), 0, 0);
    for text in corpus::whole() {
        let tree = trees::parse(&text.written);
        for item in trees::nodes(&tree).into_iter().filter(is_item) {
            n_cells += compare_table(text, &tree, item, &mut faults);
            n_heads += usize::from(compare_head(text, &tree, item, &mut faults));
        }
    }
    assert!(n_cells > 5_000 && n_heads > 2_000, "{n_cells} cells and {n_heads} heads were compared");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
