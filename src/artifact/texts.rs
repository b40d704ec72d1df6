//! The texts of an artifact: every name and reason once, by number.
//!
//! First how many there are, then where each ends, then all of them in one piece of UTF-8.

/// Finds texts by their numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Texts<'a> {
    pub(super) ends: &'a [[u8; 4]],
    pub(super) all: &'a [u8],
}

impl<'a> Texts<'a> {
    /// The text of a number.
    pub(super) fn get(self, number: u32) -> Option<&'a str> {
        let place = number as usize;
        let end = u32::from_le_bytes(*self.ends.get(place)?);
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |n| u32::from_le_bytes(*n));
        std::str::from_utf8(self.all.get(start as usize..end as usize)?).ok()
    }

    /// How many there are.
    pub(super) fn len(self) -> usize {
        self.ends.len()
    }

    /// Whether a section has room for the ends of as many texts as it says.
    pub(super) fn fits(section: &[u8]) -> bool {
        let n = section.split_first_chunk().map(|(n, _)| u64::from(u32::from_le_bytes(*n)));
        n.is_some_and(|n| 4 * n + 4 <= section.len() as u64)
    }

    /// Those of a section.
    pub(super) fn of(section: &'a [u8]) -> Self {
        let (n, rest) = section.split_first_chunk().map_or((0, section), |(n, rest)| (u32::from_le_bytes(*n), rest));
        let (ends, all) = rest.split_at_checked((n as usize).saturating_mul(4)).unwrap_or_default();
        Texts { ends: ends.as_chunks().0, all }
    }
}
