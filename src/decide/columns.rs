//! Facts in columns: many questions at once, from plain slices.
//!
//! Takes a slice for each fact, borrowed, and where wanted another that says what is known of it; gives the questions
//! piece by piece, as small keys. What no column gives is unknown. A value is looked at when its question is decided.

use crate::model::{FactId, NumberKind, NumberType, Type, Value};

use super::facts::{Facts, Handle, MAX_FACT_TEXT, Word, too_long};
use super::{FactError, Policy};

/// Facts of many questions, one column a fact; [`Policy::columns`] makes them.
///
/// Every column has one entry a question. `known` says of each entry whether it is: where it is false, the fact is unknown
/// and the entry is not looked at. Without it all entries are known. A fact without a column is unknown in every question.
///
/// ```
/// use nisi::words::Verb;
/// let policy = nisi::Policy::compile("policy a
/// version 1
/// fact region : eu, us
/// fact left : duration
/// table t, first row wins
/// | region | left | => action |
/// | eu | >= 2s | stop |
/// | otherwise | | review desk |
/// ")?;
/// let (region, left) = (policy.handle("region")?, policy.handle("left")?);
/// let words = [policy.word(region, "us")?, policy.word(region, "eu")?];
/// let mut columns = policy.columns(3);
/// columns.words(region, &words, &[1, 1, 0], None)?;
/// columns.numbers(left, &[2_000u32, 9_000, 9_000], Some(&[true, false, true]))?;
/// let mut answers = nisi::decide::Answers::default();
/// policy.decide_batch(&columns, &mut answers)?;
/// assert_eq!(answers.verbs(), [Verb::Stop, Verb::Review, Verb::Review]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Columns<'a> {
    pub(super) policy: &'a Policy,
    pub(super) len: usize,
    pub(super) all: Vec<Column<'a>>,
}

/// Whole numbers as a column takes them: `&[u32]`, `&[u64]` or `&[i64]`; the narrowest is the fastest. See [`Columns`].
#[derive(Debug, Clone, Copy)]
pub enum Numbers<'a> {
    /// Of 32 bits.
    U32(&'a [u32]),
    /// Of 64 bits.
    U64(&'a [u64]),
    /// Of 64 bits, with a sign.
    I64(&'a [i64]),
}

macro_rules! numbers {
    ($($kind:ident $type:ty),*) => {$(
        impl<'a> From<&'a [$type]> for Numbers<'a> {
            fn from(numbers: &'a [$type]) -> Self {
                Numbers::$kind(numbers)
            }
        }
        impl<'a, const N: usize> From<&'a [$type; N]> for Numbers<'a> {
            fn from(numbers: &'a [$type; N]) -> Self {
                Numbers::$kind(numbers)
            }
        }
        impl<'a> From<&'a Vec<$type>> for Numbers<'a> {
            fn from(numbers: &'a Vec<$type>) -> Self {
                Numbers::$kind(numbers)
            }
        }
    )*};
}

numbers!(U32 u32, U64 u64, I64 i64);

/// What is wrong with a column, or with one of its entries. See [`Columns`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    /// The fact, or another policy's handle.
    #[error(transparent)]
    Fact(Box<FactError>),
    /// Another number of entries than there are questions.
    #[error("column `{name}` has {given} entries for {wanted} questions")]
    Length {
        /// The fact.
        name: String,
        /// How many entries it has, or how many that say what is known.
        given: usize,
        /// How many questions there are.
        wanted: usize,
    },
    /// A second column for one fact.
    #[error("fact `{name}` has two columns")]
    Twice {
        /// The fact.
        name: String,
    },
    /// More words than a column can have, or words of another fact.
    #[error("the words of column `{name}` are {n}; a column has 1 to 255, all of its own fact")]
    Words {
        /// The fact.
        name: String,
        /// How many there are.
        n: usize,
    },
    /// An entry past the last word.
    #[error("entry {entry} of column `{name}` is {place}; its words are {n}")]
    Place {
        /// The fact.
        name: String,
        /// The entry, from 0.
        entry: usize,
        /// What it is.
        place: u8,
        /// How many words there are.
        n: usize,
    },
    /// An entry that the fact cannot have.
    #[error("entry {entry}: {error}")]
    Entry {
        /// The entry, from 0.
        entry: usize,
        /// What is wrong with it.
        error: Box<FactError>,
    },
    /// The columns were made for another policy.
    #[error("the columns belong to another policy")]
    Foreign,
}

impl From<FactError> for ColumnError {
    fn from(error: FactError) -> Self {
        ColumnError::Fact(Box::new(error))
    }
}

impl ColumnError {
    pub(super) fn entry(entry: usize, error: FactError) -> Self {
        ColumnError::Entry { entry, error: Box::new(error) }
    }
}

/// One column.
#[derive(Debug, Clone)]
pub(super) struct Column<'a> {
    pub(super) fact: FactId,
    pub(super) entries: Entries<'a>,
    pub(super) known: Option<&'a [bool]>,
}

/// The entries of one column.
#[derive(Debug, Clone)]
pub(super) enum Entries<'a> {
    Words {
        values: Vec<Value>,
        places: &'a [u8],
    },
    /// `no` and `yes`.
    Flags {
        values: Vec<Value>,
        flags: &'a [bool],
    },
    Numbers {
        numbers: Numbers<'a>,
        ty: NumberType,
    },
    Texts(&'a [&'a str]),
    /// Any values of the fact.
    #[cfg(feature = "arrow")]
    Values(&'a [Value]),
}

impl<'a> Columns<'a> {
    /// A choice, or the named points of any fact, by places in a list of words: of a choice, a flag, or a fact with points.
    ///
    /// # Errors
    /// Another policy's handle or words, words of another fact, more words than 255, a wrong number of entries, a second
    /// column.
    pub fn words(
        &mut self,
        handle: Handle,
        words: &[Word],
        places: &'a [u8],
        known: Option<&'a [bool]>,
    ) -> Result<&mut Self, ColumnError> {
        self.check(handle, places.len(), known)?;
        if words.is_empty() || words.len() > 255 || words.iter().any(|word| word.handle() != handle) {
            return Err(ColumnError::Words { name: self.name(handle.fact), n: words.len() });
        }
        let values = words.iter().map(|word| word.value()).collect();
        Ok(self.add(handle, Entries::Words { values, places }, known))
    }

    /// A flag: `yes` for true.
    ///
    /// # Errors
    /// A fact that is no flag, another policy's handle, a wrong number of entries, a second column.
    pub fn flags(
        &mut self,
        handle: Handle,
        flags: &'a [bool],
        known: Option<&'a [bool]>,
    ) -> Result<&mut Self, ColumnError> {
        self.check(handle, flags.len(), known)?;
        let fact = self.policy.model().fact(handle.fact);
        if !matches!(fact.ty, Type::Choice { flag: true, .. }) {
            return Err(FactError::wrong_kind(fact, "true or false").into());
        }
        let values = ["no", "yes"].map(|word| fact.named_value(word).unwrap_or_default()).into();
        Ok(self.add(handle, Entries::Flags { values, flags }, known))
    }

    /// A count or an integer, or a duration in whole milliseconds.
    ///
    /// # Errors
    /// A fact of another type, another policy's handle, a wrong number of entries, a second column.
    pub fn numbers(
        &mut self,
        handle: Handle,
        numbers: impl Into<Numbers<'a>>,
        known: Option<&'a [bool]>,
    ) -> Result<&mut Self, ColumnError> {
        let numbers = numbers.into();
        self.check(handle, numbers.len(), known)?;
        let fact = self.policy.model().fact(handle.fact);
        match &fact.ty {
            Type::Number(ty) if matches!(ty.kind, NumberKind::Count | NumberKind::Integer | NumberKind::Duration) => {
                Ok(self.add(handle, Entries::Numbers { numbers, ty: *ty }, known))
            }
            _ => Err(FactError::wrong_kind(fact, "a whole number").into()),
        }
    }

    /// A text as it is; a decimal, an instant or a version as it is written.
    ///
    /// # Errors
    /// A fact of another type, another policy's handle, a wrong number of entries, a second column.
    pub fn texts(
        &mut self,
        handle: Handle,
        texts: &'a [&'a str],
        known: Option<&'a [bool]>,
    ) -> Result<&mut Self, ColumnError> {
        self.check(handle, texts.len(), known)?;
        let fact = self.policy.model().fact(handle.fact);
        match &fact.ty {
            Type::Text => {}
            Type::Number(ty) if matches!(ty.kind, NumberKind::Decimal | NumberKind::Instant | NumberKind::Version) => {}
            _ => return Err(FactError::wrong_kind(fact, "a text").into()),
        }
        Ok(self.add(handle, Entries::Texts(texts), known))
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn check(&self, handle: Handle, n: usize, known: Option<&[bool]>) -> Result<(), ColumnError> {
        if handle.key != self.policy.key() {
            return Err(FactError::ForeignHandle.into());
        }
        let name = || self.name(handle.fact);
        let wanted = self.len;
        match known.map_or(n, <[bool]>::len) {
            _ if n != wanted => Err(ColumnError::Length { name: name(), given: n, wanted }),
            given if given != wanted => Err(ColumnError::Length { name: name(), given, wanted }),
            _ if self.all.iter().any(|other| other.fact == handle.fact) => Err(ColumnError::Twice { name: name() }),
            _ => Ok(()),
        }
    }

    fn add(&mut self, handle: Handle, entries: Entries<'a>, known: Option<&'a [bool]>) -> &mut Self {
        self.all.push(Column { fact: handle.fact, entries, known });
        self
    }

    fn name(&self, fact: FactId) -> String {
        self.policy.model().fact(fact).name.to_string()
    }
}

impl Policy {
    /// The facts of so many questions, all unknown as yet, for [`decide_batch`](Policy::decide_batch). See [`Columns`].
    pub fn columns(&self, n_questions: usize) -> Columns<'_> {
        Columns { policy: self, len: n_questions, all: Vec::new() }
    }
}

impl Numbers<'_> {
    fn len(self) -> usize {
        match self {
            Numbers::U32(n) => n.len(),
            Numbers::U64(n) => n.len(),
            Numbers::I64(n) => n.len(),
        }
    }

    fn at(self, entry: usize) -> i128 {
        match self {
            Numbers::U32(n) => n.get(entry).map_or(0, |n| i128::from(*n)),
            Numbers::U64(n) => n.get(entry).map_or(0, |n| i128::from(*n)),
            Numbers::I64(n) => n.get(entry).map_or(0, |n| i128::from(*n)),
        }
    }
}

impl<'a> Column<'a> {
    /// Its flags, where it has such and all are known.
    pub(super) fn flags(&self) -> Option<&'a [bool]> {
        match (&self.entries, self.known) {
            (Entries::Flags { flags, .. }, None) => Some(flags),
            _ => None,
        }
    }

    pub(super) fn is_known(&self, entry: usize) -> bool {
        self.known.is_none_or(|known| known.get(entry) == Some(&true))
    }

    /// Puts one entry into facts.
    ///
    /// # Errors
    /// An entry that the fact cannot have.
    pub(super) fn put(&self, facts: &mut Facts, entry: usize) -> Result<(), ColumnError> {
        let policy = facts.policy().clone();
        let fact = policy.model().fact(self.fact);
        let handle = Handle { fact: self.fact, key: policy.key() };
        let value = match &self.entries {
            _ if !self.is_known(entry) => Value::Unknown,
            Entries::Words { values, places } => {
                let place = places.get(entry).copied().unwrap_or(0);
                let value = values.get(usize::from(place)).cloned();
                let name = || fact.name.to_string();
                value.ok_or_else(|| ColumnError::Place { name: name(), entry, place, n: values.len() })?
            }
            Entries::Flags { values, flags } => {
                values.get(usize::from(flags.get(entry) == Some(&true))).cloned().unwrap_or_default()
            }
            Entries::Numbers { numbers, .. } => Value::Number(numbers.at(entry)),
            #[cfg(feature = "arrow")]
            Entries::Values(values) => values.get(entry).cloned().unwrap_or_default(),
            Entries::Texts(texts) => {
                let text = texts.get(entry).copied().unwrap_or("");
                return read_text(facts, handle, text).map_err(|error| ColumnError::entry(entry, error));
            }
        };
        facts.set(handle, value).map_err(|error| ColumnError::entry(entry, error))
    }
}

fn read_text(facts: &mut Facts, handle: Handle, text: &str) -> Result<(), FactError> {
    let fact = facts.policy().model().fact(handle.fact);
    if text.len() > MAX_FACT_TEXT {
        return Err(too_long(fact, text));
    }
    match &fact.ty {
        Type::Number(NumberType { kind: NumberKind::Decimal, .. }) => facts.set_decimal(handle, text),
        Type::Number(NumberType { kind: NumberKind::Instant, .. }) => facts.set_instant(handle, text),
        Type::Number(_) => facts.set_version(handle, text),
        _ => facts.set_text(handle, text),
    }
}
