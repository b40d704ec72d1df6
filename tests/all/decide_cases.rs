//! The corpus `tests/cases/decide`, asked of every engine: the program, the plain evaluator, the program of an
//! artifact, the command.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::corpus::{Asked, Decided, all_facts, corpus, facts, held};
use crate::support::{Folder, read};

/// An engine: facts and refused verbs in, the decision as JSON out.
type Engine = fn(&Asked, &BTreeMap<String, Json>, &[String]) -> Json;

fn program(asked: &Asked, given: &BTreeMap<String, Json>, refuse: &[String]) -> Json {
    let facts = facts(&asked.policy, given);
    let refused = asked.policy.refuse(refuse.iter().map(String::as_str)).unwrap();
    asked.policy.decide_with(&facts, &refused).to_json(None)
}

fn plain(asked: &Asked, given: &BTreeMap<String, Json>, refuse: &[String]) -> Json {
    let facts = facts(&asked.policy, given);
    let refused = asked.policy.refuse(refuse.iter().map(String::as_str)).unwrap();
    asked.policy.decide_plainly(&facts, &refused).to_json(None)
}

fn artifact(asked: &Asked, given: &BTreeMap<String, Json>, refuse: &[String]) -> Json {
    let policy = nisi::Policy::load(asked.policy.to_artifact()).unwrap();
    let facts = facts(&policy, given);
    let refused = policy.refuse(refuse.iter().map(String::as_str)).unwrap();
    policy.decide_with(&facts, &refused).to_json(None)
}

/// Runs the corpus through an engine; what differs.
fn run(engine: Engine) -> (usize, Vec<String>) {
    let (mut n, mut faults) = (0, Vec::new());
    for (asked, given, cases) in corpus::<Decided>("tests/cases/decide") {
        for case in cases {
            n += 1;
            let decision = engine(&asked, &all_facts(&given, &case.facts), &case.refuse);
            if let Err(fault) = held(&case.expect, &decision) {
                faults.push(format!("{}, {}: {fault}", asked.file, case.name));
            }
        }
    }
    (n, faults)
}

#[test]
fn the_program_decides_as_expected() {
    let (n, faults) = run(program);
    assert!(n >= 40, "{n} cases");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_plain_evaluator_decides_as_expected() {
    let (_, faults) = run(plain);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn an_artifact_decides_as_expected() {
    let (_, faults) = run(artifact);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// One stream for each set of refused verbs: a line of facts in, a line of decision out, in order.
#[test]
fn the_command_decides_as_expected() {
    let folder = Folder::new("decide-batch");
    let mut faults = Vec::new();
    for (asked, given, cases) in corpus::<Decided>("tests/cases/decide") {
        folder.file("policy.nisi", &asked.text);
        let mut groups: BTreeMap<&[String], Vec<&Decided>> = BTreeMap::new();
        for case in &cases {
            groups.entry(&case.refuse).or_default().push(case);
        }
        for (refuse, cases) in groups {
            let lines: String = cases.iter().map(|c| json_line(&all_facts(&given, &c.facts))).collect();
            let decisions = batch(&folder, refuse, &lines);
            assert_eq!(decisions.len(), cases.len(), "{}: a line out for a line in", asked.file);
            for (case, decision) in cases.iter().zip(&decisions) {
                if let Err(fault) = held(&case.expect, decision) {
                    faults.push(format!("{}, {}: {fault}", asked.file, case.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn json_line(facts: &BTreeMap<String, Json>) -> String {
    serde_json::to_string(facts).unwrap() + "\n"
}

fn batch(folder: &Folder, refuse: &[String], lines: &str) -> Vec<Json> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nisi"));
    command.current_dir(folder.path()).args(["eval", "policy.nisi", "--batch", "-"]);
    for verb in refuse {
        command.args(["--refuse", verb]);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every row of the tables of the field guide's policy answers or hands over in some case.
#[test]
fn the_corpus_takes_every_row_of_the_field_guide() {
    let policy = nisi::Policy::compile(&read("policies/field-guide.nisi")).unwrap();
    let mut taken = std::collections::BTreeSet::new();
    for (asked, given, cases) in corpus::<Decided>("tests/cases/decide") {
        for case in cases {
            let decision = program(&asked, &all_facts(&given, &case.facts), &case.refuse);
            taken.extend(decision["path"].as_array().unwrap().iter().map(|p| p.as_str().unwrap().to_string()));
        }
    }
    let left: Vec<String> = policy.rows().map(|row| row.to_string()).filter(|row| !taken.contains(row)).collect();
    assert!(left.is_empty(), "no case takes {left:?}");
}
