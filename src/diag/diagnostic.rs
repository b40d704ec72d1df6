//! A finding as a value.

use super::{Code, Severity};
use crate::text::{SourceMap, Span};

/// One finding.
///
/// ```
/// let found = nisi::Policy::compile("policy a\nversion 1\nfact a : count\nfact a : count\n").unwrap_err();
/// let finding = found.items.iter().find(|f| f.labels.len() == 2).expect("both places of `a`");
/// let place = found.sources.get(finding.span().file).position(finding.span().start as usize);
/// assert_eq!((place.line, place.column), (4, 6));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is here.
    pub severity: Severity,
    /// What is wrong, in the author's words: lower case, no full stop, the author's words in backticks.
    pub message: String,
    /// What to write; a sentence, and at times a call below it.
    pub help: Option<String>,
    /// Places; the first primary one is where it stands.
    pub labels: Vec<Label>,
    /// Mends, each of which stands for itself.
    pub fixes: Vec<Fix>,
    /// Facts that prove it.
    pub witness: Option<Witness>,
}

/// A place and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is at that place; may be empty for the primary one.
    pub text: String,
    /// Whether this is the place of the finding itself.
    pub primary: bool,
}

/// A mend, as edits that belong together: all of them or none.
///
/// ```
/// let found = nisi::Policy::compile("policy a\nversion 1\nfact a : durtion\n").unwrap_err();
/// let fix = found.items.iter().flat_map(|f| &f.fixes).next().expect("a word was meant");
/// assert_eq!(fix.edits[0].replacement, "duration");
/// assert_eq!(found.sources.slice(fix.edits[0].span), "durtion");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// Whether it can be applied without a look: it changes no decision, or the text had no other meaning.
    pub safe: bool,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub replacement: String,
}

/// Facts, and verbs that the world refuses, that prove a finding: what `nisi eval` takes as it is.
///
/// ```
/// use nisi::diag::WitnessValue;
/// let text = "policy a\nversion 1\nfact n : count\ntable t, first row wins\n| n | => action |\n| unknown or >= 1 | stop |\n";
/// let found = nisi::Policy::compile(text).unwrap_err();
/// let witness = found.items[0].witness.as_ref().expect("the facts that no row takes");
/// assert_eq!(witness.facts, [("n".to_string(), WitnessValue::Number("0".into()))]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Witness {
    /// Facts by name, in the order of their declaration; a fact that is unknown is left out.
    pub facts: Vec<(String, WitnessValue)>,
    /// Refused verbs: `retry`, `failover to equivalent`.
    pub refuse: Vec<String>,
}

/// A fact's value as facts come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WitnessValue {
    /// A JSON string.
    Text(String),
    /// A JSON number, by its digits.
    Number(String),
}

impl Diagnostic {
    /// A finding with its code's own severity.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity,
            message: message.into(),
            help: None,
            labels: Vec::new(),
            fixes: Vec::new(),
            witness: None,
        }
    }

    /// Adds the place of the finding itself.
    #[must_use]
    pub(crate) fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: true });
        self
    }

    /// Adds another place that has to do with it.
    #[must_use]
    pub(crate) fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Says what to write.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers one replacement as a mend.
    #[must_use]
    pub(crate) fn fix(
        mut self,
        title: impl Into<String>,
        safe: bool,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        let edit = Edit { span, replacement: replacement.into() };
        self.fixes.push(Fix { title: title.into(), safe, edits: vec![edit] });
        self
    }

    /// Brings the proof.
    #[must_use]
    pub(crate) fn witness(mut self, witness: Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Where it stands: the first primary label's place.
    pub fn span(&self) -> Span {
        let primary = self.labels.iter().find(|l| l.primary).or(self.labels.first());
        primary.map_or_else(Span::default, |l| l.span)
    }
}

/// Findings together with the sources that they point into; shown one a line, with its help below.
///
/// ```
/// let found = nisi::Policy::compile("policy a\nversion 1\n").unwrap_err();
/// assert!(found.has_errors());
/// assert!(found.to_string().starts_with("policy.nisi:1:"), "{found}");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    /// The findings, in the order of their places.
    pub items: Vec<Diagnostic>,
    /// What the spans point into.
    pub sources: SourceMap,
}

impl Diagnostics {
    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.items.iter().any(|d| d.severity == Severity::Error)
    }

    /// Puts them in the order of file and place, errors before warnings at one place, and drops exact repeats.
    pub(crate) fn sort(&mut self) {
        self.items.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.span().file, d.span().start, d.severity, d.code.id, d.span().end);
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        self.items.dedup();
    }
}

impl std::fmt::Display for Diagnostics {
    /// One line a finding: `file:line:column: error[N0203]: message`, with its help below.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, item) in self.items.iter().enumerate() {
            let source = self.sources.get(item.span().file);
            let at = source.position(item.span().start as usize);
            let (name, severity) = (source.name(), item.severity.as_str());
            let end = if i > 0 { "\n" } else { "" };
            write!(f, "{end}{name}:{}:{}: {severity}[{}]: {}", at.line, at.column, item.code, item.message)?;
            if let Some(help) = &item.help {
                write!(f, "\n  help: {help}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
