//! `expect` and `not` of a case: every name is looked up in the policy, and what cannot be is told with the nearest that
//! can.

use std::collections::BTreeSet;

use crate::decide::Policy;
use crate::diag::nearest;
use crate::model::{ActionReader, RowError, TableId};
use crate::words::{Verb, parse_duration};

use super::case::{Act, At, Expect, Not};
use super::compare::WORLD;
use super::error::{Place, clipped};
use super::keys::Told;
use super::yaml::Node;

/// Reads what is expected of one policy.
pub(super) struct Reader<'p> {
    policy: &'p Policy,
    actions: ActionReader,
}

impl<'p> Reader<'p> {
    pub(super) fn new(policy: &'p Policy) -> Self {
        Reader { policy, actions: ActionReader::new(policy.model()) }
    }

    pub(super) fn expect(&mut self, node: &Node, asked: TableId, told: &mut Told) -> Expect {
        let mut expect = Expect::default();
        for entry in told.known(node, "`expect`", &["action", "row", "path", "wait", "refused"]) {
            let value = &entry.value;
            told.under(&entry.key, |told| match entry.key.as_str() {
                "action" => expect.actions = self.actions(value, told),
                "row" => expect.rows = self.rows(value, asked, told),
                "path" => expect.path = Some(self.rows(value, asked, told)),
                "wait" => expect.wait_ms = wait(value, told),
                _ => expect.refused = Some(self.refusals(value, told)),
            });
        }
        expect
    }

    pub(super) fn not(&mut self, node: &Node, asked: TableId, told: &mut Told) -> Not {
        let mut not = Not::default();
        for entry in told.known(node, "`not`", &["action", "row", "path", "refused"]) {
            let value = &entry.value;
            told.under(&entry.key, |told| match entry.key.as_str() {
                "action" => not.actions = self.actions(value, told),
                "row" => not.rows = self.rows(value, asked, told),
                "path" => not.path = self.rows(value, asked, told),
                _ => {
                    let verbs = told.texts(value, "a verb such as `retry`");
                    not.refused = verbs.into_iter().filter_map(|(word, at)| verb(word, at, told)).collect();
                }
            });
        }
        not
    }

    /// A verb, or a whole action as a cell would say it; or a list of them.
    fn actions(&mut self, node: &Node, told: &mut Told) -> Vec<Act> {
        let mut acts = Vec::new();
        for (text, at) in told.texts(node, "an action") {
            match self.actions.read(text) {
                Ok((verb, whole)) => acts.push(whole.map_or(Act::Verb(verb), Act::Whole)),
                Err(finding) => told.error(at, finding.message, finding.help),
            }
        }
        acts
    }

    fn rows(&self, node: &Node, asked: TableId, told: &mut Told) -> Vec<At> {
        let texts = told.texts(node, "a row such as `recovery/stale`");
        texts.into_iter().filter_map(|(text, at)| self.row(text, asked, at, told)).collect()
    }

    fn row(&self, text: &str, asked: TableId, at: Place, told: &mut Told) -> Option<At> {
        let model = self.policy.model();
        let name = |table: TableId| model.tables.get(table.0).map_or("", |t| &*t.name);
        let near = |near: Option<String>| near.map(|near| format!("did you mean `{near}`?"));
        match model.find_row(asked, text) {
            Ok(found) => return Some(found),
            Err(RowError::NoTable) => {
                let wrong = text.split('/').next().unwrap_or_default();
                let found = nearest(wrong, model.tables.iter().map(|t| &*t.name)).map(ToString::to_string);
                told.error(at, format!("there is no table `{}`", clipped(wrong)), near(found));
            }
            Err(RowError::NoRow(table)) => {
                let parts = text.split_once('/').filter(|(table, _)| model.table_id(table).is_some());
                let (prefix, wrong) = parts.map_or(("", text), |(_, row)| (name(table), row));
                let found = model.tables.get(table.0).and_then(|t| Some((t, t.nearest_row(wrong)?)));
                let found = found.map(|(t, row)| t.rows[row].label(row));
                let found = found.map(|row| if prefix.is_empty() { row } else { format!("{prefix}/{row}") });
                told.error(at, format!("table `{}` has no row `{}`", name(table), clipped(wrong)), near(found));
            }
            Err(RowError::Ambiguous([first, second])) => {
                let (first, second) = (name(first), name(second));
                let help = format!("write `{first}/{text}` or `{second}/{text}`");
                told.error(at, format!("tables `{first}` and `{second}` both have a row `{text}`"), Some(help));
            }
        }
        None
    }

    /// A map from a verb to what refuses it: names of facts, `world`.
    fn refusals(&self, node: &Node, told: &mut Told) -> BTreeSet<(Verb, String)> {
        let mut all = BTreeSet::new();
        let help = "write what refuses each verb, such as `{ retry: [budget, deadline] }`; nothing refused is `{}`";
        for entry in told.entries(node, "`refused`", help) {
            let Some(verb) = verb(&entry.key, entry.at, told) else { continue };
            told.under(&entry.key, |told| {
                let names = told.texts(&entry.value, "the name of a fact, or `world`");
                for (name, at) in names {
                    match self.refuser(name) {
                        Ok(name) => drop(all.insert((verb, name.to_string()))),
                        Err(near) => {
                            let help = near.map_or_else(
                                || "a guard asks facts of `std.facts`; what the world refuses is `world`".to_string(),
                                |near| format!("did you mean `{near}`?"),
                            );
                            told.error(at, format!("`{}` refuses no action", clipped(name)), Some(help));
                        }
                    }
                }
            });
        }
        all
    }

    /// The name of what a guard asks, or the nearest one.
    fn refuser<'n>(&self, name: &'n str) -> Result<&'n str, Option<String>> {
        let parities = self.policy.model().parities.iter().map(|p| format!("parity.{}", p.name));
        let facts = ["budget", "deadline", "pushback", "hint", "effect", "tools", "authorization", "boundary", WORLD];
        let all: Vec<String> = facts.into_iter().map(String::from).chain(parities).collect();
        if all.iter().any(|known| known == name) {
            return Ok(name);
        }
        Err(nearest(name, all.iter().map(String::as_str)).map(ToString::to_string))
    }
}

/// A verb that can be refused.
fn verb(word: &str, at: Place, told: &mut Told) -> Option<Verb> {
    let can = || Verb::ALL.into_iter().filter(|v| v.can_be_refused());
    let found = Verb::from_word(word).filter(|v| v.can_be_refused());
    if found.is_none() {
        let help = match nearest(word, can().map(Verb::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("what can be refused is {}", can().map(|v| format!("`{v}`")).collect::<Vec<_>>().join(", "))
            }
        };
        told.error(at, format!("`{}` is no action that can be refused", clipped(word)), Some(help));
    }
    found
}

/// `200ms..600ms`, or `200ms` where both ends are the same.
fn wait(node: &Node, told: &mut Told) -> Option<(u64, u64)> {
    let text = told.text(node, "a wait such as `200ms..600ms`")?;
    let (lo, hi) = text.split_once("..").unwrap_or((text, text));
    let mut end = |text: &str| match parse_duration(text.trim()) {
        Ok(ms) => Some(ms),
        Err(error) => {
            told.error(node.at, error.message, error.help);
            None
        }
    };
    let (lo, hi) = (end(lo)?, end(hi)?);
    if lo > hi {
        let help = format!("write `{}`", super::compare::bounds((hi, lo)));
        told.error(node.at, format!("`{text}` runs backwards"), Some(help));
        return None;
    }
    Some((lo, hi))
}
