//! XML as DMN uses it: read by the crate `roxmltree`, which resolves no entities from elsewhere; bounded.

use roxmltree::{Document, Node, ParsingOptions};

use crate::exchange::grid::clean;
use crate::exchange::place::{Place, Refused};

/// The most elements, texts and comments of a file.
const MAX_NODES: u32 = 2_000_000;
/// How deep elements may stand inside each other.
const MAX_DEPTH: usize = 200;

/// Reads a document.
pub(super) fn parse<'t>(file: &str, text: &'t str) -> Result<Document<'t>, Refused> {
    if let Some(at) = too_deep(text) {
        let line = text[..at].matches('\n').count() + 1;
        let message = format!("`{file}` has elements more than {MAX_DEPTH} deep, at line {line}");
        return Err(Refused::new(message, "no DMN nests so deep: export it anew from its modeler"));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let help = match &error {
            roxmltree::Error::DtdDetected => "take out the `<!DOCTYPE …>`: DMN has none, and entities are not resolved",
            roxmltree::Error::NodesLimitReached => "part it into several files",
            _ => "export it anew from its modeler",
        };
        Refused::new(format!("`{file}` cannot be read as XML: {error}"), help)
    })
}

/// Where a text opens too many elements inside each other, roughly: before anything walks down into them.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut i) = (0usize, 0);
    while let Some(open) = text.get(i..)?.find('<') {
        let at = i + open;
        let rest = text.get(at..).unwrap_or_default();
        let (behind, step) = if rest.starts_with("<!--") {
            ("-->", 0isize)
        } else if rest.starts_with("<![CDATA[") {
            ("]]>", 0)
        } else if rest.starts_with("<?") {
            ("?>", 0)
        } else {
            (">", if rest.starts_with("</") { -1 } else { 1 })
        };
        let end = at + rest.find(behind)? + behind.len();
        let closed = step == 1 && bytes.get(end.saturating_sub(2)) == Some(&b'/');
        depth = if closed { depth } else { depth.saturating_add_signed(step) };
        if depth > MAX_DEPTH {
            return Some(at);
        }
        i = end;
    }
    None
}

/// Where an element stands, for people.
pub(super) fn place(node: Node<'_, '_>) -> Place {
    let line = node.document().text_pos_at(node.range().start).row as usize;
    let id = node.attribute("id").or_else(|| node.attribute("name")).unwrap_or_else(|| node.tag_name().name());
    Place::Element { id: id.into(), line }
}

/// The first child of a name, whatever its namespace.
pub(super) fn child<'a, 't>(node: Node<'a, 't>, name: &str) -> Option<Node<'a, 't>> {
    node.children().find(|n| n.is_element() && n.tag_name().name() == name)
}

/// The children of a name.
pub(super) fn children<'a, 't: 'a>(node: Node<'a, 't>, name: &'a str) -> impl Iterator<Item = Node<'a, 't>> + 'a {
    node.children().filter(move |n| n.is_element() && n.tag_name().name() == name)
}

/// What an element's `text` child says; blank where there is none.
pub(super) fn said(node: Node<'_, '_>) -> String {
    clean(&child(node, "text").map(inner).unwrap_or_default()).trim().to_string()
}

/// All text in an element.
pub(super) fn inner(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect()
}

/// An attribute of our own.
pub(super) fn own<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attribute((super::OURS, name))
}

/// A child of our own among the extensions of an element.
pub(super) fn own_children<'a, 't: 'a>(node: Node<'a, 't>, name: &'a str) -> impl Iterator<Item = Node<'a, 't>> + 'a {
    children(node, "extensionElements")
        .flat_map(|n| n.children())
        .filter(move |n| n.is_element() && n.tag_name().name() == name && n.tag_name().namespace() == Some(super::OURS))
}
