//! What a name, an action's word or a code means, in a few lines of Markdown.

use gen_lsp_types::{Hover, MarkupContent, MarkupKind, Position, Range};

use super::desk::Desk;
use super::goto::{self, Here};
use super::names::{Kind, Name};
use super::symbols::own_tree;
use super::{publish, remains, uri, waits};
use crate::compile;
use crate::decide::guard_words as guard;
use crate::diag;
use crate::model::{Chain, Fact, FactSource, Model, Outcome, Table, show_chain, show_domain};
use crate::syntax::tree::Item;
use crate::text::{FileId, Span};
use crate::words::{Verb, show_duration};

/// What stands at a place.
pub(super) fn hover(desk: &Desk, address: &str, position: Position) -> Option<Hover> {
    if let Some(here) = goto::here(desk, address, position) {
        return Some(told(about(&here)?, here.range));
    }
    let of_word = word(desk, address, position).and_then(|(text, range)| {
        let page = diag::code(&text).map(|code| code.page.to_string());
        let verb = || Verb::from_word(&text).map(|verb| guard(verb).to_string());
        Some(told(page.or_else(verb)?, range))
    });
    of_word.or_else(|| row_at(desk, address, position))
}

/// The row of a table at a place at which no word means anything by itself.
fn row_at(desk: &Desk, address: &str, position: Position) -> Option<Hover> {
    let name = uri::name_of(address);
    let (root, document) = (desk.roots.get(&name)?, desk.documents.get(&name)?);
    let offset = document.lines.offset(document.source.text(), position, desk.encoding);
    let model = &root.draft.model;
    let is_here = |span: Span| span.file == FileId::default() && span.range().contains(&offset);
    let mut rows = tables(model).flat_map(|table| (0..table.rows.len()).map(move |i| (table, i)));
    let (table, i) = rows.find(|(table, i)| is_here(table.rows[*i].span))?;
    Some(told(row(model, table, i), desk.range(&document.source, table.rows[i].span)))
}

/// Every table of a model, those of derives and classifies too.
fn tables(model: &Model) -> impl Iterator<Item = &Table> {
    let derives = model.derives.iter().map(|derive| &derive.table);
    model.tables.iter().chain(derives).chain(model.classifies.iter().map(|classify| &classify.table))
}

fn told(value: String, range: Range) -> Hover {
    Hover { contents: MarkupContent { kind: MarkupKind::Markdown, value }.into(), range: Some(range) }
}

/// The plain word at a place outside comments.
fn word(desk: &Desk, address: &str, position: Position) -> Option<(String, Range)> {
    let name = uri::name_of(address);
    let (root, document) = (desk.roots.get(&name)?, desk.documents.get(&name)?);
    let offset = document.lines.offset(document.source.text(), position, desk.encoding);
    // In Markdown what is no policy is blank, byte for byte.
    let text = document.source.policy();
    if own_tree(&root.draft)?.comments.iter().any(|c| c.range().contains(&offset)) {
        return None;
    }
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let start =
        text[..offset].rfind(|c| !part(c)).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let end = text[offset..].find(|c| !part(c)).map_or(text.len(), |i| offset + i);
    let span = Span::new(FileId::default(), start, end);
    (start < end).then(|| (text[start..end].to_string(), desk.range(&document.source, span)))
}

fn about(here: &Here<'_>) -> Option<String> {
    let (model, name) = (&here.draft.model, here.name);
    let body = match name.kind {
        Kind::Fact => {
            let fact = model.fact(model.fact_id(&name.text)?);
            format!(
                "**fact** `{}` : {}{}",
                name.text,
                show_domain(fact, |word| format!("`{word}`")),
                comes_from(model, fact)
            )
        }
        Kind::Parity => {
            let parity = model.parities.iter().find(|parity| *parity.name == *name.text)?;
            let said = written(here, parity.span);
            format!("**parity** `{}`: `parity.{}` is `holds` or `refused`\n{said}", name.text, name.text)
        }
        Kind::Backoff => {
            let backoff = model.backoffs.iter().find(|backoff| *backoff.name == *name.text)?;
            format!(
                "**backoff** `{}` waits {}",
                name.text,
                waits::of(backoff, model.budget.as_ref().map(|b| b.attempts))
            )
        }
        Kind::Locator => {
            let locator = model.locators.iter().find(|locator| *locator.name == *name.text)?;
            let lag = format!("a result may take {} to show", show_duration(locator.lag_ms));
            let memory = locator.remembers_ms.map_or_else(|| "for ever".into(), show_duration);
            let looks = locator.looks.map_or_else(String::new, |n| format!("; at most {n} looks an intent"));
            format!("**locator** `{}`: {lag}; it can be found {memory}{looks}", name.text)
        }
        Kind::Row => named_row(model, name)?,
        Kind::Table | Kind::Classify => {
            let table = tables(model).find(|table| *table.name == *name.text)?;
            let kind = name.kind.as_str();
            format!("**{kind}** `{}`, {}: {} rows", name.text, table.hit.as_str(), table.rows.len())
        }
        Kind::Value => {
            let meaning = meaning(here).map_or_else(String::new, |meaning| format!(": {meaning}"));
            format!("**value** `{}` of `{}`{meaning}", name.text, name.of)
        }
        Kind::Queue => format!("**queue** `{}`: who looks at it", name.text),
        Kind::File if compile::shipped(&name.text).is_some() => {
            format!("**vocabulary** `{0}`, which ships with nisi; `nisi explain {0}` prints it", name.text)
        }
        Kind::File => format!("the file of `{}`", name.text),
        Kind::Action | Kind::Group | Kind::Rule => {
            let said = written(here, here.names.declaration(name)?);
            let guards = model.actions.get(&*name.text).filter(|_| name.kind == Kind::Action).map(guards);
            format!("**{}** `{}`\n{said}{}", name.kind.as_str(), name.text, guards.unwrap_or_default())
        }
    };
    Some(format!("{body}{}{}", documentation(here), home(here)))
}

fn comes_from(model: &Model, fact: &Fact) -> String {
    let FactSource::Derived { derive, .. } = fact.source else { return String::new() };
    let Some(derive) = model.derives.get(derive) else { return String::new() };
    let mut names: Vec<&str> = Vec::new();
    for cond in derive.table.rows.iter().flat_map(|row| &row.conds) {
        let name = &*model.fact(cond.fact).name;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!("\n\nderived from `{}`", names.join("`, `"))
}

/// The row of a name.
fn named_row(model: &Model, name: &Name) -> Option<String> {
    let table = tables(model).find(|table| *table.name == *name.of)?;
    let i = table.rows.iter().position(|row| row.name.as_deref() == Some(&*name.text))?;
    Some(row(model, table, i))
}

/// A row: where it is, what it gives, why, and what is left of it.
fn row(model: &Model, table: &Table, i: usize) -> String {
    let row = &table.rows[i];
    let (gives, guards) = match &row.outcome {
        Outcome::Act(chain) => (format!(" gives `{}`", show_chain(model, chain)), guards(chain)),
        Outcome::See(table) => {
            let table = model.tables.get(table.0).map_or("", |table| &table.name);
            (format!(" hands over to table `{table}`"), String::new())
        }
        Outcome::Values(_) => (String::new(), String::new()),
    };
    let reason = row.reason.as_ref().map_or_else(String::new, |reason| format!("\n\n{reason}"));
    let place = format!("row {} of {}, {}", i + 1, table.rows.len(), table.hit.as_str());
    let left = remains::of(model, table, i).map_or_else(String::new, |left| format!("\n\n{left}"));
    format!("**row** `{}/{}` ({place}){gives}{reason}{left}{guards}", table.name, row.label(i))
}

/// The guards of an action and of what follows where it is refused, each once.
fn guards(chain: &Chain) -> String {
    let mut verbs: Vec<Verb> = Vec::new();
    for action in chain.actions.iter() {
        if !verbs.contains(&action.verb()) {
            verbs.push(action.verb());
        }
    }
    verbs.into_iter().fold(String::new(), |text, verb| format!("{text}\n\n{}", guard(verb)))
}

/// The item whose name stands at a span.
fn item_at<'d>(here: &Here<'d>, span: Span) -> Option<&'d Item> {
    let items = here.draft.units.iter().flat_map(|unit| &unit.tree.items);
    items.into_iter().find(|item| item.span.file == span.file && item.span.range().contains(&span.range().start))
}

/// The text of the item that declares a name, as it is written.
fn written(here: &Here<'_>, span: Span) -> String {
    let Some(item) = item_at(here, span) else { return String::new() };
    format!("\n```nisi\n{}\n```", here.draft.diagnostics.sources.slice(item.span).trim_end())
}

/// The documentation above the item that declares the name.
fn documentation(here: &Here<'_>) -> String {
    if matches!(here.name.kind, Kind::Value | Kind::Row) {
        return String::new();
    }
    let item = here.names.declaration(here.name).and_then(|span| item_at(here, span));
    item.filter(|item| !item.doc.is_empty()).map_or_else(String::new, |item| format!("\n\n{}", item.doc))
}

/// What the documentation of its fact says of a value: the line `- value: meaning`.
fn meaning(here: &Here<'_>) -> Option<String> {
    let fact = Name { kind: Kind::Fact, of: "".into(), text: here.name.of.clone() };
    let item = item_at(here, here.names.declaration(&fact)?)?;
    let line = format!("- {}: ", here.name.text);
    item.doc.lines().find_map(|l| l.trim_start().strip_prefix(&line)).map(str::to_string)
}

/// The vocabulary that ships inside, where the name is of it.
fn home(here: &Here<'_>) -> String {
    let Some(span) = here.names.declaration(here.name) else { return String::new() };
    let name = here.draft.diagnostics.sources.get(span.file).name();
    if !publish::ships(name) {
        return String::new();
    }
    // What is declared there is shown whole: not every editor can open it.
    let said = if matches!(here.name.kind, Kind::Fact | Kind::Value) { written(here, span) } else { String::new() };
    format!("\n\nof `{}`, which ships with nisi{said}", name.trim_end_matches(".nisi").replace('/', "."))
}
