//! Names of the language for what is called otherwise elsewhere, each once.

use std::collections::BTreeMap;

use crate::model::quoted_if_needed;
use crate::syntax::Limits;

/// Words that mean something where a name of a fact or a table could stand.
const CLAIMED: [&str; 14] = [
    "row", "also", "action", "name", "given", "table", "is", "any", "event", "retry", "stop", "review", "unknown",
    "known",
];

/// The names that are taken, each with the number that the next one of its sort would get.
#[derive(Debug, Default, Clone)]
pub(super) struct Names(BTreeMap<String, usize>);

impl Names {
    /// Takes a name.
    pub(super) fn take(&mut self, name: &str) {
        self.0.entry(name.to_string()).or_insert(2);
    }

    /// Whether a name is taken in both.
    pub(super) fn meets(&self, other: &Names) -> bool {
        self.0.keys().any(|name| other.0.contains_key(name))
    }

    /// A name for something: its own where that is one, else one that is near; and it is taken then.
    pub(super) fn name_of(&mut self, text: &str, otherwise: &str) -> String {
        let wanted = if is_name(text) { text.to_string() } else { slug(text, otherwise) };
        let claimed = CLAIMED.contains(&&*wanted) || crate::words::Verb::from_word(&wanted).is_some();
        self.free(if claimed { format!("the-{wanted}") } else { wanted }, "-")
    }

    /// A text that is not taken yet, by a number behind it where it is; and it is taken then.
    pub(super) fn free(&mut self, wanted: String, gap: &str) -> String {
        let mut n = self.0.get(&wanted).copied().unwrap_or(1);
        let mut name = wanted.clone();
        while self.0.contains_key(&name) {
            name = format!("{wanted}{gap}{n}");
            n += 1;
        }
        // So the next one of many begins where this one ended.
        self.0.insert(wanted, n.max(2));
        self.take(&name);
        name
    }
}

/// Whether a text is a name as it stands.
pub(super) fn is_name(text: &str) -> bool {
    text.len() <= Limits::NAME && !text.contains('.') && !text.is_empty() && quoted_if_needed(text) == text
}

/// The letters and digits of a text, others as `_`.
pub(super) fn slug(text: &str, otherwise: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '-' && !out.is_empty() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if out.len() == Limits::NAME / 2 {
            break;
        }
    }
    let out = out.trim_matches(['_', '-']);
    match out.chars().next() {
        Some(first) if first.is_ascii_alphabetic() && is_name(out) => out.to_string(),
        Some(_) => format!("{otherwise}_{out}"),
        None => otherwise.to_string(),
    }
}

/// What two spellings of one word share.
pub(super) fn folded(text: &str) -> String {
    let plain = text.trim().to_lowercase();
    plain.chars().map(|c| if c == '-' || c.is_whitespace() { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_and_each_is_there_once() {
        let mut names = Names::default();
        for (text, name) in [
            ("Region", "Region"),
            ("Age (years)", "age_years"),
            ("Region", "Region-2"),
            ("2nd try", "column_2nd_try"),
            ("größe", "gr_e"),
            ("年齢", "column"),
            ("row", "the-row"),
            ("not", "column_not"),
            ("Applicant.Age", "applicant_age"),
        ] {
            assert_eq!(names.name_of(text, "column"), name);
        }
        assert_eq!(folded("Connection lost"), folded("connection_lost"));
    }
}
