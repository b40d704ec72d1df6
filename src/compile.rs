//! Floor 6, the spine: the one file that knows the order of the stages.
//!
//! Text becomes trees (the file and what it uses), trees a model, the model is judged for every input, and from it
//! the program is built. Every stage gives its findings beside its value; only here they become a refusal.

mod load;
mod missing;

use crate::analysis::{self, Limits};
use crate::decide::Policy;
use crate::diag::{self, Code, Diagnostic, Diagnostics, Severity};
use crate::model::{self, Model};
use crate::program::Program;
use crate::syntax;
use crate::text::{Source, Span};

pub use load::{NoSources, Sources, shipped};

/// How to compile.
///
/// ```
/// use nisi::compile::Options;
/// let quick = Options { proofs: false, ..Options::default() };
/// assert!(Options::default().proofs && !quick.proofs);
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether the policy is proven. Left out, facts that no row answers give `review` with a gap
    /// ([`Decision::is_gap`](crate::Decision::is_gap)), and rules are not held.
    pub proofs: bool,
    /// Whether what is no fault, but worth a look, is looked for beside the proofs.
    pub lints: bool,
    /// How many steps the proofs may take in all before the verdict is *undecided*; steps, never time.
    pub max_steps: u64,
    /// The day, `2027-01-31`, on which waivers are judged; nothing judges none. The engine has no clock of its own.
    pub today: Option<String>,
    /// Findings that are let pass; errors cannot be, save *undecided*.
    pub allow: Vec<Code>,
    /// Pedantic findings that are looked for ([`Code::pedantic`](diag::Code::pedantic)); others are not.
    pub pedantic: Vec<Code>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            proofs: true,
            lints: true,
            max_steps: 2_000_000,
            today: None,
            allow: Vec::new(),
            pedantic: Vec::new(),
        }
    }
}

/// What a file turned out to be; see [`compile`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A policy: it has a `policy` line.
    Policy,
    /// A vocabulary: for policies to use.
    Vocabulary,
    /// A file whose reading stopped at a limit, or one that uses such a file: what it is, nobody can tell.
    Unread,
}

/// A compilation: the policy where there is one, and every finding, warnings too; see [`compile`].
#[derive(Debug)]
pub struct Compiled {
    /// The policy; nothing where a finding is an error, and for a vocabulary.
    pub policy: Option<Policy>,
    /// What the file is.
    pub kind: Kind,
    /// The findings, in order.
    pub diagnostics: Diagnostics,
    /// How much was looked at.
    pub counts: Counts,
}

/// How much a compilation looked at; see [`compile`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tables, derives and classifies of the file and of what it uses.
    pub n_tables: usize,
    /// Their rows.
    pub n_rows: usize,
    /// Rules that hold of it.
    pub n_rules: usize,
}

/// Compiles a policy, or checks a vocabulary: all findings, and the policy if none is an error.
///
/// `sources` answers the names that `use` and `restricts` speak of; nothing else is read.
///
/// ```
/// use nisi::compile::{Kind, NoSources, Options, compile};
/// use nisi::text::Source;
///
/// let source = Source::new("a.nisi", "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n");
/// let compiled = compile(source, &NoSources, &Options::default());
/// assert!(compiled.policy.is_some(), "{}", compiled.diagnostics);
/// assert_eq!((compiled.kind, compiled.counts.n_rows), (Kind::Policy, 1));
///
/// let shared = compile(Source::new("team.nisi", "fact region : eu, us\n"), &NoSources, &Options::default());
/// assert!(shared.policy.is_none() && !shared.diagnostics.has_errors());
/// assert_eq!(shared.kind, Kind::Vocabulary);
/// ```
pub fn compile(source: Source, sources: &dyn Sources, options: &Options) -> Compiled {
    compile_with_trees(source, sources, options).0
}

/// The same, with what is written: a tree for each file, used ones before their users.
pub(crate) fn compile_with_trees(
    source: Source,
    sources: &dyn Sources,
    options: &Options,
) -> (Compiled, Vec<model::Unit>) {
    let Front { loaded, model, mut findings, sound } = front(source, sources);
    if options.proofs && !loaded.stopped {
        let limits = Limits {
            max_steps: options.max_steps,
            complete: sound,
            lints: options.lints,
            pedantic: options.lints && !options.pedantic.is_empty(),
        };
        findings.extend(analysis::analyse(&model, &limits));
        if sound {
            findings.extend(analysis::bounds::bound_findings(&model));
        }
        findings.retain(|d| !d.code.pedantic || options.pedantic.contains(&d.code));
        analysis::lift(&model, &mut findings, |c| {
            sound && options.lints && (!c.pedantic || options.pedantic.contains(&c))
        });
        analysis::fit(&model, &loaded.sources, &mut findings);
    }
    if let Some(today) = &options.today {
        findings.extend(analysis::run_out(&model, today));
    }
    let kind = kind_of(&model, &loaded);
    let counts = count(&model);
    let mut diagnostics = Diagnostics { items: findings, sources: loaded.sources };
    let proven = options.proofs && !diagnostics.items.iter().any(|d| d.code.leaves_open());
    diagnostics.items.retain(|d| !(d.code.may_pass() && options.allow.contains(&d.code)));
    settle(&mut diagnostics);
    let refused = kind != Kind::Policy || diagnostics.has_errors();
    let policy = (!refused).then(|| {
        let program = Program::build(&model);
        Policy::new(model, program, proven, diagnostics.sources.origins())
    });
    (Compiled { policy, kind, diagnostics, counts }, loaded.units)
}

/// A file and what it uses, read and resolved.
struct Front {
    loaded: load::Loaded,
    model: Model,
    findings: Vec<Diagnostic>,
    /// Whether everything could be read and understood.
    sound: bool,
}

fn front(source: Source, sources: &dyn Sources) -> Front {
    let mut loaded = load::load(source, sources);
    let mut findings = std::mem::take(&mut loaded.findings);
    let lowered = model::lower(&loaded.units);
    let sound = !has_errors(&findings) && !has_errors(&lowered.findings);
    // What was not read is not missed.
    if !loaded.stopped {
        findings.extend(lowered.findings);
        missing::settle(&loaded, &mut findings);
    }
    Front { loaded, model: lowered.model, findings, sound }
}

fn kind_of(model: &Model, loaded: &load::Loaded) -> Kind {
    match &*model.name {
        _ if loaded.stopped => Kind::Unread,
        "" => Kind::Vocabulary,
        _ => Kind::Policy,
    }
}

/// A file and what it uses, read and resolved but not judged: what an editor shows while somebody types.
#[cfg(any(feature = "lsp", feature = "exchange"))]
pub(crate) struct Draft {
    /// The trees, used files before their users; a span says which file it lies in.
    pub(crate) units: Vec<model::Unit>,
    /// What they mean, as far as they could be understood.
    pub(crate) model: Model,
    /// What is wrong with the words; whether the tables are whole is not judged.
    pub(crate) diagnostics: Diagnostics,
}

/// Reads and resolves a file, without proofs and without a program.
#[cfg(any(feature = "lsp", feature = "exchange"))]
pub(crate) fn draft(source: Source, sources: &dyn Sources) -> Draft {
    let Front { loaded, model, findings, .. } = front(source, sources);
    let mut diagnostics = Diagnostics { items: findings, sources: loaded.sources };
    settle(&mut diagnostics);
    Draft { units: loaded.units, model, diagnostics }
}

/// Puts findings in order, those of one mistake together, and leaves out what is past the limit.
fn settle(diagnostics: &mut Diagnostics) {
    diagnostics.sort();
    diagnostics.gather();
    diagnostics.keep(syntax::Limits::FINDINGS);
}

fn has_errors(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|d| d.severity == Severity::Error)
}

fn count(model: &Model) -> Counts {
    let derives = model.derives.iter().map(|d| &d.table);
    let tables: Vec<_> = model.tables.iter().chain(derives).chain(model.classifies.iter().map(|c| &c.table)).collect();
    Counts { n_tables: tables.len(), n_rows: tables.iter().map(|t| t.rows.len()).sum(), n_rules: model.rules.len() }
}

impl Policy {
    /// Compiles a policy that uses nothing but `std`, with all proofs.
    ///
    /// ```
    /// let policy = nisi::Policy::compile("policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n")?;
    /// assert_eq!(policy.name(), "a");
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every finding, where one is an error.
    pub fn compile(source: &str) -> Result<Policy, Diagnostics> {
        Policy::compile_with(Source::new("policy.nisi", source), &NoSources, &Options::default())
    }

    /// Compiles a policy with the files that `sources` answers, as `options` say.
    ///
    /// ```
    /// use nisi::Policy;
    /// use nisi::compile::Options;
    /// use nisi::text::Source;
    /// use std::collections::BTreeMap;
    ///
    /// let team = BTreeMap::from([("team.facts".to_string(), "fact region : eu, us\n".to_string())]);
    /// let text = "policy a\nversion 1\nuse team.facts\ntable t, first row wins\n| region | => action |\n| eu | stop |\n| otherwise | review |\n";
    /// let policy = Policy::compile_with(Source::new("a.nisi", text), &team, &Options::default())?;
    /// assert!(policy.is_proven());
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every finding, where one is an error; a file without a `policy` line.
    pub fn compile_with(source: Source, sources: &dyn Sources, options: &Options) -> Result<Policy, Diagnostics> {
        let compiled = compile(source, sources, options);
        let mut diagnostics = compiled.diagnostics;
        if compiled.kind == Kind::Vocabulary && !diagnostics.has_errors() {
            diagnostics.items.push(
                Diagnostic::new(diag::N0217, "this file has no `policy` line: it is a vocabulary, and decides nothing")
                    .at(Span::default(), "here the policy begins")
                    .help("write `policy NAME` first"),
            );
        }
        compiled.policy.ok_or(diagnostics)
    }
}
