//! The values of two numbers, one in each policy, on one line.
//!
//! Both are put on the finer of their units. Each has bounds and a step; what lies on one grid and not on the other
//! is a value that only one side knows.

use crate::model::{NumberKind, NumberType};
use crate::words::DECIMAL_UNIT;

/// One side's values on the common line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// How many ticks of the line one of its own is.
    scale: i128,
    lo: i128,
    hi: i128,
    step: i128,
}

/// Two numbers on one line, and its type; nothing where their kinds share no value.
pub(super) fn joined(a: &NumberType, b: &NumberType) -> Option<(NumberType, [Grid; 2])> {
    use NumberKind::{Count, Decimal, Integer};
    let kind = match (a.kind, b.kind) {
        (a, b) if a == b => a,
        (Decimal, Count | Integer) | (Count | Integer, Decimal) => Decimal,
        (Count, Integer) | (Integer, Count) => Integer,
        _ => return None,
    };
    let grids = [Grid::of(a, kind)?, Grid::of(b, kind)?];
    let [x, y] = grids;
    let step = gcd(gcd(x.step, y.step), (x.lo - y.lo).abs());
    let dense = a.dense || b.dense;
    Some((NumberType { kind, lo: x.lo.min(y.lo), hi: x.hi.max(y.hi), step: step.max(1), dense }, grids))
}

impl Grid {
    fn of(ty: &NumberType, kind: NumberKind) -> Option<Grid> {
        let scale = if kind == NumberKind::Decimal && ty.kind != kind { DECIMAL_UNIT } else { 1 };
        let last = ty.lo + (ty.hi - ty.lo) / ty.step * ty.step;
        let scaled = |n: i128| n.checked_mul(scale);
        Some(Grid { scale, lo: scaled(ty.lo)?, hi: scaled(last)?, step: scaled(ty.step)? })
    }

    /// Its ends on the line.
    pub(super) fn ends(&self) -> (i128, i128) {
        (self.lo, self.hi)
    }

    /// A value of its own on the line.
    pub(super) fn out(&self, own: i128) -> i128 {
        own.saturating_mul(self.scale)
    }

    /// A value on the line as its own, where it has it.
    pub(super) fn own(&self, value: i128) -> Option<i128> {
        self.holds(value).then(|| value / self.scale)
    }

    fn holds(&self, value: i128) -> bool {
        value >= self.lo && value <= self.hi && (value - self.lo) % self.step == 0
    }

    /// The first of its values from `lo` to `hi`.
    fn first(&self, lo: i128, hi: i128) -> Option<i128> {
        let (lo, hi) = (lo.max(self.lo), hi.min(self.hi));
        let up = (self.step - (lo - self.lo).rem_euclid(self.step)) % self.step;
        lo.checked_add(up).filter(|v| *v <= hi)
    }

    /// The first of its values from `lo` to `hi` that the other lacks.
    pub(super) fn first_alone(&self, other: &Grid, lo: i128, hi: i128) -> Option<i128> {
        let mut value = self.first(lo, hi)?;
        // Of two neighbours the other has both only where it has all of them, as far as it reaches.
        for _ in 0..2 {
            if !other.holds(value) {
                return Some(value);
            }
            value = value.checked_add(self.step).filter(|v| *v <= hi.min(self.hi))?;
        }
        if value > other.hi { Some(value) } else { None }
    }

    /// The first value from `lo` to `hi` that both have.
    pub(super) fn first_common(&self, other: &Grid, lo: i128, hi: i128) -> Option<i128> {
        let (lo, hi) = (lo.max(self.lo).max(other.lo), hi.min(self.hi).min(other.hi));
        let start = self.first(lo, hi)?;
        // start + k·step ≡ other.lo (mod other.step), by the inverse of step/g modulo other.step/g.
        let g = gcd(self.step, other.step);
        let distance = other.lo - start;
        if distance % g != 0 {
            return None;
        }
        let modulus = other.step / g;
        let inverse = inverse((self.step / g).rem_euclid(modulus), modulus);
        let k = times((distance / g).rem_euclid(modulus), inverse, modulus);
        let value = k.checked_mul(self.step)?.checked_add(start)?;
        (value <= hi).then_some(value)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `a · b mod m` without leaving 128 bits: by doubling, `m` being far below half of them.
fn times(a: i128, b: i128, m: i128) -> i128 {
    let (mut a, mut b, mut sum) = (a % m, b, 0);
    while b > 0 {
        if b & 1 == 1 {
            sum = (sum + a) % m;
        }
        a = (a + a) % m;
        b >>= 1;
    }
    sum
}

/// The inverse of `a` modulo `m`, both without a common divisor.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut r, mut next_r, mut t, mut next_t) = (m, a, 0, 1);
    while next_r != 0 {
        let quotient = r / next_r;
        (t, next_t) = (next_t, t - quotient * next_t);
        (r, next_r) = (next_r, r - quotient * next_r);
    }
    t.rem_euclid(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid() -> impl Strategy<Value = Grid> {
        (-12i128..12, 1i128..8, 0i128..12).prop_map(|(lo, step, n)| Grid { scale: 1, lo, hi: lo + n * step, step })
    }

    proptest! {
        #[test]
        fn values_of_both_and_of_one((a, b) in (grid(), grid()), lo in -20i128..30, width in 0i128..30) {
            let hi = lo + width;
            let common = (lo..=hi).find(|v| a.holds(*v) && b.holds(*v));
            prop_assert_eq!(a.first_common(&b, lo, hi), common);
            // As the line is cut: the other's domain ends nowhere inside.
            if (b.lo <= lo && b.hi >= hi) || b.hi < lo || b.lo > hi {
                let alone = (lo..=hi).find(|v| a.holds(*v) && !b.holds(*v));
                prop_assert_eq!(a.first_alone(&b, lo, hi), alone);
            }
        }
    }

    #[test]
    fn kinds_that_share_values() {
        let whole = |k: NumberKind| k.whole();
        assert!(joined(&whole(NumberKind::Count), &whole(NumberKind::Duration)).is_none());
        let (ty, grids) = joined(&whole(NumberKind::Count), &whole(NumberKind::Decimal)).unwrap();
        assert_eq!(ty.kind, NumberKind::Decimal);
        assert_eq!((grids[0].own(3 * DECIMAL_UNIT), grids[0].own(DECIMAL_UNIT / 2)), (Some(3), None));
    }
}
