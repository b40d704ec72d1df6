//! Every name of one compilation, where it is declared and where it is used.
//!
//! Takes the trees of a file and of what it uses. Names of items share one flat space, so that a name means one thing
//! wherever it stands; a value belongs to its fact, a row to its table. What nothing declares has no entry, save the
//! queues of `review`, which are declared nowhere.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::mentions::Walk;
use crate::model::Unit;
use crate::syntax::tree::{Grid, ItemKind, TypeExpr, Word};
use crate::text::{FileId, Span};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Fact,
    Group,
    Action,
    Table,
    Classify,
    Backoff,
    Locator,
    Parity,
    Rule,
    /// A value of a fact, or a named point.
    Value,
    /// A row of a table.
    Row,
    /// Who a `review` goes to.
    Queue,
    /// A file that is used.
    File,
}

impl Kind {
    /// The word for it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Kind::Fact => "fact",
            Kind::Group => "group",
            Kind::Action => "action",
            Kind::Table => "table",
            Kind::Classify => "classify",
            Kind::Backoff => "backoff",
            Kind::Locator => "locator",
            Kind::Parity => "parity",
            Kind::Rule => "rule",
            Kind::Value => "value",
            Kind::Row => "row",
            Kind::Queue => "queue",
            Kind::File => "file",
        }
    }
}

/// A name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// What it stands for.
    pub(super) kind: Kind,
    /// The fact of a value, the table of a row; else nothing.
    pub(super) of: Rc<str>,
    /// The name.
    pub(super) text: Rc<str>,
}

/// A name at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The name.
    pub(super) name: Name,
    /// Where it stands, quotes included.
    pub(super) span: Span,
    /// Whether it is declared here.
    pub(super) declares: bool,
}

/// What the items of a compilation declare.
#[derive(Debug, Default)]
pub(super) struct Declared {
    items: BTreeMap<Rc<str>, Kind>,
    values: BTreeSet<(Rc<str>, Rc<str>)>,
    rows: BTreeSet<(Rc<str>, Rc<str>)>,
    /// The tables that tighten another, by its name.
    tightened: BTreeMap<Rc<str>, Rc<str>>,
}

impl Declared {
    fn of(units: &[Unit]) -> Self {
        let mut declared = Declared::default();
        for item in units.iter().flat_map(|unit| &unit.tree.items) {
            declared.item(&item.kind);
        }
        declared
    }

    fn item(&mut self, item: &ItemKind) {
        let (kind, name) = match item {
            ItemKind::Fact { name, ty, points } => {
                self.values(name, ty);
                self.words(name, points);
                (Kind::Fact, name)
            }
            ItemKind::Extend { fact, values } => return self.words(fact, values),
            ItemKind::Derive { outputs, table, .. } => {
                for (name, ty) in outputs {
                    self.items.entry(name.text.clone()).or_insert(Kind::Fact);
                    self.values(name, ty);
                }
                return outputs.first().map_or((), |(name, _)| self.rows(&name.text, table));
            }
            ItemKind::Tighten { name, table, .. } => {
                let own: Rc<str> = format!("tighten {}", name.text).into();
                self.rows(&own, table);
                self.tightened.insert(name.text.clone(), own);
                return;
            }
            ItemKind::Classify { name, table, .. } => {
                self.rows(&name.text, table);
                (Kind::Classify, name)
            }
            ItemKind::Table { name, table, .. } => {
                self.rows(&name.text, table);
                (Kind::Table, name)
            }
            ItemKind::Group { name, .. } => (Kind::Group, name),
            ItemKind::Action { name, .. } => (Kind::Action, name),
            ItemKind::Backoff { name, .. } => (Kind::Backoff, name),
            ItemKind::Locator { name, .. } => (Kind::Locator, name),
            ItemKind::Parity { name, .. } => {
                let fact: Rc<str> = format!("parity.{}", name.text).into();
                self.values.extend(["holds", "refused"].map(|value| (fact.clone(), value.into())));
                (Kind::Parity, name)
            }
            ItemKind::Rule { name, .. } => (Kind::Rule, name),
            _ => return,
        };
        self.items.entry(name.text.clone()).or_insert(kind);
    }

    fn values(&mut self, fact: &Word, ty: &TypeExpr) {
        if let TypeExpr::Choice { values, .. } | TypeExpr::Ordered { values, .. } = ty {
            self.words(fact, values);
        }
    }

    fn words(&mut self, fact: &Word, values: &[Word]) {
        self.values.extend(values.iter().map(|value| (fact.text.clone(), value.text.clone())));
    }

    fn rows(&mut self, table: &Rc<str>, grid: &Grid) {
        let names = grid.rows.iter().filter_map(|row| row.name.as_ref());
        self.rows.extend(names.map(|name| (table.clone(), name.text.clone())));
    }

    /// The item of a name.
    pub(super) fn item_of(&self, text: &Rc<str>) -> Option<Name> {
        let kind = *self.items.get(text)?;
        Some(Name { kind, of: "".into(), text: text.clone() })
    }

    /// What a word in a cell of a fact names: a group, or a value.
    pub(super) fn in_cell(&self, fact: &Rc<str>, text: &Rc<str>, quoted: bool) -> Option<Name> {
        if !quoted && self.items.get(text) == Some(&Kind::Group) {
            return self.item_of(text);
        }
        let is_value = self.values.contains(&(fact.clone(), text.clone()));
        is_value.then(|| Name { kind: Kind::Value, of: fact.clone(), text: text.clone() })
    }

    /// The row of a name in a table, or in what tightens it.
    pub(super) fn row(&self, table: &Rc<str>, text: &Rc<str>) -> Option<Name> {
        let own = [Some(table), self.tightened.get(table)];
        let of = own.into_iter().flatten().find(|of| self.rows.contains(&((*of).clone(), text.clone())))?;
        Some(Name { kind: Kind::Row, of: of.clone(), text: text.clone() })
    }
}

/// The names of one compilation, by place.
#[derive(Debug, Default)]
pub(super) struct Names {
    mentions: Vec<Mention>,
}

impl Names {
    /// Finds them all.
    pub(super) fn of(units: &[Unit]) -> Self {
        let declared = Declared::of(units);
        let mut walk = Walk::new(&declared);
        for item in units.iter().flat_map(|unit| &unit.tree.items) {
            walk.item(&item.kind);
        }
        let mut mentions = walk.mentions;
        mentions.sort_by_key(|m| (m.span.file, m.span.start, m.span.end));
        Names { mentions }
    }

    /// The name at a byte of a file; right behind it counts too.
    pub(super) fn at(&self, file: FileId, offset: usize) -> Option<&Mention> {
        let touches =
            |m: &&Mention| m.span.file == file && m.span.range().start <= offset && offset <= m.span.range().end;
        self.mentions.iter().filter(touches).max_by_key(|m| m.span.start)
    }

    /// All mentions of a name.
    pub(super) fn all<'n>(&'n self, name: &'n Name) -> impl Iterator<Item = &'n Mention> + 'n {
        self.mentions.iter().filter(move |m| m.name == *name)
    }

    /// Where a name is declared.
    pub(super) fn declaration(&self, name: &Name) -> Option<Span> {
        self.all(name).find(|m| m.declares).map(|m| m.span)
    }

    /// The queues that actions name, each once.
    pub(super) fn queues(&self) -> BTreeSet<Rc<str>> {
        let queues = self.mentions.iter().filter(|m| m.name.kind == Kind::Queue);
        queues.map(|m| m.name.text.clone()).collect()
    }

    /// The mentions in a file, in the order of their places.
    pub(super) fn in_file(&self, file: FileId) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |m| m.span.file == file)
    }
}
