//! A case file's text as it is written: maps, lists and scalars with their places.
//!
//! Takes YAML (so JSON too), one document of it; gives a [`Node`]. Scalars keep their letters, and whether they stand in
//! quotes: what they mean, their fact says. No alias, no tag, each key once.

use std::collections::HashSet;

use serde_yaml::granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, options};

use super::error::{CaseError, Place};
use crate::decide::Raw;

/// The largest case file, in bytes.
pub const MAX_CASES_BYTES: usize = 16 * 1024 * 1024;
/// The deepest nesting.
const MAX_DEPTH: usize = 32;

/// A value and where it begins.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) at: Place,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Its letters, and whether it stands without quotes.
    Scalar(String, bool),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a map.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: Place,
    pub(super) value: Node,
}

impl Node {
    /// Whether nothing stands there.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text, true) if matches!(text.as_str(), "" | "~" | "null"))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Map(entries) = &self.kind else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The letters of a scalar that says something.
    pub(super) fn text(&self) -> Option<&str> {
        if let Kind::Scalar(text, _) = &self.kind { Some(text.as_str()).filter(|_| !self.is_null()) } else { None }
    }

    /// The items of a list; anything else stands for a list of itself.
    pub(super) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            _ if self.is_null() => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// What it is, with its article.
    pub(super) fn what(&self) -> &'static str {
        match self.kind {
            _ if self.is_null() => "nothing",
            Kind::Scalar(..) => "a single value",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }

    /// The value of a fact, before the fact says what it means.
    pub(super) fn raw(&self) -> Raw {
        match &self.kind {
            Kind::Scalar(text, true) => Raw::Plain(text.clone()),
            Kind::Scalar(text, false) => Raw::Text(text.clone()),
            Kind::List(_) => Raw::List,
            Kind::Map(_) => Raw::Map,
        }
    }
}

/// Reads the one document of a text; keys that stand twice are told beside it, and the first counts.
///
/// # Errors
/// A text past [`MAX_CASES_BYTES`], one that is no YAML, and what is not read here; then there is no tree.
pub(super) fn read(text: &str, errors: &mut Vec<CaseError>) -> Result<Node, CaseError> {
    if text.len() > MAX_CASES_BYTES {
        let message = format!("the file has {} bytes, and at most {MAX_CASES_BYTES} are allowed", text.len());
        return Err(CaseError::new(Place::START, message).help("part it: `NAME.TOPIC.cases.yaml` is read too"));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let limit = MAX_DEPTH + 1;
    let options = options! { emit_comments: false, flow_nesting_limit: limit, block_nesting_limit: limit };
    let mut reader = Reader { events: Parser::new_from_str_with_options(text, options), errors };
    let mut root = None;
    while let Some((event, span)) = reader.next()? {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd => {}
            _ if root.is_some() => {
                let error = CaseError::new(place(span.start), "there is more than one document");
                return Err(error.help("keep the cases of one file in one list"));
            }
            event => root = Some(reader.node(event, span, 0)?),
        }
    }
    root.filter(|node| !node.is_null()).ok_or_else(|| CaseError::new(Place::START, "there is nothing in this file"))
}

struct Reader<'r, P> {
    events: P,
    errors: &'r mut Vec<CaseError>,
}

impl<'t, P: Iterator<Item = Result<(Event<'t>, Span), ScanError>>> Reader<'_, P> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, CaseError> {
        self.events.next().transpose().map_err(|error| {
            let message = format!("this is no YAML: {}", error.info().to_lowercase());
            CaseError::new(place(*error.marker()), message)
        })
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, CaseError> {
        let at = place(span.start);
        if depth > MAX_DEPTH {
            return Err(CaseError::new(at, format!("it is nested deeper than {MAX_DEPTH}")));
        }
        if let Event::Scalar(_, _, _, Some(_))
        | Event::SequenceStart(_, _, Some(_))
        | Event::MappingStart(_, _, Some(_)) = event
        {
            let error = CaseError::new(at, "a tag (`!…`) has no meaning here");
            return Err(error.help("put a text in double quotes"));
        }
        let kind = match event {
            Event::Scalar(text, style, ..) => Kind::Scalar(text.into_owned(), style == ScalarStyle::Plain),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                while let Some((event, span)) = self.next()?.filter(|(e, _)| !matches!(e, Event::SequenceEnd)) {
                    items.push(self.node(event, span, depth + 1)?);
                }
                Kind::List(items)
            }
            Event::MappingStart(..) => Kind::Map(self.entries(depth)?),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let error = CaseError::new(at, "an alias (`*name`) is not read");
                return Err(error.help("give the facts a name under `fixtures`, and take them over by `with`"));
            }
            _ => return Err(CaseError::new(at, "a value is missing")),
        };
        Ok(Node { at, kind })
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<Entry>, CaseError> {
        let (mut entries, mut keys) = (Vec::new(), HashSet::new());
        while let Some((event, span)) = self.next()? {
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(key, _, _, None) => key.into_owned(),
                _ => return Err(CaseError::new(place(span.start), "a key must be a plain word")),
            };
            let at = place(span.start);
            let Some((event, span)) = self.next()? else { break };
            let value = self.node(event, span, depth + 1)?;
            if keys.insert(key.clone()) {
                entries.push(Entry { key, at, value });
            } else {
                let shown = super::error::clipped(&key);
                self.errors.push(CaseError::new(at, format!("`{shown}` stands twice")).help("keep one of the two"));
            }
        }
        Ok(entries)
    }
}

fn place(marker: Marker) -> Place {
    Place { line: marker.line().max(1), column: marker.col() + 1 }
}
