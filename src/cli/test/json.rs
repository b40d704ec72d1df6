//! A run as one JSON object.

use serde_json::{Value as Json, json};

use super::gather::{Asked, Suite};
use super::report::{Failure, Report};
use crate::cases::{Count, Coverage, Missed, RowCoverage};

pub(super) fn render(report: &Report<'_>) -> String {
    let mut policies: Vec<Json> = report.suites.iter().map(|(suite, outcomes)| policy(suite, outcomes)).collect();
    for (policy, coverage) in policies.iter_mut().zip(report.suites.iter().zip(&report.coverage)) {
        let ((suite, _), Some(coverage)) = coverage else { continue };
        policy["coverage"] = covered(suite, coverage);
    }
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
    let mut out = json!({ "policies": policies, "summary": summary });
    if let Some(unread) = report.unread() {
        out["unread"] = unread;
    }
    format!("{out:#}\n")
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

fn covered(suite: &Suite, coverage: &Coverage) -> Json {
    let count = |count: Count| json!({ "shown": count.shown, "total": count.total });
    let line = |span: crate::text::Span| suite.source.position(span.start as usize).line;
    let row = |row: &RowCoverage| json!({ "row": row.row, "line": line(row.span), "cases": row.n_cases, "shown": row.shown.shown, "total": row.shown.total });
    let missed = |missed: &Missed| {
        let case = missed.suggested.and_then(|place| coverage.suggested.get(place));
        json!({ "kind": missed.kind, "row": missed.row, "line": line(missed.span), "what": missed.what,
                "facts": case.map(|case| case.facts.to_json()), "refuse": case.map(|case| case.refuse.clone()) })
    };
    json!({
        "percent": coverage.all().percent(),
        "rows": count(coverage.rows), "cells": count(coverage.cells),
        "guards": count(coverage.guards), "ways": count(coverage.ways), "never": coverage.n_never,
        "by_row": coverage.by_row.iter().map(row).collect::<Vec<_>>(),
        "missed": coverage.missed.iter().map(missed).collect::<Vec<_>>(),
    })
}
