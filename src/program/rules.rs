//! A small table asked for many questions at once.
//!
//! Each column has keys of one byte. A few columns together make one joint key of a byte, for all questions of a piece before
//! the next step; what the joint keys of a question leave together begins with the row that answers (`finder`). No step
//! branches on a question, and but for the looks one instruction does many.

use crate::space::SegSet;

use super::finder::{CHUNK, Finder, JointKeys};
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
    /// Whether some row answers each question.
    is_total: bool,
    finder: Finder,
}

/// Columns that make one joint key.
#[derive(Debug, Clone)]
pub(super) struct Group {
    parts: Vec<Part>,
    n_bits: u32,
    /// The ranks that each joint key leaves.
    pub(super) live: Box<[u64; 256]>,
}

/// One column's part of a joint key.
#[derive(Debug, Clone)]
pub struct Part {
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
        let ranks_of = self.ranks_of_tests();
        let slots = self.tests.iter().map(|(slot, _)| *slot as usize);
        let open = slots.filter(|slot| columns.iter().all(|(own, _)| *own != Some(*slot)));
        let open = open.flat_map(|slot| self.live(&ranks_of, slot, &[0]));
        let mut open = open.fold(u64::MAX, |open, live| open & live);
        let mut parts = Vec::new();
        for (place, (slot, codes)) in columns.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let live = self.live(&ranks_of, *slot, codes);
            match live.first() {
                Some(first) if live.iter().all(|live| live == first) => open &= first,
                Some(_) => parts.push(Part::new(place, live)),
                None => {}
            }
        }
        let always = parts.iter().flat_map(|part| &part.live).fold(open, |always, live| always & live);
        parts.sort_by_key(|part| std::cmp::Reverse((part.n_bits, part.cuts.len())));
        let mut groups = vec![Group::new(open)];
        for part in parts {
            let place = groups.iter().position(|group| group.n_bits + part.n_bits <= 8).unwrap_or(groups.len());
            if place == groups.len() {
                groups.push(Group::new(u64::MAX));
            }
            groups[place].add(part);
        }
        let n_ranks = self.ranks.len();
        let ends = self.ranks.iter().map(|(end, _)| *end).chain([Verdict::NONE]);
        let is_total = always & ((1 << (n_ranks % 64)) - 1) != 0;
        Batch { ends: ends.collect(), is_total, finder: Finder::few(&groups, n_ranks as u8), groups }
    }

    /// The ranks that have each test, as bits.
    fn ranks_of_tests(&self) -> Vec<u64> {
        let mut ranks_of = vec![0; self.tests.len()];
        for (rank, (_, tests)) in self.ranks.iter().enumerate() {
            for test in tests {
                if let Some(ranks) = ranks_of.get_mut(*test as usize) {
                    *ranks |= 1 << (rank % 64);
                }
            }
        }
        ranks_of
    }

    /// The ranks that each of some codes of a slot leaves.
    fn live(&self, ranks_of: &[u64], slot: usize, codes: &[u32]) -> Vec<u64> {
        let mut live = vec![u64::MAX; codes.len()];
        for ((_, set), ranks) in self.tests.iter().zip(ranks_of).filter(|((own, _), _)| *own as usize == slot) {
            for (live, _) in live.iter_mut().zip(codes).filter(|(_, code)| !set.contains(**code)) {
                *live &= !ranks;
            }
        }
        live
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

    /// Which column it is of, by its place.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The keys that each add one to it. None where the key itself is the part.
    pub fn cuts(&self) -> &[u8] {
        &self.cuts
    }

    /// What one of it is in a joint key.
    pub fn one(&self) -> u8 {
        1 << self.shift()
    }

    /// Adds keys that are the part themselves to joint keys; gives the greatest of them.
    pub fn put<K: Copy + Into<u8>>(&self, keys: &[K; CHUNK], joint: &mut [u8; CHUNK]) -> u8 {
        let shift = self.shift();
        put_each(keys, joint, |key| key << shift)
    }

    /// Adds one to joint keys where a cut is reached; gives the greatest of the keys.
    pub fn put_cut(&self, cut: u8, keys: &[u8; CHUNK], joint: &mut [u8; CHUNK]) -> u8 {
        let one = self.one();
        put_each(keys, joint, |key| if key >= cut { one } else { 0 })
    }

    /// Whether it is what a flag says.
    pub fn is_flag(&self) -> bool {
        self.n_bits == 1 && self.cuts.is_empty()
    }

    /// Adds four flags to joint keys, of this part and the three that lie above it.
    pub fn put_four(&self, flags: [&[bool; CHUNK]; 4], joint: &mut [u8; CHUNK]) {
        let ([a, b, c, d], one) = (flags, self.one());
        let part = |flag: bool, one: u8| u8::from(flag).wrapping_neg() & one;
        let flags = a.iter().zip(b).zip(c.iter().zip(d));
        for (joint, ((a, b), (c, d))) in joint.iter_mut().zip(flags) {
            *joint += part(*a, one) | part(*b, one << 1) | part(*c, one << 2) | part(*d, one << 3);
        }
    }

    /// A part of eight bits stands alone, so the others shift by less than eight.
    fn shift(&self) -> u32 {
        self.shift & 7
    }
}

/// Adds something of each key; gives the greatest of them.
fn put_each<K: Copy + Into<u8>>(keys: &[K; CHUNK], joint: &mut [u8; CHUNK], put: impl Fn(u8) -> u8) -> u8 {
    joint.iter_mut().zip(keys).fold(0, |most, (joint, key)| {
        // A key that cannot be may lead past the byte; then nothing is made of it.
        *joint = joint.wrapping_add(put((*key).into()));
        most.max((*key).into())
    })
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
}

impl Batch {
    /// What follows at each rank, and last what holds where no row answers.
    pub fn ends(&self) -> &[Verdict] {
        &self.ends
    }

    /// Whether some row answers each question.
    pub fn is_total(&self) -> bool {
        self.is_total
    }

    /// Whether a column makes any difference.
    pub fn asks(&self, column: usize) -> bool {
        self.groups.iter().flat_map(|group| &group.parts).any(|part| part.column == column)
    }

    /// Makes it faster where so many questions are worth it.
    pub fn expect(&mut self, n_questions: usize) {
        self.finder.expect(n_questions, &self.groups, (self.ends.len() - 1) as u8);
    }

    /// Room for the joint keys of a piece.
    pub fn room(&self) -> JointKeys {
        JointKeys::new(self.groups.len())
    }

    /// The parts of each joint key.
    pub fn joints(&self) -> impl Iterator<Item = &[Part]> {
        self.groups.iter().map(|group| &*group.parts)
    }

    /// Finds the rank of each question; `put` adds the parts of a joint key, which is 0 before. Whether it could, each time.
    pub fn ask(
        &self,
        joints: &mut JointKeys,
        ranks: &mut [u8; CHUNK],
        mut put: impl FnMut(usize, &mut [u8; CHUNK]) -> bool,
    ) -> bool {
        let all_put = joints.of_groups().iter_mut().enumerate().all(|(place, joint)| {
            *joint = [0; CHUNK];
            put(place, joint)
        });
        if all_put {
            self.finder.look(&self.groups, (self.ends.len() - 1) as u8, joints, ranks);
        }
        all_put
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TableId;
    use crate::words::Verb;

    struct Draw(u64);

    impl Draw {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n
        }
    }

    /// Rules of so many ranks over slots of so many codes.
    fn rules(n_ranks: usize, sizes: &[u32], draw: &mut Draw) -> Rules {
        let mut test = |slot: usize| {
            let codes = (0..sizes[slot]).filter(|_| draw.below(3) > 0).map(|code| (code, code + 1));
            (slot as u32, SegSet::from_ranges(codes.collect::<Vec<_>>()))
        };
        let tests: Vec<_> = (0..3 * sizes.len()).map(|i| test(i % sizes.len())).collect();
        let mut of_rank = |rank| {
            let own = (0..tests.len() as u32).filter(|_| draw.below(6) == 0).collect();
            (Verdict::row(TableId(0), rank, Verb::Stop), own)
        };
        let ranks = (0..n_ranks as u32).map(&mut of_rank).collect();
        Rules::new(tests, ranks).unwrap()
    }

    #[test]
    fn each_way_to_look_finds_the_first_rank_that_takes_the_keys() {
        let mut draw = Draw(5);
        let (mut n_pairs, mut n_total) = (0, 0);
        for round in 0..120 {
            let n_slots = 1 + draw.below(7);
            let sizes: Vec<u32> = (0..n_slots).map(|_| 2 + draw.below(7) as u32).collect();
            let rules = rules([1, 2, 7, 30, 62, 63][round % 6], &sizes, &mut draw);
            let columns: Vec<_> = sizes.iter().enumerate().map(|(slot, n)| (Some(slot), (0..*n).collect())).collect();
            let keys: Vec<[u8; CHUNK]> =
                sizes.iter().map(|size| std::array::from_fn(|_| draw.below(*size as usize) as u8)).collect();
            let takes = |test: &u32, i: usize| {
                let (slot, set) = &rules.tests[*test as usize];
                set.contains(keys[*slot as usize][i].into())
            };
            let first = |i| rules.ranks.iter().position(|(_, tests)| tests.iter().all(|test| takes(test, i)));
            let wanted: [u8; CHUNK] = std::array::from_fn(|i| first(i).unwrap_or(rules.ranks.len()) as u8);

            let mut batch = rules.batch(&columns);
            assert!(!batch.is_total() || wanted.iter().all(|rank| usize::from(*rank) < rules.ranks.len()));
            n_total += usize::from(batch.is_total());
            for n_questions in [CHUNK, 1 << 20] {
                batch.expect(n_questions);
                let (mut joints, mut ranks) = (batch.room(), [0; CHUNK]);
                assert!(batch.ask(&mut joints, &mut ranks, |place, joint| {
                    for part in &batch.groups[place].parts {
                        let keys = &keys[part.column()];
                        match part.cuts() {
                            [] => assert!(part.put(keys, joint) < 8),
                            cuts => cuts.iter().for_each(|cut| assert!(part.put_cut(*cut, keys, joint) < 8)),
                        }
                    }
                    true
                }));
                assert_eq!(ranks, wanted, "{batch:?}");
            }
            n_pairs += usize::from(matches!(batch.finder, Finder::Pairs(_)));
        }
        assert!(n_pairs > 20 && n_total > 0, "{n_pairs} {n_total}");
    }
}
