//! What cases show of the goals, and the search for cases that show the rest.

use std::collections::BTreeMap;

use crate::cases::case::Case;
use crate::cases::compare::WORLD;
use crate::decide::{Facts, Policy, Refused};
use crate::model::{Action, Outcome, TableId, Value, parity_name};

use super::goals::{Goal, Spot, What};
use super::search::{Found, Search};
use super::tell;
use super::trace::{Sheet, Trace};

/// A way through the tables and the action that is left of its last row.
pub(super) type Way = (Vec<(TableId, usize)>, usize);

/// A case that was found.
pub(super) struct Candidate {
    pub(super) refuse: Vec<String>,
    pub(super) facts: Facts,
    pub(super) name: String,
}

/// What is known so far.
pub(super) struct Survey<'s> {
    pub(super) policy: &'s Policy,
    pub(super) goals: &'s [Goal],
    sheet: &'s Sheet<'s>,
    /// How many cases show each goal.
    pub(super) shown: Vec<usize>,
    /// How many cases take each way; those that only a candidate takes have none, and its place.
    pub(super) ways: BTreeMap<Way, (usize, Option<usize>)>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) candidate_of: Vec<Option<usize>>,
    /// Whether nobody knows if a goal can be shown.
    pub(super) open: Vec<bool>,
}

impl<'s> Survey<'s> {
    pub(super) fn new(policy: &'s Policy, goals: &'s [Goal], sheet: &'s Sheet<'s>) -> Self {
        Survey {
            policy,
            goals,
            sheet,
            shown: vec![0; goals.len()],
            ways: BTreeMap::new(),
            candidates: Vec::new(),
            candidate_of: vec![None; goals.len()],
            open: vec![false; goals.len()],
        }
    }

    /// Counts what a case shows.
    pub(super) fn case(&mut self, case: &Case) {
        let checked = case.check(self.policy);
        let Ok(decision) = &checked.decision else { return };
        let trace = self.sheet.trace(decision);
        let mut seen: Vec<usize> = Vec::new();
        self.sheet.shown(self.goals, &trace, |goal| seen.push(goal));
        for goal in seen {
            self.shown[goal] += 1;
        }
        self.ways.entry((trace.path, trace.left)).or_default().0 += 1;
    }

    /// Looks for facts that show what no case does.
    pub(super) fn search(&mut self, max_steps: u64, rows: &[Spot]) {
        let model = self.policy.model();
        let Ok(mut search) = Search::new(model, self.goals, max_steps) else {
            self.open = self.shown.iter().map(|n| *n == 0).collect();
            return;
        };
        // Whatever shows a cell or a guard takes rows too.
        let (last, first): (Vec<usize>, Vec<usize>) =
            (0..self.goals.len()).partition(|goal| self.goals[*goal].what == What::Taken);
        for goal in first.into_iter().chain(last) {
            if self.shown[goal] > 0 || self.candidate_of[goal].is_some() {
                continue;
            }
            if let What::Refused(..) = self.goals[goal].what {
                self.refusal(goal, &mut search, rows);
                continue;
            }
            match search.find(&self.goals[goal]) {
                Found::At(values) => self.propose(goal, values, &self.refused_before(goal)),
                Found::Never => {}
                Found::Undecided => self.open[goal] = true,
            }
        }
        for way in search.ways() {
            let known = self.ways.keys().any(|(path, _)| *path == way);
            if !known && let Found::At(values) = search.way(&way) {
                self.keep(&values, Vec::new(), None);
            }
        }
    }

    /// The verbs that must be refused before an action of a row is left.
    fn refused_before(&self, goal: usize) -> Vec<String> {
        let Goal { spot, what: What::Left(left) } = &self.goals[goal] else { return Vec::new() };
        words(self.policy, *spot, *left)
    }

    /// Takes facts that may show a goal, if they do, as few of them as do.
    fn propose(&mut self, goal: usize, mut values: Vec<Value>, refuse: &[String]) {
        if !self.shows(goal, &values, refuse) {
            return;
        }
        for fact in 0..values.len() {
            let before = std::mem::take(&mut values[fact]);
            if before != Value::Unknown && !self.shows(goal, &values, refuse) {
                values[fact] = before;
            }
        }
        self.keep(&values, refuse.to_vec(), Some(goal));
    }

    fn shows(&self, goal: usize, values: &[Value], refuse: &[String]) -> bool {
        let Some((facts, refused)) = question(self.policy, values, refuse) else { return false };
        let trace = self.sheet.trace(&self.policy.decide_with(&facts, &refused));
        let mut shows = false;
        self.sheet.shown(self.goals, &trace, |shown| shows |= shown == goal);
        shows
    }

    /// Keeps a case, with all that it shows.
    fn keep(&mut self, values: &[Value], refuse: Vec<String>, goal: Option<usize>) {
        let Some((facts, refused)) = question(self.policy, values, &refuse) else { return };
        let place = self.candidates.len();
        let trace: Trace = self.sheet.trace(&self.policy.decide_with(&facts, &refused));
        let candidate_of = &mut self.candidate_of;
        self.sheet.shown(self.goals, &trace, |shown| {
            candidate_of[shown].get_or_insert(place);
        });
        let way = (trace.path, trace.left);
        let name = match goal {
            Some(goal) => tell::name(self.policy, &self.goals[goal]),
            None => tell::way_name(self.policy, &way),
        };
        self.ways.entry(way).or_insert((0, Some(place)));
        self.candidates.push(Candidate { refuse, facts, name });
    }

    /// Looks for facts that refuse a verb: those of a row that would act, with one of them set against it.
    fn refusal(&mut self, goal: usize, search: &mut Search<'_>, rows: &[Spot]) {
        let What::Refused(verb, by) = self.goals[goal].what.clone() else { return };
        let model = self.policy.model();
        for spot in rows {
            let Some(Outcome::Act(chain)) = spot.row(model).map(|row| &row.outcome) else { continue };
            let Some(place) = chain.actions.iter().position(|action| action.verb() == verb) else { continue };
            let left = Goal { spot: *spot, what: What::Left(place) };
            let Found::At(values) = search.find(&left) else { continue };
            if by == WORLD {
                self.propose(goal, values, &words(self.policy, *spot, place + 1));
            } else {
                let refuse = words(self.policy, *spot, place);
                for values in against(self.policy, &values, &by, &search.tried(&by)) {
                    if self.shows(goal, &values, &refuse) {
                        self.propose(goal, values, &refuse);
                        break;
                    }
                }
            }
            if self.candidate_of[goal].is_some() {
                return;
            }
        }
    }
}

/// Values with one fact set against an action, in every way that makes a difference.
fn against(policy: &Policy, values: &[Value], by: &str, tried: &[Value]) -> Vec<Vec<Value>> {
    let model = policy.model();
    let mut base = values.to_vec();
    // Where these two matter at all, another fact says so.
    let beside = match by {
        "hint" => Some(("pushback", "wait")),
        "tools" => Some(("effect", "inference")),
        _ => None,
    };
    if let Some((fact, word)) = beside
        && let Some(id) = model.fact_id(fact)
        && let Some(value) = model.fact(id).named_value(word)
    {
        base[id.0 as usize] = value;
    }
    let Some(id) = model.fact_id(by) else { return Vec::new() };
    let with = |value: &Value| {
        let mut values = base.clone();
        values[id.0 as usize] = value.clone();
        values
    };
    tried.iter().rev().map(with).collect()
}

/// The first so many actions of a row that can be refused, as `--refuse` takes them.
fn words(policy: &Policy, spot: Spot, n: usize) -> Vec<String> {
    let model = policy.model();
    let Some(Outcome::Act(chain)) = spot.row(model).map(|row| &row.outcome) else { return Vec::new() };
    let mut words: Vec<String> = Vec::new();
    for action in chain.actions.iter().take(n).filter(|action| action.verb().can_be_refused()) {
        let word = match action {
            Action::Failover { parity } => format!("failover to {}", parity_name(model, *parity)),
            _ => action.verb().to_string(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Values and words as a question of the policy.
fn question(policy: &Policy, values: &[Value], refuse: &[String]) -> Option<(Facts, Refused)> {
    let mut facts = policy.no_facts();
    for (fact, value) in
        policy.model().facts.values().zip(values).filter(|(f, v)| f.is_callers() && **v != Value::Unknown)
    {
        facts.set(policy.handle(&fact.name).ok()?, value.clone()).ok()?;
    }
    Some((facts, policy.refuse(refuse.iter().map(String::as_str)).ok()?))
}
