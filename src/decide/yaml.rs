//! Facts as YAML: one map of scalars.
//!
//! Takes a text; gives names and raw scalars, digits as written. It reads the parser's events, not a tree: an alias is
//! refused where it stands, so nothing can grow, and a plain scalar stays plain until its fact says what it is. An
//! empty document is no facts.

use serde_yaml::granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag, options};

use super::Raw;
use super::facts_text::{self, FactsTextError, Gathered, MAX_FACTS_DEPTH, check_size};

/// Reads a map of facts from YAML.
///
/// ```
/// use nisi::decide::{Raw, facts_from_yaml};
/// let facts = facts_from_yaml("budget: 2\nscore: 0.10\nidempotent: yes\n").unwrap();
/// assert_eq!(facts[1], ("score".to_string(), Raw::Plain("0.10".into())));
/// assert!(facts_from_yaml("a: 1\na: 2\n").unwrap_err().to_string().contains("twice"));
/// ```
///
/// # Errors
/// A text past the limits, one that is no YAML, more than one document, a root that is no map, a repeated name, an
/// alias, a tag.
pub fn facts_from_yaml(text: &str) -> Result<Vec<(String, Raw)>, FactsTextError> {
    check_size(text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let limit = MAX_FACTS_DEPTH + 1;
    let options = options! { emit_comments: false, flow_nesting_limit: limit, block_nesting_limit: limit };
    let mut reader = Reader { events: Parser::new_from_str_with_options(text, options) };
    let mut gathered = Gathered::default();
    let mut documents = 0;
    while let Some((event, span)) = reader.next()? {
        match event {
            Event::DocumentStart(..) if documents == 1 => {
                return Err(at(span.start, "there is more than one document").help("give one map of facts"));
            }
            Event::DocumentStart(..) => documents += 1,
            Event::MappingStart(_, _, tag) => {
                refuse_tag(tag.as_deref(), span)?;
                reader.map(&mut gathered)?;
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) if matches!(&*text, "" | "~" | "null") => {}
            Event::Scalar(..) => return Err(no_map(span.start, "a single value")),
            Event::SequenceStart(..) => return Err(no_map(span.start, "a list")),
            Event::Alias(_) | Event::UnresolvedAlias(_) => return Err(alias(span.start)),
            _ => {}
        }
    }
    gathered.done().map_err(|(message, help)| FactsTextError::new(1, 1, message).help(help))
}

struct Reader<P> {
    events: P,
}

impl<'t, P: Iterator<Item = Result<(Event<'t>, Span), ScanError>>> Reader<P> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, FactsTextError> {
        match self.events.next() {
            None => Ok(None),
            Some(Ok(event)) => Ok(Some(event)),
            Some(Err(error)) if *error.kind() == ErrorKind::RecursionLimitExceeded => Err(too_deep(*error.marker())),
            Some(Err(error)) => {
                let message = format!("this is no YAML: {}", error.info().to_lowercase());
                Err(at(*error.marker(), message))
            }
        }
    }

    /// The entries of the map that has begun.
    fn map(&mut self, gathered: &mut Gathered) -> Result<(), FactsTextError> {
        while let Some((event, span)) = self.next()? {
            let name = match event {
                Event::MappingEnd => break,
                Event::Scalar(name, _, _, tag) => {
                    refuse_tag(tag.as_deref(), span)?;
                    name.into_owned()
                }
                Event::Alias(_) | Event::UnresolvedAlias(_) => return Err(alias(span.start)),
                _ => return Err(at(span.start, "a fact's name must be a plain word")),
            };
            let raw = self.value(&name)?;
            gathered.add(name, raw).map_err(|(message, help)| at(span.start, message).help(help))?;
        }
        Ok(())
    }

    fn value(&mut self, name: &str) -> Result<Raw, FactsTextError> {
        match self.next()? {
            Some((Event::Scalar(text, style, _, tag), span)) => {
                let is_text = tag.as_deref().is_some_and(|t| t.is_yaml_core_schema_tag("str"));
                if !is_text {
                    refuse_tag(tag.as_deref(), span).map_err(|e| e.about(name))?;
                }
                let plain = style == ScalarStyle::Plain && !is_text;
                Ok(if plain { Raw::Plain(text.into_owned()) } else { Raw::Text(text.into_owned()) })
            }
            Some((Event::SequenceStart(..), _)) => {
                self.skip().map_err(|e| e.about(name))?;
                Ok(Raw::List)
            }
            Some((Event::MappingStart(..), _)) => {
                self.skip().map_err(|e| e.about(name))?;
                Ok(Raw::Map)
            }
            Some((Event::Alias(_) | Event::UnresolvedAlias(_), span)) => Err(alias(span.start)),
            Some((_, span)) => Err(at(span.start, "a value is missing")),
            None => Ok(Raw::Null),
        }
    }

    /// Passes over the rest of a list or map that has begun.
    fn skip(&mut self) -> Result<(), FactsTextError> {
        let mut depth = 1;
        while depth > 0 {
            let Some((event, span)) = self.next()? else { break };
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                Event::Alias(_) | Event::UnresolvedAlias(_) => return Err(alias(span.start)),
                _ => {}
            }
            if depth > MAX_FACTS_DEPTH {
                return Err(too_deep(span.start));
            }
        }
        Ok(())
    }
}

fn refuse_tag(tag: Option<&Tag>, span: Span) -> Result<(), FactsTextError> {
    match tag {
        None => Ok(()),
        Some(tag) => {
            let place = span.tag_start().unwrap_or(span.start);
            let message = format!("the tag `{}` is not read here", super::fact_error::clipped(&tag.original()));
            Err(at(place, message).help("write the value without it"))
        }
    }
}

fn too_deep(place: Marker) -> FactsTextError {
    let given = format!("at least {}", MAX_FACTS_DEPTH + 1);
    at(place, facts_text::too_deep(&given)).help("facts are single values")
}

fn alias(place: Marker) -> FactsTextError {
    at(place, "an alias is not read here").help("write the value out")
}

fn no_map(place: Marker, what: &str) -> FactsTextError {
    at(place, format!("this is {what}")).help("give a map from fact to value, such as `deadline: 2s`")
}

fn at(place: Marker, message: impl Into<String>) -> FactsTextError {
    FactsTextError::new(place.line(), place.col() + 1, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Raw {
        Raw::Plain(text.into())
    }

    #[test]
    fn scalars_stay_as_written() {
        let text = "# facts\na: 0.10\nb: \"5\"\nc: yes\nd: 5_000\ne:\nf: [1, [2]]\ng: {x: 1}\nh: !!str 5\ni: 2026-08-01T12:00:00Z\n";
        let facts = facts_from_yaml(text).unwrap();
        let values: Vec<Raw> = facts.into_iter().map(|(_, raw)| raw).collect();
        assert_eq!(values[..4], [plain("0.10"), Raw::Text("5".into()), plain("yes"), plain("5_000")]);
        assert_eq!(values[5..8], [Raw::List, Raw::Map, Raw::Text("5".into())]);
        assert_eq!(values[8], plain("2026-08-01T12:00:00Z"));
        assert!(matches!(&values[4], Raw::Plain(text) if text == "~" || text.is_empty()));
        for empty in ["", "# nothing\n", "---\n", "{}", "null"] {
            assert_eq!(facts_from_yaml(empty).unwrap(), [], "{empty:?}");
        }
    }

    #[test]
    fn bad_texts_say_where() {
        let error = |text: &str| facts_from_yaml(text).unwrap_err().with_help();
        assert_eq!(error("a: 1\na: 2\n"), "line 2, column 1: `a` is given twice; keep one of the two");
        assert!(error("- 1\n").contains("this is a list"));
        assert!(error("5").contains("this is a single value"));
        assert!(error("a: 1\n---\nb: 2\n").contains("line 2"), "{}", error("a: 1\n---\nb: 2\n"));
        assert!(error("a: &x 1\nb: *x\n").contains("line 2, column 4: an alias"));
        assert!(error("a: !money 1\n").contains("`!money`"));
        assert!(error("a: [1\n").contains("no YAML"));
        assert!(error("? [1]\n: 2\n").contains("plain word"));
        assert!(error(&format!("a: {}", "[".repeat(100_000))).contains("nest at least 33 deep, and 32 are allowed"));
        assert!(error(&"a".repeat(2_000_000)).contains("1048576"));
        let many = (0..5000).map(|i| format!("f{i}: 1")).collect::<Vec<_>>().join("\n");
        assert!(error(&many).contains("there are 5000 facts, and 4096 are allowed"));
    }
}
