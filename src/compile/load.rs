//! The files of one compilation: what `use` and `restricts` name, each once, used ones before their users.

use std::collections::HashSet;

use crate::diag::{self, Diagnostic, nearest};
use crate::model::{Role, Unit};
use crate::syntax;
use crate::syntax::tree::{ItemKind, Word};
use crate::text::{FileId, Source, SourceMap, Span};

/// The longest chain of `use`.
const MAX_DEPTH: usize = 16;
/// The most files of one compilation.
const MAX_FILES: usize = 256;

/// The vocabularies that ship inside the library: name, text.
const SHIPPED: [(&str, &str); 2] = [
    ("std.facts", include_str!("../../policies/std/facts.nisi")),
    ("std.safety", include_str!("../../policies/std/safety.nisi")),
];

/// The text of a shipped vocabulary, such as `std.facts`.
///
/// ```
/// assert!(nisi::compile::shipped("std.facts").unwrap().contains("fact condition"));
/// ```
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Answers the names that `use` and `restricts` speak of; `std` never reaches it.
///
/// ```
/// use nisi::compile::Sources;
/// use nisi::text::Source;
///
/// struct Team;
/// impl Sources for Team {
///     fn find(&self, name: &str, _beside: &str) -> Result<Option<Source>, String> {
///         Ok((name == "team.facts").then(|| Source::new("team/facts.nisi", "fact region : eu, us\n")))
///     }
/// }
/// assert!(Team.find("team.facts", "a.nisi").unwrap().is_some());
/// ```
pub trait Sources {
    /// The source of `name` (`team.facts`, as written), looked for beside the file shown as `beside`. It is asked
    /// first beside the file that says so, then beside the file that is compiled. `None` where there is none.
    ///
    /// # Errors
    /// A sentence on why a file that is there could not be read.
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String>;
}

/// Knows `std` only.
///
/// ```
/// use nisi::compile::{NoSources, Sources};
/// assert!(NoSources.find("team.facts", "a.nisi").unwrap().is_none());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn find(&self, _name: &str, _beside: &str) -> Result<Option<Source>, String> {
        Ok(None)
    }
}

/// Texts by name: for tests, editors, and policies that travel in one piece.
///
/// ```
/// use nisi::compile::Sources;
/// use std::collections::BTreeMap;
/// let texts = BTreeMap::from([("team.facts".to_string(), "fact region : eu, us\n".to_string())]);
/// assert_eq!(texts.find("team.facts", "a.nisi").unwrap().unwrap().name(), "team/facts.nisi");
/// ```
impl Sources for std::collections::BTreeMap<String, String> {
    fn find(&self, name: &str, _beside: &str) -> Result<Option<Source>, String> {
        Ok(self.get(name).map(|text| Source::new(file_name(name), text.as_str())))
    }
}

/// `team.facts` is `team/facts.nisi`.
fn file_name(name: &str) -> String {
    format!("{}.nisi", name.replace('.', "/"))
}

/// The files of one compilation.
pub(super) struct Loaded {
    pub(super) sources: SourceMap,
    pub(super) units: Vec<Unit>,
    pub(super) findings: Vec<Diagnostic>,
    /// Whether a file that is used could not be read, so that names may be missing.
    pub(super) incomplete: bool,
    /// Whether reading stopped at a limit.
    pub(super) stopped: bool,
}

/// Reads a file and all that it uses.
pub(super) fn load(source: Source, sources: &dyn Sources) -> Loaded {
    let main = source.name().to_string();
    let mut loader = Loader {
        sources,
        main,
        map: SourceMap::default(),
        units: Vec::new(),
        findings: Vec::new(),
        done: HashSet::new(),
        incomplete: false,
    };
    let file = loader.map.add(source);
    loader.file(file, Role::Main, &mut Vec::new());
    let Loader { map: sources, units, findings, incomplete, .. } = loader;
    let stopped = findings.iter().any(|d| d.code == diag::N0102);
    Loaded { sources, units, findings, incomplete, stopped }
}

struct Loader<'s> {
    sources: &'s dyn Sources,
    main: String,
    map: SourceMap,
    units: Vec<Unit>,
    findings: Vec<Diagnostic>,
    /// The shown names of files that are read.
    done: HashSet<String>,
    incomplete: bool,
}

impl Loader<'_> {
    /// Parses a file, reads what it uses, and adds it behind.
    fn file(&mut self, file: FileId, role: Role, open: &mut Vec<(String, Span)>) {
        let parsed = syntax::parse(file, self.map.get(file).policy());
        self.findings.extend(parsed.findings);
        let tree = parsed.file;
        self.incomplete |= tree.lost_use;
        if matches!(role, Role::Main) && tree.items.is_empty() && self.findings.is_empty() {
            self.findings.push(nothing_in(file, self.map.get(file).is_literate()));
        }
        for item in &tree.items {
            match &item.kind {
                ItemKind::Use(name) => {
                    let role = if name.text.starts_with("std.") { Role::Std } else { Role::Used };
                    self.follow(file, name, role, open);
                }
                ItemKind::Restricts { base, version } if matches!(role, Role::Main | Role::Base) => {
                    let before = self.units.len();
                    self.follow(file, base, Role::Base, open);
                    self.check_base(before, base, version);
                }
                _ => {}
            }
        }
        self.units.push(Unit { tree, role });
    }

    fn follow(&mut self, from: FileId, name: &Word, role: Role, open: &mut Vec<(String, Span)>) {
        let Some(source) = self.find(from, name) else {
            self.incomplete = true;
            return;
        };
        let shown = source.name().to_string();
        if let Some(i) = open.iter().position(|(n, _)| *n == shown).or((shown == self.main).then_some(0)) {
            let way: Vec<&str> =
                open[i.min(open.len())..].iter().map(|(n, _)| n.as_str()).chain([shown.as_str()]).collect();
            self.incomplete = true;
            self.findings.push(circle(name, &way));
            return;
        }
        if !self.done.insert(shown.clone()) {
            return;
        }
        // The file that is compiled is one of them.
        let n_files = self.done.len() + 1;
        if open.len() >= MAX_DEPTH || n_files > MAX_FILES {
            let (what, given, allowed) = if open.len() >= MAX_DEPTH {
                ("files deep", open.len() + 1, MAX_DEPTH)
            } else {
                ("files", n_files, MAX_FILES)
            };
            let message = format!("`use` reaches too far: {given} {what}, and at most {allowed} are allowed");
            self.incomplete = true;
            let help = "let the policy use fewer vocabularies, or put some together";
            self.findings.push(Diagnostic::new(diag::N0219, message).at(name.span, "past the limit here").help(help));
            return;
        }
        let file = self.map.add(source);
        open.push((shown, name.span));
        self.file(file, role, open);
        open.pop();
    }

    fn find(&mut self, from: FileId, name: &Word) -> Option<Source> {
        if name.text.starts_with("std.") || &*name.text == "std" {
            let found = shipped(&name.text).map(|text| Source::new(file_name(&name.text), text));
            if found.is_none() {
                let finding = Diagnostic::new(diag::N0250, format!("nothing ships under the name `{}`", name.text));
                let near = nearest(&name.text, SHIPPED.map(|(n, _)| n));
                let help = near.map_or_else(
                    || "`std.facts` and `std.safety` ship with nisi".into(),
                    |near| format!("did you mean `{near}`?"),
                );
                self.findings.push(finding.at(name.span, "not shipped").help(help));
            }
            return found;
        }
        let beside = self.map.get(from).name().to_string();
        let mut answer = self.sources.find(&name.text, &beside);
        if matches!(answer, Ok(None)) && beside != self.main {
            answer = self.sources.find(&name.text, &self.main);
        }
        let file = file_name(&name.text);
        match answer {
            Ok(Some(source)) => return Some(source),
            Ok(None) => self.findings.push(
                Diagnostic::new(diag::N0250, format!("there is no file for `{}`", name.text))
                    .at(name.span, "not found")
                    .help(format!("put `{file}` beside this file, or beside the policy that is compiled")),
            ),
            Err(why) => self.findings.push(
                Diagnostic::new(diag::N0250, format!("the file of `{}` cannot be read", name.text))
                    .at(name.span, why)
                    .help(format!("make `{file}` readable as UTF-8 text")),
            ),
        }
        None
    }

    /// The base must be a policy of just the version that is named.
    fn check_base(&mut self, before: usize, base: &Word, wanted: &Word) {
        let Some(unit) = self.units.get(before..).and_then(<[Unit]>::last).filter(|u| u.role == Role::Base) else {
            return;
        };
        let has_policy = unit.tree.items.iter().any(|i| matches!(i.kind, ItemKind::Policy(_)));
        let version =
            unit.tree.items.iter().find_map(|i| if let ItemKind::Version(v) = &i.kind { Some(v) } else { None });
        let finding = match version {
            _ if !has_policy => Diagnostic::new(diag::N0253, format!("`{}` is a vocabulary, not a policy", base.text))
                .at(base.span, "only a policy can be restricted")
                .help("write `use` for a vocabulary"),
            Some(found) if found.text == wanted.text => return,
            Some(found) => Diagnostic::new(
                diag::N0252,
                format!("`{}` is at version `{}`, not `{}`", base.text, found.text, wanted.text),
            )
            .at(wanted.span, "this version is asked for")
            .and(found.span, "this version was found")
            .help("look at what changed (`nisi diff`), then name the version that you mean")
            .fix(format!("write `{}`", found.text), false, wanted.span, &*found.text),
            None => Diagnostic::new(diag::N0252, format!("`{}` has no version", base.text))
                .at(wanted.span, "this version is asked for")
                .help("write a `version` line in the base"),
        };
        self.findings.push(finding);
    }
}

/// That a file holds nothing, so that a file emptied by accident does not pass.
fn nothing_in(file: FileId, is_literate: bool) -> Diagnostic {
    let (message, help) = if is_literate {
        (
            "no fence of this Markdown file holds a policy, or a word for others to use",
            "put it into a fence that begins with ```nisi",
        )
    } else {
        (
            "this file holds nothing: no policy, and no word for others to use",
            "begin it with `policy NAME`; `nisi new NAME` writes one to start from",
        )
    };
    Diagnostic::new(diag::N0217, message).at(Span::new(file, 0, 0), "").help(help)
}

fn circle(name: &Word, way: &[&str]) -> Diagnostic {
    Diagnostic::new(diag::N0251, format!("`use {}` leads back to a file that uses this one", name.text))
        .at(name.span, way.join(" → "))
        .help("put what both need into a third file that uses neither")
}
