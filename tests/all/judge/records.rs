//! What a record may hold, and what the facts of another policy decide.

use nisi::Policy;
use nisi::judge::{Move, Observation, Replayed, World};
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
    stage.releases = nisi::judge::Releases::read([("r.yaml", (releases + &many.concat()).as_str())]).unwrap();
    let protected = nisi::judge::Protected::new([secret]);
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
