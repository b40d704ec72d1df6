//! Floor 0: the field's values, without behaviour: durations, decimals, instants, versions, verbs,
//! and the standard vocabulary.
//!
//! Each type of the vocabulary is a fact of `std.facts`, word for word; [`Verb`] is what a decision says. Durations are
//! whole milliseconds, written as the language writes them. Every quantity is an exact whole number of a smallest unit
//! (a *tick*): a decimal of 10⁻¹⁸, an instant of a nanosecond since 1970, a version as three numbers packed in one.
//!
//! ```
//! use nisi::words::{Condition, Verb, parse_duration, show_duration};
//! assert_eq!(Condition::from_word("timeout"), Some(Condition::Timeout));
//! assert_eq!(Verb::from_word("reconcile").map(Verb::as_str), Some("reconcile"));
//! assert_eq!(parse_duration("1m30s").map(show_duration).as_deref(), Ok("1m30s"));
//! ```

mod decimal;
mod duration;
mod instant;
mod verb;
mod version;
mod vocabulary;

pub(crate) use decimal::{DECIMAL_UNIT, parse_decimal, show_decimal};
pub use duration::{MAX_DURATION_MS, parse_duration, show_duration};
pub(crate) use instant::{parse_instant, show_instant};
pub use verb::Verb;
pub(crate) use version::{parse_version, show_version};
pub use vocabulary::{
    Acceptable, Authorization, Boundary, Condition, Dispatch, Effect, ParityVerdict, Pushback, Release, Shown, Tier,
    Tools,
};

/// Why a literal is not what it should be: told in the user's words.
///
/// ```
/// let error = nisi::words::parse_duration("5sec").unwrap_err();
/// assert_eq!((error.to_string().as_str(), error.instead.as_deref()), ("`sec` is not a unit of time", Some("5s")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LiteralError {
    /// What is wrong, lower case and without a full stop: "`300` has no unit".
    pub message: String,
    /// What to write, as one sentence: "say the unit: `300ms`".
    pub help: Option<String>,
    /// The text that was probably meant, for a fix.
    pub instead: Option<String>,
}

impl LiteralError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        LiteralError { message: message.into(), help: None, instead: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn instead(mut self, instead: impl Into<String>) -> Self {
        self.instead = Some(instead.into());
        self
    }
}
