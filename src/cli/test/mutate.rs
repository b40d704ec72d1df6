//! `--mutate`: policies that say something else in one place, and those of them that no case notices.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::Format;
use super::gather::Suite;
use super::report::Report;
use crate::cases::{Fate, mutants};
use crate::cli::out::{self, Answer, Exit, Out, n, visible};
use crate::cli::progress::Progress;
use crate::cli::threads;
use crate::diag::{Witness, WitnessValue};

/// What became of the mutants of one policy.
struct Told<'g> {
    suite: &'g Suite,
    n_mutants: usize,
    n_same: usize,
    /// Those that no case notices: what they say, the line, and facts for which they decide otherwise.
    survived: Vec<(String, usize, Option<Witness>)>,
}

pub(super) fn run(format: Format, report: &Report<'_>, out: &mut Out) -> Answer {
    let told: Vec<Told<'_>> = report.suites.iter().filter_map(|(suite, _)| of(suite)).collect();
    let survived: usize = told.iter().map(|told| told.survived.len()).sum();
    let exit = if survived > 0 { report.exit().max(Exit::No) } else { report.exit() };
    out.unread = exit;
    let text = match format {
        Format::Json => {
            let mut json = json!({ "policies": told.iter().map(as_json).collect::<Vec<_>>() });
            if let Some(unread) = report.unread() {
                json["unread"] = unread;
            }
            format!("{json:#}\n")
        }
        _ => told.iter().map(human).collect(),
    };
    out.result(&text)?;
    out.flush()?;
    let (mutants, same) = told.iter().fold((0, 0), |(m, s), told| (m + told.n_mutants, s + told.n_same));
    let noticed = mutants - same - survived;
    let (mutants, cases) = (n(mutants, "mutant", "mutants"), n(report.n_cases(), "case", "cases"));
    out.say(&format!("{mutants} before {cases}: {noticed} noticed, {same} change no decision, {survived} survive"));
    if report.n_failed() > 0 {
        out.say(&format!(
            "{} of the policy itself: `nisi test` shows them",
            n(report.n_failed(), "case fails", "cases fail")
        ));
    }
    Ok(exit)
}

fn of(suite: &Suite) -> Option<Told<'_>> {
    let policy = suite.policy.as_ref().ok()?;
    let mutants = mutants(policy);
    let fates = {
        let progress = Progress::start("mutants:", mutants.len());
        progress.at(&suite.file);
        threads::in_order(mutants.len(), 1, |i| {
            let fate = mutants[i].fate(suite.cases.iter().map(|asked| &asked.case));
            progress.step();
            fate
        })
    };
    let mut told = Told { suite, n_mutants: mutants.len(), n_same: 0, survived: Vec::new() };
    for (mutant, fate) in mutants.iter().zip(fates) {
        match fate {
            Fate::Noticed => {}
            Fate::Same => told.n_same += 1,
            Fate::Survives(witness) => {
                let line = suite.source.position(mutant.span().start as usize).line;
                told.survived.push((mutant.to_string(), line, witness));
            }
        }
    }
    Some(told)
}

fn human(told: &Told<'_>) -> String {
    let mut text = String::new();
    for (what, line, witness) in &told.survived {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "SURVIVES {what}\n  at {}:{line}", told.suite.file);
        if let Some(witness) = witness {
            let call = out::call("why", &told.suite.file, None, facts(witness), &witness.refuse);
            let _ = writeln!(text, "  a case would notice: {call}");
        }
    }
    let survived = told.survived.len();
    let verdict = match survived {
        0 => "no mutant survives".to_string(),
        1 => "1 mutant survives".to_string(),
        _ => format!("{survived} mutants survive"),
    };
    let _ = writeln!(text, "{}: {verdict} of {}", told.suite.file, told.n_mutants);
    visible(&text)
}

/// A witness's facts, by name.
fn facts(witness: &Witness) -> impl Iterator<Item = (&str, String)> {
    witness.facts.iter().map(|(name, value)| {
        let (WitnessValue::Text(text) | WitnessValue::Number(text)) = value;
        (name.as_str(), text.clone())
    })
}

fn as_json(told: &Told<'_>) -> Json {
    let survived = told.survived.iter().map(|(what, line, witness)| {
        let facts = witness.as_ref().map(|witness| {
            facts(witness).map(|(name, value)| (name.to_string(), value.into())).collect::<serde_json::Map<_, _>>()
        });
        let refuse = witness.as_ref().map(|witness| witness.refuse.clone());
        json!({ "mutant": what, "line": line, "facts": facts, "refuse": refuse })
    });
    json!({ "file": *told.suite.file, "mutants": told.n_mutants, "same": told.n_same, "survived": survived.collect::<Vec<_>>() })
}
