//! Tables made to be hard: many flags, boxes of which no two share a bound, very many literals.

use std::fmt::Write as _;

use crate::workload::Draw;

/// What a row may do; each holds under the shipped rules.
const ACTIONS: [&str; 3] = ["review ops", "review b", "reconcile by event within 4s; if refused, review d"];

/// A policy whose only table has these columns and rows; `otherwise` stands last where it is wanted.
fn policy(facts: &str, columns: &[String], rows: &[Vec<String>], otherwise: bool) -> String {
    let mut text = format!("policy hard\nversion 1\nuse std.facts\nuse std.safety\n{facts}table t, first row wins\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| row | {} | => action |", columns.join(" | "));
    for (i, cells) in rows.iter().enumerate() {
        let _ = writeln!(text, "| r{i} | {} | {} |", cells.join(" | "), ACTIONS[i % ACTIONS.len()]);
    }
    if otherwise {
        let _ = writeln!(text, "| otherwise |{} review z |", " |".repeat(columns.len()));
    }
    text
}

fn declared(facts: &[String], ty: &str) -> String {
    facts.iter().flat_map(|f| ["fact ", f, " : ", ty, "\n"]).collect()
}

/// Rows over thirty flags, each of which tests three to five.
pub fn flags(n_rows: usize) -> String {
    let columns: Vec<String> = (0..30).map(|i| format!("f{i}")).collect();
    let facts = declared(&columns, "yes, no");
    let mut draw = Draw(3);
    let row = |_| {
        let mut cells = vec!["-".to_string(); 30];
        for _ in 0..3 + draw.below(3) {
            cells[draw.place(30)] = ["yes", "no"][draw.place(2)].into();
        }
        cells
    };
    let rows: Vec<_> = (0..n_rows).map(row).collect();
    policy(&facts, &columns, &rows, false)
}

/// Boxes over three counts; no bound stands twice.
pub fn boxes(n_rows: usize) -> String {
    let columns: Vec<String> = (0..3).map(|i| format!("n{i}")).collect();
    let facts = declared(&columns, "count");
    let mut draw = Draw(5);
    let range = |draw: &mut Draw, i: usize| {
        let bound = |n: u64| n * 2 * 500 + i as u64 * 2;
        let (a, b) = (bound(draw.below(1_000)), bound(draw.below(1_000)) + 1);
        format!("{}..{}", a.min(b), a.max(b))
    };
    let rows: Vec<_> = (0..n_rows).map(|i| (0..3).map(|_| range(&mut draw, i)).collect()).collect();
    policy(&facts, &columns, &rows, false)
}

/// Rows of which each tests one text.
pub fn literals(n_rows: usize) -> String {
    let rows: Vec<_> = (0..n_rows).map(|i| vec![format!("\"key-{}\"", i * 7_919 % 1_000_003)]).collect();
    policy("fact key : text\n", &["key".to_string()], &rows, true)
}
