//! Facts as JSON: one object of scalars.
//!
//! Takes a text; gives names and raw scalars, numbers by their digits as written, never through a float.

use std::fmt;

use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Raw;
use super::facts_text::{FactsTextError, Gathered, MAX_FACTS_DEPTH, check_size, too_deep};

/// Reads a map of facts from JSON.
///
/// ```
/// use nisi::decide::{Raw, facts_from_json};
/// let facts = facts_from_json(r#"{"budget": 2, "score": 0.10}"#).unwrap();
/// assert_eq!(facts[1], ("score".to_string(), Raw::Number("0.10".into())));
/// assert!(facts_from_json(r#"{"a": 1, "a": 2}"#).is_err());
/// ```
///
/// # Errors
/// A text past the limits, one that is no JSON, a root that is no object, a repeated name, text after the object.
pub fn facts_from_json(text: &str) -> Result<Vec<(String, Raw)>, FactsTextError> {
    check_size(text)?;
    let mut reader = serde_json::Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    let facts = reader.deserialize_map(Facts).map_err(|e| told(&e, text))?;
    reader.end().map_err(|e| told(&e, text))?;
    Ok(facts)
}

struct Facts;

impl<'de> Visitor<'de> for Facts {
    type Value = Vec<(String, Raw)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from fact to value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut gathered = Gathered::default();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value::<&RawValue>()?;
            let depth = nested(value.get());
            if depth > MAX_FACTS_DEPTH {
                let name = super::fact_error::clipped(&name);
                let message = format!("`{name}`: {}; facts are single values", too_deep(&depth.to_string()));
                return Err(A::Error::custom(message));
            }
            let raw = scalar(value).map_err(A::Error::custom)?;
            gathered.add(name, raw).map_err(|(message, help)| A::Error::custom(format!("{message}; {help}")))?;
        }
        gathered.done().map_err(|(message, help)| A::Error::custom(format!("{message}; {help}")))
    }
}

/// How deep lists and maps nest in a JSON value.
fn nested(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn scalar(raw: &RawValue) -> Result<Raw, serde_json::Error> {
    let text = raw.get().trim();
    Ok(match text.as_bytes().first() {
        Some(b'"') => Raw::Text(serde_json::from_str(text)?),
        Some(b'[') => Raw::List,
        Some(b'{') => Raw::Map,
        Some(b't') => Raw::Bool(true),
        Some(b'f') => Raw::Bool(false),
        Some(b'n') => Raw::Null,
        _ => Raw::Number(text.into()),
    })
}

/// The error in plain words, with its place taken out of the message.
fn told(error: &serde_json::Error, text: &str) -> FactsTextError {
    let full = error.to_string();
    let message = full.rsplit_once(" at line ").map_or(&*full, |(message, _)| message);
    let (message, help) = match message.rsplit_once("; ") {
        // The reader's own bound; the map of facts itself is no nesting.
        _ if message.starts_with("recursion limit") => {
            let depth = nested(text).saturating_sub(1);
            (too_deep(&depth.to_string()), Some("facts are single values".to_string()))
        }
        _ if message.starts_with("invalid type") => {
            let help = "give a map from fact to value, such as `{\"deadline\": \"2s\"}`";
            ("this is no map of facts".to_string(), Some(help.to_string()))
        }
        Some((message, help)) => (message.to_string(), Some(help.to_string())),
        None if message.starts_with('`') || message.starts_with("there are") => (message.to_string(), None),
        None => {
            let found = word_at(text, error.line(), error.column()).map(|w| format!(" at `{w}`"));
            (format!("this is no JSON: {}{}", message.to_lowercase(), found.unwrap_or_default()), None)
        }
    };
    FactsTextError { help, ..FactsTextError::new(error.line(), error.column(), message) }
}

/// The word that an error points at.
fn word_at(text: &str, line: usize, column: usize) -> Option<String> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let mut start = column.checked_sub(1)?.min(line.len());
    let bytes = line.as_bytes();
    let part =
        |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-' | b'_'));
    while start > 0 && part(start - 1) {
        start -= 1;
    }
    let end = (start..line.len()).find(|i| !part(*i)).unwrap_or(line.len());
    let word = line.get(start..end).filter(|w| !w.is_empty())?;
    Some(super::fact_error::clipped(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_stay_as_written() {
        let text = r#" {"a": 0.10, "b": "5é", "c": true, "d": null, "e": [[1]], "f": {"x": {}}, "g": 1e3, "h": -0} "#;
        let values: Vec<Raw> = facts_from_json(text).unwrap().into_iter().map(|(_, raw)| raw).collect();
        let number = |digits: &str| Raw::Number(digits.into());
        assert_eq!(values[..4], [number("0.10"), Raw::Text("5é".into()), Raw::Bool(true), Raw::Null]);
        assert_eq!(values[4..], [Raw::List, Raw::Map, number("1e3"), number("-0")]);
    }

    #[test]
    fn bad_texts_say_where() {
        let error = |text: &str| facts_from_json(text).unwrap_err().with_help();
        assert_eq!(error("{\"a\": 1,\n \"a\": 2}").split("; ").last(), Some("keep one of the two"));
        for bad in
            ["", "{", "[1]", "5", "null", "{\"a\": NaN}", "{\"a\": 01}", "{\"a\": 1} x", "{\"a\": 1}{}", "{a: 1}"]
        {
            assert!(facts_from_json(bad).is_err(), "{bad}");
        }
        assert!(error("[1]").contains("no map of facts"));
        assert_eq!(error("{\"a\": NaN}"), "line 1, column 7: this is no JSON: expected value at `NaN`");
        assert!(facts_from_json(&format!("{{\"a\": {}", "[".repeat(500_000))).is_err());
        let deep = |n: usize| format!("{{\"a\": {}1{}}}", "[".repeat(n), "]".repeat(n));
        assert!(facts_from_json(&deep(32)).is_ok());
        for n in [33, 100, 500] {
            let told = format!("lists and maps nest {n} deep, and 32 are allowed; facts are single values");
            assert!(error(&deep(n)).ends_with(&told), "{}", error(&deep(n)));
        }
    }
}
