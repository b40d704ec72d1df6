//! A policy on its way to text: what is used and declared, and tables whose cells are in the language already.

use std::fmt::{self, Write as _};

use crate::format::{Options, format};
use crate::model::{quote, quoted_if_needed};
use crate::syntax::tree::Hit;

use super::place::{Notices, Refused, short};

/// A policy.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Comments at the head.
    pub(super) remarks: Vec<String>,
    /// `policy NAME`; nothing where it is among the items.
    pub(super) name: Option<String>,
    /// What is used: `std.facts`.
    pub(super) uses: Vec<String>,
    /// Items, each whole, with its documentation.
    pub(super) items: Vec<String>,
    /// The tables; derives before those that ask them.
    pub(super) tables: Vec<DraftTable>,
    /// Items that stand below the tables.
    pub(super) last_items: Vec<String>,
    /// What was noticed on the way.
    pub(super) notices: Notices,
}

/// A table.
#[derive(Debug)]
pub(super) struct DraftTable {
    /// What was said of it.
    pub(super) doc: String,
    /// All of the head before the hit policy: `table recovery`, `derive risk : low < high`.
    pub(super) head: String,
    pub(super) hit: Hit,
    /// `, if refused, …`, or nothing.
    pub(super) refused: String,
    /// The facts that its columns test.
    pub(super) columns: Vec<String>,
    /// What stands behind `=>`: `action`, or the facts of a derive.
    pub(super) outputs: Vec<String>,
    pub(super) rows: Vec<DraftRow>,
}

/// A row.
#[derive(Debug)]
pub(super) enum DraftRow {
    /// A row that is there.
    Whole {
        name: RowName,
        /// One for each column.
        cells: Vec<String>,
        /// Tests beside them; may be blank.
        also: String,
        /// One for each output.
        outputs: Vec<String>,
        /// May be blank.
        reason: String,
    },
    /// What was left behind, as a comment in its place.
    Lost(String),
}

impl DraftRow {
    /// Its words, where they have a fixed meaning.
    pub(super) fn fixed(&self) -> Option<&'static str> {
        match self {
            DraftRow::Whole { name: RowName::Fixed(words), .. } => Some(words),
            _ => None,
        }
    }

    /// What its place goes by: `any unknown` above `otherwise`, both below all others.
    pub(super) fn floor(&self) -> u8 {
        match self.fixed() {
            None => 0,
            Some("any unknown") => 1,
            Some(_) => 2,
        }
    }
}

/// What a row is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowName {
    /// Nothing: it is known by its place.
    None,
    /// A name.
    Named(String),
    /// `any unknown`, `otherwise`.
    Fixed(&'static str),
}

impl Draft {
    /// Its text, in its normal form.
    ///
    /// # Errors
    /// It would be too long.
    pub(super) fn text(&self) -> Result<String, Refused> {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        match format(&out, &Options::default()) {
            Ok(formatted) => Ok(formatted.text),
            Err(refused) => Err(Refused { message: refused.to_string(), help: None }),
        }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        for remark in &self.remarks {
            for line in remark.lines() {
                writeln!(out, "# {line}")?;
            }
        }
        if !out.is_empty() {
            out.push('\n');
        }
        if let Some(name) = &self.name {
            writeln!(out, "policy {name}\nversion 0.1.0\n")?;
        }
        for name in &self.uses {
            writeln!(out, "use {name}")?;
        }
        for item in &self.items {
            writeln!(out, "\n{}", item.trim_end())?;
        }
        for table in &self.tables {
            out.push('\n');
            table.write(out)?;
        }
        for item in &self.last_items {
            writeln!(out, "\n{}", item.trim_end())?;
        }
        Ok(())
    }
}

/// A text as the documentation of the item below it.
pub(super) fn doc(text: &str) -> String {
    text.lines().flat_map(|line| ["## ", line.trim(), "\n"]).collect()
}

impl DraftTable {
    fn write(&self, out: &mut String) -> fmt::Result {
        out.push_str(&doc(&self.doc));
        writeln!(out, "{}, {}{}", self.head, self.hit.as_str(), self.refused)?;
        let rows = || {
            self.rows.iter().filter_map(|row| match row {
                DraftRow::Whole { name, cells, also, outputs, reason } => Some((name, cells, also, outputs, reason)),
                DraftRow::Lost(_) => None,
            })
        };
        let named = rows().any(|(name, ..)| matches!(name, RowName::Named(_)));
        let fixed = rows().any(|(name, ..)| matches!(name, RowName::Fixed(_)));
        let has_also = rows().any(|(_, _, also, ..)| !also.is_empty());
        // A row of fixed words has to stand in some column.
        let named = named || fixed && self.columns.is_empty() && !has_also;
        let mut header: Vec<String> = Vec::new();
        header.extend(named.then(|| "row".to_string()));
        header.extend(self.columns.iter().cloned());
        header.extend(has_also.then(|| "also".to_string()));
        header.extend(self.outputs.iter().enumerate().map(|(i, o)| if i == 0 { format!("=> {o}") } else { o.clone() }));
        line(out, &header)?;
        for row in &self.rows {
            match row {
                DraftRow::Lost(text) => {
                    let text = short(&text.split_whitespace().collect::<Vec<_>>().join(" "));
                    writeln!(out, "# left out: {text}")?;
                }
                DraftRow::Whole { name, cells, also, outputs, .. } => {
                    let mut written: Vec<String> = Vec::new();
                    if named {
                        written.push(match name {
                            RowName::Named(name) => quoted_if_needed(name),
                            _ => String::new(),
                        });
                    }
                    written.extend(cells.iter().cloned());
                    written.extend(has_also.then(|| also.clone()));
                    if let RowName::Fixed(words) = name {
                        written.iter_mut().for_each(String::clear);
                        if let Some(first) = written.first_mut() {
                            *first = (*words).to_string();
                        }
                    }
                    written.extend(outputs.iter().cloned());
                    line(out, &written)?;
                }
            }
        }
        let mut gap = "\n";
        for (i, (name, _, _, _, reason)) in rows().enumerate().filter(|(_, row)| !row.4.trim().is_empty()) {
            let label = match name {
                RowName::Named(name) => quoted_if_needed(name),
                RowName::Fixed(words) => (*words).to_string(),
                RowName::None => format!("#{}", i + 1),
            };
            writeln!(out, "{gap}- {label}: {}", said(reason))?;
            gap = "";
        }
        Ok(())
    }
}

/// A reason as it is written: in quotes where a sign in it would mean something.
fn said(reason: &str) -> String {
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let quotes = reason.contains('"');
    if !reason.contains('#') && !reason.contains('\\') && (!reason.starts_with('"') || reason.matches('"').count() != 2)
    {
        return reason;
    }
    if quotes { quote(&reason.replace('"', "'")) } else { quote(&reason) }
}

fn line(out: &mut String, cells: &[String]) -> fmt::Result {
    writeln!(out, "| {} |", cells.join(" | "))
}
