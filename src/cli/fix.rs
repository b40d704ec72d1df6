//! `nisi check --fix`: the mends that need no look, applied to the files that were named: which they are, the room `mend`
//! says. Files are written whole, beside the old one, and put in its place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::disk::{self, Disk, Text, unreadable};
use super::out::{Failure, Out, Trouble, n};
use super::progress::Progress;
use super::{outside, patch};
use crate::compile::{Options, Sources};
use crate::mend::{self, Around};
use crate::text::Source;

/// What was made of the files, by their names: text before, text after, and how many mends that took.
#[derive(Default)]
pub(super) struct Mended {
    files: BTreeMap<String, Mend>,
}

struct Mend {
    path: PathBuf,
    before: String,
    after: String,
    count: usize,
}

/// Mends files; what cannot be read is told of by the check that follows.
pub(super) fn mend(files: &[PathBuf], options: &Options) -> Mended {
    let mut all = Mended::default();
    let progress = Progress::start("mending", files.len());
    for path in files {
        progress.step();
        progress.at(&path.display().to_string());
        let Ok(Text::Read(source)) = disk::policy(path) else { continue };
        let others = files.iter().filter(|other| *other != path);
        let read = |other: &PathBuf| if let Ok(Text::Read(source)) = all.read(other) { Some(source) } else { None };
        let users = || others.clone().filter_map(read).collect();
        let around = Around { sources: &all, users: &users, goes_on: &|| true };
        let (after, count) = mend::mended(&source, &around, options);
        if after != source.text() {
            let mend = Mend { path: path.clone(), before: source.text().to_string(), after, count };
            all.files.insert(source.name().to_string(), mend);
        }
    }
    all
}

impl Mended {
    /// A policy's text, as mended.
    pub(super) fn read(&self, path: &Path) -> Result<Text, Trouble> {
        let name = path.display().to_string();
        match self.files.get(&name) {
            Some(mend) => Ok(Text::Read(Source::new(name, mend.after.as_str()))),
            None => disk::policy(path),
        }
    }

    /// Writes the files, or prints the patch; whether all of it could be done.
    pub(super) fn write(&self, dry_run: bool, out: &mut Out) -> Result<bool, Failure> {
        let mut written = true;
        for (name, mend) in &self.files {
            if dry_run {
                out.result(&patch::patch(&name.replace('\\', "/"), &mend.before, &mend.after))?;
            } else if let Err(error) = outside::replace(&mend.path, mend.before.as_bytes(), mend.after.as_bytes()) {
                written = false;
                let why = unreadable(&mend.path, &error).message.replace("could not be read", "could not be written");
                out.trouble(&Trouble::new(why));
            }
        }
        let count = self.files.values().map(|m| m.count).sum();
        let (mends, files) = (n(count, "mend", "mends"), n(self.files.len(), "file", "files"));
        out.say(&match (count, dry_run) {
            (0, _) => "nothing that could be mended without a look".to_string(),
            (_, true) => format!("{mends} in {files}, not applied"),
            (_, false) => format!("{mends} applied in {files}"),
        });
        Ok(written)
    }
}

impl Sources for Mended {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        let found = Disk.find(name, beside)?;
        Ok(found.map(|source| match self.files.get(source.name()) {
            Some(mend) => Source::new(source.name(), mend.after.as_str()),
            None => source,
        }))
    }
}
