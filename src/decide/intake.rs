//! Facts by name, as people and programs write them down: raw scalars in, checked facts out.
//!
//! Every error of a map is found, not only the first; nothing is ignored. `null` and absence are unknown, and so is
//! the word `unknown` save for a text, where it is that text. A plain `parity` stands for every parity that is left
//! out.

use crate::model::{Fact, FactId, FactSource, NumberKind, NumberType, Type, Value};
use crate::words::{LiteralError, parse_decimal, parse_duration, parse_instant, parse_version};

use super::fact_error::{clipped, ticked};
use super::facts::{Facts, Handle, MAX_FACT_TEXT, too_long};
use super::{FactError, Policy};

/// A value as written, before its fact says what it means; what [`facts_from_yaml`](super::facts_from_yaml) gives and
/// [`Policy::read_facts`] takes.
///
/// ```
/// use nisi::decide::{Raw, facts_from_yaml};
/// assert_eq!(facts_from_yaml("budget: 2")?, [("budget".to_string(), Raw::Plain("2".into()))]);
/// # Ok::<(), nisi::decide::FactsTextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, by its digits as written.
    Number(String),
    /// A text that is marked as one: in quotes.
    Text(String),
    /// A scalar without a mark of its kind (plain YAML, `--set`): its fact says whether it is a word, a number …
    Plain(String),
    /// A list; no fact is one.
    List,
    /// A map; no fact is one.
    Map,
}

impl Policy {
    /// Reads facts given by name, from outside: untrusted. `null`, absence and the word `unknown` are unknown (for a text
    /// the word is that text); a plain `parity` stands for every parity that is left out.
    ///
    /// ```
    /// use nisi::decide::facts_from_yaml;
    /// let text = "policy a\nversion 1\nuse std.facts\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let facts = policy.read_facts(facts_from_yaml("deadline: 2s\nbudget: 1\n")?).expect("they are well");
    /// assert_eq!(facts.known().count(), 2);
    /// let errors = policy.read_facts(facts_from_yaml("deadlin: 2s\nbudget: -1\n")?).expect_err("both are wrong");
    /// assert_eq!(errors.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with them, in the order given.
    pub fn read_facts(&self, given: impl IntoIterator<Item = (String, Raw)>) -> Result<Facts, Vec<FactError>> {
        let mut facts = self.no_facts();
        let mut errors = Vec::new();
        let mut seen = vec![false; self.head().facts.len()];
        let mut every_parity: Option<Raw> = None;
        for (name, raw) in given {
            if name == "parity" && self.stands_for_parities() {
                if every_parity.is_some() {
                    errors.push(FactError::Duplicate { name });
                } else {
                    every_parity = Some(raw);
                }
                continue;
            }
            match self.callers_fact(&name) {
                Err(error) => errors.push(error),
                Ok(fact) if std::mem::replace(&mut seen[fact.0 as usize], true) => {
                    errors.push(FactError::Duplicate { name });
                }
                Ok(fact) => self.read_one(fact, &raw, &mut facts, &mut errors),
            }
        }
        if let Some(raw) = every_parity {
            self.read_parities(&raw, &seen, &mut facts, &mut errors);
        }
        if errors.is_empty() { Ok(facts) } else { Err(errors) }
    }

    /// One fact given by name, as [`read_facts`](Self::read_facts) takes it: its handle and value; a plain `parity` gives
    /// those of every parity.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub(crate) fn read_fact(&self, name: &str, raw: &Raw) -> Result<Vec<(Handle, Value)>, FactError> {
        let model = self.model();
        let read = |fact: FactId| {
            let handle = Handle { fact, key: self.key() };
            read_value(model.fact(fact), raw).map(|value| (handle, value))
        };
        if name == "parity" && self.stands_for_parities() {
            let facts = (0u32..).map(FactId).zip(model.facts.values());
            return facts.filter(|(_, f)| matches!(f.source, FactSource::Parity(_))).map(|(id, _)| read(id)).collect();
        }
        Ok(vec![read(self.callers_fact(name)?)?])
    }

    fn read_one(&self, fact: FactId, raw: &Raw, facts: &mut Facts, errors: &mut Vec<FactError>) {
        match read_value(self.head().fact(fact), raw) {
            Ok(value) => facts.put(fact, value),
            Err(error) => errors.push(error),
        }
    }

    /// Whether a plain `parity` has parities to stand for and is no fact of its own.
    fn stands_for_parities(&self) -> bool {
        !self.head().parities.is_empty() && self.head().fact_id("parity").is_none()
    }

    fn read_parities(&self, raw: &Raw, seen: &[bool], facts: &mut Facts, errors: &mut Vec<FactError>) {
        let parities =
            self.head().facts.values().enumerate().filter(|(_, f)| matches!(f.source, FactSource::Parity(_)));
        // All parities have one type: what is wrong with the value is wrong once.
        let mut told = false;
        for (i, fact) in parities {
            match read_value(fact, raw) {
                Ok(value) if !seen[i] => facts.put(FactId(i as u32), value),
                Err(error) if !told => {
                    told = true;
                    errors.push(error);
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// The value that a raw scalar is for a fact.
///
/// # Errors
/// A scalar of another kind, one that cannot be read, or one outside the domain.
pub(super) fn read_value(fact: &Fact, raw: &Raw) -> Result<Value, FactError> {
    match raw {
        Raw::Null => Ok(Value::Unknown),
        Raw::List => Err(FactError::wrong_kind(fact, "a list")),
        Raw::Map => Err(FactError::wrong_kind(fact, "a map")),
        Raw::Bool(yes) => read_bool(fact, *yes),
        Raw::Number(digits) => read_number(fact, digits),
        Raw::Text(text) => read_text(fact, text),
        Raw::Plain(text) => read_plain(fact, text),
    }
}

fn read_bool(fact: &Fact, yes: bool) -> Result<Value, FactError> {
    let word = if yes { "true" } else { "false" };
    let meant = match &fact.ty {
        Type::Choice { flag: true, .. } => fact.named_value(if yes { "yes" } else { "no" }),
        Type::Choice { .. } => fact.named_value(word),
        _ => None,
    };
    meant.ok_or_else(|| FactError::wrong_kind(fact, word))
}

fn read_number(fact: &Fact, digits: &str) -> Result<Value, FactError> {
    let Type::Number(ty) = &fact.ty else {
        // A choice may have numbers for names: a status code.
        return match &fact.ty {
            Type::Choice { flag: false, .. } => fact.named_value(digits),
            _ => None,
        }
        .ok_or_else(|| FactError::wrong_kind(fact, format!("the number {}", clipped(digits))));
    };
    let ticks = match ty.kind {
        NumberKind::Count | NumberKind::Integer => whole(fact, digits)?,
        NumberKind::Duration => whole(fact, digits).map_err(|error| milliseconds(fact, digits, error))?,
        NumberKind::Decimal => parse_decimal(digits).map_err(|e| FactError::unreadable(fact, short(digits, e)))?,
        NumberKind::Instant | NumberKind::Version => {
            return Err(FactError::wrong_kind(fact, format!("the number {}", clipped(digits))));
        }
    };
    held(fact, ty, ticks)
}

fn read_text(fact: &Fact, text: &str) -> Result<Value, FactError> {
    if text.len() > MAX_FACT_TEXT {
        return Err(too_long(fact, text));
    }
    let ty = match &fact.ty {
        Type::Text => return Ok(fact.points_value(text).unwrap_or_else(|| Value::Text(text.into()))),
        _ if text == "unknown" => return Ok(fact.named_value(text).unwrap_or_default()),
        Type::Choice { .. } => return fact.named_value(text).ok_or_else(|| FactError::unknown_word(fact, text)),
        Type::Number(ty) => ty,
    };
    if let Some(point) = fact.named_value(text) {
        return Ok(point);
    }
    let unreadable = |e| FactError::unreadable(fact, or_points(fact, short(text, e)));
    let ticks = match ty.kind {
        NumberKind::Count | NumberKind::Integer => {
            return Err(if fact.points.is_empty() || whole(fact, text).is_ok() {
                FactError::wrong_kind(fact, format!("the text \"{}\"", clipped(text)))
            } else {
                FactError::unknown_word(fact, text)
            });
        }
        NumberKind::Decimal => parse_decimal(text).map_err(unreadable)?,
        NumberKind::Duration => i128::from(parse_duration(text).map_err(unreadable)?),
        NumberKind::Instant => parse_instant(text).map_err(unreadable)?,
        NumberKind::Version => parse_version(text).map_err(unreadable)?,
    };
    held(fact, ty, ticks)
}

fn read_plain(fact: &Fact, text: &str) -> Result<Value, FactError> {
    let named = fact.named_value(text);
    match text {
        _ if named.is_some() => Ok(named.unwrap_or_default()),
        "" | "~" | "null" | "Null" | "NULL" => Ok(Value::Unknown),
        "true" | "True" | "TRUE" if !fact.is_text() => read_bool(fact, true),
        "false" | "False" | "FALSE" if !fact.is_text() => read_bool(fact, false),
        "unknown" => read_text(fact, text),
        _ => match &fact.ty {
            Type::Number(NumberType {
                kind: NumberKind::Count | NumberKind::Integer | NumberKind::Decimal, ..
            }) => read_number(fact, text),
            Type::Number(NumberType { kind: NumberKind::Duration, .. }) if is_number(text) => read_number(fact, text),
            _ => read_text(fact, text),
        },
    }
}

/// Whether a plain scalar is meant as a number: digits, signs, points and an exponent only.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', '.']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+' | b'_'))
}

/// A whole number: its digits and nothing else.
fn whole(fact: &Fact, digits: &str) -> Result<i128, FactError> {
    let plain = digits.strip_prefix('-').unwrap_or(digits);
    let error = |message: String, help: &str| {
        FactError::unreadable(fact, LiteralError { message, help: Some(help.into()), instead: None })
    };
    let shown = clipped(digits);
    if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit()) {
        if plain.starts_with(|c: char| c.is_ascii_digit()) && plain.contains(['e', 'E']) && is_number(plain) {
            return Err(error(format!("`{shown}` is not plain digits"), "write all its digits, such as `1000`"));
        }
        if is_number(plain) {
            return Err(error(format!("`{shown}` is not a whole number"), "write digits only, such as `3`"));
        }
        return Err(error(format!("`{shown}` is not a number"), "write digits only, such as `3`"));
    }
    let significant = plain.trim_start_matches('0');
    if significant.len() > 30 {
        return Err(error(format!("`{shown}` has too many digits"), "write a number that the fact can have"));
    }
    let number: i128 = if significant.is_empty() { 0 } else { significant.parse().unwrap_or(i128::MAX) };
    Ok(if plain.len() < digits.len() { -number } else { number })
}

/// A duration given as a number that is no whole number of milliseconds.
fn milliseconds(fact: &Fact, digits: &str, error: FactError) -> FactError {
    match error {
        FactError::Unreadable { name, error } => {
            let help = format!("write whole milliseconds, or a text with units, such as \"{}\"", "1.5s");
            let message = error.message.replace("a whole number", "whole milliseconds");
            FactError::Unreadable { name, error: LiteralError { message, help: Some(help), instead: None } }
        }
        _ => FactError::wrong_kind(fact, clipped(digits)),
    }
}

pub(super) fn held(fact: &Fact, ty: &NumberType, ticks: i128) -> Result<Value, FactError> {
    if ty.holds(ticks) { Ok(Value::Number(ticks)) } else { Err(FactError::not_held(fact, ty, ticks)) }
}

/// A literal's error with the named points that would have done as well.
fn or_points(fact: &Fact, mut error: LiteralError) -> LiteralError {
    if let (Some(help), false) = (&mut error.help, fact.points.is_empty()) {
        help.push_str(", or ");
        help.push_str(&ticked(&fact.points));
    }
    error
}

/// A literal's error with a very long text cut.
fn short(text: &str, mut error: LiteralError) -> LiteralError {
    if text.chars().count() > 64 {
        error.message = error.message.replace(text, &clipped(text));
    }
    error
}
