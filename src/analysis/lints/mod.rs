//! One file a finding, or a few that ask the same question. Each asks its question of a scene and words the answer.

mod boxes;
mod conflicts;
mod duplicates;
mod gap;
mod idle_test;
mod mergeable_rows;
mod reached;
mod redundant_row;
mod totality;
mod undecided;
mod unnamed_row;
mod unused;
mod unwatched;
mod way_back;

pub(super) use conflicts::conflicts;
pub(super) use duplicates::{duplicate_rows, duplicates};
#[cfg(test)]
pub(super) use gap::missing_rows;
pub(super) use idle_test::idle_tests;
pub(super) use mergeable_rows::mergeable_rows;
pub(super) use reached::reached;
pub(super) use redundant_row::redundant_rows;
pub(super) use totality::{more_sets, totality};
pub(super) use undecided::{too_complex, undecided};
pub(super) use unnamed_row::unnamed_rows;
pub(super) use unused::unused;
pub(super) use unwatched::unwatched;
pub(super) use way_back::ways_back;
