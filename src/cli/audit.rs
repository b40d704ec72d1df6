//! `nisi audit verify LOG`: whether a chained log is whole.
//!
//! The answer is no where a line was changed, taken out or put in, or where the last hash is not the one that is given:
//! only that tells a log whose end was cut off. Of an empty log nothing can be said without it.

use std::path::PathBuf;

use clap::Subcommand;

use super::lines::{next_line, text_of};
use super::out::{Answer, Exit, Out, Trouble, n, visible};
use super::{disk, outside};
use crate::judge::{ArgsHash, Chain};

/// The arguments of `nisi audit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Checks the chain of a log, line by line
    Verify {
        /// The log; `-` for standard input
        log: PathBuf,
        /// The hash of the last line, as it was kept elsewhere: tells whether the end was cut off
        #[arg(long, value_name = "HASH")]
        last: Option<String>,
    },
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let What::Verify { log, last } = &args.what;
    // A hash that was copied in part is no sign that the log was cut.
    if let Some(text) = last.as_ref().filter(|last| last.parse::<ArgsHash>().is_err()) {
        let trouble = Trouble::new(format!("`{}` is no hash of a line", visible(text)));
        return Err(trouble.help("write `sha256:` and all its 64 digits, as `audit verify` prints them").into());
    }
    let mut lines = outside::lines(log).map_err(|error| disk::unreadable(log, &error))?;
    let (mut chain, mut number, mut records, mut faults) = (Chain::default(), 0usize, 0usize, 0usize);
    while let Some(line) = next_line(&mut lines).map_err(|error| disk::unreadable(log, &error))? {
        number += 1;
        let checked = match text_of(line) {
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => chain.check(&text).map(|_| ()).map_err(|error| error.message),
            Err(trouble) => Err(trouble.message),
        };
        match checked {
            Ok(()) => records += 1,
            Err(message) => {
                faults += 1;
                out.unread = Exit::No;
                out.line(&format!("line {number}: {message}"))?;
            }
        }
    }
    if records + faults == 0 && last.is_none() {
        let trouble = Trouble::new(format!("`{}` is empty: there is no chain to check", log.display()));
        return Err(trouble.help("with `--last HASH`, kept elsewhere, it is told whether the log was emptied").into());
    }
    if last.as_ref().is_some_and(|last| last != chain.last()) {
        faults += 1;
        out.line(&format!("the last line has the hash {}: the end was cut off, or written anew", chain.last()))?;
    }
    if faults > 0 {
        out.say(&format!("{} in {}", n(faults, "fault", "faults"), n(number, "line", "lines")));
        return Ok(Exit::No);
    }
    out.line(&format!("{}, whole; the last is {}", n(records, "record", "records"), chain.last()))?;
    Ok(Exit::Yes)
}
