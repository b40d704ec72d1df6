//! What holds for every random policy.

use nisi::compile::{Compiled, NoSources, Options};
use nisi::decide::{Facts, Raw, Refused};
use nisi::diag::{Diagnostic, WitnessValue};
use nisi::text::Source;
use nisi::words::Verb;
use nisi::{Decision, Policy};
use proptest::collection::vec;
use proptest::prelude::*;

use super::guards::{Given, broken};
use super::words::Draws;
use super::writer::{Layout, Rule, Written, policy, small_policy};

fn compile(text: &str, proofs: bool) -> Compiled {
    let options = Options { proofs, max_steps: 300_000, ..Options::default() };
    nisi::compile::compile(Source::new("random.nisi", text), &NoSources, &options)
}

/// The refused verbs of one question.
fn refused(policy: &Policy, draws: &mut Draws) -> Refused {
    let verbs: Vec<&str> =
        ["retry", "reconcile", "hedge", "failover"].into_iter().filter(|_| draws.one_in(5)).collect();
    policy.refuse(verbs).unwrap()
}

/// The program and the plain evaluator say the same, and what is left can be carried out.
fn ask(policy: &Policy, facts: &Facts, refused: &Refused, acts: bool) -> Result<bool, TestCaseError> {
    let (fast, plain) = (policy.decide_with(facts, refused), policy.decide_plainly(facts, refused));
    let json = fast.to_json(None);
    prop_assert_eq!(&json, &plain.to_json(None));
    if acts {
        let known = |name: &str| {
            let value = facts.get(policy.handle(name).ok()?)?;
            (!value.is_unknown()).then(|| value.to_string())
        };
        let fault = broken(&json, &Given(&known));
        prop_assert!(fault.is_none(), "{} is left against {}", json, fault.unwrap_or_default());
    }
    if let (Some((lo, hi)), Some((first, last))) = (fast.wait_bounds_ms(), fast.wait(0).zip(fast.wait(u64::MAX))) {
        prop_assert!(lo <= first && first <= hi && lo <= last && last <= hi);
    }
    Ok(fast.is_gap())
}

/// The facts of a witness.
fn witness(policy: &Policy, finding: &Diagnostic) -> (Facts, Refused) {
    let witness = finding.witness.as_ref().unwrap();
    let raw = witness.facts.iter().map(|(name, value)| {
        let raw = match value {
            WitnessValue::Text(text) => Raw::Text(text.clone()),
            WitnessValue::Number(digits) => Raw::Number(digits.clone()),
        };
        (name.clone(), raw)
    });
    let facts = policy.read_facts(raw).unwrap_or_else(|e| panic!("a witness that cannot be given: {e:?}"));
    (facts, policy.refuse(witness.refuse.iter().map(String::as_str)).unwrap())
}

/// Whether a finding says that the policy has no answer somewhere (a derive's hole is another matter).
fn is_gap(finding: &Diagnostic) -> bool {
    matches!(finding.code.id, "N0301" | "N0302" | "N0313" | "N0305") && !finding.message.contains("has no value for")
}

fn derive_hole(finding: &Diagnostic) -> bool {
    finding.message.contains("has no value for")
}

/// What a policy must hold: once without proofs, then with them.
fn try_out(written: &Written, draws: &mut Draws) -> Result<(), TestCaseError> {
    let text = written.text(Layout::Plain);
    let open = compile(&text, false);
    let Some(policy) = open.policy else { return Ok(()) };
    prop_assert!(!policy.is_proven());
    let proven = compile(&text, true);
    for _ in 0..24 {
        let facts = policy.read_facts(written.some_facts(draws)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let gap = ask(&policy, &facts, &refused(&policy, draws), written.acts)?;
        prop_assert!(!gap || proven.policy.is_none(), "a proven policy without an answer\n{}", text);
    }
    for finding in proven.diagnostics.items.iter().filter(|f| is_gap(f)) {
        let (facts, refused) = witness(&policy, finding);
        let plain = policy.decide_plainly(&facts, &refused);
        prop_assert!(plain.is_gap(), "{}: `{}` is answered\n{}", finding.code, finding.message, text);
    }
    if let Some(proven) = proven.policy {
        prop_assert_eq!(proven.digest(), policy.digest());
    }
    Ok(())
}

/// The digest is that of what is said, not of how it is laid out.
fn digests(written: &Written) -> Result<(), TestCaseError> {
    let digest = |text: &str| compile(text, false).policy.map(|p| p.digest().to_string());
    let Some(plain) = digest(&written.text(Layout::Plain)) else { return Ok(()) };
    let wide = written.text(Layout::Wide);
    prop_assert_eq!(Some(plain.clone()), digest(&wide), "{}", wide);
    let other = written.with_another_cell().text(Layout::Plain);
    prop_assert_ne!(Some(plain), digest(&other), "{}", other);
    Ok(())
}

/// Every input of a small policy: each fact at every value that any cell tells apart, or unknown.
fn everything(policy: &Policy, written: &Written) -> Vec<Facts> {
    let mut all = vec![Vec::new()];
    for (name, values, _) in &written.facts {
        all = all
            .into_iter()
            .flat_map(|facts: Vec<(String, Raw)>| {
                let mut more = vec![facts.clone()];
                more.extend(values.iter().map(|v| {
                    let mut facts = facts.clone();
                    facts.push(((*name).to_string(), Raw::Plain((*v).to_string())));
                    facts
                }));
                more
            })
            .collect();
    }
    all.into_iter().map(|facts| policy.read_facts(facts).unwrap()).collect()
}

/// Findings of a small policy against all of its inputs.
fn enumerate(written: &Written) -> Result<(), TestCaseError> {
    let text = written.text(Layout::Plain);
    let Some(policy) = compile(&text, false).policy else { return Ok(()) };
    let proven = compile(&text, true);
    let found = &proven.diagnostics.items;
    if found.iter().any(|f| derive_hole(f) || matches!(f.code.id, "N0309" | "N0310")) {
        return Ok(());
    }
    let inputs = everything(&policy, written);
    let nothing = Refused::nothing();
    let gaps = inputs.iter().filter(|facts| policy.decide_plainly(facts, &nothing).is_gap()).count();
    prop_assert_eq!(gaps > 0, found.iter().any(is_gap), "{} gaps\n{}\n{}", gaps, proven.diagnostics, text);
    let breaks = found.iter().filter(|f| f.code.id == "N0401");
    for finding in breaks.clone() {
        let (facts, refused) = witness(&policy, finding);
        let decision = policy.decide_plainly(&facts, &refused);
        let verb = decision.verb();
        let named = |d: &Decision<'_>| d.row_name().is_some_and(|row| finding.message.contains(&format!("`{row}`")));
        prop_assert!(named(&decision), "{}: {} answers\n{}", finding.message, verb, text);
        let told = finding.message.contains(verb.as_str());
        prop_assert!(told, "{}: what is left is `{}`\n{}", finding.message, verb, text);
    }
    if let (Some(rule), 0) = (&written.rule, gaps) {
        let broken = breaks_somewhere(written, rule, &policy, &inputs);
        prop_assert_eq!(broken, breaks.count() > 0, "broken: {}\n{}\n{}", broken, proven.diagnostics, text);
    }
    Ok(())
}

/// Whether some input breaks the rule, whatever the world refuses.
fn breaks_somewhere(written: &Written, rule: &Rule, policy: &Policy, inputs: &[Facts]) -> bool {
    let (nothing, fact) = (Refused::nothing(), rule.fact.as_str());
    let probe = |cell: &str| compile(&written.probe(fact, cell), false).policy.unwrap();
    let (held, open) = (probe(&rule.cell), probe("unknown"));
    let says = |probe: &Policy, facts: &Facts| {
        let known = facts.known().map(|(name, value)| (name.to_string(), Raw::Plain(value.to_string())));
        let facts = probe.read_facts(known).unwrap();
        probe.decide_plainly(&facts, &nothing).verb() == Verb::Stop
    };
    let refused = [Refused::nothing(), policy.refuse(["reconcile"]).unwrap()];
    inputs.iter().any(|facts| {
        // In `when` a fact that is unknown counts as fulfilling, unless the cell speaks of it.
        let as_written = rule.cell.contains("known");
        let applies =
            if rule.unless { !says(&held, facts) } else { says(&held, facts) || (!as_written && says(&open, facts)) };
        applies
            && refused.iter().any(|refused| {
                let verb = policy.decide_plainly(facts, refused).verb();
                rule.verbs.contains(&verb.as_str()) != rule.only
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_says_the_same_and_every_witness_is_one(list in vec(any::<u16>(), 0..400)) {
        let mut draws = Draws::new(&list);
        let written = policy(&mut draws);
        try_out(&written, &mut draws)?;
    }

    #[test]
    fn a_digest_is_of_what_is_said(list in vec(any::<u16>(), 0..200)) {
        digests(&policy(&mut Draws::new(&list)))?;
    }

    #[test]
    fn small_policies_are_judged_as_all_their_inputs_say(list in vec(any::<u16>(), 0..160)) {
        enumerate(&small_policy(&mut Draws::new(&list)))?;
    }

    /// A cut, a doubled or a swapped piece of a policy: findings, and no panic.
    #[test]
    fn a_damaged_policy_is_no_danger(
        list in vec(any::<u16>(), 0..200),
        (from, length, to) in (any::<prop::sample::Index>(), 0usize..60, any::<prop::sample::Index>()),
        token in prop::sample::select(vec!["", "|", "\n", "\"", "{", "}", "=>", ",", "unknown", "see entry", "table", ":", "\t", "é", "- ", "..", "0"]),
    ) {
        let text: Vec<char> = policy(&mut Draws::new(&list)).text(Layout::Plain).chars().collect();
        let (from, to) = (from.index(text.len()), to.index(text.len()));
        let end = (from + length).min(text.len());
        let mut damaged: Vec<char> = text[..from].iter().chain(&text[end..]).copied().collect();
        let to = to.min(damaged.len());
        damaged.splice(to..to, token.chars());
        let options = Options { max_steps: 50_000, ..Options::default() };
        let compiled = nisi::compile::compile(Source::new("damaged.nisi", damaged.into_iter().collect::<String>()), &NoSources, &options);
        prop_assert_eq!(compiled.policy.is_none(), compiled.diagnostics.has_errors());
    }
}

/// Draws that stay the same: Numerical Recipes' linear congruential generator.
fn lists(n: usize) -> impl Iterator<Item = Vec<u16>> {
    let mut state = 1u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u16
    };
    (0..n).map(move |_| (0..300).map(|_| next()).collect())
}

/// The writer is worth something: most of what it writes has a meaning, and a good part of it can be proven.
#[test]
fn most_random_policies_compile() {
    let (mut compiled, mut proven, mut acting, mut gaps) = (0, 0, 0, 0);
    for list in lists(200) {
        let written = policy(&mut Draws::new(&list));
        let text = written.text(Layout::Plain);
        if compile(&text, false).policy.is_some() {
            let all = compile(&text, true);
            compiled += 1;
            acting += usize::from(written.acts);
            proven += usize::from(all.policy.is_some());
            gaps += usize::from(all.diagnostics.items.iter().any(is_gap));
        }
    }
    let shares = format!("of 200: {compiled} compile, {acting} of them act, {proven} are proven, {gaps} have gaps");
    assert!(compiled >= 120 && acting >= 30 && proven >= 25 && gaps >= 25, "{shares}");
}

/// Of the small ones with a rule and without a gap, some keep it and some break it.
#[test]
fn rules_of_small_policies_are_kept_and_broken() {
    let (mut kept, mut broken) = (0, 0);
    for list in lists(300) {
        let written = small_policy(&mut Draws::new(&list));
        let text = written.text(Layout::Plain);
        if written.rule.is_some() && compile(&text, false).policy.is_some() {
            let found = compile(&text, true).diagnostics.items;
            if !found.iter().any(|f| is_gap(f) || derive_hole(f)) {
                *if found.iter().any(|f| f.code.id == "N0401") { &mut broken } else { &mut kept } += 1;
            }
        }
    }
    assert!(kept >= 15 && broken >= 15, "{kept} kept, {broken} broken");
}
