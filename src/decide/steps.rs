//! What is done to the keys of a piece, one step after the other.
//!
//! Every piece has the same length, known beforehand, so that a step is one short loop over whole registers.

use crate::program::CHUNK;

/// Adds something to the keys of the piece that begins with an entry; nothing where an entry cannot be: then the questions
/// are to be looked at one by one. Steps are made once for all pieces, so that each does little beside its work.
pub(super) type Step<'a> = Box<dyn Fn(usize, &mut [u8; CHUNK]) -> Option<()> + 'a>;

/// Takes all steps on the keys of a piece, which are 0 before.
pub(super) fn take(steps: &[Step], from: usize, keys: &mut [u8; CHUNK]) -> Option<()> {
    steps.iter().try_for_each(|step| step(from, keys))
}

/// A piece of a column; where the column ends within, its last entry stands for those that are missing, in the room.
pub(super) fn whole<'a, T: Copy>(
    column: &'a [T],
    from: usize,
    room: &'a mut Option<[T; CHUNK]>,
) -> Option<&'a [T; CHUNK]> {
    let entries = column.get(from..)?;
    match entries.first_chunk() {
        Some(piece) => Some(piece),
        None => padded(entries, room),
    }
}

#[cold]
fn padded<'a, T: Copy>(entries: &[T], room: &'a mut Option<[T; CHUNK]>) -> Option<&'a [T; CHUNK]> {
    let piece = room.insert([*entries.last()?; CHUNK]);
    piece.iter_mut().zip(entries).for_each(|(to, entry)| *to = *entry);
    Some(piece)
}
