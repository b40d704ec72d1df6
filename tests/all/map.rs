//! What the shipped policies decide, kept: a changed decision is a changed line. So an orchestrator's own tests would hold
//! its policies.

use crate::support::read;

#[test]
fn the_shipped_policies_decide_what_they_did() {
    for name in ["assistant", "field-guide", "procurement"] {
        let policy = nisi::Policy::compile(&read(&format!("policies/{name}.nisi"))).unwrap();
        insta::assert_snapshot!(format!("map_{name}"), policy.map());
    }
}
