//! Regions: boxes over the axes of a space, the shape of everything that a row can say.

use super::{SegSet, UNKNOWN};

/// A box: a set of segments for each axis that is narrowed; an axis that is not named is whole. Never empty: what
/// would be is `None` where it is made.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Region {
    sides: Vec<(u32, SegSet)>,
}

impl Region {
    /// The whole space.
    pub fn all() -> Self {
        Self::default()
    }

    /// The sides, by axis.
    pub fn sides(&self) -> &[(u32, SegSet)] {
        &self.sides
    }

    /// The side of an axis that is narrowed.
    pub fn side(&self, axis: u32) -> Option<&SegSet> {
        self.sides.binary_search_by_key(&axis, |s| s.0).ok().map(|i| &self.sides[i].1)
    }

    /// With one side set anew, whatever it was; the caller leaves out sides that hold the whole axis.
    #[must_use]
    pub fn with(mut self, axis: u32, side: SegSet) -> Self {
        match self.sides.binary_search_by_key(&axis, |s| s.0) {
            Ok(i) => self.sides[i].1 = side,
            Err(i) => self.sides.insert(i, (axis, side)),
        }
        self
    }

    /// With one axis whole.
    #[must_use]
    pub fn without(mut self, axis: u32) -> Self {
        self.sides.retain(|s| s.0 != axis);
        self
    }

    /// What both hold.
    pub fn and(&self, other: &Self) -> Option<Self> {
        if !self.meets(other) {
            return None;
        }
        let (mut out, mut j) = (Vec::with_capacity(self.sides.len() + other.sides.len()), 0);
        for (axis, side) in &self.sides {
            while let Some(s) = other.sides.get(j).filter(|s| s.0 < *axis) {
                out.push(s.clone());
                j += 1;
            }
            match other.sides.get(j).filter(|s| s.0 == *axis) {
                Some(s) => {
                    out.push((*axis, side.and(&s.1)));
                    j += 1;
                }
                None => out.push((*axis, side.clone())),
            }
        }
        out.extend_from_slice(&other.sides[j..]);
        Some(Region { sides: out })
    }

    /// Whether both hold some point.
    pub fn meets(&self, other: &Self) -> bool {
        let mut j = 0;
        self.sides.iter().all(|(axis, side)| {
            while other.sides.get(j).is_some_and(|s| s.0 < *axis) {
                j += 1;
            }
            other.sides.get(j).is_none_or(|s| s.0 != *axis || s.1.meets(side))
        })
    }

    /// Whether it holds all of the other.
    pub fn covers(&self, other: &Self) -> bool {
        self.sides.iter().all(|(axis, side)| other.side(*axis).is_some_and(|s| side.covers(s)))
    }

    /// Whether it holds a point: a segment for each axis.
    pub fn contains(&self, point: &[u32]) -> bool {
        self.sides.iter().all(|(axis, side)| point.get(*axis as usize).is_some_and(|seg| side.contains(*seg)))
    }

    /// This without the other, as disjoint regions; `sizes` are the numbers of segments, by axis.
    pub fn minus(&self, other: &Self, sizes: &[u32]) -> Vec<Region> {
        if !self.meets(other) {
            return vec![self.clone()];
        }
        let (mut rest, mut out) = (self.clone(), Vec::new());
        for (axis, cut) in &other.sides {
            let size = || sizes.get(*axis as usize).copied().unwrap_or(0);
            let (outside, inside) = match self.side(*axis) {
                Some(side) => (side.minus(cut), side.and(cut)),
                None => (cut.complement(size()), cut.clone()),
            };
            if !outside.is_empty() {
                out.push(rest.clone().with(*axis, outside));
            }
            rest = rest.with(*axis, inside);
        }
        out
    }

    /// With unknown admitted on every axis; a side that becomes whole goes.
    #[must_use]
    pub fn with_unknowns(self, sizes: &[u32]) -> Self {
        let unknown = SegSet::one(UNKNOWN);
        let sides = self.sides.into_iter().map(|(axis, side)| (axis, side.or(&unknown)));
        Region { sides: sides.filter(|(axis, side)| !is_whole(*axis, side, sizes)).collect() }
    }
}

fn is_whole(axis: u32, side: &SegSet, sizes: &[u32]) -> bool {
    sizes.get(axis as usize).is_some_and(|n| side.len() == *n)
}

/// Leaves out regions that another one covers, and joins those that differ on one axis only, until nothing changes.
/// Gives the same points. Long lists are only freed of repeats: the work grows with the square.
pub fn absorb(mut regions: Vec<Region>, sizes: &[u32]) -> Vec<Region> {
    const LONG: usize = 1_500;
    regions.sort_unstable();
    regions.dedup();
    if regions.len() > LONG {
        return regions;
    }
    loop {
        let mut out: Vec<Region> = Vec::with_capacity(regions.len());
        let mut changed = false;
        for region in regions {
            if out.iter().any(|o| o.covers(&region)) {
                changed = true;
                continue;
            }
            out.retain(|o| !region.covers(o));
            match out.iter_mut().find_map(|o| joined(o, &region, sizes).map(|j| (o, j))) {
                Some((place, both)) => {
                    *place = both;
                    changed = true;
                }
                None => out.push(region),
            }
        }
        if !changed {
            return out;
        }
        regions = out;
    }
}

/// The union of two regions that name the same axes and differ on one of them.
fn joined(a: &Region, b: &Region, sizes: &[u32]) -> Option<Region> {
    if a.sides.len() != b.sides.len() || a.sides.iter().zip(&b.sides).any(|(x, y)| x.0 != y.0) {
        return None;
    }
    let mut differing = a.sides.iter().zip(&b.sides).filter(|(x, y)| x.1 != y.1);
    let (x, y) = differing.next()?;
    if differing.next().is_some() {
        return None;
    }
    let side = x.1.or(&y.1);
    Some(if is_whole(x.0, &side, sizes) { a.clone().without(x.0) } else { a.clone().with(x.0, side) })
}
