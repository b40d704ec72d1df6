//! All findings of a model, in order.

use crate::diag::{Diagnostic, N0324};
use crate::model::{Model, TableId};
use crate::space::{Flow, Layers, Space, TooComplex};
use crate::syntax::tree::{Hit, RowKind};

use super::scene::{Ground, Scene};
use super::whole::Whole;
use super::{guards, lints, overlay, rules};

/// How far the analysis goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many steps all proofs together may take; what is open after them is told as undecided.
    pub max_steps: u64,
    /// Whether the model holds all that the author wrote. Where something could not be read, only what is there is
    /// judged, and nothing is called missing.
    pub complete: bool,
    /// Whether what is no fault, but worth a look, is looked for too.
    pub lints: bool,
    /// Whether what is pedantic is looked for beside it.
    pub pedantic: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_steps: 2_000_000, complete: true, lints: true, pedantic: true }
    }
}

/// Judges a model for every input.
pub fn analyse(model: &Model, limits: &Limits) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let derives = model.derives.iter().map(|d| &d.table);
    let alone: Vec<_> = derives.chain(model.classifies.iter().map(|c| &c.table)).collect();
    let damaged = |t: &&crate::model::Table| t.damaged;
    let complete = limits.complete && !model.tables.iter().chain(alone.iter().copied()).any(|t| damaged(&t));
    for table in model.tables.iter().chain(alone.iter().copied()).filter(|t| !t.damaged) {
        lints::duplicate_rows(table, &mut findings);
    }
    if !complete {
        return findings;
    }
    let more = [lints::more_sets(model), guards::sets(model)].concat();
    for table in model.tables.iter().chain(alone.iter().copied()).filter(|_| limits.lints) {
        lints::mergeable_rows(model, table, &mut findings);
        lints::unnamed_rows(table, &mut findings);
    }
    if limits.lints {
        lints::unused(model, &mut findings);
    }
    let space = Space::with(model, &more);
    let Ok(layers) = Layers::new(model, &space) else {
        findings.extend(alone.first().map(|t| lints::too_complex(t)));
        return findings;
    };
    let ground = Ground { model, space, layers };
    let mut steps = limits.max_steps;
    let mut lint_steps = limits.max_steps;
    for table in alone.iter().copied() {
        match Flow::alone(model, &ground.space, &ground.layers, table) {
            Ok(flow) => {
                let scene = Scene::new(&ground, flow, Some(table));
                judge(&scene, &mut steps, limits, &mut findings);
                if limits.lints {
                    lint(&scene, limits, &mut lint_steps, &mut findings);
                }
            }
            Err(TooComplex) => findings.push(lints::too_complex(table)),
        }
    }
    if let Some(entry) = model.tables.first() {
        match Flow::of(model, &ground.space, &ground.layers, TableId(0)) {
            Ok(flow) => {
                let scene = Scene::new(&ground, flow, None);
                judge(&scene, &mut steps, limits, &mut findings);
                lints::unwatched(&scene, &mut findings);
                for (_, own) in model.overlay.iter().flat_map(|o| &o.tighten) {
                    overlay_alone(&ground, *own, &mut steps, limits, &mut findings);
                }
                match Whole::of(&scene) {
                    Ok(whole) => {
                        let ways = rules::all_ways(&scene, &whole);
                        rules::rules(&scene, &whole, &ways, &mut steps, limits, &mut findings);
                        overlay::overlays(&scene, &whole, &ways, &mut steps, limits, &mut findings);
                    }
                    Err(TooComplex) => findings.push(lints::too_complex(entry)),
                }
                // What an overlay takes over was looked at where it stands.
                if model.overlay.is_none() && limits.lints {
                    lint(&scene, limits, &mut lint_steps, &mut findings);
                }
            }
            Err(TooComplex) => findings.push(lints::too_complex(entry)),
        }
    }
    let is_told = findings.iter().any(|d| d.code == N0324);
    let looked_through = model.tables.first().or(alone.first().copied());
    findings.extend(
        looked_through.filter(|_| limits.lints && lint_steps == 0 && !is_told).map(|t| lints::unlooked(t, limits)),
    );
    findings
}

/// Judges a table of an overlay by itself: it may leave facts to the base.
fn overlay_alone(ground: &Ground, own: TableId, steps: &mut u64, limits: &Limits, findings: &mut Vec<Diagnostic>) {
    let table = &ground.model.tables[own.0];
    let mut found = Vec::new();
    match Flow::of(ground.model, &ground.space, &ground.layers, own) {
        Ok(flow) => judge(&Scene::new(ground, flow, None), steps, limits, &mut found),
        Err(TooComplex) => found.push(lints::too_complex(table)),
    }
    let left_to_base = |d: &Diagnostic| matches!(d.code.id, "N0301" | "N0302" | "N0313") && d.span() == table.span;
    findings.extend(found.into_iter().filter(|d| !left_to_base(d)));
}

fn judge(scene: &Scene, steps: &mut u64, limits: &Limits, findings: &mut Vec<Diagnostic>) {
    let before = findings.len();
    lints::conflicts(scene, steps, limits, findings);
    let disjoint = findings.len() == before && is_one_strict_table(scene);
    lints::totality(scene, disjoint, steps, limits, findings);
}

/// What is no fault, but worth a look: it has steps of its own, so that it never takes those of the proofs. What is
/// pedantic comes last, and never takes those of the rest.
fn lint(scene: &Scene, limits: &Limits, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    let idle = lints::reached(scene, steps, limits, findings);
    lints::redundant_rows(scene, &idle, limits, steps, findings);
    lints::tests_in_context(scene, &idle, steps, findings);
    if !scene.is_alone() {
        lints::idle_tests(scene, steps, findings);
        lints::ways_back(scene, findings);
        lints::refused_actions(scene, &idle, steps, findings);
        lints::last_rows(scene, steps, findings);
        lints::pressed(scene, steps, findings);
        lints::rounds(scene, steps, findings);
        lints::idle_rules(scene, steps, findings);
    }
    lints::holes(scene, steps, findings);
    if limits.pedantic {
        lints::idle_cells(scene, &idle, steps, findings);
        lints::row_order(scene, steps, findings);
    }
}

/// Whether a scene is one table of plain rows of which, once no conflict is found, no two match the same facts.
fn is_one_strict_table(scene: &Scene) -> bool {
    let [visit] = scene.flow.visits.as_slice() else { return false };
    let table = scene.table(visit.table);
    let plain = table.rows.iter().all(|r| r.kind == RowKind::Plain);
    table.hit == Hit::AtMostOne && plain && lints::duplicates(table).is_empty()
}
