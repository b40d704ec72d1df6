//! Decisions on a small policy of the standard vocabulary, made by hand.

use std::time::Duration;

use super::*;
use crate::model::testing::{act, choice_fact, cond, derive, fact, number, row, see, set, table};
use crate::model::{
    Action, Backoff, Budget, Fact, FactSource, Jitter, Model, NumberKind, NumberType, Parity, Type, Value,
};
use crate::program::Program;
use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;
use crate::words::{Authorization, Boundary, Condition, Effect, ParityVerdict, Pushback, Tools, Verb};

fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> String {
    all.iter().map(|t| word(*t)).collect::<Vec<_>>().join(" ")
}

fn standard(model: &mut Model) {
    choice_fact(model, "condition", &words(Condition::ALL, Condition::as_str));
    choice_fact(model, "effect", &words(Effect::ALL, Effect::as_str));
    choice_fact(model, "boundary", &words(Boundary::ALL, Boundary::as_str));
    choice_fact(model, "tools", &words(Tools::ALL, Tools::as_str));
    choice_fact(model, "idempotent", "yes no");
    choice_fact(model, "pushback", &words(Pushback::ALL, Pushback::as_str));
    choice_fact(model, "authorization", &words(Authorization::ALL, Authorization::as_str));
    fact(model, "hint", number(NumberKind::Duration), &["none"], FactSource::Caller);
    fact(model, "deadline", number(NumberKind::Duration), &[], FactSource::Caller);
    fact(model, "budget", number(NumberKind::Count), &[], FactSource::Caller);
    fact(model, "attempt", number(NumberKind::Count), &[], FactSource::Caller);
    fact(model, "parity.twin", crate::model::testing::choice("holds refused"), &[], FactSource::Parity(0));
    fact(model, "channel", Type::Text, &[], FactSource::Caller);
    let cents = NumberType { kind: NumberKind::Decimal, lo: 0, hi: 10i128.pow(21), step: 10i128.pow(16), dense: false };
    fact(model, "amount", Type::Number(cents), &[], FactSource::Caller);
    model.parities.push(Parity { name: "twin".into(), terms: Vec::new(), span: Span::default() });
    model.backoffs.push(Backoff {
        name: "gentle".into(),
        base_ms: 200,
        factor_tenths: 20,
        cap_ms: 800,
        jitter: Jitter::Full,
        steps_ms: vec![200, 400, 800],
        span: Span::default(),
    });
    model.budget = Some(Budget {
        owner: "coordinator".into(),
        below: Vec::new(),
        attempts: 3,
        refill: None,
        deadline_ms: 20_000,
        reserve_ms: 0,
        confirm: 1,
        least_ms: 300,
        late_ms: 0,
        span: Span::default(),
    });
}

fn retry() -> Action {
    Action::Retry { backoff: Some(0), spend: 1 }
}

fn model() -> Model {
    let mut model = Model { name: "small".into(), version: "1.0".into(), ..Model::default() };
    standard(&mut model);
    let is = |model: &Model, name: &str, words: &str| {
        let id = model.fact_id(name).unwrap();
        cond(id, set(model, id, words))
    };
    let reads = is(&model, "effect", "immutable_read read verification");
    let rows =
        vec![(RowKind::Plain, vec![reads], Value::Choice(1)), (RowKind::Otherwise, Vec::new(), Value::Choice(0))];
    derive(&mut model, "open", "yes no", rows);
    let one = |name: &str, condition: &str, more: Vec<_>, outcome| {
        let conds = std::iter::once(is(&model, "condition", condition)).chain(more).collect();
        row(name, RowKind::Plain, conds, outcome)
    };
    let stop = act(vec![Action::Stop { reason: Some("refused for good".into()) }]);
    let mut entry = vec![
        one("refused", "rejected", Vec::new(), stop),
        one("slow", "timeout", vec![is(&model, "open", "no")], act(vec![retry()])),
        one("open", "timeout", vec![is(&model, "open", "yes")], see(1)),
        one("down", "provider_failure", Vec::new(), act(vec![Action::Failover { parity: 0 }, Action::Wait])),
        one("late", "pending", Vec::new(), act(vec![Action::Hedge { copies: 3, after_ms: 100 }])),
    ];
    entry[1].reason = Some("a read is harmless".into());
    let otherwise =
        |queue: &str| row("", RowKind::Otherwise, Vec::new(), act(vec![Action::Review { queue: Some(queue.into()) }]));
    let promise = vec![is(&model, "open", "yes")];
    let same = row("same", RowKind::Plain, vec![is(&model, "idempotent", "yes")], act(vec![retry()]));
    entry.push(otherwise("people"));
    model.tables.push(table("recovery", Hit::First, Vec::new(), entry));
    model.tables.push(table("opens", Hit::First, promise, vec![same, otherwise("operations")]));
    model
}

fn policy() -> Policy {
    let model = model();
    let program = Program::build(&model);
    Policy::new(model, program, true, [].into())
}

fn read() -> StandardFacts {
    StandardFacts {
        condition: Some(Condition::Timeout),
        effect: Some(Effect::Read),
        deadline: Some(Duration::from_secs(5)),
        budget: Some(1),
        attempt: Some(1),
        ..StandardFacts::default()
    }
}

fn needs(policy: &Policy, standard: &StandardFacts) -> Vec<String> {
    let facts = policy.facts(standard);
    let decision = policy.decide(&facts);
    let Some(guard) = decision.guard() else { return Vec::new() };
    guard
        .refusals()
        .map(|r| match r.by {
            RefusedBy::Fact { name, need, .. } => format!("{} {name} {need}", r.verb),
            RefusedBy::World(world) => format!("{} {world}", r.verb),
        })
        .collect()
}

#[test]
fn a_read_is_repeated_within_its_bounds() {
    let policy = policy();
    let facts = policy.facts(&read());
    let decision = policy.decide(&facts);
    assert_eq!((decision.verb(), decision.wait_bounds_ms()), (Verb::Retry, Some((0, 200))));
    assert_eq!(decision.because(), Some("a read is harmless"));
    assert_eq!(decision.row_name().as_deref(), Some("recovery/slow"));
    assert_eq!(decision.wait(u64::MAX), Some(200));
    let bounds = |f: &dyn Fn(&mut StandardFacts)| {
        let mut standard = read();
        f(&mut standard);
        let facts = policy.facts(&standard);
        policy.decide(&facts).wait_bounds_ms()
    };
    assert_eq!(bounds(&|f| f.attempt = Some(0)), Some((0, 200)));
    assert_eq!(bounds(&|f| f.attempt = Some(2)), Some((0, 400)));
    assert_eq!(bounds(&|f| f.attempt = Some(99)), Some((0, 800)));
    assert_eq!(bounds(&|f| f.attempt = None), Some((0, 800)));
    assert_eq!(bounds(&|f| f.hint = Hint::None), Some((0, 200)));
    // Asked of us: up. Left of ours: down.
    assert_eq!(bounds(&|f| f.hint = Hint::After(Duration::from_micros(999_001))), Some((1_000, 1_200)));
    assert_eq!(bounds(&|f| f.deadline = Some(Duration::from_micros(400_999))), Some((0, 100)));
    assert_eq!(bounds(&|f| f.deadline = Some(Duration::from_micros(299_999))), None);
    let tight = |f: &mut StandardFacts| {
        f.hint = Hint::After(Duration::from_secs(1));
        f.deadline = Some(Duration::from_millis(1_350));
    };
    assert_eq!(bounds(&tight), Some((1_000, 1_050)));
    assert_eq!(
        bounds(&|f| (f.hint, f.deadline) = (Hint::After(Duration::from_secs(1)), Some(Duration::from_secs(1)))),
        None
    );
}

#[test]
fn unknown_refuses_and_all_that_failed_is_told_in_order() {
    let policy = policy();
    let base = StandardFacts { condition: Some(Condition::Timeout), effect: Some(Effect::Write), ..Default::default() };
    let same = StandardFacts { idempotent: Some(true), ..base };
    assert_eq!(needs(&policy, &same), ["retry budget >= 1", "retry deadline >= 300ms", "retry authorization current"]);
    let told = StandardFacts {
        pushback: Some(Pushback::Wait),
        authorization: Some(Authorization::Stale),
        budget: Some(0),
        ..StandardFacts { effect: Some(Effect::Read), deadline: Some(Duration::from_secs(1)), ..base }
    };
    assert_eq!(
        needs(&policy, &told),
        ["retry budget >= 1", "retry hint known", "retry authorization unknown, current"]
    );
    let stop = StandardFacts { pushback: Some(Pushback::Stop), ..read() };
    assert_eq!(needs(&policy, &stop), ["retry pushback unknown or not stop"]);
    assert_eq!(needs(&policy, &read()), [""; 0]);
    // No room for a wait at all, but for a try.
    assert_eq!(needs(&policy, &StandardFacts { deadline: Some(Duration::from_millis(300)), ..read() }), [""; 0]);
}

#[test]
fn hedges_and_failovers_have_needs_of_their_own() {
    let policy = policy();
    let pending = StandardFacts { condition: Some(Condition::Pending), budget: Some(1), ..read() };
    assert_eq!(needs(&policy, &pending), ["hedge budget >= 2"]);
    let pending = StandardFacts { budget: Some(2), ..pending };
    let draft = |tools| StandardFacts { effect: Some(Effect::Inference), tools, ..pending };
    assert_eq!(needs(&policy, &draft(Some(Tools::Disabled))), [""; 0]);
    assert_eq!(needs(&policy, &draft(None)), ["hedge tools disabled", "hedge authorization current"]);
    let write = StandardFacts { effect: None, authorization: Some(Authorization::Current), ..pending };
    assert_eq!(needs(&policy, &write), ["hedge effect immutable_read, read, verification, inference"]);
    assert_eq!(
        needs(&policy, &StandardFacts { deadline: Some(Duration::from_millis(399)), ..pending }),
        ["hedge deadline >= 400ms"]
    );
    let down = StandardFacts { condition: Some(Condition::ProviderFailure), ..read() };
    let wanted = ["failover parity.twin holds", "failover authorization current", "failover boundary not_crossed"];
    assert_eq!(needs(&policy, &down), wanted);
    let down = StandardFacts {
        parity: Some(ParityVerdict::Holds),
        authorization: Some(Authorization::Current),
        boundary: Some(Boundary::NotCrossed),
        ..down
    };
    let facts = policy.facts(&down);
    assert_eq!(policy.decide(&facts).verb(), Verb::Failover);
    let refused = policy.refuse(["failover to twin"]).unwrap();
    let decision = policy.decide_with(&facts, &refused);
    assert_eq!((decision.verb(), decision.guard().map(|g| g.wanted())), (Verb::Wait, Some(Verb::Failover)));
}

#[test]
fn refused_verbs_are_read_with_help() {
    let policy = policy();
    let errors = policy.refuse(["stop", "rety", "failover to twn", "hedge now", "retry"]).unwrap_err();
    let told: Vec<String> = errors.iter().map(|e| format!("{e}: {}", e.help().unwrap_or_default())).collect();
    assert_eq!(errors.len(), 4);
    assert!(told[0].starts_with("`stop` cannot be refused"), "{told:?}");
    assert!(told[1].ends_with("did you mean `retry`?") && told[2].ends_with("did you mean `twin`?"), "{told:?}");
    assert_eq!(told[3], "`hedge` is not refused by name: write `hedge` alone");
}

#[test]
fn a_table_is_asked_only_where_it_can_be_reached() {
    let policy = policy();
    let write = StandardFacts { effect: Some(Effect::Write), ..read() };
    let (reads, writes) = (policy.facts(&read()), policy.facts(&write));
    let nothing = Refused::nothing();
    let decision = policy.decide_table("opens", &writes, &nothing).unwrap();
    assert_eq!(decision.path().count(), 1);
    assert_eq!(decision.row_name().as_deref(), Some("opens/otherwise"));
    let error = |table: &str, facts| policy.decide_table(table, facts, &nothing).unwrap_err().to_string();
    assert_eq!(error("opens", &reads), "table `opens` promises that `open` is yes, and here it is no");
    let done = policy.facts(&StandardFacts { condition: Some(Condition::Rejected), ..write });
    assert_eq!(error("opens", &done), "these facts do not reach table `opens`: row `recovery/refused` answers first");
    let unknown = policy.decide_table("open", &reads, &nothing).unwrap_err();
    assert_eq!(unknown.help().as_deref(), Some("did you mean `opens`?"));
}

#[test]
fn facts_and_handles_belong_to_one_policy() {
    let (ours, mut other) = (policy(), model());
    other.version = "2.0".into();
    let program = Program::build(&other);
    let other = Policy::new(other, program, true, [].into());
    let again = policy();
    let facts = other.facts(&read());
    assert!(ours.decide(&facts).is_foreign() && ours.decide(&facts).verb() == Verb::Review);
    let facts = again.facts(&read());
    assert_eq!(ours.decide(&facts).verb(), Verb::Retry);
    let mut facts = ours.no_facts();
    let handle = other.handle("channel").unwrap();
    assert_eq!(facts.set_text(handle, "web"), Err(FactError::ForeignHandle));
}

#[test]
fn handles_hold_values_to_their_domain() {
    let policy = policy();
    let mut facts = policy.no_facts();
    let handle = |name: &str| policy.handle(name).unwrap();
    facts.set_decimal(handle("amount"), "12.34").unwrap();
    let error = facts.set_decimal(handle("amount"), "12.345").unwrap_err();
    assert_eq!(
        error.with_help(),
        "`12.345` is no step of `amount`; it goes in steps of 0.01; the nearest are 12.34 and 12.35"
    );
    let error = facts.set_decimal(handle("amount"), "1000.01").unwrap_err();
    assert_eq!(error.with_help(), "`1000.01` is outside the domain of `amount`; it may be 0 to 1000, in steps of 0.01");
    facts.set_word(handle("hint"), "none").unwrap();
    facts.set_duration(handle("hint"), Duration::from_micros(1_500), Round::Up).unwrap();
    assert_eq!(facts.get(handle("hint")).map(|v| v.value), Some(&Value::Number(2)));
    facts.set_flag(handle("idempotent"), true).unwrap();
    assert!(facts.set_flag(handle("effect"), true).is_err() && facts.set_count(handle("deadline"), 1).is_err());
    assert!(facts.set_text(handle("channel"), &"x".repeat(MAX_FACT_TEXT + 1)).is_err());
    let derived = policy.handle("open").unwrap_err();
    assert_eq!(derived.with_help(), "`open` cannot be given: the policy derives it; give what it comes from: `effect`");
    assert_eq!(policy.handle("efect").unwrap_err().help().as_deref(), Some("did you mean `effect`?"));
}

fn given(pairs: &[(&str, Raw)]) -> Vec<(String, Raw)> {
    pairs.iter().map(|(name, raw)| ((*name).to_string(), raw.clone())).collect()
}

#[test]
fn facts_come_in_by_name() {
    let policy = policy();
    let text = |t: &str| Raw::Text(t.into());
    let digits = |t: &str| Raw::Number(t.into());
    let facts = policy
        .read_facts(given(&[
            ("condition", text("timeout")),
            ("effect", text("read")),
            ("deadline", digits("5000")),
            ("budget", digits("1")),
            ("attempt", Raw::Null),
            ("idempotent", Raw::Bool(true)),
            ("hint", text("none")),
            ("pushback", text("unknown")),
            ("channel", text("unknown")),
            ("amount", digits("0.10")),
            ("parity", text("holds")),
        ]))
        .unwrap();
    let value = |name: &str| facts.get(policy.handle(name).unwrap()).unwrap().value.clone();
    assert_eq!(value("pushback"), Value::Unknown);
    assert_eq!(value("channel"), Value::Text("unknown".into()));
    assert_eq!(value("amount"), Value::Number(10i128.pow(17)));
    assert_eq!(value("parity.twin"), Value::Choice(0));
    let plain = |t: &str| Raw::Plain(t.into());
    let pairs = [
        ("parity", plain("holds")),
        ("parity.twin", Raw::Null),
        ("channel", plain("true")),
        ("deadline", plain("5000")),
    ];
    let facts = policy.read_facts(given(&pairs)).unwrap();
    let value = |name: &str| facts.get(policy.handle(name).unwrap()).unwrap().value.clone();
    assert_eq!((value("parity.twin"), value("deadline")), (Value::Unknown, Value::Number(5_000)));
    assert_eq!(value("channel"), Value::Text("true".into()));
}

#[test]
fn every_error_of_a_map_is_told() {
    let policy = policy();
    let number = |t: &str| Raw::Number(t.into());
    let pairs = [
        ("budget", number("1.0")),
        ("attempt", number("-1")),
        ("deadline", number("1e3")),
        ("hint", Raw::Text("never".into())),
        ("channel", number("7")),
        ("effect", Raw::List),
        ("effect", Raw::Null),
        ("boundary", Raw::Bool(true)),
        ("parity", number("1")),
        ("parity", Raw::Null),
        ("budge", Raw::Null),
        ("open", Raw::Null),
    ];
    let told: Vec<String> = policy.read_facts(given(&pairs)).unwrap_err().iter().map(FactError::with_help).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    `budget`: `1.0` is not a whole number; write digits only, such as `3`
    `-1` is outside the domain of `attempt`; it may be 0 or more
    `deadline`: `1e3` is not plain digits; write whole milliseconds, or a text with units, such as "1.5s"
    `hint`: `never` is not a duration; write digits and a unit (`ms`, `s`, `m`, `h`, `d`), such as `300ms`, or `none`
    `channel` cannot be the number 7; write a text, in quotes, or null for unknown
    `effect` cannot be a list; write one of `immutable_read`, `read`, `inference`, `proposal`, `write`, `consequential_write`, `verification`, or null for unknown
    `effect` is given twice; keep one of the two
    `boundary` cannot be true; write one of `not_crossed`, `maybe_crossed`, `crossed`, or null for unknown
    `parity` is given twice; keep one of the two
    there is no fact `budge`; did you mean `budget`?
    `open` cannot be given: the policy derives it; give what it comes from: `effect`
    `parity.twin` cannot be the number 1; write one of `holds`, `refused`, or null for unknown
    "#);
}

#[test]
fn why_tells_rows_guards_and_the_nearest_act() {
    let policy = policy();
    let write = StandardFacts { effect: Some(Effect::Write), budget: Some(0), ..read() };
    let facts = policy.facts(&write);
    let why = policy.decide(&facts).why().to_string();
    insta::assert_snapshot!(why, @r#"
    review operations
      by row      recovery/open, then opens/otherwise
      policy      small 1.0

    table recovery, first row wins
      - refused  condition is timeout; it asks for rejected
      - slow     open is yes; it asks for no
                 open by its row otherwise: effect is write
      > open     takes them: see opens
                 open is yes
                   open by its row otherwise: effect is write

    table opens, first row wins
      - same       idempotent is unknown; it asks for yes
      > otherwise  takes them: review operations

    the nearest row that would have acted
      recovery/slow: retry after gentle
        open would have to be no; it is yes
          open by its row otherwise: effect is write
        budget would have to be >= 1; it is 0
        authorization would have to be current; it is unknown

    facts
      condition  timeout
      effect     write
      deadline   5s
      budget     0
      attempt    1
      unknown: boundary, tools, idempotent, pushback, authorization, hint,
        parity.twin, channel, amount
    "#);
    let facts = policy.facts(&StandardFacts { budget: Some(0), ..read() });
    let why = policy.decide(&facts).why();
    let nearest = why.nearest.as_ref().unwrap();
    assert_eq!((nearest.needs.len(), nearest.refusals.len()), (0, 1));
    let facts = policy.facts(&read());
    assert!(policy.decide(&facts).why().nearest.is_none());
}

#[cfg(feature = "json")]
#[test]
fn a_decision_as_json() {
    let policy = policy();
    let facts = policy.facts(&StandardFacts { budget: Some(0), ..read() });
    let json = policy.decide(&facts).to_json(Some(0)).to_string();
    let digest = policy.digest();
    let refused = r#"{"wanted":"retry","refused":[{"action":"retry","fact":"budget","have":0,"need":">= 1"}]}"#;
    assert_eq!(
        json,
        format!(
            r#"{{"action":"review","guard":{refused},"table":"recovery","row":"slow","path":["recovery/slow"],"policy":"small","version":"1.0","digest":"{digest}","because":"a read is harmless"}}"#
        )
    );
    let facts = policy.facts(&read());
    let json = policy.decide(&facts).to_json(Some(u64::MAX)).to_string();
    assert!(
        json.starts_with(r#"{"action":"retry","wait_ms":200,"wait_bounds_ms":[0,200],"spend":1,"table""#),
        "{json}"
    );
}

#[test]
fn a_digest_speaks_of_what_decides_and_of_nothing_else() {
    let digest = |change: &dyn Fn(&mut Model)| {
        let mut model = model();
        change(&mut model);
        crate::program::digest(&model)
    };
    let plain = digest(&|_| {});
    assert!(plain.starts_with("sha256:") && plain.len() == 7 + 64);
    assert_eq!(plain, digest(&|m| m.owner = "somebody".into()));
    assert_eq!(plain, digest(&|m| m.tables[0].rows[1].conds.reverse()));
    assert_ne!(plain, digest(&|m| m.version = "1.1".into()));
    assert_ne!(plain, digest(&|m| m.tables[0].rows.swap(0, 1)));
    assert_ne!(plain, digest(&|m| m.tables[0].rows[0].reason = Some("r".into())));
    assert_ne!(plain, digest(&|m| m.backoffs[0].jitter = Jitter::Equal));
    assert_ne!(plain, digest(&|m| m.facts.values_mut().for_each(|f: &mut Fact| f.points = vec!["x".into()])));
}
