//! Expected against found, point by point. Where all is as expected nothing is allocated but a row's way.

use std::collections::BTreeSet;

use crate::decide::{Decision, Policy, RefusedBy, TableError};
use crate::model::show_action;
use crate::words::{Verb, show_duration};

use super::case::{Act, At, Case, Miss};

/// What is not as expected.
pub(super) fn misses(case: &Case, policy: &Policy, decision: Result<&Decision<'_>, &TableError>) -> Vec<Miss> {
    let decision = match decision {
        Ok(decision) if !decision.is_foreign() => decision,
        Ok(_) => return vec![miss("table", "the policy that the case is for", "another one")],
        Err(error) => {
            let table = policy.model().tables.get(case.table.0).map_or("", |t| &*t.name);
            return vec![miss("table", &format!("facts that reach `{table}`"), &error.to_string())];
        }
    };
    let words = Words { policy };
    let mut misses = Vec::new();
    words.actions(case, decision, &mut misses);
    words.rows(case, decision, &mut misses);
    words.path(case, decision, &mut misses);
    misses.extend(wait(case, decision));
    refused(case, decision, &mut misses);
    misses
}

fn miss(what: &'static str, expected: &str, found: &str) -> Miss {
    Miss { what, expected: expected.into(), found: found.into() }
}

/// Tells of a policy's things by their names.
struct Words<'p> {
    policy: &'p Policy,
}

impl Words<'_> {
    fn actions(&self, case: &Case, decision: &Decision<'_>, misses: &mut Vec<Miss>) {
        let (found, wanted, unwanted) = (decision.action(), &case.expect.actions, &case.not.actions);
        let told = || show_action(self.policy.model(), found);
        if !wanted.is_empty() && !wanted.iter().any(|act| act.is(found)) {
            misses.push(miss("action", &either(wanted, |act| self.act(act)), &told()));
        }
        if unwanted.iter().any(|act| act.is(found)) {
            misses.push(miss("action", &format!("not {}", either(unwanted, |act| self.act(act))), &told()));
        }
    }

    fn rows(&self, case: &Case, decision: &Decision<'_>, misses: &mut Vec<Miss>) {
        let (wanted, unwanted) = (&case.expect.rows, &case.not.rows);
        if wanted.is_empty() && unwanted.is_empty() {
            return;
        }
        let found = decision.steps().next_back();
        let told = || found.map_or_else(|| "no row".to_string(), |at| self.row(at));
        let is = |at: &At| Some(*at) == found;
        if !wanted.is_empty() && !wanted.iter().any(is) {
            misses.push(miss("row", &either(wanted, |at| self.row(*at)), &told()));
        }
        if unwanted.iter().any(is) {
            misses.push(miss("row", &format!("not {}", either(unwanted, |at| self.row(*at))), &told()));
        }
    }

    fn path(&self, case: &Case, decision: &Decision<'_>, misses: &mut Vec<Miss>) {
        let told = || self.way(&decision.steps().collect::<Vec<_>>());
        if let Some(path) = &case.expect.path
            && !decision.steps().eq(path.iter().copied())
        {
            misses.push(miss("path", &self.way(path), &told()));
        }
        if let Some(taken) = decision.steps().find(|at| case.not.path.contains(at)) {
            misses.push(miss("path", &format!("not over {}", self.row(taken)), &told()));
        }
    }

    fn act(&self, act: &Act) -> String {
        match act {
            Act::Verb(verb) => verb.to_string(),
            Act::Whole(action) => show_action(self.policy.model(), action),
        }
    }

    fn row(&self, (table, row): At) -> String {
        let table = self.policy.model().tables.get(table.0);
        table.map_or_else(String::new, |t| {
            format!("{}/{}", t.name, t.rows.get(row).map_or_else(String::new, |r| r.label(row)))
        })
    }

    fn way(&self, path: &[At]) -> String {
        let rows: Vec<String> = path.iter().map(|at| self.row(*at)).collect();
        if rows.is_empty() { "no row".to_string() } else { rows.join(", then ") }
    }
}

fn wait(case: &Case, decision: &Decision<'_>) -> Option<Miss> {
    let wanted = case.expect.wait_ms?;
    let found = decision.wait_bounds_ms();
    let told = || found.map_or_else(|| "no wait: nothing is retried".to_string(), bounds);
    (found != Some(wanted)).then(|| miss("wait", &bounds(wanted), &told()))
}

fn refused(case: &Case, decision: &Decision<'_>, misses: &mut Vec<Miss>) {
    let (wanted, unwanted) = (&case.expect.refused, &case.not.refused);
    if wanted.is_none() && unwanted.is_empty() {
        return;
    }
    let found = refusals(decision);
    let list = |set: &BTreeSet<(Verb, String)>| {
        let words: Vec<String> = set.iter().map(|(verb, by)| format!("{verb} by {by}")).collect();
        if words.is_empty() { "nothing refused".to_string() } else { words.join(", ") }
    };
    if let Some(wanted) = wanted.as_ref().filter(|wanted| **wanted != found) {
        misses.push(miss("refused", &list(wanted), &list(&found)));
    }
    if let Some(verb) = unwanted.iter().find(|verb| found.iter().any(|(v, _)| v == *verb)) {
        misses.push(miss("refused", &format!("{verb} not refused"), &list(&found)));
    }
}

fn either<T>(list: &[T], show: impl Fn(&T) -> String) -> String {
    list.iter().map(show).collect::<Vec<_>>().join(" or ")
}

/// What refused the wanted action, and each fallback before the one that is left: by a fact's name, or `world`.
pub(super) fn refusals(decision: &Decision<'_>) -> BTreeSet<(Verb, String)> {
    let Some(guard) = decision.guard() else { return BTreeSet::new() };
    let by = |by: RefusedBy<'_>| match by {
        RefusedBy::Fact { name, .. } => name.to_string(),
        RefusedBy::World(_) => WORLD.to_string(),
    };
    guard.refusals().map(|refusal| (refusal.verb, by(refusal.by))).collect()
}

/// How a case speaks of a refusal that only the world knows the reason of.
pub(super) const WORLD: &str = "world";

/// `200ms..600ms`
pub(super) fn bounds((lo, hi): (u64, u64)) -> String {
    if lo == hi { show_duration(lo) } else { format!("{}..{}", show_duration(lo), show_duration(hi)) }
}
