//! Arbitrary bytes as a policy: findings or a policy, never a panic. What compiles decides as the plain evaluator does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nisi::compile::{NoSources, Options, compile};
use nisi::decide::Refused;
use nisi::text::Source;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let options = Options { max_steps: 20_000, today: Some("2026-11-30".into()), ..Options::default() };
    let compiled = compile(Source::new("fuzz.nisi", &*text), &NoSources, &options);
    let _ = compiled.diagnostics.to_string();
    if let Some(policy) = compiled.policy {
        let (facts, refused) = (policy.no_facts(), Refused::nothing());
        let decision = policy.decide_with(&facts, &refused);
        assert_eq!(decision.row_name(), policy.decide_plainly(&facts, &refused).row_name());
    }
});
