//! `nisi fmt`: what is written where, and when nothing is.

use super::{ORDERS, nisi, run};
use crate::support::Folder;

/// A text to format, and what becomes of it.
const UGLY: &str = "policy  a\nversion   1\ntable t,first row wins\n|row|=> action|\n|one|stop| # why\n";
const FINE: &str = "policy a\nversion 1\ntable t, first row wins\n| row | => action |\n|-----|-----------|\n| one | stop      |  # why\n";

fn fine_orders() -> String {
    let formatted = nisi::format::format(ORDERS, &nisi::format::Options::default()).unwrap();
    assert_ne!(formatted.text, ORDERS);
    formatted.text
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn files_are_written_in_their_place() {
    let folder = Folder::new("fmt-write");
    folder.file("a.nisi", UGLY).file("deep/orders.nisi", ORDERS.replace('\n', "\r\n")).file("fine.nisi", FINE);
    let given = run(nisi(&folder).args(["fmt", "."]));
    assert_eq!((given.code, given.out.as_str()), (0, ""), "{}", given.err);
    assert!(given.err.contains("formatted 2 of 3 files"), "{}", given.err);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("a.nisi"), FINE);
    assert_eq!(text("deep/orders.nisi"), fine_orders().replace('\n', "\r\n"));
    assert_eq!(names(&folder), ["a.nisi", "deep", "fine.nisi"]);
    let again = run(nisi(&folder).args(["fmt", "."]));
    assert!(again.err.contains("3 files: nothing to format"), "{}", again.err);
}

#[cfg(unix)]
#[test]
fn rights_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("fmt-rights");
    folder.file("a.nisi", UGLY).file("locked.nisi", UGLY).file("fine.nisi", FINE);
    let mode = |name: &str, mode| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("a.nisi", 0o640);
    mode("locked.nisi", 0o444);
    symlink("a.nisi", folder.path().join("link.nisi")).unwrap();
    symlink("nowhere.nisi", folder.path().join("broken.nisi")).unwrap();
    let before = std::fs::metadata(folder.path().join("fine.nisi")).unwrap().modified().unwrap();
    let given = run(nisi(&folder).args(["fmt", "link.nisi", "fine.nisi"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.nisi")).unwrap(), FINE);
    assert_eq!(std::fs::metadata(folder.path().join("a.nisi")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(folder.path().join("link.nisi")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(folder.path().join("fine.nisi")).unwrap().modified().unwrap(), before);
    let given = run(nisi(&folder).args(["fmt", "locked.nisi", "broken.nisi"]));
    assert_eq!(given.code, 2, "{}", given.err);
    assert!(given.err.contains("`locked.nisi` could not be written: it is read-only"), "{}", given.err);
    assert!(given.err.contains("`broken.nisi` could not be read"), "{}", given.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("locked.nisi")).unwrap(), UGLY);
    assert_eq!(names(&folder).len(), 5);
}

#[test]
fn check_names_the_files_and_writes_nothing() {
    let folder = Folder::new("fmt-check");
    folder.file("a.nisi", UGLY).file("fine.nisi", FINE);
    let given = run(nisi(&folder).args(["fmt", "--check", "."]));
    assert_eq!((given.code, given.out.as_str()), (1, "a.nisi\n"), "{}", given.err);
    assert!(given.err.contains("1 of 2 files would be formatted"), "{}", given.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.nisi")).unwrap(), UGLY);
    let given = run(nisi(&folder).args(["fmt", "--check", "fine.nisi"]));
    assert_eq!((given.code, given.out.as_str()), (0, ""), "{}", given.err);
}

#[test]
fn diff_prints_a_patch_and_writes_nothing() {
    let folder = Folder::new("fmt-diff");
    folder.file("a.nisi", UGLY).file("fine.nisi", FINE);
    let given = run(nisi(&folder).args(["fmt", "--diff", "."]));
    assert_eq!(given.code, 0, "{}", given.err);
    insta::assert_snapshot!("fmt_patch", given.out);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.nisi")).unwrap(), UGLY);
    assert_eq!(run(nisi(&folder).args(["fmt", "--diff", "--check", "."])).code, 1);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new("fmt-stdin");
    let given = run(nisi(&folder).args(["fmt", "-"]).write_stdin(UGLY));
    assert_eq!((given.code, given.out.as_str(), given.err.as_str()), (0, FINE, ""));
    let given = run(nisi(&folder).args(["fmt", "--check", "-"]).write_stdin(UGLY));
    assert_eq!((given.code, given.out.as_str()), (1, "standard input\n"));
    let given = run(nisi(&folder).args(["fmt", "--check", "-"]).write_stdin(FINE));
    assert_eq!((given.code, given.out.as_str()), (0, ""));
    let given = run(nisi(&folder).args(["fmt", "-"]).write_stdin(""));
    assert_eq!((given.code, given.out.as_str(), given.err.as_str()), (0, "", ""));
    let given = run(nisi(&folder).args(["fmt", "-", "a.nisi"]).write_stdin(UGLY));
    assert_eq!((given.code, given.out.as_str()), (2, ""));
    assert!(given.err.contains("`-` stands alone"), "{}", given.err);
}

#[test]
fn what_cannot_be_read_is_told_and_left_as_it_is() {
    let folder = Folder::new("fmt-broken");
    folder.file("a.nisi", format!("{UGLY}this  is nothing\n")).file("b.nisi", UGLY);
    let given = run(nisi(&folder).args(["fmt", "."]));
    assert_eq!((given.code, given.out.as_str()), (1, ""));
    assert!(given.err.contains("error[N0101]") && given.err.contains("a.nisi:7:1"), "{}", given.err);
    assert!(given.err.contains("1 error: what cannot be read was left as it is"), "{}", given.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.nisi")).unwrap(), format!("{FINE}this  is nothing\n"));
    assert_eq!(std::fs::read_to_string(folder.path().join("b.nisi")).unwrap(), FINE);
    // Where nothing is written, the places are those of the file as it is.
    folder.file("a.nisi", format!("{UGLY}this  is nothing\n"));
    let given = run(nisi(&folder).args(["fmt", "--check", "a.nisi"]));
    assert_eq!((given.code, given.out.as_str()), (1, "a.nisi\n"));
    assert!(given.err.contains("a.nisi:6:1"), "{}", given.err);
    // What no text is.
    folder.file("c.nisi", b"policy \xff\n");
    let given = run(nisi(&folder).args(["fmt", "c.nisi"]));
    assert_eq!(given.code, 1);
    assert!(given.err.contains("error[N0190]"), "{}", given.err);
    assert_eq!(std::fs::read(folder.path().join("c.nisi")).unwrap(), b"policy \xff\n");
    let given = run(nisi(&folder).args(["fmt", "-"]).write_stdin(b"\xff\xfe".to_vec()));
    assert_eq!((given.code, given.out.as_str()), (1, ""));
}

#[test]
fn nothing_found_is_no_question() {
    let folder = Folder::new("fmt-nothing");
    folder.file("sub/readme.md", "x");
    for call in [&["fmt"] as &[&str], &["fmt", "sub"], &["fmt", "missing.nisi"], &["fmt", "--fold", "--unfold", "sub"]]
    {
        let given = run(nisi(&folder).args(call));
        assert_eq!((given.code, given.out.as_str()), (2, ""), "{call:?}: {}", given.err);
    }
    // What can be read is formatted all the same.
    folder.file("a.nisi", UGLY);
    assert_eq!(run(nisi(&folder).args(["fmt", "missing.nisi", "a.nisi"])).code, 2);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.nisi")).unwrap(), FINE);
}

#[test]
fn columns_are_folded_and_unfolded_on_request() {
    let folder = Folder::new("fmt-fold");
    let wide = "policy a\nversion 1\nuse std.facts\ntable t, first row wins
| row  | condition | authorization | pushback | => action |
|------|-----------|---------------|----------|-----------|
| one  | timeout   | stale         | -        | stop      |
| two  | rejected  | -             | stop     | stop      |
| rest | -         | -             | -        | review    |
";
    folder.file("a.nisi", wide);
    let text = || std::fs::read_to_string(folder.path().join("a.nisi")).unwrap();
    assert_eq!(run(nisi(&folder).args(["fmt", "--fold", "a.nisi"])).code, 0);
    assert!(text().contains("| row  | condition | also                   | => action |"), "{}", text());
    assert_eq!(run(nisi(&folder).args(["fmt", "--check", "a.nisi"])).code, 0);
    assert_eq!(run(nisi(&folder).args(["fmt", "--unfold", "a.nisi"])).code, 0);
    assert_eq!(text(), wide);
}
