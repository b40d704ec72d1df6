//! Facts: name, type, domain, where the value comes from; and their values.

use super::error::Load;
use super::reader::Reader;
use super::writer::Writer;
use crate::model::{Fact, FactSource, MAX_POINTS, MAX_VALUES, NumberKind, NumberType, Type, Value};

const NUMBERS: [NumberKind; 6] = [
    NumberKind::Count,
    NumberKind::Integer,
    NumberKind::Decimal,
    NumberKind::Duration,
    NumberKind::Instant,
    NumberKind::Version,
];

/// How a type begins.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Choice,
    Ordered,
    Flag,
    Number,
    Text,
}

const KINDS: [Kind; 5] = [Kind::Choice, Kind::Ordered, Kind::Flag, Kind::Number, Kind::Text];

/// The bytes of a value.
pub(super) const VALUE: usize = 20;

pub(super) fn write(w: &mut Writer, fact: &Fact) {
    w.text(&fact.name);
    w.span(fact.span);
    match &fact.ty {
        Type::Choice { values, ordered, flag } => {
            let kind = match (ordered, flag) {
                (_, true) => Kind::Flag,
                (true, false) => Kind::Ordered,
                (false, false) => Kind::Choice,
            };
            w.u8(kind as u8);
            w.texts(values);
        }
        Type::Number(ty) => {
            w.u8(Kind::Number as u8);
            w.u8(ty.kind as u8);
            w.i128(ty.lo);
            w.i128(ty.hi);
            w.i128(ty.step);
            w.bool(ty.dense);
        }
        Type::Text => w.u8(Kind::Text as u8),
    }
    w.texts(&fact.points);
    let (source, derive, output) = match fact.source {
        FactSource::Caller => (0, 0, 0),
        FactSource::Parity(parity) => (1, parity, 0),
        FactSource::Derived { derive, output } => (2, derive, output),
    };
    w.u8(source);
    w.n(derive);
    w.n(output);
}

/// A fact; that its source is there is for who knows the whole.
pub(super) fn read(r: &mut Reader) -> Load<Fact> {
    let (name, span) = (r.text()?, r.span()?);
    let kind = r.one_of(&KINDS, "type")?;
    let ty = match kind {
        Kind::Choice | Kind::Ordered | Kind::Flag => {
            let values = r.texts()?;
            r.ensure((1..=MAX_VALUES).contains(&values.len()), "a choice has no values, or too many")?;
            let flag = matches!(kind, Kind::Flag);
            r.ensure(!flag || values.iter().map(|v| &**v).eq(["yes", "no"]), "a flag is not yes and no")?;
            Type::Choice { values, ordered: matches!(kind, Kind::Ordered), flag }
        }
        Kind::Number => Type::Number(number_type(r)?),
        Kind::Text => Type::Text,
    };
    let points = r.texts()?;
    r.ensure(points.len() <= MAX_POINTS, "a fact has too many named points")?;
    let source = r.u8()?;
    let source = match (source, r.u32()? as usize, r.u32()? as usize) {
        (0, 0, 0) => FactSource::Caller,
        (1, parity, 0) => FactSource::Parity(parity),
        (2, derive, output) => FactSource::Derived { derive, output },
        _ => return Err(r.unsound("a fact comes from nowhere")),
    };
    Ok(Fact { name, ty, points, source, span })
}

fn number_type(r: &mut Reader) -> Load<NumberType> {
    let kind = r.one_of(&NUMBERS, "kind of number")?;
    let (lo, hi, step, dense) = (r.i128()?, r.i128()?, r.i128()?, r.bool()?);
    let whole = kind.whole();
    r.ensure(whole.lo <= lo && lo <= hi && hi <= whole.hi, "the bounds of a number do not fit its kind")?;
    r.ensure((1..=whole.hi).contains(&step), "the step of a number cannot be")?;
    r.ensure(!dense || whole.dense && step == 1, "a number with a step has values between its steps")?;
    Ok(NumberType { kind, lo, hi, step, dense })
}

pub(super) fn write_value(w: &mut Writer, value: &Value) {
    let (tag, payload) = match value {
        Value::Unknown => (0, 0),
        Value::Point(place) => (1, i128::from(*place)),
        Value::Choice(place) => (2, i128::from(*place)),
        Value::Number(n) => (3, *n),
        Value::Text(text) => (4, i128::from(w.number_of(text))),
    };
    w.u32(tag);
    w.i128(payload);
}

/// A value of a fact, inside its domain.
pub(super) fn read_value(r: &mut Reader, fact: &Fact) -> Load<Value> {
    let (tag, payload) = (r.u32()?, r.i128()?);
    let place = |n: usize| u16::try_from(payload).ok().filter(|place| usize::from(*place) < n);
    let value = match (tag, &fact.ty) {
        (0, _) if payload == 0 => Some(Value::Unknown),
        (1, _) => place(fact.points.len()).map(Value::Point),
        (2, Type::Choice { values, .. }) => place(values.len()).map(Value::Choice),
        (3, Type::Number(ty)) if ty.holds(payload) => Some(Value::Number(payload)),
        (4, Type::Text) => {
            let number = u32::try_from(payload).map_err(|_| r.unsound("there is no such text"))?;
            Some(Value::Text(r.named(number)?))
        }
        _ => None,
    };
    value.ok_or_else(|| r.unsound(format!("a value is none of `{}`", fact.name)))
}
