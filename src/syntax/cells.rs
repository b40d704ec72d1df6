//! A cell of a fact's column: text to [`CellExpr`].
//!
//! Places inside count from the start of the cell. What the grammar lets pass and the language does not (`unknown`
//! behind another value, `5,000`) is refused here; what the grammar refuses is explained in `cell_mistakes`.

use std::rc::Rc;

use pest::iterators::Pair;

use super::cell_mistakes;
use super::findings::{self, Mistake};
use super::grammar::{self, Rule, inner};
use super::limits::Limits;
use super::place::{At, local};
use super::tree::{Atom, AtomKind, CellExpr, Comparison, Element, Literal};
use super::words::unquoted;

/// Reads one cell; the places of a finding count from the start of the text too.
pub fn parse(text: &str) -> Result<CellExpr, Mistake> {
    if let Some(expr) = plain(text) {
        return checked(text, expr);
    }
    match grammar::run(Rule::cell, text) {
        Ok(pair) => match inner(&pair, Rule::alternatives) {
            Some(found) => checked(text, expr(&found)),
            None => Err(cell_mistakes::find(text, 0)),
        },
        Err(at) => Err(cell_mistakes::find(text, at)),
    }
}

/// The commonest cells by far, without the grammar: plain words, numbers and ranges parted by `, `, or one word or number
/// behind a sign.
fn plain(text: &str) -> Option<CellExpr> {
    let signs = [
        (">= ", Comparison::AtLeast),
        ("<= ", Comparison::AtMost),
        ("> ", Comparison::Greater),
        ("< ", Comparison::Less),
    ];
    let end = text.len() as u32;
    let kind =
        if let Some((value, comparison)) = signs.iter().find_map(|(sign, c)| Some((text.strip_prefix(sign)?, *c))) {
            AtomKind::Compare(comparison, plain_literal(value, text.len() - value.len())?)
        } else {
            let mut start = 0;
            let mut list = Vec::new();
            for value in text.split(", ") {
                list.push(plain_element(value, start)?);
                start += value.len() + 2;
            }
            AtomKind::List(list)
        };
    Some(CellExpr { alternatives: vec![vec![Atom { start: 0, end, kind }]] })
}

/// `a`, `1..5`, `1..<5`
fn plain_element(text: &str, start: usize) -> Option<Element> {
    let Some((lo, hi)) = text.split_once("..") else { return plain_literal(text, start).map(Element::One) };
    let (hi, open) = hi.strip_prefix('<').map_or((hi, false), |hi| (hi, true));
    let behind = start + text.len() - hi.len();
    Some(Element::Range { lo: plain_literal(lo, start)?, hi: plain_literal(hi, behind)?, open })
}

/// A word or number without signs in it that has no meaning of its own.
fn plain_literal(text: &str, start: usize) -> Option<Literal> {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let own = matches!(text, "and" | "or" | "not") || cell_mistakes::is_claimed(text);
    if !plain || own || !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    Some(Literal { text: text.into(), quoted: false, start: start as u32, end: (start + text.len()) as u32 })
}

/// The cell of `alternatives`, unless the language refuses what the grammar read. Places count from its start.
pub(super) fn checked(text: &str, expr: CellExpr) -> Result<CellExpr, Mistake> {
    let n_members: usize = expr.alternatives.iter().flatten().map(members).sum();
    if n_members > Limits::MEMBERS {
        let span = local(0, text.len());
        return Err(findings::over_limit(span, "this cell", n_members, Limits::MEMBERS, "values").into());
    }
    match cell_mistakes::in_expr(text, &expr) {
        Some(mistake) => Err(mistake),
        None => Ok(expr),
    }
}

fn members(atom: &Atom) -> usize {
    match &atom.kind {
        AtomKind::List(list) | AtomKind::Not(list) => list.len(),
        _ => 1,
    }
}

/// Start and end of a pair, without white space at its end.
pub(super) fn extent(pair: &Pair<'_, Rule>) -> (usize, usize) {
    let start = pair.as_span().start();
    (start, start + pair.as_str().trim_end().len())
}

/// Builds the cell of a pair `alternatives`.
pub(super) fn expr(pair: &Pair<'_, Rule>) -> CellExpr {
    let base = pair.as_span().start();
    let alternatives = grammar::all(pair, Rule::conjunction)
        .map(|c| grammar::all(&c, Rule::atom).filter_map(|a| atom(&a, base)).collect())
        .collect();
    CellExpr { alternatives }
}

fn atom(pair: &Pair<'_, Rule>, base: usize) -> Option<Atom> {
    let found = pair.clone().into_inner().next()?;
    let (start, end) = extent(&found);
    let kind = match found.as_rule() {
        Rule::known => AtomKind::Known,
        Rule::none_of => AtomKind::Not(elements(&inner(&found, Rule::list)?, base)),
        Rule::starts => AtomKind::Starts(literal(&inner(&found, Rule::quoted)?, base)),
        Rule::compare => {
            let comparison = match inner(&found, Rule::comparison)?.as_str() {
                "<" => Comparison::Less,
                "<=" => Comparison::AtMost,
                ">" => Comparison::Greater,
                _ => Comparison::AtLeast,
            };
            AtomKind::Compare(comparison, literal(&inner(&found, Rule::literal)?, base))
        }
        _ => AtomKind::List(elements(&found, base)),
    };
    Some(Atom { start: (start - base) as u32, end: (end - base) as u32, kind })
}

fn elements(list: &Pair<'_, Rule>, base: usize) -> Vec<Element> {
    grammar::all(list, Rule::element).filter_map(|e| element(&e, base)).collect()
}

fn element(pair: &Pair<'_, Rule>, base: usize) -> Option<Element> {
    let mut literals = grammar::all(pair, Rule::literal);
    let lo = literal(&literals.next()?, base);
    Some(match (inner(pair, Rule::dots), literals.next()) {
        (Some(dots), Some(hi)) => Element::Range { lo, hi: literal(&hi, base), open: dots.as_str() == "..<" },
        _ if &*lo.text == "unknown" && !lo.quoted => Element::Unknown(lo),
        _ => Element::One(lo),
    })
}

fn literal(pair: &Pair<'_, Rule>, base: usize) -> Literal {
    let (start, end) = extent(pair);
    let (text, quoted) = unquoted(pair.as_str());
    Literal { text, quoted, start: (start - base) as u32, end: (end - base) as u32 }
}

/// The cell with its places counted in the original text, where that differs from the parsed one inside the cell.
pub(super) fn placed(expr: Rc<CellExpr>, len: usize, at: At<'_>) -> Rc<CellExpr> {
    if !at.map.touches(at.base, at.base + len) {
        return expr;
    }
    let first = at.span(0, 0).start;
    let mut copy = (*expr).clone();
    let place = |start: &mut u32, end: &mut u32| {
        let span = at.span(*start as usize, *end as usize);
        (*start, *end) = (span.start - first, span.end - first);
    };
    for atom in copy.alternatives.iter_mut().flatten() {
        place(&mut atom.start, &mut atom.end);
        match &mut atom.kind {
            AtomKind::Known => {}
            AtomKind::Compare(_, l) | AtomKind::Starts(l) => place(&mut l.start, &mut l.end),
            AtomKind::List(list) | AtomKind::Not(list) => {
                for element in list {
                    match element {
                        Element::Unknown(l) | Element::One(l) => place(&mut l.start, &mut l.end),
                        Element::Range { lo, hi, .. } => {
                            place(&mut lo.start, &mut lo.end);
                            place(&mut hi.start, &mut hi.end);
                        }
                    }
                }
            }
        }
    }
    Rc::new(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let member = |e: &Element| match e {
            Element::Unknown(_) => "?".to_string(),
            Element::One(l) if l.quoted => format!("{:?}", l.text),
            Element::One(l) => l.text.to_string(),
            Element::Range { lo, hi, open } => format!("{}..{}{}", lo.text, if *open { "<" } else { "" }, hi.text),
        };
        let all = |l: &[Element]| l.iter().map(member).collect::<Vec<_>>().join(",");
        let atom = |a: &Atom| match &a.kind {
            AtomKind::Known => "known".to_string(),
            AtomKind::List(l) => all(l),
            AtomKind::Not(l) => format!("!{}", all(l)),
            AtomKind::Compare(c, l) => format!("{c:?} {}", l.text),
            AtomKind::Starts(l) => format!("starts {}", l.text),
        };
        let expr = parse(text).unwrap_or_else(|m| panic!("{text}: {}", m.message));
        let both = |c: &Vec<Atom>| c.iter().map(atom).collect::<Vec<_>>().join(" & ");
        expr.alternatives.iter().map(both).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn cells_of_every_kind_are_read() {
        for (text, meant) in [
            ("a", "a"),
            ("a, b-c", "a,b-c"),
            ("unknown, stale", "?,stale"),
            ("unknown or > 5_000", "? | Greater 5_000"),
            ("unknown or not a, b", "? | !a,b"),
            ("> 75 and <= 95", "Greater 75 & AtMost 95"),
            ("< 2 or > 9", "Less 2 | Greater 9"),
            ("1..<5", "1..<5"),
            ("200ms..2s, none", "200ms..2s,none"),
            ("low..medium", "low..medium"),
            ("known and not a", "known & !a"),
            ("starts \"po:\"", "starts po:"),
            ("\"14 days\", \"a\\|b\"", "\"14 days\",\"a|b\""),
            (">= 2026-08-01T12:00:00+02:00", "AtLeast 2026-08-01T12:00:00+02:00"),
            ("2026.8.1..2026.9", "2026.8.1..2026.9"),
            ("\"unknown\"", "\"unknown\""),
            ("-1.5..0", "-1.5..0"),
            ("nothing, android, orange", "nothing,android,orange"),
        ] {
            assert_eq!(shown(text), meant, "{text}");
        }
    }

    #[test]
    fn plain_cells_are_read_as_the_grammar_reads_them() {
        for text in ["a", "a, b_c, 3", ">= 500ms", "< x", "5_000", "1..5", "200ms..<2s, none"] {
            let pair = grammar::run(Rule::cell, text).ok().and_then(|p| inner(&p, Rule::alternatives));
            assert_eq!(plain(text), pair.map(|p| expr(&p)), "{text}");
        }
        for text in ["a,b", "a, unknown", "any", "_", "first row wins", ">=3", "not a", "a, ", ""] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_plain_is_read_as_the_grammar_reads_it(parts in proptest::collection::vec(0..20_usize, 1..8)) {
            const PARTS: [&str; 20] = [
                "a", "b_c", "1", "5_000", "200ms", "2026", "..", "..<", ".", "<", ", ", ", ", ",", " ", ">= ", "< ", "and",
                "unknown", "-", "first row wins",
            ];
            let text: String = parts.iter().map(|i| PARTS[*i]).collect();
            if let Some(found) = plain(&text) {
                let pair = grammar::run(Rule::cell, &text).ok().and_then(|p| inner(&p, Rule::alternatives));
                assert_eq!(Some(found), pair.map(|p| expr(&p)), "{text}");
            }
        }
    }

    #[test]
    fn places_count_from_the_start_of_the_cell() {
        let expr = parse("unknown or 1..5 ").unwrap_or_else(|m| panic!("{}", m.message));
        let atom = &expr.alternatives[1][0];
        assert_eq!((atom.start, atom.end), (11, 15));
    }
}
