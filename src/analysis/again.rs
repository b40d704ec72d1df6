//! A witness, put to the rows once more before it is told.
//!
//! The search speaks of segments and boxes. Here its facts are read as values, row by row, by the plain evaluator, which
//! knows neither. Where the two part, one of them is wrong: then nothing is told as true, and the fault is called ours.

use crate::diag::{Diagnostic, N0399, Witness};
use crate::model::{Action, End, Outcome, Row, TableId, Value, eval};

use super::guards::{self, key, key_name};
use super::scene::Scene;
use super::tell::Shown;

/// How facts go through the tables: the rows taken, and the end.
pub(super) struct Plain {
    pub(super) path: Vec<(TableId, usize)>,
    pub(super) end: End,
}

impl Plain {
    /// Reads a scene's rows one by one.
    pub(super) fn of(scene: &Scene, values: &[Value]) -> Plain {
        let entry = scene.flow.visits.first().map_or(TableId(0), |v| v.table);
        if scene.is_alone() {
            let row = eval::matching_row(scene.model(), scene.table(entry), values);
            let end = if row.is_some() { End::Row } else { End::Gap(entry) };
            return Plain { path: row.map(|r| (entry, r)).into_iter().collect(), end };
        }
        let answer = eval::answer(scene.model(), entry, values);
        Plain { path: answer.path.iter().collect(), end: answer.end }
    }

    /// The row that answers.
    pub(super) fn row(&self) -> Option<(TableId, usize)> {
        self.path.last().copied().filter(|_| self.end == End::Row)
    }

    /// Whether the facts come to a table.
    pub(super) fn comes_to(&self, table: TableId) -> bool {
        self.end == End::Gap(table) || self.path.iter().any(|(t, _)| *t == table)
    }
}

/// Whether every test of a row holds.
pub(super) fn matches(scene: &Scene, row: &Row, values: &[Value]) -> bool {
    row.conds.iter().all(|c| eval::holds(scene.model(), c, values))
}

/// The rows that answer together: the base's, then those of the overlays on the way.
pub(super) fn answering(scene: &Scene, values: &[Value]) -> Vec<(TableId, usize)> {
    let (model, plain) = (scene.model(), Plain::of(scene, values));
    let Some(base) = plain.row() else { return Vec::new() };
    let tightened = model.overlay.iter().flat_map(|o| &o.tighten);
    let asked = tightened.filter(|(table, _)| plain.path.iter().any(|(t, _)| t == table));
    let own = asked.filter_map(|(_, own)| {
        let answer = eval::answer(model, *own, values);
        answer.path.last().filter(|_| answer.end == End::Row)
    });
    [base].into_iter().chain(own).collect()
}

/// The step that a row is left with, where the world refuses some verbs.
pub(super) fn step_left(scene: &Scene, at: (TableId, usize), refuse: &[String], values: &[Value]) -> Option<usize> {
    let Outcome::Act(chain) = &scene.row(at).outcome else { return None };
    let model = scene.model();
    let refused = |a: &Action| a.verb().can_be_refused() && refuse.contains(&key_name(model, key(a)));
    chain.actions.iter().position(|a| !refused(a) && guards::allow(model, a, values))
}

/// The finding with its witness, where `shows` says that its facts bear it out; else that this program contradicts
/// itself.
pub(super) fn witnessed(
    scene: &Scene,
    finding: Diagnostic,
    shown: &Shown,
    refuse: Vec<String>,
    shows: impl FnOnce(&[Value], &[String]) -> bool,
) -> Diagnostic {
    if shows(&shown.values(scene), &refuse) {
        return finding.witness(Witness { refuse, ..shown.witness(scene) });
    }
    let message = format!(
        "nisi contradicts itself: a proof says {} `{}`, and the rows, read one by one, do not",
        finding.code, finding.message
    );
    let help = "this is a fault of nisi and not of the policy, and nothing is proven until it is mended: please report \
                it, with the policy";
    Diagnostic::new(N0399, message).at(finding.span(), "").help(help)
}
