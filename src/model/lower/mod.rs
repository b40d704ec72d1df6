//! From syntax to model: every word is looked up, every cell typed, every action completed.
//!
//! It takes the files of one compilation, used ones before their users, and gives a [`Model`] with findings. A name
//! whose declaration is faulty is known as *broken*: its uses are silent, so that one mistake gives one error.

mod actions;
mod blocks;
mod cells;
mod declare;
mod examples;
mod expected;
mod facts;
mod findings;
mod literals;
mod order;
#[cfg(feature = "exchange")]
mod reader;
mod rules;
mod tables;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::diag::Diagnostic;
use crate::syntax::tree::{self, CellExpr, ItemKind};
use crate::text::Span;

use super::{Chain, FactId, Model, ValueSet};

pub use actions::MAX_COPIES;
pub use blocks::{MAX_COUNT, MAX_FACTOR_TENTHS, steps};
pub use expected::ActionReader;
pub use facts::{MAX_FACTS, MAX_POINTS, MAX_VALUES};
#[cfg(feature = "exchange")]
pub use reader::CellReader;

/// One file of a compilation.
#[derive(Debug)]
pub struct Unit {
    /// What was written.
    pub tree: tree::File,
    /// What it is to the file that is compiled.
    pub role: Role,
}

/// What a file is to the one that is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The file itself.
    Main,
    /// One that it uses.
    Used,
    /// One that it uses, shipped with nisi.
    Std,
    /// The policy that it restricts.
    Base,
}

/// A model with what was found on the way.
#[derive(Debug)]
pub struct Lowered {
    /// The model: whole where no finding is an error, else as much as could be understood.
    pub model: Model,
    /// The findings.
    pub findings: Vec<Diagnostic>,
}

/// Resolves and types the files of one compilation, used ones before their users, the compiled one last.
pub fn lower(units: &[Unit]) -> Lowered {
    let mut lowering = Lowering::of(units, Model::default());
    lowering.declare();
    lowering.headers();
    lowering.facts();
    lowering.extends();
    lowering.groups();
    lowering.blocks();
    lowering.model.std = super::StdFacts::find(&lowering.model.facts);
    lowering.actions();
    lowering.tables();
    lowering.order();
    lowering.rules();
    lowering.waivers();
    lowering.examples();
    lowering.idle_names();
    Lowered { model: lowering.model, findings: lowering.findings.into_inner() }
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Fact,
    Group,
    Action,
    Table,
    Classify,
    Backoff,
    Locator,
    Parity,
    Rule,
}

impl NameKind {
    fn as_str(self) -> &'static str {
        match self {
            NameKind::Fact => "fact",
            NameKind::Group => "group",
            NameKind::Action => "action",
            NameKind::Table => "table",
            NameKind::Classify => "classify",
            NameKind::Backoff => "backoff",
            NameKind::Locator => "locator",
            NameKind::Parity => "parity",
            NameKind::Rule => "rule",
        }
    }
}

/// Where a name is declared.
#[derive(Debug, Clone, Copy)]
struct Decl {
    kind: NameKind,
    span: Span,
    role: Role,
}

/// A group: a set of one fact's values.
#[derive(Debug, Clone)]
struct Group {
    fact: FactId,
    set: ValueSet,
}

struct Lowering<'a> {
    units: &'a [Unit],
    findings: RefCell<Vec<Diagnostic>>,
    names: IndexMap<Rc<str>, Decl>,
    /// Names whose declaration is faulty.
    broken: HashSet<Rc<str>>,
    groups: HashMap<Rc<str>, Group>,
    /// Groups and named actions that something uses.
    used: RefCell<HashSet<Rc<str>>>,
    /// Named actions: the chain as stated; nothing where it is faulty.
    actions: HashMap<Rc<str>, Option<Chain>>,
    /// Cells already typed, by fact and by the place of their expression in memory.
    cells: RefCell<HashMap<(FactId, *const CellExpr), Arc<ValueSet>, FxBuildHasher>>,
    model: Model,
}

impl<'a> Lowering<'a> {
    fn of(units: &'a [Unit], model: Model) -> Self {
        Lowering {
            units,
            findings: RefCell::default(),
            names: IndexMap::new(),
            broken: HashSet::new(),
            groups: HashMap::new(),
            used: RefCell::default(),
            actions: HashMap::new(),
            cells: RefCell::default(),
            model,
        }
    }

    fn report(&self, finding: Diagnostic) {
        self.findings.borrow_mut().push(finding);
    }

    fn uses(&self, name: &Rc<str>) {
        self.used.borrow_mut().insert(name.clone());
    }

    /// Groups and named actions of a policy's own file that nothing uses; a vocabulary declares for others.
    fn idle_names(&mut self) {
        if !self.is_policy() {
            return;
        }
        let used = self.used.borrow();
        let own = self.names.iter().filter(|(name, decl)| {
            let kind = matches!(decl.kind, NameKind::Group | NameKind::Action);
            kind && decl.role == Role::Main && !used.contains(*name) && !self.broken.contains(*name)
        });
        let idle = |(name, decl): (&Rc<str>, &Decl)| super::IdleName {
            kind: decl.kind.as_str(),
            name: (**name).into(),
            span: decl.span,
        };
        let idle = own.map(idle).collect();
        drop(used);
        self.model.idle_names = idle;
    }

    /// Every item of every file, with its file's role, in order.
    fn items(&self) -> impl Iterator<Item = (Role, &'a tree::Item)> + use<'a> {
        let units: &'a [Unit] = self.units;
        units.iter().flat_map(|unit| unit.tree.items.iter().map(|item| (unit.role, item)))
    }

    /// The items of the compiled file alone.
    fn main_items(&self) -> impl Iterator<Item = &'a tree::Item> + use<'a> {
        self.items().filter(|(role, _)| *role == Role::Main).map(|(_, item)| item)
    }

    /// Whether the compiled file has a `policy` header.
    fn is_policy(&self) -> bool {
        self.main_items().any(|item| matches!(item.kind, ItemKind::Policy(_)))
    }
}
