//! What a ledger hands back: an intent as a text, refused with place and mend where no sequence of steps could have made it.

use nisi::judge::{Envelope, Event, Intent, State, Timer};

use super::scene::{Stage, run};
use crate::support::read;

/// An intent as a person would keep it: one entry a line, so that places can be told.
fn kept(state: &str, rest: &str) -> String {
    let envelope = read("tests/cases/judge/order.yaml").trim_end().replace('\n', "\n  ");
    format!("envelope:\n  {envelope}\nstate: {state}\n{rest}")
}

const SENT: &str = "attempts:\n- number: 1\n  at: 2026-08-07T10:00:00Z\n  units: 1\n  release: assistant-2026-08-01\n  receiver: erp\n";
const LOST: &str = "  condition: timeout\n  dispatch: maybe_processed\n  boundary: maybe_crossed\n";
const CLEAR: &str = "  condition: timeout\n  boundary: not_crossed\n";

/// What is said of a text: line, message, mend.
fn told(text: &str) -> Vec<(usize, String, String)> {
    let errors = Intent::read(text).expect_err(text);
    errors.into_iter().map(|e| (e.line, e.message, e.help.unwrap_or_default())).collect()
}

#[test]
fn what_steps_can_make_is_read() {
    let lost = format!("{SENT}{LOST}");
    let clear = format!("{SENT}{CLEAR}");
    for (state, rest) in [
        ("new", ""),
        ("authorized", "timer: { since: 2026-08-07T10:00:00Z, due: 2026-08-07T10:00:01Z, draw: 7 }\n"),
        ("cancelled", "asked_end: cancelled\n"),
        ("executing", SENT),
        ("executing", &format!("{clear}looks: {{ action_key: 2 }}\n")),
        ("indeterminate", &format!("{lost}asked_end: expired\n")),
        ("committed", &format!("{lost}  settled: committed\nreceipt: PO-1\n")),
        ("rejected", &format!("{clear}asked_end: rejected\n")),
        (
            "rejected",
            &format!(
                "{lost}  late: yes\nasked_end: rejected\nfindings:\n- {{ finding: crossed_after_end, end: rejected, attempt: 1 }}\n"
            ),
        ),
    ] {
        let text = kept(state, rest);
        let intent = Intent::read(&text).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        assert_eq!(intent.state(), State::from_word(state).unwrap());
        assert_eq!(Intent::read(&intent.to_json()), Ok(intent));
    }
}

/// A state, what else is written, the words at the place, the message's and the mend's core.
type Case = (&'static str, String, &'static str, &'static str, &'static str);

/// The state against all the rest.
fn of_the_state() -> Vec<Case> {
    let lost = format!("{SENT}{LOST}");
    let clear = format!("{SENT}{CLEAR}");
    vec![
        // The state against the receipt.
        ("committed", lost.clone(), "state:", "committed where it has a receipt", "give its `receipt`"),
        (
            "executing",
            format!("{lost}receipt: PO-1\n"),
            "receipt:",
            "committed where it has a receipt",
            "`state: committed`",
        ),
        ("new", "receipt: PO-1\n".into(), "receipt:", "committed where it has a receipt", "take `receipt` out"),
        // The state against the attempts.
        ("prepared", clear.clone(), "state:", "with attempts is executing", "`state: executing`"),
        ("executing", String::new(), "state:", "without attempts has not begun", "`state: authorized`"),
        ("indeterminate", clear.clone(), "state:", "none of its attempts has one", "`state: executing`"),
        (
            "rejected",
            format!("{lost}asked_end: rejected\n"),
            "state:",
            "an effect may be open",
            "`state: indeterminate`",
        ),
        // The state against the end that was asked for.
        (
            "cancelled",
            format!("{clear}asked_end: expired\n"),
            "asked_end:",
            "`asked_end` is another",
            "`asked_end: cancelled`",
        ),
        ("expired", clear.clone(), "state:", "`asked_end` is another", "`asked_end: expired`"),
        (
            "executing",
            format!("{lost}asked_end: cancelled\n"),
            "asked_end:",
            "asked to end has ended",
            "`state: indeterminate`",
        ),
        ("new", "asked_end: cancelled\n".into(), "asked_end:", "asked to end has ended", "`state: cancelled`"),
    ]
}

/// The attempts against their envelope and themselves, and what belongs to another story.
fn of_the_attempts() -> Vec<Case> {
    let lost = format!("{SENT}{LOST}");
    let clear = format!("{SENT}{CLEAR}");
    let with = |text: &str, from: &str, to: &str| text.replace(from, to);
    let timer = "timer: { since: 2026-08-07T10:00:00Z, due: 2026-08-07T10:00:01Z, draw: 7 }\n";
    vec![
        // Attempts wider than their envelope, or out of order.
        (
            "executing",
            with(&lost, "units: 1", "units: 4"),
            "- number: 1",
            "more units than its envelope",
            "`max_attempts` is 3",
        ),
        (
            "executing",
            with(&lost, "units: 1", "units: 0"),
            "units: 0",
            "attempt 1: an attempt takes a unit",
            "`units: 1`",
        ),
        ("executing", with(&lost, "number: 1", "number: 2"), "- number: 2", "numbered from 1", "`number: 1`"),
        (
            "executing",
            with(&lost, "10:00:00Z", "10:00:20Z"),
            "at: 2026-08-07T10:00:20Z",
            "at its envelope's deadline",
            "before 2026-08-07T10:00:20Z",
        ),
        // What is told of an attempt that nobody observed, or that none can answer.
        (
            "executing",
            format!("{SENT}  boundary: crossed\n"),
            "boundary:",
            "nothing was observed of it",
            "give its `condition`",
        ),
        (
            "executing",
            format!("{SENT}  settled: refused\n"),
            "settled:",
            "nothing was observed of it",
            "take `settled` out",
        ),
        ("executing", format!("{SENT}  late: yes\n"), "late:", "nothing was observed of it", "take `late` out"),
        ("executing", format!("{SENT}  condition: confirmed\n"), "condition:", "what a look-up says", "`timeout`"),
        // What settled an attempt against what is known of it.
        ("executing", format!("{lost}  settled: committed\n"), "settled:", "where its intent is", "take `settled` out"),
        (
            "executing",
            with(&format!("{lost}  settled: absent\n"), "maybe_crossed", "crossed"),
            "settled:",
            "is not absent",
            "take `settled` out",
        ),
        ("executing", format!("{lost}  settled: refused\n"), "settled:", "does not settle", "take `settled` out"),
        // Timers, looks and findings of another story.
        ("new", timer.into(), "timer:", "that is new waits", "take `timer` out"),
        (
            "rejected",
            format!("{clear}asked_end: rejected\n{timer}"),
            "timer:",
            "that is rejected waits",
            "take `timer` out",
        ),
        ("authorized", "looks: { action_key: 1 }\n".into(), "looks:", "once it has begun", "out of `looks`"),
        ("executing", format!("{lost}looks: {{ action_key: 0 }}\n"), "looks:", "is not counted", "out of `looks`"),
        (
            "executing",
            format!("{lost}findings:\n- {{ finding: second_receipt, accepted: PO-1, receipt: PO-2 }}\n"),
            "- {",
            "another receipt",
            "take it out",
        ),
        (
            "rejected",
            format!(
                "{clear}asked_end: rejected\nfindings:\n- {{ finding: crossed_after_end, end: rejected, attempt: 2 }}\n"
            ),
            "- {",
            "another receipt, end or attempt",
            "take it out",
        ),
    ]
}

#[test]
fn what_no_steps_can_make_is_refused_with_place_and_mend() {
    for (state, rest, at, message, mend) in of_the_state().into_iter().chain(of_the_attempts()) {
        let text = kept(state, &rest);
        let found = told(&text);
        let Some((line, _, help)) = found.iter().find(|(_, m, _)| m.contains(message)) else {
            panic!("{message}: {found:?}\n{text}")
        };
        let there = text.lines().nth(line - 1).unwrap_or_default();
        assert!(there.trim_start().starts_with(at), "{message}: line {line} is {there:?}");
        assert!(help.contains(mend), "{message}: {help}");
        assert!(found.iter().all(|(_, _, help)| !help.is_empty()), "no mend: {found:?}");
    }
}

/// Every fault at once, and the attempt by its number, where all stands on one line.
#[test]
fn in_json_the_attempt_is_named() {
    let stage = Stage::new();
    let intent = run(&stage.sent(), [stage.lost(1, 500), Event::Dispatch(stage.attempt(&stage.sent(), 900))]);
    let json = intent.to_json();
    assert_eq!(Intent::read(&json), Ok(intent));
    let bad = json.replace("\"number\":2", "\"late\":\"yes\",\"number\":3").replace("\"executing\"", "\"committed\"");
    let messages: Vec<String> = told(&bad).into_iter().map(|(_, message, _)| message).collect();
    assert_eq!(
        messages,
        [
            "an intent is committed where it has a receipt, and only there",
            "attempt 2: attempts are numbered from 1, in their order",
            "attempt 2: nothing was observed of it, and `late` says what was",
        ]
    );
}

/// An envelope that cannot hold is refused at the line of its field, with what to write.
#[test]
fn an_envelope_that_cannot_hold_is_refused_at_its_field() {
    let order = read("tests/cases/judge/order.yaml");
    for (from, to, message, mend) in [
        ("max_attempts: 3", "max_attempts: 0", "`max_attempts` is 0", "write 1 or more"),
        ("retention: 24h", "retention: 2m", "it would be a new action", "2m20s or more"),
        ("retry_owner: coordinator", "retry_owner: ' '", "`retry_owner` is empty", "say who"),
        (
            "deadline: 2026-08-07T10:00:20Z",
            "deadline: 2026-08-07T10:00:00Z",
            "is not later than the creation",
            "a later moment",
        ),
        ("principal: sara", "principal: ''", "`actor_scope.principal` is empty", "say who"),
    ] {
        let text = order.replace(from, to);
        let errors = Envelope::read(&text).expect_err(to);
        let line = text.lines().position(|line| line.contains(to)).unwrap() + 1;
        assert!(errors[0].message.contains(message), "{errors:?}");
        assert_eq!((errors.len(), errors[0].line), (1, line), "{errors:?}");
        assert!(errors[0].help.as_ref().is_some_and(|help| help.contains(mend)), "{errors:?}");
    }
}

/// A timer's draw, which has more digits than a double keeps, survives both forms.
#[test]
fn nothing_is_rounded_on_the_way() {
    let stage = Stage::new();
    let timer = Timer { since: stage.at(1), due: stage.at(2), draw: u64::MAX - 1 };
    let intent = run(&stage.sent(), [stage.lost(1, 500), Event::Later(timer)]);
    assert_eq!(Intent::read(&intent.to_json()).map(|i| i.timer()), Ok(Some(timer)));
    assert_eq!(Intent::read(&intent.to_yaml()).map(|i| i.timer()), Ok(Some(timer)));
}
