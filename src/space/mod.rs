//! Floor 4: the exact mathematics of the tables.
//!
//! Every caller's fact is an [`Axis`] of finitely many segments, cut at the ends that the policy itself uses; a cell
//! is a [`SegSet`], a row a [`Region`], with derived facts a [`Clause`]; a whole policy is a [`Flow`], a list of
//! clauses of which the first that holds answers. One recursion, [`explore`], finds which entries of such a list are
//! ever the answer: it is finder and prover in one, exact, and bounded in steps. [`Layers::expand`] says the same of
//! derived facts in the caller's own.
//!
//! A decision table as a function over a product of finite domains, and gap and overlap as questions about boxes,
//! follow Calvanese, Dumas, Laurson, Maggi, Montali and Teinemaa, *Semantics and Analysis of DMN Decision Tables*
//! (2016) and *Semantics, Analysis and Simplification of DMN Decision Tables* (2018).

mod axis;
mod clause;
mod diagram;
mod expand;
mod explore;
mod flow;
mod grid;
mod problem;
mod region;
mod seg_set;
mod state;
mod volume;

pub use axis::{Axis, UNKNOWN};
pub use clause::Clause;
pub use diagram::{Diagram, Node};
pub use expand::{Layer, LayerRow, Layers, TooComplex};
pub use explore::{Question, Reach, Reached, explore, explore_over};
pub use flow::{Ending, Entry, Flow, Visit};
pub use grid::Space;
pub use region::{Region, absorb};
pub use seg_set::SegSet;

#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;
