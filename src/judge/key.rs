//! Action keys: the stable name by which a receiver recognises a repeat, made from a template and the intent's parts.
//!
//! A key is the same for every attempt of an intent, and differs between intents: so a template holds parts of the
//! intent and never of an attempt, a clock or chance, and a part holds no separator of the template. A key is readable
//! where it goes: what the caller says is secret or personal is refused in it.

use std::fmt;
use std::str::FromStr;

use super::ids::{IdError, check};
use super::protected::Protected;

/// The key that is shown to the receiver, the same for every attempt of one intent.
///
/// [`KeyTemplate::fill`] makes one, where an example stands; [`from_str`](FromStr) takes one that was made before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionKey(Box<str>);

impl ActionKey {
    /// As the receiver sees it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ActionKey {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        check("action_key", text).map(|()| ActionKey(text.into()))
    }
}

impl fmt::Display for ActionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why there is no key.
///
/// ```
/// use nisi::judge::KeyTemplate;
/// let error = "po:<attempt_id>".parse::<KeyTemplate>().unwrap_err();
/// assert_eq!(error.to_string(), "`<attempt_id>` changes from attempt to attempt, so nothing would be recognised as a repeat");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The template has no part.
    #[error("the key template `{0}` has no part such as `<intent>`: every intent would have the same key")]
    NoPart(String),
    /// A `<` without its `>`, an empty name, or two parts without a separator between them.
    #[error("the key template `{0}` cannot be read: write parts as `<tenant>`, with a separator between two of them")]
    Unreadable(String),
    /// A part that is no property of the intent.
    #[error("`<{0}>` changes from attempt to attempt, so nothing would be recognised as a repeat")]
    PerAttempt(String),
    /// A part of the template was not given.
    #[error("the part `<{0}>` is not given")]
    Missing(String),
    /// A part was given that the template does not have.
    #[error("the template has no part `<{0}>`")]
    Unknown(String),
    /// A part holds what parts are told apart by.
    #[error("the part `<{part}>` holds `{separator}`, which parts are told apart by")]
    Separator {
        /// Its name.
        part: String,
        /// What it holds.
        separator: char,
    },
    /// A part holds what the caller told to be secret or personal; what, is not said.
    #[error("the part `<{0}>` holds what was told to be secret or personal; a key can be read wherever it goes")]
    Protected(String),
    /// The key is no id: empty, too long, with a space.
    #[error(transparent)]
    Id(#[from] IdError),
}

/// Words for what belongs to one attempt, a clock or chance.
const PER_ATTEMPT: [&str; 14] = [
    "attempt",
    "attempt_id",
    "attempt_number",
    "try",
    "retry",
    "provider_request_id",
    "request_id",
    "provider",
    "worker",
    "now",
    "time",
    "timestamp",
    "random",
    "uuid",
];

/// A template of action keys: `po:<tenant>:<intent>`.
///
/// ```
/// use nisi::judge::{KeyError, KeyTemplate, Protected};
/// let template: KeyTemplate = "po:<tenant>:<intent>".parse()?;
/// let told = Protected::new(["sara@example.com"]);
/// let key = template.fill([("tenant", "acme"), ("intent", "i-7")], &told)?;
/// assert_eq!(key.as_str(), "po:acme:i-7");
/// let personal = template.fill([("tenant", "Sara@Example.com"), ("intent", "i-7")], &told);
/// assert_eq!(personal, Err(KeyError::Protected("tenant".into())));
/// # Ok::<(), KeyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTemplate {
    written: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Part(String),
}

impl FromStr for KeyTemplate {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let unreadable = || KeyError::Unreadable(text.chars().take(80).collect());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('<') {
                let (name, after) = after.split_once('>').ok_or_else(unreadable)?;
                let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
                if name.is_empty() || !name.chars().all(plain) || matches!(pieces.last(), Some(Piece::Part(_))) {
                    return Err(unreadable());
                }
                if PER_ATTEMPT.contains(&name.to_lowercase().replace('-', "_").as_str()) {
                    return Err(KeyError::PerAttempt(name.into()));
                }
                pieces.push(Piece::Part(name.into()));
                rest = after;
            } else {
                let (literal, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
                if literal.contains('>') {
                    return Err(unreadable());
                }
                pieces.push(Piece::Literal(literal.into()));
                rest = after;
            }
        }
        if !pieces.iter().any(|p| matches!(p, Piece::Part(_))) {
            return Err(KeyError::NoPart(text.chars().take(80).collect()));
        }
        Ok(KeyTemplate { written: text.into(), pieces })
    }
}

impl fmt::Display for KeyTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl KeyTemplate {
    /// The key of one intent.
    ///
    /// # Errors
    /// A part that is missing, not of the template, or holds a separator or something protected; a key that is no id.
    pub fn fill<'a>(
        &self,
        parts: impl IntoIterator<Item = (&'a str, &'a str)>,
        protected: &Protected,
    ) -> Result<ActionKey, KeyError> {
        let parts: Vec<_> = parts.into_iter().collect();
        let names =
            || self.pieces.iter().filter_map(|p| if let Piece::Part(name) = p { Some(name.as_str()) } else { None });
        if let Some((unknown, _)) = parts.iter().find(|(name, _)| !names().any(|n| n == *name)) {
            return Err(KeyError::Unknown((*unknown).into()));
        }
        let mut key = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => key.push_str(text),
                Piece::Part(name) => {
                    let part = parts.iter().find(|(n, _)| n == name).map(|(_, part)| *part);
                    let part = part.filter(|p| !p.is_empty()).ok_or_else(|| KeyError::Missing(name.clone()))?;
                    if let Some(separator) = part.chars().find(|c| self.is_separator(*c)) {
                        return Err(KeyError::Separator { part: name.clone(), separator });
                    }
                    if protected.is_in(part) {
                        return Err(KeyError::Protected(name.clone()));
                    }
                    key.push_str(part);
                }
            }
        }
        Ok(key.parse()?)
    }

    /// Whether a character begins a piece that stands between two parts: with it inside a part, two intents could
    /// have one key.
    fn is_separator(&self, c: char) -> bool {
        let between = self.pieces.iter().enumerate().skip(1).filter(|(i, _)| i + 1 < self.pieces.len());
        between
            .filter_map(|(_, p)| if let Piece::Literal(text) = p { text.chars().next() } else { None })
            .any(|s| s == c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_speaks_of_the_intent_alone() {
        for bad in ["", "po", "po:<a", "po:<>", "<a><b>", "po:a>", "po:<attempt>", "po:<Request-Id>", "<uuid>"] {
            assert!(bad.parse::<KeyTemplate>().is_err(), "{bad}");
        }
    }

    #[test]
    fn two_intents_never_share_a_key() {
        let template: KeyTemplate = "po:<tenant>:<intent>".parse().unwrap();
        let fill = |t: &str, i: &str| template.fill([("tenant", t), ("intent", i)], &Protected::default());
        assert!(fill("a", "b:c").is_err());
        assert!(matches!(fill("a:b", "c"), Err(KeyError::Separator { separator: ':', .. })));
        assert!(matches!(fill("", "c"), Err(KeyError::Missing(_))));
        assert!(matches!(fill("a b", "c"), Err(KeyError::Id(_))));
        assert!(template.fill([("tenant", "a"), ("intent", "b"), ("x", "c")], &Protected::default()).is_err());
    }

    #[test]
    fn what_was_told_to_be_protected_is_refused_and_never_printed() {
        let told = Protected::new(["s3cret-token", "Li", ""]);
        let template: KeyTemplate = "po:<tenant>".parse().unwrap();
        let error = template.fill([("tenant", "x-S3CRET-TOKEN")], &told).unwrap_err();
        assert!(!format!("{error} {error:?} {told:?}").to_lowercase().contains("s3cret"));
        assert!(template.fill([("tenant", "li")], &told).is_err());
        assert!(template.fill([("tenant", "alice-ltd")], &told).is_ok());
    }
}
