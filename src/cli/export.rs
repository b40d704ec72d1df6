//! `nisi export POLICY`: its tables in another format, and everything that the format cannot hold.

use std::path::PathBuf;

use clap::ValueEnum;

use super::ask::cannot_be;
use super::disk::{Disk, Text};
use super::form::{self, Form};
use super::import::{told, trouble, unwritten};
use super::out::{Answer, Exit, Out, Trouble, n};
use super::outside;
use crate::exchange::{self, Export, ExportError, Exported};

/// The arguments of `nisi export`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy
    policy: PathBuf,
    /// The format to write
    #[arg(long, value_enum)]
    format: Format,
    /// The file to write, or for CSV the folder for one file a table; an older file is replaced. Without it, the text is printed
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// One table alone, of CSV
    #[arg(long)]
    table: Option<String>,
    /// Answers no where the format cannot hold everything
    #[arg(long)]
    strict: bool,
    /// Lists every notice, however many there are
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated values, one file a table
    Csv,
    /// One document, which holds everything
    Markdown,
    /// Decision Model and Notation 1.3, with its diagram
    Dmn,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let path = &args.policy;
    let source = match form::read(path)? {
        Form::Text(Text::Read(source)) => source,
        Form::Text(Text::Faulty(found)) => {
            cannot_be("exported", path, &found, out);
            return Ok(Exit::No);
        }
        Form::Artifact(_) => {
            let text = format!("`{}` is an artifact, and holds no texts to export", path.display());
            return Err(Trouble::new(text).help("name the policy that it was compiled from").into());
        }
    };
    let format = match args.format {
        Format::Csv => exchange::Format::Csv,
        Format::Markdown => exchange::Format::Markdown,
        Format::Dmn => exchange::Format::Dmn,
    };
    let exported = match exchange::export(&source, &Disk, &Export { format, table: args.table.as_deref() }) {
        Ok(exported) => exported,
        Err(ExportError::Faulty(found)) => {
            cannot_be("exported", path, &found, out);
            return Ok(Exit::No);
        }
        Err(ExportError::Refused(refused)) => return Err(trouble(refused)),
    };
    write(args, &exported, out)?;
    out.flush()?;
    let n_left = told(&exported.notices, args.all, out);
    Ok(if args.strict && n_left > 0 { Exit::No } else { Exit::Yes })
}

/// Prints the one file, or writes it or them.
fn write(args: &Args, exported: &Exported, out: &mut Out) -> Result<(), super::out::Failure> {
    match (&args.output, &exported.files[..]) {
        (None, [(_, text)]) => out.result(text)?,
        (None, several) => {
            let names = several.iter().map(|(name, _)| name.trim_end_matches(".csv")).collect::<Vec<_>>().join(", ");
            let text = format!("the policy has {}, and CSV holds one a file", n(several.len(), "table", "tables"));
            let help = format!("write them into a folder with `-o DIR`, or choose one with `--table`: {names}");
            return Err(Trouble::new(text).help(help).into());
        }
        (Some(folder), files) if args.format == Format::Csv => {
            for (name, text) in files {
                let path = folder.join(name);
                outside::write_in(folder, name, text.as_bytes()).map_err(|error| unwritten(&path, &error))?;
                out.line(&path.display().to_string())?;
            }
        }
        (Some(path), files) => {
            for (_, text) in files {
                outside::write_whole(path, text.as_bytes()).map_err(|error| unwritten(path, &error))?;
                out.line(&path.display().to_string())?;
            }
        }
    }
    Ok(())
}
