//! `nisi doc POLICY`: the policy as one page for people who have no tools, in HTML or in Markdown.
//!
//! A policy with errors gives none. Examples that do not hold are shown as such on the page, and the answer is no.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ask::{self, cannot_be, no_policy};
use super::disk::{Disk, Text};
use super::form::{self, Form};
use super::out::{Answer, Exit, Out, Trouble, io_words, n};
use super::outside;
use crate::compile::{self, Options};
use crate::diag::Severity;
use crate::doc::{Document, Given, document};

/// So many steps the map of decisions may take: a page is wanted at once, and does without the map where that is long work.
const MAP_STEPS: u64 = 2_000_000;

/// The arguments of `nisi doc`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The page stands by itself: no script, and nothing that is fetched.\n  \
                        nisi doc a.nisi -o a.html\n  nisi doc a.nisi --format markdown -o a.md")]
pub(super) struct Args {
    /// The policy, text or artifact
    policy: PathBuf,
    /// One HTML page, or Markdown
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    /// The file to write, an older one is replaced; `-`, or nothing, is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Lets a proof pass that was cut short, N0309 or N0310; the page then says that the policy is not proven
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// How many steps one proof may take before it is undecided
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// How many steps the map of decisions may take before the page goes without it
    #[arg(long, value_name = "N", default_value_t = MAP_STEPS)]
    map_steps: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// HTML
    Html,
    /// GitHub-flavoured Markdown
    Markdown,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    if let Some(output) = &args.output
        && outside::is_same(output, &args.policy)
    {
        let trouble = Trouble::new(format!("`-o {}` would put the page over the policy itself", output.display()));
        return Err(trouble.help("name another file").into());
    }
    let Some(page) = page(args, out)? else { return Ok(Exit::No) };
    let text = match args.format {
        Format::Html => page.html(),
        Format::Markdown => page.markdown(),
    };
    let exit = if page.n_failed == 0 { Exit::Yes } else { Exit::No };
    out.unread = exit;
    match args.output.as_deref().filter(|path| !outside::is_dash(path)) {
        None => {
            out.result(&text)?;
            out.flush()?;
        }
        Some(path) => outside::write_whole(path, text.as_bytes()).map_err(|error| {
            Trouble::new(format!("`{}` could not be written: {}", path.display(), io_words(&error)))
        })?,
    }
    if !page.is_mapped {
        out.say(&format!(
            "the page goes without the map of decisions, which was not worked out within {} steps",
            args.map_steps
        ));
    }
    if page.n_failed > 0 {
        out.say(&format!("{} on the page", n(page.n_failed, "example fails", "examples fail")));
    }
    Ok(exit)
}

/// The page; nothing where the policy has errors, which are told.
fn page(args: &Args, out: &mut Out) -> Result<Option<Document>, super::out::Failure> {
    let options = options(args)?;
    let path = &args.policy;
    let source = match form::read(path)? {
        Form::Artifact(bytes) => {
            proves_nothing(args)?;
            let policy = ask::loaded(path, bytes)?;
            return Ok(Some(document(&Given { policy: &policy, texts: None, map_steps: args.map_steps })));
        }
        Form::Text(Text::Read(source)) => source,
        Form::Text(Text::Faulty(found)) => {
            cannot_be("written up", path, &found, out);
            return Ok(None);
        }
    };
    let (compiled, trees) = compile::compile_with_trees(source, &Disk, &options);
    let mut found = compiled.diagnostics;
    let Some(policy) = compiled.policy else {
        if !found.has_errors() {
            return Err(no_policy("written up", path, compiled.kind).into());
        }
        found.items.retain(|item| item.severity == Severity::Error);
        cannot_be("written up", path, &found, out);
        return Ok(None);
    };
    let texts = Some((&found.sources, trees.as_slice()));
    Ok(Some(document(&Given { policy: &policy, texts, map_steps: args.map_steps })))
}

/// Of an artifact nothing is proven: what would say how is refused.
fn proves_nothing(args: &Args) -> Result<(), Trouble> {
    let given = [("--allow", !args.allow.is_empty()), ("--max-steps", args.max_steps.is_some())];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let text = format!(
        "`{option}` means nothing here: `{}` is an artifact, whose proofs were made when it was compiled",
        args.policy.display()
    );
    Err(Trouble::new(text).help("leave it out, or name the policy that it was compiled from"))
}

fn options(args: &Args) -> Result<Options, Trouble> {
    let mut options = Options { lints: false, allow: ask::passable(&args.allow)?, ..Options::default() };
    if let Some(steps) = args.max_steps {
        options.max_steps = steps;
    }
    Ok(options)
}
