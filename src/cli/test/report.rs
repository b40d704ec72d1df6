//! What came of a run, as a value: every rendering reads it and nothing else.

use serde_json::Value as Json;

use super::gather::{Asked, Gathered, Suite};
use crate::cases::{Coverage, Miss};
use crate::cli::out::{self, Exit, Trouble, n};
use crate::cli::progress::Progress;
use crate::cli::threads;
use crate::decide::Policy;

/// How many cases one thread takes at a time.
const SHARE: usize = 256;

/// What came of a run.
pub(super) struct Report<'g> {
    /// By policy: what was gathered, and for each case what is wrong with it, if anything.
    pub(super) suites: Vec<(&'g Suite, Vec<Option<Failure>>)>,
    /// By policy: what its cases show of it, where that is asked for.
    pub(super) coverage: Vec<Option<Coverage>>,
    /// What reading and running took, in milliseconds.
    pub(super) took_ms: u64,
    /// What could not be read or asked.
    pub(super) troubles: Vec<Trouble>,
}

/// A case that does not hold.
pub(super) struct Failure {
    /// Expected against found.
    pub(super) misses: Vec<Miss>,
    /// The decision as JSON; nothing where the table is not reached.
    pub(super) decision: Option<Json>,
    /// The whole way of the decision, for a person; or why there is none.
    pub(super) why: String,
    /// The call that shows it again.
    pub(super) call: String,
}

impl<'g> Report<'g> {
    /// Runs every case, those of all policies side by side.
    pub(super) fn of(gathered: &'g Gathered) -> Report<'g> {
        let all: Vec<(&Suite, &Policy, &Asked)> = gathered
            .suites
            .iter()
            .filter_map(|suite| Some((suite, suite.policy.as_ref().ok()?)))
            .flat_map(|(suite, policy)| suite.cases.iter().map(move |asked| (suite, policy, asked)))
            .collect();
        let outcomes = {
            let progress = Progress::start("asking", all.len());
            threads::in_order(all.len(), SHARE, |i| {
                let failure = failure(all[i].0, all[i].1, all[i].2);
                progress.step();
                failure
            })
        };
        let mut outcomes = outcomes.into_iter();
        let of_suite = |suite: &'g Suite| {
            let n = if suite.policy.is_ok() { suite.cases.len() } else { 0 };
            (suite, outcomes.by_ref().take(n).collect())
        };
        let suites = gathered.suites.iter().map(of_suite).collect();
        let coverage = Vec::new();
        Report { suites, coverage, took_ms: 0, troubles: gathered.troubles.clone() }
    }

    /// The policies whose coverage was asked for.
    pub(super) fn covered(&self) -> impl Iterator<Item = (&'g Suite, &Coverage)> {
        let suites = self.suites.iter().map(|(suite, _)| *suite);
        suites.zip(&self.coverage).filter_map(|(suite, coverage)| Some((suite, coverage.as_ref()?)))
    }

    pub(super) fn n_cases(&self) -> usize {
        self.suites.iter().map(|(_, outcomes)| outcomes.len()).sum()
    }

    pub(super) fn n_failed(&self) -> usize {
        self.suites.iter().flat_map(|(_, outcomes)| outcomes).flatten().count()
    }

    pub(super) fn n_errors(&self) -> usize {
        self.suites.iter().map(|(suite, _)| suite.errors.len()).sum()
    }

    /// What could not be read or asked, for programs; nothing where all could.
    pub(super) fn unread(&self) -> Option<Json> {
        let told: Vec<String> = self.troubles.iter().map(Trouble::words).collect();
        (!told.is_empty()).then(|| told.into())
    }

    pub(super) fn exit(&self) -> Exit {
        let no = |suite: &Suite| suite.policy.is_err() || suite.is_bare();
        if !self.troubles.is_empty() || self.n_errors() > 0 {
            Exit::Unasked
        } else if self.n_failed() > 0 || self.suites.iter().any(|(suite, _)| no(suite)) {
            Exit::No
        } else {
            Exit::Yes
        }
    }

    /// What was run and what came of it, in one line.
    pub(super) fn summary(&self) -> String {
        let count = |of: fn(&Suite) -> usize| self.suites.iter().map(|(suite, _)| of(suite)).sum::<usize>();
        let policies = count(|suite| usize::from(suite.policy.is_ok()));
        if policies == 0 {
            return "nothing was tested".into();
        }
        let mut ran = vec![n(policies, "policy", "policies")];
        for (count, one, many) in [
            (count(|suite| suite.n_examples), "table of examples", "tables of examples"),
            (count(|suite| suite.n_files), "case file", "case files"),
        ] {
            if count > 0 {
                ran.push(n(count, one, many));
            }
        }
        let (cases, failed, errors) = (self.n_cases(), self.n_failed(), self.n_errors());
        let mut came = vec![format!("{} passed", cases - failed), format!("{failed} failed")];
        if errors > 0 {
            came.push(n(errors, "error", "errors"));
        }
        let (ran, came, took) = (ran.join(", "), came.join(", "), self.took_ms);
        format!("tested {ran}, {}: {came} in {took} ms", n(cases, "case", "cases"))
    }
}

/// What is wrong with a case, if anything.
fn failure(suite: &Suite, policy: &Policy, asked: &Asked) -> Option<Failure> {
    let checked = asked.case.check(policy);
    if checked.holds() {
        return None;
    }
    let (case, decision) = (&asked.case, checked.decision.as_ref().ok());
    let facts = case.facts().known().map(|(name, value)| (name, value.as_given()));
    let why = match &checked.decision {
        Ok(decision) => decision.why().to_string(),
        Err(error) => error.help().unwrap_or_default(),
    };
    Some(Failure {
        decision: decision.map(|decision| decision.to_json(None)),
        why,
        call: out::call("why", &suite.file, case.table(policy), facts, &case.refused()),
        misses: checked.misses,
    })
}
