//! Whether a line of a table fits its header, and what is said where it does not.
//!
//! One mistake is one finding: where no row fits, the header is at fault; a row over two lines is one row; the line
//! `|---|` stays that line when something else stands in it.

use super::findings::{self, Sink};
use super::header::Header;
use super::place::At;
use super::split::{Split, split};
use crate::diag::Diagnostic;
use crate::text::Span;

/// What is known of the lines so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// Lines that do not fit: how many cells they have, and the finding.
    pub(super) misfits: Vec<(usize, Diagnostic)>,
    /// Whether some line fits.
    some_fit: bool,
}

impl Shapes {
    /// The line `|---|`.
    pub(super) fn dashes(&mut self, i: usize, n: usize, wanted: usize, span: Span, sink: &mut Sink) {
        if i > 1 {
            let help = "remove it: `|---|` stands once, right below the header";
            sink.push(findings::header(span, "this line stands between rows", help));
        } else if n != wanted {
            let message = format!("this line has {n} cells, and the header has {wanted}");
            let help = "write one `---` for each column, or leave the line out";
            self.misfits.push((n, findings::row(span, message, help)));
        }
    }

    /// Whether the row has as many cells as the header; says so where it has not.
    pub(super) fn fits(
        &mut self,
        text: &str,
        line: &mut Split,
        header: &Header,
        at: At<'_>,
        head: Span,
        sink: &mut Sink,
    ) -> bool {
        let wanted = header.contents.len();
        if !text.starts_with('|') {
            let finding = findings::row(
                at.span(0, text.len()),
                "this row does not begin with a bar",
                "write `|` before its first cell",
            );
            self.misfits.push((0, finding.fix("write the bar", true, at.span(0, 0), "| ")));
            return false;
        }
        if let Some((start, end)) = line.tail {
            if line.cells.len() < wanted {
                line.cells.push((start, end));
                if line.cells.len() == wanted {
                    let finding =
                        findings::row(at.span(start, end), "this row is not closed", "write `|` behind its last cell");
                    sink.push(finding.fix("write the bar", true, at.span(end, end), " |"));
                }
            } else if line.cells.len() == wanted {
                let help = "behind the last bar only a comment may stand: `# text`";
                sink.push(findings::row(at.span(start, end), "text stands behind the last bar", help));
            }
        }
        let given = line.cells.len();
        if given == wanted {
            self.some_fit = true;
            return true;
        }
        if given > wanted && text.contains('"') {
            let mut other = Split::default();
            split(text, true, &mut other);
            if other.cells.len() == wanted && other.tail.is_none() {
                self.some_fit = true;
                bar_in_text(text, &other, at, sink);
                *line = other;
                return true;
            }
        }
        self.misfits.push((given, misfit(text, line, header, at, head)));
        false
    }

    /// Whether a line that is too short is a whole row together with the next one.
    pub(super) fn goes_on(text: &str, next: &str, wanted: usize) -> bool {
        let mut line = Split::default();
        let fits = |line: &Split| line.cells.len() == wanted && line.tail.is_none();
        split(next, false, &mut line);
        if !text.starts_with('|') || next.starts_with('|') && fits(&line) {
            return false;
        }
        split(&format!("{text} {next}"), false, &mut line);
        fits(&line)
    }

    /// Says what does not fit; where nothing fits in the same way, it is the header.
    pub(super) fn tell(&mut self, head: Span, header: &Header, sink: &mut Sink) {
        let misfits = std::mem::take(&mut self.misfits);
        let same = misfits.first().map(|(n, _)| *n).filter(|first| misfits.iter().all(|(n, _)| n == first));
        match same.filter(|n| !self.some_fit && *n > 0) {
            Some(_) if header.damaged => {}
            Some(given) if misfits.len() > 1 => {
                let wanted = header.contents.len();
                let message = format!("the header has {wanted} columns, and every row below it has {given} cells");
                let help = "a bar too many or too few stands in the header, or a column lacks its cells";
                sink.push(findings::row(head, message, help));
            }
            _ => misfits.into_iter().for_each(|(_, finding)| sink.push(finding)),
        }
    }
}

/// Whether a header is one together with the next line: only there its output stands.
pub(super) fn header_goes_on(text: &str, next: &str) -> bool {
    !text.contains("=>") && next.contains("=>") && next.ends_with('|') && !next.contains('"')
}

/// Whether a line was meant as `|---|`: dashes are more than all else in it, and three stand together.
pub(super) fn is_broken_dashes(text: &str) -> bool {
    let dashes = text.bytes().filter(|b| *b == b'-').count();
    let others = text.chars().filter(|c| !matches!(c, '-' | '|' | ' ' | ':')).count();
    text.contains("---") && dashes > 2 * others
}

/// N0132: something else in the line `|---|`.
pub(super) fn broken_dashes(span: Span, n_columns: usize) -> Diagnostic {
    let meant = format!("|{}", "---|".repeat(n_columns));
    let help = "write one `---` for each column, or leave the line out";
    findings::header(span, "more than dashes stands in the line below the header", help).fix(
        "write dashes alone",
        true,
        span,
        meant,
    )
}

/// N0130: a row over two lines.
pub(super) fn broken_row(what: &str, span: Span, gap: Span) -> Diagnostic {
    let message = format!("{what} goes on in the next line");
    findings::row(span, message, "write it on one line, however long it is").fix("join the lines", true, gap, " ")
}

/// A bar inside a text that is not marked as one.
fn bar_in_text(text: &str, line: &Split, at: At<'_>, sink: &mut Sink) {
    let inside = |(s, e): &(usize, usize)| {
        let cell = text.get(*s..*e).unwrap_or("");
        let bar = cell.bytes().enumerate().position(|(i, b)| b == b'|' && (i == 0 || cell.as_bytes()[i - 1] != b'\\'));
        bar.map(|i| s + i)
    };
    if let Some(bar) = line.cells.iter().find_map(inside) {
        let span = at.span(bar, bar + 1);
        let finding = findings::row(span, "a bar inside a text parts cells", "write `\\|`");
        sink.push(finding.fix("write `\\|`", true, span, "\\|"));
    }
}

fn misfit(text: &str, line: &Split, header: &Header, at: At<'_>, head: Span) -> Diagnostic {
    let (given, wanted) = (line.cells.len(), header.contents.len());
    let cells = if given == 1 { "1 cell".to_string() } else { format!("{given} cells") };
    let message = format!("this row has {cells}, and the header has {wanted}");
    let end = line.cells.last().map_or(text.len(), |(_, e)| *e);
    let help = match header.names.get(given) {
        Some(name) if given < wanted => {
            let last = header.names.get(given.saturating_sub(1)).map_or("", |n| &**n);
            format!("its last cell stands under `{last}`, and `{name}` has none: write every cell, `-` for any value")
        }
        _ if text.contains("||") => "two bars side by side hold a blank cell; \"or\" is written `or`".to_string(),
        _ => "remove what is too much; a bar inside a text is written `\\|`".to_string(),
    };
    let span = if given > wanted {
        let extra = line.cells.get(wanted).copied().unwrap_or((0, end));
        at.span(extra.0, end.max(extra.0))
    } else {
        at.span(0, text.len().min(end + 2))
    };
    findings::row(span, message, help).and(head, format!("{wanted} columns"))
}
