//! `nisi completions SHELL`: what a shell offers after `nisi`, made from the definition of the call.

use clap_complete::Shell;

use super::out::{Answer, Exit, Out};

/// The arguments of `nisi completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Whose completions
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args, mut definition: clap::Command, out: &mut Out) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "nisi", &mut text);
    out.result(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Yes)
}
