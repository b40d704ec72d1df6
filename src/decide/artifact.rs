//! A policy as bytes, and back.

use crate::artifact::{self, LoadError, Opened, Writer};
#[cfg(feature = "sign")]
use crate::artifact::{PublicKey, SecretKey};
use crate::program::{self, EDITION, Program};
use crate::text::Origin;

use super::Policy;
use super::held::Held;

impl Policy {
    /// The policy as an artifact: bytes that [`load`](Policy::load) takes without parsing or proving. The same policy,
    /// compiled by the same version of nisi, gives the same bytes on every machine.
    ///
    /// ```
    /// use nisi::Policy;
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let artifact = Policy::compile(text)?.to_artifact();
    /// assert_eq!(artifact, Policy::compile(text)?.to_artifact());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn to_artifact(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        artifact::write(&mut writer, self.about(), EDITION, self.model());
        self.program().write(&mut writer);
        artifact::close(writer)
    }

    /// Loads an artifact. Nothing is parsed or proven; everything is checked, so that any bytes, also such as were made
    /// to do harm, give a policy that answers or an error that says what is wrong and where. A `Vec` is taken as it is,
    /// a slice is copied.
    ///
    /// The checksum finds accidents. That the file is what its digest promises is shown by [`verify`](Policy::verify),
    /// that it comes from where it should by a signature (`load_signed`, with the feature `sign`); here a signature that
    /// stands behind it is not looked at.
    ///
    /// ```
    /// use nisi::Policy;
    /// use nisi::words::Verb;
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let artifact = Policy::compile(text)?.to_artifact();
    ///
    /// let policy = Policy::load(artifact).expect("just made");
    /// assert_eq!((policy.name(), policy.is_proven()), ("a", true));
    /// assert_eq!(policy.decide(&policy.no_facts()).verb(), Verb::Stop);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// What is no artifact, one that is damaged, of a later format or of another edition of the language, and one whose
    /// content cannot be.
    pub fn load(bytes: impl Into<Vec<u8>>) -> Result<Policy, LoadError> {
        let opened = Opened::read(bytes.into(), EDITION)?;
        let program = Program::read(&opened)?;
        let (about, packed) = opened.close();
        Ok(Policy::of(Held::Packed(packed.into()), program, about))
    }

    /// Loads an artifact that one of some keys has signed; the signature is looked at before anything else.
    ///
    /// ```
    /// use nisi::Policy;
    /// use nisi::artifact::{LoadError, SecretKey};
    /// let (ours, other) = (SecretKey::read(&"07".repeat(32)).expect("a key"), SecretKey::read(&"08".repeat(32)).expect("a key"));
    /// let policy = Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
    ///
    /// let signed = policy.to_signed_artifact(&ours);
    /// assert!(Policy::load_signed(signed.as_slice(), &[ours.public()]).is_ok());
    /// assert_eq!(Policy::load_signed(signed, &[other.public()]).unwrap_err(), LoadError::Stranger);
    /// assert_eq!(Policy::load_signed(policy.to_artifact(), &[ours.public()]).unwrap_err(), LoadError::Unsigned);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// No signature, one of another key, one of other bytes; and what [`load`](Policy::load) refuses.
    #[cfg(feature = "sign")]
    pub fn load_signed(bytes: impl Into<Vec<u8>>, keys: &[PublicKey]) -> Result<Policy, LoadError> {
        let bytes = bytes.into();
        artifact::signer(&bytes, keys)?;
        Policy::load(bytes)
    }

    /// The policy as an artifact with a signature behind it. [`load`](Policy::load) takes it too, and does not look at
    /// the signature.
    #[cfg(feature = "sign")]
    pub fn to_signed_artifact(&self, key: &SecretKey) -> Vec<u8> {
        let mut artifact = self.to_artifact();
        artifact::sign(&mut artifact, key);
        artifact
    }

    /// Whether the digest and the program follow from the rows: both are made anew, as compiling makes them, which takes
    /// about as long. For a policy that was compiled here it always holds; for an artifact it shows that nobody changed
    /// what it decides and left its name. That proofs were made ([`is_proven`](Policy::is_proven)) is not looked at.
    ///
    /// ```
    /// let policy = nisi::Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
    /// assert_eq!(policy.verify(), Ok(()));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// What does not follow.
    pub fn verify(&self) -> Result<(), VerifyError> {
        let found = program::digest(self.model());
        if found != self.digest() {
            return Err(VerifyError::Digest { given: self.digest().to_string(), found });
        }
        let written = |program: &Program| {
            let mut writer = Writer::default();
            program.write(&mut writer);
            artifact::close(writer)
        };
        let same = written(&Program::build(self.model())) == written(self.program());
        if same { Ok(()) } else { Err(VerifyError::Program) }
    }

    /// The version of nisi that compiled it: of a policy compiled here our own.
    pub fn compiled_by(&self) -> &str {
        &self.about().nisi
    }

    /// The files that it was compiled from, its own first, as [`Row::file`](super::Row::file) names them.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.about().origins.iter().map(Origin::name)
    }
}

/// What of an artifact does not follow from its rows; [`Policy::verify`] tells it.
///
/// ```
/// use nisi::decide::VerifyError;
/// assert_eq!(VerifyError::Program.to_string(), "its matchers are not those of its rows");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// Its digest.
    #[error("its digest is not that of its rows: it says {given}, and they have {found}")]
    Digest {
        /// The digest that it gives itself.
        given: String,
        /// That of its rows.
        found: String,
    },
    /// Its program.
    #[error("its matchers are not those of its rows")]
    Program,
}
