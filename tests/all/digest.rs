//! What a policy's digest speaks of, clause by clause: each change is made to one text, and either moves the digest or
//! does not.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::compile_with;

const TEAM: &str = "fact region : eu, us\nfact spare : yes, no\n";

const ORDERS: &str = "\
policy orders
version 1.0.0
owner team-a
use std.facts
use team.facts

budget { owner coordinator, attempts 3, deadline 20s }
backoff gentle { base 200ms, factor 2, cap 8s, jitter full }
locator order_key { remembers 24h }
parity twin { same prompt }

derive near : yes, no, first row wins
| region    | => near |
| eu        | yes     |
| otherwise | no      |

table recovery, first row wins, if refused, review desk
| row   | condition | near | => action                           |
|-------|-----------|------|-------------------------------------|
| again | timeout   | yes  | retry after gentle                  |
| gone  | rejected  | -    | stop \"for good\"                     |
| open  | timeout   | no   | reconcile by order_key within 4s    |
| rest  | -         | -    | review desk                         |

- again: it can be asked again

rule near-ones-wait: never retry when region is eu
waive near-ones-wait for recovery/again because \"agreed\" owner platform until 2027-01-31
waive N0403 because \"small\"

examples recovery
| name | condition | => action |
| gone | rejected  | stop      |
";

/// The digest of the policy with these changes: text and what stands in its place.
fn digest(changes: &[(&str, &str)]) -> String {
    let (mut orders, mut team) = (ORDERS.to_string(), TEAM.to_string());
    for (old, new) in changes {
        assert!(orders.contains(old) || team.contains(old), "{old}");
        (orders, team) = (orders.replacen(old, new, 1), team.replacen(old, new, 1));
    }
    let beside = BTreeMap::from([("team.facts".to_string(), team)]);
    let compiled = compile_with("orders.nisi", &orders, &beside);
    let policy = compiled.policy.unwrap_or_else(|| panic!("{changes:?}: {}", compiled.diagnostics));
    policy.digest().to_string()
}

#[test]
fn the_same_text_has_the_same_digest() {
    assert_eq!(digest(&[]), digest(&[]));
    let hexadecimal =
        digest(&[]).strip_prefix("sha256:").map(|d| d.len() == 64 && d.bytes().all(|b| b.is_ascii_hexdigit()));
    assert_eq!(hexadecimal, Some(true));
}

/// Changes that leave the digest as it is.
fn outside(changes: &[(&str, &str)]) {
    for change in changes {
        assert_eq!(digest(&[*change]), digest(&[]), "{change:?} lies outside");
    }
}

#[test]
fn layout_lies_outside() {
    outside(&[
        (
            "| again | timeout   | yes  | retry after gentle                  |",
            "|again|timeout|yes|retry after gentle|",
        ),
        ("|-------|-----------|------|-------------------------------------|\n", ""),
        (
            "{ base 200ms, factor 2, cap 8s, jitter full }",
            "{\n  base   200ms\n  factor 2\n  cap    8s\n  jitter full\n}",
        ),
        ("\n\nbudget", "\n\n\n\nbudget"),
        ("base 200ms", "base 0.2s"),
    ]);
    // So does the order of columns.
    let turned = [
        ("| row   | condition | near |", "| row   | near | condition |"),
        ("| again | timeout   | yes  |", "| again | yes  | timeout   |"),
        ("| gone  | rejected  | -    |", "| gone  | -    | rejected  |"),
        ("| open  | timeout   | no   |", "| open  | no   | timeout   |"),
    ];
    assert_eq!(digest(&turned), digest(&[]));
}

#[test]
fn comments_lie_outside() {
    outside(&[("version 1.0.0\n", "version 1.0.0   # the first\n"), ("budget {", "# told to nobody\nbudget {")]);
}

#[test]
fn documentation_lies_outside() {
    outside(&[("table recovery", "## What follows.\ntable recovery"), ("fact region", "## Where.\nfact region")]);
}

#[test]
fn the_owner_lies_outside() {
    outside(&[("owner team-a\n", "owner team-b\n"), ("owner team-a\n", "")]);
}

#[test]
fn examples_lie_outside() {
    outside(&[
        ("| gone | rejected  | stop      |\n", "| gone | rejected  | stop      |\n| all | unknown | review |\n"),
        ("examples recovery\n| name | condition | => action |\n| gone | rejected  | stop      |\n", ""),
    ]);
}

#[test]
fn waived_findings_lie_outside() {
    outside(&[
        ("waive N0403 because \"small\"\n", ""),
        ("waive N0403 because \"small\"", "waive N0403 because \"tiny\""),
    ]);
}

/// Changes that give another digest, each another one.
fn inside(changes: &[(&str, &str)]) {
    let digests: BTreeSet<String> = changes.iter().map(|change| digest(&[*change])).chain([digest(&[])]).collect();
    assert_eq!(digests.len(), changes.len() + 1, "{changes:?} all lie inside");
}

#[test]
fn name_and_version_lie_inside() {
    inside(&[("policy orders", "policy order"), ("version 1.0.0", "version 1.0.1"), ("version 1.0.0", "version 1.0")]);
}

#[test]
fn what_used_files_declare_lies_inside() {
    inside(&[
        ("fact spare : yes, no\n", ""),
        ("fact spare : yes, no\n", "fact spare : a, b\n"),
        ("fact region : eu, us", "fact region : eu, us, apac"),
        ("fact region : eu, us", "fact region : us, eu"),
        ("use team.facts\n", "use team.facts\nextend condition : declined\n"),
    ]);
    let bare = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| review |\n";
    let of = |text: &str| nisi::Policy::compile(text).unwrap().digest().to_string();
    let with = |name: &str| of(&bare.replacen("version 1\n", &format!("version 1\nuse {name}\n"), 1));
    assert_eq!(BTreeSet::from([of(bare), with("std.facts"), with("std.safety")]).len(), 3);
}

#[test]
fn the_order_of_rows_lies_inside() {
    let (gone, open) = (
        "| gone  | rejected  | -    | stop \"for good\"                     |\n",
        "| open  | timeout   | no   | reconcile by order_key within 4s    |\n",
    );
    let both = format!("{gone}{open}");
    inside(&[(&both, &format!("{open}{gone}"))]);
}

#[test]
fn names_lie_inside() {
    inside(&[
        ("| rest  |", "| other |"),
        ("| rest  |", "|       |"),
        ("review desk                         |", "review tower                        |"),
        ("owner coordinator", "owner sidecar"),
    ]);
    // Names that others speak of are changed wherever they stand.
    let renamed = [("gentle {", "soft {"), ("retry after gentle", "retry after soft")];
    assert_ne!(digest(&renamed), digest(&[]));
    let renamed = [("order_key {", "key {"), ("by order_key", "by key")];
    assert_ne!(digest(&renamed), digest(&[]));
    let renamed = [("rule near-ones-wait", "rule near-waits"), ("waive near-ones-wait", "waive near-waits")];
    assert_ne!(digest(&renamed), digest(&[]));
}

#[test]
fn reasons_lie_inside() {
    inside(&[
        ("it can be asked again", "it may be asked again"),
        ("- again: it can be asked again\n", ""),
        ("stop \"for good\"", "stop \"once and for all\""),
    ]);
}

#[test]
fn cells_and_actions_lie_inside() {
    inside(&[
        ("| eu        | yes     |", "| us        | yes     |"),
        ("| again | timeout ", "| again | timeout, connection_lost "),
        ("within 4s", "within 5s"),
        ("if refused, review desk", "if refused, review"),
        ("retry after gentle ", "retry now "),
    ]);
}

#[test]
fn budgets_and_what_actions_speak_of_lie_inside() {
    inside(&[
        ("attempts 3", "attempts 4"),
        ("deadline 20s", "deadline 30s"),
        ("deadline 20s", "deadline 20s, late 2m"),
        ("deadline 20s", "deadline 20s, below sdk 3"),
        ("base 200ms", "base 300ms"),
        ("jitter full", "jitter equal"),
        ("remembers 24h", "remembers 25h"),
        ("same prompt", "same model"),
    ]);
}

#[test]
fn rules_lie_inside() {
    inside(&[
        (
            "rule near-ones-wait: never retry when",
            "rule no-hedges: never hedge when region is eu\nrule near-ones-wait: never retry when",
        ),
        ("never retry when region is eu", "never retry, hedge when region is eu"),
        ("never retry when region is eu", "never retry unless region is us"),
    ]);
}

#[test]
fn the_waivers_of_rules_lie_inside() {
    inside(&[
        ("because \"agreed\"", "because \"settled\""),
        ("owner platform until", "owner security until"),
        ("until 2027-01-31", "until 2027-02-28"),
    ]);
}
