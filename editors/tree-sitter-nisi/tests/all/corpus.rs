//! Every policy of the repository: files, and the fences of Markdown pages; each with what nisi says of its syntax.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use nisi::compile::{Options, compile};
use nisi::text::{FileId, Source};

use crate::trees;

/// A policy text.
pub(crate) struct Text {
    /// Its file, and for a fence the line that it begins behind.
    pub(crate) name: String,
    pub(crate) written: String,
    /// The bytes that syntax findings speak of; none means that nisi reads all of it.
    pub(crate) findings: Vec<Range<usize>>,
    /// Whether it has no error of any kind.
    pub(crate) is_sound: bool,
}

impl Text {
    fn new(name: String, text: String) -> Self {
        let source = Source::new(name.as_str(), text.as_str());
        let found = compile(source, &BTreeMap::<String, String>::new(), &Options::default()).diagnostics;
        let own = |finding: &&nisi::diag::Diagnostic| {
            finding.code.id.starts_with("N01")
                && finding.labels.iter().any(|label| label.span.file == FileId::default())
        };
        let labels = found.items.iter().filter(own).flat_map(|finding| &finding.labels);
        Text {
            findings: labels.map(|label| label.span.range()).collect(),
            is_sound: !found.has_errors(),
            name,
            written: text,
        }
    }
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// The `nisi` fences of a Markdown page.
fn fences(name: &str, page: &str, found: &mut Vec<Text>) {
    let mut fence: Option<(usize, String)> = None;
    for (i, line) in page.split_inclusive('\n').enumerate() {
        let shown = line.trim_end();
        match &mut fence {
            Some((start, text)) if shown == "```" => {
                found.push(Text::new(format!("{name}:{start}"), std::mem::take(text)));
                fence = None;
            }
            Some((_, text)) => text.push_str(line),
            None if shown == "```nisi" || shown.starts_with("```nisi ") => {
                fence = Some((i + 1, String::new()));
            }
            None => {}
        }
    }
    assert!(fence.is_none(), "{name}: a fence is not closed");
}

/// Those that nisi reads without a finding on their syntax.
pub(crate) fn whole() -> impl Iterator<Item = &'static Text> {
    ALL.iter().filter(|text| text.findings.is_empty())
}

/// The others.
pub(crate) fn broken() -> impl Iterator<Item = &'static Text> {
    ALL.iter().filter(|text| !text.findings.is_empty())
}

static ALL: LazyLock<Vec<Text>> = LazyLock::new(all);

/// All of them, sorted by name.
fn all() -> Vec<Text> {
    let mut paths = vec![root().join("src/cli/template.nisi"), root().join("README.md")];
    for folder in ["tests/cases", "policies", "docs", "src/diag/pages"] {
        walk(&root().join(folder), &mut paths);
    }
    let mut found = Vec::new();
    for path in paths {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let ends = |ending: &str| path.extension().is_some_and(|e| e == ending);
        let read = || String::from_utf8(std::fs::read(&path).unwrap()).ok();
        // A file that is no UTF-8 is no text for an editor.
        if ends("nisi") {
            found.extend(read().map(|text| Text::new(name, text)));
        } else if ends("md") {
            fences(&name, &read().unwrap(), &mut found);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// What nisi reads without a finding on its syntax has a tree without an error.
#[test]
fn what_nisi_reads_has_a_whole_tree() {
    let (mut faults, mut n_whole) = (Vec::new(), 0);
    for text in whole() {
        n_whole += 1;
        faults.extend(trees::errors(&text.written).first().map(|error| format!("{}: {error}", text.name)));
    }
    assert!(n_whole > 300, "only {n_whole} policies were found that nisi reads");
    assert!(faults.is_empty(), "{} of {n_whole}\n{}", faults.len(), faults.join("\n"));
}
