//! `nisi test PATH…`: the examples of every policy under the paths and the cases of the files beside them.
//!
//! What is gathered is a value ([`gather`]), what came of it too ([`report`]); text, JSON and a test report are renderings. A
//! policy that has neither examples nor cases is a no: nothing shows what it is for.

mod coverage;
mod gather;
mod human;
mod json;
mod junit;
mod mutate;
mod report;
mod watch;

use std::path::PathBuf;

use clap::ValueEnum;

use super::out::{Answer, Exit, Failure, Out, Trouble};
use super::outside::Stopwatch;
use gather::Gathered;
use report::Report;

/// The arguments of `nisi test`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Policies, folders that are searched for `*.nisi`, and case files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Runs only what has this text in its name
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Names what would be run, and runs nothing
    #[arg(long, conflicts_with = "watch")]
    list: bool,
    /// Runs once more whenever a file has changed, until it is ended
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    depth: Depth,
    /// For whom the outcome is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What is asked of the cases themselves.
#[derive(Debug, clap::Args)]
struct Depth {
    /// Also tells what the cases show of the policy: its rows, both sides of every bound, guards, ways
    #[arg(long)]
    coverage: bool,
    /// Answers no where less of a policy is shown, in percent
    #[arg(long, value_name = "PERCENT")]
    min: Option<usize>,
    /// Looks only at rows that differ from those of an older policy: a file, or a folder of policies that are matched by name
    #[arg(long, value_name = "OLD")]
    since: Option<PathBuf>,
    /// Writes the coverage for tools, as LCOV
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Prints cases for what is not shown, each expecting what the policy decides today
    #[arg(long, conflicts_with_all = ["list", "watch", "coverage", "min", "lcov", "mutate"])]
    suggest: bool,
    /// Changes the policy in one place after the other, and names what no case notices
    #[arg(long, conflicts_with_all = ["list", "watch", "coverage", "min", "since", "lcov"])]
    mutate: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text
    Human,
    /// One JSON object
    Json,
    /// A test report
    Junit,
}

impl Depth {
    fn wants_coverage(&self) -> bool {
        self.coverage || self.min.is_some() || self.since.is_some() || self.lcov.is_some()
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let plain = [(args.list, "--list", "to people"), (args.depth.suggest, "--suggest", "as YAML")];
    if let Some((_, option, whom)) = plain.into_iter().find(|(set, ..)| *set && args.format != Format::Human) {
        let trouble = Trouble::new(format!("`{option}` is told {whom} only"));
        return Err(trouble.help("leave `--format` out").into());
    }
    if args.depth.mutate && args.format == Format::Junit {
        return Err(Trouble::new("`--mutate` is told to people and as JSON only").help("write `--format json`").into());
    }
    if let Some(min) = args.depth.min.filter(|min| *min > 100) {
        return Err(Trouble::new(format!("`--min {min}` is more than all of it")).help("write 0 to 100").into());
    }
    if args.watch {
        return watch::run(args, out);
    }
    let mut gathered = gather::gather(&args.paths, out);
    filter(args, &mut gathered, out);
    if args.list {
        return list(&gathered, out);
    }
    once(args, &gathered, out)
}

/// Runs what was gathered, and tells what came of it.
fn once(args: &Args, gathered: &Gathered, out: &mut Out) -> Answer {
    let clock = Stopwatch::start();
    let mut report = Report::of(gathered);
    if args.depth.suggest {
        return coverage::suggest(&args.depth, &report, out);
    }
    if args.depth.mutate {
        return mutate::run(args.format, &report, out);
    }
    if args.depth.wants_coverage() {
        match coverage::of(&args.depth, &report, out) {
            Ok(coverage) => report.coverage = coverage,
            Err(Failure::Unasked(trouble)) => {
                out.trouble(&trouble);
                report.troubles.push(trouble);
            }
            Err(failure) => return Err(failure),
        }
    }
    report.took_ms = gathered.took_ms + clock.ms();
    let text = match args.format {
        Format::Human => human::render(&report),
        Format::Json => json::render(&report),
        Format::Junit => junit::render(&report),
    };
    let short = coverage::too_little(&args.depth, &report);
    let exit = if short.is_empty() { report.exit() } else { report.exit().max(Exit::No) };
    out.unread = exit;
    out.result(&text)?;
    out.flush()?;
    if let Some(file) = &args.depth.lcov {
        coverage::write_lcov(file, &report)?;
    }
    out.say(&report.summary());
    for line in short {
        out.say(&line);
    }
    Ok(exit)
}

/// Keeps the cases that have the text in their names.
fn filter(args: &Args, gathered: &mut Gathered, out: &mut Out) {
    let Some(text) = &args.filter else { return };
    let before: usize = gathered.suites.iter().map(|suite| suite.cases.len()).sum();
    for suite in &mut gathered.suites {
        suite.cases.retain(|asked| asked.case.title().contains(text.as_str()));
    }
    if before > 0 && gathered.suites.iter().all(|suite| suite.cases.is_empty()) {
        let trouble = Trouble::new(format!("`--filter {text}`: no example and no case has this in its name"))
            .help("`nisi test PATH --list` names them all");
        out.trouble(&trouble);
        gathered.troubles.push(trouble);
    }
}

/// Names the cases, one a line, each with the file that it stands in.
fn list(gathered: &Gathered, out: &mut Out) -> Answer {
    let cases = gathered.suites.iter().flat_map(|suite| &suite.cases);
    let mut n = 0;
    for asked in cases {
        n += 1;
        out.line(&super::out::visible(&format!("{}: {}", asked.file, asked.case.title())))?;
    }
    let told = !gathered.troubles.is_empty() || gathered.suites.iter().any(|suite| !suite.errors.is_empty());
    if n == 0 && !told {
        out.say("nothing would be run");
    }
    Ok(if told || n == 0 { Exit::Unasked } else { Exit::Yes })
}
