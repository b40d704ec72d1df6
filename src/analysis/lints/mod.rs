//! One file a finding, or a few that ask the same question. Each asks its question of a scene and words the answer.

mod boxes;
mod conflicts;
mod context;
mod duplicates;
mod gap;
mod hole;
mod idle_cell;
mod idle_rule;
mod idle_test;
mod last_row;
mod mergeable_rows;
mod pressed;
mod reached;
mod redundant_row;
mod refused;
mod round;
mod row_order;
mod shadow;
mod totality;
mod undecided;
mod unnamed_row;
mod unused;
mod unwatched;
mod way_back;

#[cfg(feature = "lsp")]
pub(super) use boxes::outputs_of;
pub(super) use conflicts::conflicts;
pub(super) use context::tests_in_context;
pub(super) use duplicates::{duplicate_rows, duplicates};
#[cfg(test)]
pub(super) use gap::missing_rows;
pub(super) use hole::holes;
pub(super) use idle_cell::idle_cells;
pub(super) use idle_rule::idle_rules;
pub(super) use idle_test::idle_tests;
pub(super) use last_row::last_rows;
pub(super) use mergeable_rows::mergeable_rows;
pub(super) use pressed::pressed;
pub(super) use reached::reached;
pub(super) use redundant_row::redundant_rows;
pub(super) use refused::refused_actions;
pub(super) use round::rounds;
pub(super) use row_order::row_order;
pub(super) use totality::{more_sets, totality};
pub(super) use undecided::{too_complex, undecided, unlooked};
pub(super) use unnamed_row::unnamed_rows;
pub(super) use unused::unused;
pub(super) use unwatched::unwatched;
pub(super) use way_back::ways_back;
