//! What an artifact says of itself beside the model: who compiled it, what it is called for good, where its text stood.

use std::sync::Arc;

use super::error::{Load, LoadError};
use super::reader::Reader;
use super::section::Section;
use super::writer::Writer;
use crate::text::Origin;

/// What is known of a policy beside its rules.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// Its digest.
    pub(crate) digest: Box<str>,
    /// Whether its proofs were made, and came to an end.
    pub(crate) proven: bool,
    /// The version of nisi that compiled it.
    pub(crate) nisi: Box<str>,
    /// The files that it was compiled from, by their ids.
    pub(crate) origins: Arc<[Origin]>,
}

/// The edition of the language, the version of nisi and the digest, as bytes.
const DIGEST: usize = 32;

/// Writes it, for a language edition; names of files without the folder that the policy's own file lies in.
pub(super) fn write(w: &mut Writer, about: &About, edition: &str) {
    w.turn_to(Section::Lines);
    about.origins.iter().for_each(|origin| w.u32s(origin.lines()));
    w.turn_to(Section::Head);
    w.text(edition);
    w.text(&about.nisi);
    w.raw(&digest_bytes(&about.digest));
    w.bool(about.proven);
    let main = about.origins.first().map_or("", Origin::name);
    let folder = main.rfind(['/', '\\']).map_or("", |end| &main[..=end]);
    w.list(about.origins.iter(), |w, origin| {
        let name = origin.name();
        w.text(&name.strip_prefix(folder).unwrap_or(name).replace('\\', "/"));
    });
}

/// Reads it; the edition must be this one.
pub(super) fn read(head: &mut Reader, lines: &mut Reader, edition: &'static str) -> Load<About> {
    let given = head.text()?;
    if *given != *edition {
        return Err(LoadError::Edition { given: given.into(), known: edition });
    }
    let (nisi, digest, proven) = (head.text()?, digest_text(head.take(DIGEST)?), head.bool()?);
    let names = head.texts()?;
    head.ensure(!names.is_empty(), "it was compiled from no file")?;
    let origins =
        names.into_iter().map(|name| Ok(Origin::new(&name, lines.shared_u32s()?))).collect::<Load<Vec<_>>>()?;
    Ok(About { digest, proven, nisi, origins: origins.into() })
}

fn digest_bytes(digest: &str) -> [u8; DIGEST] {
    let hex = digest.strip_prefix("sha256:").unwrap_or(digest).as_bytes();
    let digit = |at: usize| hex.get(at).and_then(|d| char::from(*d).to_digit(16)).unwrap_or(0) as u8;
    std::array::from_fn(|i| digit(2 * i) << 4 | digit(2 * i + 1))
}

fn digest_text(bytes: &[u8]) -> Box<str> {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|n| char::from_digit(n.into(), 16));
    "sha256:".chars().chain(digits).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_comes_back() {
        let text: String = "sha256:".chars().chain("0123456789abcdef".chars().cycle().take(64)).collect();
        assert_eq!(*digest_text(&digest_bytes(&text)), *text);
    }
}
