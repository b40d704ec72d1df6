//! `nisi test --coverage`, `--min`, `--since`, `--lcov`, `--suggest`, `--mutate`: what is asked of the cases themselves.

use super::{json, nisi, run};
use crate::support::Folder;

const PARCELS: &str = "policy parcels
version 1
fact weight : count
fact region : eu, us, apac

table where-to, first row wins
| row   | weight | region | => action   |
| heavy | >= 30  | -      | review desk |
| near  | -      | eu     | stop \"road\" |
| far   | -      | -      | stop \"air\"  |
";

const CASES: &str = "cases:
  - { name: heavy, facts: { weight: 30 }, expect: { action: review desk, row: heavy } }
  - { name: near, each: { region: [eu] }, expect: { action: stop \"road\" } }
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("parcels.nisi", PARCELS).file("parcels.cases.yaml", CASES);
    folder
}

#[test]
fn the_rows_are_shown_with_their_cases_and_what_is_missing() {
    let folder = folder("depth-coverage");
    let given = run(nisi(&folder).args(["test", ".", "--coverage"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert_eq!(
        given.out,
        "coverage of parcels.nisi: 66%\n  rows    2 of 3\n  cells   2 of 3\n  guards  0 of 0\n  ways    2 of 3\n\n  \
         cases  shown\n                where-to\n      1    2/3  | heavy | >= 30  | -      | review desk |\n                  \
         no case that `weight` 29 alone turns away\n      1    2/2  | near  | -      | eu     | stop \"road\" |\n      \
         0    0/1  | far   | -      | -      | stop \"air\"  |\n                  no case takes it\n\n\
         parcels.nisi: 2 cases hold\n"
    );
    assert!(given.err.starts_with("tested 1 policy, 1 case file, 2 cases: 2 passed, 0 failed in "), "{}", given.err);
}

#[test]
fn less_than_the_least_is_a_no() {
    let folder = folder("depth-min");
    let given = run(nisi(&folder).args(["test", ".", "--min", "66"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let given = run(nisi(&folder).args(["test", ".", "--min", "67"]));
    assert_eq!(given.code, 1);
    assert!(given.err.ends_with("parcels.nisi: 66% is less than the 67% asked for\n"), "{}", given.err);
    let given = run(nisi(&folder).args(["test", ".", "--min", "101"]));
    assert_eq!(given.code, 2);
    assert!(given.err.contains("`--min 101`"), "{}", given.err);
    // What fails is told all the same.
    folder.file("parcels.cases.yaml", CASES.replace("row: heavy", "row: far"));
    assert_eq!(run(nisi(&folder).args(["test", ".", "--min", "50"])).code, 1);
}

#[test]
fn coverage_for_programs() {
    let folder = folder("depth-json");
    let told = json(&run(nisi(&folder).args(["test", ".", "--coverage", "--format", "json"])));
    let coverage = &told["policies"][0]["coverage"];
    assert_eq!(coverage["percent"], 66);
    assert_eq!((&coverage["rows"]["shown"], &coverage["rows"]["total"]), (&2.into(), &3.into()));
    assert_eq!(coverage["by_row"][0]["row"], "where-to/heavy");
    assert_eq!((&coverage["by_row"][0]["line"], &coverage["by_row"][0]["cases"]), (&8.into(), &1.into()));
    let missed = coverage["missed"].as_array().unwrap();
    assert_eq!(missed.len(), 3);
    assert_eq!((&missed[0]["kind"], &missed[0]["facts"]["weight"]), (&"cell".into(), &29.into()));
    assert!(told["policies"][0]["coverage"]["never"].is_u64());
}

#[test]
fn lcov_has_a_line_for_each_row() {
    let folder = folder("depth-lcov");
    let given = run(nisi(&folder).args(["test", ".", "--lcov", "out.info"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let lcov = std::fs::read_to_string(folder.path().join("out.info")).unwrap();
    assert_eq!(
        lcov,
        "TN:nisi\nSF:parcels.nisi\nBRDA:8,0,0,1\nBRDA:8,0,1,1\nBRDA:8,0,2,0\nDA:8,1\nBRDA:9,0,0,1\nBRDA:9,0,1,1\nDA:9,1\n\
         BRDA:10,0,0,-\nDA:10,0\nBRF:6\nBRH:4\nLF:3\nLH:2\nend_of_record\n"
    );
    let given = run(nisi(&folder).args(["test", ".", "--lcov", "missing/out.info"]));
    assert_eq!(given.code, 2);
    assert!(given.err.contains("`missing/out.info` could not be written"), "{}", given.err);
}

#[test]
fn only_what_changed_since() {
    let folder = folder("depth-since");
    folder.file("old/parcels.nisi", PARCELS.replace("\"road\"", "\"rail\""));
    let given = run(nisi(&folder).args(["test", "parcels.nisi", "--since", "old"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.out.starts_with("coverage of parcels.nisi: 100%\n  rows    1 of 1\n"), "{}", given.out);
    assert!(given.out.contains("| near  |") && !given.out.contains("| far   |"), "{}", given.out);
    // Where a bound moved, the rows below it answer what they did not.
    folder.file("old/parcels.nisi", PARCELS.replace(">= 30", ">= 25"));
    let given = run(nisi(&folder).args(["test", "parcels.nisi", "--since", "old/parcels.nisi"]));
    assert!(given.out.contains("| heavy |") && given.out.contains("| far   |"), "{}", given.out);
    let given = run(nisi(&folder).args(["test", "parcels.nisi", "--since", "parcels.nisi", "--min", "100"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.out.contains("nothing changed"), "{}", given.out);
    // A policy that was not there is looked at whole.
    folder.file("other/other.nisi", PARCELS.replace("policy parcels", "policy other"));
    let given = run(nisi(&folder).args(["test", "parcels.nisi", "--since", "other"]));
    assert!(given.out.contains("| far   |"), "{}", given.out);
    for old in ["gone", "old.yaml"] {
        let given = run(nisi(&folder).args(["test", "parcels.nisi", "--since", old]));
        assert_eq!(given.code, 2);
        assert!(given.err.contains(&format!("`--since {old}`")), "{}", given.err);
    }
}

#[test]
fn suggested_cases_stand_beside_the_others_and_hold() {
    let folder = folder("depth-suggest");
    let given = run(nisi(&folder).args(["test", "parcels.nisi", "--suggest"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert_eq!(
        given.out,
        "cases:\n  - name: where-to/heavy turns away weight 29\n    facts: { weight: 29 }\n    expect:\n      \
         action: \"stop \\\"air\\\"\"\n      path: [where-to/far]\n"
    );
    assert!(given.err.starts_with("parcels.nisi: 1 case for 3 things"), "{}", given.err);
    folder.file("parcels.more.cases.yaml", &given.out);
    let given = run(nisi(&folder).args(["test", ".", "--min", "100"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let given = run(nisi(&folder).args(["test", ".", "--suggest"]));
    assert_eq!((given.code, given.out.as_str()), (0, ""));
    // One policy at a time: its cases are one file.
    folder.file("second.nisi", PARCELS.replace("policy parcels", "policy second"));
    let given = run(nisi(&folder).args(["test", ".", "--suggest"]));
    assert_eq!((given.code, given.out.as_str()), (2, ""));
    // A policy without cases is what this is for.
    let given = run(nisi(&folder).args(["test", "second.nisi", "--suggest"]));
    assert_eq!(given.code, 0, "{}", given.err);
    assert_eq!(given.out.matches("- name: ").count(), 3, "{}", given.out);
    assert_eq!(run(nisi(&folder).args(["test", "second.nisi", "--suggest", "--format", "json"])).code, 2);
}

#[test]
fn mutants_that_no_case_notices_are_named() {
    let folder = folder("depth-mutate");
    let given = run(nisi(&folder).args(["test", ".", "--mutate"]));
    assert_eq!(given.code, 1, "{}", given.err);
    assert!(given.out.starts_with("SURVIVES where-to/heavy: `weight` >= 30 becomes >= 29\n  at parcels.nisi:8\n"));
    assert!(
        given.out.contains("  a case would notice: nisi why parcels.nisi --set weight=29 --set region=eu\n"),
        "{}",
        given.out
    );
    assert!(given.out.ends_with("parcels.nisi: 3 mutants survive of 8\n"), "{}", given.out);
    assert_eq!(given.err, "8 mutants before 2 cases: 5 noticed, 0 change no decision, 3 survive\n");
    let told = json(&run(nisi(&folder).args(["test", ".", "--mutate", "--format", "json"])));
    let policy = &told["policies"][0];
    assert_eq!((&policy["mutants"], policy["survived"].as_array().unwrap().len()), (&8.into(), 3));
    assert_eq!(policy["survived"][0]["facts"]["weight"], "29");
    let more = run(nisi(&folder).args(["test", "parcels.nisi", "--suggest"])).out;
    folder.file("parcels.more.cases.yaml", more);
    let given = run(nisi(&folder).args(["test", ".", "--mutate"]));
    assert_eq!((given.code, given.out.as_str()), (0, "parcels.nisi: no mutant survives of 8\n"), "{}", given.err);
    assert_eq!(run(nisi(&folder).args(["test", ".", "--mutate", "--format", "junit"])).code, 2);
    assert_eq!(run(nisi(&folder).args(["test", ".", "--mutate", "--coverage"])).code, 2);
}
