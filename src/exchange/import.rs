//! The front door inwards: a file from elsewhere to the text of a policy, with everything that could not be carried over.

use std::str::FromStr;

use super::actions::Actions;
use super::column::Own;
use super::draft::Draft;
use super::grid::{Grid, clean};
use super::names::{Names, folded, slug};
use super::place::{Notice, Notices, Refused};
use super::table::Desk;
use super::{csv, dmn, markdown, xlsx};
use crate::compile::{self, Sources};
use crate::diag::{Diagnostic, N0250, Severity};
use crate::model::{CellReader, Role};
use crate::syntax::tree::{Hit, ItemKind};
use crate::syntax::{self, Limits};
use crate::text::{FileId, Source};

/// The formats of tables from elsewhere.
///
/// ```
/// use nisi::exchange::Format;
/// assert_eq!(Format::of_file("loan.dmn"), Some(Format::Dmn));
/// assert_eq!("csv".parse(), Ok(Format::Csv));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180, and what spreadsheets make of it.
    Csv,
    /// Tables of GitHub-flavoured Markdown.
    Markdown,
    /// Workbooks; they are read, and not written.
    Xlsx,
    /// Decision Model and Notation, XML, 1.2 to 1.5.
    Dmn,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Csv, Format::Markdown, Format::Xlsx, Format::Dmn];

    /// As a call names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Xlsx => "xlsx",
            Format::Dmn => "dmn",
        }
    }

    /// The format of a file, by the ending of its name.
    pub fn of_file(name: &str) -> Option<Format> {
        match &*name.rsplit_once('.')?.1.to_ascii_lowercase() {
            "csv" | "tsv" => Some(Format::Csv),
            "md" | "markdown" => Some(Format::Markdown),
            "xlsx" | "xlsm" => Some(Format::Xlsx),
            "dmn" | "xml" => Some(Format::Dmn),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Format::ALL.into_iter().find(|f| f.as_str() == text).ok_or_else(|| format!("`{text}` is no format of tables"))
    }
}

/// How to read a file; see [`import`].
///
/// ```
/// use nisi::exchange::{Format, Import};
/// let how = Import { file: "-", format: Some(Format::Csv), name: Some("triage"), ..Import::default() };
/// assert!(how.uses.is_empty());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Import<'a> {
    /// What the file is called: its ending tells its format, its name that of the policy.
    pub file: &'a str,
    /// Its format; nothing is told by its ending.
    pub format: Option<Format>,
    /// The name of the policy.
    pub name: Option<&'a str>,
    /// The sheet of a workbook.
    pub sheet: Option<&'a str>,
    /// The table that is the entry: a decision of DMN, a heading of Markdown.
    pub table: Option<&'a str>,
    /// The hit policy of a table whose file says none: a letter of DMN, or the language's words.
    pub hit: Option<&'a str>,
    /// Vocabularies that the policy uses, such as `team.facts`; `std.facts` is used where a column is one of its facts.
    pub uses: &'a [String],
}

/// A policy from elsewhere; see [`import`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Its text, in normal form. Whether it is whole, and whether it holds what a policy must, `nisi check` says.
    pub policy: String,
    /// What could not be carried over, and how the rest was, in the order of the file.
    pub notices: Vec<Notice>,
    /// How many tables and derives it has.
    pub n_tables: usize,
    /// How many rows they have.
    pub n_rows: usize,
}

/// Reads a file from elsewhere. `sources` answers the vocabularies that are used.
///
/// ```
/// use nisi::compile::NoSources;
/// use nisi::exchange::{Import, import};
///
/// let csv = "age;pain;action\n<18;-;review paediatrics\n>=18;severe;review triage\n>=18;\"mild, none\";stop\n";
/// let got = import(csv.as_bytes(), &Import { file: "triage.csv", ..Import::default() }, &NoSources)?;
/// assert!(got.policy.contains("fact age : count"), "{}", got.policy);
/// assert!(got.policy.contains("| >= 18 | mild, none | stop               |"), "{}", got.policy);
/// assert!(got.notices.iter().all(|notice| !notice.is_left));
/// # Ok::<(), nisi::exchange::Refused>(())
/// ```
///
/// # Errors
/// What is no table of that format, cannot be told in one policy, or is past a limit: what is wrong, and what to do.
pub fn import(bytes: &[u8], how: &Import<'_>, sources: &dyn Sources) -> Result<Imported, Refused> {
    let endings = "name the format: `--format csv`, `markdown`, `xlsx` or `dmn`";
    let unnamed = || Refused::new(format!("nothing tells the format of `{}`", how.file), endings);
    let format = how.format.or_else(|| Format::of_file(how.file)).ok_or_else(unnamed)?;
    let hit = match how.hit.map(super::roles::hit_of) {
        None => None,
        Some(Ok(Some(hit))) => Some(hit),
        Some(Ok(None)) => {
            let message = format!("`{}` is no hit policy of a table", how.hit.unwrap_or_default());
            return Err(Refused::new(
                message,
                "write `F`, `U`, `A` or `P`, or the language's words such as `first row wins`",
            ));
        }
        Some(Err(why)) => return Err(Refused::new(why, "write `F`, `U`, `A` or `P`")),
    };
    let mut notices = Notices::default();
    let draft = match format {
        Format::Csv => {
            let grid = csv::read(how.file, bytes, &mut notices)?;
            tables(&[(grid, hit)], how, sources, &mut notices)?
        }
        Format::Xlsx => {
            let grid = xlsx::read(how.file, bytes, how.sheet, &mut notices)?;
            tables(&[(grid, hit)], how, sources, &mut notices)?
        }
        Format::Markdown => markdown::read(bytes, how, hit, sources, &mut notices)?,
        Format::Dmn => dmn::read(bytes, how, sources, &mut notices)?,
    };
    finish(draft, notices)
}

/// So many of what was left stand at the head of a policy.
const REMARKS: usize = 100;

fn finish(mut draft: Draft, notices: Notices) -> Result<Imported, Refused> {
    let left: Vec<String> =
        notices.0.iter().filter(|n| n.is_left).map(|n| format!("  {}: {}", n.place, n.text)).collect();
    if !left.is_empty() {
        draft.remarks.push("not carried over, or not as it was:".into());
        let n_more = left.len().saturating_sub(REMARKS);
        draft.remarks.extend(left.into_iter().take(REMARKS));
        draft.remarks.extend((n_more > 0).then(|| format!("  and {n_more} more, which the import listed")));
    }
    let policy = draft.text()?;
    let (n_tables, n_rows) = counted(&policy);
    if n_rows == 0 {
        let told =
            notices.0.iter().find(|n| n.is_left).map_or_else(String::new, |n| format!("{}: {}", n.place, n.text));
        return Err(Refused::new("no row could be carried over", told));
    }
    Ok(Imported { policy, notices: notices.0, n_tables, n_rows })
}

/// How many tables and derives a policy has, and how many rows they have.
fn counted(policy: &str) -> (usize, usize) {
    let items = syntax::parse(FileId::default(), policy).file.items;
    let rows = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Table { table, .. } | ItemKind::Derive { table, .. } => Some(table.rows.len()),
        _ => None,
    });
    rows.fold((0, 0), |(n_tables, n_rows), n| (n_tables + 1, n_rows + n))
}

/// The policy of some grids; the first is the entry.
pub(super) fn tables(
    grids: &[(Grid, Option<Hit>)],
    how: &Import<'_>,
    sources: &dyn Sources,
    notices: &mut Notices,
) -> Result<Draft, Refused> {
    let words = Words::load(how, "", sources)?;
    let reader = CellReader::new(&words.draft.units);
    let known = |name: &str| words.draft.model.actions.contains_key(name);
    let before = std::mem::take(notices);
    let read = |names: Names| -> Result<(Draft, Names), Refused> {
        let mut desk = Desk::new(&reader, &known, names, Notices(before.0.clone()));
        let (mut tables, stem) = (Vec::new(), policy_name(how));
        for (i, (grid, hit)) in grids.iter().enumerate() {
            let numbered = || if i == 0 { stem.clone() } else { format!("{stem}-{}", i + 1) };
            let mut wanted = grid.name.clone().unwrap_or_else(numbered);
            // A column keeps its name.
            if grids.iter().flat_map(|(grid, _)| &grid.header).any(|head| folded(&head.text) == folded(&wanted)) {
                wanted.push_str("-table");
            }
            let name = desk.names.name_of(&wanted, "table");
            tables.push(desk.table(grid, &name, *hit)?);
        }
        let uses = words.uses(how, &desk.tested);
        let items = declarations(desk.facts.iter(), &desk.actions);
        let notices = std::mem::take(&mut desk.notices);
        let draft = Draft {
            remarks: vec![origin(how)],
            name: Some(stem),
            uses,
            items,
            tables,
            last_items: Vec::new(),
            notices,
        };
        Ok((draft, desk.names))
    };
    // The words of `std.facts` are taken only where it is used, and whether it is the columns tell.
    let (mut draft, names) = read(words.names(!how.uses.is_empty()))?;
    if !draft.uses.is_empty() && how.uses.is_empty() && names.meets(&words.names(true)) {
        (draft, _) = read(words.names(true))?;
    }
    *notices = std::mem::take(&mut draft.notices);
    Ok(draft)
}

/// The items that declare facts and actions.
pub(super) fn declarations<'o>(facts: impl Iterator<Item = &'o Own>, actions: &Actions) -> Vec<String> {
    let facts: Vec<String> = facts.map(Own::declaration).collect();
    let mut actions: Vec<String> = actions.declarations().collect();
    if !actions.is_empty() {
        actions.insert(0, "# Outcomes from elsewhere, which ask a person: say of each what it shall do.".into());
    }
    [facts, actions].into_iter().filter(|list| !list.is_empty()).map(|list| list.join("\n")).collect()
}

/// What stands first in a policy from elsewhere.
pub(super) fn origin(how: &Import<'_>) -> String {
    let file = how.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let from = if file == "-" || file.is_empty() { "standard input".to_string() } else { file.to_string() };
    let from = clean(&from).replace('\n', " ");
    format!("From {from}. Look at each fact and each remark, then run `nisi check`.")
}

/// The name of the policy.
pub(super) fn policy_name(how: &Import<'_>) -> String {
    let stem = how.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    slug(how.name.unwrap_or(stem), "imported")
}

/// The words that are declared already, by the files that are used.
pub(super) struct Words {
    pub(super) draft: compile::Draft,
}

impl Words {
    /// Reads the vocabularies, and `items` beside them.
    ///
    /// # Errors
    /// One that is missing or faulty.
    pub(super) fn load(how: &Import<'_>, items: &str, sources: &dyn Sources) -> Result<Words, Refused> {
        let mut text = if items.contains("use std.facts") { String::new() } else { "use std.facts\n".to_string() };
        text.extend(how.uses.iter().filter(|name| *name != "std.facts").map(|name| format!("use {name}\n")));
        text.push_str(items);
        let draft = compile::draft(Source::new(how.file.to_string() + ".nisi", text), sources);
        // What is wrong with the items that came along, `nisi check` tells with their places.
        let elsewhere = |d: &&Diagnostic| d.code == N0250 || d.span().file != FileId::default();
        let mut errors = draft.diagnostics.items.iter().filter(|d| d.severity == Severity::Error);
        match errors.find(elsewhere) {
            Some(finding) => {
                let help = finding.help.as_ref().map_or_else(String::new, ToString::to_string);
                Err(Refused::new(format!("what the policy would use has an error: {}", finding.message), help))
            }
            None => Ok(Words { draft }),
        }
    }

    /// Every name that they declare, the shipped vocabulary's too or not.
    pub(super) fn names(&self, with_std: bool) -> Names {
        let mut names = Names::default();
        let units = self.draft.units.iter().filter(|unit| with_std || unit.role != Role::Std);
        for item in units.flat_map(|unit| &unit.tree.items) {
            match &item.kind {
                ItemKind::Fact { name, .. }
                | ItemKind::Group { name, .. }
                | ItemKind::Action { name, .. }
                | ItemKind::Backoff { name, .. }
                | ItemKind::Locator { name, .. }
                | ItemKind::Parity { name, .. }
                | ItemKind::Classify { name, .. }
                | ItemKind::Table { name, .. }
                | ItemKind::Rule { name, .. } => names.take(&name.text),
                ItemKind::Derive { outputs, .. } => outputs.iter().for_each(|(name, _)| names.take(&name.text)),
                _ => {}
            }
        }
        names
    }

    /// What the policy has to use: what the call names, and `std.facts` where a column is one of its facts.
    pub(super) fn uses(&self, how: &Import<'_>, tested: &[crate::model::FactId]) -> Vec<String> {
        let is_std = |id: &crate::model::FactId| {
            let file = self.draft.model.fact(*id).span.file;
            self.draft.diagnostics.sources.get(file).name() == "std/facts.nisi"
        };
        let mut uses = how.uses.to_vec();
        if tested.iter().any(is_std) && !uses.iter().any(|name| name == "std.facts") {
            uses.insert(0, "std.facts".into());
        }
        uses
    }
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// It is not UTF-8, or too long.
pub(super) fn text<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Refused> {
    if bytes.len() > Limits::BYTES {
        let message = format!("`{file}` has {} bytes, and at most {} are allowed", bytes.len(), Limits::BYTES);
        return Err(Refused::new(message, "part it into several tables"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let help = if is_utf16 {
            "it looks like UTF-16: save it as UTF-8"
        } else {
            "it may be Latin-1 or Windows-1252: save it as UTF-8"
        };
        let byte = bytes.get(at).copied().unwrap_or_default();
        Refused::new(format!("`{file}` is not written in UTF-8: its byte {} is 0x{byte:02X}", at + 1), help)
    })
}
