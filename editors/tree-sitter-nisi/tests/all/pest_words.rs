//! The words of a text as `grammar/nisi.pest` reads them, and as the tree has them: both as a list to be compared.

use pest::Parser;
use pest::iterators::Pair;
use tree_sitter::{Node, Tree};

use crate::trees;

/// The language's own grammar.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/nisi.pest"]
pub(crate) struct Pest;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Keyword,
    Name,
    Number,
    Text,
    RowNumber,
}

pub(crate) type Words<'t> = Vec<(Kind, &'t str)>;

/// What is in no quotes is a name or a number by its first sign.
fn plain(text: &str) -> Kind {
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_name { Kind::Name } else { Kind::Number }
}

/// Reads a text by one rule; nothing where it cannot be read so.
pub(crate) fn pest_words(rule: Rule, text: &str) -> Option<Words<'_>> {
    let pair = Pest::parse(rule, text).ok()?.next()?;
    let mut words = Vec::new();
    collect(pair, &mut words);
    Some(words)
}

fn collect<'t>(pair: Pair<'t, Rule>, words: &mut Words<'t>) {
    let (rule, text) = (pair.as_rule(), pair.as_str().trim_end());
    match rule {
        // Their first words are no pairs of their own.
        Rule::signed => words.push((Kind::Keyword, "owner")),
        Rule::until => words.push((Kind::Keyword, "until")),
        _ => {}
    }
    let inner: Vec<_> = pair.into_inner().collect();
    if !inner.is_empty() {
        return inner.into_iter().for_each(|pair| collect(pair, words));
    }
    let kind = match rule {
        Rule::quoted => Kind::Text,
        Rule::row_number => Kind::RowNumber,
        Rule::name | Rule::word | Rule::number | Rule::instant | Rule::bare => plain(text),
        Rule::EOI | Rule::comparison | Rule::dots | Rule::arrow => return,
        // `first row wins` is one pair and three words.
        _ => return words.extend(text.split_whitespace().map(|word| (Kind::Keyword, word))),
    };
    words.push((kind, text));
}

/// The words of a tree between two bytes.
pub(crate) fn tree_words<'t>(tree: &Tree, text: &'t str, range: &std::ops::Range<usize>) -> Words<'t> {
    let inside = |node: &Node<'_>| {
        node.child_count() == 0
            && range.start <= node.start_byte()
            && node.end_byte() <= range.end
            && !node.byte_range().is_empty()
    };
    trees::nodes(tree).into_iter().filter(inside).filter_map(|node| word(node, &text[node.byte_range()])).collect()
}

fn word<'t>(node: Node<'_>, text: &'t str) -> Option<(Kind, &'t str)> {
    let fixed = node.parent().is_some_and(|parent| parent.kind() == "any_unknown");
    let kind = match node.kind() {
        _ if fixed => Kind::Keyword,
        // `instant` is a kind of value, and the word for a type.
        _ if !node.is_named() && text.starts_with(|c: char| c.is_ascii_alphabetic()) => Kind::Keyword,
        // `unknown` and `wait` are words like others until it is known what they stand for.
        "name" | "unknown" | "wait" => Kind::Name,
        "bare" => plain(text),
        "number" | "instant" => Kind::Number,
        "string" => Kind::Text,
        "row_number" => Kind::RowNumber,
        "known" | "otherwise" => Kind::Keyword,
        _ => return None,
    };
    Some((kind, text))
}
