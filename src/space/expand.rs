//! Derived facts in terms of the caller's: which regions give which outcome, and what `any unknown` takes.
//!
//! A [`Layers`] holds every derive as clauses in the order in which its rows are asked. [`Layers::expand`] turns a
//! clause into regions of caller's facts alone, through derives of derives, exactly: a point is in one of the regions
//! exactly when the clause holds there. `any unknown` needs this, because it asks what facts that are unknown *could*
//! have been: each region is widened by unknown on every axis. Widening a region is exact where it is a product, so
//! the expansion comes first.

use std::collections::HashMap;

use crate::model::{Cond, FactSource, Model, Outcome, Table, Value, eval::resolution_order};
use crate::syntax::tree::RowKind;

use super::{Clause, Region, SegSet, Space, absorb};

/// The most regions that one row may come to, beyond a few for each row of its table.
pub const MAX_REGIONS: usize = 20_000;

/// A row that derived facts make too complex to be looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("derived facts make this too complex: more than {MAX_REGIONS} cases")]
pub struct TooComplex;

/// Every derive of a model, over a space.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    layers: Vec<Layer>,
}

/// A derive: the first of its rows whose clause holds gives the outcome.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// The rows as they are asked; the last one always holds.
    pub rows: Vec<LayerRow>,
    /// The outcomes: a value for each output.
    pub outcomes: Vec<Vec<Value>>,
    /// The outcome, apart from all others, that stands for facts that no row takes; every output is unknown there.
    pub hole: Option<u32>,
}

/// A row of a derive, or one of the regions of its `any unknown`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRow {
    /// What must hold.
    pub clause: Clause,
    /// Which outcome it gives.
    pub outcome: u32,
}

impl Layers {
    /// All derives of a model.
    ///
    /// # Errors
    /// An `any unknown` row that is too complex.
    pub fn new(model: &Model, space: &Space) -> Result<Layers, TooComplex> {
        let mut layers = Layers::default();
        for derive in &model.derives {
            let mut layer = Layer::default();
            for (row, clause) in layers.rows(model, space, &derive.table)? {
                let Outcome::Values(values) = &derive.table.rows[row].outcome else { continue };
                let outcome = layer.outcome(values);
                layer.rows.push(LayerRow { clause, outcome });
                if layer.rows.last().is_some_and(|r| r.clause.is_all()) {
                    break;
                }
            }
            // What no row answers is a finding of its own; it counts as unknown.
            if !layer.rows.last().is_some_and(|r| r.clause.is_all()) {
                let outcome = layer.outcomes.len() as u32;
                layer.outcomes.push(vec![Value::Unknown; derive.outputs.len()]);
                layer.hole = Some(outcome);
                layer.rows.push(LayerRow { clause: Clause::all(), outcome });
            }
            layers.layers.push(layer);
        }
        Ok(layers)
    }

    /// Layers made elsewhere: each reads only those before it, and its last row always holds.
    pub fn of(layers: Vec<Layer>) -> Layers {
        Layers { layers }
    }

    /// All of them, in order.
    pub fn all(&self) -> &[Layer] {
        &self.layers
    }

    /// The layer of a derive.
    ///
    /// # Panics
    /// If there is no such derive.
    pub fn layer(&self, derive: u32) -> &Layer {
        &self.layers[derive as usize]
    }

    /// The rows of a table in the order in which they are asked, each with its place and what it takes: an
    /// `any unknown` row once for each of its regions, rows that can be seen to take nothing left out.
    ///
    /// # Errors
    /// An `any unknown` row that is too complex.
    pub fn rows(&self, model: &Model, space: &Space, table: &Table) -> Result<Vec<(usize, Clause)>, TooComplex> {
        let mut out = Vec::new();
        for i in resolution_order(table) {
            match table.rows[i].kind {
                RowKind::Plain => out.extend(self.clause(model, space, &table.rows[i].conds).map(|c| (i, c))),
                RowKind::AnyUnknown => {
                    let regions = self.any_unknown(model, space, table)?;
                    out.extend(regions.into_iter().map(|r| (i, Clause::of(r))));
                }
                RowKind::Otherwise => out.push((i, Clause::all())),
            }
        }
        Ok(out)
    }

    /// What some tests ask; nothing where they can be seen to exclude each other.
    pub fn clause(&self, model: &Model, space: &Space, conds: &[Cond]) -> Option<Clause> {
        conds.iter().try_fold(Clause::all(), |clause, cond| clause.and(&self.test(model, space, cond)?))
    }

    /// What one test asks; nothing where it admits nothing.
    pub fn test(&self, model: &Model, space: &Space, cond: &Cond) -> Option<Clause> {
        if let FactSource::Derived { derive, output } = model.fact(cond.fact).source {
            let outcomes = &self.layers.get(derive)?.outcomes;
            let fits = |i: &u32| outcomes[*i as usize].get(output).is_some_and(|v| cond.set.admits(v));
            let n = outcomes.len() as u32;
            let held = SegSet::from_ranges((0..n).filter(fits).map(|i| (i, i + 1)));
            return match held.len() {
                0 => None,
                all if all == n => Some(Clause::all()),
                _ => Some(Clause { region: Region::all(), derived: vec![(derive as u32, held)] }),
            };
        }
        match space.side(cond.fact, &cond.set) {
            None => Some(Clause::all()),
            Some((_, side)) if side.is_empty() => None,
            Some((axis, side)) => Some(Clause::of(Region::all().with(axis, side))),
        }
    }

    /// The outcome of every derive at a point.
    pub fn outcomes_at(&self, point: &[u32]) -> Vec<u32> {
        let mut outcomes = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let row = layer.rows.iter().find(|r| r.clause.holds(point, &outcomes));
            outcomes.push(row.map_or(0, |r| r.outcome));
        }
        outcomes
    }

    /// A clause as regions of caller's facts.
    ///
    /// # Errors
    /// More than [`MAX_REGIONS`] of them.
    #[cfg(test)]
    pub fn expand(&self, clause: &Clause, sizes: &[u32]) -> Result<Vec<Region>, TooComplex> {
        Expander { layers: self, sizes, given: HashMap::new() }.expand(clause)
    }

    /// The regions that the `any unknown` row of a table takes, were no row above it: each plain row with unknown
    /// admitted in every fact. Rows that gain nothing by it are left out.
    ///
    /// # Errors
    /// More than [`MAX_REGIONS`] of them, beyond those of plain rows without derived facts.
    pub fn any_unknown(&self, model: &Model, space: &Space, table: &Table) -> Result<Vec<Region>, TooComplex> {
        let mut expander = Expander { layers: self, sizes: space.sizes(), given: HashMap::new() };
        let (mut out, mut by_derives) = (Vec::new(), 0);
        for row in table.rows.iter().filter(|r| r.kind == RowKind::Plain) {
            let Some(clause) = self.clause(model, space, &row.conds) else { continue };
            let regions = expander.expand(&clause)?;
            if !clause.derived.is_empty() {
                by_derives += regions.len();
            }
            if by_derives > MAX_REGIONS {
                return Err(TooComplex);
            }
            let widened = regions.into_iter().map(|r| (r.clone().with_unknowns(space.sizes()), r));
            out.extend(widened.filter(|(wide, r)| wide != r || !clause.derived.is_empty()).map(|(wide, _)| wide));
        }
        Ok(absorb(out, space.sizes()))
    }
}

impl Layer {
    fn outcome(&mut self, values: &[Value]) -> u32 {
        let at = self.outcomes.iter().position(|o| o == values).unwrap_or_else(|| {
            self.outcomes.push(values.to_vec());
            self.outcomes.len() - 1
        });
        at as u32
    }
}

struct Expander<'a> {
    layers: &'a Layers,
    sizes: &'a [u32],
    /// The regions in which a derive gives one of some outcomes.
    given: HashMap<(u32, SegSet), Vec<Region>>,
}

impl Expander<'_> {
    fn expand(&mut self, clause: &Clause) -> Result<Vec<Region>, TooComplex> {
        let mut out = vec![clause.region.clone()];
        for (derive, outcomes) in &clause.derived {
            let given = self.regions(*derive, outcomes)?;
            let mut next = Vec::new();
            for region in &out {
                next.extend(given.iter().filter_map(|g| region.and(g)));
                if next.len() > MAX_REGIONS {
                    return Err(TooComplex);
                }
            }
            out = absorb(next, self.sizes);
        }
        Ok(out)
    }

    /// Where a derive gives one of some outcomes: for each row that does, its regions without those of the rows
    /// above it that do not.
    fn regions(&mut self, derive: u32, outcomes: &SegSet) -> Result<Vec<Region>, TooComplex> {
        let key = (derive, outcomes.clone());
        if let Some(known) = self.given.get(&key) {
            return Ok(known.clone());
        }
        let (mut out, mut others): (Vec<Region>, Vec<Region>) = (Vec::new(), Vec::new());
        for row in &self.layers.layer(derive).rows {
            let mut regions = self.expand(&row.clause)?;
            if !outcomes.contains(row.outcome) {
                others.extend(regions);
                continue;
            }
            for other in &others {
                regions = regions.iter().flat_map(|r| r.minus(other, self.sizes)).collect();
                if regions.len() > MAX_REGIONS {
                    return Err(TooComplex);
                }
            }
            out.extend(regions);
        }
        let out = absorb(out, self.sizes);
        self.given.insert(key, out.clone());
        Ok(out)
    }
}
