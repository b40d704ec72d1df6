//! What is said of an example that fails: N0801 to N0803.

use std::fmt::Write;

use crate::decide::{Decision, FactError, Policy, TableError};
use crate::diag::{self, Diagnostic, Witness, WitnessValue};
use crate::model::{Example, Fact, NumberKind, TableId, Type, Value, show_action, show_value};
use crate::text::{SourceMap, Span};

/// An example, with what is needed to tell of it.
pub(super) struct Told<'a> {
    pub(super) policy: &'a Policy,
    pub(super) sources: &'a SourceMap,
    /// The table that is asked.
    pub(super) table: &'a str,
    /// The example's name, or its place.
    pub(super) name: &'a str,
    pub(super) example: &'a Example,
}

impl Told<'_> {
    /// N0801: another action.
    pub(super) fn another_action(&self, policy: &Policy, decision: &Decision<'_>, other_row: bool) -> Diagnostic {
        let expected = &self.example.expected;
        let (verb, place) = expected.verb.map_or(("", self.example.span), |(verb, span)| (verb.as_str(), span));
        let wanted = expected.action.as_ref().map_or_else(|| verb.to_string(), |a| show_action(policy.head(), a));
        let found = decision.to_string();
        let message = format!("example `{}` expects `{wanted}` and gets `{found}`", self.name);
        let mut finding = Diagnostic::new(diag::N0801, message).at(place, format!("it gets `{found}`"));
        if let Some((_, _, span)) = expected.row.filter(|_| other_row) {
            finding = finding.and(span, format!("and {}", answered_by(decision)));
        }
        let finding = answering_row(finding, decision);
        let refused = decision.guard().map(|guard| {
            let wanted = show_action(policy.head(), guard.wanted_action());
            format!("its row wants `{wanted}`, which these facts refuse; ")
        });
        self.with_call(finding, &format!("{}{}", refused.unwrap_or_default(), answered_by(decision)))
    }

    /// N0802: the right action by another row.
    pub(super) fn another_row(&self, expected: (TableId, usize, Span), decision: &Decision<'_>) -> Diagnostic {
        let wanted = self.row_name(expected.0, expected.1);
        let found = decision.row_name().map_or_else(|| "no row".to_string(), |row| format!("`{row}`"));
        let message = format!("example `{}` expects row `{wanted}` and is answered by {found}", self.name);
        let finding = Diagnostic::new(diag::N0802, message).at(expected.2, format!("{found} answers"));
        let finding = answering_row(finding, decision);
        self.with_call(finding, &answered_by(decision))
    }

    /// N0803: the facts do not reach the table.
    pub(super) fn not_reached(&self, error: &TableError) -> Diagnostic {
        let message = format!("example `{}` does not reach its table: {error}", self.name);
        let finding = Diagnostic::new(diag::N0803, message).at(self.example.span, "with these facts it is never asked");
        self.with_call(finding, "give facts that lead here from the first table, or ask the table that answers")
    }

    /// N0803: a value that no question can have.
    pub(super) fn facts_refused(&self, error: &FactError) -> Diagnostic {
        let message = format!("example `{}` cannot be asked: {error}", self.name);
        let finding = Diagnostic::new(diag::N0803, message).at(self.example.span, "");
        match error.help() {
            Some(help) => finding.help(help),
            None => finding,
        }
    }

    /// The help, the call that shows the way, and the facts as proof.
    fn with_call(&self, finding: Diagnostic, help: &str) -> Diagnostic {
        let model = self.policy.model();
        let file = self.sources.get(self.example.span.file).name();
        // Writing to a string cannot fail, here and below.
        let mut call = format!("nisi why {}", quoted(file));
        if model.tables.first().is_some_and(|first| *first.name != *self.table) {
            let _ = write!(call, " --table {}", quoted(self.table));
        }
        let mut facts = Vec::new();
        for (id, value) in &self.example.facts {
            let fact = model.fact(*id);
            let Some(given) = given(fact, value) else { continue };
            let (WitnessValue::Text(text) | WitnessValue::Number(text)) = &given;
            let _ = write!(call, " --set {}", quoted(&format!("{}={text}", fact.name)));
            facts.push((fact.name.to_string(), given));
        }
        finding.help(format!("{help}; to see the way:\n{call}")).witness(Witness { facts, refuse: Vec::new() })
    }

    /// `table/row`, `table/#3`.
    pub(super) fn row_name(&self, table: TableId, row: usize) -> String {
        let table = self.policy.model().tables.get(table.0);
        let label = table.and_then(|t| t.rows.get(row)).map_or_else(|| format!("#{}", row + 1), |r| r.label(row));
        table.map_or_else(|| label.clone(), |t| format!("{}/{label}", t.name))
    }
}

/// Labels the row that answered.
fn answering_row(finding: Diagnostic, decision: &Decision<'_>) -> Diagnostic {
    match decision.row() {
        Some(row) => finding.and(row.span(), "this row answers"),
        None => finding,
    }
}

fn answered_by(decision: &Decision<'_>) -> String {
    decision.row_name().map_or_else(|| "no row answers".to_string(), |row| format!("row `{row}` answers"))
}

/// A value as facts come in; nothing for one that is unknown.
fn given(fact: &Fact, value: &Value) -> Option<WitnessValue> {
    match (value, &fact.ty) {
        (Value::Choice(i), Type::Choice { values, .. }) => {
            values.get(usize::from(*i)).map(|v| WitnessValue::Text(v.to_string()))
        }
        (Value::Point(i), _) => fact.points.get(usize::from(*i)).map(|p| WitnessValue::Text(p.to_string())),
        (Value::Text(text), _) => Some(WitnessValue::Text(text.to_string())),
        (Value::Number(_), Type::Number(ty)) => {
            let shown = show_value(fact, value);
            Some(match ty.kind {
                NumberKind::Count | NumberKind::Integer | NumberKind::Decimal => {
                    WitnessValue::Number(shown.replace('_', ""))
                }
                _ => WitnessValue::Text(shown),
            })
        }
        _ => None,
    }
}

/// A word as a shell reads it back: bare where it can be, else in single quotes.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
