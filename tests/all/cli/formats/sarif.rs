//! SARIF: the schema of OASIS, and what the standard says beyond it: places inside their files, names that lead to them, fixes
//! in order, prints that stay, invocations that tell the truth.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::schemas::{held, sarif};
use super::{FAULTY, NAMES, everywhere, exit_of};
use crate::cli::{Given, ORDERS, json, nisi, run};
use crate::support::{Folder, read};

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A URI without its escapes.
fn unescaped(uri: &str) -> String {
    let (bytes, mut out, mut i) = (uri.as_bytes(), Vec::new(), 0);
    while i < bytes.len() {
        if bytes[i] == b'%' {
            out.push(u8::from_str_radix(&uri[i + 1..i + 3], 16).unwrap());
            i += 3;
        } else {
            assert!(bytes[i].is_ascii_alphanumeric() || b"-._~/:".contains(&bytes[i]), "{uri}");
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

/// The text that an artifact's location leads to; nothing for what lies inside of nisi.
fn text_of(folder: &Folder, location: &Value) -> Option<String> {
    let uri = location["uri"].as_str().unwrap();
    if uri.starts_with("nisi:std/") {
        return None;
    }
    let path = match location["uriBaseId"].as_str() {
        Some(base) => {
            assert_eq!(base, "%SRCROOT%");
            assert!(!uri.starts_with('/') && !uri.contains(':'), "{uri}");
            folder.path().join(unescaped(uri))
        }
        None => unescaped(uri.strip_prefix("file://").unwrap_or_else(|| panic!("{uri}"))).into(),
    };
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{uri}: {error}"));
    Some(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_string())
}

/// The characters of a text before a region and behind it; the region must lie in it.
fn around(text: &str, region: &Value) -> (usize, usize) {
    let at = |line: &str, column: &str| {
        let (line, column) = (region[line].as_u64().unwrap() as usize, region[column].as_u64().unwrap() as usize);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let before: usize = lines.iter().take(line - 1).map(|l| l.chars().count()).sum();
        let own = lines.get(line - 1).map_or(0, |l| l.chars().count());
        assert!(line <= lines.len().max(1) && column <= own + 1, "{region} is not in {text:?}");
        before + column - 1
    };
    let (start, end) = (at("startLine", "startColumn"), at("endLine", "endColumn"));
    assert!(start <= end, "{region}");
    (start, end)
}

fn place(folder: &Folder, location: &Value) {
    let physical = &location["physicalLocation"];
    if let Some(text) = text_of(folder, &physical["artifactLocation"]) {
        around(&text, &physical["region"]);
    }
}

/// Braces stand for arguments, and there are none: each is written twice.
fn message(message: &Value) {
    let text = message["text"].as_str().unwrap();
    assert!(!text.is_empty());
    assert!(!text.replace("{{", "").replace("}}", "").contains(['{', '}']), "{text}");
}

fn sound(folder: &Folder, given: &Given, log: &Value) {
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = list(&run["tool"]["driver"], "rules");
    for rule in rules {
        assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# N"));
        assert!(rule["fullDescription"]["text"].as_str().unwrap().len() > 10, "{rule}");
    }
    let mut prints = BTreeSet::new();
    for result in list(run, "results") {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        message(&result["message"]);
        assert_eq!(list(result, "locations").len(), 1, "{result}");
        for location in list(result, "locations").iter().chain(list(result, "relatedLocations")) {
            place(folder, location);
        }
        let at = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let print = result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap();
        assert!(prints.insert((at.to_string(), print.to_string())), "{result}");
        for change in list(result, "fixes").iter().flat_map(|fix| list(fix, "artifactChanges")) {
            let text = text_of(folder, &change["artifactLocation"]).unwrap();
            let regions: Vec<(usize, usize)> =
                list(change, "replacements").iter().map(|r| around(&text, &r["deletedRegion"])).collect();
            assert!(regions.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{change}");
        }
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["exitCode"], exit_of(given));
    assert_eq!(invocation["executionSuccessful"], given.code != 2);
    let notifications = list(invocation, "toolExecutionNotifications");
    assert_eq!(!notifications.is_empty(), given.code == 2, "{invocation}");
    for notification in notifications {
        message(&notification["message"]);
    }
}

#[test]
fn a_log_is_sound_whatever_happens() {
    let schema = sarif();
    everywhere("sarif", |folder, call, given| {
        let log = json(given);
        held(&schema, &log, &format!("{call:?}"));
        sound(folder, given, &log);
    });
}

fn log(folder: &Folder, path: &str) -> Value {
    json(&run(nisi(folder).args(["check", path, "--format", "sarif"])))["runs"][0].take()
}

/// By code, what is taken out of each result.
fn by_code(run: &Value, what: &str) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for result in list(run, "results") {
        found.entry(result["ruleId"].to_string()).or_default().push(result.pointer(what).cloned().unwrap_or_default());
    }
    found
}

#[test]
fn a_print_stays_where_lines_move_and_cells_are_aligned() {
    let folder = Folder::new("sarif-prints");
    let faulty = FAULTY.replace("| b | stop |", "| b | stopp |\n| b | stopp |");
    folder
        .file("a.nisi", &faulty)
        .file("b.nisi", format!("# a line more\n\n{}", faulty.replace("| a | stopp |", "| a   | stopp     |")));
    let prints = |path: &str| by_code(&log(&folder, path), "/partialFingerprints");
    let (before, after) = (prints("a.nisi"), prints("b.nisi"));
    assert_eq!(before, after);
    assert!(before["\"N0201\""].len() == 3, "{before:?}");
    folder.file("c.nisi", faulty.replace("| a | stopp |", "| a | halt |"));
    assert_ne!(before, prints("c.nisi"));
}

#[test]
fn a_byte_order_mark_is_no_character() {
    let folder = Folder::new("sarif-bom");
    let text = "policy a; b\ntable t, first row wins\n| => action |\n| stop |\n";
    folder.file("plain.nisi", text).file("marked.nisi", format!("\u{feff}{text}"));
    let regions = |path: &str| by_code(&log(&folder, path), "/locations/0/physicalLocation/region");
    let (plain, mut marked) = (regions("plain.nisi"), regions("marked.nisi"));
    assert!(marked.remove("\"N0103\"").is_some());
    assert!(!plain.is_empty() && plain.values().flatten().any(|region| region["startLine"] == 1), "{plain:?}");
    assert_eq!(plain, marked);
}

/// A mend, made by its regions alone, is what `--fix` makes.
#[test]
fn a_fix_is_what_check_fix_writes() {
    for ending in ["\n", "\r\n"] {
        let folder = Folder::new("sarif-fix");
        let text = ORDERS.replace("timeout, connection_lost | no ", "timeout; connection_lost | no ");
        let text = text.replace('\n', ending);
        folder.file("a.nisi", &text);
        let found = log(&folder, "a.nisi");
        let fix = list(&found, "results").iter().find_map(|result| list(result, "fixes").first()).unwrap();
        let mut made: Vec<char> = text.chars().collect();
        for change in list(&fix["artifactChanges"][0], "replacements").iter().rev() {
            let (start, end) = around(&text, &change["deletedRegion"]);
            let new = change.pointer("/insertedContent/text").and_then(Value::as_str).unwrap_or_default();
            made.splice(start..end, new.chars());
        }
        let fixed = run(nisi(&folder).args(["check", "--fix", "a.nisi"]));
        assert!(fixed.err.contains("1 mend applied"), "{}", fixed.err);
        let written = std::fs::read_to_string(folder.path().join("a.nisi")).unwrap();
        assert_eq!(made.into_iter().collect::<String>(), written);
        assert_eq!(written, ORDERS.replace('\n', ending));
    }
}

#[test]
fn new_lines_end_as_those_of_the_file_do() {
    let folder = Folder::new("sarif-endings");
    folder.file("gap.nisi", read("tests/cases/gaps/cisa-remediation.nisi").replace('\n', "\r\n"));
    let found = log(&folder, "gap.nisi");
    let fixes = list(&found, "results").iter().flat_map(|result| list(result, "fixes"));
    let new: String = fixes
        .flat_map(|fix| list(&fix["artifactChanges"][0], "replacements"))
        .filter_map(|change| change.pointer("/insertedContent/text")?.as_str())
        .collect();
    assert!(new.contains("\r\n") && new.matches('\n').count() == new.matches("\r\n").count(), "{new:?}");
}

#[test]
fn names_lead_to_their_files_and_words_of_std_to_std() {
    let folder = super::scene("sarif-names");
    for name in NAMES {
        let run = log(&folder, name);
        let location = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(text_of(&folder, location).as_deref(), Some(FAULTY), "{name}");
    }
    let whole = folder.path().join(NAMES[0]).display().to_string();
    let run = log(&folder, &whole);
    let uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && unescaped(uri).ends_with(NAMES[0]), "{uri}");
    let twice = log(&folder, "twice.nisi").to_string();
    assert!(twice.contains("nisi:std/facts.nisi"), "{twice}");
}
