//! Waivers: which have run out, and which findings they lift.
//!
//! A rule's waivers are read where the rule is proven. Here are those that name a finding by its code, and the dates.

use crate::diag::{Diagnostic, N0402, N0404, N0601, N0602, Severity, code};
use crate::model::{Model, Waiver};

/// Waivers whose last day lies before `today`, a date such as `2027-01-31`.
pub fn run_out(model: &Model, today: &str) -> Vec<Diagnostic> {
    // Dates of this form order as texts do.
    let over = |w: &&Waiver| w.until.as_deref().is_some_and(|until| until < today);
    let tell = |w: &Waiver| {
        let until = w.until.as_deref().unwrap_or_default();
        let message = format!("the waiver of `{}` held until {until}, and today is {today}", w.what);
        let help = match &w.owner {
            Some(owner) => format!("mend what it excuses, or let `{owner}` set a new date"),
            None => "mend what it excuses, or set a new date".into(),
        };
        Diagnostic::new(N0404, message).at(w.span, "").help(help)
    };
    model.waivers.iter().filter(over).map(tell).collect()
}

/// Takes out findings that the policy itself waives by their code, and tells of waivers that lift none. What keeps a
/// policy from compiling cannot be waived.
pub fn lift(model: &Model, findings: &mut Vec<Diagnostic>) {
    for waiver in &model.waivers {
        let Some(waived) = code(&waiver.what).filter(|c| c.severity != Severity::Error) else { continue };
        let before = findings.len();
        findings.retain(|f| f.code != waived || f.severity == Severity::Error || !speaks_of(model, waiver, f));
        // What only registered releases show is not looked for here.
        let is_elsewhere = [N0601, N0602].contains(&waived);
        if findings.len() == before && !is_elsewhere {
            let message = format!("nothing here is told as {waived}");
            findings.push(Diagnostic::new(N0402, message).at(waiver.span, "").help("take the waiver out"));
        }
    }
}

/// Whether a finding stands at a row of the waiver, or the waiver names no row.
fn speaks_of(model: &Model, waiver: &Waiver, finding: &Diagnostic) -> bool {
    let at = finding.span();
    let inside = |(table, row): &(crate::model::TableId, usize)| {
        let rows = model.tables.get(table.0).map(|t| &t.rows);
        let span = rows.and_then(|r| r.get(*row)).map(|r| r.span);
        span.is_some_and(|s| s.file == at.file && s.start <= at.start && at.end <= s.end)
    };
    waiver.rows.is_empty() || waiver.rows.iter().any(inside)
}
