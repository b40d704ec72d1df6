//! The house rules that a test can hold: floors, sizes, words left for later, paths of some machine.

use std::collections::BTreeMap;

use crate::support::{files, has_ending, read};

/// The rooms and their floors. A file names rooms on lower floors; two rooms on one floor know each other in one
/// direction at most.
const FLOORS: &[(&str, u8)] = &[
    ("text", 0),
    ("words", 0),
    ("diag", 1),
    ("syntax", 2),
    ("model", 3),
    ("space", 4),
    ("artifact", 4),
    ("analysis", 5),
    ("program", 5),
    ("compile", 6),
    ("compare", 6),
    ("bounds", 6),
    ("map", 6),
    ("decide", 6),
    ("files", 7),
    ("judge", 7),
    ("classify", 7),
    ("cases", 7),
    ("mend", 7),
    ("reload", 8),
    ("runtime", 8),
    ("doc", 9),
    ("format", 9),
    ("exchange", 9),
    ("sim", 9),
    ("lsp", 9),
    ("cli", 10),
];

/// The most lines of a file.
const LONGEST_FILE: usize = 700;

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The room that a file of `src` lies in; nothing for the front doors.
fn room_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    let room = rest.split('/').next()?.trim_end_matches(".rs");
    (!matches!(room, "lib" | "main")).then_some(room)
}

/// The rooms that a line names by `crate::room` or `crate::{room, …}`; comments name nothing.
fn named_rooms(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let mut rooms = Vec::new();
    for after in code.split("crate::").skip(1) {
        let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(group) = after.strip_prefix('{') {
            rooms.extend(group.split(['{', '}', ',']).map(str::trim).map(word));
        } else {
            rooms.push(word(after));
        }
    }
    rooms.retain(|room| floor(room).is_some());
    rooms
}

/// No arrow points up, and none points both ways on one floor.
#[test]
fn every_arrow_points_down() {
    let mut faults = Vec::new();
    let mut level: BTreeMap<(String, String), String> = BTreeMap::new();
    for path in files("src").iter().filter(|p| has_ending(p, "rs")) {
        let Some(room) = room_of(path) else { continue };
        let Some(own) = floor(room) else {
            faults.push(format!("{path}: the room `{room}` has no floor; add it to FLOORS and to ARCHITECTURE.md"));
            continue;
        };
        for (i, line) in read(path).lines().enumerate() {
            for other in named_rooms(line).into_iter().filter(|other| other != room) {
                let at = format!("{path}:{}", i + 1);
                match floor(&other) {
                    Some(up) if up > own => faults.push(format!(
                        "{at}: {room} (floor {own}) -> {other} (floor {up}); move what is needed down to a floor \
                         below {own}, or hand it in as an argument"
                    )),
                    Some(same) if same == own => {
                        level.insert((room.to_string(), other), at);
                    }
                    _ => {}
                }
            }
        }
    }
    for ((from, to), at) in &level {
        if let Some(back) = level.get(&(to.clone(), from.clone()))
            && from < to
        {
            faults
                .push(format!("{from} and {to} name each other ({at}, {back}); let one of the two not know the other"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Formatting is never on the way from text to decision: it knows the text and its syntax, and only those who show
/// policies to people know it.
#[test]
fn formatting_stands_on_syntax_alone() {
    let mut faults = Vec::new();
    for path in files("src").iter().filter(|p| has_ending(p, "rs")) {
        let Some(room) = room_of(path) else { continue };
        for (i, line) in read(path).lines().enumerate() {
            for other in named_rooms(line).into_iter().filter(|other| other != room) {
                let allowed = match (room, other.as_str()) {
                    ("format", other) => matches!(other, "text" | "diag" | "syntax"),
                    (room, "format") => matches!(room, "cli" | "exchange" | "lsp"),
                    _ => true,
                };
                if !allowed {
                    faults.push(format!("{path}:{}: {room} -> {other}", i + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Files stay short, and begin with prose.
#[test]
fn files_are_short_and_begin_with_prose() {
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "editors/tree-sitter-nisi"] {
        for path in files(folder).iter().filter(|p| has_ending(p, "rs")) {
            let text = read(path);
            let lines = text.lines().count();
            if lines > LONGEST_FILE {
                faults.push(format!("{path}: {lines} lines, {LONGEST_FILE} allowed; it holds two things: part them"));
            }
            if !text.starts_with("//! ") {
                faults.push(format!("{path}: begins without `//!` prose; say what it is, takes and gives"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Nothing is left for later, no file knows the machine that it was written on.
#[test]
fn nothing_is_left_for_later_and_no_machine_is_named() {
    // In two halves, so that this file does not name them itself.
    let bad: Vec<String> = [
        ("to", "do!"),
        ("unimpl", "emented!"),
        ("TO", "DO"),
        ("FIX", "ME"),
        ("for n", "ow"),
        ("dbg", "!("),
        ("/ho", "me/"),
        ("/ro", "ot/"),
        ("/wo", "rk/"),
        ("/Us", "ers/"),
        (":\\Us", "ers"),
    ]
    .iter()
    .map(|(a, b)| format!("{a}{b}"))
    .collect();
    let mut faults = Vec::new();
    let mut paths: Vec<String> =
        ["src", "tests", "benches", "examples", "policies", "grammar", ".ci", "fuzz/fuzz_targets", "editors"]
            .iter()
            .flat_map(|folder| files(folder))
            .filter(|path| !path.contains("/node_modules/"))
            .collect();
    paths.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml"].map(String::from));
    for path in paths {
        let Ok(text) = std::fs::read_to_string(crate::support::root().join(&path)) else { continue };
        for (i, line) in text.lines().enumerate() {
            for word in bad.iter().filter(|word| line.contains(word.as_str())) {
                faults.push(format!("{path}:{}: `{word}`", i + 1));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every code has its page and every page its code.
#[test]
fn pages_and_codes_are_the_same() {
    let codes: Vec<String> = nisi::diag::ALL.iter().map(|c| format!("src/diag/pages/{}.md", c.id)).collect();
    assert_eq!(codes, files("src/diag/pages"));
}

/// Every snapshot belongs to a test that is still there.
#[test]
fn every_snapshot_has_its_test() {
    for path in files("tests").iter().filter(|p| has_ending(p, "snap")) {
        let text = read(path);
        let source = text.lines().find_map(|l| l.strip_prefix("source: ")).unwrap_or_default();
        assert!(crate::support::root().join(source).is_file(), "{path} was made by `{source}`, which is gone");
    }
}

#[test]
fn rooms_are_read_out_of_paths() {
    assert_eq!(named_rooms("use crate::text::Span;"), ["text"]);
    assert_eq!(named_rooms("use crate::{diag::Code, text::{Source, Span}};"), ["diag", "text"]);
    assert_eq!(named_rooms("let x = crate::compile::compile(y); // crate::cli"), ["compile"]);
    assert_eq!(room_of("src/cli/render/json.rs"), Some("cli"));
    assert_eq!(room_of("src/compile.rs"), Some("compile"));
    assert_eq!(room_of("src/lib.rs"), None);
}
