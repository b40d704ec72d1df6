//! The door of the command: files, folders, standard streams, clock, chance and environment.
//!
//! No other file of the library opens it. What comes in is bounded: a file past its limit is never read whole.
#![allow(clippy::disallowed_methods, reason = "the one place where the command meets the machine that it runs on")]

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// What a file or standard input held.
pub(super) enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// More than the limit allows; where known, how many bytes.
    TooLong(Option<u64>),
}

/// Reads a file, or standard input for `-`, up to `limit` bytes.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Content> {
    if is_dash(path) { bounded(io::stdin().lock(), None, limit) } else { read_file(path, limit) }
}

/// Reads a file, whatever its name is, up to `limit` bytes.
pub(super) fn read_file(path: &Path, limit: u64) -> io::Result<Content> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let size = if meta.is_file() { Some(meta.len()) } else { None };
    match size {
        Some(size) if size > limit => Ok(Content::TooLong(Some(size))),
        _ => bounded(file, size, limit),
    }
}

fn bounded(from: impl Read, size: Option<u64>, limit: u64) -> io::Result<Content> {
    let mut bytes = Vec::with_capacity(size.unwrap_or(0).min(limit) as usize + 1);
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Ok(Content::TooLong(None)) } else { Ok(Content::Whole(bytes)) }
}

/// Whether a path is the `-` that stands for a standard stream.
pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens a file, or standard input for `-`, to be read line by line.
pub(super) fn lines(path: &Path) -> io::Result<BufReader<Box<dyn Read>>> {
    if is_dash(path) {
        return Ok(BufReader::new(Box::new(io::stdin().lock())));
    }
    if fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(BufReader::new(Box::new(File::open(path)?)))
}

/// What stands at a path, symbolic links followed.
pub(super) enum Kind {
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A pipe, a device.
    Other,
}

/// Looks what stands at a path.
pub(super) fn kind(path: &Path) -> io::Result<Kind> {
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
pub(super) fn real_path(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The entries of a folder, sorted by name.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Writes a file that must not exist yet.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

/// Writes a file, over an older one where there is one; the folder is made where it is missing.
pub(super) fn write_in(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)
}

/// Writes a file, over an older one where there is one.
pub(super) fn write_over(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
}

/// Puts a new text in the place of an old one: written beside it, with its rights, and then moved over it, so that
/// whoever looks sees one of the two. Links stay links. Nothing is written where the file is no longer as it was.
pub(super) fn replace(path: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    if fs::read(&path)? != before {
        return Err(io::Error::other("it changed while it was being mended"));
    }
    let rights = fs::metadata(&path)?.permissions();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = file
        .write_all(after)
        .and_then(|()| file.set_permissions(rights))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The old file is untouched; that the new one cannot be taken away changes nothing of that.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The day by the clock, in UTC: `2026-08-01`.
pub(super) fn today() -> String {
    jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date().to_string()
}

/// The moment by the clock, in milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0)
}

/// A clock that was started.
pub(super) struct Stopwatch(std::time::Instant);

impl Stopwatch {
    /// Starts it.
    pub(super) fn start() -> Self {
        Stopwatch(std::time::Instant::now())
    }

    /// What has passed, in whole milliseconds.
    pub(super) fn ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Waits.
pub(super) fn sleep_ms(ms: u64) {
    std::thread::sleep(std::time::Duration::from_millis(ms));
}

/// What tells that a file has changed: when it was written, and its length; nothing where it cannot be told.
pub(super) fn mark(path: &Path) -> Option<(std::time::SystemTime, u64)> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// How many threads can work at once.
pub(super) fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A number that nobody can foresee.
pub(super) fn chance() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Whether colour is welcome on standard output: it is a terminal that has some, and `NO_COLOR` is not set.
pub(super) fn wants_color() -> bool {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    io::stdout().is_terminal() && !plain && !dumb
}

/// The words of the call.
pub(super) fn words() -> std::env::ArgsOs {
    std::env::args_os()
}
