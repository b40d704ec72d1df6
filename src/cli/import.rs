//! `nisi import FILE`: a table from elsewhere as a policy, and everything that could not be carried over.
//!
//! The policy goes to standard output or into a new file, the list to standard error. A file that exists is never
//! replaced: it may hold what somebody has mended since.

use std::path::PathBuf;

use clap::ValueEnum;

use super::disk::{self, Disk};
use super::out::{Answer, Exit, Failure, Out, Trouble, io_words, n, shell_word};
use super::outside::{self, Content};
use crate::compile::{self, Options};
use crate::diag::Severity;
use crate::exchange::{self, Import, Notice, Refused};
use crate::text::Source;

/// A workbook may be larger than a policy: it is packed, and holds what is no table.
const MAX_BYTES: u64 = 64 << 20;

/// So many notices are told, unless all are asked for.
const SHOWN: usize = 40;

/// The arguments of `nisi import`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What could not be carried over is listed with its place, and stands at the head of the policy. Then:\n  \
                        nisi check FILE.nisi"
)]
pub(super) struct Args {
    /// The file, `-` for standard input
    file: PathBuf,
    /// Its format, where its name does not tell it
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The policy to write; it must not exist yet. Without it, the policy is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The name of the policy, instead of the file's
    #[arg(long)]
    name: Option<String>,
    /// The sheet of a workbook
    #[arg(long)]
    sheet: Option<String>,
    /// The table or the decision that is asked, where there are several
    #[arg(long)]
    table: Option<String>,
    /// The hit policy, where the file says none: F, U, A, P, or words such as 'first row wins'
    #[arg(long, value_name = "POLICY")]
    hit: Option<String>,
    /// A vocabulary whose facts the columns may be, such as team.facts; may be given several times
    #[arg(long = "use", value_name = "NAME")]
    uses: Vec<String>,
    /// Answers no where anything could not be carried over
    #[arg(long)]
    strict: bool,
    /// Lists every notice, however many there are
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated values, as spreadsheets write them; semicolons and tabs too
    Csv,
    /// Tables of Markdown
    Markdown,
    /// A workbook
    Xlsx,
    /// Decision Model and Notation, 1.2 to 1.5
    Dmn,
}

impl Format {
    fn format(self) -> exchange::Format {
        match self {
            Format::Csv => exchange::Format::Csv,
            Format::Markdown => exchange::Format::Markdown,
            Format::Xlsx => exchange::Format::Xlsx,
            Format::Dmn => exchange::Format::Dmn,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let bytes = match outside::read(&args.file, MAX_BYTES).map_err(|error| disk::unreadable(&args.file, &error))? {
        Content::Whole(bytes) => bytes,
        Content::TooLong(size) => {
            let given = size.map_or_else(|| format!("more than {MAX_BYTES}"), |size| size.to_string());
            let text = format!("`{}` has {given} bytes, and at most {MAX_BYTES} are allowed", args.file.display());
            return Err(Trouble::new(text).help("keep the table in a file of its own").into());
        }
    };
    let shown = args.file.display().to_string();
    // A vocabulary lies beside the policy that is written, else beside the file that is read.
    let beside = args.output.as_ref().map_or_else(|| shown.clone(), |path| path.display().to_string());
    let how = Import {
        file: &shown,
        format: args.format.map(Format::format),
        name: args.name.as_deref(),
        sheet: args.sheet.as_deref(),
        table: args.table.as_deref(),
        hit: args.hit.as_deref(),
        uses: &args.uses,
    };
    let imported = exchange::import(&bytes, &how, &Beside(beside)).map_err(trouble)?;
    let written = match &args.output {
        None => {
            out.result(&imported.policy)?;
            None
        }
        Some(path) => {
            outside::write_new(path, &imported.policy).map_err(|error| unwritten(path, &error))?;
            out.line(&path.display().to_string())?;
            Some(path.display().to_string())
        }
    };
    out.flush()?;
    let n_left = told(&imported.notices, args.all, out);
    let carried = format!("{} and {}", n(imported.n_tables, "table", "tables"), n(imported.n_rows, "row", "rows"));
    let left = if n_left == 0 { "nothing left".to_string() } else { format!("{n_left} left") };
    out.say(&format!("carried over {carried}, {left}"));
    let name = written.unwrap_or_else(|| "FILE.nisi".to_string());
    let n_errors = errors(&name, &imported.policy);
    let open =
        if n_errors == 0 { String::new() } else { format!(", which finds {} yet", n(n_errors, "error", "errors")) };
    out.say(&format!("next: nisi check {}{open}", shell_word(&name)));
    Ok(if args.strict && n_left > 0 { Exit::No } else { Exit::Yes })
}

/// The vocabularies beside a path.
struct Beside(String);

impl compile::Sources for Beside {
    fn find(&self, name: &str, beside: &str) -> Result<Option<Source>, String> {
        match Disk.find(name, &self.0)? {
            Some(source) => Ok(Some(source)),
            None => Disk.find(name, beside),
        }
    }
}

/// How many errors the policy has as it stands.
fn errors(name: &str, policy: &str) -> usize {
    let options = Options { lints: false, ..Options::default() };
    let found = compile::compile(Source::new(name, policy), &Disk, &options).diagnostics;
    found.items.iter().filter(|d| d.severity == Severity::Error).count()
}

/// Tells what was noticed; gives how much was left.
pub(super) fn told(notices: &[Notice], all: bool, out: &mut Out) -> usize {
    let left = notices.iter().filter(|notice| notice.is_left);
    let others = notices.iter().filter(|notice| !notice.is_left);
    let most = if all { usize::MAX } else { SHOWN };
    for notice in left.clone().chain(others).take(most) {
        out.say(&notice.to_string());
    }
    if notices.len() > most {
        out.say(&format!("… and {} more: `--all` lists them", notices.len() - most));
    }
    left.count()
}

/// Why nothing came of it.
pub(super) fn trouble(refused: Refused) -> Failure {
    Trouble { message: refused.message, help: refused.help.filter(|help| !help.is_empty()) }.into()
}

/// Why a new file could not be written.
pub(super) fn unwritten(path: &std::path::Path, error: &std::io::Error) -> Trouble {
    let trouble = Trouble::new(format!("`{}` could not be written: {}", path.display(), io_words(error)));
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => trouble.help("choose another name: a file that exists is never replaced"),
        std::io::ErrorKind::NotFound => trouble.help("make the folder first"),
        _ => trouble,
    }
}
