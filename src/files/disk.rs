//! The files that policies name by `use` and `restricts`, read from disk when a compilation asks for them.

use std::io::ErrorKind;
use std::path::Path;

use super::door::{self, Kind};
use super::{Text, paths_of, policy, unreadable};
use crate::compile::Sources;
use crate::text::Source;

/// The files that policies name, beside the file that names them.
pub(crate) struct Disk;

impl Disk {
    /// One file that a policy stands in.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    pub(crate) fn read(path: &Path) -> Result<Source, String> {
        match policy(path).map_err(|trouble| trouble.message)? {
            Text::Read(source) => Ok(source),
            Text::Faulty(found) => {
                let why = found.items.first().map_or("it cannot be read", |item| &*item.message);
                Err(format!("`{}`: {why}", path.display()))
            }
        }
    }
}

impl Sources for Disk {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        for path in paths_of(name, beside) {
            match door::kind(&path) {
                Ok(Kind::Folder) => {}
                Ok(_) => return Disk::read(&path).map(Some),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(unreadable(&path, &error).message),
            }
        }
        Ok(None)
    }
}
