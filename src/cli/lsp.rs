//! `nisi lsp`: the language server, over standard input and output.

use super::out::Exit;
use super::outside;
use crate::lsp::{Ended, connect, serve};

/// The arguments of `nisi lsp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "An editor starts it by itself; docs/editors.md tells how to set some of them up.")]
pub(super) struct Args {
    /// Speaks over standard input and output: the only way there is, and what editors ask for
    #[arg(long)]
    stdio: bool,
}

pub(super) fn run(args: &Args) -> Exit {
    // Said or not, it is so.
    let Args { stdio: _ } = args;
    let (input, output) = outside::streams();
    let (connection, wire) = connect(input, output);
    let ended = serve(&connection, || Some(outside::today()));
    drop(connection);
    wire.finish();
    if ended == Ended::Orderly { Exit::Yes } else { Exit::No }
}
