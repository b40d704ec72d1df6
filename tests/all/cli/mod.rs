//! The command from outside: exit codes, what stands on which stream, and the formats that are fixed.

mod ask;
mod check;
mod ci;
mod compile;
mod depth;
mod diff;
#[cfg(feature = "exchange")]
mod exchange;
mod fix;
mod fmt;
mod formats;
mod inspect;
mod judge;
mod levels;
mod literate;
mod newcomer;
mod snapshot;

mod terminal;
mod test;
mod words;

use assert_cmd::Command;

use crate::support::Folder;

/// A small policy without a fault.
pub(crate) const ORDERS: &str = r#"policy orders
version 1.0.0

use std.facts
use std.safety

fact channel : text
fact amount : decimal 0.. step 0.01

budget {
  owner     coordinator
  attempts  3
  deadline  20s
  least     300ms
}

backoff gentle { base 200ms, factor 2, cap 8s, jitter full }
locator action_key { remembers 24h }

action look-up : reconcile by action_key within 4s; if refused, review on-call

table recovery, first row wins
| row   | condition                | open_effect | also            | => action                                     |
|-------|--------------------------|-------------|-----------------|-----------------------------------------------|
| found | confirmed                | -           |                 | done "the order exists"                       |
| again | timeout, connection_lost | no          |                 | retry after gentle; if refused, look-up       |
| dear  | timeout                  | yes         | amount is > 100 | review finance                                |
| phone | timeout                  | yes         | channel is "phone" | review desk                                |
| lost  | timeout, connection_lost | yes         |                 | look-up                                       |
| rest  | -                        | -           |                 | review on-call                                |

- lost: nobody knows whether it happened

examples recovery
| name            | condition | effect | budget | deadline | attempt | => action | row   |
|-----------------|-----------|--------|--------|----------|---------|-----------|-------|
| a read          | timeout   | read   | 2      | 10s      | 1       | retry     | again |
| a lost write    | timeout   | write  | 2      | 10s      | 1       | reconcile | lost  |
"#;

/// `nisi` in a folder, without colour and without a terminal's width.
pub(crate) fn nisi(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nisi"));
    command
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .env("LANG", "C.UTF-8")
        .env_remove("NO_GRAPHICS")
        .env_remove("COLUMNS");
    command
}

/// What a call gives.
pub(crate) struct Given {
    /// Its exit code.
    pub(crate) code: i32,
    /// Its results.
    pub(crate) out: String,
    /// Everything else.
    pub(crate) err: String,
}

/// Runs a call.
pub(crate) fn run(command: &mut Command) -> Given {
    let output = command.output().unwrap();
    let given = Given {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!given.err.contains("panicked"), "{}", given.err);
    given
}

/// The results of a call as JSON.
pub(crate) fn json(given: &Given) -> serde_json::Value {
    serde_json::from_str(&given.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", given.out, given.err))
}
