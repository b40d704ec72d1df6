//! The facts of one question as a program reads them.

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

/// The points of so many joints lie in the question itself.
pub(super) const FEW: usize = 6;

/// The codes of one question. They change one by one, and the points of their joints are kept beside them.
///
/// Places count through both lists: first the points of the first joints, then the code of each slot, then the points of
/// all other joints ([`Joints::place`](super::joints::Joints::place)).
#[derive(Debug, Clone)]
pub struct Question {
    /// The points that most questions are answered by.
    few: [u32; FEW],
    rest: Box<[u32]>,
}

impl Question {
    /// Nothing is known.
    pub(super) fn blank(n_slots: usize, n_joints: usize) -> Self {
        Question { few: [0; FEW], rest: vec![0; n_slots + n_joints.saturating_sub(FEW)].into() }
    }

    /// The code or point at a place.
    #[inline]
    pub(super) fn at(&self, place: u32) -> Option<u32> {
        let place = place as usize;
        if place < FEW { Some(self.few[place]) } else { self.rest.get(place - FEW).copied() }
    }

    /// The code of a slot.
    pub(super) fn code(&self, slot: u32) -> Option<u32> {
        self.rest.get(slot as usize).copied()
    }

    /// The point of the first joint: the only one where the policy is a flat table.
    #[inline]
    pub(super) fn first_point(&self) -> u32 {
        self.few[0]
    }

    /// Sets one value.
    #[inline]
    pub fn put(&mut self, told: Told) {
        let Some(code) = self.rest.get_mut(told.slot as usize) else { return };
        let more = told.code.wrapping_sub(*code).wrapping_mul(told.stride);
        *code = told.code;
        let place = told.point as usize;
        if place < FEW {
            self.few[place] = self.few[place].wrapping_add(more);
        } else if let Some(point) = self.rest.get_mut(place - FEW) {
            *point = point.wrapping_add(more);
        }
    }
}
