//! A comparison as JSON, for programs.

use serde::Serialize;

use super::Shown;
use crate::cli::render::json::{facts, to_json};
use crate::compare::{Answer, Change, Compared};
use crate::diag::{Witness, WitnessValue};

#[derive(Serialize)]
struct Json<'a> {
    old: Policy<'a>,
    new: Policy<'a>,
    /// Whether it is proven that neither a decision nor the budget changes.
    same: bool,
    /// Whether everything was decided.
    complete: bool,
    changes: Vec<JsonChange<'a>>,
    budget: Vec<Budget<'a>>,
    facts: Vec<Fact<'a>>,
    notes: &'a [String],
    undecided: &'a [String],
}

#[derive(Serialize)]
struct Policy<'a> {
    file: &'a str,
    #[serde(rename = "policy")]
    name: &'a str,
    version: &'a str,
    digest: &'a str,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    mark: &'a str,
    /// Whether the region is every point at which the old policy answers so.
    everywhere: bool,
    /// Whether the cells only enclose the region: it is where the rows named answer so.
    by_rows: bool,
    facts: serde_json::Map<String, serde_json::Value>,
    refused: Vec<&'a str>,
    not_refused: Vec<&'a str>,
    old: JsonAnswer<'a>,
    new: JsonAnswer<'a>,
    details: &'a [String],
    notes: &'a [String],
    witness: JsonWitness<'a>,
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    action: &'a str,
    text: &'a str,
    rows: &'a [String],
}

#[derive(Serialize)]
struct JsonWitness<'a> {
    old: Point<'a>,
    new: Point<'a>,
    stands: bool,
}

#[derive(Serialize)]
struct Point<'a> {
    #[serde(serialize_with = "facts")]
    facts: &'a [(String, WitnessValue)],
    refuse: &'a [String],
}

#[derive(Serialize)]
struct Budget<'a> {
    entry: &'a str,
    old: Option<&'a str>,
    new: Option<&'a str>,
    mark: &'a str,
}

#[derive(Serialize)]
struct Fact<'a> {
    #[serde(rename = "fact")]
    name: &'a str,
    change: &'a str,
    compared: &'a str,
}

impl Shown<'_> {
    /// As one JSON object: every region, whatever is shown to people.
    pub(in crate::cli) fn json(&self) -> String {
        let found = self.found;
        let json = Json {
            old: policy(&found.old, &self.paths[0]),
            new: policy(&found.new, &self.paths[1]),
            same: found.is_same(),
            complete: found.undecided.is_empty(),
            changes: found.changes.iter().map(change).collect(),
            budget: found
                .budget
                .iter()
                .map(|b| Budget {
                    entry: &b.entry,
                    old: b.old.as_deref(),
                    new: b.new.as_deref(),
                    mark: b.mark.as_str(),
                })
                .collect(),
            facts: found
                .facts
                .iter()
                .map(|f| Fact { name: &f.name, change: f.kind.as_str(), compared: &f.compared })
                .collect(),
            notes: &found.notes,
            undecided: &found.undecided,
        };
        let mut text = to_json(&json);
        text.push('\n');
        text
    }
}

fn policy<'a>(compared: &'a Compared, file: &'a str) -> Policy<'a> {
    Policy { file, name: &compared.name, version: &compared.version, digest: &compared.digest }
}

fn change(change: &Change) -> JsonChange<'_> {
    let verdicts = |refused: bool| {
        let all = change.verdicts.iter().filter(move |v| v.refused == refused);
        all.map(|v| v.action.as_str()).collect()
    };
    JsonChange {
        mark: change.mark.as_str(),
        everywhere: change.everywhere,
        by_rows: change.by_rows,
        facts: change.cells.iter().map(|c| (c.fact.clone(), c.cell.clone().into())).collect(),
        refused: verdicts(true),
        not_refused: verdicts(false),
        old: json_answer(&change.old),
        new: json_answer(&change.new),
        details: &change.details,
        notes: &change.notes,
        witness: JsonWitness {
            old: point(&change.witness.old),
            new: point(&change.witness.new),
            stands: change.witness.stands,
        },
    }
}

fn json_answer(answer: &Answer) -> JsonAnswer<'_> {
    JsonAnswer { action: answer.verb.as_str(), text: &answer.action, rows: &answer.rows }
}

fn point(witness: &Witness) -> Point<'_> {
    Point { facts: &witness.facts, refuse: &witness.refuse }
}
