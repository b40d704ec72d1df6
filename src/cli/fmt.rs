//! `nisi fmt PATH…`: policies in their normal form, each written in its place, whole or not at all.
//!
//! What is written was read again: it says the same, and where it is a policy it has the same digest. What cannot be
//! read in a file is told on standard error and left as it is; the rest is formatted.

use std::path::{Path, PathBuf};

use super::disk::{self, Disk, Text};
use super::out::{Answer, Exit, Failure, Out, Trouble, io_words, n};
use super::report::Report;
use super::{outside, patch, render};
use crate::compile::{self, NoSources, Options};
use crate::diag::{Diagnostics, Severity};
use crate::format::{self, Columns};
use crate::syntax::{self, Limits};
use crate::text::{FileId, Source, SourceMap};

/// The arguments of `nisi fmt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Policies, and folders that are searched for `*.nisi`; `-` alone formats standard input to standard output
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Writes nothing, and names the files that are not formatted; the exit code is 1 where there is one
    #[arg(long)]
    check: bool,
    /// Writes nothing, and prints what would change as a patch
    #[arg(long)]
    diff: bool,
    #[command(flatten)]
    also: Also,
}

/// What becomes of the column `also`.
#[derive(Debug, clap::Args)]
struct Also {
    /// Puts the tests of columns that most rows leave open into the column `also`
    #[arg(long)]
    fold: bool,
    /// Puts the tests of the column `also` into columns
    #[arg(long, conflicts_with = "fold")]
    unfold: bool,
}

impl Also {
    fn columns(&self) -> Columns {
        match self {
            Also { fold: true, .. } => Columns::Fold,
            Also { unfold: true, .. } => Columns::Unfold,
            Also { .. } => Columns::Kept,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let options = format::Options { columns: args.also.columns() };
    let mut work = Work { args, options, report: Report::default(), tally: Tally::default() };
    if args.paths.iter().any(|path| outside::is_dash(path)) {
        if args.paths.len() > 1 {
            return Err(Trouble::new("`-` stands alone: it is standard input")
                .help("name the files in a call of their own")
                .into());
        }
        work.standard_input(out)?;
        work.told(out);
        return Ok(work.exit());
    }
    let found = disk::find(&args.paths);
    for trouble in &found.troubles {
        work.tally.unread = true;
        out.trouble(trouble);
    }
    for path in &found.files {
        work.file(path, out)?;
        out.unread = work.exit();
    }
    work.told(out);
    work.summary(out);
    Ok(work.exit())
}

/// What was done.
#[derive(Default)]
struct Tally {
    files: usize,
    changed: usize,
    /// Whether something could not be read or written.
    unread: bool,
}

struct Work<'a> {
    args: &'a Args,
    options: format::Options,
    report: Report,
    tally: Tally,
}

impl Work<'_> {
    fn standard_input(&mut self, out: &mut Out) -> Result<(), Failure> {
        let path = Path::new("-");
        let content = outside::read(path, Limits::BYTES as u64).map_err(|error| disk::unreadable(path, &error))?;
        let name = "standard input";
        let Some(source) = self.source(name, disk::text_of(name.to_string(), content)) else { return Ok(()) };
        let Some(after) = self.formatted(&source, out) else { return Ok(()) };
        self.tally.changed += usize::from(source.text() != after);
        if self.only_looks() { self.show(&source, &after, out) } else { Ok(out.result(&after)?) }
    }

    fn file(&mut self, path: &Path, out: &mut Out) -> Result<(), Failure> {
        let text = match disk::policy(path) {
            Ok(text) => text,
            Err(trouble) => {
                self.tally.unread = true;
                out.trouble(&trouble);
                return Ok(());
            }
        };
        let Some(source) = self.source(&path.display().to_string(), text) else { return Ok(()) };
        let Some(after) = self.formatted(&source, out) else { return Ok(()) };
        if source.text() == after {
            return Ok(());
        }
        self.tally.changed += 1;
        if self.only_looks() {
            return self.show(&source, &after, out);
        }
        if let Err(error) = outside::replace(path, source.text().as_bytes(), after.as_bytes()) {
            self.tally.unread = true;
            self.tally.changed -= 1;
            let why = format!("`{}` could not be written: {}", path.display(), io_words(&error));
            out.trouble(&Trouble::new(why));
        }
        Ok(())
    }

    fn only_looks(&self) -> bool {
        self.args.check || self.args.diff
    }

    /// The text of a file; where it has none, that is told.
    fn source(&mut self, name: &str, text: Text) -> Option<Source> {
        self.tally.files += 1;
        match text {
            Text::Read(source) => Some(source),
            Text::Faulty(found) => {
                let name = self.report.begin(name);
                self.report.add(&name, &found);
                None
            }
        }
    }

    /// The formatted text, unless it is refused. What cannot be read is kept for the report: with its places in the
    /// text that is there afterwards.
    fn formatted(&mut self, source: &Source, out: &mut Out) -> Option<String> {
        let (name, before) = (source.name(), source.text());
        if source.is_literate() && source.policy().trim().is_empty() {
            // What a check says of it: there is nothing that could be formatted.
            self.tally.unread = true;
            let found = compile::draft(source.clone(), &NoSources).diagnostics;
            let name = self.report.begin(name);
            self.report.add(&name, &found);
            return None;
        }
        let formatted = match format::format_source(source, &self.options) {
            Ok(formatted) if is_same(source, &formatted.text) => formatted,
            Ok(_) => return self.refused(name, "formatted, the policy would have another digest", out),
            Err(refused) => return self.refused(name, &refused.to_string(), out),
        };
        let shown = if self.only_looks() { before } else { &formatted.text };
        let mut items = formatted.errors.items;
        if self.only_looks() && !items.is_empty() {
            items = syntax::parse(FileId::default(), source.policy()).findings;
            items.retain(|item| item.severity == Severity::Error);
        }
        let mut sources = SourceMap::default();
        sources.add(Source::new(name, shown));
        let name = self.report.begin(name);
        self.report.add(&name, &Diagnostics { items, sources });
        Some(formatted.text)
    }

    fn refused(&mut self, name: &str, why: &str, out: &mut Out) -> Option<String> {
        self.tally.unread = true;
        let trouble = Trouble::new(format!("`{name}` was not formatted: {why}"));
        out.trouble(&trouble.help("it is as it was"));
        None
    }

    /// What would be written: the file's name, or a patch.
    fn show(&mut self, source: &Source, after: &str, out: &mut Out) -> Result<(), Failure> {
        if self.args.diff {
            out.result(&patch::patch(&source.name().replace('\\', "/"), source.text(), after))?;
        } else if source.text() != after {
            out.line(source.name())?;
        }
        Ok(())
    }

    fn exit(&self) -> Exit {
        if self.tally.unread || self.tally.files == 0 {
            Exit::Unasked
        } else if self.report.count(Severity::Error) > 0 || self.args.check && self.tally.changed > 0 {
            Exit::No
        } else {
            Exit::Yes
        }
    }

    /// Tells what cannot be read.
    fn told(&mut self, out: &mut Out) {
        self.report.sort();
        out.say_as_is(&render::human::render(&self.report, out.beside));
        let left = self.report.count(Severity::Error);
        if left > 0 {
            out.say(&format!("{}: what cannot be read was left as it is", n(left, "error", "errors")));
        }
    }

    /// Tells what was done.
    fn summary(&self, out: &mut Out) {
        let Tally { files, changed, .. } = self.tally;
        out.say(&match (files, changed) {
            (0, _) => "nothing was formatted".to_string(),
            (_, 0) if self.tally.unread => format!("formatted none of {}", n(files, "file", "files")),
            (_, 0) => format!("{}: nothing to format", n(files, "file", "files")),
            _ if self.only_looks() => format!("{changed} of {} would be formatted", n(files, "file", "files")),
            _ => format!("formatted {changed} of {}", n(files, "file", "files")),
        });
    }
}

/// Whether two texts are one policy: where the first compiles, so does the second, and both have the same digest.
fn is_same(source: &Source, after: &str) -> bool {
    if source.text() == after {
        return true;
    }
    let options = Options { proofs: false, lints: false, ..Options::default() };
    let policy = |source: Source| compile::compile(source, &Disk, &options).policy;
    let (before, after) = std::thread::scope(|scope| {
        let before = scope.spawn(|| policy(source.clone()));
        let after = policy(Source::new(source.name(), after));
        (before.join(), after)
    });
    match (before, after) {
        (Ok(None), _) => true,
        (Ok(Some(before)), Some(after)) => before.digest() == after.digest(),
        _ => false,
    }
}
