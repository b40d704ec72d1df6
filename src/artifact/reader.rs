//! Bytes in: what [`Writer`](super::Writer) writes, read as if somebody meant harm. Nothing is read past the end, no
//! list is made longer than the bytes that are there, and what is wrong is told with its place.

use std::borrow::Cow;
use std::sync::Arc;

use super::error::{Load, LoadError};
use super::texts::Texts;
use crate::text::{FileId, Span};

/// Reads one section from its start to its end.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the section begins in the artifact.
    base: usize,
    section: &'static str,
    texts: Texts<'a>,
    n_files: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], base: usize, section: &'static str) -> Self {
        Reader { bytes, at: 0, base, section, texts: Texts::default(), n_files: 0 }
    }

    /// With the texts that it names by number, and so many files for spans to lie in.
    pub(super) fn naming(mut self, texts: Texts<'a>, n_files: usize) -> Self {
        (self.texts, self.n_files) = (texts, n_files);
        self
    }

    /// That something is wrong at this place.
    pub(crate) fn unsound(&self, what: impl Into<Cow<'static, str>>) -> LoadError {
        LoadError::Unsound { section: self.section, offset: self.base + self.at, what: what.into() }
    }

    /// An error unless something holds.
    pub(crate) fn ensure(&self, holds: bool, what: &'static str) -> Load<()> {
        if holds { Ok(()) } else { Err(self.unsound(what)) }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// So many bytes.
    pub(crate) fn take(&mut self, n: usize) -> Load<&'a [u8]> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..n));
        let taken = taken.ok_or_else(|| self.unsound("it ends too early"))?;
        self.at += n;
        Ok(taken)
    }

    /// The same, so many bytes further, to say where something is wrong.
    pub(super) fn behind(mut self, n: usize) -> Self {
        self.at += n;
        self
    }

    /// All that is left.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    fn fixed<const N: usize>(&mut self) -> Load<[u8; N]> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()).copied();
        let taken = taken.ok_or_else(|| self.unsound("it ends too early"))?;
        self.at += N;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self) -> Load<u8> {
        self.fixed::<1>().map(|[n]| n)
    }

    pub(crate) fn bool(&mut self) -> Load<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            n => Err(self.unsound(format!("{n} is neither yes nor no"))),
        }
    }

    /// One of a few things, by its place among them.
    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T], what: &str) -> Load<T> {
        let n = self.u8()?;
        all.get(usize::from(n)).copied().ok_or_else(|| self.unsound(format!("{n} is no {what}")))
    }

    pub(crate) fn u32(&mut self) -> Load<u32> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Load<u64> {
        self.fixed().map(u64::from_le_bytes)
    }

    pub(crate) fn i128(&mut self) -> Load<i128> {
        self.fixed().map(i128::from_le_bytes)
    }

    /// A number between two bounds, both in.
    pub(crate) fn within(&mut self, least: u64, most: u64, what: &str) -> Load<u64> {
        let n = self.u64()?;
        if (least..=most).contains(&n) { Ok(n) } else { Err(self.unsound(format!("{what} cannot be {n}"))) }
    }

    /// A number that may be missing.
    pub(crate) fn option(&mut self, least: u64, most: u64, what: &str) -> Load<Option<u64>> {
        if self.bool()? { self.within(least, most, what).map(Some) } else { self.within(0, 0, what).map(|_| None) }
    }

    /// A place in a list of so many.
    pub(crate) fn place(&mut self, n: usize, what: &str) -> Load<usize> {
        let place = self.u32()? as usize;
        if place < n { Ok(place) } else { Err(self.unsound(format!("it names {what} {place} of {n}"))) }
    }

    /// How many things follow, each of which takes so many bytes at least.
    pub(crate) fn n(&mut self, each: usize) -> Load<usize> {
        let n = self.u32()?;
        self.room_for(u64::from(n), each)
    }

    fn room_for(&self, n: u64, each: usize) -> Load<usize> {
        let most = self.left() / each.max(1);
        match usize::try_from(n) {
            Ok(n) if n <= most => Ok(n),
            _ => Err(self.unsound(format!("{n} of its entries are told, and there is room for {most}"))),
        }
    }

    /// The texts that it names.
    pub(super) fn all_texts(&self) -> Texts<'a> {
        self.texts
    }

    /// A list, each entry of which takes so many bytes at least.
    pub(crate) fn list<T>(&mut self, each: usize, read: impl FnMut(&mut Self) -> Load<T>) -> Load<Vec<T>> {
        let n = self.n(each)?;
        self.repeat(n, read)
    }

    /// So many entries; how many is checked already.
    pub(crate) fn repeat<T>(&mut self, n: usize, mut read: impl FnMut(&mut Self) -> Load<T>) -> Load<Vec<T>> {
        (0..n).map(|_| read(self)).collect()
    }

    pub(crate) fn text(&mut self) -> Load<Box<str>> {
        let number = self.u32()?;
        self.named(number)
    }

    pub(crate) fn optional_text(&mut self) -> Load<Option<Box<str>>> {
        let number = self.u32()?;
        number.checked_sub(1).map(|number| self.named(number)).transpose()
    }

    /// The text of a number.
    pub(crate) fn named(&self, number: u32) -> Load<Box<str>> {
        self.texts.get(number).map(Into::into).ok_or_else(|| self.unsound(format!("there is no text {number}")))
    }

    pub(crate) fn texts(&mut self) -> Load<Vec<Box<str>>> {
        self.list(4, Self::text)
    }

    pub(crate) fn span(&mut self) -> Load<Span> {
        let file = FileId(self.place(self.n_files, "file")? as u32);
        let (start, end) = (self.u32()?, self.u32()?);
        self.ensure(start <= end, "a place ends before it begins")?;
        Ok(Span { file, start, end })
    }

    fn align(&mut self) -> Load<()> {
        let n = self.at.next_multiple_of(8) - self.at;
        let zeros = self.take(n)?;
        self.ensure(zeros.iter().all(|b| *b == 0), "what fills up to eight bytes is not zero")
    }

    /// The bytes of an aligned list of numbers.
    fn array(&mut self, each: usize) -> Load<&'a [u8]> {
        self.align()?;
        let n = self.u64()?;
        let n = self.room_for(n, each)?;
        self.take(n * each)
    }

    /// A list of two numbers each.
    pub(crate) fn pairs(&mut self) -> Load<Box<[(u32, u32)]>> {
        let numbers = self.array(4)?.as_chunks::<4>().0;
        let (pairs, over) = numbers.as_chunks::<2>();
        self.ensure(over.is_empty(), "a list of pairs has half a pair")?;
        Ok(pairs.iter().map(|[a, b]| (u32::from_le_bytes(*a), u32::from_le_bytes(*b))).collect())
    }

    /// All is read.
    pub(crate) fn end(self) -> Load<()> {
        self.ensure(self.left() == 0, "something stands behind its end")
    }
}

impl Reader<'_> {
    /// A list that several will hold.
    pub(crate) fn shared_u32s(&mut self) -> Load<Arc<[u32]>> {
        let (numbers, _) = self.array(4)?.as_chunks();
        Ok(numbers.iter().map(|n| u32::from_le_bytes(*n)).collect())
    }
}

macro_rules! arrays {
    ($($name:ident: $type:ty),+) => {
        impl Reader<'_> {
            $(pub(crate) fn $name(&mut self) -> Load<Box<[$type]>> {
                let (numbers, _) = self.array(size_of::<$type>())?.as_chunks();
                Ok(numbers.iter().map(|n| <$type>::from_le_bytes(*n)).collect())
            })+
        }
    };
}

arrays! { u16s: u16, u32s: u32, u128s: u128, i32s: i32, i64s: i64, i128s: i128 }
