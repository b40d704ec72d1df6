//! Policies that are compiled without their proofs, or whose proofs were cut short: they say so, and gaps are reviews.

use nisi::Policy;
use nisi::compile::{NoSources, Options, compile};
use nisi::diag::code;
use nisi::text::Source;
use nisi::words::Verb;

/// No row takes an unknown region, and none of `second` takes `us`.
const GAPS: &str = "\
policy gaps
version 1
fact region : eu, us
fact amount : count
table first, first row wins
| row  | region | => action     |
| eu   | eu     | stop \"served\" |
| us   | us     | see second    |
table second, first row wins
| row  | amount | => action |
| tiny | 0      | stop      |
";

fn source() -> Source {
    Source::new("gaps.nisi", GAPS)
}

#[test]
fn a_policy_with_a_gap_does_not_compile() {
    let found = Policy::compile(GAPS).unwrap_err();
    assert!(found.items.iter().any(|finding| finding.code.id == "N0301"), "{found}");
}

#[test]
fn without_proofs_a_gap_is_a_review_that_says_so() {
    let quick = Options { proofs: false, ..Options::default() };
    let policy = Policy::compile_with(source(), &NoSources, &quick).unwrap();
    assert!(!policy.is_proven());
    let asked = |region: Option<&str>| {
        let mut facts = policy.no_facts();
        if let Some(region) = region {
            facts.set_word(policy.handle("region").unwrap(), region).unwrap();
        }
        facts
    };

    let facts = asked(Some("eu"));
    let decision = policy.decide(&facts);
    assert_eq!((decision.verb(), decision.is_gap(), decision.reason()), (Verb::Stop, false, Some("served")));
    assert_eq!(decision.to_json(None).get("gap"), None);

    for (region, path) in [(None, vec![]), (Some("us"), vec!["first/us"])] {
        let facts = asked(region);
        let decision = policy.decide(&facts);
        assert_eq!((decision.verb(), decision.is_gap(), decision.is_foreign()), (Verb::Review, true, false));
        assert_eq!((decision.queue(), decision.because(), decision.row_name()), (None, None, None));
        assert!(decision.guard().is_none());
        let json = decision.to_json(Some(1));
        assert_eq!((&json["action"], &json["gap"]), (&"review".into(), &true.into()));
        assert_eq!(json["path"], serde_json::json!(path));
        assert_eq!((json.get("table"), json.get("row"), json.get("guard")), (None, None, None));
        let why = decision.why().to_string();
        assert!(why.contains("no row takes these facts, and the policy was not proven"), "{why}");
    }
}

#[test]
fn proofs_are_made_unless_told_otherwise() {
    let whole = GAPS.replace("| tiny | 0      | stop      |", "| any  | -      | stop      |");
    let whole = whole.replace("| us   | us     | see second    |", "| rest | -      | see second    |");
    let source = || Source::new("whole.nisi", whole.as_str());
    let proven = Policy::compile_with(source(), &NoSources, &Options::default()).unwrap();
    assert!(proven.is_proven() && Policy::compile(&whole).unwrap().is_proven());
    let quick = Options { proofs: false, ..Options::default() };
    let quick = Policy::compile_with(source(), &NoSources, &quick).unwrap();
    assert!(!quick.is_proven());
    assert_eq!(proven.digest(), quick.digest(), "the digest speaks of the policy, not of its proofs");
}

/// A proof that is cut short refuses, unless it is let pass: then the policy is not proven.
#[test]
fn a_proof_that_is_cut_short_proves_nothing() {
    let text = include_str!("../../policies/field-guide.nisi");
    let source = || Source::new("field-guide.nisi", text);
    let short = Options { max_steps: 1, ..Options::default() };
    let compiled = compile(source(), &NoSources, &short);
    assert!(compiled.policy.is_none() && compiled.diagnostics.items.iter().any(|f| f.code.id == "N0309"));
    let undecided = code("N0309").unwrap();
    let passed = Options { allow: vec![undecided], ..short };
    let compiled = compile(source(), &NoSources, &passed);
    let policy = compiled.policy.unwrap_or_else(|| panic!("{}", compiled.diagnostics));
    assert!(!policy.is_proven());
}

/// An error cannot be let pass.
#[test]
fn no_option_lets_an_error_pass() {
    let allow: Vec<_> = nisi::diag::ALL.to_vec();
    let found = Policy::compile_with(source(), &NoSources, &Options { allow, ..Options::default() }).unwrap_err();
    assert!(found.has_errors());
}
