//! The commands of `docs/ci.md`, run as they stand there in a repository of policies.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Folder, fences, read};

const POLICY: &str = "policy parcels
version 1

fact size : small, large

table t, first row wins
| row  | size  | => action   |
|------|-------|-------------|
| dear | large | review desk |
| rest | -     | stop        |

examples t
| name | size  | => action   | row  |
|------|-------|-------------|------|
| big  | large | review desk | dear |
";

/// Runs lines of a shell in the folder, with the command built here in reach.
fn shell(folder: &Folder, lines: &str) -> Output {
    let command = assert_cmd::cargo::cargo_bin!("nisi");
    let path = format!("{}:{}", command.parent().unwrap().display(), std::env::var("PATH").unwrap());
    Command::new("bash")
        .args(["-c", lines])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("BASE", "main")
        .output()
        .unwrap()
}

fn repository(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("policies/parcels.nisi", POLICY);
    let made = shell(
        &folder,
        "git init -q -b main && git config user.email a@example.org && git config user.name a && git add -A && git commit -qm one && git checkout -q -b change",
    );
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

fn commit(folder: &Folder, text: &str) {
    folder.file("policies/parcels.nisi", text);
    assert!(shell(folder, "git commit -qam two").status.success());
}

#[test]
fn what_to_run_passes_and_fails_as_it_is_said() {
    let all = fences(&read("docs/ci.md"), "", "sh");
    let [run, _, hook] = all.as_slice() else { panic!("three calls: {all:?}") };
    let folder = repository("ci-run");
    for lines in [run, hook] {
        let lines = format!("set -e\n{lines}");
        let given = shell(&folder, &lines);
        assert!(given.status.success(), "{}", String::from_utf8_lossy(&given.stderr));
        folder.file(
            "policies/parcels.nisi",
            POLICY.replace("| large | review desk | dear |", "| large | stop        | dear |"),
        );
        assert_eq!(shell(&folder, &lines).status.code(), Some(1));
        folder.file("policies/parcels.nisi", POLICY);
    }
}

#[test]
fn what_a_change_does_is_told_and_what_is_wider_fails() {
    let all = fences(&read("docs/ci.md"), "", "sh");
    let folder = repository("ci-change");
    commit(
        &folder,
        &POLICY
            .replace("| dear | large | review desk |", "| dear | large | review back |")
            .replace("review desk | dear", "review back | dear"),
    );
    let other = shell(&folder, &all[1]);
    assert_eq!(other.status.code(), Some(0), "{}", String::from_utf8_lossy(&other.stderr));
    let told = std::fs::read_to_string(folder.path().join("changes.md")).unwrap();
    assert!(told.contains("### `policies/parcels.nisi`") && told.contains("review back"), "{told}");
    assert!(!Path::new(&folder.path().join(".base")).exists());
    commit(&folder, &POLICY.replace("review desk", "stop       "));
    let wider = shell(&folder, &all[1]);
    assert_eq!(wider.status.code(), Some(1), "{}", String::from_utf8_lossy(&wider.stderr));
}

/// The hooks of `pre-commit` call what there is.
#[test]
fn hooks_call_commands_that_there_are() {
    let hooks = read(".pre-commit-hooks.yaml");
    let folder = repository("ci-hooks");
    let entries: Vec<&str> = hooks.lines().filter_map(|l| l.trim().strip_prefix("entry: ")).collect();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        let given = shell(&folder, &format!("{entry} policies/parcels.nisi"));
        assert!(given.status.success(), "{entry}: {}", String::from_utf8_lossy(&given.stderr));
    }
}
