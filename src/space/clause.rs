//! Clauses: what must hold for a row to match, with derived facts left as they are.
//!
//! A test of a derived fact is kept as the set of *outcomes* of its derive that satisfy it, so that tests of two
//! outputs of one derive meet exactly.

use super::{Region, SegSet};

/// A region of caller's facts, and for some derives the outcomes that they must give. Never empty as far as a
/// single derive goes; whether the derives can give all of it at once is for the search to find out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Clause {
    /// What the caller's facts must be.
    pub region: Region,
    /// The outcomes that a derive must give, by derive; a derive that is not named may give any.
    pub derived: Vec<(u32, SegSet)>,
}

impl Clause {
    /// What always holds.
    pub fn all() -> Self {
        Self::default()
    }

    /// A region alone.
    pub fn of(region: Region) -> Self {
        Clause { region, derived: Vec::new() }
    }

    /// Whether it always holds.
    pub fn is_all(&self) -> bool {
        self.region.sides().is_empty() && self.derived.is_empty()
    }

    /// Both, unless they can be seen to exclude each other.
    pub fn and(&self, other: &Self) -> Option<Self> {
        let region = self.region.and(&other.region)?;
        let mut derived = self.derived.clone();
        for (derive, outcomes) in &other.derived {
            match derived.binary_search_by_key(derive, |d| d.0) {
                Ok(i) => {
                    derived[i].1 = derived[i].1.and(outcomes);
                    if derived[i].1.is_empty() {
                        return None;
                    }
                }
                Err(i) => derived.insert(i, (*derive, outcomes.clone())),
            }
        }
        Some(Clause { region, derived })
    }

    /// Whether the two are not seen to exclude each other.
    pub fn may_meet(&self, other: &Self) -> bool {
        self.region.meets(&other.region)
            && self.derived.iter().all(|(derive, outcomes)| {
                let same = other.derived.iter().find(|d| d.0 == *derive);
                same.is_none_or(|d| d.1.meets(outcomes))
            })
    }

    /// Whether it holds at a point with these outcomes of the derives.
    pub fn holds(&self, point: &[u32], outcomes: &[u32]) -> bool {
        let outcome = |d: u32| outcomes.get(d as usize).copied();
        self.region.contains(point)
            && self.derived.iter().all(|(d, held)| outcome(*d).is_some_and(|o| held.contains(o)))
    }
}
