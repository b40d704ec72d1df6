//! Values and sets of values as an author writes them.
//!
//! Takes a fact and a set of its values; gives the text of a cell that says exactly this set, in few words: a choice
//! in the order of its declaration, `not a` where that is shorter, `> x` for an end that is not in. What a cell gives
//! parses as the same set again, save for sets that no cell can say: the empty one (`nothing`), and texts that do not
//! begin so (`not starts "po:"`).

use super::{Fact, NumberKind, NumberType, TextSet, Type, Value, ValueSet, Values};
use crate::words::{show_decimal, show_duration, show_instant, show_version};

/// The words that have a meaning of their own in a cell, so that a value of that name is quoted.
const RESERVED: [&str; 9] = ["unknown", "known", "not", "and", "or", "starts", "is", "any", "otherwise"];

/// A set as a cell.
pub fn show_set(fact: &Fact, set: &ValueSet) -> String {
    if set.is_empty() {
        return "nothing".into();
    }
    if set.is_all(fact) {
        return "-".into();
    }
    let rest = set.complement_known(fact);
    if set.has_no_known() {
        return "unknown".into();
    }
    if rest.is_empty() {
        return "known".into();
    }
    let (plain, inverse) = (pieces(fact, set), pieces(fact, &rest));
    let with_not = match &fact.ty {
        Type::Choice { .. } => inverse.len() + 1 < plain.len(),
        Type::Number(ty) => inverse.len() < plain.len() || is_whole(ty, &set.values),
        Type::Text => matches!(&set.values, Values::Text(t) if t.holds_rest()),
    };
    if with_not && inverse.iter().all(|p| p.list) {
        let list = format!("not {}", join(&inverse));
        return if set.unknown { format!("unknown or {list}") } else { list };
    }
    if with_not && fact.is_text() {
        let text = inverse.iter().map(Piece::negated).collect::<Vec<_>>().join(" and ");
        return if set.unknown { format!("unknown or {text}") } else { text };
    }
    let mut all = plain;
    if set.unknown {
        all.insert(0, Piece::list("unknown"));
    }
    join(&all)
}

/// A value as a cell.
pub fn show_value(fact: &Fact, value: &Value) -> String {
    match (value, &fact.ty) {
        (Value::Point(i), _) => quoted_if_needed(fact.points.get(usize::from(*i)).map_or("unknown", |p| p)),
        (Value::Choice(i), Type::Choice { values, .. }) => {
            quoted_if_needed(values.get(usize::from(*i)).map_or("unknown", |v| v))
        }
        (Value::Number(n), Type::Number(ty)) => show_number(ty.kind, *n),
        (Value::Text(t), _) => quote(t),
        _ => "unknown".into(),
    }
}

/// A number of ticks as written in a cell.
pub fn show_number(kind: NumberKind, ticks: i128) -> String {
    match kind {
        NumberKind::Count | NumberKind::Integer => ticks.to_string(),
        NumberKind::Decimal => show_decimal(ticks),
        NumberKind::Duration => show_duration(u64::try_from(ticks).unwrap_or(0)),
        NumberKind::Instant => show_instant(ticks),
        NumberKind::Version => show_version(ticks),
    }
}

/// A name as written in a cell: in quotes where it is no plain name.
pub fn quoted_if_needed(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'))
        && !RESERVED.contains(&&*name.to_ascii_lowercase());
    if plain { name.into() } else { quote(name) }
}

/// A text in quotes.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '|' => out.push_str("\\|"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One alternative: a member of a comma list, or a test that is joined by `or`.
struct Piece {
    list: bool,
    text: String,
}

impl Piece {
    fn list(text: impl Into<String>) -> Self {
        Piece { list: true, text: text.into() }
    }

    fn test(text: impl Into<String>) -> Self {
        Piece { list: false, text: text.into() }
    }

    fn negated(&self) -> String {
        if self.text.contains("\" and not ") { format!("not ({})", self.text) } else { format!("not {}", self.text) }
    }
}

fn join(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            out.push_str(if piece.list && pieces[i - 1].list { ", " } else { " or " });
        }
        out.push_str(&piece.text);
    }
    out
}

/// The known values of a set: a choice's in order, points after them; a number's points first, then its ranges.
fn pieces(fact: &Fact, set: &ValueSet) -> Vec<Piece> {
    let points = fact.points.iter().enumerate().filter(|(i, _)| *i < 32 && set.points >> i & 1 == 1);
    let points: Vec<Piece> = points.map(|(_, p)| Piece::list(quoted_if_needed(p))).collect();
    match (&fact.ty, &set.values) {
        (Type::Choice { values, ordered, .. }, Values::Choice(_)) => {
            let mut out = choice_pieces(values, *ordered, &set.choices().collect::<Vec<_>>());
            out.extend(points);
            out
        }
        (Type::Number(ty), Values::Number(ranges)) => {
            let mut out = points;
            out.extend(ranges.iter().map(|r| range_piece(ty, *r)));
            // List members stand before tests, so that `1, 3 or > 9` reads in one breath.
            out.sort_by_key(|p| !p.list);
            out
        }
        (_, Values::Text(texts)) => {
            let mut out = points;
            out.extend(text_pieces(texts));
            out
        }
        _ => points,
    }
}

fn choice_pieces(values: &[Box<str>], ordered: bool, at: &[usize]) -> Vec<Piece> {
    let name = |i: usize| quoted_if_needed(values.get(i).map_or("", |v| v));
    if !ordered {
        return at.iter().map(|&i| Piece::list(name(i))).collect();
    }
    let mut out = Vec::new();
    let mut rest = at;
    while let Some(&first) = rest.first() {
        let n = rest.iter().enumerate().take_while(|(k, i)| **i == first + k).count();
        let last = first + n - 1;
        match n {
            2.. if last + 1 == values.len() => out.push(Piece::test(format!(">= {}", name(first)))),
            2.. if first == 0 => out.push(Piece::test(format!("<= {}", name(last)))),
            3.. => out.push(Piece::list(format!("{}..{}", name(first), name(last)))),
            _ => out.extend((first..=last).map(|i| Piece::list(name(i)))),
        }
        rest = &rest[n..];
    }
    out.sort_by_key(|p| !p.list);
    out
}

/// The greatest value on the grid.
fn last_value(ty: &NumberType) -> i128 {
    ty.lo + (ty.hi - ty.lo) / ty.step * ty.step
}

fn is_whole(ty: &NumberType, values: &Values) -> bool {
    matches!(values, Values::Number(ranges) if ranges.first() == Some(&(ty.lo, last_value(ty))))
}

fn range_piece(ty: &NumberType, (lo, hi): (i128, i128)) -> Piece {
    let text = |n| show_number(ty.kind, n);
    if lo == hi {
        return Piece::list(text(lo));
    }
    let (at_lo, at_hi) = (lo == ty.lo, hi == last_value(ty));
    let (before, after) = (lo.saturating_sub(ty.step), hi.saturating_add(ty.step));
    let open_lo = !at_lo && rounder(ty.kind, before, lo);
    let open_hi = !at_hi && rounder(ty.kind, after, hi);
    let low = if open_lo { format!("> {}", text(before)) } else { format!(">= {}", text(lo)) };
    let high = if open_hi { format!("< {}", text(after)) } else { format!("<= {}", text(hi)) };
    match (at_lo, at_hi) {
        (_, true) => Piece::test(low),
        (true, false) => Piece::test(high),
        _ if open_lo => Piece::test(format!("{low} and {high}")),
        _ if open_hi => Piece::list(format!("{}..<{}", text(lo), text(after))),
        _ => Piece::list(format!("{}..{}", text(lo), text(hi))),
    }
}

/// Whether `a` is written with fewer digits than its neighbour `b`, so that it is the end that was meant.
fn rounder(kind: NumberKind, a: i128, b: i128) -> bool {
    let digits = |n| show_number(kind, n).bytes().filter(|b| (b'1'..=b'9').contains(b)).count();
    !matches!(kind, NumberKind::Count | NumberKind::Integer) && digits(a) < digits(b)
}

fn text_pieces(set: &TextSet) -> Vec<Piece> {
    let holds = set.holds_rest();
    let mut out: Vec<Piece> = Vec::new();
    // A literal says something where its answer is not that of the prefix it falls under.
    let lone = |want: bool| set.literals().filter(move |l| set.contains(l) == want && set.at_prefix(l) != want);
    out.extend(
        lone(!holds)
            .filter(|l| set.longest_prefix(l).is_none_or(|p| set.at_prefix(p) == holds))
            .map(|l| Piece::list(quote(l))),
    );
    for prefix in set.prefixes().filter(|p| set.at_prefix(p) != holds && set.above_prefix(p) == holds) {
        let mut text = format!("starts {}", quote(prefix));
        let inner = |p: &&str| p.starts_with(prefix) && *p != prefix;
        let nested = set.prefixes().filter(inner).filter(|p| set.at_prefix(p) == holds && set.above_prefix(p) != holds);
        for p in nested {
            text.push_str(" and not starts ");
            text.push_str(&quote(p));
        }
        let apart: Vec<_> = lone(holds).filter(|l| l.starts_with(prefix)).map(quote).collect();
        if !apart.is_empty() {
            text.push_str(" and not ");
            text.push_str(&apart.join(", "));
        }
        out.push(Piece::test(text));
    }
    if holds && out.is_empty() { vec![Piece::test("known")] } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FactSource, TextSet};
    use crate::text::Span;
    use crate::words::{DECIMAL_UNIT, parse_version};

    fn fact(ty: Type, points: &[&str]) -> Fact {
        let points = points.iter().map(|p| (*p).into()).collect();
        Fact { name: "f".into(), ty, points, source: FactSource::Caller, span: Span::default() }
    }

    fn choice(words: &[&str], ordered: bool) -> Fact {
        fact(Type::Choice { values: words.iter().map(|w| (*w).into()).collect(), ordered, flag: false }, &[])
    }

    fn of(fact: &Fact, at: &[u16], unknown: bool) -> String {
        let mut set = ValueSet { unknown, ..ValueSet::none(fact) };
        for i in at {
            set = set.or(&ValueSet::one(fact, &Value::Choice(*i)), fact);
        }
        show_set(fact, &set)
    }

    #[test]
    fn choices_in_order() {
        let f = choice(&["a", "b", "c", "d", "14 days"], false);
        assert_eq!(of(&f, &[1, 0], false), "a, b");
        assert_eq!(of(&f, &[1, 2, 3, 4], false), "not a");
        assert_eq!(of(&f, &[0, 1, 2, 3], true), "unknown or not \"14 days\"");
        assert_eq!(of(&f, &[4], true), "unknown, \"14 days\"");
        assert_eq!(of(&f, &[], true), "unknown");
        assert_eq!(of(&f, &[0, 1, 2, 3, 4], false), "known");
        assert_eq!(of(&f, &[0, 1, 2, 3, 4], true), "-");
        assert_eq!(of(&f, &[], false), "nothing");
        let tier = choice(&["low", "medium", "high", "critical"], true);
        assert_eq!(of(&tier, &[2, 3], false), ">= high");
        assert_eq!(of(&tier, &[0, 1, 2], true), "unknown or <= high");
        assert_eq!(of(&tier, &[1, 2], false), "medium, high");
        assert_eq!(of(&tier, &[0, 3], false), "low, critical");
    }

    #[test]
    fn numbers_as_ranges() {
        let hint = fact(Type::Number(NumberKind::Duration.whole()), &["none"]);
        let range = |lo, hi| ValueSet::range(&hint, lo, hi);
        assert_eq!(show_set(&hint, &range(500, i128::MAX)), ">= 500ms");
        assert_eq!(show_set(&hint, &range(0, 499)), "< 500ms");
        assert_eq!(show_set(&hint, &range(0, i128::MAX)), "not none");
        assert_eq!(show_set(&hint, &range(200, 2000)), "200ms..2s");
        assert_eq!(show_set(&hint, &range(200, 1999)), "200ms..<2s");
        let none = ValueSet::one(&hint, &Value::Point(0));
        assert_eq!(show_set(&hint, &none.or(&range(5000, i128::MAX), &hint)), "none or >= 5s");
        let not_3 = ValueSet::one(&hint, &Value::Number(3000)).complement_known(&hint);
        assert_eq!(show_set(&hint, &not_3), "not 3s");
        let score = fact(Type::Number(NumberKind::Decimal.whole()), &[]);
        let (low, high) = (75 * DECIMAL_UNIT, 95 * DECIMAL_UNIT);
        assert_eq!(show_set(&score, &ValueSet::range(&score, low + 1, high)), "> 75 and <= 95");
        assert_eq!(show_set(&score, &ValueSet::range(&score, low, high - 1)), "75..<95");
        assert_eq!(show_set(&score, &ValueSet::range(&score, low + 1, i128::MAX)), "> 75");
        let version = fact(Type::Number(NumberKind::Version.whole()), &[]);
        assert_eq!(show_set(&version, &ValueSet::range(&version, 0, parse_version("2").unwrap() - 1)), "< 2.0");
    }

    #[test]
    fn texts() {
        let f = fact(Type::Text, &[]);
        let set = |t: TextSet| ValueSet { unknown: false, points: 0, values: Values::Text(t) };
        assert_eq!(show_set(&f, &set(TextSet::literal("a|b"))), "\"a\\|b\"");
        let po = set(TextSet::prefix("po:"));
        assert_eq!(show_set(&f, &po), "starts \"po:\"");
        let x = set(TextSet::literal("po:x"));
        assert_eq!(show_set(&f, &po.minus(&x, &f)), "starts \"po:\" and not \"po:x\"");
        assert_eq!(show_set(&f, &x.complement_known(&f)), "not \"po:x\"");
        assert_eq!(show_set(&f, &po.complement_known(&f)), "not starts \"po:\"");
        assert_eq!(show_set(&f, &x.complement(&f)), "unknown or not \"po:x\"");
    }

    /// The set that a cell means in a policy of one fact.
    fn read(declared: &str, cell: &str) -> (Fact, ValueSet) {
        let text = format!(
            "policy p\nversion 1\nfact f : {declared}\ntable t, first row wins\n| f | => action |\n| {cell} | stop |\n| otherwise | stop |\n"
        );
        let parsed = crate::syntax::parse(crate::text::FileId(0), &text);
        let lowered = crate::model::lower(&[crate::model::Unit { tree: parsed.file, role: crate::model::Role::Main }]);
        let findings = (parsed.findings, lowered.findings);
        let model = lowered.model;
        let set =
            model.tables.first().and_then(|t| t.rows.first()).and_then(|r| r.conds.first()).map(|c| (*c.set).clone());
        (model.facts[0].clone(), set.unwrap_or_else(|| panic!("{cell}: {findings:?}")))
    }

    #[test]
    fn what_is_shown_is_read_again() {
        let facts = [
            ("a, b, c, \"14 days\", \"UNKNOWN\"", "a"),
            ("low < medium < high < critical", "low"),
            ("yes, no", "no"),
            ("count", "3"),
            ("integer -5..5", "3"),
            ("decimal 0..10 step 0.1", "0.1"),
            ("decimal", "0.1"),
            ("duration or none", "2s"),
            ("instant", "2026-08-01T12:00:00Z"),
            ("version", "2.1"),
        ];
        for (declared, cell) in facts {
            let (fact, one) = read(declared, cell);
            let known = ValueSet::known(&fact);
            let mut sets = vec![one.clone(), one.complement_known(&fact), one.complement(&fact)];
            if let Type::Number(ty) = &fact.ty {
                let Values::Number(ranges) = &one.values else { panic!("{declared}") };
                let (at, far) = (ranges[0].0, (ranges[0].0 + 1000 * ty.step).min(ty.hi));
                let ends = [(at, i128::MAX), (i128::MIN, at), (at, far), (at + ty.step, far), (at, far - ty.step)];
                sets.extend(ends.iter().map(|(lo, hi)| ValueSet::range(&fact, *lo, *hi)));
                sets.extend(ends.iter().map(|(lo, hi)| ValueSet::range(&fact, *lo, *hi).complement(&fact)));
                sets.extend(ends.iter().map(|(lo, hi)| ValueSet::range(&fact, *lo, *hi).complement_known(&fact)));
            }
            for bits in 1..32u16 {
                let held = (0..5).filter(|i| bits >> i & 1 == 1).map(Value::Choice);
                let Type::Choice { values, .. } = &fact.ty else { break };
                let fits = |v: &Value| matches!(v, Value::Choice(i) if usize::from(*i) < values.len());
                let set = held.filter(fits).fold(ValueSet::none(&fact), |s, v| s.or(&ValueSet::one(&fact, &v), &fact));
                sets.extend([ValueSet { unknown: true, ..set.clone() }, set]);
            }
            for set in sets.iter().filter(|s| !s.is_empty() && !s.is_all(&fact) && **s != known) {
                let cell = show_set(&fact, set);
                assert_eq!(&read(declared, &cell).1, set, "{declared}: {cell}");
            }
        }
    }
}
