//! The files of a path, as they were read at one moment.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{LiveOptions, Refusal, Set};
use crate::cases::run_examples;
use crate::compile::{Sources, compile};
use crate::diag::{Diagnostics, Severity};
use crate::files::door::{Kind, kind};
use crate::files::{Form, Text, find, form, paths_of};
use crate::text::Source;

/// What each file held: those under the path, and those that they named, the missing ones too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    files: BTreeMap<PathBuf, Held>,
    /// What kept the path from being searched.
    troubles: Vec<String>,
}

/// What was found in place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    /// Whether it lies under the path, so that it is compiled for its own sake.
    own: bool,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Text(String),
    /// A compiled policy; nobody has looked into it.
    Artifact(Vec<u8>),
    /// It is there, and cannot be read as a policy; why.
    Faulty(String),
    Missing,
}

/// Reads the files under a path, and of those that were named at an earlier look.
pub(super) fn read(path: &Path, before: &Seen) -> Seen {
    let found = find(&[path.to_path_buf()]);
    let troubles = found.troubles.into_iter().map(|t| t.message).collect();
    let mut files: BTreeMap<PathBuf, Held> = found.files.iter().map(|file| (file.clone(), held(file, true))).collect();
    for file in before.files.keys() {
        if !files.contains_key(file) {
            files.insert(file.clone(), held(file, false));
        }
    }
    Seen { files, troubles }
}

fn held(file: &Path, own: bool) -> Held {
    let what = match kind(file) {
        Err(error) if !own && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => What::Missing,
        Ok(Kind::Folder) if !own => What::Missing,
        _ => match form(file) {
            Ok(Form::Text(Text::Read(source))) => What::Text(source.text().to_string()),
            Ok(Form::Text(Text::Faulty(found))) => What::Faulty(found.to_string()),
            Ok(Form::Artifact(bytes)) => What::Artifact(bytes),
            Err(trouble) => What::Faulty(trouble.message),
        },
    };
    Held { own, what }
}

/// Compiles the policies of the files that were read, and tells all that was read in doing so.
pub(super) fn compiled(path: &Path, seen: Seen, options: &LiveOptions) -> (Result<Set, Refusal>, Seen) {
    let named = Named { seen: &seen, more: RefCell::default() };
    let set = set(path, &named, options);
    let mut files: BTreeMap<PathBuf, Held> =
        seen.files.iter().filter(|(_, held)| held.own).map(|(path, held)| (path.clone(), held.clone())).collect();
    files.extend(named.more.into_inner());
    (set, Seen { files, troubles: seen.troubles })
}

fn set(path: &Path, named: &Named, options: &LiveOptions) -> Result<Set, Refusal> {
    let mut unreadable = named.seen.troubles.clone();
    let mut set = Set::new();
    for (file, held) in named.seen.files.iter().filter(|(_, held)| held.own) {
        match &held.what {
            What::Text(_) if options.wants_signatures() => {
                let why = "it is a text, and only artifacts that are signed are taken: `nisi compile --sign`";
                return Err(Refusal::Artifact { file: file.display().to_string(), why: why.into() });
            }
            What::Text(text) => {
                let source = Source::new(file.display().to_string(), text.as_str());
                set.extend(one(source, named, options)?);
            }
            What::Artifact(bytes) => {
                let refusal = |why| Refusal::Artifact { file: file.display().to_string(), why };
                set.push(loaded(bytes, options).map_err(refusal)?);
            }
            What::Faulty(told) => unreadable.push(told.clone()),
            What::Missing => {}
        }
    }
    if !unreadable.is_empty() {
        return Err(Refusal::Unreadable(unreadable));
    }
    for (i, policy) in set.iter().enumerate() {
        if set[..i].iter().any(|other| other.name() == policy.name()) {
            return Err(Refusal::Twice(policy.name().to_string()));
        }
    }
    if set.is_empty() { Err(Refusal::Empty(path.display().to_string())) } else { Ok(set) }
}

/// The policy of a file, nothing for a vocabulary.
fn one(source: Source, named: &Named, options: &LiveOptions) -> Result<Option<crate::Policy>, Refusal> {
    let mut found = compile(source, named, &options.compile);
    if let Some(policy) = &found.policy {
        let failed = run_examples(policy, &found.diagnostics.sources).into_iter().filter_map(|outcome| outcome.finding);
        found.diagnostics.items.extend(failed);
    }
    let refuses = |severity: Severity| match severity {
        Severity::Error => true,
        Severity::Warning => options.deny_warnings,
        Severity::Note => false,
    };
    let Diagnostics { items, sources } = found.diagnostics;
    if items.iter().any(|d| refuses(d.severity)) {
        return Err(Refusal::Findings(Diagnostics { items, sources }));
    }
    Ok(found.policy)
}

/// The policy of an artifact. Whom it comes from is looked at where that is asked; where not, whether it is what its rows
/// say.
fn loaded(bytes: &[u8], options: &LiveOptions) -> Result<crate::Policy, String> {
    #[cfg(feature = "sign")]
    if options.wants_signatures() {
        crate::artifact::signer(bytes, &options.keys).map_err(|error| error.to_string())?;
    }
    let policy = crate::Policy::load(bytes).map_err(|error| error.to_string())?;
    if !options.wants_signatures() {
        policy.verify().map_err(|error| error.to_string())?;
    }
    if options.compile.proofs && !policy.is_proven() {
        return Err("it was compiled without its proofs: compile it with them".into());
    }
    Ok(policy)
}

/// Answers names with the files as they were read, and reads those that were not.
struct Named<'a> {
    seen: &'a Seen,
    more: RefCell<BTreeMap<PathBuf, Held>>,
}

impl Sources for Named<'_> {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        for path in paths_of(name, beside) {
            let known = self.seen.files.get(&path).cloned();
            let held = known.unwrap_or_else(|| held(&path, false));
            if !held.own {
                self.more.borrow_mut().insert(path.clone(), held.clone());
            }
            match held.what {
                What::Text(text) => return Ok(Some(Source::new(path.display().to_string(), text))),
                What::Missing => {}
                What::Faulty(told) => return Err(told),
                What::Artifact(_) => return Err(format!("`{}` is compiled; name its text", path.display())),
            }
        }
        Ok(None)
    }
}
