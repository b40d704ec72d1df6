//! Why policies on disk are not taken up.

use std::fmt;

use crate::compare::{Comparison, Mark};
use crate::diag::Diagnostics;

/// Why what the files hold is not taken up; as text, in full.
///
/// ```
/// use nisi::reload::{Live, LiveOptions, Refusal};
/// let refusal = Live::open("no-such-folder", LiveOptions::default()).unwrap_err();
/// assert!(matches!(refusal, Refusal::Unreadable(_)));
/// assert!(refusal.to_string().contains("no-such-folder"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// Files could not be read; a sentence each.
    Unreadable(Vec<String>),
    /// A file has findings that refuse it, failed examples among them.
    Findings(Diagnostics),
    /// A compiled policy cannot be loaded, is not what its rows say, or is not signed as was asked.
    Artifact {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no policy under the path.
    Empty(String),
    /// Two files hold a policy of this name.
    Twice(String),
    /// Policies that run, and are missing now: their names.
    Gone(Vec<String>),
    /// A decision became wider, or it could not be told whether one did.
    Wider {
        /// The policy's name.
        policy: String,
        /// What changed, old to new.
        found: Box<Comparison>,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unreadable(why) => f.write_str(&why.join("\n")),
            Refusal::Findings(found) => found.fmt(f),
            Refusal::Artifact { file, why } => write!(f, "`{file}` is not taken: {why}"),
            Refusal::Empty(path) => write!(f, "there is no policy under `{path}`"),
            Refusal::Twice(name) => write!(f, "two files hold a policy `{name}`: give one of them another name"),
            Refusal::Gone(names) => {
                write!(f, "`{}` runs, and no file holds it any more: start anew without it", names.join("`, `"))
            }
            Refusal::Wider { policy, found } => wider(f, policy, found),
        }
    }
}

impl std::error::Error for Refusal {}

fn wider(f: &mut fmt::Formatter<'_>, policy: &str, found: &Comparison) -> fmt::Result {
    write!(f, "`{policy}` would be wider than the policy that runs")?;
    for change in found.changes.iter().filter(|c| c.mark == Mark::Wider) {
        let cells = change.cells.iter().map(|c| format!("{} is {}", c.fact, c.cell));
        let cells: Vec<String> = cells.collect();
        let place = if cells.is_empty() { "everywhere".into() } else { format!("for {}", cells.join(" and ")) };
        let rows =
            if change.new.rows.is_empty() { String::new() } else { format!(" ({})", change.new.rows.join(", ")) };
        write!(f, "\n  {place}: {} -> {}{rows}", change.old.action, change.new.action)?;
    }
    for entry in found.budget.iter().filter(|b| b.mark == Mark::Wider) {
        write!(f, "\n  budget, {}", entry.entry)?;
    }
    if !found.undecided.is_empty() {
        write!(f, "\n  not all could be told within the steps of a comparison")?;
    }
    Ok(())
}
