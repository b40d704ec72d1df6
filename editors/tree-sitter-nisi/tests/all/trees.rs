//! Trees of the grammar, and what is looked for in them.

use tree_sitter::{Node, Parser, Tree};

/// The tree of a text.
pub(crate) fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_nisi::LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}

/// All nodes of a tree, each before its children.
pub(crate) fn nodes(tree: &Tree) -> Vec<Node<'_>> {
    let (mut found, mut open) = (Vec::new(), vec![tree.root_node()]);
    while let Some(node) = open.pop() {
        found.push(node);
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        open.extend(children.into_iter().rev());
    }
    found
}

/// The errors of a text: its place from 1, and what stands there.
pub(crate) fn errors(text: &str) -> Vec<String> {
    let tree = parse(text);
    let faults = nodes(&tree).into_iter().filter(|node| node.is_error() || node.is_missing());
    let told = faults.map(|node| {
        let (place, shown) = (node.start_position(), text.get(node.byte_range()).unwrap_or(""));
        let what = if node.is_missing() { format!("`{}` is missing", node.kind()) } else { format!("{shown:?}") };
        format!("{}:{}: {what}", place.row + 1, place.column + 1)
    });
    told.collect()
}

/// The children of a node of one kind.
pub(crate) fn children<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|child| child.kind() == kind).collect()
}
