//! A table's header: its columns, and what their cells hold.
//!
//! A column that cannot be read is left out of the tree with its cells, and the table counts as damaged.

use super::findings::{self, Sink};
use super::grammar::{self, Rule, inner};
use super::place::At;
use super::tokens::{Kind, tokens};
use super::tree::{Column, ColumnKind, Word};
use crate::diag::{Diagnostic, nearest};

/// What the cells of a column are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A row's name.
    Name,
    /// Any text.
    FreeName,
    /// A test of the column's fact.
    Fact,
    /// Tests.
    Also,
    /// An action.
    Action,
    /// One word.
    Output,
    /// A row as expected.
    Expected,
    /// Nothing: the column could not be read.
    Left,
}

/// A header that was read.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// For each cell of the header line what stands below it.
    pub(super) contents: Vec<Content>,
    /// For each cell of the header line its text, for messages.
    pub(super) names: Vec<String>,
    /// The columns that go into the tree.
    pub(super) columns: Vec<Column>,
    /// Whether a column was left out.
    pub(super) damaged: bool,
    /// Whether rows can be read at all.
    pub(super) usable: bool,
}

/// Reads a header. `cells` are the places of its cells, counted from `at`; `outputs` what a derive defines.
pub(super) fn read(
    keyword: &str,
    line: &str,
    cells: &[(usize, usize)],
    outputs: &[Word],
    at: At<'_>,
    sink: &mut Sink,
) -> Header {
    let mut walk =
        Walk { keyword, header: Header::default(), arrow: None, unread: Vec::new(), output_unread: false, at, sink };
    for (i, (start, end)) in cells.iter().enumerate() {
        walk.cell(i, line.get(*start..*end).unwrap_or(""), *start);
    }
    walk.finish(outputs, line.len());
    walk.header
}

struct Walk<'a, 's> {
    keyword: &'a str,
    header: Header,
    /// The place of the `=>`.
    arrow: Option<(usize, usize)>,
    /// Findings of cells that cannot be read: they count only where this is a header at all.
    unread: Vec<Diagnostic>,
    /// Whether one of them may be the output.
    output_unread: bool,
    at: At<'a>,
    sink: &'s mut Sink,
}

impl Walk<'_, '_> {
    fn cell(&mut self, i: usize, text: &str, start: usize) {
        let has_arrow = text.starts_with("=>");
        let span = self.at.span(start, start + text.len());
        if has_arrow {
            if let Some((from, to)) = self.arrow {
                let finding = findings::header(
                    self.at.span(start, start + 2),
                    "a second `=>` stands in this header",
                    "only the first output carries `=>`; all columns behind it are outputs",
                );
                let finding = finding.and(self.at.span(from, to), "the first one");
                self.sink.push(finding.fix("remove it", true, self.at.span(start, start + 2), ""));
            } else {
                self.arrow = Some((start, start + 2));
            }
        }
        if let Ok(pair) = grammar::run(Rule::column, text) {
            let name = inner(&pair, Rule::name).map(|p| super::words::word(&p, self.at.further(start)));
            if let Some(name) = name {
                return self.named(i, name);
            }
        } else {
            let finding = mistake(text, i);
            self.output_unread |= text.contains("=>");
            self.unread.push(self.at.further(start).finding(finding));
        }
        let name = Word { text: "".into(), span, quoted: false };
        self.leave_out(&name);
    }

    fn leave_out(&mut self, name: &Word) {
        self.header.contents.push(Content::Left);
        self.header.names.push(name.text.to_string());
        self.header.damaged = true;
    }

    fn named(&mut self, i: usize, name: Word) {
        let (kind, content) = self.kind(&name.text);
        let same =
            |c: &&Column| c.name.text == name.text && (c.kind == ColumnKind::Output) == (kind == ColumnKind::Output);
        if let Some(first) = self.header.columns.iter().find(same) {
            self.sink.push(findings::column_twice(name.span, first.name.span, &name.text));
            return self.leave_out(&name);
        }
        if kind == ColumnKind::Name && i > 0 && !self.header.damaged {
            let message = format!("the column `{}` stands first", name.text);
            self.sink.push(findings::header(name.span, message, "move it to the left of the others"));
        }
        if content == Content::Left {
            let allowed: &[&str] = if self.keyword == "examples" { &["action", "row"] } else { &["action"] };
            let message = format!("`{}` is no output of this table", name.text);
            let help = match nearest(&name.text, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if allowed.len() > 1 => "behind `=>` an example may ask for `action` and `row`".to_string(),
                None => "a table has one output, `=> action`; facts stand to the left of it".to_string(),
            };
            self.sink.push(findings::header(name.span, message, help));
            return self.leave_out(&name);
        }
        self.header.contents.push(content);
        self.header.names.push(name.text.to_string());
        self.header.columns.push(Column { kind, name });
    }

    fn kind(&self, name: &str) -> (ColumnKind, Content) {
        let examples = self.keyword == "examples";
        if self.arrow.is_none() {
            return match name {
                "name" if examples => (ColumnKind::Name, Content::FreeName),
                "row" if !examples => (ColumnKind::Name, Content::Name),
                "also" => (ColumnKind::Also, Content::Also),
                _ => (ColumnKind::Fact, Content::Fact),
            };
        }
        let content = match (self.keyword, name) {
            ("table" | "tighten" | "examples", "action") => Content::Action,
            ("examples", "row") => Content::Expected,
            ("table" | "tighten" | "examples", _) => Content::Left,
            _ => Content::Output,
        };
        (ColumnKind::Output, content)
    }

    /// What the header as a whole lacks.
    fn finish(&mut self, outputs: &[Word], len: usize) {
        self.header.usable = true;
        if self.arrow.is_some() {
            self.unread.drain(..).for_each(|finding| self.sink.push(finding));
            let n_outputs = self.header.columns.iter().filter(|c| c.kind == ColumnKind::Output).count();
            // An output that cannot be read has its own finding.
            self.header.usable = n_outputs > 0 || self.header.damaged;
            return;
        }
        if self.output_unread {
            self.unread.drain(..).for_each(|finding| self.sink.push(finding));
            self.header.usable = false;
            return;
        }
        let is_output = |c: &Column| match self.keyword {
            "table" | "tighten" | "examples" => &*c.name.text == "action",
            _ => outputs.iter().any(|o| o.text == c.name.text),
        };
        let wanted = match (self.keyword, outputs.first()) {
            ("table" | "tighten" | "examples", _) => "action".to_string(),
            (_, Some(first)) => first.text.to_string(),
            (_, None) => "NAME".to_string(),
        };
        let message = "no column of this header is marked as the output";
        let help = format!("the first row names the columns; write `=> {wanted}` in the header of what a row says");
        let first = self.header.columns.iter().position(is_output);
        let Some(first) = first.filter(|_| !self.header.damaged) else {
            self.header.usable = false;
            self.sink.push(findings::header(self.at.span(0, len), message, help));
            return;
        };
        let span = self.header.columns[first].name.span;
        let before = crate::text::Span { end: span.start, ..span };
        self.sink.push(findings::header(span, message, help).fix("write `=>`", true, before, "=> "));
        // The table is read on as it was meant.
        self.arrow = Some((0, 0));
        for i in first..self.header.columns.len() {
            let (kind, content) = self.kind(&self.header.columns[i].name.text);
            self.header.columns[i].kind = kind;
            self.header.contents[i] = content;
        }
    }
}

/// What is wrong with a header cell.
fn mistake(text: &str, i: usize) -> Diagnostic {
    let all = tokens(text);
    let whole = super::place::local(0, text.len());
    match all.as_slice() {
        [] => findings::header(whole, format!("column {} has no name", i + 1), "write the fact that it tests"),
        [arrow] if arrow.is("=>") => findings::header(whole, "`=>` names no output", "write `=> action`"),
        [.., arrow] if arrow.is("=>") || arrow.is("->") => {
            findings::header(whole, "`=>` stands before the name of the output", "write `=> action`")
        }
        [sign, ..] if sign.kind == Kind::Sign && !sign.is("=>") && sign.text != "*" => {
            let help = "an output is marked by `=>`, other columns have a name alone";
            findings::header(whole, format!("`{}` cannot stand in a header", sign.text), help)
        }
        [word, sign, ..] if word.kind == Kind::Word && sign.kind == Kind::Sign => {
            let help = "a header names the fact; its tests stand in the cells below";
            findings::header(whole, format!("`{text}` is no column"), help)
        }
        _ => {
            let help = "a column is named by the fact that it tests: letters, digits, `_`, `-` and `.`";
            findings::no_plain_name(whole, format!("`{text}` is no plain name"), help)
        }
    }
}
