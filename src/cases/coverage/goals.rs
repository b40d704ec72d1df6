//! What cases can be expected to show of a policy: its rows, its cells, its guards.
//!
//! A cell that lists values is shown value by value, each by a case that its row takes. A cell with bounds is shown at each
//! bound from both sides: by a case at the bound that the row takes, and by one just past it that this cell alone turns
//! away. A list that is written as what it leaves out is shown by what it leaves out.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    Action, Cond, Fact, FactId, Model, NumberType, Outcome, Row, Table, TableId, TextSet, Type, Value, ValueSet, Values,
};
use crate::text::Span;
use crate::words::Verb;

use crate::cases::compare::WORLD;

/// A row of a table, or of a derive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::cases) enum Spot {
    Table(TableId, usize),
    Derive(usize, usize),
}

impl Spot {
    pub(in crate::cases) fn table(self, model: &Model) -> Option<&Table> {
        match self {
            Spot::Table(table, _) => model.tables.get(table.0),
            Spot::Derive(derive, _) => model.derives.get(derive).map(|d| &d.table),
        }
    }

    pub(in crate::cases) fn place(self) -> usize {
        let (Spot::Table(_, row) | Spot::Derive(_, row)) = self;
        row
    }

    pub(in crate::cases) fn row(self, model: &Model) -> Option<&Row> {
        self.table(model)?.rows.get(self.place())
    }

    /// `table/row`
    pub(in crate::cases) fn name(self, model: &Model) -> String {
        let table = self.table(model);
        let label = self.row(model).map_or_else(String::new, |row| row.label(self.place()));
        table.map_or_else(String::new, |t| format!("{}/{label}", t.name))
    }
}

/// Something that a case can show.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Goal {
    pub(super) spot: Spot,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// The row is taken.
    Taken,
    /// It is taken while the fact of this test has one of these values.
    Takes { cond: usize, set: ValueSet },
    /// It is asked, all its tests hold but this one, and the fact has one of these values.
    TurnsAway { cond: usize, set: ValueSet },
    /// It answers, and this of its actions is left, by place in its chain.
    Left(usize),
    /// Wherever: this verb is refused by this fact, or by the world.
    Refused(Verb, String),
}

/// Every row of the policy's own file: tables, then derives.
pub(in crate::cases) fn own_rows(model: &Model) -> Vec<Spot> {
    let spots = |n_rows: usize, spot: &dyn Fn(usize) -> Spot| (0..n_rows).map(spot).collect::<Vec<_>>();
    let tables = model.tables.iter().enumerate();
    let tables = tables.flat_map(|(t, table)| spots(table.rows.len(), &|row| Spot::Table(TableId(t), row)));
    let derives = model.derives.iter().enumerate();
    let derives = derives.flat_map(|(d, derive)| spots(derive.table.rows.len(), &|row| Spot::Derive(d, row)));
    let is_own = |spot: &Spot| spot.row(model).is_some_and(|row| row.span.file == Span::default().file);
    tables.chain(derives).filter(is_own).collect()
}

/// What can be shown of some rows.
pub(super) fn goals(model: &Model, rows: &[Spot]) -> Vec<Goal> {
    let mut goals = Vec::new();
    let cuts = Cuts::new(model);
    for spot in rows {
        let Some(row) = spot.row(model) else { continue };
        let mut add = |what: What| goals.push(Goal { spot: *spot, what });
        add(What::Taken);
        for (i, cond) in row.conds.iter().enumerate() {
            let (takes, turns_away) = cuts.of(cond);
            for set in takes {
                add(What::Takes { cond: i, set });
            }
            for set in turns_away {
                add(What::TurnsAway { cond: i, set });
            }
        }
        if let Outcome::Act(chain) = &row.outcome
            && chain.actions.len() > 1
        {
            (0..chain.actions.len()).for_each(|left| add(What::Left(left)));
        }
    }
    let mut known = BTreeSet::new();
    for spot in rows {
        let Some(Outcome::Act(chain)) = spot.row(model).map(|row| &row.outcome) else { continue };
        for action in chain.actions.iter() {
            let by = refusers(model, action).into_iter().filter(|by| known.insert((action.verb(), by.clone())));
            goals.extend(by.map(|by| Goal { spot: *spot, what: What::Refused(action.verb(), by) }));
        }
    }
    goals
}

/// What can refuse an action: the facts that its guard asks, and the world.
fn refusers(model: &Model, action: &Action) -> Vec<String> {
    let asked: &[&str] = match action {
        Action::Retry { .. } => &["budget", "deadline", "pushback", "hint", "authorization"],
        Action::Hedge { .. } => &["budget", "deadline", "pushback", "effect", "tools", "authorization"],
        Action::Failover { .. } => &["budget", "deadline", "pushback", "authorization", "boundary"],
        Action::Reconcile { .. } => &[],
        _ => return Vec::new(),
    };
    let mut names: Vec<String> = asked.iter().filter(|f| model.fact_id(f).is_some()).map(|f| (*f).into()).collect();
    if let Action::Failover { parity } = action {
        names.extend(model.parities.get(*parity).map(|p| format!("parity.{}", p.name)));
    }
    names.push(WORLD.into());
    names
}

/// Cuts a cell into what its row takes and what it turns away.
struct Cuts<'m> {
    model: &'m Model,
    /// Where stretches of a dense decimal begin, over the whole policy.
    ends: BTreeMap<FactId, Vec<i128>>,
}

impl<'m> Cuts<'m> {
    fn new(model: &'m Model) -> Self {
        let tables = model.tables.iter().chain(model.derives.iter().map(|d| &d.table));
        let conds = tables.flat_map(|t| t.promise.iter().chain(t.rows.iter().flat_map(|r| &r.conds)));
        let mut ends: BTreeMap<FactId, Vec<i128>> = BTreeMap::new();
        for cond in conds {
            if let (Values::Number(ranges), Type::Number(NumberType { dense: true, .. })) =
                (&cond.set.values, &model.fact(cond.fact).ty)
            {
                let list = ends.entry(cond.fact).or_default();
                list.extend(ranges.iter().flat_map(|(lo, hi)| [*lo, hi.saturating_add(1)]));
            }
        }
        for list in ends.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        Cuts { model, ends }
    }

    fn of(&self, cond: &Cond) -> (Vec<ValueSet>, Vec<ValueSet>) {
        let fact = self.model.fact(cond.fact);
        let (mut takes, mut turns_away) = (Vec::new(), Vec::new());
        let one = |value: Value| ValueSet::one(fact, &value);
        if cond.set.unknown {
            takes.push(ValueSet::only_unknown(fact));
        }
        let points = (0..fact.points.len().min(32) as u16).filter(|i| cond.set.points >> i & 1 == 1);
        takes.extend(points.map(|i| one(Value::Point(i))));
        let known = ValueSet { unknown: false, points: 0, ..(*cond.set).clone() };
        if cond.set.complement_known(fact).is_empty() && !cond.set.unknown {
            takes.push(known);
            turns_away.push(ValueSet::only_unknown(fact));
            return (takes, turns_away);
        }
        match (&cond.set.values, &fact.ty) {
            (Values::Choice(_), Type::Choice { values, .. }) => {
                let (inside, outside): (Vec<u16>, Vec<u16>) =
                    (0..values.len() as u16).partition(|i| cond.set.admits(&Value::Choice(*i)));
                if inside.len() > outside.len() + 1 {
                    takes.push(known);
                    turns_away.extend(outside.into_iter().map(|i| one(Value::Choice(i))));
                } else {
                    takes.extend(inside.into_iter().map(|i| one(Value::Choice(i))));
                }
            }
            (Values::Number(ranges), Type::Number(ty)) => {
                for (lo, hi) in ranges {
                    self.bounds(cond.fact, ty, (*lo, *hi), &mut takes, &mut turns_away);
                }
            }
            (Values::Text(set), _) => texts(fact, set, &mut takes, &mut turns_away),
            _ => {}
        }
        let mut seen: Vec<ValueSet> = Vec::new();
        takes.retain(|set| {
            !set.is_empty() && !seen.contains(set) && {
                seen.push(set.clone());
                true
            }
        });
        turns_away.retain(|set| !set.is_empty());
        (takes, turns_away)
    }

    /// Both sides of both ends of a range; an end of the domain is no bound.
    fn bounds(
        &self,
        id: FactId,
        ty: &NumberType,
        (lo, hi): (i128, i128),
        takes: &mut Vec<ValueSet>,
        turns_away: &mut Vec<ValueSet>,
    ) {
        let fact = self.model.fact(id);
        let range = |from: i128, to: i128| ValueSet::range(fact, from, to);
        let ends = self.ends.get(&id).map_or(&[][..], Vec::as_slice);
        // Of a dense decimal the written number itself lies on one side; on the other side no value is the nearest, and any
        // up to the next bound of the fact will do.
        let below = |n: i128| ends.iter().rev().find(|e| **e < n).copied().unwrap_or(ty.lo);
        let above = |n: i128| ends.iter().find(|e| **e > n).map_or(ty.hi, |e| e - 1);
        let is_written = |n: i128| !ty.dense || n % 10 == 0;
        if lo > ty.lo {
            takes.push(if is_written(lo) { range(lo, lo) } else { range(lo, hi.min(above(lo))) });
            let past = lo - ty.step;
            turns_away.push(if is_written(past) { range(past, past) } else { range(below(lo), past) });
        }
        if hi + ty.step <= ty.hi {
            takes.push(if is_written(hi) { range(hi, hi) } else { range(lo.max(below(hi + 1)), hi) });
            let past = hi + ty.step;
            turns_away.push(if is_written(past) { range(past, past) } else { range(past, above(past)) });
        }
    }
}

/// The literals and beginnings that a cell speaks of.
fn texts(fact: &Fact, set: &TextSet, takes: &mut Vec<ValueSet>, turns_away: &mut Vec<ValueSet>) {
    let of = |set: TextSet| ValueSet { values: Values::Text(set), ..ValueSet::none(fact) };
    for literal in set.literals() {
        let one = of(TextSet::literal(literal));
        if set.contains(literal) { takes.push(one) } else { turns_away.push(one) }
    }
    for prefix in set.prefixes().filter(|p| !p.is_empty()) {
        let begins = TextSet::prefix(prefix);
        let inside = begins.join(set, |a, b| a && b);
        if inside.is_empty() { turns_away.push(of(begins)) } else { takes.push(of(inside)) }
    }
}
