//! What can be wrong with a fact, told so that its author can mend it.

use crate::diag::nearest;
use crate::model::{Fact, FactId, FactSource, Model, NumberKind, NumberType, Type, show_number};
use crate::words::LiteralError;

/// A fact that cannot be taken as given.
///
/// ```
/// # use nisi::decide::FactError;
/// let error = FactError::UnknownName { name: "deadlin".into(), near: Some("deadline".into()) };
/// assert_eq!(error.to_string(), "there is no fact `deadlin`");
/// assert_eq!(error.help().as_deref(), Some("did you mean `deadline`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FactError {
    /// The policy has no fact of this name.
    #[error("there is no fact `{name}`")]
    UnknownName {
        /// As given.
        name: String,
        /// The nearest that there is.
        near: Option<String>,
    },
    /// The fact is worked out by the policy; nobody sets it.
    #[error("`{name}` cannot be given: the policy derives it")]
    Derived {
        /// The fact.
        name: String,
        /// The caller's facts that it comes from.
        from: Vec<String>,
    },
    /// The fact is given more than once.
    #[error("`{name}` is given twice")]
    Duplicate {
        /// The fact.
        name: String,
    },
    /// The value is of another kind.
    #[error("`{name}` cannot be {have}")]
    WrongKind {
        /// The fact.
        name: String,
        /// What was given, in words.
        have: String,
        /// What to write.
        want: String,
    },
    /// The value cannot be read.
    #[error("`{name}`: {error}")]
    Unreadable {
        /// The fact.
        name: String,
        /// Why.
        error: LiteralError,
    },
    /// A word that is none of the fact's.
    #[error("`{have}` is not a value of `{name}`")]
    UnknownWord {
        /// The fact.
        name: String,
        /// The word as given.
        have: String,
        /// The nearest that there is.
        near: Option<String>,
        /// All that there are.
        words: Vec<String>,
    },
    /// The number lies outside the fact's domain.
    #[error("`{have}` is outside the domain of `{name}`")]
    OutOfDomain {
        /// The fact.
        name: String,
        /// The number as a cell would say it.
        have: String,
        /// The domain in words.
        domain: String,
    },
    /// The number lies between two steps of the fact's domain.
    #[error("`{have}` is no step of `{name}`")]
    OffStep {
        /// The fact.
        name: String,
        /// The number as a cell would say it.
        have: String,
        /// The distance of two values.
        step: String,
        /// The values on both sides, as a cell would say them.
        between: (String, String),
    },
    /// The text is longer than a fact may be.
    #[error("the text of `{name}` has {given} bytes; at most {allowed} are allowed")]
    TooLong {
        /// The fact.
        name: String,
        /// Its bytes.
        given: usize,
        /// The bytes allowed.
        allowed: usize,
    },
    /// The handle belongs to another policy.
    #[error("this handle belongs to another policy")]
    ForeignHandle,
}

impl FactError {
    /// What to write instead.
    pub fn help(&self) -> Option<String> {
        match self {
            FactError::UnknownName { near, .. } => near.as_ref().map(|n| format!("did you mean `{n}`?")),
            FactError::Derived { from, .. } if from.is_empty() => Some("leave it out; it never varies".into()),
            FactError::Derived { from, .. } => Some(format!("give what it comes from: {}", ticked(from))),
            FactError::Duplicate { .. } => Some("keep one of the two".into()),
            FactError::WrongKind { want, .. } => Some(format!("write {want}")),
            FactError::Unreadable { error, .. } => error.help.clone(),
            FactError::UnknownWord { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            FactError::UnknownWord { words, .. } => Some(format!("write one of {}", ticked(words))),
            FactError::OutOfDomain { domain, .. } => Some(format!("it may be {domain}")),
            FactError::OffStep { step, between: (below, above), .. } => {
                Some(format!("it goes in steps of {step}; the nearest are {below} and {above}"))
            }
            FactError::TooLong { .. } => None,
            FactError::ForeignHandle => Some("ask the policy that decides for the handle".into()),
        }
    }

    /// The message with its help, on one line.
    pub fn with_help(&self) -> String {
        self.help().map_or_else(|| self.to_string(), |help| format!("{self}; {help}"))
    }

    pub(super) fn unknown_name(model: &Model, name: &str) -> Self {
        let names = model.facts.values().filter(|f| f.is_callers()).map(|f| &*f.name);
        let near = nearest(name, names).map(ToString::to_string);
        FactError::UnknownName { name: clipped(name), near }
    }

    pub(super) fn derived(model: &Model, fact: FactId) -> Self {
        let mut from = Vec::new();
        origins(model, fact, &mut from);
        let from = from.into_iter().map(|f| model.fact(f).name.to_string()).collect();
        FactError::Derived { name: model.fact(fact).name.to_string(), from }
    }

    pub(super) fn unknown_word(fact: &Fact, word: &str) -> Self {
        let near = nearest(word, fact.words()).map(ToString::to_string);
        let words = fact.words().map(ToString::to_string).collect();
        FactError::UnknownWord { name: fact.name.to_string(), have: clipped(word), near, words }
    }

    pub(super) fn unreadable(fact: &Fact, error: LiteralError) -> Self {
        FactError::Unreadable { name: fact.name.to_string(), error }
    }

    pub(super) fn wrong_kind(fact: &Fact, have: impl Into<String>) -> Self {
        FactError::WrongKind { name: fact.name.to_string(), have: have.into(), want: wanted(fact) }
    }

    /// The number is not held by the type: outside its bounds, or off its grid.
    pub(super) fn not_held(fact: &Fact, ty: &NumberType, ticks: i128) -> Self {
        let (name, have) = (fact.name.to_string(), show_number_or_long(ty.kind, ticks));
        if ticks < ty.lo || ticks > ty.hi {
            return FactError::OutOfDomain { name, have, domain: domain(ty, ticks > ty.hi) };
        }
        let below = ty.lo + (ticks - ty.lo) / ty.step * ty.step;
        let above = (below + ty.step).min(ty.hi);
        let between = (show_number(ty.kind, below), show_number(ty.kind, above));
        FactError::OffStep { name, have, step: show_number(ty.kind, ty.step), between }
    }
}

/// The caller's facts that a fact comes from, in order of first mention, each once.
pub(super) fn origins(model: &Model, fact: FactId, into: &mut Vec<FactId>) {
    let mut seen = vec![false; model.facts.len()];
    let mut open = vec![fact];
    while let Some(fact) = open.pop() {
        if std::mem::replace(&mut seen[fact.0 as usize], true) {
            continue;
        }
        match model.fact(fact).source {
            FactSource::Derived { derive, .. } => {
                let conds = model.derives[derive].table.rows.iter().flat_map(|r| &r.conds).map(|c| c.fact);
                open.extend(conds.collect::<Vec<_>>().into_iter().rev());
            }
            _ => into.push(fact),
        }
    }
}

/// What a value of the fact looks like, after "write".
fn wanted(fact: &Fact) -> String {
    let mut text = match &fact.ty {
        Type::Choice { flag: true, .. } => "`yes`, `no`, or true or false".to_string(),
        Type::Choice { .. } => format!("one of {}", ticked(&fact.words().collect::<Vec<_>>())),
        Type::Number(ty) => match ty.kind {
            NumberKind::Count => "a whole number from 0 on, such as 3".into(),
            NumberKind::Integer => "a whole number, such as -3".into(),
            NumberKind::Decimal => "a number, such as 0.25".into(),
            NumberKind::Duration => "a text with units, such as \"2s\", or whole milliseconds".into(),
            NumberKind::Instant => "a text, such as \"2026-08-01T12:00:00Z\"".into(),
            NumberKind::Version => "a text, such as \"2026.8.1\"".into(),
        },
        Type::Text => "a text, in quotes".into(),
    };
    if !fact.points.is_empty() && !matches!(fact.ty, Type::Choice { .. }) {
        text.push_str(", or ");
        text.push_str(&ticked(&fact.points));
    }
    text + ", or null for unknown"
}

/// The bounds and step of a number in words; an end that nobody wrote is told where it is what was passed.
fn domain(ty: &NumberType, above: bool) -> String {
    let whole = ty.kind.whole();
    let text = |n| show_number(ty.kind, n);
    let has_ends = matches!(ty.kind, NumberKind::Duration | NumberKind::Instant | NumberKind::Version);
    let (least, most) = (ty.lo > whole.lo || has_ends || ty.kind == NumberKind::Count, ty.hi < whole.hi || has_ends);
    let bounds = match (least || !above, most || above) {
        (true, true) => format!("{} to {}", text(ty.lo), text(ty.hi)),
        (true, false) => format!("{} or more", text(ty.lo)),
        (false, _) => format!("{} or less", text(ty.hi)),
    };
    if ty.step == 1 { bounds } else { format!("{bounds}, in steps of {}", text(ty.step)) }
}

/// A number that may lie outside what its kind can say.
fn show_number_or_long(kind: NumberKind, ticks: i128) -> String {
    let whole = kind.whole();
    if ticks < whole.lo || ticks > whole.hi { ticks.to_string() } else { show_number(kind, ticks) }
}

pub(super) fn ticked(words: &[impl AsRef<str>]) -> String {
    let shown = words.iter().take(24).map(|w| format!("`{}`", w.as_ref())).collect::<Vec<_>>().join(", ");
    if words.len() > 24 { format!("{shown}, … ({} in all)", words.len()) } else { shown }
}

/// A text from outside, short enough for a message.
pub(super) fn clipped(text: &str) -> String {
    if text.chars().count() <= 64 { text.into() } else { text.chars().take(60).chain("…".chars()).collect() }
}
