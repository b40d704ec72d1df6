//! `nisi check PATH…`: every fault of every policy under the paths in one run, the proofs, and the examples.
//!
//! A path that cannot be read is told of on standard error, and the rest is still checked; the exit code is then 2. Tools
//! get a whole document whatever happens, and what could not be read or asked stands in it, where its format has a place.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::disk::{self, Text};
use super::fix::{self, Mended};
use super::levels::Levels;
use super::out::{Answer, Exit, Failure, Look, Out, Trouble, n};
use super::progress::Progress;
use super::render::bounds::Measured;
use super::report::Report;
use super::{outside, registry, render};
use crate::cases;
use crate::compile::{self, Compiled, Kind, Options};
use crate::diag::{Diagnostics, Severity};
use crate::judge::{Moment, Releases, release_findings};

/// The arguments of `nisi check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Policies, and folders that are searched for `*.nisi`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// For whom the findings are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Takes a code as an error, or everything `pedantic`; with `warnings` every warning fails the check
    #[arg(long, value_name = "WHAT")]
    deny: Vec<String>,
    /// Takes a note as a warning, or also looks for a pedantic code, or for everything `pedantic`
    #[arg(long, value_name = "WHAT")]
    warn: Vec<String>,
    /// Leaves out what is told under a code; errors stay, save proofs that were cut short
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// The day that dates are held against, instead of the clock's
    #[arg(long, value_name = "DATE")]
    today: Option<String>,
    /// How many steps one proof may take before it is undecided
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Also prints how far an intent can go at worst: attempts with the layers below, waits, copies at once, memories; with `--format json` as an object of `findings` and `bounds`
    #[arg(long)]
    bounds: bool,
    /// Also judges the failovers by the registered releases, passports under a folder or in a file: which can never be honoured, and which releases no other may stand in for
    #[arg(long, value_name = "DIR")]
    releases: Option<PathBuf>,
    /// Applies the mends that need no look: in place, and only in the files named
    #[arg(long)]
    fix: bool,
    /// With `--fix`: prints what it would do as a patch, and writes nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text with the lines that a finding speaks of
    Human,
    /// One JSON array
    Json,
    /// Annotations of a pull request
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A test report
    Junit,
    /// One line a finding, as compilers tell them
    Plain,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    check_call(args)?;
    let answer = match Check::new(args, out) {
        Ok(check) => return check.run(args, out),
        Err(answer) => answer,
    };
    // The question could not be put; a tool that reads the results is told so as well.
    let mut report = Report::default();
    report.troubles.clone_from(&out.told);
    if let Failure::Unasked(trouble) = &answer {
        report.troubles.push(trouble.clone());
    }
    if !args.dry_run {
        out.unread = Exit::Unasked;
        out.result(&text(args, &report, &[], Exit::Unasked, false, out.look))?;
    }
    Err(answer)
}

/// What no call asks for together.
fn check_call(args: &Args) -> Result<(), Trouble> {
    if args.bounds && !matches!(args.format, Format::Human | Format::Json) {
        let trouble = Trouble::new("`--bounds` is told to people and as JSON only");
        return Err(trouble.help("leave `--format` out, or write `--format json`"));
    }
    if args.dry_run && args.format != Format::Human {
        return Err(Trouble::new("`--dry-run` prints a patch, and no findings").help("leave `--format` out"));
    }
    Ok(())
}

/// A report in its format. A patch has standard output for itself.
fn text(args: &Args, report: &Report, measured: &[Measured], exit: Exit, deny: bool, look: Look) -> String {
    match args.format {
        _ if args.dry_run => String::new(),
        Format::Human if args.bounds => render::human::render(report, look) + &render::bounds::human(measured),
        Format::Json if args.bounds => render::json::with_bounds(report, measured),
        Format::Human => render::human::render(report, look),
        Format::Json => render::json::render(report),
        Format::Github => render::github::render(report),
        Format::Sarif => render::sarif::render(report, exit),
        Format::Junit => render::junit::render(report, deny),
        Format::Plain => render::plain::render(report),
    }
}

fn options(args: &Args, levels: &Levels) -> Result<Options, Trouble> {
    let today = today(args.today.as_deref())?;
    let (allow, pedantic) = (levels.allowed(), levels.pedantic());
    let mut options = Options { today: Some(today), allow, pedantic, ..Options::default() };
    if let Some(steps) = args.max_steps {
        options.max_steps = steps;
    }
    Ok(options)
}

/// The day that is given, or the clock's.
pub(super) fn today(given: Option<&str>) -> Result<String, Trouble> {
    let Some(day) = given else { return Ok(outside::today()) };
    let read: Result<jiff::civil::Date, _> = day.parse();
    read.ok().filter(|date| date.to_string() == *day).map(|_| day.to_string()).ok_or_else(|| {
        Trouble::new(format!("`{day}` is not a day")).help("write year, month and day, such as `2026-08-01`")
    })
}

struct Check {
    options: Options,
    levels: Levels,
    report: Report,
    tally: Tally,
    unread: bool,
    measured: Vec<Measured>,
    /// What `--fix` made of the files.
    mended: Mended,
    /// The registered releases, and the moment that their dates are held against.
    releases: Option<(Releases, Moment)>,
}

/// What was checked.
#[derive(Default)]
struct Tally {
    policies: usize,
    vocabularies: usize,
    unread: usize,
    tables: usize,
    rows: usize,
    examples: usize,
    rules: usize,
    proven: usize,
}

impl Check {
    /// Reads what the call says.
    fn new(args: &Args, out: &mut Out) -> Result<Self, Failure> {
        let levels = Levels::read(&args.deny, &args.warn, &args.allow)?;
        let options = options(args, &levels)?;
        let releases = match &args.releases {
            Some(dir) => Some((registry::releases(dir, out)?, registry::moment(options.today.as_deref())?)),
            None => None,
        };
        Ok(Check {
            options,
            levels,
            report: Report::default(),
            tally: Tally::default(),
            unread: false,
            measured: Vec::new(),
            mended: Mended::default(),
            releases,
        })
    }

    fn run(mut self, args: &Args, out: &mut Out) -> Answer {
        let found = disk::find(&args.paths);
        for trouble in &found.troubles {
            self.unread = true;
            out.trouble(trouble);
        }
        if args.fix {
            self.mended = fix::mend(&found.files, &self.options);
            self.unread |= !self.mended.write(args.dry_run, out)?;
        }
        let troubles = self.files(&found.files);
        self.unread |= !troubles.is_empty();
        for trouble in &troubles {
            out.trouble(trouble);
        }
        self.report.sort();
        self.report.troubles.clone_from(&out.told);
        let deny = self.levels.deny_warnings;
        let exit = self.exit(deny);
        out.unread = exit;
        out.result(&text(args, &self.report, &self.measured, exit, deny, out.look))?;
        out.flush()?;
        self.summary(deny, out);
        Ok(exit)
    }

    /// Checks the files, and gives what could not be read.
    fn files(&mut self, files: &[PathBuf]) -> Vec<Trouble> {
        let progress = Progress::start("checking", files.len());
        let mut troubles = Vec::new();
        for path in files {
            progress.at(&path.display().to_string());
            troubles.extend(self.file(path).err());
            progress.step();
        }
        troubles
    }

    fn file(&mut self, path: &Path) -> Result<(), Trouble> {
        let text = self.mended.read(path)?;
        let name = self.report.begin(&path.display().to_string());
        let source = match text {
            Text::Read(source) => source,
            Text::Faulty(found) => {
                self.tally.unread += 1;
                self.report.add(&name, &found);
                return Ok(());
            }
        };
        let compiled = compile::compile(source, &self.mended, &self.options);
        let Compiled { policy, kind, mut diagnostics, counts } = compiled;
        self.levels.apply(&mut diagnostics.items);
        match kind {
            Kind::Policy => self.tally.policies += 1,
            Kind::Vocabulary => self.tally.vocabularies += 1,
            Kind::Unread => self.tally.unread += 1,
        }
        self.report.add(&name, &diagnostics);
        self.tally.tables += counts.n_tables;
        self.tally.rows += counts.n_rows;
        let Some(policy) = policy else { return Ok(()) };
        self.tally.rules += counts.n_rules;
        self.tally.proven += usize::from(policy.is_proven());
        let bounds = crate::bounds::bounds(&policy);
        self.measured.push(Measured { file: name.to_string(), policy: policy.name().to_string(), bounds });
        let outcomes = cases::run_examples(&policy, &diagnostics.sources);
        self.tally.examples += outcomes.len();
        let mut items: Vec<_> = outcomes.iter().filter_map(|o| o.finding.clone()).collect();
        if let Some((releases, now)) = &self.releases {
            let found = release_findings(&policy, releases, *now);
            items.extend(found.into_iter().filter(|d| !self.options.allow.contains(&d.code)));
        }
        self.levels.apply(&mut items);
        self.report.add(&name, &Diagnostics { items, sources: diagnostics.sources });
        if let Some(file) = self.report.files.last_mut() {
            file.examples = outcomes.iter().map(|o| (o.title.clone(), o.finding.is_none())).collect();
        }
        Ok(())
    }

    fn exit(&self, deny: bool) -> Exit {
        let report = &self.report;
        let fails = report.count(Severity::Error) > 0 || deny && report.count(Severity::Warning) > 0;
        if self.unread || report.files.is_empty() {
            Exit::Unasked
        } else if fails {
            Exit::No
        } else {
            Exit::Yes
        }
    }

    /// What was checked and what came of it, in two lines at most.
    fn summary(&self, deny: bool, out: &mut Out) {
        let (tally, report) = (&self.tally, &self.report);
        if report.files.is_empty() {
            out.say("nothing was checked");
            return;
        }
        let mut checked = Vec::new();
        for (count, one, many) in [
            (tally.policies, "policy", "policies"),
            (tally.vocabularies, "vocabulary", "vocabularies"),
            (tally.unread, "file that could not be read to its end", "files that could not be read to their end"),
            (tally.tables, "table", "tables"),
            (tally.rows, "row", "rows"),
            (tally.examples, "example", "examples"),
        ] {
            if count > 0 {
                checked.push(n(count, one, many));
            }
        }
        let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
        let found = match (errors, warnings) {
            (0, 0) => "no errors".to_string(),
            (0, _) if deny => format!("{} (denied)", n(warnings, "warning", "warnings")),
            (0, _) => n(warnings, "warning", "warnings"),
            (_, 0) => n(errors, "error", "errors"),
            _ => format!("{}, {}", n(errors, "error", "errors"), n(warnings, "warning", "warnings")),
        };
        out.say(&format!("checked {}: {found}", checked.join(", ")));
        if tally.proven > 0 {
            let who =
                if tally.proven == tally.policies { String::new() } else { format!(" in {} of them", tally.proven) };
            let rules =
                if tally.rules > 0 { format!(", {} hold", n(tally.rules, "rule", "rules")) } else { String::new() };
            out.say(&format!("proven{who}: every input has an answer{rules}"));
        }
        let mut codes: Vec<&str> = report.findings.iter().map(|f| f.code.id).collect();
        codes.sort_unstable();
        codes.dedup();
        if let Some(code) = codes.first() {
            out.say(&format!("`nisi explain {code}` tells more of a code"));
        }
    }
}
