//! Items: heads, blocks, `given` and reasons, line by line. What cannot be read in them is left as it is.

use std::ops::Range;

use super::faults::Faults;
use super::plan::{Fate, Plan};
use super::spacing::{Style, entry, spaced};
use crate::syntax::{Lines, text_end};
use crate::text::Span;

/// How far further lines are indented.
const INDENT: &str = "  ";
/// An entry's word that is longer than this moves no value but its own.
const LONGEST_KEY: usize = 40;

/// The lines from the first of some pieces to the last.
pub(super) fn lines_of(plan: &Plan<'_>, first: Span, last: Span) -> Range<usize> {
    plan.line_at(first.start as usize)..plan.line_at(last.end as usize) + 1
}

fn slice<'t>(plan: &Plan<'t>, span: Span) -> &'t str {
    plan.text.get(span.range()).unwrap_or("")
}

/// Writes all of an item but its rows.
pub(super) fn item(item: &Lines, faults: &Faults, plan: &mut Plan<'_>) {
    let Some(last) = item.head.last() else { return };
    let head = lines_of(plan, item.word, *last);
    let whole = Span { end: last.end, ..item.word };
    let is_read = !item.keyword.is_empty() && !faults.in_span(whole) && begins_its_line(plan, item.word);
    if !(is_read && if item.has_block() { block(item, plan) } else { heading(item, plan) }) {
        plan.keep(head);
    }
    given(item, faults, plan);
    item.reasons.iter().for_each(|lines| reason(lines, faults, plan));
}

/// Whether nothing but white space stands before a piece.
fn begins_its_line(plan: &Plan<'_>, span: Span) -> bool {
    let line = plan.lines[plan.line_at(span.start as usize)];
    plan.text.get(line.start..span.start as usize).is_some_and(|before| before.trim_matches([' ', '\t']).is_empty())
}

/// Takes a line for a piece of code and the comment behind it; nothing where something else stands there.
fn claim<'t>(plan: &Plan<'t>, span: Span) -> Option<(usize, &'t str)> {
    let (line, comment) = (plan.line_at(span.start as usize), plan.behind(span.end as usize));
    let is_free = plan.fates.get(line) == Some(&Fate::Free) && (comment.is_empty() || comment.starts_with('#'));
    is_free.then_some((line, comment))
}

/// Lines of code: all of them, or none.
fn write<'t>(
    plan: &mut Plan<'t>,
    pieces: &[Span],
    block: bool,
    mut code: impl FnMut(usize, &'t str) -> String,
) -> bool {
    let claimed: Option<Vec<_>> = pieces.iter().map(|span| claim(plan, *span)).collect();
    let Some(claimed) = claimed.filter(|all| all.is_sorted_by(|a, b| a.0 < b.0)) else { return false };
    let (Some(first), Some(last)) = (claimed.first(), claimed.last()) else { return true };
    plan.together(first.0..last.0 + 1, block);
    for (i, (line, comment)) in claimed.into_iter().enumerate() {
        plan.fates[line] = Fate::Code(code(i, slice(plan, pieces[i])), comment);
    }
    true
}

fn style(keyword: &str) -> Style {
    match keyword {
        "fact" | "extend" | "group" | "derive" => Style::Apart,
        "action" => Style::Action,
        _ => Style::Close,
    }
}

/// The head of an item without a block.
fn heading(item: &Lines, plan: &mut Plan<'_>) -> bool {
    let style = style(item.keyword);
    write(plan, &item.head, false, |i, text| {
        let text = spaced(text, style);
        match (i, text.is_empty()) {
            (0, true) => item.keyword.to_string(),
            (0, false) => format!("{} {text}", item.keyword),
            _ => format!("{INDENT}{text}"),
        }
    })
}

fn given(item: &Lines, faults: &Faults, plan: &mut Plan<'_>) {
    let (Some(first), Some(last)) = (item.given.first(), item.given.last()) else { return };
    let lines = lines_of(plan, *first, *last);
    // The word stands before its piece; a further line begins with its piece.
    let begins: Vec<bool> = item.given.iter().map(|piece| !begins_its_line(plan, *piece)).collect();
    let written = !faults.in_span(first.to(*last))
        && write(plan, &item.given, false, |i, text| {
            let text = spaced(text, Style::Close);
            match (begins[i], text.is_empty()) {
                (false, _) => format!("{INDENT}{text}"),
                (true, true) => "given".to_string(),
                (true, false) => format!("given {text}"),
            }
        });
    if !written {
        plan.keep(lines);
    }
}

/// `- row: text`, and its further lines.
fn reason(pieces: &[Span], faults: &Faults, plan: &mut Plan<'_>) {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
    let lines = lines_of(plan, *first, *last);
    let mut readable = true;
    let written = !faults.in_span(first.to(*last))
        && write(plan, pieces, false, |i, text| match i {
            0 => reason_line(text).unwrap_or_else(|| {
                readable = false;
                text.to_string()
            }),
            _ => format!("{INDENT}{text}"),
        });
    if !written || !readable {
        plan.keep(lines);
    }
}

fn reason_line(line: &str) -> Option<String> {
    let rest = line.strip_prefix('-')?.trim_start();
    let from = if rest.starts_with('"') { text_end(rest.as_bytes(), 0) } else { 0 };
    let colon = from + rest.get(from..)?.find(':')?;
    let (row, text) = (rest[..colon].trim_end(), rest[colon + 1..].trim());
    let row = if row.starts_with('"') { row.into() } else { row.split_whitespace().collect::<Vec<_>>().join(" ") };
    Some(if text.is_empty() { format!("- {row}:") } else { format!("- {row}: {text}") })
}

/// An item with a block: on one line, or with each entry on its own.
fn block(item: &Lines, plan: &mut Plan<'_>) -> bool {
    let head = match item.head.as_slice() {
        [one] => {
            let Some(line) = one_line(item.keyword, slice(plan, *one)) else { return false };
            return write(plan, &[*one], true, |_, _| line.clone());
        }
        lines => lines,
    };
    let texts: Vec<&str> = head.iter().map(|span| slice(plan, *span)).collect();
    let Some(parts) = parts(item.keyword, &texts) else { return false };
    let widest = parts.iter().flatten().filter_map(|part| match part {
        Part::Entry(text) => Some(key(item.keyword, text).len()),
        Part::Plain(_) => None,
    });
    let column = widest.filter(|width| *width <= LONGEST_KEY).max().unwrap_or(0);
    let shown = |part: &Part| match part {
        Part::Plain(text) => text.clone(),
        Part::Entry(text) => {
            let (key, value) = text.split_at(key(item.keyword, text).len());
            format!("{INDENT}{key:column$}  {}", value.trim_start()).trim_end().to_string()
        }
    };
    write(plan, head, true, |i, _| parts[i].iter().map(shown).collect::<Vec<_>>().join("\n"))
}

/// A part of a block that stands on its own line.
enum Part {
    /// The head, a brace.
    Plain(String),
    /// An entry with its normal spaces.
    Entry(String),
}

/// `backoff gentle { base 200ms, factor 2 }`; nothing where it is not whole.
fn one_line(keyword: &str, text: &str) -> Option<String> {
    let open = brace(text, b'{')?;
    let close = open + 1 + brace(&text[open + 1..], b'}')?;
    let (name, inside) = (spaced(&text[..open], Style::Close), entry(&text[open + 1..close]));
    let name = if name.is_empty() { String::new() } else { format!(" {name}") };
    let inside = if inside.is_empty() { String::new() } else { format!(" {inside} ") };
    text[close + 1..].trim().is_empty().then(|| format!("{keyword}{name} {{{inside}}}"))
}

/// The parts of the lines of a block, line by line.
fn parts(keyword: &str, lines: &[&str]) -> Option<Vec<Vec<Part>>> {
    let (mut opened, mut closed) = (false, false);
    let mut all = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        let (mut parts, mut rest) = (Vec::new(), *line);
        if !opened {
            let open = brace(rest, b'{');
            let head = spaced(&rest[..open.unwrap_or(rest.len())], Style::Close);
            let words = [if i == 0 { keyword } else { "" }, &head, open.map_or("", |_| "{")];
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            let indent = if i > 0 && !head.is_empty() { INDENT } else { "" };
            let text = format!("{indent}{}", words.join(" "));
            rest = open.map_or("", |open| &rest[open + 1..]);
            opened = open.is_some();
            parts.push(Part::Plain(text));
        }
        let close = brace(rest, b'}').filter(|_| opened && !closed);
        let inside = entry(&rest[..close.unwrap_or(rest.len())]);
        if !inside.is_empty() {
            parts.push(Part::Entry(inside));
        }
        if let Some(close) = close {
            closed = true;
            parts.push(Part::Plain("}".into()));
            if !rest[close + 1..].trim().is_empty() {
                return None;
            }
        }
        all.push(parts);
    }
    (opened && closed && all.iter().all(|parts| !parts.is_empty())).then_some(all)
}

/// The words of an entry that its value stands behind.
fn key<'e>(keyword: &str, entry: &'e str) -> &'e str {
    let word = |from: usize| match entry.as_bytes().get(from) {
        Some(b'"') => text_end(entry.as_bytes(), from),
        _ => entry[from..].find(' ').map_or(entry.len(), |end| from + end),
    };
    let end = word(0);
    let phrase = keyword == "parity" && matches!(&entry[..end], "no" | "at" | "may") && end + 1 < entry.len();
    &entry[..if phrase { word(end + 1) } else { end }]
}

/// The first such brace outside texts.
fn brace(text: &str, sign: u8) -> Option<usize> {
    let (bytes, mut i) = (text.as_bytes(), 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => i = text_end(bytes, i),
            b if b == sign => return Some(i),
            _ => i += 1,
        }
    }
    None
}
