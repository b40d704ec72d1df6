//! The door of the command: files, folders, standard streams, clock, chance and environment.
//!
//! No other file of the command opens it; files are read by the door of the room `files`. What comes in is bounded: a file
//! past its limit is never read whole.
#![allow(clippy::disallowed_methods, reason = "the one place where the command meets the machine that it runs on")]

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::Path;

use super::out::Look;
use crate::files::door::bounded;
pub(super) use crate::files::door::{Content, Kind, entries, kind, read_file};

/// Reads a file, or standard input for `-`, up to `limit` bytes.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Content> {
    if is_dash(path) { bounded(io::stdin().lock(), None, limit) } else { read_file(path, limit) }
}

/// Whether a path is the `-` that stands for a standard stream.
pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether two paths lead to one file that is there.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
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

/// Standard input and output, for a conversation.
pub(super) fn streams() -> (BufReader<io::Stdin>, io::Stdout) {
    (BufReader::new(io::stdin()), io::stdout())
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

/// Writes a file whole or not at all, over an older one where there is one: beside it first, and then moved over it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(meta) if meta.is_file() => move_over(&path, bytes, Some(meta.permissions())),
        // A pipe or a device: nothing may take its place.
        Ok(_) => OpenOptions::new().write(true).open(&path)?.write_all(bytes),
        Err(_) => move_over(&path, bytes, None),
    }
}

/// Puts a new text in the place of an old one: written beside it, with its rights, and then moved over it, so that
/// whoever looks sees one of the two. Links stay links. Nothing is written where the file is no longer as it was.
pub(super) fn replace(path: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    if fs::read(&path)? != before {
        return Err(io::Error::other("it changed meanwhile"));
    }
    let rights = fs::metadata(&path)?.permissions();
    if rights.readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    move_over(&path, after, Some(rights))
}

fn move_over(path: &Path, bytes: &[u8], rights: Option<fs::Permissions>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| rights.map_or(Ok(()), |rights| file.set_permissions(rights)))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, path));
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

/// How results, and what stands beside them, are shown where they go to; `color` is what the call says of colours.
///
/// Else colours are as anstream has it: on a terminal that has some, unless `NO_COLOR` is set; elsewhere where
/// `CLICOLOR_FORCE` is. Columns are those of the terminal, or as many as `COLUMNS` says.
pub(super) fn looks(color: Option<bool>) -> [Look; 2] {
    let wanted = |choice| color.unwrap_or(choice != anstream::ColorChoice::Never);
    let said = std::env::var("COLUMNS").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    let wide = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
        let columns = said.or(size.map(|(width, _)| usize::from(width.0)));
        columns.unwrap_or(Look::COLUMNS).clamp(Look::NARROWEST, Look::WIDEST)
    };
    let (results, beside) = (io::stdout(), io::stderr());
    [
        Look {
            color: wanted(anstream::AutoStream::choice(&results)),
            columns: wide(terminal_size::terminal_size_of(&results)),
        },
        Look {
            color: wanted(anstream::AutoStream::choice(&beside)),
            columns: wide(terminal_size::terminal_size_of(&beside)),
        },
    ]
}

/// Whether standard error is a terminal.
pub(super) fn errors_on_terminal() -> bool {
    io::stderr().is_terminal()
}

/// The words of the call.
pub(super) fn words() -> std::env::ArgsOs {
    std::env::args_os()
}
