//! What a terminal shows: colours, lines that are no wider than it, and how far a long run is. The terminal is a pseudo-terminal; a run
//! is made long by a pipe with a name, from which the command reads a policy that this test has not written yet.
#![cfg(unix)]

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use crate::support::Folder;

const FAULTY: &str = "policy a\ntable t, first row wins\n| row | => action |\n|-----|-----------|\n| a | stopp |\n";

/// A command on a terminal of its own.
struct Shown {
    child: Box<dyn Child + Send + Sync>,
    text: Arc<Mutex<String>>,
    reader: std::thread::JoinHandle<()>,
}

/// Runs a line of a shell on a terminal so many columns wide.
fn shown(folder: &Folder, columns: u16, line: &str, env: &[(&str, &str)]) -> Shown {
    let size = PtySize { rows: 40, cols: columns, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", line]);
    let programs = Path::new(env!("CARGO_BIN_EXE_nisi")).parent().unwrap().display();
    command.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()));
    command.cwd(folder.path());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NO_GRAPHICS", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    for (name, value) in env {
        command.env(name, value);
    }
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let text = Arc::new(Mutex::new(String::new()));
    let (mut from, into) = (pair.master.try_clone_reader().unwrap(), text.clone());
    let master = pair.master;
    let reader = std::thread::spawn(move || {
        let (mut bytes, mut all) = ([0; 4096], Vec::new());
        // A terminal whose last program has ended is an error to read on some systems.
        while let Ok(n) = from.read(&mut bytes)
            && n > 0
        {
            all.extend_from_slice(&bytes[..n]);
            *into.lock().unwrap() = String::from_utf8_lossy(&all).into_owned();
        }
        drop(master);
    });
    Shown { child, text, reader }
}

impl Shown {
    /// Whether something is shown within a time.
    fn within(&self, ms: u64, what: &str) -> bool {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(ms) {
            if self.text.lock().unwrap().contains(what) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// Its exit code, and all that was shown.
    fn end(mut self) -> (u32, String) {
        let code = self.child.wait().unwrap().exit_code();
        self.reader.join().unwrap();
        let text = self.text.lock().unwrap().clone();
        assert!(!text.contains("panicked"), "{text}");
        (code, text)
    }
}

/// What is left on the screen: a line that is cleared is gone.
fn left(text: &str) -> String {
    text.replace("\r\n", "\n")
        .lines()
        .map(|line| line.rsplit("\u{1b}[2K").next().unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |i| i + 1);
        out.push_str(&part[end..]);
    }
    out
}

fn pipe(folder: &Folder, name: &str) {
    let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
    assert!(made.success());
}

/// Writes into a pipe with a name from which somebody reads. It is opened both ways: so it waits for nobody.
fn feed(folder: &Folder, name: &str, text: &str) {
    let pipe = std::fs::OpenOptions::new().read(true).write(true).open(folder.path().join(name));
    pipe.unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_long_run_says_how_far_it_is_and_leaves_nothing_behind() {
    for (call, what) in [
        ("check a.nisi slow.nisi", "checking 1 of 2"),
        ("check a.nisi slow.nisi --format sarif > out.sarif", "checking 1 of 2"),
        ("test a.nisi slow.nisi", "reading"),
    ] {
        let folder = Folder::new("terminal-long");
        folder.file("a.nisi", super::ORDERS);
        pipe(&folder, "slow.nisi");
        let shown = shown(&folder, 100, &format!("nisi {call}"), &[]);
        assert!(shown.within(20_000, what), "{call}: {}", shown.text.lock().unwrap());
        assert!(shown.text.lock().unwrap().contains("slow.nisi"));
        feed(&folder, "slow.nisi", FAULTY);
        let (code, text) = shown.end();
        assert_eq!(code, 1, "{text}");
        let left = left(&text);
        assert!(!left.contains(what), "{text:?}");
        assert!(left.contains("checked 2 policies") || left.contains("tested 1 policy"), "{text:?}");
        if call.contains("sarif") {
            let log = std::fs::read_to_string(folder.path().join("out.sarif")).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&log).is_ok(), "{log}");
        }
    }
}

#[test]
fn a_run_that_nobody_watches_says_nothing() {
    for (call, env) in [("check a.nisi slow.nisi 2> err", &[][..]), ("check a.nisi slow.nisi", &[("TERM", "dumb")])] {
        let folder = Folder::new("terminal-unwatched");
        folder.file("a.nisi", super::ORDERS);
        pipe(&folder, "slow.nisi");
        let shown = shown(&folder, 100, &format!("nisi {call}"), env);
        assert!(!shown.within(1_700, "checking"), "{call}");
        feed(&folder, "slow.nisi", FAULTY);
        let (_, text) = shown.end();
        let err = std::fs::read_to_string(folder.path().join("err")).unwrap_or_default();
        assert!(!format!("{text}{err}").contains("checking "), "{text}{err}");
    }
}

#[test]
fn a_short_run_says_nothing() {
    let folder = Folder::new("terminal-short");
    folder.file("a.nisi", super::ORDERS);
    let start = Instant::now();
    let (code, text) = shown(&folder, 100, "nisi check a.nisi", &[]).end();
    assert!(code == 0 && left(&text).contains("checked 1 policy"), "{text:?}");
    // On a machine that stands still for a while the run was no short one.
    assert!(!text.contains("checking ") || start.elapsed() > Duration::from_secs(1), "{text:?}");
}

#[test]
fn colours_are_as_the_call_and_the_terminal_say() {
    let folder = Folder::new("terminal-colours");
    folder.file("a.nisi", FAULTY);
    for (call, env, colours) in [
        ("nisi check a.nisi", &[][..], true),
        ("nisi check a.nisi", &[("NO_COLOR", "1")], false),
        ("nisi check a.nisi", &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
        ("nisi check a.nisi", &[("CLICOLOR", "0")], false),
        ("nisi check a.nisi", &[("TERM", "dumb")], false),
        ("nisi check a.nisi --color never", &[], false),
        ("nisi check a.nisi --color always", &[("NO_COLOR", "1")], true),
        ("nisi check a.nisi | cat", &[], false),
        ("nisi --color always check a.nisi | cat", &[], true),
        // What is told beside the results goes by where that goes to.
        ("nisi eval a.nisi | cat", &[], true),
        ("nisi eval a.nisi 2> err; cat err", &[], false),
        ("nisi check --help", &[], true),
        ("nisi --color never check --help", &[], false),
        ("nisi check --help --color=never", &[], false),
        ("nisi check a.nisi --format json", &[], false),
        ("nisi check a.nisi --format json --color always", &[], false),
    ] {
        let (_, text) = shown(&folder, 100, call, env).end();
        assert!(text.len() > 100, "{call}: {text}");
        assert_eq!(text.contains("\u{1b}["), colours, "{call} {env:?}: {text:?}");
    }
}

#[test]
fn on_a_narrow_terminal_lines_are_broken_between_words() {
    let folder = Folder::new("terminal-narrow");
    folder.file(
        "a.nisi",
        "policy a\nfact f : yes, no\ntable t, first row wins\n| row | f | => action |\n|-|-|-|\n| a | yes | stop |\n",
    );
    let said = |columns: u16, env: &[(&str, &str)]| plain(&shown(&folder, columns, "nisi check a.nisi", env).end().1);
    let words = |text: &str| -> Vec<String> {
        text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_string).collect()
    };
    let wide = said(200, &[]);
    for narrow in [said(40, &[]), said(200, &[("COLUMNS", "40")]), said(24, &[]), said(5, &[])] {
        assert_eq!(words(&narrow), words(&wide), "{narrow}");
        assert!(narrow.lines().count() > wide.lines().count(), "{narrow}");
    }
    let prose =
        |line: &&str| !line.contains(['│', '·']) && !["  try:", "  fix:"].iter().any(|own| line.starts_with(own));
    let narrow = said(40, &[]);
    let findings = narrow.split("checked 1 policy").next().unwrap();
    let widest = findings.lines().filter(prose).map(|line| line.trim_end().chars().count()).max().unwrap();
    assert!(widest <= 40, "{widest}: {findings}");
}
