//! Decisions as JSON, in the format that programs rely on.

use serde_json::{Map, Value as Json, json};

use crate::model::{Action, Fact, Model, NumberKind, Type, Value, parity_name, show_by, show_number};

use super::decision::Decision;
use super::facts::Facts;
use super::guard::{Refusal, RefusedBy};
use super::value::FactValue;

impl Decision<'_> {
    /// The decision as JSON, in the format that programs rely on; `draw`, a number drawn evenly from all numbers of 64
    /// bits, gives a retry its `wait_ms`. A gap is `"gap": true` beside the action `review`.
    ///
    /// ```
    /// let text = "policy a\nversion 1\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let facts = policy.no_facts();
    /// let json = policy.decide(&facts).to_json(Some(7));
    /// assert_eq!((&json["action"], &json["row"]), (&"stop".into(), &"#1".into()));
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn to_json(&self, draw: Option<u64>) -> Json {
        let model = self.policy().head();
        let mut out = Map::new();
        out.insert("action".into(), self.verb().as_str().into());
        if self.is_gap() || self.is_foreign() {
            out.insert("gap".into(), true.into());
        }
        self.carried(model, draw, &mut out);
        if let Some(guard) = self.guard() {
            let refused: Vec<Json> = guard.refusals().map(|r| refusal(&r)).collect();
            out.insert("guard".into(), json!({ "wanted": guard.wanted().as_str(), "refused": refused }));
        }
        if let Some(row) = self.row() {
            out.insert("table".into(), row.table().into());
            out.insert("row".into(), row.label().into());
        }
        out.insert("path".into(), self.path().map(|row| row.to_string()).collect::<Vec<_>>().into());
        out.insert("policy".into(), self.policy().name().into());
        if !self.policy().version().is_empty() {
            out.insert("version".into(), self.policy().version().into());
        }
        out.insert("digest".into(), self.policy().digest().into());
        if let Some(because) = self.because() {
            out.insert("because".into(), because.into());
        }
        Json::Object(out)
    }

    /// What the action carries.
    fn carried(&self, model: &Model, draw: Option<u64>, out: &mut Map<String, Json>) {
        let mut put = |key: &str, value: Json| out.insert(key.into(), value);
        match self.action() {
            Action::Review { queue } => {
                if let Some(queue) = queue {
                    put("queue", (**queue).into());
                }
            }
            Action::Stop { reason } | Action::Done { reason } => {
                if let Some(reason) = reason {
                    put("reason", (**reason).into());
                }
            }
            Action::Wait => {}
            Action::Reconcile { by, within_ms } => {
                put("by", show_by(model, *by).into());
                put("within_ms", (*within_ms).into());
            }
            Action::Retry { spend, .. } => {
                if let Some(wait) = draw.and_then(|draw| self.wait(draw)) {
                    put("wait_ms", wait.into());
                }
                if let Some((lo, hi)) = self.wait_bounds_ms() {
                    put("wait_bounds_ms", json!([lo, hi]));
                }
                put("spend", (*spend).into());
            }
            Action::Hedge { copies, after_ms } => {
                put("copies", (*copies).into());
                put("after_ms", (*after_ms).into());
            }
            Action::Failover { parity } => {
                put("parity", parity_name(model, *parity).into());
            }
        }
    }
}

impl Facts {
    /// What is known as a JSON map, as facts come in: `nisi why --facts` takes it as it is.
    ///
    /// ```
    /// use nisi::decide::StandardFacts;
    /// let text = "policy a\nversion 1\nuse std.facts\ntable t, first row wins\n| => action |\n| stop |\n";
    /// let policy = nisi::Policy::compile(text)?;
    /// let facts = policy.facts(&StandardFacts { budget: Some(2), ..StandardFacts::default() });
    /// assert_eq!(facts.to_json().to_string(), r#"{"budget":2}"#);
    /// # Ok::<(), nisi::Diagnostics>(())
    /// ```
    pub fn to_json(&self) -> Json {
        self.known().map(|(name, value)| (name.to_string(), value.to_json())).collect::<Map<_, _>>().into()
    }
}

impl FactValue<'_> {
    /// The value as facts come in: unknown is `null`, a duration a number of milliseconds, a decimal its digits as a
    /// text.
    pub fn to_json(&self) -> Json {
        self.fact.map_or(Json::Null, |fact| value_json(fact, self.value))
    }
}

pub(super) fn refusal(refusal: &Refusal) -> Json {
    match refusal.by {
        RefusedBy::Fact { name, have, need } => {
            json!({ "action": refusal.verb.as_str(), "fact": name, "have": have.to_json(), "need": need.to_string() })
        }
        RefusedBy::World(world) => json!({ "action": refusal.verb.as_str(), "world": world.as_str() }),
    }
}

/// A value as facts come in: unknown is `null`, a duration a number of milliseconds, a decimal its digits as a text.
pub(super) fn value_json(fact: &Fact, value: &Value) -> Json {
    match (value, &fact.ty) {
        (Value::Point(i), _) => fact.points.get(usize::from(*i)).map_or(Json::Null, |p| (**p).into()),
        (Value::Choice(i), Type::Choice { values, .. }) => {
            values.get(usize::from(*i)).map_or(Json::Null, |v| (**v).into())
        }
        (Value::Number(n), Type::Number(ty)) => match (ty.kind, i64::try_from(*n)) {
            (NumberKind::Count | NumberKind::Integer | NumberKind::Duration, Ok(n)) => n.into(),
            _ => show_number(ty.kind, *n).into(),
        },
        (Value::Text(text), _) => (**text).into(),
        _ => Json::Null,
    }
}
