//! Models made by hand, for tests of the rooms that read them.

use std::sync::Arc;

use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;

use super::{
    Action, Chain, Cond, Derive, Fact, FactId, FactSource, Model, NumberKind, Outcome, Output, Row, StdFacts, Table,
    TableId, Type, Value, ValueSet,
};

/// Adds a fact.
pub(crate) fn fact(model: &mut Model, name: &str, ty: Type, points: &[&str], source: FactSource) -> FactId {
    let points = points.iter().map(|p| (*p).into()).collect();
    let fact = Fact { name: name.into(), ty, points, source, span: Span::default() };
    let (place, _) = model.facts.insert_full(name.into(), fact);
    model.std = StdFacts::find(&model.facts);
    FactId(place as u32)
}

/// A choice of words; `yes no` is a flag.
pub(crate) fn choice(words: &str) -> Type {
    let values: Vec<Box<str>> = words.split(' ').map(Into::into).collect();
    Type::Choice { flag: words == "yes no", values, ordered: false }
}

/// A number with its whole domain.
pub(crate) fn number(kind: NumberKind) -> Type {
    Type::Number(kind.whole())
}

/// A caller's choice.
pub(crate) fn choice_fact(model: &mut Model, name: &str, words: &str) -> FactId {
    fact(model, name, choice(words), &[], FactSource::Caller)
}

/// The set of some values of a fact by their words: `unknown` and `known` too.
pub(crate) fn set(model: &Model, fact: FactId, words: &str) -> ValueSet {
    let declared = model.fact(fact);
    words.split(' ').fold(ValueSet::none(declared), |set, word| {
        let one = match word {
            "unknown" => ValueSet::only_unknown(declared),
            "known" => ValueSet::known(declared),
            word => ValueSet::one(declared, &declared.named_value(word).unwrap()),
        };
        set.or(&one, declared)
    })
}

/// A test.
pub(crate) fn cond(fact: FactId, set: ValueSet) -> Cond {
    Cond { fact, set: Arc::new(set), span: Span::default() }
}

/// A row.
pub(crate) fn row(name: &str, kind: RowKind, conds: Vec<Cond>, outcome: Outcome) -> Row {
    let name = (!name.is_empty()).then(|| name.into());
    Row { name, kind, conds, outcome, reason: None, span: Span::default() }
}

/// A chain that ends, where it can be refused, in `review`.
pub(crate) fn act(actions: Vec<Action>) -> Outcome {
    let (stated, mut actions) = (actions.len(), actions);
    if actions.last().is_none_or(|a| a.verb().can_be_refused()) {
        actions.push(Action::Review { queue: None });
    }
    Outcome::Act(Arc::new(Chain { actions: actions.into(), stated, span: Span::default() }))
}

/// A table.
pub(crate) fn table(name: &str, hit: Hit, promise: Vec<Cond>, rows: Vec<Row>) -> Table {
    Table {
        name: name.into(),
        hit,
        hit_span: Span::default(),
        promise,
        columns: Vec::new(),
        rows,
        damaged: false,
        span: Span::default(),
    }
}

/// Adds a derive of one choice.
pub(crate) fn derive(model: &mut Model, name: &str, words: &str, rows: Vec<(RowKind, Vec<Cond>, Value)>) -> FactId {
    let place = model.derives.len();
    let id = fact(model, name, choice(words), &[], FactSource::Derived { derive: place, output: 0 });
    let rows = rows.into_iter().map(|(kind, conds, value)| row("", kind, conds, Outcome::Values(vec![value])));
    let table = table(name, Hit::First, Vec::new(), rows.collect());
    model.derives.push(Derive { outputs: vec![Output { fact: id, span: Span::default() }], table });
    id
}

/// `see` a table by its place.
pub(crate) fn see(table: usize) -> Outcome {
    Outcome::See(TableId(table))
}
