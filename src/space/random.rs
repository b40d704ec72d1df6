//! Small random models for tests, and the whole list of their inputs.
//!
//! A model is read off a list of bytes, so that a failing one shrinks; past the end of the list every choice is the
//! first one.

use std::sync::Arc;

use crate::model::{
    Action, Backoff, By, Chain, Cond, Derive, Fact, FactId, FactSource, Jitter, Model, NumberKind, NumberType, Outcome,
    Output, Overlay, Parity, Row, Rule, StdFacts, Table, TableId, TextSet, Type, Value, ValueSet, Values,
};
use crate::syntax::tree::{Hit, RowKind};
use crate::text::{FileId, Span};
use crate::words::Verb;

/// The model of some bytes, with facts that guards read, and rules.
pub(crate) fn ruled(bytes: &[u8]) -> Model {
    let mut b = Bytes { bytes, place: 0 };
    let mut model = Model { name: "ruled".into(), ..Model::default() };
    named(&mut model);
    let ticks = |kind, hi| Type::Number(NumberType { kind, lo: 0, hi, step: 1, dense: false });
    let std = [
        ("budget", ticks(NumberKind::Count, 2)),
        ("deadline", ticks(NumberKind::Duration, 4)),
        ("authorization", choice(&["current", "stale"], false)),
        ("effect", choice(&["read", "inference", "write"], false)),
        ("tools", choice(&["disabled", "enabled"], false)),
        ("pushback", choice(&["none", "wait", "stop"], false)),
        ("hint", ticks(NumberKind::Duration, 1)),
        ("boundary", choice(&["not_crossed", "crossed"], false)),
        ("parity.same", choice(&["holds", "refused"], false)),
    ];
    for (i, (name, ty)) in std.into_iter().enumerate() {
        // Budget and deadline nearly always, so that something can act; of the rest about half.
        if if i < 2 { b.one_in(12) } else { model.facts.len() > 5 || b.below(16) < 9 } {
            continue;
        }
        let points = if name == "hint" { vec!["none".into()] } else { Vec::new() };
        let source = if name == "parity.same" { FactSource::Parity(0) } else { FactSource::Caller };
        let fact = Fact { name: name.into(), ty, points, source, span: b.span() };
        model.facts.insert(name.into(), fact);
    }
    if model.facts.is_empty() {
        let fact = callers_fact(&mut b, 0);
        model.facts.insert(fact.name.clone(), fact);
    }
    if b.one_in(2) {
        derive(&mut b, &mut model, 0);
    }
    tables(&mut b, &mut model);
    for r in 0..=b.below(3) {
        let verbs = (0..=b.below(3)).map(|_| {
            let verb = Verb::ALL[b.below(8)];
            (verb, if verb == Verb::Failover && b.one_in(2) { Some(0) } else { None })
        });
        let verbs = verbs.collect();
        let (only, unless) = (b.one_in(3), b.one_in(3));
        let tests = conds(&mut b, &model, 2);
        model.rules.push(Rule { name: format!("r{r}").into(), only, verbs, unless, tests, span: b.span() });
    }
    model
}

/// What actions refer to.
fn named(model: &mut Model) {
    model.parities.push(Parity { name: "same".into(), terms: Vec::new(), span: Span::default() });
    let backoff = Backoff {
        name: "slow".into(),
        base_ms: 2,
        factor_tenths: 20,
        cap_ms: 4,
        jitter: Jitter::None,
        steps_ms: vec![2, 4],
        span: Span::default(),
    };
    model.backoffs.push(backoff);
}

/// A ruled model, some of whose tables an overlay tightens; the overlay's tables stand behind all others.
pub(crate) fn overlaid(bytes: &[u8], more: &[u8]) -> Model {
    let mut model = ruled(bytes);
    // Places of the overlay's own, apart from those of the base.
    let mut b = Bytes { bytes: more, place: 1_000_000 };
    let mut tighten = Vec::new();
    let n_tables = model.tables.len();
    for base in 0..n_tables {
        if base > 0 && b.one_in(2) {
            continue;
        }
        let hit = [Hit::First, Hit::MostCautious][b.below(2)];
        let name = format!("tighten t{base}");
        let own = table(&mut b, &model, &name, hit, &mut |b| Outcome::Act(Arc::new(chain(b))));
        tighten.push((TableId(base), TableId(model.tables.len())));
        model.tables.push(own);
    }
    model.overlay = Some(Overlay { tighten });
    model
}

struct Bytes<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let byte = self.bytes.split_first().map_or(0, |(first, rest)| {
            self.bytes = rest;
            *first
        });
        usize::from(byte) * n / 256
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn span(&mut self) -> Span {
        self.place += 10;
        Span::new(FileId(0), self.place, self.place + 5)
    }
}

/// The model of some bytes.
pub(crate) fn model(bytes: &[u8]) -> Model {
    let mut b = Bytes { bytes, place: 0 };
    let mut model = Model { name: "random".into(), ..Model::default() };
    named(&mut model);
    for i in 0..=1 + b.below(3) {
        let fact = callers_fact(&mut b, i);
        model.facts.insert(fact.name.clone(), fact);
    }
    if b.one_in(2) {
        let ty = choice(&["pending", "confirmed", "other"], false);
        let (source, span) = (FactSource::Caller, b.span());
        let fact = Fact { name: "condition".into(), ty, points: Vec::new(), source, span };
        model.facts.insert("condition".into(), fact);
    }
    for d in 0..b.below(4) {
        derive(&mut b, &mut model, d);
    }
    tables(&mut b, &mut model);
    model
}

fn tables(b: &mut Bytes, model: &mut Model) {
    let n_tables = 1 + b.below(3);
    for t in 0..n_tables {
        let hit = [Hit::First, Hit::AtMostOne, Hit::Agree, Hit::MostCautious][b.below(4)];
        let later = if hit == Hit::MostCautious { t + 1..t + 1 } else { t + 1..n_tables };
        let promise = if t > 0 && b.one_in(2) { conds(b, model, 1) } else { Vec::new() };
        let mut table = table(b, model, &format!("t{t}"), hit, &mut |b| {
            let next = later.start + b.below(later.len() + 2);
            if later.contains(&next) { Outcome::See(TableId(next)) } else { Outcome::Act(Arc::new(chain(b))) }
        });
        table.promise = promise;
        model.tables.push(table);
    }
    model.std = StdFacts::find(&model.facts);
}

fn callers_fact(b: &mut Bytes, i: usize) -> Fact {
    let ty = match b.below(5) {
        0 => choice(&["yes", "no"], false),
        1 => choice(&["a", "b", "c"], false),
        2 => choice(&["low", "mid", "high"], true),
        3 => Type::Number(NumberType { kind: NumberKind::Count, lo: 0, hi: 4, step: 1, dense: false }),
        _ => Type::Text,
    };
    let points = if b.one_in(4) { vec!["none".into()] } else { Vec::new() };
    Fact { name: format!("f{i}").into(), ty, points, source: FactSource::Caller, span: b.span() }
}

fn choice(values: &[&str], ordered: bool) -> Type {
    Type::Choice { values: values.iter().map(|v| (*v).into()).collect(), ordered, flag: values == ["yes", "no"] }
}

fn derive(b: &mut Bytes, model: &mut Model, d: usize) {
    let hit = [Hit::First, Hit::AtMostOne, Hit::Agree, Hit::Highest, Hit::Lowest][b.below(5)];
    let n_outputs = if hit == Hit::Highest || hit == Hit::Lowest { 1 } else { 1 + b.below(2) };
    let mut table = table(b, model, &format!("d{d}o0"), hit, &mut |b| {
        let value = |b: &mut Bytes| if b.one_in(8) { Value::Unknown } else { Value::Choice(b.below(3) as u16) };
        Outcome::Values((0..n_outputs).map(|_| value(b)).collect())
    });
    if b.one_in(2) {
        table.rows.retain(|r| r.kind != RowKind::Otherwise);
        let values = (0..n_outputs).map(|_| Value::Choice(b.below(3) as u16)).collect();
        table.rows.push(row(b, RowKind::Otherwise, Vec::new(), Outcome::Values(values)));
    }
    let outputs = (0..n_outputs).map(|output| {
        let name: Box<str> = format!("d{d}o{output}").into();
        let (source, span) = (FactSource::Derived { derive: d, output }, b.span());
        let ty = choice(&["p", "q", "r"], true);
        let fact = Fact { name: name.clone(), ty, points: Vec::new(), source, span };
        let (at, _) = model.facts.insert_full(name, fact);
        Output { fact: FactId(at as u32), span }
    });
    let outputs = outputs.collect();
    model.derives.push(Derive { outputs, table });
}

fn table(b: &mut Bytes, model: &Model, name: &str, hit: Hit, outcome: &mut dyn FnMut(&mut Bytes) -> Outcome) -> Table {
    let mut rows = Vec::new();
    for _ in 0..=b.below(4) {
        let conds = conds(b, model, 3);
        let outcome = outcome(b);
        rows.push(row(b, RowKind::Plain, conds, outcome));
    }
    for kind in [RowKind::AnyUnknown, RowKind::Otherwise] {
        if b.one_in(3) {
            let outcome = outcome(b);
            rows.push(row(b, kind, Vec::new(), outcome));
        }
    }
    let span = b.span();
    Table {
        name: name.into(),
        hit,
        hit_span: b.span(),
        promise: Vec::new(),
        columns: Vec::new(),
        rows,
        damaged: false,
        span,
    }
}

fn row(b: &mut Bytes, kind: RowKind, conds: Vec<Cond>, outcome: Outcome) -> Row {
    Row { name: None, kind, conds, outcome, reason: None, span: b.span() }
}

fn conds(b: &mut Bytes, model: &Model, most: usize) -> Vec<Cond> {
    let mut conds: Vec<Cond> = Vec::new();
    for _ in 0..b.below(most + 1) {
        let fact = FactId(b.below(model.facts.len()) as u32);
        let set = set(b, model.fact(fact));
        if !set.is_empty() && !set.is_all(model.fact(fact)) {
            conds.push(Cond { fact, set: Arc::new(set), span: b.span() });
        }
    }
    conds
}

fn set(b: &mut Bytes, fact: &Fact) -> ValueSet {
    let mut set = match &fact.ty {
        Type::Choice { values, .. } => {
            let one = |i| ValueSet::one(fact, &Value::Choice(i as u16));
            one(b.below(values.len())).or(&one(b.below(values.len())), fact)
        }
        Type::Number(ty) => {
            let n = usize::try_from(ty.hi).unwrap_or(0) + 1;
            let (x, y) = (b.below(n) as i128, b.below(n) as i128);
            ValueSet::range(fact, x.min(y), x.max(y))
        }
        Type::Text => {
            let text = ["po:", "po:x", "a", ""][b.below(4)];
            let texts = if b.one_in(2) { TextSet::prefix(text) } else { TextSet::literal(text) };
            ValueSet { unknown: false, points: 0, values: Values::Text(texts) }
        }
    };
    if b.one_in(4) {
        set = set.complement_known(fact);
    }
    if b.one_in(3) && !fact.points.is_empty() {
        set.points = 1;
    }
    set.unknown = b.one_in(3);
    set
}

/// A chain as lowering gives it: it ends in an action that nothing refuses.
fn chain(b: &mut Bytes) -> Chain {
    let mut actions = Vec::new();
    loop {
        actions.push(match b.below(9) {
            0 => Action::Review { queue: None },
            1 => Action::Stop { reason: None },
            2 => Action::Reconcile { by: By::Event, within_ms: 1_000 },
            3 => Action::Wait,
            4 => Action::Done { reason: None },
            5 => Action::Retry { backoff: None, spend: 1 + b.below(2) as u64 },
            6 => Action::Hedge { copies: 2, after_ms: 1 },
            7 => Action::Failover { parity: 0 },
            _ => Action::Retry { backoff: Some(0), spend: 1 + b.below(2) as u64 },
        });
        if actions.last().is_some_and(|a| !a.verb().can_be_refused()) || actions.len() > 2 {
            break;
        }
    }
    if actions.last().is_some_and(|a| a.verb().can_be_refused()) {
        actions.push(Action::Review { queue: None });
    }
    Chain { stated: actions.len(), actions: actions.into(), span: b.span() }
}

/// Every input of a small model, derived facts left unknown: each value of each fact, for texts enough of them.
pub(crate) fn inputs(model: &Model) -> Vec<Vec<Value>> {
    let mut all = vec![vec![Value::Unknown; model.facts.len()]];
    for (i, fact) in model.facts.values().enumerate().filter(|(_, f)| f.is_callers()) {
        let mut values = vec![Value::Unknown];
        values.extend((0..fact.points.len()).map(|p| Value::Point(p as u16)));
        match &fact.ty {
            Type::Choice { values: v, .. } => values.extend((0..v.len()).map(|c| Value::Choice(c as u16))),
            Type::Number(ty) => values.extend((ty.lo..=ty.hi).map(Value::Number)),
            Type::Text => {
                values.extend(["x", "", "a", "ab", "po:", "po:x", "po:xy", "po:y"].map(|t| Value::Text(t.into())));
            }
        }
        let with = |x: &Vec<Value>, v: &Value| {
            let mut x = x.clone();
            x[i] = v.clone();
            x
        };
        all = all.iter().flat_map(|x| values.iter().map(move |v| with(x, v))).collect();
    }
    all
}
