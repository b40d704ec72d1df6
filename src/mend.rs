//! Floor 7: the mends that need no look, made in one file: for `nisi check --fix`, and for editors.
//!
//! A file is mended in rounds: every safe mend of its findings whose edits meet no other's, then it is compiled anew,
//! until nothing changes. A round stands only where it does no harm: a policy that compiled still does and decides the
//! same for every input (both are compared), one that did not has no more errors than before, and fewer findings at
//! the end; and whoever uses a vocabulary still decides the same. Where a round does harm, its mends are tried one by one.

use std::collections::BTreeSet;

use crate::compare::{CompareOptions, compare};
use crate::compile::{self, Compiled, Kind, Options, Sources};
use crate::diag::{Code, Edit, Severity};
use crate::text::{Source, with_line_ends_of};

/// So many rounds a file.
const ROUNDS: usize = 16;

/// What stands around a file that is mended.
pub(crate) struct Around<'a> {
    /// What the file, and those who use it, may use.
    pub(crate) sources: &'a dyn Sources,
    /// The other policies; asked for only where the file is a vocabulary.
    pub(crate) users: &'a dyn Fn() -> Vec<Source>,
    /// Whether anybody still waits for it; asked before each compilation.
    pub(crate) goes_on: &'a dyn Fn() -> bool,
}

/// The text of a file with its safe mends made, and how many they are; as it was where nobody waits any more.
pub(crate) fn mended(source: &Source, around: &Around<'_>, options: &Options) -> (String, usize) {
    Work { around, options, name: source.name(), users: None }.rounds(source.text())
}

/// The sources around a file, with another text of it.
struct Over<'a> {
    below: &'a dyn Sources,
    name: &'a str,
    text: &'a str,
}

impl Sources for Over<'_> {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        let found = self.below.find(name, beside)?;
        Ok(found.map(|source| if source.name() == self.name { Source::new(self.name, self.text) } else { source }))
    }
}

/// One file at work.
struct Work<'a> {
    around: &'a Around<'a>,
    options: &'a Options,
    name: &'a str,
    /// The other policies, once they are asked for.
    users: Option<Vec<Source>>,
}

impl Work<'_> {
    fn compile(&self, text: &str) -> Compiled {
        compile::compile(Source::new(self.name, text), self.around.sources, self.options)
    }

    /// Mends until nothing changes; the best text on the way, and how many mends it took. A mend may bring another
    /// fault to light: what counts is what is left of them.
    fn rounds(&mut self, before: &str) -> (String, usize) {
        let (mut text, mut count) = (before.to_string(), 0);
        let mut compiled = self.compile(&text);
        let mut best = (faults(&compiled), text.clone(), 0);
        let mut seen: BTreeSet<String> = BTreeSet::from([text.clone()]);
        for _ in 0..ROUNDS {
            if !(self.around.goes_on)() {
                return (before.to_string(), 0);
            }
            let mends = safe_mends(&compiled, self.name);
            let mut next = None;
            for set in tries(&mends) {
                let edits: Vec<&Vec<Edit>> = set.iter().map(|m| &m.edits).collect();
                let changed = apply(&text, &edits);
                if changed != text && !seen.contains(&changed) && self.is_better(&text, &compiled, &changed, &set) {
                    count += set.len();
                    next = Some(changed);
                    break;
                }
            }
            let Some(changed) = next else { break };
            seen.insert(changed.clone());
            text = changed;
            compiled = self.compile(&text);
            let now = faults(&compiled);
            if now < best.0 {
                best = (now, text.clone(), count);
            }
        }
        (best.1, best.2)
    }

    /// Whether a changed text has lost the findings that were mended, and decides as the text before it as far as that
    /// decided anything.
    fn is_better(&mut self, text: &str, before: &Compiled, changed: &str, mends: &[&Mending]) -> bool {
        if !(self.around.goes_on)() {
            return false;
        }
        let after = self.compile(changed);
        let told = |c: &Compiled, m: &Mending| {
            c.diagnostics.items.iter().filter(|d| d.code == m.code && d.message == m.message).count()
        };
        let lost = mends.iter().all(|m| told(&after, m) < told(before, m));
        if !lost || faults(&after).0 > faults(before).0 || before.kind != after.kind {
            return false;
        }
        same(before, &after) && (after.kind == Kind::Policy || self.users_are_the_same(text, changed))
    }

    /// Whether every other policy decides the same with a vocabulary before and after.
    fn users_are_the_same(&mut self, text: &str, changed: &str) -> bool {
        let users = self.users.take().unwrap_or_else(|| (self.around.users)());
        let all_same = users.iter().filter(|user| user.name() != self.name).all(|user| {
            let with = |text: &str| {
                let sources = Over { below: self.around.sources, name: self.name, text };
                compile::compile(user.clone(), &sources, self.options)
            };
            let (before, after) = (with(text), with(changed));
            let lost = before.policy.is_some() && after.policy.is_none();
            !lost && same(&before, &after)
        });
        self.users = Some(users);
        all_same
    }
}

/// How many errors there are, and how many findings in all.
fn faults(compiled: &Compiled) -> (usize, usize) {
    let items = &compiled.diagnostics.items;
    (items.iter().filter(|d| d.severity == Severity::Error).count(), items.len())
}

/// Whether two compilations decide the same for every input; where the first decides nothing, there is nothing to keep.
fn same(before: &Compiled, after: &Compiled) -> bool {
    match (&before.policy, &after.policy) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(a), Some(b)) => a.digest() == b.digest() || compare(a, b, &CompareOptions::default()).is_same(),
    }
}

/// A mend of one finding.
struct Mending {
    code: Code,
    message: String,
    edits: Vec<Edit>,
}

/// The safe mends of a file's findings, all of whose edits lie in the file.
fn safe_mends(compiled: &Compiled, name: &str) -> Vec<Mending> {
    let sources = &compiled.diagnostics.sources;
    let here = |edit: &Edit| sources.get(edit.span.file).name() == name;
    let mut mends: Vec<Mending> = Vec::new();
    for item in &compiled.diagnostics.items {
        let Some(fix) = item.fixes.iter().find(|f| f.safe) else { continue };
        if !fix.edits.is_empty() && fix.edits.iter().all(here) && !mends.iter().any(|m| m.edits == fix.edits) {
            mends.push(Mending { code: item.code, message: item.message.clone(), edits: fix.edits.clone() });
        }
    }
    mends
}

/// What to try: all mends that meet no other at once, then each by itself.
fn tries(mends: &[Mending]) -> Vec<Vec<&Mending>> {
    let mut together: Vec<&Mending> = Vec::new();
    for mend in mends {
        let apart = |other: &&Mending| mend.edits.iter().all(|a| other.edits.iter().all(|b| is_apart(a, b)));
        if together.iter().all(apart) {
            together.push(mend);
        }
    }
    let alone = mends.iter().map(|mend| vec![mend]);
    std::iter::once(together).chain(alone).filter(|set| !set.is_empty()).collect()
}

/// Whether two edits neither overlap nor begin at one place.
fn is_apart(a: &Edit, b: &Edit) -> bool {
    a.span.start != b.span.start && (a.span.end <= b.span.start || b.span.end <= a.span.start)
}

/// A text with some edits made; new lines end as the others do.
fn apply(text: &str, mends: &[&Vec<Edit>]) -> String {
    let mut edits: Vec<&Edit> = mends.iter().copied().flatten().collect();
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let Some(kept) = text.get(at..start).filter(|_| text.is_char_boundary(end)) else { return text.to_string() };
        out.push_str(kept);
        out.push_str(&with_line_ends_of(text, &edit.replacement));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::N0103;
    use crate::text::{FileId, Span};

    fn edit(start: usize, end: usize, replacement: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start, end), replacement: replacement.into() }
    }

    fn mending(edits: Vec<Edit>) -> Mending {
        Mending { code: N0103, message: String::new(), edits }
    }

    #[test]
    fn edits_are_made_in_order_and_lines_end_as_the_others_do() {
        let edits = vec![edit(4, 5, "X\n"), edit(0, 1, "")];
        assert_eq!(apply("ab\ncd\n", &[&edits]), "b\ncX\n\n");
        assert_eq!(apply("ab\r\nc\r\n", &[&vec![edit(4, 5, "x\ny")]]), "ab\r\nx\r\ny\r\n");
    }

    #[test]
    fn mends_that_meet_wait_for_the_next_round() {
        let mends = [mending(vec![edit(0, 3, "a")]), mending(vec![edit(2, 4, "b")]), mending(vec![edit(5, 5, "c")])];
        let sets: Vec<usize> = tries(&mends).iter().map(Vec::len).collect();
        assert_eq!(sets, [2, 1, 1, 1]);
        assert!(tries(&[]).is_empty());
    }

    fn compiled(row: &str) -> Compiled {
        let text = format!(
            "policy a\nversion 1\nfact f : yes, no\ntable t, first row wins\n| row | f | => action |\n{row}| rest | - | stop |\n"
        );
        compile::compile(Source::new("a.nisi", text), &compile::NoSources, &Options::default())
    }

    #[test]
    fn a_mend_that_changes_a_decision_does_not_stand() {
        let before = compiled("| one | yes | review |\n");
        assert!(same(&before, &compiled("| one | not no | review |\n")));
        assert!(!same(&before, &compiled("| one | no | review |\n")));
        assert!(!same(&before, &compiled("| one | maybe | review |\n")));
        assert!(same(&compiled("| one | maybe | review |\n"), &before));
    }
}
