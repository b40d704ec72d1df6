//! `nisi compile POLICY -o FILE`: one file that holds the policy proven, with its matchers, to be loaded as it is.
//!
//! What `check` calls an error is one here, a failed example too: then nothing is written. The same policy gives the same
//! bytes wherever it is compiled.

use std::path::PathBuf;

use super::ask::{self, cannot_be, no_policy};
use super::check::today;
use super::disk::{Disk, Text};
use super::form::{self, Form};
use super::out::{Answer, Exit, Out, Trouble, io_words, n};
use super::{outside, progress};
#[cfg(feature = "sign")]
use crate::artifact::SecretKey;
use crate::cases;
use crate::compile::{self, Options};
use crate::decide::Policy;
use crate::diag::{Diagnostics, Severity};

/// The arguments of `nisi compile`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy
    policy: PathBuf,
    /// The file to write, `-` for standard output; an older one is replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Lets a proof pass that was cut short, N0309 or N0310; the policy then counts as not proven
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// The day that waivers are held against, instead of the clock's; it is not written
    #[arg(long, value_name = "DATE")]
    today: Option<String>,
    /// Signs it with the secret key in a file: PEM, as openssl writes it, or 64 hexadecimal digits
    #[cfg(feature = "sign")]
    #[arg(long, value_name = "KEYFILE")]
    sign: Option<PathBuf>,
    /// How many steps one proof may take before it is undecided
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let options = options(args)?;
    let path = &args.policy;
    let source = match form::read(path)? {
        Form::Text(Text::Read(source)) => source,
        Form::Text(Text::Faulty(found)) => {
            cannot_be("compiled", path, &found, out);
            return Ok(Exit::No);
        }
        Form::Artifact(_) => {
            let text = format!("`{}` is an artifact: it is compiled already", path.display());
            return Err(Trouble::new(text).help("name the policy that it was compiled from").into());
        }
    };
    let compiled = progress::during("proving", &args.policy, || compile::compile(source, &Disk, &options));
    let Diagnostics { mut items, sources } = compiled.diagnostics;
    if let Some(policy) = &compiled.policy {
        items.extend(cases::run_examples(policy, &sources).into_iter().filter_map(|example| example.finding));
    }
    items.retain(|finding| finding.severity == Severity::Error);
    if !items.is_empty() {
        cannot_be("compiled", path, &Diagnostics { items, sources }, out);
        return Ok(Exit::No);
    }
    let policy = compiled.policy.ok_or_else(|| no_policy("compiled", path, compiled.kind))?;
    let bytes = artifact(&policy, args)?;
    if outside::is_dash(&args.output) {
        out.bytes(&bytes)?;
    } else {
        outside::write_whole(&args.output, &bytes).map_err(|error| {
            Trouble::new(format!("`{}` could not be written: {}", args.output.display(), io_words(&error)))
        })?;
    }
    let proven = if policy.is_proven() { "proven" } else { "not proven" };
    let size = n(bytes.len(), "byte", "bytes");
    out.say(&format!("wrote {} {}, {proven}: {size}, {}", policy.name(), policy.version(), policy.digest()));
    Ok(Exit::Yes)
}

#[cfg(feature = "sign")]
fn artifact(policy: &Policy, args: &Args) -> Result<Vec<u8>, Trouble> {
    let Some(file) = &args.sign else { return Ok(policy.to_artifact()) };
    let key = form::key(file, SecretKey::read)?;
    Ok(policy.to_signed_artifact(&key))
}

#[cfg(not(feature = "sign"))]
fn artifact(policy: &Policy, _args: &Args) -> Result<Vec<u8>, Trouble> {
    Ok(policy.to_artifact())
}

fn options(args: &Args) -> Result<Options, Trouble> {
    let today = Some(today(args.today.as_deref())?);
    let mut options = Options { lints: false, today, allow: ask::passable(&args.allow)?, ..Options::default() };
    if let Some(steps) = args.max_steps {
        options.max_steps = steps;
    }
    Ok(options)
}
