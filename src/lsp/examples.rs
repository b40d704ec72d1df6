//! The examples of a policy: asked by a command, told as a message.

use serde_json::{Value, json};

use super::prove::Proven;

/// The command that runs the examples of a document; its argument is the document's address.
pub(super) const COMMAND: &str = "nisi.runExamples";

/// A run of examples.
pub(super) struct Run {
    /// How loud the message is: 1 an error, 3 a word.
    pub(super) level: u8,
    /// What came of it.
    pub(super) message: String,
    /// The same for programs.
    pub(super) answer: Value,
}

/// What came of the examples of a policy, which were asked when it was proven.
pub(super) fn run(proven: &Proven) -> Run {
    let failed: Vec<&str> =
        proven.outcomes.iter().filter(|outcome| outcome.finding.is_some()).map(|outcome| &*outcome.title).collect();
    let n = proven.outcomes.len();
    let message = match (proven.policy.is_some(), n, failed.as_slice()) {
        (false, ..) => "no example was asked: only a policy without errors can answer".to_string(),
        (_, 0, _) => "this policy has no examples".to_string(),
        (_, 1, []) => "the example holds".to_string(),
        (_, _, []) => format!("all {n} examples hold"),
        (_, _, failed) => format!("{} of {n} examples fail: {}", failed.len(), failed.join("; ")),
    };
    let level = if proven.policy.is_some() && failed.is_empty() { 3 } else { 1 };
    let answer = json!({ "asked": n, "failed": failed, "message": message });
    Run { level, message, answer }
}
