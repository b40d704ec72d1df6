//! The facts of one question, and as a program reads them.

use crate::model::{FactId, Value};

/// What one value is to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Where the code goes; past the last one where nothing tests the fact.
    pub(super) slot: u32,
    pub(super) code: u32,
    /// Where the point of the fact's joint stands, and how far apart those of neighbouring codes lie.
    pub(super) point: u32,
    pub(super) stride: u32,
}

impl Told {
    /// What nothing tests.
    pub(super) const NOTHING: Told = Told { slot: u32::MAX, code: 0, point: 0, stride: 0 };

    /// Where the code goes, where anything tests the fact.
    pub fn slot(self) -> Option<usize> {
        (self.slot != u32::MAX).then_some(self.slot as usize)
    }

    /// The code.
    pub fn code(self) -> u32 {
        self.code
    }
}

/// So many places of a question are for points that are short.
pub(super) const SHORT: usize = 4;

/// With those for points of any length they lie in the question itself.
pub(super) const NEAR: usize = SHORT + 2;

/// The points of a joint are short where it has so many at most.
pub(super) const MOST_SHORT: u32 = 1 << 16;

/// The values of one question, and their codes. They change one by one, and the points of their joints are kept beside
/// them: so small that of many questions in a row each is half a line of the cache.
///
/// Places count through points and codes: first the points that lie near, then the code of each slot, then all other
/// points ([`Joints::place`](super::joints::Joints::place)).
#[derive(Debug, Clone)]
pub struct Question {
    /// The points that most questions are answered by: the short ones, and others.
    short: [u16; SHORT],
    long: [u32; NEAR - SHORT],
    behind: Box<Behind>,
}

/// What few questions are answered by.
#[derive(Debug, Clone)]
struct Behind {
    /// By slot, then the points of the other joints.
    codes: Box<[u32]>,
    /// By fact; a program reads their codes in their place.
    values: Box<[Value]>,
}

impl Question {
    /// Nothing is known of so many facts. So many codes and points do not lie near.
    pub(super) fn blank(n_facts: usize, n_behind: usize) -> Self {
        let behind = Behind { codes: vec![0; n_behind].into(), values: vec![Value::Unknown; n_facts].into() };
        Question { short: [0; SHORT], long: [0; NEAR - SHORT], behind: Box::new(behind) }
    }

    /// The code or point at a place.
    #[inline]
    pub(super) fn at(&self, place: u32) -> Option<u32> {
        match place as usize {
            place @ 0..SHORT => Some(self.short[place].into()),
            place @ SHORT..NEAR => Some(self.long[place - SHORT]),
            place => self.behind.codes.get(place - NEAR).copied(),
        }
    }

    /// The code of a slot.
    pub(super) fn code(&self, slot: u32) -> Option<u32> {
        self.behind.codes.get(slot as usize).copied()
    }

    /// The point of the first joint: the only one where the policy is a flat table.
    #[inline]
    pub(super) fn first_point(&self) -> u16 {
        self.short[0]
    }

    /// The values by fact.
    pub fn values(&self) -> &[Value] {
        &self.behind.values
    }

    /// Where the value of a fact stands; what it is to the program is [`put`](Self::put) beside it.
    #[inline]
    pub fn value_mut(&mut self, fact: FactId) -> Option<&mut Value> {
        self.behind.values.get_mut(fact.0 as usize)
    }

    /// Puts what one value is to the program.
    #[inline]
    pub fn put(&mut self, told: Told) {
        let codes = &mut *self.behind.codes;
        let Some(code) = codes.get_mut(told.slot as usize) else { return };
        let more = told.code.wrapping_sub(*code).wrapping_mul(told.stride);
        *code = told.code;
        let point = match told.point as usize {
            place @ 0..SHORT => {
                self.short[place] = self.short[place].wrapping_add(more as u16);
                return;
            }
            place @ SHORT..NEAR => Some(&mut self.long[place - SHORT]),
            place => codes.get_mut(place - NEAR),
        };
        if let Some(point) = point {
            *point = point.wrapping_add(more);
        }
    }
}
