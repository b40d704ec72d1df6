//! A row without a name in a table whose other rows have one.

use crate::diag::{Diagnostic, N0322};
use crate::model::Table;
use crate::syntax::tree::RowKind;

/// Finds them.
pub(in super::super) fn unnamed_rows(table: &Table, findings: &mut Vec<Diagnostic>) {
    if table.rows.iter().all(|r| r.name.is_none()) {
        return;
    }
    let plain = table.rows.iter().enumerate().filter(|(_, r)| r.kind == RowKind::Plain);
    for (i, row) in plain.filter(|(_, r)| r.name.is_none()) {
        let message = format!("row `{}` of `{}` has no name, and others have", row.label(i), table.name);
        let help = "name it: traces, examples and waivers speak of rows by their names, and a number changes with each row above";
        findings.push(Diagnostic::new(N0322, message).at(row.span, "").help(help));
    }
}
