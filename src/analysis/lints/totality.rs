//! Every input ends in an action that can be honoured: no gap, no broken promise, no `done` where nothing is
//! confirmed, no `wait` where nothing is pending.
//!
//! All of it is one question to the search: the flow of the scene with the offending entries marked. A `done` or
//! `wait` is marked where its row holds and the condition is another one. Only facts that come so far count.

use crate::diag::{Code, Diagnostic, N0305, N0306, N0307};
use crate::model::{Action, Cond, End, Fact, FactId, Model, Outcome, TableId, ValueSet, eval};
use crate::space::{Clause, Ending, Question, Reach, Region, UNKNOWN};
use crate::text::Span;
use crate::words::Verb;

use super::super::again::{Plain, witnessed};
use super::super::analyse::Limits;
use super::super::scene::{Point, Scene};
use super::super::tell::{Shown, cond_text, row_name, show, tested};
use super::gap::{self, Gap, Left};
use super::undecided::undecided;

/// What must never be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Claim {
    /// No row of the table.
    Gap(TableId),
    /// The row hands over to the table against this test of its promise.
    Broken { see: (TableId, usize), to: TableId, test: usize },
    /// The row may say `done` or `wait` while the condition is another.
    Unsettled { row: (TableId, usize), verb: Verb },
}

/// The flow, what is wrong with it where, and the clauses of rows narrowed to where they are wrong.
struct Marked {
    claims: Vec<Claim>,
    /// Each entry of the flow, and before it the narrowed clauses of its row.
    list: Vec<(Clause, Option<u32>)>,
}

/// Sets that the guards speak of, for the space to be cut by.
pub(in super::super) fn more_sets(model: &Model) -> Vec<(FactId, ValueSet)> {
    [Verb::Done, Verb::Wait].into_iter().filter_map(|v| Some((model.std.condition?, settled(model, v)?))).collect()
}

/// What the condition must be for `done` and for `wait`.
fn settled(model: &Model, verb: Verb) -> Option<ValueSet> {
    let fact: &Fact = model.fact(model.std.condition?);
    let word = if verb == Verb::Done { "confirmed" } else { "pending" };
    let value = fact.named_value(word)?;
    Some(ValueSet::one(fact, &value))
}

/// Finds all of it.
///
/// `disjoint` says that no facts match two rows of the scene: then counting may do where searching takes long.
pub(in super::super) fn totality(
    scene: &Scene,
    disjoint: bool,
    steps: &mut u64,
    limits: &Limits,
    findings: &mut Vec<Diagnostic>,
) {
    let marked = mark(scene);
    let list: Vec<(&Clause, Option<u32>)> = marked.list.iter().map(|(c, g)| (c, *g)).collect();
    let question = Question { within: Region::all(), list, n_groups: marked.claims.len() as u32, disjoint };
    let all = scene.ask(&question, steps);
    let mut open = Vec::new();
    for ((claim, reach), group) in marked.claims.iter().zip(all.groups).zip(0u32..) {
        match reach {
            Reach::Never => {}
            Reach::At(region) => findings.push(tell(scene, &question, group, claim, &region, steps)),
            Reach::Undecided => open.push((claim, group)),
        }
    }
    for (claim, group) in open {
        let region = all.cut_short.as_ref();
        match alone(scene, &question, group, Region::all(), steps) {
            Reach::Never => {}
            Reach::At(region) => findings.push(tell(scene, &question, group, claim, &region, steps)),
            Reach::Undecided => findings.push(tell_undecided(scene, claim, region, limits)),
        }
    }
}

/// The question of one group alone.
fn alone(scene: &Scene, question: &Question, group: u32, within: Region, steps: &mut u64) -> Reach {
    let list = question.list.iter().map(|(c, g)| (*c, g.filter(|g| *g == group).map(|_| 0))).collect();
    scene.ask(&Question { within, list, n_groups: 1, disjoint: false }, steps).groups.pop().unwrap_or(Reach::Undecided)
}

fn mark(scene: &Scene) -> Marked {
    let mut out = Marked { claims: Vec::new(), list: Vec::new() };
    let group = |claims: &mut Vec<Claim>, claim: Claim| {
        let at = claims.iter().position(|c| *c == claim).unwrap_or_else(|| {
            claims.push(claim);
            claims.len() - 1
        });
        Some(at as u32)
    };
    let elsewhere = [Verb::Done, Verb::Wait].map(|verb| (verb, elsewhere(scene, verb)));
    for entry in &scene.flow.entries {
        let last = entry.path.last().copied();
        let wrong = match (entry.end, last) {
            (Ending::Gap(table), _) => group(&mut out.claims, Claim::Gap(table)),
            (Ending::Broken(to, test), Some(see)) => group(&mut out.claims, Claim::Broken { see, to, test }),
            _ => None,
        };
        if let (Ending::Row, Some(at)) = (entry.end, last)
            && let Outcome::Act(chain) = &scene.row(at).outcome
        {
            for (verb, elsewhere) in &elsewhere {
                let said = chain.actions.iter().any(|a| a.verb() == *verb);
                if let Some(narrowed) = elsewhere.as_ref().filter(|_| said).and_then(|e| entry.clause.and(e)) {
                    let group = group(&mut out.claims, Claim::Unsettled { row: at, verb: *verb });
                    out.list.push((narrowed, group));
                }
            }
        }
        out.list.push((entry.clause.clone(), wrong));
    }
    out
}

/// Where a verb may not be said; nothing where it may be everywhere.
fn elsewhere(scene: &Scene, verb: Verb) -> Option<Clause> {
    let model = scene.model();
    let (Some(fact), Some(set)) = (model.std.condition, settled(model, verb)) else { return Some(Clause::all()) };
    let set = set.complement(model.fact(fact)).into();
    scene.clause(&[Cond { fact, set, span: Span::default() }])
}

fn tell(scene: &Scene, question: &Question, group: u32, claim: &Claim, region: &Region, steps: &mut u64) -> Diagnostic {
    // Facts that are known make the better example; where there is none, it is open only where some are unknown.
    let known = alone(scene, question, group, scene.known(), steps);
    let region = if let Reach::At(known) = &known { known } else { region };
    let shown = show(scene, region, |point| holds(scene, claim, point));
    match claim {
        Claim::Gap(table) => {
            let is_known = known != Reach::Never;
            let only = if is_known { Vec::new() } else { needed(scene, question, group, &shown, steps) };
            let between = gap::between(scene, *table, &shown, |point| holds(scene, claim, point));
            let left = |told: &[Clause]| left(scene, question, (group, claim), told, is_known, steps);
            let missing = gap::missing(scene, *table, &shown, left);
            gap::tell(scene, &Gap { table: *table, shown: &shown, missing, only, between })
        }
        Claim::Broken { see, to, test } => broken(scene, *see, *to, *test, &shown),
        Claim::Unsettled { row, verb } => unsettled(scene, *row, *verb, &shown),
    }
}

/// What is left of a gap outside of what is told already, with facts that are known if there are such.
fn left(
    scene: &Scene,
    question: &Question,
    (group, claim): (u32, &Claim),
    told: &[Clause],
    is_known: bool,
    steps: &mut u64,
) -> Left {
    let mut question = question.clone();
    question.list.splice(0..0, told.iter().map(|c| (c, None)));
    let is_left = |point: &Point| holds(scene, claim, point) && !told.iter().any(|t| point.is_in(t));
    let mut end = Left::Nothing;
    let known = is_known.then(|| scene.known());
    for within in known.into_iter().chain([Region::all()]) {
        match alone(scene, &question, group, within, steps) {
            Reach::At(region) => return Left::At(show(scene, &region, is_left)),
            Reach::Undecided => end = Left::Undecided,
            Reach::Never => {}
        }
    }
    end
}

/// Whether a claim is true at a point, row by row.
fn holds(scene: &Scene, claim: &Claim, point: &Point) -> bool {
    let Some(entry) = scene.at(point).map(|i| &scene.flow.entries[i]) else { return false };
    let last = entry.path.last();
    match claim {
        Claim::Gap(table) => entry.end == Ending::Gap(*table),
        Claim::Broken { see, to, test } => entry.end == Ending::Broken(*to, *test) && last == Some(see),
        Claim::Unsettled { row, verb } => {
            let wrong = elsewhere(scene, *verb).is_some_and(|c| point.is_in(&c));
            wrong && entry.end == Ending::Row && last == Some(row)
        }
    }
}

/// The facts of which each must be unknown for the gap to be open.
fn needed(scene: &Scene, question: &Question, group: u32, shown: &Shown, steps: &mut u64) -> Vec<String> {
    let space = &scene.ground.space;
    let mut must = |axis: &u32| {
        let within = Region::all().with(*axis, space.axis(*axis).known());
        alone(scene, question, group, within, steps) == Reach::Never
    };
    let axes: Vec<u32> = shown.unknowns().filter(|a| must(a)).collect();
    debug_assert!(axes.iter().all(|a| shown.segments[*a as usize] == UNKNOWN));
    axes.iter().map(|a| format!("`{}`", scene.model().fact(space.fact(*a)).name)).collect()
}

fn broken(scene: &Scene, see: (TableId, usize), to: TableId, test: usize, shown: &Shown) -> Diagnostic {
    let table = scene.table(to);
    let promise = &table.promise[test];
    let (name, text) = (row_name(scene, see), cond_text(scene.model(), promise));
    let mut spoken = tested(scene.table(see.0));
    spoken.retain(|fact| *fact != promise.fact);
    spoken.insert(0, promise.fact);
    let tests = shown.tests(scene, &spoken);
    let message = format!("`{name}` hands over to `{}` against its promise `{text}`: {tests}", table.name);
    let finding = Diagnostic::new(N0305, message)
        .at(scene.row(see).span, "hands over from here")
        .and(promise.span, "promised here")
        .help("narrow the row to what is promised, or promise less; a fact that is unknown breaks a promise");
    witnessed(scene, finding, shown, Vec::new(), |values, _| {
        let plain = Plain::of(scene, values);
        let first = table.promise.iter().position(|c| !eval::holds(scene.model(), c, values));
        plain.end == End::BrokenPromise(to) && plain.path.last() == Some(&see) && first == Some(test)
    })
}

fn unsettled(scene: &Scene, row: (TableId, usize), verb: Verb, shown: &Shown) -> Diagnostic {
    let mut spoken: Vec<FactId> = scene.model().std.condition.into_iter().collect();
    spoken.extend(tested(scene.table(row.0)).iter().filter(|f| Some(**f) != scene.model().std.condition));
    let (name, tests) = (row_name(scene, row), shown.tests(scene, &spoken));
    let (code, word, what): (Code, _, _) = if verb == Verb::Done {
        (N0306, "confirmed", "an effect that nobody confirmed")
    } else {
        (N0307, "pending", "an attempt that is not out")
    };
    let said = match &scene.row(row).outcome {
        Outcome::Act(chain) if chain.actions.first().map(Action::verb) != Some(verb) => "may fall back on",
        _ => "says",
    };
    let help = if scene.model().std.condition.is_some() {
        format!("let only rows with `condition is {word}` say `{verb}`")
    } else {
        format!("`{verb}` needs `condition is {word}`: write `use std.facts` and test it")
    };
    let message = format!("`{name}` {said} `{verb}` for {what}: {tests}");
    let finding = Diagnostic::new(code, message).at(scene.row(row).span, "").help(help);
    witnessed(scene, finding, shown, Vec::new(), |values, _| {
        let condition = scene.model().std.condition;
        let is_settled = condition
            .zip(settled(scene.model(), verb))
            .is_some_and(|(f, set)| set.admits(&eval::value_of(scene.model(), f, values)));
        !is_settled && Plain::of(scene, values).row() == Some(row)
    })
}

fn tell_undecided(scene: &Scene, claim: &Claim, region: Option<&Region>, limits: &Limits) -> Diagnostic {
    let (table, what) = match claim {
        Claim::Gap(id) => (*id, format!("every input has a row in `{}`", scene.table(*id).name)),
        Claim::Broken { see, to, .. } => {
            (see.0, format!("`{}` keeps the promise of `{}`", row_name(scene, *see), scene.table(*to).name))
        }
        Claim::Unsettled { row, verb } => {
            (row.0, format!("`{}` says `{verb}` only where it may", row_name(scene, *row)))
        }
    };
    undecided(scene, scene.table(table), &what, region, limits)
}
