//! What is wrong with a case file, and where.

/// A place in a case file.
///
/// ```
/// use nisi::cases::Place;
/// assert_eq!(Place { line: 3, column: 5 }.to_string(), "3:5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// Where a file begins.
    pub(super) const START: Place = Place { line: 1, column: 1 };
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A case that cannot be asked, or a file of them that cannot be read; shown as `3:5: in case "a read", expect.action: …`.
/// [`read_cases`](super::read_cases) gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseError {
    /// Where.
    pub place: Place,
    /// The name of the case, where it is about one that has a name.
    pub case: Option<String>,
    /// The keys that lead there, such as `expect.action`; empty where it is about the whole file.
    pub key: String,
    /// What is wrong, in the user's words.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl CaseError {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        CaseError { place, case: None, key: String::new(), message: message.into(), help: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        CaseError { help: Some(help.into()), ..self }
    }

    pub(super) fn maybe_help(self, help: Option<String>) -> Self {
        CaseError { help, ..self }
    }
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.place)?;
        if let Some(case) = &self.case {
            write!(f, "in case \"{case}\", ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for CaseError {}

/// A text from outside, short enough for a message.
pub(super) fn clipped(text: &str) -> String {
    if text.chars().count() <= 64 { text.into() } else { text.chars().take(60).chain("…".chars()).collect() }
}
