//! The door of the library to files: what stands at a path, a folder's entries, a file's bytes up to a limit.
#![allow(clippy::disallowed_methods, reason = "the one place where the library meets files")]

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a file or standard input held.
pub(crate) enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// More than the limit allows; where known, how many bytes.
    TooLong(Option<u64>),
}

/// Reads a file, whatever its name is, up to `limit` bytes.
#[cfg(feature = "lsp")]
pub(crate) fn read_file(path: &Path, limit: u64) -> io::Result<Content> {
    read_by_start(path, |_| limit)
}

/// Reads a file up to as many bytes as what it begins with allows; of that, up to eight bytes are shown.
pub(crate) fn read_by_start(path: &Path, limit: impl Fn(&[u8]) -> u64) -> io::Result<Content> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(8).read_to_end(&mut start)?;
    let (size, limit) = (meta.is_file().then_some(meta.len()), limit(&start));
    match size {
        Some(size) if size > limit => Ok(Content::TooLong(Some(size))),
        _ => bounded(start.chain(file), size, limit),
    }
}

/// Reads up to `limit` bytes; `size` is how many there are, where that is known.
pub(crate) fn bounded(from: impl Read, size: Option<u64>, limit: u64) -> io::Result<Content> {
    let mut bytes = Vec::with_capacity(size.unwrap_or(0).min(limit) as usize + 1);
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Ok(Content::TooLong(None)) } else { Ok(Content::Whole(bytes)) }
}

/// What stands at a path, symbolic links followed.
pub(crate) enum Kind {
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A pipe, a device.
    Other,
}

/// Looks what stands at a path.
pub(crate) fn kind(path: &Path) -> io::Result<Kind> {
    let meta = fs::metadata(path)?;
    Ok(if meta.is_dir() {
        Kind::Folder
    } else if meta.is_file() {
        Kind::File
    } else {
        Kind::Other
    })
}

/// One path for one file, whatever links lead to it.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The entries of a folder, sorted by name.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// A system's error in plain words, without its number.
pub(crate) fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "it may not be read or written by this user".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::AlreadyExists => "it exists already".into(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}
