//! The table of the README: from what criterion kept of a run, between two marks of the page.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The engines in the order of the table: the name in the bench, the crate, the name on the page.
const ENGINES: [(&str, &str, &str); 6] = [
    ("nisi", "nisi", "**nisi**"),
    ("zen", "zen-engine", "zen-engine"),
    ("cel", "cel", "cel"),
    ("rhai", "rhai", "rhai"),
    ("cedar", "cedar-policy", "cedar-policy"),
    ("regorus", "regorus", "regorus"),
];

/// The columns: the group, the figure, and how many requests one iteration asks.
const COLUMNS: [(&str, &str, f64); 4] = [
    ("peers-a", "decision", 4_096.0),
    ("peers-b-1000", "decision", 1_024.0),
    ("peers-b-1000", "load", 1.0),
    ("peers-b-1000", "command", 1.0),
];

const MARKS: [&str; 2] = ["<!-- speed -->\n", "<!-- /speed -->\n"];

/// Writes the table of the last run into the README.
///
/// # Panics
/// Where a figure, a version or a mark is missing.
pub fn write(root: &Path) {
    let lock = read(&root.join("Cargo.lock"));
    let rows: Vec<String> =
        ENGINES.iter().map(|(name, package, shown)| row(root, &lock, name, package, shown)).collect();
    let table = format!(
        "| {} | A: a decision | B, 1 000 rows: a decision | text to first answer | whole command |\n\
         | --- | --- | --- | --- | --- |\n{}",
        machine(),
        rows.concat(),
    );
    let readme = root.join("README.md");
    let page = read(&readme);
    let parts: Option<(&str, &str)> = page.split_once(MARKS[0]).zip(page.split_once(MARKS[1])).map(|(a, b)| (a.0, b.1));
    let (before, after) = parts.expect("the page has both marks");
    fs::write(readme, format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1])).expect("the page can be written");
}

fn row(root: &Path, lock: &str, name: &str, package: &str, shown: &str) -> String {
    let figures: Vec<[f64; 4]> =
        [name, "nisi"].iter().map(|name| COLUMNS.map(|column| median(root, column, name))).collect();
    let cells = figures[0].iter().zip(&figures[1]).map(|(own, ours)| match own / ours {
        _ if name == "nisi" => format!(" {} |", shown_time(*own)),
        times => format!(" {} ({}x) |", shown_time(*own), three(times)),
    });
    format!("| {shown} {} |{}\n", version(lock, package), cells.collect::<String>())
}

/// The median of a figure in nanoseconds.
fn median(root: &Path, (group, figure, n): (&str, &str, f64), name: &str) -> f64 {
    let target = std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root.join("target"), Into::into);
    // Criterion names a folder for the group, and one for the figure with its slash as a line.
    let file = target.join("criterion").join(group).join(format!("{figure}_{name}")).join("new/estimates.json");
    let estimates: Value = serde_json::from_str(&read(&file)).expect("criterion's own file");
    estimates["median"]["point_estimate"].as_f64().expect("a median") / n
}

fn version<'l>(lock: &'l str, package: &str) -> &'l str {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \"")).expect("the package is locked");
    after.split_once('"').expect("a version").0
}

/// The processor and the compiler.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, model)| model));
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = std::process::Command::new("rustc").arg("--version").output();
    let rustc = rustc.ok().and_then(|said| String::from_utf8(said.stdout).ok()).unwrap_or_default();
    let rustc = rustc.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    format!("{}, {n_cores} cores, {rustc}", model.unwrap_or(std::env::consts::ARCH))
}

fn shown_time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{} ns", three(ns)),
        ns if ns < 1e6 => format!("{} us", three(ns / 1e3)),
        ns => format!("{} ms", three(ns / 1e6)),
    }
}

/// Three figures that count, thousands apart.
fn three(n: f64) -> String {
    match n {
        n if n < 10.0 => format!("{n:.2}"),
        n if n < 100.0 => format!("{n:.1}"),
        n if n < 1_000.0 => format!("{n:.0}"),
        n => {
            let scale = 10f64.powf(n.log10().floor() - 2.0);
            let whole = (n / scale).round() * scale;
            format!("{} {:03}", (whole / 1e3).floor(), whole % 1e3)
        }
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
