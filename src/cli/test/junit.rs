//! A run as a test report in XML: each policy a suite, each case a test; what fails carries the whole way of its decision, what cannot
//! be asked is an error.

use std::fmt::Write;

use super::gather::{Asked, Suite};
use super::report::{Failure, Report};
use crate::cli::render::junit::{escape, unread};

pub(super) fn render(report: &Report<'_>) -> String {
    let suites: Vec<Tests> = report.suites.iter().map(|(suite, outcomes)| tests(suite, outcomes)).collect();
    let sum = |of: fn(&Tests) -> usize| suites.iter().map(of).sum::<usize>();
    let n_unread = report.troubles.len();
    let (n, failures, errors) = (sum(|t| t.n) + n_unread, sum(|t| t.failures), sum(|t| t.errors) + n_unread);
    let seconds = format!("{}.{:03}", report.took_ms / 1000, report.took_ms % 1000);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "<testsuites name=\"nisi test\" tests=\"{n}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds}\">"
    );
    text.push_str(&unread(&report.troubles));
    for (tests, (suite, _)) in suites.iter().zip(&report.suites) {
        let Tests { text: cases, n, failures, errors } = tests;
        let name = escape(&suite.file);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{n}\" failures=\"{failures}\" errors=\"{errors}\">\n{cases}  </testsuite>"
        );
    }
    text.push_str("</testsuites>\n");
    text
}

/// The tests of one suite.
#[derive(Default)]
struct Tests {
    text: String,
    n: usize,
    failures: usize,
    errors: usize,
}

fn tests(suite: &Suite, outcomes: &[Option<Failure>]) -> Tests {
    let mut tests = Tests::default();
    match &suite.policy {
        Err(found) => tests.fault("error", &suite.file, "policy", "the policy has errors", &found.to_string()),
        Ok(_) if suite.is_bare() => tests.fault("failure", &suite.file, "cases", "no examples and no cases", ""),
        Ok(_) => {}
    }
    for (asked, failure) in suite.cases.iter().zip(outcomes) {
        tests.case(asked, failure.as_ref());
    }
    for (file, error) in &suite.errors {
        let name = error.case.as_deref().unwrap_or("cases");
        tests.fault("error", file, name, &error.message, &format!("{file}:{error}"));
    }
    tests
}

impl Tests {
    fn case(&mut self, asked: &Asked, failure: Option<&Failure>) {
        let Some(failure) = failure else {
            self.n += 1;
            let (file, name) = (escape(&asked.file), escape(asked.case.title()));
            let _ = writeln!(self.text, "    <testcase classname=\"{file}\" name=\"{name}\"/>");
            return;
        };
        let message: Vec<String> = failure.misses.iter().map(ToString::to_string).collect();
        let place = format!("{}:{}", asked.file, asked.case.place());
        let body = format!("{place}\n{}\n{}", failure.why, failure.call);
        self.fault("failure", &asked.file, asked.case.title(), &message.join("; "), &body);
    }

    fn fault(&mut self, kind: &str, class: &str, name: &str, message: &str, body: &str) {
        self.n += 1;
        *(if kind == "error" { &mut self.errors } else { &mut self.failures }) += 1;
        let (class, name, message, body) = (escape(class), escape(name), escape(message), escape(body));
        let _ = writeln!(
            self.text,
            "    <testcase classname=\"{class}\" name=\"{name}\">\n      <{kind} message=\"{message}\">{body}</{kind}>\n    </testcase>"
        );
    }
}
