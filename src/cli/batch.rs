//! `nisi eval --batch`: facts as JSON Lines in, decisions as JSON Lines out, in order and as they come.
//!
//! A line that cannot be answered becomes an error object on its own line, and the rest goes on. No line is held in
//! memory past its limit, and no more than one line at a time.

use std::path::Path;

use serde_json::json;

use super::ask::{Asked, draw, trouble_of};
use super::disk;
use super::lines::{next_line, text_of};
use super::out::{Answer, Exit, Out, Trouble};
use super::outside;
use crate::decide::{Raw, facts_from_json};

/// Answers every line of a file, or of standard input for `-`.
pub(super) fn run(asked: &Asked, file: &Path, seed: Option<u64>, out: &mut Out) -> Answer {
    let mut lines = outside::lines(file).map_err(|error| disk::unreadable(file, &error))?;
    let (mut number, mut failed) = (0, false);
    loop {
        // Whoever waits for an answer before the next question gets it.
        if lines.buffer().is_empty() {
            out.flush()?;
        }
        let Some(line) = next_line(&mut lines).map_err(|error| disk::unreadable(file, &error))? else { break };
        number += 1;
        let answer =
            text_of(line).map_err(|trouble| vec![trouble]).and_then(|text| answer(asked, &text, draw(seed, number)));
        match answer {
            Ok(text) => out.line(&text)?,
            Err(troubles) => {
                failed = true;
                out.unread = Exit::No;
                out.line(&error_object(number, &troubles))?;
            }
        }
    }
    Ok(if failed { Exit::No } else { asked.exit })
}

fn answer(asked: &Asked, text: &str, draw: u64) -> Result<String, Vec<Trouble>> {
    if text.trim().is_empty() {
        return Err(vec![
            Trouble::new("the line is empty").help("write one JSON map of facts a line; `{}` is no facts"),
        ]);
    }
    let mut given: Vec<(String, Raw)> = facts_from_json(text).map_err(|error| {
        let message = format!("column {}: {}", error.column, error.message);
        vec![Trouble { message, help: error.help }]
    })?;
    let defaults = asked.set.iter().filter(|(set, _)| !given.iter().any(|(name, _)| name == set));
    let defaults: Vec<_> = defaults.cloned().collect();
    given.extend(defaults);
    let facts = asked.policy.read_facts(given);
    let facts = facts.map_err(|errors| errors.iter().map(trouble_of).collect::<Vec<_>>())?;
    let decision = asked.decide(&facts).map_err(|trouble| vec![trouble])?;
    Ok(decision.to_json(Some(draw)).to_string())
}

/// `{"error": "…", "line": 3}`; where several things are wrong, each stands in `errors`.
fn error_object(line: u64, troubles: &[Trouble]) -> String {
    let told: Vec<String> = troubles
        .iter()
        .map(|t| t.help.as_ref().map_or_else(|| t.message.clone(), |help| format!("{}; {help}", t.message)))
        .collect();
    let mut object = json!({ "error": told.join(" · "), "line": line });
    if told.len() > 1 {
        object["errors"] = told.into();
    }
    object.to_string()
}
