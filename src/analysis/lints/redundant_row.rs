//! A row that can be taken out: wherever it is the answer, the rows below it would say the same. Rows with a name or a
//! reason are left alone: traces speak of them. So are tables with `any unknown`, which asks what each row could take.

use crate::diag::{Diagnostic, N0314};
use crate::model::Row;
use crate::space::{Clause, Ending, Question, Reach};
use crate::syntax::tree::RowKind;

use super::super::scene::{Scene, single};
use super::super::tell::row_name;
use super::duplicates::agree;

/// Finds them.
pub(in super::super) fn redundant_rows(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    let entries = &scene.flow.entries;
    for (visit, entry) in single(scene) {
        let at = entries[entry].path[visit.path.len()];
        let row = scene.row(at);
        let open = scene.table(at.0).rows.iter().any(|r| r.kind == RowKind::AnyUnknown);
        if open
            || row.kind != RowKind::Plain
            || row.name.is_some()
            || row.reason.is_some()
            || entries[entry].end != Ending::Row
        {
            continue;
        }
        let own = &entries[entry].clause;
        let says = |i: usize| entries[i].path.last().filter(|_| entries[i].end == Ending::Row).map(|at| scene.row(*at));
        let same = |other: Option<&Row>| other.is_some_and(|other| agree(other, row));
        let after: Vec<(Clause, Option<u32>)> = (entry + 1..entries.len())
            .filter(|i| entries[*i].path.starts_with(&visit.path))
            .filter_map(|i| Some((own.and(&entries[i].clause)?, (!same(says(i))).then_some(0))))
            .collect();
        let before: Vec<(&Clause, Option<u32>)> = entries[..entry].iter().map(|e| (&e.clause, None)).collect();
        let ask = |list: Vec<(&Clause, Option<u32>)>, steps: &mut u64| {
            let question = Question { within: own.region.clone(), list, n_groups: 1, disjoint: false };
            scene.ask(&question, steps).groups == [Reach::Never]
        };
        let reached = !ask(before.iter().copied().chain([(own, Some(0))]).collect(), steps);
        // What nothing below takes would be a gap.
        let below = after.iter().map(|(c, g)| (c, *g)).chain([(own, Some(0))]);
        if reached && ask(before.into_iter().chain(below).collect(), steps) {
            let message = format!(
                "`{}` changes nothing: the rows below it say the same for all that it takes",
                row_name(scene, at)
            );
            findings.push(
                Diagnostic::new(N0314, message)
                    .at(row.span, "")
                    .help("take it out, or give it a name if traces shall speak of it"),
            );
        }
    }
}
