//! GitHub's workflow commands: `::LEVEL KEY=VALUE,…::MESSAGE` and nothing else, one a line; `%`, line ends, and in values `:` and
//! `,` by their numbers.

use std::collections::BTreeMap;

use super::everywhere;

/// A text without its escapes; no other `%` stands in it.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let sign = match part.get(..2) {
            Some("25") => '%',
            Some("0D") => '\r',
            Some("0A") => '\n',
            Some("3A") => ':',
            Some("2C") => ',',
            other => panic!("`%{other:?}` is no escape in {text}"),
        };
        out.push(sign);
        out.push_str(&part[2..]);
    }
    out
}

#[test]
fn every_line_is_a_command_whatever_happens() {
    everywhere("github", |folder, call, given| {
        let mut errors = 0;
        for line in given.out.lines() {
            let rest = line.strip_prefix("::").unwrap_or_else(|| panic!("{call:?}: {line}"));
            let (head, message) = rest.split_once("::").unwrap();
            assert!(!unescaped(message).is_empty() && !message.contains(['\r', '\u{1b}']), "{line}");
            let (level, properties) = head.split_once(' ').unwrap_or((head, ""));
            assert!(["error", "warning", "notice"].contains(&level), "{line}");
            errors += usize::from(level == "error");
            let properties: BTreeMap<&str, String> = properties
                .split(',')
                .filter(|p| !p.is_empty())
                .map(|p| p.split_once('=').unwrap_or_else(|| panic!("{line}")))
                .map(|(key, value)| {
                    assert!(!value.contains(':'), "{line}");
                    (key, unescaped(value))
                })
                .collect();
            if let Some(file) = properties.get("file") {
                let number = |key: &str| properties[key].parse::<usize>().unwrap();
                assert!(folder.path().join(file).is_file(), "{line}");
                assert!((1..=number("endLine")).contains(&number("line")) && number("line") > 0, "{line}");
                assert!(properties["title"].starts_with('N'), "{line}");
            } else {
                assert!(properties.is_empty() && given.code == 2, "{line}");
            }
        }
        assert!(given.code == 0 || errors > 0 || call.contains(&"--deny"), "{call:?}: nothing is told: {}", given.out);
    });
}
