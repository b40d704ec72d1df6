//! Names that stand in a file which is not there: one finding for the file, none for each name.

use std::collections::BTreeSet;

use super::load::{Loaded, shipped};
use crate::diag::{self, Diagnostic};
use crate::text::SourceMap;

/// Drops what only follows from a file that could not be used, and tells a vocabulary that nothing uses once.
pub(super) fn settle(loaded: &Loaded, findings: &mut Vec<Diagnostic>) {
    let of_a_name = |d: &Diagnostic| d.code == diag::N0201 || d.code == diag::N0202;
    if loaded.incomplete {
        findings.retain(|d| !of_a_name(d) || !d.fixes.is_empty());
    }
    if !loaded.sources.iter().any(|(_, source)| source.name() == "std/facts.nisi") {
        unused_vocabulary(&loaded.sources, findings);
    }
}

/// Facts of `std.facts` where nothing uses it.
fn unused_vocabulary(sources: &SourceMap, findings: &mut Vec<Diagnostic>) {
    let lines = shipped("std.facts").unwrap_or_default().lines();
    let declared = lines.filter_map(|l| l.strip_prefix("fact ").or_else(|| l.strip_prefix("derive ")));
    let declared: BTreeSet<&str> = declared.filter_map(|l| l.split(' ').next()).collect();
    let name = |d: &Diagnostic| sources.slice(d.span());
    let is_one = |d: &Diagnostic| {
        d.code == diag::N0201 && d.message.starts_with("there is no fact") && declared.contains(name(d))
    };
    let names: BTreeSet<&str> = findings.iter().filter(|d| is_one(d)).map(name).collect();
    if names.len() < 2 {
        return;
    }
    let Some(first) = findings.iter().position(is_one) else { return };
    let shown: Vec<String> = names.iter().take(4).map(|n| format!("`{n}`")).collect();
    let more =
        if names.len() > shown.len() { format!(" and {} more", names.len() - shown.len()) } else { String::new() };
    let message = format!("{}{more} are facts of `std.facts`, which this file does not use", shown.join(", "));
    let one = Diagnostic::new(diag::N0201, message)
        .at(findings[first].span(), "the first of them")
        .help("write `use std.facts` below the version, or declare facts of your own");
    findings[first] = one;
    let mut i = 0;
    findings.retain(|d| {
        i += 1;
        i == first + 1 || !is_one(d)
    });
}
