//! The findings as a test report in the XML of `JUnit`: a suite for each file, in it one case for the file itself, one for
//! each of its examples, and one for each finding. What could not be read is an error in a suite of its own.

use std::fmt::Write;

use crate::cli::out::Trouble;
use crate::cli::report::{Checked, Finding, Report};
use crate::diag::Severity;

/// The whole report. With `deny_warnings`, warnings fail as well.
pub(in crate::cli) fn render(report: &Report, deny_warnings: bool) -> String {
    let fails = |f: &Finding| f.severity == Severity::Error || deny_warnings && f.severity == Severity::Warning;
    let suites: Vec<Suite> = report.files.iter().map(|file| suite(report, file, &fails)).collect();
    let errors = report.troubles.len();
    let total = suites.iter().map(|s| s.n_cases).sum::<usize>() + errors;
    let failed: usize = suites.iter().map(|s| s.n_failures).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, here and below.
    let _ =
        writeln!(text, "<testsuites name=\"nisi check\" tests=\"{total}\" failures=\"{failed}\" errors=\"{errors}\">");
    text.push_str(&unread(&report.troubles));
    for suite in suites {
        text.push_str(&suite.text);
    }
    text.push_str("</testsuites>\n");
    text
}

struct Suite {
    text: String,
    n_cases: usize,
    n_failures: usize,
}

fn suite(report: &Report, file: &Checked, fails: &impl Fn(&Finding) -> bool) -> Suite {
    let findings: Vec<&Finding> = report.findings.iter().filter(|f| f.checked == file.name).collect();
    let mut cases = String::new();
    let (mut n_cases, mut n_failures) = (0, 0);
    let name = escape(&file.name);
    if !findings.iter().any(|f| fails(f)) {
        n_cases += 1;
        let _ = writeln!(cases, "    <testcase classname=\"{name}\" name=\"check\"/>");
    }
    for (example, _) in file.examples.iter().filter(|(_, holds)| *holds) {
        n_cases += 1;
        let _ = writeln!(cases, "    <testcase classname=\"{name}\" name=\"{}\"/>", escape(example));
    }
    for finding in findings {
        n_cases += 1;
        let at = finding.place().map_or(String::new(), |p| format!("{}:{}:{}", p.file, p.from.line, p.from.column));
        let title = escape(&format!("{} {at}", finding.code.id));
        let body = escape(&format!("{at}: {}", finding.words()));
        let _ = writeln!(cases, "    <testcase classname=\"{name}\" name=\"{title}\">");
        if fails(finding) {
            n_failures += 1;
            let (kind, message) = (finding.severity.as_str(), escape(&finding.message));
            let _ = writeln!(cases, "      <failure type=\"{kind}\" message=\"{message}\">{body}</failure>");
        } else {
            let _ = writeln!(cases, "      <system-out>{body}</system-out>");
        }
        cases.push_str("    </testcase>\n");
    }
    let head = format!("  <testsuite name=\"{name}\" tests=\"{n_cases}\" failures=\"{n_failures}\" errors=\"0\">\n");
    Suite { text: format!("{head}{cases}  </testsuite>\n"), n_cases, n_failures }
}

/// The suite of what could not be read or asked; nothing where all could.
pub(in crate::cli) fn unread(troubles: &[Trouble]) -> String {
    let Some(n) = Some(troubles.len()).filter(|n| *n > 0) else { return String::new() };
    let mut text = format!("  <testsuite name=\"nisi\" tests=\"{n}\" failures=\"0\" errors=\"{n}\">\n");
    for trouble in troubles {
        let (message, body) = (escape(&trouble.message), escape(&trouble.words()));
        let _ = writeln!(text, "    <testcase classname=\"nisi\" name=\"{message}\">");
        let _ = writeln!(text, "      <error type=\"unread\" message=\"{message}\">{body}</error>\n    </testcase>");
    }
    text + "  </testsuite>\n"
}

/// A text inside XML 1.0; characters that XML cannot hold are shown by a sign.
pub(in crate::cli) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_breaks_the_xml() {
        assert_eq!(super::escape("<a & \"b\">\u{1b}\n"), "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}&#10;");
    }
}
