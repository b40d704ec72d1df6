//! The envelope of an intent: what binds one authorized outcome, made once and never changed.
//!
//! Takes an [`EnvelopeDraft`] with every field; gives an [`Envelope`], or everything that is wrong with it. No attempt
//! can change one: it has no setter. A receiver that sees the same key asks [`Envelope::recognise`] whether it also is
//! the same meaning.

use crate::words::{Acceptable, Effect, Tier, Tools, show_duration};

use super::canonical::ArgsHash;
use super::ids::{AuthorizationVersion, IntentId, ReleaseId};
use super::key::ActionKey;
use super::moment::Moment;
use super::protected::Protected;

/// For whom an outcome is authorized, and to what end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorScope {
    /// The tenant.
    pub tenant: String,
    /// Who acts.
    pub principal: String,
    /// To what end.
    pub purpose: String,
}

/// The operation: its name, and what its contract says of it. What is `None` nobody has established.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its name, `erp.po.create`.
    pub name: String,
    /// What it does to the world.
    pub effect: Option<Effect>,
    /// Whether an inference may call tools.
    pub tools: Option<Tools>,
    /// How bad a second effect would be.
    pub tier: Option<Tier>,
    /// Whether the receiver honours the action key, or the write is conditional.
    pub idempotent: Option<bool>,
    /// Whether another output would do.
    pub variation: Option<Acceptable>,
    /// Whether the price of another output would do.
    pub cost: Option<Acceptable>,
}

impl Operation {
    /// Whether a second run to completion changes nothing: a read, a verification, an inference or a proposal whose
    /// tools are disabled.
    pub fn is_harmless(&self) -> bool {
        match self.effect {
            Some(Effect::ImmutableRead | Effect::Read | Effect::Verification) => true,
            Some(Effect::Inference | Effect::Proposal) => self.tools == Some(Tools::Disabled),
            _ => false,
        }
    }
}

/// Every field of an envelope, before it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvelopeDraft {
    /// The outcome.
    pub intent_id: IntentId,
    /// For whom.
    pub actor_scope: ActorScope,
    /// What is done.
    pub operation: Operation,
    /// The meaning of its arguments.
    pub canonical_args_hash: ArgsHash,
    /// What it takes of the authorization's limits, in units of 10⁻¹⁸, by name: `amount`.
    pub uses: Vec<(String, i128)>,
    /// The approval that permits it.
    pub authorization_version: AuthorizationVersion,
    /// The release that prepared it.
    pub release_id: ReleaseId,
    /// The name by which the receiver recognises a repeat.
    pub action_key: ActionKey,
    /// The receiver that this key means something to.
    pub downstream_scope: String,
    /// When the intent came about.
    pub created_at: Moment,
    /// Until when it may be pursued, the time to confirm included.
    pub deadline: Moment,
    /// The longest that a sent attempt may still arrive, in milliseconds.
    pub longest_delay_ms: u64,
    /// For how long from its creation the receiver remembers the key, in milliseconds.
    pub retention_ms: u64,
    /// Attempts on the wire, the first included.
    pub max_attempts: u64,
    /// The one layer that may repeat.
    pub retry_owner: String,
    /// How the result is found without repeating the mutation: the name of a locator.
    pub receipt_locator: String,
}

/// What is wrong with an envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// A text is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
    /// The deadline does not lie behind the creation.
    #[error("the deadline {deadline} is not later than the creation {created_at}")]
    NoTime {
        /// Created.
        created_at: Moment,
        /// Ends.
        deadline: Moment,
    },
    /// There is no first attempt.
    #[error("`max_attempts` is 0; the first attempt counts as 1")]
    NoAttempt,
    /// The receiver forgets before the last attempt can arrive.
    #[error(
        "the receiver remembers the key for {}, and an attempt may still arrive after {}: it would be a new action",
        show_duration(*have_ms), show_duration(*need_ms)
    )]
    RetentionTooShort {
        /// What it remembers.
        have_ms: u64,
        /// Creation to deadline, and the longest delay.
        need_ms: u64,
    },
    /// The key holds what was told to be secret or personal.
    #[error("the action key holds what was told to be secret or personal")]
    ProtectedKey,
}

/// The same key for another meaning: other arguments, another operation, another tenant. A changed command is a new intent,
/// and never a repeat.
///
/// [`Envelope::recognise`] gives it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the key `{key}` belongs to {have_of} with arguments {have}, and here comes {given_of} with {given}: a changed command is a new intent"
)]
pub struct KeyMisuse {
    /// The key.
    pub key: ActionKey,
    /// The operation and the tenant that it was claimed for: `erp.po.create for acme`.
    pub have_of: Box<str>,
    /// The operation and the tenant that it comes for.
    pub given_of: Box<str>,
    /// The arguments that it was claimed with.
    pub have: ArgsHash,
    /// The arguments that came now.
    pub given: ArgsHash,
}

/// An envelope that holds: checked, and never changed.
///
/// ```
/// use nisi::judge::{Envelope, KeyMisuse};
/// let text = "
/// intent_id: i-7
/// actor_scope: { tenant: acme, principal: sara, purpose: procurement }
/// operation: { name: erp.po.create, effect: consequential_write, idempotent: yes, tier: high }
/// canonical_args_hash: sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
/// authorization_version: approval-3
/// release_id: assistant-2026-08-01
/// action_key: po:acme:i-7
/// downstream_scope: erp
/// created_at: 2026-08-07T10:00:00Z
/// deadline: 2026-08-07T10:00:20Z
/// longest_delay: 2m
/// retention: 24h
/// max_attempts: 3
/// retry_owner: coordinator
/// receipt_locator: action_key
/// ";
/// let envelope = Envelope::read(text).map_err(|errors| errors[0].clone())?;
/// assert_eq!(envelope.action_key().as_str(), "po:acme:i-7");
/// assert_eq!(Envelope::read(&envelope.to_yaml()), Ok(envelope.clone()));
/// assert_eq!(Envelope::read(&envelope.to_json()), Ok(envelope.clone()));
///
/// let short = Envelope::read(&text.replace("24h", "2m")).unwrap_err();
/// assert!(short[0].to_string().contains("an attempt may still arrive after 2m20s"));
///
/// let changed = Envelope::read(&text.replace("8a\n", "8b\n")).map_err(|errors| errors[0].clone())?;
/// let misuse: KeyMisuse = envelope.recognise(&changed).unwrap_err();
/// assert_eq!((misuse.have, misuse.given), (envelope.canonical_args_hash(), changed.canonical_args_hash()));
/// # Ok::<(), nisi::judge::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope(EnvelopeDraft);

impl EnvelopeDraft {
    /// Checks every field; no key may hold what is told to be secret or personal.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn seal(self, protected: &Protected) -> Result<Envelope, Vec<EnvelopeError>> {
        let mut errors = Vec::new();
        for (name, text) in [
            ("actor_scope.tenant", &self.actor_scope.tenant),
            ("actor_scope.principal", &self.actor_scope.principal),
            ("actor_scope.purpose", &self.actor_scope.purpose),
            ("operation.name", &self.operation.name),
            ("downstream_scope", &self.downstream_scope),
            ("retry_owner", &self.retry_owner),
            ("receipt_locator", &self.receipt_locator),
        ] {
            if text.trim().is_empty() {
                errors.push(EnvelopeError::Empty(name));
            }
        }
        if self.deadline <= self.created_at {
            errors.push(EnvelopeError::NoTime { created_at: self.created_at, deadline: self.deadline });
        }
        if self.max_attempts == 0 {
            errors.push(EnvelopeError::NoAttempt);
        }
        let need_ms = self.deadline.since_ms(self.created_at).saturating_add(self.longest_delay_ms);
        if self.retention_ms < need_ms {
            errors.push(EnvelopeError::RetentionTooShort { have_ms: self.retention_ms, need_ms });
        }
        if protected.is_in(self.action_key.as_str()) {
            errors.push(EnvelopeError::ProtectedKey);
        }
        if errors.is_empty() { Ok(Envelope(self)) } else { Err(errors) }
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $ty:ty,)+) => {
        $($(#[$doc])* pub fn $name(&self) -> &$ty { &self.0.$name })+
    };
}

impl Envelope {
    getters! {
        /// The outcome.
        intent_id: IntentId,
        /// For whom.
        actor_scope: ActorScope,
        /// What is done.
        operation: Operation,
        /// What it takes of the authorization's limits, in units of 10⁻¹⁸.
        uses: [(String, i128)],
        /// The approval.
        authorization_version: AuthorizationVersion,
        /// The release that prepared it.
        release_id: ReleaseId,
        /// The key of every attempt.
        action_key: ActionKey,
        /// The receiver.
        downstream_scope: str,
        /// The one layer that may repeat.
        retry_owner: str,
        /// The locator that finds the result.
        receipt_locator: str,
    }

    /// The meaning of the arguments.
    pub fn canonical_args_hash(&self) -> ArgsHash {
        self.0.canonical_args_hash
    }

    /// When the intent came about.
    pub fn created_at(&self) -> Moment {
        self.0.created_at
    }

    /// Until when it may be pursued.
    pub fn deadline(&self) -> Moment {
        self.0.deadline
    }

    /// The longest that a sent attempt may still arrive, in milliseconds.
    pub fn longest_delay_ms(&self) -> u64 {
        self.0.longest_delay_ms
    }

    /// For how long from its creation the receiver remembers the key, in milliseconds.
    pub fn retention_ms(&self) -> u64 {
        self.0.retention_ms
    }

    /// Attempts on the wire, the first included.
    pub fn max_attempts(&self) -> u64 {
        self.0.max_attempts
    }

    /// The fields.
    pub(super) fn draft(&self) -> &EnvelopeDraft {
        &self.0
    }

    /// Whether another envelope is this intent again: the same receiver, the same key, the same tenant, operation and
    /// arguments. A refresh, a redelivery, another language of the interface are; who asks goes on with this one.
    ///
    /// # Errors
    /// The same key at the same receiver for another meaning.
    pub fn recognise(&self, other: &Envelope) -> Result<bool, KeyMisuse> {
        let (a, b) = (&self.0, &other.0);
        if a.downstream_scope != b.downstream_scope || a.action_key != b.action_key {
            return Ok(false);
        }
        let of = |e: &EnvelopeDraft| format!("{} for {}", e.operation.name, e.actor_scope.tenant).into_boxed_str();
        let (have_of, given_of) = (of(a), of(b));
        let (have, given) = (a.canonical_args_hash, b.canonical_args_hash);
        if have == given && have_of == given_of {
            return Ok(true);
        }
        Err(KeyMisuse { key: a.action_key.clone(), have_of, given_of, have, given })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The purchase order of the field guide.
    pub(crate) fn order() -> EnvelopeDraft {
        let created_at: Moment = "2026-08-07T10:00:00Z".parse().unwrap();
        EnvelopeDraft {
            intent_id: "i-7".parse().unwrap(),
            actor_scope: ActorScope { tenant: "acme".into(), principal: "sara".into(), purpose: "procurement".into() },
            operation: Operation {
                name: "erp.po.create".into(),
                effect: Some(Effect::ConsequentialWrite),
                tools: Some(Tools::Disabled),
                tier: Some(Tier::High),
                idempotent: Some(true),
                variation: None,
                cost: None,
            },
            canonical_args_hash: ArgsHash::of_json(r#"{"supplier":"s-7","amount":"1200.50"}"#).unwrap(),
            uses: vec![("amount".into(), crate::words::parse_decimal("1200.50").unwrap())],
            authorization_version: "approval-3".parse().unwrap(),
            release_id: "assistant-2026-08-01".parse().unwrap(),
            action_key: "po:acme:i-7".parse().unwrap(),
            downstream_scope: "erp".into(),
            created_at,
            deadline: created_at.plus_ms(20_000),
            longest_delay_ms: 120_000,
            retention_ms: 86_400_000,
            max_attempts: 3,
            retry_owner: "coordinator".into(),
            receipt_locator: "action_key".into(),
        }
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let mut draft = order();
        draft.retry_owner = " ".into();
        draft.max_attempts = 0;
        draft.retention_ms = 139_999;
        let errors = draft.clone().seal(&Protected::new(["acme"])).unwrap_err();
        assert_eq!(errors.len(), 4, "{errors:?}");
        draft = order();
        draft.retention_ms = 140_000;
        assert!(draft.clone().seal(&Protected::default()).is_ok());
        draft.deadline = draft.created_at;
        assert!(matches!(draft.seal(&Protected::default()).unwrap_err()[..], [EnvelopeError::NoTime { .. }]));
    }

    #[test]
    fn a_key_belongs_to_one_meaning() {
        let seal = |draft: EnvelopeDraft| draft.seal(&Protected::default()).unwrap();
        let one = seal(order());
        let mut other = order();
        other.release_id = "another".parse().unwrap();
        assert_eq!(one.recognise(&seal(other.clone())), Ok(true), "another release is the same intent");
        other.canonical_args_hash = ArgsHash::of_json("{}").unwrap();
        let misuse = one.recognise(&seal(other.clone())).unwrap_err().to_string();
        assert!(
            misuse.contains(&one.canonical_args_hash().to_string()) && misuse.contains("sha256:44136fa3"),
            "{misuse}"
        );
        other.action_key = "po:acme:i-8".parse().unwrap();
        assert_eq!(one.recognise(&seal(other)), Ok(false));
    }
}
