//! What a record may hold, and what the facts of another policy decide.

use nisi::Policy;
use nisi::judge::{AuthorizationRegistry, Move, Observation, Obstacle, Protected, Releases, Replayed, World};
use nisi::words::{Boundary, Condition, Dispatch, Verb};

use super::scene::{Stage, run};
use crate::support::read;

/// Facts of another policy decide nothing: a person is asked.
#[test]
fn the_facts_of_another_policy_are_reviewed() {
    let stage = Stage::new();
    let other = Policy::compile(&read("policies/assistant.nisi")).unwrap();
    let intent = run(&stage.sent(), [stage.lost(1, 500)]);
    let seen = Observation { own: Some(other.no_facts()), ..Observation::of(Condition::Timeout) };
    let next = stage.policy.next_move(&intent, &seen, &stage.world(1_000));
    assert_eq!(next.action(), Move::Review(None));
    assert!(next.record().to_json().contains("\"gap\":true"), "{next:?}");
    let own = Observation { own: Some(stage.policy.no_facts()), ..seen };
    assert_eq!(stage.policy.next_move(&intent, &own, &stage.world(1_000)).verb(), Verb::Reconcile);
}

/// A record is bounded and holds nothing that was told to be protected, wherever it stands: in a fact, an obstacle, a
/// passport's field, a name.
#[test]
fn a_record_is_bounded_and_withholds_what_is_protected() {
    let secret = "s3cret-r0uter";
    let mut stage = Stage::new();
    let long = "x".repeat(1_000);
    let releases = super::scene::RELEASES.replacen("router: r-7", &format!("router: {secret}"), 1);
    let many: Vec<String> = (0..200).map(|n| format!("---\nrelease: r-{n}\nrouter: {long}\n")).collect();
    stage.releases = Releases::read([("r.yaml", (releases + &many.concat()).as_str())]).unwrap();
    let protected = Protected::new([secret]);
    let policy = Policy::compile(
        "policy a\nversion 1\nuse std.facts\nfact note : text\nbudget { owner coordinator, attempts 3, deadline 20s }\n\
         parity twin { same router }\ntable t, first row wins\n| => action |\n| failover to twin; if refused, review desk |\n",
    )
    .unwrap();
    let intent =
        run(&stage.sent(), [stage.seen(1, 500, Condition::ConnectFailed, Dispatch::NotSent, Boundary::NotCrossed)]);
    for note in [format!("it says {}", secret.to_uppercase()), long.clone()] {
        let mut own = policy.no_facts();
        own.set_text(policy.handle("note").unwrap(), &note).unwrap();
        let seen = Observation { own: Some(own), ..Observation::of(Condition::ConnectFailed) };
        let world = World { protected: Some(&protected), ..stage.world(1_000) };
        let next = policy.next_move(&intent, &seen, &world);
        assert!(next.obstacles().len() > 200, "there is much to tell");
        let json = next.record().to_json();
        assert!(!json.to_lowercase().contains(secret), "{json}");
        assert!(json.contains("\"withheld\":[\"note\"]") && json.len() < 32 * 1024, "{} bytes", json.len());
        assert!(matches!(policy.replay(&next.record()), Replayed::CannotTell(_)));
    }
}

/// Everything that a judgement says of a failover that is refused on all counts, under what is protected.
fn said(stage: &Stage, policy: &Policy, protected: &Protected) -> (Vec<String>, String, String) {
    let intent = run(&stage.sent(), [stage.lost(1, 500)]);
    let world = World { protected: Some(protected), ..stage.world(1_000) };
    let next = policy.next_move(&intent, &Observation::of(Condition::ProviderFailure), &world);
    assert_eq!(next.verb(), Verb::Review);
    let told = next.obstacles().iter().map(ToString::to_string).collect();
    (told, next.record().to_json(), format!("{next:?}"))
}

/// What a caller names as protected, a passport's field or an amount, is named and not shown: not in an obstacle, not in
/// the record.
#[test]
fn what_is_protected_by_name_is_named_and_not_shown() {
    let mut stage = Stage::new();
    let releases = super::scene::RELEASES.replacen("sp-14", "sp-13", 1).replacen("0.93", "0.871", 1);
    stage.releases = Releases::read([("r.yaml", releases.as_str())]).unwrap();
    let approval = "authorization: approval-3\nstatus: current\nlimits: { amount: 1199.25 }\n";
    stage.approvals = AuthorizationRegistry::read([("a.yaml", approval)]).unwrap();
    let policy = Policy::compile(
        "policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 1, deadline 20s }\n\
         parity twin {\n  same safety_policy\n  at least evaluation.groundedness 0.90\n}\n\
         table t, first row wins\n| => action |\n| failover to twin; if refused, review desk |\n",
    )
    .unwrap();
    let secrets = ["sp-13", "sp-14", "0.871", "0.9", "1200.5", "1199.25"];
    let (open, record, _) = said(&stage, &policy, &Protected::default());
    for secret in secrets {
        assert!(open.iter().any(|o| o.contains(secret)) && record.contains(secret), "{secret} is there to be hidden");
    }
    let protected = Protected::default().and_names(["safety_policy", "evaluation", "amount", "budget"]);
    let (told, record, debug) = said(&stage, &policy, &protected);
    for secret in secrets {
        let all = format!("{told:?} {record} {debug}");
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    assert_eq!(
        told,
        [
            "failover to twin: `budget` is not as it must be; its values are withheld",
            "failover to `fallback-1`: `safety_policy` is not as it must be; its values are withheld",
            "failover to `fallback-1`: `evaluation.groundedness` is not as it must be; its values are withheld",
            "failover to twin: parity.twin is refused; it must be holds",
            "failover to twin: authorization is stale; it must be current",
            "failover to twin: boundary is maybe_crossed; it must be not_crossed",
            "failover to twin: the world refuses it (authorization)",
            "failover to twin: the world refuses it (intent)",
            "the approval: `amount` is not as it must be; its values are withheld",
        ]
    );
    assert!(record.contains("\"withheld\":[\"budget\"") && !record.contains("budget is"), "{record}");
    // A value hides itself wherever it stands, and the rest is told as ever.
    let (told, record, _) = said(&stage, &policy, &Protected::new(["sp-13", "1199.25"]));
    assert_eq!(told.iter().filter(|o| o.contains("withheld")).count(), 2, "{told:?}");
    assert!(!format!("{told:?} {record}").contains("sp-13") && !record.contains("1199.25"), "{record}");
    assert!(told.iter().any(|o| o.contains("0.871")));
    // The names of others protect nothing of this one, and a name is not half of another.
    let (told, ..) = said(&stage, &policy, &Protected::default().and_names(["safety", "groundedness", "amounts"]));
    assert_eq!(told, open);
}

/// The ids of a record are withheld like everything else where they hold what is protected.
#[test]
fn an_id_that_holds_what_is_protected_is_withheld() {
    let text = read("tests/cases/judge/order.yaml").replace("po:acme:i-7", "po:sara@acme.example:i-7");
    let stage = Stage::of(&text);
    let (intent, protected) = (stage.sent(), Protected::new(["sara@acme.example"]));
    let world = World { protected: Some(&protected), ..stage.world(1_000) };
    let record = stage.policy.next_move(&intent, &Observation::of(Condition::Timeout), &world).record();
    assert_eq!((record.text("action_key"), record.text("intent")), ("withheld", "i-7"), "{record:?}");
    assert_eq!(stage.policy.replay(&record), Replayed::Same, "what it was decided from is all there");
    let named = Protected::default().and_names(["release_id"]);
    let world = World { protected: Some(&named), ..stage.world(1_000) };
    let record = stage.policy.next_move(&intent, &Observation::of(Condition::Timeout), &world).record();
    assert_eq!(record.text("release"), "withheld");
}

/// An obstacle that is withheld still says what it is about, for programs.
#[test]
fn a_withheld_obstacle_has_its_name() {
    let mut stage = Stage::new();
    let approval = "authorization: approval-3\nstatus: current\nlimits: { amount: 1 }\n";
    stage.approvals = AuthorizationRegistry::read([("a.yaml", approval)]).unwrap();
    let policy = Policy::compile(
        "policy a\nversion 1\nuse std.facts\nbudget { owner coordinator, attempts 3, deadline 20s }\n\
         table t, first row wins\n| => action |\n| retry now; if refused, review desk |\n",
    )
    .unwrap();
    let intent = stage.sent();
    let protected = Protected::default().and_names(["amount"]);
    let world = World { protected: Some(&protected), ..stage.world(1_000) };
    let next = policy.next_move(&intent, &Observation::of(Condition::Timeout), &world);
    let named =
        |o: &Obstacle<'_>| matches!(o, Obstacle::Withheld { of, name } if of == "the approval" && name == "amount");
    assert!(next.obstacles().iter().any(named), "{:?}", next.obstacles());
}
