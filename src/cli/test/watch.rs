//! `--watch`: runs once more whenever a file has changed, until it is ended from outside.
//!
//! The files are few, so they are looked at a few times a second, by the time of their last change and their length:
//! that needs nothing but the file system, and works where a system's own notices do not (shared folders, containers).

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Args, filter, gather, once};
use crate::cli::out::{Answer, Out, n};
use crate::cli::outside;
use crate::files::{self, cases as paths};

/// How long between two looks, in milliseconds.
const LOOK_MS: u64 = 200;

/// What tells one state of the files from another.
type Marks = BTreeMap<PathBuf, Option<(std::time::SystemTime, u64)>>;

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    loop {
        let before = found(args);
        let mut gathered = gather::gather(&args.paths, out);
        filter(args, &mut gathered, out);
        once(args, &gathered, out)?;
        // What `use` names may lie outside of the paths. Marks of before the run: what changed meanwhile is seen.
        let marks: Marks = gathered.reads.iter().map(|path| (path.clone(), mark(&before, path))).collect();
        out.say(&format!("watching {}; end it with Ctrl-C", n(before.len().max(1), "file", "files")));
        while found(args) == before && marks.iter().all(|(path, mark)| outside::mark(path) == *mark) {
            outside::sleep_ms(LOOK_MS);
        }
        out.say("");
    }
}

fn mark(before: &Marks, path: &PathBuf) -> Option<(std::time::SystemTime, u64)> {
    before.get(path).copied().unwrap_or_else(|| outside::mark(path))
}

/// The files under the paths, as they are.
fn found(args: &Args) -> Marks {
    let (cases, others): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|p| paths::is_case_file(p));
    let found = files::find(&others);
    let beside = found.files.iter().filter_map(|file| file.parent()).flat_map(paths::case_files).collect::<Vec<_>>();
    let all = found.files.into_iter().chain(paths::under(&others)).chain(beside).chain(cases);
    all.map(|path| (path.clone(), outside::mark(&path))).collect()
}
