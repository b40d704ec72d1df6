//! "Failure modes that look like resilience", from the field guide, each by its name: each is impossible, or refused.

use nisi::Policy;
use nisi::decide::World as Because;
use nisi::judge::{
    ArgsHash, Brake, Envelope, Event, KeyError, KeyTemplate, Move, Observation, Releases, SharedBrake, StepError,
};
use nisi::words::{Boundary, Condition, Dispatch, Pushback, Verb};

use super::scene::{RELEASES, Stage, run, world_obstacles};
use crate::support::read;

/// "New idempotency key on every retry: every attempt appears unique, so deduplication cannot work."
#[test]
fn new_idempotency_key_on_every_retry() {
    for template in ["po:<attempt>", "po:<tenant>:<uuid>", "<request-id>"] {
        assert!(matches!(template.parse::<KeyTemplate>(), Err(KeyError::PerAttempt(_))), "{template}");
    }
    let stage = Stage::new();
    let intent = run(&stage.sent(), [stage.lost(1, 1_000)]);
    let mut second = stage.attempt(&intent, 2_000);
    second.action_key = "po:acme:i-7-retry".parse().unwrap();
    let refused = intent.step(Event::Dispatch(second)).unwrap_err();
    assert!(matches!(refused, StepError::Widens { field: "action_key", .. }));
}

/// "Same key for a changed command: a corrected amount or recipient is a new intent, not a replay."
#[test]
fn same_key_for_a_changed_command() {
    let stage = Stage::new();
    let changed = ArgsHash::of_json(r#"{"amount":"1200.51"}"#).unwrap();
    let text =
        stage.envelope.to_yaml().replace(&stage.envelope.canonical_args_hash().to_string(), &changed.to_string());
    let misuse = stage.envelope.recognise(&Envelope::read(&text).unwrap()).unwrap_err();
    assert_eq!((misuse.have, misuse.given), (stage.envelope.canonical_args_hash(), changed));
    // A corrected recipient is another meaning too; so is another operation, and the same words for another tenant.
    let order = read("tests/cases/judge/order.yaml");
    for (from, to) in
        [("8a\n", "8b\n"), ("name: erp.po.create", "name: erp.po.cancel"), ("tenant: acme", "tenant: other")]
    {
        let other = Envelope::read(&order.replace(from, to)).unwrap();
        let told = stage.envelope.recognise(&other).expect_err(to).to_string();
        assert!(told.contains("`po:acme:i-7`") && told.contains("is a new intent"), "{told}");
    }
    let told =
        stage.envelope.recognise(&Envelope::read(&order.replace("po.create", "po.cancel")).unwrap()).unwrap_err();
    assert!(told.to_string().contains("erp.po.create for acme") && told.to_string().contains("erp.po.cancel for acme"));
    let mut second = stage.attempt(&stage.sent(), 2_000);
    second.canonical_args_hash = changed;
    assert!(matches!(
        stage.sent().step(Event::Dispatch(second)),
        Err(StepError::Widens { field: "canonical_args_hash", .. })
    ));
}

/// "Retry at every layer: SDK, gateway, workflow, and UI multiply load while each reports a small local limit."
#[test]
fn retry_at_every_layer() {
    let stage = Stage::new();
    let unsent =
        run(&stage.sent(), [stage.seen(1, 500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed)]);
    let ask = |layer| {
        let world = nisi::judge::World { layer, ..stage.world(1_000) };
        let observation = Observation { pushback: Some(Pushback::None), ..Observation::of(Condition::ConnectFailed) };
        stage.policy.next_move(&unsent, &observation, &world)
    };
    assert_eq!(ask("coordinator").verb(), Verb::Retry);
    for layer in ["sdk", "gateway", "user-interface", ""] {
        let next = ask(layer);
        assert_eq!(next.action(), Move::Review(Some("operations")), "{layer}: the row's own way for refusal");
        assert_eq!(world_obstacles(&next.obstacles(), Verb::Retry), [Because::Owner], "{layer}");
    }
    // The envelope names the owner too: a policy that names itself does not take the retries from it.
    let order = read("tests/cases/judge/order.yaml").replace("retry_owner: coordinator", "retry_owner: workflow");
    let owned = Stage::of(&order);
    for layer in ["coordinator", "workflow"] {
        let world = nisi::judge::World { layer, ..owned.world(1_000) };
        let sent =
            run(&owned.sent(), [owned.seen(1, 500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed)]);
        let next = owned.policy.next_move(&sent, &Observation::of(Condition::ConnectFailed), &world);
        assert_eq!(world_obstacles(&next.obstacles(), Verb::Retry), [Because::Owner], "{layer}");
    }
    // Where every layer of a fleet would repeat at once, the brake holds; unknown, it refuses.
    let world = nisi::judge::World { brake: None, ..stage.world(1_000) };
    let next = stage.policy.next_move(&unsent, &Observation::of(Condition::ConnectFailed), &world);
    assert_eq!(world_obstacles(&next.obstacles(), Verb::Retry), [Because::Brake]);
    let (start, mut acts) = (stage.at(0), 0);
    let (mut plain, shared) =
        (Brake::of(&stage.policy, start).unwrap(), SharedBrake::of(&stage.policy, start).unwrap());
    for intent in 0..1_000 {
        let now = start.plus_ms(intent);
        plain.intent();
        shared.intent();
        for _layer in 0..4 {
            let leave = plain.take(1, now);
            assert_eq!(leave, shared.take(1, now));
            acts += u64::from(leave);
        }
    }
    assert!(acts <= 100 + 2 * 5, "{acts} acts for 1000 intents");
}

/// "Hedging tool-capable agents: both paths may cross the action boundary before a winner is selected."
#[test]
fn hedging_tool_capable_agents() {
    let policy = Policy::compile(&read("policies/assistant.nisi")).unwrap();
    let mut hedged = 0;
    for tools in ["enabled", "disabled"] {
        let text = read("tests/cases/judge/order.yaml")
            .replace(
                "effect: consequential_write, tools: disabled",
                &format!("effect: inference, tools: {tools}, variation: acceptable, cost: acceptable"),
            )
            .replace("tier: high", "tier: low");
        let stage = Stage::of(&text);
        let sent = stage.sent();
        for condition in Condition::ALL {
            let next = policy.next_move(&sent, &Observation::of(*condition), &stage.world(1_000));
            if let Move::Hedge(plan) = next.action() {
                assert_eq!(tools, "disabled");
                assert!(plan.copies >= 2 && plan.until <= stage.envelope.deadline());
                hedged += 1;
            }
        }
    }
    // A direct one: the row wants a hedge, and its guard knows better.
    let text = "policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 3, deadline 20s }\n\
        table t, first row wins\n| => action |\n| hedge 2 after 300ms; if refused, review desk |\n";
    let eager = Policy::compile(text).unwrap();
    for (tools, verb) in [(", tools: enabled", Verb::Review), ("", Verb::Review), (", tools: disabled", Verb::Hedge)] {
        let text = read("tests/cases/judge/order.yaml")
            .replace("effect: consequential_write, tools: disabled", &format!("effect: inference{tools}"));
        let stage = Stage::of(&text);
        let sent = stage.sent();
        let next = eager.next_move(&sent, &Observation::of(Condition::Pending), &stage.world(1_000));
        assert_eq!(next.verb(), verb, "{tools}: {:?}", next.obstacles());
        hedged += usize::from(next.verb() == Verb::Hedge);
    }
    assert!(hedged > 0, "nothing was hedged, so nothing was shown");
}

/// "Failover without release parity: recovery silently changes policy, tool access, evidence requirements, or schema."
#[test]
fn failover_without_release_parity() {
    let text = read("tests/cases/judge/order.yaml")
        .replace("consequential_write", "proposal")
        .replace("tier: high", "tier: low, variation: acceptable, cost: acceptable");
    let mut stage = Stage::of(&text);
    let down = stage.seen(1, 500, Condition::ProviderFailure, Dispatch::MaybeProcessed, Boundary::NotCrossed);
    let intent = run(&stage.sent(), [down]);
    let observation = Observation::of(Condition::ProviderFailure);
    let next = stage.policy.next_move(&intent, &observation, &stage.world(1_000));
    let Move::Failover { to, .. } = next.action() else { panic!("{next:?}") };
    assert_eq!(to.name(), "fallback-1");

    // Policy, tool access, evidence, schema: any one of them that changes keeps it back, and is named.
    for (from, to, field) in [
        ("safety_policy: sp-14", "safety_policy: sp-13", "safety_policy"),
        ("tools: [erp]", "tools: [erp, bank]", "tools"),
        ("permissions: [erp.po.read]", "permissions: [erp.po.read, bank.pay]", "permissions"),
        ("groundedness: 0.93", "groundedness: 0.89", "evaluation.groundedness"),
        ("date: 2026-07-30", "date: 2026-01-30", "evaluation.date"),
        ("tool_schema: ts-3", "tool_schema: ts-4", "tool_schema"),
        ("prompt: p-9\n", "", "prompt"),
        ("router: r-7", "router: r-8", "router"),
    ] {
        let (first, second) = RELEASES.split_once("---\n").unwrap();
        let changed = format!("{first}---\n{}", second.replace(from, to));
        let stage = Stage { releases: Releases::read([("r.yaml", changed.as_str())]).unwrap(), ..Stage::of(&text) };
        let next = stage.policy.next_move(&intent, &observation, &stage.world(1_000));
        assert_eq!(next.action(), Move::Review(Some("operations")), "{field}");
        let told: Vec<String> = next.obstacles().iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|o| o.starts_with(&format!("failover to `fallback-1`: `{field}` is "))), "{told:?}");
    }

    let wider =
        RELEASES.replace("[erp.po.read]", "[erp.po.read, bank.pay]").replace("groundedness: 0.93", "groundedness: 0.5");
    stage.releases = Releases::read([("releases.yaml", wider.as_str())]).unwrap();
    let next = stage.policy.next_move(&intent, &observation, &stage.world(1_000));
    assert_eq!(next.verb(), Verb::Review);
    let told: Vec<String> = next.obstacles().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "failover to equivalent: parity.equivalent is refused; it must be holds",
            "failover to `fallback-1`: `permissions` is [\"erp.po.read\",\"bank.pay\"]; it must be nothing beyond \
             [\"erp.po.create\",\"erp.po.read\"]",
            "failover to `fallback-1`: `evaluation.groundedness` is 0.5; it must be at least 0.9",
        ]
    );
    // Everything that failed is named, not the first alone.
    stage.approvals = nisi::judge::AuthorizationRegistry::read([(
        "a.yaml",
        "authorization: approval-3\nstatus: current\nlimits: {amount: 1}\n",
    )])
    .unwrap();
    let table = "policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 1, deadline 20s }\nparity twin { same router }\n\
        table t, first row wins\n| => action |\n| failover to twin; if refused, stop |\n";
    let eager = Policy::compile(table).unwrap();
    stage.releases = Releases::read([("r.yaml", RELEASES.replacen("r-7", "r-6", 1).as_str())]).unwrap();
    let intent = run(&stage.sent(), [stage.lost(1, 500)]);
    let next = eager.next_move(&intent, &observation, &stage.world(1_000));
    let told = next.obstacles().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    for part in [
        "budget is 0",
        "parity.twin is refused",
        "authorization is stale",
        "boundary is maybe_crossed",
        "`router` is \"r-7\"",
        "approval allows 1",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// "LLM-generated deduplication: a model guesses whether two actions are the same instead of enforcing canonical business identity."
#[test]
fn llm_generated_deduplication() {
    let hash = |text: &str| ArgsHash::of_json(text).unwrap();
    let order = r#"{"supplier":"Café Nord","amount":"1200.50"}"#;
    assert_eq!(hash(order), hash("{ \"amount\" : \"1200.50\",\n\"supplier\":\"Caf\\u00e9 Nord\" }"));
    for like in [
        r#"{"supplier":"Cafe Nord","amount":"1200.50"}"#,
        "{\"supplier\":\"Cafe\u{301} Nord\",\"amount\":\"1200.50\"}",
        r#"{"supplier":"Café Nord","amount":"1200.5"}"#,
        r#"{"supplier":"Café Nord","amount":"۱۲۰۰.۵۰"}"#,
        r#"{"supplier":"Café Nord ","amount":"1200.50"}"#,
    ] {
        assert_ne!(hash(order), hash(like), "{like}: alike is not the same");
    }
    // Two orders of one content are two, where two were asked for: the key tells them apart, and nobody's opinion.
    let (one, other) = (Stage::new(), read("tests/cases/judge/order.yaml").replace("i-7", "i-8"));
    assert_eq!(one.envelope.recognise(&Envelope::read(&other).unwrap()), Ok(false));
    // And a claim that the effect exists, or does not, is none: a receipt says it, or a look-up.
    let intent = run(&one.sent(), [one.lost(1, 500)]);
    for claim in [Condition::Confirmed, Condition::ConfirmedAbsent] {
        let next = one.policy.next_move(&intent, &Observation::of(claim), &one.world(1_000));
        assert_eq!(next.action(), Move::Review(Some("operations")), "{claim}");
    }
}

/// "Retention shorter than replay: a late attempt arrives after the receiver forgot the key and becomes a fresh action."
#[test]
fn retention_shorter_than_replay() {
    let short = read("tests/cases/judge/order.yaml").replace("retention: 24h", "retention: 2m19s");
    let error = Envelope::read(&short).unwrap_err();
    assert!(error[0].to_string().contains("it would be a new action"), "{error:?}");
    // The receiver's memory ends while the intent goes on: then the key proves nothing.
    let text = read("tests/cases/judge/order.yaml")
        .replace("10:00:20Z", "13:00:00Z")
        .replace("retention: 24h", "retention: 4h");
    let text = text.replace("longest_delay: 2m", "longest_delay: 1h");
    let stage = Stage::of(&text);
    let policy = "policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 3, deadline 1d }\nlocator action_key { remembers 2h }\n\
        table t, first row wins\n| idempotent | => action |\n| yes | retry now; if refused, stop |\n| - | review desk |\n";
    let policy = Policy::compile(policy).unwrap();
    let intent = run(&stage.sent(), [stage.lost(1, 1_000)]);
    let ask = |ms| policy.next_move(&intent, &Observation::of(Condition::Timeout), &stage.world(ms)).verb();
    assert_eq!(ask(7_199_999), Verb::Retry);
    assert_eq!(ask(7_200_000), Verb::Review, "the key is forgotten: a repeat would be a fresh action");
}
