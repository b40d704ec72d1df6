//! Release passports: what binds a model, its prompt, its tool schema, its safety policy and its router under one name.
//!
//! Takes texts in YAML, many documents each; gives a registry, or every fault with its file, line and key. Keys that nobody
//! knows are kept: a parity can name them. A passport's digest is SHA-256 over its canonical JSON (RFC 8785) without the key
//! `digest`; where the passport states one, it must be that.

use std::collections::BTreeMap;

use super::canonical::{canonical, sha256, show_digest};
use super::ids::ReleaseId;
use super::registry::{RegistryError, Words, read_registry};
use super::tree::{Kind, TextError, Tree};

/// What one release is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passport {
    name: ReleaseId,
    bound: ReleaseId,
    digest: String,
    pub(super) tree: Tree,
}

impl Passport {
    /// Its name.
    pub fn name(&self) -> &ReleaseId {
        &self.name
    }

    /// `sha256:` and 64 digits over everything in it.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The id that binds name and content: `name@sha256:…`.
    pub fn bound_id(&self) -> &ReleaseId {
        &self.bound
    }

    /// A field by its path, `evaluation.groundedness`: a key of that whole name, or key by key.
    pub(super) fn field(&self, path: &str) -> Option<&Tree> {
        let whole = self.tree.get(path);
        whole
            .or_else(|| path.split('.').try_fold(&self.tree, |tree, key| tree.get(key)))
            .filter(|t| t.kind != Kind::Null)
    }

    /// A field's text.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.field(key).and_then(Tree::text)
    }

    fn read(tree: Tree) -> Result<Self, Vec<TextError>> {
        let Kind::Map(entries) = &tree.kind else {
            return Err(vec![TextError::new(tree.line, format!("a passport is a map, and here is {}", tree.what()))]);
        };
        let mut errors = Vec::new();
        for (key, value) in entries {
            let is_text = |t: &Tree| matches!(t.kind, Kind::Text(_) | Kind::Number(_));
            let (good, need) = match key.as_str() {
                "release" | "provider" | "model" | "prompt" | "tool_schema" | "safety_policy" | "router" | "digest" => {
                    (is_text(value), "a text")
                }
                "permissions" | "tools" => (list(value).is_some(), "a list of texts"),
                "evaluation" => (matches!(value.kind, Kind::Map(_)), "a map"),
                _ => (true, ""),
            };
            if !good {
                errors.push(TextError::new(value.line, format!("`{key}` is {need}, and here is {}", value.what())));
            }
        }
        let name = match tree.get("release").and_then(Tree::text).map(str::parse::<ReleaseId>) {
            Some(Ok(name)) if name.digest().is_none() => Some(name),
            Some(Ok(_)) => {
                errors.push(TextError::new(
                    tree.line,
                    "`release` is a name without its digest: write `digest: sha256:…`",
                ));
                None
            }
            Some(Err(error)) => {
                errors.push(TextError::new(tree.line, format!("`release`: {error}")));
                None
            }
            None => {
                errors.push(TextError::new(tree.line, "a passport needs `release`, its name"));
                None
            }
        };
        let bound = entries.iter().filter(|(key, _)| key != "digest").cloned().collect();
        let digest = match canonical(&Kind::Map(bound).into()) {
            Ok(text) => show_digest(&sha256(text.as_bytes())),
            Err(error) => {
                errors.push(error);
                String::new()
            }
        };
        if let Some(stated) = tree.get("digest").filter(|t| errors.is_empty() && t.text() != Some(&digest)) {
            let error =
                TextError::new(stated.line, "`digest` is not that of this passport: something in it was changed");
            errors.push(error.help(format!("of what stands here it is `{digest}`")));
        }
        let bound = name.as_ref().map(|name| format!("{name}@{digest}").parse::<ReleaseId>());
        match (name, bound) {
            (Some(name), Some(Ok(bound))) if errors.is_empty() => Ok(Passport { name, bound, digest, tree }),
            (_, Some(Err(error))) if errors.is_empty() => {
                Err(vec![TextError::new(tree.line, format!("with its digest, {error}")).help("give it a shorter name")])
            }
            _ => Err(errors),
        }
    }
}

/// A list of texts; one text is a list of one.
pub(super) fn list(tree: &Tree) -> Option<&[Tree]> {
    match &tree.kind {
        Kind::Text(_) => Some(std::slice::from_ref(tree)),
        Kind::List(items) => items.iter().all(|item| item.text().is_some()).then_some(items),
        _ => None,
    }
}

const WORDS: Words = Words {
    document: "passport",
    of: "a release",
    write: "write `release: NAME` and all that it binds, or take the file out",
    twice: "a changed release is another release: give it a name of its own",
};

/// The registered releases, by name.
///
/// ```
/// use nisi::judge::Releases;
/// let text = "release: a\nprovider: northwind\ntools: [erp]\nregion: eu\n---\nrelease: b\nprovider: contoso\n";
/// let releases = Releases::read([("releases.yaml", text)]).map_err(|errors| errors[0].clone())?;
/// assert_eq!(releases.passports().count(), 2);
/// let id = releases.get("a").expect("it is there").bound_id();
/// assert!(releases.find(id).is_some());
///
/// let changed = Releases::read([("r.yaml", text.replace("[erp]", "[erp, bank]").as_str())]).map_err(|errors| errors[0].clone())?;
/// assert!(changed.find(id).is_none()); // what the id binds has changed
/// # Ok::<(), nisi::judge::RegistryError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Releases(BTreeMap<String, Passport>);

impl Releases {
    /// Reads passports from files, each given by its name and text.
    ///
    /// # Errors
    /// Every fault of every file: no YAML, no passport in it, a key of the wrong kind, a digest that is not the passport's,
    /// two passports of one name.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Vec<RegistryError>> {
        let read = |tree| Passport::read(tree).map(|one| (one.name.as_str().to_string(), one));
        read_registry(files, &WORDS, read).map(Releases)
    }

    /// All, in the order of their names.
    pub fn passports(&self) -> impl Iterator<Item = &Passport> {
        self.0.values()
    }

    /// A release by its name.
    pub fn get(&self, name: &str) -> Option<&Passport> {
        self.0.get(name)
    }

    /// A release by its id; nothing where the id binds another content.
    pub fn find(&self, id: &ReleaseId) -> Option<&Passport> {
        self.get(id.name()).filter(|passport| id.digest().is_none_or(|digest| digest == passport.digest))
    }
}
