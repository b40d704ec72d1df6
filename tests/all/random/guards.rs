//! The guards of the language, written down once more from what a decision says of itself: an action that is left may
//! be carried out with these facts.

use nisi::words::parse_duration;
use serde_json::Value as Json;

/// The facts of one question, by name; what is missing is unknown.
pub(super) struct Given<'g>(pub(super) &'g dyn Fn(&str) -> Option<String>);

impl Given<'_> {
    fn is(&self, fact: &str, values: &[&str]) -> bool {
        (self.0)(fact).is_some_and(|v| values.contains(&v.as_str()))
    }

    fn count(&self, fact: &str) -> Option<u64> {
        (self.0)(fact)?.parse().ok()
    }

    fn ms(&self, fact: &str) -> Option<u64> {
        parse_duration(&(self.0)(fact)?).ok()
    }
}

/// The budget's `least` in every random policy.
const LEAST_MS: u64 = 300;

/// Why the action that is left may not be carried out, if so.
pub(super) fn broken(decision: &Json, given: &Given) -> Option<String> {
    let number = |key: &str| decision[key].as_u64().unwrap_or(0);
    let harmless = given.is("effect", &["immutable_read", "read", "verification"])
        || (given.is("effect", &["inference"]) && given.is("tools", &["disabled"]));
    let (units, delay) = match decision["action"].as_str()? {
        "retry" => (number("spend"), decision["wait_bounds_ms"][0].as_u64()?),
        "hedge" => (number("copies") - 1, number("after_ms")),
        "failover" => (1, 0),
        _ => return None,
    };
    let mut faults = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            faults.push(what.to_string());
        }
    };
    must(given.count("budget").is_some_and(|b| b >= units), "budget");
    must(given.ms("deadline").is_some_and(|d| d >= delay + LEAST_MS), "deadline");
    must(!given.is("pushback", &["stop"]), "pushback");
    let right = given.is("authorization", &["current"]);
    match decision["action"].as_str()? {
        "failover" => {
            must(right, "authorization");
            must(given.is("parity.equivalent", &["holds"]), "parity");
            must(given.is("boundary", &["not_crossed"]), "boundary");
        }
        action => {
            must(right || (harmless && (given.0)("authorization").is_none()), "authorization");
            must(action != "hedge" || harmless, "effect");
        }
    }
    if decision["action"] == "retry" {
        let hint = (given.0)("hint");
        must(!given.is("pushback", &["wait"]) || hint.is_some(), "hint");
        let least = given.ms("hint").unwrap_or(0);
        let (lo, hi) = (delay, decision["wait_bounds_ms"][1].as_u64()?);
        must(lo >= least && lo <= hi, "the wait begins before the hint");
        must(given.ms("deadline").is_some_and(|d| hi + LEAST_MS <= d), "the wait outlasts the deadline");
    }
    (!faults.is_empty()).then(|| faults.join(", "))
}
