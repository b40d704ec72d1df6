//! The path of a request allocates nothing: deciding, and reading what was decided. A binary of its own, because it
//! counts what the whole process asks its allocator for, thread by thread.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use allocation_counter::measure;
use nisi::compile::{NoSources, Options};
use nisi::decide::{Answers, Handle, Hint, Refused, Round, StandardFacts, World};
use nisi::judge::{self, AuthorizationRegistry, Dispatching, Envelope, Event, Intent, Observation, Releases};
use nisi::text::Source;
use nisi::words::{Acceptable, Authorization, Boundary, Condition, Dispatch, Effect, Pushback, Release, Tools, Verb};
use nisi::{Decision, Diagnostics, Facts, Policy};

const SHIPPED: [&str; 3] = [
    include_str!("../policies/field-guide.nisi"),
    include_str!("../policies/procurement.nisi"),
    include_str!("../policies/assistant.nisi"),
];

const RELEASES: &str = include_str!("cases/judge/releases.yaml");

/// Asks a decision for everything that an orchestrator's loop asks for; how many refusals it tells.
fn read(decision: &Decision<'_>) -> usize {
    let (bounds, wait) = (decision.wait_bounds_ms(), decision.wait(u64::MAX / 3));
    black_box((decision.verb(), decision.because(), bounds, wait, decision.is_gap(), decision.is_foreign()));
    black_box((decision.reason(), decision.queue(), decision.by(), decision.within_ms(), decision.parity()));
    black_box((decision.spend(), decision.copies(), decision.after_ms(), decision.policy().digest()));
    for row in decision.path() {
        black_box((row.table(), row.reason()));
    }
    let refusals = decision.guard().map(|guard| {
        (
            guard.wanted(),
            guard.refusals().fold(0, |n, refusal| n + usize::from(black_box(refusal).verb.can_be_refused())),
        )
    });
    refusals.map_or(0, |(_, n)| n)
}

/// Decides and reads; nothing may be allocated on the way.
#[track_caller]
fn decided(policy: &Policy, facts: &Facts, refused: &Refused) -> (Verb, usize) {
    let mut answer = (Verb::Review, 0);
    let counted = measure(|| {
        let decision = policy.decide_with(facts, refused);
        answer = (decision.verb(), read(&decision));
        black_box(read(&policy.decide(facts)));
    });
    assert_eq!(counted.count_total, 0, "{}: {}", policy.name(), policy.decide_with(facts, refused).why());
    answer
}

/// Facts of every condition, effect and boundary, from the barest to the fullest.
fn questions() -> impl Iterator<Item = StandardFacts> {
    let every = Condition::ALL.iter().flat_map(|c| Effect::ALL.iter().map(move |e| (*c, *e)));
    every.flat_map(|(condition, effect)| {
        let bare = StandardFacts { condition: Some(condition), effect: Some(effect), ..StandardFacts::default() };
        let full = StandardFacts {
            dispatch: Some(Dispatch::MaybeProcessed),
            tools: Some(Tools::Disabled),
            variation: Some(Acceptable::Acceptable),
            cost: Some(Acceptable::Acceptable),
            pushback: Some(Pushback::Wait),
            hint: Hint::After(Duration::from_secs(1)),
            authorization: Some(Authorization::Current),
            release: Some(Release::Registered),
            deadline: Some(Duration::from_secs(12)),
            budget: Some(2),
            attempt: Some(1),
            idempotent: Some(true),
            ..bare
        };
        let bounded = Boundary::ALL.iter().map(move |b| StandardFacts { boundary: Some(*b), ..full });
        bounded.chain([bare, StandardFacts { budget: Some(0), ..full }])
    })
}

#[test]
fn deciding_allocates_nothing_on_the_shipped_policies() {
    let (mut acts, mut refusals) = (0, 0);
    let compiled = SHIPPED.map(|text| Policy::compile(text).unwrap());
    // Of an artifact the cells of the rows are never unpacked on the way.
    let loaded = SHIPPED.map(|text| Policy::load(Policy::compile(text).unwrap().to_artifact()).unwrap());
    for policy in compiled.into_iter().chain(loaded) {
        let mut refused = Refused::nothing();
        for verb in [Verb::Retry, Verb::Hedge, Verb::Failover, Verb::Reconcile] {
            refused.add(verb, World::Pause);
        }
        for question in questions() {
            let facts = policy.facts(&question);
            let (verb, n) = decided(&policy, &facts, &Refused::nothing());
            acts += usize::from(verb.acts());
            refusals += n + decided(&policy, &facts, &refused).1;
        }
    }
    assert!(acts > 100 && refusals > 100, "{acts} acts and {refusals} refusals show little");
}

/// The rows of derives live on the stack, however many there are.
#[test]
fn deciding_allocates_nothing_with_many_derived_facts() {
    for n in [3, 40, 400] {
        let mut text = String::from("policy many\nversion 1\nfact f : yes, no\n");
        for i in 0..n {
            let from = if i == 0 { "f".to_string() } else { format!("d{}", i - 1) };
            writeln!(text, "derive d{i} : yes, no, first row wins\n| {from} | => d{i} |\n| yes | no |\n| - | yes |")
                .unwrap();
        }
        writeln!(text, "table t, first row wins\n| d{} | => action |\n| yes | stop |\n| - | review |", n - 1).unwrap();
        let quick = Options { proofs: false, ..Options::default() };
        let policy = Policy::compile_with(Source::new("many.nisi", text), &NoSources, &quick).unwrap();
        decided(&policy, &policy.no_facts(), &Refused::nothing());
    }
}

#[test]
fn gaps_and_the_facts_of_another_policy_allocate_nothing() {
    let text =
        "policy a\nversion 1\nfact region : eu, us\ntable t, first row wins\n| region | => action |\n| eu | stop |\n";
    let quick = Options { proofs: false, ..Options::default() };
    let policy = Policy::compile_with(Source::new("a.nisi", text), &NoSources, &quick).unwrap();
    let facts = policy.no_facts();
    assert!(policy.decide(&facts).is_gap());
    assert_eq!(decided(&policy, &facts, &Refused::nothing()), (Verb::Review, 0));
    let other = Policy::compile(SHIPPED[0]).unwrap();
    assert!(other.decide(&facts).is_foreign());
    assert_eq!(decided(&other, &facts, &Refused::nothing()), (Verb::Review, 0));
}

/// Facts are kept and set again for each question, without a look-up and without memory.
#[test]
fn facts_are_set_again_without_memory() {
    let text =
        "policy a\nversion 1\nuse std.facts\nfact region : eu, us\ntable t, first row wins\n| => action |\n| stop |\n";
    let policy = Policy::compile(text).unwrap();
    let handle = |name: &str| -> Handle { policy.handle(name).unwrap() };
    let handles = ["region", "deadline", "budget", "idempotent", "hint"].map(handle);
    let eu = policy.word(handles[0], "eu").unwrap();
    let mut facts = policy.no_facts();
    let counted = measure(|| {
        facts.choose(eu).unwrap();
        let [region, deadline, budget, idempotent, hint] = handles;
        facts.set_word(region, "us").unwrap();
        facts.set_duration(deadline, Duration::from_micros(1_500), Round::Down).unwrap();
        facts.set_count(budget, 3).unwrap();
        facts.set_flag(idempotent, true).unwrap();
        facts.set_word(hint, "none").unwrap();
        facts.set_unknown(region).unwrap();
    });
    assert_eq!(counted.count_total, 0);
    assert_eq!(facts.known().count(), 4);
}

/// A batch takes some memory of its own, and no more for many questions than for few.
#[test]
fn a_batch_allocates_no_more_for_many_questions() {
    let small = "policy a\nversion 1\nfact budget : count\ntable t, first row wins\n| budget | => action |\n| >= 2 | stop |\n\
        | otherwise | review |\n";
    for text in SHIPPED.into_iter().chain([small]) {
        let policy = Policy::compile(text).unwrap();
        let budget = policy.handle("budget").unwrap();
        let numbers: Vec<u32> = (0..8_192).map(|i| i % 5).collect();
        let mut answers = Answers::default();
        let mut counted = |n: usize| {
            let mut columns = policy.columns(n);
            columns.numbers(budget, &numbers[..n], None).unwrap();
            policy.decide_batch(&columns, &mut answers).unwrap();
            measure(|| policy.decide_batch(&columns, &mut answers).unwrap()).count_total
        };
        assert_eq!(counted(8_192), counted(1_024), "{}", policy.name());
    }
}

/// A clone of a policy is a counter; a clone of facts is their values, the same as small numbers, and where both are.
#[test]
fn clones_are_cheap() {
    let policy = Policy::compile(SHIPPED[0]).unwrap();
    let facts = policy.facts(&StandardFacts::default());
    assert_eq!(measure(|| drop(black_box(policy.clone()))).count_total, 0);
    assert_eq!(measure(|| drop(black_box(facts.clone()))).count_total, 3);
}

/// What is asked from many threads at once can be, and a refusal can travel as an error.
#[test]
fn policies_and_facts_go_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Policy>();
    shared::<Facts>();
    shared::<Handle>();
    shared::<Refused>();
    shared::<StandardFacts>();
    shared::<Diagnostics>();
    shared::<Decision<'static>>();
    let policy = Policy::compile(SHIPPED[0]).unwrap();
    let facts = policy.facts(&StandardFacts { condition: Some(Condition::Rejected), ..StandardFacts::default() });
    let here = policy.decide(&facts).to_string();
    let there: Vec<String> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..4).map(|_| scope.spawn(|| policy.decide(&facts).to_string())).collect();
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(there, vec![here; 4]);
}

/// Judging allocates nothing in facts that are kept, on every condition, in a world of releases, approvals and a brake that
/// is full or empty; in facts of its own it allocates those. What its record holds is asked for afterwards.
#[test]
fn the_next_move_allocates_nothing_beyond_its_record() {
    let envelope = Envelope::read(include_str!("cases/judge/order.yaml")).unwrap();
    let releases = Releases::read([("r.yaml", RELEASES)]).unwrap();
    let text = "authorization: approval-3\nstatus: current\nlimits: {amount: 5000}\n";
    let approvals = AuthorizationRegistry::read([("a.yaml", text)]).unwrap();
    let policy = Policy::compile(SHIPPED[0]).unwrap();
    let (now, fresh) = (envelope.created_at(), Intent::new(envelope));
    let open = dispatched(&fresh);
    let mut kept = policy.no_facts();
    let mut verbs = BTreeSet::new();
    for (intent, brake) in [(&fresh, 9), (&open, 9), (&open, 0)] {
        let world = judge::World {
            authorizations: Some(&approvals),
            releases: Some(&releases),
            brake: Some(brake),
            ..judge::World::at(now.plus_ms(1_000), "coordinator")
        };
        for condition in Condition::ALL {
            let seen = Observation { pushback: Some(Pushback::None), ..Observation::of(*condition) };
            let mut verb = Verb::Review;
            let counted = measure(|| {
                let next = policy.next_move_in(&mut kept, intent, &seen, &world);
                black_box(next.action());
                verb = next.verb();
            });
            assert_eq!(counted.count_total, 0, "{condition}: {verb}");
            verbs.insert(verb);
            let own = measure(|| drop(black_box(policy.next_move(intent, &seen, &world)))).count_total;
            assert_eq!(own, measure(|| drop(policy.no_facts())).count_total, "{condition}");
        }
    }
    assert!(verbs.contains(&Verb::Retry) && verbs.contains(&Verb::Reconcile) && verbs.len() > 4, "{verbs:?}");
}

/// An intent whose first attempt went out.
fn dispatched(intent: &Intent) -> Intent {
    let envelope = intent.envelope();
    let attempt = Dispatching::next(intent, envelope.created_at());
    let version = envelope.authorization_version().clone();
    let events = [Event::Prepare, Event::Authorize(version), Event::Dispatch(attempt)];
    events.into_iter().fold(intent.clone(), |intent, event| intent.step(event).unwrap().0)
}
