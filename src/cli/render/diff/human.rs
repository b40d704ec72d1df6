//! A comparison for people at a terminal: one block a change of action, its regions as tests that can be pasted.

use std::fmt::Write;

use super::{BY_ROWS, Group, NEVER_STANDS, Shown, both_rows, calls, more, refusals};
use crate::cli::out::visible;
use crate::compare::{Change, Mark};

/// Lines are broken behind an `and` where they would be longer.
const WIDTH: usize = 100;

impl Shown<'_> {
    /// As text.
    pub(in crate::cli) fn human(&self, color: bool) -> String {
        let mut text = String::new();
        let [old, new] = self.names();
        line(&mut text, &format!("{old} → {new}"));
        if let Some(same) = self.same() {
            line(&mut text, same);
        }
        let counts: Vec<String> =
            self.counts().iter().map(|(n, mark)| painted(*mark, &format!("{n} {mark}"), color)).collect();
        if !counts.is_empty() {
            line(&mut text, &counts.join(", "));
        }
        for group in self.groups() {
            text.push('\n');
            self.human_group(&mut text, &group, color);
        }
        self.human_lists(&mut text, color);
        text
    }

    fn human_group(&self, text: &mut String, group: &Group, color: bool) {
        let first = group.first;
        let mark = painted(first.mark, first.mark.as_str(), color);
        let _ = write!(text, "{mark}: ");
        line(text, &format!("{} → {}", first.old.action, first.new.action));
        for detail in &first.details {
            line(text, &format!("  {detail}"));
        }
        for change in group.changes.iter().take(self.most) {
            self.region(text, change);
        }
        if let Some(more) = more(group, self.most) {
            line(text, &format!("  {more}"));
        }
    }

    fn region(&self, text: &mut String, change: &Change) {
        let tests = change.cells.iter().map(|c| format!("{} is {}", c.fact, c.cell)).chain(refusals(change));
        let tests: Vec<String> = tests.collect();
        let tests = if tests.is_empty() {
            vec![if change.everywhere {
                "wherever the old policy answers so".to_string()
            } else {
                "for any facts".into()
            }]
        } else {
            tests
        };
        line(text, &format!("  {}", folded(&tests)));
        line(text, &format!("    rows  {}", both_rows(change)));
        if change.by_rows {
            line(text, &format!("    note  {BY_ROWS}"));
        }
        for note in &change.notes {
            line(text, &format!("    note  {note}"));
        }
        if !change.witness.stands {
            line(text, &format!("    note  {NEVER_STANDS}"));
        }
        for call in calls(change, &self.paths) {
            line(text, &format!("    try   {call}"));
        }
    }

    fn human_lists(&self, text: &mut String, color: bool) {
        let found = self.found;
        let head = |text: &mut String, title: &str, any: bool| {
            if any {
                text.push('\n');
                line(text, title);
            }
        };
        head(text, "budget", !found.budget.is_empty());
        for change in &found.budget {
            let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "none".into());
            let mark = painted(change.mark, change.mark.as_str(), color);
            let _ = write!(text, "  {mark}: ");
            line(text, &format!("{} {} → {}", change.entry, shown(&change.old), shown(&change.new)));
        }
        head(text, "facts", !found.facts.is_empty());
        found.facts.iter().for_each(|fact| line(text, &format!("  {}: {}", fact.kind.as_str(), fact.compared)));
        head(text, "beside the decisions", !found.notes.is_empty());
        found.notes.iter().for_each(|note| line(text, &format!("  {note}")));
        head(text, "not decided", !found.undecided.is_empty());
        found.undecided.iter().take(self.most).for_each(|region| line(text, &format!("  {region}")));
        let left = found.undecided.len().saturating_sub(self.most);
        if left > 0 {
            line(text, &format!("  and {left} more"));
        }
    }
}

/// A line without anything that steers a terminal.
fn line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", visible(line));
}

/// Tests joined by `and`, broken where a line would be too long.
fn folded(tests: &[String]) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for (i, test) in tests.iter().enumerate() {
        let n = test.chars().count();
        if i > 0 {
            let fits = width + n + 5 <= WIDTH;
            out.push_str(if fits { " and " } else { "\n    and " });
            width = if fits { width + 5 } else { 8 };
        }
        out.push_str(test);
        width += n;
    }
    out
}

fn painted(mark: Mark, text: &str, color: bool) -> String {
    let code = match mark {
        Mark::Wider => "31",
        Mark::Tighter => "32",
        Mark::Other => "33",
    };
    if color { format!("\u{1b}[1;{code}m{text}\u{1b}[0m") } else { text.to_string() }
}
