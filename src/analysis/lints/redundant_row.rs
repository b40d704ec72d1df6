//! A row that can be taken out: wherever it is the answer, the rows below it would say the same. Of rows with a name or
//! a reason this is pedantic: traces speak of them. Tables with `any unknown` are left alone: it asks what each row
//! could take.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, N0314, N0332};
use crate::model::{Row, TableId};
use crate::space::{Clause, Ending, Question, Reach, Region};
use crate::syntax::tree::RowKind;

use super::super::analyse::Limits;
use super::super::pairs::Coarse;
use super::super::scene::{Place, Scene, places, spend};
use super::super::tell::row_name;
use super::duplicates::agree;

/// Finds them among rows that are reached.
pub(in super::super) fn redundant_rows(
    scene: &Scene,
    idle: &BTreeSet<(TableId, usize)>,
    limits: &Limits,
    steps: &mut u64,
    findings: &mut Vec<Diagnostic>,
) {
    let entries = &scene.flow.entries;
    let regions: Vec<&Region> = entries.iter().map(|e| &e.clause.region).collect();
    let coarse = Coarse::new(&regions, scene.ground.space.sizes());
    for (at, places) in places(scene) {
        let row = scene.row(at);
        let plain = row.name.is_none() && row.reason.is_none();
        let asked = plain || limits.pedantic && Scene::is_own(row.span);
        let open = row.kind != RowKind::Plain || scene.asks_what_could_be(at.0);
        if idle.contains(&at) || open || !asked || places.iter().any(|(_, entry)| entries[*entry].end != Ending::Row) {
            continue;
        }
        // Without steps nothing is called redundant.
        let each = 1 + entries.len() as u64 / 256;
        let Some(()) = spend(steps, places.len() as u64 * each) else { return };
        if places.iter().all(|place| is_redundant(scene, *place, &coarse, steps)) {
            let name = row_name(scene, at);
            let message = format!("`{name}` changes nothing: the rows below it say the same for all that it takes");
            findings.push(if plain {
                let help = "take it out, or give it a name if traces shall speak of it";
                let finding = Diagnostic::new(N0314, message).at(row.span, "").help(help);
                finding.fix("take the row out", true, row.span, "")
            } else {
                let help = "take it out, unless traces shall speak of it";
                let finding = Diagnostic::new(N0332, message).at(row.span, "").help(help);
                finding.fix("take the row out", false, row.span, "")
            });
        }
    }
}

/// Whether the rows below say the same as a row wherever it is the answer in one place.
fn is_redundant(scene: &Scene, (visit, entry): Place, coarse: &Coarse, steps: &mut u64) -> bool {
    let entries = &scene.flow.entries;
    let (own, row) = (&entries[entry].clause, scene.row(entries[entry].path[visit.path.len()]));
    let says = |i: usize| entries[i].path.last().filter(|_| entries[i].end == Ending::Row).map(|at| scene.row(*at));
    let same = |other: Option<&Row>| other.is_some_and(|other| agree(other, row));
    let near = |i: &usize| coarse.may_meet(*i, entry);
    let after: Vec<(Clause, Option<u32>)> = (entry + 1..entries.len())
        .filter(near)
        .filter(|i| entries[*i].path.starts_with(&visit.path))
        .filter_map(|i| Some((own.and(&entries[i].clause)?, (!same(says(i))).then_some(0))))
        .collect();
    let before = (0..entry).filter(near).map(|i| (&entries[i].clause, None));
    // What nothing below takes would be a gap.
    let below = after.iter().map(|(c, g)| (c, *g)).chain([(own, Some(0))]);
    let list = before.chain(below).collect();
    let question = Question { within: own.region.clone(), list, n_groups: 1, disjoint: false };
    scene.ask(&question, steps).groups == [Reach::Never]
}
