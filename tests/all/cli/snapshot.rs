//! `nisi snapshot`.

use super::{nisi, run};
use crate::support::Folder;

const PARCELS: &str = "policy parcels
version 1
fact size : small, large
fact amount : count
table t, first row wins
| row   | size  | amount | => action   |
| dear  | large | > 100  | review desk |
| small | small | -      | stop        |
| rest  | -     | -      | review back |
";

#[test]
fn a_snapshot_holds_until_a_decision_changes() {
    let folder = Folder::new("snapshot-holds");
    folder.file("p.nisi", PARCELS);
    let made = run(nisi(&folder).args(["snapshot", "p.nisi"]));
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains("review desk\n  amount is >= 101 and size is large\n"), "{}", made.out);
    folder.file("p.map", &made.out);
    // Rows in another order, other names, a comment: nothing is decided otherwise.
    let row = |name: &str| PARCELS.lines().find(|l| l.starts_with(&format!("| {name}"))).unwrap().to_string() + "\n";
    let moved = PARCELS.replace(&row("dear"), "").replace(&row("small"), &(row("small") + &row("dear")));
    assert_ne!(moved, PARCELS);
    folder.file("p.nisi", moved.replace("| dear ", "| big  ").replace("version 1", "version 2 # next"));
    let held = run(nisi(&folder).args(["snapshot", "p.nisi", "--against", "p.map"]));
    assert_eq!((held.code, held.out.as_str(), held.err.as_str()), (0, "", "no decision changed\n"));
    folder.file("p.nisi", PARCELS.replace("> 100", "> 90"));
    let broken = run(nisi(&folder).args(["snapshot", "p.nisi", "--against", "p.map"]));
    assert_eq!(broken.code, 1, "{}", broken.err);
    assert!(
        broken.out.contains("-  amount is >= 101 and size is large\n+  amount is >= 91 and size is large\n"),
        "{}",
        broken.out
    );
}

#[test]
fn what_cannot_be_mapped_is_no_snapshot() {
    let folder = Folder::new("snapshot-not");
    folder.file("p.nisi", PARCELS);
    let cut = run(nisi(&folder).args(["snapshot", "p.nisi", "--max-steps", "3"]));
    assert_eq!((cut.code, cut.out.as_str()), (2, ""));
    assert!(cut.err.contains("not worked out within 3 steps") && cut.err.contains("--max-steps 30"), "{}", cut.err);
    let missing = run(nisi(&folder).args(["snapshot", "p.nisi", "--against", "none.map"]));
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("`none.map` cannot be read") && missing.err.contains("nisi snapshot POLICY > FILE"));
    folder.file("p.nisi", PARCELS.replace("| rest  | -     | -      | review back |\n", ""));
    let open = run(nisi(&folder).args(["snapshot", "p.nisi"]));
    assert_eq!((open.code, open.out.as_str()), (1, ""));
}
