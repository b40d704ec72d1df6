//! Files that are broken, or made to do harm: each is refused with a reason and a mend, and none panics.

use proptest::prelude::*;

use super::import;

/// What is told of a file that gives no policy.
fn refused(file: &str, bytes: &[u8]) -> String {
    match import(file, bytes) {
        Ok(got) => panic!("{}\n{:?}", got.policy, got.notices),
        Err(refused) => format!("{refused} / {}", refused.help.as_deref().unwrap_or_default()),
    }
}

#[test]
fn what_is_no_text_says_which_byte() {
    let told = refused("a.csv", b"Stra\xdfe,action\n1,stop\n");
    assert!(told.contains("its byte 5 is 0xDF") && told.contains("Latin-1"), "{told}");
    let told = refused("a.csv", b"\xff\xfea\0,\0b\0\n\0");
    assert!(told.contains("UTF-16"), "{told}");
    for (file, bytes) in
        [("a.csv", &b""[..]), ("a.csv", b"\n\n"), ("a.csv", b"one column\n1\n"), ("a.md", b"| a |"), ("a.dmn", b"")]
    {
        let told = refused(file, bytes);
        assert!(told.contains(" / ") && !told.ends_with("/ "), "{file}: {told}");
    }
    assert!(refused("a.txt", b"a,b\n1,stop\n").contains("--format csv"));
}

#[test]
fn entities_are_never_resolved() {
    let mut bomb = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\">");
    for i in 1..10 {
        let inner = format!("&lol{};", i - 1).repeat(10);
        bomb += &["<!ENTITY lol", &i.to_string(), " \"", &inner, "\">"].concat();
    }
    bomb += "]><definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\" name=\"&lol9;\"/>";
    assert!(refused("a.dmn", bomb.as_bytes()).contains("<!DOCTYPE"));
    let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>";
    assert!(refused("a.dmn", outside.as_bytes()).contains("<!DOCTYPE"));
}

#[test]
fn xml_that_nests_without_end_is_refused() {
    let deep = "<a>".repeat(300_000);
    assert!(refused("a.dmn", deep.as_bytes()).contains("200 deep, at line 1"));
    let feel = format!("<text>{}1{}</text>", "(".repeat(100_000), ")".repeat(100_000));
    let text = format!(
        "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\"><decision id=\"d\" name=\"d\"><decisionTable>\
         <input><inputExpression><text>a</text></inputExpression></input><output/>\
         <rule><inputEntry>{feel}</inputEntry><outputEntry><text>\"stop\"</text></outputEntry></rule>\
         <rule><inputEntry><text>-</text></inputEntry><outputEntry><text>\"stop\"</text></outputEntry></rule>\
         </decisionTable></decision></definitions>"
    );
    let got = import("a.dmn", text.as_bytes()).unwrap();
    assert_eq!((got.n_rows, got.notices.iter().filter(|n| n.is_left).count()), (1, 1));
    let other = "<bpmn:definitions xmlns:bpmn=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"/>";
    assert!(refused("a.dmn", other.as_bytes()).contains("no DMN"));
    let old = "<definitions xmlns=\"http://www.omg.org/spec/DMN/20151101/dmn.xsd\"/>";
    assert!(refused("a.dmn", old.as_bytes()).contains("1.2 to 1.5"));
}

#[test]
fn tables_past_the_limits_are_refused() {
    let wide = (0..65).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",") + "\n";
    assert!(refused("a.csv", wide.as_bytes()).contains("65 columns, and at most 64"));
    let long = "a,action\n".to_string() + &"1,stop\n".repeat(200_001);
    assert!(refused("a.csv", long.as_bytes()).contains("more than 200000 rows"));
    assert!(refused("a.csv", &vec![b'a'; (16 << 20) + 1]).contains("at most 16777216"));
}

#[test]
fn circles_of_decisions_come_to_an_end() {
    let decision = |id: &str, needs: &str| {
        format!(
            "<decision id=\"{id}\" name=\"{id}\"><informationRequirement><requiredDecision href=\"#{needs}\"/></informationRequirement>\
             <decisionTable><input><inputExpression><text>{needs}</text></inputExpression></input><output name=\"x\"/>\
             <rule><inputEntry><text>\"stop\"</text></inputEntry><outputEntry><text>\"stop\"</text></outputEntry></rule>\
             </decisionTable></decision>"
        )
    };
    let text = format!(
        "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\">{}{}</definitions>",
        decision("a", "b"),
        decision("b", "a")
    );
    assert!(refused("a.dmn", text.as_bytes()).contains("--table"));
    let how = nisi::exchange::Import { file: "a.dmn", table: Some("a"), ..Default::default() };
    assert!(nisi::exchange::import(text.as_bytes(), &how, &super::Words::new()).is_ok());
}

/// Rows of fixed words may stand anywhere elsewhere, and more than once.
#[test]
fn fixed_rows_are_put_below_the_others_each_once() {
    let text = b"a,action\notherwise,review a\nany unknown,review b\nx,stop\nany unknown,review c\ny,stop\n";
    let got = import("a.csv", text).unwrap();
    holds("a.csv", text);
    let rows: Vec<&str> = got.policy.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let first = |row: &&str| row.split('|').nth(1).unwrap().trim().to_string();
    assert_eq!(rows.iter().map(first).collect::<Vec<_>>(), ["x", "y", "any unknown", "otherwise"], "{}", got.policy);
    assert!(rows[2].contains("review b"), "{}", got.policy);
    let told: Vec<String> = got
        .notices
        .iter()
        .map(ToString::to_string)
        .filter(|told| told.contains("stands above") || told.contains("put below"))
        .collect();
    assert_eq!(
        told,
        [
            "left: A5: `any unknown` stands above already, and a table has one; the row is left out",
            "note: A2: `otherwise` speaks of what no other row takes: it was put below them",
            "note: A3: `any unknown` speaks of what no other row takes: it was put below them",
        ]
    );
}

/// Elsewhere a row may be called as a fixed one and test something all the same: no test is dropped.
#[test]
fn a_row_that_tests_something_is_no_fixed_row() {
    for text in ["a,b,action\nx,1,stop\nany unknown,5,stop\n", "row,a,action\nr,x,stop\notherwise,y,stop\n"] {
        let got = import("a.csv", text.as_bytes()).unwrap();
        let left: Vec<_> = got.notices.iter().filter(|told| told.is_left).map(ToString::to_string).collect();
        assert!(got.n_rows == 1 && left.len() == 1 && left[0].contains("tests nothing, and this one does"), "{left:?}");
    }
    let rule = |label: &str, a: &str| {
        format!(
            "<rule label=\"{label}\"><inputEntry><text>{a}</text></inputEntry><outputEntry><text>\"stop\"</text></outputEntry></rule>"
        )
    };
    let rules = [rule("otherwise", "-"), rule("otherwise", "\"x\""), rule("otherwise", "-")].concat();
    let text = format!(
        "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\"><decision id=\"d\" name=\"d\"><decisionTable>\
         <input><inputExpression><text>a</text></inputExpression></input><output/>{rules}</decisionTable></decision></definitions>"
    );
    holds("a.dmn", text.as_bytes());
    let got = import("a.dmn", text.as_bytes()).unwrap();
    assert_eq!(
        (got.policy.matches("| otherwise |").count(), got.policy.matches("stop").count()),
        (1, 3),
        "{}",
        got.policy
    );
    assert!(got.policy.contains("| x "), "{}", got.policy);
}

/// What an import gives is in normal form, holds no word that cannot be read, and loses no row without a word.
fn holds(file: &str, bytes: &[u8]) {
    let Ok(got) = import(file, bytes) else { return };
    let formatted = nisi::format::format(&got.policy, &nisi::format::Options::default()).unwrap();
    assert_eq!(formatted.text, got.policy);
    assert!(formatted.errors.items.is_empty(), "{}\n{}", formatted.errors, got.policy);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn csv_of_any_words_is_a_policy_or_refused(
        header in prop::collection::vec("(row|condition|also|action|reason|Größe|a b|n|=> x|)", 1..6),
        cells in prop::collection::vec("([<>=!]{0,2} ?(-?[0-9]{1,3}(\\.[0-9])?|timeout|\"x y\"|a|b|yes|unknown|not|any|stop|retry now|see a|#N/A|\u{202e}|\\\\|,|;|\\|)?){0,2}", 0..40),
    ) {
        let quoted = |text: &String| format!("\"{}\"", text.replace('"', "\"\""));
        let mut text = header.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        for row in cells.chunks(header.len()) {
            text += &(row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n");
        }
        holds("a.csv", text.as_bytes());
        let md = |row: &[String]| format!("| {} |\n", row.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | "));
        let mut text = md(&header) + &format!("|{}\n", "---|".repeat(header.len()));
        cells.chunks(header.len()).for_each(|row| text += &md(row));
        holds("a.md", text.as_bytes());
    }

    #[test]
    fn dmn_with_any_entries_is_a_policy_or_refused(
        entries in prop::collection::vec("(-|not\\(|\\)|\\(|\\[|\\]|\\.\\.|,|\"a\"|\"b c\"|[0-9]{1,2}|<=?|>|null|true|date\\(\"2026-01-01\"\\)|\\?| and | ){0,6}", 1..12),
        hit in "(UNIQUE|FIRST|ANY|PRIORITY|COLLECT)",
        kind in "(string|number|boolean|date|)",
        answer in "(\"stop\"|\"Approve\"|night|3|null|)",
    ) {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let mut text = format!(
            "<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\"><decision id=\"d\" name=\"A &amp; b\"><decisionTable hitPolicy=\"{hit}\">\
             <input><inputExpression typeRef=\"{kind}\"><text>in put.x</text></inputExpression></input><output><outputValues><text>\"Approve\",\"stop\"</text></outputValues></output>"
        );
        for entry in &entries {
            text += &["<rule><inputEntry><text>", &escaped(entry), "</text></inputEntry><outputEntry><text>", &answer, "</text></outputEntry></rule>"].concat();
        }
        text += "</decisionTable></decision></definitions>";
        holds("a.dmn", text.as_bytes());
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for file in ["a.csv", "a.md", "a.xlsx", "a.dmn"] {
            holds(file, &bytes);
        }
    }
}
