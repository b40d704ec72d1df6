//! What a check found, as a value: every rendering reads it and nothing else.
//!
//! A finding holds its places as lines and columns of named files, so that findings of several compilations stand in
//! one list, sorted by place, each once: a vocabulary that five policies use is told of once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::out::{self, Trouble};
use crate::diag::{Code, Diagnostic, Diagnostics, Severity, WitnessValue};
use crate::text::{Position, Source, SourceMap, Span, with_line_ends_of};

/// Everything that a check found.
#[derive(Default)]
pub(super) struct Report {
    /// The findings.
    pub(super) findings: Vec<Finding>,
    /// The files that were checked, in order.
    pub(super) files: Vec<Checked>,
    /// The texts that places point into, by name.
    pub(super) texts: BTreeMap<Rc<str>, Source>,
    /// What could not be read or asked: no finding, and told beside them.
    pub(super) troubles: Vec<Trouble>,
    seen: BTreeSet<String>,
}

/// One file that was checked.
pub(super) struct Checked {
    /// Its name.
    pub(super) name: Rc<str>,
    /// Its examples: what each is called, and whether it holds.
    pub(super) examples: Vec<(String, bool)>,
}

/// One finding, with its places told in lines and columns.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// Its code.
    pub(super) code: Code,
    /// How bad it is.
    pub(super) severity: Severity,
    /// What is wrong.
    pub(super) message: String,
    /// What to write.
    pub(super) help: Option<String>,
    /// The file whose check found it.
    pub(super) checked: Rc<str>,
    /// The places; never empty, the place of the finding itself first.
    pub(super) places: Vec<Place>,
    /// Mends.
    pub(super) mends: Vec<Mend>,
    /// Facts that prove it, and verbs refused.
    pub(super) witness: Option<Proof>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// The file.
    pub(super) file: Rc<str>,
    /// The bytes.
    pub(super) bytes: (usize, usize),
    /// Where it begins.
    pub(super) from: Position,
    /// Where it ends; not in it.
    pub(super) to: Position,
    /// What is there.
    pub(super) text: String,
    /// Whether it is the place of the finding itself.
    pub(super) primary: bool,
}

/// A mend.
#[derive(Debug, Clone)]
pub(super) struct Mend {
    /// What it does.
    pub(super) title: String,
    /// Whether it needs no look.
    pub(super) safe: bool,
    /// Places and what to put there.
    pub(super) edits: Vec<(Place, String)>,
}

/// Facts and refused verbs that prove a finding.
#[derive(Debug, Clone)]
pub(super) struct Proof {
    /// The facts, by name.
    pub(super) facts: Vec<(String, WitnessValue)>,
    /// The refused verbs.
    pub(super) refuse: Vec<String>,
}

impl Report {
    /// Begins a file.
    pub(super) fn begin(&mut self, name: &str) -> Rc<str> {
        let name: Rc<str> = name.into();
        self.files.push(Checked { name: name.clone(), examples: Vec::new() });
        name
    }

    /// Takes over the findings of one compilation, as found by the check of `checked`.
    pub(super) fn add(&mut self, checked: &Rc<str>, found: &Diagnostics) {
        for item in &found.items {
            let finding = Finding::new(checked, item, &found.sources);
            if self.seen.insert(finding.key()) {
                for place in &finding.places {
                    if !self.texts.contains_key(&place.file)
                        && let Some((_, source)) = found.sources.iter().find(|(_, s)| *s.name() == *place.file)
                    {
                        self.texts.insert(place.file.clone(), source.clone());
                    }
                }
                self.findings.push(finding);
            }
        }
    }

    /// Sorts the findings by file and place, errors first at one place.
    pub(super) fn sort(&mut self) {
        self.findings.sort_by(|a, b| {
            let key = |f: &Finding| f.places.first().map(|p| (p.file.clone(), p.bytes.0));
            let rest = |f: &Finding| (f.severity, f.code.id);
            key(a).cmp(&key(b)).then(rest(a).cmp(&rest(b))).then_with(|| a.message.cmp(&b.message))
        });
    }

    /// How many findings are of a severity.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|f| f.severity == severity).count()
    }
}

impl Finding {
    fn new(checked: &Rc<str>, item: &Diagnostic, sources: &SourceMap) -> Self {
        let mut places: Vec<Place> =
            item.labels.iter().map(|l| Place::new(sources, l.span, &l.text, l.primary)).collect();
        if places.is_empty() {
            places.push(Place::new(sources, item.span(), "", true));
        }
        places.sort_by_key(|p| !p.primary);
        let mend = |fix: &crate::diag::Fix| Mend {
            title: fix.title.clone(),
            safe: fix.safe,
            edits: fix
                .edits
                .iter()
                .map(|e| {
                    let new = with_line_ends_of(sources.get(e.span.file).text(), &e.replacement);
                    (Place::new(sources, e.span, "", false), new)
                })
                .collect(),
        };
        Finding {
            code: item.code,
            severity: item.severity,
            message: item.message.clone(),
            help: item.help.clone(),
            checked: checked.clone(),
            places,
            mends: item.fixes.iter().map(mend).collect(),
            witness: item.witness.as_ref().map(|w| Proof { facts: w.facts.clone(), refuse: w.refuse.clone() }),
        }
    }

    /// The place of the finding itself.
    pub(super) fn place(&self) -> Option<&Place> {
        self.places.first()
    }

    /// All that is said of it in plain text, a thing a line: the message, what is at its place, what to write, and the
    /// call that shows it.
    pub(super) fn words(&self) -> String {
        let label = self.place().map(|place| place.text.clone()).filter(|text| !text.is_empty());
        let help = self.help.as_ref().map(|help| format!("help: {help}"));
        let call = self.call().map(|call| format!("try: {call}"));
        let words = std::iter::once(self.message.clone()).chain(label).chain(help).chain(call);
        words.collect::<Vec<_>>().join("\n")
    }

    /// The call that shows its proof: `nisi eval FILE --set … --refuse …`.
    pub(super) fn call(&self) -> Option<String> {
        let proof = self.witness.as_ref()?;
        let facts = proof.facts.iter().map(|(name, value)| {
            let (WitnessValue::Text(value) | WitnessValue::Number(value)) = value;
            (name.as_str(), value.clone())
        });
        Some(out::call("eval", &self.checked, None, facts, &proof.refuse))
    }

    /// What makes two findings the same: all but the file whose check found it.
    fn key(&self) -> String {
        format!("{:?}", (self.code.id, &self.message, &self.help, &self.places, &self.mends, &self.witness))
    }
}

impl Place {
    fn new(sources: &SourceMap, span: Span, text: &str, primary: bool) -> Self {
        let source = sources.get(span.file);
        let (start, end) = (span.start as usize, (span.end as usize).max(span.start as usize));
        let (from, to) = (source.position(start), source.position(end));
        Place { file: source.name().into(), bytes: (start, end), from, to, text: text.to_string(), primary }
    }
}
