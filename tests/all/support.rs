//! What several tests need: the files of the project, fences of Markdown, and a folder for one test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nisi::compile::{Compiled, Options};
use nisi::text::Source;

/// The project's own folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file under a folder of the project, sorted, as a path from the root with `/`; nothing where it is missing.
pub(crate) fn files(folder: &str) -> Vec<String> {
    let mut open = vec![root().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let shown = path.strip_prefix(root()).unwrap().display().to_string();
                found.push(shown.replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Whether a path has this ending.
pub(crate) fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| e == ending)
}

/// A file of the project.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The texts of the fences of one language under a heading, up to the next heading of its level.
pub(crate) fn fences(markdown: &str, heading: &str, language: &str) -> Vec<String> {
    let mut fences = Vec::new();
    let (mut inside, mut fence): (bool, Option<String>) = (heading.is_empty(), None);
    for line in markdown.lines() {
        match &mut fence {
            Some(text) if line == "```" => {
                fences.push(std::mem::take(text));
                fence = None;
            }
            Some(text) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line.starts_with("## ") && !heading.is_empty() => inside = line == heading,
            None if inside && line == format!("```{language}") => fence = Some(String::new()),
            None => {}
        }
    }
    fences
}

/// Compiles a text that uses nothing but `std`.
pub(crate) fn compile(name: &str, text: &str) -> Compiled {
    compile_with(name, text, &BTreeMap::new())
}

/// Compiles a text that may use others: `team.facts` and its text.
pub(crate) fn compile_with(name: &str, text: &str, others: &BTreeMap<String, String>) -> Compiled {
    let options = Options { today: Some("2026-08-01".into()), ..Options::default() };
    nisi::compile::compile(Source::new(name, text), others, &options)
}

/// The files beside the one of a heading, by the name that `use` says: a fence that begins with three ticks and
/// `nisi team/facts.nisi` is `team.facts`.
pub(crate) fn files_beside(markdown: &str, heading: &str) -> BTreeMap<String, String> {
    let names = markdown.lines().filter_map(|l| l.strip_prefix("```nisi ")).collect::<BTreeSet<_>>();
    let mut found = BTreeMap::new();
    for name in names {
        if let Some(text) = fences(markdown, heading, &format!("nisi {name}")).into_iter().next() {
            found.insert(name.trim_end_matches(".nisi").replace('/', "."), text);
        }
    }
    found
}

/// A folder for one test, empty at its beginning and removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder of the test called `name`.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and the folders that it stands in.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
