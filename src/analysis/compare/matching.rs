//! Which facts and parities of two policies are the same.
//!
//! A caller's fact is known by its name. A parity is known by its terms: the same terms under another name are the
//! same parity, and its verdict is the same fact; what is left is matched by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{FactId, FactSource, Model, Parity, ParityTerm};

/// Old and new.
pub(super) const SIDES: [usize; 2] = [0, 1];

/// A caller's fact of both policies, or of one.
#[derive(Debug, Clone)]
pub(super) struct Matched {
    /// Its name; where the two differ, the old one.
    pub(super) name: Box<str>,
    /// Where it stands on each side.
    pub(super) facts: [Option<FactId>; 2],
}

/// What two policies have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct Matching {
    /// The callers' facts: those of the old policy in its order, then those that only the new one has.
    pub(super) facts: Vec<Matched>,
    /// The parities, by place on each side.
    pub(super) parities: Vec<[Option<usize>; 2]>,
}

impl Matching {
    /// Matches two models.
    pub(super) fn of(models: [&Model; 2]) -> Matching {
        let parities = parities(models);
        let mut facts: Vec<Matched> = Vec::new();
        for (i, fact) in models[0].facts.values().enumerate().filter(|(_, f)| f.is_callers()) {
            let other = match fact.source {
                FactSource::Parity(p) => {
                    let pair = parities.iter().find(|pair| pair[0] == Some(p));
                    pair.and_then(|pair| parity_fact(models[1], pair[1]?))
                }
                _ => models[1].fact_id(&fact.name).filter(|f| is_plain(models[1], *f)),
            };
            facts.push(Matched { name: fact.name.clone(), facts: [Some(FactId(i as u32)), other] });
        }
        for (i, fact) in models[1].facts.values().enumerate().filter(|(_, f)| f.is_callers()) {
            let id = Some(FactId(i as u32));
            if !facts.iter().any(|m| m.facts[1] == id) {
                facts.push(Matched { name: fact.name.clone(), facts: [None, id] });
            }
        }
        Matching { facts, parities }
    }

    /// The place of a side's parity among the matched ones.
    pub(super) fn parity(&self, side: usize, parity: usize) -> Option<usize> {
        self.parities.iter().position(|pair| pair[side] == Some(parity))
    }
}

fn is_plain(model: &Model, fact: FactId) -> bool {
    model.fact(fact).source == FactSource::Caller
}

/// The fact that holds a parity's verdict.
pub(super) fn parity_fact(model: &Model, parity: usize) -> Option<FactId> {
    let place = model.facts.values().position(|f| f.source == FactSource::Parity(parity))?;
    Some(FactId(place as u32))
}

/// Whether two parities are taken for one.
type Fits<'f> = &'f dyn Fn(&Parity, &Parity) -> bool;

fn parities(models: [&Model; 2]) -> Vec<[Option<usize>; 2]> {
    let [old, new] = models.map(|m| &m.parities);
    let mut pairs: Vec<[Option<usize>; 2]> = (0..old.len()).map(|p| [Some(p), None]).collect();
    let mut free = vec![true; new.len()];
    let same_name = |a: &Parity, b: &Parity| a.name == b.name;
    let same_terms = |a: &Parity, b: &Parity| Terms::of(a) == Terms::of(b);
    let both = |a: &Parity, b: &Parity| same_name(a, b) && same_terms(a, b);
    let passes: [Fits; 3] = [&both, &same_terms, &same_name];
    for fits in passes {
        for pair in pairs.iter_mut().filter(|p| p[1].is_none()) {
            let Some(parity) = pair[0].and_then(|p| old.get(p)) else { continue };
            if let Some(found) = (0..new.len()).find(|i| free[*i] && fits(parity, &new[*i])) {
                free[found] = false;
                pair[1] = Some(found);
            }
        }
    }
    pairs.extend((0..new.len()).filter(|i| free[*i]).map(|i| [None, Some(i)]));
    pairs
}

/// What a parity says, whatever its name and the order of its terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(super) struct Terms {
    /// Fields that must be equal.
    pub(super) same: BTreeSet<Box<str>>,
    /// Fields that may not hold more.
    pub(super) no_broader: BTreeSet<Box<str>>,
    /// Fields with a least number.
    pub(super) at_least: BTreeMap<Box<str>, i128>,
    /// Fields with a greatest age.
    pub(super) fresh: BTreeMap<Box<str>, u64>,
}

impl Terms {
    /// The terms of a parity.
    pub(super) fn of(parity: &Parity) -> Terms {
        let mut terms = Terms::default();
        for term in &parity.terms {
            match term {
                ParityTerm::Same(fields) => terms.same.extend(fields.iter().cloned()),
                ParityTerm::NoBroader(fields) => terms.no_broader.extend(fields.iter().cloned()),
                ParityTerm::AtLeast(field, n) => {
                    let least = terms.at_least.entry(field.clone()).or_insert(*n);
                    *least = (*least).max(*n);
                }
                ParityTerm::Fresh(field, ms) => {
                    let age = terms.fresh.entry(field.clone()).or_insert(*ms);
                    *age = (*age).min(*ms);
                }
                // Says only that this was thought of.
                ParityTerm::MayDiffer(_) => {}
            }
        }
        terms
    }

    /// Whether it asks at least all that the other asks.
    pub(super) fn asks_all_of(&self, other: &Terms) -> bool {
        let holds = |field: &str| self.same.contains(field);
        other.same.iter().all(|f| holds(f))
            && other.no_broader.iter().all(|f| self.no_broader.contains(f) || holds(f))
            && other.at_least.iter().all(|(f, n)| self.at_least.get(f).is_some_and(|own| own >= n))
            && other.fresh.iter().all(|(f, ms)| self.fresh.get(f).is_some_and(|own| own <= ms))
    }

    /// The terms as they are written, one a line, in a fixed order.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.same.iter().map(|f| format!("same {f}")));
        lines.extend(self.no_broader.iter().map(|f| format!("no broader {f}")));
        lines.extend(self.at_least.iter().map(|(f, n)| format!("at least {f} {}", crate::words::show_decimal(*n))));
        lines.extend(self.fresh.iter().map(|(f, ms)| format!("fresh {f} within {}", crate::words::show_duration(*ms))));
        lines
    }
}
