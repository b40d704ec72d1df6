//! What a row answers with: an action of the language where the text is one, else a named action that stands for the
//! text and asks a person, so that somebody says once what it shall do.

use std::collections::BTreeMap;

use super::names::{Names, folded, slug};
use super::place::{Notices, Place};
use crate::model::quote;
use crate::syntax;
use crate::syntax::Limits;
use crate::syntax::tree::{ActionExpr, ActionKind};
use crate::words::Verb;

/// The actions that stand for texts.
#[derive(Debug, Default)]
pub(super) struct Actions {
    /// By what their texts share: the name, and the text as it was first written.
    stands_for: BTreeMap<String, (String, String)>,
    /// In the order that they were met.
    order: Vec<String>,
}

impl Actions {
    /// The action of a cell; nothing for a blank one. `known` says whether a name is that of an action that is declared.
    pub(super) fn read(
        &mut self,
        text: &str,
        place: &Place,
        names: &mut Names,
        notices: &mut Notices,
        known: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let text = text.trim();
        if matches!(text, "" | "-") {
            return None;
        }
        if let Ok(expr) = syntax::parse_action(text)
            && is_whole(&expr, known)
        {
            return Some(text.to_string());
        }
        if let Some(verb) = bare_verb(text) {
            return Some(verb.as_str().to_string());
        }
        let key = folded(text);
        if let Some((name, _)) = self.stands_for.get(&key) {
            return Some(name.clone());
        }
        let name = names.name_of(&slug(text, "outcome"), "outcome");
        let verb = text.split_whitespace().next().and_then(|word| Verb::from_word(&word.to_ascii_lowercase()));
        let why = match verb.and_then(whole) {
            Some(shape) => format!("`{text}` does not say all that it needs, as in `{shape}`"),
            None => format!("`{text}` is no action of the language"),
        };
        let became = format!("it became the action `{name}`, which asks a person; say there what it shall do");
        notices.left(place, format!("{why}: {became}"));
        self.order.push(key.clone());
        self.stands_for.insert(key, (name.clone(), text.to_string()));
        Some(name)
    }

    /// Their declarations.
    pub(super) fn declarations(&self) -> impl Iterator<Item = String> {
        self.order.iter().filter_map(|key| self.stands_for.get(key)).map(|(name, text)| {
            let queue: String = text.chars().take(Limits::TEXT / 4).collect();
            format!("action {name} : review {}", quote(&queue))
        })
    }
}

/// Whether an action is one of the language with all that it needs, or one that is declared.
fn is_whole(expr: &ActionExpr, known: &dyn Fn(&str) -> bool) -> bool {
    let whole = match &expr.verb {
        ActionKind::Reconcile { by, within } => by.is_some() && within.is_some(),
        ActionKind::Retry { when, .. } => when.is_some(),
        ActionKind::Hedge { copies, after } => copies.is_some() && after.is_some(),
        ActionKind::Failover(to) => to.is_some(),
        ActionKind::Named(name) => known(&name.text),
        _ => true,
    };
    whole && expr.refused.as_ref().is_none_or(|refused| is_whole(refused, known))
}

/// How an action of a verb is written that needs something behind it.
fn whole(verb: Verb) -> Option<&'static str> {
    match verb {
        Verb::Retry => Some("retry after BACKOFF"),
        Verb::Reconcile => Some("reconcile by LOCATOR within 4s"),
        Verb::Hedge => Some("hedge 2 after 300ms"),
        Verb::Failover => Some("failover to PARITY"),
        _ => None,
    }
}

/// `STOP`, `Review`: a verb that needs nothing behind it, whatever its case.
fn bare_verb(text: &str) -> Option<Verb> {
    let verb = Verb::from_word(&text.to_ascii_lowercase())?;
    matches!(verb, Verb::Review | Verb::Stop | Verb::Wait | Verb::Done).then_some(verb)
}
