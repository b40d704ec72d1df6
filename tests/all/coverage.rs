//! What cases show of a policy, the cases that are missing, and the mutants that none notices: of any policy.

use std::collections::BTreeSet;

use nisi::Policy;
use nisi::cases::{COVERAGE_STEPS, Case, Fate, Suggested, changed_rows, coverage, mutants, read_cases, write_cases};
use nisi::decide::{Raw, Refused};
use nisi::diag::WitnessValue;
use proptest::prelude::*;

use crate::cli::{nisi, run};
use crate::random;
use crate::support::{Folder, compile, files, has_ending, read};

/// The cases that are missing beside some, read back; each holds, and is what the plain evaluator says.
fn suggested(policy: &Policy, cases: &[Case]) -> Vec<Case> {
    let found = coverage(policy, cases, None, COVERAGE_STEPS);
    if found.suggested.is_empty() {
        return Vec::new();
    }
    let text = write_cases(policy, &found.suggested);
    let file = read_cases(policy, &text);
    assert!(file.errors.is_empty(), "{:?}\n{text}", file.errors);
    assert_eq!(file.cases.len(), found.suggested.len());
    for (case, due) in file.cases.iter().zip(&found.suggested) {
        let checked = case.check(policy);
        assert!(checked.holds(), "{}: {:?}", case.title(), checked.misses);
        let refused = policy.refuse(due.refuse.iter().map(String::as_str)).unwrap_or(Refused::nothing());
        let (fast, plain) = (checked.decision.unwrap(), policy.decide_plainly(&due.facts, &refused));
        assert_eq!((fast.to_string(), fast.row_name()), (plain.to_string(), plain.row_name()), "{text}");
    }
    file.cases
}

/// What is told to be missing is there once the suggested cases stand beside the others.
fn is_shown(policy: &Policy, cases: &[Case]) {
    let more = suggested(policy, cases);
    let before = coverage(policy, cases, None, COVERAGE_STEPS);
    let all: Vec<&Case> = cases.iter().chain(&more).collect();
    let after = coverage(policy, all.iter().copied(), None, COVERAGE_STEPS);
    let left: Vec<&str> = after.missed.iter().filter(|m| m.suggested.is_some()).map(|m| &*m.what).collect();
    assert!(left.is_empty(), "{left:?}\n{}", write_cases(policy, &before.suggested));
    // What is counted does not hang on the cases; a way may come to light that nobody looked for.
    assert_eq!(
        (before.rows.total, before.cells.total, before.guards.total),
        (after.rows.total, after.cells.total, after.guards.total)
    );
    assert!(before.all().shown <= after.all().shown && before.missed.len() >= after.missed.len());
}

fn kinds() -> Policy {
    let compiled = compile("kinds.nisi", &read("tests/cases/coverage/kinds.nisi"));
    compiled.policy.unwrap_or_else(|| panic!("{}", compiled.diagnostics))
}

#[test]
fn the_suggested_cases_show_all_that_is_missing() {
    is_shown(&kinds(), &[]);
    for path in files("policies").into_iter().filter(|p| has_ending(p, "nisi") && !p.starts_with("policies/std/")) {
        let policy = compile(&path, &read(&path)).policy.unwrap();
        is_shown(&policy, &[]);
        let own = read_cases(&policy, &read(&path.replace(".nisi", ".cases.yaml")));
        is_shown(&policy, &own.cases);
    }
}

#[test]
fn what_is_told_of_every_kind_of_cell_is_kept() {
    let folder = Folder::new("coverage-kinds");
    folder.file("kinds.nisi", read("tests/cases/coverage/kinds.nisi"));
    let suggested = run(nisi(&folder).args(["test", "kinds.nisi", "--suggest"]));
    assert_eq!(suggested.code, 0, "{}", suggested.err);
    folder.file("kinds.cases.yaml", "cases: [{ name: nothing known, expect: { row: open/blind } }]");
    let told = run(nisi(&folder).args(["test", "kinds.nisi", "--coverage"])).out;
    insta::with_settings!({ snapshot_path => "../cases/coverage", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("suggested", suggested.out);
        insta::assert_snapshot!("missing", told);
    });
    folder.file("kinds.cases.yaml", &suggested.out);
    let given = run(nisi(&folder).args(["test", "kinds.nisi", "--min", "100"]));
    assert_eq!(given.code, 0, "{}{}", given.out, given.err);
    let given = run(nisi(&folder).args(["test", "kinds.nisi", "--suggest"]));
    assert_eq!((given.code, given.out.as_str()), (0, ""));
    assert!(given.err.contains("nothing is missing"), "{}", given.err);
}

/// The rows of a policy `a` of one table over a count.
fn counted(rows: &str) -> Policy {
    let text = format!("policy a\nversion 1\nfact n : count\nfact r : eu, us, apac\ntable t, first row wins\n{rows}");
    Policy::compile(&text).unwrap_or_else(|found| panic!("{found}"))
}

fn missed(policy: &Policy, cases: &str) -> Vec<String> {
    let file = read_cases(policy, cases);
    assert!(file.errors.is_empty(), "{:?}", file.errors);
    let found = coverage(policy, &file.cases, None, COVERAGE_STEPS);
    found.missed.iter().filter(|m| m.kind != "way").map(|m| format!("{}: {}", m.row, m.what)).collect()
}

#[test]
fn a_bound_is_shown_from_both_sides_by_its_cell_alone() {
    let policy = counted("| row | n | r | => action |\n| mid | 5..9 | eu | stop |\n| rest | - | - | review |\n");
    let one = |facts: &str| format!("cases: [{{ name: a, facts: {facts}, expect: {{ action: [stop, review] }} }}]");
    let left = |facts: &str| missed(&policy, &one(facts)).len();
    // Taken at 5, at 9, with eu; turned away at 4 and at 10; and two rows taken.
    assert_eq!(left("{}"), 6);
    assert_eq!(left("{ n: 5, r: eu }"), 4);
    assert_eq!(left("{ n: 7, r: eu }"), 5);
    assert_eq!(left("{ n: 4, r: eu }"), 5);
    // Another cell turns it away as well.
    assert_eq!(left("{ n: 4, r: us }"), 6);
    assert_eq!(
        missed(
            &policy,
            "cases: [{ name: a, each: { n: [4, 5, 9], r: [eu, us] }, expect: { action: [stop, review] } }]"
        ),
        ["t/mid: no case that `n` 10 alone turns away"]
    );
}

#[test]
fn what_no_facts_can_show_is_not_asked_for() {
    let rows = "| row | n | r | => action |\n| low | < 5 | - | stop |\n| two | < 7 | eu, us | stop \"b\" |\n| rest | - | - | review |\n";
    let policy = counted(rows);
    // `two` is never asked with 4: its lower end is hidden, and is no bound of its own either.
    let all = coverage(&policy, &[], None, COVERAGE_STEPS);
    assert_eq!((all.rows.total, all.n_never), (3, 0));
    let shadowed = counted(
        "| row | n | r | => action |\n| low | < 5 | - | stop |\n| two | < 3 | eu | stop |\n| rest | - | - | review |\n",
    );
    let all = coverage(&shadowed, &[], None, COVERAGE_STEPS);
    // Neither taken nor with 2 nor with eu; 3 turns nothing away that is asked.
    assert_eq!((all.rows.total, all.n_never), (2, 4));
    assert!(all.missed.iter().all(|m| m.row != "t/two"));
}

#[test]
fn only_what_changed_is_looked_at() {
    let old = counted(
        "| row | n | r | => action |\n| low | < 5 | - | stop |\n| eu | - | eu | review a |\n| rest | - | - | review |\n",
    );
    let new = counted(
        "| row | n | r | => action |\n| low | < 5 | - | stop |\n| eu | - | eu, us | review a |\n| rest | - | - | review |\n",
    );
    let changed = changed_rows(&old, &new);
    assert_eq!(changed.iter().map(String::as_str).collect::<Vec<_>>(), ["t/eu"]);
    let found = coverage(&new, &[], Some(&changed), COVERAGE_STEPS);
    assert_eq!((found.rows.total, found.by_row.len()), (1, 1));
    // A row that says what it said, and now answers other facts.
    let moved = counted(
        "| row | n | r | => action |\n| eu | - | eu | review a |\n| low | < 5 | - | stop |\n| rest | - | - | review |\n",
    );
    assert_eq!(changed_rows(&old, &moved), BTreeSet::from(["t/eu".to_string()]));
}

#[test]
fn mutants_are_noticed_by_what_they_change() {
    let policy = counted("| row | n | r | => action |\n| mid | 5..9 | eu, us | stop |\n| rest | - | - | review |\n");
    let told: Vec<String> = mutants(&policy).iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "t/mid: `n` 5..9 becomes 6..9",
            "t/mid: `n` 5..9 becomes 4..9",
            "t/mid: `n` 5..9 becomes 5..8",
            "t/mid: `n` 5..9 becomes 5..10",
            "t/mid: `r` eu, us becomes us",
            "t/mid: `r` eu, us becomes eu",
            "t/mid: `stop` becomes `review`",
            "t/mid: the row is dropped",
            "t/rest: `review` becomes `stop`",
            "t/rest: the row is dropped",
        ]
    );
    let fates = |cases: &str| -> Vec<bool> {
        let file = read_cases(&policy, cases);
        mutants(&policy).iter().map(|m| m.fate(&file.cases) == Fate::Noticed).collect()
    };
    assert_eq!(
        fates("cases: [{ name: a, facts: { n: 5, r: eu }, expect: { action: stop } }]"),
        [true, false, false, false, true, false, true, true, false, false]
    );
    assert_eq!(
        fates("cases: [{ name: a, facts: { n: 10, r: eu }, expect: { row: rest } }]"),
        [false, false, false, true, false, false, false, false, false, true]
    );
    // A case that does not hold of the policy says nothing.
    assert!(!fates("cases: [{ name: a, facts: { n: 5, r: eu }, expect: { action: review } }]").contains(&true));
    // What a mutant decides otherwise is brought as facts.
    let survivors: Vec<Fate> = mutants(&policy).iter().map(|m| m.fate(&[])).collect();
    for fate in survivors {
        let Fate::Survives(Some(witness)) = fate else { panic!("{fate:?}") };
        assert!(witness.facts.iter().all(|(name, _)| name == "n" || name == "r"));
    }
}

#[test]
fn a_mutant_that_decides_the_same_is_no_survivor() {
    let policy = counted(
        "| row | n | r | => action |\n| low | < 5 | - | stop |\n| two | < 9 | eu | review |\n| rest | - | - | review |\n",
    );
    let fates: Vec<(String, Fate)> = mutants(&policy).iter().map(|m| (m.to_string(), m.fate(&[]))).collect();
    let same: Vec<&str> = fates.iter().filter(|(_, fate)| *fate == Fate::Same).map(|(what, _)| &**what).collect();
    assert_eq!(same, ["t/two: `n` <= 8 becomes <= 7", "t/two: `n` <= 8 becomes <= 9", "t/two: the row is dropped"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn suggested_cases_of_any_policy_hold_and_show_what_is_missing(draws in proptest::collection::vec(any::<u16>(), 0..120)) {
        let compiled = compile("random.nisi", &random::text(&draws));
        if let Some(policy) = compiled.policy {
            is_shown(&policy, &[]);
        }
    }

    #[test]
    fn a_case_of_the_facts_that_a_survivor_brings_notices_it(
        draws in proptest::collection::vec(any::<u16>(), 0..80), which in any::<prop::sample::Index>(),
    ) {
        let compiled = compile("random.nisi", &random::text(&draws));
        let Some(policy) = compiled.policy else { return Ok(()) };
        let all = mutants(&policy);
        prop_assume!(!all.is_empty());
        let mutant = &all[which.index(all.len())];
        let Fate::Survives(Some(witness)) = mutant.fate(&[]) else { return Ok(()) };
        let raw = |value: WitnessValue| match value {
            WitnessValue::Text(text) => Raw::Text(text),
            WitnessValue::Number(digits) => Raw::Number(digits),
        };
        let facts = witness.facts.into_iter().map(|(name, value)| (name, raw(value)));
        let facts = policy.read_facts(facts).unwrap();
        let case = Suggested { name: "it".into(), facts, refuse: witness.refuse };
        let text = write_cases(&policy, &[case]);
        let file = read_cases(&policy, &text);
        prop_assert!(file.errors.is_empty() && file.cases[0].check(&policy).holds(), "{:?}\n{text}", file.errors);
        prop_assert!(mutant.fate(&file.cases) == Fate::Noticed, "{mutant}\n{text}\n{}", random::text(&draws));
    }
}
