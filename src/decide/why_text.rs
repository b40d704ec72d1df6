//! The way of a decision as text, for somebody who was woken by it.
//!
//! The answer stands first, then the guard, then each table with its rows, then the nearest row that would have acted.
//! Plain text of 80 columns; a long list of rows is cut in the middle, and says so.

use std::fmt;

use crate::model::{Model, Outcome, TableId, Value, show_action, show_chain, show_value};
use crate::words::show_duration;

use super::explain::{Asking, Derivation, Failed, Nearest, Passed, Verdict, Why};
use super::guard::RefusedBy;
use super::refused::World;

const WIDTH: usize = 80;

/// Past this many rows of one table only the ends are shown.
const MAX_ROWS: usize = 40;

impl fmt::Display for Why<'_> {
    /// The way of a decision as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Page { model: self.decision.policy().model(), text: String::new() };
        out.answer(self);
        if self.decision.guard().is_some() {
            out.title("guard");
            self.verdicts.iter().for_each(|verdict| out.verdict(verdict));
        }
        self.tables.iter().for_each(|asking| out.table(asking));
        if let Some(nearest) = &self.nearest {
            out.nearest(nearest, self);
        }
        out.facts(self);
        f.write_str(&out.text)
    }
}

struct Page<'m> {
    model: &'m Model,
    text: String,
}

impl Page<'_> {
    fn answer(&mut self, why: &Why) {
        let decision = &why.decision;
        self.wrap(0, 2, &show_action(self.model, decision.action()));
        if let Some((lo, hi)) = decision.wait_bounds_ms() {
            let wait =
                if lo == hi { show_duration(lo) } else { format!("{} to {}", show_duration(lo), show_duration(hi)) };
            self.field("wait", &wait);
        }
        if let Some(guard) = decision.guard() {
            self.field("instead of", &show_action(self.model, guard.wanted_action()));
        } else if decision.is_gap() {
            self.field("because", "no row takes these facts, and the policy was not proven");
        }
        match (decision.guard(), decision.because()) {
            // The row's reason speaks of what it wanted, which is not what is left; it stands at the row.
            (Some(guard), _) => {
                if let Some(first) = guard.refusals().next() {
                    self.field("because", &format!("{} is refused: {}", first.verb, by_whom(first.by)));
                }
            }
            (None, Some(because)) if !show_action(self.model, decision.action()).contains(because) => {
                self.field("because", because);
            }
            _ => {}
        }
        let path: Vec<String> = decision.path().map(|row| row.to_string()).collect();
        if !path.is_empty() {
            self.field("by row", &path.join(", then "));
        }
        let policy = decision.policy();
        self.field("policy", &format!("{} {}", policy.name(), policy.version()));
    }

    /// What the guard said of one action.
    fn verdict(&mut self, verdict: &Verdict) {
        let action = show_action(self.model, verdict.action);
        if verdict.refusals.is_empty() {
            self.wrap(2, 4, &format!("{action}: nothing refuses it"));
            return;
        }
        self.wrap(2, 4, &format!("{action}: refused"));
        for refusal in &verdict.refusals {
            self.wrap(4, 6, &by_whom(refusal.by));
        }
    }

    fn table(&mut self, asking: &Asking) {
        let Some(table) = self.model.tables.get(asking.table.0) else { return };
        // A table of an overlay says of itself what it is: `tighten recovery`.
        let kind = if self.is_overlay(asking.table) { "" } else { "table " };
        self.title(&format!("{kind}{}, {}", table.name, table.hit.as_str()));
        if let Some(broken) = &asking.broken {
            let text = format!("its promise is broken: {}", self.failed(broken));
            self.wrap(2, 4, &text);
            return;
        }
        let names = asking.passed.iter().map(|p| p.row).chain(asking.taken);
        let width = names.map(|r| self.row_name(asking.table, r).chars().count()).max().unwrap_or(0).min(28);
        let cut = asking.passed.len() > MAX_ROWS;
        for (i, passed) in asking.passed.iter().enumerate() {
            if cut && (MAX_ROWS / 2..asking.passed.len() - MAX_ROWS / 2).contains(&i) {
                if i == MAX_ROWS / 2 {
                    let n = asking.passed.len() - MAX_ROWS;
                    self.wrap(4, 6, &format!("… {n} more rows passed over"));
                }
                continue;
            }
            self.passed(asking.table, passed, width);
        }
        match asking.taken {
            Some(row) => {
                let taken = self.taken(asking.table, row);
                self.row_line('>', &self.row_name(asking.table, row), width, &taken);
                for seen in &asking.rests_on {
                    self.wrap(width + 6, width + 8, &format!("{} is {}", seen.name(self.model), seen.show(self.model)));
                    if let Some(derived) = &seen.derived {
                        self.derivation(derived, width + 8);
                    }
                }
                if let Some(reason) = table.rows.get(row).and_then(|r| r.reason.as_deref()) {
                    self.wrap(width + 6, width + 6, &format!("\"{reason}\""));
                }
            }
            None if asking.outweighed => self.wrap(2, 4, "no row takes these facts: the answer above holds"),
            None => self.wrap(2, 4, "no row takes these facts"),
        }
        if asking.outweighed && asking.taken.is_some() {
            self.wrap(2, 4, "the answer above is more cautious, and holds");
        }
    }

    fn passed(&mut self, table: TableId, passed: &Passed, width: usize) {
        let name = self.row_name(table, passed.row);
        let why = match &passed.failed {
            Some(failed) => self.failed(failed),
            None => "no row above would take them if what is unknown were known".into(),
        };
        self.row_line('-', &name, width, &why);
        if let Some(derived) = passed.failed.as_ref().and_then(|f| f.seen.derived.as_deref()) {
            self.derivation(derived, width + 6);
        }
    }

    fn taken(&self, table: TableId, row: usize) -> String {
        match self.model.tables.get(table.0).and_then(|t| t.rows.get(row)).map(|r| &r.outcome) {
            Some(Outcome::Act(chain)) => format!("takes them: {}", show_chain(self.model, chain)),
            Some(Outcome::See(next)) => {
                let name = self.model.tables.get(next.0).map_or("", |t| &t.name);
                format!("takes them: see {name}")
            }
            _ => "takes them".into(),
        }
    }

    fn failed(&self, failed: &Failed) -> String {
        let (name, seen) = (failed.seen.name(self.model), failed.seen.show(self.model));
        format!("{name} is {seen}; it asks for {}", any_of(&failed.need))
    }

    /// Where a derived value comes from, one level an indent.
    fn derivation(&mut self, derivation: &Derivation, indent: usize) {
        let Some(table) = self.model.derives.get(derivation.derive).map(|d| &d.table) else { return };
        let row = derivation.row.and_then(|r| table.rows.get(r).map(|row| row.label(r)));
        let by = row.map_or_else(|| "no row of it answers".to_string(), |row| format!("by its row {row}"));
        let from: Vec<String> =
            derivation.from.iter().map(|s| format!("{} is {}", s.name(self.model), s.show(self.model))).collect();
        let from = if from.is_empty() { String::new() } else { format!(": {}", from.join(", ")) };
        self.wrap(indent, indent + 2, &format!("{} {by}{from}", table.name));
        for seen in &derivation.from {
            if let Some(inner) = &seen.derived {
                self.derivation(inner, (indent + 2).min(40));
            }
        }
    }

    fn nearest(&mut self, nearest: &Nearest, why: &Why) {
        let name = self.full_name(nearest.table, nearest.row);
        let is_taken = why.decision.steps().next_back() == Some((nearest.table, nearest.row));
        self.title(if is_taken { "what it would have needed to act" } else { "the nearest row that would have acted" });
        if !is_taken {
            self.wrap(2, 4, &format!("{name}: {}", show_action(self.model, nearest.action)));
        }
        for need in &nearest.needs {
            let text = format!(
                "{} would have to be {}; it is {}",
                need.seen.name(self.model),
                any_of(&need.need),
                need.seen.show(self.model)
            );
            self.wrap(4, 6, &text);
            if let Some(derived) = &need.seen.derived {
                self.derivation(derived, 6);
            }
        }
        for (table, row) in &nearest.before {
            let first = self.full_name(*table, *row);
            self.wrap(4, 6, &format!("{first} stands before it, and takes these facts first"));
        }
        // The row of an overlay that holds back what the base would have done.
        if let Some((table, row)) = why.decision.steps().next_back()
            && !is_taken
            && self.is_overlay(table)
        {
            let holds = self.full_name(table, row);
            self.wrap(4, 6, &format!("{holds} takes these facts too, and is more cautious"));
        }
        for refusal in &nearest.refusals {
            let text = match refusal.by {
                RefusedBy::Fact { name, have, need } => {
                    format!("{name} would have to be {}; it is {have}", any_of(&need.to_string()))
                }
                RefusedBy::World(World::Refused) => "the world would have to allow it".to_string(),
                RefusedBy::World(world) => format!("the world would have to allow it ({world})"),
            };
            self.wrap(4, 6, &text);
        }
    }

    /// The facts as they were given.
    fn facts(&mut self, why: &Why) {
        let values = why.decision.facts().values();
        if why.decision.is_foreign() {
            return;
        }
        let callers = self.model.facts.values().zip(values).filter(|(f, _)| f.is_callers());
        let (known, open): (Vec<_>, Vec<_>) = callers.partition(|(_, v)| **v != Value::Unknown);
        let width = known.iter().map(|(f, _)| f.name.chars().count()).max().unwrap_or(0).min(28);
        let lines: Vec<String> =
            known.iter().map(|(f, v)| format!("{:width$}  {}", f.name, show_value(f, v))).collect();
        let open: Vec<&str> = open.iter().map(|(f, _)| &*f.name).collect();
        self.title("facts");
        for line in &lines {
            self.wrap(2, width + 4, line);
        }
        if !open.is_empty() {
            self.wrap(2, 4, &format!("unknown: {}", open.join(", ")));
        }
    }

    /// Whether it is a table of an overlay.
    fn is_overlay(&self, table: TableId) -> bool {
        self.model.overlay.iter().flat_map(|o| &o.tighten).any(|(_, own)| *own == table)
    }

    fn row_name(&self, table: TableId, row: usize) -> String {
        self.model.tables.get(table.0).and_then(|t| t.rows.get(row)).map_or_else(String::new, |r| r.label(row))
    }

    fn full_name(&self, table: TableId, row: usize) -> String {
        format!("{}/{}", self.model.tables.get(table.0).map_or("", |t| &t.name), self.row_name(table, row))
    }

    fn row_line(&mut self, mark: char, name: &str, width: usize, text: &str) {
        self.wrap(2, width + 6, &format!("{mark} {name:width$}  {text}"));
    }

    fn title(&mut self, title: &str) {
        self.text.push('\n');
        self.text.push_str(title);
        self.text.push('\n');
    }

    fn field(&mut self, name: &str, text: &str) {
        self.wrap(2, 14, &format!("{name:10}  {text}"));
    }

    /// A line, broken between words at the width; the first line begins at `first`, the others at `next`.
    fn wrap(&mut self, first: usize, next: usize, text: &str) {
        let mut line = " ".repeat(first);
        let mut n = first;
        let mut begun = false;
        // Words keep the spaces before them, so that aligned columns stay aligned.
        let mut rest = text;
        while !rest.is_empty() {
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            let end = rest[spaces..].find(' ').map_or(rest.len(), |i| spaces + i);
            let (word, after) = rest.split_at(end);
            let letters = word.chars().count();
            if begun && n + letters > WIDTH && n > next {
                self.text.push_str(line.trim_end());
                self.text.push('\n');
                line = " ".repeat(next);
                n = next;
                line.push_str(&word[spaces..]);
                n += letters - spaces;
            } else {
                line.push_str(word);
                n += letters;
            }
            begun = true;
            rest = after;
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// What refuses, as text.
fn by_whom(by: RefusedBy) -> String {
    match by {
        RefusedBy::World(World::Refused) => "the world refuses it (`--refuse`)".to_string(),
        RefusedBy::Fact { name, have, need } => format!("{name} is {have}; it must be {}", any_of(&need.to_string())),
        by @ RefusedBy::World(_) => by.to_string(),
    }
}

/// A list as a reader takes it who does not know that a comma in a cell means "or": `a, b` is `a or b`, and three or
/// more are one of a list.
fn any_of(cell: &str) -> String {
    if cell.contains('"') || cell.starts_with("not ") || cell.contains(" or ") || cell.contains(" and ") {
        return cell.to_string();
    }
    match cell.split(", ").collect::<Vec<_>>()[..] {
        [one, other] => format!("{one} or {other}"),
        [_, _, _, ..] => format!("one of {cell}"),
        _ => cell.to_string(),
    }
}
