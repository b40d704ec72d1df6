//! The call: every command with its arguments, and the way from words to an exit code.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use sha2::{Digest, Sha256};

use super::out::{Answer, Exit, Out};
use super::{
    audit, call, check, compile, completions, diff, doc, eval, explain, export, fmt, import, inspect, lsp, man, new,
    outside, parity, replay, snapshot, test, why,
};

/// Decision tables for what may follow an uncertain attempt: written, proven and asked.
#[derive(Debug, Parser)]
#[command(name = "nisi", version = version())]
#[command(
    after_help = "Exit codes: 0 yes · 1 the policy has errors, or a test says no · 2 the question could not be put"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Whether what is meant for people has colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set; elsewhere where `CLICOLOR_FORCE` is
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Finds every fault of the policies under some paths, proves them, and runs their examples
    Check(check::Args),
    /// Formats policies: tables aligned, words one space apart, and nothing that they say another
    Fmt(fmt::Args),
    /// Runs the examples of policies and the cases beside them, and shows how a decision that was not expected came about
    Test(test::Args),
    /// Asks a policy for a decision
    Eval(eval::Args),
    /// Shows how a policy comes to a decision: rows passed over, the row that matched, guards
    Why(why::Args),
    /// Compares two policies for every input: where decisions changed, and whether they became wider
    Diff(diff::Args),
    /// Compiles a policy into one file that programs load without parsing or proving
    Compile(compile::Args),
    /// Shows what a policy is compiled to: the matcher of each table, what a question reads of it, its room
    Inspect(inspect::Args),
    /// Shows what a policy decides where, in few lines that only a changed decision changes
    Snapshot(snapshot::Args),
    /// Writes a policy as one page for people who have no tools, in HTML or in Markdown
    Doc(doc::Args),
    /// Reads a table from elsewhere, CSV, Markdown, XLSX or DMN, and writes a policy
    Import(import::Args),
    /// Writes the tables of a policy elsewhere, as CSV, Markdown or DMN
    Export(export::Args),
    /// Shows which registered releases may stand in for which, and every field that is in the way
    Parity(parity::Args),
    /// Decides the records of a log again, and reports those that differ
    Replay(replay::Args),
    /// Checks a log of decisions: whether a line was changed, taken out or put in
    Audit(audit::Args),
    /// Serves an editor: findings while somebody types, mends, names, and what a policy says, by the Language Server Protocol
    Lsp(lsp::Args),
    /// Explains a code such as N0203, or prints a vocabulary such as std.facts
    Explain(explain::Args),
    /// Writes a first policy, with comments and examples
    New(new::Args),
    /// Prints the completions of a shell
    Completions(completions::Args),
    /// Prints the manual, or writes one page a command into a folder
    Man(man::Args),
}

/// Runs the command with the words of its call.
pub fn run() -> ExitCode {
    run_words(outside::words())
}

fn run_words(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    let help = definition().color(help_color(&words));
    let cli = match help.try_get_matches_from(&words).and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(trouble) = call::trouble(&error) {
                let mut out = Out::new(Some(false));
                return ExitCode::from(out.end(Err(trouble.into())) as u8);
            }
            // That nobody reads the message is no failure; the code says the same.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Exit::Unasked as u8 } else { Exit::Yes as u8 });
        }
    };
    let mut out = Out::new(match cli.color {
        Color::Auto => None,
        Color::Always => Some(true),
        Color::Never => Some(false),
    });
    let answer = dispatch(cli.command, &mut out);
    ExitCode::from(out.end(answer) as u8)
}

/// Whether the help has colours: it is asked for while the call is read, so its words are looked at before.
fn help_color(words: &[OsString]) -> ColorChoice {
    let mut words = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    let mut said = None;
    while let Some(word) = words.next() {
        said = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(value) => value.strip_prefix('=').or(said),
            None => said,
        };
    }
    match said {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

fn dispatch(command: Command, out: &mut Out) -> Answer {
    match command {
        Command::Check(args) => check::run(&args, out),
        Command::Fmt(args) => fmt::run(&args, out),
        Command::Test(args) => test::run(&args, out),
        Command::Eval(args) => eval::run(&args, out),
        Command::Why(args) => why::run(&args, out),
        Command::Diff(args) => diff::run(&args, out),
        Command::Compile(args) => compile::run(&args, out),
        Command::Inspect(args) => inspect::run(&args, out),
        Command::Snapshot(args) => snapshot::run(&args, out),
        Command::Doc(args) => doc::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Parity(args) => parity::run(&args, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Audit(args) => audit::run(&args, out),
        Command::Lsp(args) => Ok(lsp::run(&args)),
        Command::Explain(args) => explain::run(&args, out),
        Command::New(args) => new::run(&args, out),
        Command::Completions(args) => completions::run(&args, definition(), out),
        Command::Man(args) => man::run(&args, definition(), out),
    }
}

/// The one definition that the parser, the completions and the manual are made from.
fn definition() -> clap::Command {
    Cli::command()
}

/// `0.1.0 (language edition nisi 1, sha256:…)`: the digest is of the grammar and the vocabularies that ship inside.
fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(version_text)
}

fn version_text() -> String {
    let mut hash = Sha256::new();
    for text in language() {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    let digest = hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    format!("{} (language edition {}, sha256:{digest})", env!("CARGO_PKG_VERSION"), crate::program::EDITION)
}

/// What the language is: its grammar, and every vocabulary that ships with it.
fn language() -> impl Iterator<Item = &'static str> {
    let grammar = include_str!("../../grammar/nisi.pest");
    std::iter::once(grammar).chain(explain::STD.iter().filter_map(|name| crate::compile::shipped(name)))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        super::Cli::command().debug_assert();
    }
}
