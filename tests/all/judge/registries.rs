//! Registries from files: releases and approvals, their duplicates, what is empty, and what was tampered with.

use nisi::judge::{AuthorizationRegistry, Releases};

use super::scene::RELEASES;

fn told<T: std::fmt::Debug>(read: Result<T, Vec<nisi::judge::RegistryError>>) -> Vec<(String, String)> {
    let told = |e: nisi::judge::RegistryError| (e.to_string(), e.error.help.unwrap_or_default());
    read.unwrap_err().into_iter().map(told).collect()
}

#[test]
fn a_duplicate_names_the_first_file_too() {
    let (a, b) = ("release: a\n", "# b\n---\nrelease: b\n---\nrelease: a\nrouter: r\n");
    let found = told(Releases::read([("one/a.yaml", a), ("two/b.yaml", b)]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "two/b.yaml, line 5: there is a release `a` already: one/a.yaml, line 1");
    assert!(found[0].1.contains("give it a name of its own"));
    // Of three, each names the first; in one file its line tells them apart.
    let found = told(Releases::read([("x.yaml", "release: a\n---\nrelease: a\n"), ("y.yaml", a)]));
    let messages: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "x.yaml, line 3: there is a release `a` already: x.yaml, line 1",
            "y.yaml, line 1: there is a release `a` already: x.yaml, line 1",
        ]
    );
    let approval = "authorization: a\nstatus: current\n";
    let found = told(AuthorizationRegistry::read([("one.yaml", approval), ("two.yaml", approval)]));
    assert_eq!(found[0].0, "two.yaml, line 1: there is an authorization `a` already: one.yaml, line 1");
    assert!(!found[0].1.is_empty());
}

/// A file in which nothing stands takes a release out of sight: it is told, not passed over.
#[test]
fn an_empty_file_is_told() {
    for empty in ["", "\n\n", "# release: a\n", "---\n---\n"] {
        let found = told(Releases::read([("a.yaml", RELEASES), ("b.yaml", empty)]));
        assert_eq!(found.len(), 1, "{empty:?}");
        assert_eq!(found[0].0, "b.yaml, line 1: there is no passport in this file");
        assert!(found[0].1.contains("release: NAME"), "{found:?}");
        let found = told(AuthorizationRegistry::read([("b.yaml", empty)]));
        assert_eq!(found[0].0, "b.yaml, line 1: there is no authorization in this file");
    }
    assert!(Releases::read([]).is_ok(), "no file is no file");
}

/// A passport that states its digest is held to it, whatever was done to the text; what changes nothing is no change.
#[test]
fn a_tampered_passport_is_found() {
    let first = RELEASES.split("---\n").next().unwrap();
    let digest = Releases::read([("a.yaml", first)]).unwrap().get("assistant-2026-08-01").unwrap().digest().to_string();
    let sealed = format!("{first}digest: {digest}\n");
    let read = |text: &str| Releases::read([("a.yaml", text)]);
    assert!(read(&sealed).is_ok());
    let lines: Vec<&str> = sealed.lines().collect();
    let swapped = [&lines[..2], &[lines[3], lines[2]], &lines[4..]].concat().join("\n");
    assert_eq!(read(&swapped).map(|r| r.get("assistant-2026-08-01").unwrap().digest().to_string()), Ok(digest.clone()));
    for (n, line) in lines.iter().enumerate() {
        let without = [&lines[..n], &lines[n + 1..]].concat().join("\n");
        // Without its seal nothing is claimed; whoever binds the content in the id still finds a change.
        assert_eq!(read(&without).is_ok(), line.starts_with("digest"), "{line}");
        let changed = sealed.replacen(line, &line.replacen(": ", ": x", 1), 1);
        assert!(read(&changed).is_err(), "{changed}");
    }
    assert!(read(&sealed[..sealed.len() - 4]).is_err(), "the last line cut short");
    assert!(read(&format!("{sealed}region: eu\n")).is_err(), "a line put in");
    let bound: nisi::judge::ReleaseId = format!("assistant-2026-08-01@{digest}").parse().unwrap();
    let without_seal = read(&first.replace("sp-14", "sp-13")).unwrap();
    assert!(without_seal.find(&bound).is_none() && read(first).unwrap().find(&bound).is_some());
}
