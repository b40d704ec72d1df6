//! A test that changes nothing: what it keeps out comes to rows below that say the same, or the other tests of its row
//! keep that out too. Pedantic, since such a cell
//! often stands there on purpose, so that the row does not hang on its place.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0316, N0325, N0326};
use crate::model::{TableId, show_set};
use crate::space::Ending;
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;

use super::super::scene::{Scene, single};
use super::super::tell::row_name;
use super::duplicates::agree;
use super::idle_test::{missed, turned, without_test};

/// Finds them, beside those that were told of already.
pub(in super::super) fn idle_cells(
    scene: &Scene,
    idle: &BTreeSet<(TableId, usize)>,
    steps: &mut u64,
    findings: &mut Vec<Diagnostic>,
) {
    let others = findings.iter().filter(|f| f.code == N0316 || f.code == N0325);
    let told: BTreeSet<Span> = others.map(Diagnostic::span).collect();
    for (visit, entry) in single(scene) {
        let at = scene.flow.entries[entry].path[visit.path.len()];
        let row = scene.row(at);
        let plain = row.kind == RowKind::Plain && !scene.asks_what_could_be(at.0);
        if !plain || scene.flow.entries[entry].end != Ending::Row || idle.contains(&at) || !Scene::is_own(row.span) {
            continue;
        }
        for cond in &row.conds {
            if told.contains(&cond.span) {
                continue;
            }
            // Elsewhere two rows would then match the same facts.
            let strict = matches!(scene.table(at.0).hit, Hit::AtMostOne | Hit::Agree);
            let said_below =
                !strict && missed(scene, (visit, entry), cond, steps, |other| agree(other, row)) == Some(true);
            if !said_below && scene.comes(at.0, &turned(scene, row, cond), steps) != Some(false) {
                continue;
            }
            let fact = scene.model().fact(cond.fact);
            let (name, test) = (row_name(scene, at), show_set(fact, &cond.set));
            let message =
                format!("`{name}` tests `{} is {test}`, and without the test the same would follow", fact.name);
            let help = "leave the test out, unless the row shall not hang on its place";
            let finding = Diagnostic::new(N0326, message).at(cond.span, "").help(help);
            findings.push(without_test(finding, scene.table(at.0), row, cond));
        }
    }
}
