//! `nisi diff OLD NEW`: where the decisions of two policies differ, for every input.
//!
//! The answer is no where a change is denied, or where something was left undecided and that is not allowed.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ask;
use super::out::{Answer, Exit, Out, Trouble, n};
use super::{progress, render};
use crate::compare::{CompareOptions, Comparison, Deny, Mark, compare};
use crate::compile::Options;
use crate::decide::Policy;
use crate::diag::{self, Code, N0309};

/// The arguments of `nisi diff`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy as it was
    old: PathBuf,
    /// The policy as it is to be
    new: PathBuf,
    /// For people, for programs, or for the comment of a pull request
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Answers no where a change of this kind is found; may be given several times
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Vec<Denied>,
    /// Lets changes pass that come from a row of either policy, or from a budget entry such as budget/attempts; may be given several times
    #[arg(long, value_name = "TABLE/ROW")]
    except: Vec<String>,
    /// Lets the comparison pass though a part of it was not decided: N0309
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// How many steps the comparison may take before the rest is undecided
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Shows every region, however many there are
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text
    Human,
    /// JSON
    Json,
    /// Markdown
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// Decisions that came later in the cautious order, or allow more
    Wider,
    /// Decisions that came earlier in the cautious order, or allow less
    Tighter,
    /// Other queues, reasons and look-ups
    Other,
    /// Every change
    Any,
}

impl Denied {
    fn deny(self) -> Deny {
        match self {
            Denied::Wider => Deny::Mark(Mark::Wider),
            Denied::Tighter => Deny::Mark(Mark::Tighter),
            Denied::Other => Deny::Mark(Mark::Other),
            Denied::Any => Deny::Any,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let allows_undecided = allowed(&args.allow)?;
    // Only errors keep a policy from being compared: nothing else is told of it.
    let mut options = Options { lints: false, ..Options::default() };
    let mut compare_options = CompareOptions::default();
    if let Some(steps) = args.max_steps {
        options.max_steps = options.max_steps.max(steps);
        compare_options.max_steps = steps;
    }
    if allows_undecided {
        options.allow.push(N0309);
    }
    let mut read = |path| ask::compiled(path, &options, "compared", out);
    let (Ok(old), Ok(new)) = (read(&args.old)?, read(&args.new)?) else { return Ok(Exit::No) };
    exceptions(&args.except, &old, &new)?;
    let found = progress::during("comparing", &args.new, || compare(&old, &new, &compare_options));
    let shown = render::diff::Shown {
        found: &found,
        paths: [args.old.display().to_string(), args.new.display().to_string()],
        most: if args.all { usize::MAX } else { render::diff::SHOWN },
    };
    match args.format {
        Format::Human => out.result(&shown.human(out.look.color))?,
        Format::Json => out.result(&shown.json())?,
        Format::Markdown => out.result(&shown.markdown())?,
    }
    out.flush()?;
    Ok(verdict(args, &found, allows_undecided, out))
}

/// Whether the comparison may stand, and why not.
fn verdict(args: &Args, found: &Comparison, allows_undecided: bool, out: &mut Out) -> Exit {
    let deny: Vec<Deny> = args.deny.iter().map(|d| d.deny()).collect();
    let (changes, budget) = found.denied(&deny, &args.except);
    let mut exit = Exit::Yes;
    if !changes.is_empty() || !budget.is_empty() {
        let what: Vec<String> =
            [(changes.len(), "region", "regions"), (budget.len(), "budget entry", "budget entries")]
                .into_iter()
                .filter(|(count, ..)| *count > 0)
                .map(|(count, one, many)| n(count, one, many))
                .collect();
        out.say(&format!("denied: {}", what.join(", ")));
        exit = Exit::No;
    }
    if !found.undecided.is_empty() && !allows_undecided {
        out.say("not all was decided: give more with `--max-steps N`, or let it pass with `--allow N0309`");
        exit = Exit::No;
    }
    exit
}

/// Whether what was not decided may pass.
fn allowed(names: &[String]) -> Result<bool, Trouble> {
    for name in names {
        let code: Option<Code> = diag::code(name);
        if code != Some(N0309) {
            let text = format!("`--allow {name}` means nothing here");
            return Err(
                Trouble::new(text).help("what a comparison can let pass is N0309: not decided within the steps")
            );
        }
    }
    Ok(!names.is_empty())
}

/// Every exception must name something that is there.
fn exceptions(except: &[String], old: &Policy, new: &Policy) -> Result<(), Trouble> {
    let mut names: Vec<String> = Vec::new();
    for model in [old.model(), new.model()] {
        for table in &model.tables {
            names.extend(table.rows.iter().enumerate().map(|(i, row)| format!("{}/{}", table.name, row.label(i))));
        }
    }
    let entries = ["owner", "below", "attempts", "refill", "deadline", "reserve", "least", "late", "confirm", "budget"];
    names.extend(entries.map(|entry| format!("budget/{entry}")));
    let Some(given) = except.iter().find(|e| !names.contains(e)) else { return Ok(()) };
    let trouble = Trouble::new(format!("`--except {given}` names no row of either policy"));
    let near = diag::nearest(given, names.iter().map(String::as_str));
    Err(match near {
        Some(near) => trouble.help(format!("did you mean `{near}`?")),
        None => trouble.help("write the row's table and its name: `--except recovery/stale`"),
    })
}
