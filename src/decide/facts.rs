//! The facts of one question: a value for every fact of one policy, unknown until it is set.
//!
//! Takes values by [`Handle`] (resolved once) and checks each against its fact's domain; gives the policy what it
//! decides on. A value that is set is always inside the domain, and a derived fact is never set.

use std::time::Duration;

use crate::model::{Fact, FactId, NumberKind, Type, Value};
use crate::program::{Pace, Program, Question, Told};
use crate::words::{MAX_DURATION_MS, ParityVerdict, parse_decimal, parse_instant, parse_version};

use super::value::FactValue;
use super::{FactError, Policy, StandardFacts};

/// The longest text of one fact, in bytes of UTF-8.
pub const MAX_FACT_TEXT: usize = 64 * 1024;

/// The kinds whose numbers are given as whole ones.
const WHOLE: [NumberKind; 2] = [NumberKind::Count, NumberKind::Integer];

const NANOS_PER_MS: u32 = 1_000_000;

/// Facts for one policy; whatever is not set is unknown.
///
/// [`Policy::facts`], [`Policy::no_facts`] and [`Policy::read_facts`] make them. They belong to the policy that made
/// them, and to every policy of the same digest that this version of nisi made. Keep them and set them again for the next
/// question: setting a number or a word allocates nothing.
///
/// ```
/// use std::time::Duration;
/// use nisi::Policy;
/// use nisi::decide::Round;
/// use nisi::words::Verb;
///
/// let policy = Policy::compile("policy parcels
/// version 1
/// fact value   : decimal 0.. step 0.01
/// fact age     : duration
/// fact fragile : yes, no
/// table recovery, first row wins
/// | value    | age   | fragile | => action        |
/// | < 1_000  | <= 2s | no      | stop \"send anew\" |
/// | otherwise |      |         | review desk      |
/// ")?;
/// let (value, age, fragile) = (policy.handle("value")?, policy.handle("age")?, policy.handle("fragile")?);
/// let mut facts = policy.no_facts();
/// facts.set_decimal(value, "19.90")?;
/// facts.set_duration(age, Duration::from_micros(1_999_001), Round::Up)?;
/// facts.set_flag(fragile, false)?;
/// assert_eq!(policy.decide(&facts).verb(), Verb::Stop);
/// let known: Vec<String> = facts.known().map(|(name, value)| format!("{name}={value}")).collect();
/// assert_eq!(known, ["value=19.9", "age=2s", "fragile=no"]);
///
/// facts.set_unknown(fragile)?;
/// assert_eq!(policy.decide(&facts).verb(), Verb::Review);
/// assert!(facts.set_decimal(value, "19.905").unwrap_err().to_string().contains("no step"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Facts {
    policy: Policy,
    /// The values, and as the policy's program reads them.
    question: Question,
}

/// A fact of one policy, found once by [`Policy::handle`]. It is good where facts of that policy are, and an error
/// elsewhere.
///
/// ```
/// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let region = policy.handle("region")?;
/// let mut facts = policy.no_facts();
/// facts.set_word(region, "eu")?;
/// assert_eq!(policy.handle("regoin").unwrap_err().help().as_deref(), Some("did you mean `region`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    pub(super) fact: FactId,
    /// The policy that it belongs to.
    pub(super) key: u64,
}

/// A word of one fact, found once by [`Policy::word`]: a choice's value or a named point, ready to be set with
/// [`Facts::choose`] as often as wanted, without a look at its letters. It is good where its fact's [`Handle`] is.
///
/// ```
/// let text = "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let region = policy.handle("region")?;
/// let eu = policy.word(region, "eu")?;
/// let mut facts = policy.no_facts();
/// facts.choose(eu)?;
/// assert_eq!(facts.get(region).map(|value| value.to_string()).as_deref(), Some("eu"));
/// assert!(policy.word(region, "ue").unwrap_err().to_string().contains("ue"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The policy that it belongs to.
    key: u64,
    said: Said,
}

/// A word of one fact, as it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    fact: FactId,
    told: Told,
    /// Its place in the declaration, among the values or the points.
    place: u16,
    is_choice: bool,
}

impl Word {
    #[inline]
    pub(super) fn handle(self) -> Handle {
        Handle { fact: self.said.fact, key: self.key }
    }

    pub(super) fn value(self) -> Value {
        self.said.value()
    }
}

impl Said {
    /// A value of a fact as its program takes it; nothing where it is no word.
    pub(super) fn of(program: &Program, fact: FactId, value: &Value) -> Option<Said> {
        let (is_choice, place) = match value {
            Value::Choice(place) => (true, *place),
            Value::Point(place) => (false, *place),
            Value::Unknown | Value::Number(_) | Value::Text(_) => return None,
        };
        Some(Said { fact, told: program.told(fact, value), place, is_choice })
    }

    #[inline]
    fn value(self) -> Value {
        if self.is_choice { Value::Choice(self.place) } else { Value::Point(self.place) }
    }
}

/// Which way a duration finer than a millisecond goes: against us.
///
/// ```
/// use nisi::decide::Round;
/// let text = "policy a\nversion 1\nfact left : duration\ntable t, first row wins\n| => action |\n| stop |\n";
/// let policy = nisi::Policy::compile(text)?;
/// let (left, mut facts) = (policy.handle("left")?, policy.no_facts());
/// facts.set_duration(left, std::time::Duration::from_micros(1_900), Round::Down)?;
/// assert_eq!(facts.get(left).map(|value| value.to_string()).as_deref(), Some("1ms"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// What is left to us: down.
    Down,
    /// What is asked of us, or has passed: up.
    Up,
}

impl Facts {
    pub(super) fn new(policy: Policy) -> Self {
        let question = policy.program().blank();
        Facts { policy, question }
    }

    /// Sets the facts of the standard vocabulary: what is not given is unknown, whatever it was. The verdict of each parity
    /// is asked for by its name.
    pub(crate) fn replace_standard(
        &mut self,
        standard: &StandardFacts,
        verdict: impl Fn(&str) -> Option<ParityVerdict>,
    ) {
        let policy = self.policy.clone();
        policy.standard().forget(self);
        policy.standard().put(policy.head(), standard, self);
        for (place, parity) in policy.head().parities.iter().enumerate() {
            policy.standard().put_parity(place, verdict(&parity.name), self);
        }
    }

    /// The policy that they are for.
    #[inline]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The values by fact; derived facts stay unknown here.
    pub(crate) fn values(&self) -> &[Value] {
        self.question.values()
    }

    /// The same as the policy's program reads it.
    #[inline]
    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    /// A fact's value; nothing for another policy's handle.
    pub fn get(&self, handle: Handle) -> Option<FactValue<'_>> {
        let fact = self.fact(handle).ok()?;
        Some(FactValue { fact: Some(fact), value: self.at(handle.fact) })
    }

    /// What is known, by name, in the order in which the policy declares its facts: for the record of a decision.
    pub fn known(&self) -> impl Iterator<Item = (&str, FactValue<'_>)> {
        let facts = self.policy.head().facts.values().zip(self.values());
        facts.map(|(fact, value)| (&*fact.name, FactValue { fact: Some(fact), value })).filter(|(_, v)| !v.is_unknown())
    }

    pub(super) fn at(&self, fact: FactId) -> &Value {
        self.values().get(fact.0 as usize).unwrap_or(&Value::Unknown)
    }

    /// Puts a value that is known to be inside the domain.
    pub(super) fn put(&mut self, fact: FactId, value: Value) {
        self.question.put(self.policy.program().told(fact, &value));
        if let Some(slot) = self.question.value_mut(fact) {
            *slot = value;
        }
    }

    /// The same for a value that is made anew for each use, so that it need not go through memory.
    #[inline]
    fn put_made(&mut self, fact: FactId, value: impl Fn() -> Value) {
        let told = self.policy.program().told(fact, &value());
        self.put_told(fact, told, value);
    }

    /// The same for a word.
    #[inline]
    pub(super) fn put_said(&mut self, said: Said) {
        self.put_told(said.fact, said.told, || said.value());
    }

    /// The same where there may be no such word; then the fact is unknown.
    #[inline]
    pub(super) fn put_said_or_unknown(&mut self, fact: FactId, said: Option<Said>) {
        match said {
            Some(said) => self.put_said(said),
            None => self.put(fact, Value::Unknown),
        }
    }

    /// The same where it is known what the value is to a question.
    #[inline]
    fn put_told(&mut self, fact: FactId, told: Told, value: impl Fn() -> Value) {
        self.question.put(told);
        if let Some(slot) = self.question.value_mut(fact) {
            match slot {
                Value::Text(_) => put_over_text(slot, value()),
                _ => *slot = value(),
            }
        }
    }

    /// Puts a number at once. Whether it could: else it goes the long way, which tells what is wrong with it if anything is.
    #[inline]
    fn put_gauged(&mut self, handle: Handle, pace: Pace, n: i64) -> bool {
        handle.key == self.policy.key() && self.put_number(handle.fact, pace, n)
    }

    /// The same for a number of this policy.
    #[inline]
    pub(super) fn put_number(&mut self, fact: FactId, pace: Pace, n: i64) -> bool {
        let told = self.policy.gauge(fact).and_then(|gauge| gauge.told(pace, n));
        if let Some(told) = told {
            self.put_told(fact, told, || Value::Number(n.into()));
        }
        told.is_some()
    }

    /// Sets a value as it is.
    ///
    /// # Errors
    /// A value of another kind, one outside the domain, or another policy's handle.
    pub(crate) fn set(&mut self, handle: Handle, value: Value) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        match (&value, &fact.ty) {
            (Value::Unknown, _) => {}
            (Value::Point(i), _) if usize::from(*i) < fact.points.len() => {}
            (Value::Choice(i), Type::Choice { values, .. }) if usize::from(*i) < values.len() => {}
            (Value::Number(n), Type::Number(ty)) if ty.holds(*n) => {}
            (Value::Number(n), Type::Number(ty)) => return Err(FactError::not_held(fact, ty, *n)),
            (Value::Text(t), Type::Text) if t.len() <= MAX_FACT_TEXT => {}
            (Value::Text(t), Type::Text) => return Err(too_long(fact, t)),
            (Value::Point(_) | Value::Choice(_), _) => return Err(FactError::wrong_kind(fact, "a word")),
            (Value::Number(_), _) => return Err(FactError::wrong_kind(fact, "a number")),
            (Value::Text(_), _) => return Err(FactError::wrong_kind(fact, "a text")),
        }
        self.put(handle.fact, value);
        Ok(())
    }

    /// Makes a fact unknown again.
    ///
    /// # Errors
    /// Another policy's handle.
    pub fn set_unknown(&mut self, handle: Handle) -> Result<(), FactError> {
        self.set(handle, Value::Unknown)
    }

    /// Sets a choice's value, or a named point of any fact, by its word: `timeout`, `none`.
    ///
    /// # Errors
    /// A word that is none of the fact's, or another policy's handle.
    pub fn set_word(&mut self, handle: Handle, word: &str) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        match fact.named_value(word) {
            Some(Value::Choice(place)) => self.put_made(handle.fact, || Value::Choice(place)),
            Some(Value::Point(place)) => self.put_made(handle.fact, || Value::Point(place)),
            _ => return Err(FactError::unknown_word(fact, word)),
        }
        Ok(())
    }

    /// Sets a word that was found before.
    ///
    /// # Errors
    /// Another policy's word.
    #[inline]
    pub fn choose(&mut self, word: Word) -> Result<(), FactError> {
        if word.key != self.policy.key() {
            return Err(FactError::ForeignHandle);
        }
        self.put_said(word.said);
        Ok(())
    }

    /// Sets a flag: `yes` for true, `no` for false.
    ///
    /// # Errors
    /// A fact that is no flag, or another policy's handle.
    pub fn set_flag(&mut self, handle: Handle, flag: bool) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        if !matches!(fact.ty, Type::Choice { flag: true, .. }) {
            return Err(FactError::wrong_kind(fact, "true or false"));
        }
        self.set_word(handle, if flag { "yes" } else { "no" })
    }

    /// Sets a count or an integer.
    ///
    /// # Errors
    /// A fact of another type, a number outside the domain, or another policy's handle.
    #[inline]
    pub fn set_number(&mut self, handle: Handle, number: i64) -> Result<(), FactError> {
        if self.put_gauged(handle, Pace::One, number) {
            return Ok(());
        }
        self.set_ticks(handle, &WHOLE, "a whole number", i128::from(number))
    }

    /// Sets a count.
    ///
    /// # Errors
    /// As [`set_number`](Self::set_number).
    #[inline]
    pub fn set_count(&mut self, handle: Handle, count: u64) -> Result<(), FactError> {
        if i64::try_from(count).is_ok_and(|n| self.put_gauged(handle, Pace::One, n)) {
            return Ok(());
        }
        self.set_ticks(handle, &WHOLE, "a whole number", i128::from(count))
    }

    /// Sets a decimal by its digits, never through a float: `"0.25"`, at most 18 on each side of the point.
    ///
    /// # Errors
    /// What is no decimal, a fact of another type, a number outside the domain, or another policy's handle.
    pub fn set_decimal(&mut self, handle: Handle, digits: &str) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        let ticks = parse_decimal(digits).map_err(|e| FactError::unreadable(fact, e))?;
        self.set_ticks(handle, &[NumberKind::Decimal], "a decimal", ticks)
    }

    /// Sets a duration; the part finer than a millisecond is rounded as told, and what is longer than
    /// [`MAX_DURATION_MS`] is that.
    ///
    /// # Errors
    /// A fact of another type, a duration outside the domain, or another policy's handle.
    #[inline]
    pub fn set_duration(&mut self, handle: Handle, duration: Duration, round: Round) -> Result<(), FactError> {
        let ms = whole_ms(duration, round);
        if i64::try_from(ms).is_ok_and(|n| self.put_gauged(handle, Pace::Ms, n)) {
            return Ok(());
        }
        self.set_ticks(handle, &[NumberKind::Duration], "a duration", i128::from(ms))
    }

    /// Sets an instant, RFC 3339 with an offset: `"2026-08-01T12:00:00Z"`.
    ///
    /// # Errors
    /// What is no instant, a fact of another type, an instant outside the domain, or another policy's handle.
    pub fn set_instant(&mut self, handle: Handle, instant: &str) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        let ticks = parse_instant(instant).map_err(|e| FactError::unreadable(fact, e))?;
        self.set_ticks(handle, &[NumberKind::Instant], "an instant", ticks)
    }

    /// Sets a version, up to three numbers parted by points: `"2026.8.1"`.
    ///
    /// # Errors
    /// What is no version, a fact of another type, a version outside the domain, or another policy's handle.
    pub fn set_version(&mut self, handle: Handle, version: &str) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        let ticks = parse_version(version).map_err(|e| FactError::unreadable(fact, e))?;
        self.set_ticks(handle, &[NumberKind::Version], "a version", ticks)
    }

    /// Sets a text, as it is.
    ///
    /// # Errors
    /// A fact of another type, a text past [`MAX_FACT_TEXT`], or another policy's handle.
    pub fn set_text(&mut self, handle: Handle, text: &str) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        if !fact.is_text() {
            return Err(FactError::wrong_kind(fact, "a text"));
        }
        if text.len() > MAX_FACT_TEXT {
            return Err(too_long(fact, text));
        }
        self.put(handle.fact, Value::Text(text.into()));
        Ok(())
    }

    #[inline(never)]
    fn set_ticks(&mut self, handle: Handle, kinds: &[NumberKind], have: &str, ticks: i128) -> Result<(), FactError> {
        let fact = self.fact(handle)?;
        match &fact.ty {
            Type::Number(ty) if kinds.contains(&ty.kind) => {
                if !ty.holds(ticks) {
                    return Err(FactError::not_held(fact, ty, ticks));
                }
            }
            _ => return Err(FactError::wrong_kind(fact, have)),
        }
        self.put_made(handle.fact, || Value::Number(ticks));
        Ok(())
    }

    fn fact(&self, handle: Handle) -> Result<&Fact, FactError> {
        if handle.key == self.policy.key() {
            Ok(self.policy.head().fact(handle.fact))
        } else {
            Err(FactError::ForeignHandle)
        }
    }
}

impl Policy {
    /// The facts of a policy that declares the same, as facts of this one.
    pub(crate) fn adopt(&self, facts: &Facts) -> Facts {
        let mut own = Facts::new(self.clone());
        for (place, value) in facts.values().iter().enumerate().take(own.values().len()) {
            own.put(FactId(place as u32), value.clone());
        }
        own
    }

    /// Finds a word of a fact once, so that it can be set again and again: a choice's value, or a named point. See
    /// [`Word`].
    ///
    /// # Errors
    /// A word that is none of the fact's, or another policy's handle.
    pub fn word(&self, handle: Handle, word: &str) -> Result<Word, FactError> {
        if handle.key != self.key() {
            return Err(FactError::ForeignHandle);
        }
        let fact = self.head().fact(handle.fact);
        let value = fact.named_value(word).ok_or_else(|| FactError::unknown_word(fact, word))?;
        let said = Said::of(self.program(), handle.fact, &value).ok_or_else(|| FactError::unknown_word(fact, word))?;
        Ok(Word { key: handle.key, said })
    }
}

/// Out of line: a text that is let go is rare, and the code for it would stand wherever a fact is set.
#[cold]
#[inline(never)]
fn put_over_text(slot: &mut Value, value: Value) {
    *slot = value;
}

pub(super) fn too_long(fact: &Fact, text: &str) -> FactError {
    FactError::TooLong { name: fact.name.to_string(), given: text.len(), allowed: MAX_FACT_TEXT }
}

/// Whole milliseconds, cut to the longest duration that there is.
#[inline]
pub(super) fn whole_ms(duration: Duration, round: Round) -> u64 {
    let nanos = duration.subsec_nanos();
    let more = if round == Round::Up { nanos.div_ceil(NANOS_PER_MS) } else { nanos / NANOS_PER_MS };
    duration.as_secs().saturating_mul(1_000).saturating_add(more.into()).min(MAX_DURATION_MS)
}
