//! A comparison as Markdown, for the comment of a pull request: a table a change of action, in the policy's columns.

use std::fmt::Write;

use super::{BY_ROWS, Group, NEVER_STANDS, Shown, calls, more, refusals, rows};
use crate::cli::out::visible;
use crate::compare::Change;

impl Shown<'_> {
    /// As GitHub-flavoured Markdown.
    pub(in crate::cli) fn markdown(&self) -> String {
        let mut text = String::new();
        let [old, new] = self.names();
        say(&mut text, &format!("### {} → {}\n", code(&old), code(&new)));
        if let Some(same) = self.same() {
            say(&mut text, &format!("{}.\n", sentence(same)));
        }
        let counts: Vec<String> = self.counts().iter().map(|(n, mark)| format!("**{n} {mark}**")).collect();
        if !counts.is_empty() {
            say(&mut text, &format!("{}\n", counts.join(" · ")));
        }
        for group in self.groups() {
            self.markdown_group(&mut text, &group);
        }
        self.markdown_lists(&mut text);
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
        text.push('\n');
        text
    }

    fn markdown_group(&self, text: &mut String, group: &Group) {
        let first = group.first;
        let (old, new) = (code(&first.old.action), code(&first.new.action));
        say(text, &format!("#### {}: {old} → {new}\n", sentence(first.mark.as_str())));
        let shown: Vec<&Change> = group.changes.iter().take(self.most).copied().collect();
        if first.everywhere {
            say(text, "Wherever the old policy answers so:\n");
        }
        table(text, &shown);
        for detail in &first.details {
            say(text, &format!("- {}", escaped(detail)));
        }
        for (i, change) in shown.iter().enumerate() {
            let mut notes: Vec<String> = change.by_rows.then(|| BY_ROWS.to_string()).into_iter().collect();
            notes.extend(change.notes.iter().cloned());
            notes.extend((!change.witness.stands).then(|| NEVER_STANDS.to_string()));
            for note in notes {
                let row = if shown.len() > 1 { format!("row {}: ", i + 1) } else { String::new() };
                say(text, &format!("- {row}{}", escaped(&note)));
            }
        }
        if let Some(more) = more(group, self.most) {
            say(text, &format!("- {more}"));
        }
        say(text, "\n<details><summary>one point of each</summary>\n");
        let calls: Vec<String> = shown.iter().flat_map(|c| calls(c, &self.paths)).collect();
        let fence = "`".repeat(longest_run(&calls.join("\n")).max(2) + 1);
        say(text, &format!("{fence}sh\n{}\n{fence}\n\n</details>\n", calls.join("\n")));
    }

    fn markdown_lists(&self, text: &mut String) {
        let found = self.found;
        if !found.budget.is_empty() {
            say(text, "#### Budget\n\n| entry | old | new | |\n|---|---|---|---|");
            for change in &found.budget {
                let shown = |side: &Option<String>| side.as_ref().map_or_else(|| "none".to_string(), |s| code(s));
                let (old, new) = (shown(&change.old), shown(&change.new));
                say(text, &format!("| {} | {old} | {new} | {} |", change.entry, change.mark));
            }
            say(text, "");
        }
        let facts: Vec<String> = found.facts.iter().map(|f| format!("{}: {}", f.kind.as_str(), f.compared)).collect();
        list(text, "Facts", &facts, usize::MAX);
        list(text, "Beside the decisions", &found.notes, usize::MAX);
        list(text, "Not decided", &found.undecided, self.most);
    }
}

fn list(text: &mut String, title: &str, items: &[String], most: usize) {
    if items.is_empty() {
        return;
    }
    say(text, &format!("#### {title}\n"));
    items.iter().take(most).for_each(|item| say(text, &format!("- {}", escaped(item))));
    let left = items.len().saturating_sub(most);
    if left > 0 {
        say(text, &format!("- and {left} more"));
    }
    say(text, "");
}

/// The regions as rows: a column for each fact that matters in one of them.
fn table(text: &mut String, changes: &[&Change]) {
    // In the order of the facts: a new one stands behind the one that it follows.
    let mut facts: Vec<&str> = Vec::new();
    for change in changes {
        let mut at = 0;
        for cell in &change.cells {
            if let Some(i) = facts.iter().position(|f| *f == cell.fact) {
                at = i + 1;
            } else {
                facts.insert(at, &cell.fact);
                at += 1;
            }
        }
    }
    let refused = changes.iter().any(|c| !refusals(c).is_empty());
    let mut head: Vec<String> = facts.iter().map(|f| (*f).to_string()).collect();
    head.extend(refused.then(|| "guard".to_string()));
    head.extend(["old row".into(), "new row".into()]);
    say(text, &format!("| {} |\n|{}", head.join(" | "), "---|".repeat(head.len())));
    for change in changes {
        let cell =
            |fact: &&str| change.cells.iter().find(|c| c.fact == **fact).map_or_else(|| "-".into(), |c| code(&c.cell));
        let mut row: Vec<String> = facts.iter().map(cell).collect();
        row.extend(refused.then(|| refusals(change).join(", ")));
        row.extend([&change.old.rows, &change.new.rows].map(|r| code(&rows(r))));
        say(text, &format!("| {} |", row.join(" | ")));
    }
    say(text, "");
}

/// Policy text as code, whatever it holds: in a table cell `|` is escaped already.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Prose that holds policy text in backticks: what stands outside of them opens no element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// With its first letter large.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn say(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", visible(line));
}
