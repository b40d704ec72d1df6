//! A run as one JSON object.

use serde_json::{Value as Json, json};

use super::gather::{Asked, Suite};
use super::report::{Failure, Report};

pub(super) fn render(report: &Report<'_>) -> String {
    let policies: Vec<Json> = report.suites.iter().map(|(suite, outcomes)| policy(suite, outcomes)).collect();
    let (cases, failed) = (report.n_cases(), report.n_failed());
    let summary = json!({
        "policies": report.suites.iter().filter(|(suite, _)| suite.policy.is_ok()).count(),
        "examples_tables": report.suites.iter().map(|(suite, _)| suite.n_examples).sum::<usize>(),
        "case_files": report.suites.iter().map(|(suite, _)| suite.n_files).sum::<usize>(),
        "cases": cases,
        "passed": cases - failed,
        "failed": failed,
        "errors": report.n_errors(),
        "took_ms": report.took_ms,
    });
    format!("{:#}\n", json!({ "policies": policies, "summary": summary }))
}

fn policy(suite: &Suite, outcomes: &[Option<Failure>]) -> Json {
    let cases: Vec<Json> =
        suite.cases.iter().zip(outcomes).map(|(asked, failure)| case(asked, failure.as_ref())).collect();
    let errors: Vec<Json> = suite
        .errors
        .iter()
        .map(|(file, error)| {
            let (line, column) = (error.place.line, error.place.column);
            json!({ "file": **file, "line": line, "column": column, "case": error.case, "key": error.key,
                    "message": error.message, "help": error.help })
        })
        .collect();
    let mut out = json!({ "file": *suite.file, "cases": cases, "errors": errors });
    match &suite.policy {
        Ok(policy) => {
            out["policy"] = policy.name().into();
            out["version"] = policy.version().into();
            out["digest"] = policy.digest().into();
        }
        Err(found) => out["findings"] = found.to_string().into(),
    }
    out
}

fn case(asked: &Asked, failure: Option<&Failure>) -> Json {
    let place = asked.case.place();
    let mut out = json!({
        "name": asked.case.title(), "file": *asked.file, "line": place.line, "column": place.column,
        "passed": failure.is_none(),
    });
    if let Some(failure) = failure {
        let miss =
            |miss: &crate::cases::Miss| json!({ "what": miss.what, "expected": miss.expected, "found": miss.found });
        out["misses"] = failure.misses.iter().map(miss).collect();
        out["facts"] = asked.case.facts().to_json();
        out["refuse"] = asked.case.refused().into();
        out["decision"] = failure.decision.clone().unwrap_or_default();
        out["why"] = failure.why.as_str().into();
    }
    out
}
