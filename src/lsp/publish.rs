//! Findings as an editor shows them, each in the file where it stands.
//!
//! A file may get findings from several compilations: its own, and those of open files that use it. Those of a text
//! that has changed since are left out.

use std::collections::BTreeSet;
use std::fmt::Write;

use gen_lsp_types as lsp;
use lsp::{DiagnosticRelatedInformation, DiagnosticSeverity, PublishDiagnosticsParams};

use super::desk::{Desk, Root};
use crate::diag::{Diagnostic, Severity, WitnessValue};
use crate::text::{SourceMap, Span};

/// What is to be published after something new is known of a document: of every file that it speaks of, or spoke of
/// before.
pub(super) fn publish(desk: &mut Desk, name: &str) -> Vec<PublishDiagnosticsParams> {
    let mut files = BTreeSet::from([name.to_string()]);
    if let Some(root) = desk.roots.get(name) {
        let now: BTreeSet<String> = root.findings().items.iter().map(|d| home(root, d).1).collect();
        files.extend(now.iter().cloned());
        files.extend(root.shown.iter().cloned());
        if let Some(root) = desk.roots.get_mut(name) {
            root.shown = now;
        }
    }
    files.iter().map(|file| of_file(desk, file)).collect()
}

/// All that is known of one file.
pub(super) fn of_file(desk: &Desk, file: &str) -> PublishDiagnosticsParams {
    let mut diagnostics: Vec<lsp::Diagnostic> = Vec::new();
    for root in desk.roots.values() {
        for finding in &root.findings().items {
            let (span, name) = home(root, finding);
            if name == file
                && let Some(told) = tell(desk, &root.findings().sources, finding, span)
                && !diagnostics.contains(&told)
            {
                diagnostics.push(told);
            }
        }
    }
    diagnostics.extend(desk.ran.get(file).map(|ran| ran.diagnostics(desk)).unwrap_or_default());
    let version = desk.documents.get(file).map(|document| document.version);
    PublishDiagnosticsParams { uri: desk.uri(file).into(), version, diagnostics }
}

/// Where a finding is shown: at its place, or, where that is in a vocabulary that ships inside, at the first label
/// outside it, or at the beginning of the file that was compiled.
fn home(root: &Root, finding: &Diagnostic) -> (Span, String) {
    let sources = &root.findings().sources;
    let own = std::iter::once(finding.span()).chain(finding.labels.iter().map(|label| label.span));
    let shown = own.map(|span| (span, sources.get(span.file).name())).find(|(_, name)| !ships(name));
    let (span, name) = shown.unwrap_or_else(|| (Span::default(), sources.get(Span::default().file).name()));
    (span, name.to_string())
}

/// Whether a source is a vocabulary that ships inside: no file that an editor could open.
pub(super) fn ships(name: &str) -> bool {
    name.starts_with("std/")
}

/// A finding in the words of the protocol; nothing where its text has changed.
pub(super) fn tell(desk: &Desk, sources: &SourceMap, finding: &Diagnostic, span: Span) -> Option<lsp::Diagnostic> {
    let location = desk.location(sources.get(span.file), span)?;
    let related = finding.labels.iter().filter(|label| label.span != span && !label.text.is_empty());
    let related: Vec<DiagnosticRelatedInformation> = related
        .filter_map(|label| {
            let location = desk.location(sources.get(label.span.file), label.span)?;
            Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
        })
        .collect();
    let severity = match finding.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    };
    Some(lsp::Diagnostic {
        range: location.range,
        severity: Some(severity),
        code: Some(finding.code.id.to_string().into()),
        code_description: Some(lsp::CodeDescription { href: finding.code.url().into() }),
        source: Some("nisi".into()),
        message: message(finding, sources).into(),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    })
}

/// The message, what is at its place, the facts that prove it, and what to write.
fn message(finding: &Diagnostic, sources: &SourceMap) -> String {
    let mut text = finding.message.clone();
    // Writing to a string cannot fail, here and below.
    for label in finding.labels.iter().filter(|label| !label.text.is_empty()) {
        let source = sources.get(label.span.file);
        if ships(source.name()) {
            let line = source.position(label.span.start as usize).line;
            let _ = write!(text, "\n{}:{line}: {}", source.name(), label.text);
        } else if label.primary {
            let _ = write!(text, "\n{}", label.text);
        }
    }
    if let Some(witness) = &finding.witness {
        let facts = witness.facts.iter().map(|(fact, value)| match value {
            WitnessValue::Text(text) | WitnessValue::Number(text) => format!("{fact}={text}"),
        });
        let refused = witness.refuse.iter().map(|verb| format!("refused: {verb}"));
        let shown: Vec<String> = facts.chain(refused).collect();
        if !shown.is_empty() {
            let _ = write!(text, "\nfor example: {}", shown.join(", "));
        }
    }
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}
