//! Policies that stand in the fences of Markdown.

use super::{nisi, run};
use crate::support::Folder;

const WHY: &str = "# Why parcels wait — بسته‌ها

A parcel that is large is looked at by the desk.

```nisi
policy parcels
version 1
use team
```

The table:

~~~nisi
table t, first row wins
| row   | size  | => action   |
| dear  | large | review desk |
| rest  | -     | stop        |
| otherwise |   | stop        |

examples t
| name | size  | => action   | row  |
| big  | large | review desk | dear |
~~~

```console
nisi check .
```
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("why.nisi.md", WHY.replace("| otherwise |   | stop        |\n", ""));
    folder.file("team.nisi.md", "Sizes.\n\n```nisi\nfact size : small, large\n```\n");
    folder.file("README.md", "```nisi\npolicy nobody asked for\n```\n");
    folder
}

#[test]
fn it_is_checked_asked_and_compared_like_any_other() {
    let folder = folder("literate");
    let checked = run(nisi(&folder).args(["check", "."]));
    assert_eq!(checked.code, 0, "{}", checked.out);
    assert!(checked.err.contains("1 policy") && checked.err.contains("1 vocabulary"), "{}", checked.err);
    let asked = run(nisi(&folder).args(["eval", "why.nisi.md", "--set", "size=large", "--format", "json"]));
    assert!(asked.out.contains("\"row\": \"dear\"") || asked.out.contains("\"row\":\"dear\""), "{}", asked.out);
    let same = run(nisi(&folder).args(["diff", "why.nisi.md", "why.nisi.md"]));
    assert_eq!(same.code, 0, "{}", same.err);
    let map = run(nisi(&folder).args(["snapshot", "why.nisi.md"]));
    assert!(map.out.contains("review desk\n  size is large\n"), "{}", map.out);
}

#[test]
fn places_and_mends_are_those_of_the_markdown() {
    let folder = folder("literate-places");
    folder.file("why.nisi.md", WHY.replace("| rest  | -     | stop        |", "| rest  | -     | stopp       |"));
    let wrong = run(nisi(&folder).args(["check", "why.nisi.md"]));
    assert!(
        wrong.code == 1 && wrong.out.contains("why.nisi.md:17:19") && wrong.out.contains("`stop`"),
        "{}",
        wrong.out
    );
    folder.file("why.nisi.md", WHY);
    let mended = run(nisi(&folder).args(["check", "--fix", "why.nisi.md"]));
    let text = std::fs::read_to_string(folder.path().join("why.nisi.md")).unwrap();
    assert_eq!(text, WHY.replace("| otherwise |   | stop        |\n", ""), "{}", mended.err);
}

#[test]
fn its_fences_are_formatted_and_its_prose_is_not() {
    let folder = folder("literate-fmt");
    let ugly =
        WHY.replace("| dear  | large | review desk |", "|dear|large|review   desk|").replace("looked at", "looked  at");
    let ugly = ugly.replace("use team\n", "use  team\n\n\n\n").replace("\n\nThe table", "\n\n\n\nThe table");
    folder.file("why.nisi.md", &ugly);
    let given = run(nisi(&folder).args(["fmt", "why.nisi.md"]));
    assert_eq!(given.code, 0, "{}", given.err);
    let text = std::fs::read_to_string(folder.path().join("why.nisi.md")).unwrap();
    assert!(text.contains("looked  at") && text.contains("\n\n\n\nThe table"), "{text}");
    assert!(text.contains("use team\n") && text.contains("| dear      | large | review desk |\n"), "{text}");
    assert_eq!(run(nisi(&folder).args(["fmt", "--check", "why.nisi.md"])).code, 0);
    assert_eq!(run(nisi(&folder).args(["check", "why.nisi.md"])).code, 0);
}

#[test]
fn markdown_without_a_policy_is_told() {
    let folder = Folder::new("literate-none");
    folder.file("a.md", "# Only prose\n\n    ```nisi\n");
    let given = run(nisi(&folder).args(["check", "a.md"]));
    assert!(given.code == 1 && given.out.contains("N0217") && given.out.contains("```nisi"), "{}", given.out);
    for calls in [&["fmt", "a.md"][..], &["fmt", "--check", "a.md"]] {
        let given = run(nisi(&folder).args(calls));
        assert_eq!((given.code, &*given.out), (2, ""), "{}", given.err);
        assert!(given.err.contains("N0217") && given.err.contains("```nisi"), "{}", given.err);
        assert!(!given.err.contains("nothing to format"), "{}", given.err);
    }
    let found = run(nisi(&folder).args(["check", "."]));
    assert!(found.code == 2 && found.err.contains("`.nisi.md`"), "{}", found.err);
}
