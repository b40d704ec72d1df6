//! What may stand behind an artifact: one signature, over all bytes of the artifact.
//!
//! ```text
//! 0    "nisi sig"        8 bytes
//! 8    the public key   32
//! 40   the signature    64   Ed25519, RFC 8032
//! ```

/// What a signature begins with.
pub(super) const MARK: [u8; 8] = *b"nisi sig";

/// The bytes of a signature with its key.
pub(super) const SIGNATURE: usize = 8 + 32 + 64;

/// A signature as it stands.
#[cfg_attr(not(feature = "sign"), allow(dead_code, reason = "only seen, not read"))]
pub(super) struct Tail<'a> {
    pub(super) key: &'a [u8; 32],
    pub(super) signature: &'a [u8; 64],
}

/// Parts an artifact that says it has so many bytes from the signature behind it, where there is one.
pub(super) fn split(bytes: &[u8], length: u64) -> (&[u8], Option<Tail<'_>>) {
    let parted = usize::try_from(length).ok().and_then(|length| bytes.split_at_checked(length));
    let signed = parted.and_then(|(artifact, tail)| {
        let (key, signature) = tail.strip_prefix(&MARK).filter(|_| tail.len() == SIGNATURE)?.split_first_chunk()?;
        Some((artifact, Tail { key, signature: signature.first_chunk()? }))
    });
    match signed {
        Some((artifact, tail)) => (artifact, Some(tail)),
        None => (bytes, None),
    }
}
