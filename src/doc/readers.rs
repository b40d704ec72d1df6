//! Who reads which fact: tables, derives, classifies, guards, rules and examples.
//!
//! A shipped derive that nothing reads reads nothing: so a policy that uses a large vocabulary is told with the facts that matter to
//! it.

use std::collections::BTreeSet;

use crate::model::{Cond, FactId, FactSource, Model, Row, StdFacts};
use crate::words::Verb;

use super::acts::{self, table_id};
use super::tables::{Told, fact_id};
use super::tree::{Line, code, commas, link, n, text, way};
use super::written::Home;

/// The readers of each fact of a model, by place.
pub(super) struct Readers<'a> {
    model: &'a Model,
    of: Vec<Of>,
}

/// The readers of one fact.
#[derive(Debug, Clone, Default)]
struct Of {
    /// Tables, derives and classifies, each as where it is told.
    tables: Vec<(String, String)>,
    /// Guards of these verbs.
    guards: BTreeSet<Verb>,
    n_rules: usize,
    /// Whether examples set it, or a classify gives it.
    is_set: bool,
}

impl Of {
    fn is_read(&self) -> bool {
        !self.tables.is_empty() || !self.guards.is_empty() || self.n_rules > 0 || self.is_set
    }
}

impl<'a> Readers<'a> {
    pub(super) fn of(told: Told<'a>) -> Self {
        let model = told.model;
        let mut readers = Readers { model, of: vec![Of::default(); model.facts.len()] };
        for table in &model.tables {
            let tests = table.promise.iter().chain(table.rows.iter().flat_map(|row| &row.conds));
            readers.read(tests, &table_id(&table.name), &table.name);
        }
        for classify in &model.classifies {
            let name = &*classify.table.name;
            readers.read(tests(&classify.table.rows), &format!("classify:{name}"), name);
            for output in &classify.outputs {
                readers.at(output.fact).is_set = true;
            }
        }
        for rule in &model.rules {
            let facts: BTreeSet<FactId> = rule.tests.iter().map(|test| test.fact).collect();
            for fact in facts {
                readers.at(fact).n_rules += 1;
            }
        }
        for verb in acts::verbs(model) {
            for fact in asked(verb, &model.std).into_iter().flatten() {
                readers.at(fact).guards.insert(verb);
            }
        }
        for example in model.examples.iter().flat_map(|examples| &examples.rows) {
            for (fact, _) in &example.facts {
                readers.at(*fact).is_set = true;
            }
        }
        readers.parities();
        readers.derives(told);
        readers
    }

    /// The facts of parities are read by the guards of failovers.
    fn parities(&mut self) {
        for (place, fact) in self.model.facts.values().enumerate() {
            if matches!(fact.source, FactSource::Parity(_)) {
                self.of[place].guards.insert(Verb::Failover);
            }
        }
    }

    /// What derives read, each before those that it needs; one of a shipped vocabulary only where it is read itself.
    fn derives(&mut self, told: Told) {
        for derive in self.model.derives.iter().rev() {
            let is_std = matches!(told.written.home(derive.table.span), Home::Std(_));
            if !is_std || derive.outputs.iter().any(|output| self.is_read(output.fact)) {
                let name = &*derive.table.name;
                let id = match derive.outputs.as_slice() {
                    [_] => fact_id(name),
                    _ => format!("derive:{name}"),
                };
                self.read(tests(&derive.table.rows), &id, name);
            }
        }
    }

    fn at(&mut self, fact: FactId) -> &mut Of {
        &mut self.of[fact.0 as usize]
    }

    fn read<'t>(&mut self, tests: impl Iterator<Item = &'t Cond>, id: &str, name: &str) {
        let facts: BTreeSet<FactId> = tests.map(|test| test.fact).collect();
        for fact in facts {
            self.at(fact).tables.push((id.to_string(), name.to_string()));
        }
    }

    /// Whether anything speaks of a fact.
    pub(super) fn is_read(&self, fact: FactId) -> bool {
        self.of.get(fact.0 as usize).is_some_and(Of::is_read)
    }

    /// Who reads a fact, in words.
    pub(super) fn told(&self, fact: FactId) -> Line {
        let Some(of) = self.of.get(fact.0 as usize).filter(|of| of.is_read()) else {
            return vec![text("Nothing reads it.")];
        };
        let mut parts: Vec<Line> = Vec::new();
        if !of.tables.is_empty() {
            parts.push(commas(of.tables.iter().map(|(id, name)| link(id.clone(), name.clone()))));
        }
        if !of.guards.is_empty() {
            let mut line = vec![text("the guards of ")];
            line.extend(commas(of.guards.iter().map(|verb| code(verb.as_str()))));
            parts.push(line);
        }
        if of.n_rules > 0 {
            parts.push(vec![way("rules", n(of.n_rules, "rule", "rules"))]);
        }
        if parts.is_empty() {
            return vec![text("Nothing asks for it; it is only set.")];
        }
        let mut line = vec![text("Read by ")];
        line.extend(super::tables::join(parts, "; "));
        line.push(text("."));
        line
    }
}

fn tests(rows: &[Row]) -> impl Iterator<Item = &Cond> {
    rows.iter().flat_map(|row| &row.conds)
}

/// What the guard and the wait of a verb read.
fn asked(verb: Verb, std: &StdFacts) -> Vec<Option<FactId>> {
    let acts = [std.budget, std.deadline, std.pushback, std.authorization];
    let own: &[Option<FactId>] = match verb {
        Verb::Retry => &[std.effect, std.tools, std.hint, std.attempt],
        Verb::Hedge => &[std.effect, std.tools],
        Verb::Failover => &[std.boundary],
        _ => return Vec::new(),
    };
    acts.iter().chain(own).copied().collect()
}
