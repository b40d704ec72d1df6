//! The documented limits, at their most and one past it: what is past says how much is allowed, and how much was given
//! where it was counted. (That the page lists those of the code is asked in `docs.rs`.)

use std::collections::BTreeMap;
use std::fmt::Write as _;

use nisi::compile::{Kind, NoSources, Options};
use nisi::decide::{MAX_FACT_TEXT, MAX_FACTS, MAX_FACTS_BYTES, MAX_FACTS_DEPTH, facts_from_json, facts_from_yaml};
use nisi::text::Source;

const HEAD: &str = "policy a\nversion 1\n";
const END: &str = "table t, first row wins\n| => action |\n| stop |\n";

/// What is told of a text and of the files beside it, proofs left out; each finding with its help.
fn told_with(text: &str, others: &BTreeMap<String, String>) -> Vec<String> {
    let options = Options { proofs: false, ..Options::default() };
    let compiled = nisi::compile::compile(Source::new("a.nisi", text), others, &options);
    let items = compiled.diagnostics.items.iter();
    items.map(|d| format!("{} {}; {}", d.code, d.message, d.help.as_deref().unwrap_or(""))).collect()
}

fn told(text: &str) -> Vec<String> {
    told_with(text, &BTreeMap::new())
}

/// At its most a text is taken; one past it a finding of `code` says both numbers.
fn holds(code: &str, most: usize, text: impl Fn(usize) -> String) {
    holds_as(code, most, &most.to_string(), &(most + 1).to_string(), |n| told(&text(n)));
}

fn holds_as(code: &str, most: usize, allowed: &str, given: &str, told: impl Fn(usize) -> Vec<String>) {
    let at = told(most);
    assert!(at.iter().all(|f| !f.starts_with("N0102") && !f.starts_with(code)), "at {most}: {at:#?}");
    let past = told(most + 1);
    let found = past.iter().any(|f| f.starts_with(code) && f.contains(allowed) && f.contains(given));
    assert!(found, "past {most}, {code} with {given} and {allowed}: {past:#?}");
}

fn list(n: usize, item: impl Fn(usize) -> String, between: &str) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(between)
}

#[test]
fn bytes_of_a_file() {
    let text = |n: usize| {
        let line = format!("# {}\n", "x".repeat(60_000));
        let mut text = format!("{HEAD}{END}");
        while n - text.len() > 2 * line.len() {
            text.push_str(&line);
        }
        while n - text.len() > 60_000 {
            text.push_str("# half a line\n");
        }
        let left = n - text.len();
        let _ = write!(text, "#{}", "x".repeat(left - 1));
        assert_eq!(text.len(), n);
        text
    };
    holds("N0102", 16 * 1024 * 1024, text);
}

#[test]
fn lines_of_a_file_and_bytes_of_a_line() {
    holds("N0102", 400_000, |n| format!("{HEAD}{END}{}", "\n".repeat(n - 6)));
    holds("N0102", 400_000, |n| format!("{HEAD}{END}{}", "\r\n".repeat(n - 6)));
    holds("N0102", 65_536, |n| format!("{HEAD}{END}#{}\n", "x".repeat(n - 1)));
}

#[test]
fn names_and_texts() {
    holds("N0102", 128, |n| format!("{HEAD}fact {} : count\n{END}", "n".repeat(n)));
    holds("N0102", 4_096, |n| {
        format!("{HEAD}table t, first row wins\n| => action |\n| stop \"{}\" |\n", "é".repeat(n))
    });
}

#[test]
fn columns_rows_and_members_of_a_table() {
    holds("N0102", 64, |n| {
        let facts = list(n - 1, |i| format!("fact f{i} : count\n"), "");
        let names = list(n - 1, |i| format!("| f{i} "), "");
        format!("{HEAD}{facts}table t, first row wins\n{names}| => action |\n{}| stop |\n", "| - ".repeat(n - 1))
    });
    holds("N0102", 4_096, |n| {
        let cell = list(n, |i| (2 * i).to_string(), ", ");
        format!(
            "{HEAD}fact f : count\ntable t, first row wins\n| f | => action |\n| {cell} | stop |\n| otherwise | stop |\n"
        )
    });
    let past = told(&format!(
        "{HEAD}fact f : count\ntable t, first row wins\n| => action |\n{}",
        "| stop |\n".repeat(200_001)
    ));
    assert!(past.iter().any(|f| f.starts_with("N0102") && f.contains("200001 rows, and 200000")), "{past:?}");
}

#[test]
fn values_of_a_choice_its_points_and_the_number_of_facts() {
    holds("N0219", 4_096, |n| format!("{HEAD}fact f : {}\n{END}", list(n, |i| format!("v{i}"), ", ")));
    holds("N0219", 4_096, |n| {
        let first = list(4_000, |i| format!("v{i}"), ", ");
        format!("{HEAD}fact f : {first}\nextend f : {}\n{END}", list(n - 4_000, |i| format!("w{i}"), ", "))
    });
    holds("N0219", 16, |n| format!("{HEAD}fact f : duration or {}\n{END}", list(n, |i| format!("p{i}"), ", ")));
    holds("N0219", 1_024, |n| format!("{HEAD}{}{END}", list(n, |i| format!("fact f{i} : count\n"), "")));
}

#[test]
fn ways_for_refusal() {
    let chain = |n: usize| list(n, |_| "reconcile by event within 1s".into(), "; if refused, ");
    let table = |action: &str| format!("table t, first row wins\n| => action |\n| {action} |\n");
    holds("N0102", 8, |n| format!("{HEAD}{}", table(&format!("{}; if refused, stop", chain(n)))));
    holds("N0219", 16, |n| {
        let rest = format!("action rest : {}; if refused, stop\n", chain(8));
        format!("{HEAD}{rest}{}", table(&format!("{}; if refused, rest", chain(n - 9))))
    });
}

#[test]
fn tables_on_the_way_of_one_decision() {
    holds("N0219", 16, |n| {
        let tables = list(n - 1, |i| format!("table t{i}, first row wins\n| => action |\n| see t{} |\n\n", i + 1), "");
        format!("{HEAD}{tables}table t{}, first row wins\n| => action |\n| stop |\n", n - 1)
    });
}

/// The finding of a number out of its bounds names the bound, and the number is the one that is underlined.
#[test]
fn numbers_in_actions_and_blocks() {
    let budget = "use std.facts\nbudget {\n  owner me\n  attempts 3\n  deadline 20s\n}\n";
    let table = |action: &str| format!("{HEAD}{budget}table t, first row wins\n| => action |\n| {action} |\n");
    let bounded = |most: usize, allowed: &str, text: &dyn Fn(usize) -> String| {
        assert_eq!(errors(&text(most)), Vec::<String>::new(), "at {most}");
        let past = errors(&text(most + 1));
        assert!(past.iter().any(|f| f.contains(allowed)), "past {most}: {past:#?}");
    };
    bounded(16, "16", &|n| table(&format!("hedge {n} after 300ms")));
    bounded(1_000_000, "1000000", &|n| table(&format!("retry now, spend {n}")));
    bounded(1_000_000, "1000000", &|n| table("stop").replace("attempts 3", &format!("attempts {n}")));
    for entry in ["confirm", "looks"] {
        let block = |n: usize| match entry {
            "looks" => format!("locator l {{ remembers 1d, looks {n} }}\ntable"),
            _ => "table".to_string(),
        };
        bounded(1_000_000, "1000000", &|n| {
            let text = table("reconcile by event within 1s").replace("table", &block(n));
            if entry == "confirm" { text.replace("attempts 3", &format!("attempts 3\n  confirm {n}")) } else { text }
        });
    }
    bounded(100, "from 1 to 100", &|n| {
        let block = format!("backoff b {{ base 1s, factor {n}, cap 8s, jitter full }}\ntable");
        table("retry after b").replace("table", &block)
    });
    bounded(36_500, "36500d", &|n| {
        format!(
            "{HEAD}fact f : duration\ntable t, first row wins\n| f | => action |\n| {n}d | stop |\n| otherwise | stop |\n"
        )
    });
    bounded(18, "18", &|n| {
        let digits = "1".repeat(n);
        format!(
            "{HEAD}fact f : decimal\ntable t, first row wins\n| f | => action |\n| 0.{digits} | stop |\n| otherwise | stop |\n"
        )
    });
}

fn errors(text: &str) -> Vec<String> {
    let options = Options { proofs: false, ..Options::default() };
    let found = nisi::compile::compile(Source::new("a.nisi", text), &BTreeMap::new(), &options).diagnostics.items;
    let errors = found.iter().filter(|d| d.severity == nisi::diag::Severity::Error);
    let labels = |d: &nisi::diag::Diagnostic| d.labels.iter().map(|l| l.text.clone()).collect::<Vec<_>>().join(", ");
    errors.map(|d| format!("{} {}; {}; {}", d.code, d.message, labels(d), d.help.as_deref().unwrap_or(""))).collect()
}

#[test]
fn files_that_use_each_other() {
    holds_as("N0219", 16, "16", "17", |n| {
        let file = |i: usize| if i == n { "fact last : count\n".into() } else { format!("use v{}\n", i + 1) };
        let others: BTreeMap<String, String> = (1..=n).map(|i| (format!("v{i}"), file(i))).collect();
        told_with(&format!("{HEAD}use v1\n{END}"), &others)
    });
    // The policy itself is one of them.
    holds_as("N0219", 255, "256", "257", |n| {
        let others = (0..n).map(|i| (format!("v{i}"), format!("fact f{i} : count\n"))).collect();
        told_with(&format!("{HEAD}{}{END}", list(n, |i| format!("use v{i}\n"), "")), &others)
    });
}

/// Findings of reading, and findings of meaning, each at their most and one past it.
#[test]
fn findings_of_a_policy() {
    let unreadable = |n: usize| told(&format!("{HEAD}{}{END}", "fact a : durtion\n".repeat(n)));
    assert_eq!(unreadable(999).len(), 999);
    let found = unreadable(2_000);
    assert!(found.len() == 1_000 && found.iter().any(|f| f.contains("1000 findings or more")), "{}", found.len());
    let row = |i: usize| format!("| valeu{i} | stop |\n");
    let meant = |n: usize| {
        let values = list(n, |i| format!("value{i}"), ", ");
        let rows = list(n, row, "");
        told(&format!("{HEAD}fact f : {values}\ntable t, first row wins\n| f | => action |\n{rows}| - | stop |\n"))
    };
    assert!(meant(1_000).iter().all(|f| !f.starts_with("N0102")) && meant(1_000).len() == 1_000);
    let found = meant(1_001);
    assert!(found.len() == 1_000 && found[999].contains("there are 1001 findings, and 1000 are told"), "{found:?}");
}

/// The count ends the reading before a cell is read.
#[test]
fn cells_of_all_tables() {
    let table = |name: &str, columns: usize, rows: usize| {
        let header = list(columns - 1, |i| format!("|f{i}"), "");
        format!(
            "table {name}, first row wins\n{header}|=> action|\n{}",
            format!("{}\n", "|".repeat(columns + 1)).repeat(rows)
        )
    };
    let past = told(&format!("{HEAD}{}", table("t", 64, 62_501)));
    assert!(past.iter().any(|f| f.contains("the file has 4000064 cells, and 4000000 are allowed")), "{past:?}");
}

#[test]
fn what_stopped_at_a_limit_is_no_vocabulary() {
    let compiled = nisi::compile::compile(Source::new("a.nisi", "x".repeat(70_000)), &NoSources, &Options::default());
    assert_eq!((compiled.kind, compiled.diagnostics.items.len()), (Kind::Unread, 1));
}

#[test]
fn texts_of_facts() {
    let json = |n: usize| format!("{{\"a\": \"{}\"}}", "x".repeat(n - 9));
    assert!(facts_from_json(&json(MAX_FACTS_BYTES)).is_ok());
    let past = [json(MAX_FACTS_BYTES + 1)].map(|t| [facts_from_json(&t), facts_from_yaml(&t)].map(Result::unwrap_err));
    for error in past.iter().flatten() {
        assert!(error.message.contains("1048577") && error.message.contains("1048576"), "{error}");
    }
    let many = |n: usize| format!("{{{}}}", list(n, |i| format!("\"f{i}\": 1"), ", "));
    for read in [facts_from_json, facts_from_yaml] {
        assert_eq!(read(&many(MAX_FACTS)).unwrap().len(), MAX_FACTS);
        let error = read(&many(MAX_FACTS + 1)).unwrap_err().with_help();
        assert!(error.contains("there are 4097 facts, and 4096 are allowed; leave out"), "{error}");
    }
    let deep = |n: usize| format!("{{\"a\": {}1{}}}", "[".repeat(n), "]".repeat(n));
    for (read, given) in [(facts_from_yaml as fn(&str) -> _, "at least 33"), (facts_from_json, "33")] {
        assert!(read(&deep(MAX_FACTS_DEPTH)).is_ok());
        let error = read(&deep(MAX_FACTS_DEPTH + 1)).unwrap_err().with_help();
        assert!(error.contains(&format!("nest {given} deep, and 32 are allowed")), "{error}");
    }
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    let error = facts_from_yaml(bomb).unwrap_err().with_help();
    assert!(error.contains("line 2, column 8: `b`: an alias is not read here"), "{error}");
}

#[test]
fn one_fact_that_is_a_text() {
    let text = format!("{HEAD}fact channel : text\n{END}");
    let policy = nisi::Policy::compile(&text).unwrap_or_else(|found| panic!("{found}"));
    let read = |n: usize| policy.read_facts([("channel".to_string(), nisi::decide::Raw::Text("x".repeat(n)))]);
    assert!(read(MAX_FACT_TEXT).is_ok());
    let errors = read(MAX_FACT_TEXT + 1).unwrap_err();
    let told = format!("{errors:?} {}", errors.iter().map(ToString::to_string).collect::<String>());
    assert!(told.contains("65537") && told.contains("65536"), "{told}");
}
