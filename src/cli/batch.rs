//! `nisi eval --batch`: facts as JSON Lines in, decisions as JSON Lines out, in order and as they come.
//!
//! A line that cannot be answered becomes an error object on its own line, and the rest goes on. No line is held in
//! memory past its limit, and no more than one line at a time.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::json;

use super::ask::{Asked, draw, trouble_of};
use super::disk;
use super::out::{Answer, Exit, Out, Trouble};
use super::outside;
use crate::decide::{MAX_FACTS_BYTES, Raw, facts_from_json};

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
        let answer = text_of(line).and_then(|text| answer(asked, &text, draw(seed, number)));
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

/// One line, without its end.
enum Line {
    /// Its bytes.
    Whole(Vec<u8>),
    /// It is longer than a line may be; this many bytes were passed over.
    TooLong(u64),
}

fn next_line(lines: &mut BufReader<Box<dyn Read>>) -> io::Result<Option<Line>> {
    let limit = MAX_FACTS_BYTES as u64 + 2;
    let mut bytes = Vec::new();
    let mut read = lines.by_ref().take(limit).read_until(b'\n', &mut bytes)? as u64;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        return Ok(Some(Line::Whole(bytes)));
    }
    if read < limit {
        return Ok(Some(Line::Whole(bytes)));
    }
    drop(bytes);
    loop {
        let held = lines.fill_buf()?;
        if held.is_empty() {
            return Ok(Some(Line::TooLong(read)));
        }
        let end = held.iter().position(|b| *b == b'\n');
        let n_bytes = end.map_or(held.len(), |end| end + 1);
        lines.consume(n_bytes);
        read += n_bytes as u64;
        if end.is_some() {
            return Ok(Some(Line::TooLong(read - 1)));
        }
    }
}

fn text_of(line: Line) -> Result<String, Vec<Trouble>> {
    match line {
        Line::TooLong(given) => {
            let text = format!("the line has {given} bytes, and at most {MAX_FACTS_BYTES} are allowed");
            Err(vec![Trouble::new(text)])
        }
        Line::Whole(bytes) => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            vec![Trouble::new(format!("the line is not written in UTF-8: its byte {at} is no part of a character"))]
        }),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: impl Into<Vec<u8>>) -> BufReader<Box<dyn Read>> {
        BufReader::new(Box::new(io::Cursor::new(text.into())))
    }

    #[test]
    fn lines_end_as_they_like() {
        let mut lines = reader("a\r\n\nb");
        for expected in ["a", "", "b"] {
            let Ok(Some(Line::Whole(bytes))) = next_line(&mut lines) else { panic!("a line") };
            assert_eq!(bytes, expected.as_bytes());
        }
        assert!(matches!(next_line(&mut lines), Ok(None)));
    }

    #[test]
    fn a_long_line_is_passed_over_and_the_next_one_read() {
        let long = "x".repeat(3 * MAX_FACTS_BYTES);
        let mut lines = reader(format!("{long}\nb\n{long}"));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::TooLong(n))) if n == long.len() as u64));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::Whole(b))) if b == b"b"));
        assert!(matches!(next_line(&mut lines), Ok(Some(Line::TooLong(n))) if n == long.len() as u64));
        assert!(matches!(next_line(&mut lines), Ok(None)));
    }
}
