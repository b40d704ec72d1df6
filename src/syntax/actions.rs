//! Actions: `retry after gentle, spend 2; if refused, look-up`.
//!
//! A verb may stand alone where only the verb is asked for; whether that is allowed, the model knows.

use std::rc::Rc;

use pest::iterators::Pair;

use super::action_mistakes;
use super::findings::{self, Mistake};
use super::grammar::{self, Rule, inner};
use super::limits::Limits;
use super::place::{At, local};
use super::tree::{ActionExpr, ActionKind, Cell, CellKind, RetryWhen, Word};
use super::words::word;
use crate::diag::Diagnostic;
use crate::text::Span;

/// Reads one action; places count from the start of the text.
pub(super) fn parse(text: &str) -> Result<ActionExpr, Mistake> {
    match grammar::run(Rule::action_cell, text) {
        Ok(pair) => match inner(&pair, Rule::chain) {
            Some(chain) => build(&chain, At::local()),
            None => Err(action_mistakes::find(text, 0)),
        },
        Err(furthest) => Err(action_mistakes::find(text, furthest)),
    }
}

/// Builds the action of a pair `chain`. The places of a finding count from the start of what the pair was read from.
pub(super) fn build(chain: &Pair<'_, Rule>, at: At<'_>) -> Result<ActionExpr, Mistake> {
    let steps: Vec<_> = grammar::all(chain, Rule::step).collect();
    let n_refusals = steps.len().saturating_sub(1);
    let start = chain.as_span().start();
    let extent = local(start, start + chain.as_str().trim_end().len());
    if n_refusals > Limits::REFUSALS {
        let finding = findings::over_limit(extent, "this action", n_refusals, Limits::REFUSALS, "times `if refused`");
        return Err(finding.into());
    }
    let mut refused = None;
    for pair in steps.iter().rev() {
        let Some(verb) = step(pair, at) else { break };
        if let ActionKind::Named(name) = &verb
            && let Some(mistake) = action_mistakes::misspelt_verb(name, pair.as_span().start())
        {
            return Err(mistake);
        }
        if let Some(found) = blank_text(pair) {
            return Err(found.into());
        }
        let start = pair.as_span().start();
        let span = at.span(start, start + pair.as_str().trim_end().len());
        refused = Some(Box::new(ActionExpr { verb, span, refused }));
    }
    match refused {
        Some(action) => Ok(*action),
        None => Err(findings::action(extent, "an action is missing", action_mistakes::SHAPE).into()),
    }
}

/// `stop ""`: quotes in which nothing stands.
fn blank_text(pair: &Pair<'_, Rule>) -> Option<Diagnostic> {
    let verb = pair.clone().into_inner().next()?;
    let (what, without) = match verb.as_rule() {
        Rule::stop_verb => ("reason", "stop"),
        Rule::done => ("reason", "done"),
        Rule::review => ("queue", "review"),
        _ => return None,
    };
    let text = inner(&verb, Rule::quoted)?;
    if !word(&text, At::local()).text.trim().is_empty() {
        return None;
    }
    let (start, end) = (text.as_span().start(), text.as_span().end());
    let help = format!("write the {what} between the quotes, or `{without}` without one");
    let finding = findings::action(local(start, end), format!("the {what} is blank"), help);
    let before = verb.as_span().start() + without.len();
    Some(finding.fix(format!("write `{without}`"), false, local(before, end), ""))
}

fn step(pair: &Pair<'_, Rule>, at: At<'_>) -> Option<ActionKind> {
    let found = pair.clone().into_inner().next()?;
    let one = |rule: Rule| inner(&found, rule).map(|p| word(&p, at));
    // The word inside an inner pair such as `by NAME`.
    let nested = |outer: Rule, rule: Rule| inner(&found, outer).and_then(|o| inner(&o, rule)).map(|p| word(&p, at));
    Some(match found.as_rule() {
        Rule::stop_verb => ActionKind::Stop(one(Rule::quoted)),
        Rule::done => ActionKind::Done(one(Rule::quoted)),
        Rule::review => ActionKind::Review(one(Rule::name).or_else(|| one(Rule::quoted))),
        Rule::reconcile => {
            ActionKind::Reconcile { by: nested(Rule::by, Rule::name), within: nested(Rule::within, Rule::literal) }
        }
        Rule::retry => {
            let now = inner(&found, Rule::now).map(|_| RetryWhen::Now);
            let when = now.or_else(|| nested(Rule::after, Rule::name).map(RetryWhen::After));
            ActionKind::Retry { when, spend: nested(Rule::spend, Rule::literal) }
        }
        Rule::hedge => ActionKind::Hedge { copies: one(Rule::copies), after: nested(Rule::delay, Rule::literal) },
        Rule::failover => ActionKind::Failover(nested(Rule::target, Rule::name)),
        Rule::see => ActionKind::See(one(Rule::name)?),
        _ => match one(Rule::name)? {
            name if &*name.text == "wait" => ActionKind::Wait,
            name => ActionKind::Named(name),
        },
    })
}

/// The action of a cell, with its places in the file.
pub fn of_cell(cell: &Cell) -> Option<ActionExpr> {
    let CellKind::Action(action) = &cell.kind else { return None };
    Some(moved(action, &|span: Span| cell.span.sub(span.start as usize, span.end as usize)))
}

/// The action with its places counted in the original text, where that differs from the parsed one inside the cell.
pub(super) fn placed(action: Rc<ActionExpr>, len: usize, at: At<'_>) -> Rc<ActionExpr> {
    if !at.map.touches(at.base, at.base + len) {
        return action;
    }
    let first = at.span(0, 0).start as usize;
    let place = |span: Span| {
        let span = at.place(span);
        local(span.start as usize - first, span.end as usize - first)
    };
    Rc::new(moved(&action, &place))
}

/// The action with all its places moved.
fn moved(action: &ActionExpr, place: &dyn Fn(Span) -> Span) -> ActionExpr {
    let word = |w: &Word| Word { span: place(w.span), ..w.clone() };
    let maybe = |w: &Option<Word>| w.as_ref().map(word);
    let verb = match &action.verb {
        ActionKind::Stop(w) => ActionKind::Stop(maybe(w)),
        ActionKind::Done(w) => ActionKind::Done(maybe(w)),
        ActionKind::Wait => ActionKind::Wait,
        ActionKind::Review(w) => ActionKind::Review(maybe(w)),
        ActionKind::Reconcile { by, within } => ActionKind::Reconcile { by: maybe(by), within: maybe(within) },
        ActionKind::Retry { when, spend } => {
            let when = when.as_ref().map(|w| match w {
                RetryWhen::Now => RetryWhen::Now,
                RetryWhen::After(name) => RetryWhen::After(word(name)),
            });
            ActionKind::Retry { when, spend: maybe(spend) }
        }
        ActionKind::Hedge { copies, after } => ActionKind::Hedge { copies: maybe(copies), after: maybe(after) },
        ActionKind::Failover(w) => ActionKind::Failover(maybe(w)),
        ActionKind::See(w) => ActionKind::See(word(w)),
        ActionKind::Named(w) => ActionKind::Named(word(w)),
    };
    let refused = action.refused.as_ref().map(|r| Box::new(moved(r, place)));
    ActionExpr { verb, span: place(action.span), refused }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ActionExpr {
        parse(text).unwrap_or_else(|m| panic!("{text}: {} ({:?})", m.message, m.help))
    }

    #[test]
    fn actions_of_every_kind_are_read() {
        for text in [
            "stop",
            "stop \"surface the reason\"",
            "done \"the order exists\"",
            "wait",
            "review",
            "review erp-operations",
            "reconcile",
            "reconcile by action_key within 4s",
            "reconcile by event",
            "retry",
            "retry now",
            "failover",
            "retry after gentle",
            "retry now, spend 2",
            "hedge",
            "hedge 2 after 300ms",
            "failover to equivalent",
            "see no-answers",
            "look-up",
            "nowhere",
            "retry now; if refused, reconcile by event within 4s; if refused, stop",
        ] {
            read(text);
        }
        let action = read("retry after gentle, spend 2; if refused, look-up");
        assert!(matches!(&action.verb, ActionKind::Retry { when: Some(RetryWhen::After(n)), spend: Some(s) }
            if &*n.text == "gentle" && &*s.text == "2"));
        assert_eq!((action.span.start, action.span.end), (0, 27));
        assert!(matches!(action.refused.map(|r| r.verb), Some(ActionKind::Named(n)) if &*n.text == "look-up"));
    }

    #[test]
    fn too_many_refusals_are_refused() {
        let chain = ["retry now"; 10].join("; if refused, ");
        assert_eq!(parse(&chain).map_err(|m| m.code.id).err(), Some("N0102"));
    }
}
