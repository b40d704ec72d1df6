//! Authorizations: which version of an approval stands, until when, and how far it reaches.
//!
//! Takes texts in YAML, or anything that implements [`Authorizations`]; gives, for an envelope and a moment, whether its
//! approval stands *now*. Limits may be narrowed afterwards and never widened.

use std::collections::BTreeMap;

use crate::words::show_decimal;

use super::envelope::Envelope;
use super::fields::Fields;
use super::ids::AuthorizationVersion;
use super::moment::Moment;
use super::registry::{RegistryError, Words, read_registry};
use super::tree::{TextError, Tree};

/// Whether an approval stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Current,
    /// It does not: everything that speaks against it.
    Stale(Vec<StaleBecause>),
    /// The registry does not know it.
    Unknown,
}

/// What speaks against an approval.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StaleBecause {
    /// A later version took its place.
    #[error("the approval was superseded")]
    Superseded,
    /// It was taken back.
    #[error("the approval was revoked")]
    Revoked,
    /// Its time has run out.
    #[error("the approval expired at {0}")]
    Expired(Moment),
    /// The intent takes more than the approval allows now, or something that it says nothing of.
    #[error("`{name}` is {}, and the approval allows {}", show_decimal(*given), allowed.map_or("none".into(), show_decimal))]
    OverLimit {
        /// Of the limit.
        name: String,
        /// What the intent takes, in units of 10⁻¹⁸.
        given: i128,
        /// What is allowed; nothing where there is no such limit.
        allowed: Option<i128>,
    },
}

/// Who knows which approvals stand.
pub trait Authorizations {
    /// Whether an envelope's approval stands at a moment.
    fn standing(&self, envelope: &Envelope, now: Moment) -> Standing;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Current,
    Superseded,
    Revoked,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Status::Current => "current",
            Status::Superseded => "superseded",
            Status::Revoked => "revoked",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Approval {
    status: Status,
    expires: Option<Moment>,
    limits: BTreeMap<String, i128>,
}

const WORDS: Words = Words {
    document: "authorization",
    of: "an authorization",
    write: "write `authorization: VERSION` and its `status`, or take the file out",
    twice: "a changed approval is another version: give it a name of its own",
};

/// Approvals by version, read from YAML.
///
/// ```
/// use nisi::judge::{AuthorizationRegistry, Authorizations, Envelope, Moment, Standing};
/// # let envelope = Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
/// let text = "authorization: approval-3\nstatus: current\nexpires: 2026-08-08T00:00:00Z\nlimits: { amount: 5000 }\n";
/// let mut registry = AuthorizationRegistry::read([("approvals.yaml", text)]).map_err(|errors| errors[0].clone())?;
/// let now = envelope.created_at();
/// assert_eq!(registry.standing(&envelope, now), Standing::Current);
///
/// let version = envelope.authorization_version().clone();
/// assert!(registry.narrow(&version, "amount", "9000").is_err()); // never wider
/// registry.narrow(&version, "amount", "1000").expect("narrower");
/// assert!(matches!(registry.standing(&envelope, now), Standing::Stale(_)));
/// # Ok::<(), nisi::judge::RegistryError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthorizationRegistry(BTreeMap<AuthorizationVersion, Approval>);

impl AuthorizationRegistry {
    /// Reads approvals: a document each, with `authorization`, `status` (`current`, `superseded`, `revoked`), and, where
    /// they are, `expires`, `limits` and `narrowed`, limits that were lowered afterwards.
    ///
    /// # Errors
    /// Every fault of every file, with its line; a file without an approval is one.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Vec<RegistryError>> {
        read_registry(files, &WORDS, |tree| Self::approval(&tree)).map(AuthorizationRegistry)
    }

    fn approval(tree: &Tree) -> Result<(AuthorizationVersion, Approval), Vec<TextError>> {
        let mut f = Fields::new(tree, "an authorization")?;
        let version: Option<AuthorizationVersion> = f.parse("authorization");
        let status = f.need_word("status", &[Status::Current, Status::Superseded, Status::Revoked]);
        let expires = f.maybe("expires");
        let mut limits: BTreeMap<String, i128> = f.decimals("limits").into_iter().collect();
        for (name, ticks) in f.decimals("narrowed") {
            match limits.get_mut(&name) {
                Some(limit) if ticks <= *limit => *limit = ticks,
                _ => f.error(tree.line, format!("`narrowed` widens `{name}`; a wider limit is a new approval")),
            }
        }
        f.done()?;
        let whole = version.zip(status).map(|(version, status)| (version, Approval { status, expires, limits }));
        whole.ok_or_else(|| vec![TextError::new(tree.line, "the authorization is not whole")])
    }

    /// Lowers a limit; `to` is a decimal.
    ///
    /// # Errors
    /// An approval or a limit that is not there, a number that is none, a limit that would be wider.
    pub fn narrow(&mut self, version: &AuthorizationVersion, name: &str, to: &str) -> Result<(), NarrowError> {
        let limit = self.0.get_mut(version).and_then(|approval| approval.limits.get_mut(name));
        let limit = limit.ok_or_else(|| NarrowError::Unknown { version: version.clone(), name: name.into() })?;
        let ticks = crate::words::parse_decimal(to).map_err(|error| NarrowError::NoNumber(error.to_string()))?;
        if ticks > *limit {
            return Err(NarrowError::Wider { name: name.into(), have: show_decimal(*limit), given: to.into() });
        }
        *limit = ticks;
        Ok(())
    }
}

/// Why a limit stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NarrowError {
    /// No such approval, or no such limit in it.
    #[error("`{version}` has no limit `{name}`")]
    Unknown {
        /// The approval.
        version: AuthorizationVersion,
        /// The limit.
        name: String,
    },
    /// No decimal.
    #[error("{0}")]
    NoNumber(String),
    /// Wider.
    #[error("`{name}` may be narrowed and never widened: it is {have}, and {given} is more")]
    Wider {
        /// The limit.
        name: String,
        /// What it is.
        have: String,
        /// What was given.
        given: String,
    },
}

impl Authorizations for AuthorizationRegistry {
    fn standing(&self, envelope: &Envelope, now: Moment) -> Standing {
        let Some(approval) = self.0.get(envelope.authorization_version()) else { return Standing::Unknown };
        let mut because = Vec::new();
        match approval.status {
            Status::Current => {}
            Status::Superseded => because.push(StaleBecause::Superseded),
            Status::Revoked => because.push(StaleBecause::Revoked),
        }
        because.extend(approval.expires.filter(|at| *at <= now).map(StaleBecause::Expired));
        for (name, given) in envelope.uses() {
            let allowed = approval.limits.get(name).copied();
            if allowed.is_none_or(|allowed| *given > allowed) {
                because.push(StaleBecause::OverLimit { name: name.clone(), given: *given, allowed });
            }
        }
        if because.is_empty() { Standing::Current } else { Standing::Stale(because) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Protected;
    use crate::judge::envelope::tests::order;

    #[test]
    fn everything_that_speaks_against_an_approval_is_told() {
        let envelope = order().seal(&Protected::default()).unwrap();
        let text = "authorization: approval-3\nstatus: revoked\nexpires: 2026-08-07T10:00:00Z\nlimits: {amount: 1200.50}\nnarrowed: {amount: 1200.49}\n";
        let registry = AuthorizationRegistry::read([("a.yaml", text)]).unwrap();
        let Standing::Stale(because) = registry.standing(&envelope, envelope.created_at()) else { panic!("stale") };
        let told: Vec<String> = because.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert_eq!(told[2], "`amount` is 1200.5, and the approval allows 1200.49");
        let open = "authorization: approval-3\nstatus: current\n";
        let registry = AuthorizationRegistry::read([("a.yaml", open)]).unwrap();
        assert!(
            matches!(registry.standing(&envelope, envelope.created_at()), Standing::Stale(_)),
            "no limit, no leave"
        );
        let other = AuthorizationRegistry::read([("a.yaml", "authorization: approval-4\nstatus: current\n")]).unwrap();
        assert_eq!(other.standing(&envelope, envelope.created_at()), Standing::Unknown);
    }

    #[test]
    fn faults_have_their_lines() {
        let text = "authorization: a\nstatus: curent\n---\nauthorization: b\nstatus: current\nlimits: {x: 1}\nnarrowed: {x: 2}\n---\nstatus: current\n";
        let told: Vec<String> =
            AuthorizationRegistry::read([("a.yaml", text)]).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "a.yaml, line 2: `curent` is no value of `status`");
        assert_eq!(told[1], "a.yaml, line 4: `narrowed` widens `x`; a wider limit is a new approval");
        assert_eq!(told[2], "a.yaml, line 9: an authorization needs `authorization`");
    }
}
