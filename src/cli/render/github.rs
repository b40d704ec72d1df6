//! The findings as annotations of a pull request: GitHub's workflow commands, one line a finding.

use std::fmt::Write;

use crate::cli::out::visible;
use crate::cli::report::{Finding, Report};
use crate::diag::Severity;

/// One `::error …` line for each finding, and for each thing that could not be read.
pub(in crate::cli) fn render(report: &Report) -> String {
    let troubles = report.troubles.iter().map(|trouble| format!("::error::{}", data(&trouble.words())));
    // Writing to a string cannot fail.
    troubles.chain(report.findings.iter().map(command)).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

fn command(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = format!("{}: {}", finding.code.id, finding.code.title);
    let at = finding.place().map(|place| {
        let mut at = format!("file={},line={},endLine={}", property(&place.file), place.from.line, place.to.line);
        if place.from.line == place.to.line {
            let last = place.to.column.saturating_sub(1).max(place.from.column);
            at = format!("{at},col={},endColumn={last}", place.from.column);
        }
        at
    });
    let properties = at.into_iter().chain([format!("title={}", property(&title))]).collect::<Vec<_>>().join(",");
    format!("::{level} {properties}::{}", data(&finding.words()))
}

/// A message: what would end the line is written by its number. A log shows it on a terminal, so nothing in it steers one.
fn data(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    visible(&text).replace('%', "%25").replace('\n', "%0A")
}

/// A property: what would end it, too. The file's name is told as it is.
fn property(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A").replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_command() {
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(data("50%\nno\r\n\u{1b}[31m"), "50%25%0Ano%0A?[31m");
    }
}
