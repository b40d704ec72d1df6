//! Rows by name: in their own table, as expected by an example, and what names a table has.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use super::cell_mistakes::{at as place, characters};
use super::findings::{self, Mistake};
use super::grammar::{self, Rule, inner};
use super::place::{At, local};
use super::tokens::{Kind, tokens};
use super::tree::{Row, RowKind, Word};
use super::words::{unquoted, word};
use crate::text::Span;

/// The names of a table's rows, those left out of the tree included.
#[derive(Debug, Default)]
pub(super) struct Seen {
    names: HashMap<Rc<str>, (usize, Span)>,
    /// How many rows there were.
    n_rows: usize,
    /// Whether a name could not be read: what is not found may be that row.
    pub(super) lost: bool,
}

impl Seen {
    /// Notes a name; gives the place of the same one before.
    pub(super) fn name(&mut self, name: &Word) -> Option<Span> {
        match self.names.entry(Rc::clone(&name.text)) {
            Entry::Occupied(first) => Some(first.get().1),
            Entry::Vacant(place) => {
                place.insert((self.n_rows, name.span));
                None
            }
        }
    }

    /// Makes room for the names of so many rows.
    pub(super) fn expect(&mut self, n_rows: usize) {
        self.names.reserve(n_rows);
    }

    /// Notes a row; its name was noted before.
    pub(super) fn row(&mut self, row: &Row) {
        match row.kind {
            RowKind::Plain => {}
            RowKind::AnyUnknown => drop(self.names.insert("any unknown".into(), (self.n_rows, row.span))),
            RowKind::Otherwise => drop(self.names.insert("otherwise".into(), (self.n_rows, row.span))),
        }
        self.n_rows += 1;
    }

    /// Notes a row that is left out.
    pub(super) fn dropped(&mut self, name: Option<String>) {
        self.lost |= name.is_none();
        if let Some(name) = name {
            self.names.entry(name.into()).or_insert((self.n_rows, Span::default()));
        }
        self.n_rows += 1;
    }

    /// The number of a row, from 0, by its name or `#3`.
    pub(super) fn find(&self, row: &Word) -> Option<usize> {
        if let Some((n, _)) = self.names.get(&row.text) {
            return Some(*n);
        }
        let number: usize = row.text.strip_prefix('#').filter(|_| !row.quoted)?.parse().ok()?;
        number.checked_sub(1).filter(|n| *n < self.n_rows)
    }

    /// All names, in the order of the rows.
    pub(super) fn all(&self) -> Vec<&str> {
        let mut all: Vec<_> = self.names.iter().map(|(name, (n, _))| (*n, &**name)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, name)| name).collect()
    }
}

/// A row's name in its own table.
pub(super) fn own(text: &str, at: At<'_>) -> Result<Word, Mistake> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(plain) {
        return Ok(Word { text: text.into(), span: at.span(0, text.len()), quoted: false });
    }
    if let Ok(pair) = grammar::run(Rule::row_cell, text)
        && let Some(name) = inner(&pair, Rule::name).or_else(|| inner(&pair, Rule::quoted))
    {
        return Ok(word(&name, at));
    }
    let all = tokens(text);
    let whole = local(0, text.len());
    if all.len() > 1 && all.iter().all(|t| matches!(t.kind, Kind::Word | Kind::Number)) {
        let meant = all.iter().map(|t| t.text).collect::<Vec<_>>().join("-");
        let help = format!("write `{meant}`, or the words in quotes");
        let finding = findings::no_plain_name(whole, format!("`{text}` is more than one word"), help);
        return Err(finding.fix(format!("write `{meant}`"), false, whole, meant).into());
    }
    let first = all.first().filter(|t| t.is("-") || t.is("#"));
    if let Some(sign) = first {
        let help =
            if sign.is("-") { "leave the name blank" } else { "leave the name blank: rows are counted by themselves" };
        return Err(findings::no_plain_name(whole, format!("`{text}` names no row"), help).into());
    }
    if let Some(found) = characters(text, &all) {
        return Err(found.into());
    }
    let help = format!("begin with a letter, or write it in quotes: `\"{}\"`", text.replace('"', ""));
    Err(findings::no_plain_name(whole, format!("`{text}` is no plain name"), help).into())
}

/// One word as an output.
pub(super) fn output(text: &str, at: At<'_>) -> Result<Word, Mistake> {
    if let Ok(pair) = grammar::run(Rule::output, text)
        && let Some(literal) = inner(&pair, Rule::literal)
    {
        return Ok(word(&literal, at));
    }
    let all = tokens(text);
    if let Some(found) = characters(text, &all).or_else(|| super::cell_mistakes::spaced_units(text, &all)) {
        return Err(found.into());
    }
    let whole = local(0, text.len());
    let help = "an output is one value; a value of several words is quoted; what nobody can tell is `unknown`";
    let message = if text == "-" { "`-` is no output".to_string() } else { format!("`{text}` is not one value") };
    Err(findings::cell(all.first().filter(|_| all.len() == 1).map_or(whole, place), message, help).into())
}

/// A row as an example expects it: `row`, `table/row`, `#3`, `table/#3`.
pub(super) fn expected(text: &str, at: At<'_>) -> Result<Word, Mistake> {
    let read = grammar::run(Rule::expected, text).ok().and_then(|pair| {
        let Some(full) = inner(&pair, Rule::row_ref) else {
            let name = inner(&pair, Rule::row_name)?;
            return Some((tidy(name.as_str()), name.as_str().starts_with('"')));
        };
        let (table, row) = (inner(&full, Rule::name)?, inner(&full, Rule::row_name)?);
        Some((format!("{}/{}", table.as_str().trim_end(), tidy(row.as_str())), false))
    });
    if let Some((name, quoted)) = read {
        Ok(Word { text: name.into(), span: at.span(0, text.len()), quoted })
    } else {
        let help = "write the row's name, `table/row` where two tables have it, or `#3`";
        let all = tokens(text);
        let found = characters(text, &all);
        Err(found
            .unwrap_or_else(|| findings::cell(local(0, text.len()), format!("`{text}` names no row"), help))
            .into())
    }
}

/// A row's name without quotes, `any unknown` with one space.
fn tidy(written: &str) -> String {
    let (text, quoted) = unquoted(written);
    if quoted { text.to_string() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") }
}
