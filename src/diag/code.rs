//! A code: the stable name of one kind of finding.

use std::fmt;

/// How bad a finding is; the worst is the least.
///
/// ```
/// use nisi::diag::Severity;
/// assert!(Severity::Error < Severity::Warning && Severity::Warning.as_str() == "warning");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The policy does not compile.
    Error,
    /// It compiles; somebody should look.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// `error`, `warning`, `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One kind of finding. Codes are stable for ever; each has a page that `nisi explain CODE` prints.
///
/// ```
/// let code = nisi::diag::code("N0301").expect("a code");
/// assert!(code.page.starts_with(&format!("# N0301: {}", code.title)));
/// ```
#[derive(Clone, Copy)]
pub struct Code {
    /// `N0203`.
    pub id: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// How bad it is unless told otherwise.
    pub severity: Severity,
    /// Whether it is looked for only where somebody asks: true, and in most policies on purpose.
    pub pedantic: bool,
    /// The page in Markdown: what it means, an example, the mend.
    pub page: &'static str,
}

impl Code {
    /// Whether a policy may pass with it when it is told to: a warning, or a proof that was cut short.
    ///
    /// ```
    /// use nisi::diag::code;
    /// assert!(code("N0309").unwrap().may_pass() && !code("N0301").unwrap().may_pass());
    /// ```
    pub fn may_pass(self) -> bool {
        self.severity != Severity::Error || self.leaves_open()
    }

    /// Where its page stands on the web, of the version that is running.
    ///
    /// ```
    /// assert!(nisi::diag::code("N0301").unwrap().url().ends_with("/src/diag/pages/N0301.md"));
    /// ```
    pub fn url(self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        format!("https://docs.rs/crate/nisi/{version}/source/src/diag/pages/{}.md", self.id)
    }

    /// Whether it says that something was not decided either way.
    pub(crate) fn leaves_open(self) -> bool {
        matches!(self.id, "N0309" | "N0310")
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}
