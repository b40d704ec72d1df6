//! One caller's fact as finitely many segments.
//!
//! Segment 0 is *unknown*, then comes each named point, then the values: a choice's one by one; a number's stretches
//! between the ends that the policy itself uses; a text's literals, then its prefixes ("begins so, is no literal
//! here, begins with no longer prefix here"), then any other text. No segment is empty, and every set that the axis
//! was made from is exactly a set of segments.

use crate::model::{Fact, NumberType, TextSet, Type, Value, ValueSet, Values};
use crate::words::DECIMAL_UNIT;

use super::SegSet;

/// The segment of unknown, on every axis.
pub const UNKNOWN: u32 = 0;

/// The segments of one caller's fact.
#[derive(Debug, Clone, Hash)]
pub struct Axis {
    /// Where the values begin: one for unknown, and the named points.
    base: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Hash)]
enum Kind {
    Choice {
        n: u32,
    },
    Number {
        /// The first value of each stretch, in order.
        starts: Box<[i128]>,
        ty: NumberType,
    },
    Text {
        literals: Box<[Box<str>]>,
        /// Never the empty one: what begins with nothing is any other text.
        prefixes: Box<[Box<str>]>,
    },
}

impl Axis {
    /// Cuts a fact at the ends that some sets of its values use.
    pub fn new<'a>(fact: &Fact, sets: impl Iterator<Item = &'a ValueSet>) -> Axis {
        let kind = match &fact.ty {
            Type::Choice { values, .. } => Kind::Choice { n: values.len() as u32 },
            Type::Number(ty) => Kind::Number { starts: stretches(ty, sets), ty: *ty },
            Type::Text => {
                let (mut literals, mut prefixes) = (Vec::<Box<str>>::new(), Vec::<Box<str>>::new());
                for set in sets {
                    if let Values::Text(set) = &set.values {
                        literals.extend(set.literals().map(Into::into));
                        prefixes.extend(set.prefixes().filter(|p| !p.is_empty()).map(Into::into));
                    }
                }
                for list in [&mut literals, &mut prefixes] {
                    list.sort_unstable();
                    list.dedup();
                }
                Kind::Text { literals: literals.into(), prefixes: prefixes.into() }
            }
        };
        Axis { base: 1 + fact.points.len() as u32, kind }
    }

    /// The axis of a fact of texts, by the literals and prefixes that sets speak of, each in order.
    pub fn of_texts(fact: &Fact, literals: Box<[Box<str>]>, prefixes: Box<[Box<str>]>) -> Axis {
        Axis { base: 1 + fact.points.len() as u32, kind: Kind::Text { literals, prefixes } }
    }

    /// The literals that sets of texts speak of, in order.
    pub fn literals(&self) -> &[Box<str>] {
        if let Kind::Text { literals, .. } = &self.kind { literals } else { &[] }
    }

    /// The prefixes that they speak of, in order.
    pub fn prefixes(&self) -> &[Box<str>] {
        if let Kind::Text { prefixes, .. } = &self.kind { prefixes } else { &[] }
    }

    /// How many segments there are.
    pub fn n_segments(&self) -> u32 {
        self.base
            + match &self.kind {
                Kind::Choice { n } => *n,
                Kind::Number { starts, .. } => starts.len() as u32,
                Kind::Text { literals, prefixes } => (literals.len() + prefixes.len()) as u32 + 1,
            }
    }

    /// The first value of each stretch of a number, in order.
    pub fn starts(&self) -> Option<&[i128]> {
        if let Kind::Number { starts, .. } = &self.kind { Some(starts) } else { None }
    }

    /// Every known value.
    pub fn known(&self) -> SegSet {
        SegSet::range(UNKNOWN + 1, self.n_segments())
    }

    /// The segment that a value lies in; a value of another type counts as unknown.
    pub fn segment(&self, value: &Value) -> u32 {
        match (value, &self.kind) {
            (Value::Point(i), _) if u32::from(*i) + 1 < self.base => u32::from(*i) + 1,
            (Value::Choice(i), Kind::Choice { n }) if u32::from(*i) < *n => self.base + u32::from(*i),
            (Value::Number(n), Kind::Number { starts, .. }) => {
                self.base + (starts.partition_point(|s| s <= n) as u32).saturating_sub(1)
            }
            (Value::Text(text), Kind::Text { literals, prefixes }) => {
                if let Ok(i) = literals.binary_search_by(|l| (**l).cmp(text)) {
                    return self.base + i as u32;
                }
                let n = literals.len() as u32;
                let longest = longest_prefix(prefixes, text).map_or(prefixes.len(), |i| i);
                self.base + n + longest as u32
            }
            _ => UNKNOWN,
        }
    }

    /// The segments of a set; exact for the sets that the axis was cut for.
    pub fn segs(&self, set: &ValueSet) -> SegSet {
        let mut ranges = Vec::new();
        if set.unknown {
            ranges.push((UNKNOWN, UNKNOWN + 1));
        }
        ranges.extend((1..self.base).filter(|i| set.points >> (i - 1) & 1 == 1).map(|i| (i, i + 1)));
        match (&set.values, &self.kind) {
            (Values::Choice(_), Kind::Choice { .. }) => {
                ranges.extend(set.choices().map(|i| (self.base + i as u32, self.base + i as u32 + 1)));
            }
            (Values::Number(list), Kind::Number { .. }) => {
                let seg = |n: i128| self.segment(&Value::Number(n));
                ranges.extend(list.iter().map(|(lo, hi)| (seg(*lo), seg(*hi) + 1)));
            }
            (Values::Text(texts), Kind::Text { literals, prefixes }) => {
                let n = self.base + literals.len() as u32;
                let last = n + prefixes.len() as u32;
                ranges.extend(
                    stretches_held(literals, texts, true, |l| texts.contains(l)).map(|r| shifted(r, self.base)),
                );
                ranges.extend(stretches_held(prefixes, texts, false, |p| texts.at_prefix(p)).map(|r| shifted(r, n)));
                ranges.extend(texts.at_prefix("").then_some((last, last + 1)));
            }
            _ => {}
        }
        SegSet::from_ranges(ranges)
    }

    /// The values of a set of segments.
    pub fn values(&self, segs: &SegSet, fact: &Fact) -> ValueSet {
        let mut set = ValueSet::none(fact);
        set.unknown = segs.contains(UNKNOWN);
        set.points = (1..self.base.min(33)).filter(|i| segs.contains(*i)).fold(0, |bits, i| bits | 1 << (i - 1));
        match &self.kind {
            Kind::Choice { n } => {
                let held = (0..*n).filter(|i| segs.contains(self.base + i));
                return held.fold(set, |set, i| set.or(&ValueSet::one(fact, &Value::Choice(i as u16)), fact));
            }
            Kind::Number { starts, ty } => {
                let inside = segs.and(&SegSet::range(self.base, self.n_segments()));
                let ends = inside.ranges().iter().map(|&(lo, hi)| {
                    let (lo, hi) = ((lo - self.base) as usize, (hi - self.base) as usize);
                    (starts[lo], starts.get(hi).map_or(last_value(ty), |next| next - ty.step))
                });
                set.values = Values::Number(ends.collect());
            }
            Kind::Text { literals, prefixes } => {
                let answers = |from: u32, texts: &[Box<str>]| {
                    let held = (from..).map(|i| segs.contains(i));
                    texts.iter().cloned().zip(held).collect::<Vec<_>>().into_iter()
                };
                let n = literals.len() as u32;
                let rest = segs.contains(self.n_segments() - 1);
                let texts = TextSet::of_answers(answers(self.base, literals), answers(self.base + n, prefixes), rest);
                set.values = Values::Text(texts);
            }
        }
        set
    }

    /// A value in a segment that reads well.
    pub fn witness(&self, seg: u32) -> Value {
        let Some(i) = seg.checked_sub(self.base) else {
            return if seg == UNKNOWN { Value::Unknown } else { Value::Point((seg - 1) as u16) };
        };
        match &self.kind {
            Kind::Choice { .. } => Value::Choice(i as u16),
            Kind::Number { starts, ty } => {
                let i = (i as usize).min(starts.len() - 1);
                let hi = starts.get(i + 1).map_or(last_value(ty), |next| next - ty.step);
                Value::Number(readable(ty, starts[i], hi))
            }
            Kind::Text { literals, prefixes } => {
                let i = i as usize;
                if let Some(literal) = literals.get(i) {
                    return Value::Text(literal.clone());
                }
                Value::Text(self.fresh_text(prefixes.get(i - literals.len()).map_or("", |p| p), seg).into())
            }
        }
    }

    /// A value in a segment that reads well and is high; of an open end, not far from where it begins.
    pub fn high(&self, seg: u32) -> Value {
        match (&self.kind, seg.checked_sub(self.base)) {
            (Kind::Number { starts, ty }, Some(i)) => {
                let lo = starts[(i as usize).min(starts.len() - 1)];
                let hi = starts.get(i as usize + 1).map_or(last_value(ty), |next| next - ty.step);
                // An hour, where ticks are milliseconds.
                let near = lo.saturating_mul(2).max(3_600_000);
                Value::Number(if near < hi && ty.holds(near) { near } else { hi })
            }
            _ => self.witness(seg),
        }
    }

    /// A text in the segment of a prefix, or of any other text.
    fn fresh_text(&self, start: &str, seg: u32) -> String {
        let tails = ["", "x", "1", "other", "text"].iter().map(ToString::to_string);
        // Past the plain ones: one of n + 1 texts is no literal and begins with none of n prefixes.
        let more = (0u32..).map(|n| format!("~{n}~"));
        let fits = |tail: &String| {
            let text = format!("{start}{tail}");
            !text.is_empty() && self.segment(&Value::Text(text.as_str().into())) == seg
        };
        let tail = tails.chain(more).take(1_000_000).find(fits).unwrap_or_default();
        format!("{start}{tail}")
    }
}

/// The first value of each stretch between the ends in use.
fn stretches<'a>(ty: &NumberType, sets: impl Iterator<Item = &'a ValueSet>) -> Box<[i128]> {
    let last = last_value(ty);
    let mut starts = vec![ty.lo];
    for set in sets {
        if let Values::Number(ranges) = &set.values {
            starts.extend(ranges.iter().flat_map(|(lo, hi)| [*lo, hi.saturating_add(ty.step)]));
        }
    }
    starts.retain(|n| *n >= ty.lo && *n <= last);
    starts.sort_unstable();
    starts.dedup();
    starts.into()
}

fn last_value(ty: &NumberType) -> i128 {
    ty.lo + (ty.hi - ty.lo) / ty.step * ty.step
}

/// The stretches of a sorted list of texts that a set holds. Only where the set itself speaks of a text can its answer
/// change, so a set of few texts is read quickly against a long list.
fn stretches_held<'a>(
    list: &'a [Box<str>],
    set: &TextSet,
    by_literal: bool,
    holds: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = (u32, u32)> + 'a {
    let mut cuts = vec![0, list.len()];
    for prefix in set.prefixes() {
        let lo = list.partition_point(|t| **t < *prefix);
        cuts.extend([lo, lo + list[lo..].partition_point(|t| t.starts_with(prefix))]);
    }
    let own = set.literals().filter(|_| by_literal).filter_map(|l| list.binary_search_by(|t| (**t).cmp(l)).ok());
    cuts.extend(own.flat_map(|i| [i, i + 1]));
    cuts.sort_unstable();
    cuts.dedup();
    let stretches: Vec<_> = cuts.windows(2).map(|w| (w[0], w[1])).collect();
    stretches.into_iter().filter(move |s| holds(&list[s.0])).map(|(lo, hi)| (lo as u32, hi as u32))
}

fn shifted((lo, hi): (u32, u32), by: u32) -> (u32, u32) {
    (lo + by, hi + by)
}

/// The place of the longest prefix that a text begins with.
fn longest_prefix(prefixes: &[Box<str>], text: &str) -> Option<usize> {
    // Prefixes of one text stand in order of length before the text; others may stand between them.
    let mut until = prefixes.partition_point(|p| **p <= *text);
    while let Some(candidate) = until.checked_sub(1).and_then(|i| prefixes.get(i)) {
        if text.starts_with(&**candidate) {
            return Some(until - 1);
        }
        let common = candidate.chars().zip(text.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let before = prefixes[..until - 1].partition_point(|p| **p <= text[..common]);
        until = before;
    }
    None
}

/// A value of a stretch that reads well: an end that was written, or a short number near the middle.
fn readable(ty: &NumberType, lo: i128, hi: i128) -> i128 {
    let (first, last) = (lo == ty.lo, hi == last_value(ty));
    if lo == hi || !first && (!ty.dense || lo % DECIMAL_UNIT.isqrt() == 0) {
        return lo;
    }
    if (first && last || !ty.dense && lo == 0) && lo <= 0 && hi >= 0 && ty.holds(0) {
        return 0;
    }
    if !ty.dense {
        return if first && last { lo } else { hi };
    }
    // Where the stretch ends only with the domain, the middle is not the middle of anything: stay near the end in use.
    let reach = 10 * DECIMAL_UNIT;
    let low = if first { lo.max(hi.min(hi * 2) - reach) } else { lo };
    let high = if last { hi.min(lo.max(lo * 2) + reach) } else { hi };
    let middle = low + (high - low) / 2;
    let powers = std::iter::successors(Some(10i128.pow(36)), |p| Some(p / 10)).take_while(|p| *p > 0);
    let multiples = powers.flat_map(|p| [middle.div_euclid(p) * p, middle.div_euclid(p) * p + p]);
    multiples.into_iter().find(|n| *n >= low && *n <= high).unwrap_or(lo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FactSource, NumberKind};
    use crate::text::Span;

    fn fact(ty: Type, points: &[&str]) -> Fact {
        let points = points.iter().map(|p| (*p).into()).collect();
        Fact { name: "f".into(), ty, points, source: FactSource::Caller, span: Span::default() }
    }

    #[test]
    fn numbers_are_cut_at_the_ends_in_use() {
        let f = fact(Type::Number(NumberKind::Duration.whole()), &["none"]);
        let sets = [ValueSet::range(&f, 500, i128::MAX), ValueSet::range(&f, 200, 2_000)];
        let axis = Axis::new(&f, sets.iter());
        // unknown, none, 0.., 200.., 500.., 2001..
        assert_eq!(axis.n_segments(), 6);
        for (n, seg) in [(0, 2), (199, 2), (200, 3), (499, 3), (500, 4), (2_000, 4), (2_001, 5)] {
            assert_eq!(axis.segment(&Value::Number(n)), seg, "{n}");
        }
        assert_eq!(axis.segment(&Value::Point(0)), 1);
        for set in &sets {
            assert_eq!(axis.values(&axis.segs(set), &f), *set);
        }
        for seg in 0..axis.n_segments() {
            assert_eq!(axis.segment(&axis.witness(seg)), seg);
        }
    }

    #[test]
    fn dense_stretches_have_short_witnesses() {
        let f = fact(Type::Number(NumberKind::Decimal.whole()), &[]);
        let unit = DECIMAL_UNIT;
        let sets = [ValueSet::range(&f, 75 * unit + 1, 95 * unit), ValueSet::range(&f, 1, unit - 1)];
        let axis = Axis::new(&f, sets.iter());
        let seen: Vec<String> = (0..axis.n_segments())
            .map(|seg| {
                assert_eq!(axis.segment(&axis.witness(seg)), seg);
                crate::model::show_value(&f, &axis.witness(seg))
            })
            .collect();
        assert_eq!(seen, ["unknown", "0", "0.5", "1", "80", "100"]);
    }

    #[test]
    fn texts_are_cut_at_literals_and_prefixes() {
        let f = fact(Type::Text, &[]);
        let text = |t| ValueSet { unknown: false, points: 0, values: Values::Text(t) };
        let sets = [
            text(TextSet::prefix("po:")),
            text(TextSet::prefix("po:x")),
            text(TextSet::literal("po:")),
            text(TextSet::literal("other")),
            text(TextSet::prefix("p")),
        ];
        let axis = Axis::new(&f, sets.iter());
        assert_eq!(axis.n_segments(), 1 + 2 + 3 + 1);
        for seg in 0..axis.n_segments() {
            let Value::Text(t) = axis.witness(seg) else { continue };
            assert_eq!(axis.segment(&Value::Text(t.clone())), seg, "{t}");
            for set in &sets {
                assert_eq!(axis.segs(set).contains(seg), set.admits(&Value::Text(t.clone())), "{t} {set:?}");
            }
        }
        for set in &sets {
            let again = axis.values(&axis.segs(set), &f);
            assert_eq!(axis.segs(&again), axis.segs(set));
            assert!(again.minus(set, &f).is_empty() && set.minus(&again, &f).is_empty());
        }
    }
}
