//! Every documented limit, passed by one: the finding says what was given and what is allowed, and it comes quickly.

use std::time::{Duration, Instant};

use nisi::compile::{Compiled, NoSources, Options};
use nisi::decide::{Raw, facts_from_json, facts_from_yaml};
use nisi::text::Source;

use crate::support::{compile, compile_with, read};

const TABLE: &str = "table answers, first row wins\n| => action |\n| stop |\n";

fn policy(items: &str) -> String {
    format!("policy large\nversion 1.0.0\n{items}\n{TABLE}")
}

/// One error of this code, that names both numbers, in this time. Building the text is not counted.
#[track_caller]
fn refused(text: &str, code: &str, given: &str, allowed: &str) -> Compiled {
    let begun = Instant::now();
    let compiled = compile("large.nisi", text);
    let took = begun.elapsed();
    told(&compiled, code, given, allowed);
    assert!(took < Duration::from_secs(20), "{code} took {took:?}");
    compiled
}

#[track_caller]
fn told(compiled: &Compiled, code: &str, given: &str, allowed: &str) {
    let found: Vec<_> = compiled.diagnostics.items.iter().filter(|d| d.code.id == code).collect();
    let errors = compiled.diagnostics.to_string();
    let shown: String = errors.chars().take(2_000).collect();
    assert_eq!(found.len(), 1, "{code}: {shown}");
    let labels: Vec<&str> = found[0].labels.iter().map(|l| &*l.text).collect();
    let help = found[0].help.as_deref().unwrap_or_default();
    let message = format!("{} {help} {}", found[0].message, labels.join(" "));
    assert!(message.contains(given) && message.contains(allowed), "{code}: {given} and {allowed}: {message}");
    assert!(compiled.policy.is_none());
}

/// Something for each number below `n`, one behind the other.
fn each(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

/// `a0, a1, …`
fn names(n: usize) -> String {
    (0..n).map(|i| format!("a{i}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn bytes_of_a_file() {
    let comment = format!("# {}\n", "x".repeat(1_000));
    let text = policy("") + &comment.repeat(16 * 1024 * 1024 / comment.len() + 1);
    refused(&text, "N0102", &text.len().to_string(), "16777216");
}

#[test]
fn lines_of_a_file() {
    let text = policy("") + &"\n".repeat(400_000);
    let lines = text.split('\n').count();
    refused(&text, "N0102", &lines.to_string(), "400000");
}

#[test]
fn bytes_of_a_line() {
    let line = format!("# {}\n", "x".repeat(65_536));
    refused(&policy(&line), "N0102", "65538", "65536");
}

#[test]
fn columns_of_a_table() {
    let facts: String = each(65, |i| format!("fact f{i} : yes, no\n"));
    let header: String = each(65, |i| format!("| f{i} "));
    let table = format!("table wide, first row wins\n{header}| => action |\n{}| stop |\n", "| - ".repeat(65));
    let text = format!("policy large\nversion 1.0.0\n{facts}\n{table}");
    refused(&text, "N0102", "66", "64");
}

#[test]
fn rows_of_a_table() {
    let row = "| stop |\n";
    let text = format!("policy large\nversion 1.0.0\ntable t, first row wins\n| => action |\n{}", row.repeat(200_001));
    refused(&text, "N0102", "200001", "200000");
}

#[test]
fn cells_of_all_tables() {
    let facts: String = each(40, |i| format!("fact f{i} : yes, no\n"));
    let header: String = each(40, |i| format!("|f{i}")) + "|=> action|\n";
    let row = "|-".repeat(40) + "|stop|\n";
    let table = |name: &str| format!("table {name}, first row wins\n{header}{}\n", row.repeat(49_000));
    let text = format!("policy large\nversion 1.0.0\n{facts}\n{}{}", table("one"), table("two"));
    assert!(text.len() < 16 * 1024 * 1024, "{}", text.len());
    refused(&text, "N0102", "4000", "4000000");
}

#[test]
fn values_of_one_cell() {
    let items = format!("fact tries : count\ntable t, first row wins\n| tries | => action |\n| {} | stop |\n", {
        (0..4_097).map(|i| (2 * i).to_string()).collect::<Vec<_>>().join(", ")
    });
    refused(&format!("policy large\nversion 1.0.0\n{items}"), "N0102", "4097", "4096");
}

#[test]
fn values_of_a_choice() {
    let values = |k: usize| (0..1_400).map(|i| format!("b{k}x{i}")).collect::<Vec<_>>().join(", ");
    let more = each(3, |k| format!("extend f : {}\n", values(k)));
    let text = policy(&format!("fact f : a, b\n{more}"));
    refused(&text, "N0219", "4202", "4096");
}

#[test]
fn named_points_of_a_fact() {
    refused(&policy(&format!("fact f : duration or {}", names(17))), "N0219", "17", "16");
}

#[test]
fn facts_of_a_policy() {
    let facts: String = each(1_025, |i| format!("fact f{i} : yes, no\n"));
    refused(&policy(&facts), "N0219", "1025", "1024");
}

#[test]
fn ways_behind_one_action() {
    let way = "; if refused, reconcile by event within 1s".repeat(9);
    let text = format!(
        "policy large\nversion 1.0.0\nuse std.facts\ntable t, first row wins\n| => action |\n| reconcile by event within 1s{way}; if refused, stop |\n"
    );
    refused(&text, "N0102", "10", "8");
}

#[test]
fn actions_of_one_row() {
    // Named actions, each with eight ways, the last of which is the next one.
    let way = "reconcile by event within 1s; if refused, ".repeat(8);
    let text = format!(
        "policy large\nversion 1.0.0\nuse std.facts\naction a : {way}b\naction b : {way}c\naction c : reconcile by event within 1s; if refused, stop\n\
        table t, first row wins\n| => action |\n| a |\n"
    );
    refused(&text, "N0219", "17", "16");
}

#[test]
fn tables_on_one_way() {
    let leads_to = |i: usize| if i < 16 { format!("see t{}", i + 1) } else { "stop".into() };
    let tables = each(17, |i| format!("table t{i}, first row wins\n| => action |\n| {} |\n", leads_to(i)));
    refused(&format!("policy large\nversion 1.0.0\n{tables}"), "N0219", "17", "16");
}

#[test]
fn copies_of_a_hedge_attempts_and_factors() {
    let row = |action: &str, before: &str| {
        format!(
            "policy large\nversion 1.0.0\nuse std.facts\nbudget {{ owner us, attempts 3, deadline 20s }}\n{before}\n\
            table t, first row wins\n| => action |\n| {action} |\n"
        )
    };
    refused(&row("hedge 17 after 1s; if refused, stop", ""), "N0210", "17", "16");
    refused(&row("retry now, spend 1000001; if refused, stop", ""), "N0210", "1000001", "1000000");
    let backoff = "backoff b { base 1s, factor 100.1, cap 8s }";
    refused(&row("retry after b; if refused, stop", backoff), "N0223", "100.1", "100,");
}

#[test]
fn durations_and_decimals() {
    let row = |fact: &str, cell: &str| {
        format!(
            "policy large\nversion 1.0.0\nfact f : {fact}\ntable t, first row wins\n| f | => action |\n| {cell} | stop |\n| otherwise | review |\n"
        )
    };
    refused(&row("duration", ">= 36501d"), "N0209", "36501d", "36500d");
    refused(&row("decimal", ">= 0.1234567890123456789"), "N0209", "0.1234567890123456789", "18");
}

#[test]
fn characters_of_a_name_and_of_a_text() {
    refused(&policy(&format!("fact {} : yes, no", "x".repeat(129))), "N0102", "129", "128");
    let text = format!(
        "policy large\nversion 1.0.0\ntable t, first row wins\n| => action |\n| stop \"{}\" |\n",
        "é".repeat(4_097)
    );
    refused(&text, "N0102", "4097", "4096");
}

#[test]
fn files_below_each_other_and_in_all() {
    let deep = (0..20)
        .map(|i| (format!("deep.d{i}"), format!("use deep.d{}\n", i + 1)))
        .chain([("deep.d20".into(), String::new())]);
    let compiled = compile_with("large.nisi", &policy("use deep.d0"), &deep.collect());
    told(&compiled, "N0219", "17", "16");
    let wide = (0..300).map(|i| (format!("wide.w{i}"), format!("fact f{i} : yes, no\n"))).collect();
    let uses: String = each(300, |i| format!("use wide.w{i}\n"));
    let compiled = compile_with("large.nisi", &policy(&uses), &wide);
    let over = compiled.diagnostics.items.iter().filter(|d| d.code.id == "N0219").collect::<Vec<_>>();
    assert!(!over.is_empty() && over[0].message.contains("256"), "{}", compiled.diagnostics);
}

#[test]
fn findings_that_are_kept() {
    let rows: String = (0..2_000).map(|_| "| == 3 | stop |\n".to_string()).collect();
    let text = format!(
        "policy large\nversion 1.0.0\nfact tries : count\ntable t, first row wins\n| tries | => action |\n{rows}"
    );
    let compiled = compile("large.nisi", &text);
    let n = compiled.diagnostics.items.len();
    assert!((1_000..=1_001).contains(&n), "{n} findings");
}

#[test]
fn steps_of_the_proofs() {
    let text = read("policies/field-guide.nisi");
    let options = Options { max_steps: 20, ..Options::default() };
    let compiled = nisi::compile::compile(Source::new("field-guide.nisi", text), &NoSources, &options);
    let found = compiled.diagnostics.items.iter().find(|d| d.code.id == "N0309");
    let found = found.unwrap_or_else(|| panic!("{}", compiled.diagnostics));
    assert!(found.message.contains("20 steps"), "{}", found.message);
    assert!(found.help.as_ref().is_some_and(|h| h.contains("--max-steps 200")), "{:?}", found.help);
}

/// What a reader of facts says, message and help.
fn facts_error(text: &str, json: bool) -> String {
    let begun = Instant::now();
    let read = if json { facts_from_json(text) } else { facts_from_yaml(text) };
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    read.unwrap_err().with_help()
}

#[test]
fn texts_of_facts() {
    for json in [true, false] {
        let long = format!("{{\"condition\": \"{}\"}}", "x".repeat(1_048_576));
        let told = facts_error(&long, json);
        assert!(told.contains(&long.len().to_string()) && told.contains("1048576"), "{told}");
        let many: String = each(4_097, |i| format!("\"f{i}\": 1, "));
        let told = facts_error(&format!("{{{}}}", many.trim_end_matches(", ")), json);
        assert!(told.contains("4096"), "{told}");
    }
    let deep = format!("condition: {}1{}\n", "[".repeat(1_000), "]".repeat(1_000));
    let told = facts_error(&deep, false);
    assert!(told.contains("32"), "{told}");
}

#[test]
fn a_fact_that_is_a_text() {
    let text = "policy large\nversion 1.0.0\nfact channel : text\ntable t, first row wins\n| channel | => action |\n| \"web\" | stop |\n| otherwise | review |\n";
    let policy = compile("large.nisi", text).policy.unwrap();
    let long = vec![("channel".to_string(), Raw::Text("x".repeat(65_537)))];
    let told = policy.read_facts(long).unwrap_err()[0].to_string();
    assert!(told.contains("65537") && told.contains("65536"), "{told}");
}
