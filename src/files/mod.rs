//! Floor 7: policies on disk: the files under some paths, one file's text, and the files that a policy names by `use` and
//! `restricts`.
//!
//! A folder is searched for `*.nisi` and `*.nisi.md`; hidden entries and folders called `target` are passed over, links are followed
//! and no folder is entered twice. A file is told by its path as it was reached; one file is checked once.

#[cfg(feature = "lsp")]
pub(crate) mod cases;
#[cfg(feature = "lsp")]
mod disk;
pub(crate) mod door;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[cfg(feature = "lsp")]
pub(crate) use self::disk::Disk;
use self::door::{Content, Kind, io_words};
use crate::artifact::is_artifact;
use crate::diag::{Diagnostic, Diagnostics, N0102, N0190};
use crate::syntax::Limits;
use crate::text::{Source, SourceMap, Span};

/// What could not be done, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// What is wrong.
    pub(crate) message: String,
    /// What to write.
    pub(crate) help: Option<String>,
}

impl Trouble {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Trouble { message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Both in plain text.
    #[cfg(feature = "cli")]
    pub(crate) fn words(&self) -> String {
        let help = self.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        format!("{}{help}", self.message)
    }
}

/// Files found, in the order of their paths, and what went wrong on the way.
#[derive(Default)]
pub(crate) struct Found {
    /// The files, each once.
    pub(crate) files: Vec<PathBuf>,
    /// Paths that could not be read.
    pub(crate) troubles: Vec<Trouble>,
    /// How many files were met, those that were known too.
    n_seen: usize,
    entered: BTreeSet<PathBuf>,
    known: BTreeSet<PathBuf>,
}

/// Finds the policies under some paths.
pub(crate) fn find(paths: &[PathBuf]) -> Found {
    find_named(paths, |name| [".nisi", ".nisi.md"].iter().any(|ending| name.ends_with(ending)))
}

/// Finds the files under some paths whose names are of a kind; a file that is itself one of the paths may have any name.
pub(crate) fn find_named(paths: &[PathBuf], is_wanted: fn(&str) -> bool) -> Found {
    let mut found = Found::default();
    for path in paths {
        match door::kind(path) {
            Ok(Kind::Folder) => {
                let before = found.n_seen;
                found.folder(path, is_wanted);
                if found.n_seen == before && found.troubles.is_empty() {
                    let text = format!("no policy under `{}`", path.display());
                    found.troubles.push(Trouble::new(text).help("policies are files whose names end in `.nisi`, or in `.nisi.md` where they stand in the fences of Markdown"));
                }
            }
            Ok(_) => found.file(path.clone()),
            Err(error) => found.troubles.push(unreadable(path, &error)),
        }
    }
    found.files.sort();
    found
}

impl Found {
    fn file(&mut self, path: PathBuf) {
        self.n_seen += 1;
        let real = door::real_path(&path).unwrap_or_else(|_| path.clone());
        if self.known.insert(real) {
            self.files.push(plain(path));
        }
    }

    fn folder(&mut self, start: &Path, is_wanted: fn(&str) -> bool) {
        let mut open = vec![start.to_path_buf()];
        while let Some(folder) = open.pop() {
            let listed = door::real_path(&folder)
                .and_then(|real| if self.entered.insert(real) { door::entries(&folder) } else { Ok(Vec::new()) });
            let entries = match listed {
                Ok(entries) => entries,
                Err(error) => {
                    self.troubles.push(unreadable(&folder, &error));
                    continue;
                }
            };
            for path in entries {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if name.starts_with('.') {
                    continue;
                }
                let is_wanted = is_wanted(&name);
                match door::kind(&path) {
                    Ok(Kind::Folder) if name != "target" => open.push(path),
                    Ok(Kind::File) if is_wanted => self.file(path),
                    Err(error) if is_wanted => self.troubles.push(unreadable(&path, &error)),
                    _ => {}
                }
            }
        }
    }
}

/// A path as it is spoken of: `nisi check .` speaks of `a.nisi`, not of `./a.nisi`.
pub(crate) fn plain(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}

/// That a path cannot be read, and why.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::new(format!("`{}` could not be read: {}", path.display(), io_words(error)))
}

/// A policy's text, or the finding on why there is none.
pub(crate) enum Text {
    /// The text.
    Read(Source),
    /// The file is no text, or larger than a policy may be.
    Faulty(Diagnostics),
}

/// Reads a policy.
#[cfg(feature = "lsp")]
pub(crate) fn policy(path: &Path) -> Result<Text, Trouble> {
    let content = door::read_file(path, Limits::BYTES as u64).map_err(|error| unreadable(path, &error))?;
    Ok(text_of(path.display().to_string(), content))
}

/// A policy as text or compiled.
#[cfg(any(feature = "cli", feature = "reload"))]
pub(crate) enum Form {
    /// A text.
    Text(Text),
    /// An artifact; nobody has looked into it.
    Artifact(Vec<u8>),
}

/// The most bytes of an artifact: 1 GiB.
#[cfg(any(feature = "cli", feature = "reload"))]
const ARTIFACT_BYTES: u64 = 1 << 30;

/// Reads a policy in either form: what a file begins with tells.
#[cfg(any(feature = "cli", feature = "reload"))]
pub(crate) fn form(path: &Path) -> Result<Form, Trouble> {
    let limit = |start: &[u8]| if is_artifact(start) { ARTIFACT_BYTES } else { Limits::BYTES as u64 };
    match door::read_by_start(path, limit).map_err(|error| unreadable(path, &error))? {
        Content::Whole(bytes) if is_artifact(&bytes) => Ok(Form::Artifact(bytes)),
        Content::TooLong(Some(size)) if size > ARTIFACT_BYTES => {
            let message = format!("`{}` has {size} bytes, and at most {ARTIFACT_BYTES} are allowed", path.display());
            Err(Trouble::new(message))
        }
        content => Ok(Form::Text(text_of(path.display().to_string(), content))),
    }
}

/// The text in what was read under a name.
pub(crate) fn text_of(name: String, content: Content) -> Text {
    let bytes = match content {
        Content::Whole(bytes) => bytes,
        Content::TooLong(size) => return Text::Faulty(too_long(&name, size)),
    };
    match String::from_utf8(bytes) {
        Ok(text) => Text::Read(Source::new(name, text)),
        Err(error) => Text::Faulty(not_utf8(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

/// The finding on bytes that are no UTF-8 from `at` on, shown at the end of the text before.
fn not_utf8(name: &str, bytes: &[u8], at: usize) -> Diagnostics {
    let mut sources = SourceMap::default();
    let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
    let file = sources.add(Source::new(name, before.as_ref()));
    let byte = bytes.get(at).copied().unwrap_or_default();
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let help = if is_artifact(bytes) {
        "it is what `nisi compile` writes: name the policy that it was made of"
    } else if is_utf16 {
        "it looks like UTF-16: save it as UTF-8"
    } else {
        "save the file as UTF-8"
    };
    let message = format!("this file is not written in UTF-8: its byte {} is 0x{byte:02X}", at + 1);
    let item =
        Diagnostic::new(N0190, message).at(Span::new(file, at, at), "the text can be read up to here").help(help);
    Diagnostics { items: vec![item], sources }
}

/// The finding on a file with too many bytes; nothing of it was read.
fn too_long(name: &str, size: Option<u64>) -> Diagnostics {
    let mut sources = SourceMap::default();
    let file = sources.add(Source::new(name, ""));
    let given = size.map_or_else(|| format!("more than {}", Limits::BYTES), |size| size.to_string());
    let message = format!("the file has {given} bytes, and at most {} are allowed", Limits::BYTES);
    let item = Diagnostic::new(N0102, message)
        .at(Span::new(file, 0, 0), "")
        .help("split it: `use` brings in what another file declares");
    Diagnostics { items: vec![item], sources }
}

/// Where the file of a name may lie, the likeliest first; nowhere for a name that would lead out of the folder.
pub(crate) fn paths_of(name: &str, beside: &str) -> Vec<PathBuf> {
    let folder = Path::new(beside).parent().unwrap_or(Path::new(""));
    let file = file_of(name);
    file.iter().flat_map(|file| ["nisi", "nisi.md"].map(|ending| folder.join(file).with_extension(ending))).collect()
}

/// `team/facts` for `team.facts`; nothing for a name that would lead out of the folder.
fn file_of(name: &str) -> Option<PathBuf> {
    let parts: Vec<&str> = name.split('.').collect();
    let plain = |part: &&str| !part.is_empty() && !part.contains(['/', '\\', ':', '\0']);
    parts.iter().all(plain).then(|| PathBuf::from(parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_of("team.facts"), Some(PathBuf::from("team/facts")));
        assert_eq!(file_of("team"), Some(PathBuf::from("team")));
        for bad in ["", "..", "team..facts", "../up", "/etc.passwd", "c:x"] {
            assert_eq!(file_of(bad), None, "{bad}");
        }
    }
}
