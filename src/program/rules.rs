//! A small table asked for many questions at once.
//!
//! Each column comes as keys of one byte. A few columns together make one joint key of a byte, for all questions of a piece
//! before the next step; a look by each joint key gives the rows that take it, and the AND of the looks has its lowest bit
//! at the row that answers. No step branches on a question, and but for the looks one instruction does many.

use crate::space::SegSet;

use super::verdict::Verdict;

/// So many ranks at most have a bit in a word, with one for no row.
const MOST_RANKS: usize = 63;

/// The rows of the entry table as tests of facts.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// The slot of each test, and the codes that pass it.
    pub(super) tests: Box<[(u32, SegSet)]>,
    /// What follows at each rank, and its tests.
    pub(super) ranks: Box<[(Verdict, Box<[u32]>)]>,
}

/// Rules made ready for columns of keys.
#[derive(Debug, Clone)]
pub struct Batch {
    groups: Vec<Group>,
    ends: Vec<Verdict>,
}

/// Columns that make one joint key.
#[derive(Debug, Clone)]
struct Group {
    parts: Vec<Part>,
    n_bits: u32,
    /// The ranks that each joint key leaves.
    live: Box<[u64; 256]>,
}

/// One column's part of a joint key.
#[derive(Debug, Clone)]
struct Part {
    column: usize,
    shift: u32,
    n_bits: u32,
    /// Where the keys behave otherwise than those before them; then the part is how many of them a key has reached. Empty
    /// where the key itself is the part.
    cuts: Vec<u8>,
    /// The ranks that each part leaves.
    live: Vec<u64>,
}

/// With more cuts than these, a key itself is the part.
const FEW_CUTS: usize = 2;

impl Rules {
    /// The rules of rows in the order of asking, where they are few.
    pub(super) fn new(tests: Vec<(u32, SegSet)>, ranks: Vec<(Verdict, Box<[u32]>)>) -> Option<Rules> {
        (ranks.len() <= MOST_RANKS).then(|| Rules { tests: tests.into(), ranks: ranks.into() })
    }

    /// Makes them ready for columns: the slot of each, and the code that each of its keys stands for. What has no column is
    /// unknown.
    pub(super) fn batch(&self, columns: &[(Option<usize>, Vec<u32>)]) -> Batch {
        let slots = self.tests.iter().map(|(slot, _)| *slot as usize);
        let open = slots.filter(|slot| columns.iter().all(|(own, _)| *own != Some(*slot)));
        let mut open = open.fold(u64::MAX, |live, slot| live & self.live(slot, 0));
        let mut parts = Vec::new();
        for (place, (slot, codes)) in columns.iter().enumerate() {
            let live: Vec<u64> =
                slot.iter().flat_map(|slot| codes.iter().map(|code| self.live(*slot, *code))).collect();
            match live.first() {
                Some(first) if live.iter().all(|live| live == first) => open &= first,
                Some(_) => parts.push(Part::new(place, live)),
                None => {}
            }
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.n_bits));
        let mut groups = vec![Group::new(open)];
        for part in parts {
            let place = groups.iter().position(|group| group.n_bits + part.n_bits <= 8).unwrap_or(groups.len());
            if place == groups.len() {
                groups.push(Group::new(u64::MAX));
            }
            groups[place].add(part);
        }
        let ends = self.ranks.iter().map(|(end, _)| *end).chain([Verdict::NONE]);
        Batch { groups, ends: ends.collect() }
    }

    /// The ranks that a code of a slot leaves.
    fn live(&self, slot: usize, code: u32) -> u64 {
        let fails = |test: &u32| {
            let test = self.tests.get(*test as usize);
            test.is_some_and(|(other, set)| *other as usize == slot && !set.contains(code))
        };
        let ranks = self.ranks.iter().enumerate().filter(|(_, (_, tests))| tests.iter().any(fails));
        ranks.fold(u64::MAX, |live, (rank, _)| live & !(1 << (rank % 64)))
    }
}

impl Part {
    fn new(column: usize, live: Vec<u64>) -> Part {
        let changes = live.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]);
        let cuts: Vec<u8> = changes.map(|(before, _)| before as u8 + 1).collect();
        let n_bits = |n: usize| n.next_power_of_two().trailing_zeros();
        if cuts.len() > FEW_CUTS || n_bits(cuts.len() + 1) == n_bits(live.len()) {
            return Part { column, shift: 0, n_bits: n_bits(live.len()), cuts: Vec::new(), live };
        }
        let first = live.first().into_iter().copied();
        let live = first.chain(cuts.iter().map(|cut| live[usize::from(*cut)])).collect();
        Part { column, shift: 0, n_bits: n_bits(cuts.len() + 1), cuts, live }
    }

    /// Puts it into joint keys.
    fn put(&self, keys: &[u8], joint: &mut [u8]) {
        // A part of eight bits stands alone, so the others shift by less than eight.
        let shift = self.shift & 7;
        if self.cuts.is_empty() {
            joint.iter_mut().zip(keys).for_each(|(joint, key)| *joint |= key << shift);
        }
        for cut in &self.cuts {
            joint.iter_mut().zip(keys).for_each(|(joint, key)| *joint += u8::from(key >= cut) << shift);
        }
    }
}

impl Group {
    /// Of no column; it leaves some ranks.
    fn new(open: u64) -> Group {
        let mut live = Box::new([0; 256]);
        live[0] = open;
        Group { parts: Vec::new(), n_bits: 0, live }
    }

    /// Adds a part above those that it has.
    fn add(&mut self, part: Part) {
        let (known, next) = self.live.split_at_mut(1 << self.n_bits);
        for (next, live) in next.chunks_mut(known.len()).zip(part.live.iter().skip(1)) {
            next.iter_mut().zip(&*known).for_each(|(next, known)| *next = known & live);
        }
        let first = part.live.first().copied().unwrap_or(0);
        for known in known {
            *known &= first;
        }
        let shift = self.n_bits;
        self.n_bits += part.n_bits;
        self.parts.push(Part { shift, ..part });
    }

    /// Makes the joint keys of some questions, which are 0 as yet.
    fn join(&self, keys: &[&[u8]], joint: &mut [u8]) {
        for part in &self.parts {
            part.put(keys.get(part.column).copied().unwrap_or_default(), joint);
        }
    }
}

impl Batch {
    /// What follows at each rank, and last what holds where no row answers.
    pub fn ends(&self) -> &[Verdict] {
        &self.ends
    }

    /// Finds the rank of each question, by the keys of each column; all are as long as `ranks`.
    pub fn ask(&self, keys: &[&[u8]], ranks: &mut [u8]) {
        match &*self.groups {
            [one] => self.look([one], keys, ranks),
            [one, two] => self.look([one, two], keys, ranks),
            [one, two, three] => self.look([one, two, three], keys, ranks),
            groups => self.look_often(groups, keys, ranks),
        }
    }

    /// Looks by all joint keys at once.
    fn look<const N: usize>(&self, groups: [&Group; N], keys: &[&[u8]], ranks: &mut [u8]) {
        let mut joints = [[0; CHUNK]; N];
        joints.iter_mut().zip(groups).for_each(|(joint, group)| group.join(keys, &mut joint[..ranks.len()]));
        let none = self.none();
        for (i, rank) in ranks.iter_mut().enumerate().take(CHUNK) {
            let looks = joints.iter().zip(groups).map(|(joint, group)| group.live[usize::from(joint[i])]);
            *rank = (looks.fold(u64::MAX, |live, look| live & look) | none).trailing_zeros() as u8;
        }
    }

    /// The same by one joint key after the other.
    fn look_often(&self, groups: &[Group], keys: &[&[u8]], ranks: &mut [u8]) {
        let (mut live, mut joint) = ([u64::MAX; CHUNK], [0; CHUNK]);
        for group in groups {
            let joint = &mut joint[..ranks.len()];
            joint.fill(0);
            group.join(keys, joint);
            live.iter_mut().zip(&*joint).for_each(|(live, joint)| *live &= group.live[usize::from(*joint)]);
        }
        let none = self.none();
        ranks.iter_mut().zip(live).for_each(|(rank, live)| *rank = (live | none).trailing_zeros() as u8);
    }

    /// The bit that stands for no row.
    fn none(&self) -> u64 {
        1 << ((self.ends.len() - 1) % 64)
    }
}

/// So many questions are asked at once at most.
pub const CHUNK: usize = 1024;
