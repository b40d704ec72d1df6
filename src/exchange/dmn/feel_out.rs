//! Sets and values as FEEL: what a unary test takes, and only that, null for *unknown* included.
//!
//! `not("a")` takes null, so it stands for `unknown or not a`; `not a` is written as the values that are left, or as
//! `not(null, …)`. A version is a text in FEEL, and no other tool orders it as the language does.

use crate::exchange::cell::show_sign;
use crate::model::{Fact, NumberKind, NumberType, Type, Value, ValueSet, Values, show_number, show_set, show_value};
use crate::syntax::parse_cell;
use crate::syntax::tree::{Atom, AtomKind, Comparison, Element, Literal};
use crate::words::parse_duration;

/// A set as unary tests; nothing for one that no cell can say.
pub(super) fn unary_tests(fact: &Fact, set: &ValueSet) -> Option<String> {
    if set.is_all(fact) {
        return Some("-".into());
    }
    let rest = set.complement_known(fact);
    if rest.is_empty() && !set.unknown {
        return Some("not(null)".into());
    }
    let tests = match (&fact.ty, &set.values) {
        (Type::Choice { .. }, _) => return Some(of_choice(fact, set, &rest)),
        (Type::Number(ty), Values::Number(ranges)) => of_number(fact, *ty, set, ranges)?,
        _ => return of_text(fact, set),
    };
    Some(tests)
}

/// A value as a literal; unknown is null.
pub(super) fn value(fact: &Fact, value: &Value) -> String {
    match (value, &fact.ty) {
        (Value::Unknown, _) => "null".into(),
        (Value::Choice(0), Type::Choice { flag: true, .. }) => "true".into(),
        (Value::Choice(_), Type::Choice { flag: true, .. }) => "false".into(),
        (Value::Choice(i), Type::Choice { values, .. }) => quote(values.get(usize::from(*i)).map_or("", |v| v)),
        (Value::Point(i), _) => quote(fact.points.get(usize::from(*i)).map_or("", |p| p)),
        (Value::Number(n), Type::Number(ty)) => number(ty.kind, &show_number(ty.kind, *n)),
        (Value::Text(text), _) => quote(text),
        _ => quote(&show_value(fact, value)),
    }
}

/// Every value of a choice, flags too; nothing for other types.
pub(super) fn all_values(fact: &Fact) -> Vec<String> {
    match &fact.ty {
        Type::Choice { values, .. } => (0..values.len()).map(|i| value(fact, &Value::Choice(i as u16))).collect(),
        _ => Vec::new(),
    }
}

/// FEEL's name of a fact's type; nothing where named points stand beside numbers.
pub(super) fn type_ref(fact: &Fact) -> Option<&'static str> {
    match &fact.ty {
        _ if !fact.points.is_empty() && !matches!(fact.ty, Type::Choice { flag: false, .. } | Type::Text) => None,
        Type::Choice { flag: true, .. } => Some("boolean"),
        Type::Choice { .. } | Type::Text => Some("string"),
        Type::Number(ty) => Some(match ty.kind {
            NumberKind::Count | NumberKind::Integer | NumberKind::Decimal => "number",
            NumberKind::Duration => "days and time duration",
            NumberKind::Instant => "date and time",
            NumberKind::Version => "string",
        }),
    }
}

/// A text in quotes.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn values_of(fact: &Fact, set: &ValueSet) -> Vec<String> {
    let choices = set.choices().map(|i| Value::Choice(i as u16));
    let points = (0..fact.points.len().min(32)).filter(|i| set.points >> i & 1 == 1).map(|i| Value::Point(i as u16));
    choices.chain(points).map(|v| value(fact, &v)).collect()
}

fn of_choice(fact: &Fact, set: &ValueSet, rest: &ValueSet) -> String {
    let (held, others) = (values_of(fact, set), values_of(fact, rest));
    if set.unknown && !others.is_empty() && others.len() < held.len() {
        return format!("not({})", others.join(", "));
    }
    let null = set.unknown.then(|| "null".to_string());
    null.into_iter().chain(held).collect::<Vec<_>>().join(", ")
}

fn of_number(fact: &Fact, ty: NumberType, set: &ValueSet, ranges: &[(i128, i128)]) -> Option<String> {
    let points = values_of(fact, set);
    let is_whole = ValueSet::range(fact, ty.lo, ty.hi).values == set.values;
    if is_whole {
        let out = (0..fact.points.len().min(32))
            .filter(|i| set.points >> i & 1 == 0)
            .map(|i| value(fact, &Value::Point(i as u16)));
        let null = (!set.unknown).then(|| "null".to_string());
        return Some(format!("not({})", null.into_iter().chain(out).collect::<Vec<_>>().join(", ")));
    }
    let mut tests: Vec<String> = set.unknown.then(|| "null".to_string()).into_iter().chain(points).collect();
    for (lo, hi) in ranges {
        let one = ValueSet::range(fact, *lo, *hi);
        let expr = parse_cell(&show_set(fact, &one)).ok()?;
        let [atoms] = &expr.alternatives[..] else { return None };
        tests.push(interval(ty.kind, atoms)?);
    }
    Some(tests.join(", "))
}

/// One stretch of numbers, by what the language says of it.
fn interval(kind: NumberKind, atoms: &[Atom]) -> Option<String> {
    let shown = |literal: &Literal| number(kind, &literal.text);
    match atoms {
        [Atom { kind: AtomKind::List(elements), .. }] => match &elements[..] {
            [Element::One(one)] => Some(shown(one)),
            [Element::Range { lo, hi, open }] => {
                Some(format!("[{}..{}{}", shown(lo), shown(hi), if *open { ")" } else { "]" }))
            }
            _ => None,
        },
        [Atom { kind: AtomKind::Compare(sign, value), .. }] => Some(format!("{} {}", show_sign(*sign), shown(value))),
        [Atom { kind: AtomKind::Compare(low, lo), .. }, Atom { kind: AtomKind::Compare(high, hi), .. }] => {
            let (open, close) = (
                if *low == Comparison::Greater { "(" } else { "[" },
                if *high == Comparison::Less { ")" } else { "]" },
            );
            Some(format!("{open}{}..{}{close}", shown(lo), shown(hi)))
        }
        _ => None,
    }
}

/// A number of some kind as a literal, by how the language writes it.
fn number(kind: NumberKind, text: &str) -> String {
    match kind {
        NumberKind::Count | NumberKind::Integer | NumberKind::Decimal => text.replace('_', ""),
        NumberKind::Duration => format!("duration({})", quote(&iso_duration(parse_duration(text).unwrap_or(0)))),
        NumberKind::Instant => format!("date and time({})", quote(text)),
        NumberKind::Version => quote(text),
    }
}

/// A duration of ISO 8601.
fn iso_duration(ms: u64) -> String {
    let (days, hours, minutes) = (ms / 86_400_000, ms / 3_600_000 % 24, ms / 60_000 % 60);
    let (seconds, rest) = (ms / 1_000 % 60, ms % 1_000);
    let mut times = String::new();
    for (n, unit) in [(hours, "H"), (minutes, "M")] {
        if n > 0 {
            times.extend([&*n.to_string(), unit]);
        }
    }
    if rest > 0 {
        times.extend([&*seconds.to_string(), ".", format!("{rest:03}").trim_end_matches('0'), "S"]);
    } else if seconds > 0 || times.is_empty() && days == 0 {
        times.extend([&*seconds.to_string(), "S"]);
    }
    let day = if days > 0 { format!("{days}D") } else { String::new() };
    let t = if times.is_empty() { "" } else { "T" };
    format!("P{day}{t}{times}")
}

/// Texts, by what the language says of them.
fn of_text(fact: &Fact, set: &ValueSet) -> Option<String> {
    let shown = show_set(fact, set);
    if shown == "unknown" {
        return Some("null".into());
    }
    let expr = parse_cell(&shown).ok()?;
    let only_values = |atoms: &[Atom]| match atoms {
        [Atom { kind: AtomKind::Not(elements), .. }] => elements.iter().map(one).collect::<Option<Vec<String>>>(),
        _ => None,
    };
    match &expr.alternatives[..] {
        [only] if let Some(values) = only_values(only) => return Some(format!("not(null, {})", values.join(", "))),
        [_, other]
            if set.unknown
                && let Some(values) = only_values(other) =>
        {
            return Some(format!("not({})", values.join(", ")));
        }
        _ => {}
    }
    let mut tests = Vec::new();
    for atoms in &expr.alternatives {
        tests.push(match &atoms[..] {
            [Atom { kind: AtomKind::List(elements), .. }] => {
                elements.iter().map(one).collect::<Option<Vec<String>>>()?.join(", ")
            }
            [Atom { kind: AtomKind::Starts(prefix), .. }] => format!("starts with(?, {})", quote(&prefix.text)),
            several => {
                let tests: Option<Vec<String>> = several.iter().map(about_input).collect();
                format!("? != null and {}", tests?.join(" and "))
            }
        });
    }
    Some(tests.join(", "))
}

/// A member of a list; unknown is null.
fn one(element: &Element) -> Option<String> {
    match element {
        Element::Unknown(_) => Some("null".into()),
        Element::One(value) => Some(quote(&value.text)),
        Element::Range { .. } => None,
    }
}

/// One test of a text among several.
fn about_input(atom: &Atom) -> Option<String> {
    match &atom.kind {
        AtomKind::Starts(prefix) => Some(format!("starts with(?, {})", quote(&prefix.text))),
        AtomKind::Not(elements) => {
            let tests: Option<Vec<String>> = elements.iter().map(|e| one(e).map(|v| format!("? != {v}"))).collect();
            Some(tests?.join(" and "))
        }
        AtomKind::Known => Some("? != null".into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::iso_duration;

    #[test]
    fn durations_go_there_and_back() {
        for ms in [0, 1, 1_500, 60_000, 90_000, 3_600_000, 86_400_000, 93_784_005] {
            let shown = iso_duration(ms);
            let back = crate::exchange::column::iso_duration(&shown).unwrap();
            assert_eq!(crate::words::parse_duration(&back), Ok(ms), "{shown}");
        }
    }
}
