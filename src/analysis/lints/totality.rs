//! Every input ends in an action that can be honoured: no gap, no broken promise, no `done` where nothing is
//! confirmed, no `wait` where nothing is pending.
//!
//! All of it is one question to the search: the flow of the scene with the offending entries marked. A `done` or
//! `wait` is marked where its row holds and the condition is another one. Only facts that come so far count.

use crate::diag::{Code, Diagnostic, N0301, N0302, N0305, N0306, N0307, N0313};
use crate::model::{Action, Cond, Fact, FactId, Model, Outcome, Table, TableId, Value, ValueSet, Values, show_value};
use crate::space::{Clause, Ending, Question, Reach, Region, SegSet, UNKNOWN};
use crate::text::Span;
use crate::words::Verb;

use super::super::analyse::Limits;
use super::super::scene::{Point, Scene};
use super::super::tell::{Shown, cond_text, row_name, show, tested};
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
    let finding = match claim {
        Claim::Gap(table) => {
            let only = if known == Reach::Never { needed(scene, question, group, &shown, steps) } else { Vec::new() };
            match between(scene, *table, &shown) {
                Some(hole) if only.is_empty() => one_value(scene, *table, &shown, &hole),
                _ => gap(scene, *table, &shown, &only),
            }
        }
        Claim::Broken { see, to, test } => broken(scene, *see, *to, *test, &shown),
        Claim::Unsettled { row, verb } => unsettled(scene, *row, *verb, &shown),
    };
    finding.witness(shown.witness(scene))
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

/// The fact and the value, where a gap is one number between two ranges, and no test names that number.
fn between(scene: &Scene, id: TableId, shown: &Shown) -> Option<(FactId, Value)> {
    let space = &scene.ground.space;
    (0..shown.segments.len() as u32).find_map(|axis| {
        let (seg, fact) = (shown.segments[axis as usize], space.fact(axis));
        let set = space.axis(axis).values(&SegSet::one(seg), scene.model().fact(fact));
        let Values::Number(ranges) = &set.values else { return None };
        let [(lo, hi)] = **ranges else { return None };
        let tests = scene.table(id).rows.iter().flat_map(|r| &r.conds).filter(|c| c.fact == fact);
        let named = tests.clone().any(|c| *c.set == set);
        let moved = |seg: Option<u32>| {
            let seg = seg.filter(|s| *s < space.sizes()[axis as usize])?;
            // Unknown and the named points are no neighbours of a number.
            let beside = space.axis(axis).values(&SegSet::one(seg), scene.model().fact(fact));
            if !matches!(&beside.values, Values::Number(ranges) if !ranges.is_empty()) {
                return None;
            }
            let mut segments = shown.segments.clone();
            segments[axis as usize] = seg;
            let outcomes = scene.ground.layers.outcomes_at(&segments);
            Some(holds(scene, &Claim::Gap(id), &Point { segments: &segments, outcomes: &outcomes }))
        };
        let closed = moved(seg.checked_sub(1)) == Some(false) && moved(Some(seg + 1)) == Some(false);
        (lo == hi && !named && tests.count() > 1 && closed).then_some((fact, Value::Number(lo)))
    })
}

fn one_value(scene: &Scene, id: TableId, shown: &Shown, (fact, value): &(FactId, Value)) -> Diagnostic {
    let (table, fact) = (scene.table(id), scene.model().fact(*fact));
    let (value, tests) = (show_value(fact, value), shown.tests(scene, &tested(table)));
    let alone = format!("`{} is {value}`", fact.name);
    let whole = if tests == alone { String::new() } else { format!(": {tests}") };
    let what = no_answer(scene, table);
    let message = format!("between two ranges, {what} {alone}{whole}");
    let help = format!("let one of the two ranges reach to {value}: `<= {value}` or `>= {value}`");
    Diagnostic::new(N0313, message).at(table.span, "").help(help)
}

/// What is missing where no row answers, before the facts are told.
fn no_answer(scene: &Scene, table: &Table) -> String {
    if scene.is_alone() {
        format!("`{}` has no value for", table.name)
    } else {
        format!("no row of `{}` takes", table.name)
    }
}

fn gap(scene: &Scene, id: TableId, shown: &Shown, only: &[String]) -> Diagnostic {
    let table = scene.table(id);
    let tests = shown.tests(scene, &tested(table));
    let what = no_answer(scene, table);
    let mut finding = if only.is_empty() {
        let help = "add a row for these facts; at the end, `any unknown` takes what only facts that are unknown leave \
                    open, and `otherwise` takes the rest";
        Diagnostic::new(N0301, format!("{what} {tests}")).help(help)
    } else {
        let facts = only.join(" and ");
        let verb = if only.len() > 1 { "are" } else { "is" };
        let help =
            format!("write `unknown` in the cells of {facts} that may take it, or end with an `any unknown` row");
        Diagnostic::new(N0302, format!("{what} {tests}: open only where {facts} {verb} unknown")).help(help)
    };
    finding = finding.at(table.span, "");
    let outcomes = scene.ground.layers.outcomes_at(&shown.segments);
    let entry = scene.at(&Point { segments: &shown.segments, outcomes: &outcomes });
    match entry.and_then(|i| scene.flow.entries[i].path.last()) {
        Some(see) => finding.and(scene.row(*see).span, "these facts come from here"),
        None => finding,
    }
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
    Diagnostic::new(N0305, message)
        .at(scene.row(see).span, "hands over from here")
        .and(promise.span, "promised here")
        .help("narrow the row to what is promised, or promise less; a fact that is unknown breaks a promise")
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
    Diagnostic::new(code, message).at(scene.row(row).span, "").help(help)
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
