//! Blocks: `{ base 200ms, factor 2 }`, or one entry a line.
//!
//! On a single line commas part the entries; over several lines each line is one, and a comma parts the names of a
//! list. What the words of an entry mean, the model knows.

use std::borrow::Cow;

use super::cell_mistakes::{at as place, between, characters, spaced_units};
use super::findings::{self, Sink};
use super::grammar::{self, Rule};
use super::head_mistakes;
use super::keys::begins_entry;
use super::place::At;
use super::skeleton::{Piece, RawItem, outside_texts};
use super::tokens::{Token, tokens};
use super::tree::{Block, Entry};
use super::words::word;
use crate::diag::{Diagnostic, Edit, Fix};

/// Splits the lines of an item into its head before `{`, and its block.
pub(super) fn read(text: &str, item: &RawItem, at: At<'_>, sink: &mut Sink) -> (Vec<Piece>, Block) {
    let all = braces(text, item);
    let (head, open) = head(text, item, &all);
    let last = all.iter().rev().find(|b| b.sign == b'}' && b.place >= open);
    let fault = fault(text, item, &all, at);
    let close = last.map_or(item.end, |b| b.place);
    let opened = usize::from(all.iter().any(|b| b.place + 1 == open));
    let mut block = Block {
        damaged: fault.is_some(),
        span: at.span(open.saturating_sub(opened), close + usize::from(last.is_some())),
        ..Block::default()
    };
    let mut misplaced = Vec::new();
    for line in item.head.iter().filter(|line| line.end > open && line.start < close) {
        let piece = Piece { start: line.start.max(open), end: line.end.min(close) };
        let commas = line.start < open && (line.end > close || block.damaged);
        for (start, end) in parts(piece.of(text), |rest| commas || begins_entry(item.keyword, rest)) {
            let part = Piece { start: piece.start + start, end: piece.start + end };
            if start > 0 && !commas {
                misplaced.push(part);
            }
            entry(text, part, at, sink, &mut block);
        }
    }
    if let Some(finding) = fault.or_else(|| one_a_line(text, &misplaced, at)) {
        sink.push(finding);
    }
    (head, block)
}

/// Entries behind commas in a block of several lines: one finding, and a mend for all of them.
fn one_a_line(text: &str, misplaced: &[Piece], at: At<'_>) -> Option<Diagnostic> {
    let start = |part: &Piece| part.end - part.of(text).trim_start().len();
    let first = misplaced.first()?;
    let shown = first.of(text).trim().trim_end_matches(',').trim_end();
    let span = at.span(start(first), start(first) + shown.len());
    let edit = |part: &Piece| Edit { span: at.span(part.start - 1, start(part)), replacement: "\n  ".into() };
    let mut finding = findings::entry(
        span,
        "an entry stands behind a comma in a block of several lines",
        format!("entries stand one a line: put `{shown}` on its own line"),
    );
    finding.fixes.push(Fix {
        title: "put each entry on its own line".into(),
        safe: true,
        edits: misplaced.iter().map(edit).collect(),
    });
    Some(finding)
}

/// A brace outside texts.
#[derive(Debug, Clone, Copy)]
struct Brace {
    place: usize,
    sign: u8,
}

fn braces(text: &str, item: &RawItem) -> Vec<Brace> {
    let in_line = |line: &Piece| {
        let start = line.start;
        let signs = outside_texts(line.of(text)).filter(|(_, b)| matches!(b, b'{' | b'}'));
        signs.map(move |(i, sign)| Brace { place: start + i, sign }).collect::<Vec<_>>()
    };
    item.head.iter().flat_map(in_line).collect()
}

/// The lines of the head, and where the block begins.
fn head(text: &str, item: &RawItem, all: &[Brace]) -> (Vec<Piece>, usize) {
    let mut opens = all.iter().filter(|b| b.sign == b'{').map(|b| b.place);
    let first = item.head.first().copied().unwrap_or(Piece { start: item.word_end, end: item.word_end });
    let Some(mut open) = opens.next() else {
        // Nothing opens the block: it begins behind the name.
        let name = head_mistakes::first_name(first.of(text)).filter(|_| item.keyword != "budget");
        let end = first.start + name.map_or(0, |(_, end)| end);
        return (vec![Piece { end, ..first }], end);
    };
    // A brace before the name is none of the block's.
    let blank = |b: &Brace| text.get(first.start..b.place).is_some_and(|t| t.trim().is_empty());
    let early = all.iter().find(|b| b.sign == b'}' && b.place < open && blank(b));
    let mut start = early.map_or(first.start, |b| b.place + 1);
    let nothing = text.get(start..open).is_none_or(|t| t.trim().is_empty()) && item.keyword != "budget";
    if let Some(second) = opens.next().filter(|_| nothing) {
        (start, open) = (open + 1, second);
    }
    let before = item.head.iter().filter(|line| line.start <= open);
    let stray = all.iter().find(|b| b.sign == b'}' && b.place > start).map_or(open, |b| b.place.min(open));
    let head = before.map(|line| Piece { start: line.start.max(start), end: line.end.min(stray) }).collect();
    (head, open + 1)
}

/// What is wrong with the braces of an item: one finding, however many there are.
fn fault(text: &str, item: &RawItem, all: &[Brace], at: At<'_>) -> Option<Diagnostic> {
    let word = at.span(item.start, item.word_end);
    let of = |sign: u8| all.iter().filter(|b| b.sign == sign).map(|b| b.place).collect::<Vec<_>>();
    let (opens, closes) = (of(b'{'), of(b'}'));
    let stray = |place: usize, message: &str| {
        let span = at.span(place, place + 1);
        let help = "a block has one `{`, on its first line, and one `}`, behind its last entry";
        Some(findings::brace(span, message, help).fix("remove it", false, span, ""))
    };
    match (opens.as_slice(), closes.as_slice()) {
        ([], _) => {
            let message = format!("this `{}` has no `{{`", item.keyword);
            Some(findings::brace(word, message, "its entries stand between `{` and `}`, one a line"))
        }
        (_, []) => {
            let message = format!("the `{{` of this `{}` is not closed", item.keyword);
            Some(findings::brace(word, message, "write `}` on a line of its own below the last entry"))
        }
        ([open, ..], [close, ..]) if close < open => stray(*close, "this `}` closes nothing"),
        ([_, second, ..], _) => stray(*second, "a second `{` stands in this block"),
        (_, [first, second, ..]) => {
            let between = text.get(first + 1..*second).unwrap_or("");
            if between.trim().is_empty() {
                stray(*second, "a second `}` stands behind this block")
            } else {
                stray(*first, "this `}` closes the block before its last entry")
            }
        }
        (_, [close]) => behind(text, Piece { start: close + 1, end: item.end }, at),
    }
}

/// Text behind the closing brace.
fn behind(text: &str, rest: Piece, at: At<'_>) -> Option<Diagnostic> {
    let shown = rest.of(text).trim();
    let start = rest.end - rest.of(text).trim_start().len();
    let line = shown.lines().next()?.trim_end();
    let span = at.span(start, start + line.len());
    Some(findings::brace(span, "text stands behind the closing `}`", "begin a new line for it"))
}

/// The parts of a line between commas, where they part entries: as the text behind the comma says.
fn parts(line: &str, ends: impl Fn(&str) -> bool) -> Vec<(usize, usize)> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (i, b) in outside_texts(line) {
        if b == b',' && ends(&line[i + 1..]) {
            parts.push((start, i));
            start = i + 1;
        }
    }
    parts.push((start, line.len()));
    parts
}

/// The line with blanks in place of braces: they have their finding.
fn without_braces(line: &str) -> Cow<'_, str> {
    let places: Vec<usize> = outside_texts(line).filter(|(_, b)| matches!(b, b'{' | b'}')).map(|(i, _)| i).collect();
    if places.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut line = line.to_string();
    for i in places {
        line.replace_range(i..=i, " ");
    }
    Cow::Owned(line)
}

/// Reads one entry into a block; a blank is none.
fn entry(text: &str, piece: Piece, at: At<'_>, sink: &mut Sink, block: &mut Block) {
    let line = without_braces(piece.of(text));
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
