//! How bad findings are taken in one call of `nisi check`: `--deny`, `--warn`, `--allow`.
//!
//! A code says more than a group, whatever the order of the words; one code under two of the flags is refused. What is
//! an error stays one: only a proof that was cut short may be let pass.

use std::collections::BTreeMap;

use super::out::Trouble;
use crate::diag::{self, Code, Diagnostic, Severity};

/// Every warning.
const WARNINGS: &str = "warnings";
/// What is looked for only where somebody asks.
const PEDANTIC: &str = "pedantic";

/// What becomes of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Allow,
    Warn,
    Deny,
}

impl Level {
    fn flag(self) -> &'static str {
        match self {
            Level::Allow => "--allow",
            Level::Warn => "--warn",
            Level::Deny => "--deny",
        }
    }
}

/// What the flags of one call say.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Whether every warning fails the check.
    pub(super) deny_warnings: bool,
    codes: BTreeMap<&'static str, Level>,
}

impl Levels {
    /// Reads the words behind the flags.
    pub(super) fn read(deny: &[String], warn: &[String], allow: &[String]) -> Result<Levels, Trouble> {
        let mut levels = Levels::default();
        let words = [(Level::Deny, deny), (Level::Warn, warn), (Level::Allow, allow)];
        let all = words.iter().flat_map(|(level, words)| words.iter().map(|w| (*level, w.as_str())));
        let (groups, codes): (Vec<_>, Vec<_>) = all.partition(|(_, word)| [WARNINGS, PEDANTIC].contains(word));
        let mut pedantic = None;
        for (level, word) in groups {
            match (word, level) {
                (WARNINGS, Level::Deny) => levels.deny_warnings = true,
                (WARNINGS, _) => {
                    let text = format!("`{}` takes codes and `{PEDANTIC}`, not `{WARNINGS}`", level.flag());
                    return Err(Trouble::new(text).help("`--deny warnings` lets the check fail on every warning"));
                }
                _ => pedantic = Some(once(PEDANTIC, pedantic, level)?),
            }
        }
        if let Some(level) = pedantic {
            levels.codes.extend(diag::ALL.iter().filter(|c| c.pedantic).map(|c| (c.id, level)));
        }
        let mut named: BTreeMap<&'static str, Level> = BTreeMap::new();
        for (level, word) in codes {
            let code = code_of(word, level)?;
            named.insert(code.id, once(code.id, named.get(code.id).copied(), level)?);
        }
        levels.codes.extend(named);
        Ok(levels)
    }

    /// The codes that are let pass.
    pub(super) fn allowed(&self) -> Vec<Code> {
        self.codes_at(|level, _| level == Level::Allow)
    }

    /// The pedantic codes that are asked for.
    pub(super) fn pedantic(&self) -> Vec<Code> {
        self.codes_at(|level, code| code.pedantic && level != Level::Allow)
    }

    fn codes_at(&self, wanted: impl Fn(Level, Code) -> bool) -> Vec<Code> {
        let codes = self.codes.iter().filter_map(|(id, level)| Some((diag::code(id)?, *level)));
        codes.filter(|(code, level)| wanted(*level, *code)).map(|(code, _)| code).collect()
    }

    /// Takes findings as the flags say.
    pub(super) fn apply(&self, findings: &mut [Diagnostic]) {
        for finding in findings {
            match self.codes.get(finding.code.id) {
                Some(Level::Deny) => finding.severity = Severity::Error,
                Some(Level::Warn) => finding.severity = Severity::Warning.min(finding.severity),
                _ => {}
            }
        }
    }
}

/// A level that was not given before, or is the same.
fn once(word: &str, before: Option<Level>, level: Level) -> Result<Level, Trouble> {
    match before {
        Some(before) if before != level => {
            let text = format!("`{word}` stands behind `{}` and behind `{}`", before.flag(), level.flag());
            Err(Trouble::new(text).help("leave one of them out"))
        }
        _ => Ok(level),
    }
}

/// The code of a word, where it may be taken so.
fn code_of(word: &str, level: Level) -> Result<Code, Trouble> {
    let Some(code) = diag::code(word) else {
        let names = diag::ALL.iter().map(|c| c.id).chain([WARNINGS, PEDANTIC]);
        let help = match diag::nearest(word, names) {
            Some(near) => format!("did you mean `{near}`? `nisi explain` lists every code"),
            None => "`nisi explain` lists every code".to_string(),
        };
        return Err(Trouble::new(format!("`{word}` is not a code")).help(help));
    };
    match level {
        Level::Allow if !code.may_pass() => {
            let text = format!("{code} ({}) is an error and cannot be allowed", code.title);
            Err(Trouble::new(text).help(format!("no flag makes it less; `nisi explain {code}` shows its mend")))
        }
        Level::Warn if code.severity == Severity::Error => {
            let text = format!("{code} ({}) is an error and cannot be told as a warning", code.title);
            let help = if code.may_pass() {
                format!("`--allow {code}` lets a policy pass with it, knowingly undecided")
            } else {
                format!("no flag makes it less; `nisi explain {code}` shows its mend")
            };
            Err(Trouble::new(text).help(help))
        }
        _ => Ok(code),
    }
}
