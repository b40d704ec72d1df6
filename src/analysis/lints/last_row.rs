//! What the last row takes: an `otherwise` that decides where a fact is unknown as if it were known, and a fixed row
//! that acts on what nobody thought of.

use crate::diag::{Diagnostic, N0328, N0334};
use crate::model::{Cond, FactId, Outcome, Row, Table, TableId, ValueSet};
use crate::space::{Clause, Question, Reach};
use crate::syntax::tree::RowKind;
use crate::words::Verb;

use super::super::scene::{Point, Scene, spend};
use super::super::tell::{Shown, row_name, show, tested};

/// Finds both in every table of a policy.
pub(in super::super) fn last_rows(scene: &Scene, steps: &mut u64, findings: &mut Vec<Diagnostic>) {
    for id in scene.tables().into_iter().filter(|id| Scene::is_own(scene.table(*id).span)) {
        let table = scene.table(id);
        for (i, row) in table.rows.iter().enumerate().filter(|(_, r)| r.kind != RowKind::Plain) {
            let verb = first_verb(row);
            if let Some(verb) = verb.filter(|v| v.acts()) {
                findings.push(acts(scene, (id, i), verb));
            }
            // A person, or a look at what is so, is an answer to not knowing.
            let asks = verb.is_none_or(|v| matches!(v, Verb::Review | Verb::Reconcile));
            if row.kind == RowKind::Otherwise && !asks && !scene.asks_what_could_be(id) {
                findings.extend(swallows(scene, (id, i), table, steps));
            }
        }
    }
}

fn first_verb(row: &Row) -> Option<Verb> {
    if let Outcome::Act(chain) = &row.outcome { chain.actions.first().map(crate::model::Action::verb) } else { None }
}

fn acts(scene: &Scene, at: (TableId, usize), verb: Verb) -> Diagnostic {
    let message = format!("`{}` answers with `{verb}` whatever no row above has named", row_name(scene, at));
    let help =
        "name in rows of their own where it may act, and let the last row do something cautious, such as `review`";
    Diagnostic::new(N0334, message).at(scene.row(at).span, "").help(help)
}

/// The facts of which some known value comes to a plain row, and unknown to `otherwise`.
fn swallows(scene: &Scene, at: (TableId, usize), table: &Table, steps: &mut u64) -> Option<Diagnostic> {
    let mut names = Vec::new();
    let mut first: Option<Shown> = None;
    for fact in tested(table).into_iter().filter(|f| scene.model().fact(*f).is_callers()) {
        let thought_of = table.rows.iter().flat_map(|r| &r.conds).any(|c| c.fact == fact && c.set.unknown);
        if thought_of {
            continue;
        }
        let rows = table.rows.iter().filter(|r| r.kind == RowKind::Plain && r.conds.iter().any(|c| c.fact == fact));
        if let Some(shown) = rows.into_iter().find_map(|row| taken(scene, at, row, fact, steps)) {
            names.push(format!("`{}`", scene.model().fact(fact).name));
            first.get_or_insert(shown);
        }
    }
    let shown = first?;
    let (verb, name) = (first_verb(scene.row(at))?, row_name(scene, at));
    let which = names.join(" or ");
    let message = format!("where {which} is unknown, `{name}` says `{verb}`, as if it were known");
    let help = "write `any unknown` above it, with a `review`; or `unknown` in the cells that may take it: unknown is never \"no\"";
    Some(Diagnostic::new(N0328, message).at(scene.row(at).span, "").help(help).witness(shown.witness(scene)))
}

/// A point at which a fact is unknown and `otherwise` answers, and with some known value this row would match.
fn taken(scene: &Scene, at: (TableId, usize), row: &Row, fact: FactId, steps: &mut u64) -> Option<Shown> {
    let set = ValueSet::only_unknown(scene.model().fact(fact)).into();
    let unknown = Cond { fact, set, span: row.span };
    let conds: Vec<Cond> = row.conds.iter().filter(|c| c.fact != fact).cloned().chain([unknown]).collect();
    let clause = scene.clause(&conds)?;
    let entries = &scene.flow.entries;
    spend(steps, 1 + entries.len() as u64 / 256)?;
    let ends_there = |i: usize| entries[i].path.last() == Some(&at);
    let near = (0..entries.len()).filter(|i| entries[*i].clause.may_meet(&clause));
    let list: Vec<(Clause, Option<u32>)> =
        near.filter_map(|i| Some((entries[i].clause.and(&clause)?, ends_there(i).then_some(0)))).collect();
    let list = list.iter().map(|(c, g)| (c, *g)).collect();
    let question = Question { within: clause.region.clone(), list, n_groups: 1, disjoint: false };
    let Some(Reach::At(region)) = scene.ask(&question, steps).groups.pop() else { return None };
    Some(show(scene, &region, |point: &Point| point.is_in(&clause) && scene.at(point).is_some_and(ends_there)))
}
