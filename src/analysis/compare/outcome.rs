//! What a decision comes to, free of the names that do not matter, and which of two is the wider.
//!
//! Two actions mean the same when whoever carries them out does the same: a backoff is its draws at every attempt, a
//! parity its terms, a locator its name and its numbers. The cautious order of verbs says which of two is wider; with
//! equal verbs that act, the one whose arguments allow more in any respect.

use crate::model::{Action, By, Locator, Model, show_by};
use crate::words::{Verb, show_duration};

use super::matching::Terms;

/// How a decision changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Later in the cautious order, or the same verb with arguments that allow more.
    Wider,
    /// Earlier in the cautious order, or the same verb with arguments that allow no more and somewhere less.
    Tighter,
    /// Another queue, reason or look-up.
    Other,
}

impl Mark {
    /// As it is told.
    ///
    /// ```
    /// assert_eq!(nisi::compare::Mark::Wider.as_str(), "wider");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Wider => "wider",
            Mark::Tighter => "tighter",
            Mark::Other => "other",
        }
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a decision comes to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// No row answers; only where proofs were left out.
    Gap,
    Review(Option<Box<str>>),
    Reconcile {
        by: Finding,
        within_ms: u64,
    },
    Stop(Option<Box<str>>),
    Wait,
    Done(Option<Box<str>>),
    Retry {
        draws: Draws,
        spend: u64,
    },
    Hedge {
        copies: u64,
        after_ms: u64,
    },
    Failover(Terms),
}

/// How a result is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Finding {
    Event,
    Locator { name: Box<str>, lag_ms: u64, remembers_ms: Option<u64>, looks: Option<u64> },
}

/// The bounds of the draw after each number of attempts; past the list the last holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Draws {
    by_attempt: Vec<(u64, u64)>,
    unknown: (u64, u64),
}

impl Draws {
    fn of(model: &Model, backoff: Option<usize>) -> Draws {
        let Some(backoff) = backoff.and_then(|b| model.backoffs.get(b)) else {
            return Draws { by_attempt: vec![(0, 0)], unknown: (0, 0) };
        };
        let n = backoff.steps_ms.len().max(1) as u64;
        let mut by_attempt: Vec<_> = (1..=n).map(|n| backoff.draw_ms(Some(n))).collect();
        while by_attempt.len() > 1 && by_attempt[by_attempt.len() - 1] == by_attempt[by_attempt.len() - 2] {
            by_attempt.pop();
        }
        Draws { by_attempt, unknown: backoff.draw_ms(None) }
    }

    fn at(&self, place: usize) -> (u64, u64) {
        self.by_attempt.get(place).or(self.by_attempt.last()).copied().unwrap_or(self.unknown)
    }

    /// Both sides' draws: after 1, 2, … attempts, and last after a number that is unknown.
    fn pairs<'a>(&'a self, other: &'a Draws) -> impl Iterator<Item = (Option<usize>, (u64, u64), (u64, u64))> + 'a {
        let n = self.by_attempt.len().max(other.by_attempt.len());
        let known = (0..n).map(|i| (Some(i + 1), self.at(i), other.at(i)));
        known.chain([(None, self.unknown, other.unknown)])
    }

    /// The longest of the shortest waits.
    pub(super) fn shortest_ms(&self) -> u64 {
        self.by_attempt.iter().chain([&self.unknown]).map(|d| d.0).max().unwrap_or(0)
    }
}

impl Meaning {
    /// What an action of a model means.
    pub(super) fn of(model: &Model, action: &Action) -> Meaning {
        match action {
            Action::Review { queue } => Meaning::Review(queue.clone()),
            Action::Reconcile { by, within_ms } => {
                Meaning::Reconcile { by: Finding::of(model, *by), within_ms: *within_ms }
            }
            Action::Stop { reason } => Meaning::Stop(reason.clone()),
            Action::Wait => Meaning::Wait,
            Action::Done { reason } => Meaning::Done(reason.clone()),
            Action::Retry { backoff, spend } => Meaning::Retry { draws: Draws::of(model, *backoff), spend: *spend },
            Action::Hedge { copies, after_ms } => Meaning::Hedge { copies: *copies, after_ms: *after_ms },
            Action::Failover { parity } => {
                Meaning::Failover(model.parities.get(*parity).map(Terms::of).unwrap_or_default())
            }
        }
    }

    /// Its verb; a gap is reviewed.
    pub(super) fn verb(&self) -> Verb {
        match self {
            Meaning::Gap | Meaning::Review(_) => Verb::Review,
            Meaning::Reconcile { .. } => Verb::Reconcile,
            Meaning::Stop(_) => Verb::Stop,
            Meaning::Wait => Verb::Wait,
            Meaning::Done(_) => Verb::Done,
            Meaning::Retry { .. } => Verb::Retry,
            Meaning::Hedge { .. } => Verb::Hedge,
            Meaning::Failover(_) => Verb::Failover,
        }
    }

    /// How this changed into the other; nothing where both mean the same.
    pub(super) fn mark(&self, new: &Meaning) -> Option<Mark> {
        if self == new {
            return None;
        }
        Some(match self.verb().cmp(&new.verb()) {
            std::cmp::Ordering::Less => Mark::Wider,
            std::cmp::Ordering::Greater => Mark::Tighter,
            std::cmp::Ordering::Equal => match new.is_no_wider_than(self) {
                None => Mark::Other,
                Some(true) => Mark::Tighter,
                Some(false) => Mark::Wider,
            },
        })
    }

    /// Of two of one verb: whether this allows no more in any respect; nothing for verbs that do not act.
    fn is_no_wider_than(&self, other: &Meaning) -> Option<bool> {
        match (self, other) {
            (Meaning::Retry { draws: a, spend: x }, Meaning::Retry { draws: b, spend: y }) => {
                Some(x >= y && a.pairs(b).all(|(_, a, b)| a.0 >= b.0 && a.1 >= b.1))
            }
            (Meaning::Hedge { copies: x, after_ms: a }, Meaning::Hedge { copies: y, after_ms: b }) => {
                Some(x <= y && a >= b)
            }
            (Meaning::Failover(a), Meaning::Failover(b)) => Some(a.asks_all_of(b)),
            _ => None,
        }
    }

    /// What differs between two of one verb, in words.
    pub(super) fn details(&self, new: &Meaning) -> Vec<String> {
        let mut out = Vec::new();
        match (self, new) {
            (Meaning::Retry { draws: a, spend: x }, Meaning::Retry { draws: b, spend: y }) => {
                out.extend(wait_details(a, b));
                changed(&mut out, "spend", *x, *y, |n| n.to_string());
            }
            (Meaning::Hedge { copies: x, after_ms: a }, Meaning::Hedge { copies: y, after_ms: b }) => {
                changed(&mut out, "copies", *x, *y, |n| n.to_string());
                changed(&mut out, "after", *a, *b, show_duration);
            }
            (Meaning::Reconcile { by: x, within_ms: a }, Meaning::Reconcile { by: y, within_ms: b }) => {
                changed(&mut out, "within", *a, *b, show_duration);
                x.details(y, &mut out);
            }
            (Meaning::Failover(a), Meaning::Failover(b)) => {
                let (a, b) = (a.lines(), b.lines());
                out.extend(a.iter().filter(|l| !b.contains(l)).map(|l| format!("no longer `{l}`")));
                out.extend(b.iter().filter(|l| !a.contains(l)).map(|l| format!("now `{l}`")));
            }
            (Meaning::Gap, Meaning::Review(_)) => out.push("no row answered".into()),
            (Meaning::Review(_), Meaning::Gap) => out.push("no row answers any more".into()),
            _ => {}
        }
        out
    }

    /// The budget units that it takes, and the least time that it must have left beside `least`.
    pub(super) fn needs(&self) -> (u64, u64) {
        match self {
            Meaning::Retry { draws, spend } => (*spend, draws.shortest_ms()),
            Meaning::Hedge { copies, after_ms } => (copies.saturating_sub(1), *after_ms),
            Meaning::Failover(_) => (1, 0),
            _ => (0, 0),
        }
    }
}

fn changed<T: PartialEq + Copy>(out: &mut Vec<String>, name: &str, old: T, new: T, show: impl Fn(T) -> String) {
    if old != new {
        out.push(format!("{name} {} → {}", show(old), show(new)));
    }
}

/// The first attempt after which the waits differ, and the greatest ones.
fn wait_details(old: &Draws, new: &Draws) -> Option<String> {
    let show = |(lo, hi): (u64, u64)| {
        if lo == hi { show_duration(lo) } else { format!("{}..{}", show_duration(lo), show_duration(hi)) }
    };
    let differing: Vec<_> = old.pairs(new).filter(|(_, a, b)| a != b).collect();
    let (attempt, a, b) = *differing.first()?;
    let when = attempt.map_or_else(|| "an unknown attempt".into(), |n| format!("attempt {n}"));
    let more = if differing.len() > 1 { ", and later ones differ too" } else { "" };
    Some(format!("wait after {when} {} → {}{more}", show(a), show(b)))
}

impl Finding {
    fn of(model: &Model, by: By) -> Finding {
        match by {
            By::Event => Finding::Event,
            By::Locator(l) => match model.locators.get(l) {
                Some(Locator { name, lag_ms, remembers_ms, looks, .. }) => {
                    Finding::Locator { name: name.clone(), lag_ms: *lag_ms, remembers_ms: *remembers_ms, looks: *looks }
                }
                None => {
                    Finding::Locator { name: show_by(model, by).into(), lag_ms: 0, remembers_ms: None, looks: None }
                }
            },
        }
    }

    fn details(&self, new: &Finding, out: &mut Vec<String>) {
        let (
            Finding::Locator { name, lag_ms: lag, remembers_ms: memory, looks },
            Finding::Locator { name: new_name, lag_ms: new_lag, remembers_ms: new_memory, looks: new_looks },
        ) = (self, new)
        else {
            return;
        };
        if name != new_name {
            return;
        }
        let mut inner = Vec::new();
        changed(&mut inner, "lag", *lag, *new_lag, show_duration);
        changed(&mut inner, "remembers", *memory, *new_memory, |m| m.map_or_else(|| "for ever".into(), show_duration));
        changed(&mut inner, "looks", *looks, *new_looks, |n| n.map_or_else(|| "no bound".into(), |n| n.to_string()));
        out.extend(inner.into_iter().map(|line| format!("locator {name}: {line}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry(draws: &[(u64, u64)], spend: u64) -> Meaning {
        let unknown = *draws.last().unwrap();
        Meaning::Retry { draws: Draws { by_attempt: draws.to_vec(), unknown }, spend }
    }

    #[test]
    fn the_wider_of_two_of_one_verb() {
        let plain = retry(&[(0, 200), (0, 400)], 1);
        assert_eq!(plain.mark(&plain), None);
        assert_eq!(plain.mark(&retry(&[(0, 100), (0, 400)], 1)), Some(Mark::Wider));
        assert_eq!(plain.mark(&retry(&[(100, 200), (0, 400)], 1)), Some(Mark::Tighter));
        assert_eq!(plain.mark(&retry(&[(100, 100), (0, 400)], 1)), Some(Mark::Wider));
        assert_eq!(plain.mark(&retry(&[(0, 200), (0, 400)], 2)), Some(Mark::Tighter));
        assert_eq!(retry(&[(0, 200)], 2).mark(&retry(&[(500, 600)], 1)), Some(Mark::Wider));
        let hedge = |copies, after_ms| Meaning::Hedge { copies, after_ms };
        assert_eq!(hedge(2, 300).mark(&hedge(3, 300)), Some(Mark::Wider));
        assert_eq!(hedge(2, 300).mark(&hedge(2, 400)), Some(Mark::Tighter));
        assert_eq!(Meaning::Review(None).mark(&Meaning::Review(Some("x".into()))), Some(Mark::Other));
        assert_eq!(Meaning::Stop(None).mark(&Meaning::Review(None)), Some(Mark::Tighter));
        assert_eq!(Meaning::Wait.mark(&plain), Some(Mark::Wider));
    }

    #[test]
    fn stricter_terms_are_tighter() {
        let terms = |same: &[&str], least: i128| Terms {
            same: same.iter().map(|s| (*s).into()).collect(),
            at_least: [("score".into(), least)].into(),
            ..Terms::default()
        };
        let plain = Meaning::Failover(terms(&["prompt"], 5));
        assert_eq!(plain.mark(&Meaning::Failover(terms(&["prompt", "router"], 5))), Some(Mark::Tighter));
        assert_eq!(plain.mark(&Meaning::Failover(terms(&["prompt"], 4))), Some(Mark::Wider));
        assert_eq!(plain.mark(&Meaning::Failover(terms(&["router"], 6))), Some(Mark::Wider));
    }
}
