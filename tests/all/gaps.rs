//! Gaps as people read them: the finding in full, and that its missing rows close the gap when they are put in.

use nisi::diag::{Diagnostic, Severity, WitnessValue};

use crate::support::{compile, files, has_ending, read, root};

fn is_gap(finding: &Diagnostic) -> bool {
    matches!(finding.code.id, "N0301" | "N0302" | "N0313")
}

/// The text with the first gap's missing rows put in, and the finding; nothing where there is no gap.
fn mended(path: &str, text: &str) -> Option<(String, Diagnostic)> {
    let found = compile(path, text).diagnostics;
    let gap = found.items.iter().find(|d| is_gap(d))?;
    let fix = gap.fixes.first().unwrap_or_else(|| panic!("no missing row is offered\n{found}"));
    assert!(!fix.safe, "what a new row says is for its author to decide");
    let [edit] = fix.edits.as_slice() else { panic!("{fix:?}") };
    let mut new = text.to_string();
    new.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    Some((new, gap.clone()))
}

fn told(finding: &Diagnostic) -> String {
    let mut lines = vec![format!("{}: {}", finding.code, finding.message)];
    for fix in &finding.fixes {
        lines.push(format!("  {}", fix.title));
        lines.extend(fix.edits.iter().flat_map(|e| e.replacement.trim().lines()).map(|l| format!("    {l}")));
    }
    let facts = finding.witness.iter().flat_map(|w| &w.facts).map(|(name, value)| {
        let (WitnessValue::Text(v) | WitnessValue::Number(v)) = value;
        format!("{name}={v}")
    });
    lines.push(format!("  for example {}", facts.collect::<Vec<_>>().join(" ")));
    lines.join("\n")
}

#[test]
fn missing_rows_close_the_gap() {
    let mut report = Vec::new();
    let gaps: Vec<String> = files("tests/cases/gaps").into_iter().filter(|p| has_ending(p, "nisi")).collect();
    assert!(gaps.len() >= 2);
    for path in gaps {
        let mut text = read(&path);
        report.push(format!("== {path}"));
        let mut rounds = 0;
        while let Some((next, finding)) = mended(&path, &text) {
            report.push(told(&finding));
            text = next;
            rounds += 1;
            assert!(rounds < 30, "the gap does not close\n{text}");
        }
        let errors = compile(&path, &text).diagnostics;
        assert!(errors.items.iter().all(|d| d.severity != Severity::Error), "{errors}\n{text}");
    }
    insta::assert_snapshot!("gaps", report.join("\n"));
}

/// Wherever a case of `nisi check` shows a gap, the missing rows leave none.
#[test]
fn every_gap_of_the_cases_can_be_closed() {
    let mut n_closed = 0;
    for path in files("tests/cases/check").into_iter().filter(|p| has_ending(p, "nisi")) {
        let Ok(mut text) = std::fs::read_to_string(root().join(&path)) else { continue };
        if !text.lines().any(|l| ["N0301", "N0302", "N0313"].iter().any(|c| l.contains(&format!("expect: {c}")))) {
            continue;
        }
        for round in 0.. {
            assert!(round < 30, "{path}: the gap does not close\n{text}");
            let Some((next, _)) = mended(&path, &text) else { break };
            text = next;
            n_closed += 1;
        }
    }
    assert!(n_closed > 3, "only {n_closed} gaps");
}
