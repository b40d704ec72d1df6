//! `nisi parity POLICY --releases DIR`: which registered releases may stand in for which, and every field in the way.
//!
//! With `--from A --to B` the answer is no where the pair is not in parity.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::format::Format;
use super::out::{Answer, Exit, Out, Trouble, visible};
use super::{ask, registry};
use crate::compile::Options;
use crate::decide::Policy;
use crate::diag;
use crate::judge::{Difference, Moment, Passport, Releases, differences, parities};

/// The arguments of `nisi parity`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy whose parities are judged
    policy: PathBuf,
    /// A folder of release passports, or one file of them
    #[arg(long, value_name = "DIR")]
    releases: PathBuf,
    /// The release that failed
    #[arg(long, value_name = "RELEASE", requires = "to")]
    from: Option<String>,
    /// The release that would stand in
    #[arg(long, value_name = "RELEASE", requires = "from")]
    to: Option<String>,
    /// The day that dates are held against, instead of the clock's
    #[arg(long, value_name = "DATE")]
    today: Option<String>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// One directed pair under one parity.
struct Pair<'a> {
    parity: &'a str,
    from: &'a Passport,
    to: &'a Passport,
    found: Vec<Difference>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let now = registry::moment(args.today.as_deref())?;
    let options = Options { lints: false, ..Options::default() };
    let Ok(policy) = ask::compiled(&args.policy, &options, "judged", out)? else { return Ok(Exit::No) };
    let releases = registry::releases(&args.releases, out)?;
    if parities(&policy).next().is_none() {
        let text = format!("`{}` has no parity", args.policy.display());
        return Err(Trouble::new(text).help("write `parity NAME { same safety_policy }`").into());
    }
    let from = args.from.as_deref().map(|name| named(&releases, name)).transpose()?;
    let to = args.to.as_deref().map(|name| named(&releases, name)).transpose()?;
    let wanted = |pair: &Pair| from.zip(to).is_none_or(|(from, to)| pair.from == from && pair.to == to);
    let pairs: Vec<Pair> =
        all(&policy, &releases, now, from == to && from.is_some()).into_iter().filter(wanted).collect();
    match args.format {
        Format::Json => out.line(&format!("{:#}", pairs.iter().map(object).collect::<Value>()))?,
        Format::Human => out.result(&visible(&human(&policy, &releases, &pairs, from.is_none())))?,
    }
    let no = from.is_some() && pairs.iter().any(|pair| !pair.found.is_empty());
    Ok(if no { Exit::No } else { Exit::Yes })
}

fn named<'r>(releases: &'r Releases, name: &str) -> Result<&'r Passport, Trouble> {
    releases.get(name).ok_or_else(|| {
        let trouble = Trouble::new(format!("there is no release `{name}`"));
        match diag::nearest(name, releases.passports().map(|p| p.name().as_str())) {
            Some(near) => trouble.help(format!("did you mean `{near}`?")),
            None => trouble,
        }
    })
}

/// Every directed pair under every parity; of a release with itself only where it is asked for.
fn all<'a>(policy: &'a Policy, releases: &'a Releases, now: Moment, itself: bool) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for parity in parities(policy) {
        for from in releases.passports() {
            for to in releases.passports().filter(|to| itself || to.name() != from.name()) {
                let found = differences(policy, parity, from, to, now).unwrap_or_default();
                pairs.push(Pair { parity, from, to, found });
            }
        }
    }
    pairs
}

fn object(pair: &Pair) -> Value {
    let field = |d: &Difference| json!({ "field": d.field, "have": d.have, "need": d.need });
    json!({
        "parity": pair.parity, "from": pair.from.name().as_str(), "to": pair.to.name().as_str(),
        "holds": pair.found.is_empty(), "differs": pair.found.iter().map(field).collect::<Vec<_>>(),
    })
}

/// A matrix for each parity, and below it what is in the way.
fn human(policy: &Policy, releases: &Releases, pairs: &[Pair], matrix: bool) -> String {
    let mut text = String::new();
    for parity in parities(policy) {
        let of: Vec<&Pair> = pairs.iter().filter(|p| p.parity == parity).collect();
        if matrix {
            put(&mut text, format_args!("parity {parity}: may the one above stand in for the one at the left?\n\n"));
            text.push_str(&table(releases, &of));
            text.push('\n');
        }
        for pair in of {
            let verdict = if pair.found.is_empty() { "holds" } else { "refused" };
            if !matrix || !pair.found.is_empty() {
                put(&mut text, format_args!("{parity}, from {} to {}: {verdict}\n", pair.from.name(), pair.to.name()));
            }
            for d in &pair.found {
                put(&mut text, format_args!("  {} is {}; it must be {}\n", d.field, d.have, d.need));
            }
        }
        text.push('\n');
    }
    text
}

fn put(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(args);
}

fn table(releases: &Releases, pairs: &[&Pair]) -> String {
    let names: Vec<&str> = releases.passports().map(|p| p.name().as_str()).collect();
    let first = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = names.iter().map(|n| n.chars().count().max("refused (99)".len())).collect();
    let mut text = format!("{:first$}", "");
    for (name, width) in names.iter().zip(&widths) {
        put(&mut text, format_args!("  {name:width$}"));
    }
    text = format!("{}\n", text.trim_end());
    for from in &names {
        let mut line = format!("{from:first$}");
        for (to, width) in names.iter().zip(&widths) {
            let pair = pairs.iter().find(|p| p.from.name().as_str() == *from && p.to.name().as_str() == *to);
            let cell = match pair.map(|p| p.found.len()) {
                None => "·".to_string(),
                Some(0) => "holds".to_string(),
                Some(n) => format!("refused ({n})"),
            };
            put(&mut line, format_args!("  {cell:width$}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
