//! `nisi check --fix`, `nisi check --bounds`.

use super::{ORDERS, json, nisi, run};
use crate::support::Folder;

/// A text with three mends that need no look.
fn faulty() -> String {
    ORDERS
        .replace("deadline  20s", "deadline  20 s")
        .replace("| timeout, connection_lost | no ", "| timeout; connection_lost | no ")
        .replace("amount is > 100", "amount > 100")
}

#[test]
fn what_needs_no_look_is_mended_in_place() {
    let folder = Folder::new("fix-apply");
    folder.file("orders.nisi", faulty().replace('\n', "\r\n"));
    let path = folder.path().join("orders.nisi");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("orders.nisi", folder.path().join("link.nisi")).unwrap();
    }
    let given = run(nisi(&folder).args(["check", "--fix", if cfg!(unix) { "link.nisi" } else { "orders.nisi" }]));
    assert_eq!(given.code, 0, "{}{}", given.out, given.err);
    assert!(given.err.contains("mends applied in 1 file"), "{}", given.err);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, ORDERS.replace('\n', "\r\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(std::fs::symlink_metadata(folder.path().join("link.nisi")).unwrap().is_symlink());
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), if cfg!(unix) { 2 } else { 1 }, "{names:?}");
    let again = run(nisi(&folder).args(["check", "--fix", "orders.nisi"]));
    assert!(again.err.contains("nothing that could be mended"), "{}", again.err);
}

#[test]
fn a_dry_run_prints_a_patch_and_writes_nothing() {
    let folder = Folder::new("fix-dry");
    folder.file("orders.nisi", faulty());
    let given = run(nisi(&folder).args(["check", "--fix", "--dry-run", "orders.nisi"]));
    assert_eq!(given.code, 0, "{}{}", given.out, given.err);
    insta::assert_snapshot!("fix_patch", given.out);
    assert_eq!(std::fs::read_to_string(folder.path().join("orders.nisi")).unwrap(), faulty());
    assert!(given.err.contains("not applied"), "{}", given.err);
    assert_eq!(run(nisi(&folder).args(["check", "--dry-run", "orders.nisi"])).code, 2);
}

#[test]
fn only_named_files_are_touched_and_a_vocabulary_keeps_what_its_users_decide() {
    let folder = Folder::new("fix-shared");
    let words = "fact region = eu, us\n";
    folder.file("team/words.nisi", words);
    folder.file("a.nisi", "policy a\nversion 1\nuse team.words\ntable t, first row wins\n| row | region | => action |\n|-|-|-|\n| eu | eu | stop |\n| rest | - | review desk |\n");
    let given = run(nisi(&folder).args(["check", "--fix", "a.nisi"]));
    assert_eq!(given.code, 1, "{}", given.out);
    assert_eq!(std::fs::read_to_string(folder.path().join("team/words.nisi")).unwrap(), words);
    run(nisi(&folder).args(["check", "--fix", "."]));
    let text = std::fs::read_to_string(folder.path().join("team/words.nisi")).unwrap();
    assert!(text.contains("region : eu"), "{text}");
}

/// A policy with something to say in every bound.
fn bounded() -> String {
    let budget = "attempts  3\n  below     sdk 3\n  below     mesh 2";
    ORDERS.replace("attempts  3", budget).replace("remembers 24h", "remembers 10s")
}

#[test]
fn bounds_are_printed_for_people() {
    let folder = Folder::new("bounds-human");
    folder.file("orders.nisi", bounded());
    let given = run(nisi(&folder).args(["check", "--bounds", "orders.nisi"]));
    assert_eq!(given.code, 0, "{}{}", given.out, given.err);
    insta::assert_snapshot!("bounds_human", given.out);
}

#[test]
fn bounds_are_json_beside_the_findings() {
    let folder = Folder::new("bounds-json");
    folder.file("orders.nisi", bounded()).file(
        "free.nisi",
        "policy free\nversion 1\ntable t, first row wins\n| row | => action |\n|-|-|\n| a | stop |\n",
    );
    let found = json(&run(nisi(&folder).args(["check", "--bounds", "--format", "json", "."])));
    let codes: Vec<&str> = found["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"N0502") && codes.contains(&"N0506"), "{codes:?}");
    assert!(found["bounds"][0].get("bounds").is_none());
    let bounds = &found["bounds"][1]["bounds"];
    assert_eq!(
        (&bounds["attempts"], &bounds["attempts_in_all"], &bounds["copies"]),
        (&3.into(), &18.into(), &1.into())
    );
    assert_eq!(bounds["waits"], serde_json::json!({"n": 2, "longest_ms": 600, "left_ms": 19_700}));
    assert_eq!(
        bounds["memories"][0],
        serde_json::json!({"locator": "action_key", "remembers_ms": 10_000, "needed_ms": 20_000})
    );
    assert_eq!(run(nisi(&folder).args(["check", "--bounds", "--format", "sarif", "."])).code, 2);
}
