//! The findings as annotations of a pull request: GitHub's workflow commands, one line a finding.

use std::fmt::Write;

use crate::cli::report::{Finding, Report};
use crate::diag::Severity;

/// One `::error …` line for each finding.
pub(in crate::cli) fn render(report: &Report) -> String {
    report.findings.iter().fold(String::new(), |mut text, finding| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", command(finding));
        text
    })
}

fn command(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut message = finding.message.clone();
    if let Some(place) = finding.place().filter(|p| !p.text.is_empty()) {
        message = format!("{message}\n{}", place.text);
    }
    if let Some(help) = &finding.help {
        message = format!("{message}\nhelp: {help}");
    }
    let title = format!("{}: {}", finding.code.id, finding.code.title);
    let at = finding.place().map(|place| {
        let mut at = format!("file={},line={},endLine={}", property(&place.file), place.from.line, place.to.line);
        if place.from.line == place.to.line {
            let last = place.to.column.saturating_sub(1).max(place.from.column);
            at = format!("{at},col={},endColumn={last}", place.from.column);
        }
        at
    });
    format!("::{level} {},title={}::{}", at.unwrap_or_default(), property(&title), data(&message))
}

/// A message: what would end the line is written by its number.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: what would end it, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_command() {
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(data("50%\nno"), "50%25%0Ano");
    }
}
