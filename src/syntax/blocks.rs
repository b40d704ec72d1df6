//! Blocks: `{ base 200ms, factor 2 }`, or one entry a line.
//!
//! On a single line commas part the entries; over several lines each line is one, and a comma parts the names of a
//! list. What the words of an entry mean, the model knows.

use super::cell_mistakes::{at as place, between, characters, spaced_units};
use super::findings::{self, Sink};
use super::grammar::{self, Rule};
use super::place::At;
use super::skeleton::{Piece, RawItem};
use super::tokens::{Token, tokens};
use super::tree::{Block, Entry};
use super::words::word;
use crate::diag::Diagnostic;

/// Splits the lines of an item into its head before `{`, and its block.
pub(super) fn read(text: &str, item: &RawItem, at: At<'_>, sink: &mut Sink) -> (Vec<Piece>, Block) {
    let open = item.head.iter().enumerate().find_map(|(i, line)| Some((i, line.start + brace(line.of(text), b'{')?)));
    let Some((line, open)) = open else {
        let span = at.span(item.start, item.word_end);
        let message = format!("this `{}` has no `{{`", item.keyword);
        sink.push(findings::brace(span, message, "its entries stand between `{` and `}`, one a line"));
        let (head, lines) = item.head.split_at(1.min(item.head.len()));
        let mut block = Block { span, ..Block::default() };
        for line in lines {
            entry(text, *line, at, sink, &mut block);
        }
        return (head.to_vec(), block);
    };
    let mut head: Vec<Piece> = item.head.iter().take(line).copied().collect();
    let first = item.head.get(line).copied().unwrap_or(Piece { start: open, end: open + 1 });
    head.push(Piece { start: first.start, end: open });
    let mut block = Block::default();
    let mut close = item.end;
    let mut rest: Vec<Piece> = vec![Piece { start: open + 1, end: first.end }];
    rest.extend(item.head.iter().skip(line + 1).copied());
    let one_line = brace(rest.first().map_or("", |p| p.of(text)), b'}').is_some();
    for piece in rest {
        let inside = piece.of(text);
        let end = brace(inside, b'}');
        let content = Piece { start: piece.start, end: end.map_or(piece.end, |e| piece.start + e) };
        if one_line {
            let parts = commas(content.of(text));
            for (s, e) in parts {
                let part = Piece { start: content.start + s, end: content.start + e };
                entry(text, part, at, sink, &mut block);
            }
        } else {
            entry(text, content, at, sink, &mut block);
        }
        if let Some(end) = end {
            close = piece.start + end + 1;
            behind(text, Piece { start: close, end: piece.end }, at, sink);
            break;
        }
    }
    block.span = at.span(open, close);
    (head, block)
}

/// Text behind the closing brace.
fn behind(text: &str, rest: Piece, at: At<'_>, sink: &mut Sink) {
    let shown = rest.of(text).trim();
    if !shown.is_empty() {
        let start = rest.end - rest.of(text).trim_start().len();
        let span = at.span(start, start + shown.len());
        sink.push(findings::brace(span, "text stands behind the closing `}`", "begin a new line for it"));
    }
}

/// Where a brace stands outside texts.
fn brace(line: &str, brace: u8) -> Option<usize> {
    let mut in_text = false;
    line.bytes().position(|b| {
        in_text ^= b == b'"';
        !in_text && b == brace
    })
}

/// The parts between commas, outside texts.
fn commas(line: &str) -> Vec<(usize, usize)> {
    let (mut parts, mut start, mut in_text) = (Vec::new(), 0, false);
    for (i, b) in line.bytes().enumerate() {
        in_text ^= b == b'"';
        if b == b',' && !in_text {
            parts.push((start, i));
            start = i + 1;
        }
    }
    parts.push((start, line.len()));
    parts
}

/// Reads one entry into a block; a blank is none.
fn entry(text: &str, piece: Piece, at: At<'_>, sink: &mut Sink, block: &mut Block) {
    let line = piece.of(text);
    let start = piece.start + (line.len() - line.trim_start().len());
    let line = line.trim();
    if line.is_empty() {
        return;
    }
    let at = At { base: start, ..at };
    match grammar::run(Rule::entry, line) {
        Ok(pair) => {
            let words = grammar::all(&pair, Rule::entry_word).map(|w| word(&w, at)).collect();
            block.entries.push(Entry { words, span: at.span(0, line.len()) });
        }
        Err(furthest) => {
            sink.push(at.finding(mistake(line, furthest)));
            block.damaged = true;
        }
    }
}

fn mistake(line: &str, furthest: usize) -> Diagnostic {
    let all = tokens(line);
    if let Some(found) = characters(line, &all).or_else(|| spaced_units(line, &all)) {
        return found;
    }
    if let [key, sign, value, ..] = all.as_slice()
        && matches!(sign.text, ":" | "=" | ":=" | "==" | "->")
    {
        let rest = line.get(value.start..).unwrap_or("");
        let meant = format!("{} {rest}", key.text);
        let finding = findings::entry(
            between(key, sign),
            format!("`{}` is not written in an entry", sign.text),
            format!("write `{meant}`"),
        );
        return finding.fix("remove the sign", true, crate::syntax::place::local(key.end, value.start), " ");
    }
    let here: Option<&Token<'_>> = all.iter().find(|t| t.end > furthest).or(all.last());
    let help = "an entry is a word and its value, such as `attempts 3`";
    match here {
        Some(token) => findings::entry(place(token), format!("`{}` cannot be read in an entry", token.text), help),
        None => findings::entry(crate::syntax::place::local(0, line.len()), "this entry cannot be read", help),
    }
}
