//! What `eval` and `why` have in common: the policy that is asked, and the facts that it is asked with.
//!
//! Facts come from a file, from `--set`, or both: then `--set` is the word that counts. Everything that is wrong with
//! them is told at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::disk::{self, Disk, Text};
use super::form::{self, Form};
use super::out::{Exit, Failure, Out, Trouble};
use super::outside::{self, Content};
use super::report::Report;
use super::{progress, render};
use crate::artifact::LoadError;
use crate::compile::{self, Kind, Options};
use crate::decide::{
    Decision, FactError, Facts, MAX_FACTS_BYTES, Policy, Raw, Refused, Why, facts_from_json, facts_from_yaml,
};
use crate::diag::{self, Code, Diagnostics, Severity};

/// The arguments that say what is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Question {
    /// The policy, text or artifact
    pub(super) policy: PathBuf,
    /// Asks this table alone, instead of the first one
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// A fact, such as condition=timeout or deadline=12s; a fact that nothing sets is unknown
    #[arg(long, value_name = "FACT=VALUE")]
    set: Vec<String>,
    /// Refuses a verb as the world might, such as retry or 'failover to NAME'; may be given several times
    #[arg(long, value_name = "VERB")]
    refuse: Vec<String>,
}

/// A file of facts.
#[derive(Debug, clap::Args)]
pub(super) struct FactsFile {
    /// A JSON or YAML map of facts, `-` for standard input; what `--set` says counts more
    #[arg(long, value_name = "FILE")]
    pub(super) facts: Option<PathBuf>,
}

/// A policy that can be asked, with all but the facts.
pub(super) struct Asked {
    /// The policy.
    pub(super) policy: Policy,
    /// The table; nothing is the first.
    table: Option<String>,
    /// What the world refuses.
    refused: Refused,
    /// What `--set` gives.
    pub(super) set: Vec<(String, Raw)>,
    /// `Yes`, or `No` where the policy has errors: then it is asked as it stands, so that the witness of a proof
    /// that failed can be looked at.
    pub(super) exit: Exit,
}

/// Why there is no answer, already told.
pub(super) type Told = Result<Asked, Exit>;

/// Compiles the policy and reads the rest of the question.
pub(super) fn asked(question: &Question, out: &mut Out) -> Result<Told, Failure> {
    let (policy, exit) =
        match compiled(&question.policy, &Options { lints: false, ..Options::default() }, "asked", out)? {
            Ok(policy) => (policy, Exit::Yes),
            Err(None) => return Ok(Err(Exit::No)),
            Err(Some(unproven)) => {
                out.say("what it would decide as it stands, unproven:");
                (unproven, Exit::No)
            }
        };
    let (set, mut troubles) = assignments(&question.set);
    let refused = policy.refuse(question.refuse.iter().map(String::as_str)).unwrap_or_else(|errors| {
        troubles.extend(errors.iter().map(|e| Trouble { message: e.to_string(), help: e.help() }));
        Refused::nothing()
    });
    for trouble in &troubles {
        out.trouble(trouble);
    }
    if !troubles.is_empty() {
        return Ok(Err(Exit::Unasked));
    }
    Ok(Ok(Asked { policy, table: question.table.clone(), refused, set, exit }))
}

/// The policy of a file, text or artifact; its errors are told on standard error, with what it cannot be for them.
/// Where only proofs fail, the unproven policy comes in place of it.
pub(super) fn compiled(
    path: &Path,
    options: &Options,
    wanted: &str,
    out: &mut Out,
) -> Result<Result<Policy, Option<Policy>>, Failure> {
    match form::read(path)? {
        Form::Artifact(bytes) => Ok(Ok(loaded(path, bytes)?)),
        Form::Text(text) => compiled_text(path, text, options, wanted, out),
    }
}

/// The same of a text.
pub(super) fn compiled_text(
    path: &Path,
    text: Text,
    options: &Options,
    wanted: &str,
    out: &mut Out,
) -> Result<Result<Policy, Option<Policy>>, Failure> {
    let source = match text {
        Text::Read(source) => source,
        Text::Faulty(found) => {
            cannot_be(wanted, path, &found, out);
            return Ok(Err(None));
        }
    };
    let compiled = progress::during("proving", path, || compile::compile(source.clone(), &Disk, options));
    if compiled.policy.is_none() && compiled.diagnostics.has_errors() {
        let mut found = compiled.diagnostics;
        found.items.retain(|d| d.severity == Severity::Error);
        cannot_be(wanted, path, &found, out);
        let unproven = compile::compile(source, &Disk, &Options { proofs: false, ..options.clone() });
        return Ok(Err(unproven.policy));
    }
    match (compiled.policy, compiled.kind) {
        (Some(policy), _) => Ok(Ok(policy)),
        (None, kind) => Err(no_policy(wanted, path, kind).into()),
    }
}

/// The policy of an artifact.
pub(super) fn loaded(path: &Path, bytes: Vec<u8>) -> Result<Policy, Trouble> {
    let told = |error: LoadError| {
        Trouble::new(format!("`{}` could not be loaded: {error}", path.display())).help(error.help())
    };
    Policy::load(bytes).map_err(told)
}

/// The codes of proofs that were cut short, which `--allow` may let pass.
pub(super) fn passable(names: &[String]) -> Result<Vec<Code>, Trouble> {
    let code = |name: &String| {
        let code: Option<Code> = diag::code(name).filter(|code| code.severity == Severity::Error && code.may_pass());
        code.ok_or_else(|| {
            let text = format!("`--allow {name}` means nothing here");
            Trouble::new(text).help("what can be let pass are proofs that were cut short: N0309 and N0310")
        })
    };
    names.iter().map(code).collect()
}

/// Why a file without errors gives no policy.
pub(super) fn no_policy(wanted: &str, path: &Path, kind: Kind) -> Trouble {
    let shown = path.display();
    match kind {
        Kind::Vocabulary => {
            let text = format!("`{shown}` is a vocabulary, as it has no `policy` line, and cannot be {wanted}");
            Trouble::new(text).help("name a policy that uses it, or begin it with `policy NAME`")
        }
        Kind::Policy | Kind::Unread => Trouble::new(format!("`{shown}` could not be compiled")),
    }
}

/// Tells the errors of a policy, and what it cannot be for them.
pub(super) fn cannot_be(wanted: &str, path: &Path, found: &Diagnostics, out: &mut Out) {
    let shown = path.display();
    let mut report = Report::default();
    let name = report.begin(&shown.to_string());
    report.add(&name, found);
    out.say_as_is(&render::human::render(&report, out.beside));
    out.say(&format!("`{shown}` has errors and cannot be {wanted}"));
}

/// The facts of `--set`, each once; and what is wrong with them.
fn assignments(words: &[String]) -> (Vec<(String, Raw)>, Vec<Trouble>) {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut set, mut troubles) = (Vec::new(), Vec::new());
    for word in words {
        match word.split_once('=') {
            None => {
                let trouble = Trouble::new(format!("`--set {word}` gives no value"));
                troubles.push(trouble.help(format!("write `--set {word}=VALUE`, or leave it out where it is unknown")));
            }
            Some(("", value)) => {
                let trouble = Trouble::new(format!("`--set ={value}` names no fact"));
                troubles.push(trouble.help(format!("write `--set FACT={value}`")));
            }
            Some((name, "")) => {
                let trouble = Trouble::new(format!("`--set {name}=` gives no value"));
                troubles.push(trouble.help(format!("write `{name}=unknown` where it is unknown")));
            }
            Some((name, value)) => match first.insert(name, value) {
                Some(before) => {
                    let text = format!("`{name}` is set twice, to `{before}` and to `{value}`");
                    troubles.push(Trouble::new(text).help("keep one of the two"));
                }
                None => set.push((name.to_string(), Raw::Plain(value.to_string()))),
            },
        }
    }
    (set, troubles)
}

impl Asked {
    /// The decision.
    pub(super) fn decide<'a>(&'a self, facts: &'a Facts) -> Result<Decision<'a>, Trouble> {
        match &self.table {
            None => Ok(self.policy.decide_with(facts, &self.refused)),
            Some(table) => {
                let decided = self.policy.decide_table(table, facts, &self.refused);
                decided.map_err(|error| Trouble { message: error.to_string(), help: error.help() })
            }
        }
    }

    /// The way of the decision.
    pub(super) fn why<'a>(&'a self, facts: &'a Facts) -> Result<Why<'a>, Trouble> {
        self.decide(facts).map(Decision::why)
    }

    /// The facts of a file and of `--set`; what is wrong with them is told, and then there are none.
    pub(super) fn facts(&self, file: &FactsFile, out: &mut Out) -> Result<Option<Facts>, Failure> {
        let mut given = match &file.facts {
            Some(path) => read_facts(path)?,
            None => Vec::new(),
        };
        given.retain(|(name, _)| !self.set.iter().any(|(set, _)| set == name));
        given.extend(self.set.iter().cloned());
        match self.policy.read_facts(given) {
            Ok(facts) => Ok(Some(facts)),
            Err(errors) => {
                for error in &errors {
                    out.trouble(&trouble_of(error));
                }
                Ok(None)
            }
        }
    }
}

/// A fact's error, as it is told.
pub(super) fn trouble_of(error: &FactError) -> Trouble {
    Trouble { message: error.to_string(), help: error.help() }
}

fn read_facts(path: &Path) -> Result<Vec<(String, Raw)>, Trouble> {
    let shown = if outside::is_dash(path) { "standard input".to_string() } else { format!("`{}`", path.display()) };
    let bytes = match outside::read(path, MAX_FACTS_BYTES as u64).map_err(|e| disk::unreadable(path, &e))? {
        Content::Whole(bytes) => bytes,
        Content::TooLong(size) => {
            let given = size.map_or_else(|| format!("more than {MAX_FACTS_BYTES}"), |size| size.to_string());
            let text = format!("{shown}: the facts have {given} bytes, and at most {MAX_FACTS_BYTES} are allowed");
            return Err(Trouble::new(text));
        }
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Trouble::new(format!("{shown} is not written in UTF-8: its byte {at} is no part of a character"))
    })?;
    let read = if is_json(path, &text) { facts_from_json(&text) } else { facts_from_yaml(&text) };
    read.map_err(|error| Trouble { message: format!("{shown}: {error}"), help: error.help })
}

/// JSON by its ending, else by its first sign.
fn is_json(path: &Path, text: &str) -> bool {
    match path.extension().and_then(|e| e.to_str()) {
        Some("json") => true,
        Some("yaml" | "yml") => false,
        _ => text.trim_start_matches('\u{feff}').trim_start().starts_with('{'),
    }
}

/// The draw of a wait: of a seed and a line, or nobody's to foresee. The mixing is that of splitmix64 (Steele, Lea and
/// Flood, 2014), so that neighbouring seeds draw waits far apart.
pub(super) fn draw(seed: Option<u64>, line: u64) -> u64 {
    let Some(seed) = seed else { return outside::chance() };
    let mut z = seed.wrapping_add(line.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_read_and_each_fault_is_told() {
        let words = ["a=1", "b=x=y", "c", "d=", "a=2"].map(String::from);
        let (set, troubles) = assignments(&words);
        assert_eq!(set.len(), 2);
        assert_eq!(set[1], ("b".to_string(), Raw::Plain("x=y".into())));
        assert_eq!(troubles.len(), 3);
    }

    #[test]
    fn a_seed_repeats_its_draw_and_the_next_one_is_elsewhere() {
        assert_eq!(draw(Some(1), 0), draw(Some(1), 0));
        assert_ne!(draw(Some(1), 0) >> 56, draw(Some(2), 0) >> 56);
        assert_ne!(draw(Some(1), 1), draw(Some(1), 2));
    }
}
