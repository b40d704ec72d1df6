//! One caller's fact of two policies as finitely many segments.
//!
//! Each side has cut the fact at the ends that it uses; here both cuts lie over each other. A segment knows where it
//! lies on each side: in one of the side's own segments, or, outside of the side's domain, where unknown lies. The
//! first segment is unknown on both sides; none is empty; each side's own segments are exactly sets of these.

use crate::model::{Fact, NumberType, TextSet, Type, Value, ValueSet, Values, show_set};
use crate::space::{Axis, SegSet, UNKNOWN};

use super::grid::{Grid, joined};
use super::matching::SIDES;

/// One side's view of a fact.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) fact: &'a Fact,
    /// Its segments, where the side asks about the fact at all.
    pub(super) axis: Option<&'a Axis>,
    /// The sets that the side uses.
    pub(super) sets: &'a [&'a ValueSet],
}

/// A fact of both sides, or of one.
#[derive(Debug, Clone)]
pub(super) struct SharedAxis {
    pub(super) name: Box<str>,
    segs: Vec<Seg>,
    /// What sets are shown by: one fact with the values of both, or each side's own where they share none.
    shown: Vec<(Fact, Axis)>,
}

#[derive(Debug, Clone)]
struct Seg {
    own: [u32; 2],
    values: [Value; 2],
    /// Known, and outside of the side's domain.
    outside: [bool; 2],
    /// Where it is shown: by which fact, and which segment of its axis.
    shown: (usize, u32),
    /// The stretch of a number.
    stretch: Option<(i128, i128)>,
}

/// A value as either side has it: nothing where it lies outside of the side's domain.
type Seen = [Option<Value>; 2];

impl SharedAxis {
    /// Lays the views over each other; at least one of them is there.
    pub(super) fn new(name: &str, views: [Option<View>; 2]) -> SharedAxis {
        let mut axis = SharedAxis { name: name.into(), segs: Vec::new(), shown: Vec::new() };
        match views {
            [Some(a), Some(b)] => match common_fact(a.fact, b.fact) {
                Some((fact, grids)) => axis.lay(&fact, grids, [a, b]),
                None => axis.side_by_side([a, b]),
            },
            [Some(view), None] => axis.alone(view, 0),
            [None, Some(view)] => axis.alone(view, 1),
            [None, None] => {}
        }
        axis
    }

    pub(super) fn n_segments(&self) -> u32 {
        self.segs.len() as u32
    }

    /// For each of a side's own segments, the segments that lie in it.
    pub(super) fn of_own(&self, side: usize, n_own: u32) -> Vec<SegSet> {
        let mut of: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_own as usize];
        for (i, seg) in (0u32..).zip(&self.segs) {
            if let Some(list) = of.get_mut(seg.own[side] as usize) {
                list.push((i, i + 1));
            }
        }
        of.into_iter().map(SegSet::from_ranges).collect()
    }

    /// A value of a segment, as a side has it.
    pub(super) fn value(&self, seg: u32, side: usize) -> &Value {
        &self.segs[seg as usize].values[side]
    }

    /// A number of a segment that both sides have, nearest to `wish`, at least as large where there is one.
    pub(super) fn number_near(&self, seg: u32, wish: i128) -> Option<i128> {
        let seg = &self.segs[seg as usize];
        let (lo, hi) = seg.stretch?;
        let Type::Number(NumberType { step, .. }) = self.shown.first()?.0.ty else { return None };
        let same = matches!((&seg.values[0], &seg.values[1]), (Value::Number(a), Value::Number(b)) if a == b);
        let plain = same && step == 1;
        plain.then(|| wish.clamp(lo, hi))
    }

    /// A set of segments as a cell.
    pub(super) fn show(&self, set: &SegSet) -> String {
        let mut parts = Vec::new();
        for (i, (fact, axis)) in self.shown.iter().enumerate() {
            let held = set.iter().map(|s| self.segs[s as usize].shown).filter(|s| s.0 == i);
            let segs = SegSet::from_ranges(held.map(|(_, s)| (s, s + 1)));
            if !segs.is_empty() {
                parts.push(show_set(fact, &axis.values(&segs, fact)));
            }
        }
        if parts.is_empty() { "nothing".into() } else { parts.join(" or ") }
    }

    /// What of a set lies outside of a side's domain, as a cell; nothing where all of it is inside.
    pub(super) fn outside(&self, set: &SegSet, side: usize) -> Option<Outside> {
        let is_outside = |s: u32| self.segs[s as usize].outside[side];
        let out = SegSet::from_ranges(set.iter().filter(|s| is_outside(*s)).map(|s| (s, s + 1)));
        if out.is_empty() {
            return None;
        }
        let stretches = |s: u32| self.segs[s as usize].stretch;
        let between = out.iter().any(|s| {
            let stretch = stretches(s);
            stretch.is_some() && (0..self.n_segments()).any(|t| stretches(t) == stretch && !is_outside(t))
        });
        Some(if between { Outside::BetweenSteps } else { Outside::Values(self.show(&out)) })
    }

    /// The fact of one side alone: the other never hears of it.
    fn alone(&mut self, view: View, side: usize) {
        let axis = own_axis(view);
        for i in 0..axis.n_segments() {
            let (mut own, mut values) = ([UNKNOWN; 2], [Value::Unknown, Value::Unknown]);
            own[side] = i;
            values[side] = axis.witness(i);
            self.segs.push(Seg { own, values, outside: [false; 2], shown: (0, i), stretch: None });
        }
        self.shown.push((view.fact.clone(), axis));
    }

    /// One fact with the values of both.
    fn lay(&mut self, fact: &Fact, grids: Option<[Grid; 2]>, views: [View; 2]) {
        let mut sets: Vec<ValueSet> = Vec::new();
        for side in SIDES {
            let grid = grids.map(|g| g[side]);
            sets.extend(views[side].sets.iter().filter_map(|set| carried(set, fact, grid)));
            sets.extend(grid.map(|g| ValueSet::range(fact, g.ends().0, g.ends().1)));
        }
        let axis = Axis::new(fact, sets.iter());
        for i in 0..axis.n_segments() {
            // Texts are never asked for what they hold one by one: that would grow with the square.
            let set = grids.map(|_| axis.values(&SegSet::one(i), fact).values);
            match (&set, grids) {
                (Some(Values::Number(ranges)), Some(grids)) if !ranges.is_empty() => {
                    for &(lo, hi) in ranges {
                        self.stretch(&axis, i, (lo, hi), grids, views);
                    }
                }
                _ => {
                    let value = axis.witness(i);
                    let seen = SIDES.map(|side| seen(&value, fact, views[side].fact));
                    self.push(seen, &value, views, (0, i), None);
                }
            }
        }
        self.shown.push((fact.clone(), axis));
    }

    /// A stretch of a number: what both have of it, and what only one of them has.
    fn stretch(&mut self, axis: &Axis, seg: u32, (lo, hi): (i128, i128), grids: [Grid; 2], views: [View; 2]) {
        let [a, b] = grids;
        let readable = if let Value::Number(n) = axis.witness(seg) { Some(n) } else { None };
        let found = [
            (a.first_common(&b, lo, hi), [true, true]),
            (a.first_alone(&b, lo, hi), [true, false]),
            (b.first_alone(&a, lo, hi), [false, true]),
        ];
        for (first, held) in found {
            let Some(first) = first else { continue };
            let fits = |n: &i128| [a.own(*n).is_some(), b.own(*n).is_some()] == held;
            let n = readable.filter(fits).unwrap_or(first);
            let seen = [a.own(n).map(Value::Number), b.own(n).map(Value::Number)];
            self.push(seen, &Value::Number(n), views, (0, seg), Some((lo, hi)));
        }
    }

    fn push(
        &mut self,
        seen: Seen,
        value: &Value,
        views: [View; 2],
        shown: (usize, u32),
        stretch: Option<(i128, i128)>,
    ) {
        let known = *value != Value::Unknown;
        let own = SIDES.map(|side| match (&seen[side], views[side].axis) {
            (Some(value), Some(axis)) => axis.segment(value),
            _ => UNKNOWN,
        });
        let outside = SIDES.map(|side| known && seen[side].is_none());
        let values = seen.map(Option::unwrap_or_default);
        self.segs.push(Seg { own, values, outside, shown, stretch });
    }

    /// Types that share no value but words.
    fn side_by_side(&mut self, views: [View; 2]) {
        let axes = views.map(own_axis);
        let mut words: Vec<&str> = Vec::new();
        for word in views.iter().flat_map(|v| v.fact.words()) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        self.push([Some(Value::Unknown), Some(Value::Unknown)], &Value::Unknown, views, (0, UNKNOWN), None);
        for word in &words {
            let seen = SIDES.map(|side| word_value(views[side].fact, word));
            let of = usize::from(views[0].fact.named_value(word).is_none());
            let seg = axes[of].segment(&seen[of].clone().unwrap_or_default());
            self.push(seen, &Value::Text((*word).into()), views, (of, seg), None);
        }
        for side in SIDES {
            for i in UNKNOWN + 1..axes[side].n_segments() {
                let value = axes[side].witness(i);
                if matches!(value, Value::Point(_) | Value::Choice(_)) {
                    continue;
                }
                let mut seen = [None, None];
                seen[side] = Some(value.clone());
                self.push(seen, &value, views, (side, i), None);
            }
        }
        self.shown = views.iter().map(|v| v.fact.clone()).zip(axes).collect();
    }
}

/// A side's own cut, made where the side never asks.
fn own_axis(view: View) -> Axis {
    view.axis.cloned().unwrap_or_else(|| Axis::new(view.fact, view.sets.iter().copied()))
}

/// What lies outside of a side's domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outside {
    /// These values, as a cell.
    Values(String),
    /// Values between its steps.
    BetweenSteps,
}

/// One fact with the values of both, and for numbers each one's place on its line; nothing where they share none.
fn common_fact(a: &Fact, b: &Fact) -> Option<(Fact, Option<[Grid; 2]>)> {
    let mut points = a.points.clone();
    points.extend(b.points.iter().filter(|p| !a.points.contains(p)).cloned());
    let (ty, grids) = match (&a.ty, &b.ty) {
        (Type::Choice { values: x, ordered, flag }, Type::Choice { values: y, ordered: other, flag: also }) => {
            let mut values = x.clone();
            values.extend(y.iter().filter(|v| !x.contains(v)).cloned());
            points.retain(|p| !values.contains(p));
            let same = x == y;
            (Type::Choice { values, ordered: *ordered && *other && same, flag: *flag && *also && same }, None)
        }
        (Type::Number(x), Type::Number(y)) => {
            let (ty, grids) = joined(x, y)?;
            (Type::Number(ty), Some(grids))
        }
        (Type::Text, Type::Text) => (Type::Text, None),
        _ => return None,
    };
    (points.len() <= 32).then(|| (Fact { ty, points, ..a.clone() }, grids))
}

/// A side's set as values of the common fact: only numbers and texts cut an axis.
fn carried(set: &ValueSet, fact: &Fact, grid: Option<Grid>) -> Option<ValueSet> {
    let values = match (&set.values, grid) {
        (Values::Number(ranges), Some(grid)) => {
            let ranges = ranges.iter().map(|(lo, hi)| (grid.out(*lo), grid.out(*hi)));
            Values::Number(ranges.collect())
        }
        (Values::Text(texts), _) => Values::Text(TextSet::clone(texts)),
        _ => return None,
    };
    Some(ValueSet { values, ..ValueSet::none(fact) })
}

/// A word as a value of a fact: one of its own, or for a text just that text.
fn word_value(fact: &Fact, word: &str) -> Option<Value> {
    fact.named_value(word).or_else(|| fact.is_text().then(|| Value::Text(word.into())))
}

/// A value of the common fact as a side has it; numbers are read off their grid elsewhere.
fn seen(value: &Value, common: &Fact, own: &Fact) -> Option<Value> {
    match value {
        Value::Unknown => Some(Value::Unknown),
        Value::Point(i) => word_value(own, common.points.get(usize::from(*i))?),
        Value::Choice(i) => match &common.ty {
            Type::Choice { values, .. } => word_value(own, values.get(usize::from(*i))?),
            _ => None,
        },
        Value::Text(_) => own.is_text().then(|| value.clone()),
        Value::Number(_) => None,
    }
}
