//! Formatting, held to its word: twice is once, the policy says the same, no comment and no letter is lost; and how it
//! is laid out before makes no difference.
//!
//! `tests/cases/fmt` holds texts with what becomes of them; every other policy of the project is put to it as well.

use nisi::compile::{NoSources, Options};
use nisi::format::{Columns, Formatted, LineEdit, edits, format};
use nisi::text::Source;
use proptest::prelude::*;

use crate::random;
use crate::support::{fences, files, has_ending, read, root};

const EACH: [Columns; 3] = [Columns::Kept, Columns::Fold, Columns::Unfold];

fn formatted(text: &str, columns: Columns) -> Formatted {
    let options = nisi::format::Options { columns };
    format(text, &options).unwrap_or_else(|refused| panic!("{columns:?}: {refused}\n{text}"))
}

fn plainly(text: &str) -> String {
    formatted(text, Columns::Kept).text
}

/// Every text of the language in the project, by where it stands.
fn corpus() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for folder in ["policies", "tests/cases", "src/syntax/samples", "src/cli"] {
        for path in files(folder).into_iter().filter(|path| has_ending(path, "nisi")) {
            let bytes = std::fs::read(root().join(&path)).unwrap();
            all.extend(String::from_utf8(bytes).ok().map(|text| (path, text)));
        }
    }
    let pages = ["src/diag/pages", "docs"].into_iter().flat_map(files).filter(|path| has_ending(path, "md"));
    for path in pages {
        let page = read(&path);
        let kinds = page.lines().filter_map(|l| l.strip_prefix("```")).filter(|l| l.starts_with("nisi"));
        let kinds: std::collections::BTreeSet<&str> = kinds.collect();
        for kind in kinds {
            all.extend(fences(&page, "", kind).into_iter().map(|text| (path.clone(), text)));
        }
    }
    assert!(all.len() > 600, "{} texts", all.len());
    all
}

/// What is seen of a text: neither white space nor the lines of dashes, nor the commas that end an entry.
fn letters(text: &str) -> String {
    let is_dashes = |code: &str| code.contains('-') && code.chars().all(|c| "|-: \t\r".contains(c));
    let lines = text.lines().map(|line| {
        let code = line.find('#').map_or(line, |at| &line[..at]);
        if is_dashes(code) { &line[code.len()..] } else { line }
    });
    lines.flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != ',').collect()
}

fn digest(text: &str) -> Option<String> {
    let options = Options { proofs: false, lints: false, ..Options::default() };
    let compiled = nisi::compile::compile(Source::new("a.nisi", text), &NoSources, &options);
    compiled.policy.map(|policy| policy.digest().to_string())
}

/// What must hold of any text.
fn holds(text: &str) {
    let before = digest(text);
    for columns in EACH {
        let once = formatted(text, columns);
        let twice = formatted(&once.text, columns);
        assert_eq!(once.text, twice.text, "{columns:?} of\n{text}");
        if before.is_some() && once.text != text {
            assert_eq!(before, digest(&once.text), "{columns:?} of\n{text}");
        }
        assert_eq!(once.errors.items, twice.errors.items);
        if columns == Columns::Kept {
            assert_eq!(letters(text), letters(&once.text), "{text}");
            assert_eq!(
                applied(text, &edits(text, 0..usize::MAX, &nisi::format::Options::default()).unwrap()),
                once.text
            );
        }
    }
}

/// A text with edits made.
fn applied(text: &str, edits: &[LineEdit]) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    for edit in edits.iter().rev() {
        lines.splice(edit.lines.clone(), [edit.text.as_str()]);
    }
    lines.concat()
}

#[test]
fn every_text_of_the_project_is_formatted_once_and_for_all() {
    for (path, text) in corpus() {
        if let Err(panic) = std::panic::catch_unwind(|| holds(&text)) {
            eprintln!("in {path}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// A text that says the same, laid out as nobody would: other spaces around bars and signs, tabs, spaces at the ends of
/// lines, blank lines, no lines of dashes.
fn crumpled(text: &str, draws: &[u8]) -> String {
    let mut draws = draws.iter().copied().cycle();
    let mut draw = move || draws.next().unwrap_or(0);
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("|--") && draw() % 2 == 0 {
            continue;
        }
        let (mut in_text, mut before) = (false, ' ');
        let is_row = line.starts_with('|') && !line.contains('#');
        for c in line.chars() {
            in_text ^= c == '"' && before != '\\';
            let is_sign = is_row && !in_text && c == '|' && before != '\\';
            let gap = |n: u8| if n % 4 == 3 { "\t".to_string() } else { " ".repeat(usize::from(n % 4)) };
            if is_sign && before != ' ' || !is_row && !in_text && c == ',' && !line.starts_with(['#', '-', ' ']) {
                out += &gap(draw());
            }
            out.push(c);
            if is_sign {
                out += &gap(draw());
            }
            before = c;
        }
        out += ["", " ", "\t ", "\n", "\n \n\n"][usize::from(draw() % 5) * usize::from(line.is_empty())];
        out += ["", "  ", " \t"][usize::from(draw() % 3)];
        out.push('\n');
    }
    out
}

/// A text with a few things done to it that nobody would.
fn spoilt(text: &str, edits: &[(u16, u8, u8)]) -> String {
    const SIGNS: [&str; 20] = [
        "|", "\"", "{", "}", "#", "\t", "、", "\r", "\u{feff}", "\n", " ", "｜", "- ", "table ", ",", "\r\n", "–",
        "\u{200d}", "\\", "“",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for (place, len, sign) in edits {
        let at = usize::from(*place) * chars.len() / usize::from(u16::MAX).max(1);
        let end = (at + usize::from(*len)).min(chars.len());
        let new: Vec<char> = SIGNS[usize::from(*sign) % SIGNS.len()].chars().collect();
        chars.splice(at..end, new);
    }
    chars.into_iter().collect()
}

fn tape() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 1..300)
}

fn some_text() -> impl Strategy<Value = String> {
    let texts: Vec<String> = corpus().into_iter().map(|(_, text)| text).filter(|text| text.len() < 6_000).collect();
    proptest::sample::select(texts)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn random_policies_say_the_same(tape in tape()) {
        holds(&random::wide(&tape));
        holds(&random::text(&tape));
    }

    #[test]
    fn layout_makes_no_difference(tape in tape(), draws in proptest::collection::vec(any::<u8>(), 1..200)) {
        for text in [random::wide(&tape), random::text(&tape)] {
            let normal = plainly(&text);
            prop_assert_eq!(plainly(&crumpled(&normal, &draws)), normal);
        }
    }

    #[test]
    fn what_nobody_would_write_is_formatted_once_and_for_all(
        text in some_text(),
        edits in proptest::collection::vec((any::<u16>(), 0u8..12, any::<u8>()), 1..6),
    ) {
        holds(&spoilt(&text, &edits));
    }

    #[test]
    fn any_text_is_taken(text in "[ -~\t\r\n|\"{}#é日\u{feff}]{0,80}") {
        holds(&text);
    }

    #[test]
    fn some_lines_are_formatted_by_themselves(text in some_text(), start in 0usize..60, len in 0usize..12) {
        let wanted = start..start + len;
        let made = edits(&text, wanted.clone(), &nisi::format::Options::default()).unwrap();
        let some = applied(&text, &made);
        prop_assert_eq!(plainly(&some), plainly(&text));
        let again = edits(&some, 0..0, &nisi::format::Options::default()).unwrap();
        prop_assert_eq!(again, vec![]);
    }
}

#[test]
fn the_shipped_policies_and_the_pages_are_formatted() {
    let mut all: Vec<(String, String)> =
        files("policies").into_iter().map(|path| (path.clone(), read(&path))).collect();
    all.push(("src/cli/template.nisi".into(), read("src/cli/template.nisi")));
    for path in files("docs").into_iter().filter(|path| has_ending(path, "md")) {
        let page = read(&path);
        let kinds = page.lines().filter_map(|l| l.strip_prefix("```")).filter(|l| l.starts_with("nisi"));
        for kind in kinds.collect::<std::collections::BTreeSet<_>>() {
            all.extend(fences(&page, "", kind).into_iter().map(|text| (path.clone(), text)));
        }
    }
    let readme = fences(&read("README.md"), "", "").into_iter().find(|fence| fence.starts_with("policy "));
    all.push(("README.md".into(), readme.expect("the README shows a policy")));
    assert!(all.len() > 30);
    for (path, text) in all.iter().filter(|(path, _)| has_ending(path, "nisi") || has_ending(path, "md")) {
        assert_eq!(&plainly(text), text, "{path}: `nisi fmt` writes it so");
    }
}

/// What a case asks for in its second line.
fn asked(text: &str) -> Columns {
    match text.lines().nth(1).and_then(|line| line.strip_prefix("# with: ")) {
        Some("fold") => Columns::Fold,
        Some("unfold") => Columns::Unfold,
        Some(other) => panic!("`{other}` is nothing that a case can ask for"),
        None => Columns::Kept,
    }
}

#[test]
fn cases_become_what_their_snapshots_show() {
    let cases: Vec<String> = files("tests/cases/fmt").into_iter().filter(|path| has_ending(path, "nisi")).collect();
    assert!(cases.len() >= 6, "{cases:?}");
    for path in cases {
        let text = read(&path);
        holds(&text);
        let Formatted { text: after, errors } = formatted(&text, asked(&text));
        assert_ne!(after, text, "{path}: nothing to format");
        let source = Source::new("", after.as_str());
        let told = errors.items.iter().map(|found| {
            let at = source.position(found.span().start as usize);
            format!("{}:{} {}: {}\n", at.line, at.column, found.code.id, found.message)
        });
        let shown = format!("{text}\n──── formatted\n{after}\n──── left as it is\n{}", told.collect::<String>());
        let name = path.rsplit('/').next().unwrap().trim_end_matches(".nisi").to_string();
        insta::with_settings!({ snapshot_path => "../cases/fmt", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown);
        });
    }
}

#[test]
fn lines_end_as_they_did() {
    let text = "policy  a\nversion 1\n\n\ntable t, first row wins\n|=> action|\n|stop|";
    let formatted = plainly(text);
    assert_eq!(
        formatted,
        "policy a\nversion 1\n\ntable t, first row wins\n| => action |\n|-----------|\n| stop      |\n"
    );
    assert_eq!(plainly(&text.replace('\n', "\r\n")), formatted.replace('\n', "\r\n"));
    assert_eq!(plainly(&format!("\u{feff}{text}")), format!("\u{feff}{formatted}"));
    // Each line keeps its own end, where they differ.
    assert_eq!(plainly("policy  a\r\nversion  1\nowner  b\r\n"), "policy a\r\nversion 1\nowner b\r\n");
    // Where nobody can tell which lines there are, nothing is touched.
    let old = text.replace('\n', "\r");
    assert_eq!(plainly(&old), old);
    for nothing in ["", "\n", " \n\t\n", "  "] {
        assert_eq!(plainly(nothing), "");
    }
}

/// What is no policy at all is not touched, whatever it looks like.
#[test]
fn a_file_of_another_language_is_left_alone() {
    let python = "\n\n# a script   \nif x:\n    # indented\n    run( a,b )\n\n\n";
    let page = "#  A page   \n\n\n|a|b|\n|-|-|\n|c|d|\n\n* item  \n";
    for text in [python, page, "table", "policy", "{", "|"] {
        let Formatted { text: after, errors } = formatted(text, Columns::Kept);
        assert_eq!(after, text);
        assert!(errors.has_errors());
    }
}

/// One cell of four thousand letters does not make a file past its limit of ten thousand small rows.
#[test]
fn a_table_that_would_be_too_long_is_not_padded() {
    let rows = "| timeout | stop |\n".repeat(5_000);
    let long = format!("| confirmed | stop \"{}\" |\n", "x".repeat(4_000));
    let text = format!("policy a\nversion 1\ntable t, first row wins\n| condition | => action |\n{rows}{long}");
    let formatted = plainly(&text);
    assert!(formatted.len() < text.len() + 100, "{} bytes", formatted.len());
    assert_eq!(plainly(&formatted), formatted);
}
