//! Two rows, one below the other, that say the same and differ in one column only: one row would do.

use crate::diag::{Diagnostic, N0315};
use crate::model::{Cond, Model, Row, Table, show_set};
use crate::syntax::tree::RowKind;

use super::duplicates::agree;

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
        let cell = show_set(fact, &x.set.or(&y.set, fact));
        let message = format!(
            "rows `{}` and `{}` of `{}` say the same and differ only in `{}`",
            a.label(i),
            b.label(i + 1),
            table.name,
            fact.name
        );
        let finding = Diagnostic::new(N0315, message).at(b.span, "").and(a.span, "the row above");
        findings.push(finding.help(format!("make them one row with `{cell}` for `{}`", fact.name)));
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
