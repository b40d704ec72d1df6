//! What cells admit: sets of values, each of the kind that its fact asks for.
//!
//! ```text
//! the named points that it holds    4 bytes, a bit each
//! unknown, and how many parts       4: the lowest bit is unknown
//! a choice: a bit a value           8 for each 64
//! a number: first and last          8 and 8 for each range, 16 and 16 where the domain is wider than 64 bits
//! a text: number of the literal or prefix, and its answer   4 and 4; the first is no text but tells how many are
//!                                                           literals, and the answer of the rest
//! ```
//!
//! A hundred thousand rows bring as many sets: these are stepped over and checked without being made.

use super::error::Load;
use super::reader::Reader;
use super::texts::Texts;
use super::writer::Writer;
use crate::model::{Fact, NumberType, TextSet, Type, ValueSet, Values};

/// The bytes of a set of numbers that is one range, where the bounds fit 64 bits.
const RANGE: usize = 24;

/// Whether the bounds of numbers fit 64 bits.
fn is_narrow(ty: &NumberType) -> bool {
    i64::try_from(ty.lo).is_ok() && i64::try_from(ty.hi).is_ok()
}

pub(super) fn write(w: &mut Writer, fact: &Fact, set: &ValueSet) {
    w.u32(set.points);
    let head = |w: &mut Writer, n: usize| w.u32((n as u32) << 1 | u32::from(set.unknown));
    match &set.values {
        Values::Choice(bits) => {
            head(w, bits.len());
            bits.iter().for_each(|word| w.u64(*word));
        }
        Values::Number(ranges) => {
            head(w, ranges.len());
            let narrow = matches!(&fact.ty, Type::Number(ty) if is_narrow(ty));
            for end in ranges.iter().flat_map(|(lo, hi)| [*lo, *hi]) {
                if narrow { w.u64((end as i64).cast_unsigned()) } else { w.i128(end) }
            }
        }
        Values::Text(texts) => {
            let (literals, prefixes): (Vec<&str>, Vec<&str>) = (texts.literals().collect(), texts.prefixes().collect());
            head(w, 1 + literals.len() + prefixes.len());
            w.n(literals.len());
            w.u32(texts.holds_rest().into());
            for literal in literals {
                w.text(literal);
                w.u32(texts.contains(literal).into());
            }
            for prefix in prefixes {
                w.text(prefix);
                w.u32(texts.at_prefix(prefix).into());
            }
        }
    }
}

/// A set as it stands.
pub(super) struct Raw<'a> {
    points: u32,
    unknown: bool,
    body: Body<'a>,
}

enum Body<'a> {
    Choice(&'a [[u8; 8]]),
    Narrow(&'a [[u8; 16]]),
    Wide(&'a [[u8; 32]]),
    Text { rest: u32, literals: &'a [[u8; 8]], prefixes: &'a [[u8; 8]] },
}

/// The next set of a fact, checked.
pub(super) fn read(r: &mut Reader, fact: &Fact) -> Load<ValueSet> {
    let raw = step(r, fact)?;
    raw.check(r, fact)?;
    Ok(raw.build(r.all_texts()))
}

/// Checks some sets of a fact.
pub(super) fn check(r: &mut Reader, fact: &Fact, mut n: usize) -> Load<()> {
    loop {
        n -= pass_over(r, fact, n)?;
        if n == 0 {
            return Ok(());
        }
        step(r, fact)?.check(r, fact)?;
        n -= 1;
    }
}

/// Passes over sound sets of a fact that are one range each, as most sets of numbers are, up to so many; says how many
/// they were.
fn pass_over(r: &mut Reader, fact: &Fact, n: usize) -> Load<usize> {
    let Type::Number(ty) = &fact.ty else { return Ok(0) };
    let (Ok(least), Ok(most), 1) = (i64::try_from(ty.lo), i64::try_from(ty.hi), ty.step) else { return Ok(0) };
    let n_points = fact.points.len();
    let is_sound = |set: &[u8; RANGE]| {
        let (words, _) = set.as_chunks::<8>();
        let [head, lo, hi] = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
        let (lo, hi) = (lo.cast_signed(), hi.cast_signed());
        head & u64::from(u32::MAX) < 1 << n_points && head >> 33 == 1 && least <= lo && lo <= hi && hi <= most
    };
    let (sets, _) = r.clone().rest().as_chunks::<RANGE>();
    let passed = sets.iter().take(n).take_while(|set| is_sound(set)).count();
    r.take(passed * RANGE)?;
    Ok(passed)
}

/// The next set of a fact, whose own content is not looked at.
pub(super) fn step<'a>(r: &mut Reader<'a>, fact: &Fact) -> Load<Raw<'a>> {
    let (points, head) = (r.u32()?, r.u32()?);
    let (n, unknown) = ((head >> 1) as usize, head & 1 == 1);
    let body = match &fact.ty {
        Type::Choice { .. } => Body::Choice(parts(r, n)?),
        Type::Number(ty) if is_narrow(ty) => Body::Narrow(parts(r, n)?),
        Type::Number(_) => Body::Wide(parts(r, n)?),
        Type::Text => {
            let parts = parts::<8>(r, n)?;
            let split = parts.split_first().and_then(|(first, rest)| {
                let (n_literals, rest_holds) = pair(*first);
                let (literals, prefixes) = rest.split_at_checked(n_literals as usize)?;
                Some(Body::Text { rest: rest_holds, literals, prefixes })
            });
            split.ok_or_else(|| r.unsound("a set of texts is cut short"))?
        }
    };
    Ok(Raw { points, unknown, body })
}

fn parts<'a, const N: usize>(r: &mut Reader<'a>, n: usize) -> Load<&'a [[u8; N]]> {
    // 31 bits times 32 fit 64; where they do not fit the machine, there are not so many bytes either.
    Ok(r.take(n.saturating_mul(N))?.as_chunks().0)
}

fn pair(bytes: [u8; 8]) -> (u32, u32) {
    let both = u64::from_le_bytes(bytes);
    (both as u32, (both >> 32) as u32)
}

fn narrow(range: &[u8; 16]) -> (i128, i128) {
    let both = u128::from_le_bytes(*range);
    (i128::from((both as u64).cast_signed()), i128::from(((both >> 64) as u64).cast_signed()))
}

fn wide(range: &[u8; 32]) -> (i128, i128) {
    let (ends, _) = range.as_chunks::<16>();
    (i128::from_le_bytes(ends[0]), i128::from_le_bytes(ends[1]))
}

impl Raw<'_> {
    fn check(&self, r: &Reader, fact: &Fact) -> Load<()> {
        r.ensure(u64::from(self.points) < 1 << fact.points.len(), "a set holds a named point that its fact lacks")?;
        let sound = match (&self.body, &fact.ty) {
            (Body::Choice(bits), Type::Choice { values, .. }) => {
                let last = bits.last().map_or(0, |word| u64::from_le_bytes(*word));
                let used = values.len() % 64;
                bits.len() == values.len().div_ceil(64) && (used == 0 || last >> used == 0)
            }
            (Body::Narrow(ranges), Type::Number(ty)) => in_order(ty, ranges.iter().map(narrow)),
            (Body::Wide(ranges), Type::Number(ty)) => in_order(ty, ranges.iter().map(wide)),
            (Body::Text { rest, literals, prefixes }, _) => {
                let texts = r.all_texts();
                *rest <= 1 && answers_hold(texts, literals) && answers_hold(texts, prefixes)
            }
            _ => false,
        };
        r.ensure(sound, "a set is none of its fact")
    }

    /// The set itself, once it was checked.
    pub(super) fn build(&self, texts: Texts) -> ValueSet {
        let answers = |parts: &[[u8; 8]]| {
            let parts = parts.iter().copied().map(pair);
            parts.map(|(text, holds)| (texts.get(text).unwrap_or_default().into(), holds == 1)).collect::<Vec<_>>()
        };
        let values = match &self.body {
            Body::Choice(bits) => Values::Choice(bits.iter().map(|word| u64::from_le_bytes(*word)).collect()),
            Body::Narrow(ranges) => Values::Number(ranges.iter().map(narrow).collect()),
            Body::Wide(ranges) => Values::Number(ranges.iter().map(wide).collect()),
            Body::Text { rest, literals, prefixes } => {
                let (literals, prefixes) = (answers(literals), answers(prefixes));
                Values::Text(TextSet::of_answers(literals.into_iter(), prefixes.into_iter(), *rest == 1))
            }
        };
        ValueSet { unknown: self.unknown, points: self.points, values }
    }
}

/// Whether ranges lie on the grid of a type, in order, and neither touch nor overlap.
fn in_order(ty: &NumberType, mut ranges: impl Iterator<Item = (i128, i128)>) -> bool {
    let on_grid = |n: i128| ty.step == 1 || (n - ty.lo) % ty.step == 0;
    let mut least = ty.lo;
    ranges.all(|(lo, hi)| {
        let sound = least <= lo && lo <= hi && hi <= ty.hi && on_grid(lo) && on_grid(hi);
        least = if sound { hi + 2 * ty.step } else { least };
        sound
    })
}

/// Whether the texts are there, in the order of their letters, each once.
fn answers_hold(texts: Texts, parts: &[[u8; 8]]) -> bool {
    let known = |part: &[u8; 8]| {
        let (text, holds) = pair(*part);
        texts.get(text).filter(|_| holds <= 1)
    };
    parts.iter().all(|part| known(part).is_some()) && parts.iter().map(known).is_sorted_by(|a, b| a < b)
}
