//! Case files on disk: beside the policy that they are for, and with its name.

use std::path::{Path, PathBuf};

use crate::cli::outside::{self, Kind};
use crate::files::{find_named, plain};

/// The ending of a case file's name.
const CASES: &str = ".cases.yaml";

/// Whether a path is that of a case file: `NAME.cases.yaml`.
pub(super) fn is_case_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_case_name(&name.to_string_lossy()))
}

/// The same of a file's name.
pub(super) fn is_case_name(name: &str) -> bool {
    name.ends_with(CASES)
}

/// The policy that a case file is for: `NAME.nisi`, or `NAME.nisi.md`, beside `NAME.cases.yaml` and `NAME.TOPIC.cases.yaml`.
/// Nothing where there is none.
pub(super) fn policy_of(cases: &Path) -> Option<PathBuf> {
    let name = cases.file_name()?.to_string_lossy().into_owned();
    let mut stem = name.strip_suffix(CASES)?;
    loop {
        let beside = ["nisi", "nisi.md"].map(|ending| cases.with_file_name(format!("{stem}.{ending}")));
        if let Some(policy) = beside.into_iter().find(|path| matches!(outside::kind(path), Ok(Kind::File))) {
            return Some(policy);
        }
        stem = stem.rsplit_once('.')?.0;
    }
}

/// The case files of one folder.
pub(super) fn case_files(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let found = outside::entries(folder).unwrap_or_default().into_iter();
    found.filter(|path| is_case_file(path) && matches!(outside::kind(path), Ok(Kind::File))).map(plain).collect()
}

/// The case files in the folders among some paths, and in theirs. What cannot be read there is told of the policies.
pub(super) fn under(paths: &[PathBuf]) -> Vec<PathBuf> {
    let folders = paths.iter().filter(|path| matches!(outside::kind(path), Ok(Kind::Folder)));
    find_named(&folders.cloned().collect::<Vec<_>>(), is_case_name).files
}
