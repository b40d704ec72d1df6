//! Intents as YAML and JSON: all that a ledger has to keep, there and back without a loss.
//!
//! A text that no sequence of steps could have made is refused, at the place and with the mend: a receipt without an end,
//! attempts out of order, more units than the envelope allows.

use crate::words::{Boundary, Condition, Dispatch};

use super::canonical::plain;
use super::envelope::Envelope;
use super::fields::Fields;
use super::intent::{Attempt, Finding, Intent, Settled, Timer};
use super::possible::impossible;
use super::state::State;
use super::tree::{TextError, Tree};
use super::tree_yaml::read_one;

/// The ends that can be asked for.
const ASKED: [State; 3] = [State::Rejected, State::Cancelled, State::Expired];
const SETTLED: [Settled; 3] = [Settled::Refused, Settled::Absent, Settled::Committed];

impl Intent {
    /// Reads an intent from YAML or JSON, and checks it.
    ///
    /// ```
    /// use nisi::judge::{Event, Intent};
    /// # let envelope = nisi::judge::Envelope::read(include_str!("../../tests/cases/judge/order.yaml")).expect("it is whole");
    /// let (intent, _) = Intent::new(envelope).step(Event::Prepare)?;
    /// assert_eq!(Intent::read(&intent.to_yaml()), Ok(intent.clone()));
    /// let bad = intent.to_json().replace("\"prepared\"", "\"committed\"");
    /// assert_eq!(Intent::read(&bad).unwrap_err()[0].to_string(), "line 1: an intent is committed where it has a receipt, and only there");
    /// # Ok::<(), nisi::judge::StepError>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong, each with its line: no YAML, a field that is missing, of no known name or unreadable, an
    /// envelope that is not whole, and what no sequence of steps could have made.
    pub fn read(text: &str) -> Result<Intent, Vec<TextError>> {
        let tree = read_one(text).map_err(|error| vec![error])?;
        let mut f = Fields::new(&tree, "an intent")?;
        let envelope = f.nested("envelope", Envelope::of_tree);
        let state = f.need_word("state", &State::ALL);
        let attempts = f.list("attempts", attempt);
        let (receipt, asked_end) = (f.maybe("receipt"), f.word("asked_end", &ASKED));
        let (looks, findings) = (f.counts("looks"), f.list("findings", finding));
        let timer = f.get("timer").and_then(|_| f.nested("timer", timer));
        f.done()?;
        let (Some(envelope), Some(state)) = (envelope, state) else {
            return Err(vec![TextError::new(tree.line, "the intent is not whole")]);
        };
        let intent = Intent { envelope, state, attempts, receipt, asked_end, looks, findings, timer };
        let faults = impossible(&intent, &tree);
        if faults.is_empty() { Ok(intent) } else { Err(faults) }
    }

    /// The intent as YAML; [`read`](Self::read) takes it as it is.
    pub fn to_yaml(&self) -> String {
        self.to_tree().yaml()
    }

    /// The intent as JSON on one line, in its canonical form; [`read`](Self::read) takes it as it is.
    pub fn to_json(&self) -> String {
        plain(&self.to_tree())
    }

    fn to_tree(&self) -> Tree {
        let looks = self.looks.iter().map(|(by, n)| (by.as_str(), Some(Tree::from(*n))));
        let list = |items: Vec<Tree>| (!items.is_empty()).then(|| Tree::list(items));
        Tree::map([
            ("envelope", Some(self.envelope.to_tree())),
            ("state", Some(self.state.as_str().into())),
            ("attempts", list(self.attempts.iter().map(attempt_tree).collect())),
            ("receipt", text(self.receipt.as_ref())),
            ("asked_end", text(self.asked_end)),
            ("looks", (!self.looks.is_empty()).then(|| Tree::map(looks))),
            ("findings", list(self.findings.iter().map(finding_tree).collect())),
            ("timer", self.timer.as_ref().map(timer_tree)),
        ])
    }
}

fn text<T: std::fmt::Display>(value: Option<T>) -> Option<Tree> {
    value.map(|value| Tree::from(value.to_string()))
}

fn attempt_tree(a: &Attempt) -> Tree {
    Tree::map([
        ("number", Some(a.number.into())),
        ("at", text(Some(a.at))),
        ("units", Some(a.units.into())),
        ("release", text(Some(&a.release))),
        ("receiver", text(Some(&a.receiver))),
        ("provider_request_id", text(a.provider_request_id.as_ref())),
        ("condition", text(a.condition)),
        ("dispatch", text(a.dispatch)),
        ("boundary", text(a.boundary)),
        ("settled", text(a.settled)),
        ("late", a.late.then(|| "yes".into())),
    ])
}

fn attempt(tree: &Tree) -> Result<Option<Attempt>, Vec<TextError>> {
    let mut f = Fields::new(tree, "an attempt")?;
    let (number, at, units) = (f.parse("number"), f.parse("at"), f.parse("units"));
    let (release, receiver) = (f.parse("release"), f.parse("receiver"));
    let provider_request_id = f.maybe("provider_request_id");
    let (condition, dispatch) = (f.word("condition", Condition::ALL), f.word("dispatch", Dispatch::ALL));
    let (boundary, settled) = (f.word("boundary", Boundary::ALL), f.word("settled", &SETTLED));
    let late = f.flag("late").unwrap_or(false);
    f.done()?;
    let (Some(number), Some(at), Some(units), Some(release), Some(receiver)) = (number, at, units, release, receiver)
    else {
        return Ok(None);
    };
    let seen = Attempt {
        number,
        at,
        units,
        release,
        receiver,
        provider_request_id,
        condition,
        dispatch,
        boundary,
        settled,
        late,
    };
    Ok(Some(seen))
}

fn timer_tree(t: &Timer) -> Tree {
    // A draw has 64 bits, more than every reader of JSON keeps of a number.
    Tree::map([("since", text(Some(t.since))), ("due", text(Some(t.due))), ("draw", text(Some(t.draw)))])
}

fn timer(tree: &Tree) -> Result<Timer, Vec<TextError>> {
    let mut f = Fields::new(tree, "a timer")?;
    let (since, due, draw) = (f.parse("since"), f.parse("due"), f.parse("draw"));
    f.done()?;
    let whole = since.zip(due).zip(draw).map(|((since, due), draw)| Timer { since, due, draw });
    whole.ok_or_else(|| vec![TextError::new(tree.line, "the timer is not whole")])
}

fn finding_tree(finding: &Finding) -> Tree {
    let (kind, [accepted, other, end, attempt]) = match finding {
        Finding::SecondReceipt { accepted, other } => {
            ("second_receipt", [text(Some(accepted)), text(Some(other)), None, None])
        }
        Finding::EffectAfterEnd { end, receipt } => {
            ("effect_after_end", [None, text(Some(receipt)), text(Some(end)), None])
        }
        Finding::AbsentAfterReceipt(receipt) => ("absent_after_receipt", [text(Some(receipt)), None, None, None]),
        Finding::CrossedAfterEnd { end, attempt } => {
            ("crossed_after_end", [None, None, text(Some(end)), Some((*attempt).into())])
        }
    };
    Tree::map([
        ("finding", Some(kind.into())),
        ("accepted", accepted),
        ("receipt", other),
        ("end", end),
        ("attempt", attempt),
    ])
}

fn finding(tree: &Tree) -> Result<Option<Finding>, Vec<TextError>> {
    let kinds = ["second_receipt", "effect_after_end", "absent_after_receipt", "crossed_after_end"];
    let mut f = Fields::new(tree, "a finding")?;
    let kind = f.need_word("finding", &kinds);
    let found = match kind {
        Some("second_receipt") => {
            let both = (f.parse("accepted"), f.parse("receipt"));
            both.0.zip(both.1).map(|(accepted, other)| Finding::SecondReceipt { accepted, other })
        }
        Some("effect_after_end") => {
            let both = (f.need_word("end", &ASKED), f.parse("receipt"));
            both.0.zip(both.1).map(|(end, receipt)| Finding::EffectAfterEnd { end, receipt })
        }
        Some("absent_after_receipt") => f.parse("accepted").map(Finding::AbsentAfterReceipt),
        Some(_) => {
            let both = (f.need_word("end", &ASKED), f.parse("attempt"));
            both.0.zip(both.1).map(|(end, attempt)| Finding::CrossedAfterEnd { end, attempt })
        }
        None => None,
    };
    f.done()?;
    Ok(found)
}
