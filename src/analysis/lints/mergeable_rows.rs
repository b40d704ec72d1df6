//! Two rows, one below the other, that say the same and differ in one column only: one row would do.

use crate::diag::{Diagnostic, Edit, N0315};
use crate::model::{Cond, Model, Row, Table, show_set};
use crate::syntax::tree::RowKind;

use super::duplicates::{agree, would_be_twin};

/// Finds them.
pub(in super::super) fn mergeable_rows(model: &Model, table: &Table, findings: &mut Vec<Diagnostic>) {
    for (i, pair) in table.rows.windows(2).enumerate() {
        let (a, b) = (&pair[0], &pair[1]);
        let plain = |r: &Row| r.kind == RowKind::Plain && r.name.is_none() && r.reason.is_none();
        if !plain(a) || !plain(b) || !agree(a, b) {
            continue;
        }
        let Some((x, y)) = one_difference(&a.conds, &b.conds) else { continue };
        let fact = model.fact(x.fact);
        let both = x.set.or(&y.set, fact);
        let cell = show_set(fact, &both);
        let message = format!(
            "rows `{}` and `{}` of `{}` say the same and differ only in `{}`",
            a.label(i),
            b.label(i + 1),
            table.name,
            fact.name
        );
        let finding = Diagnostic::new(N0315, message).at(b.span, "").and(a.span, "the row above");
        let mut finding = finding.help(format!("make them one row with `{cell}` for `{}`", fact.name));
        let could_be = table.rows.iter().any(|r| r.kind == RowKind::AnyUnknown);
        if would_be_twin(table, a, x, (!both.is_all(fact)).then_some(&both), Some(b)) {
            findings.push(finding);
            continue;
        }
        finding = finding.fix(format!("write `{cell}` and take the second row out"), !could_be, x.span, cell);
        if let Some(fix) = finding.fixes.last_mut() {
            fix.edits.push(Edit { span: b.span, replacement: String::new() });
        }
        findings.push(finding);
    }
}

/// The tests in which two rows differ, if it is one of each, of the same fact.
fn one_difference<'a>(a: &'a [Cond], b: &'a [Cond]) -> Option<(&'a Cond, &'a Cond)> {
    if a.len() != b.len() || a.iter().zip(b).any(|(x, y)| x.fact != y.fact) {
        return None;
    }
    let mut differ = a.iter().zip(b).filter(|(x, y)| x.set != y.set);
    let one = differ.next()?;
    differ.next().is_none().then_some(one)
}
