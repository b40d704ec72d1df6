//! What a cell admits: a set of values of one fact, in a normal form.

use super::{Fact, NumberType, TextSet, Type, Value};

/// A set of a fact's values. Two sets of one fact are equal exactly when they hold the same values (texts apart:
/// there, when they speak of the same literals and prefixes).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueSet {
    /// Whether it holds unknown.
    pub unknown: bool,
    /// The named points that it holds, a bit each.
    pub points: u32,
    /// The values of the domain proper.
    pub values: Values,
}

/// The values of the domain proper.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Values {
    /// A choice's: one bit for each value, in words of 64.
    Choice(Box<[u64]>),
    /// A number's: closed ranges in ticks, on the grid, sorted, neither touching nor overlapping on the grid.
    Number(Box<[(i128, i128)]>),
    /// Texts.
    Text(TextSet),
}

impl ValueSet {
    /// Nothing at all.
    pub fn none(fact: &Fact) -> Self {
        let values = match &fact.ty {
            Type::Choice { values, .. } => Values::Choice(vec![0; values.len().div_ceil(64)].into()),
            Type::Number(_) => Values::Number(Box::default()),
            Type::Text => Values::Text(TextSet::all(false)),
        };
        ValueSet { unknown: false, points: 0, values }
    }

    /// Every known value, named points included.
    pub fn known(fact: &Fact) -> Self {
        Self::none(fact).complement_known(fact)
    }

    /// Everything, unknown included: what `-` admits.
    pub fn all(fact: &Fact) -> Self {
        ValueSet { unknown: true, ..Self::known(fact) }
    }

    /// Only unknown.
    pub fn only_unknown(fact: &Fact) -> Self {
        ValueSet { unknown: true, ..Self::none(fact) }
    }

    /// One value.
    pub fn one(fact: &Fact, value: &Value) -> Self {
        let mut set = Self::none(fact);
        match (value, &mut set.values) {
            (Value::Unknown, _) => set.unknown = true,
            (Value::Point(i), _) => set.points |= 1 << i,
            (Value::Choice(i), Values::Choice(bits)) => bits[usize::from(*i) / 64] |= 1 << (i % 64),
            (Value::Number(n), values) => *values = Values::Number(Box::new([(*n, *n)])),
            (Value::Text(t), values) => *values = Values::Text(TextSet::literal(t)),
            (Value::Choice(_), _) => {}
        }
        set
    }

    /// The numbers from `lo` to `hi`, both in, cut to the fact's domain and grid.
    pub fn range(fact: &Fact, lo: i128, hi: i128) -> Self {
        let mut set = Self::none(fact);
        if let Type::Number(ty) = &fact.ty
            && let Some(range) = on_grid(ty, lo, hi)
        {
            set.values = Values::Number(Box::new([range]));
        }
        set
    }

    /// Whether a value is in it.
    pub fn admits(&self, value: &Value) -> bool {
        match (value, &self.values) {
            (Value::Unknown, _) => self.unknown,
            (Value::Point(i), _) => self.points >> i & 1 == 1,
            (Value::Choice(i), Values::Choice(bits)) => bits[usize::from(*i) / 64] >> (i % 64) & 1 == 1,
            (Value::Number(n), Values::Number(ranges)) => {
                let i = ranges.partition_point(|r| r.1 < *n);
                ranges.get(i).is_some_and(|r| r.0 <= *n)
            }
            (Value::Text(t), Values::Text(set)) => set.contains(t),
            _ => false,
        }
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Self, fact: &Fact) -> Self {
        self.join(other, fact, |a, b| a && b)
    }

    /// Either.
    #[must_use]
    pub fn or(&self, other: &Self, fact: &Fact) -> Self {
        self.join(other, fact, |a, b| a || b)
    }

    /// This without the other.
    #[must_use]
    pub fn minus(&self, other: &Self, fact: &Fact) -> Self {
        self.join(other, fact, |a, b| a && !b)
    }

    /// The known values that are not in it, named points included; never unknown.
    #[must_use]
    pub fn complement_known(&self, fact: &Fact) -> Self {
        let mut set = self.join(self, fact, |a, _| !a);
        set.unknown = false;
        set
    }

    /// Everything that is not in it, unknown included where it is not.
    #[must_use]
    pub fn complement(&self, fact: &Fact) -> Self {
        self.join(self, fact, |a, _| !a)
    }

    fn join(&self, other: &Self, fact: &Fact, f: impl Fn(bool, bool) -> bool) -> Self {
        let points = (0..fact.points.len().min(32))
            .filter(|i| f(self.points >> i & 1 == 1, other.points >> i & 1 == 1))
            .fold(0, |bits, i| bits | 1 << i);
        let values = match (&self.values, &other.values, &fact.ty) {
            (Values::Choice(a), Values::Choice(b), Type::Choice { values, .. }) => {
                let mut bits = vec![0u64; values.len().div_ceil(64)];
                let bit = |set: &[u64], i: usize| set[i / 64] >> (i % 64) & 1 == 1;
                (0..values.len()).filter(|&i| f(bit(a, i), bit(b, i))).for_each(|i| bits[i / 64] |= 1 << (i % 64));
                Values::Choice(bits.into())
            }
            (Values::Number(a), Values::Number(b), Type::Number(ty)) => Values::Number(join_ranges(a, b, ty, &f)),
            (Values::Text(a), Values::Text(b), _) => Values::Text(a.join(b, &f)),
            // Sets of two different facts never meet: lowering makes every set from the fact it stands for.
            _ => return self.clone(),
        };
        ValueSet { unknown: f(self.unknown, other.unknown), points, values }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        !self.unknown && self.has_no_known()
    }

    /// Whether it holds no known value.
    pub fn has_no_known(&self) -> bool {
        self.points == 0
            && match &self.values {
                Values::Choice(bits) => bits.iter().all(|w| *w == 0),
                Values::Number(ranges) => ranges.is_empty(),
                Values::Text(set) => set.is_empty(),
            }
    }

    /// Whether it holds everything, unknown included.
    pub fn is_all(&self, fact: &Fact) -> bool {
        self.complement(fact).is_empty()
    }

    /// The choice values in it, by place.
    pub fn choices(&self) -> impl Iterator<Item = usize> {
        let bits: &[u64] = if let Values::Choice(bits) = &self.values { bits } else { &[] };
        bits.iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| w * 64 + b))
    }
}

/// The part of `lo..=hi` on the grid of a type, if any.
fn on_grid(ty: &NumberType, lo: i128, hi: i128) -> Option<(i128, i128)> {
    let (lo, hi) = (lo.max(ty.lo), hi.min(ty.hi));
    if lo > hi {
        return None;
    }
    let lo = ty.lo + (lo - ty.lo + ty.step - 1) / ty.step * ty.step;
    let hi = ty.lo + (hi - ty.lo) / ty.step * ty.step;
    (lo <= hi).then_some((lo, hi))
}

/// Cuts the domain at every end of both lists and keeps the pieces for which `f` holds, joined where they touch.
fn join_ranges(
    a: &[(i128, i128)],
    b: &[(i128, i128)],
    ty: &NumberType,
    f: &dyn Fn(bool, bool) -> bool,
) -> Box<[(i128, i128)]> {
    let mut starts = vec![ty.lo];
    for (lo, hi) in a.iter().chain(b) {
        starts.push(*lo);
        starts.push(hi + ty.step);
    }
    starts.sort_unstable();
    starts.dedup();
    let last = on_grid(ty, ty.lo, ty.hi).map_or(ty.lo, |r| r.1);
    let holds = |list: &[(i128, i128)], n: i128| {
        let i = list.partition_point(|r| r.1 < n);
        list.get(i).is_some_and(|r| r.0 <= n)
    };
    let mut out: Vec<(i128, i128)> = Vec::new();
    for (i, &lo) in starts.iter().enumerate().filter(|(_, lo)| **lo <= last) {
        let hi = starts.get(i + 1).map_or(last, |next| (next - ty.step).min(last));
        if !f(holds(a, lo), holds(b, lo)) {
            continue;
        }
        match out.last_mut() {
            Some(before) if before.1 + ty.step == lo => before.1 = hi,
            _ => out.push((lo, hi)),
        }
    }
    out.into()
}
