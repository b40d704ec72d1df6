//! Policies that say something else in one place, and whether any case notices.
//!
//! A mutant flips the action of a row (or a value that a derive gives), moves one bound by one tick, takes one value out of a
//! list, or drops a row. One that decides as the policy does for every input is no fault of the cases; that is proven
//! before a mutant is called one that survives.

use crate::compare::{CompareOptions, compare};
use crate::decide::Policy;
use crate::diag::Witness;
use crate::model::{
    Action, Chain, Cond, FactId, Model, Outcome, Row, Type, Value, ValueSet, Values, show_action, show_set, show_value,
};
use crate::program::Program;
use crate::syntax::tree::RowKind;
use crate::text::Span;

use super::case::Case;
use super::coverage::{Spot, own_rows};

/// A policy that says something else in one place. [`mutants`] gives them.
pub struct Mutant<'p> {
    policy: &'p Policy,
    spot: Spot,
    change: Change,
}

/// What became of a mutant. See [`mutants`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A case that holds of the policy does not hold of it.
    Noticed,
    /// It decides as the policy does, for every input.
    Same,
    /// No case notices; with facts for which it decides otherwise, where the comparison came to an end.
    Survives(Option<Witness>),
}

enum Change {
    Action(Action),
    Output(usize, Value),
    Test(usize, ValueSet),
    Drop,
}

/// Every mutant of a policy's own rows, in their order.
///
/// ```
/// use nisi::cases::{Fate, mutants, read_cases};
/// let policy = nisi::Policy::compile("policy a\nversion 1\nfact n : count\ntable t, first row wins\n\
///     | row  | n    | => action   |\n| many | >= 5 | review desk |\n| rest | -    | stop        |\n")?;
/// let cases = "cases: [{ name: five, facts: { n: 5 }, expect: { row: many } }, { name: none, expect: { action: stop } }]";
/// let cases = read_cases(&policy, cases).cases;
/// let left: Vec<String> =
///     mutants(&policy).iter().filter(|m| m.fate(&cases) != Fate::Noticed).map(|m| m.to_string()).collect();
/// // Nothing is asked just below five.
/// assert_eq!(left, ["t/many: `n` >= 5 becomes >= 4", "t/many: `review desk` becomes `stop`"]);
/// # Ok::<(), nisi::Diagnostics>(())
/// ```
pub fn mutants(policy: &Policy) -> Vec<Mutant<'_>> {
    let model = policy.model();
    let of = |spot: Spot| {
        let changes = spot.row(model).map_or_else(Vec::new, |row| changes(model, spot, row));
        changes.into_iter().map(move |change| Mutant { policy, spot, change })
    };
    own_rows(model).into_iter().flat_map(of).collect()
}

impl Mutant<'_> {
    /// The row that says something else, `table/row`.
    pub fn row(&self) -> String {
        self.spot.name(self.policy.model())
    }

    /// Where that row stands.
    pub fn span(&self) -> Span {
        self.spot.row(self.policy.model()).map_or_else(Span::default, |row| row.span)
    }

    /// Whether a case notices it. Cases that do not hold of the policy itself say nothing.
    pub fn fate<'c>(&self, cases: impl IntoIterator<Item = &'c Case>) -> Fate {
        let mut model = self.policy.model().clone();
        let Some(row) = row_mut(&mut model, self.spot) else { return Fate::Same };
        self.change.apply(row);
        if let Change::Drop = self.change {
            never(&mut model, self.spot);
        }
        let program = Program::build(&model);
        let mutant = Policy::new(model, program, true, self.policy.origins());
        let notices = |case: &&Case| !case.holds_of(&mutant) && case.check(self.policy).holds();
        if cases.into_iter().any(|case| notices(&case)) {
            return Fate::Noticed;
        }
        let found = compare(self.policy, &mutant, &CompareOptions::default());
        match found.changes.into_iter().next() {
            Some(change) => Fate::Survives(Some(change.witness.old)),
            None if found.undecided.is_empty() => Fate::Same,
            None => Fate::Survives(None),
        }
    }
}

impl std::fmt::Display for Mutant<'_> {
    /// `recovery/dear: `amount` > 100 becomes >= 100`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = self.policy.model();
        write!(f, "{}: ", self.row())?;
        let Some(row) = self.spot.row(model) else { return Ok(()) };
        match (&self.change, &row.outcome) {
            (Change::Action(action), Outcome::Act(chain)) => {
                let before = chain.actions.first().map_or_else(String::new, |a| show_action(model, a));
                write!(f, "`{before}` becomes `{}`", show_action(model, action))
            }
            (Change::Output(place, value), Outcome::Values(values)) => {
                let fact = output(model, self.spot, *place).map(|fact| model.fact(fact));
                let show = |value: &Value| fact.map_or_else(String::new, |fact| show_value(fact, value));
                write!(f, "`{}` becomes `{}`", values.get(*place).map_or_else(String::new, show), show(value))
            }
            (Change::Test(place, set), _) => {
                let Some(cond) = row.conds.get(*place) else { return Ok(()) };
                let fact = model.fact(cond.fact);
                let after = if set.is_empty() { "nothing at all".into() } else { show_set(fact, set) };
                write!(f, "`{}` {} becomes {after}", fact.name, show_set(fact, &cond.set))
            }
            _ => f.write_str("the row is dropped"),
        }
    }
}

/// What can be changed of a row.
fn changes(model: &Model, spot: Spot, row: &Row) -> Vec<Change> {
    let mut changes = Vec::new();
    for (place, cond) in row.conds.iter().enumerate() {
        changes.extend(tests(model, cond).into_iter().map(|set| Change::Test(place, set)));
    }
    match &row.outcome {
        Outcome::Act(chain) => changes.extend(chain.actions.first().map(|action| Change::Action(flipped(action)))),
        Outcome::Values(values) => {
            for (place, value) in values.iter().enumerate() {
                let other = output(model, spot, place).and_then(|fact| other(model, fact, value));
                changes.extend(other.map(|value| Change::Output(place, value)));
            }
        }
        Outcome::See(_) => {}
    }
    changes.push(Change::Drop);
    changes
}

/// Another action: what a person would have to see is given up, everything else is seen by one.
fn flipped(action: &Action) -> Action {
    match action {
        Action::Review { .. } => Action::Stop { reason: None },
        _ => Action::Review { queue: None },
    }
}

/// The fact that a derive gives at a place.
fn output(model: &Model, spot: Spot, place: usize) -> Option<FactId> {
    let Spot::Derive(derive, _) = spot else { return None };
    Some(model.derives.get(derive)?.outputs.get(place)?.fact)
}

/// Another value of a choice.
fn other(model: &Model, fact: FactId, value: &Value) -> Option<Value> {
    let Type::Choice { values, .. } = &model.fact(fact).ty else { return None };
    let next = |i: u16| (i + 1) % values.len() as u16;
    match value {
        Value::Choice(i) if values.len() > 1 => Some(Value::Choice(next(*i))),
        Value::Unknown => Some(Value::Choice(0)),
        _ => None,
    }
}

/// A test with one bound moved by a tick, or with one value fewer in its list.
fn tests(model: &Model, cond: &Cond) -> Vec<ValueSet> {
    let fact = model.fact(cond.fact);
    let set = &cond.set;
    let with = |n: i128| set.or(&ValueSet::range(fact, n, n), fact);
    let without = |value: Value| set.minus(&ValueSet::one(fact, &value), fact);
    match (&set.values, &fact.ty) {
        (Values::Number(ranges), Type::Number(ty)) => {
            let mut sets = Vec::new();
            for (lo, hi) in ranges {
                // A single value that goes is told once. Of a dense decimal only the written number itself can be put on the other side.
                let is_written = |n: i128| !ty.dense || n % 10 == 0;
                let moved = |end: i128, past: i128| {
                    let inward = is_written(end).then(|| without(Value::Number(end)));
                    let outward = is_written(past).then(|| with(past));
                    [inward, outward].into_iter().flatten()
                };
                if *lo > ty.lo {
                    sets.extend(moved(*lo, lo - ty.step));
                }
                if hi + ty.step <= ty.hi {
                    sets.extend(moved(*hi, hi + ty.step));
                }
            }
            sets.dedup();
            sets
        }
        (Values::Choice(_), _) => {
            let values: Vec<usize> = set.choices().collect();
            let outside = set.complement_known(fact).choices().count();
            let others = usize::from(set.unknown) + set.points.count_ones() as usize;
            // What is written as a list; one that is written as what it leaves out has no value to lose.
            if values.len() + others < 2 || values.len() > outside + 1 {
                return Vec::new();
            }
            let mut sets: Vec<ValueSet> = values.into_iter().map(|i| without(Value::Choice(i as u16))).collect();
            sets.extend(set.unknown.then(|| without(Value::Unknown)));
            sets
        }
        _ => Vec::new(),
    }
}

impl Change {
    fn apply(&self, row: &mut Row) {
        match self {
            Change::Action(action) => {
                let span = if let Outcome::Act(chain) = &row.outcome { chain.span } else { row.span };
                row.outcome = Outcome::Act(Chain { actions: [action.clone()].into(), stated: 1, span }.into());
            }
            Change::Output(place, value) => {
                if let Outcome::Values(values) = &mut row.outcome
                    && let Some(slot) = values.get_mut(*place)
                {
                    *slot = value.clone();
                }
            }
            Change::Test(place, set) => {
                if let Some(cond) = row.conds.get_mut(*place) {
                    cond.set = set.clone().into();
                }
            }
            // A row keeps its place, so that the others keep their numbers; it takes nothing any more.
            Change::Drop => row.kind = RowKind::Plain,
        }
    }
}

/// Makes a row take nothing.
fn never(model: &mut Model, spot: Spot) {
    let Some((_, fact)) = model.facts.first() else { return };
    let set = ValueSet::none(fact).into();
    let span = Span::default();
    if let Some(row) = row_mut(model, spot) {
        row.conds.push(Cond { fact: FactId(0), set, span });
    }
}

fn row_mut(model: &mut Model, spot: Spot) -> Option<&mut Row> {
    match spot {
        Spot::Table(table, row) => model.tables.get_mut(table.0)?.rows.get_mut(row),
        Spot::Derive(derive, row) => model.derives.get_mut(derive)?.table.rows.get_mut(row),
    }
}
