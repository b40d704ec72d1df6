//! What the README shows is so.

use crate::support::{compile, fences, read};

/// The policy compiles without a finding.
#[test]
fn the_policy_of_the_readme_compiles() {
    let readme = read("README.md");
    let policies: Vec<String> = fences(&readme, "", "").into_iter().filter(|f| f.starts_with("policy ")).collect();
    assert_eq!(policies.len(), 1, "the README shows one policy");
    let compiled = compile("readme.nisi", &policies[0]);
    assert!(compiled.diagnostics.items.is_empty(), "{}", compiled.diagnostics);
    assert!(policies[0].lines().count() <= 12, "a policy of ten lines");
}

/// The README stays one screen, and its command for the tests is the one that `.ci/run` calls.
#[test]
fn the_readme_is_short_and_names_its_commands() {
    let readme = read("README.md");
    assert!(readme.lines().count() <= 90);
    let calls: Vec<&str> = readme.lines().filter(|l| l.starts_with("cargo ")).collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0].starts_with("cargo run --release -- "));
    assert!(calls[1].starts_with("cargo test "));
    assert!(read(".ci/run").contains("README.md"));
}
