//! The findings as SARIF 2.1.0 (OASIS, 2020), for code scanning. Columns are counted in characters.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::cli::report::{Finding, Mend, Place, Report};
use crate::diag::{Code, Severity};

/// One log with one run.
pub(in crate::cli) fn render(report: &Report) -> String {
    let codes: BTreeMap<&str, Code> = report.findings.iter().map(|f| (f.code.id, f.code)).collect();
    let rules: Vec<Value> = codes.values().map(|code| rule(*code)).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(finding, codes.keys().position(|id| *id == finding.code.id).unwrap_or_default()))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "nisi", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id,
        "shortDescription": { "text": code.title },
        "help": { "text": code.page, "markdown": code.page },
        "defaultConfiguration": { "level": level(code.severity) },
    })
}

fn result(finding: &Finding, rule: usize) -> Value {
    let text = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let (primary, related): (Vec<&Place>, Vec<&Place>) = finding.places.iter().partition(|p| p.primary);
    let mut value = json!({
        "ruleId": finding.code.id,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": primary.iter().take(1).map(|p| location(p)).collect::<Vec<_>>(),
    });
    let related: Vec<&Place> = primary.into_iter().skip(1).chain(related).collect();
    if !related.is_empty() {
        value["relatedLocations"] = related.iter().map(|p| location(p)).collect();
    }
    if !finding.mends.is_empty() {
        value["fixes"] = finding.mends.iter().map(fix).collect();
    }
    value
}

fn location(place: &Place) -> Value {
    let mut value = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region(place) },
    });
    if !place.text.is_empty() {
        value["message"] = json!({ "text": place.text });
    }
    value
}

fn region(place: &Place) -> Value {
    json!({
        "startLine": place.from.line,
        "startColumn": place.from.column,
        "endLine": place.to.line,
        "endColumn": place.to.column,
    })
}

fn fix(mend: &Mend) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (place, replacement) in &mend.edits {
        let change = json!({ "deletedRegion": region(place), "insertedContent": { "text": replacement } });
        files.entry(&place.file).or_default().push(change);
    }
    let changes: Vec<Value> = files
        .into_iter()
        .map(|(file, replacements)| json!({ "artifactLocation": { "uri": uri(file) }, "replacements": replacements }))
        .collect();
    json!({ "description": { "text": mend.title }, "artifactChanges": changes })
}

/// A path as a relative reference (RFC 3986): what is not plain is written by its bytes.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|b| match b {
            b'\\' => "/".to_string(),
            b if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_references() {
        assert_eq!(super::uri("a b/ü.nisi"), "a%20b/%C3%BC.nisi");
    }
}
