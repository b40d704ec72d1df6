//! Sets of segments: what a cell is once an axis is cut.
//!
//! Sorted half-open ranges that neither touch nor overlap, so that a set is small however many segments the axis
//! has, and two sets are equal exactly when they hold the same segments.

use smallvec::{SmallVec, smallvec};

/// Most tests are one range, or two: those lie in the set itself.
type Ranges = SmallVec<[(u32, u32); 2]>;

/// A set of segments of one axis.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SegSet {
    ranges: Ranges,
}

impl SegSet {
    /// Nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// The segments from `lo` to just before `hi`.
    pub fn range(lo: u32, hi: u32) -> Self {
        if lo < hi { SegSet { ranges: smallvec![(lo, hi)] } } else { Self::none() }
    }

    /// One segment.
    pub fn one(seg: u32) -> Self {
        Self::range(seg, seg + 1)
    }

    /// All of the ranges, in any order.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut all: Ranges = ranges.into_iter().filter(|r| r.0 < r.1).collect();
        all.sort_unstable();
        let mut out = Ranges::new();
        for (lo, hi) in all {
            match out.last_mut() {
                Some(last) if last.1 >= lo => last.1 = last.1.max(hi),
                _ => out.push((lo, hi)),
            }
        }
        SegSet { ranges: out }
    }

    /// Its ranges, in order.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Its segments, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.ranges.iter().flat_map(|&(lo, hi)| lo..hi)
    }

    /// Whether it holds a segment.
    pub fn contains(&self, seg: u32) -> bool {
        let i = self.ranges.partition_point(|r| r.1 <= seg);
        self.ranges.get(i).is_some_and(|r| r.0 <= seg)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many it holds.
    pub fn len(&self) -> u32 {
        self.ranges.iter().map(|r| r.1 - r.0).sum()
    }

    /// The first segment.
    pub fn first(&self) -> Option<u32> {
        self.ranges.first().map(|r| r.0)
    }

    /// The last segment.
    pub fn last(&self) -> Option<u32> {
        self.ranges.last().map(|r| r.1 - 1)
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let (mut i, mut j, mut out) = (0, 0, Ranges::new());
        while let (Some(a), Some(b)) = (self.ranges.get(i), other.ranges.get(j)) {
            let (lo, hi) = (a.0.max(b.0), a.1.min(b.1));
            if lo < hi {
                out.push((lo, hi));
            }
            if a.1 <= b.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        SegSet { ranges: out }
    }

    /// Either.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// What is left of `0..n` without it.
    #[must_use]
    pub fn complement(&self, n: u32) -> Self {
        let (mut at, mut out) = (0, Ranges::new());
        for &(lo, hi) in &self.ranges {
            if at < lo.min(n) {
                out.push((at, lo.min(n)));
            }
            at = hi;
        }
        if at < n {
            out.push((at, n));
        }
        SegSet { ranges: out }
    }

    /// This without the other.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.and(&other.complement(self.ranges.last().map_or(0, |r| r.1)))
    }

    /// Whether both hold some segment.
    pub fn meets(&self, other: &Self) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.ranges.get(i), other.ranges.get(j)) {
            if a.0.max(b.0) < a.1.min(b.1) {
                return true;
            }
            if a.1 <= b.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        false
    }

    /// Whether it holds every segment of the other.
    pub fn covers(&self, other: &Self) -> bool {
        let mut i = 0;
        other.ranges.iter().all(|b| {
            while self.ranges.get(i).is_some_and(|a| a.1 < b.1) {
                i += 1;
            }
            self.ranges.get(i).is_some_and(|a| a.0 <= b.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SegSet;
    use proptest::prelude::*;

    fn set() -> impl Strategy<Value = (u32, SegSet)> {
        any::<u32>().prop_map(|bits| (bits, of(bits)))
    }

    fn of(bits: u32) -> SegSet {
        SegSet::from_ranges((0..32).filter(|i| bits >> i & 1 == 1).map(|i| (i, i + 1)))
    }

    #[test]
    fn ranges_in_any_order() {
        let set = SegSet::from_ranges([(4, 6), (0, 2), (2, 3), (5, 5)]);
        assert_eq!(set.ranges(), [(0, 3), (4, 6)]);
    }

    proptest! {
        #[test]
        fn it_is_a_set((a, x) in set(), (b, y) in set()) {
            prop_assert_eq!(x.and(&y), of(a & b));
            prop_assert_eq!(x.or(&y), of(a | b));
            prop_assert_eq!(x.minus(&y), of(a & !b));
            prop_assert_eq!(x.complement(32), of(!a));
            prop_assert_eq!(x.meets(&y), a & b != 0);
            prop_assert_eq!(x.covers(&y), b & !a == 0);
            prop_assert_eq!(x.covers(&x.and(&y)), true);
            prop_assert_eq!(x.len(), a.count_ones());
            prop_assert_eq!(x.iter().collect::<Vec<_>>(), (0..32).filter(|i| x.contains(*i)).collect::<Vec<_>>());
        }
    }
}
