//! `--coverage`: what the cases show of each policy, for people and as LCOV; `--suggest`: the cases that are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::Depth;
use super::gather::{self, Suite};
use super::report::Report;
use crate::cases::{self, COVERAGE_STEPS, Count, Coverage, Missed};
use crate::cli::out::{Answer, Exit, Failure, Out, Trouble, io_words, n};
use crate::cli::progress::Progress;
use crate::cli::{outside, threads};
use crate::decide::Policy;

/// What the cases show of each policy; nothing for one that has errors.
pub(super) fn of(depth: &Depth, report: &Report<'_>, out: &mut Out) -> Result<Vec<Option<Coverage>>, Failure> {
    let old = match &depth.since {
        Some(path) => Some(older(path, out)?),
        None => None,
    };
    let progress = Progress::start("covering", report.suites.len());
    Ok(threads::in_order(report.suites.len(), 1, |i| {
        let suite = report.suites[i].0;
        progress.at(&suite.file);
        progress.step();
        let policy = suite.policy.as_ref().ok()?;
        // A policy that was not there before is new in every row.
        let before = old.as_ref().and_then(|old| old.get(policy.name()));
        let only: Option<BTreeSet<String>> = before.map(|before| cases::changed_rows(before, policy));
        let asked = suite.cases.iter().map(|asked| &asked.case);
        Some(cases::coverage(policy, asked, only.as_ref(), COVERAGE_STEPS))
    }))
}

/// The policies of `--since`, by name.
fn older(path: &Path, out: &mut Out) -> Result<BTreeMap<String, Policy>, Failure> {
    let gathered = gather::gather(&[path.to_path_buf()], out);
    let policies: BTreeMap<String, Policy> = gathered
        .suites
        .into_iter()
        .filter_map(|suite| suite.policy.ok())
        .map(|policy| (policy.name().to_string(), policy))
        .collect();
    if policies.is_empty() {
        let trouble = Trouble::new(format!("`--since {}`: there is no policy to compare with", path.display()));
        return Err(trouble.help("name the policy as it was, or a folder of such policies").into());
    }
    Ok(policies)
}

/// The policies of which too little is shown, each as a line.
pub(super) fn too_little(depth: &Depth, report: &Report<'_>) -> Vec<String> {
    let Some(min) = depth.min else { return Vec::new() };
    let short = report.covered().filter(|(_, coverage)| {
        let all = coverage.all();
        all.shown * 100 < min * all.total
    });
    short
        .map(|(suite, c)| format!("{}: {}% is less than the {min}% asked for", suite.file, c.all().percent()))
        .collect()
}

/// A policy's rows, each with how many cases take it, how much of it is shown, and what is not.
pub(super) fn table(text: &mut String, suite: &Suite, coverage: &Coverage) {
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "coverage of {}: {}%", suite.file, coverage.all().percent());
    for (what, count) in parts(coverage) {
        let _ = writeln!(text, "  {what:6}  {} of {}", count.shown, count.total);
    }
    if coverage.n_never > 0 {
        let _ = writeln!(text, "  no facts show {} more", coverage.n_never);
    }
    if coverage.by_row.is_empty() {
        text.push_str("  nothing changed: there is no row to look at\n\n");
        return;
    }
    text.push_str("\n  cases  shown\n");
    let mut table = "";
    for row in &coverage.by_row {
        let own = row.row.split_once('/').map_or("", |(table, _)| table);
        if table != own {
            table = own;
            let _ = writeln!(text, "                {table}");
        }
        let shown = format!("{}/{}", row.shown.shown, row.shown.total);
        let line = suite.source.text().get(row.span.range()).unwrap_or_default().trim();
        let _ = writeln!(text, "  {:5}  {shown:>5}  {line}", row.n_cases);
        // Of a row that nothing takes that is said, and not all that follows from it.
        let is_told = |missed: &&Missed| missed.row == row.row && (row.n_cases > 0 || missed.kind == "row");
        for missed in coverage.missed.iter().filter(is_told) {
            let _ = writeln!(text, "                  {}", missed.what);
        }
    }
    text.push('\n');
}

fn parts(coverage: &Coverage) -> [(&'static str, Count); 4] {
    [("rows", coverage.rows), ("cells", coverage.cells), ("guards", coverage.guards), ("ways", coverage.ways)]
}

/// The coverage for tools: each row's line with its cases, and what can be shown of it as branches.
pub(super) fn write_lcov(file: &Path, report: &Report<'_>) -> Result<(), Trouble> {
    let mut text = String::new();
    for (suite, coverage) in report.covered() {
        let _ = writeln!(text, "TN:nisi\nSF:{}", suite.file);
        let line = |span: crate::text::Span| suite.source.position(span.start as usize).line;
        let (mut lines, mut taken, mut branches, mut shown) = (0, 0, 0, 0);
        for row in &coverage.by_row {
            let line = line(row.span);
            for branch in 0..row.shown.total {
                let hit = if row.n_cases == 0 { "-".into() } else { u8::from(branch < row.shown.shown).to_string() };
                let _ = writeln!(text, "BRDA:{line},0,{branch},{hit}");
            }
            let _ = writeln!(text, "DA:{line},{}", row.n_cases);
            lines += 1;
            taken += usize::from(row.n_cases > 0);
            branches += row.shown.total;
            shown += if row.n_cases == 0 { 0 } else { row.shown.shown };
        }
        let _ = writeln!(text, "BRF:{branches}\nBRH:{shown}\nLF:{lines}\nLH:{taken}\nend_of_record");
    }
    outside::write_over(file, &text)
        .map_err(|error| Trouble::new(format!("`{}` could not be written: {}", file.display(), io_words(&error))))
}

/// Prints the cases that are missing, as a case file.
pub(super) fn suggest(depth: &Depth, report: &Report<'_>, out: &mut Out) -> Answer {
    let policies = report.suites.iter().filter(|(suite, _)| suite.policy.is_ok()).count();
    if policies > 1 {
        let trouble = Trouble::new(format!("`--suggest` writes the cases of one policy, and here are {policies}"));
        return Err(trouble.help("name one of them").into());
    }
    let covered = of(depth, report, out)?;
    let mut exit = if report.exit() == Exit::Unasked { Exit::Unasked } else { Exit::Yes };
    for ((suite, _), coverage) in report.suites.iter().zip(&covered) {
        let (Ok(policy), Some(coverage)) = (&suite.policy, coverage) else {
            exit = exit.max(Exit::No);
            continue;
        };
        if coverage.suggested.is_empty() {
            out.say(&format!("{}: nothing is missing that a case could show", suite.file));
            continue;
        }
        out.result(&cases::write_cases(policy, &coverage.suggested))?;
        let suggested = n(coverage.suggested.len(), "case", "cases");
        let missed = n(coverage.missed.len(), "thing", "things");
        out.say(&format!(
            "{}: {suggested} for {missed} that no case shows; look whether you want what they expect",
            suite.file
        ));
    }
    if report.n_failed() > 0 {
        out.say(&format!("{} that there are fail: `nisi test` shows them", n(report.n_failed(), "case", "cases")));
        exit = exit.max(Exit::No);
    }
    Ok(exit)
}
