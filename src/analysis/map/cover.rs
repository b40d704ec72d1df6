//! Regions that together are all points with one answer, each as wide as it can be.
//!
//! The paths of the diagram are gone through in order. One that is not covered yet is widened axis by axis, as far as its
//! answer stays the same at every point that facts come to: the caller's facts first, so that a derived fact stands for
//! what it is made of, of these the last ones first. What the rest covers is taken out again. All of it reads the diagram
//! alone, so that the same function has the same regions.

use crate::space::{Diagram, Node, Region, SegSet};

use super::axes::{Axes, NEVER};

/// The diagram with what widening needs.
pub(super) struct Cover<'a> {
    diagram: &'a Diagram,
    axes: &'a Axes<'a>,
    /// By axis, where some node cuts it: the beginnings of stretches that no node tells apart, and the end.
    cuts: Vec<Vec<u32>>,
}

/// What a search for regions carries along.
struct Search<'s> {
    /// By answer.
    found: Vec<Vec<Region>>,
    steps: &'s mut u64,
    /// By node, the last question that it was asked in.
    seen: Vec<u32>,
    question: u32,
}

impl Search<'_> {
    fn spend(&mut self, n: u64) -> Option<()> {
        let left = self.steps.checked_sub(n);
        *self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }
}

impl<'a> Cover<'a> {
    pub(super) fn new(diagram: &'a Diagram, axes: &'a Axes<'a>) -> Self {
        let mut cuts: Vec<Vec<u32>> = axes.sizes.iter().map(|n| vec![0, *n]).collect();
        for node in (0..diagram.n_nodes() as u32).map(|n| diagram.node(n)) {
            if let Node::Cut(axis, edges) = node {
                let ends = edges.iter().flat_map(|e| e.side.ranges()).flat_map(|r| [r.0, r.1]);
                cuts[*axis as usize].extend(ends);
            }
        }
        for list in &mut cuts {
            list.sort_unstable();
            list.dedup();
        }
        Cover { diagram, axes, cuts }
    }

    /// The regions of each answer; nothing where the steps run out.
    pub(super) fn regions(&self, n_answers: usize, steps: &mut u64) -> Option<Vec<Vec<Region>>> {
        let seen = vec![0; self.diagram.n_nodes()];
        let mut search = Search { found: vec![Vec::new(); n_answers], steps, seen, question: 0 };
        self.paths(self.diagram.root(), &Region::all(), &mut search)?;
        for answer in 0..n_answers {
            let mut place = search.found[answer].len();
            while let Some(last) = place.checked_sub(1) {
                place = last;
                let region = search.found[answer].remove(place);
                if !self.is_covered(&region, answer, &mut search)? {
                    search.found[answer].insert(place, region);
                }
            }
        }
        Some(search.found)
    }

    fn paths(&self, node: u32, path: &Region, search: &mut Search) -> Option<()> {
        search.spend(1)?;
        match self.diagram.node(node) {
            Node::Answer(NEVER) => {}
            Node::Answer(answer) => {
                let answer = *answer as usize;
                if !self.is_covered(path, answer, search)? {
                    let wide = self.widened(path, answer, search)?;
                    search.found[answer].push(wide);
                }
            }
            Node::Cut(axis, edges) => {
                for edge in edges {
                    self.paths(edge.to, &path.clone().with(*axis, edge.side.clone()), search)?;
                }
            }
        }
        Some(())
    }

    /// Whether the regions found for an answer hold all of a region.
    fn is_covered(&self, region: &Region, answer: usize, search: &mut Search) -> Option<bool> {
        let mut rest = vec![region.clone()];
        for place in 0..search.found[answer].len() {
            search.spend(1 + rest.len() as u64)?;
            let found = &search.found[answer][place];
            rest = rest.iter().flat_map(|r| r.minus(found, &self.axes.sizes)).collect();
        }
        for left in rest {
            if !self.holds(&left, NEVER, search)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// A region of one answer, as wide as it can be on each axis.
    fn widened(&self, path: &Region, answer: usize, search: &mut Search) -> Option<Region> {
        let mut region = path.clone();
        let (derived, own): (Vec<u32>, Vec<u32>) =
            self.axes.order.iter().rev().partition(|a| self.axes.is_derived(**a));
        for axis in own.into_iter().chain(derived) {
            let Some(side) = region.side(axis).cloned() else { continue };
            let whole = region.clone().without(axis);
            if self.holds(&whole, answer as u32, search)? {
                region = whole;
                continue;
            }
            let mut ranges = side.ranges().to_vec();
            for stretch in self.cuts[axis as usize].windows(2) {
                let stretch = SegSet::range(stretch[0], stretch[1]);
                let more = region.clone().with(axis, stretch.clone());
                // What no facts come to is not worth a word.
                if !side.meets(&stretch)
                    && self.holds(&more, answer as u32, search)?
                    && !self.holds(&more, NEVER, search)?
                {
                    ranges.extend_from_slice(stretch.ranges());
                }
            }
            region = region.with(axis, SegSet::from_ranges(ranges));
        }
        Some(region)
    }

    /// Whether every point of a region that facts come to has the answer.
    fn holds(&self, region: &Region, answer: u32, search: &mut Search) -> Option<bool> {
        search.question += 1;
        let mut open = vec![self.diagram.root()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut search.seen[node as usize], search.question) == search.question {
                continue;
            }
            search.spend(1)?;
            match self.diagram.node(node) {
                Node::Answer(other) if *other != answer && *other != NEVER => return Some(false),
                Node::Answer(_) => {}
                Node::Cut(axis, edges) => {
                    let side = region.side(*axis);
                    open.extend(edges.iter().filter(|e| side.is_none_or(|s| s.meets(&e.side))).map(|e| e.to));
                }
            }
        }
        Some(true)
    }
}
