//! Definition, references and rename.
//!
//! A name is looked for in every open document, and in every policy under the editor's folders: each is read as a
//! compilation of its own, and counts where the name is declared by the same file.

use std::collections::BTreeMap;

use gen_lsp_types::{DocumentHighlight, Location, Position, Range, TextEdit, WorkspaceEdit};

use super::desk::Desk;
use super::names::{Kind, Name, Names};
use super::{publish, shipped, uri};
use crate::compile::{self, Draft};
use crate::diag::Severity;
use crate::files;
use crate::model::quoted_if_needed;
use crate::text::{FileId, Source, Span};

/// A name under the cursor.
pub(super) struct Here<'d> {
    pub(super) draft: &'d Draft,
    pub(super) names: &'d Names,
    pub(super) name: &'d Name,
    pub(super) range: Range,
}

/// The name at a place of an open document.
pub(super) fn here<'d>(desk: &'d Desk, uri: &str, position: Position) -> Option<Here<'d>> {
    let name = uri::name_of(uri);
    let (root, document) = (desk.roots.get(&name)?, desk.documents.get(&name)?);
    let offset = document.lines.offset(document.source.text(), position, desk.encoding);
    let names = root.names();
    let mention = names.at(FileId::default(), offset)?;
    let range = desk.range(&document.source, mention.span);
    Some(Here { draft: &root.draft, names, name: &mention.name, range })
}

/// Where the name at a place is declared; for what ships inside a document of its own, where the client can open one.
pub(super) fn definition(desk: &Desk, uri: &str, position: Position) -> Option<Location> {
    let here = here(desk, uri, position)?;
    let sources = &here.draft.diagnostics.sources;
    let location = |source, span| desk.location(source, span).or_else(|| shipped::location(desk, source, span));
    if here.name.kind == Kind::File {
        let wanted = format!("/{}.nisi", here.name.text.replace('.', "/"));
        let is_it = |source: &Source| format!("/{}", source.name().trim_end_matches(".md")).ends_with(&wanted);
        let (file, source) = sources.iter().find(|(_, source)| is_it(source))?;
        return location(source, Span { file, ..Span::default() });
    }
    let span = here.names.declaration(here.name)?;
    location(sources.get(span.file), span)
}

/// Every place of the name at a place.
pub(super) fn references(desk: &Desk, uri: &str, position: Position, declaration: bool) -> Vec<Location> {
    let Some(here) = here(desk, uri, position) else { return Vec::new() };
    let found = everywhere(desk, &here);
    let places = found.files.values().flat_map(|file| {
        let wanted = file.places.iter().filter(move |(_, declares)| declaration || !**declares);
        wanted.filter_map(|(span, _)| desk.location(&file.source, span_of(*span)))
    });
    places.collect()
}

/// Every place of the name at a place, in its own document.
pub(super) fn highlights(desk: &Desk, uri: &str, position: Position) -> Vec<DocumentHighlight> {
    let Some(here) = here(desk, uri, position) else { return Vec::new() };
    let source = here.draft.diagnostics.sources.get(FileId::default());
    let own = here.names.all(here.name).filter(|mention| mention.span.file == FileId::default());
    own.map(|mention| DocumentHighlight { range: desk.range(source, mention.span), kind: None }).collect()
}

/// The range and the text of the name at a place, where it can be renamed.
pub(super) fn prepare_rename(desk: &Desk, uri: &str, position: Position) -> Result<(Range, String), String> {
    let here = here(desk, uri, position).ok_or("here stands no name")?;
    may_rename(&here)?;
    Ok((here.range, here.name.text.to_string()))
}

/// The edits that give a name another text everywhere.
pub(super) fn rename(desk: &Desk, uri: &str, position: Position, new: &str) -> Result<WorkspaceEdit, String> {
    let here = here(desk, uri, position).ok_or("here stands no name")?;
    may_rename(&here)?;
    let (kind, old) = (here.name.kind, &here.name.text);
    let written = quoted_if_needed(new);
    if written != new && !matches!(kind, Kind::Value | Kind::Row) {
        return Err(format!("`{new}` is no name of a {}: letters, digits, `_`, `-` and `.`", kind.as_str()));
    }
    let found = everywhere(desk, &here);
    let mut texts = desk.texts();
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for (name, file) in &found.files {
        let mut text = file.source.text().to_string();
        for span in file.places.keys().rev() {
            let range = span_of(*span);
            text.replace_range(range.range(), &written);
            let range = desk.location(&file.source, range).ok_or("a text has changed: ask again")?.range;
            edits.entry(name.clone()).or_default().push(TextEdit { range, new_text: written.clone() });
        }
        texts.0.insert(name.clone(), Source::new(name.as_str(), text));
    }
    let renamed = Name { text: new.into(), ..here.name.clone() };
    for Compilation { source, errors, mentions } in found.compilations {
        let source = texts.0.get(source.name()).cloned().unwrap_or(source);
        let draft = compile::draft(source, &texts);
        if n_errors(&draft) > errors || Names::of(&draft.units).all(&renamed).count() != mentions {
            let mut errors = draft.diagnostics.items.iter().filter(|d| d.severity == Severity::Error);
            let why = errors.next_back().map_or_else(String::new, |error| format!(": {}", error.message));
            return Err(format!("`{old}` cannot be called `{new}`{why}"));
        }
    }
    Ok(desk.workspace_edit(edits))
}

/// Whether a name may be renamed at all.
fn may_rename(here: &Here<'_>) -> Result<(), String> {
    let (kind, text) = (here.name.kind.as_str(), &here.name.text);
    match here.name.kind {
        Kind::Queue => return Err(format!("queue `{text}` is declared nowhere: it belongs to who reads it")),
        Kind::File => return Err(format!("`{text}` is a file: rename the file")),
        _ => {}
    }
    let span = here.names.declaration(here.name).ok_or_else(|| format!("{kind} `{text}` is declared nowhere"))?;
    let home = here.draft.diagnostics.sources.get(span.file).name();
    if shipped::is_own(home) {
        return Err(format!("{kind} `{text}` ships with nisi: nobody can rename it"));
    }
    if publish::ships(home) {
        let name = home.trim_end_matches(".nisi").replace('/', ".");
        return Err(format!("{kind} `{text}` is a word of `{name}`, which ships with nisi: nobody can rename it"));
    }
    Ok(())
}

/// The places of a name by file.
struct Everywhere {
    files: BTreeMap<String, Places>,
    /// The compilations that know the name.
    compilations: Vec<Compilation>,
}

/// A policy with its vocabularies, as it was before a rename.
struct Compilation {
    source: Source,
    errors: usize,
    /// How often the name is mentioned in all its files.
    mentions: usize,
}

struct Places {
    source: Source,
    /// Bytes, and whether the name is declared there.
    places: BTreeMap<(u32, u32), bool>,
}

fn span_of((start, end): (u32, u32)) -> Span {
    Span { start, end, ..Span::default() }
}

fn n_errors(draft: &Draft) -> usize {
    draft.diagnostics.items.iter().filter(|d| d.severity == Severity::Error).count()
}

fn everywhere(desk: &Desk, here: &Here<'_>) -> Everywhere {
    let home = home(here.draft, here.names, here.name);
    let mut found = Everywhere { files: BTreeMap::new(), compilations: Vec::new() };
    for root in desk.roots.values() {
        found.add(&root.draft, root.names(), here.name, home.as_deref());
    }
    for draft in closed(desk) {
        found.add(&draft, &Names::of(&draft.units), here.name, home.as_deref());
    }
    found
}

/// The file that declares a name; where nothing does (a queue), every compilation counts.
fn home(draft: &Draft, names: &Names, name: &Name) -> Option<String> {
    names.declaration(name).map(|span| draft.diagnostics.sources.get(span.file).name().to_string())
}

/// Every policy under the editor's folders that is not open, read.
pub(super) fn closed(desk: &Desk) -> impl Iterator<Item = Draft> + '_ {
    let folders: Vec<_> = desk.folders.iter().filter(|folder| uri::is_file(folder)).map(Into::into).collect();
    let paths = files::find(&folders).files.into_iter();
    let closed = paths.filter(|path| !desk.documents.contains_key(&path.display().to_string()));
    closed.filter_map(|path| match files::policy(&path) {
        Ok(files::Text::Read(source)) => Some(compile::draft(source, &desk.texts())),
        // What is no text holds no name.
        _ => None,
    })
}

impl Everywhere {
    fn add(&mut self, draft: &Draft, names: &Names, name: &Name, home: Option<&str>) {
        if self::home(draft, names, name).as_deref() != home {
            return;
        }
        let sources = &draft.diagnostics.sources;
        let mut mentions = 0;
        for mention in names.all(name) {
            let source = sources.get(mention.span.file);
            if publish::ships(source.name()) {
                continue;
            }
            mentions += 1;
            let new = || Places { source: source.clone(), places: BTreeMap::new() };
            let file = self.files.entry(source.name().to_string()).or_insert_with(new);
            let declares = file.places.entry((mention.span.start, mention.span.end)).or_default();
            *declares |= mention.declares;
        }
        if mentions > 0 {
            let source = sources.get(FileId::default()).clone();
            self.compilations.push(Compilation { source, errors: n_errors(draft), mentions });
        }
    }
}
