//! A run for people: each case that fails with expected against found and the whole way of its decision, then a line for
//! each policy.

use std::fmt::Write;

use super::gather::{Asked, Suite};
use super::report::{Failure, Report};
use crate::cli::out::{n, visible};

pub(super) fn render(report: &Report<'_>) -> String {
    let mut text = String::new();
    for (suite, outcomes) in &report.suites {
        let cases = suite.cases.iter().zip(outcomes);
        for (asked, failure) in cases.filter_map(|(asked, failure)| Some((asked, failure.as_ref()?))) {
            failed(&mut text, asked, failure);
        }
    }
    for (suite, coverage) in report.covered() {
        super::coverage::table(&mut text, suite, coverage);
    }
    for (suite, outcomes) in &report.suites {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{}: {}", suite.file, verdict(suite, outcomes));
    }
    visible(&text)
}

fn failed(text: &mut String, asked: &Asked, failure: &Failure) {
    let place = asked.case.place();
    let _ = writeln!(text, "FAILED {}\n  at {}:{place}", asked.case.title(), asked.file);
    for miss in &failure.misses {
        let _ = writeln!(text, "  {miss}");
    }
    text.push('\n');
    for line in failure.why.trim_end().lines() {
        let _ = writeln!(text, "{}", format!("  | {line}").trim_end());
    }
    let _ = writeln!(text, "  try: {}\n", failure.call);
}

fn verdict(suite: &Suite, outcomes: &[Option<Failure>]) -> String {
    let (cases, failed) = (outcomes.len(), outcomes.iter().flatten().count());
    if suite.policy.is_err() {
        return "it has errors, and was not tested".into();
    }
    if suite.is_bare() {
        let stem = suite.file.trim_end_matches(".md").trim_end_matches(".nisi");
        return format!("no examples and no cases; write a table `examples`, or `{stem}.cases.yaml` beside it");
    }
    let mut told = match (cases, failed) {
        (0, _) => "no case was run".to_string(),
        (1, 0) => "1 case holds".to_string(),
        (_, 0) => format!("{cases} cases hold"),
        _ => format!("{failed} of {} {}", n(cases, "case", "cases"), if failed == 1 { "fails" } else { "fail" }),
    };
    if !suite.errors.is_empty() {
        let _ = write!(told, ", {}", n(suite.errors.len(), "error", "errors"));
    }
    told
}
