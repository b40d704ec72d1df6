//! `tests/cases/case-files`: case files for the policies there, each named after its own. Each says in its first line what
//! is shown and in its second how `nisi test` ends; a snapshot shows the source first, then what people get to read.
//!
//! And what must hold of any policy and any facts: a case that expects what the plain evaluator says holds, and one that
//! forbids it does not.

use nisi::Policy;
use nisi::cases::read_cases;
use nisi::decide::Facts;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::cli::{nisi, run};
use crate::random;
use crate::support::{Folder, compile, files, read};

#[test]
fn every_case_file_ends_as_it_says() {
    let cases: Vec<String> =
        files("tests/cases/case-files").into_iter().filter(|p| p.ends_with(".cases.yaml")).collect();
    assert!(cases.len() >= 5, "{} case files", cases.len());
    for path in cases {
        let text = read(&path);
        let mut lines = text.lines();
        let shown = lines.next().unwrap_or_default();
        assert!(shown.starts_with("# ") && shown.len() > 12, "{path}: its first line does not say what is shown");
        let exit = lines.next().and_then(|l| l.strip_prefix("# expect: exit ")).and_then(|code| code.parse().ok());
        let exit: i32 = exit.unwrap_or_else(|| panic!("{path}: its second line says no exit code"));
        let name = path.trim_start_matches("tests/cases/case-files/").trim_end_matches(".cases.yaml");
        let folder = Folder::new(&format!("case-file-{name}"));
        let policy = name.split('.').next().unwrap_or_default();
        let own = format!("{policy}.nisi");
        folder.file(&own, read(&format!("tests/cases/case-files/{own}"))).file(&format!("{policy}.cases.yaml"), &text);
        let given = run(nisi(&folder).args(["test", &format!("{policy}.cases.yaml")]));
        assert_eq!(given.code, exit, "{path}: {}{}", given.out, given.err);
        let summary = given.err.lines().last().unwrap_or_default();
        let err = given.err.replace(summary, summary.rsplit_once(" in ").map_or(summary, |(counts, _)| counts));
        let told = format!("{text}\n---------- told ----------\n{}---------- beside it ----------\n{err}", given.out);
        insta::with_settings!({ snapshot_path => "../cases/case-files", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, told);
        });
    }
}

/// A case that expects, or forbids, all that the plain evaluator decides.
fn case(policy: &Policy, facts: &Facts, refuse: &[&str], key: &str) -> Json {
    let refused = policy.refuse(refuse.iter().copied()).unwrap();
    let decision = policy.decide_plainly(facts, &refused);
    let path: Vec<String> = decision.path().map(|row| row.to_string()).collect();
    let mut said = json!({ "action": decision.to_string(), "row": path.last(), "path": path });
    if key == "expect" {
        let json = decision.to_json(None);
        let mut by = serde_json::Map::new();
        for refusal in json["guard"]["refused"].as_array().into_iter().flatten() {
            let list = by.entry(refusal["action"].as_str().unwrap()).or_insert_with(|| json!([]));
            let name = if refusal["world"].is_string() { json!("world") } else { refusal["fact"].clone() };
            list.as_array_mut().unwrap().push(name);
        }
        said["refused"] = by.into();
        if let Some((lo, hi)) = decision.wait_bounds_ms() {
            said["wait"] = format!("{lo}ms..{hi}ms").into();
        }
    }
    let mut case = json!({ "name": key, "facts": facts.to_json() });
    if !refuse.is_empty() {
        case["refuse"] = refuse.into();
    }
    case[key] = said;
    case
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_case_of_what_the_plain_evaluator_says_holds_and_its_contrary_fails(
        draws in proptest::collection::vec(any::<u16>(), 0..160),
        given in proptest::collection::vec((any::<u16>(), any::<u16>()), 0..12),
        refuse in proptest::sample::subsequence(vec!["retry", "hedge", "failover", "reconcile"], 0..=2),
    ) {
        let compiled = compile("random.nisi", &random::text(&draws));
        let Some(policy) = compiled.policy else { return Ok(()) };
        let names: Vec<&str> = policy.fact_names().collect();
        let values: Vec<&str> = random::values().collect();
        let mut facts = policy.no_facts();
        for (fact, value) in given {
            let name = names[usize::from(fact) % names.len()];
            let raw = nisi::decide::Raw::Plain(values[usize::from(value) % values.len()].into());
            let mut all: Vec<_> = facts.known().map(|(n, v)| (n.to_string(), nisi::decide::Raw::Plain(v.to_string()))).collect();
            all.retain(|(known, _)| known != name);
            all.push((name.to_string(), raw));
            facts = policy.read_facts(all).unwrap_or(facts);
        }
        let expected = json!({ "cases": [case(&policy, &facts, &refuse, "expect")] }).to_string();
        let file = read_cases(&policy, &expected);
        prop_assert!(file.errors.is_empty(), "{:?}\n{expected}", file.errors);
        let checked = file.cases[0].check(&policy);
        prop_assert!(checked.holds(), "{:?}\n{expected}", checked.misses);
        let forbidden = json!({ "cases": [case(&policy, &facts, &refuse, "not")] }).to_string();
        let file = read_cases(&policy, &forbidden);
        prop_assert!(file.errors.is_empty(), "{:?}\n{forbidden}", file.errors);
        let misses: Vec<&str> = file.cases[0].check(&policy).misses.iter().map(|m| m.what).collect();
        prop_assert_eq!(misses, ["action", "row", "path"], "{}", forbidden);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), shaped in "(cases:|- name: a|  facts: |expect: |[\\{\\}\\[\\]:,&*!|>\"'a-z0-9 \n-]){0,40}") {
        let policy = Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n").unwrap();
        for text in [text, shaped] {
            let file = read_cases(&policy, &text);
            prop_assert!(!file.errors.is_empty() || !file.cases.is_empty());
        }
    }
}
