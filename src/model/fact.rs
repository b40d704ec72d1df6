//! Facts: name, type, domain, and where the value comes from.

use crate::text::Span;
use crate::words::{DECIMAL_UNIT, MAX_DURATION_MS};

use super::Value;

/// A fact of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub u32);

/// A fact.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its name; `parity.equivalent` for a parity.
    pub name: Box<str>,
    /// Its type and domain.
    pub ty: Type,
    /// Named points beside the domain.
    pub points: Vec<Box<str>>,
    /// Where its value comes from.
    pub source: FactSource,
    /// Its name where it is declared.
    pub span: Span,
}

/// Where a fact's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactSource {
    /// The caller establishes it.
    Caller,
    /// Whether some registered release meets a parity, by its place in the model; the caller or the judgement says.
    Parity(usize),
    /// Output `output` of derive `derive`.
    Derived {
        /// Place in the model's derives.
        derive: usize,
        /// Place among its outputs.
        output: usize,
    },
}

/// A type.
#[derive(Debug, Clone)]
pub enum Type {
    /// A choice; `ordered` from low to high; a flag is the choice of `yes` and `no`.
    Choice {
        /// The values.
        values: Vec<Box<str>>,
        /// Whether they have an order.
        ordered: bool,
        /// Whether it is a flag.
        flag: bool,
    },
    /// A number of some kind.
    Number(NumberType),
    /// Any text.
    Text,
}

/// A number's kind, bounds and grid, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberType {
    /// What a tick is.
    pub kind: NumberKind,
    /// Least value.
    pub lo: i128,
    /// Greatest value.
    pub hi: i128,
    /// Distance of neighbours: values are `lo + n·step`. A decimal without a step has step 1, a unit of 10⁻¹⁸.
    pub step: i128,
    /// Whether a decimal was written without a step: every stretch between two values holds more values.
    pub dense: bool,
}

/// What a number's tick is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// 0, 1, 2, …
    Count,
    /// A whole number.
    Integer,
    /// Units of 10⁻¹⁸.
    Decimal,
    /// Milliseconds.
    Duration,
    /// Nanoseconds since 1970.
    Instant,
    /// Three numbers of 32 bits.
    Version,
}

impl NumberKind {
    /// The word that declares it.
    pub fn as_str(self) -> &'static str {
        match self {
            NumberKind::Count => "count",
            NumberKind::Integer => "integer",
            NumberKind::Decimal => "decimal",
            NumberKind::Duration => "duration",
            NumberKind::Instant => "instant",
            NumberKind::Version => "version",
        }
    }

    /// The kind of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        use NumberKind::{Count, Decimal, Duration, Instant, Integer, Version};
        [Count, Integer, Decimal, Duration, Instant, Version].into_iter().find(|k| k.as_str() == word)
    }

    /// The whole domain where no bounds are written.
    pub fn whole(self) -> NumberType {
        let (lo, hi, dense) = match self {
            NumberKind::Count => (0, i128::from(i64::MAX), false),
            NumberKind::Integer => (i128::from(i64::MIN), i128::from(i64::MAX), false),
            NumberKind::Decimal => (1 - DECIMAL_UNIT * DECIMAL_UNIT, DECIMAL_UNIT * DECIMAL_UNIT - 1, true),
            NumberKind::Duration => (0, i128::from(MAX_DURATION_MS), false),
            NumberKind::Instant => (-62_135_596_800_000_000_000, 253_402_207_200_999_999_999, false),
            NumberKind::Version => (0, (1 << 96) - 1, false),
        };
        NumberType { kind: self, lo, hi, step: 1, dense }
    }
}

impl NumberType {
    /// Whether a value lies on the grid and between the bounds.
    pub fn holds(&self, ticks: i128) -> bool {
        ticks >= self.lo && ticks <= self.hi && (ticks - self.lo) % self.step == 0
    }
}

impl Fact {
    /// Whether a caller gives it (a parity's verdict included).
    pub fn is_callers(&self) -> bool {
        !matches!(self.source, FactSource::Derived { .. })
    }

    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        matches!(self.ty, Type::Text)
    }

    /// The value of a choice's word or a named point.
    pub fn named_value(&self, word: &str) -> Option<Value> {
        if let Type::Choice { values, .. } = &self.ty
            && let Some(i) = values.iter().position(|v| &**v == word)
        {
            return Some(Value::Choice(i as u16));
        }
        self.points_value(word)
    }

    /// The value of a named point.
    pub fn points_value(&self, word: &str) -> Option<Value> {
        self.points.iter().position(|p| &**p == word).map(|i| Value::Point(i as u16))
    }

    /// The words that a value of this fact may be: a choice's values, then the named points.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let values: &[Box<str>] = if let Type::Choice { values, .. } = &self.ty { values } else { &[] };
        values.iter().chain(&self.points).map(|v| &**v)
    }
}
