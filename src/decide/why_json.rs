//! The way of a decision as JSON: the same findings as the text, whole.

use serde_json::{Map, Value as Json, json};

use crate::model::{Model, TableId, show_action};

use super::explain::{Asking, Derivation, Failed, Nearest, Seen, Verdict, Why};
use super::json_out::{refusal, value_json};

impl Why<'_> {
    /// The way as JSON: `decision`, `guard` (each action with what refused it), `tables`, `nearest`.
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let facts = policy.no_facts();
    /// assert_eq!(policy.decide(&facts).why().to_json()["tables"][0]["taken"], "#1");
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn to_json(&self) -> Json {
        let model = self.decision.policy().model();
        let mut out = Map::new();
        out.insert("decision".into(), self.decision.to_json(None));
        let verdicts: Vec<Json> = self.verdicts.iter().map(|v| verdict(model, v)).collect();
        out.insert("guard".into(), verdicts.into());
        let tables: Vec<Json> = self.tables.iter().map(|t| asking(model, t)).collect();
        out.insert("tables".into(), tables.into());
        if let Some(near) = &self.nearest {
            out.insert("nearest".into(), nearest(model, near));
        }
        Json::Object(out)
    }
}

fn verdict(model: &Model, verdict: &Verdict) -> Json {
    let refused: Vec<Json> = verdict.refusals.iter().map(refusal).collect();
    json!({ "action": show_action(model, verdict.action), "refused": refused })
}

fn asking(model: &Model, asking: &Asking) -> Json {
    let mut out = Map::new();
    out.insert("table".into(), table_name(model, asking.table).into());
    let passed = asking.passed.iter().map(|p| {
        let mut row = Map::new();
        row.insert("row".into(), row_name(model, asking.table, p.row).into());
        if let Some(f) = &p.failed {
            row.insert("failed".into(), failed(model, f));
        }
        Json::Object(row)
    });
    out.insert("passed".into(), passed.collect::<Vec<_>>().into());
    if let Some(row) = asking.taken {
        out.insert("taken".into(), row_name(model, asking.table, row).into());
    }
    if let Some(broken) = &asking.broken {
        out.insert("broken_promise".into(), failed(model, broken));
    }
    if asking.outweighed {
        out.insert("outweighed".into(), true.into());
    }
    Json::Object(out)
}

fn nearest(model: &Model, near: &Nearest) -> Json {
    let mut out = Map::new();
    out.insert("table".into(), table_name(model, near.table).into());
    out.insert("row".into(), row_name(model, near.table, near.row).into());
    out.insert("action".into(), show_action(model, near.action).into());
    out.insert("needs".into(), near.needs.iter().map(|f| failed(model, f)).collect::<Vec<_>>().into());
    if !near.before.is_empty() {
        let name = |(t, r): &(TableId, usize)| format!("{}/{}", table_name(model, *t), row_name(model, *t, *r));
        out.insert("before".into(), near.before.iter().map(name).collect::<Vec<_>>().into());
    }
    out.insert("refused".into(), near.refusals.iter().map(refusal).collect::<Vec<_>>().into());
    Json::Object(out)
}

fn failed(model: &Model, failed: &Failed) -> Json {
    let mut out = seen(model, &failed.seen);
    if let Json::Object(map) = &mut out {
        map.insert("need".into(), failed.need.as_str().into());
    }
    out
}

fn seen(model: &Model, seen: &Seen) -> Json {
    let mut out = Map::new();
    let fact = model.fact(seen.fact);
    out.insert("fact".into(), (*fact.name).into());
    out.insert("have".into(), value_json(fact, &seen.value));
    if let Some(derived) = &seen.derived {
        out.insert("derived".into(), derivation(model, derived));
    }
    Json::Object(out)
}

fn derivation(model: &Model, derivation: &Derivation) -> Json {
    let mut out = Map::new();
    let table = model.derives.get(derivation.derive).map(|d| &d.table);
    let row = derivation.row.and_then(|r| table?.rows.get(r).map(|row| row.label(r)));
    out.insert("row".into(), row.map_or(Json::Null, Json::from));
    out.insert("from".into(), derivation.from.iter().map(|s| seen(model, s)).collect::<Vec<_>>().into());
    Json::Object(out)
}

fn table_name(model: &Model, table: TableId) -> &str {
    model.tables.get(table.0).map_or("", |t| &t.name)
}

fn row_name(model: &Model, table: TableId, row: usize) -> String {
    model.tables.get(table.0).and_then(|t| t.rows.get(row)).map_or_else(String::new, |r| r.label(row))
}
