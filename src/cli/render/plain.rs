//! The findings one a line, as compilers tell them: for `grep`, and for editors that read such lines.
//!
//! `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`, and behind it the help, if any. No line holds anything else.

use std::fmt::Write;

use crate::cli::out::visible;
use crate::cli::report::{Finding, Report};

/// One line for each finding; nothing where there is none.
pub(in crate::cli) fn render(report: &Report) -> String {
    report.findings.iter().fold(String::new(), |mut text, finding| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", visible(&line(finding)).replace(['\n', '\t'], " "));
        text
    })
}

fn line(finding: &Finding) -> String {
    let at = finding.place().map_or_else(
        || finding.checked.to_string(),
        |place| format!("{}:{}:{}", place.file, place.from.line, place.from.column),
    );
    let help = finding.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    format!("{at}: {}[{}]: {}{help}", finding.severity.as_str(), finding.code.id, finding.message)
}
