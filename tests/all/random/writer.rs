//! Writes a policy from draws, and facts for it.
//!
//! A policy is kept as its parts, so that it can be written in another layout, or with one cell changed.

use nisi::decide::Raw;

use super::words::{Draws, Kind, OWN, STD};

/// A policy as its parts.
#[derive(Clone)]
pub(super) struct Written {
    /// Everything before the tables, one item an entry.
    heads: Vec<String>,
    /// Derives first, then tables; the entry is the first table.
    tables: Vec<Grid>,
    /// What is claimed of them.
    pub(super) rule: Option<Rule>,
    /// The facts that a caller may set: name, values at and beside every bound, and whether it is a text.
    pub(super) facts: Vec<(&'static str, &'static [&'static str], bool)>,
    pub(super) acts: bool,
}

/// `rule drawn: never …`, as its parts.
#[derive(Clone)]
pub(super) struct Rule {
    pub(super) only: bool,
    pub(super) verbs: &'static [&'static str],
    pub(super) unless: bool,
    pub(super) fact: String,
    pub(super) cell: String,
}

#[derive(Clone)]
struct Grid {
    head: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// How a policy is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// As plain as can be.
    Plain,
    /// With comments, blank lines, cells of ever other widths, and the line below the header.
    Wide,
}

impl Written {
    pub(super) fn text(&self, layout: Layout) -> String {
        let mut text = String::from("policy random\nversion 1.0.0\n");
        let between = if layout == Layout::Wide { "\n# a remark\n\n" } else { "\n" };
        for item in &self.heads {
            text += between;
            text += item;
        }
        for grid in &self.tables {
            let comment = if layout == Layout::Wide { "   # why not" } else { "" };
            text.extend(["\n", between, &grid.head, comment, "\n"]);
            text += &row(&grid.columns, layout);
            if layout == Layout::Wide {
                text.extend(["|", &"---|".repeat(grid.columns.len()), "\n"]);
            }
            grid.rows.iter().for_each(|cells| text += &row(cells, layout));
        }
        if let Some(Rule { only, verbs, unless, fact, cell }) = &self.rule {
            let (word, when) = (if *only { "only" } else { "never" }, if *unless { "unless" } else { "when" });
            let verbs = verbs.join(", ");
            text.extend(["\n", between, "rule drawn: ", word, " ", &verbs, " ", when, " ", fact, " is ", cell]);
        }
        text + "\n"
    }

    /// The same policy with another queue in the last row of the last table.
    pub(super) fn with_another_cell(&self) -> Written {
        let mut other = self.clone();
        let last = other.tables.last_mut().and_then(|t| t.rows.last_mut()).and_then(|r| r.last_mut());
        *last.unwrap() = "review somebody-else".into();
        other
    }

    /// The same facts and derives with a table that stops where a fact is so.
    pub(super) fn probe(&self, fact: &str, cell: &str) -> String {
        let mut other = self.clone();
        other.rule = None;
        other.tables.retain(|t| t.head.starts_with("derive"));
        let words = |list: [&str; 2]| list.map(String::from).to_vec();
        let rows = vec![words([&format!("{fact} is {cell}"), "stop"]), words(["otherwise", "review"])];
        other.tables.push(Grid {
            head: "table probe, first row wins".into(),
            columns: words(["also", "=> action"]),
            rows,
        });
        other.text(Layout::Plain)
    }

    /// Facts for it: at bounds, beside them, or unknown.
    pub(super) fn some_facts(&self, draws: &mut Draws) -> Vec<(String, Raw)> {
        let mut facts = Vec::new();
        for (name, values, text) in &self.facts {
            if draws.one_in(3) || values.is_empty() {
                continue;
            }
            let value = draws.pick(values).to_string();
            facts.push(((*name).to_string(), if *text { Raw::Text(value) } else { Raw::Plain(value) }));
        }
        facts
    }
}

fn row(cells: &[String], layout: Layout) -> String {
    let wide = |(i, cell): (usize, &String)| match layout {
        Layout::Plain => format!("| {cell} "),
        Layout::Wide => format!("|{}{cell}{}", " ".repeat(1 + i % 3), " ".repeat(1 + cell.len() % 4)),
    };
    cells.iter().enumerate().map(wide).collect::<String>() + "|\n"
}

/// Writes policies.
pub(super) struct Writer<'w, 'd> {
    draws: &'w mut Draws<'d>,
    /// The facts that tables test.
    columns: Vec<(String, Vec<String>)>,
    acts: bool,
    /// Only few facts with few values.
    small: bool,
}

/// A policy of up to four facts of each sort, two derives and three tables.
pub(super) fn policy(draws: &mut Draws) -> Written {
    let acts = draws.one_in(2);
    Writer { draws, columns: Vec::new(), acts, small: false }.policy()
}

/// A policy of at most three facts with few values each.
pub(super) fn small_policy(draws: &mut Draws) -> Written {
    Writer { draws, columns: Vec::new(), acts: false, small: true }.policy()
}

impl Writer<'_, '_> {
    fn policy(mut self) -> Written {
        let (mut heads, mut facts) = (Vec::new(), Vec::new());
        self.declare(&mut heads, &mut facts);
        let mut tables: Vec<Grid> = Vec::new();
        for i in 0..self.draws.below(3) {
            let grid = self.derive(i);
            tables.push(grid);
        }
        let others = self.draws.below(3);
        let promises: Vec<Option<(String, String)>> = (0..others).map(|_| self.promise()).collect();
        let entry = self.table("entry", None, (0, &promises));
        tables.push(entry);
        for (i, promise) in promises.iter().enumerate() {
            let name = format!("other{i}");
            let further = if self.draws.one_in(3) { &promises[i + 1..] } else { &[] };
            let grid = self.table(&name, promise.as_ref(), (i + 1, further));
            tables.push(grid);
        }
        let rule = (self.small && self.draws.one_in(2)).then(|| self.rule());
        Written { heads, tables, rule, facts, acts: self.acts }
    }

    fn declare(&mut self, heads: &mut Vec<String>, facts: &mut Vec<(&'static str, &'static [&'static str], bool)>) {
        let column = |kind: &Kind| {
            let cells = kind.cells.iter().map(|c| (*c).to_string()).collect();
            (kind.name.to_string(), cells)
        };
        let kinds: &[Kind] = if self.small { &OWN[..5] } else { OWN };
        let count = if self.small { 3 } else { 4 };
        let first = self.draws.below(kinds.len());
        for kind in (0..=self.draws.below(count)).map(|i| &kinds[(first + i) % kinds.len()]) {
            heads.push(format!("fact {} : {}", kind.name, kind.ty.unwrap_or_default()));
            if kind.name == "region" {
                heads.push("group west of region : eu, us".into());
            }
            facts.push((kind.name, kind.values, kind.ty == Some("text")));
            self.columns.push(column(kind));
        }
        if self.acts {
            heads.push("use std.facts".into());
            heads.push("budget { owner us, attempts 3, deadline 20s, least 300ms }".into());
            heads.push("backoff gentle { base 200ms, factor 2, cap 8s, jitter full }".into());
            heads.push("backoff even { base 1s, factor 3, cap 4s, jitter equal }".into());
            heads.push("backoff fixed { base 1s, cap 1s, jitter none }".into());
            heads.push("locator key { remembers 24h }".into());
            heads.push("parity equivalent { same prompt }".into());
            heads.push(
                "action named : retry after even; if refused, reconcile by key within 4s; if refused, review keys"
                    .into(),
            );
            for kind in STD {
                if !kind.values.is_empty() {
                    facts.push((kind.name, kind.values, false));
                }
                if self.draws.one_in(3) {
                    self.columns.push(column(kind));
                }
            }
        }
    }

    fn cell(&mut self, column: usize) -> String {
        let i = self.draws.below(self.columns[column].1.len());
        self.columns[column].1[i].clone()
    }

    /// Some of the columns for one table, each once.
    fn some_columns(&mut self) -> Vec<usize> {
        let n = self.columns.len();
        let (first, count) = (self.draws.below(n), 1 + self.draws.below(n.min(4)));
        (0..count).map(|i| (first + i) % n).collect()
    }

    fn derive(&mut self, i: usize) -> Grid {
        let name = format!("derived{i}");
        let ordered = self.draws.one_in(2);
        let hit = if ordered {
            self.draws.pick(&["first row wins", "highest wins", "lowest wins", "at most one row", "rows agree"])
        } else {
            "first row wins"
        };
        let domain = if ordered { "lesser < greater" } else { "this, that" };
        let values: [&str; 3] = if ordered { ["lesser", "greater", "unknown"] } else { ["this", "that", "unknown"] };
        let columns = self.some_columns();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for _ in 0..=self.draws.below(3) {
            let mut cells = self.cells(&columns);
            let values = if hit == "first row wins" { &values[..] } else { &values[..2] };
            cells.push(self.draws.pick(values).into());
            rows.push(cells);
        }
        rows.extend(self.last_rows(columns.len(), &values.map(String::from)));
        let named = columns.iter().map(|c| self.columns[*c].0.clone());
        let header = named.chain([format!("=> {name}")]).collect();
        let cells = if ordered {
            vec!["lesser", "> lesser", "unknown, greater"]
        } else {
            vec!["this", "not this", "unknown, that"]
        };
        self.columns.push((name.clone(), cells.into_iter().map(String::from).collect()));
        Grid { head: format!("derive {name} : {domain}, {hit}"), columns: header, rows }
    }

    fn cells(&mut self, columns: &[usize]) -> Vec<String> {
        let mut cells: Vec<String> = Vec::new();
        for column in columns {
            cells.push(if self.draws.one_in(3) { "-".into() } else { self.cell(*column) });
        }
        cells
    }

    /// `any unknown`, `otherwise`, both or none of them.
    fn last_rows(&mut self, width: usize, outputs: &[String]) -> Vec<Vec<String>> {
        let words: &[&str] = match self.draws.below(6) {
            0..=2 => &["otherwise"],
            3 => &["any unknown", "otherwise"],
            4 => &["any unknown"],
            _ => &[],
        };
        let mut rows = Vec::new();
        for word in words {
            let mut cells = vec![String::new(); width];
            cells[0] = (*word).to_string();
            cells.push(outputs[self.draws.below(outputs.len())].clone());
            rows.push(cells);
        }
        rows
    }

    fn promise(&mut self) -> Option<(String, String)> {
        if !self.draws.one_in(2) {
            return None;
        }
        let column = self.draws.below(self.columns.len());
        Some((self.columns[column].0.clone(), self.cell(column)))
    }

    /// A table that hands over to further ones: from a number on those of these promises.
    fn table(
        &mut self,
        name: &str,
        promise: Option<&(String, String)>,
        (from, others): (usize, &[Option<(String, String)>]),
    ) -> Grid {
        let hit = if others.is_empty() {
            self.draws.pick(&[
                "first row wins",
                "first row wins",
                "most cautious wins",
                "rows agree",
                "at most one row",
            ])
        } else {
            self.draws.pick(&["first row wins", "first row wins", "first row wins", "at most one row", "rows agree"])
        };
        let way = if self.draws.one_in(3) { ", if refused, review the-way" } else { "" };
        let columns = self.some_columns();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (i, promise) in others.iter().enumerate() {
            // Mostly the promise is kept: the row tests it in `also`.
            let mut cells = vec!["-".to_string(); columns.len()];
            if self.draws.one_in(2) {
                cells = self.cells(&columns);
            }
            let kept = promise.as_ref().filter(|_| !self.draws.one_in(6));
            cells.push(kept.map_or_else(String::new, |(fact, cell)| format!("{fact} is {cell}")));
            cells.push(format!("see other{}", from + i));
            rows.push(cells);
        }
        for _ in 0..=self.draws.below(4) {
            let mut cells = self.cells(&columns);
            let tests: Vec<String> = (0..self.draws.pick(&[0, 0, 0, 1, 1, 2])).map(|_| self.test()).collect();
            cells.push(tests.join(" and "));
            cells.push(self.action());
            let place = self.draws.below(rows.len() + 1);
            rows.insert(place, cells);
        }
        rows.extend(self.last_rows(columns.len() + 1, &["review the-rest".into(), "stop".into()]));
        let named = columns.iter().map(|c| self.columns[*c].0.clone());
        let mut header: Vec<String> = named.chain(["also".to_string(), "=> action".to_string()]).collect();
        if self.draws.one_in(2) {
            header.insert(0, "row".into());
            for (i, cells) in rows.iter_mut().enumerate() {
                let is_fixed = matches!(&*cells[0], "any unknown" | "otherwise");
                cells.insert(usize::from(is_fixed), if is_fixed { String::new() } else { format!("row-{i}") });
            }
        }
        let when = promise.map_or_else(String::new, |(fact, cell)| format!(" when {fact} is {cell}"));
        Grid { head: format!("table {name}{when}, {hit}{way}"), columns: header, rows }
    }

    fn test(&mut self) -> String {
        let column = self.draws.below(self.columns.len());
        let cell = self.cell(column);
        format!("{} is {cell}", self.columns[column].0)
    }

    fn action(&mut self) -> String {
        let plain =
            ["review desk", "stop \"enough\"", "review", "stop", "reconcile by event within 4s; if refused, stop"];
        let acting = [
            "retry now; if refused, review desk",
            "retry after gentle",
            "retry after fixed, spend 2; if refused, stop",
            "named",
            "failover to equivalent; if refused, reconcile by key within 4s; if refused, stop",
            "hedge 2 after 300ms; if refused, retry after even; if refused, review desk",
            "hedge 3 after 1s; if refused, review desk",
            "retry now",
            "failover to equivalent",
            "retry after gentle; if refused, named",
            "reconcile by key within 1s",
        ];
        let all: Vec<&str> = if self.acts { acting.into_iter().chain(plain).collect() } else { plain.into() };
        self.draws.pick(&all).into()
    }

    fn rule(&mut self) -> Rule {
        let claims: [(bool, &[&str]); 5] = [
            (false, &["stop"]),
            (false, &["review"]),
            (false, &["reconcile"]),
            (true, &["review", "reconcile"]),
            (false, &["stop", "review"]),
        ];
        let (only, verbs) = self.draws.pick(&claims);
        let unless = self.draws.one_in(3);
        let column = self.draws.below(self.columns.len());
        Rule { only, verbs, unless, fact: self.columns[column].0.clone(), cell: self.cell(column) }
    }
}
