//! Every code has a page, and every page keeps its word: its example yields the code, its mend yields no error.

use nisi::compile::Options;
use nisi::diag::{ALL, Code, Severity};
use nisi::text::Source;

use crate::support::{fences, files_beside};

/// Codes that no policy in a page can show: files that are no text, or that are larger than a page can be, and findings
/// that only the command makes, that need a day, a huge table or few steps, or that would be a fault of the program. Each
/// has a test of its own.
const NOT_ON_A_PAGE: &[&str] = &["N0190", "N0309", "N0310", "N0324", "N0399", "N0404", "N0601", "N0602"];

/// The title of each code, in order: a code that goes or changes its title shows here.
#[test]
fn the_list_of_codes_is_as_it_was() {
    let list: Vec<String> = ALL
        .iter()
        .map(|c| {
            let severity = if c.pedantic { "pedantic" } else { c.severity.as_str() };
            format!("{} {severity:8} {}", c.id, c.title)
        })
        .collect();
    insta::assert_snapshot!("codes", list.join("\n"));
}

/// Codes are in order, each once.
#[test]
fn codes_stand_in_order() {
    for pair in ALL.windows(2) {
        assert!(pair[0].id < pair[1].id, "{} stands before {}", pair[0].id, pair[1].id);
    }
}

/// The page begins with code and title, and its two fences say what they show. Further files stand in fences that name
/// them: three ticks and `nisi team/facts.nisi`.
#[test]
fn every_page_keeps_its_word() {
    let faults: Vec<String> = ALL.iter().flat_map(|code| faults_of(*code)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn faults_of(code: Code) -> Vec<String> {
    let mut faults = Vec::new();
    let heading = format!("# {}: {}", code.id, code.title);
    let first = code.page.lines().next().unwrap_or_default();
    if first != heading {
        faults.push(format!("{code}: the page begins `{first}`, not `{heading}`"));
    }
    for heading in ["## Example", "## Mend"] {
        if code.page.lines().filter(|l| *l == heading).count() != 1 {
            faults.push(format!("{code}: the page has no one `{heading}`"));
        }
    }
    if NOT_ON_A_PAGE.contains(&code.id) {
        return faults;
    }
    faults.extend(example_fault(code));
    faults.extend(mend_fault(code));
    faults
}

/// The codes that a policy yields, its failing examples included.
fn yields(code: Code, heading: &str, text: &str) -> Vec<(String, Severity, String)> {
    let pedantic = if code.pedantic { vec![code] } else { Vec::new() };
    let options = Options { today: Some("2026-08-01".into()), pedantic, ..Options::default() };
    let compiled = nisi::compile::compile(Source::new("page.nisi", text), &files_beside(code.page, heading), &options);
    let mut items = compiled.diagnostics.items;
    if let Some(policy) = &compiled.policy {
        items.extend(
            nisi::cases::run_examples(policy, &compiled.diagnostics.sources).into_iter().filter_map(|o| o.finding),
        );
    }
    items.into_iter().map(|d| (d.code.id.to_string(), d.severity, d.message)).collect()
}

fn one_fence(code: Code, heading: &str) -> Result<String, String> {
    let found = fences(code.page, heading, "nisi");
    let count = found.len();
    match found.into_iter().next() {
        Some(fence) if count == 1 => Ok(fence),
        _ => Err(format!("{code}: `{heading}` has {count} fences of nisi, not one")),
    }
}

fn example_fault(code: Code) -> Option<String> {
    let text = match one_fence(code, "## Example") {
        Ok(text) => text,
        Err(fault) => return Some(fault),
    };
    let found = yields(code, "## Example", &text);
    if !found.iter().any(|(id, ..)| id == code.id) {
        return Some(format!("{code}: its example does not yield it, but {found:?}"));
    }
    let others: Vec<_> =
        found.iter().filter(|(id, severity, _)| id != code.id && *severity == Severity::Error).collect();
    (!others.is_empty()).then(|| format!("{code}: its example yields other errors too: {others:?}"))
}

fn mend_fault(code: Code) -> Option<String> {
    let text = match one_fence(code, "## Mend") {
        Ok(text) => text,
        Err(fault) => return Some(fault),
    };
    let found = yields(code, "## Mend", &text);
    let bad: Vec<_> = found.iter().filter(|(id, severity, _)| id == code.id || *severity == Severity::Error).collect();
    (!bad.is_empty()).then(|| format!("{code}: its mend still yields {bad:?}"))
}
