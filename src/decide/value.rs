//! A fact's value as callers see it: what it says as a cell, without the places that stand behind it.

use std::fmt;

use crate::model::{Fact, Type, Value, show_value};

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

    /// The value as it comes in: a word without quotes, digits, `2s`, a text as it is.
    pub(crate) fn as_given(&self) -> String {
        let name = |names: &[Box<str>], i: u16| names.get(usize::from(i)).map_or(String::new(), ToString::to_string);
        match (self.value, self.fact.map(|f| (&f.points, &f.ty))) {
            (Value::Point(i), Some((points, _))) => name(points, *i),
            (Value::Choice(i), Some((_, Type::Choice { values, .. }))) => name(values, *i),
            (Value::Text(text), _) => text.to_string(),
            _ => self.to_string(),
        }
    }

    /// Whether its fact holds any text.
    pub(crate) fn is_text(&self) -> bool {
        self.fact.is_some_and(Fact::is_text)
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
