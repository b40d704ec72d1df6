//! Bytes out: whole numbers of fixed width, the least byte first, into sections; texts by their number.

use indexmap::IndexSet;

use super::section::Section;
use crate::text::Span;

/// Writes the sections of one artifact. Each text is written once, whoever speaks of it.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(super) sections: [Vec<u8>; Section::ALL.len()],
    pub(super) texts: IndexSet<Box<str>>,
    at: usize,
}

impl Writer {
    /// What is written from here on belongs to a section, behind what it holds already.
    pub(crate) fn turn_to(&mut self, section: Section) {
        self.at = section as usize;
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.sections[self.at].extend_from_slice(bytes);
    }

    pub(crate) fn u8(&mut self, n: u8) {
        self.raw(&[n]);
    }

    pub(crate) fn bool(&mut self, yes: bool) {
        self.u8(u8::from(yes));
    }

    pub(crate) fn u32(&mut self, n: u32) {
        self.raw(&n.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, n: u64) {
        self.raw(&n.to_le_bytes());
    }

    pub(crate) fn i128(&mut self, n: i128) {
        self.raw(&n.to_le_bytes());
    }

    /// A place in a list, or how many follow; a policy has no list past 32 bits.
    pub(crate) fn n(&mut self, n: usize) {
        self.u32(n as u32);
    }

    /// A number that may be missing.
    pub(crate) fn option(&mut self, n: Option<u64>) {
        self.bool(n.is_some());
        self.u64(n.unwrap_or(0));
    }

    /// A list, with its length before it.
    pub(crate) fn list<T>(&mut self, list: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.n(list.len());
        list.for_each(|item| each(self, item));
    }

    /// The number of a text.
    pub(crate) fn number_of(&mut self, text: &str) -> u32 {
        let known = self.texts.get_index_of(text);
        known.unwrap_or_else(|| self.texts.insert_full(text.into()).0) as u32
    }

    pub(crate) fn text(&mut self, text: &str) {
        let number = self.number_of(text);
        self.u32(number);
    }

    /// A text that may be missing: 0, or one more than its number.
    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        let number = text.map_or(0, |text| self.number_of(text) + 1);
        self.u32(number);
    }

    pub(crate) fn texts(&mut self, texts: &[Box<str>]) {
        self.list(texts.iter(), |w, text| w.text(text));
    }

    pub(crate) fn span(&mut self, span: Span) {
        self.u32(span.file.0);
        self.u32(span.start);
        self.u32(span.end);
    }

    /// Zeros up to the next multiple of eight bytes.
    fn align(&mut self) {
        let bytes = &mut self.sections[self.at];
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
}

/// Lists of numbers, each with its length before it and aligned to eight bytes.
macro_rules! arrays {
    ($($name:ident: $type:ty),+) => {
        impl Writer {
            $(pub(crate) fn $name(&mut self, list: &[$type]) {
                self.align();
                self.u64(list.len() as u64);
                let bytes = &mut self.sections[self.at];
                bytes.reserve(size_of_val(list));
                for n in list {
                    bytes.extend_from_slice(&n.to_le_bytes());
                }
            })+
        }
    };
}

impl Writer {
    /// Two numbers each.
    pub(crate) fn pairs(&mut self, list: &[(u32, u32)]) {
        let both: Vec<u32> = list.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.u32s(&both);
    }
}

arrays! { u16s: u16, u32s: u32, u128s: u128, i32s: i32, i64s: i64, i128s: i128 }
