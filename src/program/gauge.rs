//! A whole number's fact made ready to be set: its bounds, where its classes part, and what each class is to a question,
//! side by side.
//!
//! A number of few classes has one, where 64 bits hold its bounds; any other value goes by [`Program::told`]. Both say the
//! same.

use crate::model::{Fact, NumberKind, NumberType, Type};

use super::answer::Program;
use super::codes::{Coder, Kind};
use super::question::Told;

/// The most ends of a number with a gauge.
const MOST_ENDS: usize = 4;

/// What one number's values are to a program.
#[derive(Debug, Clone)]
pub struct Gauge {
    /// Its least value, and how far the greatest lies above it; every whole number between them is one of its values.
    lo: i64,
    span: u64,
    /// How far the last value before each end lies above the least. Past them what no value passes, so that all are
    /// compared without a branch.
    lasts: [u64; MOST_ENDS],
    /// The code of each stretch.
    codes: [u32; MOST_ENDS + 1],
    /// What its first code is to a question.
    first: Told,
    pace: Pace,
}

/// What a number with a gauge counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Nothing: no number comes in by this gauge.
    None,
    /// Ones: a count or an integer.
    One,
    /// Milliseconds: a duration.
    Ms,
}

impl Program {
    /// The gauges of a model's facts, by place.
    pub fn gauges<'f>(&self, facts: impl Iterator<Item = &'f Fact>) -> Box<[Gauge]> {
        let gauge = |(fact, coder): (&Fact, &Coder)| match &fact.ty {
            Type::Number(ty) => Gauge::new(ty, coder),
            Type::Choice { .. } | Type::Text => None,
        };
        facts.zip(&self.codes.coders).map(|of| gauge(of).unwrap_or(Gauge::NONE)).collect()
    }
}

impl Gauge {
    /// Of a fact whose values go the long way.
    const NONE: Gauge = Gauge {
        lo: 0,
        span: 0,
        lasts: [u64::MAX; MOST_ENDS],
        codes: [0; MOST_ENDS + 1],
        first: Told::NOTHING,
        pace: Pace::None,
    };

    fn new(ty: &NumberType, coder: &Coder) -> Option<Gauge> {
        let first = coder.told_first();
        let pace = match ty.kind {
            NumberKind::Count | NumberKind::Integer => Pace::One,
            NumberKind::Duration => Pace::Ms,
            NumberKind::Decimal | NumberKind::Instant | NumberKind::Version => return None,
        };
        let ends = match &coder.kind {
            Kind::Number(ends) => &ends[..],
            _ if first.slot().is_none() => &[],
            _ => return None,
        };
        if ty.step != 1 || ends.len() > MOST_ENDS {
            return None;
        }
        let (lo, hi) = (i64::try_from(ty.lo).ok()?, i64::try_from(ty.hi).ok()?);
        let above = |n: i64| (n >= lo).then(|| n.abs_diff(lo));
        let (span, mut lasts) = (above(hi)?, [u64::MAX; MOST_ENDS]);
        for (last, end) in lasts.iter_mut().zip(ends) {
            *last = above(end.checked_sub(1)?)?;
        }
        let mut codes = [0; MOST_ENDS + 1];
        (0..).zip(&mut codes).for_each(|(stretch, code)| *code = coder.code_of_stretch(stretch));
        Some(Gauge { lo, span, lasts, codes, first, pace })
    }

    /// What a number is to a question; nothing where it is of another kind or outside the domain.
    #[inline]
    pub fn told(&self, pace: Pace, n: i64) -> Option<Told> {
        let above = n.wrapping_sub(self.lo).cast_unsigned();
        if pace != self.pace || above > self.span {
            return None;
        }
        let n_passed: usize = self.lasts.iter().map(|last| usize::from(*last < above)).sum();
        Some(Told { code: *self.codes.get(n_passed)?, ..self.first })
    }
}
