//! The findings for people: each with its lines, labels, help, mends and a call that shows it.
//!
//! miette draws the lines. A finding whose labels lie in several files is drawn file by file, its own first; help
//! comes last. What a finding proves it with is one line that can be pasted into a shell.

use std::fmt::{self, Write};
use std::rc::Rc;

use miette::{LabeledSpan, MietteHandler, MietteHandlerOpts, ReportHandler, Severity as Shade};

use super::snippet::Snippet;
use crate::cli::out::{Look, visible};
use crate::cli::report::{Finding, Mend, Place, Report};
use crate::diag::Severity;

/// Lines longer than this are told of, not drawn.
const LONGEST_LINE: usize = 2_000;

/// All findings, a blank line between two.
pub(in crate::cli) fn render(report: &Report, look: Look) -> String {
    let mut painter = Painter::new(report, look);
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&painter.finding(finding));
        text.push('\n');
    }
    text
}

struct Painter<'a> {
    report: &'a Report,
    handler: MietteHandler,
    drawn: Option<(Rc<str>, Rc<Snippet>)>,
}

impl<'a> Painter<'a> {
    fn new(report: &'a Report, look: Look) -> Self {
        let options = MietteHandlerOpts::new().color(look.color).width(look.columns);
        let options = options.terminal_links(false).context_lines(1);
        Painter { report, handler: options.build(), drawn: None }
    }

    fn finding(&mut self, finding: &Finding) -> String {
        let parts = parts(&finding.places);
        let mut text = String::new();
        for (i, places) in parts.iter().enumerate() {
            let Some(file) = places.first().map(|p| &p.file) else { continue };
            text.push_str(&self.part(finding, file, places, i == 0, i + 1 == parts.len()));
        }
        for mend in &finding.mends {
            text.push_str(&suggestion(mend));
        }
        if let Some(call) = finding.call() {
            let _ = writeln!(text, "  try: {}", visible(&call));
        }
        text
    }

    /// The labels of one file; the first part has the message, the last one the help.
    fn part(&mut self, finding: &Finding, file: &Rc<str>, places: &[&Place], first: bool, last: bool) -> String {
        let snippet = self.snippet(file);
        let drawn = snippet.as_ref().filter(|s| places.iter().all(|p| fits(s, p))).cloned();
        let mut message = if first { visible(&finding.message) } else { "and here".to_string() };
        if drawn.is_none() {
            for place in places {
                let note = if place.text.is_empty() { String::new() } else { format!(": {}", place.text) };
                let at = format!("\n{}:{}:{}{note}", place.file, place.from.line, place.from.column);
                message.push_str(&visible(&at));
            }
        }
        let labels = drawn.as_ref().map(|s| places.iter().map(|p| label(s, p)).collect()).unwrap_or_default();
        let part = Part {
            head: first.then(|| format!("{}[{}]", finding.severity.as_str(), finding.code.id)),
            shade: match finding.severity {
                _ if !first => Shade::Advice,
                Severity::Error => Shade::Error,
                Severity::Warning => Shade::Warning,
                Severity::Note => Shade::Advice,
            },
            message,
            help: finding.help.as_deref().filter(|_| last).map(visible),
            labels,
            snippet: drawn,
        };
        Drawn(&self.handler, &part).to_string()
    }

    fn snippet(&mut self, file: &Rc<str>) -> Option<Rc<Snippet>> {
        if let Some((name, snippet)) = &self.drawn
            && name == file
        {
            return Some(snippet.clone());
        }
        let snippet = Rc::new(Snippet::new(self.report.texts.get(file)?));
        self.drawn = Some((file.clone(), snippet.clone()));
        Some(snippet)
    }
}

/// The places that are drawn together: those of the finding's own file first, and among them its own place; what lies
/// well above it would take its head, and is drawn by itself.
fn parts(places: &[Place]) -> Vec<Vec<&Place>> {
    let mut files: Vec<&Rc<str>> = Vec::new();
    for place in places {
        if !files.contains(&&place.file) {
            files.push(&place.file);
        }
    }
    let own = places.iter().find(|p| p.primary).or(places.first());
    let above = |p: &Place| own.is_some_and(|own| own.file == p.file && p.to.line + 3 <= own.from.line);
    let mut parts = Vec::new();
    if let Some(own) = own {
        files.retain(|file| **file != own.file);
        files.insert(0, &own.file);
    }
    for file in files {
        let (far, near): (Vec<&Place>, Vec<&Place>) = places.iter().filter(|p| p.file == *file).partition(|p| above(p));
        parts.extend([near, far].into_iter().filter(|part| !part.is_empty()));
    }
    parts
}

/// Whether the lines of a place can be drawn.
fn fits(snippet: &Snippet, place: &Place) -> bool {
    snippet.longest_line(place.bytes.0, place.bytes.1) <= LONGEST_LINE
}

fn label(snippet: &Snippet, place: &Place) -> LabeledSpan {
    // What stands at the end of the file is shown at the end of its last line.
    let start = snippet.floor(place.bytes.0).min(snippet.last_line_end());
    let end = snippet.floor(place.bytes.1.min(snippet.len())).max(start);
    let text = (!place.text.is_empty()).then(|| visible(&place.text));
    let span = (start, end - start);
    if place.primary { LabeledSpan::new_primary_with_span(text, span) } else { LabeledSpan::new_with_span(text, span) }
}

/// How a mend is offered: in its title's line where it is short, below it where it takes lines.
fn suggestion(mend: &Mend) -> String {
    let title = visible(&mend.title);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match mend.edits.as_slice() {
        [(_, new)] if !new.is_empty() && !new.trim().contains('\n') && title.contains(new.trim()) => {
            writeln!(text, "  fix: {title}")
        }
        [(_, new)] if !new.trim().is_empty() && !new.trim().contains('\n') => {
            writeln!(text, "  fix: {title}: `{}`", visible(new.trim()))
        }
        [(_, new)] if new.trim().contains('\n') => {
            let lines = visible(new.replace("\r\n", "\n").trim_matches('\n')).replace('\n', "\n    ");
            writeln!(text, "  fix: {title}\n    {lines}")
        }
        _ => writeln!(text, "  fix: {title}"),
    };
    text
}

/// What miette draws at once: the labels of one file.
struct Part {
    head: Option<String>,
    shade: Shade,
    message: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    snippet: Option<Rc<Snippet>>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Part {}

impl miette::Diagnostic for Part {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.head.as_ref().map(|head| Box::new(head) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<Shade> {
        Some(self.shade)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.snippet.as_deref().map(|s| s as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// A part as its handler draws it.
struct Drawn<'a>(&'a MietteHandler, &'a Part);

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(self.1, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{self, Diagnostic, Diagnostics, Witness, WitnessValue};
    use crate::text::{Source, SourceMap, Span};

    /// Draws one finding over the given files, its labels given as the pieces of text that they stand at.
    fn drawn(
        files: &[(&str, &str)],
        labels: &[(usize, &str, &str)],
        change: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> String {
        let mut sources = SourceMap::default();
        let ids: Vec<_> = files.iter().map(|(name, text)| sources.add(Source::new(*name, *text))).collect();
        let mut item = Diagnostic::new(diag::N0203, "`effect` is taken").help("choose another name");
        for (i, (file, piece, text)) in labels.iter().enumerate() {
            let start = files[*file].1.find(piece).unwrap_or_else(|| panic!("no `{piece}`"));
            let span = Span::new(ids[*file], start, start + piece.len());
            item = if i == 0 { item.at(span, *text) } else { item.and(span, *text) };
        }
        let mut report = Report::default();
        let name = report.begin(files[0].0);
        report.add(&name, &Diagnostics { items: vec![change(item)], sources });
        render(&report, Look { color: false, columns: Look::COLUMNS })
    }

    /// How far, in columns of a terminal, the first underline stands from the gutter.
    fn underline(text: &str) -> Option<usize> {
        let line = text.lines().find(|l| l.contains('┬') || l.contains('─') && l.contains('·'))?;
        let after = line.split('·').nth(1)?;
        Some(after.chars().skip(1).take_while(|c| *c == ' ').count())
    }

    #[test]
    fn two_files_are_drawn_the_findings_own_first_and_help_comes_last() {
        let files = [("b.nisi", "fact effect : a, b\n"), ("a.nisi", "# first\nfact effect : c\n")];
        let text = drawn(&files, &[(0, "effect", "taken"), (1, "effect", "declared here")], |d| d);
        let at = |piece: &str| text.find(piece).unwrap_or_else(|| panic!("{piece}: {text}"));
        assert!(at("error[N0203]") < at("b.nisi:1:6") && at("b.nisi:1:6") < at("a.nisi:2:6"));
        assert!(at("declared here") < at("help: choose another name"));
    }

    #[test]
    fn underlines_stand_below_their_words() {
        for (text, before) in [("| 発注 | bad |\n", 9), ("| \u{633}\u{641}\u{627} | bad |\n", 8), ("|\tx | bad |\n", 8)]
        {
            let text = drawn(&[("a.nisi", text)], &[(0, "bad", "here")], |d| d);
            assert_eq!(underline(&text), Some(before), "{text}");
        }
    }

    #[test]
    fn labels_over_several_lines_at_the_end_and_of_nothing_are_drawn() {
        let files = [("a.nisi", "table t\n| a |\n| b |\nrule r\n")];
        let text = drawn(&files, &[(0, "| a |\n| b |", "these rows"), (0, "rule", "this rule")], |d| d);
        assert!(text.contains("these rows") && text.contains("this rule"), "{text}");
        let end = |d: Diagnostic| d.and(Span { start: 27, end: 27, ..Span::default() }, "the end");
        let text = drawn(&files, &[(0, "rule", "this rule")], end);
        assert!(text.contains("the end"), "{text}");
        assert!(drawn(&[("a.nisi", "")], &[(0, "", "nothing")], |d| d).contains("a.nisi:1:1"));
    }

    #[test]
    fn a_very_long_line_is_told_of() {
        let line = format!("{}effect\n", "x".repeat(50_000));
        let text = drawn(&[("a.nisi", &line)], &[(0, "effect", "taken")], |d| d);
        assert!(text.contains("a.nisi:1:50001: taken") && text.len() < 1_000, "{text}");
    }

    #[test]
    fn mends_and_proofs_can_be_pasted() {
        let text = drawn(&[("a b.nisi", "fact effect : a\n")], &[(0, "effect", "")], |d| {
            let span = d.span();
            let facts = vec![("desk".to_string(), WitnessValue::Text("14 days".into()))];
            d.fix("write `effects`", true, span, "effects")
                .fix("add the missing row", false, span.after(), "| a |\n| b |\n")
                .witness(Witness { facts, refuse: vec!["failover to equivalent".into()] })
        });
        assert!(text.contains("  fix: write `effects`\n"), "{text}");
        assert!(text.contains("  fix: add the missing row\n    | a |\n    | b |\n"), "{text}");
        let call = "  try: nisi eval 'a b.nisi' --set 'desk=14 days' --refuse 'failover to equivalent'\n";
        assert!(text.contains(call), "{text}");
    }
}
