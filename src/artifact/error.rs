//! Why an artifact is not taken.

use std::borrow::Cow;

/// Why bytes are no artifact that this version can load: what is wrong, and where.
///
/// Offsets count bytes from the start of what was given.
///
/// ```
/// use nisi::Policy;
/// use nisi::artifact::LoadError;
/// let policy = Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
/// let mut bytes = policy.to_artifact();
/// bytes.truncate(100);
/// let error = Policy::load(bytes).expect_err("it is cut short");
/// assert!(matches!(error, LoadError::Length { given: 100, .. }), "{error}");
/// assert_eq!(Policy::load(b"policy a\n".as_slice()).expect_err("a text"), LoadError::NotAnArtifact);
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It does not begin as an artifact does.
    #[error("this is no artifact: it does not begin with the eight bytes that every artifact begins with")]
    NotAnArtifact,
    /// It was written in another format.
    #[error("the artifact has format {given}, and this version of nisi reads format {known}")]
    Format {
        /// Its format.
        given: u32,
        /// The only one that this version reads.
        known: u32,
    },
    /// It was compiled for another edition of the language.
    #[error("the artifact is of language edition `{given}`, and this version of nisi decides by `{known}`")]
    Edition {
        /// Its edition.
        given: String,
        /// Ours.
        known: &'static str,
    },
    /// It is cut short, or something stands behind it.
    #[error("the artifact has {given} bytes, and {stated} belong to it")]
    Length {
        /// How many bytes there are.
        given: u64,
        /// How many there should be.
        stated: u64,
    },
    /// Some of its bytes changed.
    #[error("the artifact is damaged: its checksum is {given:08x}, and it says {stated:08x}")]
    Checksum {
        /// That of the bytes.
        given: u32,
        /// The one that is written in it.
        stated: u32,
    },
    /// No signature stands behind it, and one is asked for.
    #[error("the artifact is not signed")]
    Unsigned,
    /// It is signed with a key that is none of those that are trusted.
    #[error("the artifact is signed with a key that is not among the trusted ones")]
    Stranger,
    /// Its signature is not of these bytes.
    #[error("the signature of the artifact is not of these bytes")]
    Forged,
    /// Something in it cannot be: it was not written by nisi, or was changed on purpose.
    #[error("the artifact is not sound: {what} (byte {offset}, in its {section})")]
    Unsound {
        /// The part of the artifact.
        section: &'static str,
        /// The byte at which it was seen.
        offset: usize,
        /// What is wrong.
        what: Cow<'static, str>,
    },
}

impl LoadError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            LoadError::NotAnArtifact => "`nisi compile POLICY -o FILE` writes one",
            LoadError::Format { given, known } if given > known => {
                "take a later version of nisi, or compile the policy with this one"
            }
            LoadError::Format { .. } | LoadError::Edition { .. } => "compile the policy with this version of nisi",
            LoadError::Length { .. } | LoadError::Checksum { .. } => "fetch it again, or compile the policy again",
            LoadError::Unsigned => "sign it: `nisi compile POLICY -o FILE --sign KEYFILE`",
            LoadError::Stranger => "name the public key of whoever signed it, if he is to be trusted",
            LoadError::Forged | LoadError::Unsound { .. } => {
                "do not use it; compile the policy again, and ask where this file came from"
            }
        }
    }
}

/// What reading gives.
pub(crate) type Load<T> = Result<T, LoadError>;
