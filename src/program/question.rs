//! The facts of one question as a program reads them.

/// What one value is to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Where the code goes; past the last one where nothing tests the fact.
    pub(super) slot: u32,
    pub(super) code: u32,
    /// How far apart the points of neighbouring codes lie in a flat table.
    pub(super) stride: u32,
}

impl Told {
    /// Where the code goes, where anything tests the fact.
    pub fn slot(self) -> Option<usize> {
        (self.slot != u32::MAX).then_some(self.slot as usize)
    }

    /// The code.
    pub fn code(self) -> u32 {
        self.code
    }
}

/// Up to so many codes lie in the question itself.
const FEW: usize = 12;

/// The codes of one question. They change one by one, and where they lead in a flat table is kept beside them.
#[derive(Debug, Clone)]
pub struct Question {
    /// The sum of all codes, each times its stride.
    point: u32,
    few: [u32; FEW],
    /// All codes, where they are more than few.
    many: Box<[u32]>,
}

impl Question {
    /// Nothing is known.
    pub(super) fn blank(n_slots: usize) -> Self {
        let many = if n_slots > FEW { vec![0; n_slots].into() } else { Box::default() };
        Question { point: 0, few: [0; FEW], many }
    }

    /// The codes by slot: one for each fact that is tested.
    #[inline]
    pub(super) fn codes(&self) -> &[u32] {
        if self.many.is_empty() { &self.few } else { &self.many }
    }

    /// Where they lead in a flat table.
    #[inline]
    pub(super) fn point(&self) -> u32 {
        self.point
    }

    /// Sets one value.
    #[inline]
    pub fn put(&mut self, told: Told) {
        let codes = if self.many.is_empty() { &mut self.few } else { &mut *self.many };
        if let Some(code) = codes.get_mut(told.slot as usize) {
            self.point = self.point.wrapping_add(told.code.wrapping_sub(*code).wrapping_mul(told.stride));
            *code = told.code;
        }
    }
}
