//! Whether a sequence of steps could have made an intent that was read: each thing that none could have, with its place and
//! what to write instead.
//!
//! Takes the intent and the text's tree, for the lines; gives every fault. What holds here holds after every
//! [`step`](Intent::step): the property tests read back whatever they reach.

use crate::words::{Boundary, Condition};

use super::intent::{Attempt, Finding, Intent, Settled};
use super::state::State;
use super::tree::{Kind, TextError, Tree};

/// Everything that no sequence of steps could have made.
pub(super) fn impossible(intent: &Intent, tree: &Tree) -> Vec<TextError> {
    let mut check = Check { tree, errors: Vec::new() };
    check.state(intent);
    check.ends(intent);
    check.budget(intent);
    for (place, attempt) in intent.attempts().iter().enumerate() {
        check.attempt(intent, place, attempt);
    }
    check.rest(intent);
    check.errors
}

struct Check<'t> {
    tree: &'t Tree,
    errors: Vec<TextError>,
}

impl Check<'_> {
    /// A fault where something does not hold, at the first of these entries that is there.
    fn hold(&mut self, holds: bool, at: &[&str], why: impl Into<String>, mend: impl Into<String>) {
        if !holds {
            let line = at.iter().find_map(|key| self.tree.get(key)).map_or(self.tree.line, |entry| entry.line);
            self.errors.push(TextError::new(line, why).help(mend));
        }
    }

    fn state(&mut self, intent: &Intent) {
        let state = intent.state();
        let before = matches!(state, State::New | State::Prepared | State::Authorized);
        let under_way = matches!(state, State::Executing | State::Indeterminate | State::Committed);
        let mend = match intent.receipt() {
            Some(_) => "write `state: committed`, or take `receipt` out",
            None => "give its `receipt`, or the state that it has without one: `executing`, `indeterminate`",
        };
        let committed = state == State::Committed;
        let why = "an intent is committed where it has a receipt, and only there";
        self.hold(intent.receipt().is_some() == committed, &["receipt", "state"], why, mend);
        let sent = !intent.attempts().is_empty();
        let mend = "write `state: executing`, or take its `attempts` out";
        self.hold(!before || !sent, &["state"], "an intent with attempts is executing or past it", mend);
        let mend = "give its `attempts`, or write `state: authorized`";
        self.hold(!under_way || sent, &["state"], "an intent without attempts has not begun executing", mend);
        let open = state != State::Indeterminate || intent.is_open();
        let why = "an intent is indeterminate where an effect may be open, and none of its attempts has one";
        self.hold(open, &["state"], why, "write `state: executing`, or the end that it was asked for");
    }

    fn ends(&mut self, intent: &Intent) {
        let (state, asked) = (intent.state(), intent.asked_end);
        let without_effect = state.is_end() && state != State::Committed;
        let why = "an intent ends as it was asked to: `asked_end` is another";
        let as_asked = !without_effect || asked == Some(state);
        self.hold(as_asked, &["asked_end", "state"], why, format!("write `asked_end: {state}`"));
        let settled = state.is_end() || state == State::Indeterminate;
        let why = "an intent that was asked to end has ended, or is indeterminate until nothing is open";
        let mend = asked.map_or(String::new(), |end| format!("write `state: indeterminate` or `state: {end}`"));
        self.hold(asked.is_none() || settled, &["asked_end"], why, mend);
        let told = intent.findings().iter().any(|f| matches!(f, Finding::CrossedAfterEnd { .. }));
        let why = "an effect may be open, and the intent has ended without one";
        let mend = "write `state: indeterminate`, or give what settled its attempts";
        self.hold(!without_effect || !intent.is_open() || told, &["state"], why, mend);
    }

    fn budget(&mut self, intent: &Intent) {
        let units = intent.attempts().iter().map(|a| a.units).fold(0, u64::saturating_add);
        let most = intent.envelope().max_attempts();
        let why = "its attempts take more units than its envelope allows";
        let mend = format!("they take {units}, and `max_attempts` is {most}: one of the two is not this intent's");
        self.hold(units <= most, &["attempts"], why, mend);
    }

    fn attempt(&mut self, intent: &Intent, place: usize, attempt: &Attempt) {
        let items = self.tree.get("attempts").map(|t| &t.kind);
        let own = if let Some(Kind::List(items)) = items { items.get(place) } else { None };
        let mut check = Check { tree: own.unwrap_or(self.tree), errors: Vec::new() };
        let due = place + 1;
        let why = |what: &str| format!("attempt {due}: {what}");
        let in_order = attempt.number == due as u64;
        let mend = format!("write `number: {due}`, or put the attempts in their order");
        check.hold(in_order, &["number"], why("attempts are numbered from 1, in their order"), mend);
        check.hold(attempt.units > 0, &["units"], why("an attempt takes a unit or more"), "write `units: 1`");
        let deadline = intent.envelope().deadline();
        let mend = format!("write when it was sent: before {deadline}");
        let late = why("no attempt goes out at its envelope's deadline or later");
        check.hold(attempt.at < deadline, &["at"], late, mend);
        let look_up = [Condition::Confirmed, Condition::ConfirmedAbsent, Condition::Unconfirmed];
        let word = attempt.condition.map_or("", Condition::as_str);
        let told = why(&format!("`{word}` is what a look-up says, and no answer of an attempt"));
        let mend = "write what was observed of the attempt, such as `timeout`";
        check.hold(attempt.condition.is_none_or(|c| !look_up.contains(&c)), &["condition"], told, mend);
        check.unseen(attempt, due);
        check.settled(intent, attempt, due);
        self.errors.extend(check.errors);
    }

    /// What is told of an attempt of which nothing was observed.
    fn unseen(&mut self, attempt: &Attempt, due: usize) {
        let told = [
            ("provider_request_id", attempt.provider_request_id.is_some()),
            ("dispatch", attempt.dispatch.is_some()),
            ("boundary", attempt.boundary.is_some()),
            ("settled", attempt.settled == Some(Settled::Refused)),
            ("late", attempt.late),
        ];
        for (key, there) in told {
            let why = format!("attempt {due}: nothing was observed of it, and `{key}` says what was");
            let mend = format!("give its `condition`, or take `{key}` out");
            self.hold(attempt.condition.is_some() || !there, &[key], why, mend);
        }
    }

    fn settled(&mut self, intent: &Intent, attempt: &Attempt, due: usize) {
        let (holds, why) = match attempt.settled {
            Some(Settled::Committed) => {
                (intent.state() == State::Committed, "an attempt is settled as committed where its intent is")
            }
            Some(Settled::Absent) => {
                (attempt.boundary != Some(Boundary::Crossed), "what has crossed the boundary is not absent")
            }
            Some(Settled::Refused) => (
                !matches!(attempt.boundary, Some(Boundary::MaybeCrossed | Boundary::Crossed)),
                "a refusal does not settle what may have crossed the boundary",
            ),
            None => (true, ""),
        };
        self.hold(holds, &["settled"], format!("attempt {due}: {why}"), "take `settled` out: a look-up settles it");
    }

    fn rest(&mut self, intent: &Intent) {
        let state = intent.state();
        let waits = matches!(state, State::Authorized | State::Executing | State::Indeterminate);
        let why = format!("an intent that is {state} waits for no retry");
        self.hold(intent.timer().is_none() || waits, &["timer"], why, "take `timer` out");
        let begun = !matches!(state, State::New | State::Prepared | State::Authorized);
        let counted = intent.looks.values().all(|n| *n > 0);
        let why = "an intent is looked up once it has begun, and what was not looked up is not counted";
        self.hold(intent.looks.is_empty() || begun && counted, &["looks"], why, "take the count out of `looks`");
        for finding in intent.findings() {
            let (receipt, end) = (intent.receipt(), intent.asked_end);
            let holds = match finding {
                Finding::SecondReceipt { accepted, other } => receipt == Some(accepted) && accepted != other,
                Finding::EffectAfterEnd { end: e, receipt: r } => receipt == Some(r) && end == Some(*e),
                Finding::AbsentAfterReceipt(r) => receipt == Some(r),
                Finding::CrossedAfterEnd { end: e, attempt } => {
                    end == Some(*e) && (1..=intent.attempts().len() as u64).contains(attempt)
                }
            };
            let why = "a finding speaks of another receipt, end or attempt than this intent has";
            self.hold(
                holds,
                &["findings"],
                why,
                "take it out, or give the `receipt`, `asked_end` and attempts it names",
            );
        }
    }
}
