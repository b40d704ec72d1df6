//! The corpus `tests/cases/bad-facts`: facts that are refused, by the library and by the command alike, with a
//! message that names what is wrong; nothing is ignored.

use std::process::Command;

use nisi::decide::{FactsTextError, facts_from_json, facts_from_yaml};

use crate::corpus::{Asked, Refused, corpus};
use crate::support::Folder;

/// What the library says of facts that it refuses; nothing where it takes them.
fn library(asked: &Asked, case: &Refused) -> Option<String> {
    let given = match case.format.as_str() {
        "json" => facts_from_json(&case.text),
        "yaml" => facts_from_yaml(&case.text),
        other => panic!("{}: no format `{other}`", asked.file),
    };
    match given {
        Err(error) => Some(FactsTextError::with_help(&error)),
        Ok(given) => {
            let errors = asked.policy.read_facts(given).err()?;
            let told = errors.iter().map(|e| format!("{e}; {}", e.help().unwrap_or_default()));
            Some(told.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// What the command says, with its exit code.
fn command(folder: &Folder, case: &Refused) -> (Option<i32>, String, String) {
    let facts = format!("facts.{}", case.format);
    folder.file(&facts, &case.text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_nisi"));
    command.current_dir(folder.path()).env("NO_COLOR", "1").args(["eval", "policy.nisi", "--facts", &facts]);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn misses(case: &Refused, told: &str) -> Vec<String> {
    let missing = case.mentions.iter().filter(|word| !told.contains(word.as_str()));
    missing.map(|word| format!("{}: `{word}` is not told in\n    {told}", case.name)).collect()
}

#[test]
fn the_library_refuses_them_and_says_why() {
    let (mut n, mut faults) = (0, Vec::new());
    for (asked, _, cases) in corpus::<Refused>("tests/cases/bad-facts") {
        for case in cases {
            n += 1;
            match library(&asked, &case) {
                None => faults.push(format!("{}: taken", case.name)),
                Some(told) => faults.extend(misses(&case, &told)),
            }
        }
    }
    assert!(n >= 40, "{n} cases");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_command_refuses_them_and_says_why() {
    let folder = Folder::new("bad-facts");
    let mut faults = Vec::new();
    for (asked, _, cases) in corpus::<Refused>("tests/cases/bad-facts") {
        folder.file("policy.nisi", &asked.text);
        for case in cases {
            let (code, out, err) = command(&folder, &case);
            if code != Some(2) || !out.is_empty() || err.contains("panicked") {
                faults.push(format!("{}: exit code {code:?}, result {out:?}, {err}", case.name));
            }
            faults.extend(misses(&case, &err));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
