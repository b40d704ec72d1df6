//! `nisi replay LOG --policy P`: the records of a log decided again; those that differ are reported.
//!
//! A line is a record, or a line of a chained log. The answer is no where a record differs, cannot be decided again, or
//! cannot be read.

use std::path::PathBuf;

use serde_json::json;

use super::format::Format;
use super::lines::{next_line, text_of};
use super::out::{Answer, Exit, Out, n, visible};
use super::{ask, disk, outside};
use crate::compile::Options;
use crate::decide::Policy;
use crate::judge::{Chain, Record, Replayed};

/// The arguments of `nisi replay`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The log, a record a line; `-` for standard input
    log: PathBuf,
    /// The policy that decides again
    #[arg(long, value_name = "POLICY")]
    policy: PathBuf,
    /// For people, or JSON Lines
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let options = Options { lints: false, ..Options::default() };
    let Ok(policy) = ask::compiled(&args.policy, &options, "asked", out)? else { return Ok(Exit::No) };
    let mut lines = outside::lines(&args.log).map_err(|error| disk::unreadable(&args.log, &error))?;
    let (mut number, mut same, mut other) = (0usize, 0usize, 0usize);
    while let Some(line) = next_line(&mut lines).map_err(|error| disk::unreadable(&args.log, &error))? {
        number += 1;
        let found = match text_of(line) {
            Err(trouble) => Replayed::CannotTell(trouble.message),
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => replay(&policy, &text),
        };
        if found == Replayed::Same {
            same += 1;
            continue;
        }
        other += 1;
        out.unread = Exit::No;
        match args.format {
            Format::Human => out.result(&visible(&human(number, &found)))?,
            Format::Json => out.line(&object(number, &found))?,
        }
    }
    let of_policy = format!("{} {}", policy.name(), policy.version());
    out.say(&format!("{} the same under {}, {other} not", n(same, "record", "records"), of_policy.trim_end()));
    Ok(if other > 0 { Exit::No } else { Exit::Yes })
}

fn replay(policy: &Policy, text: &str) -> Replayed {
    // A chained line holds a record; whether the chain is whole is `audit`'s question.
    let record = Chain::record(text).or_else(|_| Record::read(text));
    match record {
        Ok(record) => policy.replay(&record),
        Err(error) => Replayed::CannotTell(error.message),
    }
}

fn human(line: usize, found: &Replayed) -> String {
    match found {
        Replayed::Same => String::new(),
        Replayed::CannotTell(why) => format!("line {line}: {why}\n"),
        Replayed::Differs(parts) => {
            let part = |(part, was, is): &(String, String, String)| format!("  {part} was {was}, and is {is}\n");
            format!("line {line}: decided otherwise\n{}", parts.iter().map(part).collect::<String>())
        }
    }
}

fn object(line: usize, found: &Replayed) -> String {
    match found {
        Replayed::Differs(parts) => {
            let part = |(part, was, is): &(String, String, String)| json!({ "part": part, "was": was, "is": is });
            json!({ "line": line, "differs": parts.iter().map(part).collect::<Vec<_>>() }).to_string()
        }
        Replayed::CannotTell(why) => json!({ "line": line, "error": why }).to_string(),
        Replayed::Same => json!({ "line": line }).to_string(),
    }
}
