//! What the rows of one policy say, way by way through its tables, an overlay's beside the base's.

use crate::model::{Chain, Model, Outcome, TableId};
use crate::space::{Clause, Ending, Entry, Flow, Layers, Space, TooComplex};

/// The most entries that overlays may come to for one way through the base.
const MAX_ENTRIES: usize = 100_000;

/// What a row says: the row, and its action with its ways for refusal; neither where none answers.
pub(super) type Said<'m> = (super::Place, Option<&'m Chain>);

/// A way through the tables and what is said at its end.
struct Answered<'m> {
    clause: Clause,
    row: super::Place,
    chain: Option<&'m Chain>,
    /// The tables on the way.
    tables: Vec<TableId>,
}

impl<'m> Answered<'m> {
    fn new(model: &'m Model, clause: Clause, entry: &Entry) -> Self {
        let last = entry.path.last().copied();
        let chain = match (entry.end, last.map(|(t, r)| &model.tables[t.0].rows[r].outcome)) {
            (Ending::Row, Some(Outcome::Act(chain))) => Some(&**chain),
            _ => None,
        };
        let tables = entry.path.iter().map(|(table, _)| *table).collect();
        Answered { clause, row: last.filter(|_| chain.is_some()), chain, tables }
    }

    /// This answer beside others, where they can meet.
    fn beside(&self, clause: &Clause, others: &[Said<'m>]) -> Option<(Clause, Vec<Said<'m>>)> {
        let all = others.iter().copied().chain([(self.row, self.chain)]);
        Some((clause.and(&self.clause)?, all.collect()))
    }
}

/// Every way through a policy with all that is said there: the base's row, then those that an overlay adds. The first
/// whose clause holds is the answer; clauses are carried over by `carried`.
pub(super) fn said<'m>(
    model: &'m Model,
    space: &Space,
    layers: &Layers,
    carried: impl Fn(&Clause) -> Clause,
) -> Result<Vec<(Clause, Vec<Said<'m>>)>, TooComplex> {
    let answered = |table: TableId| -> Result<Vec<Answered<'m>>, TooComplex> {
        let flow = Flow::of(model, space, layers, table)?;
        // A derive without a value gives unknown, and the rows are asked all the same.
        let asked = flow.entries.into_iter().filter(|e| !matches!(e.end, Ending::Underived(_)));
        Ok(asked.map(|entry| Answered::new(model, carried(&entry.clause), &entry)).collect())
    };
    let base = answered(TableId(0))?;
    let mut overlays = Vec::new();
    for (table, own) in model.overlay.iter().flat_map(|o| &o.tighten) {
        overlays.push((*table, answered(*own)?));
    }
    let mut out = Vec::with_capacity(base.len());
    for answer in &base {
        let mut here = vec![(answer.clause.clone(), vec![(answer.row, answer.chain)])];
        for (_, own) in overlays.iter().filter(|(t, _)| answer.chain.is_some() && answer.tables.contains(t)) {
            here = here.iter().flat_map(|(clause, all)| own.iter().filter_map(|o| o.beside(clause, all))).collect();
            if here.len() > MAX_ENTRIES {
                return Err(TooComplex);
            }
        }
        out.extend(here);
    }
    Ok(out)
}
