//! Actions that are spoken of beside a policy: what a case expects, read with the policy's own names.

use std::collections::HashMap;

use crate::diag::Diagnostic;
use crate::model::{Action, Model};
use crate::syntax;
use crate::text::Span;
use crate::words::Verb;

use super::{Decl, Lowering, NameKind, Role};

/// What is expected of an action: its verb, and all of it where more than the verb is written.
type Expected = (Verb, Option<Action>);

/// Reads actions against a model that is whole; each text once.
pub struct ActionReader {
    lowering: Lowering<'static>,
    read: HashMap<String, Expected>,
}

impl ActionReader {
    /// A reader of one model's names; it holds a copy of the model.
    pub fn new(model: &Model) -> Self {
        let mut lowering = Lowering::of(&[], model.clone());
        let blocks = [
            (NameKind::Backoff, model.backoffs.iter().map(|b| &b.name).collect::<Vec<_>>()),
            (NameKind::Locator, model.locators.iter().map(|l| &l.name).collect()),
            (NameKind::Parity, model.parities.iter().map(|p| &p.name).collect()),
            (NameKind::Action, model.actions.keys().collect()),
            (NameKind::Table, model.tables.iter().map(|t| &t.name).collect()),
        ];
        for (kind, names) in blocks {
            let decl = Decl { kind, span: Span::default(), role: Role::Main };
            lowering.names.extend(names.into_iter().map(|name| ((**name).into(), decl)));
        }
        let chains = model.actions.iter().map(|(name, chain)| ((**name).into(), Some(chain.clone())));
        lowering.actions = chains.collect::<HashMap<_, _>>();
        ActionReader { lowering, read: HashMap::new() }
    }

    /// A verb alone, or a whole action: `retry`, `retry after gentle`, the name of an action. Places count from the
    /// start of the text.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(&mut self, text: &str) -> Result<Expected, Box<Diagnostic>> {
        if let Some(known) = self.read.get(text) {
            return Ok(known.clone());
        }
        let expr = syntax::parse_action(text)?;
        let read = self.lowering.expected(&expr);
        let first = std::mem::take(self.lowering.findings.get_mut()).into_iter().next();
        let unsaid = || Diagnostic::new(crate::diag::N0117, format!("`{text}` is no action that can be expected"));
        let read = read.ok_or_else(|| Box::new(first.unwrap_or_else(unsaid)))?;
        self.read.insert(text.to_string(), read.clone());
        Ok(read)
    }
}
