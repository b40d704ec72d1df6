//! Tables, derives, classifies: grids read as rows of tests with an outcome.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::model::{
    Chain, Classify, Column, Cond, Derive, FactId, FactSource, MAX_PATH, Outcome, Output, Overlay, Row, Table, TableId,
    Type, Value,
};
use crate::syntax;
use crate::syntax::tree::{
    self, ActionExpr, ActionKind, Cell, CellKind, ColumnKind, Grid, Hit, HitExpr, Item, ItemKind, RowKind, Test, Word,
};
use crate::text::Span;

use super::{Lowering, NameKind, Role, findings};

/// What stands after `=>`.
enum Target<'t> {
    /// Actions.
    Actions(Acts<'t>),
    /// Values of facts.
    Values(&'t [FactId]),
}

/// The actions of one table.
struct Acts<'t> {
    /// The table's way for refusal.
    way: Option<&'t Chain>,
    /// Sound ones that were read already, by the place of their expression in memory; a place counts from the start of
    /// its cell. Cells of equal text share one expression, and all its rows share the actions.
    known: HashMap<*const ActionExpr, Chain, FxBuildHasher>,
}

impl<'t> Target<'t> {
    fn actions(way: Option<&'t Chain>) -> Self {
        Target::Actions(Acts { way, known: HashMap::default() })
    }
}

impl Lowering<'_> {
    /// Every table of every file, in order: the entry is the first of the compiled file (or of its base).
    pub(super) fn tables(&mut self) {
        let items: Vec<_> = self.items().collect();
        // Ids first, so that a `see` may look ahead; the entry's file comes first.
        let mut order: Vec<&Item> = items
            .iter()
            .filter(|(_, item)| matches!(&item.kind, ItemKind::Table { name, .. } if self.declares(name)))
            .map(|(_, item)| *item)
            .collect();
        let entry_role = if items.iter().any(|(role, _)| *role == Role::Base) { Role::Base } else { Role::Main };
        let in_entry_file = |item: &Item| items.iter().any(|(role, i)| std::ptr::eq(*i, item) && *role == entry_role);
        order.sort_by_key(|item| !in_entry_file(item));
        self.model.tables = order.iter().filter_map(|item| empty_table(item)).collect();
        for (i, item) in order.iter().enumerate() {
            if let ItemKind::Table { promise, hit, refused, table, .. } = &item.kind {
                let way = refused.as_ref().and_then(|r| self.table_way(r));
                let promise = self.tests(promise);
                if matches!(hit.hit, Hit::Highest | Hit::Lowest) {
                    self.report(findings::hit_of_table(*hit));
                }
                let (rows, damaged) = self.rows(table, &mut Target::actions(way.as_ref()), hit.hit);
                let columns = self.columns(table);
                let slot = &mut self.model.tables[i];
                (slot.promise, slot.columns, slot.rows, slot.damaged) = (promise, columns, rows, damaged);
            }
        }
        self.derives(&items);
        self.overlay(&items);
        self.must_decide();
    }

    fn must_decide(&self) {
        let has_table =
            self.main_items().any(|i| matches!(i.kind, ItemKind::Table { .. } | ItemKind::Restricts { .. }));
        let lost = self.units.iter().any(|unit| unit.role == Role::Main && unit.tree.lost_table);
        if self.is_policy()
            && !has_table
            && !lost
            && let Some(policy) = self.main_items().find(|i| matches!(i.kind, ItemKind::Policy(_)))
        {
            self.report(findings::nothing_to_decide(policy.span));
        }
    }

    fn tests(&self, tests: &[Test]) -> Vec<Cond> {
        tests.iter().filter_map(|test| self.test(test)).collect()
    }

    fn derives(&mut self, items: &[(Role, &Item)]) {
        for (_, item) in items {
            match &item.kind {
                ItemKind::Derive { outputs, hit, table } => {
                    let names: Vec<&Word> = outputs.iter().map(|(name, _)| name).collect();
                    let outputs = self.outputs(&names, table, true);
                    self.check_hit_of_derive(*hit, &outputs);
                    let name = names.first().map_or("", |w| &w.text);
                    let table = self.value_table(item, name, &outputs, *hit, table);
                    self.model.derives.push(Derive { outputs, table });
                }
                ItemKind::Classify { name, outputs, hit, table } => {
                    let names: Vec<&Word> = outputs.iter().collect();
                    let outputs = self.outputs(&names, table, false);
                    self.check_hit_of_derive(*hit, &outputs);
                    let table = self.value_table(item, &name.text, &outputs, *hit, table);
                    self.model.classifies.push(Classify { outputs, table });
                }
                _ => {}
            }
        }
    }

    /// The facts of a head's outputs, held against the columns after `=>`.
    fn outputs(&self, names: &[&Word], grid: &Grid, derived: bool) -> Vec<Output> {
        let mut outputs = Vec::new();
        for word in names {
            let Some(fact) = self.fact_of(word) else { continue };
            if !derived && !self.model.fact(fact).is_callers() {
                self.report(findings::classify_derived(word, self.model.fact(fact).span));
            }
            outputs.push(Output { fact, span: word.span });
        }
        let columns: Vec<&Word> =
            grid.columns.iter().filter(|c| c.kind == ColumnKind::Output).map(|c| &c.name).collect();
        let same = columns.len() == names.len() && columns.iter().zip(names).all(|(a, b)| a.text == b.text);
        if !same && !grid.columns.is_empty() {
            let want = names.iter().map(|w| &*w.text).collect::<Vec<_>>();
            self.report(findings::outputs_differ(grid.header, &want, names.first().map(|w| w.span)));
        }
        outputs
    }

    fn check_hit_of_derive(&self, hit: HitExpr, outputs: &[Output]) {
        match hit.hit {
            Hit::MostCautious => self.report(findings::cautious_derive(hit)),
            Hit::Highest | Hit::Lowest => {
                let ordered = matches!(outputs, [only] if is_ordered(&self.model.fact(only.fact).ty));
                if !ordered {
                    self.report(findings::highest_of_unordered(hit));
                }
            }
            _ => {}
        }
    }

    fn value_table(&mut self, item: &Item, name: &str, outputs: &[Output], hit: HitExpr, grid: &Grid) -> Table {
        let facts: Vec<FactId> = outputs.iter().map(|o| o.fact).collect();
        let (rows, damaged) = self.rows(grid, &mut Target::Values(&facts), hit.hit);
        let span = outputs.first().map_or(item.span, |o| o.span);
        let columns = self.columns(grid);
        Table { name: name.into(), hit: hit.hit, hit_span: hit.span, promise: Vec::new(), columns, rows, damaged, span }
    }

    /// `restricts` and `tighten`, of the compiled file and of a base that is an overlay itself.
    fn overlay(&mut self, items: &[(Role, &Item)]) {
        let layers: Vec<_> = items.iter().filter(|(role, _)| matches!(role, Role::Main | Role::Base)).collect();
        if !layers.iter().any(|(_, item)| matches!(item.kind, ItemKind::Restricts { .. })) {
            let first = self.main_items().find(|i| matches!(i.kind, ItemKind::Tighten { .. }));
            return first.map_or((), |item| self.report(findings::tighten_without_base(item.span)));
        }
        let mut tighten = Vec::new();
        for (_, item) in &layers {
            let ItemKind::Tighten { name, hit, refused, table } = &item.kind else { continue };
            if !self.resolve(NameKind::Table, name) {
                continue;
            }
            let Some(base) = self.model.table_id(&name.text) else { continue };
            let of_base = |(role, i): &(Role, &Item)| {
                *role == Role::Base && matches!(&i.kind, ItemKind::Table { name: n, .. } if n.text == name.text)
            };
            if !items.iter().any(of_base) {
                self.report(findings::tighten_own(name, self.model.tables[base.0].span));
                continue;
            }
            if matches!(hit.hit, Hit::Highest | Hit::Lowest) {
                self.report(findings::hit_of_table(*hit));
            }
            let way = refused.as_ref().and_then(|r| self.table_way(r));
            let (rows, damaged) = self.rows(table, &mut Target::actions(way.as_ref()), hit.hit);
            let name_of = format!("tighten {}", name.text).into();
            tighten.push((base, TableId(self.model.tables.len())));
            let columns = self.columns(table);
            let (promise, span) = (Vec::new(), name.span);
            let lowered =
                Table { name: name_of, hit: hit.hit, hit_span: hit.span, promise, columns, rows, damaged, span };
            self.model.tables.push(lowered);
        }
        self.model.overlay = Some(Overlay { tighten });
    }

    /// The columns of a grid, as far as they are known.
    fn columns(&self, grid: &Grid) -> Vec<Column> {
        let column = |c: &tree::Column| match c.kind {
            ColumnKind::Name => Some(Column::Name),
            ColumnKind::Fact => self.model.fact_id(&c.name.text).map(Column::Fact),
            ColumnKind::Also => Some(Column::Also),
            ColumnKind::Output => Some(Column::Output),
        };
        grid.columns.iter().filter_map(column).collect()
    }

    fn rows(&mut self, grid: &Grid, target: &mut Target<'_>, hit: Hit) -> (Vec<Row>, bool) {
        let columns: Vec<Option<FactId>> = grid
            .columns
            .iter()
            .map(|c| if c.kind == ColumnKind::Fact { self.fact_of(&c.name) } else { None })
            .collect();
        let mut damaged = grid.damaged;
        let mut rows = Vec::with_capacity(grid.rows.len());
        for row in &grid.rows {
            match self.row(grid, &columns, row, target, hit) {
                Some(row) => rows.push(row),
                None => damaged = true,
            }
        }
        give_reasons(&mut rows, grid);
        if grid.rows.is_empty() && !grid.damaged && !grid.columns.is_empty() {
            self.report(findings::no_rows(grid.header));
        }
        (rows, damaged)
    }

    fn row(
        &mut self,
        grid: &Grid,
        columns: &[Option<FactId>],
        row: &tree::Row,
        target: &mut Target<'_>,
        hit: Hit,
    ) -> Option<Row> {
        let mut ok = !row.damaged;
        let mut conds = Vec::with_capacity(row.cells.iter().filter(|c| matches!(c.kind, CellKind::Test(_))).count());
        let mut also = Vec::new();
        let mut outputs: SmallVec<[&Cell; 2]> = SmallVec::new();
        for ((column, cell), fact) in grid.columns.iter().zip(&row.cells).zip(columns) {
            match (&cell.kind, column.kind) {
                (_, ColumnKind::Output) => outputs.push(cell),
                (CellKind::Test(expr), ColumnKind::Fact) => match fact.map(|f| (f, self.cell(f, expr, cell.span))) {
                    Some((fact, Some(set))) => conds.push(Cond { fact, set, span: cell.span }),
                    _ => ok = false,
                },
                // The column's own finding stands at its header.
                (CellKind::Any | CellKind::Blank, ColumnKind::Fact) if fact.is_none() && row.kind == RowKind::Plain => {
                    ok = false;
                }
                (CellKind::Also(tests), _) => {
                    let lowered = self.tests(tests);
                    ok &= lowered.len() == tests.len();
                    also.extend(lowered);
                }
                (CellKind::Bad, _) => ok = false,
                _ => {}
            }
        }
        conds.extend(also);
        let outcome = match target {
            Target::Actions(acts) => self.act(outputs.first().copied(), acts, hit),
            Target::Values(facts) => self.values_of(facts, &outputs),
        };
        let outcome = outcome.filter(|_| ok)?;
        let name = row.name.as_ref().map(|w| Box::from(&*w.text));
        Some(Row { name, kind: row.kind, conds, outcome, reason: None, span: row.span })
    }

    fn act(&mut self, cell: Option<&Cell>, acts: &mut Acts<'_>, hit: Hit) -> Option<Outcome> {
        let cell = cell?;
        let CellKind::Action(shared) = &cell.kind else { return None };
        let place = Rc::as_ptr(shared);
        if let Some(known) = acts.known.get(&place) {
            let span = cell.span.sub(known.span.start as usize, known.span.end as usize);
            return Some(Outcome::Act(Arc::new(Chain { span, ..known.clone() })));
        }
        let expr = syntax::action_of(cell)?;
        if let ActionKind::See(name) = &expr.verb {
            if let Some(refused) = &expr.refused {
                self.report(findings::refused_see(refused.span));
                return None;
            }
            if hit == Hit::MostCautious {
                self.report(findings::cautious_see(expr.span));
                return None;
            }
            if !self.resolve(NameKind::Table, name) {
                return None;
            }
            return self.model.table_id(&name.text).map(Outcome::See);
        }
        let chain = self.chain(&expr, acts.way)?;
        let from = |at: u32| at.saturating_sub(cell.span.start);
        let span = Span { start: from(chain.span.start), end: from(chain.span.end), ..chain.span };
        acts.known.insert(place, Chain { span, ..chain.clone() });
        Some(Outcome::Act(Arc::new(chain)))
    }

    fn values_of(&self, facts: &[FactId], cells: &[&Cell]) -> Option<Outcome> {
        if facts.len() != cells.len() {
            return None;
        }
        let values: Vec<Option<Value>> = facts
            .iter()
            .zip(cells)
            .map(|(fact, cell)| match &cell.kind {
                CellKind::Word(word) if &*word.text == "unknown" && !word.quoted => Some(Value::Unknown),
                CellKind::Word(word) => self.value(self.model.fact(*fact), &word.text, word.quoted, word.span),
                _ => None,
            })
            .collect();
        values.into_iter().collect::<Option<Vec<Value>>>().map(Outcome::Values)
    }

    /// The most tables that one decision passes.
    pub(super) fn check_depth(&self, depth: usize, table: TableId) {
        if depth > MAX_PATH {
            let span = self.model.tables[table.0].span;
            self.report(findings::too_many("tables in one way of `see`", depth, MAX_PATH, span));
        }
    }
}

/// Gives each reason to the first row of its name.
fn give_reasons(rows: &mut [Row], grid: &Grid) {
    let mut places: HashMap<String, usize> = HashMap::new();
    if !grid.reasons.is_empty() {
        for (i, row) in rows.iter().enumerate() {
            places.entry(row.label(i)).or_insert(i);
        }
    }
    for reason in &grid.reasons {
        if let Some(i) = places.get(&*reason.row.text) {
            rows[*i].reason = Some((*reason.text.text).into());
        }
    }
}

fn empty_table(item: &Item) -> Option<Table> {
    let ItemKind::Table { name, hit, .. } = &item.kind else { return None };
    let (name, span) = (Box::from(&*name.text), name.span);
    let (promise, columns, rows) = (Vec::new(), Vec::new(), Vec::new());
    Some(Table { name, hit: hit.hit, hit_span: hit.span, promise, columns, rows, damaged: false, span })
}

fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::Choice { ordered: true, .. } | Type::Number(_))
}

/// The derive that a fact comes from.
pub(super) fn derive_of(lowering: &Lowering<'_>, fact: FactId) -> Option<usize> {
    match lowering.model.fact(fact).source {
        FactSource::Derived { derive, .. } => Some(derive),
        _ => None,
    }
}
