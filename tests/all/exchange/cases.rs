//! Files as people and other tools write them: what becomes of each, kept beside the file itself.

use std::fmt::Write as _;

use nisi::exchange::Import;

use super::Words;
use crate::support::{compile_with, files, root};

/// A vocabulary that the cases may use.
fn words() -> Words {
    let team = "fact region : eu, us, apac\ngroup overseas of region : us, apac\n\
                action call : retry now; if refused, review on-call\n";
    Words::from([("team.facts".to_string(), team.to_string())])
}

#[test]
fn every_case_becomes_what_is_kept() {
    let mut n_cases = 0;
    for path in files("tests/cases/exchange") {
        let bytes = std::fs::read(root().join(&path)).unwrap();
        let name = path.rsplit('/').next().unwrap();
        let uses = if name.starts_with("team-") { vec!["team.facts".to_string()] } else { Vec::new() };
        let how = Import { file: name, uses: &uses, ..Import::default() };
        let mut shown = format!("{}\n----\n", String::from_utf8_lossy(&bytes).trim_end());
        match nisi::exchange::import(&bytes, &how, &words()) {
            Ok(got) => {
                shown += &got.policy;
                shown += "----\n";
                got.notices.iter().for_each(|notice| writeln!(shown, "{notice}").unwrap());
                let formatted = nisi::format::format(&got.policy, &nisi::format::Options::default()).unwrap();
                assert_eq!(formatted.text, got.policy, "{name} is not in normal form");
                assert!(formatted.errors.items.is_empty(), "{name}: {}", formatted.errors);
                let compiled = compile_with("p.nisi", &got.policy, &words());
                let mut codes: Vec<&str> = compiled.diagnostics.items.iter().map(|d| d.code.id).collect();
                codes.dedup();
                writeln!(shown, "{} tables, {} rows; check: {}", got.n_tables, got.n_rows, codes.join(" ")).unwrap();
            }
            Err(refused) => {
                writeln!(shown, "refused: {refused}\n  help: {}", refused.help.as_deref().unwrap_or_default()).unwrap();
            }
        }
        insta::assert_snapshot!(name.replace('.', "_"), shown);
        n_cases += 1;
    }
    assert!(n_cases > 10, "{n_cases}");
}
