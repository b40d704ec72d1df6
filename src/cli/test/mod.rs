//! `nisi test PATH…`: the examples of every policy under the paths and the cases of the files beside them.
//!
//! What is gathered is a value ([`gather`]), what came of it too ([`report`]); text, JSON and a test report are renderings. A
//! policy that has neither examples nor cases is a no: nothing shows what it is for.

mod gather;
mod human;
mod json;
mod junit;
mod report;
mod watch;

use std::path::PathBuf;

use clap::ValueEnum;

use super::out::{Answer, Exit, Out, Trouble};
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
    /// For whom the outcome is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
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

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    if args.list && args.format != Format::Human {
        let trouble = Trouble::new("`--list` is told to people only");
        return Err(trouble.help("leave `--format` out").into());
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
    report.took_ms = gathered.took_ms + clock.ms();
    let text = match args.format {
        Format::Human => human::render(&report),
        Format::Json => json::render(&report),
        Format::Junit => junit::render(&report),
    };
    let exit = report.exit();
    out.unread = exit;
    out.result(&text)?;
    out.flush()?;
    out.say(&report.summary());
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
        gathered.unread = true;
        let trouble = Trouble::new(format!("`--filter {text}`: no example and no case has this in its name"));
        out.trouble(&trouble.help("`nisi test PATH --list` names them all"));
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
    let told = gathered.unread || gathered.suites.iter().any(|suite| !suite.errors.is_empty());
    if n == 0 && !told {
        out.say("nothing would be run");
    }
    Ok(if told || n == 0 { Exit::Unasked } else { Exit::Yes })
}
