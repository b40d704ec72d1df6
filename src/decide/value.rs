//! A fact's value as callers see it: what it says as a cell, without the places that stand behind it.

use std::fmt;

use crate::model::{Fact, Value, show_value};

/// The value of one fact, shown as a cell of a policy says it: `timeout`, `2s`, `0.25`, `"po:7"`, `unknown`.
///
/// ```
/// use nisi::decide::StandardFacts;
/// let text = "policy a\nversion 1\nuse std.facts\ntable t, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let facts = policy.facts(&StandardFacts { budget: Some(2), ..StandardFacts::default() });
/// let value = |name| facts.get(policy.handle(name)?).ok_or(nisi::decide::FactError::ForeignHandle);
/// assert_eq!(value("budget")?.to_string(), "2");
/// assert!(value("deadline")?.is_unknown());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct FactValue<'a> {
    /// Nothing where the policy does not declare it; the value is unknown then.
    pub(super) fact: Option<&'a Fact>,
    pub(super) value: &'a Value,
}

impl FactValue<'_> {
    /// Whether nobody established it.
    pub fn is_unknown(&self) -> bool {
        *self.value == Value::Unknown
    }
}

impl fmt::Display for FactValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fact {
            Some(fact) => f.write_str(&show_value(fact, self.value)),
            None => f.write_str("unknown"),
        }
    }
}
