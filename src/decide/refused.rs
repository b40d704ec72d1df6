//! Verbs that the world refuses, beside what the facts refuse.
//!
//! `eval --refuse` and every witness speak of them by name; the judgement adds them with its reason.

use std::fmt;

use crate::diag::nearest;
use crate::words::Verb;

use super::Policy;
use super::fact_error::clipped;

/// What of the world refuses; shown as it stands in a decision: `owner`, `brake`.
///
/// ```
/// assert_eq!(nisi::decide::World::Pause.to_string(), "pause");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum World {
    /// Somebody said so: `--refuse`.
    Refused,
    /// Another layer owns the retries.
    Owner,
    /// The fleet brake.
    Brake,
    /// A pause.
    Pause,
    /// The approval, as the registry has it.
    Authorization,
    /// The intent itself: it has ended or was asked to, an earlier attempt may yet act, or all copies of a hedge are out.
    Intent,
    /// The locator: its memory is over, its looks are used up, or its time does not fit.
    Locator,
}

impl World {
    /// All.
    pub const ALL: [World; 7] =
        [World::Refused, World::Owner, World::Brake, World::Pause, World::Authorization, World::Intent, World::Locator];

    /// As it stands in a decision.
    pub fn as_str(self) -> &'static str {
        match self {
            World::Refused => "refused",
            World::Owner => "owner",
            World::Brake => "brake",
            World::Pause => "pause",
            World::Authorization => "authorization",
            World::Intent => "intent",
            World::Locator => "locator",
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The verbs that the world refuses, each with what refuses it; a failover to every parity or to one.
///
/// It is held for as long as its decision, and may be used for any number of them.
///
/// ```
/// use nisi::Policy;
/// use nisi::decide::{Refused, World};
/// use nisi::words::Verb;
///
/// let policy = Policy::compile("policy a\nversion 1\nuse std.facts\nlocator key { remembers 1d }\n\
///     table t, first row wins\n| => action |\n| reconcile by key within 4s; if refused, review desk |\n")?;
/// let facts = policy.no_facts();
/// let mut refused = Refused::nothing();
/// refused.add(Verb::Reconcile, World::Locator);
/// assert_eq!(policy.decide(&facts).verb(), Verb::Reconcile);
/// assert_eq!(policy.decide_with(&facts, &refused).verb(), Verb::Review);
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused {
    /// A bit for each verb that can be refused and each [`World`], by [`bit`].
    whole: u32,
    named: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    verb: Verb,
    /// The parity of a failover or the locator of a look-up, by name: one that a policy does not have refuses nothing
    /// there.
    name: Box<str>,
    world: World,
}

/// What can be refused.
const VERBS: [Verb; 4] = [Verb::Retry, Verb::Hedge, Verb::Failover, Verb::Reconcile];

/// The bit of a verb and what refuses it; none for a verb that cannot be refused.
fn bit(verb: Verb, world: World) -> u32 {
    VERBS.iter().position(|v| *v == verb).map_or(0, |row| 1 << (row * World::ALL.len() + world as usize))
}

/// Nothing is refused.
pub(super) static NOTHING: Refused = Refused { whole: 0, named: Vec::new() };

/// A verb that cannot be refused as asked.
///
/// ```
/// use nisi::decide::RefuseError;
/// let error = RefuseError::UnknownVerb { word: "rety".into(), near: Some("retry".into()) };
/// assert_eq!((error.to_string().as_str(), error.help().as_deref()), ("`rety` is no action", Some("did you mean `retry`?")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefuseError {
    /// No verb.
    #[error("`{word}` is no action")]
    UnknownVerb {
        /// As given.
        word: String,
        /// The nearest that there is.
        near: Option<String>,
    },
    /// Nothing ever refuses it.
    #[error("`{verb}` cannot be refused")]
    NeverRefused {
        /// The verb.
        verb: Verb,
    },
    /// Only a failover goes to something.
    #[error("`{verb}` is not refused by name")]
    NoName {
        /// The verb.
        verb: Verb,
    },
    /// The policy has no such parity.
    #[error("there is no parity `{name}`")]
    UnknownParity {
        /// As given.
        name: String,
        /// The nearest that there is.
        near: Option<String>,
    },
}

impl RefuseError {
    /// What to write instead.
    pub fn help(&self) -> Option<String> {
        match self {
            RefuseError::UnknownVerb { near: Some(near), .. } | RefuseError::UnknownParity { near: Some(near), .. } => {
                Some(format!("did you mean `{near}`?"))
            }
            RefuseError::UnknownVerb { .. } | RefuseError::NeverRefused { .. } => {
                Some("what can be refused is `reconcile`, `retry`, `hedge`, `failover` and `failover to NAME`".into())
            }
            RefuseError::NoName { verb } => Some(format!("write `{verb}` alone")),
            RefuseError::UnknownParity { .. } => None,
        }
    }
}

impl Refused {
    /// Nothing.
    pub fn nothing() -> Self {
        Refused::default()
    }

    /// Whether nothing is refused.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.whole == 0 && self.named.is_empty()
    }

    /// Refuses a verb, a failover to every parity. Only retry, hedge, failover and reconcile can be refused
    /// ([`Verb::can_be_refused`]); the others stay as they are. Nothing is allocated.
    pub fn add(&mut self, verb: Verb, world: World) {
        self.whole |= bit(verb, world);
    }

    /// Refuses a verb by its words, for a policy: `retry`, `failover`, `failover to equivalent`.
    ///
    /// # Errors
    /// A word that is no verb, one that cannot be refused, or one that names no parity of the policy; then nothing is
    /// added.
    pub fn add_word(&mut self, policy: &Policy, verb: &str, by: World) -> Result<(), RefuseError> {
        let (verb, parity) = policy.refused_verb(verb)?;
        match parity {
            Some(parity) => self.add_named(verb, parity, by),
            None => self.add(verb, by),
        }
        Ok(())
    }

    /// Refuses a failover to one parity, or a look-up by one locator; others stay as they are.
    pub(crate) fn add_named(&mut self, verb: Verb, name: &str, world: World) {
        let entry = Entry { verb, name: name.into(), world };
        if !self.named.contains(&entry) {
            self.named.push(entry);
        }
    }

    /// Everything that is refused: the verb, the parity or locator where only one is, and what refuses it.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Verb, Option<&str>, World)> {
        let whole = VERBS.into_iter().flat_map(|verb| self.wholly(verb).map(move |world| (verb, None, world)));
        whole.chain(self.named.iter().map(|e| (e.verb, Some(&*e.name), e.world)))
    }

    fn wholly(&self, verb: Verb) -> impl Iterator<Item = World> + use<'_> {
        World::ALL.into_iter().filter(move |world| self.whole & bit(verb, *world) != 0)
    }

    /// What of the world refuses a verb; for a failover to this parity, for a look-up by this locator.
    pub(super) fn of<'r>(&'r self, verb: Verb, name: Option<&'r str>) -> impl Iterator<Item = World> + 'r {
        let fits = move |e: &&Entry| e.verb == verb && Some(&*e.name) == name;
        self.wholly(verb).chain(self.named.iter().filter(fits).map(|e| e.world))
    }
}

impl Policy {
    /// Refuses what words say, as `eval --refuse` does: `retry`, `failover`, `failover to equivalent`. What of the world
    /// refuses them is [`World::Refused`].
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// assert!(!policy.refuse(["retry", "failover"]).expect("verbs").is_empty());
    /// assert_eq!(policy.refuse(["rety", "stop"]).expect_err("no such verbs").len(), 2);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every word that is no verb, cannot be refused, or names no parity.
    pub fn refuse<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Result<Refused, Vec<RefuseError>> {
        let (mut refused, mut errors) = (Refused::nothing(), Vec::new());
        for word in words {
            errors.extend(refused.add_word(self, word, World::Refused).err());
        }
        if errors.is_empty() { Ok(refused) } else { Err(errors) }
    }

    fn refused_verb<'w>(&self, word: &'w str) -> Result<(Verb, Option<&'w str>), RefuseError> {
        let mut words = word.split_whitespace();
        let first = words.next().unwrap_or("");
        let verb = Verb::from_word(first).ok_or_else(|| {
            let verbs = Verb::ALL.into_iter().filter(|v| v.can_be_refused()).map(Verb::as_str);
            RefuseError::UnknownVerb { word: clipped(word), near: nearest(first, verbs).map(ToString::to_string) }
        })?;
        if !verb.can_be_refused() {
            return Err(RefuseError::NeverRefused { verb });
        }
        let rest: Vec<&str> = words.collect();
        let name = match rest[..] {
            [] => return Ok((verb, None)),
            _ if verb != Verb::Failover => return Err(RefuseError::NoName { verb }),
            ["to", name] | [name] => name,
            _ => return Err(RefuseError::UnknownVerb { word: clipped(word), near: Some("failover to NAME".into()) }),
        };
        let parities = || self.head().parities.iter().map(|known| &*known.name);
        if !parities().any(|known| known == name) {
            let near = nearest(name, parities()).map(ToString::to_string);
            return Err(RefuseError::UnknownParity { name: clipped(name), near });
        }
        Ok((verb, Some(name)))
    }
}
