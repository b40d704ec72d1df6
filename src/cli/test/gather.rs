//! What there is to run: policies compiled, their examples, and the case files beside them read.
//!
//! Policies are compiled side by side; what is wrong is told afterwards, in the order of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cases::{self, Case, CaseError, MAX_CASES_BYTES};
use crate::cli::out::{Out, Trouble};
use crate::cli::outside::{self, Content, Stopwatch};
use crate::cli::progress::Progress;
use crate::cli::{ask, threads};
use crate::compile::{self, Kind, Options};
use crate::decide::Policy;
use crate::diag::{Diagnostics, Severity};
use crate::files::cases as paths;
use crate::files::{self, Disk, Text};
use crate::text::Source;

/// Everything that can be run.
pub(super) struct Gathered {
    /// The policies, in the order of their files.
    pub(super) suites: Vec<Suite>,
    /// What could not be read.
    pub(super) troubles: Vec<Trouble>,
    /// What it took, in milliseconds.
    pub(super) took_ms: u64,
    /// Every file that was read, for whoever waits until one changes.
    pub(super) reads: BTreeSet<PathBuf>,
}

/// A policy and its cases.
pub(super) struct Suite {
    /// The policy's file.
    pub(super) file: Arc<str>,
    /// The policy, or why there is none.
    pub(super) policy: Result<Policy, Diagnostics>,
    /// The policy's text.
    pub(super) source: Source,
    /// The cases: the examples first, then file by file.
    pub(super) cases: Vec<Asked>,
    /// Cases that cannot be asked, with their files.
    pub(super) errors: Vec<(Arc<str>, CaseError)>,
    /// How many `examples` tables and case files there are.
    pub(super) n_examples: usize,
    pub(super) n_files: usize,
}

/// A case and the file that it stands in.
pub(super) struct Asked {
    pub(super) file: Arc<str>,
    pub(super) case: Case,
}

/// A policy to be read.
struct Wanted {
    path: PathBuf,
    /// Whether its examples are run: not where only case files were named.
    examples: bool,
    cases: Vec<PathBuf>,
}

/// What reading a policy gave.
struct Read {
    /// Nothing for a vocabulary.
    suite: Option<Suite>,
    troubles: Vec<Trouble>,
    reads: Vec<PathBuf>,
}

/// Reads everything under some paths; what cannot be read is told on standard error.
pub(super) fn gather(paths: &[PathBuf], out: &mut Out) -> Gathered {
    let clock = Stopwatch::start();
    let (wanted, mut troubles) = wanted(paths);
    let read = {
        let progress = Progress::start("reading", wanted.len());
        threads::in_order(wanted.len(), 1, |i| {
            progress.at(&wanted[i].path.display().to_string());
            let read = read(&wanted[i]);
            progress.step();
            read
        })
    };
    let mut gathered =
        Gathered { suites: Vec::new(), troubles: Vec::new(), took_ms: clock.ms(), reads: BTreeSet::new() };
    for one in read {
        troubles.extend(one.troubles);
        gathered.reads.extend(one.reads);
        if let Some(suite) = one.suite {
            if let Err(found) = &suite.policy {
                ask::cannot_be("tested", Path::new(&*suite.file), found, out);
            }
            for (file, error) in &suite.errors {
                out.trouble(&Trouble { message: format!("{file}:{error}"), help: error.help.clone() });
            }
            gathered.suites.push(suite);
        }
    }
    if gathered.suites.is_empty() && troubles.is_empty() {
        let none = Trouble::new("there is no policy to test");
        troubles.push(none.help("a vocabulary is tested with a policy that uses it"));
    }
    for trouble in &troubles {
        out.trouble(trouble);
    }
    gathered.troubles = troubles;
    gathered
}

/// The policies under some paths, each with the case files that are for it.
fn wanted(paths: &[PathBuf]) -> (Vec<Wanted>, Vec<Trouble>) {
    let (named, others): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|p| paths::is_case_file(p));
    let found = files::find(&others);
    let lying = paths::under(&others);
    let mut troubles = found.troubles;
    let folders: BTreeSet<&Path> = found.files.iter().filter_map(|file| file.parent()).collect();
    let beside = folders.into_iter().flat_map(paths::case_files);
    let mut wanted: BTreeMap<PathBuf, (bool, BTreeSet<PathBuf>)> =
        found.files.iter().map(|file| (file.clone(), (true, BTreeSet::new()))).collect();
    for cases in beside.chain(lying.iter().cloned()) {
        if let Some((_, files)) = paths::policy_of(&cases).and_then(|policy| wanted.get_mut(&policy)) {
            files.insert(cases);
        }
    }
    for cases in named.into_iter().map(files::plain).chain(lying) {
        match paths::policy_of(&cases) {
            Some(policy) => drop(wanted.entry(policy).or_default().1.insert(cases)),
            None => troubles.push(no_policy(&cases)),
        }
    }
    let wanted = wanted.into_iter();
    (
        wanted.map(|(path, (examples, cases))| Wanted { path, examples, cases: cases.into_iter().collect() }).collect(),
        troubles,
    )
}

fn no_policy(cases: &Path) -> Trouble {
    if let Err(error) = outside::kind(cases) {
        return files::unreadable(cases, &error);
    }
    let name = cases.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    Trouble::new(format!("`{}` has no policy beside it", cases.display()))
        .help(format!("cases stand beside their policy and have its name: this file is for `{stem}.nisi`"))
}

fn read(wanted: &Wanted) -> Read {
    let mut read = Read { suite: None, troubles: Vec::new(), reads: vec![wanted.path.clone()] };
    let file: Arc<str> = wanted.path.display().to_string().into();
    let source = match files::policy(&wanted.path) {
        Ok(Text::Read(source)) => source,
        Ok(Text::Faulty(found)) => {
            read.suite = Some(Suite::without_policy(file, Source::new("", ""), found));
            return read;
        }
        Err(trouble) => {
            read.troubles.push(trouble);
            return read;
        }
    };
    let options = Options { lints: false, ..Options::default() };
    let compiled = compile::compile(source.clone(), &Disk, &options);
    let mut found = compiled.diagnostics;
    read.reads.extend(found.sources.iter().map(|(_, source)| PathBuf::from(source.name())));
    let Some(policy) = compiled.policy else {
        found.items.retain(|d| d.severity == Severity::Error);
        if compiled.kind != Kind::Vocabulary || !found.items.is_empty() || !wanted.cases.is_empty() {
            read.suite = Some(Suite::without_policy(file, source, found));
        }
        return read;
    };
    let mut suite = Suite::without_policy(file.clone(), source, Diagnostics::default());
    if wanted.examples {
        let examples = cases::examples(&policy, &found.sources);
        suite.n_examples = policy.model().examples.len();
        suite.add(&file, examples);
    }
    for path in &wanted.cases {
        read.reads.push(path.clone());
        suite.n_files += 1;
        match text(path) {
            Ok(text) => suite.add(&path.display().to_string().into(), cases::read_cases(&policy, &text)),
            Err(trouble) => read.troubles.push(trouble),
        }
    }
    suite.policy = Ok(policy);
    read.suite = Some(suite);
    read
}

fn text(path: &Path) -> Result<String, Trouble> {
    match outside::read_file(path, MAX_CASES_BYTES as u64).map_err(|error| files::unreadable(path, &error))? {
        Content::Whole(bytes) => String::from_utf8(bytes).map_err(|_| {
            Trouble::new(format!("`{}` is not written in UTF-8", path.display())).help("save it as UTF-8")
        }),
        Content::TooLong(_) => {
            let text =
                format!("`{}` has more than the {MAX_CASES_BYTES} bytes that a case file may have", path.display());
            Err(Trouble::new(text).help("part it: `NAME.TOPIC.cases.yaml` is read too"))
        }
    }
}

impl Suite {
    fn without_policy(file: Arc<str>, source: Source, found: Diagnostics) -> Suite {
        Suite { file, source, policy: Err(found), cases: Vec::new(), errors: Vec::new(), n_examples: 0, n_files: 0 }
    }

    fn add(&mut self, file: &Arc<str>, found: cases::CaseFile) {
        self.cases.extend(found.cases.into_iter().map(|case| Asked { file: file.clone(), case }));
        self.errors.extend(found.errors.into_iter().map(|error| (file.clone(), error)));
    }

    /// Whether there is nothing that says what the policy is expected to decide.
    pub(super) fn is_bare(&self) -> bool {
        self.policy.is_ok() && self.n_examples + self.n_files == 0
    }
}
