//! `nisi eval POLICY`: one decision as JSON, or a stream of them.

use std::path::PathBuf;

use super::ask::{self, FactsFile, Question};
use super::format::Format;
use super::out::{Answer, Exit, Out, Trouble, visible};
use super::{batch, render};

/// The arguments of `nisi eval`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    file: FactsFile,
    /// Answers each line of a file, `-` for standard input: JSON Lines of facts in, JSON Lines of decisions out, in order; --set gives what a line leaves out
    #[arg(long, value_name = "FILE", conflicts_with = "facts")]
    batch: Option<PathBuf>,
    /// Makes the drawn wait repeatable
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// For programs or for people
    #[arg(long, value_enum)]
    format: Option<Format>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    if args.batch.is_some() && args.format == Some(Format::Human) {
        return Err(Trouble::new("`--batch` answers with JSON Lines").help("leave `--format human` out").into());
    }
    let asked = match ask::asked(&args.question, out)? {
        Ok(asked) => asked,
        Err(exit) => return Ok(exit),
    };
    if let Some(file) = &args.batch {
        return batch::run(&asked, file, args.seed, out);
    }
    let Some(facts) = asked.facts(&args.file, out)? else { return Ok(Exit::Unasked) };
    let decision = asked.decide(&facts)?;
    let draw = ask::draw(args.seed, 0);
    match args.format {
        Some(Format::Human) => out.result(&visible(&render::decision::render(&decision, draw)))?,
        Some(Format::Json) | None => out.line(&format!("{:#}", decision.to_json(Some(draw))))?,
    }
    Ok(asked.exit)
}
