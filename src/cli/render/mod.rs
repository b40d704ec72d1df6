//! A report for people and for tools. Each file takes a [`Report`](super::report::Report) and gives a text.

pub(super) mod bounds;
pub(super) mod decision;
pub(super) mod diff;
pub(super) mod github;
pub(super) mod human;
pub(super) mod json;
pub(super) mod junit;
pub(super) mod plain;
pub(super) mod sarif;
mod snippet;
