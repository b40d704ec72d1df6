//! The outside of an artifact: how it begins, its format, its length, its sections, its checksum.
//!
//! ```text
//! 0   89 6e 69 73 69 0d 0a 1a   what every artifact begins with
//! 8   format                    4 bytes, the least first, as every number here
//! 12  how many sections         4
//! 16  length of it all          8
//! 24  start and length          4 and 4 for each section
//!     the sections              each begins at a multiple of eight; zeros between them
//!     CRC-32 of all before it   4
//! ```
//!
//! A signature may stand behind it (`tail`); it does not count to the length.
//!
//! The checksum finds accidents, not malice: CRC-32 finds every change of up to 32 bits in a row for certain, and others
//! but for one in four thousand million. It is taken by the processor's carry-less multiplication (`crc32fast`), many
//! times faster than SHA-256, whose strength would protect from nobody: whoever can change the file can change its
//! checksum. That is what a signature is for.

use std::ops::Range;

use super::error::{Load, LoadError};
use super::reader::Reader;
use super::section::Section;
use super::tail::split;
use super::writer::Writer;

/// What every artifact begins with: no text begins so, and what turns line ends or cuts the eighth bit breaks it.
pub(super) const MAGIC: [u8; 8] = *b"\x89nisi\r\n\x1a";

/// The format that is written, and the only one that is read. It changes with whatever an artifact holds: also where the
/// matchers or the codes of one policy come to lie otherwise.
pub(crate) const FORMAT: u32 = 4;

/// Where the table of sections begins.
const TABLE: usize = 24;

/// Where the sections begin.
const BODY: usize = TABLE + 8 * Section::ALL.len();

/// The bytes of the checksum.
const CHECKSUM: usize = 4;

/// Where the sections of one artifact lie.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    sections: [Range<usize>; Section::ALL.len()],
}

impl Container {
    /// Checks the outside of an artifact.
    pub(crate) fn open(bytes: &[u8]) -> Load<Container> {
        let length = length(bytes)?;
        let (bytes, _) = split(bytes, length);
        let given = bytes.len() as u64;
        if given != length {
            return Err(LoadError::Length { given, stated: length });
        }
        let (body, sum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(LoadError::NotAnArtifact)?;
        let (given, stated) = (crc32fast::hash(body), u32::from_le_bytes(*sum));
        if given != stated {
            return Err(LoadError::Checksum { given, stated });
        }
        Container::table(body)
    }

    fn table(body: &[u8]) -> Load<Container> {
        let mut table = Reader::new(body.get(12..BODY).unwrap_or_default(), 12, "table of sections");
        let n = table.u32()?;
        if n as usize != Section::ALL.len() {
            return Err(table.unsound(format!("it has {n} sections, and format {FORMAT} has {}", Section::ALL.len())));
        }
        table.u64()?;
        let mut sections = [const { 0..0 }; Section::ALL.len()];
        let mut end = BODY;
        for section in &mut sections {
            let (start, length) = (table.u32()? as usize, table.u32()? as usize);
            let follows =
                start == end.next_multiple_of(8) && start.checked_add(length).is_some_and(|e| e <= body.len());
            table.ensure(follows, "a section does not follow the one before it")?;
            let between = body.get(end..start).unwrap_or_default();
            table.ensure(between.iter().all(|b| *b == 0), "what stands between two sections is not zero")?;
            end = start + length;
            *section = start..end;
        }
        table.ensure(end == body.len(), "something stands behind the last section")?;
        Ok(Container { sections })
    }

    /// Where a section lies.
    pub(super) fn place(&self, section: Section) -> Range<usize> {
        self.sections[section as usize].clone()
    }

    /// Reads a section of these very bytes.
    pub(super) fn reader<'a>(&self, bytes: &'a [u8], section: Section) -> Reader<'a> {
        let place = self.place(section);
        Reader::new(bytes.get(place.clone()).unwrap_or_default(), place.start, section.name())
    }
}

/// Whether bytes begin as an artifact does.
///
/// ```
/// assert!(!nisi::artifact::is_artifact(b"policy a\n"));
/// ```
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// How many bytes an artifact has by its own word, once it is one of our format.
pub(super) fn length(bytes: &[u8]) -> Load<u64> {
    if !is_artifact(bytes) {
        return Err(LoadError::NotAnArtifact);
    }
    let short = LoadError::Length { given: bytes.len() as u64, stated: (BODY + CHECKSUM) as u64 };
    let Some(format) = bytes.get(8..).and_then(|rest| rest.first_chunk()) else { return Err(short) };
    let given = u32::from_le_bytes(*format);
    if given != FORMAT {
        return Err(LoadError::Format { given, known: FORMAT });
    }
    let Some(length) = bytes.get(16..).and_then(|rest| rest.first_chunk()) else { return Err(short) };
    let length = u64::from_le_bytes(*length);
    if length < (BODY + CHECKSUM) as u64 { Err(short) } else { Ok(length) }
}

/// The whole artifact.
pub(crate) fn close(mut writer: Writer) -> Vec<u8> {
    writer.turn_to(Section::Texts);
    write_texts(&mut writer);
    let mut body = vec![0; BODY];
    let mut table = Vec::new();
    for section in &writer.sections {
        body.resize(body.len().next_multiple_of(8), 0);
        table.extend_from_slice(&(body.len() as u32).to_le_bytes());
        table.extend_from_slice(&(section.len() as u32).to_le_bytes());
        body.extend_from_slice(section);
    }
    let length = (body.len() + CHECKSUM) as u64;
    body[..8].copy_from_slice(&MAGIC);
    body[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    body[12..16].copy_from_slice(&(Section::ALL.len() as u32).to_le_bytes());
    body[16..TABLE].copy_from_slice(&length.to_le_bytes());
    body[TABLE..BODY].copy_from_slice(&table);
    let sum = crc32fast::hash(&body);
    body.extend_from_slice(&sum.to_le_bytes());
    body
}

/// Writes the texts that a writer has met.
fn write_texts(w: &mut Writer) {
    let texts = std::mem::take(&mut w.texts);
    let mut end = 0;
    w.list(texts.iter(), |w, text| {
        end += text.len();
        w.n(end);
    });
    texts.iter().for_each(|text| w.raw(text.as_bytes()));
}
