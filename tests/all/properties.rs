//! What must hold of any text: no policy and no facts make anything panic, layout changes no digest, and what compiles
//! answers as the plain evaluator does.

use std::sync::LazyLock;

use nisi::Policy;
use nisi::compile::{NoSources, Options};
use nisi::decide::{Raw, Refused, facts_from_json, facts_from_yaml};
use nisi::text::Source;
use proptest::prelude::*;

use crate::random;
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

/// A text compiled with proofs, or without; few steps.
fn compiled(text: &str, proofs: bool) -> nisi::compile::Compiled {
    let options = Options { proofs, max_steps: 50_000, ..Options::default() };
    nisi::compile::compile(Source::new("random.nisi", text), &NoSources, &options)
}

/// For each fact of a policy the written values that it takes.
fn takes(policy: &Policy) -> Vec<(String, Vec<Raw>)> {
    let fits = |name: &str, raw: &Raw| policy.read_facts([(name.to_string(), raw.clone())]).is_ok();
    let raws: Vec<Raw> = random::values().map(|word| Raw::Plain(word.into())).collect();
    let list = |name: &str| raws.iter().filter(|raw| fits(name, raw)).cloned().collect();
    policy.fact_names().map(|name| (name.to_string(), list(name))).collect()
}

/// Facts from numbers, one a fact; a fact whose number is small is left out.
fn given(takes: &[(String, Vec<Raw>)], mut number: impl FnMut() -> usize) -> Vec<(String, Raw)> {
    let one = |(name, values): &(String, Vec<Raw>)| match number() {
        n if n % 5 == 0 || values.is_empty() => None,
        n => Some((name.clone(), values[(n / 5) % values.len()].clone())),
    };
    takes.iter().filter_map(one).collect()
}

/// What must hold of any decision of a policy that compiles, proven or not.
fn holds_of(policy: &Policy, facts: Vec<(String, Raw)>, refuse: &[&str], draw: u64) -> Result<(), TestCaseError> {
    let facts = policy.read_facts(facts).unwrap();
    let refused = policy.refuse(refuse.iter().copied()).unwrap();
    let (fast, plain) = (policy.decide_with(&facts, &refused), policy.decide_plainly(&facts, &refused));
    let way = |d: &nisi::Decision<'_>| d.path().map(|row| row.to_string()).collect::<Vec<_>>();
    prop_assert_eq!(way(&fast), way(&plain));
    prop_assert_eq!((fast.to_string(), fast.is_gap()), (plain.to_string(), plain.is_gap()));
    prop_assert!(!(policy.is_proven() && fast.is_gap()), "a gap in a proven policy");
    prop_assert!(!refuse.contains(&fast.verb().as_str()), "a refused verb is left");
    let told = fast.why().to_string();
    prop_assert!(told.ends_with('\n') && told.lines().next() == Some(&*fast.to_string()), "{fast}\n{told}");
    // The last verdict of the guard is that of the action that is left.
    if fast.guard().is_some() {
        let verdicts = told.split("\nguard\n").nth(1).unwrap_or_default();
        let verdicts = verdicts.split("\n\n").next().unwrap_or_default();
        prop_assert!(verdicts.trim_end().ends_with("nothing refuses it"), "{told}");
        prop_assert!(verdicts.matches("nothing refuses it").count() == 1, "{told}");
    }
    if let Some((lo, hi)) = fast.wait_bounds_ms() {
        let wait = fast.wait(draw).unwrap();
        prop_assert!(lo <= hi && (lo..=hi).contains(&wait), "{lo} {wait} {hi}");
        prop_assert_eq!(plain.wait(draw), Some(wait));
    }
    prop_assert_eq!(fast.wait_bounds_ms().is_some(), fast.verb() == nisi::words::Verb::Retry);
    Ok(())
}

/// The facts of a witness, as `nisi eval` would take them.
fn of_witness(witness: &nisi::diag::Witness) -> Vec<(String, Raw)> {
    let raw = |value: &nisi::diag::WitnessValue| match value {
        nisi::diag::WitnessValue::Text(text) => Raw::Text(text.clone()),
        nisi::diag::WitnessValue::Number(digits) => Raw::Number(digits.clone()),
    };
    witness.facts.iter().map(|(name, value)| (name.clone(), raw(value))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_policies_answer_as_the_plain_evaluator_does(
        tape in proptest::collection::vec(any::<u16>(), 20..260), numbers in proptest::collection::vec(any::<u16>(), 600),
        refuse in proptest::sample::subsequence(vec!["retry", "reconcile", "hedge", "failover"], 0..=4), draw in any::<u64>(),
    ) {
        let text = random::text(&tape);
        let proven = compiled(&text, true);
        let plain = compiled(&text, false);
        let Some(unproven) = plain.policy else { return Ok(()) };
        let takes = takes(&unproven);
        let mut numbers = numbers.iter().map(|n| usize::from(*n)).cycle();
        for policy in [Some(&unproven), proven.policy.as_ref()].into_iter().flatten() {
            for round in 0..12 {
                let facts = given(&takes, || numbers.next().unwrap());
                let refuse: &[&str] = if round % 2 == 0 { &[] } else { &refuse };
                holds_of(policy, facts, refuse, draw)?;
            }
        }
        // Where facts are named that no row takes, none does.
        let gaps = proven.diagnostics.items.iter().filter(|d| matches!(d.code.id, "N0301" | "N0302"));
        for gap in gaps {
            let label = proven.diagnostics.sources.slice(gap.span());
            let Some(witness) = gap.witness.as_ref().filter(|_| !label.starts_with("derived") && !gap.message.contains("derive")) else { continue };
            let facts = unproven.read_facts(of_witness(witness)).unwrap();
            let refused = unproven.refuse(witness.refuse.iter().map(String::as_str)).unwrap();
            let decision = unproven.decide_with(&facts, &refused);
            prop_assert!(decision.is_gap(), "{}: {decision} at {witness:?}\n{text}", gap.code);
        }
    }

    #[test]
    fn the_digest_of_a_random_policy_is_of_what_it_says(
        tape in proptest::collection::vec(any::<u16>(), 20..200), at in any::<prop::sample::Index>(), kind in 0usize..5,
    ) {
        let text = random::text(&tape);
        let Some(one) = compiled(&text, false).policy else { return Ok(()) };
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let rows: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with('|')).collect();
        let row = rows[at.index(rows.len())];
        match kind {
            0 => lines[row] = lines[row].replace(" | ", "    |   "),
            1 => lines.insert(0, "# a remark, and a blank line\n".into()),
            2 => lines[row].push_str("   # a remark at the end"),
            3 => {
                // Below every head of a table the line of dashes.
                for i in rows.iter().rev() {
                    if lines[*i].contains("=>") {
                        let dashes = "|---".repeat(lines[*i].matches('|').count() - 1) + "|";
                        lines.insert(i + 1, dashes);
                    }
                }
            }
            _ => lines = lines.into_iter().map(|line| format!("{line}\r")).collect(),
        }
        let changed = lines.join("\n") + "\n";
        let two = compiled(&changed, false);
        let found = two.diagnostics.to_string();
        let Some(two) = two.policy else { return Err(TestCaseError::fail(format!("{found}\n{changed}"))) };
        prop_assert_eq!(one.digest(), two.digest());
        // Another action in a row is another policy.
        for (old, new) in [("| stop |", "| review other |"), ("| review |", "| stop |"), ("| retry now", "| retry after even")] {
            if text.contains(old)
                && let Some(other) = compiled(&text.replacen(old, new, 1), false).policy
            {
                prop_assert_ne!(one.digest(), other.digest(), "{}", old);
            }
        }
    }
}

/// The random policies are worth asking: most compile, some with all proofs, and both kinds of gaps are among the rest.
#[test]
fn random_policies_are_of_every_kind() {
    let (mut unproven, mut proven, mut gaps) = (0, 0, 0);
    let mut state = 0x9E37_79B9_u32;
    for _ in 0..120 {
        let tape: Vec<u16> = (0..240)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                (state >> 16) as u16
            })
            .collect();
        let text = random::text(&tape);
        let found = compiled(&text, true);
        unproven += usize::from(compiled(&text, false).policy.is_some());
        proven += usize::from(found.policy.is_some());
        gaps += usize::from(found.diagnostics.items.iter().any(|d| matches!(d.code.id, "N0301" | "N0302")));
    }
    assert!(
        unproven >= 60 && proven >= 5 && gaps >= 5,
        "of 120: {unproven} compile, {proven} proven, {gaps} with gaps"
    );
}
