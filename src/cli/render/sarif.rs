//! The findings as SARIF 2.1.0 (OASIS, 2020), for code scanning: one log with one run.
//!
//! Lines and columns count from 1, columns in characters and ends exclusive, a byte order mark not counted (§3.30.2). A
//! file is named relative to the folder of the call. What could not be read is a notification of the invocation, so
//! that no consumer takes a run that was cut short for a clean one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cli::out::{Exit, Trouble};
use crate::cli::report::{Finding, Mend, Place, Report};
use crate::compile::shipped;
use crate::diag::Code;
use crate::text::Position;

/// The folder of the call, by the name that viewers know.
const ROOT: &str = "%SRCROOT%";
const BOM: char = '\u{feff}';

/// One log with one run, that ends with an exit code.
pub(in crate::cli) fn render(report: &Report, exit: Exit) -> String {
    let codes: BTreeMap<&str, Code> = report.findings.iter().map(|f| (f.code.id, f.code)).collect();
    let rules: Vec<Value> = codes.values().map(|code| rule(*code)).collect();
    let mut log = Log { report, seen: BTreeMap::new() };
    let place_of = |id: &str| codes.keys().position(|known| *known == id).unwrap_or_default();
    let results: Vec<Value> = report.findings.iter().map(|f| log.result(f, place_of(f.code.id))).collect();
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({
        "name": "nisi",
        "version": version,
        "semanticVersion": version,
        "informationUri": format!("https://docs.rs/crate/nisi/{version}"),
        "rules": rules,
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "invocations": [{
                "executionSuccessful": exit != Exit::Unasked,
                "exitCode": exit as u8,
                "toolExecutionNotifications": report.troubles.iter().map(notification).collect::<Vec<_>>(),
            }],
            "originalUriBaseIds": { ROOT: { "description": { "text": "the folder in which nisi was called" } } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn notification(trouble: &Trouble) -> Value {
    json!({ "level": "error", "message": message(&trouble.words()) })
}

fn rule(code: Code) -> Value {
    let meaning = code.page.lines().skip(1).find(|line| !line.is_empty()).unwrap_or(code.title);
    json!({
        "id": code.id,
        "shortDescription": { "text": code.title },
        "fullDescription": { "text": meaning },
        "help": { "text": code.page, "markdown": code.page },
        "helpUri": code.url(),
        "defaultConfiguration": { "level": code.severity.as_str() },
    })
}

/// A message. Braces would be places for arguments, and are written twice (§3.11.5).
fn message(text: &str) -> Value {
    json!({ "text": text.replace('{', "{{").replace('}', "}}") })
}

struct Log<'r> {
    report: &'r Report,
    /// How often a finding with the same marks was met in a file.
    seen: BTreeMap<(&'r str, u64), usize>,
}

impl<'r> Log<'r> {
    fn result(&mut self, finding: &'r Finding, rule: usize) -> Value {
        let (primary, related): (Vec<&Place>, Vec<&Place>) = finding.places.iter().partition(|p| p.primary);
        let mut value = json!({
            "ruleId": finding.code.id,
            "ruleIndex": rule,
            "level": finding.severity.as_str(),
            "message": message(&finding.words()),
            "locations": primary.iter().take(1).map(|p| self.location(p)).collect::<Vec<_>>(),
        });
        let related: Vec<&Place> = primary.into_iter().skip(1).chain(related).collect();
        if !related.is_empty() {
            value["relatedLocations"] = related.iter().map(|p| self.location(p)).collect();
        }
        if let Some(print) = self.fingerprint(finding) {
            value["partialFingerprints"] = json!({ "primaryLocationLineHash": print });
        }
        let fixes: Vec<Value> = finding.mends.iter().filter_map(|mend| self.fix(mend)).collect();
        if !fixes.is_empty() {
            value["fixes"] = fixes.into();
        }
        value
    }

    /// What tells a finding from others in its file: its code and the words of its line, however they are spaced and
    /// wherever the line stands; and which of those that are the same it is.
    fn fingerprint(&mut self, finding: &'r Finding) -> Option<String> {
        let place = finding.place()?;
        let text = self.report.texts.get(&place.file).map_or("", |source| source.text());
        let start = text.get(..place.bytes.0).and_then(|before| before.rfind('\n')).map_or(0, |i| i + 1);
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let words: Vec<&str> = line.trim_start_matches(BOM).split_whitespace().collect();
        let hash = Sha256::digest(format!("{}\n{}", finding.code.id, words.join(" ")));
        let hash = hash.iter().take(8).fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
        let n = self.seen.entry((&place.file, hash)).or_default();
        *n += 1;
        Some(format!("{hash:016x}:{n}"))
    }

    fn location(&self, place: &Place) -> Value {
        let mut value = json!({
            "physicalLocation": { "artifactLocation": self.artifact(&place.file), "region": self.region(place) },
        });
        if !place.text.is_empty() {
            value["message"] = message(&place.text);
        }
        value
    }

    fn region(&self, place: &Place) -> Value {
        let (from, to) = (self.at(place, place.from, place.bytes.0), self.at(place, place.to, place.bytes.1));
        json!({ "startLine": from.line, "startColumn": from.column, "endLine": to.line, "endColumn": to.column })
    }

    /// A position as SARIF counts: a byte order mark is no character, and behind the last line end no line begins.
    fn at(&self, place: &Place, mut position: Position, offset: usize) -> Position {
        let text = self.report.texts.get(&place.file).map_or("", |source| source.text());
        if offset >= text.len() && position.line > 1 && position.column == 1 {
            let last = text.split_inclusive('\n').next_back().unwrap_or_default();
            position = Position { line: position.line - 1, column: last.chars().count() + 1 };
        }
        if position.line == 1 && text.starts_with(BOM) {
            position.column = position.column.saturating_sub(1).max(1);
        }
        position
    }

    /// A mend; nothing where it speaks of a byte order mark, which no region can name.
    fn fix(&self, mend: &Mend) -> Option<Value> {
        let mut edits: Vec<&(Place, String)> = mend.edits.iter().collect();
        edits.sort_by_key(|(place, _)| place.bytes);
        let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (place, new) in edits {
            let text = self.report.texts.get(&place.file).map_or("", |source| source.text());
            if place.bytes.0 == 0 && place.bytes.1 > 0 && text.starts_with(BOM) {
                return None;
            }
            let mut change = json!({ "deletedRegion": self.region(place) });
            if !new.is_empty() {
                change["insertedContent"] = json!({ "text": new });
            }
            files.entry(&place.file).or_default().push(change);
        }
        let change = |(file, changes)| json!({ "artifactLocation": self.artifact(file), "replacements": changes });
        let changes: Vec<Value> = files.into_iter().map(change).collect();
        Some(json!({ "description": message(&mend.title), "artifactChanges": changes }))
    }

    /// Where a file is: below the folder of the call, at an absolute path, or inside of nisi.
    fn artifact(&self, file: &str) -> Value {
        let inside = file.strip_suffix(".nisi").and_then(|name| shipped(&name.replace('/', ".")));
        if inside.is_some_and(|text| self.report.texts.get(file).is_some_and(|source| source.text() == text)) {
            return json!({ "uri": format!("nisi:{}", escaped(file)) });
        }
        if std::path::Path::new(file).is_absolute() {
            let path = escaped(file);
            let drive = if path.starts_with('/') { "" } else { "/" };
            return json!({ "uri": format!("file://{drive}{path}") });
        }
        json!({ "uri": escaped(file), "uriBaseId": ROOT })
    }
}

/// A path in a URI (RFC 3986): what is not plain is written by its bytes.
fn escaped(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    path.bytes()
        .map(|b| match b {
            b if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_references() {
        assert_eq!(super::escaped("a b/ü.nisi"), "a%20b/%C3%BC.nisi");
        #[cfg(unix)]
        assert_eq!(super::escaped("a\\b:c%"), "a%5Cb%3Ac%25");
    }
}
