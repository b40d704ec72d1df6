//! Columns: the fact that one tests, known already or to be declared, and how its values are written.

use super::cell::{Cell, Literal, LiteralKind};
use super::names::folded;
use crate::diag::Diagnostic;
use crate::model::{CellReader, Fact, FactId, MAX_POINTS, MAX_VALUES, NumberKind, Type, quote, quoted_if_needed};
use crate::words::{parse_decimal, parse_duration, parse_instant, parse_version, show_duration};

/// A fact that is to be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// Its name.
    pub(super) name: String,
    /// What it was called.
    pub(super) doc: String,
    pub(super) ty: OwnType,
    /// Named points beside a number.
    pub(super) points: Vec<String>,
    /// What to look at before the declaration is relied on.
    pub(super) remark: String,
}

/// The type of a fact that is to be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OwnType {
    Flag,
    Choice(Vec<String>),
    /// A number's kind, and its bounds as they are written.
    Number(NumberKind, String),
    Text,
}

impl Own {
    /// `fact NAME : TYPE`, with what it was called above it where that is another name.
    pub(super) fn declaration(&self) -> String {
        let list = |words: &[String]| words.iter().map(|w| quoted_if_needed(w)).collect::<Vec<_>>().join(", ");
        let ty = self.ty.show();
        let points = if self.points.is_empty() { String::new() } else { format!(" or {}", list(&self.points)) };
        let remark = if self.remark.is_empty() { String::new() } else { format!("  # {}", self.remark) };
        let doc = super::draft::doc(if self.doc == self.name { "" } else { &self.doc });
        format!("{doc}fact {} : {ty}{points}{remark}", self.name)
    }

    /// A value as it is written in a cell.
    ///
    /// # Errors
    /// Why it is none.
    pub(super) fn value(&self, literal: &Literal) -> Result<String, String> {
        let text = literal.text.trim();
        if let Some(point) = self.points.iter().find(|p| **p == text || folded(p) == folded(text)) {
            return Ok(quoted_if_needed(point));
        }
        let none = |what: &str| format!("`{text}` is no {what}");
        match &self.ty {
            OwnType::Flag => flag(text).map(Into::into).ok_or_else(|| none("yes or no")),
            OwnType::Choice(values) => {
                let exact = values.iter().find(|v| **v == *text);
                let found = exact.or_else(|| values.iter().find(|v| folded(v) == folded(text)));
                found.map(|v| quoted_if_needed(v)).ok_or_else(|| none("value of the column"))
            }
            OwnType::Number(kind, _) => number(*kind, text).ok_or_else(|| none(kind.as_str())),
            OwnType::Text => Ok(quote(text)),
        }
    }
}

/// The kinds of numbers, in the order that a column is held against them.
const KINDS: [NumberKind; 6] = [
    NumberKind::Count,
    NumberKind::Integer,
    NumberKind::Decimal,
    NumberKind::Duration,
    NumberKind::Instant,
    NumberKind::Version,
];

impl OwnType {
    /// As it is written behind `fact NAME :`.
    pub(super) fn show(&self) -> String {
        match self {
            OwnType::Flag => "yes, no".into(),
            OwnType::Choice(values) => values.iter().map(|w| quoted_if_needed(w)).collect::<Vec<_>>().join(", "),
            OwnType::Number(kind, bounds) => [kind.as_str(), bounds].join(" ").trim_end().to_string(),
            OwnType::Text => "text".into(),
        }
    }

    /// The type that the cells of a column speak of, and what beside it are named points.
    pub(super) fn of(cells: &[&Cell]) -> (OwnType, Vec<String>) {
        let all = || cells.iter().copied();
        if all().any(Cell::starts) {
            return (OwnType::Text, Vec::new());
        }
        let words = words(all().flat_map(Cell::members));
        let bare: Vec<&str> =
            all().flat_map(Cell::literals).filter(|l| l.kind == LiteralKind::Bare).map(|l| &*l.text).collect();
        if !words.is_empty() && words.iter().all(|w| flag(w).is_some()) {
            return (OwnType::Flag, Vec::new());
        }
        for kind in KINDS {
            let fits = |text: &str| number(kind, text).is_some();
            // What begins as a number does is one, or the column is of another kind.
            let is_kind =
                bare.iter().any(|text| fits(text)) && bare.iter().all(|text| fits(text) || !has_digit_first(text));
            let is_point = |word: &&String| !fits(word) || !bare.contains(&&***word);
            let points: Vec<String> = words.iter().filter(is_point).cloned().collect();
            let may_have = points.len() <= MAX_POINTS && all().any(Cell::compares);
            if is_kind && (points.is_empty() || may_have) && !points.iter().any(|word| has_digit_first(word)) {
                return (OwnType::Number(kind, String::new()), points);
            }
        }
        if words.is_empty() || words.len() > MAX_VALUES {
            (OwnType::Text, Vec::new())
        } else {
            (OwnType::Choice(words), Vec::new())
        }
    }
}

/// Whether a text begins as a number does.
fn has_digit_first(text: &str) -> bool {
    text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

/// The words of some values, each once: two that only case or blanks tell apart are one.
fn words<'l>(literals: impl Iterator<Item = &'l Literal>) -> Vec<String> {
    let (mut out, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    for literal in literals {
        if seen.insert(folded(&literal.text)) {
            out.push(literal.text.trim().to_string());
        }
    }
    out
}

/// `yes` or `no`, as people and programs write them.
fn flag(text: &str) -> Option<&'static str> {
    match &*text.to_ascii_lowercase() {
        "yes" | "true" | "y" => Some("yes"),
        "no" | "false" | "n" => Some("no"),
        _ => None,
    }
}

/// A number as the language writes it, where it is one of that kind.
pub(super) fn number(kind: NumberKind, text: &str) -> Option<String> {
    let whole = || text.parse::<i64>().ok().or_else(|| text.replace('_', "").parse().ok());
    let fits = match kind {
        NumberKind::Count => whole().is_some_and(|n| n >= 0),
        NumberKind::Integer => whole().is_some(),
        NumberKind::Decimal => parse_decimal(text).is_ok(),
        NumberKind::Duration => match parse_duration(text) {
            Ok(_) => true,
            Err(error) => return error.instead.filter(|meant| parse_duration(meant).is_ok()),
        },
        NumberKind::Instant => return instant(text),
        NumberKind::Version => text.matches('.').count() == 2 && parse_version(text).is_ok(),
    };
    fits.then(|| text.trim_start_matches('+').to_string())
}

/// An instant as the language writes it; a day begins at midnight in UTC.
pub(super) fn instant(text: &str) -> Option<String> {
    [text.to_string(), format!("{text}T00:00:00Z"), format!("{text}Z")].into_iter().find(|t| parse_instant(t).is_ok())
}

/// A duration of ISO 8601 (`PT5M`, `P1DT2H`) as the language writes it; years and months have no length of their own.
pub(super) fn iso_duration(text: &str) -> Option<String> {
    let rest = text.strip_prefix('P')?;
    let (days, times) = rest.split_once('T').map_or((rest, ""), |(d, t)| (d, t));
    let mut shown = String::new();
    for (part, units) in [(days, &["D"][..]), (times, &["H", "M", "S"][..])] {
        let mut rest = part;
        for unit in units {
            if let Some((number, after)) = rest.split_once(unit) {
                shown.extend([number, &unit.to_ascii_lowercase()]);
                rest = after;
            }
        }
        if !rest.is_empty() {
            return None;
        }
    }
    parse_duration(&shown).ok().map(show_duration)
}

/// A value of a fact that is declared already, as it is written in a cell.
///
/// # Errors
/// Why it is none.
pub(super) fn known_value(
    reader: &CellReader<'_>,
    id: FactId,
    fact: &Fact,
    literal: &Literal,
) -> Result<String, String> {
    let text = &*literal.text;
    if literal.kind == LiteralKind::Bare && reader.is_group(id, text) {
        return Ok(text.to_string());
    }
    if fact.named_value(text).is_some() {
        return Ok(quoted_if_needed(text));
    }
    if let Some(word) = fact.words().find(|word| folded(word) == folded(text)) {
        return Ok(quoted_if_needed(word));
    }
    match &fact.ty {
        Type::Choice { flag: true, .. } => {
            flag(text).map(Into::into).ok_or_else(|| format!("`{text}` is no yes or no"))
        }
        Type::Choice { .. } => {
            let help = crate::diag::nearest(text, fact.words())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(format!("`{text}` is no value of `{}`{help}", fact.name))
        }
        Type::Number(ty) if ty.kind == NumberKind::Instant => {
            instant(text).ok_or_else(|| format!("`{text}` is no instant"))
        }
        Type::Number(_) => Ok(text.to_string()),
        Type::Text => Ok(quote(text)),
    }
}

/// A cell of a fact that is declared already, in the language.
///
/// # Errors
/// Why it is none.
pub(super) fn known_cell(reader: &CellReader<'_>, id: FactId, fact: &Fact, cell: &Cell) -> Result<String, String> {
    let shown = cell.show(&mut |literal| known_value(reader, id, fact, literal))?;
    if *cell == Cell::Any {
        return Ok(shown);
    }
    let told = |finding: Box<Diagnostic>| finding.message.clone();
    let expr = crate::syntax::parse_cell(&shown).map_err(told)?;
    reader.read(id, expr).map(|_| shown).map_err(told)
}

#[cfg(test)]
mod tests {
    use super::super::loose;
    use super::*;

    fn of(texts: &[&str]) -> String {
        let cells: Vec<Cell> = texts.iter().map(|text| loose::read(text).unwrap()).collect();
        let (ty, points) = OwnType::of(&cells.iter().collect::<Vec<_>>());
        let own = Own { name: "f".into(), doc: String::new(), ty, points, remark: String::new() };
        own.declaration()
    }

    #[test]
    fn cells_tell_their_type() {
        for (cells, declared) in [
            (&["Yes", "no", "-"][..], "fact f : yes, no"),
            (&["TRUE", "FALSE"], "fact f : yes, no"),
            (&["< 18", "18..65", "> 65"], "fact f : count"),
            (&["-3", "[1..5)"], "fact f : integer"),
            (&["> 0.5 and <= 1", "> 0.25"], "fact f : decimal"),
            (&["> 2", "> other"], "fact f : count"),
            (&["0.5", "3"], "fact f : decimal"),
            (&[">= 5 s", "200ms"], "fact f : duration"),
            (&["none", ">= 5s"], "fact f : duration or none"),
            (&["> 3", "\"n/a\""], "fact f : count or \"n/a\""),
            (&[">= 2026-01-01"], "fact f : instant"),
            (&["1.2.3", ">= 2.0.0"], "fact f : version"),
            (&["high", "High", "low, \"14 days\""], "fact f : high, low, \"14 days\""),
            (&["starts \"po:\""], "fact f : text"),
            (&["-", ""], "fact f : text"),
            (&["\"5\"", "\"6\""], "fact f : \"5\", \"6\""),
        ] {
            assert_eq!(of(cells), declared);
        }
    }

    #[test]
    fn durations_of_iso_8601() {
        for (text, shown) in [("PT5M", "5m"), ("P1DT2H", "1d2h"), ("PT1.5S", "1s500ms"), ("P3D", "3d")] {
            assert_eq!(iso_duration(text).as_deref(), Some(shown));
        }
        for bad in ["P1Y", "P1M", "5M", "PT", "P", "PT5X", "-P1D"] {
            assert_eq!(iso_duration(bad), None, "{bad}");
        }
    }
}
