//! The picture of a policy in the words of Mermaid, which GitHub draws: tables, what they hand over to, and the verbs that
//! they come to. It holds names of tables, verbs and numbers, and no text of a policy.

use std::fmt::Write;

use super::picture::{Card, Picture, To};
use super::tree::n;

/// Past so many edges nothing is drawn: Mermaid itself draws 500 at most.
const EDGES: usize = 400;

/// What it shows, and a fence with the graph.
pub(super) fn flow(picture: &Picture) -> String {
    let mut out = String::from("flowchart LR\n");
    let mut n_edges = 0;
    // Writing to a string cannot fail.
    for (i, card) in picture.cards.iter().enumerate() {
        let _ = writeln!(out, "  t{i}[\"{}\"]", card.name);
    }
    for (verb, _) in &picture.verbs {
        let _ = writeln!(out, "  to_{verb}([\"{verb}\"])");
    }
    for (i, card) in picture.cards.iter().enumerate() {
        if let Some(base) = card.tightens {
            let _ = writeln!(out, "  t{base} -.-|\"tightened by\"| t{i}");
        }
        if card.n_left > 0 {
            let _ = writeln!(out, "  t{i} -->|\"{}\"| more{i}([\"others\"])", n(card.n_left, "row", "rows"));
        }
        let edges = edges(card);
        n_edges += edges.len() + 2;
        for (to, rows) in edges {
            let _ = writeln!(out, "  t{i} -->|\"{}\"| {to}", n(rows, "row", "rows"));
        }
    }
    if n_edges > EDGES {
        return "There are too many tables for a picture; they follow one by one.".to_string();
    }
    format!("Tables, what they hand over to, and the actions that their rows come to.\n\n```mermaid\n{out}```")
}

/// What the rows of a card lead to, each with how many do.
fn edges(card: &Card) -> Vec<(String, usize)> {
    let mut edges: indexmap::IndexMap<String, usize> = indexmap::IndexMap::new();
    for group in &card.groups {
        let to = match &group.to {
            To::Card(next) => format!("t{next}"),
            To::Acts(steps) => steps.first().map_or_else(String::new, |(verb, _)| format!("to_{verb}")),
        };
        *edges.entry(to).or_default() += group.rows.len();
    }
    edges.into_iter().collect()
}
