//! `nisi inspect POLICY`: what it is compiled to. The matcher of each table and what a question reads of it, digest,
//! version, counts. Of an artifact also who compiled it, from which files, and whether its digest and matchers follow
//! from its rows; where they do not, the answer is no.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::ask;
use super::form::{self, Form};
use super::format::Format;
use super::out::{Answer, Exit, Out, Trouble, n, visible};
use crate::artifact::FORMAT;
#[cfg(feature = "sign")]
use crate::artifact::{self, PublicKey};
use crate::compile::Options;
use crate::decide::{Inspection, Policy, TableMatcher, VerifyError};
use crate::program::EDITION;

/// The arguments of `nisi inspect`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy, text or artifact
    policy: PathBuf,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Asks that the artifact is signed with the key whose public half is in a file: PEM, or 64 hexadecimal digits
    #[cfg(feature = "sign")]
    #[arg(long, value_name = "KEYFILE")]
    verify_key: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let (policy, artifact) = match form::read(&args.policy)? {
        Form::Artifact(bytes) => {
            let (n_bytes, signed) = (bytes.len(), signed(args, &bytes)?);
            let policy = ask::loaded(&args.policy, bytes)?;
            let artifact = Artifact { n_bytes, signed, verified: policy.verify() };
            (policy, Some(artifact))
        }
        #[cfg(feature = "sign")]
        Form::Text(_) if args.verify_key.is_some() => {
            let text = format!("`{}` is a text, and only an artifact is signed", args.policy.display());
            return Err(Trouble::new(text)
                .help("write it signed: `nisi compile POLICY -o FILE --sign KEYFILE`")
                .into());
        }
        Form::Text(text) => {
            let options = Options { lints: false, ..Options::default() };
            let Ok(policy) = ask::compiled_text(&args.policy, text, &options, "inspected", out)? else {
                return Ok(Exit::No);
            };
            (policy, None)
        }
    };
    match args.format {
        Format::Json => {
            let mut object = object(&policy, &policy.inspect());
            if let Some(artifact) = &artifact {
                object["artifact"] = artifact.object(&policy);
            }
            out.line(&format!("{object:#}"))?;
        }
        Format::Human => {
            let head = artifact.as_ref().map_or(String::new(), |artifact| artifact.human(&policy));
            out.result(&visible(&(head + &human(&policy, &policy.inspect()))))?;
        }
    }
    let Some(Err(error)) = artifact.map(|artifact| artifact.verified) else { return Ok(Exit::Yes) };
    out.trouble(&Trouble::new(format!("`{}` is not to be trusted: {error}", args.policy.display())));
    Ok(Exit::No)
}

/// Who signed an artifact, and whether that was looked at; an error where it was asked for and is not so.
#[cfg(feature = "sign")]
fn signed(args: &Args, bytes: &[u8]) -> Result<Option<(String, bool)>, Trouble> {
    let Some(file) = &args.verify_key else {
        return Ok(artifact::claimed_signer(bytes).map(|key| (key.to_string(), false)));
    };
    let key = form::key(file, PublicKey::read)?;
    let signer = artifact::signer(bytes, &[key]).map(ToString::to_string);
    signer.map(|key| Some((key, true))).map_err(|error| {
        Trouble::new(format!("`{}` is not to be trusted: {error}", args.policy.display())).help(error.help())
    })
}

#[cfg(not(feature = "sign"))]
fn signed(_args: &Args, _bytes: &[u8]) -> Result<Option<(String, bool)>, Trouble> {
    Ok(None)
}

/// What is told of an artifact beside its policy.
struct Artifact {
    n_bytes: usize,
    /// The key that it is signed with, and whether that was verified.
    signed: Option<(String, bool)>,
    verified: Result<(), VerifyError>,
}

impl Artifact {
    fn object(&self, policy: &Policy) -> Value {
        let files: Vec<&str> = policy.files().collect();
        let mut object = json!({
            "format": FORMAT, "nisi": policy.compiled_by(), "edition": EDITION, "bytes": self.n_bytes, "files": files,
            "verified": self.verified.is_ok(),
        });
        if let Some((key, is_verified)) = &self.signed {
            object["signature"] = json!({ "key": key, "verified": is_verified });
        }
        object
    }

    fn human(&self, policy: &Policy) -> String {
        let files: Vec<&str> = policy.files().collect();
        let verified = if self.verified.is_ok() { "follow" } else { "do not follow" };
        let signed = match &self.signed {
            Some((key, true)) => format!("signed with {key}, and by nobody else\n"),
            Some((key, false)) => format!("signed, it says, with {key}; `--verify-key` looks\n"),
            None => String::new(),
        };
        format!(
            "artifact of format {FORMAT}, language edition {EDITION}, by nisi {}: {}\nfrom {}\n\
             its digest and its matchers {verified} from its rows\n{signed}\n",
            policy.compiled_by(),
            n(self.n_bytes, "byte", "bytes"),
            files.join(", "),
        )
    }
}

fn object(policy: &Policy, inspection: &Inspection) -> Value {
    let mut object = json!({
        "policy": policy.name(), "version": policy.version(), "digest": policy.digest(), "proven": policy.is_proven(),
        "facts": inspection.n_facts, "rows": inspection.n_rows, "bytes": inspection.n_bytes(),
        "batch": if inspection.has_joint_keys { "joint keys" } else { "one by one" },
    });
    if let Some(flat) = &inspection.flat {
        object["flat"] = json!({ "points": flat.n_points, "answers": flat.n_answers, "bytes": flat.n_bytes });
    }
    object["tables"] = inspection.tables.iter().map(table).collect();
    object
}

fn table(table: &TableMatcher) -> Value {
    let mut object =
        json!({ "name": table.name, "derive": table.is_derive, "rows": table.n_rows, "kind": table.kind() });
    if let Some(bitmaps) = &table.bitmaps {
        if let Some(fact) = bitmaps.grouped_by {
            object["grouped_by"] = fact.into();
        }
        object["columns"] = json!(bitmaps.columns);
        object["checked"] = bitmaps.n_checked.into();
        object["tops"] = bitmaps.has_tops.into();
        object["words"] = bitmaps.n_words.into();
        object["bytes"] = bitmaps.n_bytes.into();
    }
    object
}

fn human(policy: &Policy, inspection: &Inspection) -> String {
    let mut text = String::new();
    let mut put = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    let version = Some(policy.version()).filter(|version| !version.is_empty());
    let proven = if policy.is_proven() { "proven" } else { "not proven" };
    put(format_args!("policy {} {}, {proven}", policy.name(), version.unwrap_or("without a version")));
    put(format_args!("{}", policy.digest()));
    let (facts, rows) = (n(inspection.n_facts, "fact", "facts"), n(inspection.n_rows, "row", "rows"));
    put(format_args!("{facts}, {rows}, {}\n", n(inspection.n_bytes(), "byte of matchers", "bytes of matchers")));
    if let Some(flat) = &inspection.flat {
        let (points, answers) = (n(flat.n_points, "point", "points"), n(flat.n_answers, "answer", "answers"));
        put(format_args!("the whole policy is one array of {points} and {answers}: a question reads one point"));
    }
    let batch = if inspection.has_joint_keys {
        "by joint keys, a thousand questions at a time"
    } else {
        "question by question"
    };
    put(format_args!("a batch is answered {batch}\n"));
    for table in &inspection.tables {
        let what = if table.is_derive { "derive" } else { "table" };
        let rows = n(table.n_rows, "row", "rows");
        let Some(bitmaps) = &table.bitmaps else {
            let place = if inspection.flat.is_some() { "in the array" } else { "asked by no table" };
            put(format_args!("{what} {}: {rows}, {place}", table.name));
            continue;
        };
        let groups = bitmaps.grouped_by.map_or(String::new(), |fact| format!(" in groups by {fact}"));
        let columns: Vec<String> = bitmaps.columns.iter().map(|facts| facts.join(" × ")).collect();
        let columns = if columns.is_empty() { "nothing".into() } else { columns.join(", ") };
        let (words, bytes) = (n(bitmaps.n_words, "word", "words"), n(bitmaps.n_bytes, "byte", "bytes"));
        let checked = if bitmaps.n_checked > 0 { ", rows checked after them" } else { "" };
        let tops = if bitmaps.has_tops { ", 128 rows passed over at a time" } else { "" };
        put(format_args!(
            "{what} {}: {rows}, bitmaps{groups} over {columns}{checked}{tops}: a question reads at most {words}; {bytes}",
            table.name
        ));
    }
    text
}
