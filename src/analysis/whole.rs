//! The whole policy as one list: the entry's flow, and where an overlay tightens a table on the way, its rows beside
//! the base's.
//!
//! Of the answers of one entry, guards and ways for refusal taken, the more cautious holds; of equal verbs the
//! overlay's. In a proof each verb, for a failover each parity, has one verdict, the same for all rows: refused where
//! facts against constants refuse already, and both everywhere else. So a step of a row is left where its own guard
//! allows it and all guarded steps before it may be refused at once: those under another verdict always may, one
//! under the same verdict only where its own facts refuse it.

use crate::model::{Chain, Outcome, TableId};
use crate::space::{Clause, Ending, Flow, TooComplex};

use super::guards::{self, key};
use super::scene::{Point, Scene};

/// The most entries of a whole policy.
const MAX_ENTRIES: usize = 400_000;

/// A row by its place.
pub(super) type RowAt = (TableId, usize);

/// The list; the first entry whose clause holds is the answer.
pub(super) struct Whole {
    pub(super) entries: Vec<Entry>,
}

/// One entry.
pub(super) struct Entry {
    pub(super) clause: Clause,
    /// The base's row, then those that an overlay adds; none where the base has no answer.
    pub(super) rows: Vec<RowAt>,
}

/// One way in which the rows of an entry may end.
pub(super) struct Way {
    /// The row that holds, by its place among the entry's rows, and its step.
    pub(super) at: (usize, usize),
    /// The step that each row is left with.
    pub(super) steps: Vec<usize>,
    /// The places where it ends so, under some verdicts: one of these clauses.
    pub(super) left: Vec<Clause>,
}

impl Whole {
    /// The whole policy.
    pub(super) fn of(scene: &Scene) -> Result<Whole, TooComplex> {
        let ground = scene.ground;
        let row = |e: &crate::space::Entry| e.path.last().copied().filter(|_| e.end == Ending::Row);
        let tightened = scene.model().overlay.iter().flat_map(|o| &o.tighten);
        let mut flows: Vec<(TableId, Flow)> = Vec::new();
        for (base, own) in tightened {
            flows.push((*base, Flow::of(ground.model, &ground.space, &ground.layers, *own)?));
        }
        let mut entries = Vec::new();
        for entry in &scene.flow.entries {
            let mut here = vec![Entry { clause: entry.clause.clone(), rows: row(entry).into_iter().collect() }];
            for (_, own) in flows.iter().filter(|(base, _)| entry.path.iter().any(|(table, _)| table == base)) {
                let both = |e: &Entry| {
                    let one = |o: &crate::space::Entry| {
                        // Of what comes of a derive without a value nothing is said.
                        let is_said = !e.rows.is_empty() && !matches!(o.end, Ending::Underived(_));
                        let rows = e.rows.iter().copied().chain(row(o)).filter(|_| is_said).collect();
                        e.clause.and(&o.clause).map(|clause| Entry { clause, rows })
                    };
                    own.entries.iter().filter_map(one).collect::<Vec<_>>()
                };
                here = here.iter().flat_map(both).collect();
            }
            entries.extend(here);
            if entries.len() > MAX_ENTRIES {
                return Err(TooComplex);
            }
        }
        Ok(Whole { entries })
    }

    /// The entry that answers at a point, each looked at in turn.
    pub(super) fn at(&self, point: &Point) -> Option<&Entry> {
        self.entries.iter().find(|e| point.is_in(&e.clause))
    }
}

/// The chain of a row.
pub(super) fn chain<'a>(scene: &Scene<'a>, row: RowAt) -> Option<&'a Chain> {
    if let Outcome::Act(chain) = &scene.row(row).outcome { Some(chain) } else { None }
}

/// Every way in which some rows, answering together, may end.
pub(super) fn ways(scene: &Scene, rows: &[RowAt]) -> Vec<Way> {
    let Some(chains) = rows.iter().map(|row| chain(scene, *row)).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let mut combined: Vec<Vec<usize>> = vec![Vec::new()];
    for chain in &chains {
        let last = chain.actions.iter().position(|a| !a.verb().can_be_refused()).unwrap_or(chain.actions.len() - 1);
        let longer = |steps: Vec<usize>| (0..=last).map(move |k| [steps.clone(), vec![k]].concat());
        combined = combined.into_iter().flat_map(longer).collect();
    }
    let way = |steps: Vec<usize>| {
        let left = left(scene, &chains, &steps);
        let verb = |i: usize| chains[i].actions[steps[i]].verb();
        let holds = (0..chains.len()).fold(0, |held, i| if verb(i) <= verb(held) { i } else { held });
        (!left.is_empty()).then(|| Way { at: (holds, steps.get(holds).copied().unwrap_or(0)), steps, left })
    };
    combined.into_iter().filter_map(way).collect()
}

/// Where each chain may be left with its step at once.
fn left(scene: &Scene, chains: &[&Chain], steps: &[usize]) -> Vec<Clause> {
    let ground = scene.ground;
    let allowed = |action| guards::clauses(ground.model, &ground.space, &ground.layers, action);
    let kept: Vec<_> = chains.iter().zip(steps).map(|(chain, k)| &chain.actions[*k]).collect();
    let mut here = vec![Clause::all()];
    for action in &kept {
        let one = allowed(action);
        here = here.iter().flat_map(|h| one.iter().filter_map(|c| h.and(c)).collect::<Vec<_>>()).collect();
    }
    let passed = chains.iter().zip(steps).flat_map(|(chain, k)| &chain.actions[..*k]);
    for action in passed.filter(|a| kept.iter().any(|k| k.verb().can_be_refused() && key(k) == key(a))) {
        for refused in allowed(action) {
            let minus = |c: Clause| c.region.minus(&refused.region, ground.space.sizes());
            here = here.into_iter().flat_map(minus).map(Clause::of).collect();
        }
    }
    here
}
