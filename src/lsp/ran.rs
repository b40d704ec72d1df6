//! Case files: those beside a policy, what came of each, and how an open one shows its faults and its failed cases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Range};

use super::desk::Desk;
use super::documents::Texts;
use super::place::Lines;
use super::uri;
use crate::cases::{self, MAX_CASES_BYTES, Place};
use crate::decide::Policy;
use crate::files::door::{Content, read_file};
use crate::files::{self, Disk};
use crate::text::Source;

/// What came of a case file.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    /// The file, as it was read.
    pub(super) source: Source,
    /// How many cases were asked.
    pub(super) n: usize,
    /// The names of those that fail.
    pub(super) failed: Vec<String>,
    /// How many cannot be asked.
    pub(super) n_errors: usize,
    /// The rows that some case comes by.
    pub(super) rows: BTreeSet<String>,
    /// What is wrong, each with its place.
    faults: Vec<(Place, String)>,
}

/// Whether a document is a case file.
pub(super) fn is_case_file(name: &str) -> bool {
    files::cases::is_case_file(Path::new(name))
}

/// The policy of a case file: its text as the editor has it, or else the disk.
///
/// # Errors
/// Why there is none, in a sentence.
pub(super) fn policy_of(name: &str, texts: &Texts) -> Result<Source, String> {
    let paths = files::cases::policies_of(Path::new(name));
    for path in &paths {
        if let Some(source) = texts.0.get(&path.display().to_string()) {
            return Ok(source.clone());
        }
        if uri::is_file(name) && matches!(files::door::kind(path), Ok(files::door::Kind::File)) {
            return Disk::read(path);
        }
    }
    let wanted = paths.first().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy().into_owned();
    Err(format!("this file has no policy beside it: it would be for `{wanted}`"))
}

/// The case files of a policy: on disk or open.
pub(super) fn beside(policy: &str, texts: &Texts) -> Vec<Source> {
    let path = Path::new(policy);
    let mut found: BTreeMap<PathBuf, Option<Source>> = BTreeMap::new();
    if let Some(folder) = path.parent().filter(|_| uri::is_file(policy)) {
        found.extend(files::cases::case_files(folder).into_iter().map(|file| (file, None)));
    }
    let open = texts.0.iter().filter(|(name, _)| is_case_file(name));
    found.extend(open.map(|(name, source)| (PathBuf::from(name), Some(source.clone()))));
    let is_own = |file: &PathBuf| {
        let known = |p: &PathBuf| texts.0.contains_key(&p.display().to_string()) || files::door::kind(p).is_ok();
        files::cases::policies_of(file).into_iter().find(known).is_some_and(|own| own == path)
    };
    let text = |(file, open): (PathBuf, Option<Source>)| open.or_else(|| read(&file));
    found.into_iter().filter(|(file, _)| is_own(file)).filter_map(text).collect()
}

/// A case file from disk; nothing where it is no text, which is told where it is opened.
fn read(file: &Path) -> Option<Source> {
    match read_file(file, MAX_CASES_BYTES as u64).ok()? {
        Content::Whole(bytes) => Some(Source::new(file.display().to_string(), String::from_utf8(bytes).ok()?)),
        Content::TooLong(_) => None,
    }
}

/// Asks a policy every case of a file.
pub(super) fn run(policy: &Policy, source: Source) -> Ran {
    let found = cases::read_cases(policy, source.text());
    let mut ran = Ran {
        source,
        n: found.cases.len(),
        failed: Vec::new(),
        n_errors: found.errors.len(),
        rows: BTreeSet::new(),
        faults: Vec::new(),
    };
    for case in &found.cases {
        let checked = case.check(policy);
        if let Ok(decision) = &checked.decision {
            ran.rows.extend(decision.path().map(|row| row.to_string()));
        }
        if !checked.holds() {
            let misses: Vec<String> = checked.misses.iter().map(ToString::to_string).collect();
            let message = format!("case `{}` fails\n{}", case.title(), misses.join("\n"));
            ran.failed.push(case.title().to_string());
            ran.faults.push((case.place(), message));
        }
    }
    for error in found.errors {
        let case = error.case.as_ref().map_or_else(String::new, |case| format!("case `{case}`: "));
        let key = if error.key.is_empty() { String::new() } else { format!("{}: ", error.key) };
        let help = error.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        ran.faults.push((error.place, format!("{case}{key}{}{help}", error.message)));
    }
    ran
}

impl Ran {
    /// A file whose policy cannot be asked, and why.
    pub(super) fn not_asked(source: Source, why: &str) -> Ran {
        let faults = vec![(Place { line: 1, column: 1 }, why.to_string())];
        Ran { source, n: 0, failed: Vec::new(), n_errors: 1, rows: BTreeSet::new(), faults }
    }

    /// What is wrong, as the editor shows it: from its place to the end of its line. Nothing of a text that has changed since.
    pub(super) fn diagnostics(&self, desk: &Desk) -> Vec<Diagnostic> {
        let Some(document) = desk.documents.get(self.source.name()).filter(|d| d.is(&self.source)) else {
            return Vec::new();
        };
        let told = |(place, message): &(Place, String)| Diagnostic {
            range: range(desk, self.source.text(), &document.lines, *place),
            severity: Some(DiagnosticSeverity::Error),
            source: Some("nisi".into()),
            message: message.clone().into(),
            ..Diagnostic::default()
        };
        self.faults.iter().map(told).collect()
    }
}

fn range(desk: &Desk, text: &str, lines: &Lines, place: Place) -> Range {
    let line = place.line.saturating_sub(1);
    let written = lines.text(text, line).unwrap_or_default();
    let start = lines.start(text, line);
    let column = written.char_indices().nth(place.column.saturating_sub(1)).map_or(written.len(), |(i, _)| i);
    lines.range(text, start + column..start + written.trim_end().len(), desk.encoding)
}
