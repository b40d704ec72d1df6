//! Rules, proven of the whole policy.
//!
//! A rule speaks of what is left after every guard, every way for refusal and every overlay. One question to the
//! search for each rule: before each entry of the whole policy stand the places where the entry breaks it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use crate::diag::{Diagnostic, N0401, N0402};
use crate::model::{Cond, FactId, Rule, TableId, Value, eval};
use crate::space::{Clause, Question, Reach, Region};

use super::again::{answering, step_left, witnessed};
use super::analyse::Limits;
use super::guards::{self, key, key_name};
use super::lints::undecided;
use super::scene::{Point, Scene};
use super::tell::{Shown, row_name, show_high, tested};
use super::whole::{RowAt, Way, Whole, chain, ways};

/// A way that must not be: the rows that answer together, and the step that each is left with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Fault {
    rows: Vec<RowAt>,
    steps: Vec<usize>,
    /// The row that holds, by its place among them.
    holds: usize,
}

impl Fault {
    /// The row whose answer holds.
    pub(super) fn row(&self) -> RowAt {
        self.rows[self.holds]
    }

    /// The other rows that answer at the same facts.
    pub(super) fn others(&self) -> impl Iterator<Item = RowAt> {
        self.rows.iter().enumerate().filter(|(i, _)| *i != self.holds).map(|(_, row)| *row)
    }

    /// Whether it comes to this for some facts and refused verbs, rows and guards read one by one.
    pub(super) fn shows(&self, scene: &Scene, refuse: &[String], values: &[Value]) -> bool {
        let rows = answering(scene, values);
        let left: Option<Vec<usize>> = rows.iter().map(|r| step_left(scene, *r, refuse, values)).collect();
        let verb = |i: usize| chain(scene, rows[i]).map(|c| c.actions[self.steps[i]].verb());
        rows == self.rows
            && left.as_ref() == Some(&self.steps)
            && (0..rows.len()).fold(0, |held, i| if verb(i) <= verb(held) { i } else { held }) == self.holds
    }

    /// The step that is left.
    pub(super) fn step(&self) -> usize {
        self.steps[self.holds]
    }
}

/// So many rows are told of one rule; more are counted.
const TOLD: usize = 100;

/// The ways of every combination of rows that answers somewhere.
pub(super) type Ways = BTreeMap<Vec<RowAt>, Vec<Way>>;

/// Proves every rule of the policy.
pub(super) fn rules(
    scene: &Scene,
    whole: &Whole,
    ways: &Ways,
    steps: &mut u64,
    limits: &Limits,
    findings: &mut Vec<Diagnostic>,
) {
    for rule in &scene.model().rules {
        prove(scene, whole, rule, ways, steps, limits, findings);
    }
}

/// The ways of every combination of rows.
pub(super) fn all_ways(scene: &Scene, whole: &Whole) -> Ways {
    let mut all = Ways::new();
    for entry in whole.entries.iter().filter(|e| !e.rows.is_empty()) {
        all.entry(entry.rows.clone()).or_insert_with(|| ways(scene, &entry.rows));
    }
    all
}

/// Whether a rule forbids an action where it applies.
fn forbids(rule: &Rule, (verb, parity): guards::Key) -> bool {
    let named = rule.verbs.iter().any(|(v, p)| *v == verb && (p.is_none() || *p == parity));
    named != rule.only
}

/// Where a rule applies: one of these clauses.
fn applies(scene: &Scene, rule: &Rule) -> Vec<Clause> {
    if !rule.unless {
        return scene.clause(&rule.tests).into_iter().collect();
    }
    let failed = |c: &Cond| {
        let set = c.set.complement(scene.model().fact(c.fact)).into();
        scene.clause(&[Cond { set, ..c.clone() }])
    };
    rule.tests.iter().filter_map(failed).collect()
}

fn prove(
    scene: &Scene,
    whole: &Whole,
    rule: &Rule,
    ways: &Ways,
    steps: &mut u64,
    limits: &Limits,
    findings: &mut Vec<Diagnostic>,
) {
    let applies = applies(scene, rule);
    let forbidden = |rows: &[RowAt], way: &Way| {
        let action = chain(scene, rows[way.at.0]).map(|c| &c.actions[way.at.1]);
        action.is_some_and(|a| forbids(rule, key(a)))
    };
    let waived = waived_rows(scene, rule);
    let mut lifted: BTreeSet<RowAt> = BTreeSet::new();
    let mut told: BTreeSet<RowAt> = BTreeSet::new();
    for marked in mark(whole, ways, &applies, forbidden) {
        let within = if let [one] = applies.as_slice() { one.region.clone() } else { Region::all() };
        let all = scene.ask(&marked.question(within), steps);
        for ((fault, reach), group) in marked.faults.iter().zip(&all.groups).zip(0u32..) {
            if waived.contains(&fault.row()) {
                lifted.extend((*reach != Reach::Never).then_some(fault.row()));
                continue;
            }
            if let Reach::At(region) = reach
                && told.insert(fault.row())
                && told.len() <= TOLD
            {
                findings.push(tell(scene, rule, fault, marked.shown(scene, whole, group, region)));
            }
        }
        let open = marked.faults.iter().zip(&all.groups).filter(|(_, r)| **r == Reach::Undecided);
        let open: BTreeSet<RowAt> = open.map(|(f, _)| f.row()).collect();
        if let Some(first) = open.first() {
            let more = if open.len() > 1 { format!(" and {} more rows", open.len() - 1) } else { String::new() };
            let what = format!("rule `{}` holds for `{}`{more}", rule.name, row_name(scene, *first));
            findings.push(undecided(scene, scene.table(TableId(0)), &what, all.cut_short.as_ref(), limits));
        }
    }
    findings.extend(told.iter().nth(TOLD).map(|_| {
        let message = format!("{} more rows break rule `{}`", told.len() - TOLD, rule.name);
        Diagnostic::new(N0401, message).at(rule.span, "the rule").help("they are told once the first are mended")
    }));
    for waiver in scene.model().waivers.iter().filter(|w| w.what == rule.name) {
        for row in waiver.rows.iter().filter(|r| !lifted.contains(r)) {
            let message = format!("`{}` keeps rule `{}` without a waiver", row_name(scene, *row), rule.name);
            findings.push(Diagnostic::new(N0402, message).at(waiver.span, "").help("take the row out of the waiver"));
        }
    }
}

/// The whole policy as far as it ends somewhere in a way that must not be, and before each of its entries the places
/// where it does.
pub(super) struct Marked<'a> {
    pub(super) faults: IndexSet<Fault>,
    list: Vec<(Cow<'a, Clause>, Option<u32>)>,
}

/// Marks the ways that must not be, inside some clauses: one question for each place among the rows of an entry that
/// may hold. Ways of several places share their points, under other verdicts, and in one list the first would hide the
/// others; of one place all ways speak of one row.
pub(super) fn mark<'a>(
    whole: &'a Whole,
    ways: &Ways,
    applies: &[Clause],
    forbidden: impl Fn(&[RowAt], &Way) -> bool,
) -> Vec<Marked<'a>> {
    let n_places = whole.entries.iter().map(|e| e.rows.len()).max().unwrap_or(0);
    let marked = (0..n_places).map(|place| mark_place(whole, ways, applies, place, &forbidden));
    marked.filter(|m| !m.faults.is_empty()).collect()
}

fn mark_place<'a>(
    whole: &'a Whole,
    ways: &Ways,
    applies: &[Clause],
    place: usize,
    forbidden: &impl Fn(&[RowAt], &Way) -> bool,
) -> Marked<'a> {
    let mut marked = Marked { faults: IndexSet::new(), list: Vec::new() };
    // What stands behind the last fault hides none.
    let mut end = 0;
    for entry in &whole.entries {
        let here = ways.get(&entry.rows).into_iter().flatten().filter(|w| w.at.0 == place);
        for way in here.filter(|w| forbidden(&entry.rows, w)) {
            let fault = Fault { rows: entry.rows.clone(), steps: way.steps.clone(), holds: place };
            let mut group = None;
            for here in applies.iter().filter_map(|a| entry.clause.and(a)) {
                for clause in way.left.iter().filter_map(|l| here.and(l)) {
                    let group = *group.get_or_insert_with(|| marked.faults.insert_full(fault.clone()).0 as u32);
                    marked.list.push((Cow::Owned(clause), Some(group)));
                    end = marked.list.len();
                }
            }
        }
        marked.list.push((Cow::Borrowed(&entry.clause), None));
    }
    marked.list.truncate(end);
    marked
}

impl Marked<'_> {
    /// Which of the faults are anywhere.
    pub(super) fn question(&self, within: Region) -> Question<'_> {
        let list = self.list.iter().map(|(c, g)| (&**c, *g)).collect();
        Question { within, list, n_groups: self.faults.len() as u32, disjoint: false }
    }

    /// A readable point of a region where a fault is.
    pub(super) fn shown(&self, scene: &Scene, whole: &Whole, group: u32, region: &Region) -> Shown {
        let wrong: Vec<&Clause> = self.list.iter().filter(|(_, g)| *g == Some(group)).map(|(c, _)| &**c).collect();
        let fault = &self.faults[group as usize];
        let holds = |point: &Point| {
            whole.at(point).is_some_and(|e| e.rows == fault.rows) && wrong.iter().any(|c| point.is_in(c))
        };
        // With time to spare, and the shortest of waits, no sum of facts refuses what the constants allow.
        show_high(scene, region, scene.model().std.deadline, holds)
    }
}

/// The rows for which the rule is lifted.
fn waived_rows(scene: &Scene, rule: &Rule) -> Vec<RowAt> {
    let waivers = scene.model().waivers.iter().filter(|w| w.what == rule.name);
    waivers.flat_map(|w| w.rows.iter().copied()).collect()
}

/// The verbs that are refused before a fault's steps are left, and the verb that is.
pub(super) fn refused_and_left(scene: &Scene, fault: &Fault) -> (Vec<String>, String) {
    let name = |a| key_name(scene.model(), key(a));
    let chains: Vec<_> = fault.rows.iter().filter_map(|row| chain(scene, *row)).collect();
    let left = chains.get(fault.holds).map_or_else(String::new, |c| name(&c.actions[fault.step()]));
    let kept: Vec<String> = chains.iter().zip(&fault.steps).map(|(c, k)| name(&c.actions[*k])).collect();
    let mut refused: Vec<String> = Vec::new();
    for verb in chains.iter().zip(&fault.steps).flat_map(|(c, k)| &c.actions[..*k]).map(name) {
        if !kept.contains(&verb) && !refused.contains(&verb) {
            refused.push(verb);
        }
    }
    (refused, left)
}

fn tell(scene: &Scene, rule: &Rule, fault: &Fault, shown: Shown) -> Diagnostic {
    let name = row_name(scene, fault.row());
    let (refuse, verb) = refused_and_left(scene, fault);
    let mut spoken: Vec<FactId> = rule.tests.iter().map(|t| t.fact).collect();
    spoken.extend(tested(scene.table(fault.row().0)));
    spoken.dedup();
    let shows = |values: &[Value], refuse: &[String]| {
        let applies = rule.tests.iter().all(|c| eval::holds(scene.model(), c, values)) != rule.unless;
        let left = chain(scene, fault.row()).map(|c| &c.actions[fault.step()]);
        applies && fault.shows(scene, refuse, values) && left.is_some_and(|a| forbids(rule, key(a)))
    };
    let shown = shown.plainest(scene, &spoken, |values| shows(values, &refuse));
    let tests = tests(scene, &shown, &spoken);
    let message = if refuse.is_empty() {
        format!("`{name}` breaks rule `{}`: it may {verb} for {tests}", rule.name)
    } else {
        let refused = refuse.join("` and `");
        format!("`{name}` breaks rule `{}`: where `{refused}` is refused it may {verb} for {tests}", rule.name)
    };
    let (table, row) = fault.row();
    let table = scene.table(table);
    let at = format!("{}/{}", table.name, table.rows[row].written(row));
    let waive = format!("`waive {} for {at} because \"…\" owner NAME until DATE`", rule.name);
    let finding = Diagnostic::new(N0401, message)
        .at(scene.row(fault.row()).span, "")
        .and(rule.span, "the rule")
        .help(format!("narrow the row, let it do something more cautious, or lift the rule for it: {waive}"));
    witnessed(scene, finding, &shown, refuse, shows)
}

pub(super) fn tests(scene: &Scene, shown: &Shown, spoken: &[FactId]) -> String {
    let mut once: Vec<FactId> = Vec::new();
    for fact in spoken {
        if !once.contains(fact) {
            once.push(*fact);
        }
    }
    shown.tests(scene, &once)
}
