//! YAML, read strictly: documents of maps, lists and scalars; no alias, no tag, each key once. JSON is YAML, so both
//! come in here.
//!
//! Takes a text; gives a [`Tree`] for each document. A plain scalar is nothing, true or false, or a number only where
//! JSON would say so; every other one is a text: `2026-07-28`, `yes` and `1_000` stay as they are written.

use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, options};

use super::tree::{Kind, MAX_DEPTH, TextError, Tree};
use super::tree_json::is_json_number;

/// Reads every document of a text; an empty one is left out.
pub(crate) fn read_yaml(text: &str) -> Result<Vec<Tree>, TextError> {
    TextError::check_size(text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let limit = MAX_DEPTH + 1;
    let options = options! { emit_comments: false, flow_nesting_limit: limit, block_nesting_limit: limit };
    let mut reader = Reader { events: Parser::new_from_str_with_options(text, options), line: 1 };
    let mut documents = Vec::new();
    while let Some((event, span)) = reader.next()? {
        if let Event::DocumentStart(..) = event {
            let tree = match reader.next()? {
                Some((event, span)) => reader.value(event, span, 0)?,
                None => break,
            };
            if tree.kind != Kind::Null {
                documents.push(tree);
            }
        } else if !matches!(event, Event::StreamStart | Event::StreamEnd | Event::DocumentEnd) {
            return Err(TextError::new(span.start.line(), "this is no YAML: something stands outside of a document"));
        }
    }
    Ok(documents)
}

/// Reads the one document of a text.
pub(crate) fn read_one(text: &str) -> Result<Tree, TextError> {
    let mut documents = read_yaml(text)?.into_iter();
    match (documents.next(), documents.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(TextError::new(1, "there is nothing here")),
        (_, Some(second)) => Err(TextError::new(second.line, "there is more than one document").help("give one")),
    }
}

struct Reader<P> {
    events: P,
    line: usize,
}

impl<'t, P: Iterator<Item = Result<(Event<'t>, Span), ScanError>>> Reader<P> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, TextError> {
        match self.events.next() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(Some((event, span)))
            }
            Some(Err(error)) => {
                let message = format!("this is no YAML: {}", error.info().to_lowercase());
                Err(TextError::new(error.marker().line(), message))
            }
        }
    }

    fn value(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Tree, TextError> {
        let line = span.start.line();
        if depth > MAX_DEPTH {
            return Err(TextError::too_deep(line));
        }
        let tag = match &event {
            Event::Scalar(_, _, _, tag) | Event::SequenceStart(_, _, tag) | Event::MappingStart(_, _, tag) => tag,
            _ => &None,
        };
        if tag.is_some() {
            return Err(TextError::new(line, "a tag (`!…`) has no meaning here").help("put a text in double quotes"));
        }
        let kind = match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) => plain(&text),
            Event::Scalar(text, ..) => Kind::Text(text.into_owned()),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                while let Some((event, span)) = self.next()? {
                    if matches!(event, Event::SequenceEnd) {
                        break;
                    }
                    items.push(self.value(event, span, depth + 1)?);
                }
                Kind::List(items)
            }
            Event::MappingStart(..) => Kind::Map(self.entries(depth)?),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                return Err(TextError::new(line, "an alias (`*name`) is not read").help("write the value out"));
            }
            _ => return Err(TextError::new(line, "a value is missing")),
        };
        Ok(Tree { kind, line })
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<(String, Tree)>, TextError> {
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut keys = std::collections::BTreeSet::new();
        while let Some((event, span)) = self.next()? {
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(key, _, _, None) => key.into_owned(),
                _ => return Err(TextError::new(span.start.line(), "a key must be a plain word")),
            };
            if !keys.insert(key.clone()) {
                return Err(TextError::twice(span.start.line(), &key));
            }
            let Some((event, span)) = self.next()? else { break };
            let value = self.value(event, span, depth + 1)?;
            entries.push((key, value));
        }
        Ok(entries)
    }
}

fn plain(text: &str) -> Kind {
    match text {
        "" | "~" | "null" => Kind::Null,
        "true" => Kind::Bool(true),
        "false" => Kind::Bool(false),
        number if is_json_number(number) => Kind::Number(number.into()),
        _ => Kind::Text(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_what_json_would_say() {
        let tree = read_one("a: 2026-07-28\nb: 0.94\nc: [yes, \"1\"]\nd: {e: ~, f: true}\n").unwrap();
        let kind = |key: &str| tree.get(key).map(Tree::what);
        assert_eq!(
            [kind("a"), kind("b"), kind("c"), kind("d")],
            [Some("a text"), Some("a number"), Some("a list"), Some("a map")]
        );
        assert_eq!(tree.get("d").map(|t| t.line), Some(4));
        assert_eq!(read_one(r#"{"a": [1, "x"]}"#).unwrap().get("a").map(Tree::what), Some("a list"));
        assert_eq!(read_yaml("---\na: 1\n---\nb: 2\n").unwrap().len(), 2);
        assert_eq!(read_yaml("# nothing\n").unwrap().len(), 0);
    }

    #[test]
    fn what_is_read_is_written_and_read_again() {
        let tree = read_one("a: {b: [1, {c: \"x: y\"}], d: {}}\n\"k k\": \"two\\nlines # no comment\"\n").unwrap();
        let strip = |t: &Tree| super::super::canonical::plain(t);
        assert_eq!(strip(&read_one(&tree.yaml()).unwrap()), strip(&tree), "{}", tree.yaml());
    }

    #[test]
    fn what_is_no_plain_data_is_refused_with_its_line() {
        for bad in ["a: &x 1\nb: *x\n", "a: !!int 1\n", "a: 1\na: 2\n", "? [a]\n: 1\n", "a: [1\n", "a: 1\n b: 2\n"] {
            assert!(read_one(bad).is_err(), "{bad}");
        }
        assert_eq!(read_one("a: 1\nb: 2\na: 3\n").unwrap_err().to_string(), "line 3: `a` stands twice");
        assert!(read_one(&"[".repeat(10_000)).is_err());
    }
}
