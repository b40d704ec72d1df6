//! `nisi why POLICY`: how a decision came about, for a person: the rows passed over and the cell that ruled each out,
//! the row that matched, the guards, and the nearest row that would have acted.

use super::ask::{self, FactsFile, Question};
use super::format::Format;
use super::out::{Answer, Exit, Out, visible};

/// The arguments of `nisi why`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    file: FactsFile,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let asked = match ask::asked(&args.question, out)? {
        Ok(asked) => asked,
        Err(exit) => return Ok(exit),
    };
    let Some(facts) = asked.facts(&args.file, out)? else { return Ok(Exit::Unasked) };
    let why = asked.why(&facts)?;
    match args.format {
        Format::Human => out.result(&visible(&why.to_string()))?,
        Format::Json => out.line(&format!("{:#}", why.to_json()))?,
    }
    Ok(asked.exit)
}
