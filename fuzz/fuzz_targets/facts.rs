//! Arbitrary text as facts of the field guide's policy: a decision or errors, never a panic.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nisi::Policy;
use nisi::decide::{facts_from_json, facts_from_yaml};

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    Policy::compile(include_str!("../../policies/field-guide.nisi")).expect("the shipped policy compiles")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let read = if first % 2 == 0 { facts_from_json(&text) } else { facts_from_yaml(&text) };
    if let Ok(given) = read
        && let Ok(facts) = POLICY.read_facts(given)
    {
        let decision = POLICY.decide(&facts);
        let _ = (decision.to_json(Some(7)).to_string(), decision.why().to_string());
    }
});
