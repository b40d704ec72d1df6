//! Joints: facts that are always looked up together.
//!
//! The codes of a joint's facts, each times its stride, have one number for their sum, the joint's point: a
//! [`Question`](super::question::Question) keeps it while facts are set, and one look by it does for all of them. A fact
//! that no other goes with is a joint of its own, and its code is the point.
//!
//! ```text
//! effect (5 codes, stride 1) with tier (4 codes, stride 5):  point = effect + 5 · tier, one of 20
//! ```

use super::matcher::{At, Source};
use super::question::{MOST_SHORT, NEAR, SHORT};

/// Where the facts of a policy stand in its joints.
#[derive(Debug, Clone, Default)]
pub(super) struct Joints {
    /// By slot, the joint.
    of_slot: Vec<u32>,
    /// By slot, how far apart the points of neighbouring codes lie.
    strides: Vec<u32>,
    /// By joint, how many points it has.
    n_points: Vec<u32>,
    /// By joint, where its point stands in a question.
    places: Vec<u32>,
}

/// What one matcher looks at.
#[derive(Debug)]
pub(super) struct Looks {
    /// The slots, in order.
    pub(super) slots: Vec<u32>,
    /// The lines that they have, each alone, with those of derives.
    pub(super) n_lines: u32,
    /// How many it may have at most.
    pub(super) most_lines: u32,
}

impl Joints {
    /// The joints that lie in these places: the joint of each slot, whose facts have so many codes. Nothing where a
    /// joint is left out, or has more points than can be counted.
    pub(super) fn of(of_slot: Vec<u32>, n_codes: &[u32]) -> Option<Joints> {
        let n_joints = of_slot.iter().max().map_or(0, |last| *last as usize + 1);
        if n_joints > of_slot.len() {
            return None;
        }
        let (mut n_points, mut strides) = (vec![1u32; n_joints], Vec::with_capacity(of_slot.len()));
        for (joint, n_codes) in of_slot.iter().zip(n_codes) {
            let points = &mut n_points[*joint as usize];
            strides.push(*points);
            *points = points.checked_mul(*n_codes)?;
        }
        let (mut short, mut near, mut behind) =
            (0..SHORT as u32, SHORT as u32..NEAR as u32, (NEAR + of_slot.len()) as u32..);
        let place = |n_points: &u32| {
            let short = if *n_points <= MOST_SHORT { short.next() } else { None };
            short.or_else(|| near.next()).or_else(|| behind.next())
        };
        let places = n_points.iter().map(place).collect::<Option<_>>()?;
        Some(Joints { of_slot, strides, n_points, places })
    }

    /// Joins facts that the same matchers look at, those with the fewest points first, as long as each of them keeps to
    /// its lines. A fact with more codes than so many stays alone, and so do those that are named.
    pub(super) fn build(n_codes: &[u32], matchers: &[Looks], most_codes: u32, alone: &[u32]) -> Joints {
        let mut n_lines: Vec<u32> = matchers.iter().map(|looks| looks.n_lines).collect();
        let lookers = |slot: u32| {
            let looks = matchers.iter().enumerate().filter(|(_, looks)| looks.slots.binary_search(&slot).is_ok());
            looks.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let mut joined: Vec<Joined> =
            (0..).zip(n_codes).map(|(slot, n)| Joined::one(slot, *n, lookers(slot))).collect();
        let may_join =
            |one: &Joined| one.n_points <= most_codes && !one.lookers.is_empty() && !alone.contains(&one.slots[0]);
        let mut open: Vec<Joined> = joined.extract_if(.., |one| may_join(one)).collect();
        while let Some(smallest) = (0..open.len()).min_by_key(|place| (open[*place].n_points, open[*place].slots[0])) {
            let one = open.swap_remove(smallest);
            let others = (0..open.len()).filter(|place| open[*place].lookers == one.lookers);
            let other = others.min_by_key(|place| (open[*place].n_points, open[*place].slots[0]));
            // The lines of a pair, less those of each; of facts with one or two codes they are not more.
            let more = |other: &Joined| (one.n_points * other.n_points).saturating_sub(one.n_points + other.n_points);
            let more = other.map(|place| more(&open[place]));
            let fits = |looker: &usize, more: u32| n_lines[*looker] + more <= matchers[*looker].most_lines;
            match (other, more) {
                (Some(other), Some(more)) if one.lookers.iter().all(|looker| fits(looker, more)) => {
                    one.lookers.iter().for_each(|looker| n_lines[*looker] += more);
                    open[other].take(one);
                }
                _ => joined.push(one),
            }
        }
        // Those that are looked at come first, because the first few points lie near.
        let is_idle = |joint: &Joined| joint.lookers.is_empty() && !alone.contains(&joint.slots[0]);
        joined.sort_by_key(|joint| (is_idle(joint), joint.slots[0]));
        let mut of_slot = vec![0; n_codes.len()];
        for (place, joint) in (0..).zip(&joined) {
            joint.slots.iter().for_each(|slot| of_slot[*slot as usize] = place);
        }
        Joints::of(of_slot, n_codes).unwrap_or_default()
    }

    /// One joint of all facts.
    pub(super) fn whole(n_codes: &[u32]) -> Option<Joints> {
        Joints::of(vec![0; n_codes.len()], n_codes)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.n_points.len()
    }

    /// How many codes and points do not lie near.
    pub(super) fn n_behind(&self) -> usize {
        self.of_slot.len() + self.places.iter().filter(|place| **place >= NEAR as u32).count()
    }

    /// The joint of each slot.
    pub(super) fn of_slots(&self) -> &[u32] {
        &self.of_slot
    }

    /// How many points a joint has.
    pub(super) fn n_points(&self, joint: u32) -> u32 {
        self.n_points.get(joint as usize).copied().unwrap_or(0)
    }

    /// The joint of a slot.
    pub(super) fn joint(&self, slot: u32) -> u32 {
        self.of_slot.get(slot as usize).copied().unwrap_or(0)
    }

    /// The slots of a joint, in order: a joint's points count the codes of the first one fastest.
    pub(super) fn slots(&self, joint: u32) -> impl Iterator<Item = u32> {
        (0..).zip(&self.of_slot).filter(move |(_, own)| **own == joint).map(|(slot, _)| slot)
    }

    /// By slot, the place of its joint's point and the stride.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        self.of_slot.iter().map(|joint| self.place(*joint)).zip(self.strides.iter().copied())
    }

    /// The place of a joint's point in a question.
    pub(super) fn place(&self, joint: u32) -> u32 {
        self.places.get(joint as usize).copied().unwrap_or(0)
    }

    /// The place of a slot's code in a question.
    fn place_of_slot(slot: u32) -> u32 {
        NEAR as u32 + slot
    }

    /// How many points the joint has whose point stands at a place.
    fn points_at(&self, place: u32) -> Option<u32> {
        self.n_points.iter().zip(&self.places).find(|(_, own)| **own == place).map(|(n, _)| *n)
    }

    /// How many codes or points there may be at a place; none where it is no place of a question.
    pub(super) fn n_at(&self, place: u32, n_codes: &[u32]) -> Option<u32> {
        let slot = (place as usize).checked_sub(NEAR).filter(|slot| *slot < n_codes.len());
        slot.map_or_else(|| self.points_at(place), |slot| n_codes.get(slot).copied())
    }

    /// Where the code of a source stands in a question.
    pub(super) fn at(&self, source: Source) -> At {
        match source {
            Source::Fact(slot) if self.slots(self.joint(slot)).nth(1).is_none() => {
                At::Place(self.place(self.joint(slot)))
            }
            Source::Fact(slot) => At::Place(Joints::place_of_slot(slot)),
            Source::Derive(derive) => At::Derive(derive),
        }
    }
}

/// A joint while it is made.
struct Joined {
    slots: Vec<u32>,
    n_points: u32,
    /// The matchers that look at its facts.
    lookers: Vec<usize>,
}

impl Joined {
    fn one(slot: u32, n_points: u32, lookers: Vec<usize>) -> Self {
        Joined { slots: vec![slot], n_points, lookers }
    }

    fn take(&mut self, other: Joined) {
        self.slots.extend(other.slots);
        self.slots.sort_unstable();
        self.n_points *= other.n_points;
    }
}
