//! The name of a policy for good: SHA-256 over all that it says, printed canonically.
//!
//! Inside: the language's edition, the policy's name and version, every fact, derive, classify, table, action,
//! backoff, locator, parity, budget and rule that it and what it uses declare, rows in file order with their names
//! and reasons, and the waivers of rules. Outside: layout, comments, documentation, owner, examples, waived lints,
//! and the names of what is resolved away (groups, actions). Every text is written with its length before it, so that
//! no two policies print the same.
//!
//! A large table says the same tests again and again: the print of each is made once and copied from then on. The print
//! goes to the hash piece by piece, and is never held whole.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use sha2::{Digest as _, Sha256};

use crate::model::{
    Action, By, Chain, Cond, Fact, FactId, FactSource, Model, Outcome, Output, ParityTerm, Row, Table, Type, Value,
    ValueSet, Values, parity_name,
};
use crate::syntax::tree::RowKind;
use crate::words::Verb;

use super::answer::Program;

/// The edition of the language whose meaning the digest stands for.
pub const EDITION: &str = "nisi 1";

/// How much of the print is gathered before it goes to the hash, in bytes.
const PIECE: usize = 1 << 16;

/// `sha256:…` of a model.
pub fn digest(model: &Model) -> String {
    let mut hash = Sha256::new();
    canonical(model, |piece| hash.update(piece));
    hash.finalize().iter().fold(String::from("sha256:"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A number for the facts of a policy: where it and the digest are the same, values of one policy are values of the
/// other, and are the same to its program. The digest of an artifact is its own word, and so is how its program is laid out;
/// facts are told apart by what they are.
pub fn facts_key(model: &Model, digest: &str, program: &Program) -> u64 {
    let mut out = Printer::new(model);
    out.line("policy").text(digest).text(&program.layout().to_string());
    model.facts.values().for_each(|fact| out.fact(fact));
    Sha256::digest(out.text.as_bytes()).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The text that the digest is taken of, piece by piece.
fn canonical(model: &Model, mut take: impl FnMut(&str)) {
    let mut out = Printer::new(model);
    out.line("edition").text(EDITION);
    out.line("policy").text(&model.name).text(&model.version);
    model.facts.values().for_each(|fact| out.fact(fact));
    out.blocks();
    for derive in &model.derives {
        out.line("derive");
        out.outputs(&derive.outputs);
        out.table(&derive.table, &mut take);
    }
    for classify in &model.classifies {
        out.line("classify");
        out.outputs(&classify.outputs);
        out.table(&classify.table, &mut take);
    }
    model.tables.iter().for_each(|table| out.table(table, &mut take));
    out.rules();
    for (base, own) in model.overlay.iter().flat_map(|o| &o.tighten) {
        out.line("tighten").number(base.0 as u64).number(own.0 as u64);
    }
    take(&out.text);
}

struct Printer<'m> {
    model: &'m Model,
    text: String,
    /// Whether a line stands already.
    begun: bool,
    /// For each fact the place of its name among those of all, sorted.
    ranks: Vec<u32>,
    /// The prints of sets so far, one behind the other; where each stands, by its fact and its place in memory.
    sets: String,
    printed: HashMap<(FactId, *const ValueSet), Range<usize>, FxBuildHasher>,
    /// The tests of a row, by the ranks of their facts.
    sorted: Vec<(u32, usize)>,
}

impl<'m> Printer<'m> {
    fn new(model: &'m Model) -> Self {
        let mut by_name: Vec<usize> = (0..model.facts.len()).collect();
        by_name.sort_by_key(|fact| &model.facts[*fact].name);
        let mut ranks = vec![0; by_name.len()];
        by_name.iter().enumerate().for_each(|(rank, fact)| ranks[*fact] = rank as u32);
        let (text, sets, printed, sorted) = (String::new(), String::new(), HashMap::default(), Vec::new());
        Printer { model, text, begun: false, ranks, sets, printed, sorted }
    }

    /// Begins a line.
    fn line(&mut self, word: &str) -> &mut Self {
        if self.begun {
            self.text.push('\n');
        }
        self.begun = true;
        self.text.push_str(word);
        self
    }

    /// A word of ours, without spaces.
    fn word(&mut self, word: &str) -> &mut Self {
        self.text.push(' ');
        self.text.push_str(word);
        self
    }

    /// A text from the policy, with its length before it.
    fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.text.push(':');
        self.text.push_str(text);
        self
    }

    fn number(&mut self, number: impl Into<i128>) -> &mut Self {
        self.text.push(' ');
        self.digits(number.into());
        self
    }

    /// A number as it is written; most have few digits.
    fn digits(&mut self, number: i128) {
        match u8::try_from(number) {
            Ok(small @ 0..10) => self.text.push(char::from(b'0' + small)),
            Ok(small @ 10..100) => self.text.extend([char::from(b'0' + small / 10), char::from(b'0' + small % 10)]),
            _ => drop(write!(self.text, "{number}")),
        }
    }

    fn optional(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.word("-"),
        }
    }

    fn optional_number(&mut self, number: Option<u64>) -> &mut Self {
        match number {
            Some(number) => self.number(number),
            None => self.word("-"),
        }
    }

    fn texts<'t>(&mut self, texts: impl ExactSizeIterator<Item = &'t str>) -> &mut Self {
        self.number(texts.len() as u64);
        texts.for_each(|text| {
            self.text(text);
        });
        self
    }

    fn fact(&mut self, fact: &Fact) {
        self.line("fact").text(&fact.name);
        match fact.source {
            FactSource::Caller => self.word("caller"),
            FactSource::Parity(_) => self.word("parity"),
            FactSource::Derived { derive, output } => self.word("derived").number(derive as u64).number(output as u64),
        };
        match &fact.ty {
            Type::Choice { values, ordered, flag } => {
                self.word(if *flag {
                    "flag"
                } else if *ordered {
                    "ordered"
                } else {
                    "choice"
                });
                self.texts(values.iter().map(|v| &**v));
            }
            Type::Number(ty) => {
                self.word(ty.kind.as_str()).number(ty.lo).number(ty.hi).number(ty.step);
                self.word(if ty.dense { "dense" } else { "stepped" });
            }
            Type::Text => {
                self.word("text");
            }
        }
        self.texts(fact.points.iter().map(|p| &**p));
    }

    fn blocks(&mut self) {
        let model = self.model;
        if let Some(budget) = &model.budget {
            self.line("budget").text(&budget.owner).number(budget.attempts).number(budget.deadline_ms);
            self.number(budget.reserve_ms).number(budget.confirm).number(budget.least_ms).number(budget.late_ms);
            match budget.refill {
                Some((percent, least)) => self.number(percent).number(least),
                None => self.word("-"),
            };
            for layer in &budget.below {
                self.line("below").text(&layer.name).number(layer.attempts);
            }
        }
        for b in &model.backoffs {
            self.line("backoff").text(&b.name).number(b.base_ms).number(b.factor_tenths).number(b.cap_ms);
            self.word(b.jitter.as_str());
        }
        for locator in &model.locators {
            self.line("locator").text(&locator.name).number(locator.lag_ms);
            self.optional_number(locator.remembers_ms).optional_number(locator.looks);
        }
        for parity in &model.parities {
            self.line("parity").text(&parity.name);
            parity.terms.iter().for_each(|term| self.term(term));
        }
    }

    fn term(&mut self, term: &ParityTerm) {
        match term {
            ParityTerm::Same(fields) => self.line("same").texts(fields.iter().map(|f| &**f)),
            ParityTerm::NoBroader(fields) => self.line("no-broader").texts(fields.iter().map(|f| &**f)),
            ParityTerm::AtLeast(field, least) => self.line("at-least").text(field).number(*least),
            ParityTerm::Fresh(field, ms) => self.line("fresh").text(field).number(*ms),
            ParityTerm::MayDiffer(fields) => self.line("may-differ").texts(fields.iter().map(|f| &**f)),
        };
    }

    fn outputs(&mut self, outputs: &[Output]) {
        let model = self.model;
        self.texts(outputs.iter().map(|o| &*model.fact(o.fact).name));
    }

    fn table(&mut self, table: &Table, mut take: impl FnMut(&str)) {
        self.line("table").text(&table.name).text(table.hit.as_str());
        self.conds("promise", &table.promise);
        for row in &table.rows {
            self.row(row);
            if self.text.len() > PIECE {
                take(&self.text);
                self.text.clear();
            }
        }
    }

    fn row(&mut self, row: &Row) {
        self.line("row").word(match row.kind {
            RowKind::Plain => "plain",
            RowKind::AnyUnknown => "any-unknown",
            RowKind::Otherwise => "otherwise",
        });
        self.optional(row.name.as_deref()).optional(row.reason.as_deref());
        self.conds("test", &row.conds);
        match &row.outcome {
            Outcome::Act(chain) => self.chain(chain),
            Outcome::See(table) => {
                let name = self.model.tables.get(table.0).map_or("", |t| &t.name);
                self.line("see").text(name);
            }
            Outcome::Values(values) => {
                self.line("values").number(values.len() as u64);
                for value in values {
                    self.value(value);
                }
            }
        }
    }

    /// Tests in the order of their facts' names: the order of columns is layout.
    fn conds(&mut self, word: &str, conds: &[Cond]) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        sorted.extend(conds.iter().enumerate().map(|(i, cond)| (self.ranks[cond.fact.0 as usize], i)));
        sorted.sort_unstable();
        for (_, i) in &sorted {
            self.line(word);
            self.cond(&conds[*i]);
        }
        self.sorted = sorted;
    }

    fn cond(&mut self, cond: &Cond) {
        let key = (cond.fact, Arc::as_ptr(&cond.set));
        if let Some(place) = self.printed.get(&key) {
            self.text.push_str(&self.sets[place.clone()]);
            return;
        }
        let (from, start) = (self.text.len(), self.sets.len());
        let fact = self.model.fact(cond.fact);
        self.text(&fact.name);
        self.set(fact, &cond.set);
        self.sets.push_str(&self.text[from..]);
        self.printed.insert(key, start..self.sets.len());
    }

    fn set(&mut self, fact: &Fact, set: &ValueSet) {
        self.word(if set.unknown { "unknown" } else { "known" });
        let points: Vec<&str> =
            fact.points.iter().enumerate().filter(|(i, _)| set.points >> i & 1 == 1).map(|(_, p)| &**p).collect();
        self.texts(points.into_iter());
        match (&set.values, &fact.ty) {
            (Values::Choice(_), Type::Choice { values, .. }) => {
                let held: Vec<&str> = set.choices().filter_map(|i| values.get(i)).map(|v| &**v).collect();
                self.texts(held.into_iter());
            }
            (Values::Number(ranges), _) => {
                self.number(ranges.len() as u64);
                ranges.iter().for_each(|(lo, hi)| {
                    self.number(*lo).number(*hi);
                });
            }
            (Values::Text(texts), _) => {
                for literal in texts.literals() {
                    self.word(if texts.contains(literal) { "is" } else { "is-not" }).text(literal);
                }
                for prefix in texts.prefixes() {
                    self.word(if texts.at_prefix(prefix) { "starts" } else { "starts-not" }).text(prefix);
                }
                self.word(if texts.holds_rest() { "rest" } else { "no-rest" });
            }
            (Values::Choice(_), _) => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Unknown => self.word("unknown"),
            Value::Point(i) => self.word("point").number(u64::from(*i)),
            Value::Choice(i) => self.word("choice").number(u64::from(*i)),
            Value::Number(n) => self.word("number").number(*n),
            Value::Text(text) => self.word("text").text(text),
        };
    }

    fn chain(&mut self, chain: &Chain) {
        chain.actions.iter().for_each(|action| self.action(action));
    }

    fn action(&mut self, action: &Action) {
        let model = self.model;
        self.line("act").word(action.verb().as_str());
        match action {
            Action::Review { queue: text } | Action::Stop { reason: text } | Action::Done { reason: text } => {
                self.optional(text.as_deref())
            }
            Action::Wait => self,
            Action::Reconcile { by, within_ms } => {
                match by {
                    By::Event => self.word("event"),
                    By::Locator(l) => self.word("by").text(model.locators.get(*l).map_or("", |l| &l.name)),
                };
                self.number(*within_ms)
            }
            Action::Retry { backoff, spend } => {
                let backoff = backoff.and_then(|b| model.backoffs.get(b)).map(|b| &*b.name);
                self.optional(backoff).number(*spend)
            }
            Action::Hedge { copies, after_ms } => self.number(*copies).number(*after_ms),
            Action::Failover { parity } => self.text(parity_name(model, *parity)),
        };
    }

    fn rules(&mut self) {
        let model = self.model;
        for rule in &model.rules {
            self.line("rule").text(&rule.name).word(if rule.only { "only" } else { "never" });
            self.word(if rule.unless { "unless" } else { "when" });
            for (verb, parity) in &rule.verbs {
                self.line("verb").word(verb.as_str());
                if *verb == Verb::Failover {
                    self.optional(parity.map(|p| parity_name(model, p)));
                }
            }
            self.conds("test", &rule.tests);
        }
        let rules = |what: &str| model.rules.iter().any(|r| &*r.name == what);
        for waiver in model.waivers.iter().filter(|w| rules(&w.what)) {
            self.line("waive").text(&waiver.what).text(&waiver.because);
            self.optional(waiver.owner.as_deref()).optional(waiver.until.as_deref());
            for (table, row) in &waiver.rows {
                let name = model.tables.get(table.0).map_or("", |t| &*t.name);
                self.line("for").text(name).number(*row as u64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another edition of the language may mean other things by the same words.
    #[test]
    fn the_edition_stands_first() {
        let model = Model { name: "a".into(), version: "1".into(), ..Model::default() };
        let mut text = String::new();
        canonical(&model, |piece| text.push_str(piece));
        assert_eq!(text, "edition 6:nisi 1\npolicy 1:a 1:1");
    }
}
