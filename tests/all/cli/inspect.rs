//! `nisi inspect`.

use std::fmt::Write;

use serde_json::Value;

use super::{json, nisi, run};
use crate::support::Folder;

const SMALL: &str = "policy small
version 3
fact region : eu, us, asia
fact open   : yes, no
table t, first row wins
| region | open | => action   |
| eu     | yes  | stop        |
| us     | -    | review desk |
| otherwise |   | stop        |
";

/// Rows over a fact of many values, and counts so many that no array holds them.
fn many() -> String {
    let services: Vec<String> = (0..200).map(|i| format!("s{i}")).collect();
    let mut text = format!("policy many\nversion 1\nfact service : {}\nfact load : count 0..\n", services.join(", "));
    text.push_str("table t, first row wins\n| service | load | => action |\n");
    for i in 0..1_000 {
        writeln!(text, "| s{} | >= {} | review q{} |", i % 200, 2_000 - i, i % 7).unwrap();
    }
    text.push_str("| otherwise | | stop |\n");
    text
}

/// Few rows over five counts of ten classes each, one of them through a derive.
fn wide() -> String {
    let mut text = "policy wide\nversion 1\n".to_string();
    for fact in ["a", "b", "c", "d", "e"] {
        writeln!(text, "fact {fact} : count 0..").unwrap();
    }
    text.push_str("derive high : yes, no, first row wins\n| e | => high |\n| >= 10 | yes |\n| otherwise | no |\n");
    text.push_str("table t, first row wins\n| a | b | c | d | e | high | => action |\n");
    for i in 1..10 {
        writeln!(text, "| >= {i} | <= {i} | {i} | >= {i} | <= {i} | no | review q{i} |").unwrap();
    }
    text.push_str("| otherwise | | | | | | stop |\n");
    text
}

fn inspected(name: &str, text: &str) -> Value {
    let folder = Folder::new(name);
    folder.file("p.nisi", text);
    let given = run(nisi(&folder).args(["inspect", "p.nisi", "--format", "json"]));
    assert_eq!(given.code, 0, "{}", given.err);
    json(&given)
}

#[test]
fn a_small_policy_is_one_array() {
    let told = inspected("inspect-flat", SMALL);
    assert_eq!((&told["policy"], &told["version"], &told["proven"]), (&"small".into(), &"3".into(), &true.into()));
    assert_eq!((&told["facts"], &told["rows"]), (&2.into(), &3.into()));
    assert!(told["digest"].as_str().unwrap().starts_with("sha256:"));
    // Of the region `eu`, `us` and all else; whether it is open, and all else.
    assert_eq!((&told["flat"]["points"], &told["flat"]["answers"]), (&6.into(), &3.into()));
    assert_eq!(told["bytes"], told["flat"]["bytes"]);
    assert_eq!(told["tables"], serde_json::json!([{"name": "t", "derive": false, "rows": 3, "kind": "flat"}]));
}

#[test]
fn a_table_that_fits_no_array_has_bitmaps_and_a_derive_its_own() {
    let told = inspected("inspect-bitmaps", &wide());
    assert_eq!(told.get("flat"), None);
    let tables = told["tables"].as_array().unwrap();
    let [derive, table] = &tables[..] else { panic!("{told}") };
    assert_eq!((&derive["name"], &derive["derive"], &derive["words"]), (&"high".into(), &true.into(), &1.into()));
    assert_eq!((&table["name"], &table["kind"], &table["rows"]), (&"t".into(), &"bitmaps".into(), &10.into()));
    // Ten rows fit one word a column. Four facts are looked up by twos; the fifth, which the derive looks at too, and
    // the derive each alone.
    assert_eq!(table["columns"], serde_json::json!([["a", "b"], ["c", "d"], ["e"], ["high"]]));
    assert_eq!((&table["words"], &told["batch"]), (&4.into(), &"one by one".into()));
    let sum: u64 = tables.iter().map(|table| table["bytes"].as_u64().unwrap()).sum();
    assert_eq!(told["bytes"], sum);
}

#[test]
fn many_rows_stand_in_groups_and_few_words_are_read() {
    let told = inspected("inspect-groups", &many());
    let table = &told["tables"][0];
    assert_eq!((&table["kind"], &table["grouped_by"]), (&"groups".into(), &"service".into()));
    // Five rows a service lie in two stripes of two words at most, `otherwise` in one; without groups there would be 16 a
    // column.
    let (columns, words) = (table["columns"].as_array().unwrap().len() as u64, table["words"].as_u64().unwrap());
    assert!(words >= columns && words <= 6 * columns, "{table}");
}

#[test]
fn people_read_the_same() {
    let folder = Folder::new("inspect-human");
    folder.file("small.nisi", SMALL);
    folder.file("many.nisi", many());
    let given = run(nisi(&folder).args(["inspect", "small.nisi"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let lines: Vec<&str> = given.out.lines().collect();
    assert_eq!(lines[0], "policy small 3, proven");
    assert!(given.out.contains("one array of 6 points and 3 answers: a question reads one point"), "{}", given.out);
    assert_eq!(lines.last(), Some(&"table t: 3 rows, in the array"));
    let given = run(nisi(&folder).args(["inspect", "many.nisi"]));
    assert!(given.out.contains("table t: 1001 rows, bitmaps in groups by service over "), "{}", given.out);
}

#[test]
fn a_policy_with_errors_is_not_inspected() {
    let folder = Folder::new("inspect-errors");
    folder.file("p.nisi", SMALL.replace("| otherwise |   | stop        |\n", ""));
    let given = run(nisi(&folder).args(["inspect", "p.nisi"]));
    assert_eq!((given.code, given.out.as_str()), (1, ""));
    assert!(given.err.contains("N0301") || given.err.contains("no row"), "{}", given.err);
}
