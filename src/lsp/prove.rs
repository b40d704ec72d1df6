//! The thread that proves: what is true for every input, and what the examples say, a moment after the typing.
//!
//! A job waits until nothing new has come for a moment, and a newer job for the same file takes its place. A proof is
//! made in rounds, each with ten times the steps of the one before; between rounds a newer job is looked for, so that
//! no round is longer than its steps, and what was typed over is dropped.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::documents::Texts;
use super::ran::{self, Ran};
use crate::cases::{self, Outcome};
use crate::compile::{self, Compiled, Options};
use crate::decide::Policy;
use crate::diag::Diagnostics;
use crate::text::Source;

/// How long nothing new must have come before proofs begin.
const QUIET: Duration = Duration::from_millis(120);
/// The steps of the rounds; the last is what `nisi check` takes.
const ROUNDS: [u64; 3] = [20_000, 200_000, 2_000_000];

/// A file to be proven.
pub(super) struct Job {
    /// Its name.
    pub(super) name: String,
    /// The number of the reading that asks.
    pub(super) reading: u64,
    /// Its text.
    pub(super) source: Source,
    /// What it may use.
    pub(super) texts: Texts,
    /// The day for waivers.
    pub(super) today: Option<String>,
    /// The case file that is asked for, where the source is only its policy.
    pub(super) cases: Option<Source>,
}

/// What the thread has to say.
pub(super) enum Said {
    /// Of a policy or a vocabulary.
    Proven(Box<Proven>),
    /// Of a case file that is open.
    Ran(Box<Ran>),
}

/// What came of a job.
pub(super) struct Proven {
    /// Its file.
    pub(super) name: String,
    /// The reading that asked.
    pub(super) reading: u64,
    /// All findings, those of the examples too.
    pub(super) diagnostics: Diagnostics,
    /// The policy, where no finding is an error.
    pub(super) policy: Option<Policy>,
    /// What came of the examples.
    pub(super) outcomes: Vec<Outcome>,
    /// What came of the case files beside it.
    pub(super) ran: Vec<Ran>,
}

/// The thread: jobs go in, proofs come out. It ends when the jobs' sender is dropped.
pub(super) struct Prover {
    pub(super) jobs: Sender<Job>,
    pub(super) proofs: Receiver<Said>,
}

impl Prover {
    pub(super) fn start() -> Self {
        let (jobs, asked) = unbounded();
        let (answers, proofs) = unbounded();
        thread::spawn(move || Work { asked, waiting: BTreeMap::new() }.run(&answers));
        Prover { jobs, proofs }
    }
}

struct Work {
    asked: Receiver<Job>,
    /// The newest job of each file.
    waiting: BTreeMap<String, Job>,
}

impl Work {
    fn run(mut self, answers: &Sender<Said>) {
        while self.gather() {
            while let Some((_, job)) = self.waiting.pop_first() {
                if self.prove(&job, answers).is_none() {
                    break;
                }
            }
        }
    }

    /// Waits for jobs, and then until it is quiet; whether there will ever be more.
    fn gather(&mut self) -> bool {
        if self.waiting.is_empty() {
            let Ok(job) = self.asked.recv() else { return false };
            self.put(job);
        }
        loop {
            match self.asked.recv_timeout(QUIET) {
                Ok(job) => self.put(job),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    fn put(&mut self, job: Job) {
        self.waiting.insert(job.name.clone(), job);
    }

    /// Proves a file; nothing where something newer has come meanwhile, with which to be quiet again.
    fn prove(&mut self, job: &Job, answers: &Sender<Said>) -> Option<()> {
        if let Some(asked) = &job.cases {
            // Who asked may be gone.
            let _ = answers.send(Said::Ran(Box::new(cases_of(job, asked))));
            return Some(());
        }
        for (i, steps) in ROUNDS.into_iter().enumerate() {
            if self.is_overtaken(job) {
                return None;
            }
            let options = Options { max_steps: steps, today: job.today.clone(), ..Options::default() };
            let compiled = compile::compile(job.source.clone(), &job.texts, &options);
            let cut = compiled.diagnostics.items.iter().any(|d| matches!(d.code.id, "N0309" | "N0310" | "N0324"));
            if !cut || i + 1 == ROUNDS.len() {
                // Who asked may be gone.
                let _ = answers.send(Said::Proven(Box::new(told(job, compiled))));
                break;
            }
        }
        Some(())
    }

    /// Takes in what has come; whether the same file was asked for again.
    fn is_overtaken(&mut self, job: &Job) -> bool {
        for newer in self.asked.try_iter().collect::<Vec<_>>() {
            self.put(newer);
        }
        self.waiting.contains_key(&job.name)
    }
}

fn told(job: &Job, compiled: Compiled) -> Proven {
    let Compiled { policy, mut diagnostics, .. } = compiled;
    let outcomes = policy.as_ref().map(|p| cases::run_examples(p, &diagnostics.sources)).unwrap_or_default();
    diagnostics.items.extend(outcomes.iter().filter_map(|outcome| outcome.finding.clone()));
    let beside =
        policy.iter().flat_map(|p| ran::beside(&job.name, &job.texts).into_iter().map(|file| ran::run(p, file)));
    let ran = beside.collect();
    Proven { name: job.name.clone(), reading: job.reading, diagnostics, policy, outcomes, ran }
}

/// Runs an open case file; the policy is asked as it stands, proven or not.
fn cases_of(job: &Job, asked: &Source) -> Ran {
    let options = Options { proofs: false, lints: false, today: job.today.clone(), ..Options::default() };
    let compiled = compile::compile(job.source.clone(), &job.texts, &options);
    match compiled.policy {
        Some(policy) => ran::run(&policy, asked.clone()),
        None => Ran::not_asked(asked.clone(), &format!("`{}` has errors, and cannot be asked", job.source.name())),
    }
}
