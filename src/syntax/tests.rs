//! The room as a whole: pages, samples, many mistakes at once, and text that nobody meant.

use proptest::prelude::*;

use super::parse;
use super::tree::{CellKind, Grid, ItemKind, RowKind};
use crate::diag::{self, Diagnostic, Severity};
use crate::text::{FileId, Source, Span};

const SAMPLE: &str = include_str!("samples/purchase-orders.nisi");
const STD: &str = include_str!("samples/derived.nisi");

/// `12:5 N0121` for each finding, in the order of their places.
fn places(text: &str) -> Vec<String> {
    let source = Source::new("t.nisi", text);
    let mut findings = parse(FileId(0), text).findings;
    findings.sort_by_key(|f| (f.span().start, f.code.id));
    let place = |f: &Diagnostic| {
        let at = source.position(f.span().start as usize);
        format!("{}:{} {}", at.line, at.column, f.code.id)
    };
    findings.iter().map(place).collect()
}

fn told(text: &str) -> String {
    let findings = parse(FileId(0), text).findings;
    let lines: Vec<String> =
        findings.iter().map(|f| format!("{:?}", (f.code.id, &f.message, &f.help, f.span()))).collect();
    lines.join("\n")
}

fn grid(kind: &ItemKind) -> Option<&Grid> {
    match kind {
        ItemKind::Table { table, .. }
        | ItemKind::Derive { table, .. }
        | ItemKind::Classify { table, .. }
        | ItemKind::Tighten { table, .. }
        | ItemKind::Examples { table, .. } => Some(table),
        _ => None,
    }
}

#[test]
fn the_samples_are_read_without_a_finding() {
    for text in [SAMPLE, STD] {
        assert_eq!(told(text), "");
    }
    let items = parse(FileId(0), SAMPLE).file.items;
    assert_eq!(items.len(), 17);
    let rows = |name: &str| {
        let named = |k: &ItemKind| matches!(k, ItemKind::Table { name: n, .. } if &*n.text == name);
        items.iter().find(|i| named(&i.kind)).and_then(|i| grid(&i.kind)).map(|g| (g.rows.len(), g.reasons.len()))
    };
    assert_eq!(rows("recovery"), Some((12, 2)));
    let std = parse(FileId(0), STD).file;
    assert!(std.items.iter().all(|i| i.doc.ends_with('?')));
    let last = grid(&std.items[0].kind).and_then(|g| g.rows.last()).map(|r| (r.kind, r.cells.len()));
    assert_eq!(last, Some((RowKind::Otherwise, 6)));
}

/// The two fences of a page.
fn fences(page: &str) -> Vec<&str> {
    page.split("```nisi\n").skip(1).filter_map(|part| part.split("```").next()).collect()
}

#[test]
fn every_code_is_shown_and_mended_by_its_page() {
    // A page cannot hold what N0190 speaks of: a file that is no text.
    for code in diag::ALL.iter().filter(|c| c.id.starts_with("N01") && c.id != "N0190") {
        let fences = fences(code.page);
        assert_eq!(fences.len(), 2, "{code}");
        let found: Vec<&str> = parse(FileId(0), fences[0]).findings.iter().map(|f| f.code.id).collect();
        assert_eq!(found, [code.id], "{}", told(fences[0]));
        assert_eq!(told(fences[1]), "", "{code}");
    }
}

/// A text with its fixes of the first finding applied, until none is left.
fn mended(text: &str) -> String {
    let mut text = text.to_string();
    for _ in 0..40 {
        let findings = parse(FileId(0), &text).findings;
        let Some(fix) = findings.iter().find_map(|f| f.fixes.first()) else { break };
        let mut edits = fix.edits.clone();
        edits.sort_by_key(|e| std::cmp::Reverse(e.span.start));
        for edit in edits {
            text.replace_range(edit.span.range(), &edit.replacement);
        }
    }
    text
}

#[test]
fn ten_mistakes_give_ten_findings() {
    let text = include_str!("samples/ten-mistakes.nisi");
    let expected = [
        "8:11 N0122",
        "9:14 N0123",
        "10:11 N0124",
        "11:29 N0117",
        "17:3 N0129",
        "18:3 N0125",
        "19:12 N0128",
        "24:16 N0118",
        "25:5 N0126",
        "26:21 N0112",
    ];
    assert_eq!(places(text), expected, "{}", told(text));
    let file = parse(FileId(0), text).file;
    let grids: Vec<&Grid> = file.items.iter().filter_map(|i| grid(&i.kind)).collect();
    assert_eq!(grids.iter().map(|g| g.rows.len()).collect::<Vec<_>>(), [5, 4, 4]);
    assert!(grids.iter().all(|g| !g.damaged && g.rows.last().is_some_and(|r| !r.damaged)));
}

/// Puts a cell, an `also` cell and an action into a policy.
fn policy(cell: &str, also: &str, action: &str) -> String {
    format!("policy a\nversion 1\ntable t, first row wins\n| x | also | => action |\n| {cell} | {also} | {action} |\n")
}

#[test]
fn cells_are_explained_by_intent() {
    for (cell, code, help) in [
        ("a b", "N0122", "write `a, b`"),
        ("a,, b", "N0122", "remove the comma"),
        ("a, unknown", "N0123", "write `unknown, a`"),
        ("a or unknown", "N0123", "write `unknown or a`"),
        ("> 5 or unknown", "N0123", "write `unknown or > 5`"),
        ("not unknown", "N0123", "write `known`"),
        ("not known", "N0123", "write `unknown`"),
        ("known, a", "N0123", "join it"),
        (">=", "N0129", "value behind it"),
        ("0..", "N0129", "write `>= 0`"),
        ("..5", "N0129", "write `<= 5`"),
        ("1-5", "N0129", "write `1..5`"),
        ("1 to 5", "N0129", "write `1..5`"),
        ("> 3, 5", "N0129", "`or`"),
        ("5,000", "N0125", "write `5_000`"),
        ("1,000,000", "N0125", "write `1_000_000`"),
        ("== a", "N0124", "value alone"),
        ("!= a", "N0124", "write `not a`"),
        ("a && b", "N0124", "write `and`"),
        ("a AND b", "N0124", "write `and`"),
        ("Not a", "N0124", "write `not`"),
        ("UNKNOWN", "N0124", "write `unknown`"),
        ("1...5", "N0124", "two dots"),
        ("(a, b)", "N0124", "without brackets"),
        ("> 500 ms", "N0126", "write `500ms`"),
        ("*", "N0127", "write `-`"),
        ("any", "N0127", "write `-`"),
        ("\"a", "N0112", "close it"),
        ("'a'", "N0111", "write `\"a\"`"),
        ("é", "N0114", "quoted"),
        ("not >= 3", "N0121", "write `< 3`"),
        ("y is a", "N0121", "`also`"),
        ("or a", "N0121", "write what it joins"),
        ("a, -", "N0121", "`-` alone"),
    ] {
        let text = policy(cell, "", "stop");
        let findings = parse(FileId(0), &text).findings;
        let said = findings.iter().map(|f| (f.code.id, f.help.clone().unwrap_or_default())).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].0 == code && said[0].1.contains(help), "{cell}: {said:?}");
    }
}

#[test]
fn actions_and_tests_are_explained_by_intent() {
    for (also, action, code, help) in [
        ("y = a", "stop", "N0118", "FACT is VALUE"),
        ("y", "stop", "N0118", "FACT is VALUE"),
        ("-", "stop", "N0118", "blank"),
        ("y is a or z is b", "stop", "N0118", "two rows"),
        ("y is a, z is b", "stop", "N0118", "write `and`"),
        ("y >= 3", "stop", "N0118", "FACT is VALUE"),
        ("y is a b", "stop", "N0122", "write `a, b`"),
        ("y is a, unknown and z is b", "stop", "N0123", "write `unknown, a`"),
        ("", "retry gentle", "N0117", "write `retry after gentle`"),
        ("", "retry after", "N0117", "backoff"),
        ("", "retry after 5s", "N0117", "backoff"),
        ("", "failover equivalent", "N0117", "write `failover to equivalent`"),
        ("", "reconcile action_key", "N0117", "write `reconcile by action_key`"),
        ("", "stop no more", "N0117", "write `stop \"no more\"`"),
        ("", "review the desk", "N0117", "write `review the-desk`"),
        ("", "retry now, if refused, stop", "N0117", "write `; if refused`"),
        ("", "retry now; if refused stop", "N0117", "if refused, ACTION"),
        ("", "retry now; stop", "N0117", "if refused, stop"),
        ("", "Retry now", "N0117", "retry"),
        ("", "STOP", "N0117", "write `stop`"),
        ("", "see", "N0117", "write `see TABLE`"),
        ("", "hedge 2 after 300 ms", "N0126", "300ms"),
    ] {
        let text = policy("a", also, action);
        let findings = parse(FileId(0), &text).findings;
        let said = findings.iter().map(|f| (f.code.id, f.help.clone().unwrap_or_default())).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].0 == code && said[0].1.contains(help), "{also} {action}: {said:?}");
    }
}

#[test]
fn heads_are_explained_by_intent() {
    for (head, code, help) in [
        ("policy my policy", "N0114", "write `my-policy`"),
        ("policy", "N0115", "write `policy NAME`"),
        ("fact x = a, b", "N0115", "fact NAME"),
        ("fact x := a, b", "N0115", "fact NAME"),
        ("fact x a, b", "N0115", "fact NAME"),
        ("fact x : 1, 2", "N0114", "write `\"1\"`"),
        ("fact x : a b", "N0122", "write `a, b`"),
        ("fact x : high > low", "N0120", "low < high"),
        ("fact x : bool", "N0120", "yes, no"),
        ("fact x : cuont", "N0120", "count"),
        ("fact x : decimal 0-10", "N0120", "0..10"),
        ("fact x : a | b", "N0120", "commas"),
        ("fact größe : a, b", "N0114", "ASCII"),
        ("FACT x : a, b", "N0101", "`fact`"),
        ("fcat x : a, b", "N0101", "`fact`"),
        ("import x", "N0101", "use NAME"),
        ("  policy x", "N0101", "start of its line"),
        ("group g : a, b", "N0115", "of FACT"),
        ("rule r never retry when x is a", "N0115", "rule NAME"),
        ("rule r: must retry when x is a", "N0115", "never ACTION"),
        ("rule r: never retry if x is a", "N0115", "when"),
        ("rule r: never retry when x = a", "N0118", "FACT is VALUE"),
        ("rule r: never retry or hedge when x is a", "N0122", "never retry, hedge"),
        ("waive r for t/row owner a", "N0115", "because"),
        ("action a : retry gentle", "N0117", "retry after gentle"),
        ("given x is a", "N0131", "examples"),
        ("| a | b |", "N0131", "table NAME"),
        ("- a: b", "N0131", "below the rows"),
        ("}", "N0113", "remove it"),
        ("budget {", "N0113", "write `}`"),
        ("backoff b { base 200ms, factor = 2 }", "N0119", "factor 2"),
    ] {
        let findings = parse(FileId(0), &format!("{head}\n")).findings;
        let said = findings.iter().map(|f| (f.code.id, f.help.clone().unwrap_or_default())).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].0 == code && said[0].1.contains(help), "{head}: {said:?}");
    }
}

#[test]
fn table_heads_keep_their_table() {
    let rows = "| x | => action |\n| a | stop |\n| b c | stop |\n";
    for (head, code, help) in [
        ("table t", "N0116", "first row wins"),
        ("table t, first match wins", "N0116", "first row wins"),
        ("table t, first", "N0116", "first row wins"),
        ("table t first row wins", "N0116", "first row wins"),
        ("table t when x is a, first match wins", "N0116", "first row wins"),
        ("table t when x = a, first row wins", "N0118", "FACT is VALUE"),
        ("table t, first row wins, if refused, retry gentle", "N0117", "retry after gentle"),
        ("table t, unique", "N0116", "at most one row"),
        ("tabel t, first row wins", "N0101", "table"),
    ] {
        let parsed = parse(FileId(0), &format!("{head}\n{rows}"));
        let said: Vec<_> = parsed.findings.iter().map(|f| (f.code.id, f.help.clone().unwrap_or_default())).collect();
        assert!(said.len() == 2 && said.iter().any(|s| s.0 == code && s.1.contains(help)), "{head}: {said:?}");
        assert!(said.iter().any(|s| s.0 == "N0122"), "{head}: {said:?}");
        let named = |k: &ItemKind| matches!(k, ItemKind::Table { name, .. } if &*name.text == "t");
        assert!(parsed.file.items.iter().any(|i| named(&i.kind)), "{head}");
    }
}

#[test]
fn a_derive_without_its_hit_policy_keeps_its_facts() {
    for (head, n_outputs) in [
        ("derive r : low < high ; d : \"a b\", c", 2),
        ("derive r : low < high, first match wins", 1),
        ("classify http -> condition, dispatch", 2),
        ("classify http -> condition, first match", 1),
    ] {
        let parsed = parse(FileId(0), &format!("{head}\n| x | => r |\n| a | low |\n"));
        let codes: Vec<_> = parsed.findings.iter().map(|f| f.code.id).collect();
        let outputs = parsed.file.items.iter().find_map(|i| match &i.kind {
            ItemKind::Derive { outputs, .. } => Some(outputs.len()),
            ItemKind::Classify { outputs, .. } => Some(outputs.len()),
            _ => None,
        });
        assert_eq!((codes, outputs), (vec!["N0116"], Some(n_outputs)), "{head}");
    }
}

#[test]
fn a_name_that_could_not_be_declared_is_noted() {
    let file = parse(FileId(0), "fact x = a\ngroup g : a\naction b : retry gentle\n").file;
    assert_eq!(file.broken.iter().map(|w| &*w.text).collect::<Vec<_>>(), ["x", "g", "b"]);
}

#[test]
fn odd_characters_are_found_once_and_read_as_meant() {
    let plain = policy("a, b", "y is c", "stop \"x\"");
    let codes = |text: &str| parse(FileId(0), text).findings.iter().map(|f| f.code.id).collect::<Vec<_>>();
    assert_eq!(codes(&plain), [""; 0]);
    for (from, to, code) in [
        ("a, b", "a， b", "N0109"),
        ("a, b", "а, b", "N0110"),
        ("a, b", "a,\u{a0}b", "N0109"),
        ("a, b", "ａ, b", "N0109"),
        ("| a,", "｜ a,", "N0109"),
        ("y is", "y\u{200b} is", "N0108"),
        ("y is", "y\tis", "N0104"),
        ("stop", "\u{202e}stop", "N0107"),
        ("\"x\"", "“x”", "N0111"),
        ("\"x\"", "\"\u{2066}x\"", "N0107"),
        ("\"x\"", "\"\u{0}x\"", "N0106"),
        ("policy", "\u{feff}policy", "N0103"),
        ("\nversion", "\rversion", "N0105"),
        ("version 1", "version 1 # \u{202d}", "N0107"),
    ] {
        let text = plain.replacen(from, to, 1);
        assert_eq!(codes(&text), [code], "{text:?} {}", told(&text));
        let mended = mended(&text);
        assert_eq!(codes(&mended), [""; 0], "{mended:?}");
    }
    for fine in ["\"اعاده\u{200c}ها\"", "\"x\" | # “smart” — ｜ ⚠\u{fe0f}", "\"naïve, 全角， “q”\""]
    {
        assert_eq!(codes(&plain.replacen("\"x\"", fine, 1)), [""; 0], "{fine}");
    }
    assert_eq!(codes(&plain.replace('\n', "\r\n")), [""; 0]);
    let free = "examples t\n| name | => action |\n| خرید — “naïve”, 全角 | stop |\n";
    assert_eq!(codes(free), [""; 0], "{}", told(free));
    let reason = "table t, first row wins\n| row | x | => action |\n| r | a | stop |\n- r: “naïve” — 全角, don't\n";
    assert_eq!(codes(reason), [""; 0], "{}", told(reason));
}

#[test]
fn places_lead_into_the_text_as_written() {
    let text = policy("ａ b", "", "stop");
    let source = Source::new("t", text.as_str());
    let findings = parse(FileId(0), &text).findings;
    let shown: Vec<_> = findings.iter().map(|f| (f.code.id, &source.text()[f.span().range()])).collect();
    assert_eq!(shown, [("N0109", "ａ"), ("N0122", "ａ b")]);
}

#[test]
fn tables_are_checked_as_a_whole() {
    let head = "table t, first row wins\n";
    for (table, expected) in [
        ("| x | => action |\n| a | stop |\n| otherwise | review |\n| b | stop |\n", vec!["N0134"]),
        ("| x | => action |\n| any unknown | stop |\n| any unknown | review |\n", vec!["N0134"]),
        ("| x | y | => action |\n| otherwise | a | stop |\n", vec!["N0134"]),
        ("| x | y | => action |\n| else | | stop |\n", vec!["N0134"]),
        ("| row | x | => action |\n| a | a | stop |\n| a | b | stop |\n", vec!["N0135"]),
        ("| row | x | => action |\n| a | a | stop |\n- b: text\n", vec!["N0136"]),
        ("| row | x | => action |\n| a | a | stop |\n- a: text\n- #1: text\n", vec!["N0137"]),
        ("| row | x | => action |\n| a | a | stop |\n| otherwise | | stop |\n- otherwise: text\n", vec![]),
        ("| x | x | => action |\n| a | a | stop |\n", vec!["N0133"]),
        ("| x | also | also | => action |\n| a | | | stop |\n", vec!["N0133"]),
        ("| x | => action | => row |\n| a | stop | b |\n", vec!["N0132", "N0132"]),
        ("| x | action |\n| a | retry now |\n", vec!["N0132"]),
        ("| x |\n| a |\n", vec!["N0132"]),
        ("| a, b | > 3 | done \"x\" |\n| a b | 3 | stop |\n", vec!["N0132"]),
        ("| x | | => action |\n| a | b | stop |\n", vec!["N0132"]),
        ("|---|---|\n| a | stop |\n", vec!["N0132"]),
        ("", vec!["N0132"]),
        ("| x | => action |\n| a | b | stop |\n", vec!["N0130"]),
        ("| x | => action |\n| a | stop\n", vec!["N0130"]),
        ("| x | => action |\na | stop |\n| b | stop |\n", vec!["N0130"]),
        ("| x | => action |\n| a | stop \"b|c\" |\n", vec!["N0130"]),
        ("| x | => action |\n| a | stop | # why\n# more\n\n| b | stop |\n", vec![]),
        ("| x | => action |\n| a | |\n", vec!["N0128"]),
    ] {
        let text = format!("{head}{table}");
        let codes: Vec<_> = parse(FileId(0), &text).findings.iter().map(|f| f.code.id).collect();
        assert_eq!(codes, expected, "{table}{}", told(&text));
    }
}

#[test]
fn limits_stop_the_reading() {
    let many = |n: usize, one: &str| one.repeat(n);
    let wide = format!("table t, first row wins\n|{}\n", many(65, " x |"));
    let long = format!("fact x : {}\n", many(129, "a"));
    let cell = policy(&vec!["a"; 4_097].join(", "), "", "stop");
    let text = policy("a", "", &format!("stop \"{}\"", many(4_097, "a")));
    for text in [wide, long, cell, text, many(400_001, "\n"), many(70_000, "a"), many(2_000, "| a |\n\nfact\n")] {
        let findings = parse(FileId(0), &text).findings;
        assert_eq!(findings.last().map(|f| f.code.id), Some("N0102"));
        assert!(findings.len() == 1 || findings.len() == 1_000);
    }
}

#[test]
fn comments_and_docs_are_kept() {
    let text = "# one\n## What it is.\n## More.\nfact x : a, # two\n  b\n\ntable t, first row wins # three\n| x | => action | # four\n# five\n| a | stop |\n";
    let file = parse(FileId(0), text).file;
    assert_eq!(file.items[0].doc, "What it is.\nMore.");
    let comments: Vec<_> = file.comments.iter().map(|c| &text[c.range()]).collect();
    assert_eq!(comments, ["# one", "## What it is.", "## More.", "# two", "# three", "# four", "# five"]);
}

/// Every span of a file and its findings.
fn spans(text: &str) -> Vec<Span> {
    let parsed = parse(FileId(0), text);
    let mut all: Vec<Span> = parsed.file.comments.clone();
    for finding in &parsed.findings {
        all.extend(finding.labels.iter().map(|l| l.span));
        all.extend(finding.fixes.iter().flat_map(|f| f.edits.iter().map(|e| e.span)));
    }
    for item in &parsed.file.items {
        all.push(item.span);
        for row in grid(&item.kind).iter().flat_map(|g| &g.rows) {
            all.push(row.span);
            for cell in &row.cells {
                all.push(cell.span);
                match &cell.kind {
                    CellKind::Test(expr) => {
                        let atoms = expr.alternatives.iter().flatten();
                        all.extend(atoms.map(|a| cell.span.sub(a.start as usize, a.end as usize)));
                    }
                    CellKind::Action(_) => all.extend(super::action_of(cell).map(|action| action.span)),
                    CellKind::Also(tests) => all.extend(tests.iter().map(|t| t.at)),
                    CellKind::Word(word) => all.push(word.span),
                    _ => {}
                }
            }
        }
    }
    all
}

fn hold(text: &str) {
    for span in spans(text) {
        assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
    }
}

/// A place of a text between characters.
fn place(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC*|[\\x00-\\x7f]*|[|#\"=>\\\\ \\n\\r\\ta-c{},;:.\u{ff5c}\u{201c}\u{200b}\u{202e}а１-]*") {
        hold(&text);
    }

    #[test]
    fn any_change_of_a_policy_is_read(
        changes in prop::collection::vec((0..3_u8, any::<usize>(), any::<usize>(), 0..60_usize), 1..5),
        odd in "[|\"#{}；｜ａ“”\u{202e}\u{200b}а=>, \n-]{0,3}",
    ) {
        let mut text = SAMPLE.to_string();
        for (kind, a, b, len) in changes {
            let start = place(&text, a);
            let end = place(&text, (start + len).min(text.len())).max(start);
            let piece = text[start..end].to_string();
            if kind != 1 {
                text.replace_range(start..end, "");
            }
            let other = place(&text, b);
            if kind != 0 {
                text.insert_str(other, &piece);
            }
            text.insert_str(place(&text, other), &odd);
        }
        hold(&text);
        prop_assert!(parse(FileId(0), &text).findings.iter().all(|f| f.severity != Severity::Note));
    }
}
