//! Who an artifact comes from: a signature behind it (Ed25519, RFC 8032), made with a key that its owner keeps to himself
//! and looked at with the one that everybody may know.
//!
//! Keys are read as PEM, as `openssl genpkey -algorithm ed25519` writes them (PKCS #8; the public one with `openssl pkey
//! -pubout`, SPKI), or as 64 hexadecimal digits.

use std::fmt;

use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use super::container::length;
use super::error::{Load, LoadError};
use super::tail::{MARK, split};

/// A key to sign with. It is never shown.
///
/// ```
/// use nisi::artifact::SecretKey;
/// let key = SecretKey::read(&"07".repeat(32)).expect("64 digits");
/// assert_eq!(format!("{key:?}"), "SecretKey(..)");
/// assert_eq!(SecretKey::read("0707").unwrap_err().to_string(), "this is no key: write 64 hexadecimal digits, or PEM");
/// ```
#[derive(Clone)]
pub struct SecretKey(SigningKey);

/// A key to look at signatures with; shown as 64 hexadecimal digits.
///
/// ```
/// use nisi::artifact::{PublicKey, SecretKey};
/// let public = SecretKey::read(&"07".repeat(32)).expect("64 digits").public();
/// assert_eq!(PublicKey::read(&public.to_string()), Ok(public));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// A text that is no key.
///
/// ```
/// assert!(nisi::artifact::PublicKey::read("my key").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no key: write 64 hexadecimal digits, or PEM")]
pub struct KeyError;

impl SecretKey {
    /// Reads one, PEM or 64 hexadecimal digits; white space around it does not count.
    ///
    /// # Errors
    /// What is neither.
    pub fn read(text: &str) -> Result<SecretKey, KeyError> {
        let text = text.trim();
        if let Some(bytes) = digits(text) {
            return Ok(SecretKey(SigningKey::from_bytes(&bytes)));
        }
        SigningKey::from_pkcs8_pem(text).map(SecretKey).map_err(|_| KeyError)
    }

    /// The public key that belongs to it.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }
}

impl PublicKey {
    /// Reads one, PEM or 64 hexadecimal digits; white space around it does not count.
    ///
    /// # Errors
    /// What is neither.
    pub fn read(text: &str) -> Result<PublicKey, KeyError> {
        let text = text.trim();
        let key = match digits(text) {
            Some(bytes) => VerifyingKey::from_bytes(&bytes).ok(),
            None => VerifyingKey::from_public_key_pem(text).ok(),
        };
        key.map(PublicKey).ok_or(KeyError)
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

/// 64 hexadecimal digits.
fn digits(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let sound = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs = text.as_bytes().chunks_exact(2).filter_map(|pair| std::str::from_utf8(pair).ok()).filter(|_| sound);
    bytes.iter_mut().zip(pairs).for_each(|(byte, pair)| *byte = u8::from_str_radix(pair, 16).unwrap_or(0));
    sound.then_some(bytes)
}

/// Puts a signature behind an artifact.
pub(crate) fn sign(artifact: &mut Vec<u8>, key: &SecretKey) {
    let signature = key.0.sign(artifact);
    artifact.extend_from_slice(&MARK);
    artifact.extend_from_slice(key.0.verifying_key().as_bytes());
    artifact.extend_from_slice(&signature.to_bytes());
}

/// The key that an artifact says it was signed with; nobody has looked whether it was.
#[cfg(feature = "cli")]
pub(crate) fn claimed_signer(bytes: &[u8]) -> Option<PublicKey> {
    let (_, tail) = split(bytes, length(bytes).ok()?);
    VerifyingKey::from_bytes(tail?.key).ok().map(PublicKey)
}

/// The key among some that signed an artifact; of the artifact itself nothing else is looked at.
pub(crate) fn signer<'k>(bytes: &[u8], keys: &'k [PublicKey]) -> Load<&'k PublicKey> {
    let (artifact, tail) = split(bytes, length(bytes)?);
    let tail = tail.ok_or(LoadError::Unsigned)?;
    let signature = Signature::from_bytes(tail.signature);
    let key = keys.iter().find(|key| key.0.as_bytes() == tail.key).ok_or(LoadError::Stranger)?;
    key.0.verify_strict(artifact, &signature).map_err(|_| LoadError::Forged)?;
    Ok(key)
}
