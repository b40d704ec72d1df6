//! Floor 10: the command `nisi`, one file a command.
//!
//! [`run`] reads the call, hands it to its command, and turns the answer into an exit code: 0 yes · 1 the policy has
//! errors, or a test says no · 2 the question could not be put. Results go to standard output, everything else to
//! standard error. A command's output is a value first; text, JSON and the formats of other tools are renderings.

mod ask;
mod audit;
mod batch;
mod call;
mod check;
mod command;
mod compile;
mod completions;
mod diff;
mod doc;
mod eval;
mod explain;
mod export;
mod fix;
mod fmt;
mod form;
mod format;
mod import;
mod inspect;
mod levels;
mod lines;
mod lsp;
mod man;
mod new;
mod out;
mod outside;
mod parity;
mod patch;
mod progress;
mod registry;
mod render;
mod replay;
mod report;
mod snapshot;
mod test;
mod threads;
mod why;

use crate::files as disk;

pub use command::run;
