//! `nisi snapshot POLICY`: what the policy decides where, in few lines; or held to such a text that was kept.

use std::path::{Path, PathBuf};

use super::out::{Answer, Exit, Out, Trouble, io_words, visible};
use super::outside::{self, Content};
use super::{ask, patch, progress};
use crate::compile::Options;
use crate::map::MAX_STEPS;

/// A kept map has at most so many bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The arguments of `nisi snapshot`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The text is the same for every layout and order of rows in which no decision changes. Keep it:\n  \
                  nisi snapshot a.nisi > a.map\nand hold the policy to it:\n  nisi snapshot a.nisi --against a.map"
)]
pub(super) struct Args {
    /// The policy
    policy: PathBuf,
    /// A snapshot that was kept: prints what changed as a patch, with exit code 1 where something did
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How far the work may go
    #[arg(long, value_name = "STEPS", default_value_t = MAX_STEPS)]
    max_steps: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let options = Options { lints: false, ..Options::default() };
    let Ok(policy) = ask::compiled(&args.policy, &options, "mapped", out)? else { return Ok(Exit::No) };
    let map = progress::during("mapping", &args.policy, || policy.map_within(args.max_steps));
    if !map.is_whole {
        let text = format!("the map of `{}` is not worked out within {} steps", args.policy.display(), args.max_steps);
        let further = args.max_steps.saturating_mul(10).max(10);
        return Err(Trouble::new(text).help(format!("let it go on with `--max-steps {further}`")).into());
    }
    let text = visible(&map.to_string());
    let Some(kept) = &args.against else {
        out.result(&text)?;
        return Ok(Exit::Yes);
    };
    let old = read(kept)?.replace("\r\n", "\n");
    if old == text {
        out.say("no decision changed");
        return Ok(Exit::Yes);
    }
    out.result(&visible(&patch::patch(&kept.display().to_string(), &old, &text)))?;
    Ok(Exit::No)
}

fn read(kept: &Path) -> Result<String, Trouble> {
    let no = |why: &str| Trouble::new(format!("`{}` is no snapshot: {why}", kept.display()));
    match outside::read(kept, MAX_BYTES) {
        Ok(Content::Whole(bytes)) => String::from_utf8(bytes).map_err(|_| no("it is not UTF-8")),
        Ok(Content::TooLong(_)) => Err(no(&format!("it is longer than {MAX_BYTES} bytes"))),
        Err(error) => Err(Trouble::new(format!("`{}` cannot be read: {}", kept.display(), io_words(&error)))
            .help("write it first: `nisi snapshot POLICY > FILE`")),
    }
}
