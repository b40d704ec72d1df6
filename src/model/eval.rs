//! The plain evaluator: rows one by one, as the language page says it. Slow and obvious; every faster path is held
//! to it.
//!
//! It takes a value for every fact, by [`FactId`]; values of derived facts are not read but worked out. Facts that a
//! derive does not answer (only possible where the proofs were left out) give `unknown`.

use crate::syntax::tree::{Hit, RowKind};

use super::{
    Answer, Cond, End, FactId, FactSource, Model, Outcome, Path, Row, Table, TableId, Type, Value, ValueSet, Values,
};

/// Asks a table, following `see`.
pub fn answer(model: &Model, table: TableId, values: &[Value]) -> Answer {
    let (mut path, mut at) = (Path::default(), table);
    // Lowering refuses circles of `see`, so every table is passed once at most.
    for _ in 0..=model.tables.len() {
        let Some(row) = matching_row(model, &model.tables[at.0], values) else {
            return Answer { path, end: End::Gap(at) };
        };
        path.push(at, row);
        match model.tables[at.0].rows[row].outcome {
            Outcome::See(next) => {
                if !model.tables[next.0].promise.iter().all(|c| holds(model, c, values)) {
                    return Answer { path, end: End::BrokenPromise(next) };
                }
                at = next;
            }
            _ => break,
        }
    }
    Answer { path, end: End::Row }
}

/// The value of a fact, a derived one included.
pub fn value_of(model: &Model, fact: FactId, values: &[Value]) -> Value {
    match model.fact(fact).source {
        FactSource::Derived { derive, output } => {
            let table = &model.derives[derive].table;
            match matching_row(model, table, values).map(|row| &table.rows[row].outcome) {
                Some(Outcome::Values(outputs)) => outputs.get(output).cloned().unwrap_or_default(),
                _ => Value::Unknown,
            }
        }
        _ => values.get(fact.0 as usize).cloned().unwrap_or_default(),
    }
}

/// Whether a test holds.
pub fn holds(model: &Model, cond: &Cond, values: &[Value]) -> bool {
    cond.set.admits(&value_of(model, cond.fact, values))
}

/// The row that a table takes.
pub fn matching_row(model: &Model, table: &Table, values: &[Value]) -> Option<usize> {
    let order = resolution_order(table);
    order.into_iter().find(|&i| {
        let row = &table.rows[i];
        match row.kind {
            RowKind::Plain => row.conds.iter().all(|c| holds(model, c, values)),
            RowKind::AnyUnknown => {
                table.rows.iter().filter(|r| r.kind == RowKind::Plain).any(|r| could_match(model, r, values))
            }
            RowKind::Otherwise => true,
        }
    })
}

/// The order in which a table's rows are asked: file order, or by the hit policy; the fixed rows stay last.
pub fn resolution_order(table: &Table) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.rows.len()).collect();
    let outcome = |i: usize| &table.rows[i].outcome;
    match table.hit {
        Hit::First | Hit::AtMostOne | Hit::Agree => {}
        Hit::MostCautious => order.sort_by_key(|&i| match outcome(i) {
            Outcome::Act(chain) => (table.rows[i].kind, chain.actions.first().map(super::Action::verb)),
            _ => (table.rows[i].kind, None),
        }),
        Hit::Highest | Hit::Lowest => {
            let value = |i: usize| match outcome(i) {
                Outcome::Values(values) => values.first().cloned().unwrap_or_default(),
                _ => Value::Unknown,
            };
            if table.hit == Hit::Highest {
                order.sort_by(|&a, &b| table.rows[a].kind.cmp(&table.rows[b].kind).then(value(b).cmp(&value(a))));
            } else {
                order.sort_by(|&a, &b| table.rows[a].kind.cmp(&table.rows[b].kind).then(value(a).cmp(&value(b))));
            }
        }
    }
    order
}

/// Whether a row would match if some of the facts that are unknown had other values.
fn could_match(model: &Model, row: &Row, values: &[Value]) -> bool {
    let mut open = Vec::new();
    row.conds.iter().for_each(|c| callers_facts(model, c.fact, &mut open));
    open.retain(|f| values.get(f.0 as usize).is_none_or(|v| *v == Value::Unknown));
    let direct = |fact: FactId, value: &Value| row.conds.iter().all(|c| c.fact != fact || c.set.admits(value));
    let choices: Vec<(FactId, Vec<Value>)> = open
        .into_iter()
        .map(|fact| {
            let mut tried = representatives(model, fact);
            tried.retain(|v| direct(fact, v));
            (fact, tried)
        })
        .collect();
    let mut values = values.to_vec();
    values.resize(model.facts.len(), Value::Unknown);
    try_values(model, row, &choices, &mut values)
}

fn try_values(model: &Model, row: &Row, open: &[(FactId, Vec<Value>)], values: &mut Vec<Value>) -> bool {
    let Some(((fact, tried), rest)) = open.split_first() else {
        return row.conds.iter().all(|c| holds(model, c, values));
    };
    tried.iter().any(|value| {
        values[fact.0 as usize] = value.clone();
        let found = try_values(model, row, rest, values);
        values[fact.0 as usize] = Value::Unknown;
        found
    })
}

/// The caller's facts that a fact comes from, itself if it is one; in order of first mention, each once.
pub fn callers_facts(model: &Model, fact: FactId, into: &mut Vec<FactId>) {
    let FactSource::Derived { derive, .. } = model.fact(fact).source else {
        if !into.contains(&fact) {
            into.push(fact);
        }
        return;
    };
    for row in &model.derives[derive].table.rows {
        row.conds.iter().for_each(|c| callers_facts(model, c.fact, into));
    }
}

/// Values of a caller's fact such that every set of the model that speaks of it holds, or holds not, each value
/// that it can take alike with one of these.
pub fn representatives(model: &Model, fact: FactId) -> Vec<Value> {
    let declared = model.fact(fact);
    let mut values = vec![Value::Unknown];
    values.extend((0..declared.points.len()).map(|i| Value::Point(i as u16)));
    match &declared.ty {
        Type::Choice { values: choices, .. } => values.extend((0..choices.len()).map(|i| Value::Choice(i as u16))),
        Type::Number(ty) => {
            let mut starts = vec![ty.lo];
            for (lo, hi) in sets_of(model, fact)
                .filter_map(|s| if let Values::Number(r) = &s.values { Some(r) } else { None })
                .flatten()
            {
                starts.extend([*lo, hi + ty.step]);
            }
            starts.retain(|n| ty.holds(*n));
            starts.sort_unstable();
            starts.dedup();
            values.extend(starts.into_iter().map(Value::Number));
        }
        Type::Text => {
            let sets: Vec<_> = sets_of(model, fact)
                .filter_map(|s| if let Values::Text(t) = &s.values { Some(t) } else { None })
                .collect();
            let literals: Vec<&str> = sets.iter().flat_map(|s| s.literals()).collect();
            let starts = sets.iter().flat_map(|s| s.prefixes()).chain([""]);
            values.extend(literals.iter().map(|l| Value::Text((*l).into())));
            values.extend(starts.map(|p| Value::Text(beside(p, &literals).into())));
        }
    }
    values
}

/// A text that begins so and is none of the literals (nor begins with a longer prefix made of ordinary letters).
fn beside(prefix: &str, literals: &[&str]) -> String {
    let mut text = format!("{prefix}\u{b7}");
    while literals.contains(&text.as_str()) {
        text.push('\u{b7}');
    }
    text
}

fn sets_of(model: &Model, fact: FactId) -> impl Iterator<Item = &ValueSet> {
    let tables = model
        .tables
        .iter()
        .chain(model.derives.iter().map(|d| &d.table))
        .chain(model.classifies.iter().map(|c| &c.table));
    tables
        .flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)))
        .chain(model.rules.iter().flat_map(|r| &r.tests))
        .filter(move |c| c.fact == fact)
        .map(|c| &*c.set)
}
