//! Examples of policies: what fails, how it is told, and that those of the shipped policies leave no row out.

use std::collections::BTreeSet;

use nisi::cases::run_examples;

use crate::support::{compile, files, has_ending, read};

const TWO_TABLES: &str = r#"policy orders
version 1.0.0
use std.facts

table recovery, first row wins
| row   | condition       | => action          |
|-------|-----------------|---------------------|
| found | confirmed       | done "it is there" |
| lost  | timeout         | see no-answers     |
| rest  | -               | review on-call     |

table no-answers when condition is timeout, first row wins
| row  | effect | => action      |
|------|--------|----------------|
| read | read   | stop "read"    |
| rest | -      | review on-call |
"#;

/// The codes and messages of the failing examples below the tables.
fn failing(examples: &str) -> Vec<(String, String)> {
    let compiled = compile("orders.nisi", &format!("{TWO_TABLES}\n{examples}"));
    let policy = compiled.policy.unwrap_or_else(|| panic!("{}", compiled.diagnostics));
    let outcomes = run_examples(&policy, &compiled.diagnostics.sources);
    let findings = outcomes.into_iter().filter_map(|o| o.finding);
    findings.map(|f| (f.code.id.to_string(), format!("{}\n{}", f.message, f.help.unwrap_or_default()))).collect()
}

#[test]
fn what_holds_is_no_finding_named_or_not() {
    let text = "examples recovery\n| name | condition | effect | => action | row |\n|-|-|-|-|-|\n\
        | a read | timeout | read | stop \"read\" | no-answers/read |\n\
        | | confirmed | | done | found |\n| | | | review | recovery/rest |\n";
    assert_eq!(failing(text), []);
}

#[test]
fn expected_and_found_are_told_with_a_call_that_shows_the_way() {
    let text = "examples recovery\n| name | condition | effect | => action |\n|-|-|-|-|\n| a read | timeout | read | review |\n";
    let [(code, told)] = &failing(text)[..] else { panic!("one finding") };
    assert_eq!(code, "N0801");
    assert!(told.starts_with("example `a read` expects `review` and gets `stop \"read\"`"), "{told}");
    assert!(told.contains("`no-answers/read` answers"), "{told}");
    assert!(told.ends_with("nisi why orders.nisi --set condition=timeout --set effect=read"), "{told}");
}

#[test]
fn another_reason_is_another_action() {
    let text = "examples recovery\n| condition | effect | => action |\n|-|-|-|\n| timeout | read | stop \"other\" |\n";
    assert_eq!(failing(text)[0].0, "N0801");
}

#[test]
fn another_row_and_another_table_are_told() {
    let text = "examples recovery\n| condition | effect | => row |\n|-|-|-|\n| timeout | read | no-answers/rest |\n";
    let [(code, told)] = &failing(text)[..] else { panic!("one finding") };
    assert_eq!(code, "N0802");
    assert!(told.contains("expects row `no-answers/rest` and is answered by `no-answers/read`"), "{told}");
    let text = "examples no-answers\n| condition | effect | => action |\n|-|-|-|\n| confirmed | read | stop |\n";
    let [(code, told)] = &failing(text)[..] else { panic!("one finding") };
    assert_eq!(code, "N0803");
    assert!(told.contains("--table no-answers"), "{told}");
}

#[test]
fn a_table_alone_can_be_asked() {
    let text = "examples no-answers\ngiven condition is timeout\n| effect | => action | row |\n|-|-|-|\n\
        | read | stop | read |\n| write | review | rest |\n| | review | no-answers/rest |\n";
    assert_eq!(failing(text), []);
}

/// Each row of each table of a shipped policy answers, or hands over, in some example.
#[test]
fn the_examples_of_shipped_policies_cover_every_row() {
    let shipped: Vec<String> =
        files("policies").into_iter().filter(|p| has_ending(p, "nisi") && !p.starts_with("policies/std/")).collect();
    assert!(!shipped.is_empty());
    for path in shipped {
        let compiled = compile(&path, &read(&path));
        let policy = compiled.policy.unwrap_or_else(|| panic!("{path}: {}", compiled.diagnostics));
        let outcomes = run_examples(&policy, &compiled.diagnostics.sources);
        let taken: BTreeSet<&str> = outcomes.iter().flat_map(|o| o.path.iter().map(String::as_str)).collect();
        let rows = policy.rows().map(|row| row.to_string());
        let left: Vec<String> = rows.filter(|row| !taken.contains(row.as_str())).collect();
        assert!(left.is_empty(), "{path}: no example takes {left:?}");
    }
}
