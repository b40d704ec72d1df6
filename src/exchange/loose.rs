//! A spreadsheet's cell, as people write them: the language's own cells; nothing, `*` or `any` for everything; `[1..5)`,
//! `not(…)`, `≥ 5`, `= a`; and else the words that stand there, parted by commas.

use super::cell::{Atom, Cell, Literal, Member, opposite};
use crate::syntax;
use crate::syntax::tree::Comparison;

/// What a spreadsheet shows where a formula has no value.
const ERRORS: [&str; 8] = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!"];

/// Reads a cell.
///
/// # Errors
/// Why it can be read in two ways, or not at all.
pub(super) fn read(text: &str) -> Result<Cell, String> {
    let text = text.trim();
    if matches!(text, "" | "-" | "–" | "—" | "*") || text.eq_ignore_ascii_case("any") {
        return Ok(Cell::Any);
    }
    if ERRORS.contains(&text) {
        return Err(format!("`{text}` is the error of a formula"));
    }
    if let Some(number) = text.split_whitespace().find(|word| is_two_ways(word)) {
        return Err(format!("`{number}` may be one number or two: write `5_000`, `3.5`, or a blank behind the comma"));
    }
    let plain = text.replace('≥', ">=").replace('≤', "<=").replace("<>", "!=").replace('≠', "!=");
    if plain.eq_ignore_ascii_case("unknown") || plain.eq_ignore_ascii_case("null") {
        return Ok(Cell::Tests(vec![vec![Atom::Unknown]]));
    }
    if let Ok(expr) = syntax::parse_cell(&plain) {
        return Ok(Cell::of(&expr));
    }
    if let Some(inner) = inside_not(&plain) {
        return negated(read(inner)?).ok_or_else(|| format!("`{text}` is no cell of the language"));
    }
    if let Some(rest) = plain.strip_prefix("!=") {
        return negated(read(rest)?).ok_or_else(|| format!("`{text}` is no cell of the language"));
    }
    if let Some(rest) = plain.strip_prefix('=') {
        return read(rest);
    }
    if let Some((sign, end)) = comparison(&plain) {
        return Ok(Cell::Tests(vec![vec![Atom::Compare(sign, Literal::bare(end))]]));
    }
    if let Some(cell) = interval(&plain) {
        return Ok(cell);
    }
    words(&plain)
}

/// Whether digits stand on both sides of a comma: `5,000`, `3,5`, `400,403`.
fn is_two_ways(word: &str) -> bool {
    let bytes = word.as_bytes();
    !word.contains('"') && bytes.windows(3).any(|w| w[0].is_ascii_digit() && w[1] == b',' && w[2].is_ascii_digit())
}

/// A comparison with something that is no plain word: `> 5 minutes`, `>= 75 %`.
fn comparison(text: &str) -> Option<(Comparison, &str)> {
    let signs =
        [(">=", Comparison::AtLeast), ("<=", Comparison::AtMost), (">", Comparison::Greater), ("<", Comparison::Less)];
    let (end, sign) = signs.into_iter().find_map(|(sign, meant)| Some((text.strip_prefix(sign)?, meant)))?;
    let plain = !end.contains(['<', '>', '=', '!', ',', '"', '(', ')']) && !end.contains("..");
    let joined = end.split_whitespace().any(|word| matches!(word, "and" | "or"));
    (plain && !joined && !end.trim().is_empty()).then(|| (sign, end.trim()))
}

/// What stands in `not(…)`.
fn inside_not(text: &str) -> Option<&str> {
    let rest = text.get(..3).filter(|word| word.eq_ignore_ascii_case("not")).and_then(|_| text.get(3..))?;
    rest.trim_start().strip_prefix('(')?.strip_suffix(')')
}

/// The known values that a cell does not take, where one cell can say so.
pub(super) fn negated(cell: Cell) -> Option<Cell> {
    let Cell::Tests(alternatives) = cell else { return None };
    let mut atoms: Vec<Atom> = Vec::new();
    let n = alternatives.len();
    for conjunction in alternatives {
        let only = <[Atom; 1]>::try_from(conjunction);
        match only {
            Ok([Atom::Unknown]) if n == 1 => atoms.push(Atom::Known),
            // Beside others: what follows takes known values alone.
            Ok([Atom::Unknown]) => {}
            Ok([Atom::List(members)]) => match atoms.last_mut() {
                Some(Atom::Not(before)) => before.extend(members),
                _ => atoms.push(Atom::Not(members)),
            },
            Ok([Atom::Not(members)]) => atoms.push(Atom::List(members)),
            Ok([Atom::Compare(sign, literal)]) => atoms.push(Atom::Compare(opposite(sign), literal)),
            Ok([Atom::Known]) if n == 1 => atoms.push(Atom::Unknown),
            // A stretch between two ends: what lies on either side of it.
            Err(both) if n == 1 => {
                let sides = both.into_iter().map(|atom| match atom {
                    Atom::Compare(sign, literal) => Some(vec![Atom::Compare(opposite(sign), literal)]),
                    _ => None,
                });
                return sides.collect::<Option<Vec<_>>>().map(Cell::Tests);
            }
            _ => return None,
        }
    }
    Some(Cell::Tests(vec![atoms]))
}

/// `[1..5)`, `]1..5[`, `(1..5]`.
fn interval(text: &str) -> Option<Cell> {
    let open_low = match text.chars().next()? {
        '[' => false,
        '(' | ']' => true,
        _ => return None,
    };
    let open_high = match text.chars().next_back()? {
        ']' => false,
        ')' | '[' => true,
        _ => return None,
    };
    let (lo, hi) = text.get(1..text.len() - 1)?.split_once("..")?;
    let (lo, hi) = (lo.trim(), hi.trim());
    let plain = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || "._-+:".contains(c));
    (plain(lo) && plain(hi)).then(|| between(Literal::bare(lo), open_low, Literal::bare(hi), open_high))
}

/// The values between two ends.
pub(super) fn between(lo: Literal, open_low: bool, hi: Literal, open_high: bool) -> Cell {
    if !open_low {
        return Cell::Tests(vec![vec![Atom::List(vec![Member::Range(lo, hi, open_high)])]]);
    }
    let end = if open_high { Comparison::Less } else { Comparison::AtMost };
    Cell::Tests(vec![vec![Atom::Compare(Comparison::Greater, lo), Atom::Compare(end, hi)]])
}

/// Words and texts parted by commas or by lines.
fn words(text: &str) -> Result<Cell, String> {
    let mut values = Vec::new();
    for piece in pieces(text) {
        let piece = piece.trim();
        let signs = ["<", ">", "=", "!"];
        if signs.iter().any(|sign| piece.starts_with(sign)) || piece.contains("..") {
            return Err(format!("`{text}` is no cell of the language"));
        }
        match piece.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            Some(inner) => values.push(Literal::quoted(inner.replace("\\\"", "\"").replace("\"\"", "\""))),
            None if piece.is_empty() => {}
            None => values.push(Literal::bare(piece)),
        }
    }
    if values.is_empty() { Err(format!("`{text}` names no value")) } else { Ok(Cell::one_of(values)) }
}

/// A text cut at commas and line ends outside quotes; a comma between two digits does not part.
fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let (mut out, mut start, mut quoted) = (Vec::new(), 0, false);
    for (i, byte) in bytes.iter().enumerate() {
        let parts = match byte {
            b'"' => {
                quoted = !quoted;
                false
            }
            b',' => !(quoted || digit(i.checked_sub(1)) && digit(Some(i + 1))),
            b'\n' => !quoted,
            _ => false,
        };
        if parts {
            out.push(&text[start..i]);
            start = i + 1;
        }
    }
    out.push(&text[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let value = &mut |l: &Literal| Ok(crate::model::quoted_if_needed(&l.text).replace('"', "'"));
        match read(text) {
            Ok(cell) => cell.show(value).unwrap(),
            Err(why) => format!("! {why}"),
        }
    }

    #[test]
    fn cells_as_people_write_them() {
        for (text, cell) in [
            ("", "-"),
            (" * ", "-"),
            ("Any", "-"),
            ("a, b", "a, b"),
            ("Very High, low", "'Very High', low"),
            ("\"14 days\", now", "'14 days', now"),
            ("[a..b)", "a..<b"),
            ("(a..b]", "> a and <= b"),
            ("]a..b[", "> a and < b"),
            ("not(a, b)", "not a, b"),
            ("not([a..b])", "not a..b"),
            ("not(< a)", ">= a"),
            ("not((a..b))", "<= a or >= b"),
            ("!= a", "not a"),
            ("<> a", "not a"),
            ("= a", "a"),
            ("≥a", ">= a"),
            (">= 5 min", ">= '5 min'"),
            ("null", "unknown"),
            ("not(null)", "known"),
            ("unknown or > a", "unknown or > a"),
            ("unknown, a", "unknown, a"),
            ("a\nb c", "a, 'b c'"),
        ] {
            assert_eq!(shown(text), cell, "{text}");
        }
        for bad in ["> a, b c", "1,5", "5,000", "a..b c", "not(> a and b c)", ","] {
            assert!(shown(bad).starts_with('!'), "{bad}: {}", shown(bad));
        }
    }
}
