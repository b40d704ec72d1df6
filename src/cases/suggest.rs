//! Missing cases as a case file: each expects what the policy decides today.
//!
//! Whoever takes them over looks whether that is what he wants; from then on a change of it is seen.

use std::collections::HashSet;
use std::fmt::Write;

use crate::decide::{Decision, Policy};
use crate::words::Verb;

use super::compare::refusals;
use super::coverage::Suggested;

/// Writes cases as YAML, ready to stand beside the policy: facts, refused verbs, and the action, the way, the wait and the
/// refusals that the policy gives.
///
/// ```
/// let policy = nisi::Policy::compile("policy a\nversion 1\nfact n : count\ntable t, first row wins\n\
///     | row  | n    | => action   |\n| many | >= 5 | review desk |\n| rest | -    | stop        |\n")?;
/// let found = nisi::cases::coverage(&policy, &[], None, nisi::cases::COVERAGE_STEPS);
/// let text = nisi::cases::write_cases(&policy, &found.suggested);
/// let file = nisi::cases::read_cases(&policy, &text);
/// assert!(file.errors.is_empty() && file.cases.iter().all(|case| case.check(&policy).holds()));
/// assert!(nisi::cases::coverage(&policy, &file.cases, None, nisi::cases::COVERAGE_STEPS).missed.is_empty());
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn write_cases(policy: &Policy, suggested: &[Suggested]) -> String {
    let mut text = String::from("cases:\n");
    let mut names = HashSet::new();
    for case in suggested {
        let Ok(refused) = policy.refuse(case.refuse.iter().map(String::as_str)) else { continue };
        let decision = policy.decide_with(&case.facts, &refused);
        let mut name = case.name.clone();
        let mut n = 1;
        while !names.insert(name.clone()) {
            n += 1;
            name = format!("{} ({n})", case.name);
        }
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  - name: {}", scalar(&name));
        let facts: Vec<String> =
            case.facts.known().map(|(fact, value)| format!("{fact}: {}", scalar(&value.as_given()))).collect();
        if !facts.is_empty() {
            let _ = writeln!(text, "    facts: {{ {} }}", facts.join(", "));
        }
        if !case.refuse.is_empty() {
            let verbs: Vec<String> = case.refuse.iter().map(|verb| scalar(verb)).collect();
            let _ = writeln!(text, "    refuse: [{}]", verbs.join(", "));
        }
        expect(&mut text, &decision);
    }
    text
}

fn expect(text: &mut String, decision: &Decision<'_>) {
    let path: Vec<String> = decision.path().map(|row| scalar(&row.to_string())).collect();
    let _ = writeln!(text, "    expect:\n      action: {}", scalar(&decision.to_string()));
    let _ = writeln!(text, "      path: [{}]", path.join(", "));
    if let Some(bounds) = decision.wait_bounds_ms() {
        let _ = writeln!(text, "      wait: {}", super::compare::bounds(bounds));
    }
    let refused = refusals(decision);
    if !refused.is_empty() {
        let verbs = Verb::ALL.into_iter().filter_map(|verb| {
            let by: Vec<String> = refused.iter().filter(|(v, _)| *v == verb).map(|(_, by)| scalar(by)).collect();
            (!by.is_empty()).then(|| format!("{verb}: [{}]", by.join(", ")))
        });
        let _ = writeln!(text, "      refused: {{ {} }}", verbs.collect::<Vec<_>>().join(", "));
    }
}

/// A scalar as YAML reads it back, in a list or a map too: bare where it is a plain word or number, else in double quotes.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ' | ';' | '+');
    let is_negative = text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let begins = is_negative || text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let nothing = matches!(text, "null" | "Null" | "NULL");
    if begins && text.chars().all(plain) && !text.ends_with(' ') && !nothing {
        return text.to_string();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // Writing to a string cannot fail.
            c if c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}') => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
