//! A policy as one list of outcomes by region, both policies over the same axes.
//!
//! Each policy is flattened in its own space, guards and ways for refusal included: a row that wants `retry; if
//! refused, review` is two entries, the first where `retry` is not refused. Then everything is carried over to axes
//! that both share, so that one search can ask both lists about one point. A guard is a layer like a derive: what the
//! facts refuse, and behind it the one verdict of the world, an axis of its own. Layers that say the same on both
//! sides are one.

use std::collections::HashMap;

use crate::model::{Action, Cond, FactId, Model, TableId, Value, ValueSet, show_value};
use crate::space::{Clause, Layer, LayerRow, Layers, Region, SegSet, Space, TooComplex};
use crate::text::Span;
use crate::words::Verb;

use super::answered::{Said, said};
use super::axis::{SharedAxis, View};
use super::guard::{FactBox, Key, refusals};
use super::matching::{Matching, SIDES};
use super::outcome::Meaning;

/// The segments of a verdict's axis.
pub(super) const NOT_REFUSED: u32 = 0;
pub(super) const REFUSED: u32 = 1;

/// A verdict: a verb, for a failover one of the matched parities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) verb: Verb,
    pub(super) parity: Option<usize>,
}

/// What a layer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LayerName {
    /// A derive: for each output its name, for each outcome its values.
    Derive { outputs: Vec<Box<str>>, shown: Vec<Vec<String>> },
    /// The guard of a verdict.
    Guard(usize),
}

/// An entry of a list.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) clause: Clause,
    /// What follows, by place in the meanings.
    pub(super) outcome: u32,
    /// The row that answers; nothing in a gap.
    pub(super) row: Option<(TableId, usize)>,
    /// The last entry of the same way, which holds wherever this one does: itself, or what is left when all before it
    /// is refused.
    pub(super) last: usize,
}

/// Two policies over one space.
pub(super) struct Ground<'a> {
    pub(super) models: [&'a Model; 2],
    pub(super) matching: Matching,
    pub(super) least_ms: u64,
    /// The axes of facts; behind them one for each verdict.
    pub(super) axes: Vec<SharedAxis>,
    /// Where the fact of an axis stands on each side.
    pub(super) facts: Vec<[Option<FactId>; 2]>,
    pub(super) verdicts: Vec<Verdict>,
    pub(super) sizes: Vec<u32>,
    /// The layers that the search works on.
    pub(super) layers: Layers,
    /// The layers with every refusal of the guards.
    pub(super) whole: Layers,
    /// Facts that matter to guards alone, and values of them that refuse nothing.
    pub(super) free: Vec<(u32, u32)>,
    pub(super) names: Vec<LayerName>,
    /// Whether a layer is one of both sides.
    pub(super) common: Vec<bool>,
    pub(super) meanings: Vec<Meaning>,
    pub(super) sheets: [Vec<Entry>; 2],
}

impl<'a> Ground<'a> {
    /// Both policies as lists over shared axes.
    pub(super) fn new(models: [&'a Model; 2]) -> Result<Ground<'a>, TooComplex> {
        let matching = Matching::of(models);
        let least = |m: &Model| m.budget.as_ref().map_or(0, |b| b.least_ms);
        let least_ms = least(models[0]).min(least(models[1]));
        let verdicts = verdicts(&matching);
        let guards = [0, 1].map(|side| guard_boxes(models[side], &matching, &verdicts, side, least_ms));
        let more = guards.each_ref().map(|g| g.iter().flatten().flatten().flatten().cloned().collect::<Vec<_>>());
        let spaces = [Space::with(models[0], &more[0]), Space::with(models[1], &more[1])];
        let sets = [0, 1].map(|side| sets_by_fact(models[side], &more[side]));
        let mut ground = Ground {
            models,
            least_ms,
            axes: Vec::new(),
            facts: Vec::new(),
            verdicts,
            sizes: Vec::new(),
            layers: Layers::default(),
            whole: Layers::default(),
            free: Vec::new(),
            names: Vec::new(),
            common: Vec::new(),
            meanings: Vec::new(),
            sheets: [Vec::new(), Vec::new()],
            matching,
        };
        let carriers = ground.lay_axes(&spaces, &sets);
        let mut layers = Vec::new();
        for side in SIDES {
            ground.sheet(side, &spaces[side], &carriers[side], &guards[side], &mut layers)?;
        }
        ground.whole = Layers::of(layers.clone());
        ground.free_gates(&mut layers);
        ground.layers = Layers::of(layers);
        Ok(ground)
    }

    /// The axis of a verdict.
    pub(super) fn verdict_axis(&self, verdict: usize) -> u32 {
        (self.axes.len() + verdict) as u32
    }

    /// A verdict by its name on a side: `retry`, `failover to equivalent`; nothing where the side cannot speak of it.
    pub(super) fn verdict_name(&self, verdict: usize, side: usize) -> Option<String> {
        let Verdict { verb, parity } = self.verdicts[verdict];
        let Some(parity) = parity else { return Some(verb.to_string()) };
        let own = self.matching.parities[parity][side]?;
        Some(format!("{verb} to {}", crate::model::parity_name(self.models[side], own)))
    }

    /// A verdict of one side's action.
    pub(super) fn verdict_of(&self, side: usize, action: &Action) -> Option<usize> {
        let verb = action.verb();
        let parity = match action {
            Action::Failover { parity } => Some(self.matching.parity(side, *parity)?),
            _ => None,
        };
        self.verdicts.iter().position(|v| v.verb == verb && v.parity == parity)
    }

    /// Lays the axes of both sides over each other, and gives for each side how its own regions are carried over.
    fn lay_axes(&mut self, spaces: &[Space; 2], sets: &[Vec<Vec<&ValueSet>>; 2]) -> [Carrier; 2] {
        let mut carriers = spaces.each_ref().map(|s| Carrier { axes: vec![Carried::default(); s.n_axes()] });
        for matched in &self.matching.facts {
            let own = SIDES.map(|side| spaces[side].axis_of(matched.facts[side]?));
            if own == [None, None] {
                continue;
            }
            let view = |side: usize| {
                let id = matched.facts[side]?;
                let axis = own[side].map(|a| spaces[side].axis(a));
                Some(View { fact: self.models[side].fact(id), axis, sets: &sets[side][id.0 as usize] })
            };
            let axis = SharedAxis::new(&matched.name, [view(0), view(1)]);
            for side in SIDES {
                if let Some(a) = own[side] {
                    let of_own = axis.of_own(side, spaces[side].sizes()[a as usize]);
                    carriers[side].axes[a as usize] = Carried { axis: self.axes.len() as u32, of_own };
                }
            }
            self.sizes.push(axis.n_segments());
            self.axes.push(axis);
            self.facts.push(matched.facts);
        }
        self.sizes.extend(self.verdicts.iter().map(|_| 2));
        carriers
    }

    /// One policy as a list of outcomes by region: this is all that the search knows of it.
    fn sheet(
        &mut self,
        side: usize,
        space: &Space,
        carrier: &Carrier,
        guards: &[Option<Vec<FactBox>>],
        layers: &mut Vec<Layer>,
    ) -> Result<(), TooComplex> {
        let model = self.models[side];
        let own = Layers::new(model, space)?;
        let mut places = Vec::new();
        for (derive, layer) in own.all().iter().enumerate() {
            let carried =
                |row: &LayerRow| LayerRow { clause: self.carried(&row.clause, carrier, &places), outcome: row.outcome };
            let rows = layer.rows.iter().map(carried).collect();
            let layer = Layer { rows, outcomes: layer.outcomes.clone(), hole: layer.hole };
            let name = derive_name(model, derive, &layer.outcomes);
            places.push(self.layer(side, layer, name, layers));
        }
        let mut guard_places = vec![None; self.verdicts.len()];
        for (verdict, boxes) in guards.iter().enumerate() {
            let Some(boxes) = boxes else { continue };
            let layer = self.guard(verdict, boxes, side, space, &own, carrier);
            guard_places[verdict] = Some(self.layer(side, layer, LayerName::Guard(verdict), layers));
        }
        let said = said(model, space, &own, |clause| self.carried(clause, carrier, &places))?;
        let mut meanings: HashMap<Meaning, u32> = self.meanings.iter().cloned().zip(0u32..).collect();
        for (clause, all) in said {
            let first = self.sheets[side].len();
            self.ways(side, &clause, &all, None, &guard_places, &mut meanings);
            let last = self.sheets[side].len().saturating_sub(1);
            self.sheets[side].iter_mut().skip(first).for_each(|e| e.last = last);
        }
        Ok(())
    }

    /// Every way in which the chains of some rows, answering together, may be left: each action narrowed to where it
    /// is not refused, those that are wanted more first. Of the base's answer and an overlay's the more cautious
    /// holds, of equal verbs the overlay's.
    fn ways(
        &mut self,
        side: usize,
        clause: &Clause,
        rest: &[Said],
        held: Option<(super::Place, &Action)>,
        guards: &[Option<u32>],
        meanings: &mut HashMap<Meaning, u32>,
    ) {
        let Some(((row, chain), rest)) = rest.split_first() else {
            let (row, meaning) = match held {
                Some((row, action)) => (row, Meaning::of(self.models[side], action)),
                None => (None, Meaning::Gap),
            };
            self.entry(side, clause.clone(), meaning, row, meanings);
            return;
        };
        let Some(chain) = chain else { return self.ways(side, clause, rest, held, guards, meanings) };
        for (i, action) in chain.actions.iter().enumerate() {
            let held = match held {
                Some(before) if before.1.verb() < action.verb() => before,
                _ => (*row, action),
            };
            let guard = self.verdict_of(side, action).and_then(|v| guards[v]);
            let (Some(guard), true) = (guard, i + 1 < chain.actions.len()) else {
                return self.ways(side, clause, rest, Some(held), guards, meanings);
            };
            let open = Clause { region: Region::all(), derived: vec![(guard, SegSet::one(NOT_REFUSED))] };
            if let Some(clause) = clause.and(&open) {
                self.ways(side, &clause, rest, Some(held), guards, meanings);
            }
        }
    }

    fn entry(
        &mut self,
        side: usize,
        clause: Clause,
        meaning: Meaning,
        row: Option<(TableId, usize)>,
        meanings: &mut HashMap<Meaning, u32>,
    ) {
        let all = &mut self.meanings;
        let outcome = *meanings.entry(meaning).or_insert_with_key(|meaning| {
            all.push(meaning.clone());
            all.len() as u32 - 1
        });
        let last = self.sheets[side].len();
        self.sheets[side].push(Entry { clause, outcome, row, last });
    }

    /// A clause of one side over the shared axes.
    fn carried(&self, clause: &Clause, carrier: &Carrier, places: &[u32]) -> Clause {
        let derived = clause.derived.iter().map(|(d, held)| (places[*d as usize], held.clone()));
        let mut derived: Vec<(u32, SegSet)> = derived.collect();
        derived.sort_unstable();
        Clause { region: carrier.region(&clause.region, &self.sizes), derived }
    }

    /// The layer of a guard: what the facts refuse, what the world refuses, and the rest.
    fn guard(
        &self,
        verdict: usize,
        boxes: &[FactBox],
        side: usize,
        space: &Space,
        own: &Layers,
        carrier: &Carrier,
    ) -> Layer {
        let refused = |clause| LayerRow { clause, outcome: REFUSED };
        let of_box = |facts: &FactBox| {
            let cond =
                |(fact, set): &(FactId, ValueSet)| Cond { fact: *fact, set: set.clone().into(), span: Span::default() };
            let conds: Vec<Cond> = facts.iter().map(cond).collect();
            own.clause(self.models[side], space, &conds).map(|c| self.carried(&c, carrier, &[]))
        };
        let mut rows: Vec<LayerRow> = boxes.iter().filter_map(of_box).map(refused).collect();
        let world = Region::all().with(self.verdict_axis(verdict), SegSet::one(REFUSED));
        rows.push(refused(Clause::of(world)));
        rows.push(LayerRow { clause: Clause::all(), outcome: NOT_REFUSED });
        Layer { rows, outcomes: vec![vec![Value::Choice(0)], vec![Value::Choice(1)]], hole: None }
    }

    /// The place of a layer: that of an equal one of the other side, where there is one.
    fn layer(&mut self, side: usize, layer: Layer, name: LayerName, layers: &mut Vec<Layer>) -> u32 {
        if side == 1
            && let Some(i) = (0..layers.len()).find(|i| self.names[*i] == name && layers[*i].rows == layer.rows)
        {
            self.common[i] = true;
            return i as u32;
        }
        layers.push(layer);
        self.names.push(name);
        self.common.push(false);
        layers.len() as u32 - 1
    }
}

fn derive_name(model: &Model, derive: usize, outcomes: &[Vec<Value>]) -> LayerName {
    let facts: Vec<_> = model.derives[derive].outputs.iter().map(|o| model.fact(o.fact)).collect();
    let shown = |values: &Vec<Value>| facts.iter().zip(values).map(|(f, v)| show_value(f, v)).collect();
    LayerName::Derive {
        outputs: facts.iter().map(|f| f.name.clone()).collect(),
        shown: outcomes.iter().map(shown).collect(),
    }
}

fn verdicts(matching: &Matching) -> Vec<Verdict> {
    let plain = [Verb::Reconcile, Verb::Retry, Verb::Hedge].map(|verb| Verdict { verb, parity: None });
    let parities = (0..matching.parities.len()).map(|p| Verdict { verb: Verb::Failover, parity: Some(p) });
    plain.into_iter().chain(parities).collect()
}

/// The refusing boxes of each verdict on a side; nothing where the side cannot speak of it.
fn guard_boxes(
    model: &Model,
    matching: &Matching,
    verdicts: &[Verdict],
    side: usize,
    least_ms: u64,
) -> Vec<Option<Vec<FactBox>>> {
    let key = |v: &Verdict| -> Option<Key> {
        match v.parity {
            None => Some((v.verb, None)),
            Some(p) => Some((v.verb, Some(matching.parities[p][side]?))),
        }
    };
    verdicts.iter().map(|v| Some(refusals(model, key(v)?, least_ms))).collect()
}

/// The sets that a side uses, by fact.
fn sets_by_fact<'m>(model: &'m Model, more: &'m [(FactId, ValueSet)]) -> Vec<Vec<&'m ValueSet>> {
    let mut sets: Vec<Vec<&ValueSet>> = vec![Vec::new(); model.facts.len()];
    let derives = model.derives.iter().map(|d| &d.table);
    let classifies = model.classifies.iter().map(|c| &c.table);
    let tables = model.tables.iter().chain(derives).chain(classifies);
    let conds = tables.flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
    let conds = conds.chain(model.rules.iter().flat_map(|r| &r.tests));
    let all = conds.map(|c| (c.fact, &*c.set)).chain(more.iter().map(|(f, s)| (*f, s)));
    for (fact, set) in all {
        if let Some(list) = sets.get_mut(fact.0 as usize) {
            list.push(set);
        }
    }
    sets
}

/// How one side's regions are carried over to the shared axes.
struct Carrier {
    axes: Vec<Carried>,
}

#[derive(Debug, Clone, Default)]
struct Carried {
    axis: u32,
    /// For each own segment, the shared ones in it.
    of_own: Vec<SegSet>,
}

impl Carrier {
    fn region(&self, region: &Region, sizes: &[u32]) -> Region {
        let mut out = Region::all();
        for (own, side) in region.sides() {
            let carried = &self.axes[*own as usize];
            let ranges = side.iter().flat_map(|s| carried.of_own[s as usize].ranges()).copied();
            let set = SegSet::from_ranges(ranges);
            if set.len() < sizes[carried.axis as usize] {
                out = out.with(carried.axis, set);
            }
        }
        out
    }
}
