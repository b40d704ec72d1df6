//! Two rows of one table that test the same.

use std::collections::HashMap;

use crate::diag::{Diagnostic, N0308};
use crate::model::{FactId, Outcome, Row, Table, ValueSet};
use crate::syntax::tree::RowKind;

/// What a row tests, in an order that does not depend on how it is written.
fn tests(row: &Row) -> Vec<(FactId, &ValueSet)> {
    let mut tests: Vec<_> = row.conds.iter().map(|c| (c.fact, &*c.set)).collect();
    tests.sort_unstable();
    tests.dedup();
    tests
}

/// The earlier row that tests the same, for each row that has one.
pub(in super::super) fn duplicates(table: &Table) -> Vec<(usize, usize)> {
    let mut seen: HashMap<Vec<(FactId, &ValueSet)>, usize> = HashMap::new();
    let plain = table.rows.iter().enumerate().filter(|(_, r)| r.kind == RowKind::Plain);
    let mut out = Vec::new();
    for (i, row) in plain {
        match seen.get(&tests(row)) {
            Some(&first) => out.push((first, i)),
            None => {
                seen.insert(tests(row), i);
            }
        }
    }
    out
}

/// Whether two rows say the same: verb, arguments and ways for refusal.
pub(super) fn agree(a: &Row, b: &Row) -> bool {
    match (&a.outcome, &b.outcome) {
        (Outcome::Act(x), Outcome::Act(y)) => x.actions == y.actions,
        (Outcome::See(x), Outcome::See(y)) => x == y,
        (Outcome::Values(x), Outcome::Values(y)) => x == y,
        _ => false,
    }
}

/// Finds them.
pub(in super::super) fn duplicate_rows(table: &Table, findings: &mut Vec<Diagnostic>) {
    for (first, second) in duplicates(table) {
        let (a, b) = (&table.rows[first], &table.rows[second]);
        // A row that was pasted with its name has its finding there.
        if a.name.is_some() && a.name == b.name {
            continue;
        }
        let same = agree(a, b);
        let message = format!("rows `{}` and `{}` of `{}` test the same", a.label(first), b.label(second), table.name);
        let help = if same {
            "take one of them out"
        } else {
            "they differ only in what follows: change a cell of one of them, or take it out"
        };
        findings.push(Diagnostic::new(N0308, message).at(b.span, "").and(a.span, "the same cells here").help(help));
    }
}
