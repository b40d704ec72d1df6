//! The front door outwards: a policy to files of another format, with everything that the format cannot hold.

use super::cell::{Cell, Literal, LiteralKind};
use super::import::Format;
use super::place::{Notice, Notices, Place, Refused};
use super::sheet::{Sheet, Taken, line, sheets};
use super::{csv, dmn, markdown_out};
use crate::compile::{self, Draft, Options, Sources};
use crate::diag::{Diagnostics, Severity};
use crate::model::{Chain, Fact, FactId, Outcome, Role, Row, show_action, show_set};
use crate::syntax::parse_cell;
use crate::syntax::tree::{ItemKind, RowKind};
use crate::text::Source;

/// How to write a policy elsewhere; see [`export()`].
///
/// ```
/// use nisi::exchange::{Export, Format};
/// let how = Export { format: Format::Csv, table: Some("recovery") };
/// assert_ne!(how.format, Format::Dmn);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The format; a workbook is not written.
    pub format: Format,
    /// One table alone; nothing is all of them. Only CSV has one file for each.
    pub table: Option<&'a str>,
}

/// A policy in another format; see [`export()`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The files, each by its name: one, save for CSV, which has one for each table.
    pub files: Vec<(String, String)>,
    /// What the format cannot hold, by its line in the policy.
    pub notices: Vec<Notice>,
}

/// Why a policy was not written elsewhere; see [`export()`].
///
/// ```
/// use nisi::compile::NoSources;
/// use nisi::exchange::{Export, ExportError, Format, export};
/// use nisi::text::Source;
/// let how = Export { format: Format::Dmn, table: None };
/// let error = export(&Source::new("a.nisi", "policy a\nversion 1\ntable t\n"), &NoSources, &how).unwrap_err();
/// assert!(matches!(error, ExportError::Faulty(found) if found.has_errors()));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The policy has errors.
    #[error("the policy has errors")]
    Faulty(Diagnostics),
    /// The question cannot be put.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Writes the tables of a policy in another format. The policy is read and resolved, and not proven.
///
/// ```
/// use nisi::compile::NoSources;
/// use nisi::exchange::{Export, Format, export};
/// use nisi::text::Source;
///
/// let text = "policy a\nversion 1\nfact size : small, large\ntable t, first row wins\n| size | => action |\n| large | review desk |\n| - | stop |\n";
/// let got = export(&Source::new("a.nisi", text), &NoSources, &Export { format: Format::Csv, table: None })?;
/// assert_eq!(got.files[0].0, "t.csv");
/// assert_eq!(got.files[0].1, "first row wins,size,action\r\n,large,review desk\r\n,-,stop\r\n");
/// # Ok::<(), nisi::exchange::ExportError>(())
/// ```
///
/// # Errors
/// Errors of the policy; a file that is no policy; a table that is none of it; a format that is not written.
pub fn export(source: &Source, sources: &dyn Sources, how: &Export<'_>) -> Result<Exported, ExportError> {
    let draft = compile::draft(source.clone(), sources);
    if draft.diagnostics.items.iter().any(|d| d.severity == Severity::Error) {
        let mut found = draft.diagnostics;
        found.items.retain(|d| d.severity == Severity::Error);
        return Err(ExportError::Faulty(found));
    }
    let sheets = sheets(&draft);
    if draft.model.name.is_empty() {
        let message = format!("`{}` is a vocabulary, as it has no `policy` line", source.name());
        return Err(Refused::new(message, "name a policy that uses it").into());
    }
    let mut notices = Notices::default();
    let files = match how.format {
        Format::Xlsx => {
            return Err(Refused::new(
                "workbooks are read, and not written",
                "write CSV, which every spreadsheet opens",
            )
            .into());
        }
        Format::Markdown => {
            vec![(format!("{}.md", draft.model.name), markdown_out::write(source, &digest(source, sources))?)]
        }
        Format::Dmn => {
            let text = dmn::write(&draft, &sheets, source, &digest(source, sources), &mut notices)?;
            vec![(format!("{}.dmn", draft.model.name), text)]
        }
        Format::Csv => csv_files(&draft, &sheets, how, &mut notices)?,
    };
    if how.table.is_some() && how.format != Format::Csv {
        return Err(Refused::new(
            "only CSV is written by the table",
            "leave out `--table`: the file holds all of them",
        )
        .into());
    }
    Ok(Exported { files, notices: notices.0 })
}

/// The digest of the policy as far as it compiles; blank where it does not.
fn digest(source: &Source, sources: &dyn Sources) -> String {
    let options = Options { proofs: false, lints: false, ..Options::default() };
    let policy = compile::compile(source.clone(), sources, &options).policy;
    policy.map_or_else(String::new, |policy| policy.digest().to_string())
}

/// One file for each table of the policy's own file.
fn csv_files(
    draft: &Draft,
    sheets: &[Sheet<'_>],
    how: &Export<'_>,
    notices: &mut Notices,
) -> Result<Vec<(String, String)>, Refused> {
    let own: Vec<&Sheet<'_>> = sheets.iter().filter(|sheet| sheet.from.is_none()).collect();
    let known = || own.iter().map(|s| format!("`{}`", s.table.name)).collect::<Vec<_>>().join(", ");
    let chosen: Vec<&&Sheet<'_>> = own.iter().filter(|s| how.table.is_none_or(|t| *s.table.name == *t)).collect();
    if chosen.is_empty() {
        let (message, help) = match how.table {
            Some(table) if !own.is_empty() => {
                (format!("the policy has no table `{table}`"), format!("it has {}", known()))
            }
            _ => ("the policy's own file has no table".to_string(), "name the policy that it restricts".to_string()),
        };
        return Err(Refused::new(message, help));
    }
    beside(draft, notices);
    for sheet in &chosen {
        let at = Place::Line(line(draft, sheet.item.span));
        if !sheet.when.is_empty() {
            notices.left(&at, format!("CSV holds no promise: `when {}`", sheet.when));
        }
        if !sheet.refused.is_empty() {
            notices.note(&at, format!("`if refused, {}` stands in each row that it holds for", sheet.refused));
        }
    }
    Ok(chosen
        .into_iter()
        .map(|sheet| (format!("{}.csv", sheet.table.name), csv::write(&csv_rows(draft, sheet, notices))))
        .collect())
}

/// Tells what of a policy is no table.
fn beside(draft: &Draft, notices: &mut Notices) {
    let main = draft.units.iter().filter(|unit| unit.role == Role::Main);
    for item in main.flat_map(|unit| &unit.tree.items) {
        let (what, name) = match &item.kind {
            ItemKind::Policy(name) => ("the policy's name", Some(name)),
            ItemKind::Version(name) => ("its version", Some(name)),
            ItemKind::Owner(name) => ("its owner", Some(name)),
            ItemKind::Use(name) => ("a vocabulary that it uses", Some(name)),
            ItemKind::Restricts { base, .. } => ("the policy that it restricts", Some(base)),
            ItemKind::Fact { name, .. } => ("a fact's type", Some(name)),
            ItemKind::Extend { fact, .. } => ("values that are added to", Some(fact)),
            ItemKind::Budget(_) => ("the budget", None),
            ItemKind::Backoff { name, .. } => ("a backoff", Some(name)),
            ItemKind::Locator { name, .. } => ("a locator", Some(name)),
            ItemKind::Parity { name, .. } => ("a parity", Some(name)),
            ItemKind::Rule { name, .. } => ("a rule", Some(name)),
            ItemKind::Waive { what, .. } => ("a waiver of", Some(what)),
            ItemKind::Examples { table_name, .. } => ("the examples of", Some(table_name)),
            ItemKind::Classify { name, .. } => ("a classify", Some(name)),
            ItemKind::Tighten { name, .. } => ("rows that tighten", Some(name)),
            // Where they are used, they are written out.
            ItemKind::Group { .. } | ItemKind::Action { .. } | ItemKind::Table { .. } | ItemKind::Derive { .. } => {
                continue;
            }
        };
        let name = name.map_or_else(String::new, |name| format!(" `{}`", name.text));
        notices.left(&Place::Line(line(draft, item.span)), format!("CSV holds tables alone, and not {what}{name}"));
    }
}

/// The rows of a table: its hit policy stands at the head of the names, as DMN has it in its first corner.
fn csv_rows(draft: &Draft, sheet: &Sheet<'_>, notices: &mut Notices) -> Vec<Vec<String>> {
    let model = &draft.model;
    let has_also = sheet.rows.iter().any(|row| !row.also.is_empty());
    let has_reason = sheet.rows.iter().any(|row| row.row.reason.is_some());
    let mut header = vec![sheet.table.hit.as_str().to_string()];
    header.extend(sheet.facts().map(|fact| model.fact(fact).name.to_string()));
    header.extend(has_also.then(|| "also".to_string()));
    if sheet.outputs.is_empty() {
        header.push("action".into());
    }
    header.extend(sheet.outputs.iter().map(|fact| model.fact(*fact).name.to_string()));
    header.extend(has_reason.then(|| "reason".to_string()));
    let mut rows = vec![header];
    for row in &sheet.rows {
        let mut cells = vec![name_of(row.row)];
        let fixed = row.row.kind != RowKind::Plain;
        for (fact, set) in sheet.facts().zip(&row.cells) {
            let shown = set.as_ref().map_or_else(|| "-".to_string(), |taken| text_of(model.fact(fact), taken));
            cells.push(if fixed { String::new() } else { shown });
        }
        if has_also {
            let test = |(fact, taken): &(FactId, Taken)| {
                format!("{} is {}", model.fact(*fact).name, text_of(model.fact(*fact), taken))
            };
            cells.push(row.also.iter().map(test).collect::<Vec<_>>().join(" and "));
        }
        match &row.row.outcome {
            Outcome::Act(chain) => cells.push(whole_chain(draft, chain)),
            _ => cells.extend(row.outputs.iter().cloned()),
        }
        if has_reason {
            let reason = row.row.reason.as_deref().unwrap_or_default();
            if csv::is_formula(reason) {
                let text =
                    "a spreadsheet would take a reason for a formula: it has a `'` in front, which an import takes off";
                notices.note(&Place::Line(line(draft, row.row.span)), text);
            }
            cells.push(reason.to_string());
        }
        rows.push(cells);
    }
    rows
}

/// A cell as it is written, with groups written out.
fn text_of(fact: &Fact, taken: &Taken) -> String {
    let expr = parse_cell(&taken.text);
    let is_own = |literal: &Literal| {
        let is_word = literal.text.starts_with(|c: char| c.is_ascii_alphabetic());
        literal.kind == LiteralKind::Quoted || !is_word || fact.named_value(&literal.text).is_some()
    };
    match expr {
        Ok(expr) if Cell::of(&expr).literals().all(is_own) => taken.text.clone(),
        _ => show_set(fact, &taken.set),
    }
}

/// What a row is called in its own column.
fn name_of(row: &Row) -> String {
    match (row.kind, &row.name) {
        (RowKind::AnyUnknown, _) => "any unknown".into(),
        (RowKind::Otherwise, _) => "otherwise".into(),
        (RowKind::Plain, Some(name)) => name.to_string(),
        (RowKind::Plain, None) => String::new(),
    }
}

/// An action with every way for refusal, the table's included; the plain `review` behind all others is not written.
fn whole_chain(draft: &Draft, chain: &Chain) -> String {
    let mut shown: Vec<String> = chain.actions.iter().map(|action| show_action(&draft.model, action)).collect();
    if shown.len() > chain.stated && shown.last().is_some_and(|last| last == "review") {
        shown.pop();
    }
    shown.join("; if refused, ")
}
