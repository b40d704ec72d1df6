//! Case files on disk: beside the policy that they are for, and with its name.

use std::path::{Path, PathBuf};

use super::door::{self, Kind};
#[cfg(feature = "cli")]
use super::find_named;
use super::plain;

/// The ending of a case file's name.
const CASES: &str = ".cases.yaml";

/// Whether a path is that of a case file: `NAME.cases.yaml`.
pub(crate) fn is_case_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_case_name(&name.to_string_lossy()))
}

/// The same of a file's name.
pub(crate) fn is_case_name(name: &str) -> bool {
    name.ends_with(CASES)
}

/// Where the policy of a case file may lie, the likeliest first: `NAME.nisi`, or `NAME.nisi.md`, beside `NAME.cases.yaml` and
/// `NAME.TOPIC.cases.yaml`.
pub(crate) fn policies_of(cases: &Path) -> Vec<PathBuf> {
    let name = cases.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut found = Vec::new();
    let mut stem = name.strip_suffix(CASES);
    while let Some(name) = stem {
        found.extend(["nisi", "nisi.md"].map(|ending| cases.with_file_name(format!("{name}.{ending}"))));
        stem = name.rsplit_once('.').map(|(before, _)| before);
    }
    found
}

/// The policy that a case file is for; nothing where there is none.
#[cfg(feature = "cli")]
pub(crate) fn policy_of(cases: &Path) -> Option<PathBuf> {
    policies_of(cases).into_iter().find(|path| matches!(door::kind(path), Ok(Kind::File)))
}

/// The case files of one folder.
pub(crate) fn case_files(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let found = door::entries(folder).unwrap_or_default().into_iter();
    found.filter(|path| is_case_file(path) && matches!(door::kind(path), Ok(Kind::File))).map(plain).collect()
}

/// The case files in the folders among some paths, and in theirs. What cannot be read there is told of the policies.
#[cfg(feature = "cli")]
pub(crate) fn under(paths: &[PathBuf]) -> Vec<PathBuf> {
    let folders = paths.iter().filter(|path| matches!(door::kind(path), Ok(Kind::Folder)));
    find_named(&folders.cloned().collect::<Vec<_>>(), is_case_name).files
}
