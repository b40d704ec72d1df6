//! Names of things, each with a type of its own, so that none is taken for another.
//!
//! An id is opaque: 1 to 200 characters without space, control characters or marks that turn the direction of writing.
//! Two ids are equal where their bytes are: another spelling is another thing.

use std::fmt;
use std::str::FromStr;

/// The longest id, in bytes.
pub const MAX_ID_BYTES: usize = 200;

/// Why a text is no id.
///
/// ```
/// use nisi::judge::IntentId;
/// assert_eq!("a b".parse::<IntentId>().unwrap_err().to_string(), "the intent_id `a b` holds a space");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {what} {why}")]
pub struct IdError {
    what: &'static str,
    why: String,
}

impl IdError {
    pub(super) fn no_digest(what: &'static str, text: &str) -> Self {
        let text: String = text.chars().take(80).collect();
        IdError { what, why: format!("`{text}` is not `sha256:` and 64 digits 0 to f") }
    }
}

pub(super) fn check(what: &'static str, text: &str) -> Result<(), IdError> {
    let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    let turns =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let why = if text.is_empty() {
        "is empty".to_string()
    } else if text.len() > MAX_ID_BYTES {
        format!("has {} bytes, and at most {MAX_ID_BYTES} are allowed", text.len())
    } else if text.chars().any(char::is_whitespace) {
        format!("`{shown}` holds a space")
    } else if text.chars().any(|c| c.is_control() || turns(c)) {
        format!("`{shown}` holds a character that cannot be seen")
    } else {
        return Ok(());
    };
    Err(IdError { what, why })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $what:literal)+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// As written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                check($what, text).map(|()| $name(text.into()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+ };
}

ids! {
    /// One authorized outcome. A refresh, a redelivery, a replay, another language of the interface find the same.
    IntentId "intent_id"
    /// A vendor's or an infrastructure's call.
    ProviderRequestId "provider_request_id"
    /// The authoritative committed result.
    ReceiptId "receipt_id"
    /// A version of an approval and its limits.
    AuthorizationVersion "authorization_version"
    /// A release passport: model, prompt, tool schema, safety policy, router. `name`, or `name@sha256:…` where the
    /// passport's content is bound too.
    ReleaseId "release_id"
}

impl ReleaseId {
    /// The name, without the digest.
    pub fn name(&self) -> &str {
        self.0.split_once("@sha256:").map_or(&self.0, |(name, _)| name)
    }

    /// The digest of the passport that it binds, where it binds one.
    pub fn digest(&self) -> Option<&str> {
        self.0.find("@sha256:").map(|at| &self.0[at + 1..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_what_can_be_seen() {
        for good in ["i-1", "po:acme:7", "سفارش-۷", "a@b"] {
            assert_eq!(good.parse::<IntentId>().unwrap().as_str(), good);
        }
        let long = "x".repeat(201);
        for bad in ["", " ", "a\tb", "a\u{202e}b", "a\u{200b}b", "a\u{7}", &long] {
            assert!(bad.parse::<ReceiptId>().is_err(), "{bad:?}");
        }
        let bound: ReleaseId = "nw-1@sha256:00".parse().unwrap();
        assert_eq!((bound.name(), bound.digest()), ("nw-1", Some("sha256:00")));
    }
}
