//! What nobody may read in a key, an obstacle or a record: values that are secret or personal, and names whose values are.
//!
//! Takes them from the caller; gives whether a text or an entry has to be withheld. It is never printed itself.

use std::fmt;

/// What must not be shown, as far as the caller tells: values wherever they stand, and the values of what is named.
///
/// A value is found anywhere in a text, whatever its case; one of less than four characters only as a word of its own. A
/// name is that of a passport's field, of a limit, of a fact or of an envelope's field; it protects what lies below it.
///
/// ```
/// use nisi::judge::Protected;
/// let protected = Protected::new(["sara@example.com", "Li"]).and_names(["evaluation", "amount"]);
/// assert!(protected.is_in("asked by Sara@Example.com") && protected.is_in("li: 7") && !protected.is_in("alice"));
/// assert!(protected.is_name("amount") && protected.is_name("evaluation.date") && !protected.is_name("amounts"));
/// ```
#[derive(Clone, Default)]
pub struct Protected {
    values: Vec<String>,
    names: Vec<String>,
}

impl Protected {
    /// The values that are secret or personal; empty ones say nothing.
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let values = values.into_iter().map(|v| v.trim().to_lowercase()).filter(|v| !v.is_empty()).collect();
        Protected { values, names: Vec::new() }
    }

    /// These names too: they may be shown, and what they are may not.
    #[must_use]
    pub fn and_names<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.names.extend(names.into_iter().map(|name| name.trim().to_string()).filter(|name| !name.is_empty()));
        self
    }

    /// Whether a text holds one of the values.
    pub fn is_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let word = |value: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == value);
        let is_short = |value: &str| value.chars().count() < 4 && value.chars().all(char::is_alphanumeric);
        self.values.iter().any(|v| if is_short(v) { word(v) } else { text.contains(v.as_str()) })
    }

    /// Whether a name is protected, itself or the map that it stands in.
    pub fn is_name(&self, name: &str) -> bool {
        let below =
            |over: &String| name.strip_prefix(over.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        self.names.iter().any(below)
    }

    /// Whether an entry has to be withheld, for its name or for what it says.
    pub(super) fn hides(&self, name: &str, text: &str) -> bool {
        self.is_name(name) || self.is_in(text)
    }
}

impl fmt::Debug for Protected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Protected({} values, {} names)", self.values.len(), self.names.len())
    }
}
