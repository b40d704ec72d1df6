//! A list of clauses as a diagram: what it says of every point, and nothing of how it says it.
//!
//! Axes are cut in one order, given by the caller; nodes that say the same are one node, and an axis that makes no
//! difference has none (*reduced ordered decision diagrams*: Bryant, *Graph-based algorithms for Boolean function
//! manipulation*, 1986; with intervals: Gouda and Liu, *Structured firewall design*, 2007). So two lists that say the
//! same of every point give the same diagram, whatever the order and the cut of their rows.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::problem::Problem;
use super::state::{FastHasher, ROWS_PER_STEP, Rows};
use super::{Clause, Layers, Region, SegSet};

/// The function of a list.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The nodes, each after those that it leads to.
    nodes: Vec<Node>,
    root: u32,
}

/// What is known of the points that come to a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// They have this answer.
    Answer(u32),
    /// It hangs on this axis.
    Cut(u32, Vec<Edge>),
}

/// Some segments of an axis, and the node that they lead to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The segments.
    pub side: SegSet,
    /// The node's number.
    pub to: u32,
}

impl Diagram {
    /// The diagram of a list of clauses with their answers; the last of them always holds. `sizes` are the numbers of
    /// segments by axis, `order` is every axis, in the order in which they are cut. Takes what it needs from `steps`;
    /// nothing where they run out.
    pub fn of(
        sizes: &[u32],
        layers: &Layers,
        list: &[(&Clause, u32)],
        order: &[u32],
        steps: &mut u64,
    ) -> Option<Diagram> {
        let problem = Problem::new(layers, sizes, &Region::all(), list.iter().copied());
        let order = order.iter().filter_map(|a| problem.axes.binary_search_by_key(a, |axis| axis.axis).ok());
        let rows = Rows::new(&problem);
        let (all, open) = (rows.all(), rows.every_axis());
        let mut builder = Builder {
            order: order.map(|a| a as u32).collect(),
            rows,
            steps,
            nodes: Vec::new(),
            known: HashMap::new(),
            memo: HashMap::default(),
        };
        let root = builder.node(&all, &open)?;
        Some(Diagram { nodes: builder.nodes, root })
    }

    /// The number of the node at which every point begins.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// A node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }
}

struct Builder<'a> {
    order: Vec<u32>,
    rows: Rows<'a>,
    steps: &'a mut u64,
    nodes: Vec<Node>,
    known: HashMap<Node, u32>,
    /// By what is left of the rows, the node.
    memo: HashMap<Box<[u32]>, u32, BuildHasherDefault<FastHasher>>,
}

impl Builder<'_> {
    fn node(&mut self, live: &[u32], open: &[u64]) -> Option<u32> {
        self.spend(1 + live.len() as u64 / ROWS_PER_STEP)?;
        let state = self.rows.settle(live, open, |_| true);
        if let Some(row) = self.rows.answers(&state, open) {
            return Some(self.put(Node::Answer(self.rows.problem.rows[row as usize].label)));
        }
        let key = state.key();
        if let Some(node) = self.memo.get(&key) {
            return Some(*node);
        }
        let axis = self.order.iter().copied().find(|a| state.is_open(*a as usize))?;
        let rest = state.without(axis);
        let (branches, took) = self.rows.branches(&state, axis, *self.steps)?;
        self.spend(took)?;
        let mut sides: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for branch in branches {
            let to = self.node(&branch.rows, &rest)?;
            let cells = &self.rows.problem.axes[axis as usize].cells;
            let segments = branch.cells.iter().flat_map(|&(lo, hi)| &cells[lo as usize..hi as usize]).copied();
            match sides.iter_mut().find(|(other, _)| *other == to) {
                Some((_, side)) => side.extend(segments),
                None => sides.push((to, segments.collect())),
            }
        }
        let node = if let [(to, _)] = sides.as_slice() {
            *to
        } else {
            let edge = |(to, side)| Edge { side: SegSet::from_ranges(side), to };
            let mut edges: Vec<Edge> = sides.into_iter().map(edge).collect();
            edges.sort_by_key(|e| e.side.first());
            let axis = self.rows.problem.axes[axis as usize].axis;
            self.put(Node::Cut(axis, edges))
        };
        self.memo.insert(key, node);
        Some(node)
    }

    fn put(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        *self.known.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        })
    }

    fn spend(&mut self, n: u64) -> Option<()> {
        let left = self.steps.checked_sub(n);
        *self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }
}
