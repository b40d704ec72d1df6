//! A policy whose every word is resolved.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::syntax::tree::{Hit, RowKind};
use crate::text::Span;
use crate::words::Verb;

use super::{Backoff, Chain, Fact, FactId, Locator, Parity, Value, ValueSet, quoted_if_needed};

/// A table of one model, by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TableId(pub usize);

/// A whole policy, resolved and typed, everything that it uses included.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Its name; empty for a vocabulary.
    pub name: Box<str>,
    /// Its version as written; may be empty.
    pub version: Box<str>,
    /// Its owner as written; may be empty.
    pub owner: Box<str>,
    /// The facts by name, in order of declaration; a [`FactId`] is a place here.
    pub facts: IndexMap<Box<str>, Fact>,
    /// The derives, each after those that it needs.
    pub derives: Vec<Derive>,
    /// The classifies.
    pub classifies: Vec<Classify>,
    /// The tables; the entry is the first, the `tighten` tables of an overlay the last. A vocabulary may have none.
    pub tables: Vec<Table>,
    /// The named actions, each as it is stated. They are resolved away wherever a row uses one.
    pub actions: IndexMap<Box<str>, Chain>,
    /// The backoffs.
    pub backoffs: Vec<Backoff>,
    /// The locators.
    pub locators: Vec<Locator>,
    /// The parities.
    pub parities: Vec<Parity>,
    /// The budget.
    pub budget: Option<Budget>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The waivers.
    pub waivers: Vec<Waiver>,
    /// The examples.
    pub examples: Vec<Examples>,
    /// What it restricts, where it is an overlay.
    pub overlay: Option<Overlay>,
    /// Groups and named actions of the compiled policy that nothing uses.
    pub idle_names: Vec<IdleName>,
    /// What the compiled file adds to choices.
    pub extended: Vec<Extended>,
    /// The facts of `std.facts` that the guards read, where they are declared.
    pub std: StdFacts,
}

macro_rules! std_facts {
    ($($field:ident)*) => {
        /// Where the facts that guards and waits read stand in a model.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct StdFacts {
            $(#[allow(missing_docs, reason = "the fact of that name in std.facts")] pub $field: Option<FactId>,)*
        }
        impl StdFacts {
            /// Finds them by name.
            pub fn find(facts: &IndexMap<Box<str>, Fact>) -> Self {
                let id = |name: &str| facts.get_index_of(name).map(|i| FactId(i as u32));
                StdFacts { $($field: id(stringify!($field)),)* }
            }
        }
    };
}

std_facts! { condition effect tools boundary pushback hint authorization deadline budget attempt }

impl Model {
    /// A fact.
    ///
    /// # Panics
    /// If the id came from another model.
    pub fn fact(&self, id: FactId) -> &Fact {
        &self.facts[id.0 as usize]
    }

    /// A fact's id.
    pub fn fact_id(&self, name: &str) -> Option<FactId> {
        self.facts.get_index_of(name).map(|i| FactId(i as u32))
    }

    /// A table's id.
    pub fn table_id(&self, name: &str) -> Option<TableId> {
        self.tables.iter().position(|t| &*t.name == name).map(TableId)
    }
}

/// A group or a named action that nothing uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleName {
    /// `group`, `action`.
    pub kind: &'static str,
    /// Its name.
    pub name: Box<str>,
    /// Its name where it is declared.
    pub span: Span,
}

/// `extend FACT : values`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extended {
    /// The choice.
    pub fact: FactId,
    /// The values added, by place.
    pub values: Vec<usize>,
    /// The whole item.
    pub span: Span,
}

/// One test of a row.
#[derive(Debug, Clone)]
pub struct Cond {
    /// The fact.
    pub fact: FactId,
    /// What it must be.
    pub set: Arc<ValueSet>,
    /// Where it is written: the cell, or the test inside `also`.
    pub span: Span,
}

/// A decision table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name.
    pub name: Box<str>,
    /// How several matching rows become one answer.
    pub hit: Hit,
    /// Where that is written.
    pub hit_span: Span,
    /// What every `see` promises.
    pub promise: Vec<Cond>,
    /// Its columns as they are written, what they hold of a row.
    pub columns: Vec<Column>,
    /// The rows, in file order.
    pub rows: Vec<Row>,
    /// Whether a row is missing here because it could not be read: then no gap may be reported.
    pub damaged: bool,
    /// Its name where it is declared.
    pub span: Span,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The row's name.
    Name,
    /// A fact.
    Fact(FactId),
    /// Tests that few rows make.
    Also,
    /// What follows.
    Output,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name, where one is written.
    pub name: Option<Box<str>>,
    /// Plain, `any unknown` or `otherwise`.
    pub kind: RowKind,
    /// Its tests, only those that test something, cells before `also`; all must hold.
    pub conds: Vec<Cond>,
    /// What follows.
    pub outcome: Outcome,
    /// `- row: text`
    pub reason: Option<Box<str>>,
    /// The whole row.
    pub span: Span,
}

/// What can be told of a row without its tests.
#[derive(Debug, Clone, Copy)]
pub struct RowHead<'a> {
    /// Its name, where one is written.
    pub name: Option<&'a str>,
    /// Plain, `any unknown` or `otherwise`.
    pub kind: RowKind,
    /// `- row: text`
    pub reason: Option<&'a str>,
    /// The whole row.
    pub span: Span,
}

impl Row {
    /// All of it but its tests and what follows.
    pub fn head(&self) -> RowHead<'_> {
        RowHead { name: self.name.as_deref(), kind: self.kind, reason: self.reason.as_deref(), span: self.span }
    }

    /// Its name, the words of a fixed row, or `#3`: the third row of its table (`index` counts from 0).
    pub fn label(&self, index: usize) -> String {
        self.head().label(index)
    }

    /// Its label as a policy writes it: a name that is no plain one in quotes.
    pub fn written(&self, index: usize) -> String {
        self.name.as_deref().map_or_else(|| self.label(index), quoted_if_needed)
    }
}

impl RowHead<'_> {
    /// As [`Row::label`].
    pub fn label(&self, index: usize) -> String {
        match (self.name, self.kind) {
            (Some(name), _) => name.to_string(),
            (None, RowKind::Plain) => format!("#{}", index + 1),
            (None, RowKind::AnyUnknown) => "any unknown".into(),
            (None, RowKind::Otherwise) => "otherwise".into(),
        }
    }
}

/// What follows when a row is taken.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// An action with its ways for refusal.
    Act(Arc<Chain>),
    /// Hand over for good.
    See(TableId),
    /// A derive's or classify's values, one for each output.
    Values(Vec<Value>),
}

/// A derive: a table whose answers are facts.
#[derive(Debug, Clone)]
pub struct Derive {
    /// The facts that it gives.
    pub outputs: Vec<Output>,
    /// Its table; every outcome is `Values`. Its name is the first output's.
    pub table: Table,
}

/// An output of a derive or classify.
#[derive(Debug, Clone)]
pub struct Output {
    /// The fact.
    pub fact: FactId,
    /// Its name where it is declared.
    pub span: Span,
}

/// A classify: raw signals into facts, before any decision.
#[derive(Debug, Clone)]
pub struct Classify {
    /// The facts that it gives.
    pub outputs: Vec<Output>,
    /// Its table.
    pub table: Table,
}

/// `budget { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The one layer that may retry.
    pub owner: Box<str>,
    /// Layers that retry by themselves.
    pub below: Vec<LayerBelow>,
    /// Attempts for one intent, the first included.
    pub attempts: u64,
    /// The fleet brake: percent of intents in units of 10⁻¹⁸, and at least so many a second.
    pub refill: Option<(i128, u64)>,
    /// The intent's whole time, in milliseconds.
    pub deadline_ms: u64,
    /// Kept back to confirm the result.
    pub reserve_ms: u64,
    /// Tries to confirm.
    pub confirm: u64,
    /// With less time an attempt is not worth making.
    pub least_ms: u64,
    /// The longest that a sent attempt may still arrive.
    pub late_ms: u64,
    /// The whole block.
    pub span: Span,
}

/// A layer below that retries by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerBelow {
    /// Its name.
    pub name: Box<str>,
    /// Its attempts, the first included.
    pub attempts: u64,
}

/// `rule NAME: never|only …`
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name.
    pub name: Box<str>,
    /// Only these, rather than never these.
    pub only: bool,
    /// The verbs; a failover may name one parity.
    pub verbs: Vec<(Verb, Option<usize>)>,
    /// `unless` rather than `when`.
    pub unless: bool,
    /// The tests, joined by `and`. In `when`, unknown is already in a set unless its cell speaks of it: a rule
    /// protects wherever it may apply.
    pub tests: Vec<Cond>,
    /// Its name where it is declared.
    pub span: Span,
}

/// `waive …`
#[derive(Debug, Clone)]
pub struct Waiver {
    /// A rule's name or a finding's code.
    pub what: Box<str>,
    /// For these rows only; empty for a code without rows.
    pub rows: Vec<(TableId, usize)>,
    /// Why.
    pub because: Box<str>,
    /// Who answers for it.
    pub owner: Option<Box<str>>,
    /// The last day that it holds, `2027-01-31`.
    pub until: Option<Box<str>>,
    /// The whole item.
    pub span: Span,
}

/// `examples TABLE`
#[derive(Debug, Clone)]
pub struct Examples {
    /// The table that is asked.
    pub table: TableId,
    /// The examples in file order.
    pub rows: Vec<Example>,
}

/// One example.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name; may be empty.
    pub name: Box<str>,
    /// Facts, `given` included; others are unknown.
    pub facts: Vec<(FactId, Value)>,
    /// What is expected.
    pub expected: Expected,
    /// The whole row.
    pub span: Span,
}

/// What an example expects.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// The verb that is left after guards, and where it is written.
    pub verb: Option<(Verb, Span)>,
    /// The whole action, where more than the verb is written.
    pub action: Option<super::Action>,
    /// The row that answers, `table/row`, and where it is written.
    pub row: Option<(TableId, usize, Span)>,
}

/// What an overlay restricts.
#[derive(Debug, Clone)]
pub struct Overlay {
    /// The table of the base, and the table that tightens it: asked with the same facts whenever the base's is; of
    /// both answers the more cautious holds. The latter stands behind all others in the model's tables.
    pub tighten: Vec<(TableId, TableId)>,
}
