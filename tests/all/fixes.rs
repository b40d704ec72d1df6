//! Every mend that calls itself safe is: applied alone, no decision changes, its finding is gone, and nothing worse
//! came. Over the shipped policies, the whole corpus of cases, and random policies; each text also goes through
//! `nisi check --fix` once and once more.

use std::collections::BTreeMap;

use nisi::Policy;
use nisi::compare::{CompareOptions, compare};
use nisi::compile::{Compiled, Options, compile};
use nisi::diag::{ALL, Code, Diagnostic, Severity};
use nisi::text::Source;
use proptest::prelude::*;

use crate::cli::{nisi, run};
use crate::random;
use crate::support::{Folder, files, has_ending, root};

/// Looks for everything; what is proven or not is no question here, save that findings come of the proofs.
fn compiled(text: &str, proofs: bool) -> Compiled {
    let pedantic: Vec<Code> = ALL.iter().copied().filter(|c| c.pedantic).collect();
    let today = Some("2026-08-01".into());
    let options = Options { proofs, pedantic, today, max_steps: 100_000, ..Options::default() };
    compile(Source::new("a.nisi", text), &BTreeMap::new(), &options)
}

fn errors(compiled: &Compiled) -> usize {
    compiled.diagnostics.items.iter().filter(|d| d.severity == Severity::Error).count()
}

/// The text with the edits of one mend.
fn mended(text: &str, finding: &Diagnostic, fix: usize) -> String {
    let mut edits: Vec<_> = finding.fixes[fix].edits.iter().collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.span.start));
    let mut text = text.to_string();
    for edit in edits {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}

/// The line on which a finding begins.
fn line<'t>(text: &'t str, finding: &Diagnostic) -> &'t str {
    let before = text.get(..finding.span().range().start).unwrap_or_default();
    text.lines().nth(before.matches('\n').count()).unwrap_or_default()
}

fn same(old: &Policy, new: &Policy) -> bool {
    compare(old, new, &CompareOptions::default()).is_same()
}

/// Tries every safe mend of a text by itself; counts them by code.
fn try_mends(text: &str, tried: &mut BTreeMap<&'static str, usize>) -> Result<(), TestCaseError> {
    let Some(before) = compiled(text, false).policy else { return Ok(()) };
    let found = compiled(text, true);
    for finding in &found.diagnostics.items {
        for fix in (0..finding.fixes.len()).filter(|f| finding.fixes[*f].safe) {
            let changed = mended(text, finding, fix);
            let (quick, after) = (compiled(&changed, false), compiled(&changed, true));
            let what = format!("{} {}\n{text}\n──── {changed}", finding.code, finding.message);
            prop_assert!(quick.policy.is_some(), "{}\n{}", quick.diagnostics, what);
            prop_assert!(same(&before, quick.policy.as_ref().unwrap()), "a decision changed: {}", what);
            // A row that is taken out is not told of any more; the next one may take over its number, or be idle in its turn.
            let taken_out = changed.lines().count() < text.lines().count();
            let own = line(text, finding);
            let told = |c: &Compiled, text: &str| {
                let same = |d: &&Diagnostic| {
                    let is_it = if taken_out { line(text, d) == own } else { d.message == finding.message };
                    d.code == finding.code && is_it
                };
                c.diagnostics.items.iter().filter(same).count()
            };
            prop_assert!(told(&after, &changed) < told(&found, text), "it is still told: {}", what);
            prop_assert!(errors(&after) <= errors(&found), "{}\n{}", after.diagnostics, what);
            *tried.entry(finding.code.id).or_default() += 1;
        }
    }
    Ok(())
}

/// The texts that ship, and those of the cases.
fn corpus() -> Vec<(String, String)> {
    let all = ["policies", "tests/cases/check", "tests/cases/multi"].into_iter().flat_map(files);
    let texts = all.filter(|f| has_ending(f, "nisi") && !f.contains("/std/"));
    texts.filter_map(|f| Some((f.clone(), std::fs::read_to_string(root().join(&f)).ok()?))).collect()
}

#[test]
fn safe_mends_of_the_corpus_are_safe() {
    let mut tried = BTreeMap::new();
    for (file, text) in corpus() {
        try_mends(&text, &mut tried).unwrap_or_else(|e| panic!("{file}: {e}"));
    }
    let due = ["N0312", "N0314", "N0315", "N0316", "N0319", "N0325", "N0326", "N0329", "N0336", "N0338", "N0402"];
    let missing: Vec<_> = due.iter().filter(|c| !tried.contains_key(**c)).collect();
    assert!(missing.is_empty(), "no case offers a mend of {missing:?}: {tried:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn safe_mends_of_random_policies_are_safe(tape in proptest::collection::vec(any::<u16>(), 0..200)) {
        try_mends(&random::text(&tape), &mut BTreeMap::new())?;
    }
}

/// Numbers that hang on nothing but their place.
fn numbers(seed: u32) -> Vec<u16> {
    let next = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(seed), next).map(|x| (x >> 16) as u16).take(200).collect()
}

/// The command, over the corpus and over random policies: what decided decides the same, and a second run finds
/// nothing more to do.
#[test]
fn fixing_keeps_every_decision_and_ends() {
    let folder = Folder::new("fixes-all");
    let mut texts: Vec<(String, String)> = corpus()
        .into_iter()
        .filter(|(_, text)| !text.lines().any(|l| l.starts_with("use ") && !l.starts_with("use std.")))
        .enumerate()
        .map(|(i, (_, text))| (format!("corpus-{i}.nisi"), text))
        .collect();
    let random = |i: u32| (format!("random-{i}.nisi"), random::text(&numbers(i * 7_919 + 1)));
    texts.extend((0..60).map(random));
    for (name, text) in &texts {
        folder.file(name, text);
    }
    run(nisi(&folder).args(["check", "--fix", "--warn", "pedantic", "."]));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let once: Vec<String> = texts.iter().map(|(name, _)| read(name)).collect();
    let mut n_changed = 0;
    for ((name, before), after) in texts.iter().zip(&once).filter(|((_, before), after)| before != *after) {
        n_changed += 1;
        let (old, new) = (compiled(before, true), compiled(after, true));
        if let Some(old) = &old.policy {
            let new = new.policy.as_ref().unwrap_or_else(|| panic!("{name}: {}", new.diagnostics));
            assert!(same(old, new), "{name}: a decision changed\n{before}\n────\n{after}");
        }
        assert!(errors(&new) <= errors(&old), "{name}: {}", new.diagnostics);
    }
    assert!(n_changed > 40, "only {n_changed} texts were mended");
    let again = run(nisi(&folder).args(["check", "--fix", "--warn", "pedantic", "."]));
    assert!(again.err.contains("nothing that could be mended"), "{}", again.err);
}
