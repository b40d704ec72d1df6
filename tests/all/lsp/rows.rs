//! What a row is still asked for: hovers tell what the rows above leave of it.

use serde_json::{Value, json};

use super::{Client, place};

const URI: &str = "file:///rows.nisi";

const PARCELS: &str = "policy parcels
version 1
fact parcel : small, large, fragile
fact weight : count
fact wet : yes, no

## Where it goes.
derive care : low, high, first row wins
| wet | => care |
| yes | high    |
| otherwise | low |

table where-to, first row wins
| row   | parcel         | weight | care | => action      |
| glass | fragile        | -      | -    | review packing |
| heavy | -              | >= 30  | -    | review desk    |
| soft  | -              | -      | high | review drying  |
|       | small, fragile | -      | low  | stop \"shelf\"   |
| again | fragile        | >= 40  | -    | stop           |
| rest  | -              | -      | -    | stop           |

table others, at most one row
| row | wet | => action |
| one | yes | stop |
| two | no, unknown | stop |
";

fn hover(client: &mut Client, text: &str, word: &str, n: usize) -> Option<(String, Value)> {
    let (line, character) = place(text, word, n);
    let at = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let found = client.ask("textDocument/hover", at).unwrap();
    Some((found["contents"]["value"].as_str()?.to_string(), found["range"].clone()))
}

#[test]
fn a_row_tells_what_is_left_of_it() {
    let mut client = Client::plain();
    client.open(URI, PARCELS);
    for (word, parts) in [
        ("glass", &["**row** `where-to/glass`"][..]),
        (
            "heavy",
            &[
                "Of it is left, where the rows above took theirs:",
                "- `parcel is unknown, small, large and weight is >= 30`",
            ],
        ),
        ("soft ", &["- `parcel is unknown, small, large and weight is unknown or <= 29 and care is high`"]),
        ("again", &["Nothing is left of it: the rows above take all: `glass`, `heavy`"]),
        ("rest ", &["- `parcel is unknown, large and weight is unknown or <= 29 and care is low`"]),
    ] {
        let (said, _) = hover(&mut client, PARCELS, word, 0).unwrap_or_else(|| panic!("nothing on {word}"));
        for part in parts {
            assert!(said.contains(part), "{word}: {said}");
        }
        assert_eq!(said.matches("\n- ").count(), parts.iter().filter(|part| part.starts_with("- ")).count(), "{said}");
    }
    let (said, _) = hover(&mut client, PARCELS, "glass", 0).unwrap();
    assert!(!said.contains(" left"), "nothing is above it: {said}");
    let (said, _) = hover(&mut client, PARCELS, "| otherwise", 0).unwrap();
    assert!(said.contains("**row** `care/otherwise`") && said.contains("- `wet is unknown, no`"), "{said}");
    let (said, _) = hover(&mut client, PARCELS, "one |", 0).unwrap();
    assert!(said.contains("**row** `others/one`") && !said.contains("left"), "{said}");
    // A row without a name is pointed at by any bar or blank of it.
    let (said, range) = hover(&mut client, PARCELS, "|       | small", 0).unwrap();
    assert!(
        said.contains("**row** `where-to/#4` (row 4 of 6")
            && said.contains("- `parcel is small and weight is unknown or <= 29"),
        "{said}"
    );
    assert_eq!(range["start"]["line"], place(PARCELS, "|       | small", 0).0);
    let (said, _) = hover(&mut client, PARCELS, "| yes | high", 0).unwrap();
    assert!(said.contains("**row** `care/#1`"), "{said}");
}

#[test]
fn a_row_that_meets_none_above_is_whole_and_of_a_table_with_a_fault_nothing_is_said() {
    let text = PARCELS.replace("| heavy | -              | >= 30", "| heavy | large          | >= 30");
    let mut client = Client::plain();
    client.open(URI, &text);
    let (said, _) = hover(&mut client, &text, "heavy", 0).unwrap();
    assert!(said.contains("All of it is left: the rows above take no part."), "{said}");
    client.change(URI, 2, &json!([{ "text": text.replace("| >= 30", "| >= x0") }]));
    let (said, _) = hover(&mut client, &text, "soft ", 0).unwrap();
    assert!(said.contains("is told once every cell of the table can be read"), "{said}");
}

/// Many rows cost steps, not patience: what is not worked out is said.
#[test]
fn too_many_rows_are_said_to_be_too_many() {
    let facts: Vec<String> = (0..12).map(|i| format!("fact f{i} : a, b, c")).collect();
    let facts = facts.join("\n");
    let columns: Vec<String> = (0..12).map(|i| format!("f{i}")).collect();
    // A row that looks at three facts, each time at others.
    let row = |i: usize| {
        let value = |j: usize| if (i + j).is_multiple_of(4) { ["a", "b", "c"][(i / 4 + j * i) % 3] } else { "-" };
        format!("| r{i} | {} | stop |\n", (0..12).map(value).collect::<Vec<_>>().join(" | "))
    };
    let rows: String = (0..400).map(row).collect();
    let text = format!(
        "policy many\nversion 1\n{facts}\n\ntable t, first row wins\n| row | {} | => action |\n{rows}| rest | {} | stop |\n",
        columns.join(" | "),
        ["-"; 12].join(" | ")
    );
    let mut client = Client::plain();
    client.open(URI, &text);
    let (said, _) = hover(&mut client, &text, "rest |", 0).unwrap();
    assert!(said.contains("was not worked out: that takes too many steps"), "{said}");
}

#[test]
fn a_named_action_tells_its_guards_and_those_of_what_follows() {
    let mut client = Client::plain();
    client.open(URI, super::ORDERS);
    let (said, _) = hover(&mut client, super::ORDERS, "look-up :", 0).unwrap();
    assert!(said.contains("```nisi\naction look-up") && said.contains("`reconcile` asks nothing"), "{said}");
    assert!(said.contains("`review` asks nothing"), "{said}");
}
