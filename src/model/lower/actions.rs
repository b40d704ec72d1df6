//! Actions: complete, with all their ways for refusal.

use std::rc::Rc;

use crate::model::{Action, By, Chain};
use crate::syntax::tree::{ActionExpr, ActionKind, ItemKind, RetryWhen, Word};
use crate::text::Span;
use crate::words::{Verb, parse_duration};

use super::blocks::MAX_COUNT;
use super::{Lowering, NameKind, findings};

/// The most copies of one hedge.
pub const MAX_COPIES: u64 = 16;
/// The most actions in one row: the wanted one and its ways for refusal.
const MAX_CHAIN: usize = 16;

impl Lowering<'_> {
    /// `action NAME : …`, each on first use, so that order does not matter; circles are found on the way.
    pub(super) fn actions(&mut self) {
        for (_, item) in self.items() {
            if let ItemKind::Action { name, .. } = &item.kind
                && self.declares(name)
            {
                self.named_action(&name.text, &mut Vec::new());
                if let Some(Some(chain)) = self.actions.get(&name.text) {
                    self.model.actions.insert((*name.text).into(), chain.clone());
                }
            }
        }
    }

    /// The stated chain of a named action; nothing where it is faulty (already told).
    fn named_action(&mut self, name: &Rc<str>, open: &mut Vec<Rc<str>>) -> Option<Chain> {
        if let Some(known) = self.actions.get(name) {
            return known.clone();
        }
        let (word, expr) = self.items().find_map(|(_, item)| match &item.kind {
            ItemKind::Action { name: word, action } if word.text == *name && self.declares(word) => {
                Some((word, action))
            }
            _ => None,
        })?;
        if let Some(i) = open.iter().position(|n| n == name) {
            self.report(findings::action_circle(word, &open[i..]));
            self.break_name(name);
            self.actions.insert(name.clone(), None);
            return None;
        }
        open.push(name.clone());
        let chain = self.stated(expr, open);
        open.pop();
        let chain = if self.broken.contains(name) { None } else { chain };
        if chain.is_none() {
            self.break_name(name);
        }
        self.actions.insert(name.clone(), chain.clone());
        chain
    }

    /// The chain that an expression itself states: at least one action.
    fn stated(&mut self, expr: &ActionExpr, open: &mut Vec<Rc<str>>) -> Option<Chain> {
        let mut actions = match &expr.verb {
            ActionKind::Named(word) => {
                if self.broken.contains(&word.text) || !self.resolve(NameKind::Action, word) {
                    return None;
                }
                self.uses(&word.text);
                self.named_action(&word.text, open)?.actions.to_vec()
            }
            ActionKind::See(word) => {
                self.report(findings::see_here(word));
                return None;
            }
            verb => vec![self.one_action(verb, expr.span)?],
        };
        let span = expr.refused.as_ref().map_or(expr.span, |r| expr.span.to(r.span));
        if let Some(refused) = &expr.refused {
            if actions.len() > 1 {
                self.report(findings::second_way(expr.span, refused.span));
                return None;
            }
            let verb = actions.first().map(Action::verb)?;
            if !verb.can_be_refused() {
                self.report(findings::cannot_be_refused(verb, refused.span, expr.span));
                return None;
            }
            let rest = self.stated(refused, open)?;
            actions.extend(rest.actions.iter().cloned());
        }
        if actions.len() > MAX_CHAIN {
            self.report(findings::too_many("ways for refusal in one row", actions.len(), MAX_CHAIN, span));
            return None;
        }
        Some(Chain { stated: actions.len(), actions: actions.into(), span })
    }

    /// A row's whole chain: what it states, then the table's way, then a plain review.
    pub(super) fn chain(&mut self, expr: &ActionExpr, table_way: Option<&Chain>) -> Option<Chain> {
        let chain = self.stated(expr, &mut Vec::new())?;
        if chain.stated > 1
            && let Some(last) = chain.actions.last()
            && last.verb().acts()
        {
            self.report(findings::way_without_way(last.verb(), expr.refused.as_ref().map_or(expr.span, |r| r.span)));
            return None;
        }
        let open = |actions: &[Action]| actions.last().is_some_and(|a| a.verb().can_be_refused());
        let mut actions = chain.actions.to_vec();
        if open(&actions)
            && let Some(way) = table_way
        {
            actions.extend(way.actions.iter().cloned());
        }
        if open(&actions) {
            actions.push(Action::Review { queue: None });
        }
        Some(Chain { actions: actions.into(), ..chain })
    }

    /// A table's `, if refused, …`: complete in itself.
    pub(super) fn table_way(&mut self, expr: &ActionExpr) -> Option<Chain> {
        let chain = self.stated(expr, &mut Vec::new())?;
        if let Some(last) = chain.actions.last()
            && last.verb().acts()
        {
            self.report(findings::way_without_way(last.verb(), expr.span));
            return None;
        }
        Some(chain)
    }

    fn one_action(&self, verb: &ActionKind, span: Span) -> Option<Action> {
        let text = |word: &Option<Word>| word.as_ref().map(|w| Box::from(&*w.text));
        let action = match verb {
            ActionKind::Stop(reason) => Action::Stop { reason: text(reason) },
            ActionKind::Done(reason) => Action::Done { reason: text(reason) },
            ActionKind::Wait => Action::Wait,
            ActionKind::Review(queue) => Action::Review { queue: text(queue) },
            ActionKind::Reconcile { by, within } => self.reconcile(by.as_ref(), within.as_ref(), span)?,
            ActionKind::Retry { when, spend } => self.retry(when.as_ref(), spend.as_ref(), span)?,
            ActionKind::Hedge { copies, after } => self.hedge(copies.as_ref(), after.as_ref(), span)?,
            ActionKind::Failover(to) => self.failover(to.as_ref(), span)?,
            ActionKind::See(_) | ActionKind::Named(_) => return None,
        };
        let std = &self.model.std;
        let needs = match action.verb() {
            Verb::Done | Verb::Wait => std.condition.is_none(),
            v if v.acts() => [std.budget, std.deadline, std.authorization, std.effect].contains(&None),
            _ => false,
        };
        if needs {
            self.report(findings::needs_std(action.verb(), span));
            return None;
        }
        Some(action)
    }

    fn reconcile(&self, by: Option<&Word>, within: Option<&Word>, span: Span) -> Option<Action> {
        let (Some(by), Some(within)) = (by, within) else {
            let locators = self.model.locators.first().map_or("action_key", |l| &l.name);
            self.report(findings::incomplete(Verb::Reconcile, &format!("reconcile by {locators} within 4s"), span));
            return None;
        };
        let within_ms = parse_duration(&within.text).map_err(|e| self.report(findings::literal(&e, within.span))).ok();
        let by = if &*by.text == "event" {
            Some(By::Event)
        } else if self.resolve(NameKind::Locator, by) {
            self.model.locators.iter().position(|l| *l.name == *by.text).map(By::Locator)
        } else {
            None
        };
        Some(Action::Reconcile { by: by?, within_ms: within_ms? })
    }

    fn retry(&self, when: Option<&RetryWhen>, spend: Option<&Word>, span: Span) -> Option<Action> {
        let spend = match spend {
            Some(word) => self.count(word, 1, MAX_COUNT),
            None => Some(1),
        };
        let backoff = match when {
            Some(RetryWhen::Now) => None,
            Some(RetryWhen::After(word)) => {
                if !self.resolve(NameKind::Backoff, word) {
                    return None;
                }
                Some(self.model.backoffs.iter().position(|b| *b.name == *word.text)?)
            }
            None => {
                let backoff = self.model.backoffs.first();
                let example = backoff.map_or("retry now".into(), |b| format!("retry after {}", b.name));
                self.report(findings::incomplete(Verb::Retry, &example, span));
                return None;
            }
        };
        Some(Action::Retry { backoff, spend: spend? })
    }

    fn hedge(&self, copies: Option<&Word>, after: Option<&Word>, span: Span) -> Option<Action> {
        let (Some(copies), Some(after)) = (copies, after) else {
            self.report(findings::incomplete(Verb::Hedge, "hedge 2 after 300ms", span));
            return None;
        };
        let copies = self.count(copies, 2, MAX_COPIES);
        let after_ms = parse_duration(&after.text).map_err(|e| self.report(findings::literal(&e, after.span))).ok();
        Some(Action::Hedge { copies: copies?, after_ms: after_ms? })
    }

    fn failover(&self, to: Option<&Word>, span: Span) -> Option<Action> {
        let Some(to) = to else {
            let parity = self.model.parities.first().map_or("equivalent", |p| &p.name);
            self.report(findings::incomplete(Verb::Failover, &format!("failover to {parity}"), span));
            return None;
        };
        if !self.resolve(NameKind::Parity, to) {
            return None;
        }
        self.model.parities.iter().position(|p| *p.name == *to.text).map(|parity| Action::Failover { parity })
    }

    /// What an example expects: a verb alone, or a whole action.
    pub(super) fn expected(&mut self, expr: &ActionExpr) -> Option<(Verb, Option<Action>)> {
        if let Some(refused) = &expr.refused {
            self.report(findings::way_in_example(refused.span));
            return None;
        }
        let verb = match &expr.verb {
            ActionKind::Stop(None) => Verb::Stop,
            ActionKind::Done(None) => Verb::Done,
            ActionKind::Review(None) => Verb::Review,
            ActionKind::Reconcile { by: None, within: None } => Verb::Reconcile,
            ActionKind::Retry { when: None, spend: None } => Verb::Retry,
            ActionKind::Hedge { copies: None, after: None } => Verb::Hedge,
            ActionKind::Failover(None) => Verb::Failover,
            _ => {
                let action = self.stated(expr, &mut Vec::new())?.actions.first().cloned()?;
                return Some((action.verb(), Some(action)));
            }
        };
        Some((verb, None))
    }
}
