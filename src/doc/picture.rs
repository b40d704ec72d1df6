//! Which action follows where, as a graph to be drawn: a card for each table, the rows of a table together that lead to the
//! same, and an edge for each table that is handed over to.

use std::collections::BTreeSet;

use crate::model::{Model, Outcome, Row, Table, TableId, show_action};
use crate::words::Verb;

/// So many groups of a card are drawn.
const GROUPS: usize = 30;

/// A graph of tables.
#[derive(Debug)]
pub(super) struct Picture {
    /// The cards, the first table first, each before those that it hands over to.
    pub(super) cards: Vec<Card>,
    /// The verbs that rows come to, most cautious first, each with the number of its rows.
    pub(super) verbs: Vec<(Verb, usize)>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) name: String,
    /// How several rows become one answer.
    pub(super) hit: &'static str,
    /// The card of the table that this one tightens.
    pub(super) tightens: Option<usize>,
    pub(super) groups: Vec<Group>,
    /// Rows whose groups are not drawn.
    pub(super) n_left: usize,
}

/// Rows that lead to the same.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) rows: Vec<String>,
    pub(super) to: To,
}

/// What rows lead to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum To {
    /// Actions: the wanted one, then what follows where one is refused.
    Acts(Vec<(Verb, String)>),
    /// Another card.
    Card(usize),
}

/// The graph of a model's tables.
pub(super) fn picture(model: &Model) -> Picture {
    let order = order(model);
    let place = |table: TableId| order.iter().position(|t| *t == table).unwrap_or(0);
    let tightened = |own: TableId| {
        let overlay = model.overlay.as_ref()?;
        overlay.tighten.iter().find(|(_, tightening)| *tightening == own).map(|(base, _)| place(*base))
    };
    let card = |id: &TableId| card(model, &model.tables[id.0], tightened(*id), &place);
    let cards = order.iter().map(card).collect();
    let count =
        |verb: Verb| (verb, model.tables.iter().flat_map(|t| &t.rows).filter(|row| wants(row) == Some(verb)).count());
    let verbs = Verb::ALL.into_iter().map(count).filter(|(_, n)| *n > 0).collect();
    Picture { cards, verbs }
}

/// The verb that a row wants; nothing where it hands over.
fn wants(row: &Row) -> Option<Verb> {
    if let Outcome::Act(chain) = &row.outcome { chain.actions.first().map(crate::model::Action::verb) } else { None }
}

fn card(model: &Model, table: &Table, tightens: Option<usize>, place: &dyn Fn(TableId) -> usize) -> Card {
    let mut groups: indexmap::IndexMap<String, Group> = indexmap::IndexMap::new();
    let mut n_left = 0;
    for (i, row) in table.rows.iter().enumerate() {
        let to = match &row.outcome {
            Outcome::Act(chain) => {
                let step = |action: &crate::model::Action| {
                    let (verb, shown) = (action.verb(), show_action(model, action));
                    (verb, shown.strip_prefix(verb.as_str()).unwrap_or_default().trim().to_string())
                };
                To::Acts(chain.actions.iter().map(step).collect())
            }
            Outcome::See(next) => To::Card(place(*next)),
            Outcome::Values(_) => continue,
        };
        let key = format!("{to:?}");
        if let Some(group) = groups.get_mut(&key) {
            group.rows.push(row.label(i));
        } else if groups.len() < GROUPS {
            groups.insert(key, Group { rows: vec![row.label(i)], to });
        } else {
            n_left += 1;
        }
    }
    let groups = groups.into_values().collect();
    Card { name: table.name.to_string(), hit: table.hit.as_str(), tightens, groups, n_left }
}

/// The tables, each before those that it hands over to and those that tighten it; where that leaves a choice, as near behind
/// the one that leads there as can be.
fn order(model: &Model) -> Vec<TableId> {
    let n = model.tables.len();
    let (mut begun, mut order) = (vec![false; n], Vec::with_capacity(n));
    // From the first table; others are led to by nothing, and stand behind.
    for start in 0..n {
        let mut last_first = Vec::new();
        let mut open = vec![(start, false)];
        while let Some((table, is_done)) = open.pop() {
            if is_done {
                last_first.push(TableId(table));
            } else if !std::mem::replace(&mut begun[table], true) {
                open.push((table, true));
                open.extend(behind(model, TableId(table)).into_iter().map(|next| (next, false)));
            }
        }
        order.extend(last_first.into_iter().rev());
    }
    order
}

/// The tables behind one: those that its rows hand over to, in order, then what tightens it.
fn behind(model: &Model, table: TableId) -> Vec<usize> {
    let rows = model.tables.get(table.0).map_or(&[][..], |t| &t.rows);
    let see = rows.iter().filter_map(|row| if let Outcome::See(next) = row.outcome { Some(next.0) } else { None });
    let overlay = model.overlay.iter().flat_map(|o| &o.tighten);
    let mut all: Vec<usize> = see.chain(overlay.filter(|(base, _)| *base == table).map(|(_, own)| own.0)).collect();
    let mut seen = BTreeSet::new();
    all.retain(|next| *next < model.tables.len() && seen.insert(*next));
    all
}
