//! A policy as text or as an artifact: what a file begins with tells. And keys, to sign artifacts and to look at signatures.

#[cfg(feature = "sign")]
use std::path::Path;

#[cfg(feature = "sign")]
use super::out::Trouble;
#[cfg(feature = "sign")]
use crate::artifact::KeyError;
pub(super) use crate::files::{Form, form as read};
#[cfg(feature = "sign")]
use crate::files::{
    door::{Content, read_file},
    unreadable,
};

/// The most bytes of a file with a key.
#[cfg(feature = "sign")]
const KEY_BYTES: u64 = 64 * 1024;

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
