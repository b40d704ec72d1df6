//! `nisi inspect POLICY`: what it is compiled to. The matcher of each table and what a question reads of it, digest,
//! version, counts.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::ask;
use super::format::Format;
use super::out::{Answer, Exit, Out, n, visible};
use crate::compile::Options;
use crate::decide::{Inspection, Policy, TableMatcher};

/// The arguments of `nisi inspect`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The policy
    policy: PathBuf,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Answer {
    let options = Options { lints: false, ..Options::default() };
    let Ok(policy) = ask::compiled(&args.policy, &options, "inspected", out)? else { return Ok(Exit::No) };
    match args.format {
        Format::Json => out.line(&format!("{:#}", object(&policy, &policy.inspect())))?,
        Format::Human => out.result(&visible(&human(&policy, &policy.inspect())))?,
    }
    Ok(Exit::Yes)
}

fn object(policy: &Policy, inspection: &Inspection) -> Value {
    let mut object = json!({
        "policy": policy.name(), "version": policy.version(), "digest": policy.digest(), "proven": policy.is_proven(),
        "facts": inspection.n_facts, "rows": inspection.n_rows, "bytes": inspection.n_bytes(),
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
        object["columns"] = bitmaps.n_columns.into();
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
        put(format_args!("the whole policy is one array of {points} and {answers}: a question reads one point\n"));
    }
    for table in &inspection.tables {
        let what = if table.is_derive { "derive" } else { "table" };
        let rows = n(table.n_rows, "row", "rows");
        let Some(bitmaps) = &table.bitmaps else {
            put(format_args!("{what} {}: {rows}, in the array", table.name));
            continue;
        };
        let groups = bitmaps.grouped_by.map_or(String::new(), |fact| format!(" in groups by {fact}"));
        let (columns, words) = (n(bitmaps.n_columns, "column", "columns"), n(bitmaps.n_words, "word", "words"));
        let bytes = n(bitmaps.n_bytes, "byte", "bytes");
        put(format_args!(
            "{what} {}: {rows}, bitmaps{groups} over {columns}: a question reads at most {words}; {bytes}",
            table.name
        ));
    }
    text
}
