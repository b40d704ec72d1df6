//! Facts as small numbers: what a program reads in place of values.
//!
//! A fact's values fall into classes that every set of the policy admits or refuses as one; a code is the place of a
//! class, 0 that of unknown. A value is turned into its code once, when the fact is set; after that a decision only
//! looks into arrays. Exact at every end: a class is a union of the segments of the fact's [`Axis`].

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::model::{Fact, FactId, Model, Value, ValueSet};
use crate::space::{Axis, SegSet};

use super::joints::Joints;
use super::question::Told;

/// The most segments that all sets of one fact may hold together for classes to be looked for; past it every segment
/// is a class.
const MOST_HELD: u64 = 4_000_000;

/// Up to so many ends are counted one by one, without a branch.
const FEW_ENDS: usize = 16;

/// The slot of a fact that nothing tests.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Gives the codes of one policy's facts.
#[derive(Debug, Clone, Default)]
pub(super) struct Codes {
    pub(super) coders: Box<[Coder]>,
    pub(super) joints: Joints,
}

/// The coder of one fact.
#[derive(Debug, Clone, Hash)]
pub(super) struct Coder {
    /// Where its code goes in a question; past the last one where nothing tests the fact.
    pub(super) slot: u32,
    /// Where the point of its joint stands in a question, and how far apart those of neighbouring codes lie.
    pub(super) point: u32,
    pub(super) stride: u32,
    /// The segment of the first value proper: behind unknown and the named points.
    pub(super) base: u32,
    /// The code of each segment; none where each is a code of its own, as many as there are codes.
    pub(super) codes: Option<Box<[u32]>>,
    pub(super) n_codes: u32,
    pub(super) kind: Kind,
}

impl Default for Coder {
    fn default() -> Self {
        Coder { slot: NO_SLOT, point: 0, stride: 0, base: 1, codes: None, n_codes: 1, kind: Kind::Choice }
    }
}

#[derive(Debug, Clone, Hash)]
pub(super) enum Kind {
    Choice,
    /// The first values of all stretches but the first.
    Number(Box<[i64]>),
    /// The same where they are many and fit 32 bits: half as much to look through.
    ShortNumber(Box<[i32]>),
    /// The same where they do not fit 64 bits.
    WideNumber(Box<[i128]>),
    Text(Axis),
}

/// What sets become codes by, while a program is built.
pub(super) struct Cuts {
    axes: Vec<Option<Axis>>,
    /// As a coder has them.
    codes: Vec<Option<Box<[u32]>>>,
}

impl Codes {
    /// Cuts every caller's fact by all sets that are ever asked of it.
    pub(super) fn build<'a>(model: &Model, sets: impl Iterator<Item = (FactId, &'a ValueSet)>) -> (Codes, Cuts) {
        let mut of_fact: Vec<Vec<&ValueSet>> = vec![Vec::new(); model.facts.len()];
        for (fact, set) in sets {
            if let Some(list) = of_fact.get_mut(fact.0 as usize) {
                list.push(set);
            }
        }
        let (mut coders, mut cuts) = (Vec::new(), Cuts { axes: Vec::new(), codes: Vec::new() });
        let mut n_slots = 0;
        for (fact, sets) in model.facts.values().zip(&of_fact) {
            let axis = (fact.is_callers() && !sets.is_empty()).then(|| Axis::new(fact, sets.iter().copied()));
            let classes = axis.as_ref().and_then(|axis| {
                let held: BTreeSet<SegSet> = sets.iter().map(|set| axis.segs(set)).collect();
                classes(axis.n_segments(), held.iter())
                    .filter(|classes| !classes.iter().copied().eq(0..axis.n_segments()))
            });
            let slot = if axis.is_some() { n_slots } else { NO_SLOT };
            n_slots += u32::from(axis.is_some());
            coders.push(Coder { slot, ..Coder::new(fact, axis.as_ref(), classes.clone()) });
            cuts.axes.push(axis);
            cuts.codes.push(classes);
        }
        (Codes { coders: coders.into(), joints: Joints::default() }, cuts)
    }

    /// Takes the joints of the slots.
    pub(super) fn join(&mut self, joints: Joints) {
        let tested = self.coders.iter_mut().filter(|coder| coder.slot != NO_SLOT);
        tested.zip(joints.places()).for_each(|(coder, place)| (coder.point, coder.stride) = place);
        self.joints = joints;
    }

    /// See [`Program::layout`](super::Program::layout).
    pub(super) fn layout(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.coders.hash(&mut hasher);
        hasher.finish()
    }

    /// What a fact's value is to a question.
    #[inline]
    pub(super) fn told(&self, fact: FactId, value: &Value) -> Told {
        match self.coders.get(fact.0 as usize) {
            Some(coder) => Told { code: coder.code(value), ..coder.told_first() },
            None => Told::NOTHING,
        }
    }

    /// The first values of all stretches of a number but the first.
    pub(super) fn ends(&self, fact: FactId) -> Vec<i128> {
        match self.coders.get(fact.0 as usize).map(|coder| &coder.kind) {
            Some(Kind::Number(ends)) => ends.iter().map(|end| i128::from(*end)).collect(),
            Some(Kind::ShortNumber(ends)) => ends.iter().map(|end| i128::from(*end)).collect(),
            Some(Kind::WideNumber(ends)) => ends.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The slot of each fact; where nothing tests it, one past the last.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.coders.iter().map(|coder| coder.slot)
    }

    /// How many codes each slot has.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.coders.iter().filter(|coder| coder.slot != NO_SLOT).map(|coder| coder.n_codes)
    }
}

impl Coder {
    fn new(fact: &Fact, axis: Option<&Axis>, codes: Option<Box<[u32]>>) -> Self {
        let base = 1 + fact.points.len() as u32;
        let Some(axis) = axis else { return Coder { base, ..Coder::default() } };
        let last = codes.as_ref().map(|codes| codes.iter().max().map_or(0, |last| *last));
        let n_codes = last.map_or(axis.n_segments(), |last| last + 1);
        let kind = match axis.starts() {
            Some(starts) => Kind::of_number(starts.get(1..).unwrap_or_default()),
            None if fact.is_text() => Kind::Text(axis.clone()),
            None => Kind::Choice,
        };
        Coder { base, codes, n_codes, kind, ..Coder::default() }
    }

    /// What its first code is to a question.
    #[inline]
    pub(super) fn told_first(&self) -> Told {
        Told { slot: self.slot, code: 0, point: self.point, stride: self.stride }
    }

    #[inline]
    fn code(&self, value: &Value) -> u32 {
        let segment = match (value, &self.kind) {
            (Value::Point(place), _) => u32::from(*place) + 1,
            (Value::Choice(place), Kind::Choice) => self.base + u32::from(*place),
            (Value::Number(n), Kind::Number(ends)) => {
                let n = i64::try_from(*n).unwrap_or(if *n < 0 { i64::MIN } else { i64::MAX });
                self.base + n_reached(ends, n)
            }
            (Value::Number(n), Kind::ShortNumber(ends)) => {
                let n = i32::try_from(*n).unwrap_or(if *n < 0 { i32::MIN } else { i32::MAX });
                self.base + n_reached(ends, n)
            }
            (Value::Number(n), Kind::WideNumber(ends)) => self.base + n_reached(ends, *n),
            (Value::Text(_), Kind::Text(axis)) => text_segment(axis, value),
            _ => 0,
        };
        self.code_of(segment)
    }

    /// The code of a segment.
    #[inline]
    fn code_of(&self, segment: u32) -> u32 {
        match &self.codes {
            Some(codes) => codes.get(segment as usize).copied().unwrap_or(0),
            None if segment < self.n_codes => segment,
            None => 0,
        }
    }

    /// The code of the values between two ends of a number, by how many ends they have reached.
    pub(super) fn code_of_stretch(&self, n_reached: u32) -> u32 {
        self.code_of(self.base + n_reached)
    }
}

impl Kind {
    /// A number with these ends, in as few bits as hold them.
    fn of_number(ends: &[i128]) -> Kind {
        // A value below all of these bits is below every end still: the least one is never an end here.
        let short = ends.iter().map(|n| i32::try_from(*n).ok().filter(|n| *n > i32::MIN));
        if let Some(short) = short.collect::<Option<_>>().filter(|_| ends.len() > FEW_ENDS) {
            return Kind::ShortNumber(short);
        }
        let narrow = ends.iter().map(|n| i64::try_from(*n).ok().filter(|n| *n > i64::MIN));
        narrow.collect::<Option<_>>().map_or_else(|| Kind::WideNumber(ends.into()), Kind::Number)
    }
}

/// Out of line, so that what remains of a code is small enough to be inlined.
#[inline(never)]
fn text_segment(axis: &Axis, text: &Value) -> u32 {
    axis.segment(text)
}

/// How many of some ordered ends a number has reached.
fn n_reached<T: Copy + PartialOrd>(ends: &[T], n: T) -> u32 {
    if ends.len() <= FEW_ENDS {
        ends.iter().map(|end| u32::from(*end <= n)).sum()
    } else {
        ends.partition_point(|end| *end <= n) as u32
    }
}

impl Cuts {
    /// The codes of a set that the facts were cut by; nothing of a fact without codes.
    pub(super) fn codes(&self, fact: FactId, set: &ValueSet) -> SegSet {
        let place = fact.0 as usize;
        let Some(axis) = self.axes.get(place).and_then(Option::as_ref) else { return SegSet::none() };
        let segs = axis.segs(set);
        match self.codes.get(place).and_then(Option::as_ref) {
            None => segs,
            Some(codes) => {
                let held = segs.iter().filter_map(|seg| codes.get(seg as usize));
                SegSet::from_ranges(held.map(|code| (*code, code + 1)))
            }
        }
    }
}

/// The class of each of so many codes, numbered as they come: two are of one class where every set holds both or
/// neither. Nothing where that would take long.
pub(super) fn classes<'s>(n: u32, sets: impl Iterator<Item = &'s SegSet> + Clone) -> Option<Box<[u32]>> {
    let held: u64 = sets.clone().map(|set| u64::from(set.len())).sum();
    if held > MOST_HELD {
        return None;
    }
    // Each set splits the classes that it holds a part of: what it holds moves into a class of its own.
    let mut class = vec![0u32; n as usize];
    let mut moved: Vec<(usize, u32)> = vec![(usize::MAX, 0)];
    for (i, set) in sets.enumerate() {
        for code in set.iter() {
            let Some(slot) = class.get_mut(code as usize) else { continue };
            if moved[*slot as usize].0 != i {
                moved[*slot as usize] = (i, moved.len() as u32);
                moved.push((usize::MAX, 0));
            }
            *slot = moved[*slot as usize].1;
        }
    }
    let mut number: Vec<Option<u32>> = vec![None; moved.len()];
    let mut next = 0;
    for slot in &mut class {
        let place = &mut number[*slot as usize];
        *slot = *place.get_or_insert_with(|| {
            next += 1;
            next - 1
        });
    }
    Some(class.into())
}
