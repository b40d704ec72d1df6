//! Waivers: which have run out, and which findings they lift.
//!
//! A rule's waivers are read where the rule is proven. Here are those that name a finding by its code, and the dates.

use crate::diag::{Code, Diagnostic, N0402, N0404, N0601, N0602, Severity, code};
use crate::model::{Model, TableId, Waiver};

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

/// Takes out findings that the policy itself waives by their code, and tells of waivers, and of rows of a waiver, that
/// lift none, as far as findings of a code were `looked_for`. What keeps a policy from compiling cannot be waived.
pub fn lift(model: &Model, findings: &mut Vec<Diagnostic>, looked_for: impl Fn(Code) -> bool) {
    for waiver in &model.waivers {
        let Some(waived) = code(&waiver.what).filter(|c| c.severity != Severity::Error) else { continue };
        let lifts = |f: &Diagnostic| f.code == waived && f.severity != Severity::Error;
        let idle: Vec<&RowAt> =
            waiver.rows.iter().filter(|r| !findings.iter().any(|f| lifts(f) && stands_at(model, **r, f))).collect();
        let before = findings.len();
        let is_of = |f: &Diagnostic| waiver.rows.is_empty() || waiver.rows.iter().any(|r| stands_at(model, *r, f));
        findings.retain(|f| !lifts(f) || !is_of(f));
        // What only registered releases show is not looked for here.
        if !looked_for(waived) || [N0601, N0602].contains(&waived) {
            continue;
        }
        if findings.len() == before {
            let message = format!("nothing here is told as {waived}");
            let finding = Diagnostic::new(N0402, message).at(waiver.span, "").help("take the waiver out");
            findings.push(finding.fix("take the waiver out", true, waiver.span, ""));
        } else if !idle.is_empty() {
            let names: Vec<String> = idle.iter().map(|r| format!("`{}`", row_name(model, **r))).collect();
            let message = format!("nothing at {} is told as {waived}", names.join(", "));
            let help = "leave it out of the waiver: it would hide what nobody has seen yet";
            findings.push(Diagnostic::new(N0402, message).at(waiver.span, "").help(help));
        }
    }
}

/// A row by its place.
type RowAt = (TableId, usize);

fn row_name(model: &Model, (table, row): RowAt) -> String {
    let table = model.tables.get(table.0);
    let name = table.and_then(|t| Some(format!("{}/{}", t.name, t.rows.get(row)?.label(row))));
    name.unwrap_or_default()
}

/// Whether a finding stands at a row.
fn stands_at(model: &Model, (table, row): RowAt, finding: &Diagnostic) -> bool {
    let at = finding.span();
    let span = model.tables.get(table.0).and_then(|t| t.rows.get(row)).map(|r| r.span);
    span.is_some_and(|s| s.file == at.file && s.start <= at.start && at.end <= s.end)
}
