//! `nisi man [--dir DIR]`: the manual, made from the definition of the call.

use std::path::PathBuf;

use clap_mangen::Man;

use super::out::{Answer, Exit, Out, Trouble, io_words};
use super::outside;

/// The arguments of `nisi man`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Writes one page a command into this folder, which is made where it is missing
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, mut definition: clap::Command, out: &mut Out) -> Answer {
    definition = definition.disable_help_subcommand(true);
    definition.build();
    let Some(dir) = &args.dir else {
        let mut text = Vec::new();
        Man::new(definition).render(&mut text)?;
        out.result(&String::from_utf8_lossy(&text))?;
        return Ok(Exit::Yes);
    };
    let mut commands = vec![definition];
    let mut next = 0;
    while let Some(command) = commands.get(next) {
        commands.extend(command.get_subcommands().cloned().collect::<Vec<_>>());
        next += 1;
    }
    for command in commands {
        let page = Man::new(command);
        let (name, mut text) = (page.get_filename(), Vec::new());
        page.render(&mut text)?;
        outside::write_in(dir, &name, &text).map_err(|error| {
            Trouble::new(format!("`{}` could not be written: {}", dir.join(&name).display(), io_words(&error)))
        })?;
        out.line(&dir.join(&name).display().to_string())?;
    }
    Ok(Exit::Yes)
}
