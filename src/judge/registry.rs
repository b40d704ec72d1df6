//! What registries of YAML files have in common: a document for each entry, each name once, and every fault of every file
//! with its place.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::tree::{TextError, Tree};
use super::tree_yaml::read_yaml;

/// A fault in a file of a registry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {error}")]
pub struct RegistryError {
    /// The file.
    pub file: String,
    /// Where in it, and what.
    pub error: TextError,
}

/// The words that a registry is told with.
pub(super) struct Words {
    /// What a document is: `passport`.
    pub(super) document: &'static str,
    /// What it is of, with its article: `a release`.
    pub(super) of: &'static str,
    /// What to write in a file where nothing stands.
    pub(super) write: &'static str,
    /// What to do about a second one of the same name.
    pub(super) twice: &'static str,
}

/// What reads one document: its name, and what it holds.
pub(super) type Read<K, T> = fn(Tree) -> Result<(K, T), Vec<TextError>>;

/// Reads every document of every file, each given by its name and text.
pub(super) fn read_registry<'a, K: Ord + Display, T>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    words: &Words,
    read: Read<K, T>,
) -> Result<BTreeMap<K, T>, Vec<RegistryError>> {
    let (mut entries, mut places) = (BTreeMap::new(), BTreeMap::new());
    let mut errors = Vec::new();
    for (file, text) in files {
        let mut fault = |error| errors.push(RegistryError { file: file.into(), error });
        let nothing = || TextError::new(1, format!("there is no {} in this file", words.document)).help(words.write);
        let documents = read_yaml(text).and_then(|all| if all.is_empty() { Err(nothing()) } else { Ok(all) });
        let documents = documents.unwrap_or_else(|error| {
            fault(error);
            Vec::new()
        });
        for tree in documents {
            let line = tree.line;
            match read(tree) {
                Err(found) => found.into_iter().for_each(&mut fault),
                Ok((name, entry)) => {
                    if let Some(first) = places.get(&name.to_string()) {
                        let message = format!("there is {} `{name}` already: {first}", words.of);
                        fault(TextError::new(line, message).help(words.twice));
                    } else {
                        places.insert(name.to_string(), format!("{file}, line {line}"));
                        entries.insert(name, entry);
                    }
                }
            }
        }
    }
    if errors.is_empty() { Ok(entries) } else { Err(errors) }
}
