//! What must hold of any text: no policy and no facts make anything panic, layout changes no digest, and what compiles
//! answers as the plain evaluator does.

use std::sync::LazyLock;

use nisi::Policy;
use nisi::compile::{NoSources, Options};
use nisi::decide::{Raw, Refused, facts_from_json, facts_from_yaml};
use nisi::text::Source;
use proptest::prelude::*;

use crate::support::read;

static SHIPPED: LazyLock<Vec<(String, Policy)>> = LazyLock::new(|| {
    let one = |name: &str| {
        let text = read(&format!("policies/{name}.nisi"));
        let policy = Policy::compile(&text).unwrap_or_else(|found| panic!("{found}"));
        (text, policy)
    };
    ["procurement", "assistant", "field-guide"].map(one).into()
});

/// Compiles with few steps; what compiles is asked once.
fn try_out(text: &str) {
    let options = Options { max_steps: 20_000, today: Some("2026-11-30".into()), ..Options::default() };
    let compiled = nisi::compile::compile(Source::new("any.nisi", text), &NoSources, &options);
    assert!(!compiled.diagnostics.to_string().contains("panicked"));
    for finding in &compiled.diagnostics.items {
        for label in &finding.labels {
            let source = compiled.diagnostics.sources.get(label.span.file);
            assert!(source.text().get(label.span.range()).is_some(), "{}: a label off the text", finding.code);
        }
    }
    if let Some(policy) = compiled.policy {
        let (facts, nothing) = (policy.no_facts(), Refused::nothing());
        let (fast, plain) = (policy.decide_with(&facts, &nothing), policy.decide_plainly(&facts, &nothing));
        assert_eq!(fast.row_name(), plain.row_name());
    }
}

/// One value of a fact, as a caller would write it: of the vocabulary, at a bound, or unknown.
fn value() -> impl Strategy<Value = Raw> {
    let words = "unknown none wait stop yes no disabled enabled acceptable unacceptable partial current stale \
                 registered unregistered holds refused timeout confirmed pending overloaded rejected connection_lost \
                 cancelled provider_failure conflict immutable_read read inference proposal write consequential_write \
                 verification not_sent maybe_processed undone not_crossed maybe_crossed crossed low high critical";
    let words: Vec<&str> = words.split_whitespace().collect();
    prop_oneof![
        4 => proptest::sample::select(words).prop_map(|w| Raw::Plain(w.into())),
        1 => (0u64..4).prop_map(|n| Raw::Plain(n.to_string())),
        1 => proptest::sample::select(vec!["0ms", "299ms", "300ms", "500ms", "2s", "12s"]).prop_map(|t| Raw::Plain(t.into())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_compiler_panic(text in any::<String>()) {
        try_out(&text);
    }

    #[test]
    fn no_change_of_a_shipped_policy_makes_the_compiler_panic(
        which in 0usize..3, from in any::<prop::sample::Index>(), length in 0usize..200, to in any::<prop::sample::Index>(),
        doubled in any::<bool>(),
    ) {
        let text: Vec<char> = SHIPPED[which].0.chars().collect();
        let (from, to) = (from.index(text.len()), to.index(text.len()));
        let piece: Vec<char> = text[from..(from + length).min(text.len())].to_vec();
        let mut changed = text.clone();
        if !doubled {
            changed.drain(from..from + piece.len());
        }
        let to = to.min(changed.len());
        changed.splice(to..to, piece);
        try_out(&changed.into_iter().collect::<String>());
    }

    #[test]
    fn no_text_as_facts_makes_anything_panic(text in any::<String>(), shaped in "[\\{\\}\\[\\]:,&*!|>\"'a-z0-9 \n-]{0,80}") {
        for text in [text, shaped] {
            for given in [facts_from_json(&text), facts_from_yaml(&text)].into_iter().flatten() {
                let _ = SHIPPED[2].1.read_facts(given);
            }
        }
    }

    #[test]
    fn layout_and_comments_change_no_digest(which in 0usize..3, at in any::<prop::sample::Index>(), kind in 0usize..3) {
        let (text, policy) = &SHIPPED[which];
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let at = at.index(lines.len());
        match kind {
            0 if lines[at].starts_with('|') => lines[at] = lines[at].replace(" | ", "   |  "),
            1 => lines[at].push_str("   "),
            _ => lines.push("# one more remark".into()),
        }
        let options = Options { proofs: false, ..Options::default() };
        let again = Policy::compile_with(Source::new("again.nisi", lines.join("\n")), &NoSources, &options).unwrap();
        prop_assert_eq!(again.digest(), policy.digest());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_decision_is_the_plain_one_and_can_be_honoured(
        which in 0usize..3, given in proptest::collection::vec((any::<prop::sample::Index>(), value()), 4..24),
        refuse in proptest::sample::subsequence(vec!["retry", "reconcile", "hedge", "failover"], 0..=4), draw in any::<u64>(),
    ) {
        let policy = &SHIPPED[which].1;
        let names: Vec<&str> = policy.fact_names().collect();
        let mut facts = std::collections::BTreeMap::new();
        for (name, value) in given {
            let name = names[name.index(names.len())];
            // What does not fit its fact is told, and left out here.
            if policy.read_facts([(name.to_string(), value.clone())]).is_ok() {
                facts.insert(name.to_string(), value);
            }
        }
        let facts = policy.read_facts(facts).unwrap();
        let refused = policy.refuse(refuse.iter().copied()).unwrap();
        let (fast, plain) = (policy.decide_with(&facts, &refused), policy.decide_plainly(&facts, &refused));
        let way = |d: &nisi::Decision<'_>| d.path().map(|row| row.to_string()).collect::<Vec<_>>();
        prop_assert_eq!(way(&fast), way(&plain));
        prop_assert_eq!(fast.to_string(), plain.to_string());
        prop_assert!(!fast.is_gap());
        prop_assert!(!refuse.contains(&fast.verb().as_str()), "a refused verb is left");
        match fast.wait_bounds_ms() {
            Some((lo, hi)) => {
                let wait = fast.wait(draw).unwrap();
                prop_assert!(fast.verb() == nisi::words::Verb::Retry && (lo..=hi).contains(&wait), "{lo} {wait} {hi}");
            }
            None => prop_assert!(fast.verb() != nisi::words::Verb::Retry),
        }
    }
}
