//! From the joint keys of many questions to the rank that answers each.
//!
//! A joint key leaves some ranks, and the least that all joint keys of a question leave is its own. Where there is one joint
//! key, or two and the questions are many, all answers are made before, and one look gives the rank. Else a look by each joint
//! key gives the ranks that it leaves, and their AND has its lowest bit at the rank.

use super::rules::Group;

/// So many questions are asked at once: few, so that the columns of the next ones come near while these are looked up, and
/// always as many, so that no step has a rest.
pub const CHUNK: usize = 512;

/// For so many questions a table of all pairs of joint keys is worth its making.
const MANY_QUESTIONS: usize = 1 << 15;

/// The joint keys of a piece of questions.
#[derive(Debug, Clone)]
pub struct JointKeys {
    of_groups: Vec<[u8; CHUNK]>,
    /// Two joint keys each as one number.
    pairs: [u16; CHUNK],
}

/// How ranks are found.
#[derive(Debug, Clone)]
pub(super) enum Finder {
    /// The rank of each joint key.
    One(Box<[u8; 256]>),
    /// The rank of each pair of them.
    Pairs(Box<[u8; 1 << 16]>),
    /// By the ranks that each joint key leaves.
    Each,
}

impl JointKeys {
    pub(super) fn new(n_groups: usize) -> JointKeys {
        JointKeys { of_groups: vec![[0; CHUNK]; n_groups], pairs: [0; CHUNK] }
    }

    /// Where those of each group go.
    pub(super) fn of_groups(&mut self) -> &mut [[u8; CHUNK]] {
        &mut self.of_groups
    }
}

impl Finder {
    /// For few questions. With as many ranks as `none`, which stands for no rank.
    pub(super) fn few(groups: &[Group], none: u8) -> Finder {
        match groups {
            [one] => Finder::One(Box::new(one.live.map(|live| lowest(live, none)))),
            _ => Finder::Each,
        }
    }

    /// For so many questions.
    pub(super) fn expect(&mut self, n_questions: usize, groups: &[Group], none: u8) {
        if let ([one, two], Finder::Each) = (groups, &*self)
            && n_questions >= MANY_QUESTIONS
            && let Ok(pairs) = pairs(one, two, none).try_into()
        {
            *self = Finder::Pairs(pairs);
        }
    }

    /// Finds the rank of each question by its joint keys.
    pub(super) fn look(&self, groups: &[Group], none: u8, joints: &mut JointKeys, ranks: &mut [u8; CHUNK]) {
        match (self, groups, &*joints.of_groups) {
            (Finder::One(of_joint), _, [joint, ..]) => *ranks = joint.map(|joint| of_joint[usize::from(joint)]),
            (Finder::Pairs(of_pair), _, [one, two]) => {
                let both = joints.pairs.iter_mut().zip(one).zip(two);
                both.for_each(|((pair, one), two)| *pair = u16::from(*one) << 8 | u16::from(*two));
                ranks.iter_mut().zip(&joints.pairs).for_each(|(rank, pair)| *rank = of_pair[usize::from(*pair)]);
            }
            (_, [one, two], [a, b]) => look_each([one, two], none, [a, b], ranks),
            (_, [one, two, three], [a, b, c]) => look_each([one, two, three], none, [a, b, c], ranks),
            (_, _, all) => look_often(groups, none, all, ranks),
        }
    }
}

/// The lowest rank that is left.
fn lowest(live: u64, none: u8) -> u8 {
    (live | 1 << (none & 63)).trailing_zeros() as u8
}

/// The lowest rank that each pair of joint keys leaves, row by row for those of the first group.
fn pairs(one: &Group, two: &Group, none: u8) -> Box<[u8]> {
    let mut pairs = vec![none; 1 << 16];
    for rank in 0..none {
        let leaves = |live: u64| live >> (rank & 63) & 1 == 1;
        let ranks = two.live.map(|live| if leaves(live) { rank } else { none });
        let rows = pairs.chunks_exact_mut(256).zip(&*one.live).filter(|(_, live)| leaves(**live));
        rows.for_each(|(row, _)| row.iter_mut().zip(ranks).for_each(|(least, rank)| *least = rank.min(*least)));
    }
    pairs.into()
}

/// Looks by a few joint keys at once.
fn look_each<const N: usize>(groups: [&Group; N], none: u8, joints: [&[u8; CHUNK]; N], ranks: &mut [u8; CHUNK]) {
    for (i, rank) in ranks.iter_mut().enumerate() {
        let looks = joints.iter().zip(groups).map(|(joint, group)| group.live[usize::from(joint[i])]);
        *rank = lowest(looks.fold(u64::MAX, |live, look| live & look), none);
    }
}

/// Looks by one joint key after the other.
fn look_often(groups: &[Group], none: u8, joints: &[[u8; CHUNK]], ranks: &mut [u8; CHUNK]) {
    let mut live = [u64::MAX; CHUNK];
    for (group, joint) in groups.iter().zip(joints) {
        live.iter_mut().zip(joint).for_each(|(live, joint)| *live &= group.live[usize::from(*joint)]);
    }
    ranks.iter_mut().zip(live).for_each(|(rank, live)| *rank = lowest(live, none));
}
