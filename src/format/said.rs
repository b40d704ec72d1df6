//! Whether two texts say the same: their trees without the places, their comments, and what cannot be read in them.
//!
//! Each tree is printed with every word that it holds, a length before each text, and the two prints are compared.
//! Where columns were folded or unfolded, a row is printed as its tests in the order of their facts instead of its cells.

use std::fmt::Write as _;

use crate::diag::N0104;
use crate::syntax::Parsed;
use crate::syntax::tree::{
    ActionExpr, ActionKind, Atom, AtomKind, Block, Cell, CellExpr, CellKind, ColumnKind, Element, File, Grid, HitExpr,
    Item, ItemKind, Literal, RetryWhen, Row, Test, TypeExpr, Word,
};
use crate::text::Span;

/// What is not the same in two texts.
pub(super) fn difference(
    (old, before): (&str, &Parsed),
    (new, after): (&str, &Parsed),
    by_fact: bool,
) -> Option<String> {
    let comments = |text: &str, file: &File| -> Vec<String> {
        file.comments.iter().map(|span| slice(text, *span).trim_end().to_string()).collect()
    };
    let told = |parsed: &Parsed| {
        let findings = parsed.findings.iter().filter(|finding| finding.code != N0104);
        let mut told: Vec<_> = findings.map(|f| (f.code.id, f.message.clone())).collect();
        told.sort_unstable();
        told
    };
    let (told_before, told_after) = (told(before), told(after));
    if told_before != told_after {
        let other = told_after.iter().find(|told| !told_before.contains(told)).or(told_before.first());
        return Some(format!("what cannot be read in it is another ({})", other.map_or("", |(_, message)| message)));
    }
    if comments(old, &before.file) != comments(new, &after.file) {
        return Some("a comment is another".to_string());
    }
    let is_same = said(old, &before.file, by_fact) == said(new, &after.file, by_fact);
    (!is_same).then(|| "an item is another".to_string())
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or("")
}

fn said(text: &str, file: &File, by_fact: bool) -> String {
    let mut print = Print { text, by_fact, out: String::new() };
    print.sign(if file.lost_table { "lost" } else { "whole" }).words(&file.broken);
    file.items.iter().for_each(|item| print.item(item));
    print.out
}

struct Print<'t> {
    text: &'t str,
    by_fact: bool,
    out: String,
}

impl Print<'_> {
    /// A word of ours.
    fn sign(&mut self, sign: &str) -> &mut Self {
        self.out.push_str(sign);
        self.out.push(' ');
        self
    }

    /// A text of the file.
    fn said(&mut self, text: &str, quoted: bool) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{}{}{text} ", text.len(), if quoted { '"' } else { ':' });
        self
    }

    fn word(&mut self, word: &Word) -> &mut Self {
        self.said(&word.text, word.quoted)
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w Word>) -> &mut Self {
        for word in words {
            self.word(word);
        }
        self.sign(".")
    }

    fn literal(&mut self, literal: &Literal) {
        self.said(&literal.text, literal.quoted);
    }

    fn item(&mut self, item: &Item) {
        self.sign("\nitem").said(&item.doc, false);
        match &item.kind {
            ItemKind::Policy(word) => drop(self.sign("policy").word(word)),
            ItemKind::Version(word) => drop(self.sign("version").word(word)),
            ItemKind::Owner(word) => drop(self.sign("owner").word(word)),
            ItemKind::Use(word) => drop(self.sign("use").word(word)),
            ItemKind::Restricts { base, version } => drop(self.sign("restricts").word(base).word(version)),
            ItemKind::Fact { name, ty, points } => {
                self.sign("fact").word(name).words(points);
                self.ty(ty);
            }
            ItemKind::Extend { fact, values } => drop(self.sign("extend").word(fact).words(values)),
            ItemKind::Budget(block) => self.sign("budget").block(block),
            ItemKind::Backoff { name, block } => self.sign("backoff").word(name).block(block),
            ItemKind::Locator { name, block } => self.sign("locator").word(name).block(block),
            ItemKind::Parity { name, block } => self.sign("parity").word(name).block(block),
            ItemKind::Group { name, fact, values } => drop(self.sign("group").word(name).word(fact).words(values)),
            ItemKind::Action { name, action } => self.sign("action").word(name).action(action),
            ItemKind::Derive { .. } | ItemKind::Classify { .. } | ItemKind::Table { .. } | ItemKind::Tighten { .. } => {
                self.decided(&item.kind);
            }
            ItemKind::Rule { name, only, verbs, unless, tests } => {
                self.sign("rule").word(name).sign(if *only { "only" } else { "never" });
                for verb in verbs {
                    self.word(&verb.verb).words(&verb.to);
                }
                self.sign(if *unless { "unless" } else { "when" }).tests(tests);
            }
            ItemKind::Waive { what, rows, because, owner, until } => {
                self.sign("waive").word(what).words(rows.iter().flat_map(|row| [&row.table, &row.row]));
                self.word(because).words(owner).words(until);
            }
            ItemKind::Examples { table_name, given, table } => {
                self.sign("examples").word(table_name).tests(given);
                self.grid(table, true);
            }
        }
    }

    /// What has rows that decide.
    fn decided(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Derive { outputs, hit, table } => {
                self.sign("derive");
                for (name, ty) in outputs {
                    self.word(name).ty(ty);
                }
                self.hit(hit).grid(table, false);
            }
            ItemKind::Classify { name, outputs, hit, table } => {
                self.sign("classify").word(name).words(outputs).hit(hit).grid(table, false);
            }
            ItemKind::Table { name, promise, hit, refused, table } => {
                self.sign("table").word(name).tests(promise);
                self.hit(hit).refused(refused.as_ref()).grid(table, false);
            }
            ItemKind::Tighten { name, hit, refused, table } => {
                self.sign("tighten").word(name).hit(hit).refused(refused.as_ref()).grid(table, false);
            }
            _ => {}
        }
    }

    fn hit(&mut self, hit: &HitExpr) -> &mut Self {
        self.sign(hit.hit.as_str())
    }

    fn refused(&mut self, action: Option<&ActionExpr>) -> &mut Self {
        if let Some(action) = action {
            self.sign("refused").action(action);
        }
        self
    }

    fn ty(&mut self, ty: &TypeExpr) {
        match ty {
            TypeExpr::Choice { values, .. } => drop(self.sign("choice").words(values)),
            TypeExpr::Ordered { values, .. } => drop(self.sign("ordered").words(values)),
            TypeExpr::Basic { name, lo, hi, step, .. } => {
                self.sign("basic").word(name).words(lo).words(hi).words(step);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.sign(if block.damaged { "damaged" } else { "block" });
        for entry in &block.entries {
            self.words(&entry.words);
        }
    }

    fn action(&mut self, action: &ActionExpr) {
        match &action.verb {
            ActionKind::Stop(why) => drop(self.sign("stop").words(why)),
            ActionKind::Done(why) => drop(self.sign("done").words(why)),
            ActionKind::Wait => drop(self.sign("wait")),
            ActionKind::Review(queue) => drop(self.sign("review").words(queue)),
            ActionKind::Reconcile { by, within } => drop(self.sign("reconcile").words(by).words(within)),
            ActionKind::Retry { when, spend } => {
                self.sign("retry").words(spend);
                match when {
                    Some(RetryWhen::Now) => drop(self.sign("now")),
                    Some(RetryWhen::After(name)) => drop(self.sign("after").word(name)),
                    None => {}
                }
            }
            ActionKind::Hedge { copies, after } => drop(self.sign("hedge").words(copies).words(after)),
            ActionKind::Failover(to) => drop(self.sign("failover").words(to)),
            ActionKind::See(table) => drop(self.sign("see").word(table)),
            ActionKind::Named(name) => drop(self.sign("named").word(name)),
        }
        self.refused(action.refused.as_deref());
    }

    fn tests(&mut self, tests: &[Test]) {
        for test in tests {
            self.word(&test.fact).cell(&test.cell);
        }
        self.sign(".");
    }

    fn cell(&mut self, cell: &CellExpr) {
        for both in &cell.alternatives {
            self.sign("or");
            for atom in both {
                self.atom(atom);
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match &atom.kind {
            AtomKind::Known => drop(self.sign("known")),
            AtomKind::List(list) => self.sign("in").elements(list),
            AtomKind::Not(list) => self.sign("not").elements(list),
            AtomKind::Compare(comparison, literal) => {
                let _ = write!(self.out, "{comparison:?} ");
                self.literal(literal);
            }
            AtomKind::Starts(literal) => self.sign("starts").literal(literal),
        }
    }

    fn elements(&mut self, list: &[Element]) {
        for element in list {
            match element {
                Element::Unknown(_) => drop(self.sign("unknown")),
                Element::One(literal) => self.literal(literal),
                Element::Range { lo, hi, open } => {
                    self.sign(if *open { "up-to" } else { "to" }).literal(lo);
                    self.literal(hi);
                }
            }
        }
        self.sign(".");
    }

    fn grid(&mut self, grid: &Grid, examples: bool) {
        self.sign(if grid.damaged { "damaged" } else { "grid" });
        for column in &grid.columns {
            let is_input = matches!(column.kind, ColumnKind::Fact | ColumnKind::Also);
            if !(self.by_fact && is_input) {
                let _ = write!(self.out, "{:?} ", column.kind);
                self.word(&column.name);
            }
        }
        grid.rows.iter().for_each(|row| self.row(row, grid, examples));
        for reason in &grid.reasons {
            self.sign("\n-").word(&reason.row).word(&reason.text);
        }
    }

    fn row(&mut self, row: &Row, grid: &Grid, examples: bool) {
        let _ = write!(self.out, "\n{:?} {} ", row.kind, row.damaged);
        self.words(&row.name);
        let mut tests: Vec<String> = Vec::new();
        for (cell, column) in row.cells.iter().zip(&grid.columns) {
            if !self.by_fact {
                self.kind(cell);
                continue;
            }
            let before = self.out.len();
            match (&cell.kind, column.kind) {
                (CellKind::Any, ColumnKind::Fact) if !examples => {}
                (CellKind::Blank | CellKind::Name, ColumnKind::Fact | ColumnKind::Also) => {}
                (CellKind::Also(list), _) => {
                    for test in list.iter() {
                        self.word(&test.fact).cell(&test.cell);
                        tests.push(self.out.split_off(before));
                    }
                }
                (_, ColumnKind::Fact) => {
                    self.word(&column.name).kind(cell);
                    tests.push(self.out.split_off(before));
                }
                _ => self.kind(cell),
            }
        }
        tests.sort_unstable();
        for test in &tests {
            self.sign(test);
        }
    }

    fn kind(&mut self, cell: &Cell) {
        match &cell.kind {
            CellKind::Blank => drop(self.sign("blank")),
            CellKind::Name => drop(self.sign("name")),
            CellKind::Any => drop(self.sign("-")),
            CellKind::Test(test) => self.cell(test),
            CellKind::Also(tests) => self.sign("also").tests(tests),
            CellKind::Action(action) => self.action(action),
            CellKind::Word(word) => drop(self.sign("word").word(word)),
            CellKind::Bad => {
                let text = slice(self.text, cell.span);
                self.sign("bad").said(text, false);
            }
        }
    }
}
