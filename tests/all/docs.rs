//! What the pages in `docs/` show is so: their policies compile as they say, their calls print what stands below them,
//! and their limits are those of the code.
//!
//! A fence `nisi` is a whole file without a finding; `nisi,fails=N0301` yields that code and no other. ` file=NAME`
//! behind it puts the file beside the others of its page, and so it does behind `yaml`. In a fence `console`, what stands below a line `$ nisi …` is
//! what the call prints in a folder with the files so far.

use std::collections::BTreeMap;

use nisi::cases::run_examples;
use nisi::diag::Severity;

use crate::cli::{nisi, run};
use crate::support::{Folder, compile_with, files, has_ending, read};

/// A fence: its info string, its text, and the line of the page that it begins at.
struct Fence {
    info: String,
    text: String,
    line: usize,
}

/// The pages.
fn pages() -> Vec<String> {
    files("docs").into_iter().filter(|f| has_ending(f, "md")).collect()
}

fn fences(page: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut open = false;
    for (i, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some("") if open => open = false,
            Some(info) if !open => {
                open = true;
                fences.push(Fence { info: info.into(), text: String::new(), line: i + 1 });
            }
            _ if open => {
                if let Some(fence) = fences.last_mut() {
                    fence.text.push_str(line);
                    fence.text.push('\n');
                }
            }
            _ => {}
        }
    }
    fences
}

/// What a `nisi` fence says of itself: the code that it yields, and its file's name.
fn head(info: &str) -> Option<(Option<&str>, Option<&str>)> {
    let (kind, file) = info.split_once(" file=").map_or((info, None), |(kind, file)| (kind, Some(file)));
    if kind == "nisi" { Some((None, file)) } else { Some((Some(kind.strip_prefix("nisi,fails=")?), file)) }
}

#[test]
fn every_policy_of_the_docs_is_as_its_fence_says() {
    let (mut faults, mut n_policies) = (Vec::new(), 0);
    for page in pages() {
        let mut beside = BTreeMap::new();
        for fence in fences(&read(&page)) {
            let Some((fails, file)) = head(&fence.info) else { continue };
            n_policies += 1;
            let compiled = compile_with(file.unwrap_or("policy.nisi"), &fence.text, &beside);
            let mut found = compiled.diagnostics.items;
            if let Some(policy) = &compiled.policy {
                found.extend(run_examples(policy, &compiled.diagnostics.sources).into_iter().filter_map(|o| o.finding));
            }
            // A note is worth knowing of a policy in use; a short example may leave room for it.
            found.retain(|finding| finding.severity != Severity::Note);
            let mut codes: Vec<&str> = found.iter().map(|d| d.code.id).collect();
            codes.dedup();
            if codes != fails.into_iter().collect::<Vec<_>>() {
                let told: Vec<&str> = found.iter().map(|d| &*d.message).collect();
                faults.push(format!("{page}:{}: {codes:?} instead of {fails:?}: {told:?}", fence.line));
            }
            if let Some(name) = file {
                beside.insert(name.trim_end_matches(".nisi").replace('/', "."), fence.text);
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_policies > 20, "{n_policies}");
}

/// The words of a call; quotes hold several together.
fn words(call: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in call.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// A text without the time that a run took.
fn untimed(text: &str) -> String {
    match text.strip_suffix(" ms").and_then(|rest| rest.rsplit_once(" in ")) {
        Some((rest, time)) if time.bytes().all(|b| b.is_ascii_digit()) => rest.to_string(),
        _ => text.to_string(),
    }
}

#[test]
fn every_call_of_the_docs_prints_what_stands_below_it() {
    let mut n_calls = 0;
    for page in pages() {
        let folder = Folder::new(&format!("docs-{}", page.replace('/', "-")));
        folder.file("policies/field-guide.nisi", read("policies/field-guide.nisi"));
        for fence in fences(&read(&page)) {
            if let Some(file) = fence.info.split_once(" file=").map(|(_, file)| file) {
                folder.file(file, &fence.text);
            }
            if fence.info != "console" {
                continue;
            }
            for block in fence.text.split("$ nisi ").skip(1) {
                let (call, shown) = block.split_once('\n').unwrap();
                let given = run(nisi(&folder).args(words(call)));
                let (printed, shown) = (format!("{}{}", given.out, given.err).replace("\r\n", "\n"), shown.trim_end());
                assert_eq!(untimed(printed.trim_end()), untimed(shown), "\n{page}:{}: $ nisi {call}", fence.line);
                n_calls += 1;
            }
        }
    }
    assert!(n_calls > 5, "{n_calls}");
}

/// Each limit of the page, and where the code says it: a file, and the name of its constant.
const LIMITS: &[(&str, &str, &str)] = &[
    ("bytes of a file", "src/syntax/limits.rs", "BYTES"),
    ("lines of a file", "src/syntax/limits.rs", "LINES"),
    ("bytes of a line", "src/syntax/limits.rs", "LINE_BYTES"),
    ("columns of a table", "src/syntax/limits.rs", "COLUMNS"),
    ("rows of a table", "src/syntax/limits.rs", "ROWS"),
    ("cells of all tables of a file", "src/syntax/limits.rs", "CELLS"),
    ("values and comparisons of one cell, or of one list", "src/syntax/limits.rs", "MEMBERS"),
    ("values of a choice, with all that `extend` adds", "src/model/lower/facts.rs", "MAX_VALUES"),
    ("named points of a fact", "src/model/lower/facts.rs", "MAX_POINTS"),
    ("facts of a policy, derived ones included", "src/model/lower/facts.rs", "MAX_FACTS"),
    ("`if refused` behind one action", "src/syntax/limits.rs", "REFUSALS"),
    ("actions of one row, the table's way included", "src/model/lower/actions.rs", "MAX_CHAIN"),
    ("tables on the way of one decision", "src/model/path.rs", "MAX_PATH"),
    ("copies of a hedge", "src/model/lower/actions.rs", "MAX_COPIES"),
    ("attempts, looks and units of a `spend`", "src/model/lower/blocks.rs", "MAX_COUNT"),
    ("a backoff's factor, in tenths", "src/model/lower/blocks.rs", "MAX_FACTOR_TENTHS"),
    ("a duration, in days", "src/words/duration.rs", "MAX_DURATION_MS"),
    ("digits of a decimal behind its point", "src/words/decimal.rs", "DECIMAL_UNIT"),
    ("characters of a name", "src/syntax/limits.rs", "NAME"),
    ("characters of a text in quotes", "src/syntax/limits.rs", "TEXT"),
    ("files in a row, each used by the one before it", "src/compile/load.rs", "MAX_DEPTH"),
    ("files of one policy, its own included", "src/compile/load.rs", "MAX_FILES"),
    ("findings of one policy that are told", "src/syntax/limits.rs", "FINDINGS"),
    ("bytes of one text of facts, or of one line of a batch", "src/decide/facts_text.rs", "MAX_FACTS_BYTES"),
    ("facts in one text of facts", "src/decide/facts_text.rs", "MAX_FACTS"),
    ("lists and maps inside each other in a text of facts", "src/decide/facts_text.rs", "MAX_FACTS_DEPTH"),
    ("bytes of a fact that is a text", "src/decide/facts.rs", "MAX_FACT_TEXT"),
    ("steps of all proofs of a policy, if `--max-steps` says nothing else", "src/compile.rs", "max_steps"),
];

/// The number that a constant is written as: a product of numbers.
fn constant(file: &str, name: &str) -> u128 {
    let text = read(file);
    let written = if name == "max_steps" {
        text.split("max_steps: ")
            .find(|s| s.starts_with(|c: char| c.is_ascii_digit()))
            .unwrap()
            .split(',')
            .next()
            .unwrap()
    } else {
        let line = text.lines().find(|l| l.contains(&format!("const {name}:")) && l.contains('='));
        let line = line.unwrap_or_else(|| panic!("{file} has no constant {name}"));
        line.split_once("= ").unwrap().1.trim_end_matches(';')
    };
    written.split(" * ").map(|n| n.replace('_', "").parse::<u128>().unwrap()).product()
}

#[test]
fn the_limits_of_the_docs_are_those_of_the_code() {
    let page = read("docs/language.md");
    let section = page.split("## Limits").nth(1).unwrap();
    let rows: Vec<(&str, &str)> = section
        .lines()
        .filter_map(|l| l.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .filter(|(_, most)| most.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), LIMITS.iter().map(|l| l.0).collect::<Vec<_>>());
    for ((_, most), (what, file, name)) in rows.iter().zip(LIMITS) {
        let code = match *name {
            "MAX_DURATION_MS" => constant(file, name) / 86_400_000,
            "DECIMAL_UNIT" => u128::from(constant(file, name).ilog10()),
            _ => constant(file, name),
        };
        assert_eq!(most.parse::<u128>().unwrap(), code, "{what}");
    }
}
