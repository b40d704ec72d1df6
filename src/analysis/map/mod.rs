//! The whole behaviour of a policy as few lines: for each decision the regions in which it is taken.
//!
//! The lines come from the policy's diagram ([`Diagram`]), which knows what is decided at every point and not how the
//! rows say it: rows in another order, cut otherwise, in other tables, give the same lines as long as no decision
//! changes. `see` is gone, overlays are in; a derived fact that decisions hang on is a fact like others, and where it has
//! which value stands below.

mod axes;
mod cover;
mod terms;
#[cfg(test)]
mod tests;

use indexmap::IndexSet;

use crate::model::{Action, FactId, FactSource, Model, TableId, Value, show_action, show_value};
use crate::space::{Clause, Diagram, Flow, Layers, Region, Space, TooComplex};

use self::axes::{Axes, Derived, NEVER, joined, read};
use self::cover::Cover;
use super::scene::{Ground, Scene};
use super::whole::{RowAt, Whole, chain};

/// A policy's behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The policy's name.
    pub policy: String,
    /// What the decisions name, one line each: the budget, backoffs, locators, parities.
    pub terms: Vec<String>,
    /// Every decision with the regions in which it is taken: `retry after gentle; if refused, review desk`.
    pub decisions: Vec<Mapped>,
    /// Every value of the derived facts that decisions hang on, `risk is high`, with the regions in which they have it.
    pub derived: Vec<Mapped>,
    /// Whether it was worked out: within the steps, and without a derive that is too complex.
    pub is_whole: bool,
}

/// What holds, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// A decision with its ways for refusal, or a value of a derived fact.
    pub what: String,
    /// Regions of facts, each as tests: `condition is timeout and effect is read`. In each of them it holds; together
    /// they are all inputs for which it does; they may overlap.
    pub regions: Vec<String>,
    /// The same regions, each as its tests: the name of a fact, and a cell.
    pub(crate) tests: Vec<Vec<(String, String)>>,
}

/// The map of a model; it takes so many steps at most.
pub fn map(model: &Model, max_steps: u64) -> Map {
    let (policy, terms, mut steps) = (model.name.to_string(), terms::terms(model), max_steps);
    let found = mapped(model, &mut steps).ok().flatten();
    let is_whole = found.is_some();
    let (decisions, derived) = found.unwrap_or_default();
    Map { policy, terms, decisions, derived, is_whole }
}

/// Decisions, then derived facts.
type Found = (Vec<Mapped>, Vec<Mapped>);

fn mapped(model: &Model, steps: &mut u64) -> Result<Option<Found>, TooComplex> {
    if model.tables.is_empty() {
        return Ok(Some(Found::default()));
    }
    let space = Space::new(model);
    let layers = Layers::new(model, &space)?;
    let ground = Ground { model, space, layers };
    let axes = Axes::new(&ground, model.tables.iter());
    let Some(regions) = decided(&ground, &axes, steps)? else { return Ok(None) };
    let show = |what: String, regions: &[Region], axes: &Axes| {
        let tests: Vec<Vec<(String, String)>> = regions.iter().map(|region| axes.tests(region)).collect();
        Mapped { what, regions: tests.iter().map(|tests| joined(tests)).collect(), tests }
    };
    let decisions = regions.into_iter().map(|(answer, regions)| show(answer.text, &regions, &axes)).collect();
    let mut derived = Vec::new();
    for fact in read_in_all(&ground) {
        let Some(own) = Derived::of(&ground, fact) else { continue };
        let axes = Axes::new(&ground, [&model.derives[own.derive as usize].table].into_iter());
        let rows = &ground.layers.layer(own.derive).rows;
        let list = rows.iter().map(|row| (&row.clause, own.of_outcome[row.outcome as usize])).collect();
        let Some(found) = regions_of(&ground, &axes, list, own.values.len(), steps) else { return Ok(None) };
        let name = |v: &Value| format!("{} is {}", model.fact(fact).name, show_value(model.fact(fact), v));
        let told = own.values.iter().zip(&found).filter(|(_, regions)| !regions.is_empty());
        derived.extend(told.map(|(value, regions)| show(name(value), regions, &axes)));
    }
    Ok(Some((decisions, derived)))
}

/// The derived facts that tables read, and those that these are made of, by name.
fn read_in_all(ground: &Ground) -> Vec<FactId> {
    let model = ground.model;
    let mut all = read(ground, model.tables.iter());
    let mut open: Vec<FactId> = all.iter().copied().collect();
    while let Some(fact) = open.pop() {
        let FactSource::Derived { derive, .. } = model.fact(fact).source else { continue };
        open.extend(read(ground, [&model.derives[derive].table].into_iter()).into_iter().filter(|f| all.insert(*f)));
    }
    let mut all: Vec<FactId> = all.into_iter().collect();
    all.sort_by_key(|f| &model.fact(*f).name);
    all
}

/// Answers with their regions.
type Decided = Vec<(Answer, Vec<Region>)>;

/// Every answer that is given somewhere, in order, and where.
fn decided(ground: &Ground, axes: &Axes, steps: &mut u64) -> Result<Option<Decided>, TooComplex> {
    let flow = Flow::of(ground.model, &ground.space, &ground.layers, TableId(0))?;
    let scene = Scene::new(ground, flow, None);
    let whole = Whole::of(&scene)?;
    let mut answers: IndexSet<Answer> = IndexSet::new();
    let mut place = |rows: &[RowAt]| answers.insert_full(Answer::of(&scene, rows)).0 as u32;
    let list = whole.entries.iter().map(|entry| (&entry.clause, place(&entry.rows))).collect();
    let Some(found) = regions_of(ground, axes, list, answers.len(), steps) else { return Ok(None) };
    let mut all: Decided = answers.into_iter().zip(found).filter(|(_, r)| !r.is_empty()).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Some(all))
}

/// The regions of each answer of a list.
fn regions_of(
    ground: &Ground,
    axes: &Axes,
    list: Vec<(&Clause, u32)>,
    n_answers: usize,
    steps: &mut u64,
) -> Option<Vec<Vec<Region>>> {
    let impossible = axes.impossible();
    let list: Vec<(&Clause, u32)> = impossible.iter().map(|clause| (clause, NEVER)).chain(list).collect();
    let diagram = Diagram::of(&axes.sizes, &ground.layers, &list, &axes.order, steps)?;
    Cover::new(&diagram, axes).regions(n_answers, steps)
}

/// What is decided somewhere, from the least cautious verb to the most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Answer {
    caution: std::cmp::Reverse<u8>,
    text: String,
}

impl Answer {
    fn of(scene: &Scene, rows: &[RowAt]) -> Answer {
        let chains: Vec<&[Action]> = rows.iter().filter_map(|r| chain(scene, *r)).map(|c| &*c.actions).collect();
        let show = |actions: &&[Action]| {
            let each = actions.iter().map(|a| show_action(scene.model(), a));
            each.collect::<Vec<_>>().join("; if refused, ")
        };
        let mut texts: Vec<String> = chains.iter().map(show).collect();
        texts.dedup();
        let verb = chains.iter().filter_map(|c| c.first()).map(Action::verb).min();
        let caution = std::cmp::Reverse(verb.map_or(0, |v| v as u8));
        let text = match texts.as_slice() {
            [] => "no row answers".to_string(),
            [one] => one.clone(),
            _ => format!("the more cautious of: {}", texts.join(" | ")),
        };
        Answer { caution, text }
    }
}
