//! `any unknown` and `otherwise`: which rows they are, and where they may stand.
//!
//! Their words stand in the first cell, the other input cells are blank; both stand last, `any unknown` above
//! `otherwise`, each once.

use std::borrow::Cow;

use super::findings::{self, Sink};
use super::header::{Content, Header};
use super::place::At;
use super::split::Split;
use super::tree::{Row, RowKind};
use crate::text::Span;

/// What kind of row a line is.
pub(super) fn kind(keyword: &str, header: &Header, text: &str, line: &Split, at: At<'_>, sink: &mut Sink) -> RowKind {
    let cell = |i: usize| line.cells.get(i).and_then(|(s, e)| text.get(*s..*e)).unwrap_or("");
    let input = |i: &usize| matches!(header.contents.get(*i), Some(Content::Fact | Content::Also | Content::Name));
    if keyword == "examples" || !input(&0) {
        return RowKind::Plain;
    }
    let full = (1..line.cells.len()).filter(input).find(|i| !cell(*i).is_empty());
    let span = |i: usize| line.cells.get(i).map_or_else(Span::default, |(s, e)| at.span(*s, *e));
    let words = match cell(0) {
        one if !one.contains(char::is_whitespace) => Cow::Borrowed(one),
        several => Cow::Owned(several.split_whitespace().collect::<Vec<_>>().join(" ")),
    };
    let (kind, meant) = match &*words {
        "otherwise" => (RowKind::Otherwise, None),
        "any unknown" => (RowKind::AnyUnknown, None),
        other if full.is_none() => match other.to_ascii_lowercase().as_str() {
            "otherwise" | "else" | "default" | "other" | "others" | "rest" if line.cells.len() > 2 => {
                (RowKind::Otherwise, Some("otherwise"))
            }
            "any unknown" | "any-unknown" | "any_unknown" => (RowKind::AnyUnknown, Some("any unknown")),
            other
                if line.cells.len() > 2
                    && other.split(|c: char| !c.is_alphabetic()).any(|word| word == "otherwise") =>
            {
                (RowKind::Otherwise, Some("otherwise"))
            }
            _ => return RowKind::Plain,
        },
        _ => return RowKind::Plain,
    };
    if let Some(meant) = meant {
        let finding =
            findings::fixed_row(span(0), format!("`{words}` is no row of a fixed meaning"), format!("write `{meant}`"));
        sink.push(finding.fix(format!("write `{meant}`"), true, span(0), meant));
    } else if let Some(full) = full {
        let message = format!("`{words}` tests nothing, and this cell does");
        let help = "leave the other input cells blank";
        sink.push(findings::fixed_row(span(full), message, help).and(span(0), "the row"));
    }
    kind
}

/// The fixed rows of a table so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    last: Option<(RowKind, Span)>,
    /// Whether a row below them was reported.
    told: bool,
}

impl Order {
    /// Whether a row may stand below those before it; the first that may not is reported.
    pub(super) fn allows(&mut self, row: &Row, sink: &mut Sink) -> bool {
        let word = |kind: RowKind| if kind == RowKind::Otherwise { "otherwise" } else { "any unknown" };
        let Some((last, first)) = self.last else {
            if row.kind != RowKind::Plain {
                self.last = Some((row.kind, row.span));
            }
            return true;
        };
        let here = row.cells.first().map_or(row.span, |c| c.span);
        if row.kind > last {
            self.last = Some((row.kind, row.span));
            return true;
        }
        if self.told && row.kind == RowKind::Plain {
            return false;
        }
        let (message, help) = if row.kind == last {
            (format!("`{}` stands here twice", word(last)), "remove one of them")
        } else if row.kind == RowKind::AnyUnknown {
            ("`any unknown` stands below `otherwise`".to_string(), "move it above: `otherwise` takes all that is left")
        } else {
            self.told = true;
            (format!("this row stands below `{}`", word(last)), "move it above: the fixed rows stand last")
        };
        sink.push(findings::fixed_row(here, message, help).and(first, format!("`{}` is here", word(last))));
        false
    }
}
