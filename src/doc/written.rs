//! What a policy's text says beside what it means: documentation, cells as they are written, groups, and the files that
//! things stand in. Of an artifact only the files are known.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::decide::Policy;
use crate::model::{Role, Unit};
use crate::syntax::tree::{Item, ItemKind};
use crate::text::{FileId, Origin, SourceMap, Span};

/// What is written.
pub(super) struct Written<'a> {
    sources: Option<&'a SourceMap>,
    origins: Arc<[Origin]>,
    roles: BTreeMap<FileId, Role>,
    /// By file and first byte.
    items: BTreeMap<(FileId, u32), &'a Item>,
    /// Groups by name.
    groups: BTreeMap<&'a str, &'a Item>,
}

/// Whose a declaration is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    /// The policy's own.
    Own,
    /// That of a vocabulary that ships with nisi, by its name.
    Std(String),
    /// That of another file, by its path from the policy's folder.
    File(String),
    /// That of the policy that this one restricts, by its path.
    Base(String),
}

impl Home {
    /// `of org/base.nisi`; nothing for the policy's own.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Home::Own => None,
            Home::Std(name) | Home::File(name) | Home::Base(name) => Some(name),
        }
    }
}

impl<'a> Written<'a> {
    /// What the texts of a policy say; without texts it is an artifact's.
    pub(super) fn of(policy: &Policy, texts: Option<(&'a SourceMap, &'a [Unit])>) -> Self {
        let (mut roles, mut items, mut groups) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for unit in texts.map_or(&[][..], |(_, units)| units) {
            for item in &unit.tree.items {
                roles.insert(item.span.file, unit.role);
                items.insert((item.span.file, item.span.start), item);
                if let ItemKind::Group { name, .. } = &item.kind {
                    groups.insert(&*name.text, item);
                }
            }
        }
        Written { sources: texts.map(|(sources, _)| sources), origins: policy.origins(), roles, items, groups }
    }

    /// Whether the texts are at hand.
    pub(super) fn has_texts(&self) -> bool {
        self.sources.is_some()
    }

    /// The item that something stands in.
    pub(super) fn item(&self, span: Span) -> Option<&'a Item> {
        let before = self.items.range(..=(span.file, span.start)).next_back()?;
        let item = *before.1;
        (item.span.file == span.file && span.start < item.span.end).then_some(item)
    }

    /// The documentation of the item that something stands in.
    pub(super) fn doc(&self, span: Span) -> &'a str {
        self.item(span).map_or("", |item| &item.doc)
    }

    /// The items of the policy's own file.
    pub(super) fn own(&self) -> impl Iterator<Item = &'a Item> + use<'a, '_> {
        self.items.values().copied().filter(|item| item.span.file == FileId::default())
    }

    /// Every item, file by file.
    pub(super) fn items(&self) -> impl Iterator<Item = &'a Item> + use<'a, '_> {
        self.items.values().copied()
    }

    /// A group, by its name.
    pub(super) fn group(&self, name: &str) -> Option<&'a Item> {
        self.groups.get(name).copied()
    }

    /// What stands at a place, if that is a single line.
    pub(super) fn slice(&self, span: Span) -> Option<&'a str> {
        let text = self.sources?.slice(span);
        (!text.contains('\n')).then_some(text)
    }

    /// Whose something is.
    pub(super) fn home(&self, span: Span) -> Home {
        if span.file == FileId::default() {
            return Home::Own;
        }
        let path = self.path(span.file);
        let dotted = || path.trim_end_matches(".nisi").replace('/', ".");
        match self.roles.get(&span.file) {
            Some(Role::Std) => Home::Std(dotted()),
            None if path.starts_with("std/") => Home::Std(dotted()),
            Some(Role::Base) => Home::Base(path),
            _ => Home::File(path),
        }
    }

    /// The files, the policy's own first.
    pub(super) fn homes(&self) -> Vec<Home> {
        let file = |i: usize| Span { file: FileId(i as u32), ..Span::default() };
        (0..self.origins.len()).map(|i| self.home(file(i))).collect()
    }

    /// The policy's own file.
    pub(super) fn main(&self) -> String {
        self.path(FileId::default())
    }

    /// A file as seen from the folder of the policy's own.
    fn path(&self, file: FileId) -> String {
        let name = |file: FileId| self.origins.get(file.0 as usize).map_or("", Origin::name);
        let main = name(FileId::default());
        let folder = main.rfind(['/', '\\']).map_or("", |end| &main[..=end]);
        let own = name(file);
        own.strip_prefix(folder).unwrap_or(own).replace('\\', "/")
    }
}
