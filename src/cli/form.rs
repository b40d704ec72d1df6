//! A policy as text or as an artifact: what a file begins with tells. And keys, to sign artifacts and to look at signatures.

use std::path::Path;

use super::out::Trouble;
#[cfg(feature = "sign")]
use crate::artifact::KeyError;
use crate::artifact::is_artifact;
#[cfg(feature = "sign")]
use crate::files::door::read_file;
use crate::files::door::{Content, read_by_start};
use crate::files::{Text, text_of, unreadable};
use crate::syntax::Limits;

/// The most bytes of an artifact: 1 GiB.
const ARTIFACT_BYTES: u64 = 1 << 30;

/// The most bytes of a file with a key.
#[cfg(feature = "sign")]
const KEY_BYTES: u64 = 64 * 1024;

/// A policy as text or compiled.
pub(super) enum Form {
    /// A text.
    Text(Text),
    /// An artifact; nobody has looked into it.
    Artifact(Vec<u8>),
}

/// Reads a policy in either form.
pub(super) fn read(path: &Path) -> Result<Form, Trouble> {
    let limit = |start: &[u8]| if is_artifact(start) { ARTIFACT_BYTES } else { Limits::BYTES as u64 };
    match read_by_start(path, limit).map_err(|error| unreadable(path, &error))? {
        Content::Whole(bytes) if is_artifact(&bytes) => Ok(Form::Artifact(bytes)),
        Content::TooLong(Some(size)) if size > ARTIFACT_BYTES => {
            let message = format!("`{}` has {size} bytes, and at most {ARTIFACT_BYTES} are allowed", path.display());
            Err(Trouble::new(message))
        }
        content => Ok(Form::Text(text_of(path.display().to_string(), content))),
    }
}

/// Reads a key.
#[cfg(feature = "sign")]
pub(super) fn key<K>(path: &Path, read: fn(&str) -> Result<K, KeyError>) -> Result<K, Trouble> {
    let no_key = || {
        let help = "a key is PEM, as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write it, or 64 \
                    hexadecimal digits";
        Trouble::new(format!("`{}` holds no such key", path.display())).help(help)
    };
    match read_file(path, KEY_BYTES).map_err(|error| unreadable(path, &error))? {
        Content::TooLong(_) => Err(no_key()),
        Content::Whole(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| no_key())?;
            read(&text).map_err(|_| no_key())
        }
    }
}
